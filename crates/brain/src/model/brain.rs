//! The brain that asks a model. One `think` is: what happened becomes words and a picture, the bounded history
//! becomes a request, the answer becomes native calls. What is remembered changes only when an answer is complete,
//! so a `think` that is dropped half-way leaves no trace.

use std::time::Instant;

use async_trait::async_trait;
use serde_json::{Map, Value};
use surehand_types::observation::FrameFile;
use surehand_types::reply::{CallResult, RESUMED_HINT, SafetyCheck, Usage};
use surehand_types::{Problem, Reply, RunResult, Turn};

use super::asking::{Asker, Heard};
use super::conversation::{CallAnswer, Conversation, Exchange, Said, Shown};
use super::gestures::{Ground, Hands, Performed};
use super::history::History;
use super::insisting::confirm_repeated;
use super::lines;
use super::opinion;
use super::picture;
use super::provider::{Asked, Picture, Reading};
use super::reflection;
use super::words::{self, Fence, Pointing};
use crate::brain::{Answer, Brain, DoneOpinion, Reflection, Thought};
use crate::error::BrainError;
use crate::prompt::Surface;

/// How much of a run a model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) pictures: usize,
    pub(crate) tokens: u64,
    pub(crate) max_output_tokens: u32,
}

pub(crate) struct ModelBrain {
    asker: Asker,
    span: Span,
    surface: Surface,
    fence: Fence,
    system: String,
    history: History,
    hands: Hands,
    last: Option<LastAnswer>,
    task: String,
    /// The size of the picture that the model saw last.
    image: (u32, u32),
}

/// What the last answer asked for, until its results are known.
#[derive(Debug, Clone)]
struct LastAnswer {
    turn: u32,
    asked: Vec<Asked>,
    /// For each call of the reply the id it answers.
    ids: Vec<Option<String>>,
    safety: Vec<SafetyCheck>,
    /// Why nothing of it could be run.
    problem: Option<String>,
    /// The calls as they were given.
    calls: Vec<Map<String, Value>>,
}

impl LastAnswer {
    /// The call that ran last.
    fn last_run(&self, results: &[CallResult]) -> Option<&Map<String, Value>> {
        let ran = results.iter().filter(|result| result.ran).map(|result| result.index).max()?;
        self.calls.get(ran)
    }
}

impl ModelBrain {
    pub(crate) fn new(asker: Asker, span: Span, surface: Surface, fence: Fence) -> ModelBrain {
        let system = asker.provider().system();
        ModelBrain {
            asker,
            span,
            surface,
            fence,
            system,
            history: History::default(),
            hands: Hands::default(),
            last: None,
            task: String::new(),
            image: (1, 1),
        }
    }

    /// What the model is shown this time.
    async fn shown(&self, turn: &Turn) -> Result<(Shown, (u32, u32)), BrainError> {
        let again = self.last.as_ref().is_some_and(|last| last.turn == turn.turn && turn.problem.is_some());
        if again {
            // The screen is the one that is there already.
            let problem = turn.problem.as_deref().unwrap_or_default();
            let text = format!("Your reply could not be used, and nothing of it was run: {problem}");
            let shown = Shown { answers: self.answers(turn, (1, 1)), text, ..Shown::default() };
            return Ok((shown, self.image));
        }
        let limit = self.asker.provider().picture_limit();
        let seen = &turn.observation;
        let blind = self.span.pictures == 0;
        let picture = match &seen.frame {
            Some(frame) if !blind => Some(picture::from_file(&frame.path, limit).await.map_err(BrainError::Transport)?),
            _ => None,
        };
        let mut extra: Vec<Picture> = Vec::new();
        for image in seen.images.iter().take(if blind { 0 } else { 2 }) {
            extra.push(picture::from_file(&image.file.path, limit).await.map_err(BrainError::Transport)?);
        }
        let of_view = (turn.viewport.width, turn.viewport.height);
        let image = picture.as_ref().map(|picture| (picture.width, picture.height)).unwrap_or(of_view);
        let pointing = Pointing { space: self.asker.provider().space(), image };
        let text = words::about(turn, &self.fence, pointing);
        let url = seen.url.clone();
        Ok((Shown { answers: self.answers(turn, image), text, url, picture, extra }, image))
    }

    /// One answer for every call id of the last answer.
    fn answers(&self, turn: &Turn, image: (u32, u32)) -> Vec<CallAnswer> {
        let Some(last) = &self.last else { return Vec::new() };
        let pointing = Pointing { space: self.asker.provider().space(), image };
        let answer = |asked: &Asked| {
            let own: Vec<&CallResult> = turn
                .results
                .iter()
                .filter(|result| last.ids.get(result.index).is_some_and(|id| id.as_deref() == Some(&asked.id)))
                .collect();
            let (text, ok) = match (&last.problem, own.as_slice()) {
                (Some(problem), _) => (format!("not run: {problem}"), false),
                (None, []) => ("see the picture".to_string(), true),
                (None, own) => {
                    let told: Vec<String> = own.iter().map(|result| told(result, turn, pointing)).collect();
                    (self.fence.around(&told.join("\n")), own.iter().all(|result| result.ran && result.ok))
                }
            };
            let acknowledged = if turn.safety_agreed { last.safety.clone() } else { Vec::new() };
            CallAnswer { asked: asked.clone(), text, ok, acknowledged }
        };
        last.asked.iter().map(answer).collect()
    }

    /// The line of the last turn gets its outcome, now that it is known.
    fn tell_outcome(history: &mut History, turn: &Turn) {
        if let Some(said) = history.live.last_mut().and_then(|exchange| exchange.said.as_mut())
            && turn.problem.is_none()
        {
            said.line.push_str(&lines::outcome(&turn.results));
        }
    }

