//! The same page on another day: things have moved, but are still there.

use serde_json::json;

use crate::bench::Bench;
use crate::pages::PageServer;
use crate::world::{ORDER, ORDER_FAR_DOWN, ORDER_MOVED, read, record_order, replay, says, script};

#[test]
fn a_moved_button_is_found_by_its_name() {
    let bench = Bench::new();
    let file = record_order(&bench);
    let contract = says(&bench, "Sent: Grace Hopper");
    for (page, more) in [(ORDER, "1280x720"), (ORDER_MOVED, "1280x720"), (ORDER_MOVED, "1000x600")] {
        let server = PageServer::with(page);
        let value = "customer=Grace Hopper";
        let ended =
            replay(&bench, &file, &server.url(), &["--value", value, "--contract", &contract, "--viewport", more]);
        let result = ended.expect_end(0, "done");
        assert_eq!(result["steps"], 4, "three steps and done: {result}");
        assert_eq!(result["summary"], "The order of Grace Hopper was sent.");
    }
}

#[test]
fn what_is_out_of_view_is_scrolled_to() {
    let bench = Bench::new();
    let file = record_order(&bench);
    let (server, contract) = (PageServer::with(ORDER_FAR_DOWN), says(&bench, "Sent: Ada Lovelace"));
    let ended = replay(&bench, &file, &server.url(), &["--contract", &contract, "--set", "target_wait=0.3s"]);
    let result = ended.expect_end(0, "done");
    let scrolls = result["trajectory"].as_array().unwrap().iter().filter(|step| step["call"]["action"] == "scroll");
    assert!((2..8).contains(&scrolls.count()), "{result}");
}

/// A picture without names: only its look tells where to click.
macro_rules! painted_page {
    ($left:literal, $top:literal) => {
        concat!(
            "<!doctype html><title>Board</title><style>body{margin:0;background:#f4f4f4}</style>",
            "<canvas id=board width=1200 height=600></canvas><p id=out></p><script>",
            "const x=",
            $left,
            ",y=",
            $top,
            ";const p=board.getContext('2d');",
            "p.fillStyle='#234';p.fillRect(x,y,120,60);p.fillStyle='#fc6';p.fillRect(x+15,y+12,30,36);",
            "p.fillStyle='#6cf';p.fillRect(x+60,y+8,10,44);p.fillStyle='#e55';p.fillRect(x+84,y+30,25,20);",
            "board.onclick=e=>{const inside=e.offsetX>=x&&e.offsetX<x+120&&e.offsetY>=y&&e.offsetY<y+60;",
            "if(inside){out.textContent='Pressed';p.fillStyle='#0a0';p.fillRect(x,y,120,60)}}",
            "</script>"
        )
    };
}

const PAINTED: &str = painted_page!("100", "100");
const PAINTED_MOVED: &str = painted_page!("801", "333");
const PAINTED_NOTHING: &str =
    "<!doctype html><title>Board</title><canvas width=1200 height=600></canvas><p id=out></p>";

#[test]
fn what_has_no_name_is_found_by_its_look() {
    let bench = Bench::new();
    let server = PageServer::with(PAINTED);
    // The middle of the painted button, at 160,130 of 1280x720.
    let click = json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [125, 181]}]});
    let done = json!({"calls": [{"tool": "done", "success": true, "summary": "It was pressed."}]});
    let brain = script(&bench, "painted.script.json", &[click, done]);
    let contract = says(&bench, "Pressed");
    bench.run(&server.url(), &brain, &["--contract", &contract, "--confirm", "none"]).expect(0);
    let file = bench.path("painted.json").display().to_string();
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &file]).expect(0);
    let step = &read(&bench, "painted.json")["steps"][0];
    assert!(step["anchor"]["text"].is_null() && step["anchor"]["region_hash"].is_string(), "{step}");

    for page in [PAINTED, PAINTED_MOVED] {
        let server = PageServer::with(page);
        replay(&bench, &file, &server.url(), &["--contract", &contract]).expect_end(0, "done");
    }
    let server = PageServer::with(PAINTED_NOTHING);
    let result = replay(&bench, &file, &server.url(), &[]).expect_end(1, "done_failed");
    let summary = result["summary"].as_str().unwrap();
    assert!(summary.contains("stopped at step 1") && summary.contains("nowhere else to be seen"), "{summary}");
}

/// Rows that differ only by whose they are.
macro_rules! rows_page {
    ($rows:literal) => {
        concat!(
            "<!doctype html><title>People</title><style>td{padding:12px 60px}</style><table id=t></table><p id=out></p>",
            "<script>for(const who of ", $rows, "){const r=t.insertRow();",
            "r.insertCell().innerHTML='<a href=\"#'+who+'\">'+who+'</a>';const b=document.createElement('button');",
            "b.textContent='Remove';b.onclick=()=>{out.textContent='Removed: '+who;r.remove()};r.insertCell().append(b)}",
            "</script>"
        )
    };
}

#[test]
fn a_row_is_known_by_whose_it_is() {
    let bench = Bench::new();
    let server = PageServer::with(rows_page!("['Ada','Grace','Edsger']"));
    let click = json!({"calls": [{"tool": "mouse", "action": "click", "target": {"text": "Remove", "index": 1}}]});
    let done = json!({"calls": [{"tool": "done", "success": true, "summary": "Grace was removed."}]});
    let brain = script(&bench, "rows.script.json", &[click, done]);
    let contract = says(&bench, "Removed: Grace");
    bench.run(&server.url(), &brain, &["--contract", &contract, "--confirm", "none"]).expect(0);
    let file = bench.path("rows.json").display().to_string();
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &file, "--parameter", "who=Grace"]).expect(0);
    assert_eq!(read(&bench, "rows.json")["steps"][0]["anchor"]["row"], json!(["<value:who>"]));

    let shuffled = PageServer::with(rows_page!("['Edsger','Barbara','Ada','Alan','Grace']"));
    replay(&bench, &file, &shuffled.url(), &["--contract", &contract]).expect_end(0, "done");
    let other = says(&bench, "Removed: Barbara");
    replay(&bench, &file, &shuffled.url(), &["--contract", &other, "--value", "who=Barbara"]).expect_end(0, "done");
    let gone = PageServer::with(rows_page!("['Edsger','Ada']"));
    let result = replay(&bench, &file, &gone.url(), &["--set", "target_wait=0.2s"]).expect_end(1, "done_failed");
    let summary = result["summary"].as_str().unwrap();
    assert!(summary.contains("beside \"Grace\"") && summary.contains("which is not there"), "{summary}");
}
