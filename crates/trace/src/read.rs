//! The tolerant reader. A trace may end in the middle of a line (kill -9), hold garbage, or come
//! from a newer Surehand: whatever can be read is read, everything else is reported as data.

use std::fmt;
use std::io::{self, BufRead};

use serde_json::Value;
use surehand_types::event::{Envelope, TRACE_VERSION};

/// Longest line that is read or written. A run's last event carries its whole trajectory, which
/// is a few megabytes for long runs.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// More problems than this are counted and not kept.
const MAX_PROBLEMS: usize = 200;

const KNOWN_TYPES: &[&str] = &[
    "run_started",
    "frame",
    "turn_started",
    "replied",
    "call_started",
    "step",
    "not_run",
    "environment",
    "confirmation",
    "note",
    "run_ended",
];

/// What could be read, and what could not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceRead {
    pub events: Vec<Envelope>,
    pub problems: Vec<TraceProblem>,
    /// Problems beyond those kept.
    pub more_problems: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceProblem {
    /// Counted from 1.
    pub line: usize,
    pub kind: ProblemKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// Not an event at all, or one with wrong fields.
    Garbage {
        detail: String,
    },
    /// The last line stops in the middle: the writer was killed while writing it.
    TornLastLine,
    /// Written by a newer Surehand.
    NewerVersion {
        version: u64,
    },
    UnknownEvent {
        name: String,
    },
    SequenceGap {
        expected: u64,
        found: u64,
    },
    LineTooLong {
        bytes: usize,
    },
    /// Reading stopped here.
    Unreadable {
        detail: String,
    },
}

/// Reads a whole trace. Never fails: an unreadable source is an empty trace with a problem.
pub fn read_trace(mut source: impl BufRead) -> TraceRead {
    let mut read = TraceRead::default();
    let mut expected_seq = 1;
    let mut line_number = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        line_number += 1;
        let end = match next_line(&mut source, &mut line) {
            Ok(end) => end,
            Err(error) => {
                let detail = error.to_string();
                read.problem(line_number, ProblemKind::Unreadable { detail });
                return read;
            }
        };
        match end {
            LineEnd::TooLong { bytes } => {
                read.problem(line_number, ProblemKind::LineTooLong { bytes });
            }
            LineEnd::Break | LineEnd::EndOfSource if line.trim_ascii().is_empty() => {}
            LineEnd::Break => read.take(&line, line_number, &mut expected_seq, Ending::Whole),
            LineEnd::EndOfSource => {
                read.take(&line, line_number, &mut expected_seq, Ending::MaybeTorn);
            }
        }
        if matches!(end, LineEnd::EndOfSource) {
            return read;
        }
    }
}

enum LineEnd {
    Break,
    EndOfSource,
    TooLong { bytes: usize },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ending {
    Whole,
    MaybeTorn,
}

/// Fills `line` up to the next line break. A line over the limit is skipped without being held.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineEnd> {
    let mut length = 0;
    loop {
        let available = match source.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(if length > MAX_LINE_BYTES && line.is_empty() {
                LineEnd::TooLong { bytes: length }
            } else {
                LineEnd::EndOfSource
            });
        }
        let break_at = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..break_at.unwrap_or(available.len())];
        length += part.len();
        if length <= MAX_LINE_BYTES {
            line.extend_from_slice(part);
        } else {
            line.clear();
        }
        let used = break_at.map_or(part.len(), |position| position + 1);
        source.consume(used);
        if break_at.is_some() {
            return Ok(if length > MAX_LINE_BYTES { LineEnd::TooLong { bytes: length } } else { LineEnd::Break });
        }
    }
}

impl TraceRead {
    pub(crate) fn problem(&mut self, line: usize, kind: ProblemKind) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(TraceProblem { line, kind });
        } else {
            self.more_problems += 1;
        }
    }

    pub(crate) fn take(&mut self, line: &[u8], number: usize, expected_seq: &mut u64, ending: Ending) {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                let kind = if ending == Ending::MaybeTorn {
                    ProblemKind::TornLastLine
                } else {
                    ProblemKind::Garbage { detail: shortened(&error) }
                };
                return self.problem(number, kind);
            }
        };
        let version = value.get("v").and_then(Value::as_u64);
        let seq = value.get("seq").and_then(Value::as_u64);
        let name = value.get("type").and_then(Value::as_str).map(str::to_owned);
        if let (Some(_), Some(seq)) = (version, seq) {
            if seq != *expected_seq {
                let expected = *expected_seq;
                self.problem(number, ProblemKind::SequenceGap { expected, found: seq });
            }
            *expected_seq = seq.saturating_add(1);
        }
        if let Some(version) = version.filter(|version| *version > u64::from(TRACE_VERSION)) {
            self.problem(number, ProblemKind::NewerVersion { version });
        }
        match (serde_json::from_value::<Envelope>(value), name) {
            (Ok(envelope), _) => self.events.push(envelope),
            (Err(_), Some(name)) if !KNOWN_TYPES.contains(&name.as_str()) => {
                let name = name.chars().take(60).collect();
                self.problem(number, ProblemKind::UnknownEvent { name });
            }
            (Err(error), _) => {
                self.problem(number, ProblemKind::Garbage { detail: shortened(&error) });
            }
        }
    }
}

/// The error quotes what it did not expect, which may be as long as the line.
fn shortened(error: &serde_json::Error) -> String {
    error.to_string().chars().take(300).collect()
}

impl fmt::Display for TraceProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            ProblemKind::Garbage { detail } => write!(f, "not a readable event ({detail})"),
            ProblemKind::TornLastLine => {
                write!(f, "the last event is cut off; the run was killed while writing it")
            }
            ProblemKind::NewerVersion { version } => write!(
                f,
                "written in trace format {version}, this Surehand knows {TRACE_VERSION}; parts may be missing"
            ),
            ProblemKind::UnknownEvent { name } => {
                write!(f, "an event of the unknown type {name:?} was skipped")
            }
            ProblemKind::SequenceGap { expected, found } => {
                write!(f, "event {expected} was expected, event {found} was found")
            }
            ProblemKind::LineTooLong { bytes } => {
                write!(f, "a line of {} MiB was skipped, it is over the limit", bytes / (1024 * 1024))
            }
            ProblemKind::Unreadable { detail } => write!(f, "reading stopped here ({detail})"),
        }
    }
}
