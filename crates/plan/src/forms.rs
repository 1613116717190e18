//! Which fields of a form are still to be filled. An act that submits a form gets the labels that are open,
//! so that its "done" is not believed before them; other acts are told what later steps will fill in.

use crate::plan::{Plan, Step, StepKind};
use crate::problem::{Problems, quoted};

/// A fill that is still to come on the page where a step is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LaterFill<'a> {
    pub(crate) form: Option<&'a str>,
    pub(crate) label: &'a str,
}

/// What comes after the given places, innermost block first, until another page is opened.
pub(crate) fn later_fills<'a>(rest: &[&'a [Step]]) -> Vec<LaterFill<'a>> {
    let mut found = Vec::new();
    for block in rest {
        if walk(block, &mut found) == Page::Another {
            break;
        }
    }
    found
}

pub(crate) fn check(plan: &Plan, problems: &mut Problems) {
    let forms: Vec<&str> = plan
        .all_steps()
        .iter()
        .filter_map(|(_, step)| match &step.kind {
            StepKind::Fill { form: Some(form), .. } => Some(form.as_str()),
            _ => None,
        })
        .collect();
    check_block("steps", &plan.steps, &mut Vec::new(), &forms, problems);
}

#[derive(PartialEq, Eq)]
enum Page {
    Same,
    Another,
}

fn walk<'a>(block: &'a [Step], found: &mut Vec<LaterFill<'a>>) -> Page {
    for step in block {
        match &step.kind {
            StepKind::Navigate { .. } => return Page::Another,
            StepKind::Fill { fields, form } => {
                found.extend(fields.iter().map(|(label, _)| LaterFill { form: form.as_deref(), label }));
            }
            // What is submitted leaves the form behind.
            StepKind::Act { submits: Some(_), .. } => return Page::Another,
            _ => {
                // Of two ways either may be gone; that one of them leaves the page says nothing for the other.
                for (_, inner) in step.blocks() {
                    walk(inner, found);
                }
            }
        }
    }
    Page::Same
}

fn check_block<'a>(
    place: &str,
    block: &'a [Step],
    outer: &mut Vec<&'a [Step]>,
    forms: &[&str],
    problems: &mut Problems,
) {
    for (at, step) in block.iter().enumerate() {
        let place = format!("{place}[{at}]");
        let rest = block.get(at + 1..).unwrap_or_default();
        if let StepKind::Act { submits: Some(form), .. } = &step.kind {
            let following: Vec<&[Step]> = std::iter::once(rest).chain(outer.iter().rev().copied()).collect();
            let later = later_fills(&following);
            if !forms.contains(&form.as_str()) {
                let said = format!("no fill has the form `{}`", quoted(form));
                problems.add(format!("{place}.submits"), said, "give the step that fills it the same `form`");
            } else if let Some(fill) = later.iter().find(|fill| fill.form == Some(form)) {
                let said = format!(
                    "`{}` of the form is filled only after this, so this could never be done",
                    quoted(fill.label)
                );
                problems.add(format!("{place}.submits"), said, "put the fill before the act");
            }
        }
        outer.push(rest);
        for (name, inner) in step.blocks() {
            check_block(&format!("{place}.{name}"), inner, outer, forms, problems);
        }
        outer.pop();
    }
}
