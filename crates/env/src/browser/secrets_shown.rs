//! Where a page shows a secret: boxes over every text and value that holds one, for the frame that is
//! stored and shown. Pages are not handed the values: each document gets salted hashes and compares them
//! with windows of its own text. What cannot be searched to the end is covered as a whole.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::page::{Page, PageTrouble};
use super::places::{FRAME_DEADLINE, Place};
use super::secrets::Secrets;
use super::state::ChildFrame;
use crate::cdp::CdpError;
use crate::cdp::protocol::dom;

/// Longer values are found by their beginning.
const LONGEST_WINDOW: usize = 64;
const BEGINNING: usize = 32;
/// Values of so few characters count only where they stand alone.
const ALONE_UP_TO: usize = 3;

/// What one look may take to open closed shadow roots; what is not opened by then is covered.
const OPENING: Duration = Duration::from_millis(250);
/// How deep closed roots within each other are followed in one look.
const OPENINGS: usize = 8;

/// What every document is asked; empty without secrets.
#[derive(Debug, Default)]
pub(super) struct Search {
    expression: Option<String>,
}

/// One value, as a document knows it. The fields' names are those of `js/secrets_shown.js`.
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

/// What a document answers. An answer that lacks a field is none.
#[derive(Debug, Deserialize)]
struct ShownIn {
    boxes: Vec<[f64; 4]>,
    /// Over elements that may have a closed root which nobody has looked into.
    hosts: Vec<[f64; 4]>,
    /// How many elements those are.
    unexamined: usize,
    /// It could not be searched to the end.
    whole: bool,
    width: f64,
    height: f64,
}

impl ShownIn {
    /// Everything that is to be covered, in pixels of the document's view.
    fn covered(self) -> Vec<[f64; 4]> {
        if self.whole {
            return vec![[0.0, 0.0, self.width, self.height]];
        }
        let mut covered = self.boxes;
        covered.extend(self.hosts);
        covered
    }
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
        let main = self.with_closed_roots(&self.main_place(), expression, main?).await?;
        let view = [0.0, 0.0, main.width, main.height];
        let mut boxes = main.covered();
        for (frame, answer) in frames {
            let answer = match answer {
                Some(None) => continue,
                Some(Some(shown)) => {
                    let place = Place { session: frame.session.clone(), frame: frame.frame.clone() };
                    self.with_closed_roots(&place, expression, shown).await.ok()
                }
                None => None,
            };
            match answer {
                Some(shown) => {
                    let size = [shown.width, shown.height];
                    let covered = shown.covered();
                    if covered.is_empty() {
                        continue;
                    }
                    match tokio::time::timeout(FRAME_DEADLINE, self.place_of(&frame, size)).await {
                        Ok(Ok(place)) => boxes.extend(covered.into_iter().map(|shown| place.outward(shown))),
                        _ => boxes.extend(self.whole_frame(&frame, view).await),
                    }
                }
                // What cannot be searched is covered: a frame that hangs still has its last picture.
                None => boxes.extend(self.whole_frame(&frame, view).await),
            }
        }
        Ok(boxes)
    }

    /// Searches a document again while there are closed roots to be opened: only the protocol can do that.
    async fn with_closed_roots(&self, place: &Place, expression: &str, first: ShownIn) -> Result<ShownIn, PageTrouble> {
        let end = Instant::now() + OPENING;
        let mut shown = first;
        for _ in 0..OPENINGS {
            if shown.unexamined == 0 || Instant::now() >= end {
                break;
            }
            for index in 0..shown.unexamined {
                let node = format!("__surehand.unexaminedNode({index})");
                let opened = tokio::time::timeout_at(end, self.open_closed_root(place, &node)).await;
                if !matches!(opened, Ok(Ok(_))) {
                    break;
                }
            }
            shown = self.evaluate_in(&place.session, &place.frame, expression).await?;
        }
        Ok(shown)
    }

    /// What covers a frame: its box, nothing where it is not drawn, and the whole view where nobody can tell.
    async fn whole_frame(&self, frame: &ChildFrame, view: [f64; 4]) -> Option<[f64; 4]> {
        match tokio::time::timeout(FRAME_DEADLINE, self.frame_box(frame)).await {
            Ok(Ok(bounds)) => bounds,
            _ => self.child_frames().iter().any(|other| other.frame == frame.frame).then_some(view),
        }
    }

    /// The box of a frame, from the document that holds it; `None` where it has none.
    async fn frame_box(&self, frame: &ChildFrame) -> Result<Option<[f64; 4]>, PageTrouble> {
        let owner = dom::GetFrameOwner { frame_id: frame.frame.clone() };
        let owner = self.connection.call(Some(&frame.parent_session), &owner, self.deadline).await?;
        let model = dom::GetBoxModel { backend_node_id: owner.backend_node_id };
        let model = match self.connection.call(Some(&frame.parent_session), &model, self.deadline).await {
            Ok(answer) => answer.model,
            Err(CdpError::Refused { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let corners = model.content.chunks_exact(2).map(|corner| (corner[0], corner[1]));
        let bounds = corners.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |b, (x, y)| {
            [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)]
        });
        let holder = |other: &&ChildFrame| other.session == frame.parent_session && other.is_session_root();
        match self.child_frames().iter().find(holder) {
            // Boxes are told relative to the root of their session.
            Some(root) => Ok(Some(self.place_of(root, [0.0, 0.0]).await?.outward(bounds))),
            None => Ok(Some(bounds)),
        }
    }
}

/// Boxes of two searches, one on either side of a capture. What is not at the same place in both has moved, and the
/// frame may show it anywhere between.
pub(super) fn over_both(earlier: Vec<[f64; 4]>, later: Vec<[f64; 4]>) -> Vec<[f64; 4]> {
    let is_in = |one: &[f64; 4], others: &[[f64; 4]]| {
        others.iter().any(|other| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 0.5))
    };
    let left: Vec<[f64; 4]> = earlier.iter().filter(|one| !is_in(one, &later)).copied().collect();
    let come: Vec<[f64; 4]> = later.iter().filter(|one| !is_in(one, &earlier)).copied().collect();
    let hull = |a: [f64; 4], b: [f64; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    let between = if left.is_empty() || come.is_empty() { None } else { left.into_iter().chain(come).reduce(hull) };
    earlier.into_iter().chain(later).chain(between).collect()
}

/// A fresh odd number for every run; `RandomState` is seeded by the operating system.
fn salt() -> i32 {
    let bits = RandomState::new().build_hasher().finish();
    (bits as u32 | 1).cast_signed()
}

fn hash(units: &[u16], salt: i32) -> i32 {
    units.iter().fold(0i32, |sum, unit| sum.wrapping_mul(salt).wrapping_add(i32::from(*unit)))
}

/// A value as `js/secrets_shown.js` compares it: without white space and what nobody sees, in lower case.
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
    fn what_moves_is_covered_all_the_way() {
        let still = [0.0, 0.0, 10.0, 10.0];
        assert_eq!(over_both(vec![still], vec![still]).len(), 2);
        assert_eq!(over_both(vec![], vec![still]), [still]);
        let (from, to) = ([100.0, 50.0, 120.0, 60.0], [300.0, 55.0, 320.0, 65.0]);
        let covered = over_both(vec![still, from], vec![still, to]);
        assert_eq!(covered.last(), Some(&[100.0, 50.0, 320.0, 65.0]));
    }

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
