//! The lanes, what is made of them in every view, and what is said about a run that went wrong.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use serde_json::json;
use surehand_trace::report::document::TimelineDocument;
use surehand_trace::report::terminal::{Live, TerminalOptions};
use surehand_trace::report::trouble::what_went_wrong;
use surehand_trace::report::{html, terminal};
use surehand_trace::{Lane, LaneMarker, MarkerKind, Timeline, TimelineBuilder, lanes_of, read_trace};
use surehand_types::event::Envelope;
use surehand_types::referee::{Channel, CheckEvidence, CheckResult, RefereeRecord};
use surehand_types::result::{CheckVerdict, ConfirmAnswer, FinalVerdict, GuardRecord, LessonSummary, PolicyRecord};
use surehand_types::{Redactor, Termination};

use crate::sample::{self, Sample};

fn events() -> (Vec<Envelope>, Sample) {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    (read_trace(sample.events.text().as_bytes()).events, sample)
}

pub(crate) fn check(name: &str, result: CheckResult, required: bool) -> CheckEvidence {
    CheckEvidence {
        index: 0,
        r#type: "dom".into(),
        name: Some(name.into()),
        required,
        channel: Channel::Dom,
        result,
        expected: json!({"selector": "#phone", "text": "555-0142"}),
        observed: json!({"text": "555-0199"}),
        confidence: 1.0,
        bbox: None,
        crop: None,
        reason: "other_text".into(),
    }
}

pub(crate) fn referee(checks: Vec<CheckEvidence>) -> RefereeRecord {
    RefereeRecord {
        contract: None,
        frame: None,
        checks,
        judge: None,
        channels: vec![Channel::Dom],
        warnings: Vec::new(),
        eval_final_verdict: FinalVerdict::Fail,
        eval_score: None,
        eval_disagreement: false,
    }
}

/// The sample run with a referee that found the number unchanged, and one of every decision on its steps.
fn failed() -> (Timeline, Sample) {
    let (events, sample) = events();
    let mut timeline = Timeline::from_events(&events);
    let result = timeline.ended.as_mut().unwrap();
    result.verdict.contract = Some(CheckVerdict::Fail);
    result.verdict.r#final = FinalVerdict::Fail;
    result.lessons = LessonSummary { created: 1, ..LessonSummary::default() };
    result.referee = Some(referee(vec![
        check("a hint", CheckResult::Fail, false),
        check("number in the list", CheckResult::Pass, true),
        check("number on the card", CheckResult::Fail, true),
    ]));
    timeline.entries[0].record.policy = Some(PolicyRecord {
        decision: "confirm".into(),
        rule: "first_click".into(),
        reason: "it is the first".into(),
        answer: Some(ConfirmAnswer::Yes),
        by: None,
    });
    timeline.entries[1].record.guard =
        Some(GuardRecord { decision: "preview".into(), rule: "density/near".into(), reason: "two are near".into() });
    timeline.entries[2].record.guard = Some(GuardRecord {
        decision: "refuse".into(),
        rule: "governor/streak".into(),
        reason: "it was looked at twice".into(),
    });
    timeline.entries[5].record.done_rejected_reason = Some("page_reports_error".into());
    timeline.entries[5].record.loop_recovery_reason = Some("same_click".into());
    (timeline, sample)
}

fn kinds(markers: &[LaneMarker], lane: Lane, step: Option<u32>) -> Vec<MarkerKind> {
    markers.iter().filter(|one| one.lane == lane && one.step == step).map(|one| one.kind).collect()
}

#[test]
fn every_lane_has_its_markers() {
    use MarkerKind::*;
    let (timeline, _) = failed();
    let markers = lanes_of(&timeline);
    for (lane, step, expected) in [
        (Lane::Policy, Some(1), vec![Action, PolicyDecision]),
        (Lane::Policy, Some(2), vec![Action, Preview]),
        (Lane::Policy, Some(3), vec![Action, Governor]),
        (Lane::Policy, Some(4), vec![Action, NotRun]),
        (Lane::Policy, Some(6), vec![Action, DoneRefused, Loop]),
        (Lane::State, Some(1), vec![Effect, Prediction, Address, Title]),
        (Lane::State, Some(4), vec![Effect, Prediction, Prediction]),
        (Lane::State, Some(6), vec![Happening, Effect]),
        (Lane::State, Some(7), vec![]),
        (Lane::Memory, Some(5), vec![Hint]),
        (Lane::Memory, Some(6), vec![]),
        (Lane::Memory, None, vec![Lessons]),
        (Lane::Referee, None, vec![Check, Check, Check, Contract, FinalVerdict]),
    ] {
        assert_eq!(kinds(&markers, lane, step), expected, "{lane:?} {step:?}");
    }
    let action = &markers[0];
    assert_eq!(action.words, "click left at 330,472 on link \"Marta Vogel\", sent to 422, 340");
    assert!(markers.iter().all(|marker| marker.lane == marker.kind.lane() && !marker.words.contains('\n')));
}

