//! The governor in small steps, without a loop around it.

use serde_json::{Value, json};
use surehand_types::Call;

use super::*;

fn class(call: Value, classes: Classes) -> CallClass {
    CallClass::of(&Call::parse(&call).unwrap().call, classes)
}

const SAW: Outcome = Outcome { ok: true, effect: None, picture: Picture::Unknown };
const WORKED: Outcome = Outcome { ok: true, effect: Some(EffectStatus::Confirmed), picture: Picture::Unknown };
const DEAD: Outcome = Outcome { ok: true, effect: Some(EffectStatus::NoEffect), picture: Picture::Unknown };
const OPEN: Outcome = Outcome { ok: true, effect: Some(EffectStatus::Unverifiable), picture: Picture::Unknown };

fn step(governor: &mut Governor, class: CallClass, ground: Ground, outcome: Outcome) -> Permission {
    let permission = governor.ask(class, ground);
    if permission == Permission::Allow {
        governor.took(class, ground, outcome);
    }
    permission
}

fn look(governor: &mut Governor, ground: Ground) -> Permission {
    step(governor, CallClass::Inspection, ground, SAW)
}

#[test]
fn calls_have_a_class_in_both_tables() {
    use CallClass::{Decisive, Inspection, Neutral};
    for (call, wide, narrow) in [
        (json!({"tool": "zoom", "region": [0, 0, 10, 10]}), Inspection, Inspection),
        (json!({"tool": "mouse", "action": "move", "coordinate": [1, 1]}), Inspection, Inspection),
        (json!({"tool": "inspect"}), Inspection, Neutral),
        (json!({"tool": "tab", "action": "view"}), Inspection, Neutral),
        (json!({"tool": "tab", "action": "open", "url": "https://a.test"}), Decisive, Neutral),
        (json!({"tool": "mouse", "action": "click", "coordinate": [1, 1]}), Decisive, Decisive),
        (json!({"tool": "mouse", "action": "click", "coordinate": [1, 1], "count": 2}), Decisive, Neutral),
        (json!({"tool": "keyboard", "action": "press", "key": "enter"}), Decisive, Decisive),
        (json!({"tool": "keyboard", "action": "type", "text": "a"}), Decisive, Neutral),
        (json!({"tool": "wait", "seconds": 1}), Neutral, Neutral),
        (json!({"tool": "done", "success": true, "summary": "x"}), Neutral, Neutral),
        (
            json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 1], "direction": "up"}),
            CallClass::Scroll(Direction::Up),
            Neutral,
        ),
    ] {
        assert_eq!(class(call.clone(), Classes::Wide), wide, "{call}");
        assert_eq!(class(call.clone(), Classes::Narrow), narrow, "{call}");
    }
}

#[test]
fn the_third_look_at_the_same_is_refused_until_something_works() {
    let mut governor = Governor::new(GovernorRules::default());
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse);
    // A click without a verified effect is no way out, whatever it answered.
    for outcome in [DEAD, OPEN, SAW, Outcome { ok: false, ..SAW }] {
        step(&mut governor, CallClass::Decisive, Ground::Unknown, outcome);
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse, "{outcome:?}");
    }
    step(&mut governor, CallClass::Decisive, Ground::Unknown, WORKED);
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
}

#[test]
fn what_is_new_or_not_compared_may_be_looked_at() {
    let mut governor = Governor::new(GovernorRules::default());
    for _ in 0..10 {
        assert_eq!(look(&mut governor, Ground::Changed), Permission::Allow);
        assert_eq!(look(&mut governor, Ground::Unknown), Permission::Allow);
    }
    assert_eq!(governor.counts().inspections, 0);
}

