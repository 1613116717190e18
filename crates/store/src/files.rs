//! The two sinks on disk: one event log per run, and frames shared by all runs under the hash of
//! their content. Both are safe against being killed at any moment.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use surehand_trace::{EventSink, FrameLibrary, FrameSink, content_hash};
use surehand_types::Encoding;

use crate::data_dir::{DataDir, create_private};
use crate::error::StoreError;

/// The event log of one run. Each line is one `write` into a file opened for appending, without
/// any buffer of ours: what was written survives the death of the process.
#[derive(Debug)]
pub struct FileEventLog {
    file: File,
    /// The file may end in the middle of a line; the next line starts with a line break.
    torn: bool,
}

impl FileEventLog {
    pub fn open(data: &DataDir, run_id: &str) -> Result<FileEventLog, StoreError> {
        let path = data.events(run_id);
        Self::open_file(data, run_id).map_err(StoreError::file(path))
    }

    fn open_file(data: &DataDir, run_id: &str) -> io::Result<FileEventLog> {
        create_private(&data.run(run_id))?;
        let mut file = OpenOptions::new().append(true).read(true).create(true).open(data.events(run_id))?;
        let torn = ends_mid_line(&mut file)?;
        Ok(FileEventLog { file, torn })
    }
}

fn ends_mid_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0_u8];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

impl EventSink for FileEventLog {
    fn append_line(&mut self, line: &str) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(line.len() + 2);
        if self.torn {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        // Assumed until the write is known to be whole, for example when the disk is full.
        self.torn = true;
        self.file.write_all(&bytes)?;
        self.torn = false;
        Ok(())
    }
}

/// Frames on disk: `frames/ab/abcdef….png`.
#[derive(Debug, Clone)]
pub struct FolderFrames {
    root: PathBuf,
}

static TEMPORARY: AtomicU64 = AtomicU64::new(0);

impl FolderFrames {
    pub fn new(data: &DataDir) -> FolderFrames {
        FolderFrames { root: data.frames() }
    }

    /// Pictures that people of one run are shown beside a question. They are in no trace, so they lie in the run's own
    /// folder: among the shared ones they would be swept while the question waits.
    pub fn asked(data: &DataDir, run_id: &str) -> FolderFrames {
        FolderFrames { root: data.asked(run_id) }
    }

    /// Where a frame with this hash is or would be; `None` when it is not a hash.
    pub(crate) fn place(&self, sha256: &str, extension: &str) -> Option<PathBuf> {
        let hex = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| self.root.join(&sha256[..2]).join(format!("{sha256}.{extension}")))
    }

    /// The stored file of a frame, whatever its encoding.
    pub fn find(&self, sha256: &str) -> Option<PathBuf> {
        [Encoding::Png, Encoding::Jpeg, Encoding::Raw]
            .into_iter()
            .filter_map(|encoding| self.place(sha256, encoding.extension()))
            .find(|path| path.is_file())
    }
}

impl FrameSink for FolderFrames {
    fn put(&self, bytes: &[u8], encoding: Encoding) -> io::Result<String> {
        let sha256 = content_hash(bytes);
        let Some(path) = self.place(&sha256, encoding.extension()) else {
            return Err(io::Error::other("a content hash has 64 digits"));
        };
        if let Ok(existing) = File::options().write(true).open(&path)
            && existing.metadata()?.len() == bytes.len() as u64
        {
            // Shows a concurrent removal of another run that this frame was needed just now.
            existing.set_modified(SystemTime::now())?;
            return Ok(sha256);
        }
        if let Some(folder) = path.parent() {
            create_private(folder)?;
        }
        let number = TEMPORARY.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
        if written.is_err() {
            // Best effort: the first error is the one to report.
            let _ = fs::remove_file(&temporary);
        }
        written.map(|()| sha256)
    }
}

impl FrameLibrary for FolderFrames {
    fn get(&self, sha256: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.find(sha256)?).ok()?;
        (content_hash(&bytes) == sha256).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> (tempfile::TempDir, DataDir) {
        let temp = tempfile::tempdir().unwrap();
        let data = DataDir::open(temp.path().join("data")).unwrap();
        (temp, data)
    }

    #[test]
    fn a_reopened_torn_log_continues_on_a_new_line() {
        let (_temp, data) = data();
        let mut log = FileEventLog::open(&data, "r1").unwrap();
        log.append_line("one").unwrap();
        fs::write(data.events("r1"), "one\n{\"half").unwrap();
        let mut log = FileEventLog::open(&data, "r1").unwrap();
        log.append_line("two").unwrap();
        log.append_line("three").unwrap();
        assert_eq!(fs::read_to_string(data.events("r1")).unwrap(), "one\n{\"half\ntwo\nthree\n");
    }

    #[test]
    fn frames_are_written_once_and_checked_when_read() {
        let (_temp, data) = data();
        let frames = FolderFrames::new(&data);
        let hash = frames.put(b"picture", Encoding::Png).unwrap();
        let path = frames.find(&hash).unwrap();
        assert!(path.ends_with(format!("frames/{}/{hash}.png", &hash[..2])));
        assert_eq!(frames.put(b"picture", Encoding::Png).unwrap(), hash);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert_eq!(frames.get(&hash).unwrap(), b"picture");

        fs::write(&path, b"PICTURE").unwrap();
        assert_eq!(frames.get(&hash), None, "damaged content is not handed out");
        fs::write(&path, b"pic").unwrap();
        frames.put(b"picture", Encoding::Png).unwrap();
        assert_eq!(frames.get(&hash).unwrap(), b"picture", "a cut file is written again");
        assert_eq!(frames.get("../../etc/passwd"), None);
    }

    #[test]
    fn two_writers_of_the_same_frame_do_not_disturb_each_other() {
        let (_temp, data) = data();
        let frames = FolderFrames::new(&data);
        let bytes = vec![7_u8; 300_000];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let hash = frames.put(&bytes, Encoding::Png).unwrap();
                        assert_eq!(frames.get(&hash).unwrap(), bytes);
                    }
                });
            }
        });
    }
}
