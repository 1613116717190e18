//! Copying one run out of the data folder, complete enough to be read without Surehand.

use std::fs;
use std::path::{Path, PathBuf};

use surehand_trace::report::html;
use surehand_trace::{FrameLibrary, Timeline};

use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::files::FolderFrames;
use crate::references;
use crate::store::{Store, blocking};

impl Store {
    /// Writes `events.jsonl`, `frames/`, `report.html` and, when the run has ended, `result.json`
    /// into `destination`, which is created. Returns the files of the top level.
    pub async fn export(&self, run_id: &str, destination: &Path) -> Result<Vec<PathBuf>, StoreError> {
        let timeline = self.timeline(run_id).await?;
        let data = self.data.clone();
        let run_id = run_id.to_string();
        let destination = destination.to_path_buf();
        blocking(move || {
            write(&data, &run_id, &timeline, &destination)
                .map_err(|source| StoreError::Export { path: destination.clone(), source })
        })
        .await
    }
}

fn write(data: &DataDir, run_id: &str, timeline: &Timeline, destination: &Path) -> std::io::Result<Vec<PathBuf>> {
    let pictures = destination.join("frames");
    fs::create_dir_all(&pictures)?;
    let mut written = vec![destination.join("events.jsonl")];
    fs::copy(data.events(run_id), &written[0])?;
    let frames = FolderFrames::new(data);
    for sha256 in references::frames_of(&data.events(run_id)) {
        // A frame that is gone or damaged is left out; the page says so where it is missing.
        if let (Some(path), Some(bytes)) = (frames.find(&sha256), frames.get(&sha256))
            && let Some(name) = path.file_name()
        {
            fs::write(pictures.join(name), bytes)?;
        }
    }
    if let Some(result) = &timeline.ended {
        let path = destination.join("result.json");
        fs::write(&path, serde_json::to_vec_pretty(result)?)?;
        written.push(path);
    }
    let page = destination.join("report.html");
    fs::write(&page, html::render(timeline, &frames))?;
    written.push(page);
    Ok(written)
}
