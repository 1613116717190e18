//! A directory with one program in it, and the values every test needs.

use std::path::Path;
use std::time::{Duration, Instant};

use surehand_brain::{Answer, Brain, BrainError, BrainOptions, BrainSpec, Thought, open};
use surehand_types::observation::Focus;
use surehand_types::reply::{BudgetLeft, ObservationView};
use surehand_types::{Problem, Reply, RunResult, Termination, Turn, Verdict, ViewSize};

pub(crate) const REPLY: &str = r#"{"calls":[{"tool":"inspect"}]}"#;

pub(crate) struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Bench { directory: tempfile::tempdir().unwrap() }
    }

    /// A shell program that runs in the bench's directory.
    pub(crate) fn brain(&self, program: &str) -> Box<dyn Brain> {
        self.brain_with(program, BrainOptions::default())
    }

    pub(crate) fn brain_with(&self, program: &str, options: BrainOptions) -> Box<dyn Brain> {
        let text = format!("cd '{}' || exit 99\n{program}\n", self.path("."));
        self.write("brain.sh", &text);
        let spec = BrainSpec::parse(&format!("exec:sh '{}'", self.path("brain.sh"))).unwrap();
        open(&spec, options).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.directory.path().join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.directory.path().join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(name)).unwrap()
    }

    /// Whether the program has written the file, with its last newline.
    pub(crate) fn has(&self, name: &str) -> bool {
        std::fs::read_to_string(self.directory.path().join(name)).is_ok_and(|text| text.ends_with('\n'))
    }

    pub(crate) fn pid(&self, name: &str) -> u32 {
        self.read(name).trim().parse().unwrap()
    }
}

/// Polls until the condition holds; fails the test when it never does.
pub(crate) async fn eventually(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// No such process, or one that only waits for its parent to look.
pub(crate) fn is_gone(pid: u32) -> bool {
    match std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")) {
        Err(_) => true,
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
    }
}

#[track_caller]
pub(crate) fn reply(thought: Result<Thought, BrainError>) -> Reply {
    match thought.unwrap().answer {
        Answer::Reply(reply) => reply,
        Answer::Problem(problem) => panic!("{problem:?}"),
    }
}

#[track_caller]
pub(crate) fn problem(thought: Result<Thought, BrainError>) -> String {
    match thought.unwrap().answer {
        Answer::Reply(reply) => panic!("{reply:?}"),
        Answer::Problem(Problem(sentence)) => sentence,
    }
}

pub(crate) fn turn() -> Turn {
    Turn {
        run: "r1".into(),
        turn: 1,
        step: 1,
        task: "a task".into(),
        observation: ObservationView {
            message: String::new(),
            error: None,
            dispatched: None,
            hit: None,
            pending: None,
            candidates: Vec::new(),
            frame: None,
            images: Vec::new(),
            url: Some("https://shop.test/".into()),
            title: None,
            focus: Focus::Nothing,
            tabs: Vec::new(),
            opened: Vec::new(),
            dialog: None,
            downloads: Vec::new(),
        },
        results: Vec::new(),
        feedback: String::new(),
        problem: None,
        hints: Vec::new(),
        secrets: Vec::new(),
        viewport: ViewSize { width: 1280, height: 720 },
        budget: BudgetLeft { steps_left: 9, seconds_left: Some(60.0) },
        safety_agreed: false,
        plan_step: None,
    }
}

pub(crate) fn result() -> RunResult {
    RunResult {
        schema_version: 1,
        run_id: "r1".into(),
        task: "a task".into(),
        start_url: None,
        brain: "exec".into(),
        started_at: "2026-01-01T00:00:00Z".into(),
        success: false,
        summary: None,
        output: None,
        termination_reason: Termination::DoneFailed,
        error: None,
        steps: 1,
        turns: 1,
        duration_s: 1.0,
        cost: 0.0,
        verdict: Verdict::unjudged(None),
        referee: None,
        downloads: Vec::new(),
        done_rejections_by_reason: Default::default(),
        perceptual_summary: Default::default(),
        effect_summary: Default::default(),
        gate_summary: Default::default(),
        plan: None,
        audit: None,
        predicate_summary: Default::default(),
        loop_recoveries_by_reason: Default::default(),
        brain_summary: None,
        governor: Default::default(),
        lessons: Default::default(),
        toggles: Default::default(),
        trajectory: Vec::new(),
    }
}
