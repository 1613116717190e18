//! Questions about a labelled frame whose right answer is known: the pattern as it is, and patterns that are nearly it.

use serde_json::{Value, json};

use super::frames::{LabelledFrame, LabelledRow};

#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) id: String,
    /// What is nearly right about it.
    pub(super) kind: &'static str,
    pub(super) check: Value,
    /// Whether a referee that sees everything would pass it.
    pub(super) right: bool,
    /// Whether the frame shows all that is needed to tell.
    pub(super) clean: bool,
}

pub(super) fn of_frame(frame: &LabelledFrame) -> Vec<Case> {
    let mut cases = Vec::new();
    for (index, row) in frame.rows.iter().enumerate() {
        // Two rows of one name cannot be told apart by a contract, and are no question.
        if frame.rows.iter().filter(|other| other.name == row.name).count() > 1 {
            continue;
        }
        let clean = row.visible && row.label_visible;
        let mut add = |kind: &'static str, active: &[u32], right: bool| {
            let id = format!("{} {} {kind}", frame.name, row.name);
            cases.push(Case { id, kind, check: check(row, active), right, clean });
        };
        add("right", &row.active, true);
        if let Some(moved) = one_off(row) {
            add("one step off", &moved, false);
        }
        if let Some(missing) = row.active.split_last().map(|(_, rest)| rest.to_vec()) {
            add("one step too many", &missing, false);
        }
        let neighbour = frame.rows.get(index + 1).or_else(|| frame.rows.get(index.wrapping_sub(1)));
        if let Some(neighbour) = neighbour.filter(|other| other.active != row.active && other.steps == row.steps) {
            add("the neighbour's pattern", &neighbour.active, false);
        }
        if row.muted {
            let mut muted = check(row, &row.active);
            muted["row_enabled"] = json!("on");
            let id = format!("{} {} muted look-alike", frame.name, row.name);
            cases.push(Case { id, kind: "muted look-alike", check: muted, right: false, clean });
        }
    }
    cases
}

fn check(row: &LabelledRow, active: &[u32]) -> Value {
    json!({
        "type": "grid_row",
        "target_row_regex": format!("^{}$", escaped(&row.name)),
        "steps": row.steps,
        "required_steps": active,
        "forbidden_steps": "others",
    })
}

/// One lit step a place further, where that place is dark.
fn one_off(row: &LabelledRow) -> Option<Vec<u32>> {
    let (at, step) = row.active.iter().enumerate().find(|(_, step)| {
        let next = *step + 1;
        next <= row.steps && !row.active.contains(&next)
    })?;
    let mut moved = row.active.clone();
    moved[at] = step + 1;
    Some(moved)
}

/// Characters that mean something in a pattern stand for themselves.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_alphanumeric() || c == ' ' { vec![c] } else { vec!['\\', c] }).collect()
}
