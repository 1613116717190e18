//! A run as the API shows it: from the queue, from the index, and from what is under way.

use surehand_store::{About, JobHead, JobState, RunRow, RunState, StoreError};
use surehand_types::api::{CuaRequest, Links, RunStatus, RunView};

use crate::server::Server;

/// Longest task in a view, in characters: a list has to stay small.
const TASK_CAP: usize = 2000;

pub(crate) fn status_words(state: JobState) -> RunStatus {
    match state {
        JobState::Queued => RunStatus::Queued,
        JobState::Running => RunStatus::Running,
        JobState::Paused => RunStatus::PutAway,
        JobState::Ended => RunStatus::Ended,
        JobState::Failed => RunStatus::Failed,
        JobState::Cancelled => RunStatus::Cancelled,
        JobState::Interrupted => RunStatus::Interrupted,
    }
}

/// One run of the index; the queue knows more of those that came through this server.
pub(crate) async fn of_row(server: &Server, mut row: RunRow) -> Result<RunView, StoreError> {
    let job = server.jobs.head(&row.run_id).await?;
    let live = server.live(&row.run_id);
    if live.as_ref().is_some_and(|live| live.status() != RunStatus::PutAway) {
        // The row was read a moment earlier, and may still tell of the end that this run went on from.
        (row.ended_at, row.duration_s, row.success) = (None, None, None);
        (row.termination_reason, row.final_verdict) = (None, None);
    }
    let so_far = live.as_ref().map(|live| live.so_far());
    let status = match (&live, &job) {
        (Some(live), _) => live.status(),
        (None, Some(job)) if job.state != JobState::Running => status_words(job.state),
        _ => match row.state {
            RunState::Running => RunStatus::Running,
            RunState::Ended => RunStatus::Ended,
            RunState::Interrupted => RunStatus::Interrupted,
        },
    };
    Ok(RunView {
        links: Links::of(&row.run_id),
        status,
        task: row.task.chars().take(TASK_CAP).collect(),
        brain: Some(row.brain),
        start_url: row.start_url,
        owner: job.as_ref().map(|job| job.owner.clone()),
        created_at: job.as_ref().map(|job| job.created_at.clone()),
        // When it got its slot: the order of the queue. The run's own start comes when its browser is there.
        started_at: job.as_ref().and_then(|job| job.started_at.clone()).or(Some(row.started_at)),
        ended_at: row.ended_at,
        position: None,
        // One that goes on after a restart has the steps of before until it makes its next one.
        steps: so_far.map_or(row.steps, |so_far| so_far.steps.max(row.steps)),
        cost: so_far.map(|so_far| so_far.cost).or(row.cost),
        duration_s: row.duration_s,
        success: row.success,
        verdict: row.final_verdict,
        termination_reason: row.termination_reason,
        words: job.and_then(|job| job.words),
        question: live.and_then(|live| live.inbox.question()),
        run_id: row.run_id,
        webhooks: Vec::new(),
        result: None,
    })
}

/// One that has not begun, or never will.
pub(crate) async fn of_job(server: &Server, job: JobHead) -> Result<RunView, StoreError> {
    let live = server.live(&job.run_id);
    Ok(RunView {
        links: Links::of(&job.run_id),
        position: server.jobs.position(&job.run_id).await?,
        status: live.map_or(status_words(job.state), |live| live.status()),
        task: job.task,
        brain: job.brain,
        start_url: job.start_url,
        owner: Some(job.owner),
        created_at: Some(job.created_at),
        started_at: job.started_at,
        ended_at: job.ended_at,
        steps: 0,
        cost: None,
        duration_s: None,
        success: None,
        verdict: None,
        termination_reason: None,
        words: job.words,
        question: None,
        run_id: job.run_id,
        webhooks: Vec::new(),
        result: None,
    })
}

/// By its full id.
pub(crate) async fn of_run(server: &Server, run_id: &str) -> Result<Option<RunView>, StoreError> {
    if let Some(row) = server.store.row(run_id).await? {
        return Ok(Some(of_row(server, row).await?));
    }
    match server.jobs.head(run_id).await? {
        Some(job) => Ok(Some(of_job(server, job).await?)),
        None => Ok(None),
    }
}

/// What is shown of a request that has not begun.
pub(crate) fn about(request: &CuaRequest) -> About<'_> {
    let task = request.instruction.trim();
    let end = task.char_indices().nth(TASK_CAP).map_or(task.len(), |(end, _)| end);
    About { task: &task[..end], brain: request.brain.as_deref(), start_url: request.start_url.as_deref() }
}
