//! What the next turn says about the last calls. Each kind of line is a type of its own with a
//! size cap, so that later checks add theirs without touching the others.

use surehand_types::reply::CallResult;

/// Longest feedback a turn may carry, in characters.
const CAP: usize = 4000;

/// One line per call: its number, whether it was done, and its message.
struct CallLine<'a>(&'a CallResult);

impl CallLine<'_> {
    const CAP: usize = 500;

    fn text(&self) -> String {
        let result = self.0;
        let state = match (result.ran, result.ok) {
            (true, true) => "done",
            (true, false) => "failed",
            (false, _) => "not run",
        };
        capped(&format!("call {} {state}: {}", result.index, result.message), Self::CAP)
    }
}

pub(crate) fn about(results: &[CallResult]) -> String {
    let lines: Vec<String> = results.iter().map(|result| CallLine(result).text()).collect();
    capped(&lines.join("\n"), CAP)
}

fn capped(text: &str, cap: usize) -> String {
    if text.chars().count() <= cap {
        return text.to_string();
    }
    let mut short: String = text.chars().take(cap - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(index: usize, ran: bool, ok: bool, message: &str) -> CallResult {
        CallResult { index, ran, ok, effect: None, message: message.into(), predicates: Vec::new() }
    }

    #[test]
    fn a_line_per_call_and_a_cap() {
        let text = about(&[
            result(0, true, true, "clicked"),
            result(1, true, false, "no"),
            result(2, false, false, "the page changed"),
        ]);
        assert_eq!(text, "call 0 done: clicked\ncall 1 failed: no\ncall 2 not run: the page changed");
        let long = about(&vec![result(0, true, true, &"x".repeat(900)); 50]);
        assert!(long.chars().count() <= CAP && long.lines().all(|line| line.chars().count() <= CallLine::CAP));
    }
}
