//! Texts in the picture. OCR misses and misreads: what was read can prove that a text is there, and only a
//! region that was read well can prove that it is not.

use regex::Regex;
use serde_json::{Value, json};
use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox};

use super::READ_FLOOR;
use super::near::Nearness;
use crate::contract::{TextRule, shortened_text};
use crate::finding::Finding;
use crate::sight::Reading;

/// In pixels.
const NARROWEST_LETTER: u32 = 4;
/// Letters of what was read that are kept as evidence.
const KEPT: usize = 400;

pub(crate) fn expected(rule: &TextRule) -> Value {
    json!({"regex": rule.regex.as_str(), "region": rule.region})
}

/// The part of the picture that a rule is about.
pub(crate) fn region_of(rule: &TextRule, pixels: &Pixels) -> PixelBox {
    let [x0, y0, x1, y1] = rule.region.unwrap_or([0, 0, 1000, 1000]);
    let scale = |edge: u32, extent: u32| (u64::from(edge) * u64::from(extent) / 1000) as u32;
    let (left, top) = (scale(x0, pixels.width), scale(y0, pixels.height));
    // Outward, so that a thin region is never empty.
    let (right, bottom) = (scale(x1, pixels.width).max(left + 1), scale(y1, pixels.height).max(top + 1));
    [left, top, right.min(pixels.width), bottom.min(pixels.height)]
}

pub(crate) fn present(rule: &TextRule, reading: &Reading, region: PixelBox, blank: bool) -> Finding {
    match look(rule, reading, blank) {
        Look::Found(seen) => Finding::pass(json!({"text": seen.text})).at(seen.bbox).sure(seen.confidence),
        Look::Doubtful { reason, seen } => doubtful(reason, seen, reading, region),
        Look::NotThere(confidence) => {
            Finding::fail("text_not_found", json!({"read": all_of(reading)})).at(region).sure(confidence)
        }
    }
}

pub(crate) fn absent(rule: &TextRule, reading: &Reading, region: PixelBox, blank: bool) -> Finding {
    match look(rule, reading, blank) {
        Look::Found(seen) => {
            Finding::fail("text_found", json!({"text": seen.text})).at(seen.bbox).sure(seen.confidence)
        }
        Look::Doubtful { reason, seen } => doubtful(reason, seen, reading, region),
        Look::NotThere(confidence) => Finding::pass(json!({"read": all_of(reading)})).at(region).sure(confidence),
    }
}

fn doubtful(reason: String, seen: Option<Seen>, reading: &Reading, region: PixelBox) -> Finding {
    match seen {
        Some(seen) => Finding::unknown(reason, json!({"text": seen.text, "confidence": seen.confidence})).at(seen.bbox),
        None => Finding::unknown(reason, json!({"read": all_of(reading)})).at(region),
    }
}

struct Seen {
    text: String,
    bbox: PixelBox,
    confidence: f64,
}

enum Look {
    Found(Seen),
    Doubtful {
        reason: String,
        seen: Option<Seen>,
    },
    /// With how sure the region was read.
    NotThere(f64),
}

fn look(rule: &TextRule, reading: &Reading, blank: bool) -> Look {
    let lines = lines_of(&reading.words);
    let best =
        lines.iter().flat_map(|line| line.matches(&rule.regex)).max_by(|a, b| a.confidence.total_cmp(&b.confidence));
    if let Some(seen) = best {
        if let Some(place) = reading.unread.iter().find(|place| continues(&seen, **place, rule.regex.as_str())) {
            let reason = format!("not_all_read: something like text beside it at {place:?}");
            return Look::Doubtful { reason, seen: Some(seen) };
        }
        if seen.confidence >= READ_FLOOR {
            return Look::Found(seen);
        }
        return Look::Doubtful { reason: "read_without_confidence".into(), seen: Some(seen) };
    }
    if let Some(trouble) = &reading.trouble {
        return Look::Doubtful { reason: format!("not_read: {}", shortened_text(trouble)), seen: None };
    }
    if reading.words.is_empty() {
        // A plain surface has no text; anything else may have one that was missed.
        let reason = "nothing_was_read".to_owned();
        return if blank { Look::NotThere(1.0) } else { Look::Doubtful { reason, seen: None } };
    }
    let nearness = Nearness::of(rule.regex.as_str());
    // Letters are seldom narrower, so a narrower place has no room for the text.
    let room = NARROWEST_LETTER * nearness.shortest_match.max(1) as u32;
    let holds = |place: &&PixelBox| place[2] - place[0] >= room;
    if let Some(place) = reading.unread.iter().find(holds) {
        return Look::Doubtful { reason: format!("not_all_read: something like text at {place:?}"), seen: None };
    }
    // Badly read specks that are much shorter than the pattern cannot be it.
    let matters = |word: &&Anchor| word.text.trim().len() * 2 >= nearness.shortest_match;
    if let Some(word) = reading.words.iter().filter(matters).find(|word| word.conf < READ_FLOOR) {
        let reason = format!("not_all_read_with_confidence: {}", shortened_text(&word.text));
        return Look::Doubtful { reason, seen: None };
    }
    if let Some(line) = lines.iter().find(|line| nearness.is_near(&line.text)) {
        return Look::Doubtful { reason: format!("perhaps_misread: {}", shortened_text(&line.text)), seen: None };
    }
    Look::NotThere(reading.words.iter().filter(matters).map(|word| word.conf).fold(1.0, f64::min))
}

