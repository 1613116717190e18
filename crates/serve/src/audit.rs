//! What people change on the instance itself, in the same log as the decisions of runs.

use serde_json::Value;
use surehand_store::AuditLog;
use surehand_types::Redactor;

use crate::error::ApiError;
use crate::server::Server;

/// Appends one line. Called before the change: what cannot be written down is not done.
pub(crate) async fn note(server: &Server, kind: &'static str, fields: Value) -> Result<(), ApiError> {
    let data = server.store.data().clone();
    // The log waits for a lock that other processes may hold.
    let written = tokio::task::spawn_blocking(move || {
        AuditLog::open(&data, "", Redactor::default())?.append(kind, fields).map(drop)
    });
    written.await.map_err(ApiError::internal)?.map_err(ApiError::from)
}
