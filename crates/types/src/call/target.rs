//! A script may name an element instead of a coordinate. It is resolved against the interactables
//! at the moment the call runs, because only then is the page what the script's author expected.

use serde_json::{Map, Value};

use super::CallProblem;
use crate::coords::GridPoint;
use crate::observation::Interactable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetQuery {
    pub text: Option<String>,
    pub role: Option<String>,
    /// Zero-based among the matches, in reading order.
    pub index: Option<usize>,
}

impl TargetQuery {
    /// Takes `target` out of a call, leaving a plain native call that still lacks its coordinate.
    pub fn take(call: &mut Map<String, Value>) -> Result<Option<TargetQuery>, CallProblem> {
        let Some(value) = call.shift_remove("target") else {
            return Ok(None);
        };
        let wrong = || {
            CallProblem::invalid(
                "target must be an object with text, role or both, and optionally index, like {\"role\":\"button\",\"text\":\"Save\"}",
            )
        };
        let map = value.as_object().ok_or_else(wrong)?;
        let mut query = TargetQuery { text: None, role: None, index: None };
        for (name, field) in map {
            match (name.as_str(), field) {
                ("text", Value::String(text)) => query.text = Some(text.clone()),
                ("role", Value::String(role)) => query.role = Some(role.to_ascii_lowercase()),
                ("index", Value::Number(number)) => {
                    query.index = Some(number.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(wrong)?);
                }
                _ => return Err(wrong()),
            }
        }
        if query.text.is_none() && query.role.is_none() {
            return Err(wrong());
        }
        if call.contains_key("coordinate") {
            return Err(CallProblem::invalid("target and coordinate exclude each other: give one of them"));
        }
        Ok(Some(query))
    }

    /// The centre of the one element that is meant. Exact names beat names that merely contain the text.
    pub fn resolve(&self, interactables: &[Interactable]) -> Result<GridPoint, String> {
        let of_role: Vec<&Interactable> =
            interactables.iter().filter(|item| self.role.as_deref().is_none_or(|role| item.role == role)).collect();
        let matches: Vec<&Interactable> = match &self.text {
            None => of_role,
            Some(text) => {
                let wanted = folded(text);
                let exact: Vec<&Interactable> =
                    of_role.iter().copied().filter(|item| folded(&item.name) == wanted).collect();
                if exact.is_empty() {
                    of_role.into_iter().filter(|item| folded(&item.name).contains(&wanted)).collect()
                } else {
                    exact
                }
            }
        };
        match (self.index, matches.as_slice()) {
            (None, [only]) => Ok(only.bounds.centre()),
            (Some(index), found) if index < found.len() => Ok(found[index].bounds.centre()),
            (_, []) => Err(format!("no element matches the target {self}")),
            (None, several) => Err(format!(
                "{} elements match the target {self}: {}; add an index",
                several.len(),
                several.iter().take(4).map(|item| item.descriptor()).collect::<Vec<_>>().join(", ")
            )),
            (Some(index), several) => {
                Err(format!("the target {self} asks for index {index}, but only {} elements match", several.len()))
            }
        }
    }
}

impl std::fmt::Display for TargetQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let role = self.role.as_deref().unwrap_or("element");
        match &self.text {
            Some(text) => write!(f, "{role} {text:?}"),
            None => write!(f, "{role}"),
        }
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
