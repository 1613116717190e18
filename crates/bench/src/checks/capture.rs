//! Real frames for the checks: a page that is mostly flat and one that is all photograph, each in Chromium
//! before and after a click that changes a small part of it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;
use surehand_checks::before::GuardList;
use surehand_env::Environment;
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_run::{Acted, Hand};
use surehand_types::{Call, EffectStatus, Observation};

use crate::controller::Setup;
use crate::site::VIEW;

const PAGE: &str = include_str!("page.html");
const DEADLINE: Duration = Duration::from_secs(30);

/// The names of the pages are their paths.
pub(super) const PAGES: [&str; 2] = ["flat", "photo"];

/// One click: what was there before it, and everything that is known after it.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) page: &'static str,
    pub(super) before: Observation,
    pub(super) acted: Acted,
}

pub(super) async fn pairs(setup: &Setup) -> Result<Vec<Pair>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.context("cannot serve the page")?;
    let address = listener.local_addr().context("cannot serve the page")?;
    let routes = PAGES
        .iter()
        .fold(Router::new(), |routes, page| routes.route(&format!("/{page}"), get(|| async { Html(PAGE) })));
    let server = tokio::spawn(async move {
        // Ends with the captures; a failure shows as a page that does not load.
        let _ = axum::serve(listener, routes).await;
    });
    let mut pairs = Vec::new();
    for page in PAGES {
        let captured = pair(setup, page, &format!("http://{address}/{page}")).await;
        pairs.push(captured.with_context(|| format!("the {page} page"))?);
    }
    server.abort();
    Ok(pairs)
}

async fn pair(setup: &Setup, page: &'static str, url: &str) -> Result<Pair> {
    let options = BrowserOptions {
        executable: Some(setup.browser.display().to_string()),
        viewport: VIEW,
        encoding: setup.format.encoding(),
        ..BrowserOptions::default()
    };
    let mut env = BrowserEnv::launch(&options).await?;
    env.open_start_url(url).await?;
    let before = env.observe().await?;
    let call = json!({"tool": "mouse", "action": "click", "coordinate": [125, 83]});
    let call = Call::parse(&call).map_err(|problem| anyhow::anyhow!(problem.message))?.call;
    let mut hand = Hand::new(GuardList::new(Vec::new()));
    let acting = hand.act(&mut env, &call, 1);
    let acted = tokio::time::timeout(DEADLINE, acting).await.context("the click took too long")??;
    env.close().await;
    let status = acted.effect.as_ref().map(|effect| effect.status);
    ensure!(status == Some(EffectStatus::Confirmed), "the click gave {:?}", acted.effect);
    let after = &acted.observation.frame;
    ensure!(before.frame.pixels.width == VIEW.width && before.frame.pixels.height == VIEW.height, "not 1280x720");
    ensure!(before.frame.comparable_with(after), "the two frames cannot be compared");
    ensure!(before.frame.pixels != after.pixels, "the frame after the click is the one before it");
    Ok(Pair { page, before, acted })
}
