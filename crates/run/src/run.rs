//! A run as a thing: what it was told, what it holds, and how it ends. The order of its steps is
//! in `step`, the making of its result in `finish`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use surehand_brain::{Brain, BrainError, BrainErrorClass};
use surehand_checks::before::governor::GovernorRules;
use surehand_env::{EnvError, Environment};
use surehand_referee::Baseline;
use surehand_trace::{CUT_OFF, TraceError, TraceWriter};
use surehand_types::event::{Event, NoteLevel, RunStarted};
use surehand_types::observation::Download;
use surehand_types::person::PersonEvent;
use surehand_types::plan::PlanSummary;
use surehand_types::reply::{CallRequest, CallResult, Hint, Usage};
use surehand_types::result::{BrainSummary, ConfirmAnswer, EffectSummary, Observed, PolicyRecord, StepFrames};
use surehand_types::{
    CallProblem, ErrorCode, Observation, Redactor, Reply, RunResult, StepRecord, Termination, Turn, ViewSize,
};
use tokio_util::sync::CancellationToken;

use crate::act::Hand;
use crate::acted::Acted;
use crate::answer::view_of;
use crate::aside::{Keeper, PutAside};
use crate::budget::Budget;
use crate::course::{self, Agenda, UnderWay};
use crate::governing::Governing;
use crate::people::People;
use crate::pictures::{FrameFiles, PictureFailure};
use crate::recall::{Lessons, Recalling};
use crate::referee::{Referee, baseline_now};
use crate::reins::Reins;
use crate::step;
use crate::verify::{Declared, Memory, VerifyRules};
use crate::waits::Waits;

/// Everything a run is told at its start.
#[derive(Debug, Clone)]
pub struct RunConfig {
    pub run_id: String,
    pub task: String,
    pub start_url: Option<String>,
    pub started_at: String,
    pub max_steps: u32,
    pub timeout: Option<Duration>,
    pub target_wait: Duration,
    pub toggles: BTreeMap<String, String>,
    /// Where the frames go that the brain is shown; removed by the caller after the run.
    pub frames_folder: PathBuf,
    pub version: String,
    /// What neither the brain nor anybody else may see.
    pub redactor: Redactor,
    pub verify: VerifyRules,
    /// For brains that only look.
    pub governor: GovernorRules,
    pub declared: Declared,
    pub resumed: Option<Resumed>,
    /// What this very run did before it was put away or lost its process; nothing for one that begins.
    pub before: Before,
    /// Who judges the outcome; `None`: nobody but the brain.
    pub referee: Option<Arc<Referee>>,
    /// What earlier runs taught; `None`: nothing is recalled and nothing learned.
    pub lessons: Option<Lessons>,
    /// How people outside steer it.
    pub reins: Reins,
    /// Who keeps what it could be gone on from.
    pub keeper: Option<Keeper>,
}

/// An earlier run that this one goes on from.
#[derive(Debug, Clone)]
pub struct Resumed {
    pub run_id: String,
    /// What it did, one line a step.
    pub steps: Vec<String>,
}

/// The part of a run that an earlier process did.
#[derive(Debug, Clone, Default)]
pub struct Before {
    pub trajectory: Vec<StepRecord>,
    pub turns: u32,
    pub cost: f64,
    pub elapsed: Duration,
    /// Who lets it go on; `None` for a run that begins.
    pub resumed_by: Option<String>,
    /// The call that was on its way when the process ended.
    pub open_call: Option<CutOff>,
}

/// A call that was on its way when a process ended. Nobody knows whether it took effect.
#[derive(Debug, Clone, PartialEq)]
pub struct CutOff {
    /// The number of its event, by which it is known to have been told of.
    pub seq: u64,
    pub step: u32,
    pub call: serde_json::Map<String, serde_json::Value>,
    pub by: Option<String>,
    /// What is known of a person's word on it.
    pub policy: Option<PolicyRecord>,
}

