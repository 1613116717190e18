//! An editor driven through both doors; the file that it saves is the truth.

use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::tools_client::Tools;

/// A command that opens an empty file of the bench.
fn editor(bench: &Bench) -> String {
    let (home, file) = (bench.path("home"), bench.write("note.txt", ""));
    std::fs::create_dir_all(&home).unwrap();
    format!("HOME={} exec l3afpad {}", home.display(), file.display())
}

fn press(key: &str) -> Value {
    json!({"tool": "keyboard", "action": "press", "key": key})
}

#[test]
fn tools_drive_an_application() {
    let bench = Bench::new();
    let mut tools = Tools::start(&bench, &["--desktop", "xvfb:900x600", "--app", &editor(&bench)]);
    let ask = |tools: &mut Tools, mut call: Value| {
        call["id"] = json!(7);
        tools.ask(call)
    };
    let clicked = ask(&mut tools, json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]}));
    assert_eq!(
        (&clicked["ok"], &clicked["id"], &clicked["dispatched"]),
        (&json!(true), &json!(7), &json!({"x": 450, "y": 300}))
    );
    assert_eq!((&clicked["url"], &clicked["tabs"], &clicked["dialog"]), (&json!(null), &json!([]), &json!(null)));
    assert_eq!((&clicked["title"], &clicked["frame"]["width"]), (&json!("note.txt"), &json!(900)));
    assert!(std::path::Path::new(clicked["frame"]["path"].as_str().unwrap()).is_file());
    let typed = ask(&mut tools, json!({"tool": "keyboard", "action": "type", "text": "grüße 漢 🙂"}));
    assert_eq!(typed["effect"]["status"], "confirmed", "{typed}");
    assert_eq!((&typed["focus"]["role"], &typed["focus"]["value"]), (&json!("textbox"), &json!("grüße 漢 🙂")));
    assert_eq!(ask(&mut tools, press("ctrl+s"))["ok"], true);
    eventually("the text to be saved", || bench.read("note.txt").trim_end() == "grüße 漢 🙂");

    let list = ask(&mut tools, json!({"tool": "window", "action": "list"}));
    assert_eq!(list["effect"], json!(null));
    assert!(list["message"].as_str().unwrap().starts_with("1 window: w1 \"note.txt\" (L3afpad)"), "{list}");
    let zoomed = ask(&mut tools, json!({"tool": "zoom", "region": [0, 0, 300, 300]}));
    assert_eq!(zoomed["images"][0]["kind"], "zoom", "{zoomed}");
    let tab = ask(&mut tools, json!({"tool": "tab", "action": "list"}));
    assert_eq!((&tab["ok"], &tab["error"]["code"]), (&json!(false), &json!("not_available")));
    let secret = ask(&mut tools, json!({"tool": "keyboard", "action": "type", "text": "<secret:pin>"}));
    assert_eq!(secret["error"]["code"], "not_available", "{secret}");
    // A menu is opened by its place and answers by its name.
    let menu = ask(&mut tools, press("alt+f"));
    assert_eq!(menu["effect"]["status"], "confirmed", "{menu}");
    ask(&mut tools, press("escape"));
    tools.close().expect(0);
    bench.expect_nothing_left();
}

#[test]
fn a_script_does_a_task_and_names_its_targets() {
    let bench = Bench::new();
    let script = bench.script(&[
        json!({"calls": [{"tool": "keyboard", "action": "type", "text": "from a script"}]}),
        json!({"calls": [{"tool": "mouse", "action": "click", "target": {"text": "File", "role": "menuitem"}}]}),
        json!({"calls": [press("escape")]}),
        json!({"calls": [press("ctrl+s")]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "written"}]}),
    ]);
    let app = editor(&bench);
    let arguments =
        ["run", "Write a note", "--desktop", "xvfb", "--app", &app, "--brain", &script, "--json", "--confirm", "none"];
    let ended = bench.surehand(&arguments);
    let result = ended.expect_end(0, "done");
    assert_eq!((&result["steps"], &result["start_url"]), (&json!(5), &json!(null)), "{result}");
    assert_eq!(bench.read("note.txt").trim_end(), "from a script");
    let started = &ended.events("run_started")[0];
    assert!(started["environment"].as_str().unwrap().starts_with("X11 display :"), "{started}");
    let steps = ended.events("step");
    let opened = steps[1]["effect"]["evidence"].to_string();
    assert!(opened.contains("popup_opened"), "{}", steps[1]);
    bench.surehand(&["report", "last"]).expect(0);
    bench.expect_nothing_left();
}
