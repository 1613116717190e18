//! YAML as data, within bounds. Aliases are read, but only as many as people write.

use serde_json::Value;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use crate::limits;
use crate::problem::{Problems, quoted_sentence};

const DEPTH: usize = 100;

pub(super) fn parse(text: &str) -> Result<Value, Problems> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH,
            max_documents: 1,
            max_nodes: limits::FILE_BYTES / 4,
            max_events: limits::FILE_BYTES,
            max_total_scalar_bytes: limits::FILE_BYTES * 2,
            max_aliases: limits::LIST,
            max_anchors: limits::LIST,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let said = error.to_string();
        let line = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        // Advice of the reader for programmers.
        let line = line.replace(", set DuplicateKeyPolicy in Options if acceptable", "");
        let said = format!("the plan is not YAML: {}", quoted_sentence(&line));
        Problems::one("", said, "texts with `:`, `{` or `#` want quotes")
    })
}
