//! Text of any kind into a real editor (GTK); what it saved is the truth.

use surehand_env::Environment;
use surehand_types::EffectStatus::Confirmed;
use surehand_types::Focus;

use crate::support::{Driver, eventually, virtual_options};

/// More signs than a keyboard has free keys are in the last line.
const TEXT: &str = "Plain text, with \"quotes\" & ~signs~ {}[]\\|!\nTab\tand äöüß ÄÖÜ éèñ ¿¡ €µ\nПривет γειά שלום 漢字かな한글 🙂👩‍👧\n一二三四五六七八九十百千万億兆京垓秭穣溝澗正載極恒河沙阿僧祇那由他不可思議無量大数";

#[tokio::test]
async fn every_sign_of_a_text_arrives() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.txt");
    std::fs::write(&file, "").unwrap();
    let app = format!("HOME={} LANG=C.UTF-8 exec l3afpad {}", folder.path().display(), file.display());
    let mut driver = Driver::start(&virtual_options(&app)).await;
    driver.click(500, 400).await;
    let typed = driver.type_text(TEXT).await;
    typed.expect(Confirmed);
    driver.press("ctrl+s").await;
    let saved = || std::fs::read_to_string(&file).unwrap();
    eventually("the file to be saved", || !saved().is_empty());
    assert_eq!(saved().trim_end_matches('\n'), TEXT);

    // The editor tells what has the focus and what it holds.
    let Focus::Element(focus) = driver.env.observe().await.unwrap().focus else { panic!("the focus is not known") };
    assert!(focus.editable && focus.value.unwrap().starts_with("Plain text"));
    let cleared = driver.call(serde_json::json!({"tool": "keyboard", "action": "clear"})).await;
    cleared.expect(Confirmed);
    assert!(cleared.has_evidence("text"), "{:?}", cleared.effect);
    driver.type_text("once more").await.expect(Confirmed);
    driver.press("ctrl+s").await;
    eventually("the file to be saved again", || saved().trim_end() == "once more");
    driver.env.close().await;
}
