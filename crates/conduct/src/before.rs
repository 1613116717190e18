//! What a run did before it was put away or lost its process, read back from its own trace.

use std::time::Duration;

use serde_json::json;
use surehand_run::{Before, CutOff};
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
    // Since when it goes, unless it stands still for people: their time is not the run's, nor is that of their answers.
    let mut since: Option<&str> = None;
    let mut is_held = false;
    let mut asked = Duration::ZERO;
    let mut called_at = "";
    let mut latest = "";
    for envelope in &read.events {
        match &envelope.event {
            Event::RunStarted(_) => (started_at, since) = (Some(envelope.at.clone()), Some(envelope.at.as_str())),
            Event::Replied { turn, usage, .. } => {
                before.turns = before.turns.max(*turn);
                before.cost += usage.map(|usage| usage.cost_usd).unwrap_or_default();
            }
            Event::CallStarted { step, call, by } => {
                called_at = &envelope.at;
                let (seq, step, call, by) = (envelope.seq, *step, call.clone(), by.clone());
                before.open_call = Some(CutOff { seq, step, call, by, policy: None });
            }
            Event::Confirmation(confirmation) => {
                asked += Duration::try_from_secs_f64(confirmation.seconds).unwrap_or_default();
            }
            Event::Step(record) => {
                let was_open = before.open_call.take().is_some();
                before.turns = before.turns.max(record.turn);
                before.trajectory.push(record.as_ref().clone());
                // Written down by the next process, before it says that it goes on.
                if was_open && (record.cut_off || record.frames.after.is_none()) {
                    continue;
                }
                if record.call.as_ref().is_some_and(|call| call.get("tool") == Some(&json!("ask_user"))) {
                    asked += between(Some(called_at), &envelope.at);
                }
            }
            Event::RunEnded { result } => {
                before.elapsed += between(since.take(), &envelope.at);
                // It counts what no single reply did, such as the questions about done.
                before.cost = before.cost.max(result.cost);
            }
            Event::Person(PersonEvent::Paused { .. } | PersonEvent::TookOver { .. }) => {
                before.elapsed += between(since.take(), &envelope.at);
                is_held = true;
            }
            Event::Person(PersonEvent::Resumed { .. }) => {
                // Without an end of the process before, it was killed at some moment after its last event.
                before.elapsed += between(since.replace(&envelope.at), latest);
                is_held = false;
            }
            _ if since.is_none() && !is_held && started_at.is_some() => since = Some(envelope.at.as_str()),
            _ => {}
        }
        latest = &envelope.at;
    }
    before.elapsed += between(since, latest);
    before.elapsed = before.elapsed.saturating_sub(asked);
    Some(Continued { before, started_at: started_at?, last_seq: last.seq })
}

fn between(from: Option<&str>, to: &str) -> Duration {
    let moment = |text: &str| text.parse::<jiff::Timestamp>().ok();
    let (Some(from), Some(to)) = (from.and_then(moment), moment(to)) else { return Duration::ZERO };
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use surehand_trace::read_trace;
    use surehand_types::StepRecord;

    use super::*;

    fn read(events: &[(u64, Value)]) -> TraceRead {
        let started = json!({"type": "run_started", "task": "t", "brain": "b", "environment": "e",
            "viewport": {"width": 1, "height": 1}, "max_steps": 9, "toggles": {}, "surehand_version": "0"});
        let mut lines = String::new();
        for (index, (second, event)) in [(0, started)].iter().chain(events).enumerate() {
            let at = format!("2026-01-01T00:{:02}:{:02}Z", second / 60, second % 60);
            let mut line = json!({"v": 1, "seq": index + 1, "at": at, "run_id": "r"});
            line.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
            lines.push_str(&format!("{line}\n"));
        }
        let read = read_trace(lines.as_bytes());
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        read
    }

    fn person(kind: &str) -> Value {
        json!({"type": "person", "kind": kind, "by": "ada", "calls": 0})
    }

    fn confirmation(seconds: f64) -> Value {
        json!({"type": "confirmation", "step": 1, "rule": "payment", "reason": "it pays", "what": "click",
            "answer": "yes", "seconds": seconds})
    }

    fn call(tool: &str) -> Value {
        json!({"type": "call_started", "step": 1, "call": {"tool": tool}})
    }

    fn step(tool: &str) -> Value {
        let mut record = record(tool);
        record.frames.after = Some("0".repeat(64));
        serde_json::to_value(Event::Step(Box::new(record))).unwrap()
    }

    fn cut_off(tool: &str) -> Value {
        let record = StepRecord { cut_off: true, ..record(tool) };
        serde_json::to_value(Event::Step(Box::new(record))).unwrap()
    }

    fn record(tool: &str) -> StepRecord {
        StepRecord { call: json!({"tool": tool}).as_object().cloned(), ..StepRecord::blank(1, 1) }
    }

    fn note() -> Value {
        json!({"type": "note", "level": "info", "message": "x"})
    }

    #[test]
    fn time_that_people_took_is_not_the_runs() {
        for (events, seconds) in [
            (vec![(10, note())], 10),
            (vec![(10, person("paused")), (70, person("resumed")), (75, note())], 15),
            (
                vec![
                    (10, person("took_over")),
                    (30, note()),
                    (40, person("handed_back")),
                    (40, person("resumed")),
                    (50, note()),
                ],
                20,
            ),
            // The process ended while it stood still, and the next one began later.
            (vec![(10, person("paused")), (40, note()), (600, person("resumed")), (620, note())], 30),
            // A person was asked, and the brain asked one.
            (vec![(5, confirmation(30.0)), (36, note())], 6),
            (vec![(5, call("ask_user")), (65, step("ask_user")), (66, note())], 6),
            (vec![(5, call("wait")), (65, step("wait"))], 65),
            // The process died over a call, and the next one wrote that down first.
            (vec![(10, call("wait")), (600, cut_off("wait")), (601, person("resumed")), (620, note())], 29),
            (vec![(10, call("ask_user")), (600, cut_off("ask_user")), (601, person("resumed")), (620, note())], 29),
            // It died while it went.
            (vec![(10, note()), (600, person("resumed")), (620, note())], 30),
        ] {
            let found = continued(&read(&events), "ada").unwrap().before.elapsed;
            assert_eq!(found, Duration::from_secs(seconds), "{events:?}");
        }
    }
}
