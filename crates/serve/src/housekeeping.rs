//! A server runs for months: what is older than it has to be kept goes, as at every start of the command line, and with
//! it what the queue knows of it.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use surehand_store::{Retention, StoreError};

use crate::server::Server;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Jobs that never became runs are kept for as long as runs, and at least so long: their keys may still be asked for.
const SHORTEST: SignedDuration = SignedDuration::from_hours(48);

/// Until the server stops.
pub(crate) async fn work(server: Arc<Server>) {
    loop {
        if let Err(error) = round(&server).await {
            tracing::warn!(%error, "old runs could not be removed");
        }
        tokio::select! {
            () = server.stopping.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

async fn round(server: &Server) -> Result<(), StoreError> {
    let keep = Retention { beside_runs: true, ..Retention::of(&server.settings()) };
    let now = Timestamp::now();
    let report = server.store.apply_retention(keep, now).await?;
    let mut gone = report.too_old;
    gone.extend(report.over_limit);
    if !gone.is_empty() {
        tracing::info!(runs = gone.len(), bytes = report.bytes_removed, "old runs were removed");
    }
    // Runs that somebody else removed, and requests that never became runs.
    let before = |age| now.checked_sub(age).unwrap_or(Timestamp::MIN).to_string();
    let old = keep.days.map(|days| before(SignedDuration::from_hours(i64::from(days) * 24).max(SHORTEST)));
    for (run_id, had_run, ended_at) in server.jobs.over_before(&before(SHORTEST)).await? {
        let is_meant = had_run || old.as_ref().is_some_and(|old| ended_at < *old);
        if is_meant && server.store.row(&run_id).await?.is_none() {
            gone.push(run_id);
        }
    }
    server.jobs.forget(&gone).await?;
    server.jobs.forget_keys(now.as_second()).await
}
