//! A guard that refuses one kind of click, asked by `act` alone and inside a whole run: nothing is
//! dispatched, the brain is told, and the record says who refused and why.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use surehand_brain::{BrainOptions, BrainSpec, open};
use surehand_checks::before::{Decision, Guard, GuardContext, GuardList};
use surehand_run::{Declared, Hand, Nobody, RunConfig, VerifyRules, run};
use surehand_trace::{MemoryEvents, MemoryFrames, TraceWriter};
use surehand_types::call::MouseCall;
use surehand_types::result::GuardRecord;
use surehand_types::{Call, EffectStatus, ErrorCode, Redactor, RunResult, Settings, Termination};
use tokio_util::sync::CancellationToken;

use crate::stage::{CONTACT, Stage};

struct NoDeleting;

impl Guard for NoDeleting {
    fn name(&self) -> &'static str {
        "careful"
    }

    fn decide(&self, context: &GuardContext<'_>) -> Decision {
        let names_delete = context.aim.hit.as_ref().and_then(|hit| hit.name.as_deref()) == Some("Delete");
        if matches!(context.call, Call::Mouse(MouseCall::Click { .. })) && names_delete {
            return Decision::Refuse { rule: "no_delete".into(), reason: "deleting is not allowed here".into() };
        }
        Decision::Allow
    }
}

fn no_deleting() -> GuardList {
    GuardList::new(vec![Box::new(NoDeleting)])
}

fn record() -> GuardRecord {
    GuardRecord {
        decision: "refuse".into(),
        rule: "careful/no_delete".into(),
        reason: "deleting is not allowed here".into(),
    }
}

/// Nothing was deleted, and nothing was even asked.
fn untouched(stage: &Stage) {
    assert_eq!(stage.state()["deletes"], 0);
    assert!(stage.contact().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_click_is_not_dispatched() {
    let mut stage = Stage::signed_in().await;
    stage.open_contact().await;
    stage.hand = Hand::new(no_deleting());
    let point = stage.find("button", "Delete").await;
    let before = stage.look().await;
    for count in [1, 2] {
        let click = json!({"tool": "mouse", "action": "click", "coordinate": [point.x, point.y], "count": count});
        let refused = stage.act(click).await;
        assert!(!refused.ok && refused.dispatched.is_none() && refused.dialog().is_none());
        assert_eq!(refused.error.as_ref().map(|error| error.code), Some(ErrorCode::Denied));
        let effect = refused.effect.as_ref().unwrap();
        assert_eq!((effect.status, effect.reason.as_deref()), (EffectStatus::Refused, Some("denied")));
        assert_eq!(refused.guard, Some(record()));
        assert_eq!(refused.message, "deleting is not allowed here");
        assert_eq!(refused.hit.as_ref().and_then(|hit| hit.name.as_deref()), Some("Delete"));
        assert_eq!(refused.observation.url, before.url);
    }
    untouched(&stage);

    // Everything else goes on, with no record of a guard.
    let allowed = stage.click("textbox", "Phone").await;
    assert_eq!(allowed.guard, None);
    // Without the guard the same click asks.
    stage.hand = Hand::default();
    assert!(stage.click("button", "Delete").await.dialog().is_some());
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn modifiers_of_a_refused_click_do_not_stay_down() {
    let mut stage = Stage::signed_in().await;
    stage.open_contact().await;
    stage.hand = Hand::new(no_deleting());
    let point = stage.find("button", "Delete").await;
    let click = json!({"tool": "mouse", "action": "click", "coordinate": [point.x, point.y],
                       "modifiers": ["ctrl", "shift"]});
    assert_eq!(stage.act(click).await.guard, Some(record()));
    // With ctrl down this would open another tab.
    let followed = stage.click("link", "Dashboard").await;
    assert_eq!(followed.observation.tabs.len(), stage.look().await.tabs.len());
    assert_eq!(followed.happenings.opened, Vec::<String>::new());
    assert_eq!(followed.observation.url, Some(stage.site.url()));
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_in_the_result_of_a_run() {
    let stage = Stage::signed_in().await;
    let folder = tempfile::tempdir().unwrap();
    let delete = json!({"tool": "mouse", "action": "click", "target": {"role": "button", "text": "Delete"}});
    let replies: Vec<Value> = vec![
        json!({"calls": [{"tool": "tab", "action": "open", "url": format!("{}contacts/{CONTACT}", stage.site.url())}]}),
        json!({"calls": [delete, {"tool": "keyboard", "action": "press", "key": "enter"}]}),
        json!({"calls": [{"tool": "done", "success": false, "summary": "it was not allowed"}]}),
    ];
    let script = folder.path().join("script.json");
    std::fs::write(&script, Value::from(replies).to_string()).unwrap();
    let brain = open(&BrainSpec::Script(script), BrainOptions::default()).unwrap();
    let events = MemoryEvents::default();
    let frames = Arc::new(MemoryFrames::default());
    let trace = TraceWriter::new("r1", Box::new(events.clone()), frames, Redactor::default(), Vec::new());
    let config = RunConfig {
        run_id: "r1".into(),
        task: "delete the contact".into(),
        start_url: None,
        started_at: "2026-01-01T00:00:00Z".into(),
        max_steps: 10,
        timeout: Some(Duration::from_secs(60)),
        target_wait: Duration::from_secs(10),
        toggles: Default::default(),
        frames_folder: folder.path().join("shown"),
        version: "test".into(),
        redactor: Redactor::default(),
        verify: VerifyRules::new(&Settings::default()),
        governor: surehand_checks::before::governor::GovernorRules::of(&Settings::default()),
        declared: Declared::default(),
        resumed: None,
        referee: None,
        lessons: None,
        reins: surehand_run::Reins::default(),
        keeper: None,
        before: surehand_run::Before::default(),
    };
    let Stage { env, site, .. } = stage;
    let result =
        run(config, Box::new(env), brain, Box::new(Nobody), trace, no_deleting(), CancellationToken::new()).await;

    assert_eq!(result.termination_reason, Termination::DoneFailed, "{:?}", result.error);
    let step = &result.trajectory[1];
    assert_eq!((step.ok, step.dispatched, step.guard.clone()), (false, None, Some(record())));
    assert_eq!((result.effect_summary.refused, result.steps), (1, 3));
    let not_run: Vec<Value> = events
        .lines()
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["type"] == "not_run")
        .collect();
    assert_eq!(not_run.len(), 1, "the key press behind the refused click");
    assert_eq!(not_run[0]["calls"][0]["tool"], "keyboard");
    same_in_the_trace(&events, &result);
    site.stop().await;
}

/// The record of the refused step is in the trace as it is in the result.
fn same_in_the_trace(events: &MemoryEvents, result: &RunResult) {
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(last["type"], "run_ended");
    assert_eq!(last["result"], serde_json::to_value(result).unwrap());
    assert_eq!(last["result"]["trajectory"][1]["guard"]["rule"], "careful/no_delete");
}
