//! A brain that enters values into fields by their labels and knows nothing else: it presses the field, enters the text,
//! and looks whether the field has it. What it cannot find or work it leaves to somebody who can look at the page.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::{Value, json};
use surehand_types::call::TargetQuery;
use surehand_types::observation::{Focus, FocusedElement, PendingKind};
use surehand_types::secret::names_in;
use surehand_types::{EffectStatus, Reply, RunResult, Turn};

use crate::brain::{Brain, Thought};
use crate::error::BrainError;
use crate::routine::search::{Move, Search};
use crate::script::{read_reply, script_ended};

/// How often a field is tried that did not take its text.
const TRIES: u32 = 2;
/// Observations cut what a field holds after this many characters.
const SHOWN: usize = 200;

#[derive(Debug)]
pub struct FillBrain {
    fields: VecDeque<(String, String)>,
    /// How many of them are done, for whoever goes on.
    filled: Arc<AtomicUsize>,
    asked: Asked,
    tries: u32,
}

/// What the last reply was about.
#[derive(Debug)]
enum Asked {
    Nothing,
    Press,
    /// The field is not in view; the page is scrolled.
    Looking(Search),
    Enter,
}

impl FillBrain {
    /// Label and text, in the order in which they are entered. The counter says how many are done.
    pub fn new(fields: Vec<(String, String)>) -> (FillBrain, Arc<AtomicUsize>) {
        let filled = Arc::new(AtomicUsize::new(0));
        let brain = FillBrain { fields: fields.into(), filled: Arc::clone(&filled), asked: Asked::Nothing, tries: 0 };
        (brain, filled)
    }

