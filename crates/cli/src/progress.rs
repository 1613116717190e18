//! What a person sees while a run goes on: one line per step, on stderr. Also the `--json` lines.

use std::io::{IsTerminal, Write};

use surehand_trace::Listener;
use surehand_trace::report::plan::plan_in_words;
use surehand_trace::report::words::{call_in_words, state_in_words};
use surehand_types::StepRecord;
use surehand_types::event::{Envelope, EnvironmentEvent, Event, NoteLevel};
use surehand_types::plan::{PlanEvent, PlanOutcome};

/// Lines for a person. On a terminal they are cut to its width and a little coloured.
pub(crate) fn for_people() -> Listener {
    let terminal = std::io::stderr().is_terminal();
    let width = terminal_width(terminal);
    Box::new(move |envelope: &Envelope| {
        if let Some(line) = line_for(&envelope.event) {
            let line = cut(&line, width);
            eprintln!("{line}");
        }
    })
}

/// Every event as one JSON line on stdout. The end of the run is told by the result line instead.
pub(crate) fn as_json() -> Listener {
    Box::new(|envelope: &Envelope| {
        if matches!(envelope.event, Event::RunEnded { .. }) {
            return;
        }
        if let Ok(line) = serde_json::to_string(envelope) {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{line}");
            let _ = out.flush();
        }
    })
}

fn line_for(event: &Event) -> Option<String> {
    match event {
        Event::RunStarted(run) => {
            let most = run.max_steps.map(|most| format!(" · up to {most} steps")).unwrap_or_default();
            Some(format!("{} · {}{most}", run.brain, run.environment))
        }
        Event::Step(record) => Some(step_line(record)),
        Event::Replied { problem: Some(problem), .. } => {
            Some(format!("        the reply could not be used: {problem}"))
        }
        Event::NotRun { calls, reason, .. } => Some(format!("        {} more not run: {reason}", calls.len())),
        Event::Environment(EnvironmentEvent::TabCrashed { tab }) => Some(format!("        {tab} crashed")),
        Event::Environment(EnvironmentEvent::AppEnded { reason } | EnvironmentEvent::Lost { reason }) => {
            Some(format!("        {reason}"))
        }
        Event::Confirmation(asked) => Some(format!(
            "        asked before step {} (rule {}): {}",
            asked.step,
            asked.rule,
            asked.answer.as_str().replace('_', " ")
        )),
        Event::Plan(event) => plan_line(event),
        Event::Note { level: NoteLevel::Warning, message } => Some(format!("        warning: {message}")),
        _ => None,
    }
}

/// Looks at conditions are in the trace; a person wants to know what is being done.
fn plan_line(event: &PlanEvent) -> Option<String> {
    match event {
        PlanEvent::StepStarted { work, .. } if work == "evaluate" => None,
        PlanEvent::StepEnded { outcome: PlanOutcome::Looked | PlanOutcome::Done, .. } => None,
        event => Some(format!("plan      {}", plan_in_words(event))),
    }
}

fn step_line(record: &StepRecord) -> String {
    // What was done instead is a wait, which tells nobody anything.
    if let Some(reason) = &record.done_rejected_reason {
        return format!("step {:>3}  say the task is done … not believed: {}", record.step, reason.replace('_', " "));
    }
    let what = match &record.call {
        Some(call) => call_in_words(call, record.hit.as_ref()),
        None => record.message.clone(),
    };
    let state = state_in_words(record);
    let why = if record.ok { String::new() } else { format!(": {}", record.message) };
    format!("step {:>3}  {what} … {state} ({:.0} ms){why}", record.step, record.timing_ms.total)
}

fn cut(line: &str, width: usize) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= width {
        return line;
    }
    let mut short: String = line.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn terminal_width(terminal: bool) -> usize {
    if !terminal {
        return 2000;
    }
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|width| *width >= 40).unwrap_or(160)
}
