//! From the arguments of `surehand run` to a request for a server. What belongs to this machine (a display, a browser,
//! files, secrets) cannot be sent, and is refused in one sentence before anything is asked for.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use surehand_conduct::load_contract;
use surehand_types::Settings;
use surehand_types::api::CuaRequest;
use surehand_types::settings::Source;
use surehand_types::settings_table::SETTINGS;

use super::run::form_values;
use crate::args::RunArguments;
use crate::exit::Failure;

/// Settings of this program rather than of the run.
const LOCAL: &[&str] = &["data", "log"];

/// The flags are in `settings` already. Settings of this machine's files and variables do not hold there.
pub(crate) fn request(arguments: &RunArguments, settings: &Settings) -> Result<CuaRequest, Failure> {
    refuse(arguments)?;
    let task = arguments.task.clone().unwrap_or_default();
    if task.trim().is_empty() {
        return Err(Failure::usage("the task is empty\nhint: say in words what to do"));
    }
    let mut request = CuaRequest {
        instruction: task,
        start_url: arguments.url.clone(),
        session: arguments.browser.session.clone(),
        secrets: secret_names(&arguments.browser.secret)?,
        values: form_values(&arguments.value)?.into_iter().map(|value| (value.label, value.value)).collect(),
        contract: contract(arguments)?,
        output_schema: schema(&arguments.require),
        ..CuaRequest::default()
    };
    for spec in SETTINGS {
        if settings.source(spec.name) != Source::Flag || LOCAL.contains(&spec.name) {
            continue;
        }
        let text = settings.text(spec.name).to_string();
        match spec.name {
            "brain" => request.brain = Some(text),
            "max_steps" => request.max_steps = u32::try_from(settings.integer("max_steps")).ok(),
            "max_cost" => request.max_cost = Some(settings.number("max_cost")),
            "timeout" => request.max_time_minutes = Some(settings.duration("timeout").as_secs_f64() / 60.0),
            "settle_cap" => request.settle_cap = Some(settings.duration("settle_cap").as_secs_f64()),
            "viewport" => request.viewport = Some(text),
            "confirm" => request.confirm = Some(text),
            "judge_model" => request.judge = Some(text),
            "allow" => request.allow = text.split_whitespace().map(str::to_string).collect(),
            name => {
                request.toggles.insert(name.to_string(), text);
            }
        }
    }
    Ok(request)
}

/// A run of the server that goes on takes nothing but its id.
pub(crate) fn expect_nothing_beside_resume(arguments: &RunArguments, settings: &Settings) -> Result<(), Failure> {
    let given = SETTINGS.iter().any(|spec| settings.source(spec.name) == Source::Flag && !LOCAL.contains(&spec.name));
    if given || arguments.task.is_some() || arguments.url.is_some() || !arguments.value.is_empty() {
        return Err(Failure::usage(
            "a run that goes on at a server keeps what it began with\nhint: give --remote and --resume alone",
        ));
    }
    refuse(arguments)
}

fn refuse(arguments: &RunArguments) -> Result<(), Failure> {
    let browser = &arguments.browser;
    let refused = [
        ("--desktop", browser.desktop.is_some(), "a server drives browsers of its own; leave it out"),
        ("--cdp", browser.cdp.is_some(), "a server drives browsers of its own, and none of this machine; leave it out"),
        ("--headed", browser.headed, "nobody sits before the server; its address shows the run in a page"),
        ("--upload-root", !browser.upload_root.is_empty(), "surehand serve --upload-root names folders there"),
        (
            "--policy",
            arguments.consent.policy.is_some(),
            "the server's own policy holds: surehand serve --set policy=FILE",
        ),
        ("--accept", arguments.referee.accept.is_some(), "surehand serve --set accept=judge decides it there"),
        ("--root", !arguments.referee.root.is_empty(), "a contract that looks into folders is judged where they are"),
        ("--brain-timeout", arguments.brain_timeout.is_some(), "surehand serve --set brain_timeout=TIME sets it there"),
    ];
    match refused.iter().find(|(_, given, _)| *given) {
        Some((flag, _, hint)) => Err(Failure::usage(format!("{flag} cannot be used with --remote\nhint: {hint}"))),
        None => Ok(()),
    }
}

/// Names alone: a secret is declared at the server, and its value never leaves a machine this way.
fn secret_names(given: &[String]) -> Result<Vec<String>, Failure> {
    match given.iter().find(|name| name.contains(['=', '@'])) {
        None => Ok(given.to_vec()),
        Some(secret) => {
            let name = secret.split(['@', '=']).next().unwrap_or_default();
            Err(Failure::usage(format!(
                "--secret {name}=… cannot be sent to a server\nhint: surehand serve --secret declares it there; name it alone: --secret {name}"
            )))
        }
    }
}

fn contract(arguments: &RunArguments) -> Result<Option<Value>, Failure> {
    let Some(file) = &arguments.referee.contract else { return Ok(None) };
    // The same sentences as for a run on this machine.
    load_contract(file)?;
    let wrong = |why: String| Failure::usage(format!("the contract {} cannot be read: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    serde_json::from_str(text).map(Some).map_err(|error| wrong(error.to_string()))
}

fn schema(required: &[String]) -> Option<Value> {
    if required.is_empty() {
        return None;
    }
    let properties: BTreeMap<&String, Value> = required.iter().map(|field| (field, json!({}))).collect();
    Some(json!({"type": "object", "properties": properties, "required": required}))
}
