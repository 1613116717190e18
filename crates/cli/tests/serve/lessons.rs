//! Lessons over HTTP: the same as on the command line, page by page, and a person's word in the audit log.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::service::Service;
use crate::tokens::Tokens;

/// A backup as `lessons export` writes it.
fn backup(bench: &Bench, count: usize) {
    let mut text = json!({"surehand_lessons": 1}).to_string();
    for number in 0..count {
        let origin = if number % 2 == 0 { "shop.example" } else { "crm.example" };
        let lesson = json!({
            "id": format!("lsn_{number:020x}"), "status": "candidate",
            "rule": format!("Clicking the button \"Save {number}\" had no effect; it worked after a reload."),
            "triggers": [format!("t{number}")], "tags": ["click"], "origin": origin, "task": "",
            "learned_in": "Save the settings", "sources": [{"run": "r1", "verdict": "pass"}], "reliability": 0.5,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": format!("2026-01-01T00:00:0{}Z", number / 2),
        });
        text.push_str(&format!("\n{lesson}"));
    }
    let file = bench.write("lessons.jsonl", &text).display().to_string();
    bench.surehand(&["lessons", "import", &file, "--own"]).expect(0);
}

fn ids(page: &Value) -> Vec<String> {
    page["lessons"].as_array().unwrap().iter().map(|lesson| lesson["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn lessons_are_listed_shown_and_judged_as_on_the_command_line() {
    let bench = Bench::new();
    backup(&bench, 7);
    let tokens = Tokens::new(
        &bench,
        &[
            ("boss", "\"read\", \"admin\"", ""),
            ("reader", "\"read\"", "own_runs_only = true"),
            ("ci", "\"read\", \"control\"", ""),
        ],
    );
    let service = Service::start(&bench, "script:x.json", &["--tokens", &tokens.file]);
    let ask = |name: &str, method: &str, path: &str, body: &str| tokens.ask(&service, name, method, path, body);
    let get = |path: &str| ask("boss", "GET", path, "");

    let all = ids(&get("/v1/lessons").expect(200));
    assert_eq!(all.len(), 7);
    let mut paged = Vec::new();
    let mut next = Value::Null;
    loop {
        let after = next.as_str().map(|place| format!("&after={place}")).unwrap_or_default();
        let page = get(&format!("/v1/lessons?limit=3{after}")).expect(200);
        paged.extend(ids(&page));
        next = page["next"].clone();
        if next.is_null() {
            break;
        }
    }
    assert_eq!(paged, all, "each once, the latest first, in three pages");
    assert_eq!(ids(&get("/v1/lessons?origin=crm.example").expect(200)).len(), 3);
    assert_eq!(ids(&get("/v1/lessons?q=SAVE%203").expect(200)).len(), 1);
    assert_eq!(ids(&get("/v1/lessons?q=%25&status=candidate").expect(200)).len(), 0, "no wildcards");
    for wrong in ["limit=0", "limit=501", "status=old", "after=x", "after=1.x", "unknown=1"] {
        get(&format!("/v1/lessons?{wrong}")).expect_error(400, "invalid_request");
    }

    let id = &all[0];
    let shown = |id: &str| -> Value {
        serde_json::from_str(&bench.surehand(&["lessons", "show", id, "--json"]).stdout).unwrap()
    };
    assert_eq!(get(&format!("/v1/lessons/{id}")).expect(200), shown(id));
    get("/v1/lessons/no-such").expect_error(404, "not_found");
    get("/v1/lessons/lsn_").expect_error(400, "invalid_request");
    let stats: Value = serde_json::from_str(&bench.surehand(&["lessons", "stats", "--json"]).stdout).unwrap();
    let mut told = get("/v1/lessons/stats").expect(200);
    told["totals"]["bytes"] = stats["totals"]["bytes"].clone();
    assert_eq!(told, stats);

    let word = |name: &str, word: &str, body: &str| ask(name, "POST", &format!("/v1/lessons/{id}/{word}"), body);
    ask("reader", "GET", "/v1/lessons", "").expect_error(403, "forbidden");
    word("ci", "suppress", "{}").expect_error(403, "forbidden");
    word("boss", "lift", "{}").expect_error(409, "not_suppressed");
    word("boss", "suppress", "{\"why\": 1}").expect_error(400, "invalid_request");
    assert_eq!(word("boss", "promote", "").expect(200)["lesson"]["status"], "promoted");
    let suppressed = word("boss", "suppress", "{\"reason\": \"it is wrong since May\"}").expect(200);
    assert_eq!(suppressed["lesson"]["suppressed_by"], "person");
    assert_eq!(suppressed, shown(id));
    word("boss", "promote", "{}").expect_error(409, "suppressed");
    let lifted = word("boss", "lift", "{}").expect(200);
    assert_eq!((&lifted["lesson"]["status"], &lifted["events"][2]["kind"]), (&json!("candidate"), &json!("lifted")));

    let audit = bench.surehand(&["audit", "show", "--json"]);
    let words: Vec<Value> = audit.lines().into_iter().filter(|line| line["kind"] == "lesson").collect();
    let told: Vec<&Value> = words.iter().map(|line| &line["word"]).collect();
    assert_eq!(told, ["promote", "suppress", "lift"]);
    assert_eq!((&words[1]["by"], &words[1]["reason"]), (&json!("boss"), &json!("it is wrong since May")));
    bench.surehand(&["audit", "verify"]).expect(0);
}
