//! Where a secret may be typed: into a focused field of a document of a bound origin, and nowhere else,
//! whatever the page does with focus, frames and names.

use serde_json::json;

use crate::world::{Home, Site, Tools, code};

const VALUE: &str = "hunter22-clear";
const FIELD: &str = "position:absolute;left:10px;top:10px;width:300px;height:40px";
const FRAME: &str = "position:absolute;left:10px;top:200px;width:400px;height:200px";

/// Tells its own server what was typed into it.
const LISTENING_FIELD: &str = "<input style='position:absolute;left:10px;top:10px;width:300px;height:100px'
oninput=\"fetch('/got?'+encodeURIComponent(this.value))\" autofocus>";

fn message(answer: &serde_json::Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_default()
}

fn start(home: &Home, site: &Site, path: &str) -> Tools {
    Tools::start(home, &["--url", &site.url(path), "--secret", "pw=env:HIDDEN_VALUE"], &[("HIDDEN_VALUE", VALUE)])
}

#[test]
fn only_a_field_of_a_bound_origin_gets_it() {
    let home = Home::new();
    let other = Site::start(vec![("/", LISTENING_FIELD.into())]);
    let frames = format!(
        "<!doctype html><input id=field style='{FIELD}' oninput='document.title=this.value'>
<iframe style='{FRAME}' src='{}'></iframe>
<iframe style='{FRAME};left:430px' sandbox='allow-scripts' srcdoc=\"<input style='{FIELD}'>\"></iframe>
<iframe style='{FRAME};left:850px' srcdoc=\"<input style='{FIELD}' oninput='top.document.title=this.value'>\"></iframe>",
        other.url("/")
    );
    let site = Site::start(vec![("/", frames)]);
    let mut tools = start(&home, &site, "/");
    let nothing = tools.write("<secret:pw>");
    assert_eq!(code(&nothing), "nothing_editable", "{nothing}");

    tools.click(150, 250);
    let foreign = tools.write("<secret:pw>");
    assert_eq!(code(&foreign), "denied", "{foreign}");
    assert!(message(&foreign).contains("\"pw\"") && message(&foreign).contains(&other.origin()), "{foreign}");
    tools.click(500, 230);
    let sandboxed = tools.write("a<secret:pw>");
    assert_eq!(code(&sandboxed), "denied", "{sandboxed}");
    assert!(message(&sandboxed).contains("without an origin"), "{sandboxed}");

    tools.click(900, 230);
    let inherited = tools.write("<secret:pw>");
    assert_eq!((code(&inherited), &inherited["title"]), ("ok", &json!("<secret:pw>")), "{inherited}");
    tools.click(100, 30);
    let field = tools.write("[<secret:pw>|<secret:pw>]");
    assert_eq!((code(&field), &field["title"]), ("ok", &json!("[<secret:pw>|<secret:pw>]")), "{field}");
    assert_eq!(field["focus"]["value"], "[<secret:pw>|<secret:pw>]");
    assert_eq!(field["effect"]["status"], "confirmed");

    let unknown = tools.write("<secret:other>");
    assert_eq!(code(&unknown), "invalid_call", "{unknown}");
    assert!(message(&unknown).contains("the known ones are pw"), "{unknown}");

    // Gone elsewhere: the secret does not follow.
    tools.ask(json!({"tool": "tab", "action": "open", "url": other.url("/")}));
    tools.click(100, 50);
    let elsewhere = tools.write("<secret:pw>");
    assert_eq!(code(&elsewhere), "denied", "{elsewhere}");
    let said = tools.said.clone() + &tools.close();
    assert!(!said.contains("hunter22"), "{said}");
    assert!(!other.asked().contains("got"), "{}", other.asked());
}

#[test]
fn a_document_cannot_pass_for_another() {
    let home = Home::new();
    let site = Site::start(vec![("/", "<!doctype html><title>bank</title>".into())]);
    // Names of frames and forms become properties of the document that holds them.
    let impostor = format!(
        "<!doctype html><input style='{FIELD}' oninput=\"fetch('/got?'+this.value)\">
<iframe name=defaultView src='{0}'></iframe><iframe name=origin src='{0}'></iframe><form name=activeElement></form>
<img name=execCommand><script>window.origin = '{1}'; Object.defineProperty(Document.prototype, 'defaultView', {{value: {{origin: '{1}'}}}});</script>",
        site.url("/"),
        site.origin()
    );
    let other = Site::start(vec![("/", impostor)]);
    let mut tools = start(&home, &site, "/");
    tools.ask(json!({"tool": "tab", "action": "open", "url": other.url("/")}));
    tools.click(100, 30);
    let answer = tools.write("<secret:pw>");
    assert_eq!(code(&answer), "denied", "{answer}");
    assert!(message(&answer).contains(&other.origin()), "{answer}");
    assert!(!other.asked().contains("got"), "{}", other.asked());
}

