//! Runs plans. The machine of the crate `plan` says what comes next; here it is done, through the same loop and the same
//! hand as every other run, in one browser and one trace. Start reading at `agenda`: it is the order of a plan's step.

mod agenda;
mod asking;
mod checkpoint;
mod errands;
mod evidence;
mod extracting;
mod looking;
mod output;
mod plan_run;
mod rows_file;
mod unsent;
mod words;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use output::{OutputFile, TableChoice, output_text, read_output};
pub use plan_run::PlanRun;
