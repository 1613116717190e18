//! Frames inside the page: each distinct one once, as a CSS class with a data URI. A class can be
//! used by the film strip, the "after" of one step and the "before" of the next without a copy,
//! and needs no script.

use std::collections::BTreeMap;
use std::num::NonZero;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use surehand_checks::picture;

use crate::sink::FrameLibrary;
use crate::timeline::Timeline;

/// Everything embedded together stays below this; later frames are then left out.
const BUDGET_BYTES: usize = 56 * 1024 * 1024;

/// Settings that keep long runs inside the budget: frame count up to, width, JPEG quality.
const LADDER: &[(usize, u32, u8)] = &[(180, 1280, 80), (360, 1024, 72), (720, 800, 66), (usize::MAX, 640, 60)];

pub(super) struct Embedded {
    /// By content hash.
    frames: BTreeMap<String, Slot>,
}

enum Slot {
    Shown {
        class: usize,
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
        let (_, width, quality) =
            LADDER.iter().copied().find(|(count, _, _)| wanted.len() <= *count).unwrap_or((0, 640, 60));
        let encoded =
            on_all_cores(&wanted, |chunk| chunk.iter().map(|sha256| encode(library, sha256, width, quality)).collect());
        let mut frames = BTreeMap::new();
        let mut used = 0;
        for (class, (sha256, base64)) in wanted.into_iter().zip(encoded).enumerate() {
            let slot = match base64 {
                Some(base64) if used + base64.len() <= BUDGET_BYTES => {
                    used += base64.len();
                    Slot::Shown { class, base64 }
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
            if let Slot::Shown { class, base64 } = slot {
                page.push_str(&format!(".f{class}{{background-image:url(data:image/jpeg;base64,"));
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

fn encode(library: &dyn FrameLibrary, sha256: &str, width: u32, quality: u8) -> Option<String> {
    let pixels = picture::decode(&library.get(sha256)?).ok()?;
    let jpeg = if pixels.width > width {
        picture::encode_jpeg(&picture::thumbnail(&pixels, width), quality)
    } else {
        picture::encode_jpeg(&pixels, quality)
    };
    Some(STANDARD.encode(jpeg.ok()?))
}

/// A frame takes tens of milliseconds, a long run has hundreds: all cores take part. `work` gets neighbours
/// together and answers for each of them; where it does not, the answers are missing ones.
pub(super) fn on_all_cores<I: Sync, T: Send + Clone>(
    items: &[I],
    work: impl Fn(&[I]) -> Vec<Option<T>> + Sync,
) -> Vec<Option<T>> {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(workers).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let started: Vec<_> =
            items.chunks(share).map(|chunk| (scope.spawn(move || work(chunk)), chunk.len())).collect();
        started.into_iter().flat_map(|(worker, length)| worker.join().unwrap_or_else(|_| vec![None; length])).collect()
    })
}
