//! Experiments: suites of tasks whose truth is known, run as users run them, and compared. Start reading at `suite`
//! (what a task is) and `episode` (one run of one); `ablation` pairs arms, `done_bench` judges the gate.

mod ablation;
mod arms;
mod compare;
mod consistency;
mod done_bench;
mod episode;
mod error;
mod hostile;
mod memory_bench;
pub mod report;
mod suite;
mod truth;

pub use ablation::{Ablation, Pair, Progress, ablate};
pub use arms::{Arm, Toggle};
pub use compare::{Comparison, Figure, Kind, TaskArm, TaskFigures};
pub use consistency::{Consistency, ConsistencyPlan, ConsistencyRun, FirstToLast};
pub use done_bench::{Counts, DoneReport, Judged, Outcome, Refusals, judge_suite};
pub use episode::{Episode, Stage};
pub use error::EvalError;
pub use hostile::{Attack, AttackOutcome, Care, attack, attacks};
pub use memory_bench::{MemoryArm, MemoryPlan, MemoryReport, MemoryRun, RoundSum, memory_bench};
pub use suite::{BUILT_IN, Label, Suite, Task};
pub use truth::{Check, Truth};
