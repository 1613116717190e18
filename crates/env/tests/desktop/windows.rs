//! The `window` tool with real windows and a real window manager.

use serde_json::json;
use surehand_env::Environment;
use surehand_types::EffectStatus::Confirmed;
use surehand_types::ErrorCode;
use surehand_types::event::EnvironmentEvent;

use crate::support::{Driver, virtual_options};

#[tokio::test]
async fn windows_are_listed_focused_resized_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let editor = |name: &str| {
        std::fs::write(folder.path().join(name), "").unwrap();
        format!("l3afpad {}", folder.path().join(name).display())
    };
    let app = format!("export HOME={}; {} & exec {}", folder.path().display(), editor("one"), editor("two"));
    let mut driver = Driver::start(&virtual_options(&app)).await;
    let list = loop {
        let list = driver.call(json!({"tool": "window", "action": "list"})).await;
        if list.message.starts_with("2 windows") {
            break list;
        }
        driver.call(json!({"tool": "wait", "seconds": 0.1})).await;
    };
    assert_eq!(list.effect, None);
    let name = |title: &str| {
        let entry = list.message.split("; ").find(|part| part.contains(&format!("\"{title}\""))).unwrap();
        entry.split_whitespace().find(|word| word.starts_with('w') && word.len() == 2).unwrap().to_string()
    };
    let (one, two) = (name("one"), name("two"));
    for (window, title) in [(&two, "two"), (&one, "one")] {
        driver.call(json!({"tool": "window", "action": "focus", "window_id": window})).await;
        let seen = driver.env.observe().await.unwrap();
        assert_eq!(seen.title.as_deref(), Some(title), "{}", list.message);
    }
    let resized =
        driver.call(json!({"tool": "window", "action": "resize", "window_id": one, "width": 320, "height": 240})).await;
    resized.expect(Confirmed);
    assert!(resized.has_evidence("window_moved"), "{:?}", resized.effect);
    let list = driver.call(json!({"tool": "window", "action": "list"})).await;
    assert!(list.message.contains("320x240 px"), "{}", list.message);
    assert!(list.message.contains("active"), "{}", list.message);

    // A click on a window behind brings it to the front.
    driver.call(json!({"tool": "window", "action": "resize", "window_id": two, "width": 700, "height": 500})).await;
    driver.call(json!({"tool": "window", "action": "focus", "window_id": one})).await;
    let list = driver.call(json!({"tool": "window", "action": "list"})).await;
    let entry = list.message.split("; ").find(|part| part.contains("\"two\"")).unwrap();
    let corner: Vec<i32> =
        entry.split(['[', ']']).nth(1).unwrap().split(", ").map(|number| number.parse().unwrap()).collect();
    // From the grid to pixels of a screen of 1000x800, and into the window's lower right corner.
    let clicked = driver.click(corner[0] + 690, corner[1] * 8 / 10 + 480).await;
    clicked.expect(Confirmed);
    assert!(clicked.has_evidence("window_focus") && clicked.happenings.page_changed.other_window);
    assert_eq!(clicked.aim.hit.unwrap().id, Some(two.clone()));
    let closed = driver.call(json!({"tool": "window", "action": "close", "window_id": one})).await;
    closed.expect(Confirmed);
    assert!(closed.has_evidence("window_closed"), "{:?}", closed.effect);
    let event = closed.happenings.events.iter().any(
        |event| matches!(event, EnvironmentEvent::WindowClosed { window, title } if *window == one && title == "one"),
    );
    assert!(event, "{:?}", closed.happenings.events);
    let gone = driver.try_call(json!({"tool": "window", "action": "focus", "window_id": one})).await.unwrap();
    let failure = gone.err().unwrap();
    assert_eq!(failure.code, ErrorCode::UnknownTab);
    assert!(failure.message.contains(&format!("the windows are {two}")), "{}", failure.message);
    driver.env.close().await;
}

#[tokio::test]
async fn what_a_desktop_does_not_have_says_so() {
    let mut driver = Driver::start(&virtual_options("xclock")).await;
    for call in [
        json!({"tool": "tab", "action": "list"}),
        json!({"tool": "dialog", "dialog_action": "accept"}),
        json!({"tool": "select_option", "values": ["a"]}),
        json!({"tool": "upload_file", "paths": ["a"]}),
        json!({"tool": "keyboard", "action": "type", "text": "<secret:pin>"}),
    ] {
        let failure = driver.try_call(call).await.unwrap().err().unwrap();
        assert_eq!(failure.code, ErrorCode::NotAvailable);
        assert!(failure.message.contains("a desktop") && !failure.message.contains('\n'), "{}", failure.message);
    }
    driver.env.close().await;
}
