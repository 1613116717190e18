//! Which actions need a person at this door, and how that person is reached.

use surehand_conduct::Consent;
use surehand_run::ConfirmMode;
use surehand_types::Settings;
use surehand_types::settings::Source;
use tokio_util::sync::CancellationToken;

use crate::ask::{Consenting, has_terminal};
use crate::exit::Failure;

/// For `surehand run`, and for the demo's own script, which asks nobody.
pub(crate) fn consent(settings: &Settings, scripted: bool, stop: &CancellationToken) -> Result<Consent, Failure> {
    if scripted {
        return Ok(Consent::scripted(settings)?);
    }
    Ok(Consent::new(settings, ConfirmMode::parse(settings.text("confirm")), at_terminal(settings, stop))?)
}

/// For `surehand tools`: whoever calls it is a program that a person started, so nobody is asked unless
/// somebody said so.
pub(crate) fn tools_consent(settings: &Settings, stop: &CancellationToken) -> Result<Consent, Failure> {
    let mode = match settings.source("confirm") {
        Source::Default => ConfirmMode::None,
        _ => ConfirmMode::parse(settings.text("confirm")),
    };
    Ok(Consent::new(settings, mode, at_terminal(settings, stop))?)
}

fn at_terminal(settings: &Settings, stop: &CancellationToken) -> Box<Consenting> {
    Box::new(Consenting { patience: settings.duration("confirm_timeout"), stop: stop.clone() })
}

/// The line at the start of a run that says what holds.
pub(crate) fn mode_in_words(consent: &Consent, settings: &Settings) -> String {
    let seconds = settings.duration("confirm_timeout").as_secs();
    let which = match consent.mode {
        ConfirmMode::None => return "confirm none: nobody is asked; what the policy denies stays denied".into(),
        ConfirmMode::Risky => "risky actions",
        ConfirmMode::All => "all actions",
    };
    let mode = consent.mode.as_str();
    if has_terminal() {
        format!(
            "confirm {mode}: {which} are asked about at this terminal, and not done without a yes within {seconds} s"
        )
    } else {
        format!(
            "confirm {mode}: there is no terminal to ask at, so {which} are not done (--confirm none is for scripted runs)"
        )
    }
}
