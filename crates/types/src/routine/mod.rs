//! A recorded run in the form that can be replayed: what to do, by what each target is known again, and what has
//! to come of it. Written by `trace::routine`, replayed by the routine brain; people may edit the file.

mod complaint;
mod pattern;
mod read;
mod values;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::coords::{GridBox, ViewSize};
use crate::effect::EffectStatus;
use crate::observation::{DialogKind, Focus, PendingKind};
use crate::surroundings::Wanted;
use crate::ui::OnOff;

pub use complaint::complaint_in;
pub use pattern::{origin_of, pattern_of_title, pattern_of_url, title_matches, url_matches};
pub use read::MOST_STEPS;
pub use values::{ValueProblem, is_value_name, placeholder};

/// The format that this Surehand writes.
pub const ROUTINE_FORMAT: u32 = 2;
/// The oldest format that it reads. Format 1 does not know what stands around a target.
pub const OLDEST_FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Routine {
    /// Version of the format.
    pub routine: u32,
    pub name: String,
    /// Grows with every repair.
    pub version: u32,
    pub task: String,
    /// What is claimed at the end, in the words of the brain that did it first.
    #[serde(default)]
    pub claim: String,
    #[serde(default)]
    pub start_url: Option<String>,
    pub viewport: ViewSize,
    /// Runs that it was recorded from, the newest last.
    #[serde(default)]
    pub made_from: Vec<String>,
    /// What may differ from replay to replay, by name, with what was there when it was recorded.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    pub steps: Vec<RoutineStep>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutineStep {
    /// One line for people.
    #[serde(default)]
    pub about: String,
    /// A native call; its coordinates are those of the recording.
    pub call: Map<String, Value>,
    #[serde(default)]
    pub anchor: Option<Anchor>,
    /// Where a drag ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_anchor: Option<Anchor>,
    #[serde(default)]
    pub expect: Expect,
}

/// By what a target is known again. With a role or a text it is looked for by name; otherwise by how it looked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Which of several with the same name it was, and how many there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// Texts of its row, card, dialog or group that tell it from the others; all of them have to be there again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<String>,
    /// The heading above it, or that of its dialog; numbers in it are data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The month that a day belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// How the switch stood, or `off` where a box was not ticked: one that stands otherwise is not touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<OnOff>,
    /// Whether the field that is typed into held nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<bool>,
    /// What could be chosen from when the key was pressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The icon of an element without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<String>,
    /// A text in the same row, or the name of the nearest element that tells it from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub bounds: Option<GridBox>,
    /// The part of the frame around the target, and how it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<GridBox>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_hash: Option<String>,
}

/// What came of the step when it was recorded, without what belongs to that day's data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence_kinds: Vec<String>,
    /// Where the step leads; absent where it stays on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opens_dialog: Option<DialogKind>,
    /// What the dialog says, without numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog_text: Option<String>,
    /// Seconds until the effect was there, where that took longer than usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_seconds: Option<f64>,
    /// The page said something against it then as well.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub complains: bool,
    /// A native control that waits for the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingKind>,
    /// The field that has the focus afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focus: Option<Named>,
    /// What was under the pointer, for targets that are known by their look only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<String>,
    /// Predictions that came true, in the words of `expected`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
}

/// A field by role and name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Named {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Anchor {
    /// Whether the target can be asked for by name.
    pub fn is_named(&self) -> bool {
        self.role.is_some() || self.text.is_some()
    }

    /// What has to stand around it.
    pub fn wanted(&self) -> Wanted {
        Wanted {
            row: self.row.clone(),
            heading: self.heading.clone(),
            caption: self.caption.clone(),
            options: self.options.clone(),
        }
    }

    /// Whether nothing but its position tells it from others.
    pub fn rests_on_position(&self) -> bool {
        self.index.is_some() && self.of != Some(1) && self.beside.is_none()
    }
}

impl Routine {
    /// Steps that a person should look at before they are replayed, in words.
    pub fn doubts(&self) -> Vec<String> {
        let steps = (1..).zip(&self.steps);
        let doubtful = steps.filter(|(_, step)| step.anchor.as_ref().is_some_and(Anchor::rests_on_position));
        let words = doubtful.map(|(number, RoutineStep { about, anchor, .. })| {
            let (index, of) =
                anchor.as_ref().map_or((0, 0), |anchor| (anchor.index.unwrap_or(0), anchor.of.unwrap_or(0)));
            format!(
                "step {number} ({about}) rests on position alone: it is number {} of {of} that are alike, and no text \
                 beside it tells it from the others",
                index + 1
            )
        });
        words.collect()
    }
}

impl Named {
    /// The field that has the focus, where it can be told from others.
    pub fn of_focus(focus: &Focus) -> Option<Named> {
        let Focus::Element(field) = focus else { return None };
        if !field.editable {
            return None;
        }
        // What can be edited freely is named after its content, which is data.
        let is_field = matches!(field.tag.as_str(), "input" | "textarea" | "select");
        let words = [&field.label, &field.name, &field.placeholder].into_iter().flatten();
        let text = words.into_iter().find(|words| !words.trim().is_empty()).cloned().filter(|_| is_field);
        Some(Named { role: field.role.clone(), text })
    }

    pub fn is_same_as(&self, other: &Named) -> bool {
        let same = |one: &Option<String>, other: &Option<String>| match (one, other) {
            (Some(one), Some(other)) => crate::call::folded(one) == crate::call::folded(other),
            _ => true,
        };
        same(&self.role, &other.role) && same(&self.text, &other.text)
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let role = self.role.as_deref().unwrap_or("field");
        f.write_str(&crate::observation::descriptor(role, self.text.as_deref().unwrap_or_default()))
    }
}

/// The beginning of the thought that goes with a replayed step; the recorder knows it again by this.
pub fn step_mark(step: usize, steps: usize) -> String {
    format!("{MARK}{step} of {steps}: ")
}

/// The step (from 1) that a thought speaks of.
pub fn marked_step(thought: &str) -> Option<usize> {
    let (number, rest) = thought.strip_prefix(MARK)?.split_once(" of ")?;
    let (count, _) = rest.split_once(": ")?;
    let (number, count): (usize, usize) = (number.parse().ok()?, count.parse().ok()?);
    (1..=count).contains(&number).then_some(number)
}

/// The note about a step that had no need to be made.
pub fn left_out_note(step: usize, reason: &str) -> String {
    format!("{MARK}{step}{LEFT_OUT}{reason}")
}

/// The step (from 1) that such a note speaks of.
pub fn left_out_step(note: &str) -> Option<usize> {
    note.strip_prefix(MARK)?.split_once(LEFT_OUT)?.0.parse().ok()
}

/// The beginning of the thought of whatever a replay does beside its steps: looking for a target, waiting.
pub const LOOKING: &str = "routine looks: ";
const MARK: &str = "routine step ";
const LEFT_OUT: &str = " was left out: ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_known_again_and_nothing_else_is() {
        assert_eq!(marked_step(&format!("{}click it", step_mark(3, 12))), Some(3));
        for words in ["", "routine step", "routine step 0 of 2: x", "routine step 3 of 2: x", "routine step 1 of 2"] {
            assert_eq!(marked_step(words), None, "{words}");
        }
        assert_eq!(left_out_step(&left_out_note(7, "it is on")), Some(7));
        assert_eq!(left_out_step("routine step 3 of 12: x"), None);
    }
}
