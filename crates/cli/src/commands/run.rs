//! `surehand run`: a task, a brain, a browser. `launch_run` is also what the demo uses.

use surehand_brain::BrainSpec;
use surehand_conduct::{RefereeChoice, RunOrder, earlier, launch, secret_variables};
use surehand_run::{Declared, FormValue, Reins, Resumed};
use surehand_store::{DataDir, Retention, Store, new_run_id};
use surehand_trace::Listener;
use surehand_trace::report::outcome::outcome_in_words;
use surehand_types::reason::Exit;
use surehand_types::result::exit_of;
use surehand_types::{RunResult, Settings};

use super::run_remote::run_remote;
use crate::args::{BrowserArguments, RunArguments};
use crate::args_referee::RefereeArguments;
use crate::ask::Terminal;
use crate::consent::{consent, mode_in_words};
use crate::environment::{apply_consent, apply_flags, apply_referee, environment_choice, open_data, say_notes};
use crate::exit::Failure;
use crate::logging::clean;
use crate::output::say;
use crate::routines::{give_values, keep_repaired};
use crate::settings::set_flags;
use crate::{progress, secrets, signals};

pub(crate) async fn run(mut arguments: RunArguments, mut settings: Settings) -> Result<i32, Failure> {
    let flags = [
        ("max_steps", &arguments.max_steps),
        ("timeout", &arguments.timeout),
        ("brain_timeout", &arguments.brain_timeout),
        ("brain", &arguments.brain),
        ("max_cost", &arguments.max_cost),
    ];
    set_flags(&mut settings, &flags)?;
    apply_flags(&mut settings, &arguments.browser, arguments.url.as_deref())?;
    apply_consent(&mut settings, &arguments.consent)?;
    apply_referee(&mut settings, &arguments.referee)?;
    if let Some(server) = arguments.remote.take() {
        return run_remote(&server, arguments, &settings).await;
    }
    let data = open_data(&settings)?;
    let earlier = match &arguments.resume {
        Some(run) => Some(earlier(&Store::open(&data).await?, run).await?),
        None => None,
    };
    let task = arguments.task.or_else(|| earlier.as_ref().map(|earlier| earlier.task.clone())).unwrap_or_default();
    if task.trim().is_empty() {
        return Err(Failure::usage("the task is empty\nhint: say in words what to do"));
    }
    let url = arguments.url.or_else(|| earlier.as_ref().and_then(|earlier| earlier.url.clone()));
    // A run that goes on on a desktop has no page to go back to.
    let url = url.filter(|_| arguments.browser.desktop.is_none());
    let named = settings.optional_text("brain").map(str::to_string);
    let Some(spec) = named.or_else(|| earlier.as_ref().and_then(|earlier| earlier.brain.clone())) else {
        return Err(Failure::usage(
            "no brain was named\nhint: --brain anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND, routine:FILE or script:FILE",
        ));
    };
    let mut spec = BrainSpec::parse(&spec)?;
    let resumed = earlier.map(|earlier| Resumed { run_id: earlier.run_id, steps: earlier.steps });
    let mut values = form_values(&arguments.value)?;
    give_values(&mut spec, &mut values)?;
    let secrets = secrets::load(&arguments.browser.secret, url.as_deref(), &settings).await?;
    if let Some(sentence) = values.iter().find_map(|value| secrets.unknown_in(&value.value)) {
        return Err(Failure::usage(format!("{sentence}\nhint: --secret NAME=env:VARIABLE declares it")));
    }
    arguments.browser.secrets = secrets;
    let request = RunRequest {
        values,
        required: arguments.require.clone(),
        task,
        url,
        resumed,
        browser: arguments.browser,
        json: arguments.json,
        scripted: false,
        referee: arguments.referee,
    };
    let outcome = launch_run(&request, &spec, &settings, &data).await?;
    if arguments.json {
        let line = serde_json::json!({"type": "result", "result": outcome.result});
        say!("{line}");
    } else {
        let run = &outcome.result.run_id;
        let again = can_go_on(&outcome.result).then(|| format!("surehand run --resume {run}"));
        print_outcome(&outcome, &format!("surehand report {run} -o report.html"), again.as_deref());
    }
    // After the result, which is the last line for whoever reads JSON.
    if let Some(words) = keep_repaired(&Store::open(&data).await?, &spec, &outcome.result).await {
        if arguments.json { eprintln!("surehand: {}", clean(&words)) } else { say!("  {words}") }
    }
    Ok(outcome.exit as i32)
}

pub(crate) struct RunRequest {
    pub(crate) task: String,
    pub(crate) url: Option<String>,
    pub(crate) browser: BrowserArguments,
    pub(crate) json: bool,
    /// A script of our own on a site of our own: nobody is asked.
    pub(crate) scripted: bool,
    pub(crate) values: Vec<FormValue>,
    /// Fields that the answer must have.
    pub(crate) required: Vec<String>,
    /// An earlier run that this one goes on from.
    pub(crate) resumed: Option<Resumed>,
    pub(crate) referee: RefereeArguments,
}

