//! The kinds of prediction a brain may write into `expected`. To be read from the scorer's own
//! declaration as soon as there is one.

use super::context::{PromptContext, Surface};

/// Kind, and what may follow its colon.
const KINDS: &[(&str, Option<&str>)] = &[
    ("url_contains", Some("TEXT")),
    ("url_equals", Some("URL")),
    ("url_changed", None),
    ("url_unchanged", None),
    ("title_contains", Some("TEXT")),
    ("title_changed", None),
    ("field_focused", Some("NAME")),
    ("field_unfocused", None),
    ("frame_changed", None),
    ("frame_stable", None),
    ("element_appears", Some("TEXT")),
    ("element_disappears", Some("TEXT")),
    ("modal_opens", None),
    ("modal_closes", None),
];

/// All kinds that make sense on this surface, as they are written.
pub(super) fn list(context: &PromptContext) -> String {
    let has_address = context.surface() == Surface::Browser;
    let kinds = KINDS.iter().filter(|(kind, _)| has_address || !kind.starts_with("url_"));
    let written = kinds.map(|(kind, argument)| match argument {
        Some(argument) => format!("`{kind}:{argument}`"),
        None => format!("`{kind}`"),
    });
    written.collect::<Vec<_>>().join(", ")
}
