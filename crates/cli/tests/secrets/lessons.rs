//! Runs that learn on a page which shows a typed secret in its title, its address and the names of its controls: what was
//! learned is kept, and the secret is not.

use serde_json::{Value, json};

use crate::needles::{needles, shown};
use crate::world::{Home, Site};

/// The page says everywhere what was typed, in its buttons only if it is asked to, and something invisible lies over it until the notice is agreed to.
const PAGE: &str = r#"<!doctype html><meta charset=utf-8><title>Settings</title><label>Code <input id=code></label>
<button id=save style="position:absolute;left:80px;top:200px;width:340px;height:60px">Save</button><p id=status></p>
<div id=veil style="position:fixed;inset:120px 0 0 0"></div><div id=notice style="position:fixed;bottom:0;padding:20px"><button id=accept style="width:340px;height:60px">Accept</button></div>
<script>const $ = (id) => document.getElementById(id);
$('code').oninput = () => {
  const typed = $('code').value;
  if (location.search.includes('named')) { $('save').textContent = 'Save ' + typed; $('accept').textContent = 'Accept ' + typed }
  document.title = typed; $('status').textContent = typed; history.replaceState(0, '', location.search + '#' + encodeURIComponent(typed));
};
$('accept').onclick = () => { $('veil').remove(); $('notice').remove() };
$('save').onclick = () => { $('status').textContent = 'saved with ' + $('code').value }</script>"#;

fn click(text: &str) -> Value {
    json!({"thought": "save the settings", "calls": [{"tool": "mouse", "action": "click", "target": {"text": text}}]})
}

#[test]
fn no_lesson_shows_a_secret() {
    let secrets = ["Correct Horse  battery", "it's \"so\" & <b>$1</b>", "48213", "pä🔑ss👩‍👩‍👧wörd"];
    let pages = ["/", "/?named"];
    for (secret, page) in secrets.into_iter().flat_map(|secret| pages.map(|page| (secret, page))) {
        let home = Home::new();
        let site = Site::start(vec![("/", PAGE.into())]);
        let field = json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "textbox"}}]});
        let typed = json!({"calls": [{"tool": "keyboard", "action": "type", "text": "<secret:code>"}]});
        let done = json!({"calls": [{"tool": "done", "success": true, "summary": "The settings were saved."}]});
        let replies = json!([field, typed, click("Save"), click("Accept"), click("Save"), done]);
        let brain = format!("script:{}", home.write("steps.json", replies.to_string()).display());
        let contract =
            json!({"id": "saved", "checks": [{"type": "dom", "selector": "#status", "text_regex": "saved"}]});
        let contract = home.write("contract.json", contract.to_string()).display().to_string();
        let (url, source) = (site.url(page), format!("code=file:{}", home.write("value", secret).display()));
        let task = format!("Save the settings with {secret}");
        let arguments = ["run", &task, "--json", "--url", &url, "--brain", &brain, "--contract", &contract];
        let more = ["--secret", &source, "--confirm", "none", "--set", "density_gate=off"];
        let ended = home.run(&mut home.command(&[&arguments[..], &more[..]].concat()));
        let said = String::from_utf8_lossy(&ended.stdout);
        let last: String = said.lines().last().unwrap_or_default().chars().take(600).collect();
        assert_eq!(ended.status.code(), Some(0), "{last}");

        let exported = home.run(&mut home.command(&["lessons", "export"]));
        let text = String::from_utf8_lossy(&exported.stdout).into_owned();
        // A name that shows a secret is no name for a lesson at all.
        let learned = text.contains("\"Save\" had no effect") || text.contains("Save\\\" had no effect");
        assert_eq!(learned, page == "/", "{page}: {text}");
        let listed = home.run(&mut home.command(&["lessons", "why", "last"]));
        let mut all = [exported.stdout, listed.stdout].concat();
        let mut files = 0;
        for file in std::fs::read_dir(home.path("data")).unwrap().flatten() {
            if file.file_name().to_string_lossy().starts_with("lessons.db") {
                all.extend(std::fs::read(file.path()).unwrap());
                files += 1;
            }
        }
        assert!(files > 0, "no lessons.db");
        assert_eq!(shown(&all, &needles(secret)), None);
    }
}
