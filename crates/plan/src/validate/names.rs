//! Which names a text may use at its place in the plan, and what is known of their fields.

use std::collections::HashMap;

use serde_json::Value;
use surehand_types::secret::{names_in, placeholder};

use crate::plan::{PASS_NUMBER, Plan, Step, StepKind, ValueType};
use crate::problem::{Problems, nearest, quoted};
use crate::template::{Path, Template};

/// Whether a text may name secrets: only where they are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secrets {
    Allowed,
    Refused,
}

/// What is known of a value before the plan runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    Anything,
    /// No fields.
    Plain,
    /// These fields.
    Fields(Vec<String>),
    /// A list of such entries.
    List(Box<Known>),
    /// Data of a JSON Schema.
    Schema(Value),
    Secret,
}

#[derive(Debug, Clone)]
pub(super) struct Names<'a> {
    known: HashMap<&'a str, (Known, Role)>,
    loops: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Input,
    Saved,
    Item,
}

/// What to undo at the end of a loop.
pub(super) struct Entered<'a>(Option<&'a str>);

impl<'a> Names<'a> {
    pub(super) fn of(plan: &'a Plan) -> Names<'a> {
        let known = plan.values.iter().map(|(name, spec)| {
            let what = match spec.r#type {
                ValueType::Rows if spec.columns.is_empty() => Known::List(Box::new(Known::Anything)),
                ValueType::Rows => Known::List(Box::new(Known::Fields(spec.columns.clone()))),
                ValueType::List => Known::List(Box::new(Known::Plain)),
                ValueType::Secret => Known::Secret,
                ValueType::Text | ValueType::Number | ValueType::Boolean => Known::Plain,
            };
            (name, (what, Role::Input))
        });
        Names { known: known.collect(), loops: 0 }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Known> {
        self.known.get(name).map(|(known, _)| known)
    }

    pub(super) fn may_save(&self, name: &str) -> bool {
        self.known.get(name).is_none_or(|(_, role)| *role == Role::Saved)
    }

    pub(super) fn save(&mut self, name: &'a str, step: &Step) {
        let what = match &step.kind {
            // Two steps that save under one name may differ.
            _ if self.known.contains_key(name) => Known::Anything,
            StepKind::Extract { output_schema, .. } => Known::Schema(Value::Object(output_schema.clone())),
            _ => Known::Plain,
        };
        self.known.insert(name, (what, Role::Saved));
    }

    pub(super) fn with_saved_in(&self, steps: &'a [Step], between: &'a [Step]) -> Names<'a> {
        let mut names = self.clone();
        let mut open: Vec<&'a Step> = steps.iter().chain(between).collect();
        while let Some(step) = open.pop() {
            if let Some(name) = step.save_as() {
                names.save(name, step);
            }
            match &step.kind {
                StepKind::Loop { steps, between, .. } => open.extend(steps.iter().chain(between)),
                StepKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
                _ => {}
            }
        }
        names
    }

