//! Labelled screenshots: a folder of pictures and a `truth.json` beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use surehand_checks::picture;
use surehand_types::Pixels;

#[derive(Debug)]
pub(super) struct LabelledFrame {
    pub(super) name: String,
    pub(super) pixels: Pixels,
    pub(super) rows: Vec<LabelledRow>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct LabelledRow {
    pub(super) name: String,
    pub(super) steps: u32,
    pub(super) active: Vec<u32>,
    #[serde(default)]
    pub(super) muted: bool,
    /// Every cell of the row can be seen.
    #[serde(default = "yes")]
    pub(super) visible: bool,
    #[serde(default = "yes")]
    pub(super) label_visible: bool,
}

#[derive(Debug, Deserialize)]
struct Truth {
    rows: Vec<LabelledRow>,
}

fn yes() -> bool {
    true
}

/// The screenshots that come with the perception's tests.
pub(super) fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../perceive/tests/shots")
}

pub(super) fn load(folder: &Path) -> Result<Vec<LabelledFrame>> {
    let shown = folder.display();
    let file = folder.join("truth.json");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let truth: BTreeMap<String, Truth> =
        serde_json::from_str(&text).with_context(|| format!("{shown}/truth.json is not understood"))?;
    let mut frames = Vec::new();
    for (name, truth) in truth {
        let bytes = std::fs::read(folder.join(&name)).with_context(|| format!("cannot read {shown}/{name}"))?;
        frames.push(LabelledFrame { pixels: picture::decode(&bytes)?, rows: truth.rows, name });
    }
    Ok(frames)
}
