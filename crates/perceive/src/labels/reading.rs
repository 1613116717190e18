//! The names of a column, read at two sizes in one run, and a third time where the two do not agree.

use surehand_types::Pixels;
use surehand_types::ui::Anchor;

use super::column::Written;
use super::marks::{self, Letters};
use super::picture::{Enlarged, shares};
use crate::ocr::{Ocr, OcrError, Word, read_pages};
use crate::shape::{Rect, median};

/// Heights of letters that are read well, in pixels, far enough apart for errors to differ; the last one settles a
/// difference.
const SIZES: [f64; 3] = [26.0, 40.0, 34.0];
/// A name that is perhaps not the whole one, or perhaps another, is told with this much confidence at most.
const DOUBTED: f64 = 0.4;
/// Readings that agree count from here on. Icons and single letters that are misread at both sizes are below it, nearly
/// all right names far above.
const SURE: f64 = 0.85;

/// What was read of one row's name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) row: usize,
    pub(crate) text: String,
    pub(crate) conf: f64,
    pub(crate) words: Vec<Anchor>,
}

impl Reading {
    /// Text, and not what an icon is taken for.
    pub(crate) fn is_name(&self) -> bool {
        self.words.iter().all(|word| word.conf >= 0.6) && self.text.chars().any(char::is_alphanumeric)
    }
}

/// One look at one name.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    words: Vec<(String, f64, Rect)>,
}

impl Look {
    fn of(enlarged: &Enlarged, words: &[Word]) -> Look {
        let mut words: Vec<(String, f64, Rect)> =
            words.iter().map(|word| (word.text.clone(), word.conf, enlarged.place(word))).collect();
        words.sort_by_key(|(_, _, place)| place.x0);
        Look { words }
    }

    fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|(text, _, _)| text.as_str()).collect();
        words.join(" ")
    }

    fn conf(&self) -> f64 {
        self.words.iter().map(|(_, conf, _)| *conf).reduce(f64::min).unwrap_or(0.0)
    }
}

pub(crate) fn read(pixels: &Pixels, column: &[Written], ocr: &Ocr) -> Result<Vec<Reading>, OcrError> {
    let mut heights: Vec<f64> = column.iter().map(|written| f64::from(written.bounds.height())).collect();
    let height = median(&mut heights).max(4.0);
    let look = |names: &[&Written], size: f64| -> Vec<Option<Enlarged>> {
        names.iter().map(|written| Enlarged::of(pixels, written, (size / height).clamp(0.3, 6.0))).collect()
    };
    let all: Vec<&Written> = column.iter().collect();
    let (one, two) = (look(&all, SIZES[0]), look(&all, SIZES[1]));
    let mut looks = run(&[one, two], ocr)?;
    let open: Vec<usize> = (0..all.len()).filter(|index| looks[0][*index].text() != looks[1][*index].text()).collect();
    let again: Vec<&Written> = open.iter().map(|index| all[*index]).collect();
    let third = run(&[look(&again, SIZES[2])], ocr)?.pop().unwrap_or_default();
    let (second, first) = (looks.pop().unwrap_or_default(), looks.pop().unwrap_or_default());
    let both = first.into_iter().zip(second).enumerate();
    let agreed: Vec<(Look, f64)> = both
        .map(|(index, (first, second))| {
            let third = open.iter().position(|at| *at == index).and_then(|at| third.get(at));
            agreed(&first, &second, third)
        })
        .collect();
    let caps = capitals(column, &agreed);
    let mut found = Vec::new();
    for (written, (look, conf)) in column.iter().zip(&agreed) {
        let text = look.text();
        let sure = written.whole && fits(pixels, written, &text) && caps.is_none_or(|caps| caps.allow(written, &text));
        found.push(reading(written, look, if sure { *conf } else { conf.min(DOUBTED) }));
    }
    Ok(found)
}

/// Where capital letters end, below the middle of a row, and how high letters are.
#[derive(Debug, Clone, Copy)]
struct Capitals {
    top: f64,
    height: f64,
}

impl Capitals {
    /// Small letters are lower: "x" is no "X".
    fn allow(&self, written: &Written, text: &str) -> bool {
        let lower = f64::from(written.top) - self.top;
        match marks::is_tall(text) {
            Some(true) => lower <= (self.height * 0.18).max(1.0),
            Some(false) => lower >= (self.height * 0.08).max(1.0),
            None => true,
        }
    }
}

