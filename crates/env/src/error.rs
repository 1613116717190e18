//! What can go wrong in an environment: a call that failed (data for the brain) apart from an
//! environment that is lost (the end of the run).

use surehand_types::ErrorCode;

use crate::cdp::CdpError;

#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    #[error(
        "no Chromium or Chrome was found\nhint: install one (Debian: apt-get install chromium) or set SUREHAND_CHROMIUM to its path"
    )]
    NoBrowser,
    #[error("the browser {path} did not start: {message}\nhint: run `surehand doctor`")]
    Launch { path: String, message: String },
    #[error(
        "cannot attach to {url}: {message}\nhint: start the browser with --remote-debugging-port=9222 and pass --cdp http://127.0.0.1:9222"
    )]
    Attach { url: String, message: String },
    #[error(
        "the session {name:?} is in use by process {pid}\nhint: wait for it to end, or choose another --session name"
    )]
    SessionLocked { name: String, pid: u32 },
    #[error("{0:?} is not a session name\nhint: use letters, digits, dot, dash and underscore")]
    SessionName(String),
    #[error("there is no session {0:?}\nhint: `surehand session ls` names them")]
    SessionMissing(String),
    /// A session or a storage state that cannot be used.
    #[error("{0}")]
    State(String),
    #[error("cannot open {url}: {message}")]
    Unreachable { url: String, message: String },
    #[error("{url:?} is not a url: {message}\nhint: give a whole url like https://example.com/")]
    BadUrl { url: String, message: String },
    #[error("{0}")]
    Setting(String),
    /// A desktop that cannot be had, or an application that did not come up.
    #[error("{0}")]
    Desktop(String),
    #[error("the environment is lost: {0}")]
    Lost(String),
    #[error("{context}: {source}")]
    Io { context: String, source: std::io::Error },
    #[error(transparent)]
    Protocol(#[from] CdpError),
}

impl EnvError {
    /// Mistakes of the person who started us, as opposed to trouble met on the way.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            EnvError::BadUrl { .. }
                | EnvError::SessionName(_)
                | EnvError::SessionMissing(_)
                | EnvError::State(_)
                | EnvError::Setting(_)
        )
    }

    pub fn is_lost(&self) -> bool {
        matches!(self, EnvError::Lost(_) | EnvError::Protocol(CdpError::Closed))
    }

    pub(crate) fn io(context: impl Into<String>) -> impl FnOnce(std::io::Error) -> EnvError {
        let context = context.into();
        move |source| EnvError::Io { context, source }
    }
}

/// How the message of a call begins that the allowlist refused: policy and reports tell it from other refusals by this.
pub const ALLOWLIST_REFUSED: &str = "the allowlist refused";

/// A call that was not done as asked: one sentence with a code. Nothing else is lost by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFailure {
    pub code: ErrorCode,
    pub message: String,
}

impl CallFailure {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        CallFailure { code, message: message.into() }
    }
}

impl From<EnvError> for CallFailure {
    fn from(error: EnvError) -> Self {
        let code = match &error {
            // The browser is there but did not do it; only a closed connection is a lost environment.
            EnvError::Protocol(CdpError::Deadline { .. } | CdpError::Refused { .. } | CdpError::Unreadable { .. }) => {
                ErrorCode::Timeout
            }
            EnvError::BadUrl { .. } => ErrorCode::InvalidCall,
            // The display is there and refused something.
            EnvError::Desktop(_) => ErrorCode::Timeout,
            EnvError::Unreachable { .. } => ErrorCode::NavigationFailed,
            _ => ErrorCode::EnvLost,
        };
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default().to_string();
        CallFailure { code, message: first }
    }
}

impl From<CdpError> for CallFailure {
    fn from(error: CdpError) -> Self {
        EnvError::from(error).into()
    }
}
