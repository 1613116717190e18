//! Frames as files that a brain or an outside program can open: secrets masked, cursor drawn, on
//! a copy. The clean pixels are never touched, and the file keeps those under the cursor for `judge` and `inspect`.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use surehand_checks::picture;
use surehand_trace::content_hash;
use surehand_types::observation::{ExtraImage, FrameFile, ImageKind};
use surehand_types::{Observation, Pixels};

#[derive(Debug, thiserror::Error)]
pub enum PictureFailure {
    #[error("cannot write a frame to {path}: {source}")]
    Write { path: String, source: std::io::Error },
    #[error("cannot encode a frame: {0}")]
    Encode(#[from] picture::PictureError),
}

/// Pictures that stay in the folder; older ones are removed, or a long session would fill the disk.
const KEPT: u64 = 400;

/// Writes numbered pictures into one folder, which lives as long as the run or the tools session.
#[derive(Debug)]
pub struct FrameFiles {
    folder: PathBuf,
    next: u64,
    /// The last frame with what was drawn on it: a kept observation needs no second file.
    last: Option<(u64, surehand_types::ViewPoint, FrameFile)>,
    /// Hashes of the last pictures, with the numbers of the frames that they show.
    shown: VecDeque<(String, u64)>,
}

impl FrameFiles {
    pub fn new(folder: &Path) -> Result<FrameFiles, PictureFailure> {
        std::fs::create_dir_all(folder)
            .map_err(|source| PictureFailure::Write { path: folder.display().to_string(), source })?;
        Ok(FrameFiles { folder: folder.to_path_buf(), next: 1, last: None, shown: VecDeque::new() })
    }

    /// The frame as the brain sees it.
    pub fn frame(&mut self, observation: &Observation) -> Result<FrameFile, PictureFailure> {
        let frame = &observation.frame;
        if let Some((id, cursor, file)) = &self.last
            && *id == frame.id
            && *cursor == observation.cursor
        {
            return Ok(FrameFile { stale: frame.stale, ..file.clone() });
        }
        let mut pixels = frame.pixels.as_ref().clone();
        picture::fill_boxes(&mut pixels, observation.view, &observation.masks);
        let bytes = picture::encode_with_cursor(&pixels, observation.view, observation.cursor)?;
        let file = self.store(&bytes, &pixels, frame.stale)?;
        self.last = Some((frame.id, observation.cursor, file.clone()));
        self.shown.push_back((file.sha256.clone(), frame.id));
        if self.shown.len() as u64 > KEPT {
            self.shown.pop_front();
        }
        Ok(file)
    }

    /// The number of the frame that one of the last pictures shows.
    pub(crate) fn number_of(&self, sha256: &str) -> Option<u64> {
        self.shown.iter().rev().find(|(known, _)| known == sha256).map(|(_, number)| *number)
    }

    pub fn extra(&mut self, kind: ImageKind, pixels: &Pixels) -> Result<ExtraImage, PictureFailure> {
        Ok(ExtraImage { kind, file: self.write(pixels, false)? })
    }

    fn path_of(&self, number: u64) -> PathBuf {
        self.folder.join(format!("frame-{number:05}.png"))
    }

    fn write(&mut self, pixels: &Pixels, stale: bool) -> Result<FrameFile, PictureFailure> {
        self.store(&picture::encode_png(pixels)?, pixels, stale)
    }

    fn store(&mut self, bytes: &[u8], pixels: &Pixels, stale: bool) -> Result<FrameFile, PictureFailure> {
        let path = self.path_of(self.next);
        if let Some(old) = self.next.checked_sub(KEPT) {
            let _ = std::fs::remove_file(self.path_of(old));
        }
        self.next += 1;
        std::fs::write(&path, bytes)
            .map_err(|source| PictureFailure::Write { path: path.display().to_string(), source })?;
        Ok(FrameFile {
            path: path.display().to_string(),
            width: pixels.width,
            height: pixels.height,
            format: "png".into(),
            sha256: content_hash(bytes),
            stale,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_keeps_the_last_pictures_only() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = FrameFiles::new(folder.path()).unwrap();
        let pixels = Pixels::new(1, 1, vec![0; 3]).unwrap();
        for _ in 0..KEPT + 3 {
            files.write(&pixels, false).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count() as u64, KEPT);
        assert!(!files.path_of(3).exists() && files.path_of(4).exists());
    }
}
