//! Patterns of a contract, compiled when it is read: a pattern that cannot work is told to whoever writes the
//! contract, not to whoever waits for a verdict. The engine is linear in time, whatever the pattern.

use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use serde_json_path::JsonPath;

use super::error::quoted;

const LONGEST_PATTERN: usize = 2000;
/// Bytes of the compiled program: enough for any pattern a person writes.
const LARGEST_PROGRAM: usize = 1 << 20;
/// A pattern that matches both of these matches whatever it is shown.
const ANYTHING: [&str; 2] = ["", "\u{a7} any other text 0815 \u{a7}\nand a line"];

/// A regular expression that can fail.
pub(crate) fn regex(pattern: &str) -> Result<Regex, String> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(format!("the pattern has {} bytes, more than {LONGEST_PATTERN}", pattern.len()));
    }
    let compiled = RegexBuilder::new(pattern)
        .size_limit(LARGEST_PROGRAM)
        .dfa_size_limit(LARGEST_PROGRAM)
        .nest_limit(60)
        .build()
        .map_err(|error| {
            // The library draws the place in several lines; the last one says what is wrong.
            let text = error.to_string();
            let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it cannot be read");
            let why = quoted(last.trim().trim_start_matches("error: "));
            let hint = if pattern.contains("(?=") || pattern.contains("(?!") || pattern.contains("(?<") {
                ". hint: there is no look-around; use a second check for what must not be there"
            } else {
                ""
            };
            format!("`{}` is no regular expression: {why}{hint}", quoted(pattern))
        })?;
    if ANYTHING.iter().all(|text| compiled.is_match(text)) {
        return Err(format!("`{}` matches any text, so it proves nothing", quoted(pattern)));
    }
    Ok(compiled)
}

pub(crate) fn json_path(path: &str) -> Result<JsonPath, String> {
    if path.len() > LONGEST_PATTERN {
        return Err(format!("the path has {} bytes, more than {LONGEST_PATTERN}", path.len()));
    }
    // The parser calls itself for every bracket, and a contract must not be able to exhaust the stack.
    if path.chars().filter(|c| matches!(c, '(' | '[' | '!')).count() > 60 {
        return Err("the path has more than 60 brackets".into());
    }
    JsonPath::parse(path).map_err(|error| {
        let why = quoted(&error.to_string());
        format!("`{}` is no JSONPath: {why}. hint: for example $.order.status", quoted(path))
    })
}

/// File names: `*` stays within a folder, `**` does not.
pub(crate) fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(format!("the pattern has {} bytes, more than {LONGEST_PATTERN}", pattern.len()));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| format!("`{}` is no file pattern: {}", quoted(pattern), quoted(&error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_cannot_work_are_refused_in_one_sentence() {
        for (pattern, part) in [
            ("(unclosed", "is no regular expression: unclosed group"),
            ("(?=ahead)x", "hint: there is no look-around"),
            ("", "matches any text"),
            (".*", "matches any text"),
            ("a*", "matches any text"),
            ("(a{1000}){1000}", "is no regular expression"),
            (&"x".repeat(3000), "more than 2000"),
        ] {
            let said = regex(pattern).unwrap_err();
            assert!(said.contains(part), "{pattern}: {said}");
            assert!(!said.contains('\n'), "{said}");
        }
        for fine in ["Order #\\d+", "^$", "(?i)kick|bass drum", "^\\s*$", "(a+)+$x"] {
            assert!(regex(fine).is_ok(), "{fine}");
        }
    }

    #[test]
    fn a_pattern_that_others_backtrack_on_is_quick() {
        let evil = regex("^(a+)+$").unwrap();
        let begun = std::time::Instant::now();
        assert!(!evil.is_match(&("a".repeat(50_000) + "!")));
        assert!(begun.elapsed().as_secs() < 5);
    }

    #[test]
    fn paths_and_globs() {
        assert!(json_path("$.orders[?@.id == 7].status").is_ok());
        assert!(json_path("order.status").unwrap_err().contains("is no JSONPath"));
        assert!(json_path(&format!("$[?{}1==1{}]", "(".repeat(500), ")".repeat(500))).is_err());
        let csv = glob("out/*.csv").unwrap();
        assert!(csv.is_match("out/a.csv") && !csv.is_match("out/deep/a.csv") && !csv.is_match("a.csv"));
        assert!(glob("out/**/*.csv").unwrap().is_match("out/deep/er/a.csv"));
        assert!(glob("out/[").is_err());
    }
}
