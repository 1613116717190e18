//! From the queue to a run and to its end. Runs start in the order in which they were asked for, as many at once as
//! there are slots; what ends, fails or is put away is written down before anybody is told.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use surehand_conduct::{ConductError, Consent, GoOn, Planned, RunOrder, earlier, launch};
use surehand_run::{ConfirmMode, Resumed, Wish};
use surehand_store::{Job, JobState, StoreError};
use surehand_types::{RunResult, Termination};

use crate::access::{Caller, Scope};
use crate::inbox::{AskApproval, AskPeople};
use crate::live::Live;
use crate::order::{keep_contract, prepare};
use crate::plans::{Asked, Kept};
use crate::server::{Server, now};
use crate::snapshot::Snapshot;

/// How long the queue is not looked at although nobody called: for whatever another process may have put there.
const LONGEST_NAP: Duration = Duration::from_secs(5);

/// Time for runs to be put away when the server stops.
const FAREWELL: Duration = Duration::from_secs(20);

/// Starts runs until the server stops.
pub(crate) async fn work(server: Arc<Server>) {
    loop {
        let slot = tokio::select! {
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
    let Some(job) = server.jobs.claim(&now()).await? else { return Ok(None) };
    let live = Live::new();
    server.live.lock().unwrap_or_else(PoisonError::into_inner).insert(job.run_id.clone(), Arc::clone(&live));
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
        live.put_away();
    }
    server.tasks.close();
    if tokio::time::timeout(FAREWELL, server.tasks.wait()).await.is_err() {
        tracing::warn!("some runs did not come to a rest in time and are cancelled");
        for live in &lives {
            live.cancel.cancel();
        }
        let _ = tokio::time::timeout(FAREWELL, server.tasks.wait()).await;
    }
}

async fn run_job(server: &Arc<Server>, job: Job, live: Arc<Live>) {
    if server.stopping.is_cancelled() {
        live.put_away();
    }
    // A trace that is there already is this run's own, from before.
    let began = matches!(server.store.row(&job.run_id).await, Ok(Some(_)));
    let ended = conducted(server, &job, &live, began).await;
    let was_paused = live.was_paused();
    match ended {
        Ok(result) if result.termination_reason == Termination::Paused => {
            keep(server, &job.run_id, Snapshot { browser: live.reins.take_kept(), was_paused, resumed_by: None }).await;
            settle(server, &job.run_id, JobState::Paused, Some("put away when the server stopped")).await;
        }
        Ok(_) => settle(server, &job.run_id, JobState::Ended, None).await,
        Err(ConductError::Interrupted) if !began => {
            settle(server, &job.run_id, JobState::Cancelled, Some("cancelled before it began")).await;
        }
        Err(error) if !began => settle(server, &job.run_id, JobState::Failed, Some(&error.to_string())).await,
        // What it did before is there, and it can be tried again.
        Err(error) => {
            let words = match error {
                ConductError::Interrupted => "cancelled before it went on".to_string(),
                error => format!("it could not go on: {error}"),
            };
            settle(server, &job.run_id, JobState::Interrupted, Some(&words)).await;
        }
    }
}

async fn keep(server: &Server, run_id: &str, snapshot: Snapshot) {
    let kept = match serde_json::to_string(&snapshot) {
        Ok(text) => server.jobs.keep_snapshot(run_id, Some(&text)).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = kept {
        tracing::error!(run_id, error, "what a run left could not be kept; it goes on at its last address");
    }
}

async fn conducted(server: &Arc<Server>, job: &Job, live: &Arc<Live>, began: bool) -> Result<RunResult, ConductError> {
    let unusable =
        |error: serde_json::Error| ConductError::usage(format!("the request cannot be read any more: {error}"));
    let (request, asked) = match Kept::read(&job.request).map_err(unusable)? {
        Kept::Run(request) => (*request, None),
        Kept::Plan(request) => {
            let asked = Asked::of(&request).map_err(|error| ConductError::usage(error.sentence()))?;
            (asked.run.clone(), Some(asked))
        }
    };
    // What the caller may do was decided when it asked; here only its domains matter, and they are in the request.
    let caller = Caller {
        name: job.owner.clone(),
        scopes: Scope::ALL.to_vec(),
        domains: Vec::new(),
        sessions: None,
        max_runs: None,
        own_runs_only: false,
    };
    let changed = kept_toggles(server, &job.run_id).await?;
    let settings = server.settings_with(&changed);
    let prepared =
        prepare(server, &caller, &request, settings).await.map_err(|error| ConductError::usage(error.sentence()))?;
    let settings = prepared.settings;
    let data = server.store.data();
    let referee = keep_contract(data, &job.run_id, &request)
        .map_err(|error| ConductError::usage(format!("the contract cannot be kept: {error}")))?;
    let approver = AskApproval::new(Arc::clone(&live.inbox), settings.duration("confirm_timeout"));
    let consent = Consent::new(&settings, ConfirmMode::parse(settings.text("confirm")), Box::new(approver))?;
    let consent = consent.served_for(&job.owner);
    let (listener, hub) = (Arc::clone(live), Arc::clone(server));
    let snapshot = Snapshot::read(job.snapshot.as_deref());
    if snapshot.was_paused {
        live.reins.wish(Wish::Pause { by: "before the restart".into() });
    }
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
            goes_on = Some(GoOn { by, keepsake: plan.take_keepsake().or(snapshot.browser) });
        }
    } else if began {
        let earlier = earlier(&server.store, &job.run_id).await?;
        url = earlier.url.or(url);
        resumed = Some(Resumed { run_id: earlier.run_id, steps: earlier.steps });
        goes_on = Some(GoOn { by, keepsake: snapshot.browser });
    }
    let (is_ready, ready) = tokio::sync::oneshot::channel();
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
        agenda,
        ready: Box::new(move |_| {
            let _ = is_ready.send(());
        }),
    };
    // On the heap: what a run holds is large, and a plan adds to it.
    let launched = Box::pin(launch(order));
    let used_up = async {
        // From here on it goes its own way: what it left earlier is no longer where it stands, and holds its cookies.
        if ready.await.is_ok()
            && job.snapshot.is_some()
            && let Err(error) = server.jobs.keep_snapshot(&job.run_id, None).await
        {
            tracing::error!(run_id = job.run_id, %error, "what a run had left could not be cleared");
        }
    };
    tokio::join!(launched, used_up).0
}

