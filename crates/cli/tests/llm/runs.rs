//! Whole runs on one of our sites with the real model server behind them. The model cannot do any task: every run has
//! to end by itself, with the right code and reason, one clear sentence, and nothing left behind.

use std::time::Duration;

use serde_json::Value;

use crate::bench::{Bench, Ended, Running, eventually};
use crate::crm::Crm;
use crate::relay::Relay;
use crate::server::{ModelServer, question};

/// Some answers take long on a busy machine; only a hang reaches it.
const HANG: Duration = Duration::from_secs(170);
/// The dialect with the shortest prompt: on a busy machine this server reads some twenty tokens a second.
const SHORT: &str = "dialect=ui-tars";

/// Arguments for a run without pictures, which this model refuses, and with short answers.
fn blind<'a>(dialect: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["--set", "image_window=0", "--set", "prompt_variant=small", "--set", dialect];
    arguments.extend(["--set", "max_output_tokens=64", "--brain-timeout", "150s"]);
    arguments.extend(more);
    arguments
}

struct World {
    bench: Bench,
    site: Crm,
    relay: Relay,
}

impl World {
    fn before(server: &ModelServer) -> World {
        World { bench: Bench::new(), site: Crm::start(), relay: Relay::to(server.port()) }
    }

    /// Any name will do for this server; this one is not known to us, so nothing is assumed about the model.
    fn brain(&self) -> String {
        format!("chat:a-local-model@http://127.0.0.1:{}/v1", self.relay.port())
    }

    fn start(&self, more: &[&str]) -> Running {
        self.bench.start_run(&self.site.url(), &self.brain(), more)
    }

    fn run(&self, more: &[&str]) -> Ended {
        self.start(more).wait_at_most(HANG)
    }

    /// A run that broke off: exit code 4, and this in its one sentence.
    fn expect_broken(&self, ended: &Ended, parts: &[&str]) -> Value {
        let result = ended.expect_end(4, "brain_error");
        let error = result["error"].as_str().unwrap();
        assert!(!error.contains('\n'), "{error}");
        for part in parts {
            assert!(error.contains(part), "{part:?} in: {error}");
        }
        self.bench.expect_nothing_left();
        result
    }

    /// A run that ended in any way a brain without sense can end: the code belongs to the reason.
    fn expect_ended(&self, ended: &Ended) -> Value {
        let result = ended.result();
        let reason = result["termination_reason"].as_str().unwrap();
        let code = match reason {
            "brain_error" => 4,
            "done" => 0,
            "done_unverified" => 3,
            "max_steps" | "done_failed" | "loop" => 1,
            other => panic!("ended as {other}: {result}"),
        };
        ended.expect(code);
        if reason == "brain_error" {
            self.expect_broken(ended, &["3 steps in a row"]);
        }
        self.bench.expect_nothing_left();
        result
    }
}

#[test]
fn a_server_that_is_still_loading_is_waited_for() {
    let server = ModelServer::loading();
    let world = World::before(&server);
    let running = world.start(&blind(SHORT, &["--max-steps", "1"]));
    eventually("the run to be told to wait", || world.relay.answered().contains("HTTP/1.1 503"));
    server.finish_loading();
    let ended = running.wait_at_most(HANG);
    let result = world.expect_ended(&ended);
    assert!(world.relay.answered().contains("HTTP/1.1 200"), "it never got an answer");
    assert!(result["brain_summary"]["repeats"].as_u64().unwrap() > 0, "the waiting is not told");
}

#[test]
fn a_server_that_never_stops_loading_is_given_up_at_the_deadline() {
    let server = ModelServer::loading();
    let world = World::before(&server);
    let ended = world.run(&["--set", "image_window=0", "--brain-timeout", "4s"]);
    world.expect_broken(&ended, &["Loading model", "hint: "]);
}

#[test]
fn a_model_without_eyes_is_told_at_once_and_only_once() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    let ended = world.run(&[]);
    world.expect_broken(&ended, &["image input is not supported", "vision model"]);
    assert_eq!(world.relay.answered().matches("HTTP/1.1 500").count(), 1, "asking again brings the same");
}

#[test]
fn prose_instead_of_actions_ends_the_run() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    let result = world.expect_ended(&world.run(&blind(SHORT, &["--max-steps", "3"])));
    let asked = world.relay.asked();
    assert!(!asked.contains("data:image"), "a picture was sent with image_window=0");
    let summary = &result["brain_summary"];
    assert!(summary["usage"]["input_tokens"].as_u64().unwrap() > 0, "{summary}");
}

#[test]
fn streamed_answers_end_the_run_as_well() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    let result = world.expect_ended(&world.run(&blind(SHORT, &["--set", "stream=on", "--max-steps", "1"])));
    assert!(world.relay.asked().contains(r#""stream":true"#), "it was not asked to stream");
    assert!(world.relay.answered().contains("text/event-stream"), "it did not stream");
    let summary = &result["brain_summary"];
    assert!(summary["usage"]["input_tokens"].as_u64().unwrap() > 0, "{summary}");
}

#[test]
fn tools_that_the_server_ignores_are_no_reason_to_break() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    world.expect_ended(&world.run(&blind("dialect=native", &["--max-steps", "1"])));
    assert!(world.relay.asked().contains(r#""tools":"#), "no tools were offered");
    assert!(!world.relay.answered().contains("tool_calls"), "this server's model has none");
}

#[test]
fn answers_kept_to_a_schema_are_actions_or_cut_off() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    // Its schema goes to the server, so that everything that is not cut off is an action.
    world.expect_ended(&world.run(&blind("dialect=holo3", &["--max-steps", "1"])));
    assert!(world.relay.asked().contains(r#""json_schema""#), "no schema was sent");
}

#[test]
fn a_slow_answer_is_given_up_and_the_server_is_free_again() {
    let server = ModelServer::ready();
    let world = World::before(&server);
    let ended = world.run(&["--set", "image_window=0", "--set", SHORT, "--brain-timeout", "1s"]);
    world.expect_broken(&ended, &["did not answer within 1 s", "hint: "]);
    assert_eq!(server.ask(&question("Say hello.", &serde_json::json!({"max_tokens": 2}))).0, 200);
}

#[test]
fn a_prompt_that_does_not_fit_is_told_in_the_servers_words() {
    let server = ModelServer::ready_with_context(512);
    let world = World::before(&server);
    let ended = world.run(&blind(SHORT, &[]));
    world.expect_broken(&ended, &["exceeds the available context size", "hint: "]);
    assert_eq!(world.relay.answered().matches("HTTP/1.1 400").count(), 1, "asking again brings the same");
}

#[test]
fn a_server_that_dies_in_the_middle_is_named() {
    let mut server = ModelServer::ready();
    let world = World::before(&server);
    let running = world.start(&["--set", "image_window=0", "--brain-timeout", "20s"]);
    eventually("the model to be asked", || world.relay.asked().contains("chat/completions"));
    server.kill();
    let ended = running.wait_at_most(HANG);
    world.expect_broken(&ended, &["127.0.0.1", "hint: "]);
}
