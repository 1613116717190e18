//! A brain for experiments: a script whose steps may have alternatives. It repeats a step, as weak models
//! do, until it is told what became of it: that nothing happened makes it take the alternative at once, that
//! something did makes it go on. Told neither, it wastes all its repetitions first.

use std::collections::VecDeque;
use std::path::Path;

use async_trait::async_trait;
use serde_json::Value;
use surehand_types::reply::CallResult;
use surehand_types::{EffectStatus, Reply, RunResult, Turn};

use crate::brain::{Brain, Thought};
use crate::error::BrainError;
use crate::script::{left_after_problem, read_file, read_reply, read_values, script_ended};

/// How often a step is tried when it does not say so itself.
const TIMES: u32 = 6;
/// More would only fill the budget of steps.
const MOST_TIMES: u32 = 100;

/// What the runtime says in words about an action without effect, as far as this brain reads.
const DEAD_WORDS: [&str; 2] = ["nothing on the page reacted", "no observed effect"];

#[derive(Debug)]
pub struct StubbornBrain {
    name: String,
    steps: VecDeque<Step>,
    /// Tried, and perhaps to be tried again or otherwise.
    under_way: Option<UnderWay>,
    /// A reply without an alternative that was offered last, in case it could not be run to its end.
    plain: Option<Reply>,
}

/// A reply, and what to do instead where it does not help.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    reply: Reply,
    instead: VecDeque<Reply>,
    times: u32,
}

#[derive(Debug)]
struct UnderWay {
    step: Step,
    tried: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Dead,
    Alive,
    Nothing,
}

impl StubbornBrain {
    pub fn open(path: &Path) -> Result<Self, BrainError> {
        let steps = read_file(path, read_step)?.into();
        Ok(StubbornBrain { name: format!("stubborn:{}", path.display()), steps, under_way: None, plain: None })
    }

    /// A script that is already in memory. The error is one sentence about the first step that is wrong.
    pub fn from_values(name: impl Into<String>, steps: &[Value]) -> Result<Self, String> {
        let steps = read_values(steps, read_step)?.into();
        Ok(StubbornBrain { name: name.into(), steps, under_way: None, plain: None })
    }

    fn next(&mut self, turn: &Turn) -> Reply {
        if let Some(UnderWay { mut step, tried }) = self.under_way.take() {
            match told(turn) {
                Told::Alive => {}
                Told::Nothing if tried < step.times => return self.offer(step, tried + 1),
                Told::Dead | Told::Nothing => {
                    if let Some(reply) = step.instead.pop_front() {
                        return self.offer(Step { reply, ..step }, 1);
                    }
                }
            }
        }
        if let Some(left) = left_after_problem(&mut self.plain, turn) {
            self.plain = Some(left.clone());
            return left;
        }
        match self.steps.pop_front() {
            Some(step) => self.offer(step, 1),
            None => script_ended(),
        }
    }

    /// Only while there is an alternative does it matter what becomes of a reply.
    fn offer(&mut self, step: Step, tried: u32) -> Reply {
        let reply = step.reply.clone();
        if step.instead.is_empty() {
            self.plain = Some(reply.clone());
        } else {
            self.plain = None;
            self.under_way = Some(UnderWay { step, tried });
        }
        reply
    }
}

#[async_trait]
impl Brain for StubbornBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        Ok(Thought::reply(self.next(turn)))
    }

    async fn end(&mut self, _: &RunResult) {}
}

/// What the turn says about the last reply: its last call that ran decides, and the words where the call says
/// nothing.
fn told(turn: &Turn) -> Told {
    let effect = |result: &CallResult| result.effect.as_ref().map(|effect| effect.status);
    let last = turn.results.iter().rev().find(|result| result.ran);
    match last.and_then(effect) {
        Some(EffectStatus::Confirmed) => Told::Alive,
        Some(EffectStatus::NoEffect | EffectStatus::Refused) => Told::Dead,
        Some(EffectStatus::Unverifiable) | None => {
            let dead = turn.problem.is_some() || DEAD_WORDS.iter().any(|words| turn.feedback.contains(words));
            if dead { Told::Dead } else { Told::Nothing }
        }
    }
}

