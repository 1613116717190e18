//! `--max-cost`: the run stops before the request that would exceed it.

use crate::bench::Bench;
use crate::page::Page;
use crate::server::{Answer, Server};
use crate::wire;
use crate::world::{Model, Next, World};

/// Dollars per million tokens, so that a request of a few thousand tokens costs about half a dollar.
const DEAR: [&str; 2] = ["--set", "price=100/100"];

#[test]
fn a_run_stops_before_the_request_that_would_cost_too_much() {
    let wire = wire::NATIVE;
    let model = Model::new(wire, vec![vec![Next::Square]; 40]);
    let world = World { page: Page::titled("targets", "endless"), ..World::of(&model) };
    let mut more = DEAR.to_vec();
    more.extend(["--max-cost", "1.5"]);
    let result = world.run(&more).expect_end(1, "budget");
    let (cost, error) = (result["cost"].as_f64().unwrap(), result["error"].as_str().unwrap());
    assert!(cost > 0.0 && cost <= 1.5, "{cost}");
    assert!(error.contains("of $1.5") && error.contains("hint: raise --max-cost"), "{error}");
    let count = world.server.count();
    assert!((1..20).contains(&count), "{count}");
    assert_eq!(result["brain_summary"]["usage"]["requests"], count);
    let dollars = count as f64 * (wire::INPUT + wire::OUTPUT) as f64 * 100.0 / 1e6;
    assert!((cost - dollars).abs() < 1e-9, "{cost} {dollars}");
    world.bench.expect_nothing_left();
}

#[test]
fn a_limit_below_the_first_request_asks_nothing() {
    let world = World::of(&Model::new(wire::ANTHROPIC, vec![vec![Next::Square]]));
    let result = world.run(&["--max-cost", "0.0001"]).expect_end(1, "budget");
    assert_eq!((world.server.count(), &result["cost"]), (0, &serde_json::json!(0.0)));
}

#[test]
fn a_limit_without_a_price_is_wrong_usage() {
    let bench = Bench::new();
    let server = Server::list(vec![Answer::json(&wire::NATIVE.words("hello"))]);
    let brain = format!("chat:nobody-knows-it@{}/v1", server.url());
    let ended =
        bench.surehand(&["run", "a task", "--url", "http://127.0.0.1:9/", "--brain", &brain, "--max-cost", "1"]);
    ended.expect(2).expect_sentence("price");
    assert!(ended.stderr.contains("--set price=3/15"), "{}", ended.stderr);
    for wrong in ["-1", "much", "NaN"] {
        let limit = format!("--max-cost={wrong}");
        let ended = bench.surehand(&["run", "a task", "--brain", &brain, &limit]);
        ended.expect(2).expect_sentence("max_cost");
    }
    assert_eq!(server.count(), 0);
}
