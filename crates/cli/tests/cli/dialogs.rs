//! Dialogs from end to end: an alert is accepted by itself and reported, a confirm waits for the
//! dialog tool, and what the answer did is checked at the site.

use serde_json::json;

use crate::bench::Bench;
use crate::crm::{Crm, click, done, reply, sign_in, type_text};
use crate::pages::PageServer;

const ALERT: &str = "<!doctype html><title>Alert</title>
<input id=i style='position:fixed;inset:0 0 50% 0' oninput=\"fetch('/typed')\" onclick=\"alert('Saved for you');fetch('/after')\">";
const CONTACT: u64 = 1087;

#[test]
fn an_alert_is_accepted_and_reported_and_stops_the_batch() {
    let (bench, server) = (Bench::new(), PageServer::with(ALERT));
    let brain = bench.replying_brain(&[
        r#"{"calls":[{"tool":"mouse","action":"click","coordinate":[500,200]},{"tool":"keyboard","action":"type","text":"x"}]}"#,
        r#"{"calls":[{"tool":"tab","action":"view"}]}"#,
        r#"{"calls":[{"tool":"done","success":true,"summary":"fine"}]}"#,
    ]);
    let ended = bench.run(&server.url(), &brain, &[]);
    ended.expect_end(0, "done");
    let seen = bench.seen();
    let turn = &seen[1];
    let expected = json!({"type": "alert", "message": "Saved for you", "default": null, "handled": "accepted"});
    assert_eq!(without_default(&turn["observation"]["dialog"]), without_default(&expected));
    assert_eq!(turn["results"][0]["ok"], true);
    assert!(turn["results"][0]["message"].as_str().unwrap().contains("Saved for you"), "{}", turn["results"]);
    assert_eq!(turn["results"][1]["ran"], false);
    assert!(turn["feedback"].as_str().unwrap().contains("dialog"), "{}", turn["feedback"]);
    assert_eq!(seen[2]["observation"]["dialog"], json!(null), "it belongs to one answer only");
    assert_eq!((server.count("/after"), server.count("/typed")), (1, 0));
    assert_eq!(ended.events("environment").len(), 1);
}

/// A prompt's default says nothing about an alert: empty and absent are the same.
fn without_default(dialog: &serde_json::Value) -> serde_json::Value {
    let mut dialog = dialog.clone();
    dialog.as_object_mut().unwrap().remove("default");
    dialog
}

#[test]
fn a_confirm_waits_for_its_answer() {
    let (bench, crm) = (Bench::new(), Crm::start());
    let mut replies = sign_in();
    replies.extend([
        reply(json!([{"tool": "tab", "action": "open", "url": crm.at(&format!("contacts/{CONTACT}"))}])),
        reply(json!([click("button", "Delete"), type_text("not this")])),
        reply(json!([{"tool": "dialog", "dialog_action": "dismiss"}])),
        reply(json!([click("button", "Delete")])),
        // Anything else is told to answer first.
        reply(json!([{"tool": "mouse", "action": "click", "coordinate": [5, 5]}])),
        reply(json!([{"tool": "dialog", "dialog_action": "accept"}])),
        done(true),
    ]);
    let ended = bench.run(&crm.url(), &bench.script(&replies), &["--confirm", "none"]);
    let result = ended.expect_end(0, "done");
    let steps = result["trajectory"].as_array().unwrap();
    let told: Vec<(bool, &str)> = steps[steps.len() - 6..steps.len() - 1]
        .iter()
        .map(|step| (step["ok"].as_bool().unwrap(), step["message"].as_str().unwrap()))
        .collect();
    for ((ok, message), (expected, part)) in told.iter().zip([
        (true, "a dialog opened: \"Delete Priya Raman? This cannot be undone.\""),
        (true, "dismissed the confirm dialog"),
        (true, "a dialog opened"),
        (false, "answer it with the dialog tool first"),
        (true, "accepted the confirm dialog"),
    ]) {
        assert!(*ok == expected && message.contains(part), "{part}: {told:?}");
    }
    let not_run = ended.events("not_run");
    assert_eq!(not_run.len(), 1, "{not_run:?}");
    assert_eq!(not_run[0]["calls"], json!([type_text("not this")]));
    let state = crm.state();
    assert_eq!((&state["deletes"], crm.has_contact(CONTACT)), (&json!(1), false));
}

#[test]
fn a_dismissed_confirm_changes_nothing() {
    let (bench, crm) = (Bench::new(), Crm::start());
    let mut replies = sign_in();
    replies.extend([
        reply(json!([{"tool": "tab", "action": "open", "url": crm.at(&format!("contacts/{CONTACT}"))}])),
        reply(json!([click("button", "Delete")])),
        reply(json!([{"tool": "dialog", "dialog_action": "dismiss"}])),
        done(true),
    ]);
    bench.run(&crm.url(), &bench.script(&replies), &["--confirm", "none"]).expect_end(0, "done");
    assert_eq!((&crm.state()["deletes"], crm.has_contact(CONTACT)), (&json!(0), true));
}
