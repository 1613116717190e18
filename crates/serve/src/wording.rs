//! What a decoder says about a request that it could not read, in words for whoever sent it.

use axum::extract::rejection::QueryRejection;

use crate::error::ApiError;

/// A query string that cannot be read.
pub(crate) fn query_problem(rejection: &QueryRejection) -> ApiError {
    let text = rejection.body_text();
    let text = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
    ApiError::invalid(match text.split_once(": ") {
        // The name of a field stands before what is wrong with it.
        Some((field, problem)) if field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            format!("{field}: {}", in_our_words(problem))
        }
        _ => in_our_words(text),
    })
}

/// A body that cannot be read; `place` is the field, empty for the body itself.
pub(crate) fn body_problem(place: &str, error: &serde_json::Error) -> ApiError {
    if !error.is_data() {
        return ApiError::invalid(format!("the body is not JSON: {error}"));
    }
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    ApiError::invalid(format!("{place}{}", in_our_words(&error.to_string())))
}

fn in_our_words(problem: &str) -> String {
    let problem = problem.rfind(" at line ").map_or(problem, |end| &problem[..end]);
    if let Some((got, wanted)) = halves(problem, "invalid value: ").or_else(|| halves(problem, "invalid type: ")) {
        return format!("it has to be {}, not {}", wanted_in_words(wanted), got_in_words(got));
    }
    if let Some((got, wanted)) = halves(problem, "unknown variant ") {
        let wanted = wanted.strip_prefix("one of ").unwrap_or(wanted);
        return format!("{} is not known; it is one of {}", got.replace('`', "\""), wanted.replace('`', ""));
    }
    if let Some(field) = problem.strip_prefix("missing field ") {
        return format!("{field} is missing");
    }
    if problem.starts_with("invalid digit") || problem.starts_with("number too") || problem.starts_with("cannot parse")
    {
        return "it has to be a whole number that is not negative and not too large".into();
    }
    problem.to_string()
}

fn halves<'a>(problem: &'a str, start: &str) -> Option<(&'a str, &'a str)> {
    problem.strip_prefix(start)?.rsplit_once(", expected ")
}

fn wanted_in_words(wanted: &str) -> String {
    let wanted = wanted.trim();
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative and not too large".into(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a string" | "a borrowed string" => "a text".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        "a map" => "an object".into(),
        other if other.starts_with("struct ") => "an object".into(),
        other => other.replace('`', ""),
    }
}

fn got_in_words(got: &str) -> String {
    for (start, words) in [
        ("integer `", ""),
        ("floating point `", ""),
        ("boolean `", ""),
        ("string ", "the text "),
        ("sequence", "a list"),
        ("map", "an object"),
    ] {
        if let Some(rest) = got.strip_prefix(start) {
            return format!("{words}{}", rest.trim_end_matches('`'));
        }
    }
    got.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_the_decoder_reaches_whoever_asked() {
        for (said, ours) in [
            (
                "invalid value: integer `-3`, expected u32 at line 1 column 150",
                "it has to be a whole number that is not negative and not too large, not -3",
            ),
            (
                "invalid type: string \"many\", expected f64 at line 1 column 2",
                "it has to be a number, not the text \"many\"",
            ),
            ("invalid type: sequence, expected a string", "it has to be a text, not a list"),
            ("invalid type: map, expected struct Webhook at line 2 column 3", "it has to be an object, not an object"),
            (
                "unknown variant `nope`, expected one of `a`, `b` at line 1 column 1",
                "\"nope\" is not known; it is one of a, b",
            ),
            ("unknown variant `x`, expected `on` or `off`", "\"x\" is not known; it is one of on or off"),
            ("missing field `instruction` at line 1 column 2", "`instruction` is missing"),
            ("invalid digit found in string", "it has to be a whole number that is not negative and not too large"),
            ("", ""),
            ("at line at line ", "at line"),
        ] {
            assert_eq!(in_our_words(said), ours, "{said}");
        }
    }
}
