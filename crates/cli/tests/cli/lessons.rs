//! Lessons through the front door: a run that passes teaches, the next one is told, a person has the last word, and a
//! broken memory keeps nobody from working.

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::crm::{self, Crm};
use crate::pages::PageServer;

/// Something invisible takes all clicks until the notice is agreed to.
const PAGE: &str = r#"<!doctype html><title>Settings</title><button id=save style="margin:80px;width:240px;height:60px">Save settings</button><p id=status></p>
<div id=veil style="position:fixed;inset:0"></div><div id=notice style="position:fixed;bottom:0;padding:20px"><button id=accept style="width:240px;height:60px">Accept cookies</button></div>
<script>document.getElementById('accept').onclick=()=>{document.getElementById('veil').remove();document.getElementById('notice').remove()};
document.getElementById('save').onclick=()=>{document.getElementById('status').textContent='The settings were saved'}</script>"#;

fn click(text: &str) -> Value {
    json!({"thought": "save the settings", "calls": [{"tool": "mouse", "action": "click", "target": {"text": text}}]})
}

struct World {
    bench: Bench,
    server: PageServer,
    contract: String,
}

impl World {
    fn new() -> World {
        let bench = Bench::new();
        let contract =
            json!({"id": "saved", "checks": [{"type": "dom", "selector": "#status", "text_regex": "saved"}]});
        let contract = bench.write("contract.json", &contract.to_string()).display().to_string();
        World { bench, server: PageServer::with(PAGE), contract }
    }

    /// The obvious way first, then the one that works.
    fn run(&self, more: &[&str]) -> Ended {
        self.click_all(&["Save settings", "Accept cookies", "Save settings"], more)
    }

    fn click_all(&self, names: &[&str], more: &[&str]) -> Ended {
        let done = json!({"calls": [{"tool": "done", "success": true, "summary": "The settings were saved."}]});
        let replies: Vec<Value> = names.iter().map(|name| click(name)).chain([done]).collect();
        self.bench.run(&self.server.url(), &self.bench.script(&replies), more)
    }

    fn judged(&self, more: &[&str]) -> Ended {
        let mut all = vec!["--contract", self.contract.as_str()];
        all.extend(more);
        self.run(&all)
    }

    /// What `why` says of the latest run.
    fn why(&self) -> String {
        let why = self.bench.surehand(&["lessons", "why", "last"]);
        why.expect(0);
        why.stdout
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["lessons"];
        all.extend(arguments);
        all.push("--json");
        let ended = self.bench.surehand(&all);
        ended.expect(0);
        serde_json::from_str(ended.stdout.trim()).unwrap()
    }

    /// The texts of the hints, turn by turn.
    fn hints(ended: &Ended) -> Vec<Vec<String>> {
        let texts = |turn: &Value| {
            let hints = turn["hints"].as_array().cloned().unwrap_or_default();
            hints.iter().map(|hint| hint["text"].as_str().unwrap_or_default().to_string()).collect()
        };
        ended.events("turn_started").iter().map(texts).collect()
    }
}

#[test]
fn a_run_that_passed_teaches_the_next_and_a_person_has_the_last_word() {
    let world = World::new();
    // Without a contract nobody knows whether it worked: a candidate, and not a word of it to the next run.
    let unjudged = world.run(&[]);
    assert_eq!(unjudged.expect_end(0, "done")["lessons"]["created"], 1);
    let first = world.judged(&[]);
    assert_eq!(
        first.expect_end(0, "done")["lessons"],
        json!({"injected": 0, "created": 0, "promoted": 0, "suppressed": 0})
    );
    let lesson = world.json(&["ls"]);
    let id = lesson["id"].as_str().unwrap();
    let rule = "Clicking the button \"Save settings\" had no effect, as something lay over it; it worked after clicking the button \"Accept cookies\".";
    assert_eq!(lesson["rule"], rule);

    let second = world.judged(&[]);
    let told = World::hints(&second);
    assert!(told[0][0].contains("a hint, not an instruction") && told[0][0].ends_with(rule), "{told:?}");
    assert!(told[1].iter().any(|hint| hint.ends_with(rule)), "it is said again after the failure: {told:?}");
    assert_eq!(second.expect_end(0, "done")["lessons"]["injected"], 2);

    // That one clicked in vain once more, told or not: what came after it is not the hint's doing.
    let why = world.why();
    for part in
        ["shown at the start: score ", "shown after step 1 failed: score ", "the same site", "nothing was counted"]
    {
        assert!(why.contains(part), "{part}: {why}");
    }
    world.click_all(&["Accept cookies", "Save settings"], &["--contract", &world.contract]).expect_end(0, "done");
    let why = world.why();
    assert!(why.contains("it helped"), "{why}");
    let shown = world.bench.surehand(&["lessons", "show", &id[4..12]]);
    shown.expect(0);
    assert!(shown.stdout.contains("a run that was decided confirms it"), "{}", shown.stdout);

    let off = world.judged(&["--set", "lessons=off"]);
    assert_eq!((World::hints(&off).concat().len(), &off.expect_end(0, "done")["lessons"]["injected"]), (0, &json!(0)));

    world.bench.surehand(&["lessons", "suppress", id]).expect(0);
    let third = world.judged(&[]);
    assert_eq!(World::hints(&third).concat(), Vec::<String>::new());
    assert_eq!(
        world.json(&["show", id])["lesson"]["status"],
        "suppressed",
        "a run brought back what a person suppressed"
    );
    let refused = world.bench.surehand(&["lessons", "promote", id]);
    refused.expect(2);
    assert!(refused.stderr.contains("--lift"), "{}", refused.stderr);
    world.bench.surehand(&["lessons", "suppress", id, "--lift"]).expect(0);
    world.bench.surehand(&["lessons", "promote", id]).expect(0);

    let file = world.bench.path("lessons.jsonl").display().to_string();
    world.bench.surehand(&["lessons", "export", "-o", &file]).expect(0);
    let page = world.bench.path("stats.html").display().to_string();
    world.bench.surehand(&["lessons", "stats", "-o", &page]).expect(0);
    assert!(world.bench.read("stats.html").contains("Utility over time"));
    let elsewhere = world.bench.path("elsewhere");
    let import = world.bench.command_in(&elsewhere, &["lessons", "import", &file, "--json"]);
    let imported = world.bench.start_command(import).wait();
    imported.expect(0);
    assert!(imported.stdout.contains("\"added\":1"), "{}", imported.stdout);
    let listed = world.bench.start_command(world.bench.command_in(&elsewhere, &["lessons", "ls"])).wait();
    assert!(listed.stdout.contains("in doubt"), "what others promoted is not believed: {}", listed.stdout);
}

