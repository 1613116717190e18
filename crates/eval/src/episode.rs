//! One task, run once: a fresh site, a fresh browser, the task's own brain, and the truth afterwards.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};

use serde::Serialize;
use surehand_env::Environment;
use surehand_env::browser::BrowserEnv;
use surehand_run::{Declared, Nobody};
use surehand_sites::SiteServer;
use surehand_store::{Store, new_run_id};
use surehand_types::settings::Source;
use surehand_types::{Redactor, RunResult, Settings, Termination};
use tokio_util::sync::CancellationToken;

use crate::error::EvalError;
use crate::suite::{Suite, Task};
use crate::truth::{Truth, reset};
use surehand_conduct::{BrowserChoice, Conduct, Consent, browser_options, conduct};

/// Where and under which settings episodes are run.
#[derive(Debug)]
pub struct Stage<'a> {
    pub suite: &'a Suite,
    pub store: &'a Store,
    pub choice: &'a BrowserChoice,
    pub cancel: &'a CancellationToken,
}

/// What came out of one run, as far as experiments compare it.
#[derive(Debug, Clone, Serialize)]
pub struct Episode {
    pub task: String,
    pub run_id: String,
    pub truth: Truth,
    /// The run ended as a success by its own account.
    pub claimed: bool,
    pub termination: Termination,
    pub steps: u32,
    pub seconds: f64,
    pub no_effect: u32,
    pub rejections: BTreeMap<String, u32>,
    pub recoveries: BTreeMap<String, u32>,
    /// What went wrong, or what spoke against the last done.
    pub error: Option<String>,
}

impl Episode {
    /// Claimed, but not so.
    pub fn is_false_success(&self) -> bool {
        self.claimed && !self.truth.achieved
    }

    pub fn rejected(&self) -> u32 {
        self.rejections.values().sum()
    }

    pub fn recovered(&self) -> u32 {
        self.recoveries.values().sum()
    }

    fn new(task: &Task, result: RunResult, truth: Truth) -> Episode {
        Episode {
            task: task.id.clone(),
            run_id: result.run_id,
            truth,
            claimed: result.success,
            termination: result.termination_reason,
            steps: result.steps,
            seconds: result.duration_s,
            no_effect: result.effect_summary.no_effect,
            rejections: result.done_rejections_by_reason,
            recoveries: result.loop_recoveries_by_reason,
            error: result.error,
        }
    }
}

impl Stage<'_> {
    /// Runs one task to its end. `None` when it was cancelled: half a run says nothing.
    pub async fn play(
        &self,
        task: &Task,
        settings: &Settings,
        seed: Option<u64>,
    ) -> Result<Option<Episode>, EvalError> {
        let server = self.open_site(task, seed).await?;
        let url = format!("{}{}", server.url(), task.path.trim_start_matches('/'));
        let played = self.run(task, &url, settings).await;
        let episode = match played {
            Ok(Some(result)) => {
                task.check.truth(&server.url(), &result).await.map(|truth| Some(Episode::new(task, result, truth)))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        server.stop().await;
        episode
    }

    async fn open_site(&self, task: &Task, seed: Option<u64>) -> Result<SiteServer, EvalError> {
        let site = task.site().map_err(EvalError::Broken)?;
        let server = SiteServer::start(site, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        if let Some(seed) = seed {
            reset(&server.url(), seed).await?;
        }
        Ok(server)
    }

    async fn run(&self, task: &Task, url: &str, settings: &Settings) -> Result<Option<RunResult>, EvalError> {
        let mut settings = settings.clone();
        if let Some(steps) = task.max_steps {
            settings.set("max_steps", &steps.to_string(), Source::Flag).map_err(EvalError::Broken)?;
        }
        let brain = self.suite.brain(task).map_err(EvalError::Broken)?;
        let run_id = new_run_id();
        let data = self.store.data();
        let downloads = data.run(&run_id).join("downloads");
        std::fs::create_dir_all(&downloads)
            .map_err(|error| EvalError::Broken(format!("cannot create {}: {error}", downloads.display())))?;
        let options = browser_options(&settings, self.choice, data, &downloads)?;
        let opened = tokio::select! {
            env = open(&options, url) => Some(env),
            () = self.cancel.cancelled() => None,
        };
        let env = match opened {
            Some(Ok(env)) => env,
            // Nothing ran: an empty run folder would only confuse.
            failed => {
                let _ = std::fs::remove_dir_all(data.run(&run_id));
                return failed.map_or(Ok(None), |opened| opened.map(|_| None).map_err(EvalError::from));
            }
        };
        let told = Conduct {
            run_id,
            task: task.task.clone(),
            url: Some(url.to_string()),
            declared: Declared { values: task.values(), required_fields: task.required.clone(), ..Declared::default() },
            settings: &settings,
            store: self.store,
            redactor: Redactor::default(),
            listeners: Vec::new(),
            people: Box::new(Nobody),
            consent: Consent::scripted(&settings)?,
            cancel: self.cancel.clone(),
            resumed: None,
            agenda: None,
            referee: None,
            // Arms are compared: what one run learns must not reach the next.
            lessons: None,
            reins: surehand_run::Reins::default(),
            keeper: None,
            goes_on: None,
        };
        let result = conduct(told, Box::new(env), brain).await?;
        Ok(Some(result).filter(|result| result.termination_reason != Termination::Cancelled))
    }
}

async fn open(
    options: &surehand_env::browser::BrowserOptions,
    url: &str,
) -> Result<BrowserEnv, surehand_env::EnvError> {
    let mut env = BrowserEnv::launch(options).await?;
    match env.open_start_url(url).await {
        Ok(()) => Ok(env),
        Err(error) => {
            env.close().await;
            Err(error)
        }
    }
}
