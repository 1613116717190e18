//! A claim beside what was last done: nothing is done by what was not allowed. A task that asks for a change is not
//! done by looking, by a click that did nothing, by words that were typed and never sent, or on a page that complains.

use surehand_types::EffectStatus;

use super::asked::Asked;
use super::doing::Doing;
use super::gate::{GateInput, GateStep};
use super::reason::{RejectReason, Rejection};

pub(super) fn judge(input: &GateInput<'_>) -> Option<Rejection> {
    not_allowed(input).or_else(|| change_not_made(input))
}

fn change_not_made(input: &GateInput<'_>) -> Option<Rejection> {
    let asked = input.asked.filter(|asked| asked.change && !input.read_only)?;
    nothing_done(input)
        .or_else(|| last_was_dead(input))
        .or_else(|| not_sent(input, asked))
        .or_else(|| page_complains(input))
}

/// What was wanted last was not allowed, and nothing came of anything after that. Who only reads may have read all it
/// needs before; without a single step that was allowed it has read nothing.
fn not_allowed(input: &GateInput<'_>) -> Option<Rejection> {
    let own: Vec<&GateStep<'_>> = input.steps.iter().filter(|step| !step.substituted).collect();
    let last = own.iter().rposition(|step| step.denied.is_some())?;
    let words = own[last].denied?;
    let moved_on = |step: &&GateStep<'_>| {
        let acted = step.deed != Doing::Look && !is_dead(step);
        step.denied.is_none() && (acted || step.url_changed == Some(true))
    };
    let went_on = match input.read_only {
        true => own.iter().any(|step| step.denied.is_none()),
        false => own[last + 1..].iter().any(moved_on),
    };
    (!went_on).then(|| {
        let detail = format!("the last action was not allowed ({}), and nothing was done after it", words.trim());
        Rejection::new(RejectReason::LastActionNotAllowed, detail)
    })
}

/// What acted, newest first. A wait that the gate put in is none, a value that the runtime filled in is.
fn deeds<'a>(input: &GateInput<'a>) -> impl Iterator<Item = &'a GateStep<'a>> {
    input.steps.iter().rev().filter(|step| step.deed != Doing::Look)
}

fn is_dead(step: &GateStep<'_>) -> bool {
    matches!(step.effect, Some(EffectStatus::NoEffect | EffectStatus::Refused))
}

fn nothing_done(input: &GateInput<'_>) -> Option<Rejection> {
    // Only the tail of a long run is known here; it has had its windows.
    (!input.steps_cut && deeds(input).all(is_dead)).then(|| {
        let detail = match deeds(input).count() {
            0 => "nothing was done in this run yet".to_string(),
            _ => "no action of this run had an effect".to_string(),
        };
        Rejection::new(RejectReason::NoProgressInWindow, detail)
    })
}

/// A dead click after one that worked may be a slip; after mere typing it is the Save that did not save.
fn last_was_dead(input: &GateInput<'_>) -> Option<Rejection> {
    deeds(input).next().filter(|step| step.deed == Doing::Act && is_dead(step))?;
    let worked = deeds(input).find(|step| step.effect == Some(EffectStatus::Confirmed));
    worked.is_none_or(|step| step.deed == Doing::Write).then(|| {
        Rejection::new(
            RejectReason::LastActionHadNoEffect,
            "the last action had no effect, and nothing worked after it",
        )
    })
}

fn not_sent(input: &GateInput<'_>, asked: Asked) -> Option<Rejection> {
    let last = deeds(input).next()?;
    (asked.submit && last.deed == Doing::Write).then(|| {
        Rejection::new(
            RejectReason::InputNotSubmitted,
            "the last thing done was to fill in a field; it was not saved or sent",
        )
    })
}

