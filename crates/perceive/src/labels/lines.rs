//! The second look: the names' column only, all rows under each other in one picture with clean margins,
//! each line dark on light by its own ground.

use surehand_types::Pixels;
use surehand_types::ui::Anchor;

use super::Phrase;
use super::column::Column;
use crate::colour::{line, median_of};
use crate::ocr::{Ocr, OcrError, read_lines};
use crate::shape::{Rect, side};

/// The text of each row, `None` where none was read.
pub(crate) fn read(
    pixels: &Pixels,
    rows: &[Rect],
    columns: &(i32, i32),
    column: &Column,
    ocr: &Ocr,
) -> Result<Vec<Option<Phrase>>, OcrError> {
    let (above, below) = column.height(rows);
    let place = |row: &Rect| {
        let middle = row.centre().1;
        let (top, bottom) = ((middle + above).floor() as i32, (middle + below).ceil() as i32);
        Rect::new(columns.0, top, columns.1, bottom).within(pixels)
    };
    let areas: Vec<Option<Rect>> = rows.iter().map(place).collect();
    let present: Vec<Rect> = areas.iter().flatten().copied().collect();
    let mut found = read_lines(pixels, &present, factor(below - above), ocr)?.into_iter();
    let texts = areas.iter().map(|area| {
        let area = (*area)?;
        let phrase = phrase(&found.next()?)?;
        (column.begins_there(&phrase) && !goes_on(pixels, area, &phrase)).then_some(phrase)
    });
    Ok(texts.collect())
}

/// Whether something is drawn right behind the phrase: part of the name was not read, and a part of a
/// name may be the name of another row.
fn goes_on(pixels: &Pixels, area: Rect, phrase: &Phrase) -> bool {
    let height = phrase.bounds.height();
    let behind = Rect::new(phrase.bounds.x1 + 2, phrase.bounds.y0, phrase.bounds.x1 + 2 + height, phrase.bounds.y1);
    let (Some(behind), Some(ground)) = (behind.intersection(&area), median_of(pixels, area)) else { return false };
    let far = |pixel: &[u8]| pixel.iter().zip(ground).any(|(value, ground)| (f64::from(*value) - ground).abs() > 60.0);
    let inked = (behind.y0..behind.y1)
        .flat_map(|y| line(pixels, y, behind.x0, behind.x1).chunks_exact(3))
        .filter(|pixel| far(pixel))
        .count();
    inked >= 4
}

/// Lines become about 40 pixels high, letters 25 to 30.
fn factor(height: f64) -> u32 {
    ((42.0 / height.max(1.0)).round() as u32).clamp(1, 4)
}

/// One phrase of the words of a line, from the left; what stands far from the rest is something else.
fn phrase(words: &[Anchor]) -> Option<Phrase> {
    let mut sorted: Vec<&Anchor> = words.iter().filter(|word| word.text.chars().any(char::is_alphanumeric)).collect();
    sorted.sort_by_key(|word| word.bbox[0]);
    let height = sorted.iter().map(|word| side(word.bbox[3] - word.bbox[1])).max()?;
    let near = |pair: &[&Anchor]| side(pair[1].bbox[0]) - side(pair[0].bbox[2]) <= height;
    let count = 1 + sorted.windows(2).take_while(|pair| near(pair)).count();
    Phrase::of(&sorted[..count])
}
