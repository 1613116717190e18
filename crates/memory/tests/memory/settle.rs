//! Credit and blame.

use surehand_memory::birth::from_reflection;
use surehand_memory::facts::RunFacts;
use surehand_memory::settle::{Baseline, Shown, outcome_of, settle_outcomes};
use surehand_memory::{Lesson, LessonShelf, MemoryShelf, Moment, Status, learn};
use surehand_types::result::FinalVerdict::{Fail, Pass, Uncertain};

use crate::support::{Did, Script, click, day, press, wait};

const BUY: Option<(&str, &str)> = Some(("button", "Buy"));

fn script() -> Script {
    Script::new("r2", "buy a lamp", "https://shop.test")
}

/// A lesson that a run of its own taught: click is dead, Enter works.
fn taught() -> Lesson {
    let run = script().step(click(), BUY, "", Did::Nothing).step(press("Enter"), BUY, "", Did::Worked).verdict(Pass);
    learn(&RunFacts::of(&run.result), day(0)).remove(0)
}

fn outcome(script: Script, moment: Moment, after_step: u32) -> Option<f64> {
    let lesson = taught();
    let shown = Shown { lesson: lesson.id.clone(), moment, after_step };
    let found = outcome_of(&lesson, &shown, &RunFacts::of(&script.result), &Baseline::default());
    found.map(|outcome| outcome.error_reduction)
}

#[test]
fn helpful_needs_a_later_attempt_of_the_same_class() {
    let failed = || script().step(click(), BUY, "", Did::Nothing);
    assert_eq!(outcome(failed(), Moment::Error, 1), None);
    let other = Some(("link", "Home"));
    let elsewhere = failed().step(serde_json::json!({"tool": "tab", "action": "back"}), None, "", Did::Worked);
    assert_eq!(outcome(elsewhere, Moment::Error, 1), None);
    assert_eq!(outcome(failed().step(press("Enter"), BUY, "", Did::Worked), Moment::Error, 1), Some(1.0));
    assert_eq!(outcome(failed().step(press("Enter"), BUY, "", Did::Nothing), Moment::Error, 1), Some(-1.0));
    // Not followed: what the lesson says came again. Elsewhere: not its business.
    assert_eq!(outcome(failed().step(click(), BUY, "", Did::Nothing), Moment::Error, 1), None);
    assert_eq!(outcome(failed().step(click(), other, "", Did::Worked), Moment::Error, 1), None);
    // What it warns of works: it is out of date.
    assert_eq!(outcome(failed().step(click(), BUY, "", Did::Worked), Moment::Error, 1), Some(-1.0));
    let mixed = failed().step(press("Enter"), BUY, "", Did::Nothing).step(press("Enter"), BUY, "", Did::Worked);
    assert_eq!(outcome(mixed, Moment::Error, 1), Some(0.0));
    assert_eq!(outcome(failed().step(press("Enter"), BUY, "", Did::Unknown), Moment::Error, 1), None);
}

#[test]
fn lessons_from_the_start_are_credited_and_blamed_too() {
    assert_eq!(outcome(script().step(press("Enter"), BUY, "", Did::Worked), Moment::Start, 0), Some(1.0));
    assert_eq!(outcome(script().step(press("Enter"), BUY, "", Did::Nothing), Moment::Start, 0), Some(-1.0));
    assert_eq!(outcome(script(), Moment::Start, 0), None);
}

#[test]
fn what_should_come_first_is_told_from_what_did() {
    let taught = script()
        .step(click(), BUY, "", Did::Nothing)
        .step(wait(), None, "", Did::Unknown)
        .step(click(), BUY, "", Did::Worked)
        .verdict(Pass);
    let lesson = learn(&RunFacts::of(&taught.result), day(0)).remove(0);
    let shown = Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 };
    let check = |script: Script, expected: Option<f64>| {
        let found = outcome_of(&lesson, &shown, &RunFacts::of(&script.result), &Baseline::default());
        assert_eq!(found.map(|outcome| outcome.error_reduction), expected);
    };
    let waited = || script().step(wait(), None, "", Did::Unknown);
    check(waited().step(click(), BUY, "", Did::Worked), Some(1.0));
    check(waited().step(click(), BUY, "", Did::Nothing), Some(-1.0));
    check(script().step(click(), BUY, "", Did::Worked), Some(-1.0));
    check(script().step(click(), BUY, "", Did::Nothing), None);
}

#[test]
fn steps_and_scores_count_against_earlier_runs() {
    let lesson = taught();
    let shown = Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 };
    let baseline = Baseline { mean_steps: Some(4.0), mean_score: Some(0.5), used_to_pass: true };
    let good = RunFacts::of(&script().step(press("Enter"), BUY, "", Did::Worked).verdict(Pass).result);
    let outcome = outcome_of(&lesson, &shown, &good, &baseline).unwrap();
    assert_eq!((outcome.step_efficiency_gain, outcome.referee_score_gain), (0.75, Some(0.5)));
    assert!(!outcome.major_regression);
    let bad = RunFacts::of(&script().step(press("Enter"), BUY, "", Did::Nothing).verdict(Fail).result);
    let outcome = outcome_of(&lesson, &shown, &bad, &baseline).unwrap();
    assert!(outcome.major_regression);
    assert_eq!(outcome.referee_score_gain, Some(-0.5));
}

#[test]
fn a_run_that_passes_the_other_way_round_ends_the_lesson() {
    let lesson = taught();
    let mut shelf = MemoryShelf::of([lesson.clone()]);
    let run = script().step(press("Enter"), BUY, "", Did::Nothing).step(click(), BUY, "", Did::Worked).verdict(Pass);
    let shown = [Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 }];
    let facts = RunFacts::of(&run.result);
    let report = settle_outcomes(&mut shelf, &shown, &facts, &Baseline::default(), day(1)).unwrap();
    assert_eq!(report.suppressed, std::slice::from_ref(&lesson.id));
    assert_eq!(shelf.get(&lesson.id).unwrap().unwrap().status, Status::Suppressed);
}

