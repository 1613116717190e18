//! What docs/serving.md shows is what happens: every shell block with curl is run against a real server, in order, and
//! its answer compared with the block below it. `…` stands for anything, `$NAME` for a value that later blocks use.

use std::collections::BTreeMap;
use std::process::Command;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::receiver::Receiver;
use crate::service::{BUTTONS, Service, done, press};

const HANDBOOK: &str = include_str!("../../../../docs/serving.md");
const SECRET: &str = "a secret of the handbook";

struct Block<'a> {
    kind: &'a str,
    text: String,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some(Block { kind, text: String::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    blocks
}

type Names = BTreeMap<String, String>;

/// Whether a text is as the page says.
fn fits(expected: &str, found: &str, names: &mut Names) -> bool {
    if let Some(name) = expected.strip_prefix('$').filter(|name| name.chars().all(|c| c.is_ascii_uppercase())) {
        names.insert(name.to_string(), found.to_string());
        return true;
    }
    let mut expected = expected.to_string();
    for (name, value) in names.iter() {
        expected = expected.replace(&format!("${name}"), value);
    }
    let mut rest = found;
    let parts: Vec<&str> = expected.split('…').collect();
    for (index, part) in parts.iter().enumerate() {
        let at = if index == 0 { rest.starts_with(part).then_some(0) } else { rest.find(part) };
        let Some(at) = at else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || expected.ends_with('…')
}

fn expect(expected: &Value, found: &Value, names: &mut Names, place: &str) {
    match (expected, found) {
        (Value::String(any), _) if any == "…" => {}
        (Value::String(text), Value::String(found)) => assert!(fits(text, found, names), "{place}: {text} {found}"),
        (Value::Object(fields), _) => {
            for (name, field) in fields {
                expect(field, &found[name], names, &format!("{place}.{name}"));
            }
        }
        (Value::Array(items), Value::Array(all)) => {
            assert!(!items.is_empty() || all.is_empty(), "{place}: {found}");
            for (index, item) in items.iter().enumerate() {
                expect(item, &all[index], names, &format!("{place}[{index}]"));
            }
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

/// Answers follow each other without a break.
fn documents(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .map(|read| read.unwrap_or_else(|e| panic!("{e}: {text}")))
        .collect()
}

/// Does at once what the task wants; watching goes on until it is told to end.
fn brain(bench: &Bench) -> String {
    bench.shell_brain(&format!(
        r#"n=0
while read -r line; do
  n=$((n+1))
  case $line in
    '{{"type":"end"'*) exit 0 ;;
    *'"task":"Watch'*) printf '%s\n' '{wait}'; continue ;;
    *'"task":"Delete'*) reply='{delete}' ;;
    *) reply='{press}' ;;
  esac
  if [ $n -gt 1 ]; then reply='{done}'; fi
  printf '%s\n' "$reply"
done
"#,
        delete = json!({"calls": [press("Delete account")]}),
        press = json!({"calls": [press("Press")]}),
        wait = json!({"calls": [{"tool": "wait", "seconds": 1}]}),
        done = done(),
    ))
}

#[test]
fn the_handbook_shows_what_happens() {
    let bench = Bench::new();
    let site = PageServer::start(&[
        ("/", Page::Html(BUTTONS)),
        ("/pressed", Page::Html("")),
        ("/deleted", Page::Html("")),
        ("/hook", Page::Html("")),
    ]);
    let secret = format!("file:{}", bench.write("secret", SECRET).display());
    let collector = Receiver::start("127.0.0.1:0", &["503 Busy", "200 OK"]);
    let spans = format!("http://{}", collector.address);
    let flags = ["--webhook-secret", &secret, "--webhook-private", "--otlp", &spans, "--set", "confirm_timeout=90s"];
    let service = Service::start(&bench, &brain(&bench), &flags);
    let mut names: Names = BTreeMap::from([
        ("SUREHAND_URL".to_string(), format!("http://{}", service.address)),
        ("PAGE".to_string(), site.url()),
        ("RECEIVER".to_string(), site.at("/hook")),
    ]);
    let all = blocks(HANDBOOK);
    let mut ran = 0;
    for (index, block) in all.iter().enumerate() {
        if block.kind != "sh" || !block.text.contains("curl ") {
            continue;
        }
        ready(&service, &block.text, &names, &all[index + 1].text);
        let output = Command::new("sh").args(["-ec", &block.text]).current_dir(bench.path("tmp")).envs(&names).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}\n{output:?}", block.text);
        let answer = &all[index + 1];
        match answer.kind {
            "json" => {
                let (expected, found) = (documents(&answer.text), documents(&text));
                assert_eq!(expected.len(), found.len(), "{}\n{text}", block.text);
                for (expected, found) in expected.iter().zip(&found) {
                    expect(expected, found, &mut names, &block.text);
                }
            }
            "text" => {
                for line in answer.text.lines() {
                    assert!(text.lines().any(|found| fits(line, found, &mut names)), "{line}\n{text}");
                }
            }
            other => panic!("{:?} after\n{}", other, block.text),
        }
        ran += 1;
    }
    assert!(ran > 12, "the page has fewer examples than it had: {ran}");
    assert!(std::fs::read(bench.path("tmp").join("first.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(std::fs::read_to_string(bench.path("tmp").join("report.html")).unwrap().contains("Delete the account"));
    eventually("the webhook", || site.count("/hook") == 1);
    assert_eq!((site.count("/deleted"), site.count("/pressed")), (1, 3 + 1), "two runs, a plan and a person");
    assert_eq!(service.run(&names["RUN"])["webhooks"][0]["event"], "ended");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    expect_spans(&collector, &names["RUN"]);
}

/// The last run as its collector sees it: a span of the run, and one of each step below it.
fn expect_spans(collector: &Receiver, run: &str) {
    let heard = collector.heard();
    assert!(heard.iter().all(|(head, _)| head.starts_with("POST /v1/traces ")), "{heard:?}");
    let mut spans: Vec<Value> = Vec::new();
    // What was refused at first is sent again.
    for (_, body) in &heard[1..] {
        let body: Value = serde_json::from_str(body).unwrap();
        let resource = &body["resourceSpans"][0];
        assert_eq!(resource["resource"]["attributes"][0]["value"]["stringValue"], "surehand");
        spans.extend(resource["scopeSpans"][0]["spans"].as_array().unwrap().clone());
    }
    let ids: std::collections::BTreeSet<&str> = spans.iter().map(|span| span["spanId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), spans.len(), "each span once");
    let fact = |span: &Value, key: &str| -> Value {
        let all = span["attributes"].as_array().unwrap();
        all.iter().find(|one| one["key"] == key).map_or(Value::Null, |one| one["value"].clone())
    };
    let own: Vec<&Value> = spans.iter().filter(|span| fact(span, "surehand.run_id")["stringValue"] == *run).collect();
    let [click, done, whole] = own[..] else { panic!("{own:?}") };
    assert_eq!((&click["name"], &done["name"], &whole["name"]), (&json!("mouse click"), &json!("done"), &json!("run")));
    for step in [click, done] {
        assert_eq!((&step["traceId"], &step["parentSpanId"]), (&whole["traceId"], &whole["spanId"]));
        let moment = |span: &Value, name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
        assert!(moment(step, "startTimeUnixNano") >= moment(whole, "startTimeUnixNano"), "{step} {whole}");
        assert!(moment(step, "endTimeUnixNano") <= moment(whole, "endTimeUnixNano"), "{step} {whole}");
        assert!(fact(step, "surehand.brain.latency_ms")["doubleValue"].as_f64().unwrap() >= 0.0);
        assert_eq!(fact(step, "surehand.brain.cost_usd")["doubleValue"], 0.0);
    }
    assert_eq!(fact(click, "surehand.effect.status")["stringValue"], "confirmed");
    assert_eq!(fact(whole, "surehand.verdict")["stringValue"], "unjudged");
    assert_eq!((whole["traceId"].as_str().unwrap().len(), whole["spanId"].as_str().unwrap().len()), (32, 16));
    assert_eq!(whole["status"]["code"], 1);
}

/// A block that looks at a run comes after what it is about.
fn ready(service: &Service, block: &str, names: &Names, answer: &str) {
    let Some(run) = names.get("RUN").filter(|_| block.contains("$RUN")) else { return };
    let status = || service.run(run)["status"].as_str().unwrap().to_string();
    let wanted: &[&str] = if answer.contains("\"ended\"") {
        &["ended"]
    } else if block.contains("/call") {
        &["taken_over"]
    } else if answer.contains("waiting") {
        &["waiting"]
    } else {
        &["running", "waiting", "taken_over", "ended"]
    };
    eventually(&format!("{run} to be {wanted:?}"), || wanted.contains(&status().as_str()));
}

#[test]
fn the_handbook_verifies_a_signature_as_the_server_makes_it() {
    let bench = Bench::new();
    let block =
        blocks(HANDBOOK).into_iter().find(|block| block.kind == "sh" && block.text.contains("openssl")).unwrap();
    bench.write("body.json", "{\"a\":1}");
    let output = Command::new("sh")
        .args(["-ec", &block.text])
        .current_dir(bench.path(""))
        // The same figures as in the product's own test.
        .env("WEBHOOK_SECRET", "a-secret-of-16-bytes")
        .env("SIGNATURE", "t=1700000000,v1=001f7b5df107572ddd8913cfe09db99120e472c5ca61a1f99f60db0123c42104")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("001f7b5df107572ddd8913cfe09db99120e472c5ca61a1f99f60db0123c42104"), "{output:?}");
}
