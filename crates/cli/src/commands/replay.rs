//! `surehand replay FILE`: a run whose brain is a routine, with what the file knows about task, page and window.

use surehand_brain::{BrainSpec, RoutineSpec, read_routine};
use surehand_types::Settings;

use crate::args::RunArguments;
use crate::args_routine::ReplayArguments;
use crate::commands::run::run;
use crate::exit::Failure;
use crate::routines::pairs;

/// Looking for targets and a second brain take steps as well.
const FEWEST_STEPS: usize = 30;

pub(crate) async fn replay(mut arguments: ReplayArguments, settings: Settings) -> Result<i32, Failure> {
    let routine = read_routine(&arguments.file)?;
    let values = pairs("--value", &arguments.value)?.into_iter().collect();
    let filled = routine.filled(&values).map_err(|problem| {
        Failure::usage(format!(
            "{problem}\nhint: surehand runs export RUN --routine --parameter NAME=TEXT makes values"
        ))
    })?;
    let then = arguments.then.as_deref().map(BrainSpec::parse).transpose()?.map(Box::new);
    let spec = BrainSpec::Routine(RoutineSpec { file: arguments.file, values, then });
    let browser = &mut arguments.browser;
    let own_window = browser.desktop.is_none() && browser.cdp.is_none();
    if own_window && browser.viewport.is_none() {
        browser.viewport = Some(format!("{}x{}", filled.viewport.width, filled.viewport.height));
    }
    let url = arguments.url.or(filled.start_url).filter(|_| browser.desktop.is_none());
    let steps = (filled.steps.len() * 2).max(FEWEST_STEPS).to_string();
    let run_arguments = RunArguments {
        remote: None,
        task: Some(filled.task),
        url,
        resume: None,
        brain: Some(spec.to_string()),
        browser: arguments.browser,
        consent: arguments.consent,
        referee: arguments.referee,
        value: Vec::new(),
        require: Vec::new(),
        max_steps: arguments.max_steps.or(Some(steps)),
        timeout: arguments.timeout,
        brain_timeout: None,
        max_cost: arguments.max_cost,
        json: arguments.json,
    };
    run(run_arguments, settings).await
}
