//! From the timeline of a run to a routine that can be replayed. Pure: what is kept (`keep`), by what each target is
//! known again (`anchor`), and what has to come of each step (`expect`).

mod anchor;
mod expect;
mod keep;

use std::collections::BTreeMap;

use serde_json::json;
use surehand_types::ViewSize;
use surehand_types::result::FinalVerdict;
use surehand_types::routine::{
    Anchor, ROUTINE_FORMAT, Routine, RoutineStep, ValueProblem, left_out_step, marked_step, origin_of,
};

use crate::report::words::call_in_words;
use crate::sink::FrameLibrary;
use crate::timeline::{HappeningKind, Timeline};
use keep::Kept;

/// How a run is made into a routine.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    pub name: String,
    pub judged: Judged,
    /// Texts that may differ from replay to replay, by the name they get.
    pub parameters: Vec<(String, String)>,
    /// Where the run itself replayed a routine: that routine, and the values it was given.
    pub earlier: Option<(Routine, BTreeMap<String, String>)>,
}

/// Which runs are good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judged {
    #[default]
    Passed,
    /// Also those that their brain called done and nobody judged.
    EvenUnjudged,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRecorded {
    #[error("the run has not ended")]
    NotEnded,
    #[error("nobody judged the run, so nobody knows whether it is worth repeating")]
    Unjudged,
    #[error("the run did not pass: its verdict is {0}")]
    NotPassed(String),
    #[error("nothing is left of the run to repeat: no step had an effect")]
    Empty,
    #[error("{0}")]
    Value(String),
}

impl NotRecorded {
    pub fn hint(&self) -> &'static str {
        match self {
            NotRecorded::NotEnded => "wait for its end",
            NotRecorded::Unjudged => "run it with --contract, or record it all the same with --even-unjudged",
            NotRecorded::NotPassed(_) => "only a run that passed can be recorded",
            NotRecorded::Empty => "surehand runs show RUN tells what it did",
            NotRecorded::Value(_) => "--parameter NAME=TEXT names a text that the run typed or clicked",
        }
    }
}

/// How the brain's note about a stop begins, in the trace.
const STOPPED: &str = "the brain: routine stopped at step ";

/// The sentence about where a replay stopped and handed over; `None` where it did not.
pub fn handed_over(timeline: &Timeline) -> Option<&str> {
    let happenings = timeline.entries.iter().flat_map(|entry| &entry.happenings).chain(&timeline.afterwards);
    happenings.into_iter().find_map(|happening| match &happening.what {
        HappeningKind::Note { message, .. } if message.starts_with(STOPPED) => message.strip_prefix("the brain: "),
        _ => None,
    })
}

/// Steps that a replay had no need to make, in order.
fn left_out(timeline: &Timeline) -> Vec<usize> {
    let happenings = timeline.entries.iter().flat_map(|entry| &entry.happenings).chain(&timeline.afterwards);
    let notes = happenings.filter_map(|happening| match &happening.what {
        HappeningKind::Note { message, .. } => left_out_step(message.strip_prefix("the brain: ")?),
        _ => None,
    });
    notes.collect()
}

