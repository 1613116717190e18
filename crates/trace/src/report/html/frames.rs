//! Frames inside the page: each distinct one once, as a CSS class with a data URI. A class can be
//! used by the film strip, the "after" of one step and the "before" of the next without a copy,
//! and needs no script.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use surehand_checks::picture::{self, Small};
use surehand_types::Pixels;

use crate::cores::on_all_cores;
use crate::sink::FrameLibrary;
use crate::timeline::Timeline;

/// Everything embedded together stays below this; later frames are then left out.
const BUDGET_BYTES: usize = 40 * 1024 * 1024;

/// What all frames of a page should come to: a browser opens that within a second. The share of one frame is bounded below,
/// since a picture has to show something, and above, since sharper than sharp is no use.
const GOAL_BYTES: usize = 20 * 1024 * 1024;
const SHARE_BYTES: [usize; 2] = [24 * 1024, 400 * 1024];

/// As wide as a page ever shows a frame, and the quality of what is a photograph.
const WIDTH: u32 = 1280;
const QUALITY: u8 = 80;
/// Colours of text that takes more than its share: it stays sharp, which it would not when made narrower.
const FEW_COLOURS: usize = 16;
/// What any other frame becomes that takes more than its share: width and JPEG quality, until it fits.
const LADDER: &[(u32, u8)] = &[(1280, 66), (1024, 60), (800, 56), (640, 50)];

pub(super) struct Embedded {
    /// By content hash.
    frames: BTreeMap<String, Slot>,
}

enum Slot {
    Shown {
        class: usize,
        media_type: &'static str,
        base64: String,
    },
    /// The frame is gone or damaged.
    Missing,
    /// Left out for the size of the page.
    TooMany,
}

/// How a frame can be shown.
pub(super) enum Shown {
    Class(String),
    Missing,
    TooMany,
}

impl Embedded {
    pub(super) fn collect(timeline: &Timeline, library: &(dyn FrameLibrary + Sync)) -> Embedded {
        let wanted = in_order(timeline);
        let [least, most] = SHARE_BYTES;
        let share = (GOAL_BYTES / wanted.len().max(1)).clamp(least, most);
        let encoded =
            on_all_cores(&wanted, |chunk| chunk.iter().map(|sha256| encode(library, sha256, share)).collect());
        let mut frames = BTreeMap::new();
        let mut used = 0;
        for (class, (sha256, small)) in wanted.into_iter().zip(encoded).enumerate() {
            let slot = match small {
                Some(small) if used + small.bytes.len() <= BUDGET_BYTES => {
                    used += small.bytes.len();
                    Slot::Shown { class, media_type: small.media_type, base64: STANDARD.encode(small.bytes) }
                }
                Some(_) => Slot::TooMany,
                None => Slot::Missing,
            };
            frames.insert(sha256.to_string(), slot);
        }
        Embedded { frames }
    }

    pub(super) fn bytes(&self) -> usize {
        self.frames
            .values()
            .map(|slot| match slot {
                Slot::Shown { base64, .. } => base64.len() + 80,
                Slot::Missing | Slot::TooMany => 0,
            })
            .sum()
    }

    pub(super) fn write_style(&self, page: &mut String) {
        page.push_str("<style>\n");
        for slot in self.frames.values() {
            if let Slot::Shown { class, media_type, base64 } = slot {
                page.push_str(&format!(".f{class}{{background-image:url(data:{media_type};base64,"));
                page.push_str(base64);
                page.push_str(")}\n");
            }
        }
        page.push_str("</style>\n");
    }

    pub(super) fn show(&self, sha256: &str) -> Shown {
        match self.frames.get(sha256) {
            Some(Slot::Shown { class, .. }) => Shown::Class(format!("f{class}")),
            Some(Slot::TooMany) => Shown::TooMany,
            Some(Slot::Missing) | None => Shown::Missing,
        }
    }
}

/// Distinct frames in the order a reader meets them.
fn in_order(timeline: &Timeline) -> Vec<&str> {
    let mut seen = std::collections::BTreeSet::new();
    // What the verdict stands on comes first: it must not be what a long run leaves out.
    let judged = timeline.ended.iter().filter_map(|result| result.referee.as_ref()?.frame.as_deref());
    let of_steps = timeline.entries.iter().flat_map(|entry| [&entry.before, &entry.after]).flatten();
    judged.chain(of_steps.map(|frame| frame.sha256.as_str())).filter(|sha256| seen.insert(*sha256)).collect()
}

fn encode(library: &dyn FrameLibrary, sha256: &str, share: usize) -> Option<Small> {
    fit(&picture::decode(&library.get(sha256)?).ok()?, share)
}

/// The frame itself stays in the store; this is what it looks like on the page.
fn fit(pixels: &Pixels, share: usize) -> Option<Small> {
    let whole = picture::thumbnail(pixels, WIDTH);
    let mut best = picture::encode_small(&whole, QUALITY).ok()?;
    if best.bytes.len() > share && best.media_type == "image/png" {
        best.bytes = picture::encode_indexed_png(&picture::indexed_in(&whole, FEW_COLOURS)).ok()?;
    }
    for (width, quality) in LADDER {
        if best.bytes.len() <= share {
            break;
        }
        let bytes = picture::encode_jpeg(&picture::thumbnail(pixels, *width), *quality).ok()?;
        if bytes.len() < best.bytes.len() {
            best = Small { media_type: "image/jpeg", bytes };
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_takes_more_than_its_share_is_made_smaller() {
        let mut state = 7_u32;
        let rgb = (0..1280 * 720 * 3).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        let photograph = Pixels::new(1280, 720, rgb.collect()).unwrap();
        let (roomy, tight) = (fit(&photograph, usize::MAX).unwrap(), fit(&photograph, 150_000).unwrap());
        assert_eq!(picture::decode(&roomy.bytes).unwrap().width, 1280);
        assert!(picture::decode(&tight.bytes).unwrap().width < 1280 && tight.bytes.len() * 2 < roomy.bytes.len());
        // Letters at random places: text that does not repeat itself.
        let mut page = Pixels::new(1280, 720, vec![255; 1280 * 720 * 3]).unwrap();
        for line in 0..30 {
            let words: String = (0..100_u32).map(|at| char::from(b'a' + (at * at * (line + 3) % 26) as u8)).collect();
            picture::draw_text(&mut page, line % 9, line * 24, &words, picture::Weight::Regular, [20, 40, 90]);
        }
        let (roomy, tight) = (fit(&page, usize::MAX).unwrap(), fit(&page, 60_000).unwrap());
        assert_eq!((roomy.media_type, tight.media_type), ("image/png", "image/png"));
        assert!(tight.bytes.len() <= roomy.bytes.len(), "{} {}", tight.bytes.len(), roomy.bytes.len());
        assert_eq!(picture::decode(&tight.bytes).unwrap().width, 1280);
        // What is small as it is keeps its size and its colours, however many frames there are.
        let plain = Pixels::new(1280, 720, vec![200; 1280 * 720 * 3]).unwrap();
        assert_eq!(picture::decode(&fit(&plain, 1).unwrap().bytes).unwrap().at(0, 0), Some([200; 3]));
        assert_eq!(fit(&plain, 24 * 1024).unwrap().media_type, "image/png");
    }
}
