//! What a replay offers turn by turn, seen from the loop: each step once, verified, looked for, confirmed or given up.

use surehand_types::observation::{FocusedElement, Pending};
use surehand_types::{Effect, EffectStatus};

use super::*;
use crate::Answer;
use crate::script::ScriptBrain;
use crate::script::tests::turn as blank_turn;

fn routine() -> Routine {
    let text = json!({
        "routine": 1, "name": "r", "version": 1, "task": "t", "claim": "all of it was done",
        "viewport": {"width": 1280, "height": 720},
        "steps": [
            {"about": "press Next", "call": {"tool": "mouse", "action": "click", "coordinate": [5, 5]},
             "anchor": {"role": "button", "text": "Next", "box": [0, 0, 10, 10]},
             "expect": {"effect": "confirmed", "url_pattern": "/b"}},
            {"about": "type", "call": {"tool": "keyboard", "action": "type", "text": "<secret:pin>"},
             "anchor": {"role": "textbox", "text": "Pin"}, "expect": {"effect": "confirmed"}},
            {"about": "click by eye", "call": {"tool": "mouse", "action": "click", "coordinate": [7, 7]},
             "expect": {"effect": "confirmed"}}
        ]
    });
    Routine::parse(&text.to_string()).unwrap()
}

fn brain() -> RoutineBrain {
    RoutineBrain::new("routine:r.json".into(), routine(), None)
}

fn at(url: &str) -> Turn {
    let mut turn = blank_turn();
    turn.observation.url = Some(format!("http://x{url}"));
    turn.secrets = vec!["pin".into()];
    let field = FocusedElement {
        tag: "input".into(),
        role: Some("textbox".into()),
        label: Some("Pin".into()),
        editable: true,
        ..FocusedElement::default()
    };
    turn.observation.focus = Focus::Element(Box::new(field));
    turn
}

fn after(url: &str, status: EffectStatus) -> Turn {
    let effect = Some(Effect::by(status, "x", ""));
    let result = CallResult { index: 0, ran: true, ok: true, effect, message: "m".into(), predicates: Vec::new() };
    Turn { results: vec![result], ..at(url) }
}

fn missing(url: &str) -> Turn {
    let mut turn = after(url, EffectStatus::Confirmed);
    turn.results[0].ran = false;
    turn.problem = Some("no element matches".into());
    turn
}

async fn next(brain: &mut RoutineBrain, turn: &Turn) -> Map<String, Value> {
    match brain.think(turn).await.unwrap().answer {
        Answer::Reply(reply) => reply.calls[0].given.clone(),
        Answer::Problem(problem) => panic!("{problem:?}"),
    }
}

/// The summary of a stop.
async fn stops(brain: &mut RoutineBrain, turn: &Turn) -> String {
    let call = next(brain, turn).await;
    assert_eq!((&call["tool"], &call["success"]), (&json!("done"), &json!(false)), "{call:?}");
    call["summary"].as_str().unwrap().to_string()
}

#[tokio::test]
async fn every_step_is_offered_once_and_the_claim_comes_last() {
    let mut brain = brain();
    let first = next(&mut brain, &at("/a")).await;
    assert_eq!(first["target"], json!({"role": "button", "text": "Next", "exact": true, "strict": true}));
    assert!(!first.contains_key("coordinate"));
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::Confirmed)).await["text"], "<secret:pin>");
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::Confirmed)).await["coordinate"], json!([7, 7]));
    // It was only shown: one confirmation makes it.
    let mut shown = after("/b", EffectStatus::Refused);
    shown.observation.pending = Some(Pending::new(PendingKind::Click, None));
    assert_eq!(next(&mut brain, &shown).await["action"], "confirm");
    let done = next(&mut brain, &after("/b", EffectStatus::Confirmed)).await;
    assert_eq!((&done["success"], &done["summary"]), (&json!(true), &json!("all of it was done")));
    assert!(stops(&mut brain, &after("/b", EffectStatus::Confirmed)).await.contains("not believed"));
}

