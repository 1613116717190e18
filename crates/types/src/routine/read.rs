//! Reading a routine file. Everything that a replay relies on is checked here, before a browser starts; what is
//! wrong is said in one sentence.

use serde_json::Value;

use super::{Anchor, OLDEST_FORMAT, ROUTINE_FORMAT, Routine, RoutineStep, placeholder};
use crate::call::Call;
use crate::coords::{GRID_MAX, GridBox};
use crate::reply::{CallForm, CallRequest, cut};

/// A recording is as long as a run; more than this is a mistake.
pub const MOST_STEPS: usize = 1000;
const LONGEST_PROBLEM: usize = 400;

impl Routine {
    pub fn parse(text: &str) -> Result<Routine, String> {
        // Some editors start a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| shortened(format!("it is not JSON: {error}")))?;
        let Some(format) = value.get("routine").and_then(Value::as_u64) else {
            return Err("it is no routine: the field routine with the format's number is missing".into());
        };
        if !(u64::from(OLDEST_FORMAT)..=u64::from(ROUTINE_FORMAT)).contains(&format) {
            return Err(format!(
                "it has format {format}, and this Surehand reads formats {OLDEST_FORMAT} to {ROUTINE_FORMAT}"
            ));
        }
        // From the text and not from the value: only then does the error name line and column.
        let routine: Routine = serde_json::from_str(text).map_err(|error| shortened(error.to_string()))?;
        routine.check().map_err(shortened)?;
        Ok(routine)
    }

    /// As a file for people: one field a line, lists of plain values on one line.
    pub fn to_text(&self) -> String {
        // Strings and numbers only: this cannot fail.
        let value = serde_json::to_value(self).unwrap_or_default();
        let mut text = String::new();
        write_value(&value, 0, &mut text);
        text + "\n"
    }

    fn check(&self) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("it has no steps".into());
        }
        if self.steps.len() > MOST_STEPS {
            return Err(format!("it has {} steps, more than {MOST_STEPS}", self.steps.len()));
        }
        if self.version == 0 {
            return Err("version starts at 1".into());
        }
        if self.viewport.width == 0 || self.viewport.height == 0 {
            return Err("viewport must have a width and a height".into());
        }
        for (number, step) in (1..).zip(&self.steps) {
            step.check().map_err(|problem| format!("step {number}: {problem}"))?;
        }
        if let Some(name) = self.used_values().into_iter().find(|name| !self.values.contains_key(name)) {
            return Err(format!("{} stands in it, but values has no {name:?}", placeholder(&name)));
        }
        Ok(())
    }
}

impl RoutineStep {
    fn check(&self) -> Result<(), String> {
        let value = Value::Object(self.call.clone());
        let request = CallRequest::parse(&value).map_err(|problem| problem.message)?;
        match request.form {
            CallForm::NeedsTarget { .. } => return Err("call has a target; a routine has its targets in anchor".into()),
            CallForm::Ready(Call::Done { .. }) => return Err("done is not a step; claim says what is claimed".into()),
            CallForm::Ready(_) => {}
        }
        for anchor in [&self.anchor, &self.end_anchor].into_iter().flatten() {
            anchor.check()?;
        }
        if self.expect.took_seconds.is_some_and(|seconds| !seconds.is_finite() || seconds < 0.0) {
            return Err("expect.took_seconds must be a number of seconds".into());
        }
        Ok(())
    }
}

impl Anchor {
    fn check(&self) -> Result<(), String> {
        let inside = |area: &GridBox| area.x0 <= area.x1 && area.y0 <= area.y1 && area.x1.max(area.y1) <= GRID_MAX;
        for (name, area) in [("box", &self.bounds), ("region", &self.region)] {
            if area.as_ref().is_some_and(|area| !inside(area)) {
                return Err(format!("anchor.{name} must be [x0, y0, x1, y1] in grid units, 0 to {GRID_MAX}"));
            }
        }
        if self.of.is_some() && self.index.is_none() {
            return Err("anchor.of needs anchor.index".into());
        }
        const MOST_TEXTS: usize = 100;
        if self.row.len().max(self.options.len()) > MOST_TEXTS {
            return Err(format!("anchor.row and anchor.options have at most {MOST_TEXTS} texts"));
        }
        Ok(())
    }
}

