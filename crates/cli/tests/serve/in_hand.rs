//! A person's hand on the picture, in a real Chromium: a native list, a drag, a wheel, keys and a double click, each of
//! which has to arrive in the page that the run drives.

use serde_json::{Value, json};

use crate::bench::{Bench, HANG, eventually, pause};
use crate::operator::{Operator, click, one, write};
use crate::pages::{Page, PageServer};
use crate::service::{Service, patient_brain};

/// A list in the middle that makes room for a pad, which tells what was done to it.
const DESK: &str = "<title>Desk</title><style>body{margin:0}button,select{position:absolute;font-size:40px}\
    button{left:2%;top:2%}select{left:20%;top:25%;width:60%;height:50%}#pad{position:fixed;inset:0;background:#dde;outline:none}</style>\
    <button onclick=\"fetch('/pressed')\">Press</button>\
    <select aria-label=Fruit><option value=apple>Apple<option value=pear>Pear</select><script>\
    const tell = (what) => fetch('/told?' + encodeURIComponent(what));\
    document.querySelector('select').onchange = (event) => {\
      tell('chose ' + event.target.value); event.target.remove(); document.querySelector('button').remove();\
      const pad = document.createElement('div'); pad.id = 'pad'; pad.tabIndex = 0; let down = null; let wheeled = false;\
      pad.onpointerdown = (event) => { down = event; };\
      pad.onpointerup = (event) => { if (Math.abs(event.clientY - down.clientY) > innerHeight / 4) tell('dragged'); };\
      pad.onwheel = (event) => { if (!wheeled) tell('wheel ' + (event.deltaY > 0 ? 'down' : 'up')); wheeled = true; };\
      pad.ondblclick = () => tell('twice');\
      pad.onkeydown = (event) => { event.preventDefault(); tell('key ' + (event.ctrlKey ? 'ctrl ' : '') + event.key); };\
      document.body.append(pad); pad.focus(); };</script>";

