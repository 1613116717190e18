//! What cannot be recorded or replayed is said in one sentence, before anything starts.

use crate::bench::Bench;
use crate::pages::PageServer;
use crate::world::{ORDER, press, record_order, says, script};

#[test]
fn only_a_run_that_passed_becomes_a_routine() {
    let bench = Bench::new();
    let server = PageServer::with(ORDER);
    let brain = script(&bench, "press.json", &press("Send order"));
    let file = bench.path("routine.json").display().to_string();
    bench.run(&server.url(), &brain, &["--confirm", "none"]).expect(0);
    let export = ["runs", "export", "last", "--routine", "-o", &file];
    bench.surehand(&export).expect(2).expect_sentence("nobody judged the run");
    assert!(!bench.path("routine.json").exists());
    let mut unjudged = export.to_vec();
    unjudged.push("--even-unjudged");
    bench.surehand(&unjudged).expect(0);
    let mut parameter = unjudged.clone();
    parameter.extend(["--parameter", "who=Nobody at all"]);
    bench.surehand(&parameter).expect(2).expect_sentence("stands nowhere in the run");

    let contract = says(&bench, "Something else");
    bench.run(&server.url(), &brain, &["--contract", &contract, "--confirm", "none"]).expect(1);
    bench.surehand(&unjudged).expect(2).expect_sentence("did not pass: its verdict is fail");
    bench.surehand(&["runs", "export", "last", "-o", &file, "--even-unjudged"]).expect(2);
}

#[test]
fn wrong_files_and_values_are_found_before_a_browser_starts() {
    let bench = Bench::new();
    let good = record_order(&bench);
    let text = bench.read("order.json");
    let runs = bench.rows().len();
    for (content, part) in [
        (String::new(), "it is not JSON"),
        ("[1, 2]".into(), "it is no routine"),
        (text.replacen("\"routine\": 2", "\"routine\": 9", 1), "format 9"),
        (text.replacen("\"task\"", "\"taks\"", 1), "unknown field `taks`"),
        (text.replacen("\"region_hash\"", "\"region_hahs\"", 1), "unknown field `region_hahs`"),
        (text.replacen("\"tool\": \"mouse\"", "\"tool\": \"rocket\"", 1), "step 1: "),
        (text[..text.len() / 2].to_string(), "it is not JSON"),
    ] {
        let file = bench.write("wrong.json", &content).display().to_string();
        bench.surehand(&["replay", &file]).expect(2).expect_sentence(part);
        bench.surehand(&["run", "x", "--brain", &format!("routine:{file}")]).expect(2).expect_sentence(part);
    }
    bench.surehand(&["replay", "nowhere.json"]).expect(2).expect_sentence("cannot be read");
    bench
        .surehand(&["replay", &good, "--value", "whom=x"])
        .expect(2)
        .expect_sentence("no value \"whom\"; it has customer");
    bench.surehand(&["replay", &good, "--value", "whom"]).expect(2).expect_sentence("NAME=TEXT");
    bench.surehand(&["replay", &good, "--then", "magic:x"]).expect(2).expect_sentence("no brain kind");
    bench.surehand(&["replay", &good, "--then", "script:nowhere.json"]).expect(2).expect_sentence("cannot be read");
    assert_eq!(bench.rows().len(), runs, "nothing was run");
}
