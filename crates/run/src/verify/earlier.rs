//! Steps that this brain did not just make: of an earlier process of the run, or of a person who took over. What was done
//! is done, so the gate has to know of it; nobody goes round in circles by what another one did.

use serde_json::Value;
use surehand_checks::action::Action;
use surehand_checks::after::loops::detector::Sample;
use surehand_checks::done::doing::Doing;
use surehand_types::call::KeyboardCall;
use surehand_types::reply::CallRequest;
use surehand_types::result::PolicyRecord;
use surehand_types::{Call, EffectStatus, ErrorCode, StepRecord};

use super::{Executed, Memory};

impl Memory {
    /// The task was begun in another run, of whose steps nothing is known here.
    pub(crate) fn began_elsewhere(&mut self) {
        self.began_elsewhere = true;
    }

    pub(crate) fn heard_of(&mut self, record: &StepRecord) {
        let Some(call) = record.call.clone().filter(|_| !record.was_withdrawn()) else { return };
        let Some(call) = CallRequest::parse(&Value::Object(call)).ok().and_then(|request| request.somewhere()) else {
            return;
        };
        if matches!(call, Call::Done { .. }) {
            return;
        }
        let url = record.observed.url.clone();
        let known = self.executed.last().and_then(|last| last.url.as_ref());
        let url_changed = known.zip(url.as_ref()).map(|(before, after)| before != after);
        self.note_typed(&call, record);
        self.keep(Executed {
            sample: Sample {
                action: Action::of_call(&call, "", None, record.dispatched.as_ref()),
                url: url.clone().unwrap_or_default(),
                ..Sample::default()
            },
            deed: Doing::of(&call),
            aside: true,
            substituted: record.substituted,
            effect: record.effect.as_ref().map(|effect| effect.status),
            denied: denied(record),
            url,
            url_changed,
            frame_changed: None,
        });
    }

    /// A declared value that was typed then stands in its field, or was sent.
    fn note_typed(&mut self, call: &Call, record: &StepRecord) {
        let Call::Keyboard(KeyboardCall::Type { text }) = call else { return };
        let is_dead = record.effect.as_ref().is_some_and(|effect| effect.status != EffectStatus::Confirmed);
        if !record.ok || is_dead {
            return;
        }
        for (value, entered) in self.declared.values.iter().zip(&mut self.entered) {
            *entered |= value.value == *text;
        }
    }
}

fn denied(record: &StepRecord) -> Option<String> {
    let error = record.error.as_ref().filter(|error| error.code == ErrorCode::Denied)?;
    let by_policy = record.policy.as_ref().is_some_and(PolicyRecord::forbids);
    (by_policy || record.guard.is_some()).then(|| error.message.clone())
}
