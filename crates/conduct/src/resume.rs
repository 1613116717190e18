//! `run --resume RUN`: what an earlier run leaves to the one that goes on from it. The browser is a new one, so a
//! login is only there with the same `--session`.

use surehand_store::Store;
use surehand_trace::Completion;
use surehand_trace::report::words::call_in_words;
use surehand_types::result::PolicyRecord;

use crate::error::ConductError;
use crate::fate::word_about;

/// Steps that are told.
const LINES: usize = 60;

const NOT_MADE: &str = "not made, as nobody had answered yet; offer it again if it is still wanted";

#[derive(Debug, Clone)]
pub struct Earlier {
    pub run_id: String,
    pub task: String,
    /// Where it was last, or where it began.
    pub url: Option<String>,
    /// The number of its last step.
    pub last_step: u32,
    pub brain: Option<String>,
    /// What it did, one line a step, in the runtime's words.
    pub steps: Vec<String>,
}

pub async fn earlier(store: &Store, run: &str) -> Result<Earlier, ConductError> {
    let run_id = store.resolve(run).await?;
    let timeline = store.timeline(&run_id).await?;
    let Some(started) = timeline.run.started.as_ref() else {
        return Err(ConductError::usage(format!("the run {run_id} has no beginning to go on from")));
    };
    if timeline.ended.as_ref().is_some_and(|result| result.success) {
        return Err(ConductError::usage(format!(
            "the run {run_id} has achieved its task; there is nothing to go on with\nhint: surehand run TASK starts a new one"
        )));
    }
    let visited = timeline.entries.iter().rev().find_map(|entry| entry.record.observed.url.clone());
    let url = visited.filter(|url| url.starts_with("http")).or_else(|| started.start_url.clone());
    // More lines than a brain would be shown are of no use to it.
    let steps = timeline.entries.iter().skip(timeline.entries.len().saturating_sub(LINES)).filter_map(|entry| {
        let record = &entry.record;
        let call = record.call.as_ref()?;
        // One that no later process wrote down yet.
        let is_open = entry.completion == Completion::CutOff && !record.cut_off;
        let word = if is_open { word_about(store.data(), &run_id, record.step, call) } else { None };
        let was_not_made = word.as_ref().is_some_and(PolicyRecord::was_not_agreed_to);
        let outcome = match (record.ok, record.action_effect_observed) {
            _ if was_not_made => NOT_MADE,
            _ if entry.completion == Completion::CutOff => {
                "cut off by the end of the process; nobody knows whether it took effect, so look before you do it again"
            }
            _ if record.was_withdrawn() => NOT_MADE,
            (false, _) => "failed",
            (true, Some(false)) => "no effect",
            (true, _) => "done",
        };
        Some(format!("Step {} of the earlier run: {}: {outcome}", record.step, call_in_words(call, None)))
    });
    Ok(Earlier {
        task: started.task.clone(),
        brain: Some(started.brain.clone()).filter(|brain| !brain.is_empty()),
        last_step: timeline.entries.last().map_or(0, |entry| entry.record.step),
        steps: steps.collect(),
        url,
        run_id,
    })
}
