//! The brain of an episode: plays its lines, the last one again and again, and judges a done as told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Value, json};
use surehand_brain::{Brain, BrainError, DoneOpinion, Thought};
use surehand_checks::action::Action;
use surehand_types::call::{Direction, KeyboardCall, MouseButton, MouseCall};
use surehand_types::keys::Chord;
use surehand_types::observation::FrameFile;
use surehand_types::reply::{CallForm, CallRequest};
use surehand_types::{Call, GridPoint, Problem, Reply, RunResult, ThreeValued, Turn};

use super::Line;

pub(super) struct Player {
    lines: Vec<Line>,
    next: usize,
    verdicts: Vec<bool>,
    asked: Arc<AtomicU32>,
}

impl Player {
    pub(super) fn new(lines: Vec<Line>, verdicts: Vec<bool>) -> Player {
        Player { lines, next: 0, verdicts, asked: Arc::default() }
    }

    pub(super) fn verify_calls(&self) -> Arc<AtomicU32> {
        self.asked.clone()
    }

    fn reply(&mut self) -> Result<Reply, String> {
        let line = self.lines.get(self.next).or(self.lines.last()).ok_or("the script is empty")?.clone();
        self.next += 1;
        let call = call_of(&line.action)?;
        let mut given = line.action.params.clone();
        given.insert("tool".into(), json!(line.action.r#type));
        if let Some(keys) = line.action.text("keys") {
            given.insert("key".into(), json!(keys));
        }
        let thought = format!("{}\n{}", line.action.reasoning, line.text);
        Ok(Reply {
            thought: Some(thought.trim().to_string()),
            calls: vec![CallRequest { given, form: CallForm::Ready(call) }],
            ..Reply::default()
        })
    }
}

#[async_trait::async_trait]
impl Brain for Player {
    fn name(&self) -> String {
        "episode".into()
    }

    async fn think(&mut self, _turn: &Turn) -> Result<Thought, BrainError> {
        Ok(match self.reply() {
            Ok(reply) => Thought::reply(reply),
            Err(problem) => {
                Thought { answer: surehand_brain::Answer::Problem(Problem(problem)), raw: None, notes: Vec::new() }
            }
        })
    }

    async fn end(&mut self, _result: &RunResult) {}

    fn can_verify_done(&self) -> bool {
        true
    }

    async fn verify_done(&mut self, _summary: &str, _frame: Option<&FrameFile>) -> Result<DoneOpinion, BrainError> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let verdict = usize::try_from(number).ok().and_then(|number| self.verdicts.get(number)).copied();
        let valid = match verdict {
            Some(true) => ThreeValued::yes("as told"),
            Some(false) => ThreeValued::no("as told"),
            None => ThreeValued::yes("nothing was told"),
        };
        Ok(DoneOpinion { valid, raw: None })
    }
}

fn call_of(action: &Action) -> Result<Call, String> {
    let point = |x: &str, y: &str| -> Option<GridPoint> {
        let (x, y) = action.number(x).zip(action.number(y))?;
        Some(GridPoint::new(x as u16, y as u16))
    };
    let click = |count| {
        let at = point("x", "y");
        Call::Mouse(MouseCall::Click { at, button: MouseButton::Left, count, modifiers: Vec::new() })
    };
    Ok(match action.r#type.as_str() {
        "click" => click(1),
        "double_click" => click(2),
        "drag" => {
            let (from, to) = point("start_x", "start_y").zip(point("end_x", "end_y")).ok_or("a drag without ends")?;
            Call::Mouse(MouseCall::Drag { from, to, button: MouseButton::Left, steps: 2, modifiers: Vec::new() })
        }
        "scroll" => {
            let direction = match action.text("direction") {
                Some("up") => Direction::Up,
                _ => Direction::Down,
            };
            Call::Mouse(MouseCall::Scroll { at: point("x", "y"), direction, amount: 100, modifiers: Vec::new() })
        }
        "key_press" => {
            let chord = Chord::parse(action.text("keys").unwrap_or_default(), &[])?;
            Call::Keyboard(KeyboardCall::Press { chord })
        }
        "type_text" => Call::Keyboard(KeyboardCall::Type { text: action.text("text").unwrap_or_default().into() }),
        "wait" => Call::Wait { seconds: action.number("seconds").unwrap_or(1.0) },
        "done" => Call::Done {
            success: action.params.get("success").and_then(Value::as_bool).unwrap_or(false),
            summary: action.text("summary").unwrap_or_default().into(),
            output: None,
        },
        other => return Err(format!("there is no action {other}")),
    })
}

/// A recorded call in the words of the vectors: those of the script, and those that the runtime put in.
pub(super) fn action_of_given(given: &Map<String, Value>) -> Value {
    let kind = given.get("tool").and_then(Value::as_str).unwrap_or_default();
    if kind == "keyboard" {
        return match given.get("text") {
            Some(text) => json!({"type": "type_text", "params": {"text": text}}),
            None => json!({"type": "key_press", "params": {"keys": given.get("key")}}),
        };
    }
    let mut params = given.clone();
    params.remove("tool");
    params.remove("key");
    json!({"type": kind, "params": params})
}
