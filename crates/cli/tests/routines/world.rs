//! A small page in several layouts, a script that uses it, and a contract about what has to come of it.

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::pages::PageServer;

/// A field, a button, and what was sent.
macro_rules! order_page {
    ($style:literal, $button:literal) => {
        concat!(
            "<!doctype html><title>Orders</title><style>body{margin:0;font:16px sans-serif}#all{",
            $style,
            "}</style><div id=all><label>Customer <input id=who></label> <button id=send>",
            $button,
            "</button></div><p id=out></p><script>",
            "send.onclick=()=>{out.textContent='Sent: '+who.value}",
            "</script>"
        )
    };
}

pub(crate) const ORDER: &str = order_page!("padding:40px", "Send order");
pub(crate) const ORDER_MOVED: &str =
    order_page!("padding:300px 0 0 500px;display:flex;flex-direction:column-reverse;width:300px", "Send order");
pub(crate) const ORDER_FAR_DOWN: &str = order_page!("padding-top:2200px", "Send order");
pub(crate) const ORDER_RENAMED: &str = order_page!("padding:40px", "Submit request");
pub(crate) const ORDER_ALMOST: &str = order_page!("padding:40px", "Send order later");

/// The beginning of a script: who orders.
fn fill() -> Vec<Value> {
    vec![
        json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "textbox", "text": "Customer"}}]}),
        json!({"calls": [{"tool": "keyboard", "action": "type", "text": "Ada Lovelace"}]}),
    ]
}

pub(crate) fn press(button: &str) -> Vec<Value> {
    vec![
        json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "button", "text": button}}]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "The order of Ada Lovelace was sent."}]}),
    ]
}

pub(crate) fn script(bench: &Bench, name: &str, replies: &[Value]) -> String {
    let file = bench.write(name, &Value::from(replies.to_vec()).to_string());
    format!("script:{}", file.display())
}

/// What the page has to say at the end.
pub(crate) fn says(bench: &Bench, words: &str) -> String {
    let check = json!({"type": "dom", "selector": "#out", "text_regex": format!("^{words}$")});
    let contract = json!({"id": "said", "rubric": "The page says so.", "checks": [check]});
    let name = format!("{}.contract.json", words.replace(|c: char| !c.is_alphanumeric(), ""));
    bench.write(&name, &contract.to_string()).display().to_string()
}

/// Records the order of Ada Lovelace in `order.json`, with her name as the value `customer`.
pub(crate) fn record_order(bench: &Bench) -> String {
    let server = PageServer::with(ORDER);
    let replies = [fill(), press("Send order")].concat();
    let brain = script(bench, "order.script.json", &replies);
    let contract = says(bench, "Sent: Ada Lovelace");
    bench.run(&server.url(), &brain, &["--contract", &contract, "--confirm", "none"]).expect(0);
    let file = bench.path("order.json").display().to_string();
    let exported =
        bench.surehand(&["runs", "export", "last", "--routine", "-o", &file, "--parameter", "customer=Ada Lovelace"]);
    exported.expect(0);
    assert!(exported.stdout.starts_with("3 steps in "), "{}", exported.stdout);
    file
}

/// `surehand replay … --json` with everything that it may ask allowed.
pub(crate) fn replay(bench: &Bench, file: &str, url: &str, more: &[&str]) -> Ended {
    let mut arguments = vec!["replay", file, "--url", url, "--json", "--confirm", "none"];
    arguments.extend(more);
    bench.surehand(&arguments)
}

pub(crate) fn read(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}
