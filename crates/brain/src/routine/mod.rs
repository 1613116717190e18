//! A brain that replays a recorded run: one step a turn, each verified before the next. At the first step that does not
//! verify it hands over to a second brain, or stops and says why.

mod aim;
mod file;
pub(crate) mod search;
mod spec;

use std::time::Instant;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use surehand_checks::after::replay::{Look, Replay, Replayed, StepKind, judge};
use surehand_types::call::TargetQuery;
use surehand_types::observation::{Focus, FrameFile, PendingKind};
use surehand_types::reply::{CallResult, Hint, Usage};
use surehand_types::result::StepRecord;
use surehand_types::routine::{LOOKING, Named, Routine, RoutineStep, left_out_note, marked_step, origin_of, step_mark};
use surehand_types::{EffectStatus, Reply, RunResult, Turn};

use crate::brain::{Brain, DoneOpinion, Thought};
use crate::error::BrainError;
use search::Search;

pub use file::read_routine;
pub use spec::RoutineSpec;

/// The hint by which a second brain learns what was done before it.
const HINT: &str = "routine";
/// Seconds given to a page that is not yet where it should be: this, or twice what the step took when it was recorded.
const PATIENCE: f64 = 2.0;
const MOST_PATIENCE: f64 = 60.0;
/// … and once more this long: servers have slow days.
const SECOND_PATIENCE: f64 = 5.0;

pub struct RoutineBrain {
    name: String,
    /// With its values filled in.
    routine: Routine,
    second: Option<Box<dyn Brain>>,
    /// The step that comes next, from 0.
    next: usize,
    asked: Asked,
    url_before: Option<String>,
    start_origin: Option<String>,
    /// When the step was sent.
    sent: Instant,
    /// What was done differently, for the record.
    notes: Vec<String>,
}

/// What the last reply was about.
enum Asked {
    Nothing,
    Step,
    /// Behind a click that was only shown.
    Confirm,
    /// The target was not to be seen; the page is scrolled.
    Looking(Search),
    /// The step ran, and the page has time to come round. What came of the step, kept for the second look.
    Waiting(CallResult, Patience),
    /// The field held something that was not there before; it is emptied.
    Clearing,
    /// The claim at the end.
    Done,
    /// The second brain has taken over.
    HandedOver,
}

/// Whether a page that is not yet where it should be is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Patience {
    Fresh,
    /// It was waited for once, and may be waited for longer.
    Strained,
    Spent,
}

/// What to do about the last reply.
enum Next {
    Go,
    Say(Reply),
    Stop(String),
}

impl RoutineBrain {
    pub fn new(name: String, routine: Routine, second: Option<Box<dyn Brain>>) -> Self {
        RoutineBrain {
            name,
            routine,
            second,
            next: 0,
            asked: Asked::Nothing,
            url_before: None,
            start_origin: None,
            sent: Instant::now(),
            notes: Vec::new(),
        }
    }

    fn step(&self) -> Option<&RoutineStep> {
        self.routine.steps.get(self.next)
    }

