//! Writing a step down: raw facts first, views later. Also what a step is made of: what the brain said, what
//! was chosen to run, and the world it started from.

use serde_json::{Map, Value, json};
use surehand_checks::after::predicates::{
    PredicateKind, Prediction, native_outcome, parse_list, predicted, selectors_to_measure,
};
use surehand_checks::done::reason::Rejection;
use surehand_env::Sight;
use surehand_types::call::KeyboardCall;
use surehand_types::event::Event;
use surehand_types::reply::{CallForm, CallRequest, CallResult};
use surehand_types::result::{LoopRecord, StepFrames, Timing};
use surehand_types::{Call, Observation, Reply, StepRecord};

use crate::acted::Acted;
use crate::aimed::aimed_at;
use crate::feedback;
use crate::run::{Claim, Ending, Run};
use crate::step::{ThinkTime, milliseconds};
use crate::verify::{FormValue, Scored};

/// Seconds of the wait that takes the place of a done.
const WAIT_INSTEAD: f64 = 1.0;

/// The world a call starts from, and the time spent thinking about it (once per turn).
pub(crate) struct Moment {
    pub(crate) before: Observation,
    pub(crate) thinking: Option<ThinkTime>,
}

impl Moment {
    fn count_into(&self, timing: &mut Timing) {
        let taken = self.thinking.unwrap_or_default();
        timing.observe = milliseconds(taken.observe);
        timing.think = milliseconds(taken.think);
        timing.total = timing.observe + timing.think + timing.act + timing.settle + timing.verify;
    }
}

/// One reply, with what it predicted and what must be said after it.
pub(crate) struct Said {
    pub(crate) reply: Reply,
    pub(crate) started_from: Observation,
    pub(crate) prediction: Option<Prediction>,
    /// Selectors of the prediction, and what could be read before its calls; `None` where it speaks of neither.
    pub(crate) selectors: Vec<String>,
    pub(crate) sight_before: Option<Sight>,
    pub(crate) nudge: Option<String>,
    pub(crate) own_feedback: Option<String>,
    /// What the runtime did beside the brain's calls.
    pub(crate) notes: Vec<String>,
}

impl Said {
    pub(crate) async fn new(run: &mut Run, reply: Reply, started_from: Observation) -> Said {
        let rules = &run.config.verify.predicates;
        let prediction = if reply.expected.is_empty() {
            reply.thought.as_deref().map(|thought| predicted(thought, rules))
        } else {
            let raw = native_outcome(&reply.expected).map(|outcome| outcome.to_string()).unwrap_or_default();
            Some(Prediction { raw, predicates: parse_list(&reply.expected, rules) })
        };
        let prediction = prediction.filter(|prediction| !prediction.raw.is_empty());
        let mut said = Said {
            reply: reply.kept(),
            started_from,
            prediction,
            selectors: Vec::new(),
            sight_before: None,
            nudge: None,
            own_feedback: None,
            notes: Vec::new(),
        };
        if said.needs_sight() && run.config.verify.predicate_verify {
            let predicates = said.prediction.as_ref().map_or(&[][..], |prediction| &prediction.predicates);
            said.selectors = selectors_to_measure(predicates).into_iter().map(str::to_string).collect();
            said.sight_before = run.env.sight(&said.selectors).await;
        }
        said
    }

    /// Text, elements and dialogs are read only for predictions that speak of them: it takes some milliseconds.
    pub(crate) fn needs_sight(&self) -> bool {
        use PredicateKind::{ElementAppears, ElementDisappears, ModalCloses, ModalOpens};
        let kinds =
            self.prediction.iter().flat_map(|prediction| &prediction.predicates).map(|predicate| predicate.kind);
        kinds.into_iter().any(|kind| matches!(kind, ElementAppears | ElementDisappears | ModalCloses | ModalOpens))
    }

    pub(crate) fn thought(&self) -> &str {
        self.reply.thought.as_deref().unwrap_or_default()
    }

    /// What the next turn says about this one.
    pub(crate) fn feedback(self, results: &[CallResult]) -> String {
        let mut words = self.own_feedback.unwrap_or_else(|| feedback::about(results));
        for note in &self.notes {
            words = format!("{words}\n{note}");
        }
        match &self.nudge {
            Some(nudge) if !words.ends_with(nudge.as_str()) => format!("{words}\n{nudge}"),
            _ => words,
        }
    }

    /// Native replies keep their list; a prediction in words is kept as it was written.
    fn outcome(&self) -> Option<Value> {
        let native = native_outcome(&self.reply.expected);
        native.or_else(|| self.prediction.as_ref().and_then(Prediction::outcome))
    }
}

/// The call that runs.
pub(crate) struct Chosen {
    pub(crate) call: Call,
    pub(crate) request: CallRequest,
    /// Why it is not the brain's own.
    pub(crate) instead: Option<Instead>,
}

pub(crate) enum Instead {
    Wait {
        words: String,
        recorded: Option<&'static str>,
    },
    Recovery(&'static str),
    FormValue {
        label: String,
    },
    /// It was about to be entered twice.
    FilledAlready,
}

impl Chosen {
    /// A declared value for the field that has the focus.
    pub(crate) fn form_value(value: FormValue) -> Chosen {
        let call = Call::Keyboard(KeyboardCall::Type { text: value.value.clone() });
        let given = json!({"tool": "keyboard", "action": "type", "text": value.value});
        let given = given.as_object().cloned().unwrap_or_default();
        Chosen::in_place(call, given, Instead::FormValue { label: value.label })
    }

