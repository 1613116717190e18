//! Texts by Tesseract. It runs as a child process on purpose: linking it would need unsafe code, a
//! deadline could not be enforced, and everything else works without it being installed.

mod prepare;
mod process;
mod tiff;
mod tsv;

pub(crate) use tiff::Page;
pub use tsv::{Word, parse as parse_tsv};

use std::path::PathBuf;
use std::time::Duration;

use surehand_types::Pixels;
use surehand_types::ui::{Anchor, PixelBox};

use crate::shape::Rect;

/// How to run Tesseract.
#[derive(Debug, Clone)]
pub struct Ocr {
    /// Looked up in `PATH` unless it is a path.
    pub program: PathBuf,
    /// As for `-l`: `eng`, or `eng+deu`.
    pub language: String,
    /// After this the child is killed.
    pub deadline: Duration,
}

impl Default for Ocr {
    fn default() -> Ocr {
        Ocr { program: PathBuf::from("tesseract"), language: "eng".to_owned(), deadline: Duration::from_secs(10) }
    }
}

/// Why no text could be read.
#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    #[error("Tesseract is not installed ({0})\nhint: install the package tesseract-ocr with the language eng")]
    Missing(String),
    #[error("Tesseract did not finish within {0:?}")]
    TooSlow(Duration),
    #[error("Tesseract failed: {0}")]
    Failed(String),
    #[error("the region lies outside of the picture")]
    Outside,
}

/// How the text in a region is laid out, as Tesseract's page segmentation modes name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Texts anywhere, in no order. Reads labels between knobs and icons that other modes take for one line.
    Sparse,
    /// One block of lines.
    Block,
    /// One line in each picture.
    Line,
}

/// Words in a region of the picture, with boxes in pixels of the picture.
pub fn read_text(pixels: &Pixels, region: PixelBox, ocr: &Ocr) -> Result<Vec<Anchor>, OcrError> {
    let region = Rect::of_box(region).within(pixels).ok_or(OcrError::Outside)?;
    let prepared = prepare::prepare(pixels, region, prepare::factor_for(region)).ok_or(OcrError::Outside)?;
    run(&prepared, Layout::Sparse, ocr)
}

/// Reads pages that hold a line of text each, all in one run, and returns the words of each, with boxes in pixels of
/// the page.
pub(crate) fn read_pages(pages: &[Page], ocr: &Ocr) -> Result<Vec<Vec<Word>>, OcrError> {
    if pages.is_empty() {
        return Ok(Vec::new());
    }
    let words = tsv::parse(&process::run(&tiff::encode(pages), Layout::Line, ocr)?);
    let of = |number: usize| words.iter().filter(|word| word.page as usize == number).cloned().collect();
    Ok((1..=pages.len()).map(of).collect())
}

/// Reads areas that hold a line of text each, all in one run, and returns the words of each.
pub(crate) fn read_lines(
    pixels: &Pixels,
    areas: &[Rect],
    factor: u32,
    ocr: &Ocr,
) -> Result<Vec<Vec<Anchor>>, OcrError> {
    let Some(stack) = prepare::stack(pixels, areas, factor) else { return Ok(vec![Vec::new(); areas.len()]) };
    let words = tsv::parse(&process::run(&stack.pgm, Layout::Block, ocr)?);
    Ok((0..areas.len()).map(|line| stack.words_of(line, &words)).collect())
}

fn run(prepared: &prepare::Prepared, layout: Layout, ocr: &Ocr) -> Result<Vec<Anchor>, OcrError> {
    let text = process::run(&prepared.pgm, layout, ocr)?;
    Ok(tsv::parse(&text).into_iter().map(|word| prepared.anchor(word)).collect())
}
