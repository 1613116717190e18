//! The audit log: one line for each decision, approval, changed setting and run, appended under a lock and
//! chained by hashes. How it is checked is in `audit_verify`; what a line looks like is in `audit_line`.
//!
//! A line is written by one `write`; nothing is synced to disk, so a loss of power may cost the last lines,
//! which the check then reports. A process that is killed costs at most the line it was writing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use surehand_types::Redactor;
use surehand_types::result::AuditAnchor;

use crate::audit_line::{LONGEST, Line, START, TornLine};
use crate::data_dir::{DataDir, create_private};
use crate::error::StoreError;

/// The log of one data folder, for one run or tools session.
#[derive(Debug)]
pub struct AuditLog {
    log: File,
    head: File,
    path: PathBuf,
    run: String,
    redactor: Redactor,
    /// Where the file ended after our own last line, and what that line was.
    last: Option<(u64, AuditAnchor)>,
}

/// The files of the log.
#[derive(Debug, Clone)]
pub(crate) struct AuditFiles {
    pub(crate) log: PathBuf,
    /// Number and hash of the last line, for seeing that lines are missing at the end.
    pub(crate) head: PathBuf,
}

impl AuditFiles {
    pub(crate) fn of(data: &DataDir) -> AuditFiles {
        let folder = data.root().join("audit");
        AuditFiles { log: folder.join("audit.jsonl"), head: folder.join("head.json") }
    }
}

