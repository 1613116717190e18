//! `surehand doctor --brain SPEC`: one small real request, and what it says about key, model name, header pair,
//! vision and address.

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainError, BrainSpec, Probe, open, probe};
use surehand_conduct::{brain_options, model_options};
use surehand_types::Settings;

use super::doctor::{Check, State, bad, good};
use crate::exit::Failure;
use crate::secrets;

pub(crate) async fn check_brain(spec: &str, settings: &Settings) -> Result<Vec<Check>, Failure> {
    // What the brain says is shown; a key that a server says back is not.
    let keys = secrets::load(&[], None, settings).await?;
    let spec = match BrainSpec::parse(spec) {
        Ok(spec) => spec,
        Err(error) => return Ok(vec![broken("brain", &error)]),
    };
    let BrainSpec::Model(model) = &spec else {
        // A script is read and checked as a whole; a program is started and let go again.
        return Ok(vec![match open(&spec, brain_options(settings, Vec::new(), Surface::Browser)) {
            Ok(_) => good("brain", format!("{spec} is ready")),
            Err(error) => broken("brain", &error),
        }]);
    };
    let mut checks =
        match probe(model, &model_options(settings, Surface::Browser), settings.duration("brain_timeout")).await {
            Ok(probe) => of_answer(&probe),
            Err(error) => vec![broken("brain", &error)],
        };
    for check in &mut checks {
        check.detail = keys.redactor().text(&check.detail);
        check.fix = check.fix.as_deref().map(|fix| keys.redactor().text(fix));
    }
    Ok(checks)
}

fn of_answer(probe: &Probe) -> Vec<Check> {
    let cost = if probe.cost_usd > 0.0 { format!(", about ${:.4}", probe.cost_usd) } else { String::new() };
    let mut checks = vec![good(
        "brain",
        format!(
            "{} at {} answered in {} ms ({} tokens in, {} out{cost})",
            probe.name,
            probe.base,
            probe.answered_in.as_millis(),
            probe.input_tokens,
            probe.output_tokens
        ),
    )];
    checks.push(if probe.saw {
        good("vision", "it named the colour of the picture")
    } else {
        bad(
            "vision",
            State::Warning,
            format!("it did not name the colour of the picture; it said: {}", shown(&probe.said)),
            "use a vision model; llama.cpp needs its --mmproj file",
        )
    });
    checks.push(if probe.usable {
        good("actions", "its answer can be carried out")
    } else {
        bad(
            "actions",
            State::Warning,
            format!("its answer has no action that can be carried out; it said: {}", shown(&probe.said)),
            "choose the dialect of the model with --set dialect=NAME (docs/brains has the list)",
        )
    });
    checks.extend(probe.remarks.iter().map(|remark| Check {
        name: "remark",
        state: State::Warning,
        detail: remark.clone(),
        fix: None,
    }));
    checks
}

fn shown(said: &str) -> String {
    if said.is_empty() { "nothing".into() } else { format!("{said:?}") }
}

fn broken(name: &'static str, error: &BrainError) -> Check {
    let sentence = error.to_string();
    match sentence.rsplit_once("; hint: ") {
        Some((what, hint)) => bad(name, State::Broken, what, hint),
        None => Check { name, state: State::Broken, detail: sentence, fix: None },
    }
}
