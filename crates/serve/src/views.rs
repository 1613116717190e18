//! A run as the API shows it: from the queue, from the index, and from what is under way.

use surehand_store::{About, JobHead, JobState, RunRow, RunState, StoreError};
use surehand_types::Termination;
use surehand_types::api::{CuaRequest, LONGEST_ADDRESS, Links, RunStatus, RunView};

use crate::live::Live;
use crate::server::Server;

/// Longest task, and longest sentence, in a view, in characters: a list has to stay small.
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
pub(crate) async fn of_row(server: &Server, row: RunRow) -> Result<RunView, StoreError> {
    let job = server.jobs.head(&row.run_id).await?;
    let live = server.live(&row.run_id);
    let (row, status) = seen_together(server, row, job.as_ref(), live.as_deref()).await?;
    let so_far = live.as_ref().map(|live| live.so_far());
    Ok(RunView {
        links: Links::of(&row.run_id),
        status,
        task: row.task,
        brain: Some(shortened(row.brain, TASK_CAP)),
        start_url: row.start_url.map(|url| shortened(url, LONGEST_ADDRESS)),
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
        words: job.and_then(|job| job.words).map(|words| shortened(words, TASK_CAP)),
        question: live.and_then(|live| live.inbox.question()),
        run_id: row.run_id,
        webhooks: Vec::new(),
        result: None,
    })
}

/// Where a run stands, and its row without what does not go with that. The queue decides: it is written before anybody
/// is told. The row was read a moment earlier, and may tell of the end that the run has gone on from since.
async fn seen_together(
    server: &Server,
    mut row: RunRow,
    job: Option<&JobHead>,
    live: Option<&Live>,
) -> Result<(RunRow, RunStatus), StoreError> {
    let has_ended = |row: &RunRow| {
        row.state == RunState::Ended && row.termination_reason.as_deref() != Some(Termination::Paused.as_str())
    };
    let status = match (live, job) {
        (Some(live), _) => live.status(),
        // Whoever takes it is about to enter it into `live`, or it has just ended.
        (None, Some(job)) if job.state == JobState::Running => match has_ended(&row) {
            true => RunStatus::Ended,
            false => RunStatus::Running,
        },
        (None, Some(job)) => status_words(job.state),
        (None, None) => match row.state {
            RunState::Running => RunStatus::Running,
            RunState::Ended => RunStatus::Ended,
            RunState::Interrupted => RunStatus::Interrupted,
        },
    };
    match status {
        // Its end is written to the index first.
        RunStatus::Ended if job.is_some() && !has_ended(&row) => {
            row = server.store.row(&row.run_id).await?.unwrap_or(row);
        }
        RunStatus::Cancelled => {
            row.termination_reason = Some(Termination::Cancelled.as_str().into());
            row.ended_at = job.and_then(|job| job.ended_at.clone());
        }
        RunStatus::Ended | RunStatus::PutAway | RunStatus::Interrupted | RunStatus::Failed => {}
        RunStatus::Queued | RunStatus::Running | RunStatus::Waiting | RunStatus::Paused | RunStatus::TakenOver => {
            (row.ended_at, row.duration_s, row.success) = (None, None, None);
            (row.termination_reason, row.final_verdict) = (None, None);
        }
    }
    Ok((row, status))
}

/// One that has not begun, or never will.
pub(crate) async fn of_job(server: &Server, job: JobHead) -> Result<RunView, StoreError> {
    let live = server.live(&job.run_id);
    Ok(RunView {
        links: Links::of(&job.run_id),
        position: server.jobs.position(&job.run_id).await?,
        status: live.map_or(status_words(job.state), |live| live.status()),
        task: job.task,
        brain: job.brain.map(|brain| shortened(brain, TASK_CAP)),
        start_url: job.start_url.map(|url| shortened(url, LONGEST_ADDRESS)),
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
        words: job.words.map(|words| shortened(words, TASK_CAP)),
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

/// One of many: those are shown with the beginnings of their tasks.
pub(crate) fn in_list(view: RunView) -> RunView {
    RunView { task: shortened(view.task, TASK_CAP), ..view }
}

fn shortened(mut text: String, most: usize) -> String {
    text.truncate(beginning(&text, most).len());
    text
}

fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// What is shown of a request that has not begun.
pub(crate) fn about(request: &CuaRequest) -> About<'_> {
    About {
        task: beginning(request.instruction.trim(), TASK_CAP),
        brain: request.brain.as_deref(),
        start_url: request.start_url.as_deref(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use surehand_store::{NewJob, NewRun};
    use surehand_types::Redactor;
    use surehand_types::event::RunStarted;

    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn a_run_that_is_being_taken_from_the_queue_is_not_called_ended() {
        let folder = tempfile::tempdir().unwrap();
        let server = testing::server(folder.path()).await;
        let job = NewJob { run_id: "a", owner: "ada", request: "{}", ..NewJob::default() };
        server.jobs.enqueue(job).await.unwrap();
        let started: RunStarted = serde_json::from_value(json!({"task": "t", "brain": "b", "environment": "e",
            "viewport": {"width": 1, "height": 1}, "max_steps": 9, "toggles": {}, "surehand_version": "0"}))
        .unwrap();
        let redactor = Redactor::default();
        let new = NewRun { run_id: "a", started_at: "", started: &started, redactor: &redactor };
        server.store.begin_run(new).await.unwrap();
        server.store.finish_run(&testing::result("a", "paused")).await.unwrap();
        let put_away = server.store.row("a").await.unwrap().unwrap();
        for state in [JobState::Running, JobState::Queued] {
            server.jobs.claim("now").await.unwrap();
            server.jobs.moved("a", &[JobState::Running], state, None, "now").await.unwrap();
            let view = of_row(&server, put_away.clone()).await.unwrap();
            assert_eq!(view.status, status_words(state));
            assert_eq!((view.termination_reason, view.ended_at, view.success), (None, None, None));
        }
        // It came to its end after the row was read.
        server.jobs.claim("now").await.unwrap();
        server.store.finish_run(&testing::result("a", "done")).await.unwrap();
        server.jobs.moved("a", &[JobState::Running], JobState::Ended, None, "now").await.unwrap();
        let view = of_row(&server, put_away).await.unwrap();
        assert_eq!((view.status, view.termination_reason.as_deref()), (RunStatus::Ended, Some("done")));
    }
}
