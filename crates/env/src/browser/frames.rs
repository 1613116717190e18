//! Where frames come from. A frame is always an answered capture: the browser draws once more
//! after it was asked and hands out that drawing, so a frame asked for after a commit cannot show
//! the time before it. (Why not the screencast: ARCHITECTURE.md, "Frames".)

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use surehand_checks::picture;
use surehand_types::frame::Fence;
use surehand_types::{Encoding, Frame, FrameSource, Pixels, ViewBox, ViewSize};

use super::page::{Page, PageTrouble};
use crate::cdp::PendingCall;
use crate::cdp::protocol::page::{CaptureScreenshot, Screenshot};

/// A capture that takes longer than this is asked for again.
const STUCK_AFTER: Duration = Duration::from_millis(700);

#[derive(Debug)]
pub(crate) struct FrameMaker {
    started: Instant,
    encoding: Encoding,
    next_id: u64,
    /// The newest frame with the boxes that must be covered in it; they belong together.
    last: Option<(Frame, Vec<ViewBox>)>,
}

impl FrameMaker {
    pub(crate) fn new(encoding: Encoding) -> Self {
        FrameMaker { started: Instant::now(), encoding, next_id: 1, last: None }
    }

    /// Asks for a capture now; the answer is collected with `finish`.
    pub(crate) fn start(&self, page: &Page) -> PendingCall<CaptureScreenshot> {
        let (format, quality) = match self.encoding {
            Encoding::Jpeg => ("jpeg", Some(80)),
            Encoding::Png | Encoding::Raw => ("png", None),
        };
        page.start(&CaptureScreenshot {
            format,
            quality,
            from_surface: true,
            // Lossless either way; measured 52-66 instead of 90-110 ms a frame.
            optimize_for_speed: true,
            capture_beyond_viewport: false,
        })
    }

    /// Decodes on another thread, so that the page can be asked about itself meanwhile.
    pub(crate) fn decode(&self, shot: Screenshot) -> impl Future<Output = Result<Pixels, PageTrouble>> + use<> {
        decode(shot, self.encoding)
    }

    pub(crate) fn keep(&mut self, pixels: Pixels, view: ViewSize, fence: Fence, masks: Vec<ViewBox>) -> Frame {
        let frame = self.frame(Arc::new(pixels), view, fence, false);
        self.last = Some((frame.clone(), masks));
        frame
    }

    /// The answer to `start`, still encoded. Chromium sometimes lets the capture of a tab in the background wait for seconds; asking once
    /// more sets it free, and either answer will do.
    pub(crate) async fn finish(
        &self,
        page: &Page,
        call: PendingCall<CaptureScreenshot>,
        deadline: Duration,
    ) -> Result<Screenshot, PageTrouble> {
        let first = page.finish(call, deadline);
        tokio::pin!(first);
        tokio::select! {
            biased;
            shot = &mut first => return shot,
            () = tokio::time::sleep(STUCK_AFTER.min(deadline)) => {}
        }
        let second = page.finish(self.start(page), deadline);
        tokio::pin!(second);
        tokio::select! {
            shot = first => shot,
            shot = second => shot,
        }
    }

    /// The last frame again, marked stale; a grey one if there never was any.
    pub(crate) fn stale(&mut self, view: ViewSize) -> (Frame, Vec<ViewBox>) {
        let (pixels, masks) = match &self.last {
            Some((frame, masks)) => (Arc::clone(&frame.pixels), masks.clone()),
            None => (Arc::new(blank(view)), Vec::new()),
        };
        (self.frame(pixels, view, Fence::None, true), masks)
    }

    pub(crate) fn frame(&mut self, pixels: Arc<Pixels>, view: ViewSize, fence: Fence, stale: bool) -> Frame {
        let id = self.next_id;
        self.next_id += 1;
        Frame {
            id,
            captured_at_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            source: FrameSource::Capture,
            encoding: self.encoding,
            fence,
            stale,
            view,
            pixels,
        }
    }
}

async fn decode(shot: Screenshot, encoding: Encoding) -> Result<Pixels, PageTrouble> {
    // Decoding takes 3 to 5 ms; the event task must not wait for it.
    let work = tokio::task::spawn_blocking(move || {
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot.data).map_err(|error| error.to_string())?;
        let decoded = match encoding {
            Encoding::Jpeg => picture::decode_jpeg(&bytes),
            Encoding::Png | Encoding::Raw => picture::decode_png(&bytes),
        };
        decoded.map_err(|error| error.to_string())
    });
    match work.await {
        Ok(Ok(pixels)) => Ok(pixels),
        Ok(Err(message)) => Err(PageTrouble::Unknown(format!("unreadable frame: {message}"))),
        Err(error) => Err(PageTrouble::Unknown(error.to_string())),
    }
}

fn blank(view: ViewSize) -> Pixels {
    let (width, height) = (view.width.clamp(1, 8192), view.height.clamp(1, 8192));
    Pixels { width, height, rgb: vec![0xee; width as usize * height as usize * 3] }
}
