// The records of the player and the fixed lists their fields choose from. Separate because every
// other file of the site speaks in these types.

use serde::Serialize;

/// The size of the canvas; positions of markers and strokes count in its pixels, whatever size
/// the page shows it at.
pub(crate) const CANVAS_WIDTH: u32 = 1280;
pub(crate) const CANVAS_HEIGHT: u32 = 720;

/// "off" first, as it is what a reset gives.
pub(crate) const CAPTIONS: &[&str] = &["off", "en", "de", "es"];

/// The first is the one the page starts with.
pub(crate) const STROKE_COLORS: &[&str] = &["yellow", "coral", "mint", "white"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Clip {
    pub(crate) id: u32,
    pub(crate) title: &'static str,
    pub(crate) author: &'static str,
    /// Which drawing the page plays.
    pub(crate) scene: &'static str,
    /// What the drawing draws its shapes from; the same number gives the same picture.
    pub(crate) art: u32,
    /// Whole seconds.
    pub(crate) duration: u32,
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) watched: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Chapter {
    /// Seconds from the beginning; the first chapter starts at 0.
    pub(crate) start: u32,
    pub(crate) title: &'static str,
}

/// A numbered pin on the canvas.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Marker {
    pub(crate) id: u32,
    pub(crate) clip: u32,
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// Where the clip was when it was dropped, in seconds.
    pub(crate) time: Tenths,
    pub(crate) note: String,
}

/// A line drawn on the canvas.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Stroke {
    pub(crate) id: u32,
    pub(crate) clip: u32,
    pub(crate) time: Tenths,
    pub(crate) color: &'static str,
    pub(crate) points: Vec<(u32, u32)>,
}

/// A time in tenths of a second, told as seconds. Whole numbers inside, so that the same actions
/// compare as equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Tenths(pub(crate) u32);

impl Tenths {
    /// The nearest tenth, if the time lies within a clip of that length.
    pub(crate) fn within(seconds: f64, duration: u32) -> Option<Tenths> {
        let is_inside = seconds >= 0.0 && seconds <= f64::from(duration);
        is_inside.then(|| Tenths((seconds * 10.0).round() as u32))
    }
}

impl Serialize for Tenths {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_and_stay_within_the_clip() {
        assert_eq!(Tenths::within(12.34, 60), Some(Tenths(123)));
        assert_eq!(Tenths::within(60.0, 60), Some(Tenths(600)));
        for outside in [-0.1, 60.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Tenths::within(outside, 60), None);
        }
        assert_eq!(serde_json::to_string(&Tenths(123)).unwrap(), "12.3");
    }
}
