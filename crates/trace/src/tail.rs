//! A trace that still grows: bytes in as they are found, whole events out. The half line at the end is kept
//! until the rest of it has been written.

use serde::Deserialize;
use surehand_types::event::Envelope;

use crate::read::{Ending, MAX_LINE_BYTES, ProblemKind, TraceRead};

/// Reads one trace piece by piece. Every event comes out once.
#[derive(Debug, Default)]
pub struct TraceTail {
    read: TraceRead,
    rest: Vec<u8>,
    lines: usize,
    last_seq: u64,
    /// Events up to this one are passed over.
    known: u64,
    /// The line that is being read is over the limit and skipped, with so many bytes already.
    skipped: Option<usize>,
}

/// All that has to be read of an event that is passed over.
#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

impl TraceTail {
    /// Without the events up to this one: they are not even decoded.
    pub fn after(known: u64) -> TraceTail {
        TraceTail { known, ..TraceTail::default() }
    }

    /// The events that these bytes complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Envelope> {
        let mut left = bytes;
        while let Some(at) = left.iter().position(|byte| *byte == b'\n') {
            self.keep(&left[..at]);
            self.end_of_line(Ending::Whole);
            left = &left[at + 1..];
        }
        self.keep(left);
        std::mem::take(&mut self.read.events)
    }

    /// Nothing more will be written. What is left may be a whole event without its line break, or half of one.
    pub fn finish(mut self) -> TraceRead {
        self.end_of_line(Ending::MaybeTorn);
        self.read
    }

    fn keep(&mut self, part: &[u8]) {
        match &mut self.skipped {
            Some(bytes) => *bytes += part.len(),
            None if self.rest.len() + part.len() > MAX_LINE_BYTES => {
                self.skipped = Some(self.rest.len() + part.len());
                self.rest = Vec::new();
            }
            None => self.rest.extend_from_slice(part),
        }
    }

    fn end_of_line(&mut self, ending: Ending) {
        self.lines += 1;
        let line = std::mem::take(&mut self.rest);
        if let Some(bytes) = self.skipped.take() {
            self.read.problem(self.lines, ProblemKind::LineTooLong { bytes });
        } else if let Some(seq) = self.passed_over(&line) {
            self.last_seq = seq;
        } else if !line.trim_ascii().is_empty() {
            let mut expected = self.last_seq + 1;
            self.read.take(&line, self.lines, &mut expected, ending);
            self.last_seq = expected.saturating_sub(1);
        }
    }

    /// The number of an event that is known.
    fn passed_over(&self, line: &[u8]) -> Option<u64> {
        // Once what is known is behind, no line is looked at twice.
        let may_be_known = self.last_seq < self.known;
        let numbered: Numbered = may_be_known.then(|| serde_json::from_slice(line).ok())??;
        (numbered.seq <= self.known).then_some(numbered.seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seq: u64) -> String {
        format!(
            "{{\"v\":1,\"seq\":{seq},\"at\":\"\",\"run_id\":\"r\",\"type\":\"note\",\"level\":\"info\",\"message\":\"ü{seq}\"}}\n"
        )
    }

    #[test]
    fn any_cut_of_the_bytes_gives_every_event_once() {
        let text: String = (1..=3).map(line).collect();
        for cut in 0..text.len() {
            let mut tail = TraceTail::default();
            let mut seen = tail.feed(&text.as_bytes()[..cut]);
            seen.extend(tail.feed(&text.as_bytes()[cut..]));
            assert_eq!(seen.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3], "{cut}");
            assert_eq!(tail.finish(), TraceRead::default());
        }
    }

    #[test]
    fn what_is_known_is_passed_over() {
        let text: String = (1..=4).map(line).collect();
        for known in 0..=5 {
            let mut tail = TraceTail::after(known);
            let seen: Vec<u64> = tail.feed(text.as_bytes()).iter().map(|event| event.seq).collect();
            assert_eq!(seen, (known + 1..=4).collect::<Vec<_>>(), "{known}");
            assert_eq!(tail.finish(), TraceRead::default());
        }
        let mut tail = TraceTail::after(2);
        let seen = tail.feed(format!("{}what\n{}{}", line(1), line(2), line(3)).as_bytes());
        assert_eq!(seen.len(), 1);
        assert_eq!(tail.finish().problems.len(), 1, "garbage in between is told all the same");
    }

    #[test]
    fn a_torn_end_a_gap_and_garbage_are_problems_and_not_events() {
        let mut tail = TraceTail::default();
        let text = format!("{}what\n{}{{\"v\":1,\"se", line(1), line(4));
        assert_eq!(tail.feed(text.as_bytes()).len(), 2);
        let kinds: Vec<ProblemKind> = tail.finish().problems.into_iter().map(|problem| problem.kind).collect();
        assert!(matches!(
            kinds[..],
            [
                ProblemKind::Garbage { .. },
                ProblemKind::SequenceGap { expected: 2, found: 4 },
                ProblemKind::TornLastLine
            ]
        ));
    }

    #[test]
    fn a_line_without_its_break_is_whole_at_the_end_and_an_endless_one_is_not_held() {
        let mut tail = TraceTail::default();
        assert_eq!(tail.feed(line(1).trim_end().as_bytes()), []);
        assert_eq!(tail.finish().events.len(), 1);

        let mut tail = TraceTail::default();
        for _ in 0..3 {
            tail.feed(&vec![b'x'; MAX_LINE_BYTES / 2]);
        }
        assert!(tail.rest.is_empty());
        assert_eq!(tail.feed(format!("\n{}", line(1)).as_bytes()).len(), 1);
        assert!(matches!(tail.finish().problems[0].kind, ProblemKind::LineTooLong { .. }));
    }
}
