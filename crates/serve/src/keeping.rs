//! What a run can be gone on from, from the run to the queue: as it goes, and when it was put away. Beside `runner`, since
//! the queue's copy outlives the process in which the run is.

use surehand_run::Aside;
use surehand_store::Job;
use surehand_types::RunResult;
use tokio::sync::watch;

use crate::live::Live;
use crate::server::Server;
use crate::snapshot::Snapshot;

/// What the run could be gone on from if this process died, as it goes, and whether it would come back paused. What an
/// earlier process left stays until there is something newer.
pub(crate) async fn keep_aside(server: &Server, job: &Job, live: &Live, mut put_aside: watch::Receiver<Option<Aside>>) {
    let mut wishes = live.reins.follow_wishes();
    let mut kept = Snapshot::read(job.snapshot.as_deref());
    loop {
        let mut now = Snapshot { was_paused: live.is_to_stand_still(), resumed_by: None, ..kept.clone() };
        if let Some(aside) = put_aside.borrow_and_update().clone() {
            (now.browser, now.steps) = (Some(aside.kept), Some(aside.steps));
        }
        if now != kept {
            keep(server, &job.run_id, &now).await;
            kept = now;
        }
        tokio::select! {
            // The run is over when nobody puts anything aside any more.
            changed = put_aside.changed() => if changed.is_err() { break },
            () = wishes.changed() => {}
        }
    }
}

/// What a run that was put away goes on from: what its browser gave, or else what was put aside last.
pub(crate) async fn left_behind(server: &Server, job: &Job, live: &Live, result: &RunResult) -> Snapshot {
    let newest = server.jobs.job(&job.run_id).await.ok().flatten().and_then(|job| job.snapshot);
    let aside = Snapshot::read(newest.or(job.snapshot.clone()).as_deref());
    let left = Snapshot { was_paused: live.is_to_stand_still(), resumed_by: None, ..aside };
    match live.reins.take_kept() {
        Some(browser) => Snapshot { browser: Some(browser), steps: Some(result.steps), ..left },
        None => left,
    }
}

pub(crate) async fn keep(server: &Server, run_id: &str, snapshot: &Snapshot) {
    let kept = match serde_json::to_string(snapshot) {
        Ok(text) => server.jobs.keep_snapshot(run_id, Some(&text)).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = kept {
        tracing::error!(run_id, error, "what a run can be gone on from could not be kept");
    }
}
