//! Pure judgements over the vocabulary of `surehand-types`: the same inputs give the same answer for
//! ever. `before` decides whether a call may run, `after` compares what was with what is, `picture`
//! is the image arithmetic both of them and the environments need.

pub mod after;
pub mod before;
pub mod picture;
