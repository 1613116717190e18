//! What an instance is: its settings, its store, its queue, and the runs that are under way in it.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use surehand_checks::before::allowlist::OffLimits;
use surehand_store::{JobState, JobStore, LessonStore, Room, RunState, Store, StoreError};
use surehand_types::settings::Source;
use surehand_types::{Settings, Termination};
use tokio::sync::{Notify, OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::Access;
use crate::error::ApiError;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::otlp::Otlp;
use crate::pages::memo::Memo;
use crate::seats::{self, Seats};
use crate::webhooks::WebhookConfig;

/// What the instance offers to those who ask for runs.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// Brains by their spec; the first is used where none is named. Anything that starts a program or names a server
    /// has to be in this list.
    pub brains: Vec<String>,
    /// Secrets as `--secret` gives them.
    pub secrets: Vec<String>,
    pub upload_roots: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct ServerConfig {
    pub settings: Settings,
    pub access: Access,
    pub offer: Offer,
    /// `Host` headers that mean this server, in lower case.
    pub hosts: Vec<String>,
    pub version: String,
    /// A collector for spans of runs and steps.
    pub otlp: Option<url::Url>,
    /// `None`: nobody is told of ends.
    pub webhooks: Option<WebhookConfig>,
}

#[derive(Debug)]
pub struct Server {
    pub(crate) config: ServerConfig,
    pub(crate) store: Store,
    pub(crate) jobs: JobStore,
    pub(crate) live: Mutex<HashMap<String, Arc<Live>>>,
    /// Held from the moment at which a run leaves the queue until it is in `live`.
    pub(crate) claiming: tokio::sync::Mutex<()>,
    /// Settings that were changed on this instance.
    changed: RwLock<BTreeMap<String, String>>,
    pub(crate) changing: tokio::sync::Mutex<()>,
    pub(crate) slots: Arc<Semaphore>,
    /// Something was put into the queue.
    pub(crate) wake: Notify,
    /// Some run has left the queue.
    pub(crate) began: Notify,
    /// Some run has ended.
    pub(crate) ended: Notify,
    /// No run begins any more.
    pub(crate) stopping: CancellationToken,
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: Arc<Metrics>,
    /// Opened when somebody asks: a damaged file must not keep the server from starting.
    lessons: OnceCell<LessonStore>,
    /// Requests of every kind, by who made them.
    pub(crate) asking: Arc<Seats>,
    pub(crate) followers: Arc<Seats>,
    /// Those who wait for a result.
    pub(crate) waiters: Arc<Seats>,
    pub(crate) otlp: Option<Otlp>,
    /// All runs have come to a rest, after `stopping`.
    pub(crate) quiet: CancellationToken,
    pub(crate) memo: Memo,
    /// How many brains could not be used, and when that was looked at.
    pub(crate) brains_seen: tokio::sync::Mutex<Option<(Instant, usize)>>,
}

impl Server {
    /// Sees to what an earlier server left running, and takes over the settings that were changed on it.
    pub async fn open(config: ServerConfig, store: Store, jobs: JobStore) -> Result<Arc<Server>, StoreError> {
        take_stock(&store, &jobs).await?;
        // What was put away in good order goes on by itself.
        for job in jobs.in_state(JobState::Paused, u32::MAX).await? {
            jobs.moved(&job.run_id, &[JobState::Paused], JobState::Queued, None, &now()).await?;
        }
        let changed = jobs.toggles().await?.into_iter().map(|row| (row.name, row.value)).collect();
        let slots = usize::try_from(config.settings.integer("slots")).unwrap_or(1).max(1);
        let otlp = config.otlp.clone().map(Otlp::new);
        Ok(Arc::new(Server {
            config,
            store,
            jobs,
            live: Mutex::default(),
            claiming: tokio::sync::Mutex::default(),
            changed: RwLock::new(changed),
            changing: tokio::sync::Mutex::default(),
            slots: Arc::new(Semaphore::new(slots)),
            wake: Notify::new(),
            began: Notify::new(),
            ended: Notify::new(),
            stopping: CancellationToken::new(),
            tasks: TaskTracker::new(),
            metrics: Arc::new(Metrics::new()),
            lessons: OnceCell::new(),
            asking: Seats::new(seats::ALL),
            followers: Seats::new(seats::LONG),
            waiters: Seats::new(seats::LONG),
            otlp,
            quiet: CancellationToken::new(),
            memo: Memo::default(),
            brains_seen: tokio::sync::Mutex::default(),
        }))
    }

    pub(crate) fn live(&self, run_id: &str) -> Option<Arc<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).get(run_id).cloned()
    }

    /// The same, also where it is about to begin at this very moment.
    pub(crate) async fn live_or_claimed(&self, run_id: &str) -> Option<Arc<Live>> {
        if let Some(live) = self.live(run_id) {
            return Some(live);
        }
        drop(self.claiming.lock().await);
        self.live(run_id)
    }

    /// Settings of a run that starts now.
    pub(crate) fn settings(&self) -> Settings {
        self.settings_with(&self.changed())
    }

    /// What was changed on this instance.
    pub(crate) fn changed(&self) -> BTreeMap<String, String> {
        self.changed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The instance's own settings with others in place of them. One that is no longer known is left out, and said.
    pub(crate) fn settings_with(&self, changed: &BTreeMap<String, String>) -> Settings {
        let mut settings = self.config.settings.clone();
        for (name, value) in changed {
            if let Err(error) = settings.set(name, value, Source::Flag) {
                tracing::warn!(%error, "a setting that was changed on this instance no longer fits");
            }
        }
        settings
    }

    pub(crate) fn note_changes(&self, changes: &[(String, String)]) {
        let mut changed = self.changed.write().unwrap_or_else(PoisonError::into_inner);
        changed.extend(changes.iter().cloned());
    }

    /// Where no run of this server goes: to the server itself, where its browser would be taken for the person at it.
    pub(crate) fn off_limits(&self) -> OffLimits {
        OffLimits::of(&self.config.hosts)
    }

    pub(crate) async fn lessons(&self) -> Result<&LessonStore, ApiError> {
        Ok(self.lessons.get_or_try_init(|| LessonStore::open(self.store.data())).await?)
    }

    pub(crate) fn capacity(&self) -> u32 {
        u32::try_from(self.config.settings.integer("queue_limit")).unwrap_or(u32::MAX)
    }

    /// How much fits into the queue, of everybody and of one owner.
    pub(crate) fn room(&self, owner: &str) -> Room {
        Room { most: Some(self.capacity()), most_of_owner: self.config.access.most_runs_of(owner) }
    }
}

