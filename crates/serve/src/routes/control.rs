//! People in the loop: pause, go on, cancel, approve, deny, answer, take over, hand back.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value};
use surehand_run::{ANSWER_CAP, Gait, PersonAnswer, Wish};
use surehand_store::{JobState, Requeued};
use surehand_types::api::{Answer, Approval, Decision, PersonCallResult, RunStatus};

use super::runs::visible;
use crate::access::{Caller, Scope};
use crate::audit;
use crate::error::ApiError;
use crate::inbox::{NotTaken, Word};
use crate::intake::{Body, Path, need};
use crate::live::Live;
use crate::plans::forget_logins;
use crate::runner::cancelled_words;
use crate::server::{Server, now};
use crate::snapshot::Snapshot;

/// How long a person's call waits for the page to be handed over.
const HANDING_OVER: Duration = Duration::from_secs(30);

/// Time for a run that is being put away to be written down as that, before it can be cancelled where it rests.
const COMING_TO_REST: Duration = Duration::from_secs(20);

type Decided = Result<Json<Decision>, ApiError>;

/// Bodies that say nothing may still be sent, and must then be empty objects.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// The run under way that somebody means and may steer.
async fn steered(server: &Server, caller: &Caller, run_id: &str) -> Result<Arc<Live>, ApiError> {
    need(caller, Scope::Control)?;
    let view = visible(server, caller, run_id).await?;
    server.live_or_claimed(&view.run_id).await.ok_or_else(|| {
        let status = serde_json::to_value(view.status).ok().and_then(|it| it.as_str().map(str::to_string));
        let status = status.unwrap_or_default().replace('_', " ");
        ApiError::conflict("not_running", format!("the run is {status}, so there is nothing to steer"))
    })
}

/// A wish that comes when the run is being put away is not taken, and whoever has it is told.
fn wish(server: &Server, live: &Live, wish: Wish) -> Result<(), ApiError> {
    if live.reins.wish(wish) { Ok(()) } else { Err(put_away(server)) }
}

/// With the server, or because it was forgotten.
fn put_away(server: &Server) -> ApiError {
    if server.stopping.is_cancelled() {
        return ApiError::stopping();
    }
    ApiError::conflict(
        "put_away",
        "the run is being put away, since it stood still for long\nhint: resume lets it go on in a moment",
    )
}

fn decided(run_id: String, status: RunStatus, message: &str) -> Decided {
    Ok(Json(Decision { run_id, status, message: message.to_string() }))
}