impl CutOff {
    /// A person had to agree to it, and had not.
    pub fn was_not_made(&self) -> bool {
        self.policy.as_ref().is_some_and(PolicyRecord::was_not_agreed_to)
    }

    fn in_words(&self) -> String {
        match self.policy.as_ref().and_then(|policy| policy.answer) {
            None => CUT_OFF.into(),
            Some(ConfirmAnswer::Yes) => format!("A person had agreed to it. {CUT_OFF}"),
            Some(ConfirmAnswer::Withdrawn) => "The run stopped while a person was asked; the call was not made.".into(),
            Some(_) => "It was not agreed to, and not made.".into(),
        }
    }
}

impl RunConfig {
    /// A placeholder of one of the run's secrets in what the brain says at the end.
    pub(crate) fn placeholder_in(&self, summary: &str, output: Option<&serde_json::Value>) -> Option<&str> {
        let output = output.map(serde_json::Value::to_string).unwrap_or_default();
        self.redactor.placeholder_in(summary).or_else(|| self.redactor.placeholder_in(&output))
    }
}

/// Runs to the end, whatever that end is. Errors are inside the result.
pub async fn run(
    config: RunConfig,
    env: Box<dyn Environment>,
    brain: Box<dyn Brain>,
    people: Box<dyn People>,
    trace: TraceWriter,
    hand: impl Into<Hand>,
    cancel: CancellationToken,
) -> RunResult {
    let (mut run, files) = Run::new(config, env, brain, people, trace, hand.into(), cancel);
    let ending = match files {
        Ok(files) => {
            run.files = Some(files);
            run.until_it_ends().await
        }
        Err(error) => error.into(),
    };
    run.finish(ending).await
}

/// The same with an agenda of several tasks in place of the one: one environment, one trace, one result.
#[expect(clippy::too_many_arguments, reason = "the parts of a run, each of another crate, and the agenda")]
pub async fn run_agenda(
    agenda: &mut dyn Agenda,
    config: RunConfig,
    env: Box<dyn Environment>,
    brain: Box<dyn Brain>,
    people: Box<dyn People>,
    trace: TraceWriter,
    hand: Hand,
    cancel: CancellationToken,
) -> RunResult {
    let (mut run, files) = Run::new(config, env, brain, people, trace, hand, cancel);
    let ending = match files {
        Ok(files) => {
            run.files = Some(files);
            course::follow(&mut run, agenda).await
        }
        Err(error) => error.into(),
    };
    run.finish(ending).await
}

impl Run {
    fn new(
        config: RunConfig,
        env: Box<dyn Environment>,
        brain: Box<dyn Brain>,
        people: Box<dyn People>,
        trace: TraceWriter,
        hand: Hand,
        cancel: CancellationToken,
    ) -> (Run, Result<FrameFiles, PictureFailure>) {
        let started = Instant::now();
        let files = FrameFiles::new(&config.frames_folder);
        // Its time goes on where it stopped.
        let timeout = config.timeout.map(|timeout| timeout.saturating_sub(config.before.elapsed));
        let waits = Waits::default();
        let mut budget = Budget::new(config.max_steps, timeout, &waits);
        let before = config.before.trajectory.clone();
        for _ in before.iter().filter(|step| step.by.is_some() || step.was_withdrawn() || step.cut_off) {
            budget.grant_step();
        }
        let turns_before = config.before.turns;
        let mut effects = EffectSummary::default();
        if config.verify.effect_verify {
            before.iter().filter_map(|step| step.effect.as_ref()).for_each(|effect| effects.count(effect));
        }
        let declared = Declared { task: config.task.clone(), ..config.declared.clone() };
        let mut memory = Memory::new(config.verify, declared, env.view());
        before.iter().for_each(|step| memory.heard_of(step));
        if before.is_empty() && config.resumed.as_ref().is_some_and(|resumed| !resumed.steps.is_empty()) {
            memory.began_elsewhere();
        }
        let governor = config.governor;
        let reins = config.reins.clone();
        let run = Run {
            env,
            brain,
            people,
            trace,
            hand: hand.judging_effects(config.verify.effect_verify).kept_by(config.keeper.clone()).counting(&waits),
            config,
            memory,
            cancel,
            budget,
            reins,
            files: None,
            started,
            turns: turns_before,
            steps: u32::try_from(before.len()).unwrap_or(u32::MAX),
            spent_in_row: 0,
            unresolved_in_row: 0,
            results: Vec::new(),
            feedback: String::new(),
            problem: None,
            last: None,
            trajectory: before,
            effects,
            downloads: Vec::new(),
            cost: 0.0,
            asked: BrainSummary::default(),
            safety_agreed: false,
            rubric: None,
            baseline: None,
            governing: Governing::new(governor),
            recalling: Recalling::default(),
            errand: None,
            plan: None,
            held: Duration::ZERO,
            waits,
            put_aside: PutAside::default(),
        };
        (run, files)
    }
}

