//! Ways around the question, none of which leads anywhere: dialogs, previews, calls that the runtime puts in,
//! forms in frames and on other origins, addresses of the machine, uploads.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::tools_client::Tools;

const RISKY: &[&str] = &["--confirm", "risky"];

fn risky<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--url", url], RISKY, more].concat()
}

fn click(x: u32, y: u32) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [x, y]})
}

/// Refused by this rule, before anything was sent.
fn expect_refused(answer: &Value, rule: &str) {
    assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!("denied")), "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(&format!("rule {rule}")), "{message}");
    assert_eq!(answer["dispatched"], json!(null));
}

fn expect_done(answer: &Value) {
    assert_eq!(answer["ok"], true, "{answer}");
}

#[test]
fn accepting_a_dialog_passes_the_same_gate() {
    const PAGE: &str =
        "<!doctype html><title>Dialogs</title><style>button{position:fixed;width:100%;height:30%;left:0}</style>
<button style='top:0' onclick=\"if (confirm('Delete all 12 contacts?')) fetch('/deleted')\">Continue</button>
<button style='top:35%' onclick=\"if (confirm('Are you sure?')) fetch('/sure')\">Delete</button>
<button style='top:70%' onclick=\"if (confirm('Show more?')) fetch('/more')\">More</button>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    // The button may be pressed; the dialog that it opens is judged by it all the same.
    let policy = bench.write(
        "policy.toml",
        "[[rule]]\nid = \"press\"\ndecision = \"allow\"\nreason = \"pressing only asks\"\ntool = \"mouse\"\n",
    );
    let mut tools = Tools::start(&bench, &risky(&server.url(), &["--policy", policy.to_str().unwrap()]));
    let (accept, dismiss) =
        (json!({"tool": "dialog", "dialog_action": "accept"}), json!({"tool": "dialog", "dialog_action": "dismiss"}));
    for (y, rule) in [(100, "dialog"), (500, "delete")] {
        expect_done(&tools.ask(click(500, y)));
        expect_refused(&tools.ask(accept.clone()), rule);
        expect_done(&tools.ask(dismiss.clone()));
    }
    expect_done(&tools.ask(click(500, 850)));
    expect_done(&tools.ask(accept));
    tools.close().expect(0);
    assert_eq!((server.count("/deleted"), server.count("/sure"), server.count("/more")), (0, 0, 1));
}

#[test]
fn a_previewed_click_is_asked_about_when_it_is_confirmed() {
    const PAGE: &str = "<!doctype html><title>Dense</title><body style='margin:100px'>
<button onclick=\"fetch('/kept')\">Keep</button><button onclick=\"fetch('/deleted')\">Delete</button>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &risky(&server.url(), &["--set", "density_gate=always"]));
    let looked = tools.ask(click(115, 155));
    expect_done(&looked);
    assert!(looked["pending"]["hit"]["descriptor"].as_str().unwrap().contains("Delete"), "{looked}");
    expect_refused(&tools.ask(json!({"tool": "mouse", "action": "confirm"})), "delete");
    tools.close().expect(0);
    assert_eq!(server.count("/deleted"), 0);
}

/// On another origin than the start page: a form, and a frame around one.
const FORM: &str = "<!doctype html><title>Form</title><form method=post action=/sent>
<input name=action value=http://127.0.0.1/ style='position:fixed;inset:0 0 70% 0;width:100%'>
<input name=method value=get hidden><button style='position:fixed;inset:50% 0 0 0;width:100%'>Go on</button></form>";

#[test]
fn forms_of_other_origins_are_not_sent() {
    let (bench, known, other) = (Bench::new(), PageServer::with(FORM), PageServer::with(FORM));
    let mut tools = Tools::start(&bench, &risky(&known.url(), &[]));
    let field = click(500, 100);
    let enter = json!({"tool": "keyboard", "action": "press", "key": "enter"});
    // At home: by the button, by Enter, by a typed line end.
    expect_done(&tools.ask(click(500, 800)));
    assert_eq!(known.count("/sent"), 1);
    expect_done(&tools.ask(json!({"tool": "tab", "action": "open", "url": other.url()})));
    expect_refused(&tools.ask(click(500, 800)), "submit_elsewhere");
    expect_done(&tools.ask(field));
    expect_done(&tools.ask(json!({"tool": "keyboard", "action": "type", "text": "ada"})));
    expect_refused(&tools.ask(enter), "submit_elsewhere");
    expect_refused(&tools.ask(json!({"tool": "keyboard", "action": "type", "text": "ada\n"})), "submit_elsewhere");
    tools.close().expect(0);
    assert_eq!(other.count("/sent"), 0);
}

