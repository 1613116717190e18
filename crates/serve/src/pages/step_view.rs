//! Events as the run page wants them: steps in words, with their markers, and the end with what the referee saw. The
//! words are those of the report. One message for each event, so a follower that comes again misses none.

use serde_json::{Value, json};
use surehand_trace::TimelineBuilder;
use surehand_trace::lanes::markers_of_end;
use surehand_trace::report::document::{RunFacts, StepFacts};
use surehand_trace::report::judged::{check_title, check_tone, check_words, judge_words, parties};
use surehand_trace::report::trouble::what_went_wrong;
use surehand_types::RunResult;
use surehand_types::event::{Envelope, Event};

use super::plan_view::plan_view;

/// Has to be told of every event, also of those that the follower knows.
#[derive(Debug, Default)]
pub(crate) struct StepViews {
    builder: TimelineBuilder,
}

impl StepViews {
    pub(crate) fn note(&mut self, envelope: &Envelope) {
        self.builder.take(envelope);
    }

    /// The event, with `view` in place of what the page would have to put into words itself.
    pub(crate) fn told(&mut self, envelope: &Envelope) -> Result<String, serde_json::Error> {
        self.note(envelope);
        let head = |kind: &str, view: Value| {
            json!({
                "v": envelope.v, "seq": envelope.seq, "at": envelope.at, "run_id": envelope.run_id, "type": kind,
                "view": view,
            })
            .to_string()
        };
        Ok(match &envelope.event {
            Event::Step(_) => head("step", self.newest_step()?),
            // What was not run is told with the step before it.
            Event::NotRun { .. } => head("not_run", self.newest_step()?),
            Event::Plan(event) => head("plan", plan_view(event)?),
            Event::RunEnded { result } => head("run_ended", self.end(result)?),
            _ => serde_json::to_string(envelope)?,
        })
    }

    fn newest_step(&self) -> Result<Value, serde_json::Error> {
        let entries = &self.builder.so_far().entries;
        let previous = entries.len().checked_sub(2).and_then(|place| entries.get(place));
        entries.last().map_or(Ok(Value::Null), |entry| serde_json::to_value(StepFacts::of(entry, previous)))
    }

    fn end(&self, result: &RunResult) -> Result<Value, serde_json::Error> {
        let timeline = self.builder.so_far();
        let who: Vec<Value> = parties(result)
            .into_iter()
            .map(|(name, tone, words)| json!({"name": name, "tone": tone, "words": words}))
            .collect();
        let record = result.referee.as_ref();
        let checks: Vec<Value> = record
            .into_iter()
            .flat_map(|record| &record.checks)
            .map(|check| {
                json!({
                    "title": check_title(check), "words": check_words(check), "tone": check_tone(check.result),
                    "bbox": check.bbox, "index": check.index,
                })
            })
            .collect();
        Ok(json!({
            "run": serde_json::to_value(RunFacts::of(timeline))?,
            "trouble": serde_json::to_value(what_went_wrong(timeline))?,
            "markers": serde_json::to_value(markers_of_end(timeline))?,
            "parties": who,
            "checks": checks,
            "frame": record.and_then(|record| record.frame.as_ref()),
            "judge": record.and_then(|record| record.judge.as_ref()).map(|judge| {
                json!({"words": judge_words(judge), "rubric": judge.rubric})
            }),
            "warnings": record.map(|record| &record.warnings),
            "reasons": result.verdict.reasons,
            "verdict": result.verdict.r#final,
            "disagreement": result.verdict.disagreement,
            "summary": result.summary,
            "output": result.output,
            "plan": result.plan,
            "steps": result.steps,
            "cost": result.cost,
            "duration_s": result.duration_s,
            "success": result.success,
        }))
    }
}
