//! `surehand ablate`: a suite, run with either value of one setting, and what the difference is.

use std::path::Path;

use surehand_conduct::BrowserChoice;
use surehand_env::browser::reap_orphans;
use surehand_eval::report::{ablation_html, ablation_text};
use surehand_eval::{Ablation, Comparison, Progress, Stage, Suite, Toggle, ablate as run_pairs};
use surehand_store::{NewEval, Store};
use surehand_types::Settings;
use surehand_types::reason::Exit;

use crate::args::AblateArguments;
use crate::commands::kept_result::keep_result;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::signals;

pub(crate) async fn ablate(arguments: AblateArguments, settings: &Settings) -> Result<i32, Failure> {
    let toggle = Toggle::parse(&arguments.toggle, settings)?;
    let mut suite = Suite::load(&arguments.suite)?;
    if let Some(part) = &arguments.only {
        suite.keep_only(part)?;
    }
    if let Some(file) = &arguments.output {
        expect_folder_of(file)?;
    }
    let data = open_data(settings)?;
    reap_orphans(&data.owners());
    let store = Store::open(&data).await?;
    let stops = signals::listen();
    let choice = BrowserChoice { headed: arguments.headed, ..BrowserChoice::default() };
    let stage = Stage { suite: &suite, store: &store, choice: &choice, cancel: &stops.gently };
    say_what_is_coming(&suite, &toggle, arguments.pairs);
    let ablation = tokio::select! {
        ablation = run_pairs(&stage, &toggle, arguments.pairs, tell) => ablation?,
        () = stops.now.cancelled() => {
            return Err(Failure { code: Exit::Interrupted as i32, message: "interrupted".into() });
        }
    };
    let comparison = Comparison::new(&ablation);
    let achieved = comparison.figures.iter().find(|figure| figure.name == "achieved (truth)");
    let achieved = achieved.map_or([0.0; 2], |figure| figure.arms);
    let [with, without] = &ablation.values;
    keep_result(
        &data,
        NewEval {
            kind: "ablation",
            title: format!("{} on the suite {}", ablation.toggle, ablation.suite),
            headline: format!(
                "{with}: {:.0} of {runs} achieved; {without}: {:.0} of {runs}",
                achieved[0],
                achieved[1],
                runs = comparison.runs
            ),
            interrupted: ablation.interrupted,
            result: serde_json::json!({"ablation": ablation, "comparison": comparison}),
        },
    );
    print(&ablation, &comparison, &arguments)?;
    Ok(if ablation.interrupted { Exit::Interrupted as i32 } else { 0 })
}

/// Found before an hour of runs is lost to a typing error.
pub(crate) fn expect_folder_of(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() && !file.is_dir() {
        return Ok(());
    }
    Err(Failure::usage(format!("cannot write {}\nhint: -o names a file in a folder that exists", file.display())))
}

fn say_what_is_coming(suite: &Suite, toggle: &Toggle, pairs: u32) {
    let [with, without] = toggle.arms.each_ref().map(|arm| arm.value.as_str());
    let (tasks, name) = (suite.tasks.len(), &suite.name);
    eprintln!("{}: {with} against {without}, {pairs} pairs of {tasks} tasks of the suite {name}", toggle.name);
    if let Some(note) = &toggle.note {
        eprintln!("note: {note}");
    }
}

fn tell(progress: Progress<'_>) {
    let Progress { pair, pairs, value, episode } = progress;
    let outcome = match (episode.truth.achieved, episode.claimed) {
        (true, true) => "achieved",
        (true, false) => "achieved, not claimed",
        (false, true) => "FALSE SUCCESS",
        (false, false) => "not achieved",
    };
    let (task, ending) = (&episode.task, episode.termination.as_str());
    eprintln!(
        "[{pair}/{pairs}] {task} {value}: {outcome} ({ending}), {} steps, {:.1} s",
        episode.steps, episode.seconds
    );
}

fn print(ablation: &Ablation, comparison: &Comparison, arguments: &AblateArguments) -> Result<(), Failure> {
    if arguments.json {
        let line = serde_json::json!({"type": "ablation", "ablation": ablation, "comparison": comparison});
        say!("{line}");
    } else {
        say!("{}", ablation_text(ablation, comparison).trim_end());
    }
    if let Some(file) = &arguments.output {
        std::fs::write(file, ablation_html(ablation, comparison))
            .map_err(|error| Failure::broken(format!("cannot write {}: {error}", file.display())))?;
        eprintln!("the page is at {}", file.display());
    }
    Ok(())
}
