//! What the form of a plan cannot show: names that nobody gives, predicates that do not exist, forms that
//! could never be sent off, secrets where they would be read.

mod declared;
mod names;

use std::collections::HashMap;

use crate::forms;
use crate::limits;
use crate::plan::{Condition, Gate, GiveUp, PASS_NUMBER, Plan, Step, StepKind, Test};
use crate::predicates;
use crate::problem::{Problems, quoted};
use names::{Known, Names, Secrets};

pub(crate) fn check(plan: &Plan, problems: &mut Problems) {
    declared::check(plan, problems);
    check_ids(plan, problems);
    let mut names = Names::of(plan);
    if let Some(url) = &plan.start_url {
        names.text("start_url", url, Secrets::Refused, problems);
        check_address("start_url", url, problems);
    }
    let mut checker = Checker { plan, problems };
    checker.block("steps", &plan.steps, &mut names);
    for (field, text) in plan.output.values.iter() {
        names.text(&format!("output.values.{field}"), text, Secrets::Refused, problems);
    }
    forms::check(plan, problems);
}

struct Checker<'a, 'p> {
    plan: &'a Plan,
    problems: &'p mut Problems,
}

/// Where a predicate stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// At the end of a step, which has a beginning to compare with.
    End,
    /// In a condition or a step that only verifies: there is none, or nothing happened since.
    Now,
}

impl<'a> Checker<'a, '_> {
    fn block(&mut self, place: &str, steps: &'a [Step], names: &mut Names<'a>) {
        for (at, step) in steps.iter().enumerate() {
            if self.problems.is_full() {
                return;
            }
            self.step(&format!("{place}[{at}]"), step, names);
        }
    }

    fn step(&mut self, place: &str, step: &'a Step, names: &mut Names<'a>) {
        names.text(&format!("{place}.intent"), &step.intent, Secrets::Allowed, self.problems);
        for (at, required) in step.required.iter().enumerate() {
            names.path(&format!("{place}.required[{at}]"), required, self.problems);
        }
        for (at, gate) in step.gates.iter().enumerate() {
            let place = format!("{place}.gates[{at}]");
            match gate {
                Gate::Approval { approval } => {
                    names.text(&format!("{place}.approval"), approval, Secrets::Refused, self.problems);
                }
                Gate::Condition(condition) => self.condition(&place, condition, names),
            }
        }
        let moment = if matches!(step.kind, StepKind::Verify { .. }) { Moment::Now } else { Moment::End };
        for (at, predicate) in step.done_when.iter().enumerate() {
            self.predicate(&format!("{place}.done_when[{at}]"), predicate, moment, names);
        }
        if !step.done_when.is_empty() && matches!(step.type_name(), "loop" | "if" | "ask") {
            let said = format!("a step of type {} has no end of its own to look at", step.type_name());
            self.problems.add(format!("{place}.done_when"), said, "put a step of type verify behind it");
        }
        self.kind(place, step, names);
        self.collected_twice(place, step);
        if let Some(name) = step.save_as() {
            self.saved(&format!("{place}.save_as"), name, step, names);
        }
    }

    fn kind(&mut self, place: &str, step: &'a Step, names: &mut Names<'a>) {
        let text = |checker: &mut Self, field: &str, text: &str, secrets| {
            names.text(&format!("{place}.{field}"), text, secrets, checker.problems);
        };
        match &step.kind {
            StepKind::Navigate { url } => {
                text(self, "url", url, Secrets::Refused);
                check_address(&format!("{place}.url"), url, self.problems);
            }
            StepKind::Act { values, .. } => {
                values.iter().for_each(|(label, value)| {
                    text(self, &format!("values.{}", quoted(label)), value, Secrets::Allowed)
                });
            }
            StepKind::Fill { fields, .. } => {
                fields.iter().for_each(|(label, value)| {
                    text(self, &format!("fields.{}", quoted(label)), value, Secrets::Allowed)
                });
            }
            StepKind::Extract { what, collect, .. } => {
                text(self, "what", what, Secrets::Refused);
                if let Some(collect) =
                    collect.as_ref().filter(|collect| self.plan.output.tables.get(&collect.into).is_none())
                {
                    let said = format!("the output has no table `{}`", quoted(&collect.into));
                    self.problems.add(format!("{place}.collect"), said, "declare it in `output.tables`");
                }
            }
            StepKind::Verify { condition } => {
                if let Some(condition) = condition {
                    self.condition(&format!("{place}.condition"), condition, names);
                } else if step.done_when.is_empty() {
                    self.problems.add(place, "there is nothing to verify", "give `done_when` or a `condition`");
                }
            }
            StepKind::Ask { question, choices, .. } => {
                text(self, "question", question, Secrets::Refused);
                if choices.len() == 1 {
                    self.problems.add(
                        format!("{place}.choices"),
                        "one choice is none",
                        "give two or more, or leave it out",
                    );
                }
            }
            StepKind::If { condition, then, otherwise } => {
                self.condition(&format!("{place}.condition"), condition, names);
                self.block(&format!("{place}.then"), then, names);
                self.block(&format!("{place}.else"), otherwise, names);
            }
            StepKind::Loop { .. } => self.repeated(place, step, names),
        }
    }

    /// A block that is done again would collect its rows again.
    fn collected_twice(&mut self, place: &str, step: &Step) {
        let again = step.on_failure.is_some_and(|policy| policy.retries > 0 || policy.then == GiveUp::Ask);
        let inner = step.blocks().into_iter().flat_map(|(_, block)| block);
        let mut open: Vec<&Step> = if again { inner.collect() } else { Vec::new() };
        while let Some(step) = open.pop() {
            open.extend(step.blocks().into_iter().flat_map(|(_, block)| block));
            let StepKind::Extract { collect: Some(collect), .. } = &step.kind else { continue };
            if self.plan.output.tables.get(&collect.into).is_some_and(|table| table.key.is_empty()) {
                let said =
                    format!("rows of `{}` could be collected twice when this is tried again", quoted(&collect.into));
                self.problems.add(format!("{place}.on_failure"), said, "give the table a `key`, or stop or skip here");
                return;
            }
        }
    }

    fn repeated(&mut self, place: &str, step: &'a Step, names: &mut Names<'a>) {
        let StepKind::Loop { rule, steps, between } = &step.kind else { return };
        if let Some(condition) = &rule.as_long_as {
            // What the last pass saved may be asked for.
            let mut inside = names.with_saved_in(steps, between);
            inside.enter_loop(None);
            self.condition(&format!("{place}.while"), condition, &inside);
        }
        let item = rule.over.as_deref().map(|over| {
            let place = format!("{place}.over");
            let known = names.only_path(&place, over, self.problems);
            if let Some(base) =
                known.as_ref().map(|(base, _)| base).filter(|base| saves(steps, base) || saves(between, base))
            {
                let said = format!("the loop goes over `{}`, which its own steps save anew", quoted(base));
                self.problems.add(&place, said, "save under another name");
            }
            let name = rule.item_name();
            if names.get(name).is_some() || name == PASS_NUMBER {
                let said = format!("the item of the loop would hide another `{}`", quoted(name));
                self.problems.add(&place, said, "give it another name with `as`");
            }
            (name, known.map_or(Known::Anything, |(_, entry)| entry))
        });
        let left = names.enter_loop(item);
        self.block(&format!("{place}.steps"), steps, names);
        self.block(&format!("{place}.between"), between, names);
        if let Some(condition) = &rule.until {
            self.condition(&format!("{place}.until"), condition, names);
        }
        names.leave_loop(left);
    }

    fn saved(&mut self, place: &str, name: &'a str, step: &'a Step, names: &mut Names<'a>) {
        if name == PASS_NUMBER || !names.may_save(name) {
            let said = format!("`{}` is already the name of something else", quoted(name));
            self.problems.add(place, said, "save under another name");
            return;
        }
        names.save(name, step);
    }

    fn condition(&mut self, place: &str, condition: &Condition, names: &Names<'a>) {
        match condition {
            Condition::Predicate(predicate) => self.predicate(place, predicate, Moment::Now, names),
            Condition::All { all: parts } | Condition::Any { any: parts } => {
                let name = if matches!(condition, Condition::All { .. }) { "all" } else { "any" };
                for (at, part) in parts.iter().enumerate() {
                    self.condition(&format!("{place}.{name}[{at}]"), part, names);
                }
            }
            Condition::Not { not } => self.condition(&format!("{place}.not"), not, names),
            Condition::Value(test) => {
                names.text(&format!("{place}.value"), &test.value, Secrets::Refused, self.problems);
                if !test.value.contains("{{") {
                    let hint = "name it in braces, as in \"{{page.total}}\"";
                    self.problems.add(format!("{place}.value"), "this compares a fixed text", hint);
                }
                if let Test::Equals(with) | Test::NotEquals(with) | Test::Contains(with) = &test.test
                    && let Some(text) = with.as_str()
                {
                    names.text(place, text, Secrets::Refused, self.problems);
                }
            }
        }
    }

    fn predicate(&mut self, place: &str, text: &str, moment: Moment, names: &Names<'a>) {
        match predicates::read(text) {
            Err((sentence, hint)) => self.problems.add(place, sentence, hint),
            Ok(predicate) if moment == Moment::Now && predicates::compares(predicate.kind) => {
                let said = format!(
                    "`{}` compares with an earlier moment, which a condition or a verify does not have",
                    predicate.kind.name()
                );
                self.problems.add(place, said, "ask for what is there now, as in url_contains or element_appears");
            }
            Ok(predicate) => {
                names.text(place, predicate.arg.as_deref().unwrap_or_default(), Secrets::Refused, self.problems);
            }
        }
    }
}