/// The head of a run's trace and of its row in the index.
pub fn run_started(config: &RunConfig, brain: String, environment: String, viewport: ViewSize) -> RunStarted {
    RunStarted {
        task: config.task.clone(),
        start_url: config.start_url.clone(),
        brain,
        environment,
        viewport,
        max_steps: Some(config.max_steps).filter(|most| *most < u32::MAX),
        timeout_s: config.timeout.map(|timeout| timeout.as_secs_f64()),
        toggles: config.toggles.clone(),
        surehand_version: config.version.clone(),
        resumed_from: config.resumed.as_ref().map(|resumed| resumed.run_id.clone()),
    }
}

pub(crate) struct Run {
    pub(crate) config: RunConfig,
    pub(crate) env: Box<dyn Environment>,
    pub(crate) brain: Box<dyn Brain>,
    pub(crate) people: Box<dyn People>,
    pub(crate) trace: TraceWriter,
    pub(crate) hand: Hand,
    pub(crate) memory: Memory,
    pub(crate) cancel: CancellationToken,
    pub(crate) budget: Budget,
    pub(crate) reins: Reins,
    files: Option<FrameFiles>,
    pub(crate) started: Instant,
    pub(crate) turns: u32,
    pub(crate) steps: u32,
    pub(crate) spent_in_row: u32,
    /// Replies in a row whose first call named a target that is not there.
    pub(crate) unresolved_in_row: u32,
    /// What became of the last reply's calls, and the text about it.
    pub(crate) results: Vec<CallResult>,
    pub(crate) feedback: String,
    /// One sentence about the last reply, told with the next turn.
    pub(crate) problem: Option<String>,
    pub(crate) last: Option<Acted>,
    pub(crate) trajectory: Vec<StepRecord>,
    pub(crate) effects: EffectSummary,
    pub(crate) downloads: Vec<Download>,
    pub(crate) cost: f64,
    /// What was needed to ask the brain.
    pub(crate) asked: BrainSummary,
    /// A person agreed to the provider's safety checks of the last reply.
    pub(crate) safety_agreed: bool,
    /// What the judge will go by, where it was written from the task.
    pub(crate) rubric: Option<String>,
    /// How things were before the first step, where the contract compares.
    pub(crate) baseline: Option<Arc<Baseline>>,
    pub(crate) governing: Governing,
    pub(crate) recalling: Recalling,
    /// The part of an agenda that is under way.
    pub(crate) errand: Option<UnderWay>,
    /// What became of a plan, for the result.
    pub(crate) plan: Option<PlanSummary>,
    /// Time in which people held it.
    pub(crate) held: Duration,
    /// Time in which it waited for people's words.
    pub(crate) waits: Waits,
    pub(crate) put_aside: PutAside,
}

/// Why and how a run ended.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) reason: Termination,
    pub(crate) claim: Option<Box<Claim>>,
    pub(crate) error: Option<String>,
    /// The brain itself can no longer be asked, whatever the task is.
    pub(crate) brain_is_lost: bool,
}

/// What the brain said about its own work.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) success: bool,
    pub(crate) summary: String,
    pub(crate) output: Option<serde_json::Value>,
}

