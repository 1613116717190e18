//! `surehand plan`: check a plan, run it, go on with it.

use std::path::Path;

use serde_json::json;
use surehand_brain::BrainSpec;
use surehand_conduct::{GoOn, Planned, RefereeChoice, RunOrder, launch, secret_variables};
use surehand_plan::{Plan, plan_schema};
use surehand_planrun::{Checkpoint, CheckpointError, OutputFile, PlanRun, TableChoice, output_text, read_output};
use surehand_run::{Declared, Reins, Resumed};
use surehand_store::{DataDir, Store, new_run_id};
use surehand_trace::report::outcome::outcome_in_words;
use surehand_types::plan::PlanStatus;
use surehand_types::reason::Exit;
use surehand_types::result::exit_of;
use surehand_types::secret::placeholder;
use surehand_types::{RunResult, Settings};

use super::plan_inputs::{read_inputs, read_plan};
use crate::args_plan::{PlanArguments, PlanCheck, PlanCommand, PlanRunArguments};
use crate::ask::Terminal;
use crate::consent::{consent, mode_in_words};
use crate::environment::{apply_consent, apply_flags, apply_referee, environment_choice, open_data, say_notes};
use crate::exit::Failure;
use crate::output::say;
use crate::settings::set_flags;
use crate::{progress, secrets, signals};

pub(crate) async fn plan(arguments: PlanArguments, settings: Settings) -> Result<i32, Failure> {
    match arguments.command {
        PlanCommand::Check(arguments) => check(&arguments),
        PlanCommand::Run(arguments) => run(*arguments, settings).await,
        PlanCommand::Schema => {
            say!("{}", serde_json::to_string_pretty(&plan_schema()).unwrap_or_default());
            Ok(0)
        }
    }
}

/// Values are only looked at where some are given: a plan may be checked before they are known.
fn check(arguments: &PlanCheck) -> Result<i32, Failure> {
    let given = arguments.values.values.is_some() || !arguments.values.value.is_empty();
    let read = read_plan(&arguments.file).and_then(|plan| {
        if given {
            read_inputs(&arguments.file, &plan, &arguments.values)?;
        }
        Ok(plan)
    });
    if arguments.json {
        let problem = read.as_ref().err().map(|failure| failure.message.clone());
        let facts = read.as_ref().ok().map(facts);
        say!("{}", json!({"ok": read.is_ok(), "plan": facts, "problem": problem}));
        return Ok(if read.is_ok() { 0 } else { Exit::Usage as i32 });
    }
    let plan = read?;
    let facts = facts(&plan);
    let list = |name: &str| {
        let all: Vec<String> =
            facts[name].as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_string)).collect();
        if all.is_empty() { "none".to_string() } else { all.join(", ") }
    };
    say!("ok: {}, {} steps", plan.name, facts["steps"]);
    say!("  values: {}; secrets: {}; tables: {}", list("values"), list("secrets"), list("tables"));
    Ok(0)
}

fn facts(plan: &Plan) -> serde_json::Value {
    let values: Vec<&str> = plan.values.iter().map(|(name, _)| name).collect();
    let tables: Vec<&str> = plan.output.tables.iter().map(|(name, _)| name).collect();
    json!({
        "name": plan.name, "steps": plan.all_steps().len(), "values": values, "secrets": plan.secrets(), "tables": tables,
    })
}