#[test]
fn promotion_takes_three_decided_runs_and_undecided_ones_do_not_count() {
    let lesson = taught();
    let mut shelf = MemoryShelf::of([lesson.clone()]);
    let mut settle = |verdict| {
        let run = script().step(press("Enter"), BUY, "", Did::Worked).verdict(verdict);
        let showing = Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 };
        let twice = [showing.clone(), showing];
        settle_outcomes(&mut shelf, &twice, &RunFacts::of(&run.result), &Baseline::default(), day(1)).unwrap()
    };
    for _ in 0..5 {
        let report = settle(Uncertain);
        assert_eq!((report.shown, report.counted), (1, 0));
    }
    assert!(settle(Pass).promoted.is_empty());
    assert!(settle(Pass).promoted.is_empty());
    assert_eq!(settle(Pass).promoted, [lesson.id]);
}

#[test]
fn a_brain_that_repeats_the_dead_action_was_not_helped() {
    let other = Some(("button", "Accept"));
    let enter = || script().step(click(), BUY, "", Did::Nothing).step(press("Enter"), BUY, "", Did::Worked);
    let accept = || {
        let dead = script().step(click(), BUY, "", Did::Nothing).step(click(), BUY, "", Did::Nothing);
        dead.step(click(), other, "", Did::Worked).step(click(), BUY, "", Did::Worked)
    };
    let reflect = |run: &RunFacts| from_reflection(run, "The button only reacts after a moment.", day(0)).unwrap();
    for repeated in [enter(), accept()] {
        let run = RunFacts::of(&repeated.verdict(Pass).result);
        for (lesson, expected) in [(learn(&run, day(0)).remove(0), None), (reflect(&run), Some(-1.0))] {
            let shown = |moment, after_step| Shown { lesson: lesson.id.clone(), moment, after_step };
            let outcome = |moment, after_step| {
                let found = outcome_of(&lesson, &shown(moment, after_step), &run, &Baseline::default());
                found.map(|outcome| outcome.error_reduction)
            };
            assert_eq!(outcome(Moment::Start, 0), expected, "{}", lesson.rule);
            // One that names no way cannot be seen to be heeded: that it did not help is what is known, and never more.
            if expected.is_some() {
                continue;
            }
            // As often as it likes: what shows nothing promotes nobody, and blames nobody.
            let mut shelf = MemoryShelf::of([lesson.clone()]);
            for _ in 0..5 {
                let told = [shown(Moment::Start, 0), shown(Moment::Error, 1)];
                let report = settle_outcomes(&mut shelf, &told, &run, &Baseline::default(), day(1)).unwrap();
                assert_eq!((report.shown, report.counted, report.promoted.len()), (1, 0, 0));
            }
            let kept = shelf.get(&lesson.id).unwrap().unwrap();
            assert_eq!((kept.status, kept.counts.shown, kept.counts.helpful), (Status::Candidate, 5, 0));
            assert!(kept.utility_history.is_empty());
        }
    }
    // Told after the failure, with the way out as the next thing: that may be the hint's doing.
    assert_eq!(outcome(enter(), Moment::Error, 1), Some(1.0));
    // Once the way was gone, a slip back does not undo that.
    let slip = script().step(press("Enter"), BUY, "", Did::Worked).step(click(), BUY, "", Did::Nothing).step(
        press("Enter"),
        BUY,
        "",
        Did::Worked,
    );
    assert_eq!(outcome(slip, Moment::Start, 0), Some(1.0));
    // That the way fails is known all the same.
    let wrong = script().step(click(), BUY, "", Did::Nothing).step(press("Enter"), BUY, "", Did::Nothing);
    assert_eq!(outcome(wrong, Moment::Start, 0), Some(-1.0));
}

#[test]
fn what_helps_with_a_thing_without_a_name_is_the_way_and_not_any_click() {
    let (image, basket, home) = (Some(("image", "")), Some(("link", "Basket")), Some(("link", "Home")));
    let thought = "open the shopping basket";
    let dead = || script().step(click(), image, thought, Did::Nothing);
    let run = dead().step(click(), basket, thought, Did::Worked).verdict(Pass);
    let lesson = learn(&RunFacts::of(&run.result), day(0)).remove(0);
    let shown = Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 };
    let check = |script: Script, expected: Option<f64>| {
        let found = outcome_of(&lesson, &shown, &RunFacts::of(&script.result), &Baseline::default());
        assert_eq!(found.map(|outcome| outcome.error_reduction), expected);
    };
    check(script().step(click(), home, "", Did::Worked), None);
    check(script().step(click(), basket, "", Did::Worked), Some(1.0));
    check(dead().step(click(), basket, "", Did::Worked), None);
}

#[test]
fn a_check_is_credited_by_its_own_contract() {
    let judged = |contract: &str, verdict| {
        let mut facts = RunFacts::of(&script().verdict(verdict).result);
        facts.contract = Some(contract.into());
        facts
    };
    let lesson = learn(&judged("paid", Fail), day(0)).remove(0);
    let shown = Shown { lesson: lesson.id.clone(), moment: Moment::Start, after_step: 0 };
    let outcome =
        |run: RunFacts| outcome_of(&lesson, &shown, &run, &Baseline::default()).map(|outcome| outcome.error_reduction);
    assert_eq!(outcome(judged("paid", Pass)), Some(1.0));
    assert_eq!(outcome(judged("paid", Fail)), Some(-1.0));
    assert_eq!(outcome(judged("shipped", Pass)), None, "it did not ask for that");
}
