//! Pages that are hard to search: what a style adds, thousands of copies, more text than is searched, roots
//! within roots, values that repeat themselves. What cannot be searched to the end is covered as a whole.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::pictures::{VALUE, expect_hidden, expect_nothing_of_it, words};
use crate::world::{Home, Site, Tools, picture_of};

/// A field, a word that is no secret, and what a script makes of the value once the button is pressed.
fn page(style: &str, script: &str) -> String {
    format!(
        r#"<!doctype html><meta charset=utf-8><style>body{{font:40px sans-serif;margin:0}} {style}</style>
<input id=field style="position:absolute;left:20px;top:5px;width:600px;height:50px;font:36px sans-serif">
<button style="position:absolute;left:900px;top:5px;width:300px;height:50px" onclick="show(field.value)">Show</button>
<div style="position:absolute;left:680px;top:600px">ZEBRA CROSSING</div>
<div id=rows style="position:absolute;left:20px;top:80px;width:600px"></div>
<script>const show = (v) => {{ {script} }};</script>"#
    )
}

/// The page after the value was typed and shown.
fn shown(home: &Home, page: String, value: &str) -> (Tools, serde_json::Value) {
    let site = Site::start(vec![("/", page)]);
    let arguments = ["--url", &site.url("/"), "--secret", "pw=env:HIDDEN_VALUE"];
    let mut tools = Tools::start(home, &arguments, &[("HIDDEN_VALUE", value)]);
    tools.click(100, 30);
    let typed = tools.write("<secret:pw>");
    expect_hidden(&picture_of(&typed), "ZEBRA");
    let answer = tools.click(1050, 30);
    (tools, answer)
}

#[test]
fn what_a_style_adds_is_covered() {
    let style =
        ".attr::after{content:attr(data-v)} .letter::before{content:attr(data-v)} .half::after{content:'OMBONE'}
.item{display:list-item;list-style-position:inside}";
    let script = "
const row = (html) => { const div = document.createElement('div'); div.style.margin = '8px 0'; div.innerHTML = html; rows.append(div); return div; };
const sheet = document.createElement('style');
sheet.textContent = '.text::before{content:' + JSON.stringify('so ' + v) + '} .narrow::before{content:' + JSON.stringify(v) + '}';
document.head.append(sheet);
row('<p class=text style=\"margin:0\"></p>');
row('<span class=attr data-v=\"' + v + '\"></span>');
row([...v].map((letter) => '<i class=letter data-v=\"' + letter + '\"></i>').join(''));
row('<span class=half>WALRUS TR</span>');
row('<div class=narrow style=\"width:30px;white-space:nowrap\"></div>');";
    let home = Home::new();
    let (mut tools, answer) = shown(&home, page(style, script), VALUE);
    expect_hidden(&picture_of(&answer), "ZEBRA");
    let look = tools.ask(json!({"tool": "tab", "action": "view"}));
    expect_hidden(&picture_of(&look), "ZEBRA");

    // The same page without a secret shows all of it.
    let (open, site) = (Home::new(), Site::start(vec![("/", page(style, script))]));
    let mut tools = Tools::start(&open, &["--url", &site.url("/")], &[]);
    tools.click(100, 30);
    tools.write(VALUE);
    let clear = words(&picture_of(&tools.click(1050, 30)));
    assert!(clear.matches("WALRUS").count() >= 5, "{clear}");
}

#[test]
fn what_stands_where_nobody_can_tell_covers_everything() {
    for (name, style, script) in [
        ("beside", "b{position:relative} b::after{content:attr(data-v);position:absolute;left:100px;top:200px}", ""),
        (
            "marker",
            "b{display:list-item;margin-left:560px}",
            "rows.firstChild.style.listStyleType = JSON.stringify(v);",
        ),
    ] {
        let script = format!("rows.innerHTML = '<b data-v=\"' + v + '\">x</b>'; {script}");
        let home = Home::new();
        let (_tools, answer) = shown(&home, page(style, &script), VALUE);
        let picture = picture_of(&answer);
        let read = words(&picture);
        assert!(!read.contains("ZEBRA"), "{name}: {read}");
        expect_nothing_of_it(&read, &picture);
    }
}

