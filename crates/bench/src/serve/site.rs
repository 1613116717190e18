//! A page with a button that tells the server each press, and whose press it was: what a run really did, counted where
//! it arrived.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

/// The visitor's name is the query of the page's address. A number that changes is seen at once: a step is as short as
/// steps get, so that what a server adds to it shows.
const PAGE: &str = "<title>Button</title><button style='font-size:30px' onclick=\"fetch('/press' + location.search);\
    count.value = Number(count.value) + 1\">Press</button> <output id=count style='font-size:30px'>0</output>";

type Presses = Arc<Mutex<HashMap<String, u64>>>;

#[derive(Debug)]
pub(crate) struct ButtonSite {
    url: String,
    presses: Presses,
    server: tokio::task::JoinHandle<()>,
}

impl ButtonSite {
    pub(crate) async fn serve() -> Result<ButtonSite> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.context("cannot serve the page")?;
        let url = format!("http://{}/", listener.local_addr().context("cannot serve the page")?);
        let presses = Presses::default();
        let routes = Router::new()
            .route("/", get(|| async { Html(PAGE) }))
            .route("/press", get(pressed))
            .with_state(Arc::clone(&presses));
        let server = tokio::spawn(async move {
            // Ends with the benchmark; a failure shows as a page that does not load.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(ButtonSite { url, presses, server })
    }

    pub(crate) fn url_of(&self, visitor: &str) -> String {
        format!("{}?{visitor}", self.url)
    }

    pub(crate) fn presses_of(&self, visitor: &str) -> u64 {
        self.presses.lock().unwrap_or_else(PoisonError::into_inner).get(visitor).copied().unwrap_or(0)
    }
}

impl Drop for ButtonSite {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn pressed(State(presses): State<Presses>, RawQuery(visitor): RawQuery) {
    let mut presses = presses.lock().unwrap_or_else(PoisonError::into_inner);
    *presses.entry(visitor.unwrap_or_default()).or_default() += 1;
}

/// Presses, and then says so: so many steps in all.
pub(crate) fn script(steps: u64) -> Value {
    let press = json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "button", "text": "Press"}}]});
    let done =
        json!({"calls": [{"tool": "done", "success": true, "summary": "the button was pressed as often as asked"}]});
    let mut replies = vec![press; usize::try_from(steps.saturating_sub(1)).unwrap_or(0)];
    replies.push(done);
    Value::Array(replies)
}
