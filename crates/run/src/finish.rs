//! The end of a run: its result, told to the trace, the brain and the caller, then everything
//! that was started is ended.

use std::time::Duration;

use surehand_types::event::Event;
use surehand_types::person::PersonEvent;
use surehand_types::reason::Exit;
use surehand_types::result::{BrainSummary, LessonSummary, RESULT_SCHEMA_VERSION, exit_of};
use surehand_types::{RunResult, Termination, Verdict};

use crate::referee::Judged;
use crate::run::{Ending, Run};

/// Time to ask the environment what it can be gone on from.
const KEEPING: Duration = Duration::from_secs(5);

impl Run {
    pub(crate) async fn finish(mut self, mut ending: Ending) -> RunResult {
        let judged = match self.judge(&ending).await {
            Some(judged) => judged,
            None => {
                ending = Ending::of(Termination::Paused);
                Judged::nobody(None)
            }
        };
        if ending.reason == Termination::Paused {
            self.leave_for_later().await;
            // Somebody may have cancelled it meanwhile, and was told that it ends.
            if self.reins.cancelled_by().is_some() {
                ending.reason = Termination::Cancelled;
            }
        }
        if let (Termination::Cancelled, Some(by)) = (ending.reason, self.reins.cancelled_by()) {
            let told = self.person(PersonEvent::Cancelled { by });
            told.unwrap_or_else(|ending| tracing::error!(?ending, "who cancelled the run could not be written down"));
        }
        // What happened to the environment last belongs into the trace (a crash, a closed tab).
        self.env.wind_up();
        let happenings = self.env.take_happenings();
        self.downloads.extend(happenings.downloads);
        for event in happenings.events {
            if self.trace.record(Event::Environment(event)).is_err() {
                break;
            }
        }
        let reflection = self.reflection(judged.verdict.r#final).await;
        let result = self.result(ending, judged);
        // The hash is put in after redaction: a short secret may occur in it by chance.
        let audit = self.hand.ended(result.termination_reason.as_str(), result.steps);
        let mut result = RunResult { audit, ..self.redacted(result) };
        result.lessons = self.settle_lessons(&result, reflection).await;
        if let Err(error) = self.trace.record(Event::RunEnded { result: Box::new(result.clone()) }) {
            tracing::error!(%error, "the end of the run could not be written to the trace");
        }
        self.brain.end(&result).await;
        self.env.close().await;
        result
    }

    async fn leave_for_later(&mut self) {
        let kept = tokio::time::timeout(KEEPING, self.env.keepsake()).await.ok().flatten();
        self.reins.keep(kept);
    }

    /// Whoever gets the result gets it without secrets: the brain, the caller, the terminal.
    fn redacted(&self, result: RunResult) -> RunResult {
        let redactor = &self.config.redactor;
        if let Some(redacted) = redactor.copy_of(&result) {
            return redacted;
        }
        // What cannot be told without a secret is not told; how the run ended can be.
        RunResult {
            task: redactor.text(&result.task),
            start_url: result.start_url.map(|url| redactor.text(&url)),
            brain: redactor.text(&result.brain),
            summary: None,
            output: None,
            error: Some("the rest of the result was left out: it cannot be told without a secret".into()),
            verdict: Verdict::unjudged(None),
            referee: None,
            downloads: Vec::new(),
            toggles: Default::default(),
            plan: None,
            trajectory: Vec::new(),
            ..result
        }
    }

    fn result(&mut self, ending: Ending, judged: Judged) -> RunResult {
        let (summary, output) = match ending.claim {
            Some(claim) => (Some(claim.summary), claim.output),
            None => (None, None),
        };
        let Judged { verdict, record: referee, cost: judging_cost } = judged;
        let env_success = self.env.ended().unwrap_or(false);
        let success = exit_of(verdict.r#final, ending.reason, env_success) == Exit::Success
            && ending.reason != Termination::Paused;
        // The brain counts questions about "done" as well, which are no replies.
        let spent = self.brain.spent();
        let cost = spent.map(|usage| usage.cost_usd).unwrap_or(self.cost);
        let brain_summary = spent.map(|usage| BrainSummary { usage, ..self.asked.clone() });
        RunResult {
            schema_version: RESULT_SCHEMA_VERSION,
            run_id: self.config.run_id.clone(),
            task: self.config.task.clone(),
            start_url: self.config.start_url.clone(),
            brain: self.brain.name(),
            started_at: self.config.started_at.clone(),
            success,
            summary,
            output,
            termination_reason: ending.reason,
            error: ending.error,
            steps: self.steps,
            turns: self.turns,
            // Without the time in which people held it or were asked, as that of earlier processes is counted.
            duration_s: (self.started.elapsed().saturating_sub(self.held + self.waits.total())
                + self.config.before.elapsed)
                .as_secs_f64(),
            cost: cost + judging_cost + self.config.before.cost,
            verdict,
            referee,
            downloads: std::mem::take(&mut self.downloads),
            done_rejections_by_reason: std::mem::take(&mut self.memory.rejections),
            perceptual_summary: self.memory.perceptual.to_map(),
            effect_summary: self.effects,
            gate_summary: self.hand.gate_summary(),
            predicate_summary: self.memory.predicates.to_map(),
            loop_recoveries_by_reason: std::mem::take(&mut self.memory.recoveries),
            brain_summary,
            governor: self.governing.summary(),
            lessons: LessonSummary::default(),
            toggles: self.config.toggles.clone(),
            plan: self.plan.take(),
            audit: None,
            trajectory: std::mem::take(&mut self.trajectory),
        }
    }
}
