//! Who says whether a run succeeded: never the brain that did the work. Start reading at `rule`, which puts the
//! parties together: `contract` (what has to hold), `examine` (whether it does), `judge` (a model that looks at
//! the last picture), `fusion` (the table that makes one verdict of the two).

mod baseline;
mod checks;
mod contract;
mod evidence;
mod examine;
mod finding;
pub mod fusion;
mod interval;
pub mod judge;
mod output_schema;
pub mod probes;
mod ruling;
mod sight;
pub mod steps;
pub mod summary;

pub use baseline::Baseline;
pub use contract::{Authority, Contract, ContractError, PassRule, contract_schema};
pub use evidence::{Evidence, MissingRow, PROBE_DEADLINE, Shot};
pub use examine::{ContractReport, Crop, Grounds, examine};
pub use fusion::{Accept, JudgeFinding};
pub use interval::exact_interval;
pub use judge::{JudgeReport, JudgeSettings, write_rubric};
pub use output_schema::OutputSchema;
pub use probes::{Folders, NoProbes, Probes};
pub use ruling::{Case, Judging, Ruling, decide, rule};
