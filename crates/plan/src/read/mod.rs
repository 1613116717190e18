//! From the text of a plan file to a plan, or to everything that is wrong with it.

mod conditions;
mod fields;
mod parts;
mod steps;
mod yaml;

use serde_json::Value;
use surehand_checks::strict_json;

use crate::limits;
use crate::plan::{Named, Plan};
use crate::problem::{Problems, quoted_sentence};
use crate::validate;
use fields::Fields;

pub(crate) const PLAN_FIELDS: &[&str] =
    &["name", "about", "start_url", "values", "output", "budget", "step_budget", "recovery", "steps"];

impl Plan {
    /// Reads a plan in JSON or YAML; a text that begins with `{` is JSON. Nothing is left unchecked.
    pub fn parse(text: &str) -> Result<Plan, Problems> {
        check_size(text.len())?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value = match text.trim_start().starts_with('{') {
            true => strict_json::parse(text).map_err(|error| {
                Problems::one("", format!("the plan is not JSON: {}", quoted_sentence(&error.to_string())), "")
            })?,
            false => yaml::parse(text)?,
        };
        Plan::from_value(&value)
    }

    /// The same for what stands in the body of a request: a text, or the plan itself.
    pub fn of_request(value: &Value) -> Result<Plan, Problems> {
        match value.as_str() {
            Some(text) => Plan::parse(text),
            None => {
                check_size(value.to_string().len())?;
                Plan::from_value(value)
            }
        }
    }

    /// The same for what was read already. It may be longer than it was as a text.
    pub fn from_value(value: &Value) -> Result<Plan, Problems> {
        let mut problems = Problems::default();
        let Some(plan) = read(value, &mut problems) else { return Err(problems) };
        validate::check(&plan, &mut problems);
        problems.or(plan)
    }
}

fn check_size(bytes: usize) -> Result<(), Problems> {
    if bytes <= limits::FILE_BYTES {
        return Ok(());
    }
    let said = format!("the plan has {bytes} bytes, more than the {} that are read", limits::FILE_BYTES);
    Err(Problems::one("", said, "give long data as a file of rows"))
}

fn read(value: &Value, problems: &mut Problems) -> Option<Plan> {
    // For editors.
    let known: Vec<&str> = PLAN_FIELDS.iter().copied().chain(["$schema"]).collect();
    let fields = Fields::of("", value, &known, "a plan", problems)?;
    let plan = Plan {
        name: fields.wanted_text("name", "give the plan a short name", problems),
        about: fields.text("about", problems).unwrap_or_default(),
        start_url: fields.text("start_url", problems),
        values: Named(
            fields
                .entries("values", problems)
                .into_iter()
                .filter_map(|(place, name, value)| Some((name, parts::value_spec(&place, value, problems)?)))
                .collect(),
        ),
        output: parts::output(&fields, problems),
        budget: parts::budget(&fields, "budget", problems),
        step_budget: parts::budget(&fields, "step_budget", problems),
        recovery: parts::recovery(&fields, problems),
        steps: steps::steps(&fields, "steps", limits::NESTING, problems),
    };
    if fields.get("steps").is_none_or(|given| given.as_array().is_some_and(Vec::is_empty)) {
        problems.add("steps", "there are no steps", "a plan has at least one");
    }
    if plan.name.chars().count() > limits::NAME {
        problems.add("name", format!("the name has more than {} characters", limits::NAME), "`about` has more room");
    }
    Some(plan)
}
