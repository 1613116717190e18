//! Who may be shown: trust, promotion, suppression, and what merges may and may not do.

use surehand_memory::lesson::Lesson;
use surehand_memory::outcome::{Outcome, Weight, apply};
use surehand_memory::retrieve::may_be_shown;
use surehand_memory::rules::{Inject, Matching};
use surehand_memory::upsert::{Relink, upsert};
use surehand_memory::{Context, LessonRules, LessonShelf, MemoryShelf, Moment, Status, hint, retrieve};
use surehand_types::result::FinalVerdict::{self, Fail, Pass, Uncertain, Unjudged};

use crate::support::{day, lesson, source};

const RULE: &str = "Clicking the button \"Buy\" had no effect; pressing Enter worked.";

fn good() -> Outcome {
    Outcome { error_reduction: 1.0, step_efficiency_gain: 0.5, ..Outcome::default() }
}

fn put(shelf: &mut MemoryShelf, lesson: Lesson) -> Lesson {
    let id = lesson.id.clone();
    upsert(shelf, vec![lesson], day(1), &LessonRules::default(), Relink::Touched).unwrap();
    shelf.get(&id).unwrap().unwrap()
}

fn context(trigger: &str) -> Context {
    Context {
        moment: Moment::Error,
        task: String::new(),
        origin: "Shop.test".into(),
        fingerprints: vec![trigger.into()],
        tags: vec!["no_effect".into(), "on_click".into()],
        text: "click had no effect".into(),
    }
}

#[test]
fn trusted_or_promoted_and_nobody_else() {
    let shown = |verdict: FinalVerdict, status: Status| {
        let mut lesson = lesson(RULE, "ef_a", verdict);
        lesson.status = status;
        may_be_shown(&lesson, &LessonRules::default())
    };
    assert!(shown(Pass, Status::Candidate));
    assert!(shown(Fail, Status::Candidate));
    assert!(!shown(Uncertain, Status::Candidate));
    assert!(!shown(Unjudged, Status::Candidate));
    assert!(shown(Uncertain, Status::Promoted), "a person may promote");
    assert!(!shown(Pass, Status::Suppressed));
    assert!(!shown(Pass, Status::Archived));
    let mut weak = lesson(RULE, "ef_a", Fail);
    weak.sources[0].strong = false;
    assert!(!may_be_shown(&weak, &LessonRules::default()));
    let candidates = LessonRules { inject: Inject::Candidates, ..LessonRules::default() };
    assert!(may_be_shown(&weak, &candidates));
}

#[test]
fn doubt_weighs_nothing_until_a_decided_run_says_the_same() {
    let mut shelf = MemoryShelf::new();
    let mut doubtful = put(&mut shelf, lesson(RULE, "ef_a", Uncertain));
    for _ in 0..5 {
        let weight = Weight::of(&doubtful, true);
        apply(&mut doubtful, &good(), weight, day(1));
    }
    assert_eq!((doubtful.status, doubtful.reliability), (Status::Candidate, 0.2));
    assert_eq!((doubtful.counts.retrievals, doubtful.counts.shown), (0, 5));
    let mut confirming = lesson(RULE, "ef_a", Pass);
    confirming.sources = vec![source("r2", Pass)];
    let mut confirmed = put(&mut shelf, confirming);
    assert_eq!((confirmed.reliability, confirmed.is_trusted()), (0.5, true));
    for _ in 0..3 {
        let weight = Weight::of(&confirmed, true);
        apply(&mut confirmed, &good(), weight, day(2));
    }
    assert_eq!(confirmed.status, Status::Promoted);
    // Outcomes of runs that nobody could decide weigh nothing either.
    assert_eq!(Weight::of(&confirmed, false), Weight::Nothing);
}

#[test]
fn a_persons_word_is_final_until_lifted() {
    let mut shelf = MemoryShelf::new();
    let mut suppressed = put(&mut shelf, lesson(RULE, "ef_a", Pass));
    suppressed.suppress(day(1));
    shelf.put(suppressed.clone()).unwrap();
    let revives = LessonRules { merge_revives: true, matching: Matching::Prefix, ..LessonRules::default() };
    for rules in [LessonRules::default(), revives] {
        let mut promoted = lesson(RULE, "ef_a", Pass);
        promoted.status = Status::Promoted;
        upsert(&mut shelf, vec![promoted], day(2), &rules, Relink::Touched).unwrap();
        let kept = shelf.get(&suppressed.id).unwrap().unwrap();
        assert!(kept.is_suppressed_by_person());
    }
    // Said a little differently it does not come back either.
    let again = lesson("Clicking the button \"Buy\" had no effect; then pressing Enter worked.", "ef_a", Pass);
    let report = upsert(&mut shelf, vec![again], day(2), &LessonRules::default(), Relink::Touched).unwrap();
    assert_eq!((report.inserted, report.merged), (0, 1));
    assert!(retrieve(&shelf, &context("ef_a"), day(2), &LessonRules::default()).unwrap().selected.is_empty());
    let mut lifted = shelf.get(&suppressed.id).unwrap().unwrap();
    assert!(!lifted.promote(day(3)), "first it has to be lifted");
    lifted.lift(day(3));
    assert_eq!(lifted.status, Status::Candidate);
    assert!(lifted.promote(day(3)));
}

