//! What can go wrong. Memory is a help: nobody's run ends because of it.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    #[error("the lessons cannot be reached: {0}")]
    Shelf(String),
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("the file is of version {found}, and {known} is the newest that is known. hint: use a newer surehand")]
    Version { found: u64, known: u64 },
    #[error("this is no export of lessons. hint: make one with `surehand lessons export`")]
    NoExport,
}
