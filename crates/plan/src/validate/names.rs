//! Which names a text may use at its place in the plan, and what is known of their fields.

use std::collections::HashMap;

use serde_json::{Map, Value};
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

/// What is known of a value before the plan runs. Borrowed from the plan, since every `{{…}}` asks for it and a schema
/// may be large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Known<'a> {
    Anything,
    /// No fields.
    Plain,
    /// A list of plain values.
    List,
    /// A list of objects with these fields; with any where none is named.
    Rows(&'a [String]),
    /// These fields.
    Fields(&'a [String]),
    /// Data of a JSON Schema.
    Schema(&'a Map<String, Value>),
    Secret,
}

#[derive(Debug, Clone)]
pub(super) struct Names<'a> {
    known: HashMap<&'a str, (Known<'a>, Role)>,
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
                ValueType::Rows => Known::Rows(&spec.columns),
                ValueType::List => Known::List,
                ValueType::Secret => Known::Secret,
                ValueType::Text | ValueType::Number | ValueType::Boolean => Known::Plain,
            };
            (name, (what, Role::Input))
        });
        Names { known: known.collect(), loops: 0 }
    }

    pub(super) fn get(&self, name: &str) -> Option<Known<'a>> {
        self.known.get(name).map(|(known, _)| *known)
    }

    pub(super) fn may_save(&self, name: &str) -> bool {
        self.known.get(name).is_none_or(|(_, role)| *role == Role::Saved)
    }

    pub(super) fn save(&mut self, name: &'a str, step: &'a Step) {
        let what = match &step.kind {
            // Two steps that save under one name may differ.
            _ if self.known.contains_key(name) => Known::Anything,
            StepKind::Extract { output_schema, .. } => Known::Schema(output_schema),
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

    pub(super) fn enter_loop(&mut self, item: Option<(&'a str, Known<'a>)>) -> Entered<'a> {
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
        if problems.is_full() {
            return;
        }
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
    pub(super) fn only_path(&self, place: &str, text: &str, problems: &mut Problems) -> Option<(String, Known<'a>)> {
        let template = Template::parse(text).map_err(|why| problems.add(place, why, "as in {{people}}")).ok()?;
        let Some(path) = template.only_path() else {
            problems.add(place, format!("`{}` names no list", quoted(text)), "as in {{people}} or {{page.rows}}");
            return None;
        };
        let entry = match self.resolve(place, path, problems)? {
            Known::List => Known::Plain,
            Known::Rows(columns) => row(columns),
            Known::Anything => Known::Anything,
            Known::Schema(schema) => of_schema(schema.get("items")),
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

    fn resolve(&self, place: &str, path: &Path, problems: &mut Problems) -> Option<Known<'a>> {
        if path.base() == PASS_NUMBER {
            if self.loops == 0 || !path.fields().is_empty() {
                problems.add(place, format!("`{PASS_NUMBER}` is a number, inside of a loop only"), "");
            }
            return Some(Known::Plain);
        }
        let Some(known) = self.get(path.base()) else {
            // To look for the nearest name is work, and nobody would be told.
            if problems.left_out() || problems.is_full() {
                return None;
            }
            let mut names: Vec<&str> = self.known.keys().copied().collect();
            names.sort_unstable();
            let hint = if names.is_empty() { "declare it in `values`".into() } else { nearest(path.base(), &names) };
            problems.add(place, format!("nothing before this has the name `{}`", quoted(path.base())), hint);
            return None;
        };
        let mut here = known;
        for field in path.fields() {
            here = match below(here, field) {
                Ok(next) => next,
                Err(_) if problems.is_full() => return None,
                Err(missing) => {
                    let said = format!("`{}` has no `{}`", quoted(path.base()), quoted(field));
                    problems.add(place, said, missing.hint(field));
                    return None;
                }
            };
        }
        Some(here)
    }
}

/// A field that is not there.
enum Missing<'a> {
    Because(&'static str),
    /// There are others.
    Fields(&'a [String]),
    Properties(&'a Map<String, Value>),
}

impl Missing<'_> {
    fn hint(&self, field: &str) -> String {
        match self {
            Missing::Because(why) => (*why).to_owned(),
            Missing::Fields(names) => nearest(field, &names.iter().map(String::as_str).collect::<Vec<_>>()),
            Missing::Properties(map) => nearest(field, &map.keys().map(String::as_str).collect::<Vec<_>>()),
        }
    }
}

/// What is known of a field.
fn below<'a>(known: Known<'a>, field: &str) -> Result<Known<'a>, Missing<'a>> {
    let number = field.parse::<usize>().is_ok();
    match known {
        Known::Anything => Ok(Known::Anything),
        Known::Plain | Known::Secret => Err(Missing::Because("it has no fields")),
        Known::Fields(names) if names.iter().any(|name| name == field) => Ok(Known::Plain),
        Known::Fields(names) => Err(Missing::Fields(names)),
        Known::List if number => Ok(Known::Plain),
        Known::Rows(columns) if number => Ok(row(columns)),
        Known::List | Known::Rows(_) => {
            Err(Missing::Because("it is a list: go over it with a loop, or name an entry by its number"))
        }
        Known::Schema(schema) => {
            if number && schema.contains_key("items") {
                return Ok(of_schema(schema.get("items")));
            }
            match schema.get("properties").and_then(Value::as_object) {
                None => Ok(Known::Anything),
                Some(properties) => match properties.get(field) {
                    Some(next) => Ok(of_schema(Some(next))),
                    None if schema.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false)) => {
                        Ok(Known::Anything)
                    }
                    None => Err(Missing::Properties(properties)),
                },
            }
        }
    }
}

fn row(columns: &[String]) -> Known<'_> {
    if columns.is_empty() { Known::Anything } else { Known::Fields(columns) }
}

/// A schema that is no object says nothing about fields.
fn of_schema(schema: Option<&Value>) -> Known<'_> {
    schema.and_then(Value::as_object).map_or(Known::Anything, Known::Schema)
}