#[test]
fn a_frame_of_another_origin_does_not_borrow_the_page_s() {
    let (bench, other) = (Bench::new(), PageServer::with(FORM));
    let html = format!(
        "<!doctype html><title>Framed</title><iframe src='{}' style='position:fixed;inset:0;width:100%;height:100%;border:0'></iframe>",
        other.url()
    );
    let page: &'static str = Box::leak(html.into_boxed_str());
    let known = PageServer::start(&[("/", Page::Html(page))]);
    let mut tools = Tools::start(&bench, &risky(&known.url(), &[]));
    expect_refused(&tools.ask(click(500, 800)), "submit_elsewhere");
    expect_done(&tools.ask(click(500, 100)));
    expect_refused(&tools.ask(json!({"tool": "keyboard", "action": "press", "key": "enter"})), "submit_elsewhere");
    tools.close().expect(0);
    assert_eq!(other.count("/sent"), 0);
    // An origin that the policy trusts is known.
    let host = other.url().replace("http://", "").replace('/', "");
    let policy = bench.write("policy.toml", &format!("[origins]\ntrusted = [\"{host}\"]\n"));
    let mut tools = Tools::start(&bench, &risky(&known.url(), &["--policy", policy.to_str().unwrap()]));
    expect_done(&tools.ask(click(500, 800)));
    tools.close().expect(0);
    assert_eq!(other.count("/sent"), 1);
}

#[test]
fn calls_that_the_runtime_puts_in_pass_the_same_gate() {
    const PAGE: &str = "<!doctype html><title>Form</title><form onsubmit='return false'>
<label>Email <input name=email autofocus oninput=\"fetch('/typed')\"></label></form>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let policy = bench.write(
        "policy.toml",
        "[[rule]]\nid = \"no_ada\"\ndecision = \"deny\"\nreason = \"not that address\"\ntext = \"ada\"\n",
    );
    let brain = bench.script(&[
        json!({"calls": [{"tool": "tab", "action": "view"}]}),
        json!({"calls": [{"tool": "done", "success": false, "summary": "that is all"}]}),
    ]);
    let more = ["--value", "email=ada@example.com", "--policy", policy.to_str().unwrap(), "--confirm", "none"];
    let result = bench.run(&server.url(), &brain, &more).expect_end(1, "done_failed");
    let filled = result["trajectory"].as_array().unwrap().iter().find(|step| step["substituted"] == true).unwrap();
    assert_eq!(
        (&filled["policy"]["decision"], &filled["policy"]["rule"]),
        (&json!("deny"), &json!("no_ada")),
        "{filled}"
    );
    assert_eq!((&filled["ok"], server.count("/typed")), (&json!(false), 0));
}

#[test]
fn a_done_after_what_was_not_allowed_is_not_believed() {
    const PAGE: &str = "<!doctype html><title>Card</title>
<button style='position:fixed;inset:0;width:100%' onclick=\"fetch('/pressed')\">Archive</button>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let policy = bench.write(
        "policy.toml",
        "[[rule]]\nid = \"hands_off\"\ndecision = \"deny\"\nreason = \"no clicks\"\ntool = \"mouse\"\n",
    );
    let claim = json!({"calls": [{"tool": "done", "success": true, "summary": "opened and archived the card"}]});
    let brain = bench.script(&[json!({"calls": [click(500, 500)]}), claim.clone(), claim.clone(), claim]);
    let more = ["--policy", policy.to_str().unwrap(), "--confirm", "none"];
    let result = bench.run(&server.url(), &brain, &more).expect_end(3, "done_unverified");
    assert_eq!(result["done_rejections_by_reason"], json!({"last_action_not_allowed": 2}));
    assert_eq!(server.count("/pressed"), 0);
    let report = bench.surehand(&["report", "last"]);
    // Where the lines break is the terminal's business.
    let words = report.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("was not allowed by the rule hands_off: no clicks"), "{}", report.stdout);
}

