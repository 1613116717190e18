//! Exports that are made of a run instead of copied: examples to learn from, and a film.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use surehand_trace::film::{self, FilmFacts};
use surehand_trace::{FrameLibrary, training};

use crate::error::StoreError;
use crate::files::FolderFrames;
use crate::store::{Store, blocking};

/// Where the pictures of examples go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrainingImages {
    /// The destination is a folder with `training.jsonl` and `frames/`.
    Files,
    /// The destination is one file, with every picture in the line that needs it.
    Inline,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingFacts {
    pub file: PathBuf,
    pub examples: usize,
    pub pictures: usize,
}

/// Is told how much of how much is done.
pub type Progress = Box<dyn FnMut(usize, usize) + Send>;

impl Store {
    /// One line for each reply that was used; see `surehand_trace::training`.
    pub async fn export_training(
        &self,
        run_id: &str,
        destination: &Path,
        images: TrainingImages,
        system: String,
    ) -> Result<TrainingFacts, StoreError> {
        let (store, run_id, destination) = (self.clone(), run_id.to_string(), destination.to_path_buf());
        blocking(move || {
            let events = store.events(&run_id)?.events;
            let mut pictures = Pictures { frames: FolderFrames::new(&store.data), images, found: BTreeMap::new() };
            let examples = training::examples(&events, Some(&system), |sha256| pictures.reference(sha256));
            let write = || -> io::Result<TrainingFacts> {
                let file = match images {
                    TrainingImages::Files => {
                        pictures.copy_to(&destination.join("frames"))?;
                        destination.join("training.jsonl")
                    }
                    TrainingImages::Inline => destination.clone(),
                };
                let mut out = BufWriter::new(File::create(&file)?);
                for example in &examples {
                    serde_json::to_writer(&mut out, example)?;
                    out.write_all(b"\n")?;
                }
                out.flush()?;
                Ok(TrainingFacts { file, examples: examples.len(), pictures: pictures.found.len() })
            };
            write().map_err(|source| StoreError::Export { path: destination.clone(), source })
        })
        .await
    }

    /// An animated GIF. A film that could not be finished is not left behind.
    pub async fn export_film(
        &self,
        run_id: &str,
        file: &Path,
        mut progress: Progress,
    ) -> Result<FilmFacts, StoreError> {
        let timeline = self.timeline(run_id).await?;
        let (frames, file) = (FolderFrames::new(&self.data), file.to_path_buf());
        blocking(move || {
            let cannot = |source| StoreError::Export { path: file.clone(), source };
            let part = file.with_extension(format!("{}.part", std::process::id()));
            let out = BufWriter::new(File::create(&part).map_err(cannot)?);
            let made = film::write_gif(&timeline, &frames, out, &mut progress);
            let made = made.map_err(StoreError::Film).and_then(|facts| {
                fs::rename(&part, &file).map_err(cannot)?;
                Ok(facts)
            });
            if made.is_err() {
                // The first error is the one to report.
                let _ = fs::remove_file(&part);
            }
            made
        })
        .await
    }
}

/// The pictures that examples refer to.
struct Pictures {
    frames: FolderFrames,
    images: TrainingImages,
    /// By content hash: how a line names it.
    found: BTreeMap<String, String>,
}

impl Pictures {
    fn reference(&mut self, sha256: &str) -> Option<String> {
        if let Some(known) = self.found.get(sha256) {
            return Some(known.clone());
        }
        let path = self.frames.find(sha256)?;
        let extension = path.extension()?.to_str()?;
        let reference = match self.images {
            TrainingImages::Files => format!("frames/{sha256}.{extension}"),
            TrainingImages::Inline => {
                let kind = if extension == "jpg" { "jpeg" } else { extension };
                format!("data:image/{kind};base64,{}", STANDARD.encode(self.frames.get(sha256)?))
            }
        };
        self.found.insert(sha256.to_string(), reference.clone());
        Some(reference)
    }

    fn copy_to(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for sha256 in self.found.keys() {
            if let (Some(path), Some(bytes)) = (self.frames.find(sha256), self.frames.get(sha256))
                && let Some(name) = path.file_name()
            {
                fs::write(folder.join(name), bytes)?;
            }
        }
        Ok(())
    }
}
