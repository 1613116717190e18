//! Where a page shows a secret: boxes over every text and value that holds one, for the frame that is
//! stored and shown. Pages are not handed the values: each document gets salted hashes and compares them
//! with windows of its own text.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use serde::{Deserialize, Serialize};

use super::page::{Page, PageTrouble};
use super::places::FRAME_DEADLINE;
use super::secrets::Secrets;
use super::state::ChildFrame;
use crate::cdp::protocol::dom;

/// Longer values are found by their beginning.
const LONGEST_WINDOW: usize = 64;
const BEGINNING: usize = 32;
/// Values of so few characters count only where they stand alone.
const ALONE_UP_TO: usize = 3;

/// What every document is asked; empty without secrets.
#[derive(Debug, Default)]
pub(super) struct Search {
    expression: Option<String>,
}

/// One value, as a document knows it. The fields' names are those of `js/secrets.js`.
#[derive(Debug, Serialize, PartialEq)]
struct Needle {
    /// Characters (UTF-16 units) of the whole value.
    length: usize,
    /// So many of them are hashed.
    window: usize,
    first: i32,
    second: i32,
    alone: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ShownIn {
    boxes: Vec<[f64; 4]>,
    width: f64,
    height: f64,
}

impl Search {
    pub(super) fn new<'a>(values: impl Iterator<Item = &'a str>) -> Search {
        let salts = [salt(), salt()];
        let mut needles: Vec<Needle> = Vec::new();
        for value in values {
            let units = compared_units(value);
            if units.is_empty() {
                continue;
            }
            let window = if units.len() > LONGEST_WINDOW { BEGINNING } else { units.len() };
            needles.push(Needle {
                length: units.len(),
                window,
                first: hash(&units[..window], salts[0]),
                second: hash(&units[..window], salts[1]),
                alone: value.trim().chars().count() <= ALONE_UP_TO,
            });
        }
        let words = serde_json::json!({"salts": salts, "needles": needles});
        Search { expression: (!needles.is_empty()).then(|| format!("__surehand.shownSecrets({words})")) }
    }
}

impl Page {
    /// Boxes over what shows a secret, in every frame, in view pixels of the main one.
    pub(super) async fn shown_secrets(&self, secrets: &Secrets) -> Result<Vec<[f64; 4]>, PageTrouble> {
        let Some(expression) = secrets.search.expression.as_deref() else { return Ok(Vec::new()) };
        let (main, frames) = tokio::join!(self.evaluate::<ShownIn>(expression), self.ask_frames::<ShownIn>(expression));
        let mut boxes = main?.boxes;
        for (frame, answer) in frames {
            match answer {
                Some(None) => {}
                Some(Some(shown)) if shown.boxes.is_empty() => {}
                Some(Some(shown)) => {
                    let place = self.place_of(&frame, [shown.width, shown.height]);
                    match tokio::time::timeout(FRAME_DEADLINE, place).await {
                        Ok(Ok(place)) => boxes.extend(shown.boxes.into_iter().map(|shown| place.outward(shown))),
                        _ => boxes.extend(self.whole_frame(&frame).await),
                    }
                }
                // What cannot be searched is covered: a frame that hangs still has its last picture.
                None => boxes.extend(self.whole_frame(&frame).await),
            }
        }
        Ok(boxes)
    }

    /// The box of a frame, from the document that holds it.
    async fn whole_frame(&self, frame: &ChildFrame) -> Option<[f64; 4]> {
        let find = async {
            let owner = dom::GetFrameOwner { frame_id: frame.frame.clone() };
            let owner = self.connection.call(Some(&frame.parent_session), &owner, self.deadline).await.ok()?;
            let model = dom::GetBoxModel { backend_node_id: owner.backend_node_id };
            let model = self.connection.call(Some(&frame.parent_session), &model, self.deadline).await.ok()?.model;
            let corners = || model.content.chunks_exact(2).map(|corner| (corner[0], corner[1]));
            let bounds = corners().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |b, (x, y)| {
                [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)]
            });
            let holder = |other: &&ChildFrame| other.session == frame.parent_session && other.is_session_root();
            match self.child_frames().iter().find(holder) {
                // Boxes are told relative to the root of their session.
                Some(root) => Some(self.place_of(root, [0.0, 0.0]).await.ok()?.outward(bounds)),
                None => Some(bounds),
            }
        };
        tokio::time::timeout(FRAME_DEADLINE, find).await.ok().flatten()
    }
}

/// A fresh odd number for every run; `RandomState` is seeded by the operating system.
fn salt() -> i32 {
    let bits = RandomState::new().build_hasher().finish();
    (bits as u32 | 1).cast_signed()
}

fn hash(units: &[u16], salt: i32) -> i32 {
    units.iter().fold(0i32, |sum, unit| sum.wrapping_mul(salt).wrapping_add(i32::from(*unit)))
}

/// A value as `js/secrets.js` compares it: without white space and what nobody sees, in lower case.
/// White space is left out rather than squeezed, since blocks and line breaks of a page have none in
/// their texts.
fn compared_units(value: &str) -> Vec<u16> {
    let mut units = Vec::new();
    let mut buffer = [0; 2];
    for character in value.chars().filter(|character| !is_left_out(*character)) {
        let lower: String = character.to_lowercase().collect();
        if lower.encode_utf16().count() == character.len_utf16() {
            units.extend(lower.encode_utf16());
        } else {
            units.extend_from_slice(character.encode_utf16(&mut buffer));
        }
    }
    units
}

fn is_left_out(character: char) -> bool {
    character <= ' '
        || character.is_whitespace()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_without_space_and_case() {
        assert_eq!(compared_units(" Hun ter\n2 "), "hunter2".encode_utf16().collect::<Vec<u16>>());
        assert_eq!(compared_units("ÄİX🔑"), "äİx🔑".encode_utf16().collect::<Vec<u16>>());
    }

    #[test]
    fn no_value_is_in_what_pages_are_asked() {
        let long = "x".repeat(500);
        let search = Search::new(["hunter22", "7", long.as_str(), "  "].into_iter());
        let expression = search.expression.unwrap();
        assert!(!expression.contains("hunter") && !expression.contains("xxx"), "{expression}");
        assert_eq!(expression.matches("\"window\"").count(), 3);
        assert!(expression.contains("\"length\":500") && expression.contains("\"window\":32"));
        assert_ne!(Search::new(["hunter22"].into_iter()).expression, Search::new(["hunter22"].into_iter()).expression);
        assert_eq!(Search::new(std::iter::empty()).expression, None);
    }
}
