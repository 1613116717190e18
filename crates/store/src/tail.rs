//! Reading the trace of a run that another process still writes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use surehand_trace::{TraceRead, TraceTail};
use surehand_types::event::Envelope;

use crate::data_dir::is_run_id;
use crate::error::StoreError;
use crate::store::Store;

/// Most bytes that are read and decoded at once: a long run's trace has tens of megabytes.
const PIECE: u64 = 256 * 1024;

/// The events of one run, each once, as they are written.
#[derive(Debug)]
pub struct EventTail {
    path: PathBuf,
    /// Opened when it is there: a run is listed before its first event is written.
    file: Option<File>,
    tail: TraceTail,
}

impl Store {
    /// From the first event on.
    pub fn tail(&self, run_id: &str) -> Result<EventTail, StoreError> {
        if !is_run_id(run_id) {
            return Err(StoreError::NoSuchRun { text: run_id.to_string() });
        }
        Ok(EventTail { path: self.data.events(run_id), file: None, tail: TraceTail::default() })
    }

    /// Whether some process still works on the run.
    pub async fn is_live(&self, run_id: &str) -> Result<bool, StoreError> {
        Ok(self.row(run_id).await?.is_some_and(|row| row.is_live()))
    }
}

impl EventTail {
    /// Without the events up to this one. Only for a trace of which nothing was read yet.
    #[must_use]
    pub fn after(self, known: u64) -> EventTail {
        EventTail { tail: TraceTail::after(known), ..self }
    }

    /// What was written since the last time, or the first part of it: there may be more until there is nothing.
    pub fn read(&mut self) -> Result<Vec<Envelope>, StoreError> {
        self.read_new().map_err(StoreError::file(&self.path))
    }

    /// Nobody writes any more: what could not be read, and an event whose line break is missing.
    pub fn finish(self) -> TraceRead {
        self.tail.finish()
    }

    fn read_new(&mut self) -> io::Result<Vec<Envelope>> {
        let file = match &mut self.file {
            Some(file) => file,
            empty => match File::open(&self.path) {
                Ok(file) => empty.insert(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                Err(error) => return Err(error),
            },
        };
        // A file that became shorter is not the one that was being read; the position would lie behind its end.
        if file.metadata()?.len() < file.stream_position()? {
            file.seek(SeekFrom::End(0))?;
        }
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if file.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
                return Ok(Vec::new());
            }
            // A piece may be the middle of a long line, or known as a whole.
            let events = self.tail.feed(&bytes);
            if !events.is_empty() {
                return Ok(events);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::data_dir::DataDir;

    #[tokio::test]
    async fn a_long_trace_comes_in_pieces_and_what_is_known_does_not_come() {
        let temp = tempfile::tempdir().unwrap();
        let data = DataDir::open(temp.path().join("data")).unwrap();
        let store = Store::open(&data).await.unwrap();
        std::fs::create_dir_all(data.run("r1")).unwrap();
        let mut file = File::create(data.events("r1")).unwrap();
        // The third is longer than several pieces.
        for seq in 1..=2000 {
            let text = "x".repeat(if seq == 3 { 1_000_000 } else { 300 });
            let head = format!("{{\"v\":1,\"seq\":{seq},\"at\":\"\",\"run_id\":\"r1\",\"type\":\"note\"");
            writeln!(file, "{head},\"level\":\"info\",\"message\":\"{text}\"}}").unwrap();
        }
        for (known, mut tail) in [(0, store.tail("r1").unwrap()), (1990, store.tail("r1").unwrap().after(1990))] {
            let mut seen = Vec::new();
            loop {
                let events = tail.read().unwrap();
                assert!(events.len() < 1500, "{}", events.len());
                if events.is_empty() {
                    break;
                }
                seen.extend(events.into_iter().map(|event| event.seq));
            }
            assert_eq!(seen, (known + 1..=2000).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    async fn a_trace_is_read_while_it_is_written() {
        let temp = tempfile::tempdir().unwrap();
        let data = DataDir::open(temp.path().join("data")).unwrap();
        let store = Store::open(&data).await.unwrap();
        assert!(store.tail("../x").is_err());
        let mut tail = store.tail("r1").unwrap();
        assert_eq!(tail.read().unwrap(), [], "there is no file yet");
        std::fs::create_dir_all(data.run("r1")).unwrap();
        let mut file = File::create(data.events("r1")).unwrap();
        let line = r#"{"v":1,"seq":1,"at":"","run_id":"r1","type":"note","level":"info","message":"x"}"#;
        file.write_all(&line.as_bytes()[..30]).unwrap();
        assert_eq!(tail.read().unwrap(), []);
        file.write_all(&line.as_bytes()[30..]).unwrap();
        file.write_all(b"\n{\"v\"").unwrap();
        assert_eq!(tail.read().unwrap().len(), 1);
        assert_eq!(tail.read().unwrap(), []);
        assert_eq!(tail.finish().problems.len(), 1, "the torn line");
        assert!(!store.is_live("r1").await.unwrap());
    }
}
