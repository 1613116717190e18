//! The consistency benchmark: the same task several times, each time from the same start, judged by the same contract.
//! One pass proves little; this says how often, and how sure one can be of that.

use serde::Serialize;
use surehand_referee::summary::{BenchmarkSummary, RunOutcome, summarize};
use surehand_types::RunResult;
use surehand_types::result::{FinalVerdict, GovernorSummary, LessonSummary};

/// All runs and what they come to.
#[derive(Debug, Clone, Serialize)]
pub struct Consistency {
    pub contract: String,
    /// Of the contract's text: two benchmarks with the same one asked for the same.
    pub contract_sha256: String,
    pub task: String,
    pub brain: String,
    pub judge: Option<String>,
    pub max_steps: u32,
    pub wanted_runs: u32,
    pub interrupted: bool,
    pub runs: Vec<ConsistencyRun>,
    pub summary: BenchmarkSummary,
    /// Of all runs that a contract or a judge found wrong; the summary has the other rates.
    pub fail_rate: f64,
    pub governor: GovernorSummary,
    pub lessons: LessonSummary,
    /// From the first run to the last, where there are several: what memory and chance made of it.
    pub first_to_last: Option<FirstToLast>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ConsistencyRun {
    pub run_id: String,
    pub seed: u64,
    pub verdict: FinalVerdict,
    pub score: f64,
    pub disagreement: bool,
    pub self_report: Option<bool>,
    pub termination: String,
    pub steps: u32,
    pub tool_errors: u32,
    pub no_effect: u32,
    pub seconds: f64,
    pub cost: f64,
    pub governor: GovernorSummary,
    pub lessons: LessonSummary,
    /// What somebody else knows to be true of it.
    pub truth: Option<bool>,
    pub reasons: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct FirstToLast {
    pub verdict: [FinalVerdict; 2],
    pub score: [f64; 2],
    pub tool_errors: [u32; 2],
    pub steps: [u32; 2],
    pub no_effect: [u32; 2],
    pub lessons_injected: [u32; 2],
}

/// What was asked for.
#[derive(Debug, Clone)]
pub struct ConsistencyPlan {
    pub contract: String,
    pub contract_sha256: String,
    pub task: String,
    pub brain: String,
    pub judge: Option<String>,
    pub max_steps: u32,
    pub wanted_runs: u32,
}

impl ConsistencyRun {
    pub fn of(result: &RunResult, seed: u64, truth: Option<bool>) -> ConsistencyRun {
        let outcome = RunOutcome::of(result, truth);
        ConsistencyRun {
            run_id: result.run_id.clone(),
            seed,
            verdict: outcome.verdict,
            score: outcome.score,
            disagreement: outcome.disagreement,
            self_report: result.verdict.self_report.as_ref().map(|report| report.success),
            termination: result.termination_reason.as_str().to_string(),
            steps: outcome.steps,
            tool_errors: outcome.tool_errors,
            no_effect: result.effect_summary.no_effect,
            seconds: result.duration_s,
            cost: result.cost,
            governor: result.governor,
            lessons: result.lessons,
            truth,
            reasons: result.verdict.reasons.clone(),
        }
    }
}

impl Consistency {
    pub fn new(plan: ConsistencyPlan, runs: Vec<ConsistencyRun>, interrupted: bool) -> Consistency {
        let outcomes: Vec<RunOutcome> = runs
            .iter()
            .map(|run| RunOutcome {
                verdict: run.verdict,
                score: run.score,
                steps: run.steps,
                tool_errors: run.tool_errors,
                disagreement: run.disagreement,
                truth: run.truth,
            })
            .collect();
        let governor = runs.iter().fold(GovernorSummary::default(), |sum, run| GovernorSummary {
            blocks: sum.blocks + run.governor.blocks,
            retries: sum.retries + run.governor.retries,
        });
        let lessons = runs.iter().fold(LessonSummary::default(), |sum, run| LessonSummary {
            injected: sum.injected + run.lessons.injected,
            created: sum.created + run.lessons.created,
            promoted: sum.promoted + run.lessons.promoted,
            suppressed: sum.suppressed + run.lessons.suppressed,
        });
        let summary = summarize(&outcomes);
        let fail_rate = summary.fail_count as f64 / summary.run_count.max(1) as f64;
        let first_to_last = match runs.as_slice() {
            [first, .., last] => Some(FirstToLast {
                verdict: [first.verdict, last.verdict],
                score: [first.score, last.score],
                tool_errors: [first.tool_errors, last.tool_errors],
                steps: [first.steps, last.steps],
                no_effect: [first.no_effect, last.no_effect],
                lessons_injected: [first.lessons.injected, last.lessons.injected],
            }),
            _ => None,
        };
        Consistency {
            contract: plan.contract,
            contract_sha256: plan.contract_sha256,
            task: plan.task,
            brain: plan.brain,
            judge: plan.judge,
            max_steps: plan.max_steps,
            wanted_runs: plan.wanted_runs,
            interrupted,
            summary,
            fail_rate: (fail_rate * 1e4).round() / 1e4,
            governor,
            lessons,
            first_to_last,
            runs,
        }
    }
}
