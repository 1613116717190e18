//! Server-sent events out of bytes as they come. Whatever the bytes are, this gives messages or drops them.

/// Largest message, in bytes: the last event of a run holds its whole result.
const MESSAGE_CAP: usize = 256 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Message {
    pub(crate) id: Option<String>,
    pub(crate) event: String,
    pub(crate) data: String,
}

#[derive(Debug, Default)]
pub(crate) struct Reader {
    line: Vec<u8>,
    /// Bytes of `line` that hold no end of a line.
    searched: usize,
    message: Message,
    size: usize,
}

/// A message is larger than any that a server of ours sends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Reader {
    /// The messages that these bytes complete, in order.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Message>, TooLarge> {
        self.size += bytes.len();
        self.line.extend_from_slice(bytes);
        let mut messages = Vec::new();
        while let Some(end) = self.line[self.searched..].iter().position(|byte| *byte == b'\n') {
            let rest = self.line.split_off(self.searched + end + 1);
            let line = std::mem::replace(&mut self.line, rest);
            self.searched = 0;
            let line = String::from_utf8_lossy(&line);
            if let Some(message) = self.read(line.trim_end_matches(['\r', '\n'])) {
                messages.push(message);
                self.size = self.line.len();
            }
        }
        self.searched = self.line.len();
        if self.size > MESSAGE_CAP { Err(TooLarge) } else { Ok(messages) }
    }

    fn read(&mut self, line: &str) -> Option<Message> {
        if line.is_empty() {
            let message = std::mem::take(&mut self.message);
            return (!message.data.is_empty()).then_some(message);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.message.id = Some(value.to_string()),
            "event" => self.message.event = value.to_string(),
            "data" => {
                if !self.message.data.is_empty() {
                    self.message.data.push('\n');
                }
                self.message.data.push_str(value);
            }
            // A comment, which keeps the connection alive, or a field that nobody here knows.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8], size: usize) -> Vec<Message> {
        let mut reader = Reader::default();
        bytes.chunks(size.max(1)).flat_map(|part| reader.take(part).unwrap()).collect()
    }

    #[test]
    fn messages_come_whole_however_they_are_cut() {
        let text = ": hello\n\nid: 1\nevent: trace\ndata: {\"a\":1}\n\nevent: status\r\ndata: x\r\ndata: y\r\n\r\nid: 2\ndata: ü";
        let message = |id: Option<&str>, event: &str, data: &str| Message {
            id: id.map(str::to_string),
            event: event.into(),
            data: data.into(),
        };
        for size in 1..text.len() {
            let expected = [message(Some("1"), "trace", "{\"a\":1}"), message(None, "status", "x\ny")];
            assert_eq!(all(text.as_bytes(), size), expected, "the last one is not complete");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived_and_cuts_do_not_matter(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b':'), Just(b'd'), any::<u8>()], 0..300),
            size in 1_usize..50,
        ) {
            prop_assert_eq!(all(&bytes, size), all(&bytes, bytes.len()));
        }
    }
}
