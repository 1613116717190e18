//! Events of a plan as the run page wants them: the report's words beside the facts, so that the page can keep a table of
//! the plan's steps without knowing what makes one good or bad.

use serde_json::{Value, json};
use surehand_trace::report::plan::{checks_in_words, plan_in_words, tone_of};
use surehand_types::plan::{PlanEvent, PlanOutcome};

pub(crate) fn plan_view(event: &PlanEvent) -> Result<Value, serde_json::Error> {
    let mut view = json!({
        "words": plan_in_words(event),
        "tone": tone_of(event),
        "event": serde_json::to_value(event)?,
    });
    match event {
        PlanEvent::StepStarted { step, .. } | PlanEvent::Collected { step, .. } | PlanEvent::Asked { step, .. } => {
            view["step"] = json!(step.to_string());
        }
        PlanEvent::StepEnded { step, outcome, why, done_when } => {
            view["step"] = json!(step.to_string());
            view["outcome"] = json!(outcome.in_words());
            view["why"] = match (why, outcome) {
                (Some(why), _) => json!(why),
                (None, PlanOutcome::Looked) => json!(checks_in_words(done_when).trim_start_matches("; ")),
                (None, _) => Value::Null,
            };
        }
        PlanEvent::Ended { status, skipped, .. } => view["status"] = json!(status.with_skipped(*skipped)),
        PlanEvent::Started { .. } | PlanEvent::WentOn { .. } => {}
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::plan::PlanStep;

    #[test]
    fn a_step_of_a_plan_is_told_with_its_pass_its_attempt_and_what_came_of_it() {
        let step = PlanStep { id: "read".into(), passes: vec![3], attempt: 2 };
        let why = Some("the schema wants `email`".into());
        let ended = PlanEvent::StepEnded { step, outcome: PlanOutcome::Retried, why, done_when: Vec::new() };
        let view = plan_view(&ended).unwrap();
        let told = [&view["step"], &view["outcome"], &view["tone"], &view["why"], &view["event"]["kind"]];
        assert_eq!(
            told,
            ["read (pass 3), attempt 2", "failed, is tried again", "unsure", "the schema wants `email`", "step_ended"]
        );
    }
}
