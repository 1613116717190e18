//! One picture of a film: the frame with cursor and marks, and under it a bar with what is done and what came of it.

use surehand_checks::picture::{
    self, LETTER_HEIGHT, LETTER_WIDTH, Spot, Weight, draw_cursor, draw_disc, draw_line, draw_ring, draw_text,
};
use surehand_types::observation::Dispatched;
use surehand_types::{Pixels, ViewPoint, ViewSize};

use crate::report::facts::effect_in_words;
use crate::report::outcome::Tone;
use crate::report::spent::step_in_words;
use crate::report::words::clip_to;
use crate::sink::FrameLibrary;
use crate::timeline::{Completion, FrameView, StepView};

const WIDTH: u32 = 960;
/// Of the frame; a tall one is made narrower.
const HEIGHT: u32 = 1200;
const BAR: u32 = 64;
const BAR_COLOUR: [u8; 3] = [22, 32, 43];
const GROUND: [u8; 3] = [52, 62, 73];
const TEXT: [u8; 3] = [236, 240, 244];
const SOFT: [u8; 3] = [168, 180, 191];
const MARK: [u8; 3] = [214, 0, 108];
const WHITE: [u8; 3] = [255, 255, 255];

/// The size that all pictures of a film share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Canvas {
    pub(super) width: u16,
    pub(super) height: u16,
    frame_width: u32,
    frame_height: u32,
}

impl Canvas {
    /// By the first frame that is still stored.
    pub(super) fn for_run(entries: &[&StepView], library: &dyn FrameLibrary) -> Option<Canvas> {
        let frames = entries.iter().flat_map(|entry| [&entry.before, &entry.after]).flatten();
        let first = frames.filter_map(|frame| decode(frame, library)).next()?;
        let (frame_width, frame_height) = fit(&first, WIDTH, HEIGHT);
        let width = u16::try_from(frame_width).ok()?;
        let height = u16::try_from(frame_height + BAR).ok()?;
        Some(Canvas { width, height, frame_width, frame_height })
    }
}

/// Draws the steps in any order; the cursor stays where it was left.
pub(super) struct Scene<'a> {
    canvas: Canvas,
    library: &'a (dyn FrameLibrary + Sync),
    entries: &'a [&'a StepView],
    /// Where the cursor is when each of them is over.
    cursors: Vec<Option<ViewPoint>>,
    steps: usize,
    /// What every picture begins with.
    empty: Pixels,
}

impl<'a> Scene<'a> {
    /// `steps` is how many the run has, shown or not.
    pub(super) fn new(
        canvas: Canvas,
        library: &'a (dyn FrameLibrary + Sync),
        entries: &'a [&'a StepView],
        steps: usize,
    ) -> Scene<'a> {
        let mut cursor = None;
        let after = |entry: &&StepView| {
            cursor = entry.record.dispatched.map(|Dispatched { x, y, .. }| ViewPoint { x, y }).or(cursor);
            cursor
        };
        let cursors = entries.iter().map(after).collect();
        Scene { canvas, library, entries, cursors, steps, empty: empty(canvas) }
    }

    /// A step is shown on the frame it was aimed at; what it did is the frame of the next one. The last step has no
    /// next one and is shown on what it left.
    pub(super) fn draw(&self, number: usize) -> Pixels {
        let entry = self.entries[number];
        let frame = match number + 1 == self.entries.len() {
            true => entry.after.as_ref().or(entry.before.as_ref()),
            false => entry.before.as_ref().or(entry.after.as_ref()),
        };
        let shown = frame.and_then(|frame| Some((decode(frame, self.library)?, frame.view)));
        let mut canvas = self.empty.clone();
        match shown {
            Some((pixels, view)) => {
                let (width, _) = fit(&pixels, self.canvas.frame_width, self.canvas.frame_height);
                let mut small = picture::thumbnail(&pixels, width);
                let cursor = self.cursors[number];
                marks(&mut small, view, entry.record.dispatched, cursor);
                lay(&mut canvas, &small);
            }
            None => draw_text(&mut canvas, 24, 24, "This frame is no longer stored.", Weight::Regular, TEXT),
        }
        self.caption(&mut canvas, entry);
        canvas
    }

    fn caption(&self, canvas: &mut Pixels, entry: &StepView) {
        let record = &entry.record;
        let top = self.canvas.frame_height;
        let (tone, outcome) = outcome_of(entry);
        sign(canvas, (32.0, f64::from(top) + f64::from(BAR) / 2.0), tone);
        let left = 64;
        let room = (canvas.width.saturating_sub(left + 12) / LETTER_WIDTH) as usize;
        let number = format!("{}/{} ", record.step, self.steps);
        let words = step_in_words(record);
        let first = top + (BAR - 2 * LETTER_HEIGHT - 6) / 2;
        draw_text(canvas, left, first, &number, Weight::Bold, TEXT);
        let indent = number.chars().count();
        let words = clip_to(&words, room.saturating_sub(indent));
        draw_text(canvas, left + indent as u32 * LETTER_WIDTH, first, &words, Weight::Regular, TEXT);
        draw_text(canvas, left, first + LETTER_HEIGHT + 6, &clip_to(&outcome, room), Weight::Regular, SOFT);
    }
}

