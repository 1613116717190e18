//! Pure judgements over the vocabulary of `surehand-types`: the same inputs give the same answer for
//! ever. `before` decides whether a call may run, `after` compares what was with what is, `done` judges a
//! claimed end, and `picture` is the image arithmetic that they and the environments need. `csv` and
//! `strict_json` read outside text for whoever judges it.

pub mod action;
pub mod after;
pub mod before;
pub mod csv;
pub mod done;
pub mod picture;
pub mod schema_work;
pub mod strict_json;
