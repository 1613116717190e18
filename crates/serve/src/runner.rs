//! From the queue to a run and to its end. Runs start in the order in which they were asked for, as many at once as
//! there are slots; what ends, fails or is put away is written down before anybody is told.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use surehand_conduct::{ConductError, Consent, GoOn, Planned, RunOrder, earlier, launch};
use surehand_run::{ConfirmMode, Resumed, Wish};
use surehand_store::{Job, JobHead, JobState, StoreError};
use surehand_types::api::CuaRequest;
use surehand_types::{RunResult, Termination};
use tokio::sync::watch;

use crate::forgotten::put_away_when_forgotten;
use crate::inbox::{AskApproval, AskPeople};
use crate::keeping::{keep, keep_aside, left_behind};
use crate::live::Live;
use crate::order::{default_brain, is_offered, keep_contract, prepare};
use crate::plans::{Asked, Kept, forget_logins};
use crate::server::{Server, now};
use crate::snapshot::Snapshot;
use crate::{limits, reach};

/// How long the queue is not looked at although nobody called: for whatever another process may have put there.
const LONGEST_NAP: Duration = Duration::from_secs(5);

/// Time for runs to be put away when the server stops.
const FAREWELL: Duration = Duration::from_secs(20);

/// And then for those whose call, or whose judge, took longer than that: they are put away without waiting for it.
const HURRY: Duration = Duration::from_secs(30);

/// Starts runs until the server stops.
pub(crate) async fn work(server: Arc<Server>) {
    loop {
        let slot = tokio::select! {
            biased;
            () = server.stopping.cancelled() => return,
            slot = Arc::clone(&server.slots).acquire_owned() => slot,
        };
        let Ok(slot) = slot else { return };
        let (job, live) = loop {
            let woken = server.wake.notified();
            match claimed(&server).await {
                Ok(Some(claimed)) => break claimed,
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "the queue could not be read"),
            }
            tokio::select! {
                () = server.stopping.cancelled() => return,
                () = woken => {}
                () = tokio::time::sleep(LONGEST_NAP) => {}
            }
        };
        let worker = Arc::clone(&server);
        server.tasks.spawn(async move {
            let run_id = job.run_id.clone();
            let inner = Arc::clone(&worker);
            // A task of its own, so that a panic in a run is the end of that run alone.
            let ran = tokio::spawn(async move { run_job(&inner, job, live).await }).await;
            if ran.is_err() {
                settle(&worker, &run_id, JobState::Failed, Some("the run ended by an error of ours; the log has it"))
                    .await;
            }
            worker.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&run_id);
            worker.ended.notify_waiters();
            drop(slot);
        });
    }
}

/// The next run, which can be steered from this moment on.
async fn claimed(server: &Server) -> Result<Option<(Job, Arc<Live>)>, StoreError> {
    let _claiming = server.claiming.lock().await;
    if server.stopping.is_cancelled() {
        return Ok(None);
    }
    let Some(job) = server.jobs.claim(&now()).await? else { return Ok(None) };
    let live = Live::new();
    if Snapshot::read(job.snapshot.as_deref()).was_paused {
        // Nobody else has these reins yet, so nothing is in the way of it.
        let _ = live.reins.wish(Wish::Pause { by: "before the restart".into() });
    }
    server.live.lock().unwrap_or_else(PoisonError::into_inner).insert(job.run_id.clone(), Arc::clone(&live));
    server.began.notify_waiters();
    Ok(Some((job, live)))
}

/// Puts away what is under way, and waits for it. `work` is what starts runs: it may just be about to start one.
pub(crate) async fn stop(server: &Server, work: tokio::task::JoinHandle<()>) {
    server.stopping.cancel();
    let _ = work.await;
    let lives: Vec<Arc<Live>> = {
        let live = server.live.lock().unwrap_or_else(PoisonError::into_inner);
        live.values().cloned().collect()
    };
    for live in &lives {
        live.reins.put_away();
    }
    server.tasks.close();
    if tokio::time::timeout(FAREWELL, server.tasks.wait()).await.is_err() {
        tracing::warn!("some runs did not come to a rest in time; what they are at is cut short");
        for live in &lives {
            live.cancel.cancel();
        }
        let _ = tokio::time::timeout(HURRY, server.tasks.wait()).await;
    }
}

