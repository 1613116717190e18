//! What the probe makes of the facts of an action.

use super::*;

fn document() -> ProbeFacts {
    ProbeFacts { documents: vec![DocumentFacts::default()], ..ProbeFacts::default() }
}

fn with(change: impl FnOnce(&mut DocumentFacts)) -> ProbeFacts {
    let mut facts = document();
    change(&mut facts.documents[0]);
    facts
}

fn change(near: bool, early: bool, visible: bool) -> Change {
    Change { kind: "text".into(), place: "div#total".into(), near, early, visible, at: 5.0, fresh: false }
}

fn check(facts: &ProbeFacts, manner: Manner, status: EffectStatus, kinds: &[&str]) -> ProbeVerdict {
    let verdict = judge(facts, manner);
    let found: Vec<&str> = verdict.effect.evidence.iter().map(|evidence| evidence.kind.as_str()).collect();
    assert_eq!((verdict.effect.status, found.as_slice()), (status, kinds), "{facts:?}");
    verdict
}

use EffectStatus::{Confirmed, NoEffect, Unverifiable};

#[test]
fn a_quiet_page_that_was_read_is_a_dead_action() {
    check(&document(), Manner::Pointer, NoEffect, &[]);
}

#[test]
fn what_was_not_read_is_never_called_dead() {
    check(&ProbeFacts::default(), Manner::Pointer, Unverifiable, &[]);
    check(&ProbeFacts { unread: 1, ..document() }, Manner::Pointer, Unverifiable, &[]);
    let canvas = ProbeFacts { blind: Some("canvas".into()), ..document() };
    let verdict = check(&canvas, Manner::Pointer, Unverifiable, &[]);
    assert_eq!(verdict.effect.reason.as_deref(), Some("canvas"));
}

#[test]
fn focus_counts_for_a_click_only_where_something_can_be_entered() {
    let focus = |entry, only| FocusMove { to: Some("button \"Save\"".into()), entry, only };
    let moved = |entry| with(|d| d.focus = Some(focus(entry, false)));
    let verdict = check(&with(|d| d.focus = Some(focus(false, true))), Manner::Pointer, Unverifiable, &[]);
    assert_eq!(verdict.effect.reason.as_deref(), Some("focus_only"));
    check(&moved(true), Manner::Pointer, Confirmed, &["focus"]);
    check(&moved(false), Manner::Pointer, NoEffect, &[]);
    check(&moved(false), Manner::Keyboard, Confirmed, &["focus"]);
}

#[test]
fn a_click_on_the_field_that_has_the_focus_is_not_dead_but_a_drag_over_it_may_be() {
    let kept = with(|d| d.focus_kept = Some("textbox".into()));
    check(&kept, Manner::Pointer, Confirmed, &["focus"]);
    check(&kept, Manner::Drag, NoEffect, &[]);
}

fn request(soon: bool) -> RequestSign {
    RequestSign { what: "POST /api".into(), soon, again: false }
}

#[test]
fn a_change_far_away_and_late_may_repeat_until_a_request_ties_it() {
    let near = with(|d| d.changes.push(change(true, false, true)));
    assert_eq!(check(&near, Manner::Pointer, Confirmed, &["mutation"]).doubt, Doubt::None);
    let early = with(|d| d.changes.push(change(false, true, true)));
    assert_eq!(check(&early, Manner::Pointer, Confirmed, &["mutation"]).doubt, Doubt::None);
    let mut far = with(|d| d.changes.push(change(false, false, true)));
    assert_eq!(check(&far, Manner::Pointer, Confirmed, &["mutation"]).doubt, Doubt::MayRepeat { young: true });
    far.signals.requests.push(request(false));
    assert_eq!(
        check(&far, Manner::Pointer, Confirmed, &["mutation", "request"]).doubt,
        Doubt::MayRepeat { young: true }
    );
    far.signals.requests.push(request(true));
    assert_eq!(check(&far, Manner::Pointer, Confirmed, &["mutation", "request", "request"]).doubt, Doubt::None);
}

#[test]
fn what_is_new_where_nothing_was_may_vanish() {
    let fresh = |d: &mut DocumentFacts| d.changes.push(Change { fresh: true, ..change(true, true, true) });
    assert_eq!(check(&with(fresh), Manner::Pointer, Confirmed, &["mutation"]).doubt, Doubt::MayVanish);
    // A clock that ticks elsewhere at that moment changes nothing about it.
    let beside_a_clock = with(|d| {
        fresh(d);
        d.changes.push(change(false, false, true));
    });
    let told = check(&beside_a_clock, Manner::Pointer, Confirmed, &["mutation", "mutation"]);
    assert_eq!(told.doubt, Doubt::MayVanish);
    let both = with(|d| {
        fresh(d);
        d.values.push("textbox".into());
    });
    assert_eq!(check(&both, Manner::Pointer, Confirmed, &["value", "mutation"]).doubt, Doubt::None);
}

