//! The one error type of this crate. What a person can do something about ends with a hint.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the data folder {} cannot be used: {source}\nhint: choose a folder you can write to with --data DIR", path.display())]
    DataDir { path: PathBuf, source: std::io::Error },
    #[error("there is no home folder to keep data in\nhint: set HOME, or choose a folder with --data DIR")]
    NoHome,
    #[error("the index {} could not be opened: {source}\nhint: is another program holding it? It can be deleted, it is rebuilt from the runs", path.display())]
    OpenIndex { path: PathBuf, source: sqlx::Error },
    #[error(
        "the index was written by a newer Surehand (schema {found}, this one knows {known})\nhint: use that newer version, or another folder with --data DIR"
    )]
    NewerIndex { found: i64, known: i64 },
    #[error("the index failed: {0}")]
    Index(#[from] sqlx::Error),
    #[error("the lessons {} are damaged or no database ({source})\nhint: move the file away and go on with none, or put an export back with: surehand lessons import FILE --own", path.display())]
    DamagedLessons { path: PathBuf, source: sqlx::Error },
    #[error(
        "the lessons were written by a newer Surehand (schema {found}, this one knows {known})\nhint: use that newer version, or another folder with --data DIR"
    )]
    NewerLessons { found: i64, known: i64 },
    #[error("the lessons could not be read or written: {0}")]
    Lessons(String),
    #[error("the queue could not be read or written: {0}")]
    Jobs(String),
    #[error(
        "the queue was written by a newer Surehand (schema {found}, this one knows {known})\nhint: use that newer version, or another folder with --data DIR"
    )]
    NewerJobs { found: i64, known: i64 },
    #[error("no lesson matches {text:?}\nhint: `surehand lessons ls` lists them")]
    NoSuchLesson { text: String },
    #[error("{text:?} matches several lessons: {}\nhint: give more characters of the id", matches.join(", "))]
    AmbiguousLesson { text: String, matches: Vec<String> },
    #[error("there are no runs yet\nhint: start one with: surehand run \"TASK\" --url URL")]
    NoRuns,
    #[error("no run matches {text:?}\nhint: `surehand runs` lists them")]
    NoSuchRun { text: String },
    #[error("the run {run_id} has no trace\nhint: it has not begun yet, or it is being removed")]
    NoTrace { run_id: String },
    #[error("{text:?} matches several runs: {}\nhint: give more characters of the id", matches.join(", "))]
    AmbiguousRun { text: String, matches: Vec<String> },
    #[error("run {run_id} is still running\nhint: stop it first, then remove it")]
    StillRunning { run_id: String },
    #[error("{} cannot be written: {source}\nhint: choose a folder you can write to", path.display())]
    Export { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Film(surehand_trace::TraceError),
    #[error("{} {reason}\nhint: give a folder or a file that `surehand runs export` wrote; nothing was changed", path.display())]
    Import { path: PathBuf, reason: String },
    #[error("{} cannot be read or changed: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("a background task of the store was stopped")]
    Stopped,
}

impl StoreError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::File { path, source }
    }
}
