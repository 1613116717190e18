//! Plans as files: what is refused and in which words, what survives garbage, and that the examples and the
//! documentation hold.

mod examples;
mod garbage;
mod refused;
