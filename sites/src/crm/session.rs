// Cookies: who is signed in, and whether the consent banner was answered. Separate so that pages
// and API ask the same question in the same way but refuse differently.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};

use super::state::{CrmState, User};
use crate::reply::ErrorReply;
use crate::request::cookie;

const SESSION_COOKIE: &str = "northbeam_session";
const CONSENT_COOKIE: &str = "northbeam_consent";
const ATTRIBUTES: &str = "Path=/; HttpOnly; SameSite=Lax";
const ONE_YEAR_SECONDS: u32 = 31_536_000;

/// The signed-in user of an API request; without a session the answer is a 401 in JSON.
#[derive(Debug)]
pub(crate) struct ApiUser(pub(crate) &'static User);

/// The signed-in user of a page; without a session the answer is a redirect to the login page.
#[derive(Debug)]
pub(crate) struct PageUser(pub(crate) &'static User);

impl FromRequestParts<Arc<CrmState>> for ApiUser {
    type Rejection = ErrorReply;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<CrmState>) -> Result<Self, Self::Rejection> {
        signed_in_user(state, &parts.headers)
            .map(ApiUser)
            .ok_or_else(|| ErrorReply::new(StatusCode::UNAUTHORIZED, "not_signed_in", "Sign in to use this address."))
    }
}

impl FromRequestParts<Arc<CrmState>> for PageUser {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<CrmState>) -> Result<Self, Self::Rejection> {
        signed_in_user(state, &parts.headers).map(PageUser).ok_or_else(|| Redirect::to("/login").into_response())
    }
}

pub(crate) fn signed_in_user(state: &CrmState, headers: &HeaderMap) -> Option<&'static User> {
    state.user_of_session(&session_token(headers)?)
}

pub(crate) fn session_token(headers: &HeaderMap) -> Option<String> {
    cookie(headers, SESSION_COOKIE)
}

pub(crate) fn consent_is_answered(state: &CrmState, headers: &HeaderMap) -> bool {
    cookie(headers, CONSENT_COOKIE).is_some_and(|value| state.consent_is_current(&value))
}

pub(crate) fn session_cookie(token: &str) -> String {
    format!("{SESSION_COOKIE}={token}; {ATTRIBUTES}")
}

pub(crate) fn ended_session_cookie() -> String {
    format!("{SESSION_COOKIE}=; {ATTRIBUTES}; Max-Age=0")
}

pub(crate) fn consent_cookie(value: &str) -> String {
    format!("{CONSENT_COOKIE}={value}; {ATTRIBUTES}; Max-Age={ONE_YEAR_SECONDS}")
}