fn capitals(column: &[Written], looks: &[(Look, f64)]) -> Option<Capitals> {
    let tall = column.iter().zip(looks).filter(|(_, (look, _))| marks::is_tall(&look.text()) == Some(true));
    let (mut tops, mut heights): (Vec<f64>, Vec<f64>) =
        tall.map(|(written, _)| (f64::from(written.top), f64::from(written.bounds.height()))).unzip();
    (tops.len() >= 2).then(|| Capitals { top: median(&mut tops), height: median(&mut heights) })
}

/// Runs Tesseract once for all pages; the looks come back as the pages were given.
fn run(sizes: &[Vec<Option<Enlarged>>], ocr: &Ocr) -> Result<Vec<Vec<Look>>, OcrError> {
    let pages: Vec<_> = sizes.iter().flatten().flatten().map(|enlarged| enlarged.page.clone()).collect();
    let mut words = read_pages(&pages, ocr)?.into_iter();
    let mut look = |enlarged: &Option<Enlarged>| match enlarged {
        Some(enlarged) => Look::of(enlarged, &words.next().unwrap_or_default()),
        None => Look { words: Vec::new() },
    };
    Ok(sizes.iter().map(|size| size.iter().map(&mut look).collect()).collect())
}

/// The text that two looks have in common, and how sure it is.
fn agreed(first: &Look, second: &Look, third: Option<&Look>) -> (Look, f64) {
    if first.text() == second.text() {
        let conf = first.conf().min(second.conf());
        return (first.clone(), if conf >= SURE { conf } else { conf.min(DOUBTED) });
    }
    let with_third = third.and_then(|third| [first, second].into_iter().find(|look| look.text() == third.text()));
    match (with_third, third) {
        (Some(look), Some(third)) => {
            let conf = look.conf().min(third.conf());
            (look.clone(), if conf >= SURE { conf } else { conf.min(DOUBTED) })
        }
        _ => {
            let better = if first.conf() >= second.conf() { first } else { second };
            (better.clone(), better.conf().min(DOUBTED))
        }
    }
}

/// Whether what is drawn can be that text.
fn fits(pixels: &Pixels, written: &Written, text: &str) -> bool {
    let Some(shares) = shares(pixels, written) else { return false };
    let letters = Letters { shares: &shares, width: written.area(pixels).width() as usize };
    let first = text.split(' ').next().unwrap_or_default();
    let strange_start = written.shared_start && first.chars().filter(|letter| letter.is_alphanumeric()).count() < 2;
    let cut_short = text.ends_with("..") || text.ends_with('…');
    letters.floating() <= marks::expected(text) && !strange_start && !cut_short
}

fn reading(written: &Written, look: &Look, conf: f64) -> Reading {
    let mut words: Vec<Anchor> = look
        .words
        .iter()
        .map(|(text, conf, place)| Anchor { text: text.clone(), bbox: place.to_box(), conf: *conf })
        .collect();
    // All the ink is the name's, so the outer words end where it does.
    let bounds = written.bounds.to_box();
    if let Some(word) = words.first_mut() {
        word.bbox[0] = bounds[0];
    }
    if let Some(word) = words.last_mut() {
        word.bbox[2] = bounds[2];
    }
    Reading { row: written.row, text: look.text(), conf, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str, conf: f64) -> Look {
        Look { words: text.split(' ').map(|word| (word.to_owned(), conf, Rect::new(0, 0, 1, 1))).collect() }
    }

    #[test]
    fn two_looks_have_to_agree() {
        let told = |first: &Look, second: &Look, third: Option<&Look>| {
            let (look, conf) = agreed(first, second, third);
            (look.text(), conf > DOUBTED)
        };
        let (hat, cat) = (look("Open Hat", 0.96), look("Open Cat", 0.97));
        assert_eq!(told(&hat, &hat, None), ("Open Hat".to_owned(), true));
        assert_eq!(told(&hat, &look("Open Hat", 0.7), None), ("Open Hat".to_owned(), false), "one of them is a guess");
        assert!(!told(&hat, &cat, None).1);
        assert_eq!(told(&hat, &cat, Some(&hat)), ("Open Hat".to_owned(), true));
        assert!(!told(&hat, &cat, Some(&look("Open Bat", 0.96))).1);
        assert!(!told(&look("", 0.0), &look("", 0.0), None).1);
    }

    #[test]
    fn small_letters_are_no_capitals() {
        let written = |top: i32| Written {
            row: 0,
            bounds: Rect::new(0, 0, 8, 10),
            top,
            ground: 0,
            whole: true,
            shared_start: false,
        };
        let capitals = Capitals { top: -6.0, height: 10.0 };
        for (text, top, wanted) in [("X", -6, true), ("X", -3, false), ("x", -3, true), ("x", -6, false)] {
            assert_eq!(capitals.allow(&written(top), text), wanted, "{text} at {top}");
        }
    }
}
