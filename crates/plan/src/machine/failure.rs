//! What happens when a step fails: again, past it, to a person, or outward to the step around it.

use super::Machine;
use super::position::{Asking, Part, Phase, Unfilled};
use super::work::{Again, Answer, Note, Status, Wanted, Work};
use crate::plan::{BeforeRetry, GiveUp, OnFailure, Step, StepKind};

/// Where a failure comes from, seen from a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    /// A step inside of it.
    Inner,
}

impl Machine {
    /// The current step has failed.
    pub(super) fn fail(&mut self, sentence: impl Into<String>, again: Again) {
        let sentence = sentence.into();
        self.position.failures = self.position.failures.saturating_add(1);
        if let Some(most) = self.plan.recovery.max_failures.filter(|most| self.position.failures >= u64::from(*most)) {
            let why = format!("{sentence}; and that was failure {most} of at most {most}");
            self.notes.push(Note::StepFailed { step: self.step_ref(), why: sentence });
            return self.end(Status::Failed, why);
        }
        self.decide_failure(sentence, again, None);
    }

    /// A person said what to do about the failure that was asked about.
    pub(super) fn recover(&mut self, answer: &Answer, asking: Asking) {
        if let Some(level) = self.level() {
            level.asking = None;
        }
        match answer {
            Answer::Retry => self.retry(asking.sentence, asking.inside),
            Answer::Skip => self.skip(asking.sentence, asking.inside),
            _ => self.outward(asking.sentence, asking.again),
        }
    }

    fn decide_failure(&mut self, sentence: String, again: Again, inside: Option<Part>) {
        let Some((step, level)) = self.current() else { return self.end(Status::Failed, sentence) };
        let policy = self.policy(step);
        if again == Again::Possible && level.attempt < policy.retries {
            return self.retry(sentence, inside);
        }
        match policy.then {
            GiveUp::Stop => self.outward(sentence, again),
            GiveUp::Skip => self.skip(sentence, inside),
            GiveUp::Ask => {
                // Whatever a person says, this attempt is over.
                self.notes.push(Note::StepFailed { step: self.step_ref(), why: sentence.clone() });
                if let Some(level) = self.level() {
                    level.asking = Some(Asking { sentence, again, inside });
                }
            }
        }
    }

    /// The step around this one has failed with it. A chain of these is as long as the plan is deep.
    fn outward(&mut self, sentence: String, again: Again) {
        self.notes.push(Note::StepFailed { step: self.step_ref(), why: sentence.clone() });
        if self.position.levels.len() <= 1 {
            return self.end(Status::Failed, sentence);
        }
        let left = self.position.levels.pop().map(|level| (level.part, level.at));
        // The step at which it began is the one to name.
        let from = left.and_then(|(part, at)| self.named_below(part, at));
        let sentence = match from {
            Some(id) if !sentence.starts_with("step `") => format!("step `{id}`: {sentence}"),
            _ => sentence,
        };
        self.decide_failure(sentence, again, left.map(|(part, _)| part));
    }

    fn named_below(&self, part: Part, at: usize) -> Option<String> {
        let (step, _) = self.current()?;
        let name = match part {
            Part::Plan => return None,
            Part::Body => "steps",
            Part::Between => "between",
            Part::Then => "then",
            Part::Else => "else",
        };
        let block = step.blocks().into_iter().find(|(known, _)| *known == name)?.1;
        block.get(at).map(|step| step.id.clone())
    }

    fn retry(&mut self, sentence: String, inside: Option<Part>) {
        self.notes.push(Note::StepRetried { step: self.step_ref(), why: sentence.clone() });
        let Some((step, level)) = self.current() else { return };
        let is_loop = matches!(step.kind, StepKind::Loop { .. });
        let is_leaf = !is_loop && !matches!(step.kind, StepKind::If { .. });
        let was_deciding = level.phase == Phase::Decide;
        let reopens =
            is_leaf && self.plan.recovery.before_retry == BeforeRetry::Reopen && self.position.last_url.is_some();
        if let Some(level) = self.level() {
            level.attempt = level.attempt.saturating_add(1);
            level.last_failure = Some(sentence);
        }
        match inside {
            // The same pass once more, from where its part began.
            Some(part) if is_loop => self.descend(part),
            _ if is_loop && was_deciding => {}
            _ => self.set_phase(if reopens { Phase::Reopen } else { Phase::Enter }),
        }
    }

    fn skip(&mut self, sentence: String, inside: Option<Part>) {
        self.notes.push(Note::StepSkipped { step: self.step_ref(), why: sentence });
        self.position.skipped = self.position.skipped.saturating_add(1);
        let Some((step, _)) = self.current() else { return };
        let is_loop = matches!(step.kind, StepKind::Loop { .. });
        if let StepKind::Fill { fields, form: Some(form) } = &step.kind {
            let open: Vec<Unfilled> =
                fields.iter().map(|(label, _)| Unfilled { form: form.clone(), label: label.to_owned() }).collect();
            self.position.unfilled.retain(|known| !open.contains(known));
            self.position.unfilled.extend(open);
        }
        match inside {
            Some(_) if is_loop => self.next_pass(),
            _ => self.go_on(),
        }
    }

    /// What follows when nobody answers the question at hand, in words for whoever is asked. Silence about a failure is
    /// "stop"; any other question has failed without an answer, and its step with it.
    pub fn without_answer(&self) -> String {
        let Some(inner) = self.position.levels.len().checked_sub(1) else { return "the plan fails".into() };
        let asking = self.position.levels.get(inner).and_then(|level| level.asking.as_ref());
        if let Some(asking) = asking {
            return format!("stop: {}", self.consequence(inner.checked_sub(1), asking.again, Whose::Inner));
        }
        let again = match &self.work {
            Work::Ask { answer: Wanted::Approval, .. } => Again::Pointless,
            _ => Again::Possible,
        };
        let failures = self.position.failures.saturating_add(1);
        if self.plan.recovery.max_failures.is_some_and(|most| failures >= u64::from(most)) {
            return "the plan fails: it is one failure too many".into();
        }
        self.consequence(Some(inner), again, Whose::Own)
    }

    /// What a failure leads to, from the step at this depth outward.
    fn consequence(&self, depth: Option<usize>, again: Again, whose: Whose) -> String {
        let found = depth.and_then(|depth| Some((depth, self.step_at(depth)?)));
        let Some((depth, (step, level))) = found else { return "the plan fails".into() };
        let policy = self.policy(step);
        let is_pass = whose == Whose::Inner && matches!(step.kind, StepKind::Loop { .. });
        let what = if is_pass { format!("this pass of `{}`", step.id) } else { format!("the step `{}`", step.id) };
        if again == Again::Possible && level.attempt < policy.retries {
            return format!("{what} is tried again");
        }
        match policy.then {
            GiveUp::Stop => self.consequence(depth.checked_sub(1), again, Whose::Inner),
            GiveUp::Skip if is_pass => format!("{what} is given up, and the loop goes on"),
            GiveUp::Skip => format!("{what} is given up, and the plan goes on"),
            GiveUp::Ask if whose == Whose::Own => "a person is asked what to do about it".into(),
            GiveUp::Ask => format!("{what} fails, and a person is asked what to do about that"),
        }
    }

    fn policy(&self, step: &Step) -> OnFailure {
        let default = match step.kind {
            StepKind::Loop { .. } | StepKind::If { .. } => OnFailure::default(),
            _ => self.plan.recovery.on_failure,
        };
        step.on_failure.unwrap_or(default)
    }
}
