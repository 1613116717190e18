//! Taking a run in that was exported elsewhere: a folder, or one file of events. Everything is checked before
//! anything is written, since what comes in may be cut off, damaged or made to do harm.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use surehand_trace::{FrameSink, content_hash, read_trace};
use surehand_types::event::{Envelope, Event, TRACE_VERSION};
use surehand_types::result::{RESULT_SCHEMA_VERSION, StepFrames};
use surehand_types::{Encoding, RunResult, StepRecord};

use crate::data_dir::{DataDir, create_private, is_run_id};
use crate::error::StoreError;
use crate::files::FolderFrames;
use crate::rebuild;
use crate::store::{Store, blocking};

/// Far above the trace of the longest run; keeps a wrong file from filling the memory.
const MAX_TRACE_BYTES: u64 = 256 * 1024 * 1024;
const MAX_FRAME_BYTES: u64 = 64 * 1024 * 1024;

/// What was taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub run_id: String,
    pub steps: u32,
    pub frames: usize,
    /// Frames that the trace names and that did not come along.
    pub missing_frames: usize,
}

/// Why something is not taken in, as the second half of a sentence.
type Refusal = String;

impl Store {
    /// Takes in what `export` or `export_trajectory` wrote. Nothing is changed unless all of it is sound.
    pub async fn import(&self, source: &Path) -> Result<Imported, StoreError> {
        let refused = |reason| StoreError::Import { path: source.to_path_buf(), reason };
        let (data, path) = (self.data.clone(), source.to_path_buf());
        let checked = blocking(move || Ok(check(&data, &path))).await?.map_err(refused)?;
        let data = self.data.clone();
        let (imported, found) = blocking(move || {
            let imported = write(&data, checked)?;
            let found = rebuild::look(&data, &imported.run_id);
            Ok((imported, found))
        })
        .await?;
        let listed = match found {
            Some(found) => match self.pool.acquire().await {
                Ok(mut connection) => rebuild::insert(&mut connection, &found).await,
                Err(error) => Err(error.into()),
            },
            None => Err(refused("holds nothing that can be read back".into())),
        };
        if let Err(error) = listed {
            // Not listed is not imported; the first error is the one to report.
            let _ = fs::remove_dir_all(self.data.run(&imported.run_id));
            return Err(error);
        }
        Ok(imported)
    }
}

/// A run that may be written.
struct Checked {
    run_id: String,
    steps: u32,
    trace: PathBuf,
    pictures: Vec<PathBuf>,
    missing_frames: usize,
}

fn check(data: &DataDir, source: &Path) -> Result<Checked, Refusal> {
    let kind = fs::metadata(source).map_err(|error| format!("cannot be read: {error}"))?;
    // Before it is opened: opening a pipe waits for its other end.
    if !kind.is_dir() && !kind.is_file() {
        return Err("is neither a file nor a folder".into());
    }
    let (trace, folder) = match kind.is_dir() {
        true => (source.join("events.jsonl"), Some(source)),
        false => (source.to_path_buf(), None),
    };
    if folder.is_some() {
        expect_plain_file(&trace, "events.jsonl")?;
    }
    let events = read_strictly(&trace)?;
    let (run_id, result) = check_story(&events)?;
    if data.run(&run_id).exists() {
        return Err(format!("holds the run {run_id}, which is here already"));
    }
    let mut checked =
        Checked { run_id, steps: result.steps, trace, pictures: Vec::new(), missing_frames: frames_of(&events)?.len() };
    if let Some(folder) = folder {
        check_result_file(&folder.join("result.json"), &events)?;
        for (sha256, encoding) in frames_of(&events)? {
            if let Some(picture) = check_picture(folder, &sha256, encoding)? {
                checked.pictures.push(picture);
                checked.missing_frames -= 1;
            }
        }
    }
    Ok(checked)
}

/// The events, or the first thing that is wrong with them. A reader of our own runs forgives; this one does not.
fn read_strictly(trace: &Path) -> Result<Vec<Envelope>, Refusal> {
    let file = File::open(trace).map_err(|error| format!("cannot be read: {error}"))?;
    let about = file.metadata().map_err(|error| format!("cannot be read: {error}"))?;
    if about.len() > MAX_TRACE_BYTES {
        return Err(format!("is larger than {} MiB", MAX_TRACE_BYTES / (1024 * 1024)));
    }
    let read = read_trace(BufReader::new(file.take(MAX_TRACE_BYTES)));
    if let Some(problem) = read.problems.first() {
        return Err(format!("is not a whole run: {problem}"));
    }
    Ok(read.events)
}

/// One run from its start to its end, in versions that we know, with as many steps as its result says.
fn check_story(events: &[Envelope]) -> Result<(String, RunResult), Refusal> {
    let (Some(first), Some(last)) = (events.first(), events.last()) else {
        return Err("is empty".into());
    };
    let Event::RunStarted(_) = &first.event else {
        return Err("does not begin with the start of a run".into());
    };
    let Event::RunEnded { result } = &last.event else {
        return Err("has no end: only a run that ended can be imported".into());
    };
    let run_id = &first.run_id;
    if !is_run_id(run_id) || result.run_id != *run_id {
        return Err("names its run in a way that is not allowed".into());
    }
    if result.schema_version != RESULT_SCHEMA_VERSION {
        let version = result.schema_version;
        return Err(format!("has a result of version {version}; this Surehand knows {RESULT_SCHEMA_VERSION}"));
    }
    let mut steps = Vec::new();
    for (index, envelope) in events.iter().enumerate() {
        let place = format!("line {}", index + 1);
        if envelope.v != TRACE_VERSION {
            return Err(format!("is of version {} ({place}); this Surehand knows {TRACE_VERSION}", envelope.v));
        }
        if envelope.run_id != *run_id {
            return Err(format!("holds more than one run ({place})"));
        }
        if envelope.at.parse::<jiff::Timestamp>().is_err() {
            return Err(format!("has a time that is none ({place})"));
        }
        match &envelope.event {
            Event::Step(record) => steps.push(record.as_ref()),
            Event::RunStarted(_) if index > 0 => return Err(format!("starts twice ({place})")),
            Event::RunEnded { .. } if index + 1 < events.len() => {
                return Err(format!("goes on after its end ({place})"));
            }
            _ => {}
        }
    }
    check_steps(&steps, result)?;
    Ok((run_id.clone(), RunResult::clone(result)))
}