/// A run on the site that stands in a person's hand, after the brain's own press.
fn taken_over(bench: &Bench, site: &PageServer) -> (Service, String) {
    let service = Service::start(bench, &patient_brain(bench), &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the brain's own press", || site.count("/pressed") == 1);
    bench.write("go2", "");
    service.steer(&run, "takeover", &json!({})).expect(200);
    service.until(&run, &["taken_over"]);
    (service, run)
}

#[test]
fn what_is_done_to_the_picture_is_done_to_the_page() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(DESK)), ("/pressed", Page::Html("")), ("/told", Page::Html(""))]);
    let (service, run) = taken_over(&bench, &site);

    let picture = || json!({"role": "application", "text": "in your hand"});
    let mouse = |action: &str, more: Value| {
        let mut call = json!({"tool": "mouse", "action": action, "target": picture()});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        one(&[call])
    };
    let press = |key: &str, modifiers: Value| {
        one(&[json!({"tool": "keyboard", "action": "press", "key": key, "modifiers": modifiers})])
    };
    let told = |what: &str| {
        let wanted = format!("/told?{}", what.replace(' ', "%20"));
        site.requests().iter().any(|request| request.split(' ').any(|part| part == wanted))
    };
    // One operator after the other, since the page needs a moment between a picture and the next.
    let work = |name: &'static str, replies: Vec<Value>, effects: &[&str]| {
        let operator = Operator {
            bench: &bench,
            name,
            replies,
            checks: vec![json!({"type": "dom", "selector": ".hand-said", "absent": false, "hidden_too": true})],
        };
        let operating = operator.start(&format!("http://{}/runs/{run}", service.address));
        for effect in effects {
            let end = std::time::Instant::now() + HANG;
            while !told(effect) {
                let events = || {
                    bench
                        .read(&format!("data/runs/{run}/events.jsonl"))
                        .lines()
                        .filter(|line| line.contains("\"type\":\"step\""))
                        .map(|line| line.chars().take(600).collect::<String>())
                        .collect::<Vec<_>>()
                        .join("\n")
                };
                assert!(std::time::Instant::now() < end, "{effect}: {}", events());
                pause();
            }
        }
        let result = operating.wait().result();
        assert_eq!(result["verdict"]["final"], "pass", "{name}: {result}");
    };
    // It was taken over by another program: whoever opens the page joins in with a press.
    let join = || one(&[click("button", "Work on it here")]);
    work("chooser", vec![join(), mouse("click", json!({})), one(&[click("button", "Pear")])], &["chose pear"]);
    work(
        "worker",
        vec![
            join(),
            mouse("click", json!({"count": 2})),
            press("down", json!([])),
            press("k", json!(["ctrl"])),
            one(&[write("x")]),
            mouse("scroll", json!({"direction": "down", "amount": 400})),
            mouse("drag", json!({"end_target": {"role": "textbox", "text": "Text to type"}})),
        ],
        &["twice", "key ArrowDown", "key ctrl k", "key x", "wheel down", "dragged"],
    );
    work(
        "leaver",
        vec![
            join(),
            // No field takes it: it stays in its box, and its letters are no keys.
            one(&[click("textbox", "Text to type"), write("zz")]),
            one(&[
                json!({"tool": "mouse", "action": "click", "target": {"role": "button", "text": "Type", "exact": true}}),
            ]),
            one(&[click("button", "Point with keys")]),
            press("up", json!([])),
            press("enter", json!([])),
            one(&[json!({"tool": "mouse", "action": "click", "target": {"text": "More", "exact": true}})]),
            one(&[click("textbox", "Any call"), write(r#"{"tool": "wait", "seconds": 6}"#)]),
            one(&[click("button", "Send")]),
            one(&[click("button", "Enter")]),
            // While the call before is still under way: what was done is done before the brain goes on.
            one(&[click("button", "Hand back")]),
            one(&[json!({"tool": "mouse", "action": "move", "target": {"role": "button", "text": "Take over"}})]),
        ],
        &[],
    );
    assert_eq!(service.run(&run)["status"], "running", "the page handed it back");
    bench.write("finish", "");
    let ended = service.until(&run, &["ended"]);
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    let by_hand = steps.iter().filter(|step| step["by"] == "person");
    let calls: Vec<String> = by_hand
        .map(|step| {
            let word = |field: &str| step["call"][field].as_str().unwrap_or_default().to_string();
            format!("{} {}", word("tool"), word("action")).trim().to_string()
        })
        .collect();
    let expected = ["mouse click", "select_option", "mouse click", "keyboard press", "keyboard press"];
    assert_eq!(calls[..5], expected, "{calls:?}");
    let expected = ["keyboard type", "keyboard press", "mouse scroll", "mouse drag"];
    assert_eq!(calls[5..9], expected, "what no field takes are keys, and all comes in its order");
    let expected = ["keyboard type", "mouse click", "wait", "keyboard press"];
    assert_eq!(calls[9..], expected, "nothing is lost by handing back, and a text for a field is no key");
}

/// Asks whenever its middle is pressed, and turns grey when somebody has answered, without a call of anybody's.
const ASKING: &str = "<title>Asking</title><style>body{margin:0;background:white}button{position:absolute;font-size:30px}\
    #ask{left:40%;top:40%;width:20%;height:20%}</style><button onclick=\"fetch('/pressed')\">Press</button><button id=ask>Ask</button>\
    <script>ask.onclick = () => { const said = confirm('Is “it” really so?') ? 'yes' : 'no'; fetch('/told?' + said);\
    setTimeout(() => { document.body.style.background = 'grey'; }, 1500); };</script>";

#[test]
fn a_dialog_is_answered_beside_the_picture_which_is_of_this_moment_and_may_be_larger() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(ASKING)), ("/pressed", Page::Html("")), ("/told", Page::Html(""))]);
    let (service, run) = taken_over(&bench, &site);
    let middle = json!({"tool": "mouse", "action": "click", "target": {"role": "application", "text": "in your hand"}});
    let operator = Operator {
        bench: &bench,
        name: "answering",
        replies: vec![
            one(&[click("button", "Work on it here")]),
            one(std::slice::from_ref(&middle)),
            one(&[click("button", "Accept")]),
            one(&[click("button", "Full screen")]),
            one(&[click("button", "Larger picture")]),
            // Of a larger picture the middle is where it was.
            one(&[middle]),
            one(&[click("button", "Dismiss")]),
            one(&[click("button", "Look again")]),
        ],
        checks: vec![
            json!({"type": "dom", "selector": ".filling .shot img[data-sha=now]", "hidden_too": true, "count": 1}),
            json!({"type": "dom", "selector": ".zoomed", "hidden_too": true, "count": 1}),
            json!({"type": "dom", "selector": ".offer", "absent": true}),
            json!({"type": "dom", "selector": ".stage-caption", "text_regex": "in your hand"}),
            json!({"type": "dom", "selector": ".hand-said", "text_regex": "of this moment|^dismissed"}),
        ],
    };
    let operating = operator.start(&format!("http://{}/runs/{run}", service.address));
    let told = |what: &str| site.requests().iter().any(|request| request.contains(&format!("/told?{what} ")));
    let result = operating.wait().result();
    assert!(told("yes") && told("no"), "{result:#}");
    assert_eq!(result["verdict"]["final"], "pass", "{:#}", result["referee"]["checks"]);
    service.steer(&run, "release", &json!({})).expect(200);
    bench.write("finish", "");
    let ended = service.until(&run, &["ended"]);
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    let by_hand = steps.iter().filter(|step| step["by"] == "person");
    let tools: Vec<&str> = by_hand.map(|step| step["call"]["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["mouse", "dialog", "mouse", "dialog"], "to look is no step");
}
