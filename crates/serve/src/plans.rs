//! Plans in requests: what can be known to be wrong with one, and from the queue to a plan that runs. What is kept in the queue
//! is the request itself, so what it is for has to be told from it.

use std::path::{Path, PathBuf};

use serde_json::Value;
use surehand_plan::plan::ValueType;
use surehand_plan::{Inputs, Plan, Problems};
use surehand_planrun::{Checkpoint, PlanRun};
use surehand_types::Settings;
use surehand_types::api::{CuaRequest, PredictRequest};

use crate::error::ApiError;

/// A request as the queue has it.
pub(crate) enum Kept {
    Run(Box<CuaRequest>),
    Plan(Box<PredictRequest>),
}

impl Kept {
    pub(crate) fn read(text: &str) -> Result<Kept, serde_json::Error> {
        let value: Value = serde_json::from_str(text)?;
        match value.get("plan") {
            Some(_) => serde_json::from_value(value).map(|request| Kept::Plan(Box::new(request))),
            None => serde_json::from_value(value).map(|request| Kept::Run(Box::new(request))),
        }
    }
}

/// A request for a plan, understood.
pub(crate) struct Asked {
    plan: Plan,
    inputs: Inputs,
    /// Everything that it has in common with a plain run.
    pub(crate) run: CuaRequest,
}

impl Asked {
    /// The same away from the threads that answer requests: a plan may be a megabyte, and all of it is looked at.
    pub(crate) async fn understood(request: PredictRequest) -> Result<(PredictRequest, Asked), ApiError> {
        let understood = tokio::task::spawn_blocking(move || Asked::of(&request).map(|asked| (request, asked)));
        understood.await.map_err(ApiError::internal)?
    }

    /// Everything that is wrong with the plan and its values is said at once.
    pub(crate) fn of(request: &PredictRequest) -> Result<Asked, ApiError> {
        let plan = match &request.plan {
            Some(value) => Plan::of_request(value),
            None => return Err(ApiError::invalid("plan: it is missing\nhint: docs/plans.md says what a plan is")),
        };
        let plan = plan.map_err(|problems| refused("plan", &problems))?;
        // Whoever may ask for a plan may not read this machine's files by it.
        let named = plan.files().into_iter().find(|(name, _)| !request.values.contains_key(*name));
        if let Some((name, _)) = named {
            let hint = "give its rows in `values`";
            return Err(ApiError::invalid(format!(
                "values.{name}: a plan in a request reads no files of this server\nhint: {hint}"
            )));
        }
        let inputs = Inputs::resolve(&plan, &request.values).map_err(|problems| refused("values", &problems))?;
        let sample = PlanRun::new(plan.clone(), inputs.clone(), Path::new(""), &Settings::default());
        let mut run = request.as_run(sample.task(), sample.home());
        let declared = plan.values.iter().filter(|(_, spec)| spec.r#type == ValueType::Secret);
        let declared: Vec<String> =
            declared.map(|(name, _)| name.to_owned()).filter(|name| !run.secrets.contains(name)).collect();
        run.secrets.extend(declared);
        if let Some(name) = plan.secrets().iter().find(|name| !run.secrets.contains(name)) {
            return Err(ApiError::invalid(format!("secrets: the plan types {name:?}, which is not named here")));
        }
        Ok(Asked { plan, inputs, run })
    }

    /// Where the run's folder says that it is, or at its beginning.
    pub(crate) fn plan_run(self, folder: &Path, began: bool, settings: &Settings) -> Result<PlanRun, String> {
        if began && Checkpoint::exists(folder) {
            let checkpoint = Checkpoint::load(folder).map_err(|error| error.to_string())?;
            return PlanRun::go_on(checkpoint, folder, settings).map_err(|error| error.to_string());
        }
        let plan = PlanRun::new(self.plan, self.inputs, folder, settings);
        plan.keep().map_err(|error| error.to_string())?;
        Ok(plan)
    }
}

/// Nobody goes on with a plan that is over, so nobody needs its logins.
pub(crate) async fn forget_logins(folder: PathBuf) {
    let forgotten = tokio::task::spawn_blocking(move || Checkpoint::forget_browser(&folder)).await;
    if let Ok(Err(error)) = forgotten {
        tracing::error!(%error, "the logins of a plan that is over could not be removed");
    }
}

fn refused(what: &str, problems: &Problems) -> ApiError {
    // The field of the request once, and then one line for each problem.
    ApiError::invalid(format!("{what}: {problems}"))
}
