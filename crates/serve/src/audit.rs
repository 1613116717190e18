//! What people change on the instance itself, and the ends that they make of runs that rest, in the same log as the
//! decisions of runs.

use serde_json::{Value, json};
use surehand_store::AuditLog;
use surehand_types::Redactor;

use crate::error::ApiError;
use crate::server::Server;

/// Appends one line. Called before the change: what cannot be written down is not done.
pub(crate) async fn note(server: &Server, kind: &'static str, fields: Value) -> Result<(), ApiError> {
    append(server, "", kind, fields).await
}

/// The end of a run that was cancelled where it rested, and by whom. It is over by then, as for runs that end themselves.
pub(crate) async fn note_cancelled(server: &Server, run_id: &str, by: &str) {
    if let Err(error) = append(server, run_id, "run_end", json!({"reason": "cancelled", "by": by})).await {
        tracing::error!(run_id, error = error.sentence(), "the end of the run could not be written to the audit log");
    }
}

async fn append(server: &Server, run_id: &str, kind: &'static str, fields: Value) -> Result<(), ApiError> {
    let (data, run_id) = (server.store.data().clone(), run_id.to_string());
    // The log waits for a lock that other processes may hold.
    let written = tokio::task::spawn_blocking(move || {
        AuditLog::open(&data, &run_id, Redactor::default())?.append(kind, fields).map(drop)
    });
    written.await.map_err(ApiError::internal)?.map_err(ApiError::from)
}
