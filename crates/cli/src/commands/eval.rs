//! `surehand eval`: the same task several times, judged by the same contract, and how sure one can be of the outcome.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use surehand_brain::BrainSpec;
use surehand_conduct::{SqliteFiles, expect_secrets, folders, load_contract};
use surehand_env::browser::Secrets;
use surehand_eval::report::{consistency_html, consistency_text};
use surehand_eval::{Consistency, ConsistencyPlan, ConsistencyRun};
use surehand_referee::{Contract, Evidence, examine};
use surehand_run::LaterProbes;
use surehand_store::NewEval;
use surehand_trace::report::words::clip_to;
use surehand_types::reason::Exit;
use surehand_types::result::{CheckVerdict, FinalVerdict};
use surehand_types::{RunResult, Settings, Termination};

use crate::args_referee::{EvalArguments, RefereeArguments};
use crate::commands::ablate::expect_folder_of;
use crate::commands::kept_result::keep_result;
use crate::commands::run::{RunRequest, launch_run};
use crate::environment::{apply_consent, apply_flags, open_data};
use crate::exit::Failure;
use crate::output::say;
use crate::secrets;
use crate::settings::set_flag;

/// What bringing everything back to the start may take.
const SETUP_DEADLINE: Duration = Duration::from_secs(120);

pub(crate) async fn eval(mut arguments: EvalArguments, mut settings: Settings) -> Result<i32, Failure> {
    if arguments.contract == Path::new("memory") && !arguments.contract.exists() {
        return super::eval_memory::eval_memory(&arguments, &settings).await;
    }
    set_flag(&mut settings, "max_steps", &arguments.max_steps)?;
    for (name, value) in [("brain", &arguments.brain), ("judge_model", &arguments.judge)] {
        if let Some(value) = value {
            set_flag(&mut settings, name, value)?;
        }
    }
    apply_flags(&mut settings, &arguments.browser, arguments.url.as_deref())?;
    apply_consent(&mut settings, &arguments.consent)?;
    if let Some(file) = &arguments.output {
        expect_folder_of(file)?;
    }
    let contract = load_contract(&arguments.contract)?;
    let truth = arguments.truth.as_deref().map(load_contract).transpose()?;
    let task = arguments.task.clone().or_else(|| contract.about().map(str::to_string)).ok_or_else(|| {
        Failure::usage("the contract does not say what it is about\nhint: --task says in words what to do")
    })?;
    let brain = settings.optional_text("brain").map(str::to_string);
    let brain = brain.ok_or_else(|| {
        Failure::usage(
            "no brain was named\nhint: --brain anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND or script:FILE",
        )
    })?;
    let spec = BrainSpec::parse(&brain)?;
    arguments.browser.secrets = secrets::load(&arguments.browser.secret, arguments.url.as_deref(), &settings).await?;
    for contract in std::iter::once(&contract).chain(&truth) {
        expect_secrets(contract, &arguments.browser.secrets)?;
    }
    let data = open_data(&settings)?;
    let plan = ConsistencyPlan {
        contract: contract.id().to_string(),
        contract_sha256: contract.sha256().to_string(),
        task: task.clone(),
        brain,
        judge: settings.optional_text("judge_model").map(str::to_string),
        max_steps: u32::try_from(settings.integer("max_steps")).unwrap_or(u32::MAX),
        wanted_runs: arguments.runs,
    };
    let request = RunRequest {
        task,
        url: arguments.url.clone(),
        browser: arguments.browser,
        json: false,
        scripted: false,
        values: Vec::new(),
        required: Vec::new(),
        resumed: None,
        referee: RefereeArguments {
            contract: Some(arguments.contract.clone()),
            judge: None,
            accept: None,
            root: arguments.root.clone(),
        },
    };
    let mut runs = Vec::new();
    let mut interrupted = false;
    for number in 1..=arguments.runs {
        let seed = arguments.seed.saturating_add(u64::from(number - 1));
        eprintln!("run {number} of {}, seed {seed}", arguments.runs);
        if let Some(command) = &arguments.setup {
            set_up(command, number, seed).await?;
        }
        let result = match launch_run(&request, &spec, &settings, &data).await {
            Ok(outcome) => outcome.result,
            Err(failure) if failure.code == Exit::Interrupted as i32 => {
                interrupted = true;
                break;
            }
            Err(failure) => return Err(failure),
        };
        if result.termination_reason == Termination::Cancelled {
            interrupted = true;
            break;
        }
        let known = match &truth {
            Some(truth) => known_truth(truth, &result, &arguments.root, &request.browser.secrets).await?,
            None => None,
        };
        tell(number, &result, known);
        runs.push(ConsistencyRun::of(&result, seed, known));
    }
    let found = Consistency::new(plan, runs, interrupted);
    let summary = &found.summary;
    keep_result(
        &data,
        NewEval {
            kind: "consistency",
            title: clip_to(&found.task, 200),
            headline: format!("{} of {} passed", summary.pass_count, summary.run_count),
            interrupted,
            result: serde_json::json!(found),
        },
    );
    print(&found, arguments.json, arguments.output.as_deref())?;
    Ok(exit_of(&found))
}

