//! The whole CRM task through `act`, each place found by its target, checked at the site.

use serde_json::json;
use surehand_types::{EffectStatus, Focus};

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_changed_and_the_site_knows() {
    let mut stage = Stage::signed_in().await;
    assert_eq!(stage.state()["logins"], json!({"succeeded": 1, "failed": 0}));

    let list = stage.click("link", "Contacts").await;
    assert!(list.happenings.page_changed.new_document);
    assert_eq!(list.observation.url, Some(format!("{}contacts", stage.site.url())));
    stage.click("searchbox", "Search").await;
    stage.type_text("raman").await;
    let opened = stage.click("link", "Priya Raman").await;
    assert_eq!(opened.hit.as_ref().map(|hit| hit.descriptor.as_str()), Some("link \"Priya Raman\""));
    let effect = opened.effect.unwrap();
    assert_eq!((effect.status, effect.evidence[0].kind.as_str()), (EffectStatus::Confirmed, "navigation"));

    let focused = stage.click("textbox", "Phone").await;
    let Focus::Element(field) = &focused.observation.focus else { panic!("{:?}", focused.observation.focus) };
    assert_eq!((field.label.as_deref(), field.editable), (Some("Phone"), true));
    let cleared = stage.act(json!({"tool": "keyboard", "action": "clear"})).await;
    assert!(cleared.ok, "{}", cleared.message);
    let typed = stage.type_text("+1 206 555 0199").await;
    let Focus::Element(field) = &typed.observation.focus else { panic!("{:?}", typed.observation.focus) };
    assert_eq!(field.value.as_deref(), Some("+1 206 555 0199"));
    assert_eq!(typed.dispatched, None);

    assert_eq!(stage.state()["saves"], 0);
    let saved = stage.click("button", "Save changes").await;
    assert!(!saved.happenings.page_changed.new_document && saved.guard.is_none());
    // The click has settled, so the request it made has been answered.
    assert_eq!(stage.state()["saves"], 1);
    assert_eq!(stage.contact().unwrap()["phone"], "+1 206 555 0199");
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_is_answered_by_the_dialog_call() {
    let mut stage = Stage::signed_in().await;
    stage.open_contact().await;
    for (answer, left) in [("dismiss", true), ("accept", false)] {
        let asked = stage.click("button", "Delete").await;
        let dialog = asked.dialog().unwrap();
        assert!(dialog.message.contains("Priya Raman") && dialog.handled.is_none(), "{dialog:?}");
        assert!(asked.observation.frame.stale, "nothing new can be captured while a dialog is open");
        assert!(stage.contact().is_some());
        let answered = stage.act(json!({"tool": "dialog", "dialog_action": answer})).await;
        assert!(answered.ok && answered.observation.dialog.is_none(), "{}", answered.message);
        assert!(!answered.observation.frame.stale);
        assert_eq!(stage.contact().is_some(), left);
    }
    stage.close().await;
}
