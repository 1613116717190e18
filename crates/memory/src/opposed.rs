//! Whether two rules say the opposite of each other. By words: `use` is not part of `because`, and a rule that
//! says `must not` does not also say `must`.

use std::collections::BTreeSet;

use crate::identity::normalised_rule;
use crate::lesson::Lesson;
use crate::rules::Matching;
use crate::words::{jaccard, tokens};

/// A wording and its opposite.
const PAIRS: &[(&str, &str)] = &[
    ("must", "must not"),
    ("requires", "does not require"),
    ("use", "do not use"),
    ("lowercase", "uppercase"),
    ("quoted", "unquoted"),
];

/// Further pairs for comparing by words, among them those of our own rules.
const WORD_PAIRS: &[(&str, &str)] = &[
    ("use", "never use"),
    ("use", "avoid"),
    ("require", "does not require"),
    ("needs", "does not need"),
    ("always", "never"),
    ("before", "after"),
    ("works", "does not work"),
    ("worked", "had no effect"),
    ("enable", "disable"),
    ("on", "off"),
];

/// Rules about different things cannot contradict each other. This much of the other words has to be common.
const SAME_SUBJECT: f64 = 0.4;

/// Lessons that share a trigger and say the opposite.
pub fn are_opposed(left: &Lesson, right: &Lesson, matching: Matching) -> bool {
    left.triggers.iter().any(|trigger| right.triggers.contains(trigger))
        && rules_are_opposed(&left.rule, &right.rule, matching)
}

pub fn rules_are_opposed(left: &str, right: &str, matching: Matching) -> bool {
    match matching {
        Matching::Prefix => {
            let (left, right) = (normalised_rule(left), normalised_rule(right));
            PAIRS.iter().any(|(one, other)| {
                (left.contains(one) && right.contains(other)) || (left.contains(other) && right.contains(one))
            })
        }
        Matching::Words => {
            let (left, right) = (tokens(left), tokens(right));
            PAIRS.iter().chain(WORD_PAIRS).any(|(one, other)| {
                says_opposite(&left, &right, one, other) || says_opposite(&right, &left, one, other)
            })
        }
    }
}

/// `left` says `one`, `right` says `other`, neither says both, and the rest is about the same.
fn says_opposite(left: &[String], right: &[String], one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split(' ').collect(), other.split(' ').collect());
    let (Some(left_rest), Some(right_rest)) = (without(left, &one), without(right, &other)) else { return false };
    if without(left, &other).is_some() || without(&right_rest, &one).is_some() {
        return false;
    }
    let subject = |words: Vec<String>| -> BTreeSet<String> {
        words.into_iter().filter(|word| !matches!(word.as_str(), "a" | "an" | "the" | "to" | "it")).collect()
    };
    let (left_rest, right_rest) = (subject(left_rest), subject(right_rest));
    (left_rest.is_empty() && right_rest.is_empty()) || jaccard(&left_rest, &right_rest) >= SAME_SUBJECT
}

/// The words with the first such phrase taken out; `None` where it is not there.
fn without(words: &[String], phrase: &[&str]) -> Option<Vec<String>> {
    let at =
        words.windows(phrase.len()).position(|window| window.iter().zip(phrase).all(|(word, part)| word == part))?;
    Some(words[..at].iter().chain(&words[at + phrase.len()..]).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, words: bool, prefix: bool) {
        for (left, right) in [(left, right), (right, left)] {
            assert_eq!(rules_are_opposed(left, right, Matching::Words), words, "{left} / {right} by words");
            assert_eq!(rules_are_opposed(left, right, Matching::Prefix), prefix, "{left} / {right} by parts");
        }
    }

    #[test]
    fn opposites_are_told_from_look_alikes() {
        check("Search requires pressing Enter", "Search does not require pressing Enter", true, true);
        check("You must save first", "You must not save first", true, true);
        check("Use the menu", "Do not use the menu", true, true);
        check("names are quoted", "names are unquoted", true, true);
        check("Press Enter", "Press Escape", false, false);
        // What the comparison by parts takes for opposites.
        check("You must not save first", "You must not close first", false, true);
        check("names stay unquoted", "names unquoted", false, true);
        check("It fails because of the banner", "Do not use the banner", false, true);
        check("Use the menu", "Do not use the mouse wheel on canvases", false, true);
    }
}
