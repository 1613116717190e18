//! `routine:FILE[,NAME=VALUE]…[,then=SPEC]`. A comma or backslash inside a part has a backslash before it; `then` is the
//! last part and has none, because what follows is another brain's own words.

use std::collections::BTreeMap;
use std::path::PathBuf;

use surehand_types::routine::is_value_name;

use super::{RoutineBrain, read_routine};
use crate::brain::Brain;
use crate::error::BrainError;
use crate::spec::{BrainOptions, BrainSpec, open};

/// Which file, with which values, and who goes on where it does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutineSpec {
    pub file: PathBuf,
    pub values: BTreeMap<String, String>,
    pub then: Option<Box<BrainSpec>>,
}

const LIKE: &str = "write it like --brain routine:order.json,customer=Ada,then=anthropic";

impl RoutineSpec {
    pub fn of_file(file: impl Into<PathBuf>) -> Self {
        RoutineSpec { file: file.into(), values: BTreeMap::new(), then: None }
    }

    pub(crate) fn parse(text: &str) -> Result<RoutineSpec, BrainError> {
        let (file, mut rest) = part(text);
        if file.trim().is_empty() {
            return Err(BrainError::usage("the routine brain names no file".to_string(), LIKE));
        }
        let mut spec = RoutineSpec::of_file(file.trim());
        while let Some(more) = rest {
            if let Some(then) = more.trim_start().strip_prefix("then=") {
                spec.then = Some(Box::new(second(then)?));
                break;
            }
            let (pair, after) = part(more);
            let (name, value) = pair.split_once('=').map(|(name, value)| (name.trim(), value)).unwrap_or((&pair, ""));
            if !pair.contains('=') || !is_value_name(name) {
                let shown: String = pair.chars().take(60).collect();
                return Err(BrainError::usage(format!("{shown:?} is no value of a routine, like NAME=TEXT"), LIKE));
            }
            if spec.values.insert(name.to_string(), value.to_string()).is_some() {
                return Err(BrainError::usage(format!("the value {name:?} is given twice"), LIKE));
            }
            rest = after;
        }
        Ok(spec)
    }

    pub(crate) fn open(&self, options: BrainOptions) -> Result<Box<dyn Brain>, BrainError> {
        let routine = read_routine(&self.file)?;
        let filled = routine.filled(&self.values).map_err(|problem| {
            BrainError::usage(problem.to_string(), "values are made by runs export --routine --parameter NAME=TEXT")
        })?;
        let second = self.then.as_deref().map(|spec| open(spec, options)).transpose()?;
        Ok(Box::new(RoutineBrain::new(format!("routine:{self}"), filled, second)))
    }
}

fn second(text: &str) -> Result<BrainSpec, BrainError> {
    match BrainSpec::parse(text)? {
        BrainSpec::Routine(_) => {
            Err(BrainError::usage("a routine cannot hand over to another routine".to_string(), LIKE))
        }
        spec => Ok(spec),
    }
}

/// Up to the next comma, without its backslashes, and what follows the comma.
fn part(text: &str) -> (String, Option<&str>) {
    let mut part = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ',' => return (part, text.get(at + 1..)),
            '\\' => match characters.clone().next() {
                Some((_, next @ (',' | '\\'))) => {
                    part.push(next);
                    characters.next();
                }
                _ => part.push('\\'),
            },
            other => part.push(other),
        }
    }
    (part, None)
}

impl std::fmt::Display for RoutineSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let escaped = |text: &str| text.replace('\\', "\\\\").replace(',', "\\,");
        f.write_str(&escaped(&self.file.display().to_string()))?;
        for (name, value) in &self.values {
            write!(f, ",{name}={}", escaped(value))?;
        }
        match &self.then {
            Some(then) => write!(f, ",then={then}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_read_and_shown() {
        let spec = RoutineSpec::parse("a.json,who=Ada\\, Countess,n=1=2,then=exec:sh -c 'a, b'").unwrap();
        assert_eq!(spec.file, PathBuf::from("a.json"));
        assert_eq!(spec.values["who"], "Ada, Countess");
        assert_eq!(spec.values["n"], "1=2");
        assert_eq!(spec.then.as_deref(), Some(&BrainSpec::Exec("sh -c 'a, b'".into())));
        assert_eq!(RoutineSpec::parse(&spec.to_string()), Ok(spec));
        assert_eq!(RoutineSpec::parse("C:\\x.json").unwrap().file, PathBuf::from("C:\\x.json"));
    }

    #[test]
    fn wrong_specs_are_one_sentence() {
        for (text, part) in [
            ("", "names no file"),
            ("a.json,", "is no value"),
            ("a.json,who", "is no value"),
            ("a.json,a b=c", "is no value"),
            ("a.json,a=1,a=2", "given twice"),
            ("a.json,then=", "has no kind"),
            ("a.json,then=magic:x", "no brain kind"),
            ("a.json,then=routine:b.json", "cannot hand over"),
        ] {
            let error = RoutineSpec::parse(text).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("; hint: "), "{error}");
        }
    }
}