/// A reply that may have `instead` (replies) and `times` beside its own fields.
fn read_step(value: &Value) -> Result<Step, String> {
    let mut fields = value.as_object().cloned().ok_or("a reply must be a JSON object")?;
    let instead = match fields.shift_remove("instead") {
        None => Vec::new(),
        Some(Value::Array(replies)) => {
            read_values(&replies, read_reply).map_err(|problem| format!("in instead, {problem}"))?
        }
        Some(_) => return Err("instead must be an array of replies".into()),
    };
    let times = match fields.shift_remove("times") {
        None => TIMES,
        Some(given) => given
            .as_u64()
            .and_then(|times| u32::try_from(times).ok())
            .filter(|times| (1..=MOST_TIMES).contains(times))
            .ok_or_else(|| format!("times must be an integer from 1 to {MOST_TIMES}"))?,
    };
    let reply = read_reply(&Value::Object(fields))?;
    Ok(Step { reply, instead: instead.into(), times })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use surehand_types::Effect;

    use super::*;
    use crate::Answer;
    use crate::script::tests::turn;

    fn wait(seconds: u32) -> Value {
        json!({"calls": [{"tool": "wait", "seconds": seconds}]})
    }

    fn stubborn(steps: &[Value]) -> StubbornBrain {
        StubbornBrain::from_values("stubborn:test", steps).unwrap()
    }

    /// With two ways to do the first step, tried three times each, and a second step.
    fn two_ways() -> StubbornBrain {
        let mut first = wait(1);
        first["times"] = json!(3);
        first["instead"] = json!([wait(2), wait(3)]);
        stubborn(&[first, wait(9)])
    }

    /// The next reply, by the seconds of its wait or the summary of its done.
    async fn next(brain: &mut StubbornBrain, status: Option<EffectStatus>, feedback: &str) -> String {
        let effect = status.map(|status| Effect::by(status, "test", ""));
        let results =
            vec![CallResult { index: 0, ran: true, ok: true, effect, message: String::new(), predicates: Vec::new() }];
        let turn = Turn { results, feedback: feedback.into(), ..turn() };
        match brain.think(&turn).await.unwrap().answer {
            Answer::Reply(reply) => {
                let given = &reply.calls[0].given;
                given.get("seconds").or(given.get("summary")).unwrap().to_string()
            }
            Answer::Problem(problem) => panic!("{problem:?}"),
        }
    }

    async fn all(brain: &mut StubbornBrain, status: Option<EffectStatus>, feedback: &str) -> Vec<String> {
        let mut offered = Vec::new();
        loop {
            let reply = next(brain, status, feedback).await;
            if reply.contains("script ended") {
                return offered;
            }
            offered.push(reply);
        }
    }

    #[tokio::test]
    async fn told_nothing_it_wastes_every_repetition() {
        for status in [None, Some(EffectStatus::Unverifiable)] {
            assert_eq!(all(&mut two_ways(), status, "clicked").await, ["1", "1", "1", "2", "2", "2", "3", "9"]);
        }
    }

    #[tokio::test]
    async fn told_that_it_was_dead_it_takes_the_next_way_at_once() {
        assert_eq!(all(&mut two_ways(), Some(EffectStatus::NoEffect), "").await, ["1", "2", "3", "9"]);
        let words = "clicked; WARNING: nothing on the page reacted to it";
        assert_eq!(all(&mut two_ways(), None, words).await, ["1", "2", "3", "9"], "words count as well");
    }

    #[tokio::test]
    async fn told_that_it_worked_it_goes_on() {
        assert_eq!(all(&mut two_ways(), Some(EffectStatus::Confirmed), "").await, ["1", "9"]);
    }

    #[tokio::test]
    async fn it_changes_its_mind_only_when_it_hears_of_it() {
        let mut brain = two_ways();
        assert_eq!(next(&mut brain, None, "").await, "1");
        assert_eq!(next(&mut brain, None, "You have repeated the same action. Do something else.").await, "1");
        assert_eq!(next(&mut brain, Some(EffectStatus::NoEffect), "").await, "2");
        assert_eq!(next(&mut brain, Some(EffectStatus::Confirmed), "").await, "9");
        assert!(next(&mut brain, None, "").await.contains("script ended"));
    }

    #[tokio::test]
    async fn plain_replies_are_offered_once() {
        assert_eq!(all(&mut stubborn(&[wait(1), wait(2)]), None, "").await, ["1", "2"]);
    }

    #[tokio::test]
    async fn what_could_not_be_run_is_offered_again_or_otherwise() {
        let stuck = || Turn { problem: Some("no element matches".into()), ..turn() };
        let mut plain = stubborn(&[wait(1), wait(2)]);
        assert_eq!(next(&mut plain, None, "").await, "1");
        for _ in 0..2 {
            let Answer::Reply(reply) = plain.think(&stuck()).await.unwrap().answer else { panic!() };
            assert_eq!(reply.calls[0].given["seconds"], 1);
        }
        assert_eq!(next(&mut plain, None, "").await, "2");
        let mut brain = two_ways();
        assert_eq!(next(&mut brain, None, "").await, "1");
        let Answer::Reply(reply) = brain.think(&stuck()).await.unwrap().answer else { panic!() };
        assert_eq!(reply.calls[0].given["seconds"], 2);
    }

    #[test]
    fn wrong_steps_are_named_in_one_sentence() {
        let with = |name: &str, value: Value| {
            let mut step = wait(1);
            step[name] = value;
            step
        };
        for (step, expected) in [
            (json!(5), "reply 2: a reply must be a JSON object"),
            (with("instead", json!({})), "instead must be an array"),
            (with("instead", json!([{"calls": []}])), "reply 2: in instead, reply 1: "),
            (with("times", json!(0)), "times must be an integer from 1 to 100"),
            (with("times", json!("6")), "times must be an integer"),
            (with("more", json!(1)), "unknown field \"more\""),
            (json!({"instead": []}), "no calls"),
        ] {
            let problem = StubbornBrain::from_values("x", &[wait(1), step]).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
