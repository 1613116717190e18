//! Traces that somebody else wrote: read, shown and imported.

use std::sync::LazyLock;

use proptest::strategy::BoxedStrategy;
use serde_json::Value;
use surehand_store::{DataDir, Store};
use surehand_trace::report::{html, terminal};
use surehand_trace::{MemoryFrames, Timeline, read_trace};

use super::{wait_for, with_file};
use crate::generate::mutated_json_lines;
use crate::{Target, holds, is_sentence};

pub(super) const TRACES: Target = Target { name: "traces", cases: 60, input: traces, check: check_trace };
pub(super) const IMPORTS: Target = Target { name: "imports", cases: 30, input: traces, check: check_import };

/// A run as it was recorded.
const RECORDED: &str = include_str!("../../samples/trace.jsonl");

fn traces() -> BoxedStrategy<Vec<u8>> {
    let lines: Vec<Value> = RECORDED.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    mutated_json_lines(lines)
}

fn check_trace(input: &[u8]) -> Result<(), String> {
    let read = read_trace(input);
    holds(read.events.len() <= input.len(), || format!("{} events", read.events.len()))?;
    let timeline = Timeline::from_read(read);
    let page = html::render(&timeline, &MemoryFrames::default());
    let text = terminal::render(&timeline, &terminal::TerminalOptions::default());
    // The page brings its own styles and scripts; the rest grows with what was read.
    let most = 1_000_000 + 60 * input.len();
    holds(page.len() <= most, || format!("a page of {} bytes from {}", page.len(), input.len()))?;
    holds(text.len() <= most, || format!("a text of {} bytes from {}", text.len(), input.len()))?;
    holds(!text.contains('\u{1b}'), || "an escape sequence reaches the terminal".into())
}

/// A store for all imports of this process.
struct Place {
    store: Option<Store>,
    _folder: Option<tempfile::TempDir>,
}

static PLACE: LazyLock<Place> = LazyLock::new(|| {
    let folder = tempfile::tempdir().ok();
    let data = folder.as_ref().and_then(|folder| DataDir::open(folder.path().join("data")).ok());
    let store = data.and_then(|data| wait_for(Store::open(&data)).ok());
    Place { store, _folder: folder }
});

fn check_import(input: &[u8]) -> Result<(), String> {
    let store = PLACE.store.as_ref().ok_or("no store could be made")?;
    with_file(input, |path| match wait_for(store.import(path)) {
        Ok(imported) => {
            let removed = wait_for(store.remove(&[imported.run_id]));
            removed.map(drop).map_err(|error| format!("an imported run cannot be removed: {error}"))
        }
        Err(error) => is_sentence(&error.to_string()),
    })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_right() {
        let read = read_trace(RECORDED.as_bytes());
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!(read.events.len(), RECORDED.lines().count());
    }
}
