// What several sites read from a request: cookies, whether a person asks, the number of a page.

use axum::http::{HeaderMap, header};

use crate::reply::ErrorReply;

/// The value of the cookie of that name.
pub(crate) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}

/// People get a page, programs get JSON.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accepted.is_some_and(|accept| accept.contains("text/html"))
}

/// The page of a list; the first when nothing is said.
pub(crate) fn page_number(text: &str) -> Result<usize, ErrorReply> {
    match text {
        "" => Ok(1),
        text => text
            .parse()
            .ok()
            .filter(|page| *page >= 1)
            .ok_or_else(|| ErrorReply::bad_request("The page must be a number from 1.")),
    }
}
