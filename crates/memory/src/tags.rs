//! Tags: what kind of failure a text speaks of. The words of the conformance cases, and a few of our own for what
//! happens on screens. A tag is a guess by words, so it may only ever help to find a lesson, never decide.

use crate::fingerprint::FailureText;
use crate::words::tokens;

pub const UNCATEGORIZED: &str = "uncategorized";

/// Failures of the setup, not of the way a task was gone about.
pub const SETUP_NOISE: &[&str] = &["permission", "network", "resource", "auth"];

/// A tag and the phrases that stand for it, words in a row. `#` at the end of a word stands for any ending.
struct Pattern {
    tag: &'static str,
    phrases: &'static [&'static str],
}

const fn pattern(tag: &'static str, phrases: &'static [&'static str]) -> Pattern {
    Pattern { tag, phrases }
}

/// The vocabulary that the conformance cases share.
const GENERAL: &[Pattern] = &[
    pattern(
        "permission",
        &["permission#", "access denied", "access is denied", "not permitted", "eacces", "eperm", "not allowed"],
    ),
    pattern(
        "auth",
        &[
            "unauthorized",
            "unauthorised",
            "authentication",
            "not authenticated",
            "forbidden",
            "login required",
            "not logged in",
            "sign in required",
            "invalid credentials",
            "bad credentials",
            "invalid api key",
            "invalid token",
            "token expired",
            "expired token",
            "session expired",
            "wrong password",
        ],
    ),
    pattern(
        "network",
        &[
            "connection refused",
            "connection reset",
            "connection closed",
            "connection aborted",
            "connection failed",
            "connection error",
            "connection lost",
            "network#",
            "dns",
            "unreachable",
            "could not resolve",
            "name resolution",
            "name not resolved",
            "no route to host",
            "econnrefused",
            "econnreset",
            "enotfound",
            "broken pipe",
            "socket hang up",
            "socket error",
            "offline",
            "ssl error",
            "tls handshake",
            "certificate",
        ],
    ),
    pattern(
        "resource",
        &[
            "out of memory",
            "oom",
            "memory limit",
            "no space left",
            "disk full",
            "disk quota",
            "quota exceeded",
            "too many open files",
            "resource exhausted",
            "resource temporarily unavailable",
            "enospc",
            "enomem",
        ],
    ),
    pattern("timeout", &["timeout#", "timed out", "time out", "deadline exceeded", "etimedout"]),
    pattern(
        "retryable",
        &[
            "temporarily unavailable",
            "try again",
            "retry",
            "retryable",
            "again later",
            "temporary failure",
            "service unavailable",
            "rate limit#",
            "too many requests",
            "eagain",
        ],
    ),
    pattern("rate_limit", &["rate limit#", "too many requests", "throttled", "throttling"]),
    pattern(
        "not_found",
        &[
            "not found",
            "does not exist",
            "doesn t exist",
            "do not exist",
            "no such",
            "cannot find",
            "could not find",
            "couldn t find",
            "unable to find",
            "can t find",
            "missing file",
            "enoent",
        ],
    ),
    pattern("command_not_found", &["command not found", "not recognized as an internal", "unknown command"]),
    pattern("server_error", &["internal server error", "bad gateway", "gateway timeout", "server error"]),
    pattern("client_error", &["bad request", "client error", "unprocessable entity"]),
    pattern("already_exists", &["already exists", "duplicate key", "duplicate entry", "eexist", "unique constraint"]),
    pattern(
        "syntax",
        &["syntax error", "syntaxerror", "parse error", "unexpected token", "unexpected end", "invalid syntax"],
    ),
    pattern(
        "validation",
        &[
            "validation#",
            "invalid value",
            "invalid input",
            "invalid argument",
            "is required",
            "must be",
            "is not valid",
        ],
    ),
    pattern("surface_http", &["http", "https", "request", "requests", "response", "endpoint", "status code"]),
    pattern("surface_python", &["traceback", "exception", "python", "python3"]),
    pattern("surface_cli", &["command", "exit code", "exit status", "exited with", "shell", "bash", "stderr"]),
    pattern("surface_sql", &["sql", "sqlite", "sqlite3", "postgres", "mysql", "no such table", "no such column"]),
];

/// What goes wrong between a hand and a screen.
const OURS: &[Pattern] = &[
    pattern("no_effect", &["no effect", "nothing changed", "nothing happened", "had no visible effect"]),
    pattern(
        "covered",
        &["obscured", "covered", "covers", "covered by", "intercepts pointer events", "overlay", "blocked by"],
    ),
    pattern("disabled", &["disabled", "greyed out", "read only", "readonly"]),
    pattern("moved", &["target changed", "target_changed", "has moved", "stale element", "detached"]),
    pattern("not_editable", &["nothing editable", "nothing_editable", "not editable", "not focused"]),
    pattern("dialog", &["dialog", "modal", "alert", "popup", "banner"]),
    pattern("navigation", &["navigation", "navigation_failed", "failed to load"]),
    pattern("ambiguous", &["ambiguous", "several", "more than one"]),
];

/// Sorted; `uncategorized` where nothing is known.
pub fn tags_of(failure: &FailureText<'_>) -> Vec<String> {
    let mut found: Vec<&str> = Vec::new();
    for text in [failure.error, failure.state, failure.action] {
        let words = tokens(text);
        for known in GENERAL.iter().chain(OURS) {
            if known.phrases.iter().any(|phrase| has_phrase(&words, phrase)) {
                found.push(known.tag);
            }
        }
        for status in statuses(&words) {
            found.push(if status >= 500 { "server_error" } else { "client_error" });
            found.push("surface_http");
            match status {
                401 | 403 => found.push("auth"),
                404 | 410 => found.push("not_found"),
                408 | 504 => found.push("timeout"),
                429 => found.extend(["rate_limit", "retryable"]),
                _ => {}
            }
        }
        if ends_badly(&words) {
            found.push("nonzero_exit");
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        found.push(UNCATEGORIZED);
    }
    found.into_iter().map(str::to_string).collect()
}

/// Whether the tag is one that the conformance cases do not have.
pub fn is_our_own(tag: &str) -> bool {
    OURS.iter().any(|known| known.tag == tag)
}

/// Whether a text speaks of the tag: for tasks that are about what is noise elsewhere.
pub fn speaks_of(text: &str, tag: &str) -> bool {
    let words = tokens(text);
    let asked: &[&str] = match tag {
        "permission" => &["permission#", "access", "allow", "rights", "share", "role#"],
        "network" => &["network#", "connection#", "connectivity", "dns", "proxy", "vpn", "offline", "wifi"],
        "resource" => &["memory", "disk", "storage", "quota", "space"],
        "auth" => &["login", "log in", "sign in", "signin", "password", "account", "authenticat#", "credential#"],
        _ => &[],
    };
    asked.iter().any(|phrase| has_phrase(&words, phrase))
        || tags_of(&FailureText { error: text, ..FailureText::default() }).iter().any(|found| found == tag)
}

fn has_phrase(words: &[String], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    words.windows(wanted.len()).any(|window| {
        window.iter().zip(&wanted).all(|(word, wanted)| match wanted.strip_suffix('#') {
            Some(stem) => word.starts_with(stem),
            None => word == wanted,
        })
    })
}

/// Numbers of HTTP failures: three digits that something beside them says to be a status. A bare number is a
/// coordinate more often than not.
fn statuses(words: &[String]) -> Vec<u32> {
    const BEFORE: &[&str] = &["http", "status", "code", "error", "returned", "response", "got", "responded"];
    const AFTER: &[&str] = &["error", "response", "unauthorized", "forbidden", "internal", "service", "bad", "gateway"];
    let is_beside = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| words.get(before)).map(String::as_str);
        let after = words.get(index + 1).map(String::as_str);
        // `exit code 127` is no answer of a server.
        let exits = index >= 2 && matches!(words[index - 2].as_str(), "exit" | "exited");
        let version =
            index >= 2 && before.is_some_and(|word| word.len() == 1) && BEFORE.contains(&words[index - 2].as_str());
        let found = before.is_some_and(|word| BEFORE.contains(&word) || word == "http2") || version;
        let named = after == Some("not") && words.get(index + 2).is_some_and(|word| word == "found");
        !exits && (found || named || after.is_some_and(|word| AFTER.contains(&word)))
    };
    let number = |word: &String| (word.len() == 3).then(|| word.parse::<u32>().ok()).flatten();
    words
        .iter()
        .enumerate()
        .filter_map(|(index, word)| number(word).filter(|number| (400..600).contains(number) && is_beside(index)))
        .collect()
}