/// Like a single run's: success only if every run passed.
fn exit_of(found: &Consistency) -> i32 {
    if found.interrupted {
        return Exit::Interrupted as i32;
    }
    let summary = &found.summary;
    if summary.fail_count > 0 {
        Exit::Failure as i32
    } else if summary.pass_count == summary.run_count {
        Exit::Success as i32
    } else {
        Exit::Uncertain as i32
    }
}

async fn set_up(command: &str, number: u32, seed: u64) -> Result<(), Failure> {
    let mut child = tokio::process::Command::new("sh")
        .arg("-c")
        .arg(command)
        .env("RUN_NUMBER", number.to_string())
        .env("RUN_SEED", seed.to_string())
        .stdin(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Failure::broken(format!("the setup command cannot be started: {error}")))?;
    match tokio::time::timeout(SETUP_DEADLINE, child.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(Failure::broken(format!("the setup command before run {number} ended with {status}"))),
        Ok(Err(error)) => Err(Failure::broken(format!("the setup command cannot be waited for: {error}"))),
        Err(_) => Err(Failure::broken(format!("the setup command before run {number} took too long"))),
    }
}

/// What a contract says that looks at other things than the run did.
async fn known_truth(
    truth: &Contract,
    result: &RunResult,
    roots: &[String],
    secrets: &Arc<Secrets>,
) -> Result<Option<bool>, Failure> {
    let probes = LaterProbes {
        secrets: Arc::clone(secrets),
        folders: folders(Some(truth), roots)?,
        page: None,
        output: None,
        database: Some(Arc::new(SqliteFiles)),
    };
    let started = result.started_at.parse::<jiff::Timestamp>().ok().map(SystemTime::from);
    let evidence = Evidence { start_url: result.start_url.clone(), started_at: started, ..Evidence::default() };
    Ok(match examine(truth, &evidence, &probes).await.result {
        Some(CheckVerdict::Pass) => Some(true),
        Some(CheckVerdict::Fail) => Some(false),
        Some(CheckVerdict::Uncertain) | None => None,
    })
}

fn tell(number: u32, result: &RunResult, truth: Option<bool>) {
    let verdict = match (result.verdict.r#final, truth) {
        (FinalVerdict::Pass, Some(false)) => "FALSE PASS",
        (FinalVerdict::Pass, _) => "pass",
        (FinalVerdict::Fail, Some(true)) => "FALSE FAIL",
        (FinalVerdict::Fail, _) => "fail",
        (FinalVerdict::Uncertain, _) => "uncertain",
        (FinalVerdict::Unjudged, _) => "not judged",
    };
    eprintln!("run {number}: {verdict}, {} steps, {:.1} s", result.steps, result.duration_s);
}

fn print(found: &Consistency, json: bool, output: Option<&Path>) -> Result<(), Failure> {
    if json {
        say!("{}", serde_json::json!({"type": "consistency", "consistency": found}));
    } else {
        say!("{}", consistency_text(found).trim_end());
    }
    if let Some(file) = output {
        std::fs::write(file, consistency_html(found))
            .map_err(|error| Failure::broken(format!("cannot write {}: {error}", file.display())))?;
        eprintln!("the page is at {}", file.display());
    }
    Ok(())
}
