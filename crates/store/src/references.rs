//! Which run refers to which frames, read from the traces themselves: frames are shared, so one
//! may be deleted only when no trace names it any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use crate::data_dir::{DataDir, is_run_id};
use crate::files::FolderFrames;

/// Frame hashes of every run in the folder.
#[derive(Debug, Default)]
pub(crate) struct References {
    runs: BTreeMap<String, BTreeSet<String>>,
}

impl References {
    pub(crate) fn scan(data: &DataDir) -> References {
        let mut references = References::default();
        let Ok(entries) = fs::read_dir(data.runs()) else {
            return references;
        };
        for entry in entries.flatten() {
            if let Some(run_id) = entry.file_name().to_str().filter(|name| is_run_id(name)) {
                let frames = frames_of(&data.events(run_id));
                references.runs.insert(run_id.to_string(), frames);
            }
        }
        references
    }

    /// Forgets a run and returns the frames that nobody refers to any more.
    pub(crate) fn forget(&mut self, run_id: &str) -> BTreeSet<String> {
        let frames = self.runs.remove(run_id).unwrap_or_default();
        frames.into_iter().filter(|frame| !self.is_used(frame)).collect()
    }

    pub(crate) fn is_used(&self, sha256: &str) -> bool {
        self.runs.values().any(|frames| frames.contains(sha256))
    }

    pub(crate) fn all_used(&self) -> BTreeSet<&str> {
        self.runs.values().flatten().map(String::as_str).collect()
    }
}

/// Hashes named by the frame events of a trace. Other lines are passed over without parsing,
/// which keeps a scan of hundreds of runs in the range of milliseconds.
pub(crate) fn frames_of(events: &Path) -> BTreeSet<String> {
    #[derive(Deserialize)]
    struct FrameLine {
        sha256: String,
    }
    let mut frames = BTreeSet::new();
    let Ok(file) = File::open(events) else {
        return frames;
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        // Frame events are short; the limit keeps long step events out of the search.
        let is_frame = line.len() < 4096 && contains(&line, b"\"type\":\"frame\"");
        if is_frame && let Ok(frame) = serde_json::from_slice::<FrameLine>(&line) {
            frames.insert(frame.sha256);
        }
        line.clear();
    }
    frames
}

fn contains(line: &[u8], wanted: &[u8]) -> bool {
    line.windows(wanted.len()).any(|window| window == wanted)
}

/// Bytes on disk of one run: its folder and the frames its trace names.
pub(crate) fn run_bytes(data: &DataDir, run_id: &str) -> u64 {
    let frames = FolderFrames::new(data);
    let pictures: u64 = frames_of(&data.events(run_id))
        .iter()
        .filter_map(|frame| frames.find(frame))
        .map(|path| file_bytes(&path))
        .sum();
    folder_bytes(&data.run(run_id)) + pictures
}

pub(crate) fn file_bytes(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Bytes of all files below a folder; what cannot be read counts as nothing.
pub(crate) fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => folder_bytes(&entry.path()),
            Ok(kind) if kind.is_file() => file_bytes(&entry.path()),
            _ => 0,
        })
        .sum()
}
