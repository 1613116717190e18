//! Runs that went wrong in one way each: what was forbidden, circles, a brain that dies, a target that is not there.

use surehand_trace::report::outcome::outcome_in_words;
use surehand_trace::report::trouble::what_went_wrong;
use surehand_trace::report::{html, terminal};
use surehand_trace::{Lane, LaneMarker, MarkerKind, MemoryFrames, Timeline, lanes_of, read_trace};
use surehand_types::referee::{CheckEvidence, CheckResult};
use surehand_types::result::{FinalVerdict, GuardRecord, LoopRecord, PolicyRecord};
use surehand_types::{CallProblem, EffectStatus, ErrorCode, Redactor, StepRecord, Termination};

use crate::lanes::{check, referee};
use crate::sample;

/// The run of the sample with another end.
fn ended(reason: Termination, error: Option<&str>) -> Timeline {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    let mut timeline = Timeline::from_read(read_trace(sample.events.text().as_bytes()));
    timeline.ended =
        Some(surehand_types::RunResult { error: error.map(str::to_string), ..sample::result("r", reason) });
    timeline
}

/// Without what the sample did: only its first steps, all of which went well.
fn quiet(mut timeline: Timeline, steps: usize) -> Timeline {
    timeline.entries.truncate(steps);
    for entry in &mut timeline.entries {
        entry.record.ok = true;
        entry.record.predicate_results.clear();
        if let Some(effect) = &mut entry.record.effect {
            effect.status = EffectStatus::Confirmed;
        }
    }
    timeline
}

fn spent(step: u32, problem: &str) -> StepRecord {
    StepRecord { message: format!("step spent: {problem}"), ..StepRecord::blank(step, step) }
}

fn words(timeline: &Timeline) -> Vec<String> {
    what_went_wrong(timeline).into_iter().map(|one| one.words).collect()
}

fn of_kind(timeline: &Timeline, kind: MarkerKind) -> Vec<LaneMarker> {
    lanes_of(timeline).into_iter().filter(|marker| marker.kind == kind).collect()
}

#[test]
fn what_was_forbidden_is_told_even_where_nobody_checked_the_claim() {
    let mut timeline = quiet(ended(Termination::Done, None), 3);
    assert_eq!(words(&timeline), Vec::<String>::new());
    let record = &mut timeline.entries[1].record;
    record.ok = false;
    record.policy = Some(PolicyRecord {
        decision: "deny".into(),
        rule: "allowlist".into(),
        reason: "the allowlist refused http://b.test/ (not on it)".into(),
        answer: None,
        by: None,
    });
    let found = what_went_wrong(&timeline);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].step, Some(2));
    assert!(found[0].words.contains("was not allowed by the rule allowlist: the allowlist refused http://b.test/"));
    assert_eq!(of_kind(&timeline, MarkerKind::PolicyDecision).len(), 1);
    let page = html::render(&timeline, &MemoryFrames::default());
    assert!(page.contains("<dt>Policy</dt><dd>deny, rule allowlist</dd>"));
    timeline.ended.as_mut().unwrap().verdict.r#final = FinalVerdict::Pass;
    assert_eq!(words(&timeline), Vec::<String>::new(), "it was made good");
}

#[test]
fn circles_are_marked_where_they_were_seen_and_told_in_words_for_the_reader() {
    let mut timeline = quiet(ended(Termination::Loop, Some("the last actions all had no effect")), 4);
    for (at, response) in [(1, "nudge"), (2, "repeat"), (3, "end")] {
        timeline.entries[at].record.going_in_circles =
            Some(LoopRecord { kind: "dead_actions".into(), response: response.into() });
    }
    let markers = of_kind(&timeline, MarkerKind::Loop);
    let told: Vec<(Option<u32>, &str)> = markers.iter().map(|one| (one.step, one.words.as_str())).collect();
    assert_eq!(
        told,
        [
            (Some(2), "going in circles, and the brain was told so: the last actions all had no effect"),
            (Some(3), "still going in circles after it was told: the last actions all had no effect"),
            (Some(4), "the run was ended for going in circles: the last actions all had no effect"),
        ]
    );
    assert!(markers.iter().all(|marker| marker.lane == Lane::Policy));
    assert_eq!(
        words(&timeline)[0],
        "From step 2 on the run went in circles, and did so to the end: the last actions all had no effect."
    );
    let detail = outcome_in_words(&timeline).detail;
    assert!(detail.ends_with("without any progress. The last actions all had no effect."), "{detail}");

    // Traces that do not know the step have it at their end.
    for entry in &mut timeline.entries {
        entry.record.going_in_circles = None;
    }
    assert_eq!(of_kind(&timeline, MarkerKind::Loop).iter().map(|one| one.step).collect::<Vec<_>>(), [None]);
}

