//! Splits a byte stream into lines with bounded memory. Separate because it is the one place where
//! a stranger decides how much we would have to keep.

/// One line, without its line ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub bytes: Vec<u8>,
    /// The line was longer than the limit and `bytes` is only its beginning.
    pub cut: bool,
}

#[derive(Debug)]
pub struct LineSplitter {
    limit: usize,
    buffer: Vec<u8>,
    /// The rest of a line that was already given out as cut is being thrown away.
    skipping: bool,
}

impl LineSplitter {
    pub fn new(limit: usize) -> Self {
        LineSplitter { limit, buffer: Vec::new(), skipping: false }
    }

    /// Takes the next bytes and gives out the lines they complete. A line that grows past the limit
    /// is given out at once, so that nobody waits for a newline that may never come.
    pub fn push(&mut self, bytes: &[u8], mut give: impl FnMut(Line)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (content, ends) = match piece.strip_suffix(b"\n") {
                Some(content) => (content, true),
                None => (piece, false),
            };
            if !self.skipping {
                let room = self.limit - self.buffer.len();
                if content.len() > room {
                    self.buffer.extend_from_slice(&content[..room]);
                    self.skipping = true;
                    give(self.take(true));
                } else {
                    self.buffer.extend_from_slice(content);
                    if ends {
                        give(self.take(false));
                    }
                }
            }
            if ends {
                self.skipping = false;
            }
        }
    }

    /// What came after the last newline, at the end of the stream.
    pub fn finish(&mut self) -> Option<Line> {
        (!self.buffer.is_empty()).then(|| self.take(false))
    }

    fn take(&mut self, cut: bool) -> Line {
        let mut bytes = std::mem::take(&mut self.buffer);
        if !cut && bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        Line { bytes, cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the pieces; a cut line is shown with a trailing `…`, the unfinished end with `$`.
    fn check(limit: usize, pieces: &[&str], expected: &[&str]) {
        let mut splitter = LineSplitter::new(limit);
        let mut lines = Vec::new();
        for piece in pieces {
            splitter.push(piece.as_bytes(), |line| {
                let text = String::from_utf8(line.bytes).unwrap();
                lines.push(if line.cut { format!("{text}…") } else { text });
            });
        }
        if let Some(rest) = splitter.finish() {
            lines.push(format!("{}$", String::from_utf8(rest.bytes).unwrap()));
        }
        assert_eq!(lines, expected, "{pieces:?}");
    }

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        check(10, &["one\ntwo\n"], &["one", "two"]);
        check(10, &["o", "n", "e\nt", "wo"], &["one", "two$"]);
        check(10, &["\n\r\na\r\n"], &["", "", "a"]);
        check(10, &[], &[]);
        check(3, &["abc\n"], &["abc"]);
    }

    #[test]
    fn long_lines_are_cut_once_and_skipped() {
        check(3, &["abcd\nef\n"], &["abc…", "ef"]);
        check(3, &["abcd", "efgh", "i\nj\n"], &["abc…", "j"]);
        check(3, &["ab", "cdef"], &["abc…"]);
        check(3, &["abcdef\nabcdef\n"], &["abc…", "abc…"]);
    }

    #[test]
    fn memory_stays_bounded_without_a_newline() {
        let mut splitter = LineSplitter::new(1000);
        let mut given = 0;
        for _ in 0..10_000 {
            splitter.push(&[b'x'; 1024], |_| given += 1);
            assert!(splitter.buffer.capacity() <= 2048);
        }
        assert_eq!(given, 1);
    }
}
