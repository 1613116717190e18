//! How text becomes keys: ASCII and line breaks as real key strokes, everything else as whole
//! graphemes, so that an emoji or a combined letter is never split.

use surehand_types::keys::{KeyStroke, stroke_for_character};
use unicode_segmentation::UnicodeSegmentation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    Stroke { stroke: KeyStroke, shift: bool },
    Insert(String),
}

pub(crate) fn units_of(text: &str) -> Vec<Typed> {
    text.graphemes(true)
        .filter_map(|grapheme| {
            if grapheme == "\r\n" {
                return stroke_for_character('\n').map(|(stroke, shift)| Typed::Stroke { stroke, shift });
            }
            let mut characters = grapheme.chars();
            let (first, rest) = (characters.next()?, characters.next());
            if rest.is_none()
                && let Some((stroke, shift)) = stroke_for_character(first)
            {
                return Some(Typed::Stroke { stroke, shift });
            }
            // Lone control characters are no text anybody could type.
            (!grapheme.chars().all(char::is_control)).then(|| Typed::Insert(grapheme.to_string()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let got: Vec<String> = units_of(text)
            .into_iter()
            .map(|unit| match unit {
                Typed::Stroke { stroke, shift } => {
                    format!("{}{}", if shift { "⇧" } else { "" }, stroke.key)
                }
                Typed::Insert(text) => format!("+{text}"),
            })
            .collect();
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn graphemes_stay_whole() {
        check("aB!", &["a", "⇧B", "⇧!"]);
        check("a\r\nb\n\t", &["a", "Enter", "b", "Enter", "Tab"]);
        check("é", &["+é"]);
        check("e\u{301}", &["+e\u{301}"]);
        check("👩‍👩‍👧x", &["+👩‍👩‍👧", "x"]);
        check("🇩🇪日本", &["+🇩🇪", "+日", "+本"]);
        check("\u{7}", &[]);
    }
}
