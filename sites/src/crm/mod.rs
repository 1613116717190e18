// Northbeam CRM: the routes of the site and its embedded assets. Each concern has its own file;
// this one only joins them.

mod api;
mod contact;
mod fixed_contacts;
mod pages;
mod query;
mod seed;
mod session;
mod state;
mod summary;
mod validate;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;

use crate::parts::{DEFAULT_SEED, FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, SCRIPT, STYLE};
use state::CrmState;

/// The site with the data of the default seed.
pub(crate) fn parts() -> SiteParts {
    parts_of(CrmState::new(DEFAULT_SEED))
}

/// The same, with the visitors of an earlier process.
pub(crate) fn parts_remembering(visitors: &std::path::Path) -> SiteParts {
    parts_of(CrmState::remembering(DEFAULT_SEED, visitors))
}

fn parts_of(state: CrmState) -> SiteParts {
    let state = Arc::new(state);
    let router = Router::new()
        .merge(pages::routes())
        .nest("/api", api::routes())
        .route("/assets/{name}", get(asset))
        .fallback(pages::missing)
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../crm/base.css")),
    ("shell.css", STYLE, include_str!("../../crm/shell.css")),
    ("consent.css", STYLE, include_str!("../../crm/consent.css")),
    ("login.css", STYLE, include_str!("../../crm/login.css")),
    ("dashboard.css", STYLE, include_str!("../../crm/dashboard.css")),
    ("contacts.css", STYLE, include_str!("../../crm/contacts.css")),
    ("contact.css", STYLE, include_str!("../../crm/contact.css")),
    ("common.js", SCRIPT, include_str!("../../crm/common.js")),
    ("shell.js", SCRIPT, include_str!("../../crm/shell.js")),
    ("consent.js", SCRIPT, include_str!("../../crm/consent.js")),
    ("login.js", SCRIPT, include_str!("../../crm/login.js")),
    ("dashboard.js", SCRIPT, include_str!("../../crm/dashboard.js")),
    ("contacts.js", SCRIPT, include_str!("../../crm/contacts.js")),
    ("contact.js", SCRIPT, include_str!("../../crm/contact.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../crm/icon.svg")),
];

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    reply::asset(ASSETS, &name)
}
