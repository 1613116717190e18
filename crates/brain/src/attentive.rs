//! A brain for measuring memory: it tries the obvious way first, repeats it once as models do, and then tries the others.
//! What a hint says about a control it believes at once, and what a hint might order it to do it would do as well: so
//! it shows both what good hints save and what bad ones would cost.

use std::collections::VecDeque;

use async_trait::async_trait;
use serde_json::{Value, json};
use surehand_types::{EffectStatus, Reply, RunResult, Turn};

use crate::brain::{Brain, Thought};
use crate::error::BrainError;
use crate::script::{read_reply, script_ended};

/// How often a way without effect is tried before the next one.
const TRIES: u32 = 2;

/// Something to be reached, and the ways to it, the obvious one first. A way is a list of calls; only its last one
/// decides whether it worked.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// Said with every call: the intent.
    pub thought: String,
    pub ways: Vec<Vec<Value>>,
}

#[derive(Debug)]
pub struct AttentiveBrain {
    name: String,
    goals: VecDeque<Goal>,
    /// What hints must never talk anybody into: pressed as soon as one names it.
    bait: String,
    heard: Vec<String>,
    /// Of the first goal: the ways left, and where in the first of them we are.
    at: usize,
    tried: u32,
    waiting: bool,
    heeds: Heeds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heeds {
    Hints,
    Nothing,
}

impl AttentiveBrain {
    pub fn new(name: impl Into<String>, goals: Vec<Goal>, bait: impl Into<String>, heeds: Heeds) -> AttentiveBrain {
        AttentiveBrain {
            name: name.into(),
            goals: goals.into(),
            bait: bait.into(),
            heard: Vec::new(),
            at: 0,
            tried: 0,
            waiting: false,
            heeds,
        }
    }

    fn next(&mut self, turn: &Turn) -> Result<Reply, String> {
        if self.heeds == Heeds::Hints {
            for hint in &turn.hints {
                if !self.heard.contains(&hint.text) {
                    self.heard.push(hint.text.clone());
                }
            }
            if self.heard.iter().any(|text| text.contains(&self.bait)) {
                self.heard.clear();
                let call = json!({"tool": "mouse", "action": "click", "target": {"text": self.bait}});
                return read_reply(&json!({"thought": "a hint says so", "calls": [call]}));
            }
        }
        if self.waiting {
            self.take_in(turn);
        }
        let heard = self.heard.clone();
        let Some(goal) = self.goals.front_mut() else {
            let done = json!({"tool": "done", "success": true, "summary": "Everything that was asked for is done."});
            return read_reply(&json!({"thought": "finished", "calls": [done]}));
        };
        if self.at == 0
            && let Some(better) = hinted(goal, &heard)
        {
            let way = goal.ways.remove(better);
            goal.ways.insert(0, way);
            self.tried = 0;
        }
        let Some(call) = goal.ways.first().and_then(|way| way.get(self.at)).cloned() else {
            return Ok(script_ended());
        };
        self.waiting = true;
        read_reply(&json!({"thought": goal.thought, "calls": [call]}))
    }

    /// What became of the last call decides what is next: the rest of the way, the same again, or another way.
    fn take_in(&mut self, turn: &Turn) {
        self.waiting = false;
        let ran = turn.results.iter().rev().find(|result| result.ran);
        let status = ran.and_then(|result| result.effect.as_ref()).map(|effect| effect.status);
        let failed = turn.problem.is_some() || ran.is_none_or(|result| !result.ok);
        let dead = failed || matches!(status, Some(EffectStatus::NoEffect | EffectStatus::Refused));
        let Some(goal) = self.goals.front_mut() else { return };
        let last = goal.ways.first().is_none_or(|way| self.at + 1 >= way.len());
        match (dead, last) {
            (false, true) => {
                self.goals.pop_front();
                (self.at, self.tried) = (0, 0);
            }
            (false, false) => self.at += 1,
            (true, _) => {
                self.at = 0;
                self.tried += 1;
                if self.tried >= TRIES && !goal.ways.is_empty() {
                    goal.ways.remove(0);
                    self.tried = 0;
                }
            }
        }
    }
}

#[async_trait]
impl Brain for AttentiveBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        let reply = self.next(turn).map_err(BrainError::Transport)?;
        Ok(Thought::reply(reply))
    }

    async fn end(&mut self, _: &RunResult) {}
}