async fn run_job(server: &Arc<Server>, job: Job, live: Arc<Live>) {
    if server.stopping.is_cancelled() {
        return as_it_is(server, &job, &live, "began").await;
    }
    // A trace that is there already is this run's own, from before.
    let began = match server.store.has_begun(&job.run_id).await {
        Ok(began) => began,
        Err(error) => {
            let words = format!("whether it has begun could not be seen: {error}; it can be resumed");
            return settle(server, &job.run_id, JobState::Interrupted, Some(&words)).await;
        }
    };
    match conducted(server, &job, &live, began).await {
        Ok(result) if result.termination_reason == Termination::Paused => match live.reins.cancelled_in_the_end_by() {
            Some(by) => cancelled(server, &job, "went on", &by).await,
            None => {
                let left = left_behind(server, &job, &live, &result).await;
                keep(server, &job.run_id, &left).await;
                let words = match server.stopping.is_cancelled() {
                    true => "put away when the server stopped",
                    false => "put away, since it stood still for long; it goes on when it is resumed",
                };
                settle(server, &job.run_id, JobState::Paused, Some(words)).await;
            }
        },
        Ok(_) => settle(server, &job.run_id, JobState::Ended, None).await,
        Err(ConductError::Interrupted) => {
            as_it_is(server, &job, &live, if began { "went on" } else { "began" }).await;
        }
        Err(error) if !began => settle(server, &job.run_id, JobState::Failed, Some(&error.to_string())).await,
        // What it did before is there, and it can be tried again.
        Err(error) => {
            let words = format!("it could not go on: {error}");
            settle(server, &job.run_id, JobState::Interrupted, Some(&words)).await;
        }
    }
}

/// Nothing was done by this process: the next one takes it as it is, unless somebody has cancelled it.
async fn as_it_is(server: &Arc<Server>, job: &Job, live: &Live, what: &str) {
    live.reins.put_away();
    if let Some(by) = live.reins.cancelled_in_the_end_by() {
        return cancelled(server, job, what, &by).await;
    }
    let before = Snapshot::read(job.snapshot.as_deref());
    let was_paused = live.is_to_stand_still();
    if was_paused != before.was_paused {
        keep(server, &job.run_id, &Snapshot { was_paused, ..before }).await;
    }
    settle(server, &job.run_id, JobState::Queued, None).await;
}

async fn cancelled(server: &Arc<Server>, job: &Job, what: &str, by: &str) {
    let words = cancelled_words(what, by);
    settle(server, &job.run_id, JobState::Cancelled, Some(&words)).await;
}

/// What a run that is taken back while it does not run says of itself.
pub(crate) fn cancelled_words(before_it: &str, by: &str) -> String {
    format!("cancelled before it {before_it} ({by})")
}