fn saves(steps: &[Step], name: &str) -> bool {
    steps.iter().any(|step| step.save_as() == Some(name) || step.blocks().iter().any(|(_, block)| saves(block, name)))
}

fn check_ids(plan: &Plan, problems: &mut Problems) {
    let steps = plan.all_steps();
    if steps.len() > limits::STEPS {
        let said = format!("the plan has {} steps, more than {}", steps.len(), limits::STEPS);
        problems.add("steps", said, "use a loop, or make two plans of it");
    }
    let mut known: HashMap<&str, &str> = HashMap::new();
    for (place, step) in steps.iter().filter(|(_, step)| !step.id.is_empty()) {
        match known.get(step.id.as_str()) {
            Some(first) => problems.add(
                format!("{place}.id"),
                format!("the id `{}` is that of {first} too", quoted(&step.id)),
                "give each step its own",
            ),
            None => drop(known.insert(&step.id, place)),
        }
    }
}

/// What stands before the first `{{` must be able to begin an address.
fn check_address(place: &str, url: &str, problems: &mut Problems) {
    let start = url.split("{{").next().unwrap_or_default();
    let web = ["http://", "https://"].iter().any(|scheme| start.starts_with(scheme) || scheme.starts_with(start));
    if !web {
        problems.add(
            place,
            format!("`{}` is no web address", quoted(url)),
            "begin with https:// or http://, or with {{…}}",
        );
    }
}
