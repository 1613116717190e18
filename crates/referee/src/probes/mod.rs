//! What the referee may ask the world beside the picture. A trait, because browsers, servers and databases are
//! known elsewhere; whatever is not there, fails or takes too long makes a check unknown, never passed.

mod files;

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use serde_json::Value;

pub use files::Folders;

/// Why a probe has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotProbed {
    /// There is nobody to ask: no browser, only a picture.
    #[error("not_available: {0}")]
    Unavailable(String),
    /// Somebody was asked and could not say.
    #[error("probe_failed: {0}")]
    Failed(String),
}

pub type Probed<T> = Result<T, NotProbed>;

/// The active page, as its browser tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageFacts {
    pub url: Option<String>,
    pub title: Option<String>,
}

/// Elements that are looked for in the active page, its frames and its shadow roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomQuery {
    /// CSS.
    pub selector: String,
    /// The attribute that is asked for, if any.
    pub attribute: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DomElement {
    /// As it is shown (`innerText`), with single spaces at line ends removed or not; it is compared by pattern.
    pub text: String,
    /// Has a box, is not hidden, and is not transparent.
    pub visible: bool,
    /// The asked attribute; `None` where the element has none.
    pub attribute: Option<String>,
    /// What a field holds now, which is not what its attribute says; `None` for what is no field.
    pub value: Option<String>,
    /// Whether a box is ticked; `None` for what cannot be.
    pub checked: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DomAnswer {
    pub elements: Vec<DomElement>,
    /// Why there may be more: a frame did not answer, the list was cut. What is missing proves nothing then.
    pub incomplete: Option<String>,
}

/// Tables that are looked for in the active page, its frames and its shadow roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableQuery {
    /// CSS.
    pub selector: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableFound {
    pub headings: Vec<String>,
    /// Texts as they are shown, what fields hold, and whether boxes are ticked; only rows that are shown.
    pub rows: Vec<Vec<Value>>,
    pub visible: bool,
    /// How many rows the table says that it has, drawn or not; `None` where it does not say.
    pub total: Option<u64>,
    /// There were more rows than were read.
    pub cut: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableAnswer {
    pub tables: Vec<TableFound>,
    /// Why there may be more.
    pub incomplete: Option<String>,
}

/// Always GET. Redirects are followed where they stay with the same server. Credentials are never part of a contract:
/// headers only name them, and whoever asks puts them in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    pub url: url::Url,
    pub headers: Vec<(String, String)>,
    /// With the cookies of the run's browser. Who cannot do that answers `Unavailable`.
    pub with_session: bool,
    /// A redirect is what is asked for, so it is not followed.
    pub keep_redirect: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    pub status: u16,
    pub body: Vec<u8>,
    /// The body was longer than what was read.
    pub cut: bool,
    /// Where the answer came from, when the server led to another place than the one that was asked.
    pub led_to: Option<String>,
}

/// Files below the contract's folder, or below a folder that was named at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileQuery {
    pub root: Option<String>,
    /// Relative, checked when the contract was read.
    pub pattern: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Below the folder, with `/`.
    pub path: String,
    pub bytes: u64,
    pub modified: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileAnswer {
    pub files: Vec<FoundFile>,
    /// Why there may be more.
    pub incomplete: Option<String>,
}

/// One SELECT. The database has to be opened for reading only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlQuery {
    pub root: Option<String>,
    /// Relative; `Folders::resolve` makes a file of it that is surely below its folder.
    pub db: String,
    pub sql: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SqlAnswer {
    /// Cells as JSON: texts, numbers, null; bytes as a text of hexadecimal digits.
    pub rows: Vec<Vec<Value>>,
    /// There were more rows than were read.
    pub cut: bool,
}

/// Everything that can be asked. What is not overridden is not available.
#[async_trait]
pub trait Probes: Send + Sync {
    async fn page(&self) -> Probed<PageFacts> {
        Err(NotProbed::Unavailable("there is no page to ask".into()))
    }

    async fn dom(&self, _query: &DomQuery) -> Probed<DomAnswer> {
        Err(NotProbed::Unavailable("there is no page to ask".into()))
    }

    async fn table(&self, _query: &TableQuery) -> Probed<TableAnswer> {
        Err(NotProbed::Unavailable("there is no page to ask".into()))
    }

    async fn http(&self, _request: &HttpRequest) -> Probed<HttpAnswer> {
        Err(NotProbed::Unavailable("no server can be asked here".into()))
    }

    async fn files(&self, _query: &FileQuery) -> Probed<FileAnswer> {
        Err(NotProbed::Unavailable("no files can be looked at here".into()))
    }

    /// The whole of one file that `files` found.
    async fn read_file(&self, _root: Option<&str>, _path: &str) -> Probed<Vec<u8>> {
        Err(NotProbed::Unavailable("no files can be looked at here".into()))
    }

    async fn sqlite(&self, _query: &SqlQuery) -> Probed<SqlAnswer> {
        Err(NotProbed::Unavailable("no database can be asked here".into()))
    }

    /// The brain's structured answer; `None` where it gave none.
    async fn output(&self) -> Probed<Option<Value>> {
        Err(NotProbed::Unavailable("there is no run whose output could be read".into()))
    }
}

/// Nobody to ask: for a picture alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbes;

#[async_trait]
impl Probes for NoProbes {}

/// Waits for a probe, but not for ever.
pub(crate) async fn within<T>(deadline: Duration, work: impl Future<Output = Probed<T>>) -> Probed<T> {
    match tokio::time::timeout(deadline, work).await {
        Ok(answer) => answer,
        Err(_) => Err(NotProbed::Failed(format!("no answer within {:.1} s", deadline.as_secs_f64()))),
    }
}
