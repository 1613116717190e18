//! Plans: many steps that are done one after another, with loops, conditions, questions and data that is
//! collected. This crate reads and checks them, and decides what to do next; whoever runs a plan does that
//! and reports what came of it. It does no IO, reads no clock and knows no async runtime, so a plan that is
//! interrupted anywhere goes on as if it had not been.

pub mod agreement;
pub mod csv;
pub mod extraction;
pub mod inputs;
pub mod limits;
pub mod machine;
pub mod plan;
pub mod predicates;
pub mod problem;
pub mod template;

mod forms;
mod read;
mod schema;
mod validate;

pub use extraction::{Evidence, FrameName};
pub use inputs::Inputs;
pub use machine::{Machine, Outcome, Position, Used, Work};
pub use plan::Plan;
pub use problem::{Problem, Problems};
pub use schema::plan_schema;