#[tokio::test]
async fn a_page_that_comes_late_is_waited_for_twice() {
    let mut brain = brain();
    next(&mut brain, &at("/a")).await;
    assert_eq!(next(&mut brain, &after("/a", EffectStatus::Confirmed)).await["tool"], "wait");
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::Unverifiable)).await["tool"], "keyboard");
    let mut brain = super::tests::brain();
    next(&mut brain, &at("/a")).await;
    next(&mut brain, &after("/a", EffectStatus::Confirmed)).await;
    // Longer the second time, and not a third time.
    let again = next(&mut brain, &after("/a", EffectStatus::Unverifiable)).await;
    assert_eq!((&again["tool"], &again["seconds"]), (&json!("wait"), &json!(SECOND_PATIENCE)));
    let sentence = stops(&mut brain, &after("/a", EffectStatus::Unverifiable)).await;
    assert_eq!(sentence, "routine stopped at step 1 (press Next): the page is at \"/a\" and not at \"/b\"");
}

#[tokio::test]
async fn a_target_out_of_view_is_looked_for_down_and_up() {
    let mut brain = brain();
    next(&mut brain, &at("/a")).await;
    let scroll = next(&mut brain, &missing("/a")).await;
    assert_eq!((&scroll["action"], &scroll["direction"]), (&json!("scroll"), &json!("down")));
    assert!(next(&mut brain, &after("/a", EffectStatus::Confirmed)).await.contains_key("target"));
    assert_eq!(next(&mut brain, &missing("/a")).await["direction"], "down");
    // The end of the page.
    assert_eq!(next(&mut brain, &after("/a", EffectStatus::NoEffect)).await["direction"], "up");
    assert!(next(&mut brain, &after("/a", EffectStatus::Confirmed)).await.contains_key("target"));
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::Confirmed)).await["tool"], "keyboard");
}

#[tokio::test]
async fn a_search_in_vain_ends_with_what_was_missing() {
    let mut brain = brain();
    next(&mut brain, &at("/a")).await;
    next(&mut brain, &missing("/a")).await;
    next(&mut brain, &after("/a", EffectStatus::NoEffect)).await;
    let sentence = stops(&mut brain, &after("/a", EffectStatus::NoEffect)).await;
    assert!(sentence.ends_with("no element matches"), "{sentence}");
    // And one without end is given up as well.
    let mut brain = super::tests::brain();
    next(&mut brain, &at("/a")).await;
    for _ in 0..100 {
        let call = next(&mut brain, &missing("/a")).await;
        if call["tool"] == "done" {
            return;
        }
        next(&mut brain, &after("/a", EffectStatus::Confirmed)).await;
    }
    panic!("it is still looking");
}

#[tokio::test]
async fn typing_waits_for_its_field_and_its_secret() {
    let mut other = after("/b", EffectStatus::Confirmed);
    other.observation.focus = Focus::Nothing;
    let mut unknown = after("/b", EffectStatus::Confirmed);
    unknown.secrets.clear();
    for (turn, part) in [(other, "the focus is not on textbox \"Pin\""), (unknown, "the secret \"pin\"")] {
        let mut brain = brain();
        next(&mut brain, &at("/a")).await;
        let sentence = stops(&mut brain, &turn).await;
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[tokio::test]
async fn the_second_brain_has_the_rest_to_itself() {
    let replies =
        [json!({"calls": [{"tool": "wait", "seconds": 1}]}), json!({"calls": [{"tool": "wait", "seconds": 2}]})];
    let second = ScriptBrain::from_values("script:then", &replies).unwrap();
    let mut brain = RoutineBrain::new("routine:r.json".into(), routine(), Some(Box::new(second)));
    next(&mut brain, &at("/a")).await;
    // A slow page is given its time first, twice.
    for _ in 0..2 {
        assert_eq!(next(&mut brain, &after("/a", EffectStatus::NoEffect)).await["tool"], "wait");
    }
    let thought = brain.think(&after("/a", EffectStatus::NoEffect)).await.unwrap();
    assert_eq!(
        thought.notes,
        ["routine stopped at step 1 (press Next): no effect was seen within 0.0 s; script:then goes on"]
    );
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::NoEffect)).await["seconds"], 2);
    assert_eq!(next(&mut brain, &after("/b", EffectStatus::NoEffect)).await["summary"], "script ended");
}
