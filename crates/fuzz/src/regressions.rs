//! Inputs that once failed, one file each, tried first ever after.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::Target;

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions")
}

/// The kept inputs of a target, with their file names.
pub fn inputs(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder().join(target.name))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, std::fs::read(entry.path()).ok()?)))
        .collect();
    found.sort();
    found
}

/// Keeps an input; returns its file.
pub fn keep(target: &Target, input: &[u8]) -> std::io::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let folder = folder().join(target.name);
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{:016x}", hasher.finish()));
    std::fs::write(&file, input)?;
    Ok(file)
}