#[test]
fn a_merge_revives_only_where_that_is_switched_on() {
    for (revives, expected) in [(false, Status::Suppressed), (true, Status::Promoted)] {
        let mut known = lesson(RULE, "ef_a", Pass);
        known.status = Status::Suppressed;
        let mut shelf = MemoryShelf::of([known.clone()]);
        let mut promoted = known.clone();
        promoted.status = Status::Promoted;
        let rules = LessonRules { merge_revives: revives, ..LessonRules::default() };
        upsert(&mut shelf, vec![promoted], day(1), &rules, Relink::Touched).unwrap();
        assert_eq!(shelf.get(&known.id).unwrap().unwrap().status, expected);
    }
}

#[test]
fn the_floor_holds_in_every_lane() {
    let other = |origin: &str| {
        let mut lesson = lesson("Open the menu before anything else", "ef_other", Pass);
        lesson.origin = origin.into();
        lesson.tags = vec!["zzz".into()];
        lesson.reliability = 1.0;
        lesson
    };
    let shelf = MemoryShelf::of([other("shop.test"), other("mail.test")]);
    let mut rules = LessonRules { transfer: surehand_memory::rules::Transfer::Always, ..LessonRules::default() };
    assert!(retrieve(&shelf, &context("ef_a"), day(0), &rules).unwrap().selected.is_empty());
    rules.floor = None;
    let mut found = retrieve(&shelf, &context("ef_a"), day(0), &rules).unwrap().selected;
    assert_eq!(found.len(), 1, "the same id, filed once");
    assert_eq!(found.remove(0).lane.as_str(), "transfer");
}

#[test]
fn another_site_gets_one_place_and_only_with_something_general() {
    let elsewhere = |rule: &str, triggers: &[&str]| {
        let mut lesson = lesson(rule, "ef_a", Pass);
        lesson.origin = "mail.test".into();
        lesson.triggers = triggers.iter().map(|trigger| trigger.to_string()).collect();
        lesson.id = surehand_memory::LessonId::of(&lesson.rule, &lesson.triggers);
        lesson
    };
    let general = elsewhere("A click on a covered button has no effect until the banner is closed", &["ef_a"]);
    let named = elsewhere("Clicking the button \"Save\" had no effect; pressing Enter worked.", &["ef_a", "tg_mail"]);
    let shelf = MemoryShelf::of([general.clone(), named, elsewhere("Close the banner, then click", &["ef_a"])]);
    let mut here = context("ef_a");
    here.fingerprints.push("tg_here".into());
    let found = retrieve(&shelf, &here, day(0), &LessonRules::default()).unwrap().selected;
    assert_eq!(
        found.iter().map(|one| (&one.lesson.id, one.lane.as_str())).collect::<Vec<_>>(),
        [(&general.id, "transfer")]
    );
}

#[test]
fn what_is_shown_is_called_a_hint() {
    let shelf = MemoryShelf::of([lesson(RULE, "ef_a", Pass)]);
    let found = retrieve(&shelf, &context("ef_a"), day(0), &LessonRules::default()).unwrap();
    let hint = hint(&found.selected[0]);
    assert_eq!(hint.id, shelf.lessons().next().unwrap().id.0);
    assert_eq!(
        hint.text,
        format!(
            "Seen in an earlier run on shop.test (a hint, not an instruction; check it against the screen): {RULE}"
        )
    );
    let off = LessonRules { enabled: false, ..LessonRules::default() };
    assert!(retrieve(&shelf, &context("ef_a"), day(0), &off).unwrap().selected.is_empty());
}

#[test]
fn the_start_of_a_run_is_matched_by_its_task() {
    let shelf = MemoryShelf::of([lesson(RULE, "ef_a", Pass)]);
    let found = |task: &str, origin: &str| {
        let context = Context::at_start(task, origin);
        retrieve(&shelf, &context, day(0), &LessonRules::default()).unwrap().selected.len()
    };
    assert_eq!(found("Buy a lamp!", "shop.test"), 1);
    assert_eq!(found("Write to the support", "shop.test"), 0);
    assert_eq!(found("Buy a lamp!", "mail.test"), 0);
}

#[test]
fn of_two_that_contradict_each_other_one_is_shown() {
    let rules = LessonRules::default();
    let mut shelf = MemoryShelf::new();
    let mut weak = lesson("Search requires pressing Enter", "ef_a", Pass);
    weak.reliability = 0.3;
    let strong = lesson("Search does not require pressing Enter", "ef_a", Pass);
    let report = upsert(&mut shelf, vec![weak.clone(), strong.clone()], day(0), &rules, Relink::Touched).unwrap();
    assert_eq!(report.conflict_links, 1);
    let found = retrieve(&shelf, &context("ef_a"), day(0), &rules).unwrap();
    assert_eq!(found.selected.len(), 1);
    assert_eq!((&found.selected[0].lesson.id, found.conflict_losers), (&strong.id, vec![weak.id]));
}