#[test]
fn the_way_out_of_a_loop_passes_the_same_gate() {
    const DEAD: &str = "<!doctype html><title>Dead</title><form action=/ordered><input autofocus name=q></form>
<button type=button style='position:fixed;inset:40% 0 0 0;width:100%'>Go on</button>";
    let (bench, server) = (Bench::new(), PageServer::with(DEAD));
    let policy = bench
        .write("policy.toml", "[[rule]]\nid = \"no_enter\"\ndecision = \"deny\"\nreason = \"no\"\nkey = [\"enter\"]\n");
    let press = json!({"thought": "submit the order", "calls": [click(500, 700)]}).to_string();
    let lines = vec![press.as_str(); 12];
    let brain = bench.replying_brain(&lines);
    let more = ["--policy", policy.to_str().unwrap(), "--confirm", "none", "--set", "no_effect_patience=0.3"];
    let result = bench.run(&server.url(), &brain, &more).result();
    let steps = result["trajectory"].as_array().unwrap();
    let helped = steps.iter().find(|step| step["loop_recovery_reason"] == "press_return_for_submit").unwrap();
    assert_eq!((&helped["policy"]["rule"], &helped["ok"]), (&json!("no_enter"), &json!(false)), "{helped}");
    assert_eq!(server.count("/ordered"), 0);
    assert!(
        steps.iter().all(|step| step["call"].is_null() || step["policy"].is_object()),
        "every step has its decision"
    );
}

#[test]
fn addresses_of_the_machine_are_denied_whatever_is_confirmed() {
    let (bench, server) = (Bench::new(), PageServer::with("<!doctype html><title>Plain</title>"));
    let local = bench.write("local.html", "<!doctype html><title>Local</title><p>here");
    let local = format!("file://{}", local.display());
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    for url in
        [local.as_str(), "chrome://version", "view-source:http://127.0.0.1/", "javascript:alert(1)", "about:version"]
    {
        expect_refused(&tools.ask(json!({"tool": "tab", "action": "open", "url": url})), "scheme");
    }
    expect_done(&tools.ask(json!({"tool": "tab", "action": "open", "url": "about:blank"})));
    tools.close().expect(0);
    let mut tools = Tools::start(&bench, &["--url", &local]);
    expect_done(&tools.ask(json!({"tool": "tab", "action": "open", "url": local})));
    tools.close().expect(0);
}

#[test]
fn uploads_need_a_person_and_tools_asks_nobody_by_default() {
    const PAGE: &str = "<!doctype html><title>Upload</title>
<input type=file style='position:fixed;inset:0 0 50% 0;width:100%' onchange=\"fetch('/chosen')\">
<button style='position:fixed;inset:60% 0 0 0;width:100%' onclick=\"fetch('/deleted')\">Delete</button>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let file = bench.write("note.txt", "hello");
    let upload = json!({"tool": "upload_file", "paths": [file]});
    let root = bench.path("");
    let roots = ["--upload-root", root.to_str().unwrap()];
    let mut tools = Tools::start(&bench, &risky(&server.url(), &roots));
    expect_done(&tools.ask(click(500, 100)));
    expect_refused(&tools.ask(upload.clone()), "upload");
    expect_refused(&tools.ask(click(500, 850)), "delete");
    tools.close().expect(0);
    assert_eq!((server.count("/chosen"), server.count("/deleted")), (0, 0));

    let url = server.url();
    let mut tools = Tools::start(&bench, &[&["--url", &url][..], &roots].concat());
    expect_done(&tools.ask(click(500, 100)));
    expect_done(&tools.ask(upload));
    expect_done(&tools.ask(click(500, 850)));
    tools.close().expect(0);
    assert_eq!((server.count("/chosen"), server.count("/deleted")), (1, 1));
}

#[test]
fn icons_labels_and_links_are_read_as_what_they_do() {
    const PAGE: &str = "<!doctype html><meta charset=utf-8><title>Names</title>
<style>body > *{position:fixed;left:0;width:100%;height:12%;display:block}</style>
<button style='top:0' aria-label='Delete row' onclick=\"fetch('/pressed')\"><svg width=900 height=60><rect width=900 height=60></rect></svg></button>
<a style='top:13%' href='/payments' >Pay my bills</a>
<a style='top:26%' href='#' onclick=\"fetch('/pressed')\">Pay now</a>
<a style='top:39%' href='/unsubscribe'>Unsubscribe</a>
<div style='top:52%' onclick=\"fetch('/pressed')\">Löschen</div>
<button style='top:78%' aria-label='Continue' onclick=\"fetch('/pressed')\">Delete all</button>
<label style='top:65%'><input type=checkbox> Send me the newsletter</label>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &risky(&server.url(), &[]));
    for (y, rule) in [(30, "delete"), (300, "pay"), (430, "delete"), (560, "delete"), (830, "delete")] {
        expect_refused(&tools.ask(click(300, y)), rule);
    }
    expect_done(&tools.ask(click(100, 700)));
    expect_done(&tools.ask(click(100, 190)));
    tools.close().expect(0);
    assert_eq!((server.count("/pressed"), server.count("/unsubscribe"), server.count("/payments")), (0, 0, 1));
}
