//! The one frame type. Pixels are decoded once, stay clean, and are shared by reference; cursor,
//! masks and markers are drawn on copies made by whoever shows the frame to somebody.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::coords::ViewSize;

/// How the frame left its environment. Frames of different sources are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameSource {
    /// Asked for and answered after the compositor drew once more: a fence by construction.
    Capture,
    /// From the continuous stream of composited frames.
    Screencast,
    /// Read from an X server.
    Screen,
    /// Loaded from a recording.
    Replay,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    Png,
    Jpeg,
    Raw,
}

impl Encoding {
    pub fn extension(self) -> &'static str {
        match self {
            Encoding::Png => "png",
            Encoding::Jpeg => "jpg",
            Encoding::Raw => "raw",
        }
    }
}

/// Decoded RGB pixels, three bytes each, row by row, no padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

/// What proves that the frame shows the time after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fence {
    /// The compositor was made to draw after the commit and this is that drawing.
    DrawnAfterCommit,
    /// No claim: an opening frame, or one shown while a dialog blocks the page.
    None,
}

/// A captured moment of the environment.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Counts up within one environment.
    pub id: u64,
    /// Milliseconds since the environment started.
    pub captured_at_ms: u64,
    pub source: FrameSource,
    pub encoding: Encoding,
    pub fence: Fence,
    /// A dialog or a lost renderer kept us from getting a newer one.
    pub stale: bool,
    /// Size of the view the frame shows; with a device pixel ratio other than 1 it differs from the pixels.
    pub view: ViewSize,
    pub pixels: Arc<Pixels>,
}

impl Frame {
    /// Whether a pixel comparison of the two means anything.
    pub fn comparable_with(&self, other: &Frame) -> bool {
        self.source == other.source
            && self.encoding == other.encoding
            && self.pixels.width == other.pixels.width
            && self.pixels.height == other.pixels.height
    }
}

impl Pixels {
    /// `None` when the buffer does not have the size it claims.
    pub fn new(width: u32, height: u32, rgb: Vec<u8>) -> Option<Pixels> {
        let wanted = (width as usize).checked_mul(height as usize)?.checked_mul(3)?;
        (rgb.len() == wanted && wanted > 0).then_some(Pixels { width, height, rgb })
    }

    pub fn at(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let offset = (y as usize * self.width as usize + x as usize) * 3;
        self.rgb.get(offset..offset + 3).and_then(|pixel| pixel.try_into().ok())
    }

    pub fn set(&mut self, x: u32, y: u32, colour: [u8; 3]) {
        if x >= self.width || y >= self.height {
            return;
        }
        let offset = (y as usize * self.width as usize + x as usize) * 3;
        if let Some(pixel) = self.rgb.get_mut(offset..offset + 3) {
            pixel.copy_from_slice(&colour);
        }
    }
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({}x{})", self.width, self.height)
    }
}