#[test]
fn a_brain_that_dies_is_named_with_the_step_it_died_after() {
    let error = "the brain program ended (exit status: 3)";
    let mut timeline = quiet(ended(Termination::BrainError, Some(error)), 2);
    let found = what_went_wrong(&timeline);
    assert_eq!(found[0].step, Some(2));
    assert_eq!(found[0].words, format!("After step 2 the brain failed, which ended the run: {error}."));
    let marker = &of_kind(&timeline, MarkerKind::BrainFailed)[0];
    assert_eq!((marker.lane, marker.step), (Lane::Policy, None));
    assert!(marker.words.contains(error));
    timeline.entries.clear();
    assert!(words(&timeline)[0].starts_with("Before the first step the brain failed"));
    let text = terminal::render(&timeline, &terminal::TerminalOptions { width: 120, ..Default::default() });
    assert!(text.contains("  policy: the brain failed: the brain program ended"), "{text}");
}

#[test]
fn a_target_that_is_not_there_is_no_failure_of_the_brain() {
    let problem = "no element matches the target button \"No Such\"";
    let mut timeline = quiet(ended(Termination::BrainError, Some("3 steps in a row")), 4);
    for at in 1..4 {
        let error = Some(CallProblem { code: ErrorCode::TargetNotFound, message: problem.into() });
        timeline.entries[at].record = StepRecord { error, ..spent(at as u32 + 1, problem) };
    }
    assert_eq!(outcome_in_words(&timeline).headline, format!("A target was not found: {problem}"));
    let found = what_went_wrong(&timeline);
    assert_eq!(found[0].step, Some(2), "the first of them: {found:?}");
    assert!(found[0].words.contains("; nor did 2 other steps"), "{found:?}");
    assert_eq!(of_kind(&timeline, MarkerKind::BrainFailed), []);
    assert_eq!(of_kind(&timeline, MarkerKind::UnusableReply), []);
    let page = html::render(&timeline, &MemoryFrames::default());
    assert!(page.contains(
        "<h2 id=\"title-2\">Target not found: no element matches the target button &quot;No Such&quot;</h2>"
    ));
    assert!(!page.contains("No usable reply"));
}

#[test]
fn a_step_that_the_governor_spent_is_called_by_what_it_was() {
    let mut timeline = quiet(ended(Termination::MaxSteps, None), 2);
    let guard =
        GuardRecord { decision: "refuse".into(), rule: "governor".into(), reason: "nothing had changed".into() };
    timeline.entries[1].record = StepRecord { guard: Some(guard), ..spent(2, "Not done") };
    let page = html::render(&timeline, &MemoryFrames::default());
    assert!(page.contains("<h2 id=\"title-2\">Looked again at an unchanged page</h2>"));
    assert_eq!(of_kind(&timeline, MarkerKind::Governor).len(), 1);
    assert_eq!(of_kind(&timeline, MarkerKind::UnusableReply), []);
}

#[test]
fn every_check_that_failed_is_named_and_full_cells_count_what_they_hide() {
    let mut timeline = quiet(ended(Termination::Done, None), 2);
    let result = timeline.ended.as_mut().unwrap();
    result.verdict.r#final = FinalVerdict::Fail;
    let mut checks: Vec<CheckEvidence> =
        (1..=6).map(|number| check(&format!("check {number}"), CheckResult::Fail, true)).collect();
    checks.insert(0, check("held", CheckResult::Pass, true));
    result.referee = Some(referee(checks));
    let all = words(&timeline).join("\n");
    for number in 1..=6 {
        assert!(all.contains(&format!("\u{201c}check {number}\u{201d}")), "{all}");
    }
    assert!(all.contains("So it went with 2 more: \u{201c}check 5\u{201d}, \u{201c}check 6\u{201d}."), "{all}");
    let page = html::render(&timeline, &MemoryFrames::default());
    let cell = page.split("<td><a href=\"#verdict\"").nth(1).and_then(|rest| rest.split("</td>").next()).unwrap();
    assert!(cell.contains("check 6") && cell.contains("held"), "the words are all there: {cell}");
    assert_eq!(cell.matches("<i class=\"bad\"").count(), 3, "{cell}");
    assert!(cell.contains(">+5</i>"), "{cell}");
}
