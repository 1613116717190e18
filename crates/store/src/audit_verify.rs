//! Checking the audit log: every line by its own hash, the chain from line to line, the end by the head file,
//! and all of it by the anchors that runs left in their traces.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use surehand_types::result::AuditAnchor;

use crate::audit::{AuditFiles, Head, start};
use crate::audit_line::{LONGEST, Line, NoLine, TornLine, is_unfinished};
use crate::data_dir::DataDir;
use crate::error::StoreError;

/// Problems that are kept; one cause often shows in many places.
const KEPT: usize = 50;
/// How far back the last line of a trace is looked for.
const TRACE_TAIL: u64 = 64 * 1024 * 1024;

/// What is wrong with the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditFault {
    /// A line is not what was written.
    Edited,
    /// Lines are gone from the middle.
    Missing,
    /// A line stands where it was not written.
    Reordered,
    /// Lines are gone from the end.
    Truncated,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditProblem {
    /// In the file, from 1; 0 where it is about no line of it.
    pub line: u64,
    pub fault: AuditFault,
    /// One sentence.
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    pub lines: u64,
    /// Anchors of runs that were found and compared.
    pub anchors: u64,
    pub problems: Vec<AuditProblem>,
    /// Accidents that explain themselves, like a line that a killed process left unfinished.
    pub notes: Vec<String>,
}

impl AuditReport {
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    fn problem(&mut self, line: u64, fault: AuditFault, message: String) {
        if self.problems.len() < KEPT {
            self.problems.push(AuditProblem { line, fault, message });
        }
    }
}

/// Reads the whole log once.
pub fn verify_audit(data: &DataDir) -> Result<AuditReport, StoreError> {
    let files = AuditFiles::of(data);
    let mut report = AuditReport::default();
    let anchors = anchors(data);
    let mut seen = Seen { wanted: anchors, ..Seen::default() };
    if let Some(file) = open(&files.log)? {
        // A writer that is in the middle of a line is waited for.
        file.lock_shared().map_err(StoreError::file(files.log.clone()))?;
        walk(file, &mut seen, &mut report).map_err(StoreError::file(files.log.clone()))?;
    }
    check_end(&files, &mut seen, &mut report);
    check_anchors(&seen, &mut report);
    Ok(report)
}

/// The lines that match, oldest first.
pub fn read_audit(data: &DataDir, run: Option<&str>, newest: usize) -> Result<Vec<serde_json::Value>, StoreError> {
    let files = AuditFiles::of(data);
    let Some(file) = open(&files.log)? else { return Ok(Vec::new()) };
    let mut kept = std::collections::VecDeque::new();
    let mut reader = BufReader::new(file);
    while let Some((bytes, _)) = next_line(&mut reader).map_err(StoreError::file(files.log.clone()))? {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
        let own = value.get("run").and_then(serde_json::Value::as_str).unwrap_or_default();
        if run.is_none_or(|run| own.starts_with(run)) {
            kept.push_back(value);
            if kept.len() > newest {
                kept.pop_front();
            }
        }
    }
    Ok(kept.into())
}

#[derive(Default)]
struct Seen {
    last: Option<AuditAnchor>,
    /// Anchors to compare: which run left them.
    wanted: Vec<(String, AuditAnchor)>,
    /// Of those, which lines were met, with the hash they have.
    met: Vec<(usize, bool)>,
    /// What stands at the end without a line break.
    torn: Option<Broken>,
}

/// A line that is none.
struct Broken {
    /// In the file, from 1.
    at: u64,
    torn: TornLine,
    why: NoLine,
    /// A write of ours that was broken off leaves such a line.
    unfinished: bool,
}

impl Broken {
    fn of(at: u64, bytes: &[u8], why: NoLine, last: &AuditAnchor) -> Broken {
        Broken { at, torn: TornLine::of(bytes), why, unfinished: is_unfinished(bytes, last) }
    }
}