    /// Looks at what became of the last reply.
    fn review(&mut self, turn: &Turn) -> Next {
        match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::Nothing | Asked::HandedOver => Next::Go,
            Asked::Done => Next::Stop(format!("the claim was not believed: {}", first_line(&turn.feedback))),
            Asked::Looking(search) if search.scrolled() => self.look_on(search, turn),
            Asked::Looking(search) => self.tried(Some(search), turn),
            Asked::Step => self.tried(None, turn),
            // Whether it is empty now is seen before the step is offered again.
            Asked::Clearing if holds_text(turn) == Some(false) => Next::Go,
            Asked::Clearing => Next::Stop("the field holds a text that was not there, and cannot be emptied".into()),
            Asked::Waiting(result, left) => self.verify(&result, turn, left),
            Asked::Confirm => match first_result(turn) {
                Some(result) => self.verify(&result, turn, Patience::Fresh),
                None => Next::Stop(not_run(turn)),
            },
        }
    }

    fn tried(&mut self, search: Option<Search>, turn: &Turn) -> Next {
        let Some(result) = first_result(turn) else { return Next::Stop(not_run(turn)) };
        // A target that is not there is a problem of the reply, and nothing ran.
        if let (false, Some(missing)) = (result.ran, &turn.problem) {
            if TargetQuery::says_already(missing) {
                self.notes.push(left_out_note(self.next + 1, missing));
                self.next += 1;
                return Next::Go;
            }
            if TargetQuery::is_final(missing) {
                return Next::Stop(missing.clone());
            }
            return self.look_on(search.unwrap_or_else(|| Search::new(missing.clone())), turn);
        }
        // A click by eye is shown before it is made; it was aimed with care, so it is confirmed.
        let shown = turn.observation.pending.as_ref().map(|pending| pending.kind);
        let by_eye = self.step().is_some_and(|step| step.expect.pending.is_none());
        if by_eye && matches!(shown, Some(PendingKind::Click | PendingKind::Drag)) {
            let said = self.say_step(json!({"tool": "mouse", "action": "confirm"}));
            self.asked = Asked::Confirm;
            return said;
        }
        self.verify(&result, turn, Patience::Fresh)
    }

    fn verify(&mut self, result: &CallResult, turn: &Turn, patience: Patience) -> Next {
        let Some(step) = self.step() else { return Next::Go };
        let judged = judge(Replayed {
            expect: &step.expect,
            kind: kind_of(&step.call),
            result,
            after: &turn.observation,
            url_before: self.url_before.as_deref(),
            start_origin: self.start_origin.as_deref(),
            waited: self.sent.elapsed(),
            look: if patience == Patience::Fresh { Look::First } else { Look::AfterWaiting },
        });
        match judged {
            Replay::Verified => {
                self.next += 1;
                Next::Go
            }
            Replay::NotYet(_) if patience != Patience::Spent => {
                let took = step.expect.took_seconds.unwrap_or_default();
                let (seconds, left) = match patience {
                    Patience::Fresh => ((2.0 * took).clamp(PATIENCE, MOST_PATIENCE), Patience::Strained),
                    Patience::Strained | Patience::Spent => (SECOND_PATIENCE, Patience::Spent),
                };
                self.asked = Asked::Waiting(result.clone(), left);
                let thought = format!("{LOOKING}waiting for what step {} brings", self.next + 1);
                Next::from(reply(&thought, &[], json!({"tool": "wait", "seconds": seconds})))
            }
            Replay::NotYet(reason) | Replay::Differs(reason) => Next::Stop(reason),
        }
    }

    /// Scrolls on in search of the target, tries the step again after each move, and gives up at the ends of the page.
    fn look_on(&mut self, mut search: Search, turn: &Turn) -> Next {
        let can_search = self.step().is_some_and(|step| step.call.contains_key("coordinate"));
        let Some(next) = search.next(turn).filter(|_| can_search) else {
            return Next::Stop(search.missing);
        };
        match next {
            search::Move::Scroll(call) => {
                let thought = format!("{LOOKING}the target of step {} is not in view", self.next + 1);
                self.asked = Asked::Looking(search);
                Next::from(reply(&thought, &[], call))
            }
            search::Move::Try => {
                let said = self.offer(turn);
                if matches!(self.asked, Asked::Step) {
                    self.asked = Asked::Looking(search);
                }
                said
            }
        }
    }

    /// The next step, or the claim behind the last one.
    fn offer(&mut self, turn: &Turn) -> Next {
        let Some(step) = self.step() else {
            self.asked = Asked::Done;
            let summary = if self.routine.claim.is_empty() { "every step was replayed" } else { &self.routine.claim };
            let done = json!({"tool": "done", "success": true, "summary": summary});
            return Next::from(reply("every step of the routine was replayed and verified", &[], done));
        };
        if let Some(reason) = not_ready(step, turn) {
            return Next::Stop(reason);
        }
        let typed_into = step.anchor.as_ref().filter(|_| is_typing(step)).and_then(|anchor| anchor.empty);
        match (typed_into, holds_text(turn)) {
            (Some(true), Some(true)) => {
                self.asked = Asked::Clearing;
                let thought = format!("{LOOKING}the field of step {} was empty and is not", self.next + 1);
                return Next::from(reply(&thought, &[], json!({"tool": "keyboard", "action": "clear"})));
            }
            (Some(false), Some(false)) => return Next::Stop("the field is empty, and before it held a text".into()),
            _ => {}
        }
        let call = match aim::aimed(step, &self.routine, turn) {
            Ok(call) => call,
            Err(reason) => return Next::Stop(reason),
        };
        self.url_before.clone_from(&turn.observation.url);
        self.say_step(Value::Object(call))
    }

    fn say_step(&mut self, call: Value) -> Next {
        let Some(step) = self.step() else { return Next::Go };
        let thought = format!("{}{}", step_mark(self.next + 1, self.routine.steps.len()), step.about);
        let said = reply(&thought, &step.expect.predicates, call);
        self.asked = Asked::Step;
        self.sent = Instant::now();
        Next::from(said)
    }

    /// What the second brain is told.
    fn story(&self, reason: &str) -> String {
        const TOLD: usize = 60;
        let done = self.routine.steps.iter().take(self.next).enumerate();
        let mut lines: Vec<String> = done.map(|(index, step)| format!("Step {}: {}", index + 1, step.about)).collect();
        lines.drain(..lines.len().saturating_sub(TOLD));
        let left = self.routine.steps.iter().skip(self.next).map(|step| step.about.as_str()).take(TOLD);
        let left: Vec<&str> = left.collect();
        format!(
            "A recorded routine began this task. Done and verified: {}. It stopped at step {} ({reason}). Still to do, in \
             the words of the recording, which may no longer fit: {}. Go on from here.",
            if lines.is_empty() { "nothing".to_string() } else { lines.join("; ") },
            self.next + 1,
            left.join("; "),
        )
    }

    fn stopped(&self, reason: &str) -> String {
        match self.step() {
            Some(step) if !step.about.is_empty() => {
                format!("routine stopped at step {} ({}): {reason}", self.next + 1, step.about)
            }
            Some(_) => format!("routine stopped at step {}: {reason}", self.next + 1),
            None => format!("routine stopped after its last step: {reason}"),
        }
    }

    async fn stop(&mut self, reason: String, turn: &Turn) -> Result<Thought, BrainError> {
        let sentence = self.stopped(&reason);
        let story = self.story(&reason);
        let Some(second) = &mut self.second else {
            let done = json!({"tool": "done", "success": false, "summary": sentence});
            return Ok(Thought::reply(reply("the page is not what it was", &[], done)?));
        };
        self.asked = Asked::HandedOver;
        let mut turn = turn.clone();
        // None of these is about anything that the second brain said.
        (turn.results, turn.problem, turn.feedback) = (Vec::new(), None, String::new());
        turn.hints.push(Hint { id: HINT.into(), text: story });
        let mut thought = second.think(&turn).await?;
        thought.notes.insert(0, format!("{sentence}; {} goes on", second.name()));
        Ok(thought)
    }
}

