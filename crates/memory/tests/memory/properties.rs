//! What holds for any input.

use proptest::prelude::*;
use surehand_memory::fingerprint::{FailureText, normalised};
use surehand_memory::growth::{Caps, tidy};
use surehand_memory::lesson::{HISTORY, Lesson, SOURCES};
use surehand_memory::outcome::{Outcome, Weight, apply};
use surehand_memory::rules::Matching;
use surehand_memory::tags::tags_of;
use surehand_memory::upsert::{Relink, upsert};
use surehand_memory::wire::{Provenance, import};
use surehand_memory::{Context, LessonRules, LessonShelf, MemoryShelf, Moment, Status, retrieve, sanitise};
use surehand_types::result::FinalVerdict;

use crate::support::{day, lesson, source};

/// What can happen to a shelf.
#[derive(Debug, Clone)]
enum Event {
    Seen { rule: usize, trigger: usize, verdict: usize, promoted: bool },
    Came { rule: usize, trigger: usize, utility: f64, lost: bool },
    Tidied,
}

const RULES: [&str; 4] =
    ["Use the menu", "Do not use the menu", "Press Enter to search", "Press Enter in order to search"];
const TRIGGERS: [&str; 2] = ["ef_a", "ef_b"];
const VERDICTS: [FinalVerdict; 4] =
    [FinalVerdict::Pass, FinalVerdict::Fail, FinalVerdict::Uncertain, FinalVerdict::Unjudged];

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0..4_usize, 0..2_usize, 0..4_usize, any::<bool>())
            .prop_map(|(rule, trigger, verdict, promoted)| Event::Seen { rule, trigger, verdict, promoted }),
        4 => (0..4_usize, 0..2_usize, -1.0..1.0_f64, any::<bool>())
            .prop_map(|(rule, trigger, utility, lost)| Event::Came { rule, trigger, utility, lost }),
        1 => Just(Event::Tidied),
    ]
}

fn made(rule: usize, trigger: usize, verdict: usize) -> Lesson {
    lesson(RULES[rule], TRIGGERS[trigger], VERDICTS[verdict])
}

fn play(shelf: &mut MemoryShelf, events: &[Event], rules: &LessonRules) {
    for (index, event) in events.iter().enumerate() {
        let now = day(index as i64);
        match event {
            Event::Seen { rule, trigger, verdict, promoted } => {
                let mut lesson = made(*rule, *trigger, *verdict);
                lesson.sources = vec![source(&format!("r{index}"), VERDICTS[*verdict])];
                if *promoted {
                    lesson.status = Status::Promoted;
                }
                upsert(shelf, vec![lesson], now, rules, Relink::Touched).unwrap();
            }
            Event::Came { rule, trigger, utility, lost } => {
                let id = made(*rule, *trigger, 0).id;
                if let Some(mut lesson) = shelf.get(&id).unwrap() {
                    let outcome = Outcome {
                        error_reduction: *utility,
                        step_efficiency_gain: *utility,
                        contradiction_lost: *lost,
                        ..Outcome::default()
                    };
                    let weight = Weight::of(&lesson, true);
                    apply(&mut lesson, &outcome, weight, now);
                    shelf.put(lesson).unwrap();
                }
            }
            Event::Tidied => {
                let caps = Caps { per_origin: 6, active: 6, retired: 3, doubtful_days: 5, ..Caps::default() };
                tidy(shelf, now, &caps).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_person_suppressed_stays_suppressed(
        events in prop::collection::vec(event(), 0..60), revives in any::<bool>(), words in any::<bool>(),
    ) {
        let matching = if words { Matching::Words } else { Matching::Prefix };
        let rules = LessonRules { merge_revives: revives, matching, ..LessonRules::default() };
        let mut suppressed = made(0, 0, 0);
        suppressed.suppress(day(0));
        let mut shelf = MemoryShelf::of([suppressed.clone()]);
        play(&mut shelf, &events, &rules);
        let kept = shelf.get(&suppressed.id).unwrap().unwrap();
        prop_assert!(kept.is_suppressed_by_person());
    }

    #[test]
    fn bounds_hold_and_links_are_symmetric(events in prop::collection::vec(event(), 0..80)) {
        let mut shelf = MemoryShelf::new();
        play(&mut shelf, &events, &LessonRules::default());
        prop_assert!(shelf.len() <= RULES.len() * TRIGGERS.len());
        for lesson in shelf.lessons() {
            prop_assert!((0.0..=1.0).contains(&lesson.reliability));
            prop_assert!(lesson.utility_history.len() <= HISTORY && lesson.sources.len() <= SOURCES);
            if lesson.status == Status::Promoted {
                prop_assert!(!lesson.sources.is_empty());
            }
            for other in &lesson.conflicts {
                let other = shelf.get(other).unwrap();
                prop_assert!(other.is_none_or(|other| other.conflicts.contains(&lesson.id)));
            }
        }
    }

    #[test]
    fn retrieval_keeps_its_bounds(events in prop::collection::vec(event(), 0..40), most in 0..5_usize, trigger in 0..2_usize) {
        let mut shelf = MemoryShelf::new();
        play(&mut shelf, &events, &LessonRules::default());
        let rules = LessonRules { max_results: most, ..LessonRules::default() };
        let context = Context {
            moment: Moment::Error, task: String::new(), origin: "shop.test".into(),
            fingerprints: vec![TRIGGERS[trigger].into()], tags: vec!["no_effect".into()], text: "menu search".into(),
        };
        let found = retrieve(&shelf, &context, day(90), &rules).unwrap();
        prop_assert!(found.selected.len() <= most);
        for one in &found.selected {
            prop_assert!(one.lesson.status.is_active());
            prop_assert!(one.lesson.is_decided() || one.lesson.status == Status::Promoted);
            prop_assert!((0.50..=1.0).contains(&one.score));
            prop_assert!(!found.conflict_losers.contains(&one.lesson.id));
        }
    }

    #[test]
    fn any_text_has_a_fingerprint_and_tags(error in ".{0,200}", state in ".{0,50}", action in "[a-z0-9:/\\\\~'\" .]{0,80}") {
        let failure = FailureText { error: &error, state: &state, action: &action };
        prop_assert_eq!(failure.fingerprint().len(), 23);
        prop_assert!(!tags_of(&failure).is_empty());
        prop_assert!(normalised(&error).is_ascii());
    }

    #[test]
    fn a_quoted_name_is_one_short_line_without_quotes(text in "\\PC{0,120}|[\\x00-\\x7f]{0,120}") {
        if let Some(name) = sanitise::name(&text) {
            prop_assert!(name.chars().count() <= sanitise::QUOTED_LENGTH + 1);
            prop_assert!(!name.contains(['"', '\n', '`']));
        }
    }

    #[test]
    fn any_file_is_read_without_panic(text in "(\\{\"surehand_lessons\":1\\}\n)?.{0,300}") {
        let _ = import(&text, Provenance::Foreign);
    }
}
