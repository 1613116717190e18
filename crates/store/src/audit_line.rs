//! One line of the audit log: a JSON object whose last field is the SHA-256 of the hash before it, a line
//! break, and the line itself without that field, byte for byte as it is written.

use serde::Deserialize;
use serde_json::{Map, Value};
use surehand_trace::content_hash;
use surehand_types::result::AuditAnchor;

/// The hash before the first line.
pub(crate) const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Longest line. What is longer is cut in its texts before it is sealed.
pub(crate) const LONGEST: usize = 16 * 1024;
/// Characters of one text in a line.
const TEXT_CHARS: usize = 600;

const SEAL: &str = ",\"hash\":\"";
const LINK: &str = ",\"prev\":\"";

#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) fields: Fields,
}

/// What the chain needs of a line.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Fields {
    pub(crate) seq: u64,
    pub(crate) kind: String,
    pub(crate) prev: String,
    pub(crate) hash: String,
    #[serde(default)]
    pub(crate) torn_sha256: Option<String>,
    #[serde(default)]
    pub(crate) expected_seq: Option<u64>,
}

/// A line that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TornLine {
    pub(crate) bytes: usize,
    pub(crate) sha256: String,
}

impl TornLine {
    pub(crate) fn of(bytes: &[u8]) -> TornLine {
        TornLine { bytes: bytes.len(), sha256: content_hash(bytes) }
    }
}

/// Why a line is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoLine {
    /// It is not of the form that a line has.
    Unreadable,
    /// Its hash is not that of its text.
    Edited,
}

impl Line {
    /// `body` has everything but the hash; `prev` is in it.
    pub(crate) fn seal(body: Map<String, Value>) -> Line {
        let mut body = Value::Object(body);
        shorten(&mut body);
        let text = |body: &Value| body.to_string();
        let mut written = text(&body);
        if written.len() > LONGEST {
            // Only a crowd of fields comes here; the chain matters more than they do.
            let keep = ["v", "seq", "at", "run", "kind", "prev"];
            if let Value::Object(map) = &mut body {
                map.retain(|name, _| keep.contains(&name.as_str()));
            }
            written = text(&body);
        }
        let field = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
        let hash = sealed(&field("prev"), &written);
        let open = written.strip_suffix('}').unwrap_or(&written);
        let line = format!("{open}{SEAL}{hash}\"}}");
        Line {
            fields: Fields {
                seq: body.get("seq").and_then(Value::as_u64).unwrap_or_default(),
                kind: field("kind"),
                prev: field("prev"),
                torn_sha256: None,
                expected_seq: None,
                hash,
            },
            text: line,
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Line, NoLine> {
        let text = std::str::from_utf8(bytes).map_err(|_| NoLine::Unreadable)?;
        if text.len() > 2 * LONGEST {
            return Err(NoLine::Unreadable);
        }
        let fields: Fields = serde_json::from_str(text).map_err(|_| NoLine::Unreadable)?;
        let end = format!("{SEAL}{}\"}}", fields.hash);
        let open = text.strip_suffix(end.as_str()).ok_or(NoLine::Edited)?;
        if sealed(&fields.prev, &format!("{open}}}")) != fields.hash {
            return Err(NoLine::Edited);
        }
        Ok(Line { text: text.to_string(), fields })
    }

    /// Whether it is the one that was written after `last`.
    pub(crate) fn continues(&self, last: &AuditAnchor) -> bool {
        last.seq.checked_add(1) == Some(self.fields.seq) && self.fields.prev == last.hash
    }

    pub(crate) fn anchor(&self) -> AuditAnchor {
        AuditAnchor { seq: self.fields.seq, hash: self.fields.hash.clone() }
    }
}

/// Whether this is what a broken-off write of the line after `last` leaves: the beginning of such a line, or all of it
/// but the line break. Anything else at the end of the log was put there by somebody.
pub(crate) fn is_unfinished(bytes: &[u8], last: &AuditAnchor) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // Cut within a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let agree = |text: &str, expected: &str| text.starts_with(expected) || expected.starts_with(text);
    let beginning = format!("{{\"v\":1,\"seq\":{},\"at\":\"", last.seq.saturating_add(1));
    let link = text.rfind(LINK).map(|at| &text[at + LINK.len()..]);
    let is_linked = link.is_none_or(|link| agree(link, &format!("{}\"{SEAL}", last.hash)));
    if text.is_empty() || bytes.len() > 2 * LONGEST || !agree(text, &beginning) || !is_linked {
        return false;
    }
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => Line::read(bytes).is_ok_and(|line| line.continues(last)),
        Err(error) => error.is_eof(),
    }
}

fn sealed(prev: &str, body: &str) -> String {
    content_hash(format!("{prev}\n{body}").as_bytes())
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().count() > TEXT_CHARS => {
            *text = text.chars().take(TEXT_CHARS).chain(['…']).collect();
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(map) => map.values_mut().for_each(shorten),
        _ => {}
    }
}