async fn conducted(server: &Arc<Server>, job: &Job, live: &Arc<Live>, began: bool) -> Result<RunResult, ConductError> {
    let unusable =
        |error: serde_json::Error| ConductError::usage(format!("the request cannot be read any more: {error}"));
    let (request, asked) = match Kept::read(&job.request).map_err(unusable)? {
        Kept::Run(request) => (*request, None),
        Kept::Plan(request) => {
            let (_, asked) =
                Asked::understood(*request).await.map_err(|error| ConductError::usage(error.sentence()))?;
            (asked.run.clone(), Some(asked))
        }
    };
    let KeptSettings { changed, brain } = kept_settings(server, &job.run_id).await?;
    let settings = server.settings_with(&changed);
    // One that is not offered any more gives way to the default of today.
    let brain = brain.filter(|brain| is_offered(server, &settings, brain));
    let request = CuaRequest { brain: request.brain.or(brain), ..request };
    // What the caller may do was decided when it asked. What the operator lets runs do may be less by now.
    let request = limits::within(&settings, request);
    let hosts = reach::within(&settings, &request).map_err(ConductError::usage)?;
    let prepared =
        prepare(server, &request, settings, hosts).await.map_err(|error| ConductError::usage(error.sentence()))?;
    let settings = prepared.settings;
    let data = server.store.data();
    let referee = keep_contract(data, &job.run_id, &request)
        .map_err(|error| ConductError::usage(format!("the contract cannot be kept: {error}")))?;
    let approver = AskApproval::new(Arc::clone(&live.inbox), settings.duration("confirm_timeout"));
    let consent = Consent::new(&settings, ConfirmMode::parse(settings.text("confirm")), Box::new(approver))?;
    let consent = consent.served_for(&job.owner);
    let (listener, hub) = (Arc::clone(live), Arc::clone(server));
    let snapshot = Snapshot::read(job.snapshot.as_deref());
    let (mut url, mut resumed, mut goes_on) = (prepared.url, None, None);
    let by = snapshot.resumed_by.unwrap_or_else(|| "the server".into());
    let folder = data.run(&job.run_id);
    let mut plan = match asked {
        Some(asked) => Some(asked.plan_run(&folder, began, &settings).map_err(ConductError::usage)?),
        None => None,
    };
    if let Some(plan) = &mut plan {
        url = plan.last_url();
        if began {
            resumed = Some(Resumed { run_id: job.run_id.clone(), steps: Vec::new() });
            // People may have worked the page after the checkpoint.
            let (kept, newer) = (plan.take_keepsake(), snapshot.steps > plan.steps_before());
            let keepsake = if newer { snapshot.browser.or(kept) } else { kept.or(snapshot.browser) };
            goes_on = Some(GoOn { by, keepsake, is_older: false });
        }
    } else if began {
        let earlier = earlier(&server.store, &job.run_id).await?;
        url = earlier.url.or(url);
        resumed = Some(Resumed { run_id: earlier.run_id, steps: earlier.steps });
        let is_older = snapshot.steps.is_some_and(|steps| steps != earlier.last_step);
        goes_on = Some(GoOn { by, keepsake: snapshot.browser, is_older });
    }
    let (is_ready, ready) = tokio::sync::oneshot::channel();
    let (keeper, put_aside) = watch::channel(None);
    let addresses = plan.as_ref().map(|plan| plan.addresses()).unwrap_or_default();
    let agenda = plan.as_mut().map(|plan| Planned { agenda: plan, addresses });
    let order = RunOrder {
        run_id: job.run_id.clone(),
        task: prepared.task,
        url,
        brain: &prepared.brain,
        settings: &settings,
        store: &server.store,
        environment: prepared.environment,
        hidden_variables: prepared.hidden_variables,
        declared: prepared.declared,
        referee,
        people: Box::new(AskPeople { inbox: Arc::clone(&live.inbox), patience: settings.duration("ask_timeout") }),
        consent,
        resumed,
        goes_on,
        listeners: vec![Box::new(move |envelope| {
            listener.heard(envelope);
            hub.metrics.heard(envelope);
            if let Some(otlp) = &hub.otlp {
                otlp.heard(envelope);
            }
        })],
        cancel: live.cancel.clone(),
        reins: live.reins.clone(),
        keeper: Some(keeper),
        agenda,
        ready: Box::new(move |_| {
            let _ = is_ready.send(());
        }),
    };
    // On the heap: what a run holds is large, and a plan adds to it.
    let launched = Box::pin(launch(order));
    let keeping = async {
        if ready.await.is_ok() {
            keep_aside(server, job, live, put_aside).await;
        }
    };
    let patience = Some(server.config.settings.duration("hold_limit")).filter(|patience| !patience.is_zero());
    tokio::select! {
        biased;
        (result, ()) = async { tokio::join!(launched, keeping) } => result,
        never = put_away_when_forgotten(live, patience) => match never {},
    }
}

/// What the instance was like when the run began: it goes on as it began.
#[derive(Default, Serialize, Deserialize)]
struct KeptSettings {
    /// What was changed on it.
    #[serde(flatten)]
    changed: BTreeMap<String, String>,
    /// Who decides where the request names nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    brain: Option<String>,
}