fn write_value(value: &Value, depth: usize, text: &mut String) {
    let nested = |value: &Value| value.is_object() || value.is_array();
    let line = |depth: usize| format!("\n{}", "  ".repeat(depth));
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (index, (name, field)) in fields.iter().enumerate() {
                text.push(if index == 0 { '{' } else { ',' });
                text.push_str(&format!("{}{}: ", line(depth + 1), Value::from(name.as_str())));
                write_value(field, depth + 1, text);
            }
            text.push_str(&format!("{}}}", line(depth)));
        }
        Value::Array(items) if items.iter().any(nested) => {
            for (index, item) in items.iter().enumerate() {
                text.push(if index == 0 { '[' } else { ',' });
                text.push_str(&line(depth + 1));
                write_value(item, depth + 1, text);
            }
            text.push_str(&format!("{}]", line(depth)));
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            text.push_str(&format!("[{}]", items.join(", ")));
        }
        plain => text.push_str(&plain.to_string()),
    }
}

fn shortened(mut problem: String) -> String {
    // What was not expected is quoted, and may be as long as the file.
    cut(&mut problem, LONGEST_PROBLEM);
    problem.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample() -> Value {
        json!({
            "routine": 1, "name": "rename", "version": 1, "task": "Rename <value:who>", "claim": "done",
            "start_url": "http://127.0.0.1:1/", "viewport": {"width": 1280, "height": 720}, "made_from": ["r1"],
            "values": {"who": "Ada"},
            "steps": [
                {"about": "click", "call": {"tool": "mouse", "action": "click", "coordinate": [5, 5]},
                 "anchor": {"role": "link", "text": "<value:who>", "box": [1, 1, 9, 9]},
                 "expect": {"effect": "confirmed", "url_pattern": "/x/{id}"}},
                {"call": {"tool": "keyboard", "action": "type", "text": "<value:who>!"}}
            ]
        })
    }

    fn problem(change: impl FnOnce(&mut Value), part: &str) {
        let mut value = sample();
        change(&mut value);
        let problem = Routine::parse(&value.to_string()).expect_err(part);
        assert!(problem.contains(part) && !problem.contains('\n'), "{problem}");
    }

    #[test]
    fn a_routine_survives_being_written_and_read() {
        let routine = Routine::parse(&sample().to_string()).unwrap();
        assert_eq!(Routine::parse(&routine.to_text()), Ok(routine.clone()));
        let filled = routine.filled(&[("who".to_string(), "Grace".to_string())].into()).unwrap();
        assert_eq!(filled.steps[1].call["text"], "Grace!");
        assert_eq!(filled.steps[0].anchor.as_ref().unwrap().text.as_deref(), Some("Grace"));
        assert_eq!(filled.task, "Rename Grace");
        assert_eq!(routine.filled(&Default::default()).unwrap().task, "Rename Ada");
        let unknown = routine.filled(&[("whom".to_string(), String::new())].into()).unwrap_err();
        assert!(unknown.to_string().contains("no value \"whom\"; it has who"), "{unknown}");
    }

    #[test]
    fn texts_become_placeholders_once() {
        let mut routine = Routine::parse(&sample().to_string()).unwrap().filled(&Default::default()).unwrap();
        routine.parametrise("name", "Ada").unwrap();
        // A placeholder that contains the text is left alone.
        routine.parametrise("name2", "value:name").unwrap_err();
        assert_eq!(routine.steps[1].call["text"], "<value:name>!");
        assert!(routine.parametrise("a b", "Ada").is_err() && routine.parametrise("then", "x").is_err());
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence() {
        problem(|value| value["more"] = json!(1), "unknown field `more`");
        problem(|value| value["steps"][0]["anchor"]["colour"] = json!(1), "unknown field `colour`");
        problem(|value| value["steps"][0]["expect"]["sound"] = json!(1), "unknown field `sound`");
        problem(|value| value["routine"] = json!(3), "format 3");
        problem(|value| value["routine"] = json!(0), "format 0");
        problem(|value| value["routine"] = json!("x"), "it is no routine");
        problem(|value| value["steps"] = json!([]), "no steps");
        problem(|value| value["version"] = json!(0), "version starts at 1");
        problem(|value| value["viewport"]["width"] = json!(0), "viewport");
        problem(|value| value["values"] = json!({}), "values has no \"who\"");
        problem(|value| value["steps"][1]["call"] = json!({"tool": "fly"}), "step 2: ");
        problem(|value| value["steps"][0]["anchor"]["box"] = json!([9, 9, 1, 1]), "step 1: anchor.box");
        problem(
            |value| value["steps"][1]["call"] = json!({"tool": "done", "success": true, "summary": "x"}),
            "done is not a step",
        );
        for text in ["", "[]", "{", "null", "\"x\"", "{\"routine\":1}"] {
            assert!(!Routine::parse(text).unwrap_err().is_empty());
        }
    }
}