#[test]
fn a_failed_run_says_where_it_went_wrong() {
    let (mut timeline, _) = failed();
    let words: Vec<String> = what_went_wrong(&timeline).into_iter().map(|one| one.words).collect();
    assert_eq!(
        words,
        [
            "The check “number on the card” in the page's tree failed: expected: selector “#phone”, text “555-0142”; seen: text “555-0199”; other text.",
            "Step 4 (click left at 318,790) did nothing: region \"Cookie notice\" lay over button \"Save\".",
            "Step 2 (triple click left at 500,545 on textbox \"Phone\") was shown first and never confirmed, so it was not done.",
            "The brain's \"done\" was refused at step 6: page reports error.",
            "From step 6 on the run went in circles: same click.",
        ]
    );
    timeline.ended.as_mut().unwrap().verdict.r#final = FinalVerdict::Pass;
    assert_eq!(what_went_wrong(&timeline), []);
    timeline.ended = Some(sample::result("r", Termination::Done));
    assert_eq!(what_went_wrong(&timeline), [], "a claim that nobody checked is no fault");
    timeline.ended = None;
    assert!(!what_went_wrong(&timeline).is_empty());
    timeline.mark_running();
    assert_eq!(what_went_wrong(&timeline), [], "it may still go well");
}

#[test]
fn the_text_report_says_what_the_lanes_say_and_nothing_twice() {
    let (timeline, _) = failed();
    let text = terminal::render(&timeline, &TerminalOptions { width: 120, ..TerminalOptions::default() });
    for line in [
        "  - Step 4 (click left at 318,790) did nothing",
        "      policy: confirmed by a person, rule first_click: it is the first",
        "      policy: done was not accepted: page reports error",
        "      memory: hint l-7: The notice at the bottom",
        "  memory: lessons: 1 made of this run",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(text.matches("effect confirmed").count(), 4, "{text}");
    assert_eq!(text.matches("final verdict:").count(), 0, "the parties are told in full");
}

#[test]
fn the_page_has_a_column_per_step_and_three_ways_to_compare() {
    let (timeline, sample) = failed();
    let page = html::render(&timeline, sample.frames.as_ref());
    assert_eq!(page.matches("<th scope=\"col\"><a href=\"#step-").count(), 7);
    assert_eq!(page.matches("<th scope=\"row\">").count(), 4);
    assert!(page.contains("<th scope=\"col\"><a href=\"#verdict\">End</a></th>"));
    assert!(page.contains("What went wrong</b><ol><li>The check “number on the card”"));
    assert!(page.contains("<a href=\"#step-4\">See step 4</a>"));
    // Step 1 opens another page, step 4 changes nothing, the others change a part.
    assert_eq!(page.matches("value=\"over\">").count(), 5);
    assert!(page.contains("the same picture as before"));
    assert_eq!(page.matches("<svg class=\"changes\"").count(), 2 * page.matches("value=\"changes\">").count());
    assert!(page.matches("value=\"changes\">").count() >= 3);
    assert!(page.contains(" % of the picture"));
    assert!(page.contains("<b>Memory</b>"));
}

#[test]
fn one_json_object_holds_steps_lanes_and_verdict() {
    let (timeline, _) = failed();
    let value = serde_json::to_value(TimelineDocument::of(&timeline)).unwrap();
    assert_eq!((&value["schema_version"], &value["run"]["state"]), (&json!(1), &json!("ended")));
    assert_eq!(value["steps"].as_array().unwrap().len(), 7);
    assert_eq!(value["steps"][3]["effect"]["status"], "no_effect");
    assert_eq!(value["steps"][0]["before"]["view"], json!({"width": 1280, "height": 720}));
    assert_eq!(value["steps"][4]["hints"][0]["id"], "l-7");
    assert_eq!(value["steps"][0]["markers"][0], value["lanes"]["policy"][0]);
    assert_eq!(value["trouble"][1]["step"], 4);
    assert_eq!(value["verdict"]["final"], "fail");
    let all: usize = ["policy", "state", "memory", "referee"]
        .iter()
        .map(|lane| value["lanes"][lane].as_array().unwrap().len())
        .sum();
    assert_eq!(all, lanes_of(&timeline).len());
}

#[test]
fn a_growing_run_is_told_step_by_step_and_each_step_once() {
    let (events, _) = events();
    let mut builder = TimelineBuilder::default();
    let mut live = Live::new(&TerminalOptions::default());
    let mut text = String::new();
    for envelope in &events {
        builder.take(envelope);
        text.push_str(&live.update(builder.so_far()));
    }
    assert!(!text.contains("said it was done"), "the outcome is for the end");
    let timeline = builder.finish();
    assert_eq!(timeline, Timeline::from_events(&events));
    text.push_str(&live.finish(&timeline));
    for step in 1..=7 {
        assert_eq!(text.matches(&format!("\n   {step}  ")).count(), 1, "{text}");
    }
    assert_eq!(text.matches("not run: press enter").count(), 1, "{text}");
    assert_eq!(text.matches("said it was done").count(), 1, "{text}");
}
