//! Which text names which row. A first look at the whole strip beside the rows finds the column in which
//! the names stand; a second one reads only that column, line by line, without the icons and knobs that
//! spoil the first.

mod column;
mod lines;

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, UiRow};

use crate::ocr::{Ocr, OcrError, read_strip};
use crate::shape::{Rect, median};

/// A label less sure than this is not reported.
const MIN_CONFIDENCE: f64 = 0.6;
/// How far from its cells a name may begin, in heights of a row.
const REACH: f64 = 13.0;

/// Names rows that belong together (one grid, or grids of one panel). All words read are returned too.
pub(crate) fn name(rows: &mut [&mut UiRow], pixels: &Pixels, ocr: &Ocr) -> Result<Vec<Anchor>, OcrError> {
    let bounds: Vec<Rect> = rows.iter().map(|row| Rect::of_box(row.bbox)).collect();
    let Some(all) = bounds.iter().copied().reduce(|a, b| a.union(&b)) else { return Ok(Vec::new()) };
    let pitch = row_pitch(&bounds);
    let reach = (pitch * REACH) as i32;
    let above = (pitch * 0.3) as i32;
    let (top, bottom) = (all.y0 - above, all.y1 + above);
    let left = Rect::new((all.x0 - reach).max(0), top, all.x0, bottom);
    let right = Rect::new(all.x1, top, all.x1 + reach, bottom);
    let mut words = Vec::new();
    for strip in [left, right] {
        let Some(strip) = strip.within(pixels).filter(|strip| strip.width() >= 12) else { continue };
        let found = read_strip(pixels, strip, factor(pitch), ocr)?;
        let column = column::find(&bounds, &found, pitch);
        words.extend(found);
        let Some(column) = column else { continue };
        let read = lines::read(pixels, &bounds, &column.bounds(strip, pitch), &column, ocr)?;
        for ((row, again), first) in rows.iter_mut().zip(read).zip(&column.phrases) {
            if let Some(phrase) = better(again.as_ref(), first.as_ref()) {
                row.label = Some(trimmed(&phrase.text));
                row.label_conf = phrase.conf;
            }
        }
        break;
    }
    Ok(words)
}

/// The second look has less to be misled by; the first one sees spaces better and never cuts a name off.
fn better<'a>(again: Option<&'a Phrase>, first: Option<&'a Phrase>) -> Option<&'a Phrase> {
    let sure = |phrase: &&Phrase| phrase.conf >= MIN_CONFIDENCE && !trimmed(&phrase.text).is_empty();
    let (again, first) = (again.filter(sure), first.filter(sure));
    let letters = |phrase: &Phrase| -> String {
        phrase.text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    match (again, first) {
        (Some(again), Some(first)) if letters(first).starts_with(&letters(again)) => Some(first),
        (again, first) => again.or(first),
    }
}

/// Without the remains of lines and icons at its ends.
fn trimmed(text: &str) -> String {
    let stray = |letter: char| !letter.is_alphanumeric() && !"()[]#+&!?%".contains(letter);
    text.trim_matches(stray).to_owned()
}

/// Words next to each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    pub(crate) text: String,
    pub(crate) bounds: Rect,
    pub(crate) conf: f64,
}

impl Phrase {
    /// `None` of nothing.
    pub(crate) fn of(words: &[&Anchor]) -> Option<Phrase> {
        let bounds = words.iter().map(|word| Rect::of_box(word.bbox)).reduce(|a, b| a.union(&b))?;
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let conf = words.iter().map(|word| word.conf).fold(1.0, f64::min);
        Some(Phrase { text: texts.join(" "), bounds, conf })
    }
}

/// Letters are a third to a half of a row high, and should become about 30 pixels.
fn factor(pitch: f64) -> u32 {
    if pitch < 48.0 {
        3
    } else if pitch < 90.0 {
        2
    } else {
        1
    }
}

fn row_pitch(rows: &[Rect]) -> f64 {
    let mut tops: Vec<f64> = rows.iter().map(|row| f64::from(row.y0)).collect();
    tops.sort_by(f64::total_cmp);
    let mut distances: Vec<f64> = tops.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 4.0).collect();
    if distances.is_empty() {
        rows.first().map_or(24.0, |row| f64::from(row.height()) * 1.3)
    } else {
        median(&mut distances)
    }
}