pub(crate) async fn pause(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Decided {
    let live = steered(&server, &caller, &run_id).await?;
    wish(&server, &live, Wish::Pause { by: caller.name })?;
    decided(run_id, live.status(), "it stands still after the call under way")
}

pub(crate) async fn resume(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Decided {
    need(&caller, Scope::Control)?;
    let view = visible(&server, &caller, &run_id).await?;
    // Nobody takes it from the queue meanwhile.
    let _claiming = server.claiming.lock().await;
    if let Some(live) = server.live(&view.run_id) {
        wish(&server, &live, Wish::Go { by: caller.name })?;
        if live.inbox.question().is_some() {
            let message = "it waits for a word of a person: approve, deny or answer lets it go on";
            return decided(run_id, RunStatus::Waiting, message);
        }
        return decided(run_id, RunStatus::Running, "the brain goes on");
    }
    let no = |why: &str| Err(ApiError::conflict("not_running", why));
    let Some(job) = server.jobs.job(&view.run_id).await? else {
        return no("the run did not come through this server, so it cannot go on here");
    };
    let earlier = Snapshot::read(job.snapshot.as_deref());
    let was_paused = earlier.was_paused;
    let snapshot = Snapshot { resumed_by: Some(caller.name), was_paused: false, ..earlier };
    let snapshot = serde_json::to_string(&snapshot).map_err(ApiError::internal)?;
    let left = [JobState::Paused, JobState::Interrupted];
    match job.state {
        JobState::Paused | JobState::Interrupted => {}
        JobState::Queued if was_paused || job.started_at.is_some() => {
            server.jobs.keep_snapshot(&job.run_id, Some(&snapshot)).await?;
            return decided(run_id, RunStatus::Queued, "it waits for its turn already, and goes on then");
        }
        JobState::Queued => return no("the run has not begun yet: it waits for its turn, and begins by itself"),
        JobState::Running => return no("the run comes to a rest at this very moment\nhint: ask for its status"),
        JobState::Ended | JobState::Failed | JobState::Cancelled => return no("the run is over"),
    }
    match server.jobs.requeue(&job.run_id, &left, &snapshot, server.room(&job.owner)).await? {
        Requeued::Queued => {}
        Requeued::Elsewhere => return no("it was cancelled at this very moment"),
        Requeued::Full => return Err(ApiError::queue_full()),
        Requeued::OwnerFull => return Err(ApiError::too_many_runs(&job.owner)),
    }
    server.wake.notify_one();
    decided(run_id, RunStatus::Queued, "it goes on from its last step when there is a place")
}

pub(crate) async fn take_over(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Decided {
    let live = steered(&server, &caller, &run_id).await?;
    wish(&server, &live, Wish::TakeOver { by: caller.name })?;
    decided(
        run_id,
        live.status(),
        "the page is yours after the call under way, or when the brain has answered; release hands it back",
    )
}

pub(crate) async fn release(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Decided {
    let live = steered(&server, &caller, &run_id).await?;
    if !matches!(live.reins.wished(), Wish::TakeOver { .. }) {
        return Err(ApiError::conflict("not_taken_over", "nobody has taken over"));
    }
    wish(&server, &live, Wish::Go { by: caller.name })?;
    decided(run_id, RunStatus::Running, "the brain goes on")
}

/// One call of a person while somebody has taken over, in the shape of a brain's call.
pub(crate) async fn call(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(given): Body<Map<String, Value>>,
) -> Result<Json<PersonCallResult>, ApiError> {
    let live = steered(&server, &caller, &run_id).await?;
    if live.reins.is_put_away() {
        return Err(put_away(&server));
    }
    if matches!(live.reins.wished(), Wish::TakeOver { .. }) {
        // It is asked for, and comes as soon as the call under way, or the brain, is done.
        let mut gait = live.reins.follow();
        let _ = tokio::time::timeout(HANDING_OVER, gait.wait_for(|gait| *gait == Gait::TakenOver)).await;
    }
    if live.reins.gait() != Gait::TakenOver {
        let text = match live.reins.wished() {
            Wish::TakeOver { .. } => {
                "the brain is not done yet\nhint: the page is yours when the run's status is taken_over"
            }
            _ => "nobody has taken over\nhint: POST …/takeover first",
        };
        return Err(ApiError::conflict("not_taken_over", text));
    }
    let answer = live.reins.call(given, &caller.name).await.map_err(ApiError::invalid)?;
    let PersonAnswer { ok, message, error, pending } = answer;
    Ok(Json(PersonCallResult { ok, message, error, pending }))
}

pub(crate) async fn cancel(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(Empty {}): Body<Empty>,
) -> Decided {
    need(&caller, Scope::Control)?;
    let view = visible(&server, &caller, &run_id).await?;
    let message = match stop_run(&server, &view.run_id, &caller.name).await? {
        Stopped::TakenBack => "it is taken back",
        Stopped::Ending => "it ends after the call under way",
        Stopped::WasOver => return Err(ApiError::conflict("not_running", "the run is over already")),
    };
    decided(view.run_id, RunStatus::Cancelled, message)
}

/// What became of a wish to cancel.
pub(crate) enum Stopped {
    /// It was not under way, and will not be.
    TakenBack,
    Ending,
    WasOver,
}

/// Takes it out of the queue, or from where it rests, or tells it to end.
pub(crate) async fn stop_run(server: &Server, run_id: &str, by: &str) -> Result<Stopped, ApiError> {
    let end = tokio::time::Instant::now() + COMING_TO_REST;
    loop {
        let ended = server.ended.notified();
        tokio::pin!(ended);
        ended.as_mut().enable();
        let Some(job) = server.jobs.head(run_id).await? else { return Ok(Stopped::WasOver) };
        match job.state {
            JobState::Queued | JobState::Paused | JobState::Interrupted => {
                let began = job.state != JobState::Queued || server.store.has_begun(run_id).await.unwrap_or(true);
                let words = cancelled_words(if began { "went on" } else { "began" }, by);
                if server.jobs.moved(run_id, &[job.state], JobState::Cancelled, Some(&words), &now()).await? {
                    server.metrics.over_without_end(JobState::Cancelled);
                    if began {
                        audit::note_cancelled(server, run_id, by).await;
                    }
                    server.ended.notify_waiters();
                    // Done whether or not whoever asked is still there.
                    server.tasks.spawn(forget_logins(server.store.data().run(run_id)));
                    return Ok(Stopped::TakenBack);
                }
            }
            JobState::Ended | JobState::Failed | JobState::Cancelled => return Ok(Stopped::WasOver),
            JobState::Running => match server.live_or_claimed(run_id).await {
                Some(live) if live.reins.note_cancel(by) => {
                    live.cancel.cancel();
                    return Ok(Stopped::Ending);
                }
                // It comes to a rest at this very moment, and is cancelled there unless that is its end.
                _ if tokio::time::timeout_at(end, ended).await.is_ok() => {}
                _ => return Err(ApiError::internal(format!("the run {run_id} does not come to its rest"))),
            },
        }
    }
}

pub(crate) async fn approve(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(approval): Body<Approval>,
) -> Decided {
    say(&server, caller, run_id, approval.question, Word::Yes, "it is done now").await
}

pub(crate) async fn deny(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(approval): Body<Approval>,
) -> Decided {
    say(&server, caller, run_id, approval.question, Word::No, "it is not done").await
}

pub(crate) async fn answer(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    Body(answer): Body<Answer>,
) -> Decided {
    if answer.text.chars().count() > ANSWER_CAP {
        return Err(ApiError::invalid(format!("text: it is longer than {ANSWER_CAP} characters")));
    }
    say(&server, caller, run_id, answer.question, Word::Text(answer.text), "the brain is told").await
}

async fn say(
    server: &Server,
    caller: Caller,
    run_id: String,
    question: Option<String>,
    word: Word,
    message: &str,
) -> Decided {
    let live = steered(server, &caller, &run_id).await?;
    match live.inbox.say(question.as_deref(), word, &caller.name) {
        Ok(()) => {
            tracing::info!(run_id, by = caller.name, "a person answered");
            decided(run_id, live.status(), message)
        }
        Err(NotTaken::NothingAsked) => Err(ApiError::conflict("nothing_asked", "nothing is asked at this moment")),
        Err(NotTaken::OtherQuestion) => {
            Err(ApiError::conflict("other_question", "another question is asked by now; look at it first"))
        }
        Err(NotTaken::OtherKind(kind)) => {
            let how = match kind {
                surehand_types::api::QuestionKind::Approval => "approve or deny",
                surehand_types::api::QuestionKind::Answer => "answer",
            };
            Err(ApiError::conflict("other_kind", format!("this question wants: {how}")))
        }
    }
}