/// `label=text`, the label up to the first equals sign.
pub(super) fn form_values(given: &[String]) -> Result<Vec<FormValue>, Failure> {
    given
        .iter()
        .map(|pair| match pair.split_once('=') {
            Some((label, value)) if !label.trim().is_empty() && !value.is_empty() => {
                Ok(FormValue { label: label.trim().to_string(), value: value.to_string() })
            }
            _ => Err(Failure::usage(format!(
                "--value {pair:?} is not of the form LABEL=TEXT\nhint: --value email=ada@example.com"
            ))),
        })
        .collect()
}

pub(crate) struct RunOutcome {
    pub(crate) result: RunResult,
    pub(crate) exit: Exit,
    /// What to take away from it, in words.
    pub(crate) headline: String,
}

/// Everything of a run from the open store to its result. A second Ctrl-C drops it all at once.
pub(crate) async fn launch_run(
    request: &RunRequest,
    spec: &BrainSpec,
    settings: &Settings,
    data: &DataDir,
) -> Result<RunOutcome, Failure> {
    let stops = signals::listen();
    let now = stops.now.clone();
    let work = prepared_run(request, spec, settings, data, stops);
    tokio::select! {
        outcome = work => outcome,
        () = now.cancelled() => Err(Failure { code: Exit::Interrupted as i32, message: "interrupted".into() }),
    }
}

async fn prepared_run(
    request: &RunRequest,
    spec: &BrainSpec,
    settings: &Settings,
    data: &DataDir,
    stops: signals::Stops,
) -> Result<RunOutcome, Failure> {
    let consent = consent(settings, request.scripted, &stops.gently)?;
    let store = Store::open(data).await?;
    let retention = Retention::of(settings);
    if let Err(error) = store.apply_retention(retention, jiff::Timestamp::now()).await {
        tracing::warn!(%error, "old runs could not be removed");
    }
    let mode = (!request.scripted).then(|| mode_in_words(&consent, settings));
    let order = RunOrder {
        run_id: new_run_id(),
        task: request.task.clone(),
        url: request.url.clone(),
        brain: spec,
        settings,
        store: &store,
        environment: environment_choice(&request.browser),
        hidden_variables: secret_variables(&request.browser.secret),
        declared: Declared {
            values: request.values.clone(),
            required_fields: request.required.clone(),
            ..Declared::default()
        },
        referee: RefereeChoice {
            contract: request.referee.contract.clone(),
            roots: request.referee.root.clone(),
            ..RefereeChoice::default()
        },
        people: Box::new(Terminal { patience: settings.duration("ask_timeout") }),
        consent,
        resumed: request.resumed.clone(),
        goes_on: None,
        listeners: vec![listener(request.json)],
        cancel: stops.gently,
        reins: Reins::default(),
        keeper: None,
        agenda: None,
        ready: Box::new(|notes| {
            say_notes(notes);
            if let Some(mode) = mode {
                eprintln!("{mode}");
            }
        }),
    };
    let result = launch(order).await?;
    let exit = exit_of(result.verdict.r#final, result.termination_reason, false);
    let headline = match store.timeline(&result.run_id).await {
        Ok(timeline) => outcome_in_words(&timeline).headline,
        Err(_) => format!("The run ended: {}", result.termination_reason.as_str()),
    };
    Ok(RunOutcome { result, exit, headline })
}

/// Ended by something that another try may not meet again.
fn can_go_on(result: &RunResult) -> bool {
    use surehand_types::Termination::{BrainError, Budget, Cancelled, EnvError, MaxSteps, Timeout};
    matches!(result.termination_reason, BrainError | Budget | Cancelled | EnvError | MaxSteps | Timeout)
}

pub(super) fn listener(json: bool) -> Listener {
    if json { progress::as_json() } else { progress::for_people() }
}

pub(super) fn print_outcome(outcome: &RunOutcome, look: &str, again: Option<&str>) {
    let result = &outcome.result;
    say!("{}", outcome.headline);
    if let Some(summary) = &result.summary {
        say!("  it says: {}", summary.lines().next().unwrap_or_default());
    }
    if let Some(output) = &result.output {
        say!("  output: {output}");
    }
    if let Some(error) = &result.error {
        say!("  {error}");
    }
    let cost = if result.cost > 0.0 { format!(", about ${:.4}", result.cost) } else { String::new() };
    say!("  {} steps in {:.1} s{cost}, run {}", result.steps, result.duration_s, result.run_id);
    say!("  look at it: {look}");
    if let Some(again) = again {
        say!("  go on with it: {again}");
    }
}
