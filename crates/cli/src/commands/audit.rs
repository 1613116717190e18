//! `surehand audit`: what was decided in all runs, and whether the record of it is whole.

use serde_json::Value;
use surehand_store::{Store, read_audit, verify_audit};
use surehand_types::Settings;

use crate::args::{AuditArguments, AuditCommand};
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

pub(crate) async fn audit(arguments: AuditArguments, settings: &Settings) -> Result<i32, Failure> {
    match arguments.command {
        AuditCommand::Verify { json } => verify(json, settings),
        AuditCommand::Show { run, limit, json } => show(run.as_deref(), limit, json, settings).await,
    }
}

fn verify(json: bool, settings: &Settings) -> Result<i32, Failure> {
    let report = verify_audit(&open_data(settings)?)?;
    let code = i32::from(!report.is_sound());
    if json {
        let mut value = serde_json::to_value(&report).unwrap_or_default();
        value["ok"] = report.is_sound().into();
        say!("{value}");
        return Ok(code);
    }
    for note in &report.notes {
        say!("note: {note}");
    }
    if report.is_sound() {
        say!("ok: {} lines, compared with {} runs", report.lines, report.anchors);
    } else {
        for problem in &report.problems {
            let fault = serde_json::to_value(problem.fault).ok();
            let fault = fault.as_ref().and_then(Value::as_str).unwrap_or("wrong").to_string();
            say!("{fault}: {}", problem.message);
        }
        say!("the audit log is not what was written: {} problems in {} lines", report.problems.len(), report.lines);
    }
    Ok(code)
}

async fn show(run: Option<&str>, limit: usize, json: bool, settings: &Settings) -> Result<i32, Failure> {
    let data = open_data(settings)?;
    // A run that is known may be named as everywhere else; one that was removed, or a tools session, by its id.
    let run = match run {
        Some(given) => {
            let known = Store::open(&data).await?.resolve(given).await;
            Some(known.unwrap_or_else(|_| given.to_string()))
        }
        None => None,
    };
    let lines = read_audit(&data, run.as_deref(), limit)?;
    if lines.is_empty() && !json {
        say!("the audit log has nothing of that");
    }
    for line in &lines {
        if json {
            say!("{line}");
        } else {
            say!("{}", in_words(line));
        }
    }
    Ok(0)
}

fn in_words(line: &Value) -> String {
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
    let at: String = text("at").replace('T', " ").chars().take(19).collect();
    let run: String = text("run").chars().take(26).collect();
    let step = line.get("step").and_then(Value::as_u64).map(|step| format!("step {step} ")).unwrap_or_default();
    let what = match text("kind") {
        "decision" => format!("{step}{} by {}: {}", text("decision"), text("rule"), text("what")),
        "approval" => {
            let by = Some(text("by")).filter(|by| !by.is_empty()).map(|by| format!(" by {by}")).unwrap_or_default();
            format!("{step}asked by {}, answered {}{by}: {}", text("rule"), text("answer"), text("what"))
        }
        "setting" => format!("{} = {} ({})", text("name"), text("value"), text("source")),
        "run_start" => format!("started as {}, confirm {}: {}", text("door"), text("confirm"), text("task")),
        "run_end" => format!("ended: {}", text("reason")),
        "recovered" => "went on after a line that was left unfinished".to_string(),
        "gap" => "went on after lines were cut off".to_string(),
        other => other.to_string(),
    };
    let line = format!("{:>6}  {at}  {run:<26}  {what}", line.get("seq").and_then(Value::as_u64).unwrap_or_default());
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