    fn next(&mut self, turn: &Turn) -> Result<Value, String> {
        let Some((label, text)) = self.fields.front().cloned() else { return Ok(self.all_done()) };
        match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::Nothing => Ok(self.press(&label)),
            Asked::Press => match &turn.problem {
                Some(problem) if TargetQuery::is_final(problem) => Err(problem.clone()),
                Some(problem) => self.look_on(Search::new(problem.clone()), &label, turn),
                None => self.pressed(&label, &text, turn),
            },
            Asked::Looking(search) if search.scrolled() => self.look_on(search, &label, turn),
            Asked::Looking(search) => match &turn.problem {
                Some(_) => self.look_on(search, &label, turn),
                None => self.pressed(&label, &text, turn),
            },
            Asked::Enter => self.entered(&label, &text, turn),
        }
    }

    fn press(&mut self, label: &str) -> Value {
        self.asked = Asked::Press;
        press(label)
    }

    fn look_on(&mut self, mut search: Search, label: &str, turn: &Turn) -> Result<Value, String> {
        let next = search.next(turn);
        let missing = search.missing.clone();
        self.asked = Asked::Looking(search);
        match next {
            Some(Move::Scroll(call)) => {
                Ok(json!({"thought": format!("look for the field {label:?}"), "calls": [call]}))
            }
            Some(Move::Try) => Ok(press(label)),
            None => Err(missing),
        }
    }

    fn pressed(&mut self, label: &str, text: &str, turn: &Turn) -> Result<Value, String> {
        let failed = turn.results.iter().find(|result| !result.ok).map(|result| result.message.clone());
        let enter = match turn.observation.pending.as_ref().map(|pending| pending.kind) {
            Some(PendingKind::Select) => json!([{"tool": "select_option", "values": [text]}]),
            Some(PendingKind::Date | PendingKind::Color) => {
                json!([{"tool": "keyboard", "action": "type", "text": text}])
            }
            Some(PendingKind::Click | PendingKind::Drag) => json!([{"tool": "mouse", "action": "confirm"}]),
            Some(PendingKind::File) => return Err(format!("{label:?} wants a file")),
            None => match (&turn.observation.focus, failed) {
                (_, Some(why)) => return Err(why),
                (Focus::Element(field), _) if field.editable => return Ok(self.type_into(field, label, text)),
                _ => return Err(format!("{label:?} is nothing that text can be typed into")),
            },
        };
        self.asked = Asked::Enter;
        Ok(json!({"thought": format!("fill in {label:?}"), "calls": enter}))
    }

    fn type_into(&mut self, field: &FocusedElement, label: &str, text: &str) -> Value {
        if names_in(text).is_empty() && has(field, text) {
            return self.field_done();
        }
        let mut calls = Vec::new();
        if field.empty != Some(true) {
            calls.push(json!({"tool": "keyboard", "action": "clear"}));
        }
        if !text.is_empty() {
            calls.push(json!({"tool": "keyboard", "action": "type", "text": text}));
        }
        if calls.is_empty() {
            return self.field_done();
        }
        self.asked = Asked::Enter;
        json!({"thought": format!("fill in {label:?}"), "calls": calls})
    }

    /// A field may write what was typed in its own way, so what counts is that it was taken.
    fn entered(&mut self, label: &str, text: &str, turn: &Turn) -> Result<Value, String> {
        if let Some(problem) = &turn.problem {
            return Err(problem.clone());
        }
        // Behind a click that was only shown.
        if !turn.results.is_empty() && turn.observation.pending.is_some() {
            return self.pressed(label, text, turn);
        }
        let wrong = turn.results.iter().find(|result| {
            let dead = result.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::NoEffect);
            !result.ok || dead
        });
        let holds = matches!(&turn.observation.focus, Focus::Element(field) if has(field, text));
        match wrong {
            None => Ok(self.field_done()),
            Some(_) if holds => Ok(self.field_done()),
            Some(_) if self.tries + 1 < TRIES => {
                self.tries += 1;
                Ok(self.press(label))
            }
            Some(result) => Err(result.message.clone()),
        }
    }

    fn field_done(&mut self) -> Value {
        self.fields.pop_front();
        self.filled.fetch_add(1, Ordering::Relaxed);
        (self.asked, self.tries) = (Asked::Nothing, 0);
        match self.fields.front().map(|(label, _)| label.clone()) {
            Some(label) => self.press(&label),
            None => self.all_done(),
        }
    }

    fn all_done(&self) -> Value {
        let count = self.filled.load(Ordering::Relaxed);
        let fields = if count == 1 { "1 field was".to_string() } else { format!("{count} fields were") };
        json!({"calls": [{"tool": "done", "success": true, "summary": format!("{fields} filled in")}]})
    }
}

fn press(label: &str) -> Value {
    let call = json!({"tool": "mouse", "action": "click", "target": {"role": "field", "text": label}});
    json!({"thought": format!("the field {label:?}"), "calls": [call]})
}

/// What a long field holds is told in part.
fn has(field: &FocusedElement, text: &str) -> bool {
    let Some(value) = &field.value else { return false };
    let shown = |text: &str| text.chars().take(SHOWN - 1).collect::<String>();
    value == text || (text.chars().count() >= SHOWN && shown(value) == shown(text))
}

#[async_trait]
impl Brain for FillBrain {
    fn name(&self) -> String {
        "plan".into()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        let reply = match self.next(turn) {
            Ok(reply) => reply,
            Err(why) => json!({"calls": [{"tool": "done", "success": false, "summary": why}]}),
        };
        // A text that no call takes (too long, say) is told as the end of the script.
        let reply: Reply = read_reply(&reply).unwrap_or_else(|_| script_ended());
        Ok(Thought::reply(reply))
    }

    async fn end(&mut self, _: &RunResult) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use crate::script::tests::turn;
    use surehand_types::Effect;
    use surehand_types::reply::CallResult;

    fn brain(fields: &[(&str, &str)]) -> (FillBrain, Arc<AtomicUsize>) {
        FillBrain::new(fields.iter().map(|(label, text)| ((*label).to_string(), (*text).to_string())).collect())
    }