impl Run {
    async fn until_it_ends(&mut self) -> Ending {
        if let Err(ending) = self.tell_of_cut_off() {
            return ending;
        }
        if let Err(ending) = self.begin().await {
            return ending;
        }
        loop {
            if let Err(ending) = step::turn(self).await {
                return ending;
            }
        }
    }

    /// A call that an earlier process did not come back from is a step like others, whatever became of it. (A plan
    /// tells of it in its own words.)
    fn tell_of_cut_off(&mut self) -> Result<(), Ending> {
        let Some(open) = self.config.before.open_call.clone() else { return Ok(()) };
        let last = self.trajectory.last().and_then(|step| step.frames.after.clone());
        let message = open.in_words();
        let is_denied = open.was_not_made() && !open.policy.as_ref().is_some_and(PolicyRecord::was_withdrawn);
        let record = StepRecord {
            cut_off: !open.was_not_made(),
            call: Some(open.call),
            by: open.by,
            policy: open.policy,
            error: is_denied.then(|| CallProblem { code: ErrorCode::Denied, message: message.clone() }),
            message,
            frames: StepFrames { before: last, ..StepFrames::default() },
            ..StepRecord::blank(self.steps + 1, self.turns)
        };
        self.memory.heard_of(&record);
        self.budget.grant_step();
        self.keep(record)
    }

    pub(crate) async fn begin(&mut self) -> Result<(), Ending> {
        match self.config.before.resumed_by.clone() {
            Some(by) => self.person(PersonEvent::Resumed { by })?,
            None => {
                let started = run_started(&self.config, self.brain.name(), self.env.describe(), self.env.view());
                self.trace.record(Event::RunStarted(started))?;
            }
        }
        for message in self.env.notes() {
            self.trace.record(Event::Note { level: NoteLevel::Info, message })?;
        }
        let Some(referee) = self.config.referee.clone() else { return Ok(()) };
        let written = tokio::select! {
            written = referee.rubric(&self.config.task) => written,
            () = self.cancel.cancelled() => return Err(self.told_to_end()),
            () = self.reins.until_put_away() => return Err(Ending::of(Termination::Paused)),
        };
        match written {
            Some(Ok(rubric)) => self.rubric = Some(rubric),
            Some(Err(why)) => {
                // It is asked once more at the end; without a rubric nothing passes.
                let message = format!("the judge could not write a rubric: {why}");
                self.trace.record(Event::Note { level: NoteLevel::Warning, message })?;
            }
            None => {}
        }
        self.note_start(&referee).await
    }

    /// What the contract will compare with. A run that goes on from what another one, or an earlier process, did began
    /// earlier, and how things were then is not known.
    async fn note_start(&mut self, referee: &Referee) -> Result<(), Ending> {
        let before = &self.config.before;
        let did_nothing = before.resumed_by.is_some() && before.trajectory.is_empty() && before.open_call.is_none();
        if self.config.resumed.is_some() && !did_nothing {
            return Ok(());
        }
        self.baseline = tokio::select! {
            baseline = baseline_now(self.env.as_mut(), referee, self.config.start_url.as_deref()) => baseline,
            () = self.cancel.cancelled() => return Err(self.told_to_end()),
            () = self.reins.until_put_away() => return Err(Ending::of(Termination::Paused)),
        };
        let troubles = self.baseline.as_ref().map(|baseline| baseline.troubles()).unwrap_or_default();
        for message in troubles {
            self.trace.record(Event::Note { level: NoteLevel::Warning, message })?;
        }
        Ok(())
    }

    pub(crate) fn files(&self) -> Option<&FrameFiles> {
        self.files.as_ref()
    }

    pub(crate) fn within_budget(&self) -> Result<(), Ending> {
        if self.cancel.is_cancelled() {
            return Err(self.told_to_end());
        }
        match self.budget.exhausted(self.steps) {
            Some(reason) => Err(Ending::of(reason)),
            None => Ok(()),
        }
    }