/// How often a run is begun anew after servers that ended before anything of it was done.
const FALSE_STARTS: u32 = 5;

/// What an earlier server left running comes to its rest: at its end, put away, or interrupted; or it waits again, if
/// nothing of it was done. What is not seen to yet still
/// runs by the queue, so that a server which is killed here leaves it to the next one.
async fn take_stock(store: &Store, jobs: &JobStore) -> Result<(), StoreError> {
    let words = "the server ended in the middle of it; it can be resumed and then goes on from its last step";
    for job in jobs.in_state(JobState::Running, u32::MAX).await? {
        let row = store.row(&job.run_id).await?.filter(|row| row.state == RunState::Ended);
        let reason = row.map(|row| row.termination_reason.unwrap_or_default());
        let (state, words) = match reason.as_deref() {
            Some(reason) if reason == Termination::Paused.as_str() => (JobState::Paused, None),
            // The queue did not hear of its end.
            Some(_) => (JobState::Ended, None),
            None => (JobState::Interrupted, Some(words)),
        };
        if state == JobState::Interrupted {
            // Where its trace cannot be read, nobody knows what was done.
            let has_begun = store.has_begun(&job.run_id).await.unwrap_or(true);
            if !has_begun && jobs.put_back(&job.run_id, FALSE_STARTS).await? {
                continue;
            }
            tracing::warn!(run_id = job.run_id, "a run that an earlier server left is interrupted");
        }
        jobs.moved(&job.run_id, &[JobState::Running], state, words, &now()).await?;
    }
    Ok(())
}

/// As the store writes times.
pub(crate) fn now() -> String {
    surehand_trace::writer::now()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use surehand_store::{DataDir, NewJob, NewRun};
    use surehand_types::Redactor;
    use surehand_types::event::{Event, RunStarted};

    use super::*;
    use crate::testing::result;

    #[tokio::test]
    async fn what_was_left_running_comes_to_the_rest_that_its_end_says_however_often_a_server_starts() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::open(folder.path()).unwrap();
        let (store, jobs) = (Store::open(&data).await.unwrap(), JobStore::open(&data).await.unwrap());
        let started: RunStarted = serde_json::from_value(json!({"task": "t", "brain": "b", "environment": "e",
            "viewport": {"width": 1, "height": 1}, "max_steps": 9, "toggles": {}, "surehand_version": "0"}))
        .unwrap();
        let redactor = Redactor::default();
        let began = "01aaaaaaaaaaaaaaaaaaaaaaaa";
        let runs = [("a", Some("done")), ("b", Some("paused")), ("c", Some("cancelled")), (began, None), ("d", None)];
        for (run_id, reason) in runs {
            let job = NewJob { run_id, owner: "ada", request: "{}", ..NewJob::default() };
            jobs.enqueue(job).await.unwrap();
            jobs.claim("now").await.unwrap();
            store.begin_run(NewRun { run_id, started_at: "", started: &started, redactor: &redactor }).await.unwrap();
            if let Some(reason) = reason {
                store.finish_run(&result(run_id, reason)).await.unwrap();
            }
        }
        let mut first = serde_json::to_value(Event::RunStarted(started)).unwrap();
        first.as_object_mut().unwrap().extend(
            json!({"v": 1, "seq": 1, "at": "2026-01-01T00:00:00Z", "run_id": began}).as_object().unwrap().clone(),
        );
        std::fs::write(data.events(began), format!("{first}\n")).unwrap();
        let expected = [JobState::Ended, JobState::Paused, JobState::Ended, JobState::Interrupted, JobState::Queued];
        for _ in 0..2 {
            take_stock(&store, &jobs).await.unwrap();
            for ((run_id, _), state) in runs.iter().zip(expected) {
                assert_eq!(jobs.job(run_id).await.unwrap().unwrap().state, state, "{run_id}");
            }
        }
        // Servers die of it again and again: it is not tried for ever.
        for attempt in 1..=FALSE_STARTS {
            assert_eq!(jobs.claim("now").await.unwrap().unwrap().run_id, "d", "{attempt}");
            take_stock(&store, &jobs).await.unwrap();
        }
        assert_eq!(jobs.job("d").await.unwrap().unwrap().state, JobState::Interrupted);
    }
}