/// What was changed on the instance when the run began.
async fn kept_toggles(server: &Server, run_id: &str) -> Result<BTreeMap<String, String>, ConductError> {
    let now = serde_json::to_string(&server.changed()).unwrap_or_else(|_| "{}".into());
    let kept = server.jobs.keep_toggles(run_id, &now).await?;
    Ok(serde_json::from_str(&kept).unwrap_or_default())
}

async fn settle(server: &Server, run_id: &str, to: JobState, words: Option<&str>) {
    let moved = server.jobs.moved(run_id, &[JobState::Running], to, words, &now()).await;
    match moved {
        Ok(true) => {}
        Ok(false) => tracing::warn!(run_id, "a run ended that the queue does not call running"),
        Err(error) => tracing::error!(run_id, %error, "the end of a run could not be written to the queue"),
    }
}

/// Waits until a run is over, whichever way.
pub(crate) async fn until_over(server: &Server, run_id: &str) -> Result<Job, StoreError> {
    loop {
        let ended = server.ended.notified();
        tokio::pin!(ended);
        ended.as_mut().enable();
        match server.jobs.job(run_id).await? {
            Some(job) if job.state.is_over() => return Ok(job),
            Some(_) => {}
            None => return Err(StoreError::NoSuchRun { text: run_id.to_string() }),
        }
        let _ = tokio::time::timeout(LONGEST_NAP, ended).await;
    }
}