/// `exit code 127`, `exited with status 1`, `returned non-zero`.
fn ends_badly(words: &[String]) -> bool {
    let code = words.iter().enumerate().any(|(index, word)| {
        matches!(word.as_str(), "exit" | "exited" | "exitcode" | "returncode")
            && words[index + 1..]
                .iter()
                .take(4)
                .find_map(|word| word.parse::<u32>().ok())
                .is_some_and(|number| number != 0)
    });
    code || ["non zero exit", "nonzero exit", "non zero status"].iter().any(|phrase| has_phrase(words, phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(error: &str, state: &str, action: &str, expected: &[&str]) {
        assert_eq!(tags_of(&FailureText { error, state, action }), expected, "{error} {state} {action}");
    }

    #[test]
    fn tags_by_words() {
        check("Permission denied: screen recording", "", "", &["permission"]);
        check("HTTP 503 temporarily unavailable, try again", "", "", &["retryable", "server_error", "surface_http"]);
        check(
            "command not found",
            "exit code 127",
            "",
            &["command_not_found", "nonzero_exit", "not_found", "surface_cli"],
        );
        check("status 404 not found", "", "GET https://x.test", &["client_error", "not_found", "surface_http"]);
        check("Request timed out", "", "", &["surface_http", "timeout"]);
        check("exit code 0", "", "", &["surface_cli"]);
        check("exit code 404", "", "", &["nonzero_exit", "surface_cli"]);
        check("all good here", "", "", &["uncategorized"]);
        check("", "", "", &["uncategorized"]);
    }

    #[test]
    fn coordinates_are_no_statuses_and_parts_of_words_are_no_words() {
        check("Click at (412, 503) had no effect", "", "click 412 503", &["no_effect"]);
        check("the commander requested nothing", "", "", &["uncategorized"]);
    }

    #[test]
    fn a_task_can_be_about_what_is_noise_elsewhere() {
        assert!(speaks_of("Log in and change the e-mail address", "auth"));
        assert!(speaks_of("grant the role editor", "permission"));
        assert!(!speaks_of("order two apples", "permission"));
        assert!(!speaks_of("order two apples", "no such tag"));
    }
}
