//! Where events and frames go, as traits: files in `store`, memory in tests. Separate from the
//! writer so that nothing can be written without passing the writer's redaction.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use surehand_types::Encoding;

/// Takes finished lines, in order. A line counts as written when `append_line` returns.
pub trait EventSink: Send {
    /// `line` has no line break in it; the sink adds the one that ends it.
    fn append_line(&mut self, line: &str) -> io::Result<()>;
}

/// Takes encoded frames and names them by what they contain.
pub trait FrameSink: Send + Sync {
    /// Stores the bytes once and returns their SHA-256 as hex.
    fn put(&self, bytes: &[u8], encoding: Encoding) -> io::Result<String>;
}

/// Gives stored frames back, for reports and exports.
pub trait FrameLibrary {
    /// `None` when there is no such frame, or when what is stored no longer has that hash.
    fn get(&self, sha256: &str) -> Option<Vec<u8>>;
}

/// The name of some bytes: SHA-256 as lower-case hex.
pub fn content_hash(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Lines in memory. Clones share the same lines, so a test keeps one to look at.
#[derive(Debug, Clone, Default)]
pub struct MemoryEvents {
    lines: Arc<Mutex<Vec<String>>>,
}

/// Frames in memory.
#[derive(Debug, Default)]
pub struct MemoryFrames {
    frames: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemoryEvents {
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All lines as a file would hold them.
    pub fn text(&self) -> String {
        self.lines().iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

impl EventSink for MemoryEvents {
    fn append_line(&mut self, line: &str) -> io::Result<()> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_string());
        Ok(())
    }
}

impl MemoryFrames {
    pub fn len(&self) -> usize {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl FrameSink for MemoryFrames {
    fn put(&self, bytes: &[u8], _encoding: Encoding) -> io::Result<String> {
        let hash = content_hash(bytes);
        self.frames
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(hash.clone())
            .or_insert_with(|| bytes.to_vec());
        Ok(hash)
    }
}

impl FrameLibrary for MemoryFrames {
    fn get(&self, sha256: &str) -> Option<Vec<u8>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).get(sha256).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_are_kept_once_under_their_hash() {
        let frames = MemoryFrames::default();
        let first = frames.put(b"abc", Encoding::Png).unwrap();
        let second = frames.put(b"abc", Encoding::Png).unwrap();
        assert_eq!(first, second);
        assert_eq!(first, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(frames.len(), 1);
        assert_eq!(frames.get(&first).unwrap(), b"abc");
        assert_eq!(frames.get("00"), None);
    }
}