async fn run(mut arguments: PlanRunArguments, mut settings: Settings) -> Result<i32, Failure> {
    let flags = [
        ("max_steps", &arguments.max_steps),
        ("timeout", &arguments.timeout),
        ("brain_timeout", &arguments.brain_timeout),
        ("brain", &arguments.brain),
        ("max_cost", &arguments.max_cost),
    ];
    set_flags(&mut settings, &flags)?;
    if arguments.browser.desktop.is_some() {
        return Err(Failure::usage("a plan opens addresses, and a desktop has none\nhint: leave out --desktop"));
    }
    apply_flags(&mut settings, &arguments.browser, None)?;
    apply_consent(&mut settings, &arguments.consent)?;
    apply_referee(&mut settings, &arguments.referee)?;
    let kind = arguments.output.as_deref().map(OutputFile::of).transpose().map_err(Failure::usage)?;
    let data = open_data(&settings)?;
    let store = Store::open(&data).await?;
    let Begun { run_id, mut plan, brain, goes_on } = begun(&arguments, &settings, &store).await?;
    let table = arguments.table.as_deref().map_or(TableChoice::Only, TableChoice::Named);
    if let Some(kind) = kind {
        output_text(plan.plan(), &json!({}), &json!([]), kind, table).map_err(Failure::usage)?;
    }
    let named = settings.optional_text("brain").map(str::to_string).or(brain);
    let Some(named) = named else {
        return Err(Failure::usage(
            "no brain was named\nhint: --brain anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND or script:FILE",
        ));
    };
    let spec = BrainSpec::parse(&named)?;
    let known = secrets::load(&arguments.browser.secret, plan.home().as_deref(), &settings).await?;
    if let Some(name) = plan.plan().secrets().iter().find(|name| known.unknown_in(&placeholder(name)).is_some()) {
        return Err(Failure::usage(format!("the plan needs the secret {name:?}\nhint: --secret {name}=env:VARIABLE")));
    }
    arguments.browser.secrets = known;
    let result =
        launched(&arguments, &settings, &store, &spec, Launch { run_id: &run_id, plan: &mut plan, goes_on }).await?;
    let written = match (&arguments.output, kind) {
        (Some(path), Some(kind)) => Some(write_output(&data, &run_id, plan.plan(), path, kind, table)?),
        _ => None,
    };
    if arguments.json {
        say!("{}", json!({"type": "result", "result": result}));
    } else {
        print_outcome(&store, &result, written.as_deref()).await;
    }
    Ok(exit_of(result.verdict.r#final, result.termination_reason, false) as i32)
}

/// A plan that is ready to run.
struct Begun {
    run_id: String,
    plan: PlanRun,
    /// The brain that it had before.
    brain: Option<String>,
    goes_on: bool,
}

async fn begun(arguments: &PlanRunArguments, settings: &Settings, store: &Store) -> Result<Begun, Failure> {
    let data = store.data();
    if let Some(run) = &arguments.resume {
        let run_id = store.resolve(run).await?;
        if store.is_live(&run_id).await? {
            return Err(Failure::usage(format!("the run {run_id} is still under way in another process")));
        }
        let folder = data.run(&run_id);
        let checkpoint = Checkpoint::load(&folder).map_err(unusable)?;
        let plan = PlanRun::go_on(checkpoint, &folder, settings).map_err(unusable)?;
        if plan.is_at_its_end() {
            return Err(Failure::usage(format!(
                "the plan of the run {run_id} is at its end\nhint: surehand plan run FILE starts it anew"
            )));
        }
        let brain = store.row(&run_id).await?.map(|row| row.brain).filter(|brain| !brain.is_empty());
        return Ok(Begun { run_id, plan, brain, goes_on: true });
    }
    let Some(file) = &arguments.file else { return Err(Failure::usage("no plan was named")) };
    let plan = read_plan(file)?;
    let inputs = read_inputs(file, &plan, &arguments.values)?;
    let run_id = new_run_id();
    let plan = PlanRun::new(plan, inputs, &data.run(&run_id), settings);
    Ok(Begun { run_id, plan, brain: None, goes_on: false })
}

fn unusable(error: CheckpointError) -> Failure {
    Failure::usage(error.to_string())
}

struct Launch<'a> {
    run_id: &'a str,
    plan: &'a mut PlanRun,
    goes_on: bool,
}

/// To its end. A second Ctrl-C drops everything at once; the checkpoint is on disk all the same.
async fn launched(
    arguments: &PlanRunArguments,
    settings: &Settings,
    store: &Store,
    spec: &BrainSpec,
    Launch { run_id, plan, goes_on }: Launch<'_>,
) -> Result<RunResult, Failure> {
    let stops = signals::listen();
    let now = stops.now.clone();
    let consent = consent(settings, false, &stops.gently)?;
    let mode = mode_in_words(&consent, settings);
    if !goes_on {
        plan.keep().map_err(unusable)?;
    }
    let keepsake = plan.take_keepsake();
    let (task, url, addresses) = (plan.task(), plan.last_url(), plan.addresses());
    let order = RunOrder {
        run_id: run_id.to_string(),
        task,
        url,
        brain: spec,
        settings,
        store,
        environment: environment_choice(&arguments.browser),
        hidden_variables: secret_variables(&arguments.browser.secret),
        declared: Declared::default(),
        referee: RefereeChoice {
            contract: arguments.referee.contract.clone(),
            roots: arguments.referee.root.clone(),
            ..RefereeChoice::default()
        },
        people: Box::new(Terminal { patience: settings.duration("ask_timeout") }),
        consent,
        resumed: goes_on.then(|| Resumed { run_id: run_id.to_string(), steps: Vec::new() }),
        goes_on: goes_on.then(|| GoOn { by: "the command line".into(), keepsake, ..GoOn::default() }),
        listeners: vec![if arguments.json { progress::as_json() } else { progress::for_people() }],
        cancel: stops.gently,
        reins: Reins::default(),
        keeper: None,
        agenda: Some(Planned { agenda: plan, addresses }),
        ready: Box::new(move |notes| {
            say_notes(notes);
            eprintln!("{mode}");
        }),
    };
    tokio::select! {
        result = launch(order) => result.map_err(|error| {
            // Nothing ran: a checkpoint of nothing would only confuse.
            if !goes_on {
                let _ = std::fs::remove_dir_all(store.data().run(run_id));
            }
            error.into()
        }),
        () = now.cancelled() => {
            let message = format!("interrupted\nhint: surehand plan run --resume {run_id} goes on with it");
            Err(Failure { code: Exit::Interrupted as i32, message })
        }
    }
}

/// What there is, also where the plan did not come to its end.
fn write_output(
    data: &DataDir,
    run_id: &str,
    plan: &Plan,
    path: &Path,
    kind: OutputFile,
    table: TableChoice<'_>,
) -> Result<String, Failure> {
    let (output, evidence) = read_output(&data.run(run_id)).map_err(Failure::broken)?;
    let text = output_text(plan, &output, &evidence, kind, table).map_err(Failure::usage)?;
    std::fs::write(path, text).map_err(|error| {
        let hint = format!("hint: everything is in {}", data.run(run_id).join("output.json").display());
        Failure::broken(format!("{} cannot be written: {error}\n{hint}", path.display()))
    })?;
    Ok(path.display().to_string())
}

async fn print_outcome(store: &Store, result: &RunResult, written: Option<&str>) {
    let headline = match store.timeline(&result.run_id).await {
        Ok(timeline) => outcome_in_words(&timeline).headline,
        Err(_) => format!("The run ended: {}", result.termination_reason.as_str()),
    };
    say!("{headline}");
    if let Some(summary) = &result.summary {
        say!("  {summary}");
    }
    if let Some(error) = &result.error {
        say!("  {error}");
    }
    if let Some(path) = written {
        say!("  written to {path}");
    } else if let Some(output) = &result.output {
        say!("  output: {output}");
    }
    let cost = if result.cost > 0.0 { format!(", about ${:.4}", result.cost) } else { String::new() };
    say!("  {} steps in {:.1} s{cost}, run {}", result.steps, result.duration_s, result.run_id);
    say!("  look at it: surehand report {} -o report.html", result.run_id);
    if result.plan.as_ref().is_some_and(|plan| plan.status == PlanStatus::Unfinished) {
        say!("  go on with it: surehand plan run --resume {}", result.run_id);
    }
}
