//! What the brain predicted, and whether it came true. `extract` finds the prediction in a reply, `parse`
//! makes predicates of it, `evaluate` compares them with what was seen, and `score` adds it up. This file
//! has the vocabulary they share.

mod elements;
mod evaluate;
mod extract;
mod json_scan;
mod parse;
mod score;
mod source_forms;

use serde_json::Value;

pub use elements::{ElementFacts, SelectorCount, Visible, selectors_to_measure};
pub use evaluate::{FrameFacts, Seen, evaluate, evaluate_all, evaluate_named, unscored};
pub use extract::{extract, predicted};
pub use parse::{parse, parse_list};
pub use score::{PredicateSummary, reward_component, world_model_error};

/// Reason of predictions that were made about another action than the one that ran.
pub const ACTION_SUBSTITUTED: &str = "action substituted";

/// Reason of predictions that nobody was asked to check.
pub const TOGGLE_DISABLED: &str = "toggle disabled";

/// Code points of a raw prediction that are kept.
const RAW_KEPT: usize = 500;

/// Predicates of one prediction that are kept: far more than a brain needs, and a bound for the trace.
const PREDICATES_KEPT: usize = 100;

/// Where the product knows better than the source of the vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredicateRules {
    /// Cut trailing dots from arguments of the JSON form too, though they may belong to the text.
    pub strip_prediction_dots: bool,
    pub focus_rules: FocusRules,
    pub prediction_forms: PredictionForms,
}

/// What becomes of facts that only one side, or nobody, knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusRules {
    /// Unknown stays unknown.
    ThreeValued,
    /// Unknown focus is no focus, and an address known on one side only is a change.
    Source,
}

/// How a reply is searched for predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictionForms {
    /// Nested objects, decorated lines; the last prediction wins; read before it is cut.
    Full,
    /// Flat objects and plain lines; the first wins; cut before it is read, and a line is not scored.
    Source,
}

impl PredicateRules {
    pub const VECTORS: PredicateRules = PredicateRules {
        strip_prediction_dots: true,
        focus_rules: FocusRules::Source,
        prediction_forms: PredictionForms::Source,
    };
}

impl Default for PredicateRules {
    fn default() -> PredicateRules {
        PredicateRules {
            strip_prediction_dots: false,
            focus_rules: FocusRules::ThreeValued,
            prediction_forms: PredictionForms::Full,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PredicateKind {
    UrlContains,
    UrlEquals,
    UrlChanged,
    UrlUnchanged,
    TitleContains,
    TitleChanged,
    FieldFocused,
    FieldUnfocused,
    FrameChanged,
    FrameStable,
    ElementAppears,
    ElementDisappears,
    ModalOpens,
    ModalCloses,
}

impl PredicateKind {
    pub const ALL: [PredicateKind; 14] = [
        PredicateKind::UrlContains,
        PredicateKind::UrlEquals,
        PredicateKind::UrlChanged,
        PredicateKind::UrlUnchanged,
        PredicateKind::TitleContains,
        PredicateKind::TitleChanged,
        PredicateKind::FieldFocused,
        PredicateKind::FieldUnfocused,
        PredicateKind::FrameChanged,
        PredicateKind::FrameStable,
        PredicateKind::ElementAppears,
        PredicateKind::ElementDisappears,
        PredicateKind::ModalOpens,
        PredicateKind::ModalCloses,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            PredicateKind::UrlContains => "url_contains",
            PredicateKind::UrlEquals => "url_equals",
            PredicateKind::UrlChanged => "url_changed",
            PredicateKind::UrlUnchanged => "url_unchanged",
            PredicateKind::TitleContains => "title_contains",
            PredicateKind::TitleChanged => "title_changed",
            PredicateKind::FieldFocused => "field_focused",
            PredicateKind::FieldUnfocused => "field_unfocused",
            PredicateKind::FrameChanged => "frame_changed",
            PredicateKind::FrameStable => "frame_stable",
            PredicateKind::ElementAppears => "element_appears",
            PredicateKind::ElementDisappears => "element_disappears",
            PredicateKind::ModalOpens => "modal_opens",
            PredicateKind::ModalCloses => "modal_closes",
        }
    }

    /// The kind of exactly this name.
    pub fn named(name: &str) -> Option<PredicateKind> {
        PredicateKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One thing that the brain expects to see. Shown as `kind` or `kind:arg`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    pub kind: PredicateKind,
    /// Never empty.
    pub arg: Option<String>,
}

impl std::fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.arg {
            Some(arg) => write!(formatter, "{}:{arg}", self.kind.name()),
            None => formatter.write_str(self.kind.name()),
        }
    }
}

/// What a reply predicted: its words as they are recorded, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prediction {
    /// At most 500 code points; empty when there was no prediction.
    pub raw: String,
    pub predicates: Vec<Predicate>,
}

impl Prediction {
    /// The step's `predicted_outcome`.
    pub fn outcome(&self) -> Option<Value> {
        (!self.raw.is_empty()).then(|| Value::String(self.raw.clone()))
    }
}

/// The step's `predicted_outcome` of a reply that brought its prediction as a list.
pub fn native_outcome(expected: &[String]) -> Option<Value> {
    (!expected.is_empty()).then(|| serde_json::json!({ "expected": expected }))
}

/// The first `kept` code points.
fn cut(text: &str, kept: usize) -> &str {
    text.char_indices().nth(kept).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_is_found_by_its_own_name_only() {
        for kind in PredicateKind::ALL {
            assert_eq!(PredicateKind::named(kind.name()), Some(kind));
            assert_eq!(PredicateKind::named(&kind.name().to_uppercase()), None);
        }
    }

    #[test]
    fn a_native_list_is_recorded_as_it_came() {
        let expected = ["url_changed".to_string(), "nonsense".to_string()];
        assert_eq!(native_outcome(&expected), Some(json!({"expected": ["url_changed", "nonsense"]})));
        assert_eq!(native_outcome(&[]), None);
        assert_eq!(Prediction::default().outcome(), None);
    }

    #[test]
    fn cutting_counts_code_points() {
        assert_eq!(cut("äöü", 2), "äö");
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("", 3), "");
    }
}