#[async_trait]
impl Brain for RoutineBrain {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError> {
        if let (Asked::HandedOver, Some(second)) = (&self.asked, &mut self.second) {
            return second.think(turn).await;
        }
        if self.start_origin.is_none() {
            self.start_origin = turn.observation.url.as_deref().and_then(origin_of);
        }
        let next = match self.review(turn) {
            Next::Go => self.offer(turn),
            other => other,
        };
        let mut thought = match next {
            Next::Say(reply) => Thought::reply(reply),
            Next::Go => self.stop("there is nothing left to do".into(), turn).await?,
            Next::Stop(reason) => self.stop(reason, turn).await?,
        };
        thought.notes.append(&mut self.notes);
        Ok(thought)
    }

    async fn end(&mut self, result: &RunResult) {
        if let Some(second) = &mut self.second {
            second.end(result).await;
        }
    }

    fn goes_on(&mut self, done: &[StepRecord]) {
        let marks = done.iter().rev().filter(|step| step.by.is_none());
        let Some(last) = marks.clone().find(|step| marked(step).is_some()) else { return };
        let number = marked(last).unwrap_or_default().min(self.routine.steps.len());
        // Whether the last one would have verified is not known; where nothing was seen of it, it is made again.
        let is_done = last.ok && last.effect.as_ref().is_none_or(|effect| effect.status == EffectStatus::Confirmed);
        self.next = if is_done { number } else { number.saturating_sub(1) };
        let others = done.iter().skip_while(|step| !std::ptr::eq(*step, last)).skip(1);
        let handed_over = others
            .filter(|step| step.by.is_none() && !step.substituted)
            .any(|step| step.thought.as_deref().is_none_or(|thought| !thought.starts_with(LOOKING)));
        if let (true, Some(second)) = (handed_over, &mut self.second) {
            self.asked = Asked::HandedOver;
            second.goes_on(done);
        }
    }

