//! A run as a film: one picture per step with cursor, marks and a caption, as an animated GIF. Bounded: at most 300
//! pictures of at most 960 pixels, and of each only the part that is not on the screen already.

mod scene;

use std::io::Write;

use gif::{Encoder, Frame, Repeat};
use surehand_checks::picture::{self, Indexed};
use surehand_types::{Pixels, ViewBox, ViewSize};

use crate::cores::on_all_cores;
use crate::error::TraceError;
use crate::sink::FrameLibrary;
use crate::timeline::{StepView, Timeline};
use scene::{Canvas, Scene};

/// Pictures of one film. Beyond that it is a slide show that nobody looks at to its end.
pub const MAX_PICTURES: usize = 300;
/// How long a picture stands, in hundredths of a second; the last one stands longer.
const DELAY: u16 = 120;
const LAST_DELAY: u16 = 400;
/// What a film should come to, and the least that a picture of it may take.
const GOAL_BYTES: usize = 12 * 1024 * 1024;
const SHARE_BYTES: usize = 24 * 1024;
/// Colours of a picture, fewer and fewer until it fits; one number is kept for what did not change.
const COLOURS: &[usize] = &[255, 48, 20];
/// Share of pixels from which on unchanged ones are left out.
const MOSTLY_THE_SAME: f64 = 0.8;
/// Pictures that are made together before they are written: all cores are busy, and progress is still told.
const BATCH: usize = 16;

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilmFacts {
    pub pictures: usize,
    /// Steps that have no picture of their own, evenly spread.
    pub left_out: usize,
}

/// Writes the film. `progress` is told how many pictures of how many are done.
pub fn write_gif(
    timeline: &Timeline,
    library: &(dyn FrameLibrary + Sync),
    out: impl Write,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<FilmFacts, TraceError> {
    let shown = spread(&timeline.entries);
    let canvas = Canvas::for_run(&shown, library).ok_or(TraceError::NoFrames)?;
    let mut encoder = Encoder::new(out, canvas.width, canvas.height, &[]).map_err(TraceError::Film)?;
    encoder.set_repeat(Repeat::Infinite).map_err(TraceError::Film)?;
    let scene = Scene::new(canvas, library, &shown, timeline.entries.len());
    let share = (GOAL_BYTES / shown.len().max(1)).max(SHARE_BYTES);
    let numbers: Vec<usize> = (0..shown.len()).collect();
    for batch in numbers.chunks(BATCH) {
        let parts = on_all_cores(batch, |numbers| parts(&scene, numbers, shown.len(), share));
        for (number, part) in batch.iter().zip(parts) {
            if let Some(part) = part {
                encoder.write_lzw_pre_encoded_frame(&part).map_err(TraceError::Film)?;
            }
            progress(number + 1, shown.len());
        }
    }
    Ok(FilmFacts { pictures: shown.len(), left_out: timeline.entries.len() - shown.len() })
}

/// Neighbouring pictures, each as what it adds to the one before.
fn parts(scene: &Scene<'_>, numbers: &[usize], count: usize, share: usize) -> Vec<Option<Frame<'static>>> {
    let before = numbers.first().and_then(|first| first.checked_sub(1));
    let mut on_screen = before.map(|before| scene.draw(before));
    let mut parts = Vec::new();
    let mut level = 0;
    for number in numbers {
        let picture = scene.draw(*number);
        let delay = if number + 1 == count { LAST_DELAY } else { DELAY };
        parts.push(Some(part(on_screen.as_ref(), &picture, delay, share, &mut level)));
        on_screen = Some(picture);
    }
    parts
}

/// At most `MAX_PICTURES` steps, the first and the last among them.
fn spread(entries: &[StepView]) -> Vec<&StepView> {
    if entries.len() <= MAX_PICTURES {
        return entries.iter().collect();
    }
    (0..MAX_PICTURES).map(|index| &entries[index * (entries.len() - 1) / (MAX_PICTURES - 1)]).collect()
}

/// The part of a picture that differs from what is shown, in colours of its own; fewer of them where it would take more
/// than its share. `level` is how few the picture before needed, which is a good first guess.
fn part(old: Option<&Pixels>, new: &Pixels, delay: u16, share: usize, level: &mut usize) -> Frame<'static> {
    let bounds = old.map_or([0, 0, new.width, new.height], |old| differing(old, new));
    let (changed, before) = (cut(new, bounds), old.map(|old| cut(old, bounds)));
    loop {
        let colours = COLOURS.get(*level).copied().unwrap_or(COLOURS[0]);
        let opaque = picture::indexed_in(&changed, colours);
        // What did not change is left to what is shown: long runs of one number take next to nothing. Among letters that
        // moved it would only be one more colour.
        let through = before.as_ref().and_then(|before| opaque.where_changed(before, &changed, MOSTLY_THE_SAME));
        let frame = match through {
            Some((indexed, number)) => encoded(indexed, bounds, delay, Some(number)),
            None => encoded(opaque, bounds, delay, None),
        };
        if frame.buffer.len() > share && *level + 1 < COLOURS.len() {
            *level += 1;
            continue;
        }
        if frame.buffer.len() < share / 2 {
            *level = level.saturating_sub(1);
        }
        return frame;
    }
}

fn encoded(indexed: Indexed, [left, top, ..]: [u32; 4], delay: u16, transparent: Option<u8>) -> Frame<'static> {
    // A canvas is at most 960 wide and 1264 high, so that all of these fit.
    let side = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    let mut frame = Frame {
        delay,
        left: side(left),
        top: side(top),
        width: side(indexed.width),
        height: side(indexed.height),
        transparent,
        palette: Some(indexed.palette),
        buffer: indexed.indices.into(),
        ..Frame::default()
    };
    frame.make_lzw_pre_encoded();
    frame
}

fn cut(pixels: &Pixels, bounds: [u32; 4]) -> Pixels {
    let [x0, y0, x1, y1] = bounds.map(f64::from);
    let whole = ViewSize { width: pixels.width, height: pixels.height };
    picture::crop(pixels, whole, ViewBox { x0, y0, x1, y1 }).unwrap_or_else(|| pixels.clone())
}

/// The smallest box around everything that differs; one pixel where nothing does, since a picture cannot be empty.
fn differing(old: &Pixels, new: &Pixels) -> [u32; 4] {
    let stride = new.width as usize * 3;
    let mut bounds: Option<[usize; 4]> = None;
    for (y, (a, b)) in old.rgb.chunks_exact(stride).zip(new.rgb.chunks_exact(stride)).enumerate() {
        // Most rows are alike, and comparing them whole is much faster.
        if a == b {
            continue;
        }
        let Some(first) = a.iter().zip(b).position(|(a, b)| a != b) else { continue };
        let last = a.iter().zip(b).rposition(|(a, b)| a != b).unwrap_or(first);
        let [x0, y0, x1, _] = bounds.unwrap_or([first / 3, y, 0, 0]);
        bounds = Some([x0.min(first / 3), y0, x1.max(last / 3 + 1), y + 1]);
    }
    bounds.map_or([0, 0, 1, 1], |bounds| bounds.map(|side| u32::try_from(side).unwrap_or(u32::MAX)))
}
