//! Text of any kind into a real editor (GTK); what it saved is the truth.

use serde_json::json;
use surehand_env::Environment;
use surehand_types::EffectStatus::Confirmed;
use surehand_types::Focus;
use surehand_types::ui::{OnOff, UiSource};

use crate::support::{Driver, Outcome, eventually, virtual_options};

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

#[tokio::test]
async fn fields_and_switches_are_told_by_the_application_and_frames_have_no_pointer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.txt");
    std::fs::write(&file, "one two three\n").unwrap();
    let app = format!("HOME={} LANG=C.UTF-8 exec l3afpad {}", folder.path().display(), file.display());
    let mut driver = Driver::start(&virtual_options(&app)).await;
    // The editor has a pointer of its own over its text; frames show what is under it.
    let over_text = driver.call(json!({"tool": "mouse", "action": "move", "coordinate": [500, 500]})).await;
    let pixels = &over_text.observation.frame.pixels;
    let around = (370..430).flat_map(|y| (470..530).map(move |x| (x, y)));
    let white = around.map(|(x, y)| pixels.at(x, y)).all(|pixel| pixel == Some([255, 255, 255]));
    assert!(white, "something lies over the empty page");

    let tree = |outcome: &Outcome| outcome.seen.iter().find(|state| state.source == UiSource::Atspi).cloned();
    let inspected = driver.call(json!({"tool": "inspect"})).await;
    let text = tree(&inspected).expect("the editor tells nothing").fields;
    assert_eq!(text.iter().map(|field| field.value.as_deref()).collect::<Vec<_>>(), [Some("one two three\n")]);

    driver.press("ctrl+f").await;
    driver.type_text("two").await;
    let inspected = driver.call(json!({"tool": "inspect"})).await;
    let told = tree(&inspected).expect("the dialog tells nothing");
    assert!(told.fields.iter().any(|field| field.value.as_deref() == Some("two")), "{:?}", told.fields);
    assert!(
        !told.toggles.is_empty() && told.toggles.iter().all(|toggle| toggle.state == OnOff::Off),
        "{:?}",
        told.toggles
    );
    let [x0, y0, x1, y1] = told.toggles[0].bbox;
    driver.click(i32::try_from((x0 + x1) / 2).unwrap(), i32::try_from((y0 + y1) / 2).unwrap()).await;
    let told = tree(&driver.call(json!({"tool": "inspect"})).await).unwrap();
    assert_eq!(told.toggles[0].state, OnOff::On, "{:?}", told.toggles);
    driver.env.close().await;
}
