//! The one trait the loop talks to. A reply that makes no sense is data, answered with a sentence;
//! only a brain that can no longer be reached is an error.

use async_trait::async_trait;
use surehand_types::observation::FrameFile;
use surehand_types::reply::Usage;
use surehand_types::result::StepRecord;
use surehand_types::{Problem, Reply, RunResult, ThreeValued, Turn};

use crate::error::BrainError;

#[async_trait]
pub trait Brain: Send {
    /// How the brain is called in results and reports.
    fn name(&self) -> String;

    /// Asks for the next reply. The future may be dropped at any time; a later call then gets the
    /// answer to its own turn, never a late one.
    async fn think(&mut self, turn: &Turn) -> Result<Thought, BrainError>;

    /// Tells the brain how the run ended and lets it go. Bounded in time; nothing may be asked after.
    async fn end(&mut self, result: &RunResult);

    /// The run goes on that an earlier process began: what was done in it. Brains that are told in words need nothing
    /// more; those that count their own steps have to know where they are.
    fn goes_on(&mut self, done: &[StepRecord]) {
        let _ = done;
    }

    /// What the part of the run that an earlier process did cost, in dollars: a limit counts it.
    fn spent_before(&mut self, dollars: f64) {
        let _ = dollars;
    }

    /// Another task begins, in the same environment: what was said before belongs to an earlier one.
    fn new_task(&mut self) {}

    /// What the brain has used so far in all, questions about "done" included; `None` where nothing is counted.
    fn spent(&self) -> Option<Usage> {
        None
    }

    /// Whether `verify_done` will ask anybody. May become true with the first reply.
    fn can_verify_done(&self) -> bool {
        false
    }

    /// Asks the brain to check a claimed success against the last frame.
    async fn verify_done(&mut self, summary: &str, frame: Option<&FrameFile>) -> Result<DoneOpinion, BrainError> {
        let _ = (summary, frame);
        Ok(DoneOpinion { valid: ThreeValued::not_measured("this brain does not verify"), raw: None })
    }

    /// Whether `reflect` will ask anybody.
    fn can_reflect(&self) -> bool {
        false
    }

    /// Asks what a run that was judged has taught, as one sentence; `None` where there is nothing to say.
    async fn reflect(&mut self, run: &Reflection) -> Result<Option<String>, BrainError> {
        let _ = run;
        Ok(None)
    }
}

/// A run as it is put to a brain that reflects on it. Without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reflection {
    pub task: String,
    pub passed: bool,
    /// What was done and what came of it, one line a step.
    pub steps: Vec<String>,
}

/// What came back for one turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    pub answer: Answer,
    /// The answer as it arrived, for the record.
    pub raw: Option<String>,
    /// What it took: one sentence for each request that had to be repeated.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Reply(Reply),
    /// Nothing of the answer can be used; the sentence goes back to the brain.
    Problem(Problem),
}

/// What the brain's verifier thinks of a claimed success. An answer that cannot be read is
/// "not measured", never a yes.
#[derive(Debug, Clone, PartialEq)]
pub struct DoneOpinion {
    pub valid: ThreeValued,
    pub raw: Option<String>,
}

impl Thought {
    pub fn reply(reply: Reply) -> Self {
        Thought { answer: Answer::Reply(reply), raw: None, notes: Vec::new() }
    }
}