#[test]
fn requests_alone_are_said_to_be_alone() {
    let mut facts = document();
    facts.signals.requests.push(request(true));
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["request_only"]).doubt, Doubt::None);
    facts.signals.requests = vec![request(false)];
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["request_only"]).doubt, Doubt::MayRepeat { young: true });
    facts.documents[0].watched = 60_000.0;
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["request_only"]).doubt, Doubt::MayRepeat { young: false });
}

fn seen(pixels: PixelFacts) -> ProbeFacts {
    ProbeFacts { pixels, ..document() }
}

#[test]
fn a_first_request_of_a_page_that_is_hardly_known_may_be_its_own() {
    let mut facts = document();
    facts.signals.requests.push(RequestSign { what: "GET /api/poll".into(), soon: true, again: false });
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["request_only"]).doubt, Doubt::MayRepeat { young: true });
    facts.signals.requests[0].again = true;
    check(&facts, Manner::Pointer, NoEffect, &[]);
    facts.documents[0].watched = 60_000.0;
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["request_only"]).doubt, Doubt::None);
}

#[test]
fn what_was_hidden_by_the_input_is_seen_in_the_picture() {
    let hidden = |d: &mut DocumentFacts| {
        d.changes.push(Change { kind: "attribute".into(), ..change(false, true, false) });
    };
    let mut facts = with(hidden);
    check(&facts, Manner::Pointer, NoEffect, &["hidden_change"]);
    facts.pixels.elsewhere = true;
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["mutation"]).doubt, Doubt::MayMove { going_on: false });
}

#[test]
fn a_frame_that_loads_once_may_repeat_and_one_that_does_is_no_evidence() {
    let mut facts = document();
    facts.signals.frame_navigations = 1;
    let verdict = check(&facts, Manner::Pointer, Confirmed, &["navigation"]);
    assert_eq!(verdict.doubt, Doubt::MayRepeat { young: true });
    facts.signals.frame_navigations = 2;
    check(&facts, Manner::Pointer, NoEffect, &[]);
    facts.signals.requests.push(request(true));
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["navigation", "request"]).doubt, Doubt::None);
}

#[test]
fn a_painted_surface_confirms_at_once_where_it_was_hit_and_after_a_while_elsewhere() {
    let bounds = ViewBox { x0: 16.0, y0: 32.0, x1: 48.0, y1: 64.0 };
    let painted = |on_hit| seen(PixelFacts { painted: Some(Painted { bounds, on_hit }), ..PixelFacts::default() });
    let verdict = check(&painted(true), Manner::Pointer, Confirmed, &["pixels"]);
    assert_eq!(verdict.doubt, Doubt::None);
    assert_eq!(verdict.effect.evidence[0].detail, "what was hit was painted anew, 32x32 px at 16,32");
    assert_eq!(
        check(&painted(false), Manner::Pointer, Confirmed, &["pixels"]).doubt,
        Doubt::MayMove { going_on: false }
    );
    let mut known = painted(false);
    known.documents[0].values.push("textbox".into());
    assert_eq!(check(&known, Manner::Pointer, Confirmed, &["value"]).doubt, Doubt::None);
}

#[test]
fn a_surface_that_lives_by_itself_keeps_a_quiet_page_from_being_called_dead() {
    let verdict =
        check(&seen(PixelFacts { hit_restless: true, ..PixelFacts::default() }), Manner::Pointer, Unverifiable, &[]);
    assert_eq!(verdict.effect.reason.as_deref(), Some("canvas_changed"));
}

#[test]
fn style_rules_count_only_with_a_picture_that_changed() {
    let mut facts = with(|d| d.restyled = true);
    check(&facts, Manner::Pointer, NoEffect, &[]);
    facts.pixels.elsewhere = true;
    assert_eq!(check(&facts, Manner::Pointer, Confirmed, &["style"]).doubt, Doubt::MayMove { going_on: false });
    facts.documents[0].restyled = false;
    check(&facts, Manner::Pointer, NoEffect, &[]);
}

#[test]
fn hidden_changes_and_flashes_prove_nothing() {
    let hidden = with(|d| d.changes.push(change(false, true, false)));
    check(&hidden, Manner::Pointer, NoEffect, &["hidden_change"]);
    let flashed = with(|d| d.flashed.push("Name is required".into()));
    check(&flashed, Manner::Pointer, NoEffect, &["flashed"]);
}

#[test]
fn page_level_signals_confirm_whatever_was_unread() {
    let facts = ProbeFacts {
        unread: 1,
        signals: Signals { new_document: true, url_changed: true, ..Signals::default() },
        ..ProbeFacts::default()
    };
    check(&facts, Manner::Pointer, Confirmed, &["navigation"]);
}
