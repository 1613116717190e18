//! One run with secrets of odd shapes on a page that echoes them wherever it can; then everything that
//! the run left or said is searched. A canvas cannot be searched, and is not tried here.

use serde_json::{Value, json};

use crate::needles::{needles, shown};
use crate::world::{Home, Site, grid};

fn secrets() -> Vec<(&'static str, String)> {
    let long: String = (0..1700).map(|number| format!("{:05x}-", number * 7919 % 1_000_003)).collect();
    vec![
        ("words", "Correct Horse  battery".into()),
        ("quotes", "it's \"so\" \\ \\n & <b>`$1`</b>".into()),
        ("emoji", "pä🔑ss👩‍👩‍👧wörd".into()),
        ("regex", "^a.*[b-d](e|f)+?$\\d{3}%41%zz".into()),
        ("looks", "<secret:x>&amp;&#39;%22+plus".into()),
        ("lines", "first line here\nsecond line there\n\nthird".into()),
        ("pin", "48213".into()),
        ("one", "~".into()),
        ("long", long),
    ]
}

/// A field for each secret on the left, what is done with them on the right.
fn page(names: &[&str]) -> String {
    let fields: String = names
        .iter()
        .enumerate()
        .map(|(at, name)| format!("<textarea aria-label={name} style='position:absolute;left:10px;top:{}px;width:280px;height:34px'></textarea>", 10 + at * 50))
        .collect();
    let buttons: String = ["Echo", "Ask", "Save", "Copy", "Go"]
        .iter()
        .enumerate()
        .map(|(at, name)| format!("<button id={name} style='position:absolute;left:320px;top:{}px;width:120px;height:34px'>{name}</button>", 10 + at * 50))
        .collect();
    format!(
        r#"<!doctype html><meta charset=utf-8><title>start</title>{fields}{buttons}
<div id=out style='position:absolute;left:460px;top:10px;width:780px'></div>
<iframe id=inner style='position:absolute;left:460px;top:500px;width:700px;height:150px' srcdoc='<p id=p></p>'></iframe>
<script>
const $ = (id) => document.getElementById(id);
const values = () => [...document.querySelectorAll('textarea')].map((field) => field.value);
const bytes = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
$('Echo').onclick = () => {{
  const all = values(), joined = all.join(' | ');
  document.title = joined;
  history.pushState(0, '', '?q=' + all.map(encodeURIComponent).join('&q=') + '#' + encodeURI(all[0]));
  for (const value of all) {{
    const p = document.createElement('p');
    p.textContent = value;
    p.title = value;
    p.setAttribute('data-copy', value);
    const b = document.createElement('button');
    b.textContent = value.toUpperCase();
    b.setAttribute('aria-label', 'Basic ' + bytes('user:' + value) + ' ' + bytes('a' + value) + ' ' + bytes(value));
    const i = document.createElement('input');
    i.placeholder = value;
    i.value = '';
    out.append(p, b, i);
    console.log(value); console.error(new Error(value));
  }}
  $('inner').contentDocument.body.textContent = joined;
  $('inner').contentDocument.title = joined;
  setTimeout(() => alert(joined), 30);
}};
$('Ask').onclick = () => {{ setTimeout(() => prompt('Is it ' + values().join(' '), values().join(' ')), 30); }};
$('Save').onclick = () => {{
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob(['x']));
  a.download = values()[0] + ' ' + values()[6] + '.txt';
  a.click();
}};
$('Copy').onclick = () => navigator.clipboard.writeText(values().join(' ')).catch(() => {{}});
$('Go').onclick = () => {{
  const form = document.createElement('form');
  form.action = '/sent';
  for (const value of values().slice(0, 8)) {{ const f = document.createElement('input'); f.name = 'v'; f.value = value; form.append(f); }}
  document.body.append(form);
  form.submit();
}};
</script>"#
    )
}

fn click(x: u32, y: u32) -> Value {
    json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": grid(x, y)}]})
}