#[test]
fn reading_down_a_page_is_work_and_going_back_and_forth_is_not() {
    let (down, up) = (CallClass::Scroll(Direction::Down), CallClass::Scroll(Direction::Up));
    let mut governor = Governor::new(GovernorRules::default());
    for _ in 0..20 {
        assert_eq!(step(&mut governor, down, Ground::Unknown, WORKED), Permission::Allow);
    }
    for direction in [up, down] {
        assert_eq!(step(&mut governor, direction, Ground::Unknown, WORKED), Permission::Allow);
    }
    assert_eq!(step(&mut governor, up, Ground::Unknown, WORKED), Permission::Refuse);
    // Onwards in the direction of the last scroll it may still go.
    assert_eq!(step(&mut governor, down, Ground::Unknown, WORKED), Permission::Allow);
}

#[test]
fn what_a_scroll_brought_up_may_be_looked_at() {
    let down = CallClass::Scroll(Direction::Down);
    let mut governor = Governor::new(GovernorRules::default());
    for _ in 0..6 {
        assert_eq!(step(&mut governor, down, Ground::Unknown, WORKED), Permission::Allow);
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse);
    }
}

#[test]
fn the_same_page_once_more_is_no_reason_to_look_again() {
    let mut governor = Governor::new(GovernorRules::default());
    look(&mut governor, Ground::Unchanged);
    look(&mut governor, Ground::Unchanged);
    step(&mut governor, CallClass::Reload, Ground::Unknown, Outcome { picture: Picture::Same, ..WORKED });
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse);
    step(&mut governor, CallClass::Reload, Ground::Unknown, Outcome { picture: Picture::Changed, ..WORKED });
    assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
}

#[test]
fn what_is_neither_a_look_nor_an_act_is_no_way_out_of_refusals() {
    let same = Outcome { picture: Picture::Same, ..WORKED };
    for (class, outcome) in [(CallClass::Neutral, WORKED), (CallClass::Reload, same)] {
        let mut governor = Governor::new(GovernorRules::default());
        look(&mut governor, Ground::Unchanged);
        look(&mut governor, Ground::Unchanged);
        let ended = (0..20).find(|_| {
            let refused = (0..2).any(|_| {
                assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse);
                governor.turn_over() == StepFate::GiveUp
            });
            step(&mut governor, class, Ground::Unknown, outcome);
            refused || governor.turn_over() == StepFate::GiveUp
        });
        assert!(ended.is_some_and(|rounds| rounds < 6), "{class:?}: {ended:?}");
    }
}

#[test]
fn scrolling_on_at_the_end_is_looking_at_the_same() {
    let down = CallClass::Scroll(Direction::Down);
    let mut governor = Governor::new(GovernorRules::default());
    let permissions: Vec<_> = (0..4).map(|_| step(&mut governor, down, Ground::Unknown, DEAD)).collect();
    assert_eq!(permissions, [Permission::Allow, Permission::Allow, Permission::Allow, Permission::Refuse]);
}

#[test]
fn a_hover_that_opened_something_is_not_held_against_the_brain() {
    let mut governor = Governor::new(GovernorRules::default());
    for _ in 0..5 {
        assert_eq!(step(&mut governor, CallClass::Inspection, Ground::Unchanged, WORKED), Permission::Allow);
    }
}

#[test]
fn a_refused_turn_is_tried_again_twice_then_spent_and_three_spent_steps_end_the_run() {
    let mut governor = Governor::new(GovernorRules::default());
    for _ in 0..2 {
        look(&mut governor, Ground::Unchanged);
        assert_eq!(governor.turn_over(), StepFate::Goes);
    }
    let mut fates = Vec::new();
    for _ in 0..9 {
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Refuse);
        fates.push(governor.turn_over());
    }
    use StepFate::{Again, GiveUp, Spent};
    assert_eq!(fates, [Again, Again, Spent, Again, Again, Spent, Again, Again, GiveUp]);
    let expected = GovernorCounts { inspections: 2, blocks: 9, retries: 6, spent: 3, ..Default::default() };
    assert_eq!(governor.counts(), expected);
    assert_eq!(governor.summary(), GovernorSummary { blocks: 9, retries: 6 });
}