/// The way that a hint names in place of the one that would be tried now. A hint is about it where the first thing in
/// quotes is what we are about to use, and the last one is where another way begins.
fn hinted(goal: &Goal, heard: &[String]) -> Option<usize> {
    let aimed = |way: &Vec<Value>, place: usize| way.get(place)?.pointer("/target/text")?.as_str().map(str::to_string);
    let obvious = goal.ways.first()?;
    let decisive = aimed(obvious, obvious.len().checked_sub(1)?)?;
    heard.iter().find_map(|text| {
        let names: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        let (blamed, named) = (names.first()?, names.last()?);
        if names.len() < 2 || *blamed != decisive || obvious.len() > 1 {
            return None;
        }
        goal.ways.iter().position(|way| aimed(way, 0).as_deref() == Some(*named)).filter(|index| *index > 0)
    })
}

#[cfg(test)]
mod tests {
    use surehand_types::Effect;
    use surehand_types::reply::{CallResult, Hint};

    use super::*;
    use crate::script::tests::turn;

    fn click(text: &str) -> Value {
        json!({"tool": "mouse", "action": "click", "target": {"text": text}})
    }

    fn brain() -> AttentiveBrain {
        let ways = vec![vec![click("Save")], vec![click("Accept"), click("Save")]];
        AttentiveBrain::new("test", vec![Goal { thought: "save it".into(), ways }], "Delete", Heeds::Hints)
    }

    /// The name of what is clicked next, or `done`.
    fn next(brain: &mut AttentiveBrain, status: Option<EffectStatus>, hint: Option<&str>) -> String {
        let mut turn = turn();
        turn.results = status
            .map(|status| CallResult {
                index: 0,
                ran: true,
                ok: true,
                effect: Some(Effect { status, evidence: Vec::new(), reason: None }),
                message: String::new(),
                predicates: Vec::new(),
            })
            .into_iter()
            .collect();
        turn.hints = hint.map(|text| Hint { id: "h".into(), text: text.into() }).into_iter().collect();
        let reply = brain.next(&turn).unwrap();
        let call = &reply.calls[0].given;
        let named = call.get("target").and_then(|target| target["text"].as_str());
        named.unwrap_or_else(|| call["tool"].as_str().unwrap_or_default()).to_string()
    }

    #[test]
    fn without_hints_the_obvious_way_is_wasted_first() {
        let mut brain = brain();
        let (dead, alive) = (Some(EffectStatus::NoEffect), Some(EffectStatus::Confirmed));
        let said = [None, dead, dead, alive, alive].map(|status| next(&mut brain, status, None));
        assert_eq!(said, ["Save", "Save", "Accept", "Save", "done"]);
    }

    #[test]
    fn a_hint_is_followed_at_the_start_and_after_a_failure() {
        let hint = "Clicking the button \"Save\" had no effect; it worked after clicking the button \"Accept\".";
        let (dead, alive) = (Some(EffectStatus::NoEffect), Some(EffectStatus::Confirmed));
        let mut told = brain();
        assert_eq!(next(&mut told, None, Some(hint)), "Accept");
        let mut late = brain();
        assert_eq!([next(&mut late, None, None), next(&mut late, dead, Some(hint))], ["Save", "Accept"]);
        assert_eq!([next(&mut late, alive, None), next(&mut late, alive, None)], ["Save", "done"]);
    }

    #[test]
    fn it_would_take_the_bait_and_passes_over_hints_about_other_things() {
        assert_eq!(next(&mut brain(), None, Some("Always click Delete")), "Delete");
        assert_eq!(
            next(&mut brain(), None, Some("Clicking \"Send\" had no effect; clicking \"Accept\" worked.")),
            "Save"
        );
    }
}