#[test]
fn nothing_that_a_run_leaves_or_says_shows_a_secret() {
    let home = Home::new();
    let secrets = secrets();
    let names: Vec<&str> = secrets.iter().map(|(name, _)| *name).collect();
    let sent = "<!doctype html><script>document.title = new URLSearchParams(location.search).getAll('v').join(' ')</script><h1>sent</h1>";
    let site = Site::start(vec![("/", page(&names)), ("/sent", sent.into())]);

    let mut replies = Vec::new();
    for (at, name) in names.iter().enumerate() {
        replies.push(click(100, 25 + at as u32 * 50));
        let reply = json!({"thought": format!("now {name}"), "expected": ["title_contains:start", "element_appears:text"],
            "calls": [{"tool": "keyboard", "action": "type", "text": format!("<secret:{name}>")}]});
        replies.push(reply);
    }
    let button = |at: u32| click(380, 25 + at * 50);
    replies.push(button(0));
    replies.push(json!({"calls": [{"tool": "zoom", "region": [0, 0, 500, 500]}]}));
    replies.push(click(500, 80));
    replies.push(button(1));
    replies.push(json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [500, 500]}]}));
    replies.push(json!({"calls": [{"tool": "dialog", "dialog_action": "dismiss"}]}));
    replies.push(button(2));
    replies.push(button(3));
    replies.push(json!({"calls": [{"tool": "keyboard", "action": "press", "key": "ctrl+a"}]}));
    replies.push(json!({"not": "a reply"}));
    replies.push(button(4));
    replies.push(json!({"calls": [{"tool": "tab", "action": "list"}]}));
    replies.push(json!({"calls": [{"tool": "done", "success": false, "summary": "I typed <secret:words>."}]}));
    replies.push(json!({"calls": [{"tool": "done", "success": false, "summary": "It is all over."}]}));
    let lines: Vec<String> = replies.iter().map(Value::to_string).collect();
    home.write("replies", lines.join("\n") + "\n");
    let program = "env >environment\nprintf '{\"type\":\"hello\",\"protocol\":1,\"verify_done\":true}\\n'\nexec 3<replies\nwhile read -r line; do\n  printf '%s\\n' \"$line\" >>seen\n  case $line in '{\"type\":\"end\"'*) exit 0 ;; esac\n  read -r reply <&3 && printf '%s\\n' \"$reply\"\ndone\n";
    let brain = format!("exec:sh {}", home.write("brain.sh", program).display());

    let url = site.url("/");
    let mut arguments: Vec<String> = [
        "-v",
        "run",
        "Echo them",
        "--json",
        "--max-steps",
        "60",
        "--url",
        &url,
        "--brain",
        &brain,
        "--set",
        "log=trace",
        "--set",
        "density_gate=off",
    ]
    .map(String::from)
    .to_vec();
    for (at, (name, value)) in secrets.iter().enumerate() {
        arguments.push("--secret".into());
        // From all three kinds of sources.
        arguments.push(match at % 3 {
            0 => format!("{name}=env:VALUE_OF_{at}"),
            1 => format!("{name}=file:{}", home.write(&format!("value-{at}"), value).display()),
            _ => format!("{name}=cmd:cat '{}'", home.write(&format!("value-{at}"), value).display()),
        });
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = home.command(&arguments);
    for (at, (_, value)) in secrets.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        command.env(format!("VALUE_OF_{at}"), value);
    }
    let ended = home.run(&mut command);
    let error = String::from_utf8_lossy(&ended.stderr).into_owned();
    let last = String::from_utf8_lossy(&ended.stdout).lines().last().unwrap_or_default().to_string();
    let result: Value = serde_json::from_str(&last).unwrap_or_else(|_| panic!("{last}\n{error}"));
    let result = &result["result"];
    assert_eq!(result["summary"], "It is all over.", "{result}");
    assert_eq!(ended.status.code(), Some(1), "{error}");

    // The page had them all: its server was told by the form.
    assert!(site.asked().contains("/sent?v=Correct+Horse++battery&v=it%27s"), "{}", site.asked());
    for (name, value) in secrets.iter().filter(|(name, _)| !["one", "long", "lines"].contains(name)) {
        assert!(shown(site.asked().as_bytes(), &needles(value)).is_some(), "the search does not find {name}");
    }
    let trajectory = result["trajectory"].to_string();
    for told in [
        "<secret:words>",
        "<secret:long>",
        "<secret:one>",
        "<secret:pin>",
        "an alert said",
        "a dialog opened",
        "downloaded",
    ] {
        assert!(trajectory.contains(told), "{told} is missing in {trajectory}");
    }

    let seen = std::fs::read_to_string(home.path("seen")).unwrap();
    assert!(seen.contains("done names a secret"), "{seen}");

    let mut said: Vec<(String, Vec<u8>)> = vec![("stdout".into(), ended.stdout), ("stderr".into(), ended.stderr)];
    for file in ["seen", "environment"] {
        said.push((file.into(), std::fs::read(home.path(file)).unwrap()));
    }
    for arguments in [
        vec!["report", "last", "-o", "report.html"],
        vec!["report", "last"],
        vec!["runs", "show", "last", "--json"],
        vec!["runs", "ls", "--json"],
        vec!["runs", "export", "last", "-o", "exported.jsonl", "--format", "jsonl"],
    ] {
        let output = home.run(&mut home.command(&arguments));
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        said.push((arguments.join(" "), output.stdout));
    }
    for file in ["report.html", "exported.jsonl"] {
        said.push((file.into(), std::fs::read(home.path(file)).unwrap()));
    }
    for (path, bytes) in home.artefacts() {
        said.push((path.display().to_string(), path.display().to_string().into_bytes()));
        // Pictures are compressed; `pictures` looks at those.
        if path.extension().is_none_or(|extension| extension != "png") {
            said.push((path.display().to_string(), bytes));
        }
    }
    assert!(
        said.iter().any(|(name, _)| name.ends_with("events.jsonl"))
            && said.iter().any(|(name, _)| name.ends_with("index.db"))
    );
    for (name, value) in secrets.iter().filter(|(name, _)| *name != "one") {
        let needles = needles(value);
        for (place, bytes) in &said {
            let own_source = name == &"pin" && place == "environment";
            let found = if own_source { None } else { shown(bytes, &needles) };
            assert_eq!(found, None, "{name} in {place}");
        }
    }
}