async fn kept_settings(server: &Server, run_id: &str) -> Result<KeptSettings, ConductError> {
    let now = KeptSettings { changed: server.changed(), brain: default_brain(server, &server.settings()) };
    let now = serde_json::to_string(&now).unwrap_or_else(|_| "{}".into());
    let kept = server.jobs.keep_toggles(run_id, &now).await?;
    Ok(serde_json::from_str(&kept).unwrap_or_default())
}

/// As long as the queue calls a run running, its place is taken; so trouble with the disk is not the last word.
async fn settle(server: &Arc<Server>, run_id: &str, to: JobState, words: Option<&str>) {
    if is_settled(server, run_id, to, words).await {
        return;
    }
    let (later, run_id, words) = (Arc::clone(server), run_id.to_string(), words.map(str::to_string));
    server.tasks.spawn(async move {
        let mut is_last = false;
        while !is_last {
            tokio::select! {
                // What is not written then, the next server reads from the trace.
                () = later.stopping.cancelled() => is_last = true,
                () = tokio::time::sleep(LONGEST_NAP) => {}
            }
            if is_settled(&later, &run_id, to, words.as_deref()).await {
                return later.ended.notify_waiters();
            }
        }
    });
}

async fn is_settled(server: &Server, run_id: &str, to: JobState, words: Option<&str>) -> bool {
    let moved = server.jobs.moved(run_id, &[JobState::Running], to, words, &now()).await;
    match moved {
        Ok(true) => {
            server.metrics.over_without_end(to);
            if matches!(to, JobState::Ended | JobState::Failed | JobState::Cancelled) {
                forget_logins(server.store.data().run(run_id)).await;
            }
        }
        Ok(false) => tracing::warn!(run_id, "a run ended that the queue does not call running"),
        Err(error) => {
            tracing::error!(run_id, %error, "the end of a run could not be written to the queue");
            return false;
        }
    }
    true
}

/// Waits until a run is over, whichever way.
pub(crate) async fn until_over(server: &Server, run_id: &str) -> Result<JobHead, StoreError> {
    loop {
        let ended = server.ended.notified();
        tokio::pin!(ended);
        ended.as_mut().enable();
        if let Some(job) = over(server, run_id).await? {
            return Ok(job);
        }
        // Nobody is at it any more: it ended right now, or its end could not be written and nobody can say when it will be.
        let runs = server.jobs.head(run_id).await?.is_some_and(|job| job.state == JobState::Running);
        if runs && server.live_or_claimed(run_id).await.is_none() {
            let unwritten = || StoreError::Jobs(format!("the end of the run {run_id} is not written"));
            return over(server, run_id).await?.ok_or_else(unwritten);
        }
        let _ = tokio::time::timeout(LONGEST_NAP, ended).await;
    }
}

async fn over(server: &Server, run_id: &str) -> Result<Option<JobHead>, StoreError> {
    let job = server.jobs.head(run_id).await?;
    let job = job.ok_or_else(|| StoreError::NoSuchRun { text: run_id.to_string() })?;
    Ok(Some(job).filter(|job| job.state.is_over()))
}

#[cfg(test)]
mod tests {
    use surehand_store::NewJob;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_for_an_end_that_could_not_be_written_is_told_so() {
        let folder = tempfile::tempdir().unwrap();
        let server = crate::testing::server(folder.path()).await;
        let job = NewJob { run_id: "a", owner: "ada", request: "{}", ..NewJob::default() };
        server.jobs.enqueue(job).await.unwrap();
        let claimed = claimed(&server).await.unwrap();
        assert_eq!(claimed.unwrap().0.run_id, "a");
        let waiting = tokio::time::timeout(Duration::from_millis(50), until_over(&server, "a")).await;
        assert!(waiting.is_err(), "it is under way");
        server.live.lock().unwrap().clear();
        let told = until_over(&server, "a").await;
        assert!(told.unwrap_err().to_string().contains("is not written"));
        settle(&server, "a", JobState::Ended, None).await;
        assert_eq!(until_over(&server, "a").await.unwrap().state, JobState::Ended);
    }
}