#[test]
fn no_number_of_copies_and_no_depth_shows_it() {
    let last = "const p = document.createElement('p'); p.textContent = v; rows.append(p);";
    let many = "for (let k = 0; k < 4000; k++) { const s = document.createElement('span'); s.style.cssText = 'position:absolute;left:0;top:400px;font-size:1px'; s.textContent = v; rows.append(s); }";
    let roots = "let d = rows; for (let k = 0; k < 300; k++) { const r = d.attachShadow({ mode: 'closed' }); d = document.createElement('div'); r.append(d); } d.textContent = v;";
    let deep = "let d = rows; for (let k = 0; k < 2000; k++) { const e = document.createElement('span'); d.append(e); d = e; } d.textContent = v;";
    for script in [format!("{many}{last}"), roots.into(), deep.into()] {
        let home = Home::new();
        let (mut tools, answer) = shown(&home, page("", &script), VALUE);
        expect_hidden(&picture_of(&answer), "ZEBRA");
        let look = tools.ask(json!({"tool": "tab", "action": "view"}));
        expect_hidden(&picture_of(&look), "ZEBRA");
    }
}

#[test]
fn more_text_than_is_searched_is_covered() {
    let script = "const d = document.createElement('div'); d.style.cssText = 'height:100px;overflow:hidden'; d.textContent = 'lorem ipsum '.repeat(400000);
rows.append(d); const p = document.createElement('p'); p.textContent = v; rows.append(p);";
    let home = Home::new();
    let (_tools, answer) = shown(&home, page("", script), VALUE);
    let picture = picture_of(&answer);
    let read = words(&picture);
    assert!(!read.contains("ZEBRA") && !read.contains("LOREM"), "{read}");
    expect_nothing_of_it(&read, &picture);
}

#[test]
fn a_long_value_that_repeats_itself_is_covered_and_costs_little() {
    // Shown everywhere: as a text, in pieces, letter by letter, in fields.
    let script = "
for (const part of [v, v.slice(0, 5000), v.slice(600)]) {
  const p = document.createElement('p'); p.style.cssText = 'margin:0;height:50px;overflow:hidden;word-break:break-all'; p.textContent = part; rows.append(p);
  const input = document.createElement('input'); input.value = part; input.style.cssText = 'font:30px sans-serif;width:500px'; rows.append(input);
}
const letters = document.createElement('p'); letters.style.cssText = 'margin:0;height:50px;overflow:hidden;word-break:break-all';
for (const letter of v) { const i = document.createElement('i'); i.textContent = letter; letters.append(i); }
rows.append(letters);";
    let home = Home::new();
    let (mut tools, answer) = shown(&home, page("", script), &"WALRUS".repeat(1700));
    expect_hidden(&picture_of(&answer), "ZEBRA");
    let started = Instant::now();
    let look = tools.ask(json!({"tool": "tab", "action": "view"}));
    // A copy that begins at every sixth character once took fifteen seconds.
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    expect_hidden(&picture_of(&look), "ZEBRA");
}

#[test]
fn a_frame_that_hangs_is_covered() {
    // Another host and not only another port: it has a process of its own, and the page goes on without it.
    let hangs = "<style>body{font:40px sans-serif}</style><body><script>onmessage = (event) => {
document.body.textContent = event.data; setTimeout(() => { const end = Date.now() + 8000; while (Date.now() < end); }, 200); }</script>";
    let other = Site::start(vec![("/", hangs.into())]);
    let script = "document.querySelector('iframe').contentWindow.postMessage(v, '*');";
    let frame = format!(
        "<iframe style='position:absolute;left:20px;top:200px;width:600px;height:100px' src='{}'></iframe>",
        other.url("/").replace("127.0.0.1", "localhost")
    );
    let home = Home::new();
    let (mut tools, answer) = shown(&home, page("", script) + &frame, VALUE);
    expect_hidden(&picture_of(&answer), "ZEBRA");
    let look = tools.ask(json!({"tool": "tab", "action": "view"}));
    expect_hidden(&picture_of(&look), "ZEBRA");
}
