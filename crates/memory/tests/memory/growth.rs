//! Nothing grows without bound, and nothing useful is thrown away first.

use surehand_memory::growth::{Caps, tidy};
use surehand_memory::outcome::{Outcome, Weight, apply};
use surehand_memory::upsert::{Relink, upsert};
use surehand_memory::{Change, Lesson, LessonRules, LessonShelf, MemoryShelf, RecordingShelf, Status};
use surehand_types::result::FinalVerdict::{Pass, Uncertain};

use crate::support::{day, lesson};

fn numbered(number: usize) -> Lesson {
    let mut lesson = lesson(&format!("rule number {number}"), "ef_a", Pass);
    lesson.reliability = number as f64 / 1000.0;
    lesson
}

#[test]
fn stale_and_doubtful_ones_are_archived_and_the_useful_stay() {
    let doubtful = lesson("one", "ef_a", Uncertain);
    let unhelpful = lesson("two", "ef_a", Pass);
    let mut helpful = lesson("three", "ef_a", Pass);
    helpful.counts.helpful = 1;
    let mut promoted = lesson("four", "ef_a", Uncertain);
    promoted.status = Status::Promoted;
    let mut shelf = MemoryShelf::of([doubtful.clone(), unhelpful.clone(), helpful, promoted]);
    let caps = Caps::default();
    assert_eq!(tidy(&mut shelf, day(29), &caps).unwrap().archived, []);
    assert_eq!(tidy(&mut shelf, day(31), &caps).unwrap().archived, [doubtful.id]);
    assert_eq!(tidy(&mut shelf, day(91), &caps).unwrap().archived, [unhelpful.id]);
    assert_eq!(tidy(&mut shelf, day(366), &caps).unwrap().archived.len(), 2);
}

#[test]
fn caps_take_the_least_worthy_and_a_persons_word_is_kept() {
    let mut suppressed = numbered(0);
    suppressed.suppress(day(0));
    let mut shelf = MemoryShelf::of((0..100).map(numbered));
    shelf.put(suppressed.clone()).unwrap();
    let caps = Caps { per_origin: 40, active: 30, retired: 20, ..Caps::default() };
    let report = tidy(&mut shelf, day(1), &caps).unwrap();
    assert_eq!(shelf.lessons().filter(|lesson| lesson.status.is_active()).count(), 30);
    assert_eq!((report.archived.len(), report.forgotten.len()), (69, 49));
    assert_eq!(shelf.len(), 30 + 20 + 1);
    assert!(shelf.get(&suppressed.id).unwrap().unwrap().is_suppressed_by_person());
    assert!(shelf.get(&numbered(99).id).unwrap().unwrap().status.is_active());
}

#[test]
fn a_shelf_survives_many_removals() {
    let mut shelf = MemoryShelf::of((0..3000).map(numbered));
    for number in 0..2990 {
        shelf.remove(&numbered(number).id).unwrap();
    }
    assert_eq!(shelf.len(), 10);
    assert_eq!(shelf.ids().unwrap().len(), 10);
    assert!(shelf.get(&numbered(2995).id).unwrap().is_some());
    assert_eq!(shelf.triggered_by(&["ef_a".into()], 100).unwrap().len(), 10);
}

#[test]
fn a_recording_shelf_tells_what_was_changed_and_nothing_else() {
    let rules = LessonRules::default();
    let known = lesson("Search requires pressing Enter", "ef_a", Pass);
    let untouched = lesson("Open the menu", "ef_b", Pass);
    let mut shelf = RecordingShelf::of([known.clone(), untouched.clone()]);
    let opposite = lesson("Search does not require pressing Enter", "ef_a", Pass);
    upsert(&mut shelf, vec![opposite.clone()], day(1), &rules, Relink::Touched).unwrap();
    shelf.put(untouched).unwrap();
    let mut changed: Vec<_> = shelf
        .into_changes()
        .into_iter()
        .map(|change| match change {
            Change::Put(lesson) => lesson.id,
            Change::Remove(id) => id,
        })
        .collect();
    changed.sort();
    let mut expected = vec![known.id, opposite.id];
    expected.sort();
    assert_eq!(changed, expected, "the new one, and the old one for its link");
}

#[test]
fn a_suppression_by_outcomes_has_its_time_and_a_persons_has_not() {
    let mut failed = lesson("one", "ef_a", Pass);
    for _ in 0..3 {
        apply(&mut failed, &Outcome { error_reduction: -1.0, ..Outcome::default() }, Weight::Full, day(0));
    }
    let mut unwanted = lesson("two", "ef_a", Pass);
    unwanted.suppress(day(0));
    let mut shelf = MemoryShelf::of([failed.clone(), unwanted.clone()]);
    assert_eq!(tidy(&mut shelf, day(29), &Caps::default()).unwrap().forgotten, []);
    assert_eq!(tidy(&mut shelf, day(1000), &Caps::default()).unwrap().forgotten, [failed.id]);
    assert!(shelf.get(&unwanted.id).unwrap().is_some());
}