    pub(super) fn enter_loop(&mut self, item: Option<(&'a str, Known)>) -> Entered<'a> {
        self.loops += 1;
        let Some((name, known)) = item.filter(|(name, _)| !self.known.contains_key(name)) else { return Entered(None) };
        self.known.insert(name, (known, Role::Item));
        Entered(Some(name))
    }

    pub(super) fn leave_loop(&mut self, entered: Entered<'a>) {
        self.loops -= 1;
        if let Some(name) = entered.0 {
            self.known.remove(name);
        }
    }

    /// Checks every `{{…}}` of a text, and its secrets.
    pub(super) fn text(&self, place: &str, text: &str, secrets: Secrets, problems: &mut Problems) {
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(why) => return problems.add(place, why, "a value is named as in {{row.email}}"),
        };
        let mut names_secret = !names_in(text).is_empty();
        for path in template.paths() {
            names_secret |= matches!(self.resolve(place, path, problems), Some(Known::Secret));
        }
        if names_secret && secrets == Secrets::Refused {
            problems.add(
                place,
                "a secret cannot stand here, where it would be read",
                "secrets go into fields and values",
            );
        }
        if text.matches("<secret:").count() != names_in(text).len() {
            let said = "this looks like the placeholder of a secret, but is none";
            problems.add(place, said, format!("write it as {}", placeholder("NAME")));
        }
    }

    /// A name without braces.
    pub(super) fn path(&self, place: &str, text: &str, problems: &mut Problems) {
        match Path::parse(text) {
            Ok(path) => drop(self.resolve(place, &path, problems)),
            Err(why) => problems.add(place, why, "without braces, as in row.email"),
        }
    }

    /// A text that is nothing but one `{{…}}` and names a list: its name and what its entries are.
    pub(super) fn only_path(&self, place: &str, text: &str, problems: &mut Problems) -> Option<(String, Known)> {
        let template = Template::parse(text).map_err(|why| problems.add(place, why, "as in {{people}}")).ok()?;
        let Some(path) = template.only_path() else {
            problems.add(place, format!("`{}` names no list", quoted(text)), "as in {{people}} or {{page.rows}}");
            return None;
        };
        let entry = match self.resolve(place, path, problems)? {
            Known::List(entry) => *entry,
            Known::Anything => Known::Anything,
            Known::Schema(schema) => match schema.get("items") {
                Some(items) => Known::Schema(items.clone()),
                None => Known::Anything,
            },
            Known::Plain | Known::Fields(_) | Known::Secret => {
                problems.add(
                    place,
                    format!("`{}` is no list", quoted(&path.to_string())),
                    "declare it as rows or list",
                );
                Known::Anything
            }
        };
        Some((path.base().to_owned(), entry))
    }

    fn resolve(&self, place: &str, path: &Path, problems: &mut Problems) -> Option<Known> {
        if path.base() == PASS_NUMBER {
            if self.loops == 0 || !path.fields().is_empty() {
                problems.add(place, format!("`{PASS_NUMBER}` is a number, inside of a loop only"), "");
            }
            return Some(Known::Plain);
        }
        let Some(known) = self.get(path.base()) else {
            if problems.left_out() {
                return None;
            }
            let mut names: Vec<&str> = self.known.keys().copied().collect();
            names.sort_unstable();
            let hint = if names.is_empty() { "declare it in `values`".into() } else { nearest(path.base(), &names) };
            problems.add(place, format!("nothing before this has the name `{}`", quoted(path.base())), hint);
            return None;
        };
        let mut here = known.clone();
        for field in path.fields() {
            here = match below(&here, field) {
                Ok(next) => next,
                Err(hint) => {
                    let said = format!("`{}` has no `{}`", quoted(path.base()), quoted(field));
                    problems.add(place, said, hint);
                    return None;
                }
            };
        }
        Some(here)
    }
}

/// What is known of a field; the error is a hint.
fn below(known: &Known, field: &str) -> Result<Known, String> {
    let number = field.parse::<usize>().is_ok();
    match known {
        Known::Anything => Ok(Known::Anything),
        Known::Plain | Known::Secret => Err("it has no fields".into()),
        Known::Fields(names) if names.iter().any(|name| name == field) => Ok(Known::Plain),
        Known::Fields(names) => Err(nearest(field, &names.iter().map(String::as_str).collect::<Vec<_>>())),
        Known::List(entry) if number => Ok((**entry).clone()),
        Known::List(_) => Err("it is a list: go over it with a loop, or name an entry by its number".into()),
        Known::Schema(schema) => {
            if number && let Some(items) = schema.get("items") {
                return Ok(Known::Schema(items.clone()));
            }
            match schema.get("properties").and_then(Value::as_object) {
                None => Ok(Known::Anything),
                Some(properties) => match properties.get(field) {
                    Some(next) => Ok(Known::Schema(next.clone())),
                    None if schema.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false)) => {
                        Ok(Known::Anything)
                    }
                    None => Err(nearest(field, &properties.keys().map(String::as_str).collect::<Vec<_>>())),
                },
            }
        }
    }
}
