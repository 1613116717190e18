//! Copying one run out of the data folder, complete enough to be read without Surehand. What is written here is
//! what `import` takes in.

use std::fs;
use std::path::{Path, PathBuf};

use surehand_trace::report::html;
use surehand_trace::{FrameLibrary, Timeline, TraceRead};
use surehand_types::event::{Envelope, Event};

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

    /// Writes one file without pictures: a line for the start, one per step, and one for the result. They are
    /// lines of the trace, so the same schema describes them; pictures are named by their hash. Returns the lines.
    pub async fn export_trajectory(&self, run_id: &str, file: &Path) -> Result<usize, StoreError> {
        let (store, run_id, file) = (self.clone(), run_id.to_string(), file.to_path_buf());
        blocking(move || {
            let lines = trajectory(store.events(&run_id)?);
            let written = lines.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>();
            let written =
                written.map_err(std::io::Error::from).and_then(|text| fs::write(&file, text.join("\n") + "\n"));
            written.map_err(|source| StoreError::Export { path: file.clone(), source })?;
            Ok(lines.len())
        })
        .await
    }
}

fn trajectory(read: TraceRead) -> Vec<Envelope> {
    let wanted =
        |envelope: &Envelope| matches!(envelope.event, Event::RunStarted(_) | Event::Step(_) | Event::RunEnded { .. });
    let mut lines: Vec<Envelope> = read.events.into_iter().filter(wanted).collect();
    for (envelope, seq) in lines.iter_mut().zip(1..) {
        envelope.seq = seq;
        if let Event::RunEnded { result } = &mut envelope.event {
            // Its steps are the lines above; readers put them together again.
            result.trajectory.clear();
        }
    }
    lines
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
