//! What the browser asks for by itself. It is refused like everything else that is not listed, but no page asked
//! for it, so a brain is not told of it.

/// Seen on a fresh profile of Chromium 156 in spite of the flags against traffic of its own, and their relatives.
const HOSTS: &[&str] = &[
    // The list of signed-in accounts.
    "accounts.google.com",
    // Updates of components and extensions, and the files that come with them.
    "update.googleapis.com",
    "clients2.google.com",
    "clients2.googleusercontent.com",
    "edgedl.me.gvt1.com",
    "redirector.gvt1.com",
    // Hints about pages, forms, passwords and dangers.
    "optimizationguide-pa.googleapis.com",
    "content-autofill.googleapis.com",
    "passwordsleakcheck-pa.googleapis.com",
    "safebrowsing.googleapis.com",
    "safebrowsingohttpgateway.googleapis.com",
    // Messages that wake a browser.
    "android.clients.google.com",
    "mtalk.google.com",
];

pub(super) fn is_own(host: &str) -> bool {
    HOSTS.contains(&host)
}