/// The built-in CRM: a layer over the form, and a form between the layer and the button that was clicked in vain.
#[test]
fn the_layer_is_blamed_and_not_the_form_and_a_deaf_script_proves_nothing() {
    let (bench, crm) = (Bench::new(), Crm::start());
    let contract =
        json!({"id": "in", "checks": [{"type": "dom", "selector": "a[href='/contacts']", "text_regex": "Contacts"}]});
    let contract = bench.write("in.json", &contract.to_string()).display().to_string();
    let in_vain = || crm::reply(json!([crm::click("button", "Sign in")]));
    let mut replies = vec![in_vain(), in_vain()];
    replies.extend(crm::sign_in().into_iter().take(4));
    replies.extend([crm::wait(1), crm::done(true)]);
    let script = bench.script(&replies);
    for _ in 0..4 {
        let ended = bench.run(&crm.url(), &script, &["--contract", &contract, "--confirm", "none"]);
        ended.expect_end(0, "done");
    }
    let listed = bench.surehand(&["lessons", "ls", "--json"]);
    listed.expect(0);
    let lessons: Vec<Value> = listed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [lesson] = lessons.as_slice() else { panic!("{lessons:?}") };
    assert_eq!(
        lesson["rule"],
        "Clicking the button \"Sign in\" had no effect, as something lay over it; it worked after clicking the button \"Only necessary\"."
    );
    let shown = bench.surehand(&["lessons", "show", lesson["id"].as_str().unwrap(), "--json"]);
    shown.expect(0);
    let lesson = &serde_json::from_str::<Value>(shown.stdout.trim()).unwrap()["lesson"];
    assert_eq!(lesson["status"], "candidate", "no person and no help promoted it");
    let counts = &lesson["counts"];
    assert_eq!((&counts["shown"], &counts["helpful"], &counts["harmful"]), (&json!(3), &json!(0), &json!(0)));
}

#[test]
fn broken_lessons_keep_nobody_from_working_and_are_told_in_one_sentence() {
    let world = World::new();
    std::fs::create_dir_all(world.bench.data()).unwrap();
    std::fs::write(world.bench.data().join("lessons.db"), "no database at all ".repeat(99)).unwrap();
    let ended = world.judged(&[]);
    ended.expect_end(0, "done");
    let notes = ended.events("note");
    let told = notes.iter().filter(|note| note["message"].as_str().unwrap().contains("goes on without lessons"));
    assert_eq!(told.count(), 1, "{notes:?}");
    let listed = world.bench.surehand(&["lessons"]);
    listed.expect(2);
    assert!(listed.stderr.contains("damaged") && listed.stderr.contains("hint:"), "{}", listed.stderr);
    for (arguments, part) in
        [(["lessons", "show", "zzzz"], "no lesson matches"), (["lessons", "why", "zzzz"], "no run matches")]
    {
        let bench = Bench::new();
        let ended = bench.surehand(&arguments);
        ended.expect(2);
        assert!(ended.stderr.contains(part) && ended.stderr.contains("hint:"), "{}", ended.stderr);
    }
}
