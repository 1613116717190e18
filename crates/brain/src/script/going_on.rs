//! A script whose run goes on in another process: replies that were run already are not offered again.

use std::collections::VecDeque;

use surehand_types::reply::CallRequest;
use surehand_types::result::StepRecord;
use surehand_types::{EffectStatus, Reply};

/// Takes out what the run has done. The calls of a reply that was cut off in the middle stay.
pub(super) fn leave_out_done(replies: &mut VecDeque<Reply>, done: &[StepRecord]) {
    // What a person, a plan or the runtime did was never in the script; what nobody decided about, and what was cut off, is
    // still to be done.
    let is_ours = |step: &&StepRecord| {
        let is_open = step.was_withdrawn() || step.cut_off;
        step.by.is_none() && !step.substituted && step.call.is_some() && !is_open
    };
    let ours: Vec<&StepRecord> = done.iter().filter(is_ours).collect();
    let mut left: VecDeque<CallRequest> = VecDeque::new();
    let mut begun: Option<Reply> = None;
    for turn in ours.chunk_by(|one, next| one.turn == next.turn) {
        // A turn is about the next reply, or about the rest of one that got stuck.
        if !left.front().is_some_and(|call| is_same(call, turn[0])) || fits(replies.front(), turn[0]) {
            if !fits(replies.front(), turn[0]) {
                continue;
            }
            begun = replies.pop_front();
            left = begun.as_ref().map(|reply| reply.calls.clone().into()).unwrap_or_default();
        }
        left.drain(..turn.len().min(left.len()));
    }
    // The loop itself stops a reply after such a step, and the script then goes on with its next one.
    let stopped = ours.last().is_none_or(|last| {
        let before = ours.len().checked_sub(2).and_then(|index| ours[index].observed.url.as_ref());
        let moved = before.is_some() && before != last.observed.url.as_ref();
        let dead = last.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::NoEffect);
        !last.ok || dead || moved
    });
    if let (Some(mut reply), false, false) = (begun, left.is_empty(), stopped) {
        reply.calls = left.into();
        replies.push_front(reply);
    }
}

fn fits(reply: Option<&Reply>, step: &StepRecord) -> bool {
    reply.and_then(|reply| reply.calls.first()).is_some_and(|call| is_same(call, step))
}

/// By what it does, not by where or with what: a target becomes a coordinate when it is run, and texts are redacted when
/// they are written down.
fn is_same(call: &CallRequest, step: &StepRecord) -> bool {
    let ran = |name: &str| step.call.as_ref().and_then(|call| call.get(name));
    ["tool", "action"].iter().all(|name| call.given.get(*name) == ran(name))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use surehand_types::Effect;

    use super::*;

    fn click(number: u64) -> Value {
        json!({"tool": "mouse", "action": "click", "coordinate": [number, 1]})
    }

    fn typed() -> Value {
        json!({"tool": "keyboard", "action": "type", "text": "x"})
    }

    fn step(turn: u32, call: &Value) -> StepRecord {
        StepRecord { call: call.as_object().cloned(), ok: true, ..StepRecord::blank(1, turn) }
    }

    /// What is still to be done, as the first coordinates of clicks and the names of other tools.
    fn left(script: &[Vec<Value>], done: &[StepRecord]) -> Vec<Vec<Value>> {
        let parsed = script.iter().map(|calls| Reply::parse(&json!({ "calls": calls })).unwrap());
        let mut replies: VecDeque<Reply> = parsed.collect();
        leave_out_done(&mut replies, done);
        let shown = |call: &CallRequest| call.given.get("coordinate").unwrap_or(&call.given["tool"])[0].clone();
        let name = |call: &CallRequest| match shown(call) {
            Value::Null => call.given["tool"].clone(),
            number => number,
        };
        replies.iter().map(|reply| reply.calls.iter().map(name).collect()).collect()
    }

    #[test]
    fn what_was_done_is_left_out_and_what_was_cut_off_goes_on() {
        let script = [vec![click(1)], vec![click(2), typed()], vec![click(3)]];
        assert_eq!(left(&script, &[]), [vec![json!(1)], vec![json!(2), json!("keyboard")], vec![json!(3)]]);
        assert_eq!(left(&script, &[step(1, &click(1))]), [vec![json!(2), json!("keyboard")], vec![json!(3)]]);
        let cut = [step(1, &click(1)), step(2, &click(2))];
        assert_eq!(left(&script, &cut), [vec![json!("keyboard")], vec![json!(3)]]);
        let mut dead = cut.clone();
        dead[1].effect = Some(Effect { status: EffectStatus::NoEffect, evidence: Vec::new(), reason: None });
        assert_eq!(left(&script, &dead), [vec![json!(3)]], "the loop itself stopped there");
        let all = [step(1, &click(1)), step(2, &click(2)), step(3, &typed()), step(4, &click(3))];
        assert!(left(&script, &all).is_empty(), "the rest was offered in a turn of its own");
    }

    #[test]
    fn what_others_did_is_no_part_of_the_script() {
        let script = [vec![click(1)], vec![click(2)]];
        let person = StepRecord { by: Some("person".into()), ..step(2, &click(9)) };
        let helped = StepRecord { substituted: true, ..step(3, &click(9)) };
        let spent = StepRecord { call: None, ..step(4, &click(9)) };
        assert_eq!(left(&script, &[step(1, &click(1)), person, helped, spent]), [vec![json!(2)]]);
        assert_eq!(left(&script, &[step(1, &json!({"tool": "wait", "seconds": 1}))]).len(), 2);
    }
}