    fn focused(value: &str) -> Turn {
        let field = FocusedElement {
            value: Some(value.into()),
            empty: Some(value.is_empty()),
            editable: true,
            ..FocusedElement::default()
        };
        let mut turn = turn();
        turn.observation.focus = Focus::Element(Box::new(field));
        turn
    }

    fn with(mut turn: Turn, ok: bool, effect: Effect) -> Turn {
        let effect = Some(effect);
        turn.results =
            vec![CallResult { index: 0, ran: true, ok, effect, message: "it said no".into(), predicates: Vec::new() }];
        turn
    }

    async fn says(brain: &mut FillBrain, turn: &Turn) -> String {
        let Answer::Reply(reply) = brain.think(turn).await.unwrap().answer else { panic!("a reply") };
        let word = |call: &serde_json::Map<String, Value>, name: &str| {
            call.get(name).map(|value| value.as_str().map_or(value.to_string(), str::to_string)).unwrap_or_default()
        };
        let shown = |call: &serde_json::Map<String, Value>| match word(call, "tool").as_str() {
            "done" => format!("done {}: {}", word(call, "success"), word(call, "summary")),
            tool => format!("{tool} {} {}{}", word(call, "action"), word(call, "text"), word(call, "values")),
        };
        reply.calls.iter().map(|call| shown(&call.given).trim().to_string()).collect::<Vec<_>>().join(", ")
    }

    #[tokio::test]
    async fn fields_are_pressed_emptied_and_filled_in_order() {
        let (mut brain, filled) = brain(&[("Name", "Ada"), ("City", "Rome"), ("Mail", "x")]);
        assert_eq!(says(&mut brain, &turn()).await, "mouse click");
        assert_eq!(says(&mut brain, &focused("")).await, "keyboard type Ada");
        let taken = with(focused("Ada"), true, Effect::confirmed("value", "Ada"));
        assert_eq!(says(&mut brain, &taken).await, "mouse click", "the next one");
        assert_eq!(filled.load(Ordering::Relaxed), 1);
        assert_eq!(says(&mut brain, &focused("Bonn")).await, "keyboard clear, keyboard type Rome");
        let taken = with(focused("Rome"), true, Effect::confirmed("value", "Rome"));
        assert_eq!(says(&mut brain, &taken).await, "mouse click");
        assert_eq!(says(&mut brain, &focused("x")).await, "done true: 3 fields were filled in", "it has it already");
    }

    #[tokio::test]
    async fn what_cannot_be_worked_by_its_label_is_left_to_others() {
        let missing = || Turn { problem: Some("no element matches the target".into()), ..turn() };
        let (mut lost, filled) = brain(&[("Name", "Ada")]);
        says(&mut lost, &turn()).await;
        assert_eq!(says(&mut lost, &missing()).await, "mouse scroll", "it may be further down");
        let mut said = String::new();
        for _ in 0..6 {
            said = says(&mut lost, &with(missing(), true, Effect::by(EffectStatus::NoEffect, "none", ""))).await;
        }
        assert_eq!((said.as_str(), filled.load(Ordering::Relaxed)), ("done false: no element matches the target", 0));

        let (mut switch, _) = brain(&[("News", "yes")]);
        says(&mut switch, &turn()).await;
        assert!(says(&mut switch, &turn()).await.starts_with("done false: \"News\" is nothing"));

        let (mut stubborn, _) = brain(&[("Name", "Ada")]);
        says(&mut stubborn, &turn()).await;
        says(&mut stubborn, &focused("")).await;
        let dead = || with(focused(""), false, Effect::by(EffectStatus::NoEffect, "none", ""));
        assert_eq!(says(&mut stubborn, &dead()).await, "mouse click", "once more");
        says(&mut stubborn, &focused("")).await;
        assert_eq!(says(&mut stubborn, &dead()).await, "done false: it said no");
    }
}
