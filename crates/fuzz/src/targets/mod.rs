//! The list of targets, one file for each family of readers.

mod audits;
mod brains;
mod calls;
mod files;
mod gates;
mod models;
mod names;
mod pictures;
mod predictions;
mod protocol;
mod referee;
mod routines;
mod secrets;
mod traces;

use crate::Target;

pub const TARGETS: &[Target] = &[
    calls::CALLS,
    calls::REPLIES,
    calls::KEYS,
    calls::COORDINATES,
    brains::LINES,
    brains::EXEC_LINES,
    brains::SCRIPTS,
    brains::SPECS,
    models::MODEL_REPLIES,
    models::MODEL_WORDS,
    models::MODEL_STREAMS,
    predictions::PREDICATES,
    predictions::CLAIMS,
    files::SUITES,
    files::SETTINGS_TARGET,
    files::STORAGE_STATES,
    gates::POLICIES,
    gates::ALLOWLISTS,
    traces::TRACES,
    traces::IMPORTS,
    audits::AUDITS,
    secrets::REDACTOR,
    secrets::PLACEHOLDERS,
    pictures::PICTURES,
    protocol::EVENTS,
    protocol::ANSWERS,
    protocol::PIPE,
    names::DOWNLOAD_NAMES,
    referee::CONTRACTS,
    referee::JUDGEMENTS,
    routines::ROUTINES,
];

/// A runtime for readers that wait.
pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> T {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => panic!("no runtime: {error}"),
        };
    }
    RUNTIME.with(|runtime| runtime.block_on(work))
}

/// A file that is gone after the check.
pub(crate) fn with_file<T>(content: &[u8], read: impl FnOnce(&std::path::Path) -> T) -> Result<T, String> {
    use std::io::Write as _;
    let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    file.write_all(content).map_err(|error| error.to_string())?;
    Ok(read(file.path()))
}
