//! Routine files: written from runs, and written anew when a replay was repaired.

use std::path::{Path, PathBuf};

use surehand_brain::{BrainSpec, RoutineSpec, read_routine};
use surehand_run::FormValue;
use surehand_store::{DataDir, FolderFrames, Store};
use surehand_trace::Timeline;
use surehand_trace::routine::{Judged, NotRecorded, Recording, handed_over, record};
use surehand_types::RunResult;
use surehand_types::result::FinalVerdict;
use surehand_types::routine::Routine;

use crate::args_routine::RoutineArguments;
use crate::exit::Failure;

/// Makes a routine of a stored run and writes it.
pub(crate) async fn export_routine(
    store: &Store,
    run_id: &str,
    output: &Path,
    wanted: &RoutineArguments,
) -> Result<Routine, Failure> {
    let timeline = store.timeline(run_id).await?;
    let brain = timeline.ended.as_ref().map(|result| result.brain.clone()).unwrap_or_default();
    let how = Recording {
        name: name_of(output),
        judged: if wanted.even_unjudged { Judged::EvenUnjudged } else { Judged::Passed },
        parameters: pairs("--parameter", &wanted.parameter)?,
        earlier: earlier(&brain),
    };
    let routine = recorded(&timeline, store.data(), how).map_err(|problem| refused(run_id, &problem))?;
    write(&routine, output)?;
    Ok(routine)
}

/// What a replay that was repaired leaves behind: the sentence to print, and nothing where there is nothing to say.
pub(crate) async fn keep_repaired(store: &Store, spec: &BrainSpec, result: &RunResult) -> Option<String> {
    let BrainSpec::Routine(spec) = spec else { return None };
    let timeline = store.timeline(&result.run_id).await.ok()?;
    let stopped = handed_over(&timeline)?.to_string();
    let by_hand = format!("surehand runs export {} --routine", result.run_id);
    match result.verdict.r#final {
        FinalVerdict::Pass => {}
        FinalVerdict::Unjudged if result.success => {
            return Some(format!(
                "{stopped}\n  nobody judged the repair; to keep it: {by_hand} --even-unjudged -o FILE"
            ));
        }
        FinalVerdict::Fail | FinalVerdict::Uncertain | FinalVerdict::Unjudged => return Some(stopped),
    }
    let how =
        Recording { name: name_of(&spec.file), earlier: earlier(&format!("routine:{spec}")), ..Recording::default() };
    let written = recorded(&timeline, store.data(), how).map_err(|problem| problem.to_string()).and_then(|routine| {
        let (routine, file) = as_next_version(routine, &spec.file);
        write(&routine, &file).map_err(|failure| failure.message).map(|()| (routine, file))
    });
    Some(match written {
        Ok((routine, file)) => {
            format!("{stopped}\n  the repaired routine is version {}: {}", routine.version, file.display())
        }
        Err(problem) => format!("{stopped}\n  the repaired routine was not written: {problem}"),
    })
}

/// Values that a routine asks for by name go to it; the others stay with the run.
pub(crate) fn give_values(spec: &mut BrainSpec, values: &mut Vec<FormValue>) -> Result<(), Failure> {
    let BrainSpec::Routine(spec) = spec else { return Ok(()) };
    let known = read_routine(&spec.file)?.values;
    values.retain(|value| {
        let wanted = known.contains_key(&value.label);
        if wanted {
            spec.values.insert(value.label.clone(), value.value.clone());
        }
        !wanted
    });
    Ok(())
}

/// `NAME=TEXT`, the name up to the first equals sign.
pub(crate) fn pairs(flag: &str, given: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.is_empty() => {
            Ok((name.trim().to_string(), value.to_string()))
        }
        _ => Err(Failure::usage(format!(
            "{flag} {text:?} is not of the form NAME=TEXT\nhint: {flag} customer='Ada Lovelace'"
        ))),
    };
    given.iter().map(pair).collect()
}

fn recorded(timeline: &Timeline, data: &DataDir, how: Recording) -> Result<Routine, NotRecorded> {
    record(timeline, &FolderFrames::new(data), &how)
}

/// The routine that a run replayed. Where its file is gone the run is recorded like any other.
fn earlier(brain: &str) -> Option<(Routine, std::collections::BTreeMap<String, String>)> {
    match BrainSpec::parse(brain) {
        Ok(BrainSpec::Routine(RoutineSpec { file, values, .. })) => Some((read_routine(&file).ok()?, values)),
        _ => None,
    }
}

fn refused(run_id: &str, problem: &NotRecorded) -> Failure {
    Failure::usage(format!("{run_id} cannot be made a routine: {problem}\nhint: {}", problem.hint()))
}

fn write(routine: &Routine, file: &Path) -> Result<(), Failure> {
    let text = routine.to_text();
    // What was written has to be readable, whatever the run was made of.
    Routine::parse(&text)
        .map_err(|problem| Failure::broken(format!("the routine would not be readable: {problem}")))?;
    std::fs::write(file, text).map_err(|error| {
        Failure::usage(format!(
            "cannot write {}: {error}\nhint: -o names a file in a folder that exists",
            file.display()
        ))
    })
}

/// `order.json` and `order.v2.json` are both called `order`.
fn name_of(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match stem.rsplit_once(".v") {
        Some((name, number)) if !name.is_empty() && number.parse::<u32>().is_ok() => name.to_string(),
        _ => stem,
    }
}

/// Beside the file it replaces, under the first number that is free: nothing is ever overwritten.
fn as_next_version(mut routine: Routine, replaced: &Path) -> (Routine, PathBuf) {
    let name = name_of(replaced);
    let place = |version: u32| replaced.with_file_name(format!("{name}.v{version}.json"));
    while place(routine.version).exists() && routine.version < u32::MAX {
        routine.version += 1;
    }
    let file = place(routine.version);
    (routine, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_version() {
        for (file, name) in
            [("a/order.json", "order"), ("order.v2.json", "order"), ("order.vx.json", "order.vx"), (".v2", ".v2")]
        {
            assert_eq!(name_of(Path::new(file)), name);
        }
    }
}