fn check_steps(steps: &[&StepRecord], result: &RunResult) -> Result<(), Refusal> {
    let numbered = steps.iter().zip(1..).all(|(record, number)| record.step == number);
    if !numbered || steps.len() != result.steps as usize {
        return Err(format!("does not hold exactly the {} steps that its result counts", result.steps));
    }
    if !result.trajectory.is_empty() && !result.trajectory.iter().eq(steps.iter().copied()) {
        return Err("has a result whose trajectory is not that of its steps".into());
    }
    let named = |frames: &StepFrames| [frames.before.clone(), frames.after.clone()];
    match steps.iter().flat_map(|record| named(&record.frames)).flatten().find(|name| !is_hash(name)) {
        Some(name) => Err(format!("names a frame {}, which is no content hash", shortened(&name))),
        None => Ok(()),
    }
}

/// The frames that the trace names.
fn frames_of(events: &[Envelope]) -> Result<BTreeMap<String, Encoding>, Refusal> {
    let mut frames = BTreeMap::new();
    for envelope in events {
        let Event::Frame(frame) = &envelope.event else { continue };
        if !is_hash(&frame.sha256) {
            return Err(format!("names a frame {}, which is no content hash", shortened(&frame.sha256)));
        }
        let known = [Encoding::Png, Encoding::Jpeg, Encoding::Raw];
        let Some(encoding) = known.into_iter().find(|encoding| encoding.extension() == frame.format) else {
            return Err(format!("has a frame in the unknown format {}", shortened(&frame.format)));
        };
        frames.insert(frame.sha256.clone(), encoding);
    }
    Ok(frames)
}

/// The exported picture of a frame; `None` where it was left out.
fn check_picture(folder: &Path, sha256: &str, encoding: Encoding) -> Result<Option<PathBuf>, Refusal> {
    let name = format!("frames/{sha256}.{}", encoding.extension());
    let path = folder.join(&name);
    let pictures = folder.join("frames");
    match (fs::symlink_metadata(&pictures), fs::symlink_metadata(&path)) {
        (Ok(above), _) if !above.is_dir() => return Err("has a `frames` that is not a folder".into()),
        (Err(_), _) | (_, Err(_)) => return Ok(None),
        (Ok(_), Ok(_)) => {}
    }
    let bytes = read_plain_file(&path, &name, MAX_FRAME_BYTES)?;
    if content_hash(&bytes) != sha256 {
        return Err(format!("has a frame that is not what its name says: {name}"));
    }
    Ok(Some(path))
}

/// The copy of the result that lies beside the trace says the same as the trace.
fn check_result_file(path: &Path, events: &[Envelope]) -> Result<(), Refusal> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    let bytes = read_plain_file(path, "result.json", MAX_TRACE_BYTES)?;
    let result: RunResult = serde_json::from_slice(&bytes)
        .map_err(|error| format!("has a result.json that is not the result of a run: {error}"))?;
    match surehand_trace::Timeline::from_events(events).ended {
        Some(ended) if ended == result => Ok(()),
        _ => Err("has a result.json that differs from its events.jsonl".into()),
    }
}

fn read_plain_file(path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
    expect_plain_file(path, name)?;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("has a file that cannot be read: {name}: {error}"))?;
    if bytes.len() as u64 > limit {
        return Err(format!("has a file over {} MiB: {name}", limit / (1024 * 1024)));
    }
    Ok(bytes)
}

/// No link, pipe or device: those may lead out of the folder or never end.
fn expect_plain_file(path: &Path, name: &str) -> Result<(), Refusal> {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(_) => Err(format!("has something else than a plain file as {name}")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!("has no {name}: it is no exported run")),
        Err(error) => Err(format!("has a file that cannot be read: {name}: {error}")),
    }
}

/// Frames first, then the run under a name that no reader looks at, then one rename: a crash leaves frames
/// without a run, which retention sweeps, and never half a run.
fn write(data: &DataDir, checked: Checked) -> Result<Imported, StoreError> {
    let frames = FolderFrames::new(data);
    for picture in &checked.pictures {
        let encoding = match picture.extension().and_then(|extension| extension.to_str()) {
            Some("jpg") => Encoding::Jpeg,
            Some("raw") => Encoding::Raw,
            _ => Encoding::Png,
        };
        let stored = fs::read(picture).and_then(|bytes| frames.put(&bytes, encoding));
        stored.map_err(StoreError::file(picture))?;
    }
    let target = data.run(&checked.run_id);
    let coming = data.runs().join(format!(".import-{}", std::process::id()));
    let arrive = || -> io::Result<()> {
        create_private(&coming)?;
        fs::copy(&checked.trace, coming.join("events.jsonl"))?;
        fs::rename(&coming, &target)
    };
    if let Err(error) = arrive() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&coming);
        return Err(StoreError::file(target)(error));
    }
    Ok(Imported {
        run_id: checked.run_id,
        steps: checked.steps,
        frames: checked.pictures.len(),
        missing_frames: checked.missing_frames,
    })
}

fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn shortened(text: &str) -> String {
    format!("{:?}", text.chars().take(60).collect::<String>())
}
