//! The layout of the data folder. Every path inside it is made here and nowhere else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use crate::error::StoreError;

/// An existing, writable data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir {
    root: PathBuf,
}

const FOLDERS: &[&str] = &["runs", "frames", "sessions", "owners"];

impl DataDir {
    /// Creates what is missing, private to the user, and proves that it can be written to.
    pub fn open(path: impl Into<PathBuf>) -> Result<DataDir, StoreError> {
        let root = path.into();
        prepare(&root).map_err(|source| StoreError::DataDir { path: root.clone(), source })?;
        Ok(DataDir { root })
    }

    /// The `surehand` folder in the user's XDG data folder.
    pub fn default_path() -> Result<PathBuf, StoreError> {
        let base = choose_base_strategy().map_err(|_| StoreError::NoHome)?;
        Ok(base.data_dir().join("surehand"))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    pub fn run(&self, run_id: &str) -> PathBuf {
        self.runs().join(run_id)
    }

    pub fn events(&self, run_id: &str) -> PathBuf {
        self.run(run_id).join("events.jsonl")
    }

    /// The picture beside a question that somebody is asked.
    pub fn asked(&self, run_id: &str) -> PathBuf {
        self.run(run_id).join("asked")
    }

    pub fn frames(&self) -> PathBuf {
        self.root.join("frames")
    }

    /// Browser profiles that outlive a run.
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// Notes about processes that have to be cleaned up after a crash.
    pub fn owners(&self) -> PathBuf {
        self.root.join("owners")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.root.join("index.db")
    }

    /// What runs have taught. It can be made from nothing else, so it is a file of its own beside the index.
    pub fn lessons(&self) -> PathBuf {
        self.root.join("lessons.db")
    }

    /// What a server was asked to do.
    pub(crate) fn jobs(&self) -> PathBuf {
        self.root.join("jobs.db")
    }

    /// Held while the queue is opened and migrated.
    pub(crate) fn jobs_lock(&self) -> PathBuf {
        self.root.join("jobs.lock")
    }

    /// Held by the server that works on this folder.
    pub fn server_lock(&self) -> PathBuf {
        self.root.join("server.lock")
    }

    /// Held while the lessons are opened and migrated.
    pub(crate) fn lessons_lock(&self) -> PathBuf {
        self.root.join("lessons.lock")
    }

    /// Held while the index is opened, checked, moved aside or rebuilt.
    pub(crate) fn index_lock(&self) -> PathBuf {
        self.root.join("index.lock")
    }

    /// Which process runs the run; lets a rebuilt index tell running from interrupted.
    pub(crate) fn process_file(&self, run_id: &str) -> PathBuf {
        self.run(run_id).join("process.json")
    }
}

fn prepare(root: &Path) -> io::Result<()> {
    create_private(root)?;
    for folder in FOLDERS {
        create_private(&root.join(folder))?;
    }
    let probe = root.join(format!(".write-probe-{}", std::process::id()));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}

/// Creates a folder only its owner can enter. An existing one keeps the mode its owner gave it.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Run ids become folder names, so only their own alphabet is let through.
pub(crate) fn is_run_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_creates_private_folders_and_leaves_no_probe() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("deep/data");
        let data = DataDir::open(&root).unwrap();
        DataDir::open(&root).unwrap();
        for folder in FOLDERS {
            assert!(data.root().join(folder).is_dir(), "{folder}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&root).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        let left: Vec<_> = fs::read_dir(&root).unwrap().collect();
        assert_eq!(left.len(), FOLDERS.len());
    }

    #[test]
    fn a_path_that_cannot_be_a_folder_is_one_clear_error() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("file");
        fs::write(&file, b"x").unwrap();
        let error = DataDir::open(file.join("data")).unwrap_err().to_string();
        assert!(error.starts_with("the data folder "), "{error}");
        assert!(error.contains("\nhint: "), "{error}");
    }

    #[test]
    fn only_ids_are_ids() {
        assert!(is_run_id(&crate::new_run_id()));
        for text in ["", "..", "a/b", "A", "a b", &"x".repeat(65)] {
            assert!(!is_run_id(text), "{text:?}");
        }
    }
}