#[test]
fn acting_ends_the_row_of_spent_steps_and_a_look_does_not() {
    let mut governor = Governor::new(GovernorRules::default());
    let spend = |governor: &mut Governor| {
        let mut fate = StepFate::Again;
        while fate == StepFate::Again {
            governor.invalid();
            fate = governor.turn_over();
        }
        fate
    };
    assert_eq!(spend(&mut governor), StepFate::Spent);
    assert_eq!(spend(&mut governor), StepFate::Spent);
    look(&mut governor, Ground::Changed);
    assert_eq!(governor.turn_over(), StepFate::Goes);
    assert_eq!(spend(&mut governor), StepFate::GiveUp);

    let mut governor = Governor::new(GovernorRules::default());
    spend(&mut governor);
    spend(&mut governor);
    step(&mut governor, CallClass::Decisive, Ground::Unknown, OPEN);
    assert_eq!(governor.turn_over(), StepFate::Goes);
    assert_eq!(spend(&mut governor), StepFate::Spent);
}

#[test]
fn a_turn_that_was_refused_and_then_acted_is_no_retry() {
    let mut governor = Governor::new(GovernorRules::default());
    look(&mut governor, Ground::Unchanged);
    look(&mut governor, Ground::Unchanged);
    look(&mut governor, Ground::Unchanged);
    step(&mut governor, CallClass::Decisive, Ground::Unknown, WORKED);
    assert_eq!(governor.turn_over(), StepFate::Goes);
}

#[test]
fn reflection_is_due_at_the_second_equal_or_second_hard_failure() {
    let mut governor = Governor::new(GovernorRules::default());
    assert_eq!(governor.failed("a", Hardness::Soft), None);
    assert_eq!(governor.failed("b", Hardness::Soft), None);
    assert_eq!(governor.failed("a", Hardness::Soft), Some(Reflection::SameFailure));
    assert_eq!(governor.failed("c", Hardness::Hard), None);
    assert_eq!(governor.failed("d", Hardness::Hard), Some(Reflection::HardFailures));
    assert_eq!(governor.counts().reflections, 2);
    step(&mut governor, CallClass::Decisive, Ground::Unknown, WORKED);
    assert_eq!(governor.failed("b", Hardness::Soft), None, "an effect wipes the slate");
}

#[test]
fn switched_off_it_refuses_nothing_and_asks_for_nothing() {
    let mut governor = Governor::new(GovernorRules { enabled: false, ..GovernorRules::default() });
    for _ in 0..9 {
        assert_eq!(look(&mut governor, Ground::Unchanged), Permission::Allow);
        assert_eq!(governor.failed("a", Hardness::Hard), None);
        assert_eq!(governor.turn_over(), StepFate::Goes);
    }
}

#[test]
fn rules_come_from_the_settings() {
    let mut settings = Settings::default();
    assert_eq!(GovernorRules::of(&settings), GovernorRules::default());
    settings.set("governor", "off", surehand_types::settings::Source::Flag).unwrap();
    assert_eq!(GovernorRules::of(&settings), GovernorRules { enabled: false, ..GovernorRules::default() });
    settings.set("governor", "on", surehand_types::settings::Source::Flag).unwrap();
    settings.set("profile", "vectors", surehand_types::settings::Source::Flag).unwrap();
    let narrow = GovernorRules::of(&settings);
    assert_eq!((narrow.classes, narrow.give_up_after), (Classes::Narrow, None));
}

#[test]
fn what_was_shown_is_compared_with_what_is() {
    let mut seen = LastSeen::default();
    assert_eq!(seen.ground("a"), Ground::Unknown);
    seen.shown("a");
    assert_eq!(
        (seen.ground("a"), seen.ground("b"), seen.ground("")),
        (Ground::Unchanged, Ground::Changed, Ground::Unknown)
    );
}