    pub(crate) fn stop_reason(&self) -> Ending {
        let ending = if self.cancel.is_cancelled() { self.told_to_end() } else { Ending::of(Termination::Timeout) };
        Ending { error: Some("the action under way did not finish in time".to_string()), ..ending }
    }

    /// Of a run whose `cancel` is pulled. One that is put away and that nobody cancelled was only too slow at it.
    pub(crate) fn told_to_end(&self) -> Ending {
        let only_slow = self.reins.is_put_away() && self.reins.cancelled_by().is_none();
        Ending::of(if only_slow { Termination::Paused } else { Termination::Cancelled })
    }

    pub(crate) fn turn_for(&mut self, before: &Observation, hints: Vec<Hint>) -> Result<Turn, Ending> {
        let Some(files) = &mut self.files else {
            return Err(Ending::broken(Termination::EnvError, "there is no folder for frames".into()));
        };
        let redactor = &self.config.redactor;
        let observation = view_of(self.last.as_ref(), before, files)?.redacted(redactor);
        let feedback = redactor.text(&self.feedback);
        Ok(Turn {
            run: self.config.run_id.clone(),
            turn: self.turns,
            step: self.steps + 1,
            task: redactor.text(&self.task_for_brain()),
            observation,
            results: redactor.copy_of(&self.results).unwrap_or_default(),
            feedback,
            problem: self.problem.as_deref().map(|problem| redactor.text(problem)),
            hints: redactor.copy_of(&hints).unwrap_or_default(),
            secrets: self.env.secret_names(),
            viewport: before.view,
            budget: self.budget.left(self.steps),
            safety_agreed: self.safety_agreed,
            plan_step: self.errand.as_ref().and_then(|errand| errand.step.clone()),
        })
    }

    /// The task, and what the output has to look like: only the brain is told here. Nobody reads from the words of a
    /// schema what the task wants done.
    fn task_for_brain(&self) -> String {
        let task = &self.config.task;
        match &self.config.declared.output_schema {
            Some(schema) => format!("{task}\n\nGive the output of `done` as JSON of this schema: {}", schema.text()),
            None => task.clone(),
        }
    }

    pub(crate) fn note_reply(&mut self, reply: &Reply, think_ms: f64) -> Result<(), Ending> {
        self.problem = None;
        self.cost += reply.usage.cost_usd;
        self.asked.repairs += u32::try_from(reply.repairs.len()).unwrap_or(u32::MAX);
        let kept = reply.clone().kept();
        let event = Event::Replied {
            turn: self.turns,
            thought: kept.thought,
            expected: kept.expected,
            calls: reply.calls.iter().map(|call| call.given.clone()).collect(),
            problem: None,
            think_ms,
            reasoning: kept.reasoning,
            aims: kept.aims,
            repairs: kept.repairs,
            safety: kept.safety,
            usage: Some(reply.usage).filter(|usage| *usage != Usage::default()),
        };
        self.trace.record(event)?;
        Ok(())
    }

    pub(crate) fn note_problem(&mut self, problem: &str, think_ms: f64) -> Result<(), Ending> {
        self.asked.problems += 1;
        let event = Event::Replied {
            turn: self.turns,
            thought: None,
            expected: Vec::new(),
            calls: Vec::new(),
            problem: Some(problem.to_string()),
            think_ms,
            reasoning: None,
            aims: Vec::new(),
            repairs: Vec::new(),
            safety: Vec::new(),
            usage: self.uncounted(),
        };
        self.trace.record(event)?;
        Ok(())
    }

    /// What the brain spent beyond the replies that could be used.
    fn uncounted(&mut self) -> Option<Usage> {
        let spent = self.brain.spent()?.cost_usd;
        let cost_usd = spent - self.cost;
        self.cost = self.cost.max(spent);
        (cost_usd > 0.0).then(|| Usage { cost_usd, ..Usage::default() })
    }

