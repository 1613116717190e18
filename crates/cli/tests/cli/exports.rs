//! What a run is turned into for others: one JSON object, a film, examples to learn from.

use std::path::Path;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::crm::{done, reply};
use crate::pages::PageServer;

const PAGE: &str = "<!doctype html><title>Form</title><button style='position:fixed;left:0;top:0;width:640px;height:120px' \
onclick=\"document.body.append('Saved.')\">Save</button>";

fn a_run(bench: &Bench) -> (PageServer, Value) {
    let server = PageServer::with(PAGE);
    let click = reply(json!([{"tool": "mouse", "action": "click", "coordinate": [250, 80]}]));
    let view = reply(json!([{"tool": "tab", "action": "view"}]));
    let brain = bench.script(&[click, view, done(true)]);
    let result = bench.run(&server.url(), &brain, &["--confirm", "none"]).expect_end(0, "done");
    (server, result)
}

fn lines(file: &Path) -> Vec<Value> {
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_becomes_one_object_a_film_and_examples() {
    let bench = Bench::new();
    let (_server, result) = a_run(&bench);
    let steps = result["trajectory"].as_array().unwrap().len();

    let timeline = bench.surehand(&["report", "last", "--format", "timeline"]);
    let timeline = timeline.expect(0).lines().remove(0);
    assert_eq!(timeline["run"]["run_id"], result["run_id"]);
    assert_eq!(timeline["steps"].as_array().unwrap().len(), steps);
    assert_eq!(timeline["steps"][0]["dispatched"], result["trajectory"][0]["dispatched"]);
    assert_eq!(timeline["lanes"]["referee"][0]["kind"], "final_verdict");
    bench.surehand(&["report", "last", "--format", "timeline", "-o", "t.json"]).expect(0);
    assert_eq!(lines(&bench.path("t.json")), [timeline]);

    let film = bench.surehand(&["runs", "export", "last", "-o", "run.gif", "--format", "gif"]);
    assert_eq!(film.expect(0).stdout, format!("{steps} pictures in run.gif\n"));
    let bytes = std::fs::read(bench.path("run.gif")).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"));

    bench.surehand(&["runs", "export", "last", "-o", "train", "--format", "training"]).expect(0);
    let examples = lines(&bench.path("train/training.jsonl"));
    assert_eq!(examples.len() as u64, result["turns"].as_u64().unwrap());
    for example in &examples {
        let roles: Vec<&Value> =
            example["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
        assert_eq!(roles, ["system", "user", "assistant"]);
        let image = example["images"][0].as_str().unwrap();
        assert!(bench.path("train").join(image).is_file(), "{image}");
        assert_eq!(example["verdict"]["final"], "unjudged");
    }
    assert_eq!(examples[0]["labels"]["effect"], "confirmed");

    let inline = ["runs", "export", "last", "-o", "train.jsonl", "--format", "training", "--images", "inline"];
    bench.surehand(&inline).expect(0);
    let inline = lines(&bench.path("train.jsonl"));
    assert!(inline[0]["images"][0].as_str().unwrap().starts_with("data:image/png;base64,iVBOR"));

    let nowhere = bench.surehand(&["runs", "export", "last", "-o", "no/such/run.gif", "--format", "gif"]);
    nowhere.expect(2).expect_sentence("cannot be written");
}
