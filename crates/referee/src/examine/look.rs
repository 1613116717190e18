//! One look at the picture for all checks that need it, beside the runtime and with an end.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox, UiState};

use crate::checks::text;
use crate::checks::unread::{Reach, unread};
use crate::contract::{Contract, Kind};
use crate::evidence::Evidence;
use crate::finding::Finding;
use crate::sight::{Reading, Sight};

/// Reading a large picture takes seconds; this is for one that never ends.
const SIGHT_DEADLINE: Duration = Duration::from_secs(90);
/// Each takes a tenth of a second and up.
const MOST_SECOND_LOOKS: usize = 24;
/// Letters want some ground around them to be read.
const AROUND: u32 = 6;
/// Between two words of a line.
const WORD_GAP: u32 = 10;

/// Everything that was read off the picture, in one look.
pub(super) struct Seen {
    outcome: Result<Look, String>,
}

#[derive(Default)]
struct Look {
    structure: Option<UiState>,
    /// By the index of the check.
    texts: Vec<(usize, TextLook)>,
}

pub(super) struct TextLook {
    pub(super) reading: Reading,
    pub(super) region: PixelBox,
    pub(super) blank: bool,
}

impl Seen {
    pub(super) async fn look(sight: Arc<dyn Sight>, contract: &Contract, evidence: &Evidence) -> Seen {
        let outcome = match &evidence.shot {
            None => Err("not_available: there is no picture of the end".to_owned()),
            Some(shot) if shot.stale => Err("stale_frame: the picture is older than the end of the run".to_owned()),
            Some(shot) => {
                let pixels = Arc::clone(&shot.pixels);
                let wants_structure =
                    contract.checks.iter().any(|check| matches!(check.kind, Kind::GridRow(_) | Kind::Toggle(_)));
                let regions: Vec<(usize, PixelBox)> = contract
                    .checks
                    .iter()
                    .enumerate()
                    .filter_map(|(index, check)| match &check.kind {
                        Kind::TextPresent(rule) | Kind::TextAbsent(rule) => {
                            Some((index, text::region_of(rule, &pixels)))
                        }
                        _ => None,
                    })
                    .collect();
                if wants_structure || !regions.is_empty() {
                    look_aside(sight, pixels, wants_structure, regions).await
                } else {
                    Ok(Look::default())
                }
            }
        };
        Seen { outcome }
    }

    pub(super) fn structure(&self, judge: impl FnOnce(&UiState) -> Finding) -> Finding {
        match &self.outcome {
            Ok(Look { structure: Some(state), .. }) => judge(state),
            Ok(_) => Finding::unknown("not_available: the picture was not looked at", Value::Null),
            Err(why) => Finding::unknown(why.clone(), Value::Null),
        }
    }

    pub(super) fn text(&self, index: usize, judge: impl FnOnce(&TextLook) -> Finding) -> Finding {
        match &self.outcome {
            Ok(look) => match look.texts.iter().find(|(at, _)| *at == index) {
                Some((_, text)) => judge(text),
                None => Finding::unknown("not_available: the picture was not looked at", Value::Null),
            },
            Err(why) => Finding::unknown(why.clone(), Value::Null),
        }
    }
}

/// Reading takes the processor for a while, so it is done beside the runtime. A reader that panics or does not
/// come to an end has seen nothing.
async fn look_aside(
    sight: Arc<dyn Sight>,
    pixels: Arc<Pixels>,
    wants_structure: bool,
    regions: Vec<(usize, PixelBox)>,
) -> Result<Look, String> {
    let work = tokio::task::spawn_blocking(move || {
        let structure = wants_structure.then(|| {
            let mut state = sight.structure(&pixels);
            sight.doubt_names(&pixels, &mut state);
            state
        });
        // Several checks of the same region share one reading.
        let mut read: Vec<(PixelBox, Reading)> = Vec::new();
        let mut texts = Vec::new();
        for (index, region) in regions {
            let reading = match read.iter().find(|(known, _)| *known == region) {
                Some((_, reading)) => reading.clone(),
                None => {
                    let reading = read_all(&*sight, &pixels, region);
                    read.push((region, reading.clone()));
                    reading
                }
            };
            texts.push((index, TextLook { reading, region, blank: text::is_blank(&pixels, region) }));
        }
        Look { structure, texts }
    });
    match tokio::time::timeout(SIGHT_DEADLINE, work).await {
        Ok(Ok(look)) => Ok(look),
        Ok(Err(_)) => Err("perception_failed: the picture could not be read".into()),
        Err(_) => Err("perception_failed: reading the picture took too long".into()),
    }
}

/// Reads a region, and what was left out of it once more by itself: a bar with light letters in a light page is
/// read when it is looked at alone.
fn read_all(sight: &dyn Sight, pixels: &Pixels, region: PixelBox) -> Reading {
    let mut reading = sight.texts(pixels, region);
    if reading.trouble.is_some() {
        return reading;
    }
    let again = unread(pixels, region, &reading.words, Reach::Near);
    for place in again.iter().take(MOST_SECOND_LOOKS) {
        // With the rest of its line: half a word is read as another word.
        let [x0, y0, x1, y1] = line_around(*place, &reading.words);
        let wider = [
            x0.saturating_sub(AROUND).max(region[0]),
            y0.saturating_sub(AROUND).max(region[1]),
            (x1 + AROUND).min(region[2]),
            (y1 + AROUND).min(region[3]),
        ];
        let again = sight.texts(pixels, wider).words;
        let (before, rest): (Vec<Anchor>, Vec<Anchor>) =
            reading.words.drain(..).partition(|word| overlap(word.bbox, [x0, y0, x1, y1]));
        reading.words = rest;
        if weight(&again) > weight(&before) {
            let lost = before.into_iter().filter(|word| !again.iter().any(|new| overlap(new.bbox, word.bbox)));
            reading.words.extend(lost.collect::<Vec<_>>());
            reading.words.extend(again);
        } else {
            reading.words.extend(before);
        }
    }
    reading.unread = unread(pixels, region, &reading.words, Reach::Line);
    reading
}

/// The place together with the words that go on from it, left and right.
fn line_around(place: PixelBox, words: &[Anchor]) -> PixelBox {
    let mut line = place;
    // Words are in no order, so each round may find further ones.
    for _ in 0..4 {
        for word in words {
            let [x0, y0, x1, y1] = word.bbox;
            let same_height = y0 < line[3] && line[1] < y1;
            if same_height && x0 < line[2] + WORD_GAP && line[0] < x1 + WORD_GAP {
                line = [line[0].min(x0), line[1].min(y0), line[2].max(x1), line[3].max(y1)];
            }
        }
    }
    line
}

/// How much was read, and how surely.
fn weight(words: &[Anchor]) -> f64 {
    words.iter().map(|word| word.text.trim().chars().count() as f64 * word.conf).sum()
}

fn overlap(a: PixelBox, b: PixelBox) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}
