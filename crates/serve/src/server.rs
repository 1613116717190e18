//! What an instance is: its settings, its store, its queue, and the runs that are under way in it.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use surehand_checks::before::allowlist::OffLimits;
use surehand_store::{JobState, JobStore, LessonStore, Room, RunState, Store, StoreError};
use surehand_types::settings::Source;
use surehand_types::{Settings, Termination};
use tokio::sync::{Notify, OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::Access;
use crate::error::ApiError;
use crate::followers::Followers;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::otlp::Otlp;
use crate::pages::memo::Memo;
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
    pub(crate) slots: Arc<Semaphore>,
    /// Something was put into the queue.
    pub(crate) wake: Notify,
    /// Some run has ended.
    pub(crate) ended: Notify,
    /// No run begins any more.
    pub(crate) stopping: CancellationToken,
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: Arc<Metrics>,
    /// Opened when somebody asks: a damaged file must not keep the server from starting.
    lessons: OnceCell<LessonStore>,
    pub(crate) followers: Arc<Followers>,
    /// Those who wait for a result.
    pub(crate) waiters: Arc<Followers>,
    pub(crate) otlp: Option<Otlp>,
    /// All runs have come to a rest, after `stopping`.
    pub(crate) quiet: CancellationToken,
    pub(crate) memo: Memo,
}

impl Server {
    /// Marks what an earlier server left running, and takes over the settings that were changed on it.
    pub async fn open(config: ServerConfig, store: Store, jobs: JobStore) -> Result<Arc<Server>, StoreError> {
        let words = "the server ended in the middle of it; it can be resumed and then goes on from its last step";
        let left = jobs.mark_interrupted(words, &now()).await?;
        if !left.is_empty() {
            tracing::warn!(runs = left.len(), "runs that an earlier server left were marked as interrupted");
        }
        // One that was at its end already, and killed before the queue heard of it, is no interrupted one; one that was
        // put away goes on like all others.
        for job in left {
            let Some(row) = store.row(&job.run_id).await?.filter(|row| row.state == RunState::Ended) else { continue };
            let is_put_away = row.termination_reason.as_deref() == Some(Termination::Paused.as_str());
            let state = if is_put_away { JobState::Paused } else { JobState::Ended };
            jobs.moved(&job.run_id, &[JobState::Interrupted], state, None, &now()).await?;
        }
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
            slots: Arc::new(Semaphore::new(slots)),
            wake: Notify::new(),
            ended: Notify::new(),
            stopping: CancellationToken::new(),
            tasks: TaskTracker::new(),
            metrics: Arc::new(Metrics::new()),
            lessons: OnceCell::new(),
            followers: Arc::default(),
            waiters: Arc::default(),
            otlp,
            quiet: CancellationToken::new(),
            memo: Memo::default(),
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

/// As the store writes times.
pub(crate) fn now() -> String {
    surehand_trace::writer::now()
}
