//! From an order to a result: the brain, the referee, the environment, and then the run itself.

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainSpec, open};
use surehand_env::browser::keepsake_elsewhere;
use surehand_run::{Declared, Keeper, People, Reins, Resumed};
use surehand_store::Store;
use surehand_trace::Listener;
use surehand_types::{RunResult, Settings};
use tokio_util::sync::CancellationToken;

use crate::brains::brain_options;
use crate::conduct::{Conduct, Planned, conduct};
use crate::consent::Consent;
use crate::environment::{EnvironmentChoice, open_environment};
use crate::error::ConductError;
use crate::lessons::open_lessons;
use crate::referee::{RefereeChoice, referee};

/// Everything that a door has to say about a run that it wants.
pub struct RunOrder<'a> {
    pub run_id: String,
    pub task: String,
    pub url: Option<String>,
    pub brain: &'a BrainSpec,
    pub settings: &'a Settings,
    pub store: &'a Store,
    pub environment: EnvironmentChoice,
    /// Variables that programs which we start do not get.
    pub hidden_variables: Vec<String>,
    pub declared: Declared,
    pub referee: RefereeChoice,
    pub people: Box<dyn People>,
    pub consent: Consent,
    pub resumed: Option<Resumed>,
    /// Where this very run was put away or lost its process.
    pub goes_on: Option<GoOn>,
    pub listeners: Vec<Listener>,
    pub cancel: CancellationToken,
    /// How people outside steer it.
    pub reins: Reins,
    /// Who keeps what it could be gone on from if its process died.
    pub keeper: Option<Keeper>,
    /// Several tasks in place of the one.
    pub agenda: Option<Planned<'a>>,
    /// Called once with what the environment has to say before the first step.
    pub ready: Box<dyn FnOnce(Vec<String>) + Send + 'a>,
}

/// What a run goes on from under its own id.
#[derive(Debug, Clone, Default)]
pub struct GoOn {
    pub by: String,
    /// What was kept of its browser; without it the run goes on at the order's address.
    pub keepsake: Option<serde_json::Value>,
    /// The run went on after that moment: its logins hold, and it goes on at the order's address.
    pub is_older: bool,
}

impl std::fmt::Debug for RunOrder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunOrder").field("run_id", &self.run_id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// Runs to the end. An error means that nothing ran; what goes wrong later is inside the result.
pub async fn launch(order: RunOrder<'_>) -> Result<RunResult, ConductError> {
    let RunOrder { settings, store, environment, .. } = order;
    let data = store.data();
    // The brain first: a malformed script is found before a browser starts.
    let surface = if environment.desktop.is_some() { Surface::Desktop } else { Surface::Browser };
    let brain = open(order.brain, brain_options(settings, order.hidden_variables, surface))?;
    let referee = referee(settings, &order.referee, &environment.secrets, &environment.browser.off_limits)?;
    let folder = data.run(&order.run_id);
    let downloads = folder.join("downloads");
    let keepsake = order.goes_on.as_ref().and_then(|goes_on| match (&goes_on.keepsake, &order.url) {
        (Some(kept), Some(url)) if goes_on.is_older => Some(keepsake_elsewhere(kept, url)),
        (kept, _) => kept.clone(),
    });
    let url = order.url.as_deref().filter(|_| keepsake.is_none());
    let opening = async {
        let mut env = open_environment(settings, &environment, data, &downloads, url).await?;
        if let Some(keepsake) = &keepsake
            && let Err(sentence) = env.take_up(keepsake).await
        {
            env.close().await;
            return Err(ConductError::usage(sentence));
        }
        Ok(env)
    };
    let env = tokio::select! {
        env = opening => env,
        () = order.cancel.cancelled() => Err(ConductError::Interrupted),
    };
    let env = match env {
        Ok(env) => env,
        Err(error) => {
            // Nothing ran: an empty run folder would only confuse. One that goes on has a trace in it.
            if order.goes_on.is_none() {
                let _ = std::fs::remove_dir_all(&folder);
            }
            return Err(error);
        }
    };
    (order.ready)(env.notes());
    let told = Conduct {
        run_id: order.run_id,
        task: order.task,
        url: order.url,
        declared: order.declared,
        settings,
        store,
        redactor: environment.secrets.redactor().clone(),
        listeners: order.listeners,
        people: order.people,
        consent: order.consent,
        cancel: order.cancel,
        reins: order.reins,
        keeper: order.keeper,
        agenda: order.agenda,
        resumed: order.resumed,
        goes_on: order.goes_on.map(|goes_on| goes_on.by),
        referee,
        lessons: open_lessons(settings, data).await,
    };
    Ok(Box::pin(conduct(told, env, brain)).await?)
}