fn walk(file: File, seen: &mut Seen, report: &mut AuditReport) -> io::Result<()> {
    let mut reader = BufReader::new(file);
    let mut number = 0;
    let mut last = start();
    // A line that is none may be an accident that the next line explains.
    let mut unexplained: Option<Broken> = None;
    while let Some((bytes, whole)) = next_line(&mut reader)? {
        number += 1;
        if !whole {
            seen.torn = Some(Broken::of(number, &bytes, NoLine::Unreadable, &last));
            break;
        }
        let line = match Line::read(&bytes) {
            Ok(line) => line,
            Err(why) => {
                report_unexplained(unexplained.take(), report);
                unexplained = Some(Broken::of(number, &bytes, why, &last));
                if let (NoLine::Edited, Ok(fields)) = (why, serde_json::from_slice::<crate::audit_line::Fields>(&bytes))
                {
                    // Its place in the chain is still known, so what follows can be judged by itself.
                    last = AuditAnchor { seq: fields.seq, hash: fields.hash };
                }
                continue;
            }
        };
        if line.fields.kind == "recovered"
            && let Some(Broken { at, torn, .. }) = unexplained.take_if(|found| {
                found.unfinished && line.fields.torn_sha256.as_deref() == Some(found.torn.sha256.as_str())
            })
        {
            report
                .notes
                .push(format!("line {at} was left unfinished ({} bytes), and the log went on after it", torn.bytes));
        }
        report_unexplained(unexplained.take(), report);
        follow(number, &line, &last, report);
        for (index, (_, anchor)) in seen.wanted.iter().enumerate() {
            if anchor.seq == line.fields.seq {
                seen.met.push((index, anchor.hash == line.fields.hash));
            }
        }
        last = line.anchor();
        report.lines += 1;
    }
    report_unexplained(unexplained, report);
    seen.last = (last.seq > 0).then_some(last);
    Ok(())
}

fn report_unexplained(found: Option<Broken>, report: &mut AuditReport) {
    if let Some(Broken { at, why, .. }) = found {
        let message = match why {
            NoLine::Edited => format!("line {at} was changed: its hash is not that of its text"),
            NoLine::Unreadable => format!("line {at} was changed: it cannot be read"),
        };
        report.problem(at, AuditFault::Edited, message);
    }
}

/// Whether the line continues the one before it.
fn follow(number: u64, line: &Line, last: &AuditAnchor, report: &mut AuditReport) {
    let (seq, expected) = (line.fields.seq, last.seq + 1);
    if seq < expected {
        let message = format!("line {number} has the number {seq}, though {} came before it", last.seq);
        report.problem(number, AuditFault::Reordered, message);
    } else if seq > expected {
        let gone = if seq == expected + 1 {
            format!("number {expected} is")
        } else {
            format!("numbers {expected} to {} are", seq - 1)
        };
        report.problem(number, AuditFault::Missing, format!("{gone} missing before line {number}"));
    } else if line.fields.prev != last.hash {
        let message = format!("line {number} does not continue the line before it, which was replaced");
        report.problem(number.saturating_sub(1), AuditFault::Edited, message);
    }
    if line.fields.kind == "gap" {
        let message = match line.fields.expected_seq {
            Some(expected) => {
                format!("the log ended with another line, number {expected}, before line {number} was written")
            }
            None => format!("the head file was gone or damaged when line {number} was written"),
        };
        report.problem(number, AuditFault::Truncated, message);
    }
}

fn check_end(files: &AuditFiles, seen: &mut Seen, report: &mut AuditReport) {
    let last = seen.last.clone().unwrap_or_else(start);
    let head = match fs::read(&files.head).map(|bytes| Head::read(&bytes)) {
        Ok(Head::At(head)) => Some(head),
        Ok(Head::Unreadable) => {
            let message = "the head file cannot be read, so nobody can tell whether the end is whole".to_string();
            report.problem(0, AuditFault::Edited, message);
            return check_torn(seen.torn.as_ref(), report);
        }
        Ok(Head::None) | Err(_) => None,
    };
    match head {
        Some(head) if head.seq > last.seq => {
            let message = format!("the log ends with number {}, but it had {} lines once", last.seq, head.seq);
            report.problem(0, AuditFault::Truncated, message);
        }
        Some(head) if head.seq == last.seq && head.hash != last.hash && report.problems.is_empty() => {
            let message = "the last line is not the one that the head file names".to_string();
            report.problem(report.lines, AuditFault::Edited, message);
        }
        Some(_) => {}
        None if last.seq > 0 => {
            let message = "the head file is gone, so nobody can tell whether the end is whole".to_string();
            report.problem(0, AuditFault::Missing, message);
        }
        None => {}
    }
    check_torn(seen.torn.as_ref(), report);
}