fn page_complains(input: &GateInput<'_>) -> Option<Rejection> {
    let complaint = input.complaint.map(str::trim).filter(|complaint| !complaint.is_empty())?;
    Some(Rejection::new(RejectReason::PageReportsError, format!("the page says: {complaint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    use EffectStatus::{Confirmed, NoEffect, Unverifiable};

    fn step(deed: Doing, effect: EffectStatus) -> GateStep<'static> {
        GateStep { action: "click", deed, effect: Some(effect), ..GateStep::default() }
    }

    fn check(task: &str, steps: &[GateStep<'_>], complaint: Option<&str>, expected: Option<RejectReason>) {
        let input = GateInput { asked: Some(Asked::of(task)), steps, complaint, ..GateInput::default() };
        assert_eq!(judge(&input).map(|rejection| rejection.reason), expected, "{task} {steps:?}");
    }

    #[test]
    fn what_was_not_allowed_is_not_done() {
        let denied = |deed| GateStep {
            deed,
            effect: Some(EffectStatus::Refused),
            denied: Some("the allowlist refused it"),
            ..GateStep::default()
        };
        let not_allowed = Some(RejectReason::LastActionNotAllowed);
        // Opening a page is no change of its own, and is not done all the same.
        check("Open the CRM", &[denied(Doing::Look)], None, not_allowed);
        check(CHANGE, &[denied(Doing::Act)], None, not_allowed);
        check(CHANGE, &[step(Doing::Act, Confirmed), denied(Doing::Act)], None, not_allowed);
        check(
            CHANGE,
            &[denied(Doing::Act), step(Doing::Act, NoEffect), step(Doing::Look, Confirmed)],
            None,
            not_allowed,
        );
        let waited = GateStep { substituted: true, ..step(Doing::Act, Confirmed) };
        check(CHANGE, &[denied(Doing::Act), waited], None, not_allowed);
        // Another way that worked is a way.
        check(CHANGE, &[denied(Doing::Act), step(Doing::Act, Confirmed)], None, None);
        let opened = GateStep { url_changed: Some(true), ..step(Doing::Look, Confirmed) };
        check("Open the CRM", &[denied(Doing::Look), opened], None, None);
    }

    #[test]
    fn who_reads_may_have_read_before_the_refusal() {
        let denied = GateStep { denied: Some("no"), effect: Some(EffectStatus::Refused), ..GateStep::default() };
        let judged = |steps: &[GateStep<'_>]| {
            let asked = Some(Asked::of("What does it cost?"));
            judge(&GateInput { asked, steps, read_only: true, ..GateInput::default() })
                .map(|rejection| rejection.reason)
        };
        assert_eq!(judged(&[denied]), Some(RejectReason::LastActionNotAllowed));
        assert_eq!(judged(&[step(Doing::Look, Confirmed), denied]), None);
    }

    const CHANGE: &str = "Archive the card.";
    const SAVE: &str = "Change the phone and save.";

    #[test]
    fn a_change_is_not_made_by_looking_or_by_dead_clicks() {
        check(CHANGE, &[], None, Some(RejectReason::NoProgressInWindow));
        check(CHANGE, &[step(Doing::Look, Confirmed)], None, Some(RejectReason::NoProgressInWindow));
        check(CHANGE, &[step(Doing::Act, NoEffect)], None, Some(RejectReason::NoProgressInWindow));
        check(CHANGE, &[step(Doing::Act, Unverifiable)], None, None);
        check(CHANGE, &[step(Doing::Act, Confirmed), step(Doing::Look, NoEffect)], None, None);
        check("What does it cost?", &[], None, None);
        // What is not understood is not held against anybody.
        check("Lege die Karte ab", &[], None, None);
    }

    #[test]
    fn a_dead_save_after_typing_saved_nothing() {
        let typed = step(Doing::Write, Confirmed);
        check(SAVE, &[typed, step(Doing::Act, NoEffect)], None, Some(RejectReason::LastActionHadNoEffect));
        check(SAVE, &[typed, step(Doing::Act, Confirmed), step(Doing::Act, NoEffect)], None, None);
    }

    #[test]
    fn what_was_typed_has_to_be_sent_where_the_task_says_so() {
        let typed = [step(Doing::Act, Confirmed), step(Doing::Write, Confirmed)];
        check(SAVE, &typed, None, Some(RejectReason::InputNotSubmitted));
        check("Set the due date.", &typed, None, None);
        let sent = [step(Doing::Write, Confirmed), step(Doing::Act, Confirmed), step(Doing::Look, Confirmed)];
        check(SAVE, &sent, None, None);
    }

    #[test]
    fn a_page_that_complains_has_not_taken_it() {
        let sent = [step(Doing::Write, Confirmed), step(Doing::Act, Confirmed)];
        check(SAVE, &sent, Some("Enter an email address."), Some(RejectReason::PageReportsError));
        check("Which email has Priya?", &sent, Some("Enter an email address."), None);
    }
}