    fn spent_before(&mut self, dollars: f64) {
        if let Some(second) = &mut self.second {
            second.spent_before(dollars);
        }
    }

    fn spent(&self) -> Option<Usage> {
        self.second.as_ref().and_then(|second| second.spent())
    }

    fn can_verify_done(&self) -> bool {
        matches!(self.asked, Asked::HandedOver) && self.second.as_ref().is_some_and(|second| second.can_verify_done())
    }

    async fn verify_done(&mut self, summary: &str, frame: Option<&FrameFile>) -> Result<DoneOpinion, BrainError> {
        match &mut self.second {
            Some(second) => second.verify_done(summary, frame).await,
            None => Ok(DoneOpinion {
                valid: surehand_types::ThreeValued::not_measured("a routine does not verify"),
                raw: None,
            }),
        }
    }
}

impl From<Result<Reply, BrainError>> for Next {
    fn from(reply: Result<Reply, BrainError>) -> Next {
        match reply {
            Ok(reply) => Next::Say(reply),
            Err(error) => Next::Stop(error.to_string()),
        }
    }
}

/// The step of the routine that this one was, from 1.
fn marked(step: &StepRecord) -> Option<usize> {
    marked_step(step.thought.as_deref()?)
}

/// Every call was checked with the file; one that a value made wrong is still only a reason to stop.
fn reply(thought: &str, expected: &[String], call: Value) -> Result<Reply, BrainError> {
    let whole = json!({"thought": thought, "expected": expected, "calls": [call]});
    Reply::parse(&whole).map_err(|problem| BrainError::Transport(format!("the call cannot be made: {}", problem.0)))
}

/// What has to be so before a step makes sense.
fn not_ready(step: &RoutineStep, turn: &Turn) -> Option<String> {
    let tool = step.call.get("tool").and_then(Value::as_str).unwrap_or_default();
    let text = step.call.get("text").and_then(Value::as_str).unwrap_or_default();
    if let Some(name) = secrets_in(text).find(|name| !turn.secrets.iter().any(|known| known == name)) {
        return Some(format!("it types the secret {name:?}, which was not declared (--secret {name}=SOURCE)"));
    }
    if tool != "keyboard" {
        return None;
    }
    let anchor = step.anchor.as_ref()?;
    let wanted = Named { role: anchor.role.clone(), text: anchor.text.clone() };
    match (&turn.observation.focus, Named::of_focus(&turn.observation.focus)) {
        (Focus::Unknown, _) => None,
        (_, Some(field)) if wanted.is_same_as(&field) => None,
        (_, Some(field)) => Some(format!("the focus is on {field} and not on {wanted}")),
        (_, None) => Some(format!("the focus is not on {wanted}")),
    }
}

fn is_typing(step: &RoutineStep) -> bool {
    let word = |name: &str| step.call.get(name).and_then(Value::as_str);
    (word("tool"), word("action")) == (Some("keyboard"), Some("type"))
}

/// Whether the field that has the focus holds something; `None` where that cannot be told.
fn holds_text(turn: &Turn) -> Option<bool> {
    match &turn.observation.focus {
        Focus::Element(field) => field.empty.map(|empty| !empty),
        _ => None,
    }
}

/// Names in `<secret:NAME>`.
fn secrets_in(text: &str) -> impl Iterator<Item = &str> {
    text.split("<secret:").skip(1).filter_map(|rest| rest.split_once('>')).map(|(name, _)| name)
}

fn kind_of(call: &Map<String, Value>) -> StepKind {
    let word = |name: &str| call.get(name).and_then(Value::as_str);
    match (word("tool"), word("action")) {
        (Some("dialog"), _) => StepKind::AnswersDialog,
        (Some("mouse"), Some("scroll" | "move")) => StepKind::Moves,
        _ => StepKind::Acts,
    }
}

fn first_result(turn: &Turn) -> Option<CallResult> {
    turn.results.iter().find(|result| result.index == 0).cloned()
}

fn not_run(turn: &Turn) -> String {
    turn.problem.clone().unwrap_or_else(|| "it was not run".into())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

impl std::fmt::Debug for RoutineBrain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RoutineBrain").field("name", &self.name).field("next", &self.next).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
