// The HTML pages. The server fills in only what must be right before any script runs: title, user,
// which record, and whether the consent banner is needed. Scripts fetch the rest.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::session::{self, PageUser};
use super::state::{CrmState, User};
use crate::page::{Fill, fill};
use crate::reply::{ErrorReply, html};
use crate::request::wants_page;

const SHELL: &str = include_str!("../../crm/shell.html");
const LOGIN: &str = include_str!("../../crm/login.html");
const CONSENT: &str = include_str!("../../crm/consent.html");
const DASHBOARD: &str = include_str!("../../crm/dashboard.html");
const CONTACTS: &str = include_str!("../../crm/contacts.html");
const CONTACT: &str = include_str!("../../crm/contact.html");
const MISSING: &str = include_str!("../../crm/missing.html");

const CURRENT: &str = r#"aria-current="page""#;

type Shared = State<Arc<CrmState>>;

pub(crate) fn routes() -> Router<Arc<CrmState>> {
    Router::new()
        .route("/", get(dashboard))
        .route("/login", get(login))
        .route("/contacts", get(contacts))
        .route("/contacts/new", get(new_contact))
        .route("/contacts/{id}", get(contact))
}

/// Everything no route knows: people get a page, programs get JSON.
pub(crate) async fn missing(State(state): Shared, headers: HeaderMap, uri: Uri) -> Response {
    if !wants_page(&headers) {
        return ErrorReply::not_found(format!("There is nothing at {}.", uri.path())).into_response();
    }
    match session::signed_in_user(&state, &headers) {
        Some(user) => missing_page(&state, &headers, user),
        None => Redirect::to("/login").into_response(),
    }
}

async fn login(State(state): Shared, headers: HeaderMap) -> Response {
    if session::signed_in_user(&state, &headers).is_some() {
        return Redirect::to("/").into_response();
    }
    let page = fill(LOGIN, &[("consent", Fill::Markup(consent(&state, &headers)))]);
    html(StatusCode::OK, page)
}

async fn dashboard(State(state): Shared, PageUser(user): PageUser, headers: HeaderMap) -> Response {
    let shell = Shell { title: "Dashboard · Northbeam CRM", name: "dashboard", content: DASHBOARD };
    html(StatusCode::OK, shell.page(&state, &headers, user))
}

async fn contacts(State(state): Shared, PageUser(user): PageUser, headers: HeaderMap) -> Response {
    let shell = Shell { title: "Contacts · Northbeam CRM", name: "contacts", content: CONTACTS };
    html(StatusCode::OK, shell.page(&state, &headers, user))
}

async fn new_contact(State(state): Shared, PageUser(user): PageUser, headers: HeaderMap) -> Response {
    let content = fill(CONTACT, &[("heading", Fill::Text("New contact"))]);
    let shell = Shell { title: "New contact · Contacts · Northbeam CRM", name: "contact", content: &content };
    html(StatusCode::OK, shell.page(&state, &headers, user))
}

async fn contact(
    State(state): Shared,
    PageUser(user): PageUser,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(contact) = id.parse().ok().and_then(|id| state.contact(id)) else {
        return missing_page(&state, &headers, user);
    };
    let name = contact.fields.full_name();
    let id = contact.id.to_string();
    let content = fill(CONTACT, &[("heading", Fill::Text(&name)), ("id", Fill::Text(&id))]);
    let shell = Shell { title: &format!("{name} · Contacts · Northbeam CRM"), name: "contact", content: &content };
    html(StatusCode::OK, shell.page(&state, &headers, user))
}

fn missing_page(state: &CrmState, headers: &HeaderMap, user: &User) -> Response {
    let shell = Shell { title: "Page not found · Northbeam CRM", name: "missing", content: MISSING };
    html(StatusCode::NOT_FOUND, shell.page(state, headers, user))
}

/// A page inside the frame of sidebar and header.
struct Shell<'a> {
    title: &'a str,
    /// Also the name of the page's script and style sheet, where it has them.
    name: &'a str,
    content: &'a str,
}

impl Shell<'_> {
    fn page(&self, state: &CrmState, headers: &HeaderMap, user: &User) -> String {
        let initials: String = user.name.split(' ').filter_map(|word| word.chars().next()).collect();
        let current = |is_current: bool| Fill::Markup(if is_current { CURRENT } else { "" });
        fill(
            SHELL,
            &[
                ("title", Fill::Text(self.title)),
                ("page", Fill::Text(self.name)),
                ("content", Fill::Markup(self.content)),
                ("consent", Fill::Markup(consent(state, headers))),
                ("user_name", Fill::Text(user.name)),
                ("user_email", Fill::Text(user.email)),
                ("user_role", Fill::Text(user.role)),
                ("user_initials", Fill::Text(&initials)),
                ("dashboard_current", current(self.name == "dashboard")),
                ("contacts_current", current(matches!(self.name, "contacts" | "contact"))),
            ],
        )
    }
}

/// The banner's markup while it is needed; nothing at all once it was answered.
fn consent(state: &CrmState, headers: &HeaderMap) -> &'static str {
    if session::consent_is_answered(state, headers) { "" } else { CONSENT }
}
