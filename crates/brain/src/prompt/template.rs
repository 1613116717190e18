//! Fills a template: `{{example click}}`, `{{tool tab}}`, `{{field mouse.coordinate}}`,
//! `{{value mouse.action confirm}}`, `{{default mouse.amount}}`, `{{bounds mouse.coordinate}}`,
//! `{{effect no_effect}}`, `{{predictions}}`, `{{surface}}`, `{{only browser}}`.
//! Every one is checked against its declaration; one that fails the check stays visible, and a test
//! finds it. A line that speaks of a tool the context lacks is left out.

use serde_json::Value;
use surehand_types::EffectStatus;
use surehand_types::call::FieldKind;

use super::context::{PromptContext, declared};
use super::{example, prediction};

/// The filled text, each line ended; `None` when only headings are left.
pub(crate) fn fill(template: &str, context: &PromptContext) -> Option<String> {
    let lines: Vec<String> = template.lines().filter_map(|line| fill_line(line, context)).collect();
    let says_something = lines.iter().any(|line| !line.is_empty() && !line.starts_with('#'));
    says_something.then(|| lines.join("\n") + "\n")
}

fn fill_line(line: &str, context: &PromptContext) -> Option<String> {
    let mut filled = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((marker, after)) = after.split_once("}}") else {
            break;
        };
        filled.push_str(before);
        match resolve(marker, context) {
            Filling::Text(text) => filled.push_str(&text),
            Filling::LeaveLineOut => return None,
            Filling::Unknown => filled.push_str(&format!("{{{{{marker}}}}}")),
        }
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

enum Filling {
    Text(String),
    LeaveLineOut,
    Unknown,
}

fn resolve(marker: &str, context: &PromptContext) -> Filling {
    let words: Vec<&str> = marker.split_whitespace().collect();
    let named = match words.as_slice() {
        ["surface"] => return Filling::Text(context.surface().name().into()),
        ["only", surface] if *surface == context.surface().name() => return Filling::Text(String::new()),
        ["only", "browser" | "desktop"] => return Filling::LeaveLineOut,
        ["predictions"] => return Filling::Text(prediction::list(context)),
        ["effect", status] => return effect(status),
        ["example", name] => return show_example(name, context),
        ["tool", tool] => declared(tool).map(|_| (*tool, code(tool))),
        ["field", path] => field(path).map(|(tool, name, _, _)| (tool, code(name))),
        ["default", path] => field(path).and_then(|(tool, _, _, default)| Some((tool, default?.to_string()))),
        ["bounds", path] => field(path).map(|(tool, _, kind, _)| (tool, kind.describe())),
        ["value", path, value] => field(path).and_then(|(tool, _, kind, _)| match kind {
            FieldKind::Choice(values) if values.contains(value) => Some((tool, code(value))),
            _ => None,
        }),
        _ => None,
    };
    match named {
        Some((tool, text)) if context.has(tool) => Filling::Text(text),
        Some(_) => Filling::LeaveLineOut,
        None => Filling::Unknown,
    }
}

fn show_example(name: &str, context: &PromptContext) -> Filling {
    match example::find(name) {
        None => Filling::Unknown,
        Some(example) if example.tools().iter().all(|tool| context.has(tool)) => Filling::Text(example.json.into()),
        Some(_) => Filling::LeaveLineOut,
    }
}

fn effect(status: &str) -> Filling {
    match serde_json::from_value::<EffectStatus>(Value::from(status)) {
        Ok(_) => Filling::Text(code(status)),
        Err(_) => Filling::Unknown,
    }
}

fn field(path: &str) -> Option<(&str, &str, FieldKind, Option<&'static str>)> {
    let (tool, name) = path.split_once('.')?;
    let field = declared(tool)?.field(name)?;
    Some((tool, name, field.kind, field.default))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::super::context::Surface;
    use super::*;

    fn check(template: &str, expected: Option<&str>) {
        assert_eq!(fill(template, &PromptContext::new(Surface::Browser)).as_deref(), expected, "{template}");
    }

    #[test]
    fn facts_come_from_the_declarations() {
        check("{{tool mouse}} {{field mouse.amount}}", Some("`mouse` `amount`\n"));
        check("{{default mouse.amount}}, {{bounds mouse.count}}", Some("300, an integer from 1 to 3\n"));
        check("{{value mouse.action confirm}}", Some("`confirm`\n"));
        check("send {{example confirm}}", Some("send {\"tool\":\"mouse\",\"action\":\"confirm\"}\n"));
        check("{{effect no_effect}} in a {{surface}}", Some("`no_effect` in a browser\n"));
    }

    #[test]
    fn lines_about_absent_tools_and_other_surfaces_are_left_out() {
        check("a\n{{tool window}} b\nc", Some("a\nc\n"));
        check("# Title\n{{example window_list}}", None);
        check("{{only desktop}}a\n{{only browser}}b", Some("b\n"));
    }

    #[test]
    fn what_is_undeclared_stays_visible() {
        for marker in [
            "{{tool mouses}}",
            "{{field mouse.x}}",
            "{{value mouse.action clack}}",
            "{{value mouse.amount 3}}",
            "{{default mouse.coordinate}}",
            "{{example clack}}",
            "{{effect great}}",
            "{{only moon}}",
            "{{}}",
            "{{open",
        ] {
            check(marker, Some(&format!("{marker}\n")));
        }
    }
}
