//! Frames: what shows a secret is covered, in every frame that is stored, shown to a brain, zoomed or
//! previewed. Read by tesseract, which must find the words beside it.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::world::{Home, Site, Tools, grid, picture_of};

pub(crate) const VALUE: &str = "WALRUS TROMBONE";

/// The words in a picture, in upper case: as a page of text, and scattered.
pub(crate) fn words(picture: &Path) -> String {
    let read = |layout: &str| {
        let output = Command::new("tesseract").arg(picture).arg("-").args(["--psm", layout]).output();
        let output = output.expect("tesseract is installed by `cargo xtask setup test`");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).to_uppercase()
    };
    read("3") + &read("11")
}

#[track_caller]
pub(crate) fn expect_hidden(picture: &Path, beside: &str) {
    let read = words(picture);
    assert!(read.contains(beside), "{beside} cannot be read in {}: {read}", picture.display());
    expect_nothing_of_it(&read, picture);
}

#[track_caller]
pub(crate) fn expect_nothing_of_it(read: &str, picture: &Path) {
    for part in ["WALRUS", "TROMBONE", "WALR", "OMBON"] {
        assert!(!read.contains(part), "{part} can be read in {}: {read}", picture.display());
    }
}

/// Everything that can show the value of the field, one in each row.
fn page(other: &Site) -> String {
    format!(
        r#"<!doctype html><meta charset=utf-8><style>body{{font:40px sans-serif;margin:0}} .row{{position:absolute;left:20px;white-space:nowrap}} input,textarea,select,button{{font:36px sans-serif;width:600px}}</style>
<input id=field style="position:absolute;left:20px;top:5px;height:50px">
<button style="position:absolute;left:900px;top:5px;width:300px;height:50px" onclick="show()">Show</button>
<div style="position:absolute;left:680px;top:600px">ZEBRA CROSSING</div><div id=rows></div>
<iframe id=same style="position:absolute;left:660px;top:80px;width:600px;height:90px" srcdoc="<style>body{{font:40px sans-serif}}</style><p id=p></p>"></iframe>
<iframe id=other style="position:absolute;left:660px;top:190px;width:600px;height:90px" src="{}"></iframe>
<script>
customElements.define('x-open', class extends HTMLElement {{}});
const show = () => {{
  const v = field.value, kinds = [
    () => v.slice(0, 3) + '<b>' + v.slice(3, 9) + '</b><i>' + v.slice(9) + '</i>',
    () => '<input value="' + v + '">',
    () => '<input placeholder="' + v + '">',
    () => '<textarea rows=1>' + v + '</textarea>',
    () => '<select><option>' + v + '</select>',
    () => '<input type=button value="' + v.toLowerCase() + '">',
    () => '<span contenteditable>' + v + '</span>',
    () => '<svg width=600 height=50><text y=40 font-size=40>' + v + '</text></svg>',
    () => '<img alt="' + v + '" src="/missing.png" width=600 height=50>',
    () => '<span style="text-transform:capitalize">' + v.toLowerCase() + '</span>',
  ];
  kinds.forEach((kind, at) => {{ const row = document.createElement('div'); row.className = 'row'; row.style.top = 70 + at * 62 + 'px'; row.innerHTML = kind(); rows.append(row); }});
  same.contentDocument.body.textContent = v;
  other.contentWindow.postMessage(v, '*');
  for (const [mode, top] of [['open', 300], ['closed', 380]]) {{
    const host = document.createElement('x-open');
    host.style = 'position:absolute;left:680px;top:' + top + 'px;width:560px;height:60px;display:block';
    host.attachShadow({{ mode }}).innerHTML = '<p style="margin:0">' + v + '</p>';
    document.body.append(host);
  }}
}};
</script>"#,
        other.url("/")
    )
}

#[test]
fn no_picture_shows_a_secret() {
    let home = Home::new();
    let other = Site::start(vec![(
        "/",
        "<style>body{font:40px sans-serif}</style><script>onmessage = (event) => { document.body.textContent = event.data; }</script><body>".into(),
    )]);
    let site = Site::start(vec![("/", page(&other))]);
    let arguments = ["--url", &site.url("/"), "--secret", "pw=env:HIDDEN_VALUE"];
    let mut tools = Tools::start(&home, &arguments, &[("HIDDEN_VALUE", VALUE)]);
    tools.click(100, 30);
    let typed = tools.write("<secret:pw>");
    expect_hidden(&picture_of(&typed), "ZEBRA");
    let shown = tools.click(1050, 30);
    let look = tools.ask(json!({"tool": "tab", "action": "view"}));
    expect_hidden(&picture_of(&shown), "ZEBRA");
    expect_hidden(&picture_of(&look), "ZEBRA");
    let zoomed = tools.ask(json!({"tool": "zoom", "region": [0, 0, 1000, 1000]}));
    expect_hidden(Path::new(zoomed["images"][0]["path"].as_str().unwrap()), "ZEBRA");

    // What is no secret stays to be seen: the same page without one.
    let open = Home::new();
    let mut tools = Tools::start(&open, &["--url", &site.url("/")], &[]);
    tools.click(100, 30);
    tools.write(VALUE);
    let clear = tools.click(1050, 30);
    let read = words(&picture_of(&clear));
    assert!(read.matches("WALRUS").count() >= 5, "{read}");
}

#[test]
fn the_stored_frames_of_a_run_show_none() {
    let home = Home::new();
    let other = Site::start(vec![("/", String::new())]);
    let site = Site::start(vec![("/", page(&other))]);
    let click = |x, y| json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": grid(x, y)}]});
    let replies = [
        click(100, 30),
        json!({"calls": [{"tool": "keyboard", "action": "type", "text": "<secret:pw>"}]}),
        click(1050, 30),
        json!({"calls": [{"tool": "done", "success": false, "summary": "seen"}]}),
    ];
    let script: Vec<String> = replies.iter().map(|reply| reply.to_string()).collect();
    let brain = format!("script:{}", home.write("script.jsonl", script.join("\n")).display());
    // Previews are on: they are pictures as well.
    let mut command =
        home.command(&["run", "Look", "--brain", &brain, "--url", &site.url("/"), "--secret", "pw=env:HIDDEN_VALUE"]);
    let output = home.run(command.env("HIDDEN_VALUE", VALUE));
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let frames: Vec<_> =
        home.artefacts().into_iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "png")).collect();
    assert!(frames.len() >= 3, "{}", frames.len());
    for (path, _) in frames {
        expect_hidden(&path, "ZEBRA");
    }
}
