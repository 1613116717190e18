//! The structure of a screen in a few lines, for a brain that asked what is there. Bounded: a screen full of text
//! must not fill a model's window.

use super::{Anchor, OnOff, UiRow, UiSource, UiState, UiToggle};

const ROWS: usize = 24;
const TOGGLES: usize = 24;
const FIELDS: usize = 16;
const TEXTS: usize = 40;
/// Below this, what was read is more noise of the picture than text.
const READABLE: f64 = 0.6;

impl UiState {
    /// One line per kind of thing; says what could not be read.
    pub fn in_words(&self) -> String {
        let source = match self.source {
            UiSource::Pixels => "read off the pixels",
            UiSource::Dom => "said by the page's own tree",
            UiSource::Atspi => "said by the accessibility tree",
        };
        let mut parts: Vec<String> = Vec::new();
        // What has neither a name nor a state helps nobody.
        let told = |row: &&UiRow| row.label.is_some() || row.cells.iter().any(|cell| cell.state != OnOff::Unknown);
        let rows: Vec<&UiRow> = self.rows.iter().filter(told).collect();
        parts.extend(rows.iter().take(ROWS).map(|row| row_in_words(row)));
        parts.extend(more(rows.len(), ROWS, "rows"));
        let told = |one: &&UiToggle| one.label.is_some() || one.state != OnOff::Unknown;
        let toggles: Vec<&UiToggle> = self.toggles.iter().filter(told).collect();
        let toggle = |one: &&UiToggle| format!("switch {}: {}", named(&one.label), state_word(one.state));
        parts.extend(toggles.iter().take(TOGGLES).map(toggle));
        parts.extend(more(toggles.len(), TOGGLES, "switches"));
        parts.extend(self.fields.iter().take(FIELDS).map(|field| {
            let value = field.value.as_deref().filter(|value| !value.is_empty());
            let value = value.map_or("empty or not read".to_string(), |value| format!("{:?}", clipped(value)));
            format!("field {}: {value}", named(&field.label))
        }));
        parts.extend(more(self.fields.len(), FIELDS, "fields"));
        let anchors: Vec<&Anchor> = self.anchors.iter().filter(|anchor| anchor.conf >= READABLE).collect();
        if !anchors.is_empty() {
            let texts: Vec<String> =
                anchors.iter().take(TEXTS).map(|anchor| format!("{:?}", clipped(&anchor.text))).collect();
            parts.push(format!("texts: {}", texts.join(", ")));
            parts.extend(more(anchors.len(), TEXTS, "texts"));
        }
        if parts.is_empty() {
            parts.push("no rows, switches or fields".into());
        }
        parts.extend(self.notes.iter().take(8).map(|note| format!("note: {note}")));
        format!("{source}: {}", parts.join("; "))
    }
}

/// Names below this are guesses.
const NAME_FLOOR: f64 = 0.6;

fn row_in_words(row: &UiRow) -> String {
    let of = |state: OnOff| {
        let indices: Vec<String> =
            row.cells.iter().filter(|cell| cell.state == state).map(|cell| cell.index.to_string()).collect();
        indices.join(" ")
    };
    let (on, unknown) = (of(OnOff::On), of(OnOff::Unknown));
    let on = if on.is_empty() { "none on".to_string() } else { format!("on {on}") };
    let unknown = if unknown.is_empty() { String::new() } else { format!(", not readable {unknown}") };
    let muted = if row.enabled == OnOff::Off { ", muted" } else { "" };
    // A name that is perhaps another one, or a part of one, is not told as if it were read.
    let perhaps = if row.label.is_some() && row.label_conf < NAME_FLOOR { "perhaps " } else { "" };
    format!("row {perhaps}{} of {} cells: {on}{unknown}{muted}", named(&row.label), row.cells.len())
}

fn named(label: &Option<String>) -> String {
    label.as_ref().map_or("without a label".to_string(), |label| format!("{:?}", clipped(label)))
}

fn state_word(state: OnOff) -> &'static str {
    match state {
        OnOff::On => "on",
        OnOff::Off => "off",
        OnOff::Unknown => "not readable",
    }
}

fn more(count: usize, shown: usize, what: &str) -> Option<String> {
    (count > shown).then(|| format!("and {} more {what}", count - shown))
}

fn clipped(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::super::UiCell;
    use super::*;

    #[test]
    fn a_screen_is_told_in_one_line_and_nothing_unknown_is_called_off() {
        let mut state = UiState::empty(UiSource::Pixels, 100, 100);
        assert_eq!(state.in_words(), "read off the pixels: no rows, switches or fields");
        let cell = |index, state| UiCell { index, bbox: [0, 0, 1, 1], state, conf: 1.0 };
        state.rows.push(UiRow {
            label: Some("Kick".into()),
            label_conf: 0.9,
            bbox: [0, 0, 1, 1],
            conf: 1.0,
            enabled: OnOff::Off,
            cells: vec![cell(1, OnOff::On), cell(2, OnOff::Off), cell(3, OnOff::Unknown)],
            complete: OnOff::On,
        });
        let toggle = |label: Option<&str>| UiToggle {
            label: label.map(str::to_string),
            bbox: [0, 0, 1, 1],
            state: OnOff::Unknown,
            conf: 0.2,
        };
        state.toggles = vec![toggle(None), toggle(Some("Sounds"))];
        state.anchors.push(Anchor { text: "|=".into(), bbox: [0, 0, 1, 1], conf: 0.2 });
        state.notes.push("no text can be read here".into());
        assert_eq!(
            state.in_words(),
            "read off the pixels: row \"Kick\" of 3 cells: on 1, not readable 3, muted; switch \"Sounds\": not readable; \
             note: no text can be read here"
        );
    }

    #[test]
    fn a_name_that_is_a_guess_is_told_as_one() {
        let mut state = UiState::empty(UiSource::Pixels, 100, 100);
        state.rows.push(UiRow {
            label: Some("Basse".into()),
            label_conf: 0.4,
            bbox: [0, 0, 1, 1],
            conf: 1.0,
            enabled: OnOff::On,
            cells: vec![UiCell { index: 1, bbox: [0, 0, 1, 1], state: OnOff::On, conf: 1.0 }],
            complete: OnOff::On,
        });
        assert_eq!(state.in_words(), "read off the pixels: row perhaps \"Basse\" of 1 cells: on 1");
    }

    #[test]
    fn a_screen_full_of_things_stays_short() {
        let mut state = UiState::empty(UiSource::Dom, 100, 100);
        let toggle = UiToggle { label: Some("x".repeat(500)), bbox: [0, 0, 1, 1], state: OnOff::On, conf: 1.0 };
        state.toggles = vec![toggle; 5000];
        let words = state.in_words();
        assert!(words.len() < 4000 && words.contains("and 4976 more switches"), "{words}");
    }
}
