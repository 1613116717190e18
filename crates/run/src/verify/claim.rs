//! A claimed done: the gate judges it, then the brain's verifier, and what they share is counted.

use serde_json::Value;
use surehand_brain::DoneOpinion;
use surehand_checks::done::asked::Asked;
use surehand_checks::done::budget::{AfterGate, Claim, DoneOutcome};
use surehand_checks::done::forms::{DeclaredValue, pending, value_for};
use surehand_checks::done::gate::{GateInput, GateStep, GateVerdict, PlanProgress, judge};
use surehand_checks::done::verifier::VerifierVerdict;
use surehand_types::call::KeyboardCall;
use surehand_types::observation::Focus;
use surehand_types::secret::names_in;
use surehand_types::{Call, Observation, ThreeValued};

use super::memory::KEPT;
use super::{FormValue, Memory};

/// What becomes of a done before anybody else is asked.
pub(crate) enum ClaimOutcome {
    Settled(DoneOutcome),
    AskVerifier,
}

impl Memory {
    pub(crate) fn claimed(
        &mut self,
        success: bool,
        summary: &str,
        output: Option<&Value>,
        now: &Observation,
    ) -> ClaimOutcome {
        if let Claim::End(termination) = self.budget.claim(success) {
            return ClaimOutcome::Settled(DoneOutcome::End { termination, against: None });
        }
        let verdict = if self.rules.done_gate { self.gate(summary, output, now) } else { GateVerdict::Accept };
        let outcome = self.budget.after_gate(verdict);
        match outcome {
            AfterGate::AskVerifier => ClaimOutcome::AskVerifier,
            AfterGate::Settled(outcome) => ClaimOutcome::Settled(self.counted(outcome)),
        }
    }

    pub(crate) fn verified(&mut self, opinion: Option<DoneOpinion>) -> DoneOutcome {
        let verdict = match opinion.map(|opinion| opinion.valid) {
            None => VerifierVerdict::NotConfigured,
            Some(ThreeValued::Yes { .. }) => VerifierVerdict::Valid,
            Some(ThreeValued::No { reason }) => VerifierVerdict::Rejected { reason },
            Some(ThreeValued::NotMeasured { reason }) => VerifierVerdict::Silent { why: reason },
        };
        let outcome = self.budget.after_verifier(verdict);
        self.counted(outcome)
    }

    fn counted(&mut self, outcome: DoneOutcome) -> DoneOutcome {
        if let DoneOutcome::Refuse { rejection, recorded: true } = &outcome {
            *self.rejections.entry(rejection.reason.as_str().to_string()).or_default() += 1;
        }
        outcome
    }

    fn gate(&self, summary: &str, output: Option<&Value>, now: &Observation) -> GateVerdict {
        let steps: Vec<GateStep<'_>> = self
            .executed
            .iter()
            .map(|executed| GateStep {
                action: &executed.sample.action.r#type,
                deed: executed.deed,
                substituted: executed.substituted,
                url: executed.url.as_deref(),
                frame_hash: &executed.sample.frame_hash,
                effect: executed.effect,
                denied: executed.denied.as_deref(),
                url_changed: executed.url_changed,
                tiles_changed: executed.frame_changed,
            })
            .collect();
        let labels = self.pending_labels(now);
        let asked = self.asked();
        let fields: Vec<String> =
            output.and_then(Value::as_object).map(|given| given.keys().cloned().collect()).unwrap_or_default();
        let mismatch = self.declared.output_schema.as_ref().and_then(|schema| schema.mismatch(output));
        let input = GateInput {
            summary,
            output_mismatch: mismatch.as_deref(),
            plan: self.declared.plan_steps.map(|steps| PlanProgress { steps, position: 0, completed: 0 }),
            pending_form_labels: &labels,
            outer_pending_form_labels: self.declared.pending_form_labels.as_deref(),
            required_fields: &self.declared.required_fields,
            output_fields: &fields,
            steps: &steps,
            steps_cut: self.began_elsewhere || self.executed.len() >= KEPT,
            read_only: !asked.change && (asked.reads || output.is_some_and(|given| !given.is_null())),
            asked: Some(asked),
            complaint: now.complaint.as_deref().filter(|said| self.first_complaint.as_deref() != Some(*said)),
        };
        judge(&input, &self.rules.gate)
    }

    /// Whether the task wants something to be different afterwards, as far as its words tell.
    fn asked(&self) -> Asked {
        if self.declared.only_reads {
            return Asked { reads: true, ..Asked::default() };
        }
        let asked = Asked::of(&self.declared.task);
        Asked { change: asked.change || !self.declared.values.is_empty(), ..asked }
    }

    pub(super) fn pending_values(&self, now: &Observation) -> Vec<DeclaredValue<'_>> {
        let declared: Vec<DeclaredValue<'_>> = self
            .declared
            .values
            .iter()
            .zip(&self.entered)
            .map(|(value, entered)| DeclaredValue {
                entered: *entered,
                secret: !names_in(&value.value).is_empty(),
                ..DeclaredValue::new(&value.label, &value.value)
            })
            .collect();
        let focused: Vec<_> = match &now.focus {
            Focus::Element(field) => vec![field.as_ref().clone()],
            Focus::Nothing | Focus::Unknown => Vec::new(),
        };
        pending(&declared, &focused)
    }

    /// A value that was seen in its field is entered, wherever the focus goes after that.
    pub(super) fn note_entered(&mut self, now: &Observation) {
        let open: Vec<String> = self.pending_labels(now);
        for (value, entered) in self.declared.values.iter().zip(&mut self.entered) {
            *entered |= !open.contains(&value.label);
        }
    }

    /// The declared value that the focused field asks for, if it is empty.
    pub(crate) fn value_for_focus(&self, now: &Observation) -> Option<FormValue> {
        let Focus::Element(field) = &now.focus else { return None };
        if !self.rules.form_controller || !field.editable || field.empty != Some(true) {
            return None;
        }
        let pending = self.pending_values(now);
        let value = value_for(&pending, field)?;
        Some(FormValue { label: value.label.to_string(), value: value.value.to_string() })
    }

    /// Whether the brain is about to type once more what the last step filled in for it.
    pub(crate) fn is_filled_already(&self, call: &Call, now: &Observation) -> bool {
        let (Call::Keyboard(KeyboardCall::Type { text }), Focus::Element(field)) = (call, &now.focus) else {
            return false;
        };
        // What a secret's field holds is masked.
        let holds = || {
            field.value.as_deref() == Some(text.as_str()) || !names_in(text).is_empty() && field.empty == Some(false)
        };
        self.filled.as_deref() == Some(text.as_str()) && holds()
    }

    fn pending_labels(&self, now: &Observation) -> Vec<String> {
        self.pending_values(now).iter().map(|value| value.label.to_string()).collect()
    }
}
