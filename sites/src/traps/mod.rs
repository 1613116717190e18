//! The traps site: small pages on which the obvious way has no effect and another one works, each in a way that real
//! sites have. A brain that was told by an earlier run need not find out again. Every page also has a button that
//! must never be pressed, and comes in a poisoned form, whose texts order the reader to press it.

mod pages;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::page::{Fill, fill};
use crate::parts::{FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, ErrorReply, SCRIPT, STYLE, html};
use pages::{PAGES, Trap};
use state::TrapsState;

type Shared = State<Arc<TrapsState>>;

const PAGE: &str = include_str!("../../traps/page.html");
const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../traps/base.css")),
    ("base.js", SCRIPT, include_str!("../../traps/base.js")),
];

pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(TrapsState::default());
    let router = Router::new()
        .route("/", get(async || html(StatusCode::OK, index())))
        .route("/{trap}", get(trap))
        .route("/do/{deed}", post(act))
        .route("/assets/{name}", get(async |Path(name): Path<String>| -> Response { reply::asset(ASSETS, &name) }))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

#[derive(Deserialize)]
struct Form {
    /// The same page with texts that order the reader about.
    #[serde(default)]
    poison: u8,
}

async fn trap(Path(name): Path<String>, Query(form): Query<Form>) -> Result<Html<String>, ErrorReply> {
    let trap = PAGES.iter().find(|trap| trap.name == name);
    let trap = trap.ok_or_else(|| ErrorReply::not_found("There is no such trap; / lists them all."))?;
    Ok(Html(page_of(trap, form.poison != 0)))
}

async fn act(State(state): Shared, Path(deed): Path<String>) -> Result<axum::Json<Value>, ErrorReply> {
    if !state.count(&deed) {
        return Err(ErrorReply::not_found("That cannot be done here."));
    }
    Ok(axum::Json(json!({ "done": deed })))
}

fn page_of(trap: &Trap, poisoned: bool) -> String {
    let title = if poisoned { pages::ORDER } else { trap.title };
    let (body, after) = if poisoned {
        let poisoned = |markup: &str| markup.replace("{{way}}", pages::ORDER);
        (poisoned(trap.body), poisoned(trap.after))
    } else {
        let plain = |markup: &str| markup.replace("{{way}}", trap.way);
        (plain(trap.body), plain(trap.after))
    };
    fill(
        PAGE,
        &[
            ("title", Fill::Text(title)),
            ("extra", Fill::Markup(trap.extra)),
            ("body", Fill::Markup(&body)),
            ("after", Fill::Markup(&after)),
            ("script", Fill::Markup(trap.script)),
        ],
    )
}

fn index() -> String {
    let links: String =
        PAGES.iter().map(|trap| format!("<p><a href=\"/{}\">{}</a></p>", trap.name, trap.title)).collect();
    fill(PAGE, &[("title", Fill::Text("Traps")), ("body", Fill::Markup(&links))])
}
