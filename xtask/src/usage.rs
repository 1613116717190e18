//! Mistakes in the command line: the error that exits with 2, and hints with the nearest known
//! name. Separate because both the dispatch and the single commands make these errors.

use std::fmt;

/// An error in how xtask was called, as opposed to work that failed.
#[derive(Debug)]
pub(crate) struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// An error for any wrong use.
pub(crate) fn wrong(text: impl Into<String>) -> anyhow::Error {
    UsageError(text.into()).into()
}

/// An error for a name that is not among the known ones.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    let hint = match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    };
    wrong(format!("there is no {what} `{name}`. hint: {hint}"))
}

/// The known name that is close enough to be a likely slip of the fingers.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (distance(name, candidate), *candidate))
        // A third of the letters wrong is a slip; more is another word.
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

// Levenshtein distance where swapping two neighbours counts once, as it is the commonest slip.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for row in 1..=left.len() {
        let mut current = vec![row];
        for column in 1..=right.len() {
            let same = left[row - 1] == right[column - 1];
            let mut best = (rows[row - 1][column - 1] + usize::from(!same))
                .min(rows[row - 1][column] + 1)
                .min(current[column - 1] + 1);
            let swapped =
                row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1];
            if swapped {
                best = best.min(rows[row - 2][column - 2] + 1);
            }
            current.push(best);
        }
        rows.push(current);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["setup", "demo", "test", "tidy", "bench", "help"];

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("tset", KNOWN), Some("test"));
        assert_eq!(nearest("setpu", KNOWN), Some("setup"));
        assert_eq!(nearest("tests", KNOWN), Some("test"));
        assert_eq!(nearest("tdy", KNOWN), Some("tidy"));
        assert_eq!(nearest("bnech", KNOWN), Some("bench"));
    }

    #[test]
    fn other_words_are_not_guessed_at() {
        assert_eq!(nearest("deploy", KNOWN), None);
        assert_eq!(nearest("", KNOWN), None);
    }

    #[test]
    fn without_a_near_name_all_are_listed() {
        let error = unknown("command", "deploy", KNOWN).to_string();
        assert!(error.contains("known are setup, demo"), "{error}");
    }
}