    /// What an answer comes to: calls, or a sentence about why it cannot be used.
    fn understand(&self, reading: &Reading, turn: &Turn, image: (u32, u32)) -> (Hands, Result<Performed, String>) {
        let mut hands = self.hands.clone();
        if let Some(problem) = &reading.problem {
            return (hands, Err(problem.clone()));
        }
        if reading.spoken.gestures.is_empty() {
            return (hands, Err("the reply has no action; choose one, or end with done".into()));
        }
        let space = self.asker.provider().space();
        let ground = Ground { space, image, view: turn.viewport, surface: self.surface };
        let performed = hands.perform(&reading.spoken.gestures, ground);
        (hands, performed)
    }
}

/// What one call came to. What stands in the feedback already is not said twice.
fn told(result: &CallResult, turn: &Turn, pointing: Pointing) -> String {
    let state = match (result.ran, result.ok) {
        (true, true) => "done",
        (true, false) => "failed",
        (false, _) => "not run",
    };
    if turn.feedback.contains(&result.message) {
        return format!("{state}; the facts stand beside the picture");
    }
    format!("{state}: {}", pointing.translate(&result.message))
}

#[async_trait]
impl Brain for ModelBrain {
    fn name(&self) -> String {
        self.asker.name().to_string()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        let until = Instant::now() + self.asker.reply_timeout();
        let (shown, image) = self.shown(turn).await?;
        let mut history = self.history.clone();
        Self::tell_outcome(&mut history, turn);
        if let Some(earlier) = turn.hints.iter().find(|hint| hint.id == RESUMED_HINT) {
            history.remember(earlier.text.lines().map(str::to_string));
        }
        let window = self.asker.provider().window(self.span.pictures);
        history.begin(Exchange { shown, said: None }, window, self.span.tokens);
        let opening = history.opening(&turn.task, &self.fence.rule());
        let conversation = Conversation {
            system: &self.system,
            opening: &opening,
            cuts: history.cuts,
            exchanges: &history.live,
            screen: image,
            url: turn.observation.url.as_deref(),
            max_output_tokens: self.span.max_output_tokens,
        };
        let request = self.asker.provider().request(&conversation);
        let estimate = super::history::text_tokens(opening.len() + self.system.len()) + history.tokens();
        let Heard { reading, usage, notes } = self.asker.ask(&request, estimate, until).await?;

        let (hands, performed) = self.understand(&reading, turn, image);
        let spoken = reading.spoken;
        let raw = spoken.thought.clone();
        let problem = performed.as_ref().err().cloned();
        let mut performed = performed.unwrap_or_default();
        let given: Vec<Map<String, Value>> = performed.calls.iter().map(|call| call.given.clone()).collect();
        let last_run = self.last.as_ref().and_then(|last| last.last_run(&turn.results));
        let mut repairs = spoken.repairs;
        if confirm_repeated(&mut performed.calls, last_run, turn) {
            repairs.push("the same click again, on its preview, counts as confirming it".into());
        }
        let ids = performed.gesture_of.iter().map(|index| spoken.gestures[*index].id.clone()).collect();
        if let Some(exchange) = history.live.last_mut() {
            let line = match &problem {
                None => lines::about(turn.step, spoken.thought.as_deref(), &performed.calls),
                Some(_) => String::new(),
            };
            exchange.said = Some(Said { replay: reading.replay, line, note: spoken.note.clone(), cuts: history.cuts });
        }
        self.history = history;
        self.task.clone_from(&turn.task);
        self.hands = hands;
        self.image = image;
        let safety = spoken.safety.clone();
        self.last = Some(LastAnswer {
            turn: turn.turn,
            asked: reading.asked,
            ids,
            safety,
            problem: problem.clone(),
            calls: given,
        });
        let answer = match problem {
            Some(problem) => Answer::Problem(Problem(problem)),
            None => Answer::Reply(Reply {
                thought: spoken.thought,
                expected: spoken.expected,
                calls: performed.calls,
                usage,
                reasoning: spoken.reasoning,
                aims: performed.aims,
                safety: spoken.safety,
                repairs,
            }),
        };
        Ok(Thought { answer, raw, notes })
    }

    async fn end(&mut self, _: &RunResult) {}

    fn new_task(&mut self) {
        self.history = History::default();
        self.hands = Hands::default();
        self.last = None;
    }

    fn spent_before(&mut self, dollars: f64) {
        self.asker.spent_before(dollars);
    }

    fn spent(&self) -> Option<Usage> {
        Some(self.asker.spent())
    }

    fn can_verify_done(&self) -> bool {
        self.asker.sees()
    }

    async fn verify_done(&mut self, summary: &str, frame: Option<&FrameFile>) -> Result<DoneOpinion, BrainError> {
        let Some(frame) = frame else {
            return Ok(opinion::unknown("there is no frame to look at"));
        };
        let limit = self.asker.provider().picture_limit();
        let picture = picture::from_file(&frame.path, limit).await.map_err(BrainError::Transport)?;
        let question = opinion::question(&self.task, summary, picture, &self.fence);
        let until = Instant::now() + self.asker.reply_timeout();
        let text = self.asker.answer(&question, until).await?;
        Ok(opinion::read(&text))
    }

    fn can_reflect(&self) -> bool {
        true
    }

    async fn reflect(&mut self, run: &Reflection) -> Result<Option<String>, BrainError> {
        let question = reflection::question(run, &self.fence);
        let until = Instant::now() + self.asker.reply_timeout();
        let text = self.asker.answer(&question, until).await?;
        Ok(reflection::read(&text))
    }
}
