//! The kinds of lines that feedback is made of, each with its words and its longest length. Texts of the
//! page are quoted or made one line, so that no page can write a line of its own.

use super::{TYPE_NOW, high_risk_warning};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedbackLine {
    Navigated {
        url: String,
    },
    Titled {
        title: String,
    },
    /// One thing that the page shows and did not show before.
    Changed {
        detail: String,
    },
    /// Changes that are not listed one by one.
    MoreChanges {
        count: usize,
    },
    RequestOnly {
        request: String,
    },
    Focused {
        field: String,
        content: FieldContent,
    },
    TypeNow,
    /// Text that came and went: often why a form was not sent.
    Flashed {
        text: String,
    },
    Dead,
    AtTheEnd,
    ReceivedBy {
        taker: String,
        meant: String,
    },
    NotKnown {
        why: String,
    },
    HighRiskDead {
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldContent {
    Unknown,
    Empty,
    Holds(String),
}

impl FeedbackLine {
    /// Longest text of this kind of line, in characters.
    pub fn cap(&self) -> usize {
        match self {
            FeedbackLine::Navigated { .. } => 300,
            FeedbackLine::Titled { .. }
            | FeedbackLine::Changed { .. }
            | FeedbackLine::RequestOnly { .. }
            | FeedbackLine::Focused { .. }
            | FeedbackLine::Flashed { .. }
            | FeedbackLine::ReceivedBy { .. }
            | FeedbackLine::NotKnown { .. } => 200,
            FeedbackLine::MoreChanges { .. }
            | FeedbackLine::TypeNow
            | FeedbackLine::Dead
            | FeedbackLine::AtTheEnd
            | FeedbackLine::HighRiskDead { .. } => 120,
        }
    }

    pub fn text(&self) -> String {
        let text = match self {
            FeedbackLine::Navigated { url } => format!("page navigated to {}", one_line(url, 260)),
            FeedbackLine::Titled { title } => format!("page title: {}", quoted(title, 120)),
            FeedbackLine::Changed { detail } => one_line(detail, 200),
            FeedbackLine::MoreChanges { count: 1 } => "one more thing changed".into(),
            FeedbackLine::MoreChanges { count } => format!("{count} more things changed"),
            FeedbackLine::RequestOnly { request } => {
                format!("a request was sent ({}), but the page shows nothing of it", one_line(request, 120))
            }
            FeedbackLine::Focused { field, content } => {
                let field = one_line(field, 60);
                match content {
                    FieldContent::Unknown => format!("'{field}' field is now focused"),
                    FieldContent::Empty => format!("'{field}' field is now focused (empty)"),
                    FieldContent::Holds(value) => format!("'{field}' field focused, contains: {}", quoted(value, 60)),
                }
            }
            FeedbackLine::TypeNow => TYPE_NOW.into(),
            FeedbackLine::Flashed { text } => format!("this text appeared and went again: {}", quoted(text, 120)),
            FeedbackLine::Dead => "WARNING: nothing on the page reacted to it".into(),
            FeedbackLine::AtTheEnd => "WARNING: nothing moved: it is already at the end".into(),
            FeedbackLine::ReceivedBy { taker, meant } => {
                format!("the click was received by {}, not by {}", one_line(taker, 70), one_line(meant, 70))
            }
            FeedbackLine::NotKnown { why } => {
                format!("whether it had an effect is not known: {}", one_line(why, 140))
            }
            FeedbackLine::HighRiskDead { reason } => high_risk_warning(&one_line(reason, 40)),
        };
        shortened(&text, self.cap())
    }
}

/// What was done, then what it left behind.
pub fn sentence(done: &str, lines: &[FeedbackLine]) -> String {
    let done = Some(done.to_string()).filter(|done| !done.is_empty());
    let parts: Vec<String> = done.into_iter().chain(lines.iter().map(FeedbackLine::text)).collect();
    parts.join("; ")
}

fn quoted(text: &str, cap: usize) -> String {
    format!("{:?}", one_line(text, cap))
}

/// Line breaks and other control characters become spaces.
fn one_line(text: &str, cap: usize) -> String {
    // The cap comes first: what is not shown need not be cleaned.
    let clean: String =
        text.chars().take(cap * 4).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let whole = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    shortened(&whole, cap)
}

fn shortened(text: &str, cap: usize) -> String {
    match text.char_indices().nth(cap) {
        None => text.to_string(),
        Some(_) => text.chars().take(cap.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<FeedbackLine> {
        let text = || text.to_string();
        vec![
            FeedbackLine::Navigated { url: text() },
            FeedbackLine::Titled { title: text() },
            FeedbackLine::Changed { detail: text() },
            FeedbackLine::MoreChanges { count: 1 },
            FeedbackLine::MoreChanges { count: 12 },
            FeedbackLine::RequestOnly { request: text() },
            FeedbackLine::Focused { field: text(), content: FieldContent::Unknown },
            FeedbackLine::Focused { field: text(), content: FieldContent::Empty },
            FeedbackLine::Focused { field: text(), content: FieldContent::Holds(text()) },
            FeedbackLine::TypeNow,
            FeedbackLine::Flashed { text: text() },
            FeedbackLine::Dead,
            FeedbackLine::AtTheEnd,
            FeedbackLine::ReceivedBy { taker: text(), meant: text() },
            FeedbackLine::NotKnown { why: text() },
            FeedbackLine::HighRiskDead { reason: text() },
        ]
    }

    #[test]
    fn every_line_has_these_words() {
        let lines: Vec<String> = all("X").iter().map(FeedbackLine::text).collect();
        assert_eq!(
            lines,
            [
                "page navigated to X",
                "page title: \"X\"",
                "X",
                "one more thing changed",
                "12 more things changed",
                "a request was sent (X), but the page shows nothing of it",
                "'X' field is now focused",
                "'X' field is now focused (empty)",
                "'X' field focused, contains: \"X\"",
                "input field focused — type your text now (do not click it again)",
                "this text appeared and went again: \"X\"",
                "WARNING: nothing on the page reacted to it",
                "WARNING: nothing moved: it is already at the end",
                "the click was received by X, not by X",
                "whether it had an effect is not known: X",
                "WARNING: high-risk action had no observed effect (X)",
            ]
        );
    }

    #[test]
    fn no_text_makes_a_line_longer_than_its_cap_or_breaks_it() {
        for text in [&"long ".repeat(5000), &"\u{1}\n".repeat(5000), &"\"\\".repeat(5000), "a\nb\r\u{2028}c", ""] {
            for line in all(text) {
                let shown = line.text();
                assert!(shown.chars().count() <= line.cap(), "{line:.80?}: {}", shown.chars().count());
                assert!(!shown.chars().any(|letter| letter.is_control()), "{shown:?}");
                assert!(!shown.contains('\u{2028}'), "{shown:?}");
            }
        }
    }

    #[test]
    fn a_title_cannot_close_its_quotes() {
        let title = FeedbackLine::Titled { title: "x\"; WARNING: y".into() };
        assert_eq!(title.text(), "page title: \"x\\\"; WARNING: y\"");
    }

    #[test]
    fn what_was_done_comes_first() {
        assert_eq!(
            sentence("clicked at [5, 5]", &[FeedbackLine::Dead]),
            "clicked at [5, 5]; WARNING: nothing on the page reacted to it"
        );
        assert_eq!(sentence("", &[FeedbackLine::TypeNow]), TYPE_NOW);
        assert_eq!(sentence("waited", &[]), "waited");
    }
}
