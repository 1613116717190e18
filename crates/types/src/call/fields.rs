//! Reads one field of a call against its declaration. Lenient where a model's habit is harmless
//! (300.0, "300"), strict where guessing would act on something nobody asked for.

use serde_json::{Map, Value};

use super::CallProblem;
use super::spec::{FieldKind, FieldSpec, ToolSpec};
use crate::coords::{GRID_MAX, GridBox, GridPoint};
use crate::keys::Modifier;

/// The fields of one call, checked against the tool's table; the accessors cannot fail any more.
pub(super) struct Fields<'a> {
    tool: &'static ToolSpec,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Checks names, kinds and bounds of everything that was given.
    pub(super) fn check(tool: &'static ToolSpec, map: &'a Map<String, Value>) -> Result<Self, CallProblem> {
        for (name, value) in map {
            if name == "tool" {
                continue;
            }
            let Some(field) = tool.field(name) else {
                return Err(unknown_field(tool, name));
            };
            if !value.is_null() {
                check_kind(tool, field, value)?;
            }
        }
        let fields = Fields { tool, map };
        for field in tool.fields.iter().filter(|field| field.required) {
            if fields.raw(field.name).is_none() {
                return Err(fields.missing(field.name, ""));
            }
        }
        Ok(fields)
    }

    /// The given value, or the declared default. `null` counts as not given: strict function
    /// calling makes models send it for every optional field.
    pub(super) fn raw(&self, name: &str) -> Option<Value> {
        let given = self.map.get(name).filter(|value| !value.is_null()).cloned();
        given.or_else(|| {
            let default = self.tool.field(name)?.default?;
            serde_json::from_str(default).ok()
        })
    }

    pub(super) fn missing(&self, name: &str, when: &str) -> CallProblem {
        let kind = self.tool.field(name).map(|field| field.kind.describe()).unwrap_or_default();
        CallProblem::invalid(format!("{}.{name} is needed{when}: {kind}", self.tool.name))
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.raw(name)? {
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    }

    pub(super) fn choice(&self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.raw(name).as_ref().and_then(as_integer)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.raw(name).as_ref().and_then(as_number)
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.raw(name)?.as_bool()
    }

    pub(super) fn point(&self, name: &str) -> Option<GridPoint> {
        match grid_values(&self.raw(name)?).as_deref() {
            Some([x, y]) => Some(GridPoint::new(*x, *y)),
            _ => None,
        }
    }

    pub(super) fn region(&self, name: &str) -> Option<GridBox> {
        match grid_values(&self.raw(name)?).as_deref() {
            Some([x0, y0, x1, y1]) => Some(GridBox { x0: *x0, y0: *y0, x1: *x1, y1: *y1 }),
            _ => None,
        }
    }

    pub(super) fn text_list(&self, name: &str) -> Vec<String> {
        let Some(Value::Array(items)) = self.raw(name) else {
            return Vec::new();
        };
        items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
    }

    pub(super) fn modifiers(&self) -> Vec<Modifier> {
        let mut modifiers: Vec<Modifier> =
            self.text_list("modifiers").iter().filter_map(|name| Modifier::parse(name)).collect();
        modifiers.sort();
        modifiers.dedup();
        modifiers
    }
}

fn unknown_field(tool: &ToolSpec, name: &str) -> CallProblem {
    let shown: String = name.chars().take(40).collect();
    let known: Vec<&str> = tool.fields.iter().map(|field| field.name).collect();
    let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    CallProblem::invalid(format!("{}.{shown} is not a field of this tool; its fields are: {known}", tool.name))
}

fn check_kind(tool: &ToolSpec, field: &FieldSpec, value: &Value) -> Result<(), CallProblem> {
    let fits = match field.kind {
        FieldKind::Choice(values) => value.as_str().is_some_and(|text| values.contains(&text)),
        FieldKind::Coordinate => grid_values(value).is_some_and(|values| values.len() == 2),
        FieldKind::Region => {
            grid_values(value).is_some_and(|values| values.len() == 4 && values[0] < values[2] && values[1] < values[3])
        }
        FieldKind::Integer { min, max } => as_integer(value).is_some_and(|number| (min..=max).contains(&number)),
        FieldKind::Number { min, max } => as_number(value).is_some_and(|number| (min..=max).contains(&number)),
        FieldKind::Text { max_chars } => {
            value.as_str().is_some_and(|text| text.len() <= max_chars || text.chars().count() <= max_chars)
        }
        FieldKind::TextList { min, max } => value
            .as_array()
            .is_some_and(|items| (min..=max).contains(&items.len()) && items.iter().all(|item| item.is_string())),
        FieldKind::Modifiers => value.as_array().is_some_and(|items| {
            items.len() <= 8
                && items.iter().all(|item| item.as_str().is_some_and(|name| Modifier::parse(name).is_some()))
        }),
        FieldKind::Flag => value.is_boolean(),
        FieldKind::Json => true,
    };
    if fits {
        return Ok(());
    }
    let hint = match field.kind {
        FieldKind::Region => " with x0 < x1 and y0 < y1",
        _ => "",
    };
    Err(CallProblem::invalid(format!(
        "{}.{} must be {}{hint}; got {}",
        tool.name,
        field.name,
        field.kind.describe(),
        shown(value)
    )))
}

/// The offending value, short enough for one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 60 => {
            format!("a string of {} characters", text.chars().count())
        }
        Value::Array(items) if items.len() > 8 => format!("an array of {} items", items.len()),
        other => {
            let text = other.to_string();
            if text.chars().count() > 80 { format!("{}…", text.chars().take(80).collect::<String>()) } else { text }
        }
    }
}

fn as_integer(value: &Value) -> Option<i64> {
    let number = as_number(value)?;
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// Numbers and numeric strings. Booleans are not numbers, and neither is NaN.
fn as_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => {
            let text = text.trim();
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            if !plain {
                return None;
            }
            text.parse().ok()?
        }
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn grid_values(value: &Value) -> Option<Vec<u16>> {
    let items = value.as_array()?;
    if items.len() > 4 {
        return None;
    }
    items.iter().map(|item| u16::try_from(as_integer(item)?).ok().filter(|number| *number <= GRID_MAX)).collect()
}