pub fn record(timeline: &Timeline, frames: &dyn FrameLibrary, how: &Recording) -> Result<Routine, NotRecorded> {
    let result = timeline.ended.as_ref().ok_or(NotRecorded::NotEnded)?;
    match result.verdict.r#final {
        FinalVerdict::Pass => {}
        FinalVerdict::Unjudged if !result.success => {
            return Err(NotRecorded::NotPassed("unjudged, and it failed".into()));
        }
        FinalVerdict::Unjudged if how.judged == Judged::EvenUnjudged => {}
        FinalVerdict::Unjudged => return Err(NotRecorded::Unjudged),
        FinalVerdict::Fail => return Err(NotRecorded::NotPassed("fail".into())),
        FinalVerdict::Uncertain => return Err(NotRecorded::NotPassed("uncertain".into())),
    }
    let started = timeline.run.started.as_ref();
    let start_url = started.and_then(|run| run.start_url.clone()).or_else(|| result.start_url.clone());
    let origin = start_url.as_deref().and_then(origin_of);
    let kept = keep::steps(timeline);
    if kept.is_empty() {
        return Err(NotRecorded::Empty);
    }
    let earlier = how.earlier.as_ref().map(|(routine, _)| routine);
    // The step that a replay stopped at may have been made, but did not verify: it is recorded anew.
    let failed = handed_over(timeline).and_then(|sentence| {
        let number = sentence.strip_prefix("routine stopped at step ")?;
        number.split(|character: char| !character.is_ascii_digit()).next()?.parse::<usize>().ok()
    });
    let telling = telling_texts(how);
    let start = Start { origin: origin.as_deref(), url: start_url.as_deref() };
    let steps = kept.iter().enumerate().map(|(index, step)| {
        let replayed = step.thought().and_then(marked_step).filter(|number| Some(*number) != failed);
        let old = replayed.and_then(|number| earlier?.steps.get(number - 1));
        let step = old.cloned().unwrap_or_else(|| recorded(step, kept.get(index + 1), start, &telling, frames));
        (replayed, step)
    });
    let mut steps: Vec<(Option<usize>, RoutineStep)> = steps.collect();
    // What was left out because it was so already is needed on another day.
    for number in left_out(timeline) {
        let Some(old) = earlier.and_then(|earlier| earlier.steps.get(number.checked_sub(1)?)) else { continue };
        let before = steps.iter().rposition(|(replayed, _)| replayed.is_some_and(|other| other < number));
        steps.insert(before.map_or(0, |before| before + 1), (Some(number), old.clone()));
    }
    let steps = steps.into_iter().map(|(_, step)| step).collect();
    let mut routine = Routine {
        routine: ROUTINE_FORMAT,
        name: earlier.map_or_else(|| how.name.clone(), |earlier| earlier.name.clone()),
        version: earlier.map_or(1, |earlier| earlier.version.saturating_add(1)),
        task: earlier.map_or_else(|| timeline.task().to_string(), |earlier| earlier.task.clone()),
        claim: result.summary.clone().unwrap_or_default(),
        start_url,
        viewport: started.map_or(ViewSize { width: 1280, height: 720 }, |run| run.viewport),
        made_from: earlier.map(|earlier| earlier.made_from.clone()).unwrap_or_default(),
        values: earlier.map(|earlier| earlier.values.clone()).unwrap_or_default(),
        steps,
    };
    routine.made_from.push(result.run_id.clone());
    put_values(&mut routine, how)?;
    Ok(routine)
}

/// Where the run began.
#[derive(Clone, Copy)]
struct Start<'a> {
    origin: Option<&'a str>,
    url: Option<&'a str>,
}

/// Texts that may differ from replay to replay: where one of them stands beside a target, the target is known by it.
fn telling_texts(how: &Recording) -> Vec<String> {
    let given = how.parameters.iter().map(|(_, text)| text.clone());
    let earlier =
        how.earlier.iter().flat_map(|(routine, given)| routine.values.values().chain(given.values()).cloned());
    given.chain(earlier).filter(|text| !text.trim().is_empty()).collect()
}

fn recorded(
    step: &Kept<'_>,
    next: Option<&Kept<'_>>,
    start: Start<'_>,
    telling: &[String],
    frames: &dyn FrameLibrary,
) -> RoutineStep {
    let (anchor, end_anchor) = anchor::of(step, telling, frames);
    RoutineStep {
        about: about(step, anchor.as_ref()),
        expect: expect::of(step, next, anchor.as_ref(), start.origin, start.url),
        call: step.call.clone(),
        anchor,
        end_anchor,
    }
}

fn about(step: &Kept<'_>, anchor: Option<&Anchor>) -> String {
    let Some(anchor) = anchor.filter(|anchor| anchor.is_named() && step.call.contains_key("coordinate")) else {
        return call_in_words(&step.call, step.record().hit.as_ref());
    };
    // The place is where it was that day; the name is what is looked for.
    let mut words = step.call.clone();
    words.shift_remove("coordinate");
    words.insert("target".into(), json!({"role": anchor.role, "text": anchor.text}));
    call_in_words(&words, None)
}

fn put_values(routine: &mut Routine, how: &Recording) -> Result<(), NotRecorded> {
    if let Some((earlier, given)) = &how.earlier {
        let mut values = earlier.values.clone();
        values.extend(given.clone());
        // What was typed anew with today's values belongs to the same names; a name that is not needed any more stays.
        for (name, text) in &values {
            match routine.parametrise(name, text) {
                Ok(()) | Err(ValueProblem::NotFound { .. } | ValueProblem::Unused { .. }) => {}
                Err(problem) => return Err(NotRecorded::Value(problem.to_string())),
            }
        }
        routine.values.clone_from(&earlier.values);
    }
    for (name, text) in &how.parameters {
        routine.parametrise(name, text).map_err(|problem| NotRecorded::Value(problem.to_string()))?;
    }
    Ok(())
}