fn marks(pixels: &mut Pixels, view: ViewSize, dispatched: Option<Dispatched>, cursor: Option<ViewPoint>) {
    let scaled = |x: i32, y: i32| -> Spot {
        let axis =
            |value: i32, image: u32, view: u32| (f64::from(value) + 0.5) * f64::from(image) / f64::from(view.max(1));
        (axis(x, pixels.width, view.width), axis(y, pixels.height, view.height))
    };
    if let Some(Dispatched { x, y, from }) = dispatched {
        let (at, start) = (scaled(x, y), from.map(|from| scaled(from.x, from.y)));
        for (colour, wider) in [(WHITE, 3.0), (MARK, 0.0)] {
            if let Some(start) = start {
                draw_line(pixels, start, at, 3.0 + wider, colour);
                draw_disc(pixels, start, 5.0 + wider / 2.0, colour);
            }
            draw_ring(pixels, at, 20.0, 4.0 + wider, colour);
        }
    }
    if let Some(cursor) = cursor {
        draw_cursor(pixels, view, cursor);
    }
}

fn empty(canvas: Canvas) -> Pixels {
    let (width, height) = (u32::from(canvas.width), u32::from(canvas.height));
    let frame = std::iter::repeat_n(GROUND, (width * canvas.frame_height) as usize);
    let bar = std::iter::repeat_n(BAR_COLOUR, (width * BAR) as usize);
    Pixels { width, height, rgb: frame.chain(bar).flatten().collect() }
}

fn outcome_of(entry: &StepView) -> (Tone, String) {
    let record = &entry.record;
    if entry.completion == Completion::CutOff {
        return (Tone::Bad, "the run stopped in the middle of it".into());
    }
    if !record.ok {
        return (Tone::Bad, format!("failed: {}", record.message));
    }
    match effect_in_words(record) {
        Some(effect) => {
            let detail = effect.detail.map_or(String::new(), |detail| format!(": {detail}"));
            (effect.tone, format!("{}{detail}", effect.label))
        }
        None => (Tone::Neutral, record.message.clone()),
    }
}

/// A disc whose colour and shape both say how it went.
fn sign(canvas: &mut Pixels, (x, y): Spot, tone: Tone) {
    let colour = match tone {
        Tone::Good => [34, 150, 84],
        Tone::Bad => [205, 52, 46],
        Tone::Unsure => [190, 128, 16],
        Tone::Neutral => [92, 104, 117],
    };
    draw_disc(canvas, (x, y), 16.0, colour);
    let strokes: &[(Spot, Spot)] = match tone {
        Tone::Good => &[((-7.0, 0.5), (-2.0, 5.5)), ((-2.0, 5.5), (7.0, -5.0))],
        Tone::Bad => &[((-5.5, -5.5), (5.5, 5.5)), ((-5.5, 5.5), (5.5, -5.5))],
        Tone::Unsure => {
            let left = x - f64::from(LETTER_WIDTH) / 2.0;
            let top = y - f64::from(LETTER_HEIGHT) / 2.0;
            draw_text(canvas, left as u32, top as u32, "?", Weight::Bold, WHITE);
            &[]
        }
        Tone::Neutral => &[((-5.5, 0.0), (5.5, 0.0))],
    };
    for ((x0, y0), (x1, y1)) in strokes {
        draw_line(canvas, (x + x0, y + y0), (x + x1, y + y1), 3.2, WHITE);
    }
}

fn lay(canvas: &mut Pixels, picture: &Pixels) {
    let (wide, narrow) = (canvas.width as usize * 3, picture.width as usize * 3);
    for (row, line) in canvas.rgb.chunks_exact_mut(wide).zip(picture.rgb.chunks_exact(narrow)) {
        let length = narrow.min(wide);
        row[..length].copy_from_slice(&line[..length]);
    }
}

/// The size of a picture that is made to fit; never larger than it is.
fn fit(pixels: &Pixels, width: u32, height: u32) -> (u32, u32) {
    let scale = (f64::from(width) / f64::from(pixels.width.max(1)))
        .min(f64::from(height) / f64::from(pixels.height.max(1)))
        .min(1.0);
    let side = |value: u32| ((f64::from(value) * scale).round() as u32).max(1);
    (side(pixels.width), side(pixels.height))
}

fn decode(frame: &FrameView, library: &dyn FrameLibrary) -> Option<Pixels> {
    picture::decode(&library.get(&frame.sha256)?).ok()
}
