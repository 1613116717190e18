//! What the operator set is the most that a request may ask for: how much a run may cost, how long it may take, and how
//! seldom a person is asked.

use surehand_types::Settings;
use surehand_types::api::{CuaRequest, MOST_STEPS};
use surehand_types::settings::Source;

use crate::access::{Caller, Scope};
use crate::error::ApiError;

/// More than anybody waits for: a year.
const LONGEST_MINUTES: f64 = 525_600.0;

pub(crate) fn check(settings: &Settings, caller: &Caller, request: &CuaRequest) -> Result<(), ApiError> {
    if let Some(asked) = request.confirm.as_deref() {
        check_confirm(asked, settings.text("confirm"), caller)?;
    }
    let minutes = settings.duration("timeout").as_secs_f64() / 60.0;
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let steps = settings.integer("max_steps") as f64;
    for (field, name, asked, own) in [
        ("max_cost", "max_cost", request.max_cost, settings.number("max_cost")),
        ("max_time_minutes", "timeout", request.max_time_minutes, minutes),
        ("max_steps", "max_steps", request.max_steps.map(f64::from), steps),
    ] {
        let Some(asked) = asked else { continue };
        // 0 means no limit in settings; in a request it would lift one.
        if asked <= 0.0 {
            return Err(ApiError::invalid(format!("{field}: it has to be more than 0")));
        }
        if field == "max_steps" && asked > f64::from(MOST_STEPS) {
            return Err(ApiError::invalid(format!("{field}: it is more than {MOST_STEPS}")));
        }
        if field == "max_time_minutes" && asked > LONGEST_MINUTES {
            return Err(ApiError::invalid(format!("{field}: it is more than {LONGEST_MINUTES}")));
        }
        if settings.source(name) != Source::Default && own > 0.0 && asked > own {
            return Err(ApiError::invalid(format!("{field}: this server lets a run have {own} at most")));
        }
    }
    Ok(())
}

fn check_confirm(asked: &str, own: &str, caller: &Caller) -> Result<(), ApiError> {
    let strictness = |mode: &str| match mode {
        "none" => Some(0),
        "risky" => Some(1),
        "all" => Some(2),
        _ => None,
    };
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