/// Whether something on the same line that was not read may belong to what was, for a pattern that says where a line or
/// a word ends. Without that, more text beside it changes nothing.
fn continues(seen: &Seen, place: PixelBox, pattern: &str) -> bool {
    let height = seen.bbox[3].saturating_sub(seen.bbox[1]).max(6);
    let same_line = place[1] < seen.bbox[3] && seen.bbox[1] < place[3];
    let away = place[0].saturating_sub(seen.bbox[2]).max(seen.bbox[0].saturating_sub(place[2]));
    let bounded = ["^", "$", r"\b", r"\A", r"\z"].iter().any(|mark| pattern.contains(mark));
    bounded && same_line && away <= height * 2
}

fn all_of(reading: &Reading) -> String {
    let text = lines_of(&reading.words).iter().map(|line| line.text.clone()).collect::<Vec<_>>().join("\n");
    text.chars().take(KEPT).collect()
}

/// Words side by side, and where each of them begins in the text.
struct Line {
    text: String,
    words: Vec<(usize, Anchor)>,
}

impl Line {
    fn matches(&self, regex: &Regex) -> Vec<Seen> {
        regex
            .find_iter(&self.text)
            .filter_map(|found| {
                let covered: Vec<&Anchor> = self
                    .words
                    .iter()
                    .filter(|(start, word)| *start < found.end() && start + word.text.len() > found.start())
                    .map(|(_, word)| word)
                    .collect();
                let first = covered.first()?;
                let bbox = covered.iter().fold(first.bbox, |all, word| around(all, word.bbox));
                let confidence = covered.iter().map(|word| word.conf).fold(1.0, f64::min);
                Some(Seen { text: shortened_text(found.as_str()), bbox, confidence })
            })
            .collect()
    }
}

fn around(a: PixelBox, b: PixelBox) -> PixelBox {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Words become lines: those that overlap in height, from left to right. A gap wider than the line is high
/// becomes a tab, so that a pattern with a space does not join what belongs to different columns.
fn lines_of(words: &[Anchor]) -> Vec<Line> {
    let mut sorted: Vec<&Anchor> = words.iter().filter(|word| !word.text.trim().is_empty()).collect();
    sorted.sort_by_key(|word| (word.bbox[1] + word.bbox[3], word.bbox[0]));
    let mut rows: Vec<Vec<&Anchor>> = Vec::new();
    for word in sorted {
        match rows.iter_mut().rev().take(3).find(|row| row.iter().any(|other| same_height(other.bbox, word.bbox))) {
            Some(row) => row.push(word),
            None => rows.push(vec![word]),
        }
    }
    rows.into_iter()
        .map(|mut row| {
            row.sort_by_key(|word| word.bbox[0]);
            let mut line = Line { text: String::new(), words: Vec::new() };
            let mut end: Option<PixelBox> = None;
            for word in row {
                if let Some(end) = end {
                    let high = (end[3] - end[1].min(end[3])).max(1);
                    let gap = word.bbox[0].saturating_sub(end[2]);
                    line.text.push(if gap > high { '\t' } else { ' ' });
                }
                line.words.push((line.text.len(), word.clone()));
                line.text.push_str(&word.text);
                end = Some(word.bbox);
            }
            line
        })
        .collect()
}

fn same_height(a: PixelBox, b: PixelBox) -> bool {
    let shared = a[3].min(b[3]).saturating_sub(a[1].max(b[1]));
    let lower = (a[3].saturating_sub(a[1])).min(b[3].saturating_sub(b[1]));
    lower > 0 && shared * 2 > lower
}

/// Whether a region is one plain surface.
pub(crate) fn is_blank(pixels: &Pixels, region: PixelBox) -> bool {
    let [x0, y0, x1, y1] = region;
    let Some(first) = pixels.at(x0, y0) else { return false };
    let close = |colour: [u8; 3]| colour.iter().zip(first).all(|(a, b)| a.abs_diff(b) <= 6);
    (y0..y1).all(|y| (x0..x1).all(|x| pixels.at(x, y).is_some_and(close)))
}