#[test]
fn focus_that_is_stolen_in_the_middle_takes_nothing_along() {
    let home = Home::new();
    let thief = format!(
        "{LISTENING_FIELD}<script>const steal = () => document.querySelector('input').focus();
onmessage = steal; setInterval(steal, 5);</script>"
    );
    let other = Site::start(vec![("/", thief)]);
    let page = |steal: &str| {
        format!(
            "<!doctype html><title>0</title><input id=field style='{FIELD}'><iframe id=thief style='{FRAME}' src='{}'></iframe><script>
const field = document.getElementById('field'), thief = document.getElementById('thief');
const steal = () => {{ thief.focus(); thief.contentWindow.focus(); thief.contentWindow.postMessage('now', '*'); }};
field.addEventListener('input', () => {{ document.title = field.value.length; }});
{steal}</script>",
            other.url("/")
        )
    };
    let on_input = page("field.addEventListener('input', () => { if (field.value.length >= 1) steal(); });");
    let on_key = page("field.addEventListener('keydown', steal);");
    let own_frame = format!(
        "<!doctype html><title>0</title><input id=field style='{FIELD}' oninput='document.title=this.value.length;next.focus()'><p id=next tabindex=0>x</p>"
    );
    let site = Site::start(vec![("/input", on_input), ("/key", on_key), ("/own", own_frame)]);

    let mut tools = start(&home, &site, "/input");
    tools.click(100, 30);
    // The frame takes the focus by itself as well, every few milliseconds: then nothing at all goes in.
    let stolen = tools.write("<secret:pw>");
    assert!(["denied", "nothing_editable"].contains(&code(&stolen)), "{stolen}");
    tools.ask(json!({"tool": "tab", "action": "open", "url": site.url("/key")}));
    tools.click(100, 30);
    let after_key = tools.write("a<secret:pw>");
    assert!(["denied", "nothing_editable"].contains(&code(&after_key)), "{after_key}");
    tools.ask(json!({"tool": "tab", "action": "open", "url": site.url("/own")}));
    tools.click(100, 30);
    let away = tools.write("<secret:pw>");
    assert_eq!(code(&away), "denied", "{away}");
    assert!(message(&away).contains("the rest was not typed"), "{away}");
    assert_eq!(away["title"], "1", "one character, and then no more");
    let asked = other.asked();
    assert!(!asked.contains("hunter") && !asked.contains("got?h") && !asked.contains("got?u"), "{asked}");
}

#[test]
fn code_boxes_that_pass_the_focus_on_are_filled() {
    let home = Home::new();
    let boxes: String = (0..6)
        .map(|index| {
            format!(
                "<input maxlength=1 style='position:absolute;left:{}px;top:10px;width:40px;height:40px'>",
                10 + index * 50
            )
        })
        .collect();
    let page = format!(
        "<!doctype html>{boxes}<script>const all = [...document.querySelectorAll('input')];
all.forEach((box, at) => box.addEventListener('input', () => {{ document.title = all.map((one) => one.value).join(''); if (all[at + 1]) all[at + 1].focus(); }}));</script>"
    );
    let site = Site::start(vec![("/", page)]);
    let arguments = ["--url", &site.url("/"), "--secret", "code=env:HIDDEN_VALUE"];
    let mut tools = Tools::start(&home, &arguments, &[("HIDDEN_VALUE", "493817")]);
    tools.click(30, 30);
    let answer = tools.write("<secret:code>");
    assert_eq!((code(&answer), &answer["title"]), ("ok", &json!("<secret:code>")), "{answer}");
}

#[test]
fn other_calls_do_not_get_it() {
    let home = Home::new();
    let page = "<!doctype html><select style='position:absolute;left:10px;top:10px;width:200px;height:40px'><option>a<option>b</select>
<button style='position:absolute;left:300px;top:10px;width:200px;height:40px' onclick=\"document.title=prompt('?')\">Ask</button>";
    let site = Site::start(vec![("/", page.into())]);
    let mut tools = start(&home, &site, "/");
    for call in [
        json!({"tool": "tab", "action": "open", "url": format!("{}?<secret:pw>", site.url("/"))}),
        json!({"tool": "upload_file", "paths": ["/tmp/<secret:pw>"]}),
        json!({"tool": "select_option", "values": ["<secret:pw>"]}),
    ] {
        let answer = tools.ask(call);
        assert_eq!(code(&answer), "denied", "{answer}");
        assert!(message(&answer).contains("<secret:pw>") && message(&answer).contains("not replaced"), "{answer}");
    }
    tools.click(400, 30);
    let answer = tools.ask(json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "<secret:pw>"}));
    assert_eq!(code(&answer), "denied", "{answer}");
    tools.ask(json!({"tool": "dialog", "dialog_action": "dismiss"}));
    let wrong = tools.ask_line(r#"{"id":"hunter22-clear","tool":"hunter22-clear"}"#);
    assert!(!wrong.to_string().contains("hunter22"), "{wrong}");
}

#[test]
fn a_declared_value_may_be_a_secret() {
    let home = Home::new();
    let page = format!(
        "<!doctype html><label>Password <input type=password style='{FIELD}' oninput=\"document.title='n'+this.value.length\"></label>"
    );
    let site = Site::start(vec![("/", page)]);
    let replies = [
        json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": crate::world::grid(100, 30)}]}),
        // Typed once more by a brain that does not know better.
        json!({"calls": [{"tool": "keyboard", "action": "type", "text": "<secret:pw>"}]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "The password is entered."}]}),
    ];
    let script: Vec<String> = replies.iter().map(|reply| reply.to_string()).collect();
    let brain = format!("script:{}", home.write("script.jsonl", script.join("\n")).display());
    let mut command = home.command(&[
        "run",
        "Enter the password",
        "--json",
        "--brain",
        &brain,
        "--url",
        &site.url("/"),
        "--secret",
        "pw=env:HIDDEN_VALUE",
        "--value",
        "Password=<secret:pw>",
    ]);
    let output = home.run(command.env("HIDDEN_VALUE", VALUE));
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    let steps = last["result"]["trajectory"].as_array().unwrap();
    assert!(steps[1]["message"].as_str().unwrap().contains("was filled in for you"), "{}", steps[1]);
    assert_eq!(steps[1]["observed"]["title"], format!("n{}", VALUE.len()), "{}", steps[1]);
    assert!(steps[2]["message"].as_str().unwrap().contains("has this text already"), "{}", steps[2]);
    assert_eq!(last["result"]["summary"], "The password is entered.", "{last}");
    assert!(!out.contains("hunter22") && !error.contains("hunter22"), "{out}{error}");
}