    /// A call of the runtime's own.
    pub(crate) fn in_place(call: Call, given: Map<String, Value>, instead: Instead) -> Chosen {
        let request = CallRequest { given, form: CallForm::Ready(call.clone()) };
        Chosen { call, request, instead: Some(instead) }
    }

    pub(crate) fn filled_already(request: CallRequest) -> Chosen {
        Chosen { call: Call::Wait { seconds: 0.0 }, request, instead: Some(Instead::FilledAlready) }
    }

    pub(crate) fn wait_instead(rejection: &Rejection, recorded: bool) -> Chosen {
        let call = Call::Wait { seconds: WAIT_INSTEAD };
        let given = json!({"tool": "wait", "seconds": WAIT_INSTEAD}).as_object().cloned().unwrap_or_default();
        let recorded = recorded.then(|| rejection.reason.as_str());
        Chosen::in_place(call, given, Instead::Wait { words: rejection.words(), recorded })
    }
}

/// What the checks say about a step.
pub(crate) struct Checked<'a> {
    pub(crate) chosen: &'a Chosen,
    pub(crate) frame_hash: String,
    pub(crate) effect_observed: Option<bool>,
    /// The prediction beside what happened, on the last call of a reply that made one.
    pub(crate) scored: Option<Scored>,
    pub(crate) going_in_circles: Option<LoopRecord>,
}

pub(crate) fn record(
    run: &mut Run,
    said: &Said,
    moment: &Moment,
    acted: &Acted,
    checked: Checked<'_>,
    feedback: String,
) -> Result<(), Ending> {
    let before = run.trace.frame(&moment.before)?;
    let after = run.trace.frame(&acted.observation)?;
    let first = moment.thinking.is_some();
    let (rejected, recovery) = match &checked.chosen.instead {
        Some(Instead::Wait { recorded, .. }) => (*recorded, None),
        Some(Instead::Recovery(reason)) => (None, Some(*reason)),
        Some(Instead::FormValue { .. } | Instead::FilledAlready) | None => (None, None),
    };
    let Scored { results: predicate_results, rewards: reward_components } = checked.scored.clone().unwrap_or_default();
    let mut record = StepRecord {
        thought: if first { said.reply.thought.clone() } else { None },
        call: Some(checked.chosen.request.given.clone()),
        ok: acted.ok,
        message: acted.message.clone(),
        error: acted.error.clone(),
        dispatched: acted.dispatched,
        hit: acted.hit.clone(),
        aimed: acted.hit.as_ref().and_then(|hit| aimed_at(hit, &moment.before.interactables)),
        around: acted.around.clone(),
        effect: acted.effect.clone(),
        action_effect_observed: checked.effect_observed,
        feedback,
        frame_hash: checked.frame_hash,
        predicted_outcome: checked.scored.as_ref().and_then(|_| said.outcome()),
        predicate_results,
        reward_components,
        done_rejected_reason: rejected.map(str::to_string),
        loop_recovery_reason: recovery.map(str::to_string),
        going_in_circles: checked.going_in_circles,
        substituted: checked.chosen.instead.is_some(),
        guard: acted.guard.clone(),
        policy: acted.policy.clone(),
        observed: run.observed(&acted.observation),
        usage: if first { said.reply.usage } else { Default::default() },
        ..run.blank_record()
    };
    record.frames = StepFrames {
        before: Some(before),
        after: Some(after),
        before_stale: moment.before.frame.stale,
        after_stale: acted.observation.frame.stale,
    };
    let timing = &mut record.timing_ms;
    timing.act = acted.timing.act_ms;
    timing.settle = acted.timing.settle_ms;
    timing.verify = acted.timing.verify_ms;
    moment.count_into(timing);
    if let Some(asked) = &acted.confirmation {
        run.trace.record(Event::Confirmation(asked.clone()))?;
    }
    for event in &acted.happenings.events {
        run.trace.record(Event::Environment(event.clone()))?;
    }
    run.downloads.extend(acted.happenings.downloads.iter().cloned());
    run.keep(record)
}

/// The last step of a run that its brain ended: nothing ran, only the claim is written down.
pub(crate) fn record_done(
    run: &mut Run,
    request: &CallRequest,
    said: &Said,
    moment: Moment,
    claim: &Claim,
) -> Result<(), Ending> {
    let frame = run.trace.frame(&moment.before)?;
    let mut record = StepRecord {
        thought: said.reply.thought.clone(),
        call: Some(request.given.clone()),
        ok: true,
        message: claim.summary.clone(),
        predicted_outcome: moment.thinking.and_then(|_| said.outcome()),
        observed: run.observed(&moment.before),
        policy: run
            .hand
            .harmless(&Call::Done { success: claim.success, summary: String::new(), output: None }, run.steps + 1),
        usage: said.reply.usage,
        ..run.blank_record()
    };
    record.frames.before = Some(frame.clone());
    record.frames.after = Some(frame);
    moment.count_into(&mut record.timing_ms);
    run.keep(record)
}
