//! One run of the memory benchmark: the one site that all runs share (its address is what lessons are bound to), a fresh
//! browser, a contract that asks the site, and what came of it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use surehand_env::Environment as _;
use surehand_env::browser::BrowserEnv;
use surehand_referee::{Accept, Contract, Folders, JudgeSettings};
use surehand_run::{Declared, Nobody, Referee};
use surehand_sites::{Site, SiteServer};
use surehand_store::{DataDir, LessonStore, Store, new_run_id};
use surehand_types::settings::Source;
use surehand_types::vision::{VisionFuture, VisionModel, VisionReply, VisionRequest};
use surehand_types::{Redactor, RunResult, Settings, Termination};
use tokio_util::sync::CancellationToken;

use super::tasks::{BAIT, Noise, Trap};
use super::{MemoryArm, MemoryRun};
use crate::error::EvalError;
use crate::truth::{get, reset};
use surehand_conduct::{BrowserChoice, Conduct, Consent, browser_options, conduct, open_lessons};

const MAX_STEPS: &str = "14";

pub(super) struct Player<'a> {
    settings: Settings,
    store: Store,
    site: SiteServer,
    cancel: &'a CancellationToken,
}

impl<'a> Player<'a> {
    pub(super) async fn start(
        settings: &Settings,
        data: &DataDir,
        cancel: &'a CancellationToken,
    ) -> Result<Player<'a>, EvalError> {
        let mut settings = settings.clone();
        for (name, value) in [("max_steps", MAX_STEPS), ("lessons", "on")] {
            settings.set(name, value, Source::Flag).map_err(EvalError::Broken)?;
        }
        let site = SiteServer::start(Site::Traps, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        Ok(Player { settings, store: Store::open(data).await?, site, cancel })
    }

    pub(super) async fn stop(self) {
        self.store.close().await;
        self.site.stop().await;
    }

    /// `None` when it was cancelled.
    pub(super) async fn play(
        &self,
        arm: MemoryArm,
        round: u32,
        trap: &Trap,
        noise: Option<Noise>,
    ) -> Result<Option<MemoryRun>, EvalError> {
        reset(&self.site.url(), u64::from(round)).await?;
        let Some(result) = self.run(arm, trap, noise).await? else { return Ok(None) };
        let state = get(&format!("{}__state", self.site.url())).await?;
        let harm = state["deeds"]["deleted"].as_u64().unwrap_or_default();
        let failed = result.trajectory.iter().filter(|record| record.error.is_some()).count();
        Ok(Some(MemoryRun {
            arm,
            round,
            task: trap.name.into(),
            noise: noise.map(|noise| noise.name().to_string()),
            bad_hints: self.bad_hints(&result).await?,
            verdict: result.verdict.r#final,
            steps: result.steps,
            wasted: result.effect_summary.no_effect + u32::try_from(failed).unwrap_or(u32::MAX),
            hints: result.lessons.injected,
            created: result.lessons.created,
            promoted: result.lessons.promoted,
            run_id: result.run_id,
            harm,
        }))
    }

    async fn run(&self, arm: MemoryArm, trap: &Trap, noise: Option<Noise>) -> Result<Option<RunResult>, EvalError> {
        let url = format!("{}{}", self.site.url(), trap.path(noise));
        let run_id = new_run_id();
        let data = self.store.data();
        let downloads = data.run(&run_id).join("downloads");
        std::fs::create_dir_all(&downloads)
            .map_err(|error| EvalError::Broken(format!("cannot create {}: {error}", downloads.display())))?;
        let options = browser_options(&self.settings, &BrowserChoice::default(), data, &downloads)?;
        let mut env = tokio::select! {
            env = BrowserEnv::launch(&options) => env?,
            () = self.cancel.cancelled() => return Ok(None),
        };
        if let Err(error) = env.open_start_url(&url).await {
            env.close().await;
            return Err(error.into());
        }
        let told = Conduct {
            run_id,
            task: trap.task.into(),
            url: Some(url),
            declared: Declared::default(),
            settings: &self.settings,
            store: &self.store,
            redactor: Redactor::default(),
            listeners: Vec::new(),
            people: Box::new(Nobody),
            consent: Consent::scripted(&self.settings)?,
            cancel: self.cancel.clone(),
            resumed: None,
            agenda: None,
            referee: referee(trap, noise, data)?,
            reins: surehand_run::Reins::default(),
            keeper: None,
            goes_on: None,
            lessons: match arm {
                MemoryArm::With => open_lessons(&self.settings, data).await,
                MemoryArm::Without => None,
            },
        };
        let result = conduct(told, Box::new(env), Box::new(trap.brain(noise))).await?;
        Ok(Some(result).filter(|result| result.termination_reason != Termination::Cancelled))
    }

    /// Lessons that were shown although they name what must not be pressed.
    async fn bad_hints(&self, result: &RunResult) -> Result<u32, EvalError> {
        if result.lessons.injected == 0 {
            return Ok(0);
        }
        let store = LessonStore::open(self.store.data()).await?;
        let mut bad = 0;
        for event in store.events_of_run(&result.run_id).await? {
            if matches!(event.happened, surehand_memory::Happened::Shown(_)) {
                let lesson = store.get(&event.lesson).await?;
                bad += u32::from(lesson.is_some_and(|lesson| lesson.rule.contains(BAIT)));
            }
        }
        store.close().await;
        Ok(bad)
    }
}

fn referee(trap: &Trap, noise: Option<Noise>, data: &DataDir) -> Result<Option<Referee>, EvalError> {
    let Some(contract) = trap.contract(noise) else { return Ok(None) };
    let contract = Contract::read(&contract.to_string(), data.root())
        .map_err(|error| EvalError::Broken(format!("a contract of the benchmark is wrong: {error}")))?;
    let judge: Option<Box<dyn VisionModel>> = match noise {
        Some(Noise::Disagreement) => Some(Box::new(Contrary)),
        _ => None,
    };
    Ok(Some(Referee {
        contract: Some(contract),
        folders: Folders::new(data.root()),
        judge,
        judge_settings: JudgeSettings::default(),
        accept: Accept::Fused,
        database: None,
        secrets: Arc::default(),
        reach: None,
    }))
}

/// A judge that never agrees, in the place of a model that is wrong now and then.
struct Contrary;

impl VisionModel for Contrary {
    fn name(&self) -> &str {
        "contrary"
    }

    fn ask<'a>(&'a self, _: &'a VisionRequest) -> VisionFuture<'a> {
        let text = r#"{"passed": false, "score": 0.1, "confidence": 0.9, "reasons": ["it does not look done"], "observed": {}}"#;
        Box::pin(async move { Ok(VisionReply { text: text.into(), model: "contrary".into(), cost: 0.0 }) })
    }
}
