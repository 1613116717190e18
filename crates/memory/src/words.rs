//! Texts as words: what ranking, conflict checks and the index compare. Never parts of words.

use std::collections::BTreeSet;

/// Lower-case runs of ASCII letters, digits and underscores, in order.
pub fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower
        .split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

/// Every word once, sorted. Words of other scripts count as well, so that no language is without any.
pub fn word_set(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

/// The share of common members; 0 where both are empty.
pub fn jaccard<T: Ord>(left: &BTreeSet<T>, right: &BTreeSet<T>) -> f64 {
    let common = left.intersection(right).count();
    let all = left.len() + right.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// White space in runs becomes one space; none is left at the ends.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_without_case() {
        assert_eq!(tokens("Don't re-use E_1 (twice)"), ["don", "t", "re", "use", "e_1", "twice"]);
        assert_eq!(word_set("Straße straße b a"), ["a", "b", "straße"].map(String::from).into());
        assert_eq!(collapsed(" a \n b\t"), "a b");
    }

    #[test]
    fn overlap_is_a_share_of_all() {
        let set = |text: &str| word_set(text);
        assert_eq!(jaccard(&set("click blocked by banner"), &set("press escape to close the banner")), 1.0 / 9.0);
        assert_eq!(jaccard(&set(""), &set("")), 0.0);
    }
}
