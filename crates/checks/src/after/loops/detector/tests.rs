//! Tests of the detector in the product's profile; the vectors pin the other one.

use serde_json::json;

use super::*;

const PRODUCT: DetectorRules = DetectorRules { effect_fed: true, reading: Reading::Careful, ..DetectorRules::VECTORS };

fn click(x: i64, y: i64) -> Sample {
    Sample { action: Action::new("click", json!({ "x": x, "y": y })), ..Sample::default() }
}

fn at(url: &str, hash: &str) -> Sample {
    Sample { url: url.into(), frame_hash: hash.into(), ..key("a") }
}

fn key(keys: &str) -> Sample {
    Sample { action: Action::new("key_press", json!({ "keys": keys })), ..Sample::default() }
}

fn seen(seen: Seen, sample: Sample) -> Sample {
    Sample { seen, ..sample }
}

fn frozen(sample: Sample) -> Sample {
    Sample { url: "u".into(), frame_hash: "a".into(), ..sample }
}

#[test]
fn the_default_is_the_products_profile() {
    assert_eq!(DetectorRules::default(), PRODUCT);
}

#[test]
fn dev_14_drift_over_a_border_is_drift() {
    let samples: Vec<Sample> = [(487, 312), (489, 310), (491, 308)].map(|(x, y)| frozen(click(x, y))).into();
    let product = signs(&samples, 3, &PRODUCT);
    assert_eq!((product.drift, adaptive_window(3, &product, 3)), (true, 3));
    assert!(loop_in(&samples, 3, &PRODUCT).is_some());
    let source = signs(&samples, 3, &DetectorRules::VECTORS);
    assert_eq!((source.drift, adaptive_window(3, &source, 3)), (true, 5));
    assert!((source.diversity - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(loop_in(&samples, 3, &DetectorRules::VECTORS), None);
}

#[test]
fn dev_16_drags_drift_by_both_ends() {
    let drag = |shift: i64| Sample {
        action: Action::new("drag", json!({"start_x": 10 + shift, "start_y": 10, "end_x": 90, "end_y": 90 - shift})),
        ..Sample::default()
    };
    let drift = |shifts: [i64; 3], rules| signs(&shifts.map(drag), 3, rules).drift;
    assert!(drift([0, 3, 6], &PRODUCT));
    assert!(!drift([0, 3, 60], &PRODUCT));
    assert!(!drift([0, 3, 6], &DetectorRules::VECTORS));
}

#[test]
fn dev_17_states_are_equal_only_by_a_signal_that_both_have() {
    let state = |samples: [Sample; 3], rules| signs(&samples, 3, rules).state;
    let apart = || [at("", "a"), at("u", ""), at("v", "")];
    assert!(!state(apart(), &PRODUCT));
    assert!(state(apart(), &DetectorRules::VECTORS));
    assert!(state([at("u", "a"), at("u", ""), at("", "a")], &PRODUCT));
    assert!(!state([at("u", "a"), at("u", "b"), at("u", "a")], &PRODUCT));
    assert!(!state([at("", ""), at("", ""), at("", "")], &PRODUCT));
}

#[test]
fn two_dead_actions_on_one_target_are_a_loop() {
    let dead = |sample| seen(Seen::NoEffect, sample);
    let check = |samples: &[Sample], expected: LoopDecision| assert_eq!(judge(samples, &PRODUCT), expected);
    let found = LoopDecision::Soft(LoopKind::DeadTarget);
    check(&[dead(click(10, 10)), dead(click(12, 10))], found);
    check(&[dead(key("Return")), dead(key("Return"))], found);
    check(&[dead(click(10, 10)), dead(click(90, 10))], LoopDecision::None);
    check(&[dead(click(10, 10)), click(10, 10)], LoopDecision::None);
    check(&[dead(click(10, 10)), dead(key("Return"))], LoopDecision::None);
    let named = |name: &str, x| Sample { target: Some(name.into()), ..dead(click(x, 10)) };
    check(&[named("save", 10), named("save", 90)], found);
    check(&[named("save", 10), named("cancel", 12)], LoopDecision::None);
    let wait = dead(Sample { action: Action::wait(1.0), ..Sample::default() });
    check(&[wait.clone(), wait.clone()], LoopDecision::None);
    check(&[dead(click(10, 10)), wait.clone(), dead(click(10, 10))], found);
    check(&[dead(click(10, 10)), dead(click(90, 10)), dead(click(10, 10))], found);
    check(&[dead(click(10, 10)), seen(Seen::Changed, click(90, 10)), dead(click(10, 10))], LoopDecision::None);
    check(&[dead(click(10, 10)), seen(Seen::Changed, wait.clone()), dead(click(10, 10))], LoopDecision::None);
    check(&[dead(click(10, 10)), dead(click(10, 10)), seen(Seen::Changed, wait)], LoopDecision::None);
    let off = DetectorRules { effect_fed: false, ..PRODUCT };
    assert_eq!(judge(&[dead(click(10, 10)), dead(click(10, 10))], &off), LoopDecision::None);
}

#[test]
fn dead_actions_everywhere_are_a_loop_though_a_clock_moves_the_hash() {
    let dead = |place: i64| Sample { frame_hash: format!("{place}"), ..seen(Seen::NoEffect, click(place * 50, 10)) };
    let samples: Vec<Sample> = (0..12).map(dead).collect();
    assert_eq!(judge(&samples, &PRODUCT), LoopDecision::Hard(LoopKind::DeadActions));
}

#[test]
fn what_changes_something_each_time_is_no_loop() {
    let plus: Vec<Sample> = (0..12).map(|_| seen(Seen::Changed, frozen(click(10, 10)))).collect();
    assert_eq!(judge(&plus, &PRODUCT), LoopDecision::None);
    let focus: Vec<Sample> = (0..12).map(|_| seen(Seen::FocusOnly, frozen(click(10, 10)))).collect();
    assert_eq!(judge(&focus[..3], &PRODUCT), LoopDecision::Soft(LoopKind::Repeat));
    assert_eq!(judge(&focus, &PRODUCT), LoopDecision::Hard(LoopKind::Repeat));
    let filled: Vec<Sample> =
        ["a", "b", "c", "d", "e", "f"].iter().map(|keys| seen(Seen::Changed, frozen(key(keys)))).collect();
    assert_eq!(judge(&filled, &PRODUCT), LoopDecision::None);
}

#[test]
fn scrolling_that_moves_is_reading() {
    let scroll = |hash: &str| Sample { frame_hash: hash.into(), ..key("Page_Down") };
    let moving: Vec<Sample> = ["a", "b", "c", "d", "e"].into_iter().map(scroll).collect();
    assert!(!signs(&moving, 3, &PRODUCT).repeat);
    let stuck: Vec<Sample> = ["a", "a", "a"].into_iter().map(scroll).collect();
    assert!(signs(&stuck, 3, &PRODUCT).repeat);
    let typed = |hash: &str| Sample { frame_hash: hash.into(), ..key("BackSpace") };
    let erasing: Vec<Sample> = ["a", "b", "c"].into_iter().map(typed).collect();
    assert!(signs(&erasing, 3, &PRODUCT).repeat);
    assert!(!signs(&erasing, 3, &DetectorRules::VECTORS).repeat);
}

#[test]
fn without_adaptation_the_base_window_decides() {
    let rules = DetectorRules { adaptive: false, ..PRODUCT };
    let samples: Vec<Sample> = ["a", "b", "c"].iter().map(|keys| frozen(key(keys))).collect();
    assert_eq!(loop_in(&samples, 3, &rules), Some(LoopKind::State));
    assert_eq!(loop_in(&samples, 3, &PRODUCT), None);
}

#[test]
fn confirmed_focus_alone_is_not_a_change() {
    assert_eq!(Seen::of(&Effect::confirmed("focus", "textbox")), Seen::FocusOnly);
    assert_eq!(Seen::of(&Effect::confirmed("value", "textbox")), Seen::Changed);
    assert_eq!(Seen::of(&Effect::not_measured()), Seen::Unmeasured);
    assert_eq!(Seen::of(&Effect::by(EffectStatus::NoEffect, "flashed", "x")), Seen::NoEffect);
}

#[test]
fn odd_viewports_and_actions_are_survived() {
    for (width, height) in [(f64::NAN, 1.0), (f64::INFINITY, 1.0), (-5.0, 0.0)] {
        assert!(click_tolerance(width, height) >= 8);
    }
    let odd = |params| Sample { action: Action::new("click", params), ..Sample::default() };
    let samples =
        [odd(json!(null)), odd(json!({"x": "a", "y": []})), odd(json!({"x": 1e300, "y": -1e300})), click(i64::MAX, 0)];
    for window in [0, 1, 2, 3, 4, 5, usize::MAX] {
        for rules in [PRODUCT, DetectorRules::VECTORS] {
            let _ = (signs(&samples, window, &rules), loop_in(&samples, window, &rules));
        }
    }
}