    /// What it took to get an answer: a person who waits wants to know why.
    pub(crate) fn note_effort(&mut self, notes: Vec<String>) -> Result<(), Ending> {
        for message in notes {
            self.asked.repeats += 1;
            self.trace.record(Event::Note { level: NoteLevel::Info, message: format!("the brain: {message}") })?;
        }
        Ok(())
    }

    /// Keeps what it could be gone on from if this process died now.
    pub(crate) async fn put_aside_now(&mut self) {
        if let Some(keeper) = &self.config.keeper {
            self.put_aside.put(keeper, self.env.as_mut(), self.steps).await;
        }
    }

    /// Writes down what people did to the run.
    pub(crate) fn person(&mut self, event: PersonEvent) -> Result<(), Ending> {
        self.trace.record(Event::Person(event))?;
        Ok(())
    }

    /// Who answered what was asked, where that is known.
    pub(crate) fn answered(&mut self, by: Option<String>) -> Result<(), Ending> {
        by.map_or(Ok(()), |by| self.person(PersonEvent::Answered { by }))
    }

    /// Writes down which calls were not run, and why.
    pub(crate) fn hand_back(&mut self, calls: Vec<CallRequest>, reason: &str) -> Result<(), Ending> {
        if calls.is_empty() {
            return Ok(());
        }
        let calls = calls.into_iter().map(|call| call.given).collect();
        self.trace.record(Event::NotRun { turn: self.turns, calls, reason: reason.to_string() })?;
        Ok(())
    }

    pub(crate) fn call_started(&mut self, request: &CallRequest) -> Result<(), Ending> {
        let by = self.errand.as_ref().and_then(|errand| errand.by).map(str::to_string);
        self.trace.record(Event::CallStarted { step: self.steps + 1, call: request.given.clone(), by })?;
        Ok(())
    }

    /// A record of the coming step with nothing in it yet: unknown stays unknown.
    pub(crate) fn blank_record(&self) -> StepRecord {
        let by = self.errand.as_ref().and_then(|errand| errand.by).map(str::to_string);
        StepRecord { by, ..StepRecord::blank(self.steps + 1, self.turns) }
    }

    pub(crate) fn observed(&self, observation: &Observation) -> Observed {
        Observed { url: observation.url.clone(), title: observation.title.clone(), focus: observation.focus.clone() }
    }

    /// Counts and writes a finished step.
    pub(crate) fn keep(&mut self, record: StepRecord) -> Result<(), Ending> {
        self.steps += 1;
        if let Some(effect) = record.effect.as_ref().filter(|_| self.config.verify.effect_verify) {
            self.effects.count(effect);
        }
        self.trajectory.push(record.clone());
        self.trace.record(Event::Step(Box::new(record)))?;
        Ok(())
    }
}

impl Ending {
    pub(crate) fn of(reason: Termination) -> Self {
        Ending { reason, claim: None, error: None, brain_is_lost: false }
    }

    pub(crate) fn broken(reason: Termination, error: String) -> Self {
        Ending { error: Some(error), ..Ending::of(reason) }
    }

    pub(crate) fn claimed(reason: Termination, claim: Claim, against: Option<String>) -> Self {
        Ending { claim: Some(Box::new(claim)), error: against, ..Ending::of(reason) }
    }
}

impl From<EnvError> for Ending {
    fn from(error: EnvError) -> Self {
        Ending::broken(Termination::EnvError, error.to_string())
    }
}

impl From<BrainError> for Ending {
    fn from(error: BrainError) -> Self {
        let reason = match error.class() {
            BrainErrorClass::Budget => Termination::Budget,
            _ => Termination::BrainError,
        };
        Ending { brain_is_lost: true, ..Ending::broken(reason, error.to_string()) }
    }
}

impl From<TraceError> for Ending {
    fn from(error: TraceError) -> Self {
        Ending::broken(Termination::EnvError, format!("the trace cannot be written: {error}"))
    }
}

impl From<PictureFailure> for Ending {
    fn from(error: PictureFailure) -> Self {
        Ending::broken(Termination::EnvError, error.to_string())
    }
}
