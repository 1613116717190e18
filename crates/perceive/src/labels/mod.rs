//! Which text names which row. Where the names stand is told by their ink (`ink`, `column`), which also proves that
//! nothing goes on beside either end; Tesseract then reads every name by itself, at two sizes (`reading`). A name is sure
//! only where it is whole, both readings agree and what is drawn can be what was read (`marks`).

mod column;
mod ink;
mod marks;
mod picture;
mod reading;

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, UiRow};

use self::column::Side;
use crate::ocr::{Ocr, OcrError};
use crate::shape::{Rect, median};

/// How far from its cells a name may begin, in heights of a row.
const REACH: f64 = 13.0;
/// More columns than this are not tried: each costs a run of Tesseract.
const MAX_COLUMNS: usize = 2;

/// Names rows that belong together (one grid, or grids of one panel). The words of the names are returned too.
pub(crate) fn name(rows: &mut [&mut UiRow], pixels: &Pixels, ocr: &Ocr) -> Result<Vec<Anchor>, OcrError> {
    let bounds: Vec<Rect> = rows.iter().map(|row| Rect::of_box(row.bbox)).collect();
    let Some(all) = bounds.iter().copied().reduce(|a, b| a.union(&b)) else { return Ok(Vec::new()) };
    let pitch = row_pitch(&bounds);
    let reach = (pitch * REACH) as i32;
    for (x0, x1) in [((all.x0 - reach).max(0), all.x0 - 1), (all.x1 + 1, all.x1 + reach)] {
        let bands: Option<Vec<Rect>> = bounds
            .iter()
            .map(|row| {
                // Lines between rows name nothing.
                let half = (pitch * 0.46) as i32;
                let middle = (row.y0 + row.y1) / 2;
                Rect::new(x0, middle - half, x1, middle + half).within(pixels).filter(|band| band.width() >= 12)
            })
            .collect();
        let Some(bands) = bands else { continue };
        for column in Side::look(pixels, bands).columns(pitch).iter().take(MAX_COLUMNS) {
            let read = reading::read(pixels, column, ocr)?;
            let names = read.iter().filter(|reading| reading.is_name()).count();
            // What cannot be read in most rows is a column of icons.
            if names * 5 < rows.len() * 2 || names == 0 {
                continue;
            }
            let mut words = Vec::new();
            for reading in read.into_iter().filter(|reading| !reading.text.is_empty()) {
                let Some(row) = rows.get_mut(reading.row) else { continue };
                row.label_conf = reading.conf;
                row.label = Some(reading.text);
                words.extend(reading.words);
            }
            return Ok(words);
        }
    }
    Ok(Vec::new())
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
