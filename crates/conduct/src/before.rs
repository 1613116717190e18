//! What a run did before it was put away or lost its process, read back from its own trace.

use std::time::Duration;

use surehand_run::Before;
use surehand_trace::TraceRead;
use surehand_types::event::Event;
use surehand_types::person::PersonEvent;

/// A run that goes on under its own id.
#[derive(Debug, Clone)]
pub(crate) struct Continued {
    pub(crate) before: Before,
    pub(crate) started_at: String,
    pub(crate) last_seq: u64,
}

/// `None` where there is nothing to go on from: no event, or no beginning.
pub(crate) fn continued(read: &TraceRead, by: &str) -> Option<Continued> {
    let last = read.events.last()?;
    let mut before = Before { resumed_by: Some(by.to_string()), ..Before::default() };
    let mut started_at = None;
    // Since when it goes, unless it stands still for people: their time is not the run's.
    let mut since: Option<&str> = None;
    let mut is_held = false;
    let mut latest = "";
    for envelope in &read.events {
        match &envelope.event {
            Event::RunStarted(_) => (started_at, since) = (Some(envelope.at.clone()), Some(envelope.at.as_str())),
            Event::Replied { turn, usage, .. } => {
                before.turns = before.turns.max(*turn);
                before.cost += usage.map(|usage| usage.cost_usd).unwrap_or_default();
            }
            Event::CallStarted { call, .. } => before.open_call = Some(call.clone()),
            Event::Step(record) => {
                before.open_call = None;
                before.turns = before.turns.max(record.turn);
                before.trajectory.push(record.as_ref().clone());
            }
            Event::RunEnded { .. } => before.elapsed += between(since.take(), &envelope.at),
            Event::Person(PersonEvent::Paused { .. } | PersonEvent::TookOver { .. }) => {
                before.elapsed += between(since.take(), &envelope.at);
                is_held = true;
            }
            Event::Person(PersonEvent::Resumed { .. }) => {
                before.elapsed += between(since.replace(&envelope.at), &envelope.at);
                is_held = false;
            }
            _ if since.is_none() && !is_held && started_at.is_some() => since = Some(envelope.at.as_str()),
            _ => {}
        }
        latest = &envelope.at;
    }
    before.elapsed += between(since, latest);
    Some(Continued { before, started_at: started_at?, last_seq: last.seq })
}

fn between(from: Option<&str>, to: &str) -> Duration {
    let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
    let (Some(from), Some(to)) = (from.and_then(moment), moment(to)) else { return Duration::ZERO };
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}
