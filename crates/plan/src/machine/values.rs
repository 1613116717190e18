//! What names stand for while a plan runs, and whether conditions hold.

use std::borrow::Cow;

use serde_json::Value;
use surehand_checks::after::predicates::Predicate;
use surehand_types::ThreeValued;

use super::Machine;
use super::position::{Part, Phase, block};
use crate::plan::{Condition, PASS_NUMBER, StepKind, Test, ValueTest, ValueType};
use crate::predicates;
use crate::problem::{quoted, quoted_value};
use crate::template::{self, Found, Origin, Path, Purpose};

/// What is known of a condition before anybody looks.
pub(super) enum Decision {
    Yes,
    No {
        why: String,
    },
    /// The page has to be asked.
    Look(Vec<Predicate>),
    /// It cannot be told.
    Broken(String),
}

impl Machine {
    pub(super) fn text(&self, template: &str, purpose: Purpose) -> Result<String, String> {
        template::text(template, purpose, &|path| self.lookup(path))
    }

    pub(super) fn value(&self, template: &str) -> Result<Cow<'_, Value>, String> {
        template::value(template, &|path| self.lookup(path))
    }

    pub(super) fn lookup(&self, path: &Path) -> Result<Found<'_>, String> {
        let base = path.base();
        let found =
            |value, origin| template::descend(value, path).map(|value| Found { value: Cow::Borrowed(value), origin });
        match self.loop_item(base)? {
            Some(Item::Entry(entry)) => return found(entry, Origin::Data),
            Some(Item::Pass(number)) => {
                let number = Value::from(number);
                template::descend(&number, path)?;
                return Ok(Found { value: Cow::Owned(number), origin: Origin::Data });
            }
            None => {}
        }
        if let Some(value) = self.position.variables.get(base) {
            return found(value, Origin::Data);
        }
        let is_secret = self.plan.values.get(base).is_some_and(|spec| spec.r#type == ValueType::Secret);
        match self.inputs.get(base) {
            Some(value) => found(value, if is_secret { Origin::Secret } else { Origin::Data }),
            None => Err(format!("there is no `{}` yet", quoted(base))),
        }
    }

    pub(super) fn predicate(&self, text: &str) -> Result<Predicate, String> {
        let predicate = predicates::read(text).map_err(|(sentence, _)| sentence)?;
        let Some(arg) = &predicate.arg else { return Ok(predicate) };
        let filled = self.text(arg, Purpose::Exact)?;
        if filled.trim().is_empty() {
            return Err(format!("`{}` has nothing to look for", quoted(text)));
        }
        Ok(Predicate { arg: Some(filled), ..predicate })
    }

    pub(super) fn predicates(&self, texts: &[String]) -> Result<Vec<Predicate>, String> {
        texts.iter().map(|text| self.predicate(text)).collect()
    }

    /// What can be said without a look at the page.
    pub(super) fn decide(&self, condition: &Condition) -> Decision {
        match self.judge(condition, &mut std::iter::empty()) {
            ThreeValued::Yes { .. } => Decision::Yes,
            ThreeValued::No { reason } => Decision::No { why: reason },
            ThreeValued::NotMeasured { reason } if condition.predicates().is_empty() => Decision::Broken(reason),
            ThreeValued::NotMeasured { .. } => {
                let predicates: Result<Vec<Predicate>, String> =
                    condition.predicates().into_iter().map(|text| self.predicate(text)).collect();
                predicates.map_or_else(Decision::Broken, Decision::Look)
            }
        }
    }

    /// The condition with what was seen for its predicates, in their order. Without that they are unknown, as are comparisons
    /// that cannot be made: what stands beside them may decide all the same.
    pub(super) fn judge(&self, condition: &Condition, seen: &mut dyn Iterator<Item = ThreeValued>) -> ThreeValued {
        match condition {
            Condition::Predicate(text) => {
                seen.next().map_or_else(|| ThreeValued::not_measured("not looked at"), |answer| about(text, answer))
            }
            Condition::Not { not } => match self.judge(not, seen) {
                ThreeValued::Yes { reason } => ThreeValued::No { reason },
                ThreeValued::No { reason } => ThreeValued::Yes { reason },
                unknown => unknown,
            },
            Condition::All { all } => self.joined(all, seen, Joined::All),
            Condition::Any { any } => self.joined(any, seen, Joined::Any),
            Condition::Value(test) => self.compare(test).unwrap_or_else(ThreeValued::not_measured),
        }
    }

    fn joined(&self, parts: &[Condition], seen: &mut dyn Iterator<Item = ThreeValued>, how: Joined) -> ThreeValued {
        // Every part takes its answers from `seen`, so none may be left out.
        let mut answers = Vec::new();
        for part in parts {
            answers.push(self.judge(part, seen));
        }
        let decides = |answer: &ThreeValued| match how {
            Joined::All => matches!(answer, ThreeValued::No { .. }),
            Joined::Any => matches!(answer, ThreeValued::Yes { .. }),
        };
        let decided = answers.iter().find(|answer| decides(answer));
        let unknown = answers.iter().find(|answer| matches!(answer, ThreeValued::NotMeasured { .. }));
        match (decided.or(unknown), how) {
            (Some(answer), _) => answer.clone(),
            (None, Joined::All) => ThreeValued::yes("all of it holds"),
            (None, Joined::Any) => ThreeValued::no("none of it holds"),
        }
    }

    fn compare(&self, test: &ValueTest) -> Result<ThreeValued, String> {
        let value = match (self.value(&test.value), &test.test) {
            // What is not there is empty.
            (Err(_), Test::Empty(_)) => Cow::Owned(Value::Null),
            (value, _) => value?,
        };
        let number = || match value.as_ref() {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse::<f64>().ok().filter(|number| number.is_finite()),
            _ => None,
        };
        let wanted_number = || number().ok_or_else(|| format!("`{}` is no number", quoted_value(&value)));
        let holds = match &test.test {
            Test::Equals(other) => same(&value, self.operand(other)?.as_ref()),
            Test::NotEquals(other) => !same(&value, self.operand(other)?.as_ref()),
            Test::Contains(other) => contains(&value, self.operand(other)?.as_ref()),
            Test::AtLeast(bound) => wanted_number()? >= *bound,
            Test::AtMost(bound) => wanted_number()? <= *bound,
            Test::Empty(wanted) => is_empty(&value) == *wanted,
        };
        let reason = format!("{} is {}", quoted(&test.value), quoted_value(&value));
        Ok(if holds { ThreeValued::yes(reason) } else { ThreeValued::no(reason) })
    }

    /// What is compared with: a text may name another value.
    fn operand<'v>(&'v self, with: &'v Value) -> Result<Cow<'v, Value>, String> {
        match with.as_str() {
            Some(text) if text.contains("{{") => self.value(text),
            _ => Ok(Cow::Borrowed(with)),
        }
    }

    fn loop_item(&self, name: &str) -> Result<Option<Item<'_>>, String> {
        let levels = &self.position.levels;
        for depth in (0..levels.len()).rev() {
            let step =
                block(&self.plan, levels, depth).zip(levels.get(depth)).and_then(|(block, level)| block.get(level.at));
            let Some((StepKind::Loop { rule, .. }, level)) = step.map(|step| &step.kind).zip(levels.get(depth)) else {
                continue;
            };
            // In `while` and `until` it is the passes that were made.
            if name == PASS_NUMBER && level.phase == Phase::Decide {
                return Ok(Some(Item::Pass(level.pass)));
            }
            // The rule of a loop does not see its own item.
            if !levels.get(depth + 1).is_some_and(|inner| matches!(inner.part, Part::Body | Part::Between)) {
                continue;
            }
            if name == PASS_NUMBER {
                return Ok(Some(Item::Pass(level.pass.saturating_add(1))));
            }
            if let Some(over) = rule.over.as_deref().filter(|_| rule.item_name() == name) {
                return self.item_at(over, level.pass as usize).map(|entry| Some(Item::Entry(entry)));
            }
        }
        Ok(None)
    }

    /// How many entries a loop goes over.
    pub(super) fn entry_count(&self, over: &str) -> Result<usize, String> {
        self.entries(over).map(<[Value]>::len)
    }

    fn item_at(&self, over: &str, at: usize) -> Result<&Value, String> {
        self.entries(over)?.get(at).ok_or_else(|| format!("`{}` has no entry {}", quoted(over), at + 1))
    }

    /// What a loop goes over.
    fn entries(&self, over: &str) -> Result<&[Value], String> {
        let no_list = || format!("`{}` is no list", quoted(over));
        let template = template::Template::parse(over)?;
        let path = template.only_path().ok_or_else(no_list)?;
        let value = match self.position.variables.get(path.base()).or_else(|| self.inputs.get(path.base())) {
            Some(root) => template::descend(root, path)?,
            // The item of a loop around it.
            None => match self.lookup(path)?.value {
                Cow::Borrowed(value) => value,
                Cow::Owned(_) => return Err(no_list()),
            },
        };
        value.as_array().map(Vec::as_slice).ok_or_else(no_list)
    }
}

/// What a loop that is under way gives a name to.
enum Item<'v> {
    Pass(u32),
    Entry(&'v Value),
}

#[derive(Clone, Copy)]
enum Joined {
    All,
    Any,
}

/// Nothing, an empty text, list or object.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// An answer whose reason names what was asked.
pub(super) fn about(predicate: &str, answer: ThreeValued) -> ThreeValued {
    let named = |reason: &str| format!("{} ({})", quoted(predicate), quoted(reason));
    match &answer {
        ThreeValued::Yes { reason } => ThreeValued::yes(named(reason)),
        ThreeValued::No { reason } => ThreeValued::no(named(reason)),
        ThreeValued::NotMeasured { reason } => ThreeValued::not_measured(named(reason)),
    }
}

/// `1` is `1.0`, but not `"1"`.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Array(list), part) => list.iter().any(|entry| same(entry, part)),
        _ => false,
    }
}
