//! The bounded memory of a conversation. The last few turns stay as they were; older ones become one line each.
//! Turns go in batches, so that between two batches the beginning of every request stays the same.

use std::collections::VecDeque;

use super::conversation::Exchange;
use super::provider::Window;

/// Lines of older steps that are kept; when there are more, a whole block of them goes.
const LINES: usize = 60;
const LINES_BLOCK: usize = 20;
/// Longest line, in characters.
const LINE: usize = 240;
/// Notes a model may keep, and how long each may be.
const NOTES: usize = 20;
const NOTE: usize = 600;
/// Turns that brought no picture, beyond the window: repairs of one step.
const WITHOUT_PICTURE: usize = 4;

#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) live: Vec<Exchange>,
    lines: VecDeque<String>,
    /// Steps of which not even a line is left.
    forgotten: usize,
    notes: VecDeque<String>,
    /// How often turns have gone.
    pub(crate) cuts: u32,
}

impl History {
    /// Adds the coming turn and lets go of what no longer fits.
    pub(crate) fn begin(&mut self, exchange: Exchange, window: Window, budget: u64) {
        self.live.push(exchange);
        let most = window.keep + window.batch.max(1) - 1;
        if self.pictures() > most || self.live.len() > most + WITHOUT_PICTURE || self.tokens() > budget {
            self.cuts += 1;
            while self.live.len() > 1
                && (self.pictures() > window.keep
                    || self.live.len() > window.keep + WITHOUT_PICTURE
                    || self.tokens() > budget)
            {
                self.forget_first();
            }
            // A conversation starts with a picture, if it has any.
            while self.pictures() > 0 && self.live.first().is_some_and(|first| first.shown.picture.is_none()) {
                self.forget_first();
            }
        }
    }

    /// A turn that goes leaves its note behind; while it is there, the note is in it.
    fn note(&mut self, note: &str) {
        let note: String = note.trim().chars().take(NOTE).collect();
        if note.is_empty() || self.notes.back() == Some(&note) {
            return;
        }
        self.notes.push_back(note);
        if self.notes.len() > NOTES {
            self.notes.pop_front();
        }
    }

    /// The task and everything that is not a turn of its own any more.
    pub(crate) fn opening(&self, task: &str, rule: &str) -> String {
        let mut text = format!("Task: {task}\n\n{rule}\n");
        if self.forgotten > 0 || !self.lines.is_empty() {
            text.push_str("\nYour earlier steps:\n");
            if self.forgotten > 0 {
                text.push_str(&format!("({} more before these)\n", self.forgotten));
            }
            for line in &self.lines {
                text.push_str(line);
                text.push('\n');
            }
        }
        if !self.notes.is_empty() {
            text.push_str("\nYour notes:\n");
            for note in &self.notes {
                text.push_str(&format!("- {note}\n"));
            }
        }
        text
    }

    /// Steps of an earlier run that this one goes on from.
    pub(crate) fn remember(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            self.add_line(line);
        }
    }

    fn forget_first(&mut self) {
        let first = self.live.remove(0);
        let Some(said) = first.said else { return };
        if let Some(note) = said.note {
            self.note(&note);
        }
        if !said.line.is_empty() {
            self.add_line(said.line);
        }
    }

    fn add_line(&mut self, line: String) {
        self.lines.push_back(line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LINE).collect());
        if self.lines.len() > LINES {
            self.lines.drain(..LINES_BLOCK);
            self.forgotten += LINES_BLOCK;
        }
    }

    fn pictures(&self) -> usize {
        self.live
            .iter()
            .map(|exchange| usize::from(exchange.shown.picture.is_some()) + exchange.shown.extra.len())
            .sum()
    }

    /// What the live turns come to, roughly.
    pub(crate) fn tokens(&self) -> u64 {
        self.live.iter().map(estimate).sum()
    }
}

/// Tokens of a picture: providers count about one for every 750 pixels.
fn estimate(exchange: &Exchange) -> u64 {
    let shown = &exchange.shown;
    let pictures = shown.picture.iter().chain(&shown.extra);
    let pixels: u64 = pictures.map(|picture| u64::from(picture.width) * u64::from(picture.height)).sum();
    let answers: usize = shown.answers.iter().map(|answer| answer.text.len()).sum();
    let said = exchange.said.as_ref().map(|said| said.replay.to_string().len()).unwrap_or_default();
    pixels / 750 + text_tokens(shown.text.len() + answers + said)
}

/// English has about four bytes a token; other languages and JSON have fewer.
pub(crate) fn text_tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3)
}

#[cfg(test)]
mod tests {
    use super::super::conversation::{Said, Shown};
    use super::super::provider::Picture;
    use super::*;

    fn turn(number: usize) -> Exchange {
        let picture = Picture { width: 1280, height: 720, media_type: "image/png", base64: "AAAA".into() };
        let shown = Shown { text: format!("turn {number}"), picture: Some(picture), ..Shown::default() };
        let said = Said {
            replay: serde_json::Value::Null,
            line: format!("{number}. clicked"),
            note: Some(format!("note {number}")),
            cuts: 0,
        };
        Exchange { shown, said: Some(said) }
    }

    const WINDOW: Window = Window { keep: 3, batch: 3 };

    #[test]
    fn the_beginning_changes_only_when_a_batch_goes() {
        let mut history = History::default();
        let mut changes = 0;
        let mut first = (String::new(), String::new());
        for number in 1..=60 {
            history.begin(turn(number), WINDOW, 1_000_000);
            assert!(history.live.len() <= 5 && history.live.len() >= 3.min(number), "{number}");
            let now = (history.opening("t", "r"), history.live[0].shown.text.clone());
            changes += usize::from(now != first);
            first = now;
        }
        assert_eq!(changes, 1 + 19);
    }

    #[test]
    fn a_long_run_is_not_longer_than_a_short_one() {
        let mut history = History::default();
        let mut sizes = Vec::new();
        for number in 1..=1000 {
            history.begin(turn(number), WINDOW, 1_000_000);
            sizes.push(history.opening("t", "r").len());
        }
        assert!(sizes[999] < 4000, "{}", sizes[999]);
        assert!(history.opening("t", "r").contains("more before these"));
    }

    #[test]
    fn a_tight_budget_leaves_at_least_the_present() {
        let mut history = History::default();
        for number in 1..=4 {
            history.begin(turn(number), WINDOW, 100);
        }
        assert_eq!(history.live.len(), 1);
        assert_eq!(history.live[0].shown.text, "turn 4");
    }

    #[test]
    fn repairs_do_not_push_the_picture_out() {
        let mut history = History::default();
        history.begin(turn(1), WINDOW, 1_000_000);
        for _ in 0..4 {
            let repair =
                Exchange { shown: Shown { text: "again".into(), ..Shown::default() }, said: Some(Said::default()) };
            history.begin(repair, WINDOW, 1_000_000);
        }
        assert!(history.live[0].shown.picture.is_some());
    }
}