impl AuditLog {
    pub fn open(data: &DataDir, run: &str, redactor: Redactor) -> Result<AuditLog, StoreError> {
        let files = AuditFiles::of(data);
        let open = || -> io::Result<(File, File)> {
            create_private(&data.root().join("audit"))?;
            let log = private(OpenOptions::new().read(true).append(true).create(true)).open(&files.log)?;
            let head =
                private(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(&files.head)?;
            for file in [&log, &head] {
                tighten(file)?;
            }
            Ok((log, head))
        };
        let (log, head) = open().map_err(StoreError::file(files.log.clone()))?;
        Ok(AuditLog { log, head, path: files.log, run: run.to_string(), redactor, last: None })
    }

    /// Appends one line of this kind. Its fields are redacted before they are hashed.
    pub fn append(&mut self, kind: &str, fields: Value) -> Result<AuditAnchor, StoreError> {
        self.log.lock().map_err(StoreError::file(self.path.clone()))?;
        let written = self.append_locked(kind, fields);
        // The lock goes with the file anyway; this only lets others go on at once.
        let _ = self.log.unlock();
        written.map_err(StoreError::file(self.path.clone()))
    }

    fn append_locked(&mut self, kind: &str, mut fields: Value) -> io::Result<AuditAnchor> {
        self.redactor.json(&mut fields);
        let length = self.log.metadata()?.len();
        let (mut text, mut last) = match &self.last {
            Some((end, last)) if *end == length => (String::new(), last.clone()),
            _ => self.resume(length)?,
        };
        let line = self.line(&last, kind, fields);
        last = line.anchor();
        text.push_str(&line.text);
        text.push('\n');
        // Assumed lost until it is known to be whole, for example when the disk is full.
        self.last = None;
        self.log.write_all(text.as_bytes())?;
        self.write_head(&last)?;
        self.last = Some((length + text.len() as u64, last.clone()));
        Ok(last)
    }

    fn line(&self, last: &AuditAnchor, kind: &str, fields: Value) -> Line {
        let mut body = Map::new();
        body.insert("v".into(), json!(1));
        body.insert("seq".into(), json!(last.seq + 1));
        body.insert("at".into(), json!(jiff::Timestamp::now().to_string()));
        body.insert("run".into(), json!(self.run));
        body.insert("kind".into(), json!(kind));
        if let Value::Object(fields) = fields {
            body.extend(
                fields
                    .into_iter()
                    .filter(|(name, _)| !["v", "seq", "at", "run", "kind", "prev", "hash"].contains(&name.as_str())),
            );
        }
        body.insert("prev".into(), json!(last.hash));
        Line::seal(body)
    }

    /// The last line of a file that somebody else wrote to, and what has to be written before ours: a line
    /// that says what was lost, where something was.
    fn resume(&mut self, length: u64) -> io::Result<(String, AuditAnchor)> {
        let (mut torn, found) = self.tail(length)?;
        let mut text = String::new();
        let mut last = found.unwrap_or_else(start);
        // Only the line break was not written any more.
        if let Some(line) =
            torn.as_deref().and_then(|bytes| Line::read(bytes).ok()).filter(|line| line.continues(&last))
        {
            text.push('\n');
            last = line.anchor();
            torn = None;
        }
        // Lines that were there once and are not any more must stay visible after we go on.
        let gap = match self.read_head()? {
            Head::At(head) if head.seq > last.seq || (head.seq == last.seq && head.hash != last.hash) => {
                Some(json!({"expected_seq": head.seq, "expected_hash": head.hash}))
            }
            Head::At(_) => None,
            Head::Unreadable => Some(json!({"head": "unreadable"})),
            // A process that is killed between its first line and the first head leaves one line without.
            Head::None => (last.seq > 1).then(|| json!({"head": "missing"})),
        };
        if let Some(torn) = torn.as_deref().map(TornLine::of) {
            text.push('\n');
            let line = self.line(&last, "recovered", json!({"torn_bytes": torn.bytes, "torn_sha256": torn.sha256}));
            last = line.anchor();
            text.push_str(&line.text);
            text.push('\n');
        }
        if let Some(gap) = gap {
            let line = self.line(&last, "gap", gap);
            last = line.anchor();
            text.push_str(&line.text);
            text.push('\n');
        }
        Ok((text, last))
    }

    /// The last whole line, and what a torn one at the end holds.
    fn tail(&mut self, length: u64) -> io::Result<(Option<Vec<u8>>, Option<AuditAnchor>)> {
        let mut window: u64 = 8 * 1024;
        loop {
            let from = length.saturating_sub(window);
            let mut bytes = vec![0; usize::try_from(length - from).unwrap_or(usize::MAX)];
            self.log.seek(SeekFrom::Start(from))?;
            self.log.read_exact(&mut bytes)?;
            let torn_from = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let (whole, torn) = bytes.split_at(torn_from);
            let torn = (!torn.is_empty()).then(|| torn.to_vec());
            // Backwards over lines that are none, as after an earlier accident.
            let lines: Vec<&[u8]> = whole.split(|byte| *byte == b'\n').collect();
            let skipped = usize::from(from > 0);
            let found =
                lines.iter().skip(skipped).rev().find_map(|line| Line::read(line).ok()).map(|line| line.anchor());
            if found.is_some() || from == 0 {
                return Ok((torn, found));
            }
            if window > 64 * LONGEST as u64 {
                return Err(io::Error::other("its last lines cannot be read; `surehand audit verify` says more"));
            }
            window *= 8;
        }
    }

    fn read_head(&mut self) -> io::Result<Head> {
        self.head.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        (&self.head).take(4096).read_to_end(&mut bytes)?;
        Ok(Head::read(&bytes))
    }

    /// Always of the same length, so that it is replaced by one write.
    fn write_head(&mut self, last: &AuditAnchor) -> io::Result<()> {
        self.head.seek(SeekFrom::Start(0))?;
        let text = format!("{{\"seq\":{:<20},\"hash\":\"{}\"}}\n", last.seq, last.hash);
        self.head.write_all(text.as_bytes())?;
        if self.last.is_none() {
            self.head.set_len(text.len() as u64)?;
        }
        Ok(())
    }
}

/// What the head file says.
pub(crate) enum Head {
    None,
    At(AuditAnchor),
    Unreadable,
}

impl Head {
    pub(crate) fn read(bytes: &[u8]) -> Head {
        if bytes.is_empty() {
            return Head::None;
        }
        serde_json::from_slice(bytes).map_or(Head::Unreadable, Head::At)
    }
}

/// What the first line continues.
pub(crate) fn start() -> AuditAnchor {
    AuditAnchor { seq: 0, hash: START.into() }
}

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// A file that was made with a wider mode is for its owner alone from now on.
pub(crate) fn tighten(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
