//! `surehand eval memory`: the benchmark of lessons, in a data folder of its own so that nothing known before helps and
//! nothing learned here stays.

use surehand_eval::report::{memory_html, memory_text};
use surehand_eval::{MemoryPlan, MemoryRun, memory_bench};
use surehand_store::{DataDir, NewEval, new_run_id};
use surehand_types::Settings;
use surehand_types::reason::Exit;
use surehand_types::result::FinalVerdict;

use crate::args_referee::EvalArguments;
use crate::commands::ablate::expect_folder_of;
use crate::commands::kept_result::keep_result;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::signals;

pub(super) async fn eval_memory(arguments: &EvalArguments, settings: &Settings) -> Result<i32, Failure> {
    if let Some(file) = &arguments.output {
        expect_folder_of(file)?;
    }
    let stray = [
        ("--task", arguments.task.is_some()),
        ("--url", arguments.url.is_some()),
        ("--brain", arguments.brain.is_some()),
    ];
    if let Some((flag, _)) = stray.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!(
            "{flag} means nothing here: the benchmark of lessons has its own tasks\nhint: surehand eval memory --runs 5 -o memory.html"
        )));
    }
    if arguments.runs < 2 {
        return Err(Failure::usage("one round shows nothing: lessons help from the second on\nhint: --runs 5"));
    }
    let own = open_data(settings)?;
    let folder = own.root().join(format!("eval-memory-{}", new_run_id()));
    let data = DataDir::open(&folder)?;
    let stops = signals::listen();
    let plan = MemoryPlan { rounds: arguments.runs, ..MemoryPlan::default() };
    let played = tokio::select! {
        played = memory_bench(plan, settings, &data, &stops.gently, &tell) => Some(played),
        () = stops.now.cancelled() => None,
    };
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        tracing::warn!(%error, "the benchmark's folder could not be removed");
    }
    let Some(played) = played else {
        return Err(Failure { code: Exit::Interrupted as i32, message: "interrupted".into() });
    };
    let report = played?;
    let saved = report.saved.map_or("nothing to compare".to_string(), |saved| {
        format!("{:.0} % of the wasted steps saved, goal {:.0} %", saved * 100.0, report.goal * 100.0)
    });
    keep_result(
        &own,
        NewEval {
            kind: "memory",
            title: "What lessons bring".into(),
            headline: format!("{saved}; {}", if report.holds() { "held" } else { "not held" }),
            interrupted: report.interrupted,
            result: serde_json::json!(report),
        },
    );
    if arguments.json {
        say!("{}", serde_json::json!({"type": "memory", "held": report.holds(), "memory": report}));
    } else {
        say!("{}", memory_text(&report).trim_end());
    }
    if let Some(file) = &arguments.output {
        std::fs::write(file, memory_html(&report))
            .map_err(|error| Failure::broken(format!("cannot write {}: {error}", file.display())))?;
        eprintln!("the page is at {}", file.display());
    }
    Ok(match (report.interrupted, report.holds()) {
        (true, _) => Exit::Interrupted as i32,
        (false, true) => Exit::Success as i32,
        (false, false) => Exit::Failure as i32,
    })
}

fn tell(run: &MemoryRun) {
    let verdict = match run.verdict {
        FinalVerdict::Pass => "pass",
        FinalVerdict::Fail => "fail",
        FinalVerdict::Uncertain => "uncertain",
        FinalVerdict::Unjudged => "not judged",
    };
    let kind = run.noise.as_ref().map(|noise| format!(" ({noise})")).unwrap_or_default();
    let arm = match run.arm {
        surehand_eval::MemoryArm::With => "with lessons",
        surehand_eval::MemoryArm::Without => "without",
    };
    eprintln!(
        "{arm}, round {}: {}{kind}: {verdict}, {} steps, {} wasted, {} hints",
        run.round, run.task, run.steps, run.wasted, run.hints
    );
}