fn check_torn(torn: Option<&Broken>, report: &mut AuditReport) {
    match torn {
        Some(Broken { torn, unfinished: true, .. }) => {
            let note =
                format!("the last line was left unfinished ({} bytes); the next writer goes on after it", torn.bytes);
            report.notes.push(note);
        }
        Some(Broken { at, torn, .. }) => {
            let message =
                format!("line {at} ({} bytes at the end) is no line of the log, nor the beginning of one", torn.bytes);
            report.problem(*at, AuditFault::Edited, message);
        }
        None => {}
    }
}

fn check_anchors(seen: &Seen, report: &mut AuditReport) {
    for (index, (run, anchor)) in seen.wanted.iter().enumerate() {
        report.anchors += 1;
        let met = seen.met.iter().filter(|(met, _)| *met == index);
        let (fault, what) = match met.clone().count() {
            0 => (AuditFault::Truncated, "is not there any more"),
            _ if met.clone().any(|(_, same)| *same) => continue,
            _ => (AuditFault::Edited, "is another one now"),
        };
        let message = format!("run {run} ended with line number {} of the log, which {what}", anchor.seq);
        report.problem(0, fault, message);
    }
}

/// What the traces of runs say of the log.
fn anchors(data: &DataDir) -> Vec<(String, AuditAnchor)> {
    let Ok(runs) = fs::read_dir(data.runs()) else { return Vec::new() };
    let mut found = Vec::new();
    for run in runs.flatten() {
        let name = run.file_name().to_string_lossy().into_owned();
        let anchor = anchor_in(&data.events(&name)).ok().flatten();
        found.extend(anchor.map(|anchor| (name, anchor)));
    }
    found.sort_by_key(|(_, anchor)| anchor.seq);
    found
}

#[derive(Deserialize)]
struct LastEvent {
    result: Option<LastResult>,
}

#[derive(Deserialize)]
struct LastResult {
    audit: Option<AuditAnchor>,
}

/// The anchor in the last line of a trace.
fn anchor_in(path: &Path) -> io::Result<Option<AuditAnchor>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut window: u64 = 64 * 1024;
    loop {
        let from = length.saturating_sub(window);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        (&file).take(length - from).read_to_end(&mut bytes)?;
        let bytes = bytes.trim_ascii_end();
        let begin = bytes.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        if begin.is_some() || from == 0 {
            let line = bytes.get(begin.unwrap_or(0)..).unwrap_or_default();
            let last: Option<LastEvent> = serde_json::from_slice(line).ok();
            let anchor = last.and_then(|last| last.result).and_then(|result| result.audit);
            // A hash that is none says nothing.
            return Ok(anchor.filter(|anchor| anchor.hash.len() == 64));
        }
        if window >= TRACE_TAIL {
            return Ok(None);
        }
        window *= 8;
    }
}

fn open(path: &Path) -> Result<Option<File>, StoreError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::file(path)(error)),
    }
}

/// The next line without its end, and whether it has one. A line of any length takes bounded memory: more than
/// a real one can have is cut, which no hash survives.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut bytes = Vec::new();
    let limit = 2 * LONGEST as u64 + 1;
    if reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        return Ok(Some((bytes, true)));
    }
    if (bytes.len() as u64) < limit {
        return Ok(Some((bytes, false)));
    }
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(Some((bytes, false)));
        }
        match available.iter().position(|byte| *byte == b'\n') {
            Some(at) => {
                reader.consume(at + 1);
                return Ok(Some((bytes, true)));
            }
            None => {
                let length = available.len();
                reader.consume(length);
            }
        }
    }
}
