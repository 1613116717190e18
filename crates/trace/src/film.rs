//! A run as a film: one picture per step with cursor, marks and a caption, as an animated GIF. Bounded: at most 300
//! pictures of at most 960 pixels, and of each only the part that is not on the screen already.

mod scene;

use std::io::Write;

use gif::{Encoder, Frame, Repeat};
use surehand_checks::picture;
use surehand_types::Pixels;

use crate::error::TraceError;
use crate::sink::FrameLibrary;
use crate::timeline::{StepView, Timeline};
use scene::{Canvas, Scene};

/// Pictures of one film. Beyond that it is a slide show that nobody looks at to its end.
pub const MAX_PICTURES: usize = 300;
/// How long a picture stands, in hundredths of a second; the last one stands longer.
const DELAY: u16 = 120;
const LAST_DELAY: u16 = 400;

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
    library: &dyn FrameLibrary,
    out: impl Write,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<FilmFacts, TraceError> {
    let shown = spread(&timeline.entries);
    let canvas = Canvas::for_run(&shown, library).ok_or(TraceError::NoFrames)?;
    let mut encoder = Encoder::new(out, canvas.width, canvas.height, &[]).map_err(TraceError::Film)?;
    encoder.set_repeat(Repeat::Infinite).map_err(TraceError::Film)?;
    let mut scene = Scene::new(canvas, library, timeline);
    let mut on_screen: Option<Pixels> = None;
    for (index, entry) in shown.iter().enumerate() {
        let last = index + 1 == shown.len();
        let picture = scene.draw(entry, last);
        let delay = if last { LAST_DELAY } else { DELAY };
        encoder.write_frame(&part(on_screen.as_ref(), &picture, delay)).map_err(TraceError::Film)?;
        on_screen = Some(picture);
        progress(index + 1, shown.len());
    }
    Ok(FilmFacts { pictures: shown.len(), left_out: timeline.entries.len() - shown.len() })
}

/// At most `MAX_PICTURES` steps, the first and the last among them.
fn spread(entries: &[StepView]) -> Vec<&StepView> {
    if entries.len() <= MAX_PICTURES {
        return entries.iter().collect();
    }
    (0..MAX_PICTURES).map(|index| &entries[index * (entries.len() - 1) / (MAX_PICTURES - 1)]).collect()
}

/// The part of a picture that differs from what is shown, in colours of its own.
fn part(old: Option<&Pixels>, new: &Pixels, delay: u16) -> Frame<'static> {
    let [x0, y0, x1, y1] = old.map_or([0, 0, new.width, new.height], |old| differing(old, new));
    let stride = new.width as usize * 3;
    let mut rgb = Vec::new();
    for row in new.rgb.chunks_exact(stride).take(y1 as usize).skip(y0 as usize) {
        rgb.extend_from_slice(&row[x0 as usize * 3..x1 as usize * 3]);
    }
    let (width, height) = (x1 - x0, y1 - y0);
    let indexed = match Pixels::new(width, height, rgb) {
        Some(pixels) => picture::indexed(&pixels),
        None => picture::indexed(new),
    };
    // A canvas is at most 960 wide and 1264 high, so that all of these fit.
    let side = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    Frame {
        delay,
        left: side(x0),
        top: side(y0),
        width: side(indexed.width),
        height: side(indexed.height),
        palette: Some(indexed.palette),
        buffer: indexed.indices.into(),
        ..Frame::default()
    }
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
