//! What the operator set is the most that a request may ask for: how much a run may cost, how long it may take, and how
//! seldom a person is asked.

use surehand_types::Settings;
use surehand_types::api::{CuaRequest, MOST_STEPS};
use surehand_types::settings::Source;

use crate::access::{Caller, Scope};
use crate::error::ApiError;

/// More than anybody waits for: a year.
const LONGEST_MINUTES: f64 = 525_600.0;

/// A second.
const SHORTEST_MINUTES: f64 = 1.0 / 60.0;

pub(crate) fn check(settings: &Settings, caller: &Caller, request: &CuaRequest) -> Result<(), ApiError> {
    if let Some(asked) = request.confirm.as_deref() {
        check_confirm(asked, settings.text("confirm"), caller)?;
    }
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let steps = settings.integer("max_steps") as f64;
    for (field, name, asked, value) in [
        ("max_cost", "max_cost", request.max_cost, settings.number("max_cost")),
        ("max_time_minutes", "timeout", request.max_time_minutes, minutes(settings)),
        ("max_steps", "max_steps", request.max_steps.map(f64::from), steps),
    ] {
        let Some(asked) = asked else { continue };
        // 0 means no limit in settings; in a request it would lift one.
        if asked <= 0.0 {
            return Err(ApiError::invalid(format!("{field}: it has to be more than 0")));
        }
        // Less would become nothing, and that no limit.
        if field == "max_time_minutes" && asked < SHORTEST_MINUTES {
            return Err(ApiError::invalid(format!("{field}: it is less than a second ({SHORTEST_MINUTES:.4})")));
        }
        if field == "max_steps" && asked > f64::from(MOST_STEPS) {
            return Err(ApiError::invalid(format!("{field}: it is more than {MOST_STEPS}")));
        }
        if field == "max_time_minutes" && asked > LONGEST_MINUTES {
            return Err(ApiError::invalid(format!("{field}: it is more than {LONGEST_MINUTES}")));
        }
        if let Some(most) = own(settings, name, value).filter(|most| asked > *most) {
            return Err(ApiError::invalid(format!("{field}: this server lets a run have {most} at most")));
        }
    }
    Ok(())
}

/// What the operator set; nothing where it is the default, or no limit.
fn own(settings: &Settings, name: &str, value: f64) -> Option<f64> {
    Some(value).filter(|value| settings.source(name) != Source::Default && *value > 0.0)
}

/// In the unit of requests.
fn minutes(settings: &Settings) -> f64 {
    settings.duration("timeout").as_secs_f64() / 60.0
}

/// The same request for a run that starts now, with what the operator lets it have by now.
pub(crate) fn within(settings: &Settings, mut request: CuaRequest) -> CuaRequest {
    let least = |asked: Option<f64>, own: Option<f64>| asked.map(|asked| own.map_or(asked, |own| asked.min(own)));
    request.max_cost = least(request.max_cost, own(settings, "max_cost", settings.number("max_cost")));
    request.max_time_minutes = least(request.max_time_minutes, own(settings, "timeout", minutes(settings)));
    let steps = u32::try_from(settings.integer("max_steps")).unwrap_or(u32::MAX);
    let steps = Some(steps).filter(|_| settings.source("max_steps") != Source::Default);
    request.max_steps = request.max_steps.map(|asked| steps.map_or(asked, |own| asked.min(own)));
    request
}

/// What a run keeps of the wish about confirmations: to be asked more is anybody's right, to be asked less is kept only
/// where the caller may say so, whatever the operator says later.
pub(crate) fn kept_confirm(settings: &Settings, caller: &Caller, request: &CuaRequest) -> Option<String> {
    let asked = request.confirm.clone()?;
    let is_more = strictness(&asked) > strictness(settings.text("confirm"));
    (caller.may(Scope::Unattended) || is_more).then_some(asked)
}

fn strictness(mode: &str) -> Option<u8> {
    match mode {
        "none" => Some(0),
        "risky" => Some(1),
        "all" => Some(2),
        _ => None,
    }
}

fn check_confirm(asked: &str, own: &str, caller: &Caller) -> Result<(), ApiError> {
    // A word that is none of these is refused with the other settings.
    let (Some(asked), Some(own)) = (strictness(asked), strictness(own)) else { return Ok(()) };
    if asked >= own || caller.may(Scope::Unattended) {
        return Ok(());
    }
    Err(ApiError::forbidden(match asked {
        0 => "confirm: a run in which nobody is asked needs a token with the scope \"unattended\"",
        _ => {
            "confirm: this server asks a person about every action; to be asked less needs a token with the scope \"unattended\""
        }
    }))
}
