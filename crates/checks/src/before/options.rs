//! Which options of a select a brain meant. All wanted values are found, or none is chosen.

use surehand_types::observation::SelectChoice;
use surehand_types::{CallProblem, ErrorCode};

/// Labels that a refusal lists at most.
const LISTED: usize = 30;

/// Positions of the options to select, in the order of the list, without repeats.
pub fn find_options(choices: &[SelectChoice], multiple: bool, wanted: &[String]) -> Result<Vec<usize>, CallProblem> {
    let mut found = Vec::new();
    for value in wanted {
        let index = find_one(choices, value)?;
        if choices[index].disabled {
            let message = format!("the option {:?} is disabled", shown(&choices[index]));
            return Err(CallProblem { code: ErrorCode::OptionDisabled, message });
        }
        if !found.contains(&index) {
            found.push(index);
        }
    }
    if found.len() > 1 && !multiple {
        let message = format!("this select takes one option, {} were given", found.len());
        return Err(CallProblem { code: ErrorCode::NotMultiple, message });
    }
    found.sort_unstable();
    Ok(found)
}

/// Exact value, then exact trimmed label, then the one label that contains it in any case.
fn find_one(choices: &[SelectChoice], wanted: &str) -> Result<usize, CallProblem> {
    let first = |fits: &dyn Fn(&SelectChoice) -> bool| {
        // Of two that fit equally well the one that can be chosen is meant.
        let able = choices.iter().position(|choice| fits(choice) && !choice.disabled);
        able.or_else(|| choices.iter().position(fits))
    };
    if let Some(index) = first(&|choice| choice.value == wanted) {
        return Ok(index);
    }
    if let Some(index) = first(&|choice| choice.label.trim() == wanted.trim()) {
        return Ok(index);
    }
    let needle = wanted.trim().to_lowercase();
    let matching: Vec<usize> = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| !needle.is_empty() && choice.label.to_lowercase().contains(&needle))
        .map(|(index, _)| index)
        .collect();
    match matching.as_slice() {
        [index] => Ok(*index),
        [] => {
            let message = format!("no option is {wanted:?}; there are: {}", listed(choices.iter()));
            Err(CallProblem { code: ErrorCode::OptionNotFound, message })
        }
        several => {
            let fitting = listed(several.iter().map(|index| &choices[*index]));
            let message = format!("{wanted:?} fits several options: {fitting}");
            Err(CallProblem { code: ErrorCode::OptionAmbiguous, message })
        }
    }
}

fn listed<'a>(choices: impl Iterator<Item = &'a SelectChoice>) -> String {
    let mut labels: Vec<String> = choices.map(|choice| format!("{:?}", shown(choice))).collect();
    let more = labels.len().saturating_sub(LISTED);
    labels.truncate(LISTED);
    match (labels.is_empty(), more) {
        (true, _) => "none".into(),
        (false, 0) => labels.join(", "),
        (false, more) => format!("{} and {more} more", labels.join(", ")),
    }
}

fn shown(choice: &SelectChoice) -> String {
    let text = if choice.label.trim().is_empty() { &choice.value } else { &choice.label };
    let (text, mut short) = (text.trim(), String::new());
    short.extend(text.chars().take(80));
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Vec<SelectChoice> {
        let choice = |value: &str, label: &str, disabled: bool| SelectChoice {
            value: value.into(),
            label: label.into(),
            selected: false,
            disabled,
        };
        vec![
            choice("", "Choose…", true),
            choice("de", " Germany ", false),
            choice("ge", "Georgia", false),
            choice("us-ga", "Georgia (US)", false),
            choice("Georgia", "Tbilisi", false),
            choice("old", "Yugoslavia", true),
        ]
    }

    fn check(multiple: bool, wanted: &[&str], expected: Result<&[usize], ErrorCode>) {
        let wanted: Vec<String> = wanted.iter().map(|text| text.to_string()).collect();
        let found = find_options(&choices(), multiple, &wanted);
        let found = found.as_deref().map_err(|problem| problem.code);
        assert_eq!(found, expected, "{wanted:?}");
    }

    #[test]
    fn values_beat_labels_beat_parts() {
        check(false, &["de"], Ok(&[1]));
        check(false, &["Germany"], Ok(&[1]));
        check(false, &["  Germany"], Ok(&[1]));
        check(false, &["Georgia"], Ok(&[4]));
        check(false, &["germ"], Ok(&[1]));
        check(false, &["GEORGIA ("], Ok(&[3]));
    }

    #[test]
    fn anything_doubtful_chooses_nothing() {
        check(false, &["georgia"], Err(ErrorCode::OptionAmbiguous));
        check(false, &["France"], Err(ErrorCode::OptionNotFound));
        check(false, &[" "], Err(ErrorCode::OptionNotFound));
        check(false, &["old"], Err(ErrorCode::OptionDisabled));
        check(false, &[""], Err(ErrorCode::OptionDisabled));
        check(true, &["de", "France"], Err(ErrorCode::OptionNotFound));
    }

    #[test]
    fn several_values_need_a_multiple_select() {
        check(false, &["de", "ge"], Err(ErrorCode::NotMultiple));
        check(false, &["de", "Germany"], Ok(&[1]));
        check(true, &["us-ga", "de"], Ok(&[1, 3]));
    }

    #[test]
    fn a_refusal_lists_thirty_labels_at_most() {
        let many: Vec<SelectChoice> = (0..50)
            .map(|n| SelectChoice { value: n.to_string(), label: format!("L{n}"), selected: false, disabled: false })
            .collect();
        let problem = find_options(&many, false, &["x".into()]).unwrap_err();
        assert!(problem.message.ends_with("\"L29\" and 20 more"), "{}", problem.message);
    }
}
