//! `surehand doctor --brain`: one small request, and a sentence about everything that can be wrong with it.

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::server::{Answer, Asked, Server};
use crate::shots;
use crate::wire::{self, Act, VENDORS, Wire};
use crate::world::{KEY, without_keys};

fn doctor(wire: Wire, server: &Server, more: &[&str]) -> Ended {
    let bench = Bench::new();
    let brain = wire.brain(server);
    let mut arguments = vec!["doctor", "--brain", &brain];
    arguments.extend(more);
    let mut command = bench.command(&arguments);
    without_keys(&mut command);
    command.env(wire.variable(), KEY);
    bench.start_command(command).wait()
}

/// Under a type that is not its own, which some servers do.
fn healthy(wire: Wire) -> Answer {
    Answer::text(200, "text/plain", wire.reply(0, "It is red.", &[Act::done("red")]).to_string())
}

/// The colour of the picture that was sent, seen and not known.
fn colour(asked: &Asked) -> [u8; 3] {
    let picture = shots::newest(&asked.json()).unwrap();
    [picture.rgb[0], picture.rgb[1], picture.rgb[2]]
}

#[test]
fn a_healthy_server_is_ok_and_was_shown_a_red_picture() {
    let all = [
        wire::ANTHROPIC,
        wire::TOOLSET,
        wire::OPENAI,
        wire::PREVIEW,
        wire::GEMINI,
        wire::LEGACY,
        wire::NATIVE,
        wire::QWEN3,
        wire::QWEN25,
        wire::UI_TARS,
        wire::UI_TARS_2,
        wire::OPENCUA,
        wire::HOLO3,
        wire::FARA,
    ];
    for wire in all {
        let server = Server::list(vec![healthy(wire)]);
        let ended = doctor(wire, &server, &[]);
        ended.expect(0);
        assert!(
            ended.stdout.starts_with("ok ") && ended.stdout.contains("Ready."),
            "{:?}: {}",
            wire.kind,
            ended.stdout
        );
        assert!(
            !ended.stdout.contains("warning") && !ended.stdout.contains("BROKEN"),
            "{:?}: {}",
            wire.kind,
            ended.stdout
        );
        let asked = server.asked();
        assert_eq!(asked.len(), 1);
        wire.expect_address(&asked[0], KEY);
        let [red, green, blue] = colour(&asked[0]);
        assert!(red > 200 && green < 60 && blue < 60, "{red} {green} {blue}");
    }
}

#[test]
fn answers_in_json_are_one_object_a_line() {
    let wire = wire::GEMINI;
    let server = Server::list(vec![healthy(wire)]);
    let lines = doctor(wire, &server, &["--json"]).expect(0).lines();
    assert!(lines.iter().all(|line| line["state"] == "ok"), "{lines:?}");
    assert_eq!(lines[0]["name"], "brain");
}

/// The error of a status, and what the sentence about it must name.
struct Trouble {
    status: u16,
    kind: &'static str,
    message: &'static str,
    named: &'static [&'static str],
}

#[test]
fn every_trouble_has_its_sentence_and_is_met_once() {
    let troubles = [
        Trouble {
            status: 401,
            kind: "authentication_error",
            message: "invalid key",
            named: &["HTTP 401", "invalid key", "_API_KEY"],
        },
        Trouble {
            status: 403,
            kind: "permission_error",
            message: "no access",
            named: &["HTTP 403", "no access", "_API_KEY"],
        },
        Trouble {
            status: 404,
            kind: "not_found_error",
            message: "no such model",
            named: &["HTTP 404", "model name", "base address"],
        },
        Trouble {
            status: 400,
            kind: "invalid_request_error",
            message: "tools.0: 'computer_x' does not match the beta header",
            named: &["computer_tool=TOOL,BETA"],
        },
        Trouble { status: 413, kind: "request_too_large", message: "too large", named: &["image_window"] },
        Trouble {
            status: 429,
            kind: "insufficient_quota",
            message: "You exceeded your current quota",
            named: &["billing"],
        },
        Trouble {
            status: 500,
            kind: "server_error",
            message: "image input is not supported",
            named: &["vision model"],
        },
    ];
    for wire in VENDORS {
        for trouble in &troubles {
            let body = wire.error(trouble.status, trouble.kind, trouble.message);
            let server = Server::list(vec![Answer::status(trouble.status, &body)]);
            let ended = doctor(wire, &server, &[]);
            ended.expect(4);
            let first = ended.stdout.lines().next().unwrap();
            assert!(first.starts_with("BROKEN "), "{}", ended.stdout);
            assert!(ended.stdout.lines().nth(1).unwrap().contains("fix: "), "{}", ended.stdout);
            for part in trouble.named {
                assert!(
                    ended.stdout.contains(part),
                    "{:?} {}: {part:?} in\n{}",
                    wire.kind,
                    trouble.status,
                    ended.stdout
                );
            }
            assert_eq!(server.count(), 1, "{:?} {}", wire.kind, trouble.status);
        }
    }
}

#[test]
fn what_passes_is_waited_for() {
    for wire in VENDORS {
        let passing = |status, kind| Answer::status(status, &wire.error(status, kind, "come back later"));
        let server = Server::list(vec![
            passing(429, "RESOURCE_EXHAUSTED").with("retry-after-ms", "50"),
            passing(529, "overloaded_error").with("retry-after-ms", "50"),
            passing(500, "api_error"),
            healthy(wire),
        ]);
        let ended = doctor(wire, &server, &[]);
        ended.expect(0);
        assert_eq!(server.count(), 4, "{:?}", wire.kind);
        assert!(ended.stdout.contains("come back later"), "what had to be repeated is told: {}", ended.stdout);
    }
}

#[test]
fn an_answer_that_the_model_itself_spoilt_is_asked_for_again() {
    let spoilt = |wire: Wire, path: &str, value: Value| {
        let mut body = wire.reply(0, "", &[Act::Look]);
        *body.pointer_mut(path).unwrap() = value;
        (wire, body)
    };
    for (wire, body) in [
        spoilt(wire::ANTHROPIC, "/stop_reason", json!("pause_turn")),
        spoilt(wire::OPENAI, "/status", json!("failed")),
        spoilt(wire::GEMINI, "/candidates/0/finishReason", json!("MALFORMED_FUNCTION_CALL")),
        spoilt(wire::NATIVE, "/choices", json!([])),
    ] {
        let server = Server::list(vec![Answer::json(&body), healthy(wire)]);
        doctor(wire, &server, &[]).expect(0);
        assert_eq!(server.count(), 2, "{:?}", wire.kind);
        // Three times, and no more.
        let server = Server::list(vec![Answer::json(&body)]);
        doctor(wire, &server, &[]).expect(4);
        assert_eq!(server.count(), 3, "{:?}", wire.kind);
    }
}

#[test]
fn what_is_no_model_api_is_said_to_be_none() {
    let wire = wire::OPENAI;
    let answers: [(Answer, &[&str]); 6] = [
        (Answer::events(&[wire.words("in pieces").to_string()]), &["not asked for"]),
        (Answer::text(200, "text/html", "<html><title>Router login</title></html>"), &["not JSON", "is a model API"]),
        (Answer::json(&json!({"hello": "world"})), &["not as this API does", "base address"]),
        (Answer::json(&Value::Null), &["not as this API does"]),
        (Answer::text(200, "application/json", "[1, 2"), &["broke off"]),
        (Answer::text(204, "application/json", ""), &["HTTP 204"]),
    ];
    for (answer, parts) in answers {
        let server = Server::list(vec![answer]);
        let ended = doctor(wire, &server, &["--set", "brain_timeout=20s"]);
        ended.expect(4);
        for part in parts {
            assert!(ended.stdout.contains(part), "{part:?} in\n{}", ended.stdout);
        }
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let wire = wire::ANTHROPIC;
    let url = Server::list(vec![healthy(wire)]).url();
    let bench = Bench::new();
    let mut command = bench.command(&["doctor", "--brain", &wire.brain_at(&url), "--set", "brain_timeout=3s"]);
    without_keys(&mut command);
    command.env(wire.variable(), KEY);
    let ended = bench.start_command(command).wait();
    ended.expect(4);
    assert!(ended.stdout.contains(&url) && ended.stdout.contains("cannot be reached"), "{}", ended.stdout);
    assert!(ended.stdout.contains("fix: check that the server runs"), "{}", ended.stdout);
}

#[test]
fn a_key_that_is_missing_or_no_header_is_told_before_anything_is_asked() {
    let bench = Bench::new();
    let mut command = bench.command(&["doctor", "--brain", "openai"]);
    without_keys(&mut command);
    let ended = bench.start_command(command).wait();
    ended.expect(4);
    assert!(ended.stdout.contains("fix: set OPENAI_API_KEY to your key"), "{}", ended.stdout);

    let server = Server::list(vec![healthy(wire::OPENAI)]);
    let mut command = bench.command(&["doctor", "--brain", &wire::OPENAI.brain(&server)]);
    without_keys(&mut command);
    command.env("OPENAI_API_KEY", "half a key\nand-the-rest");
    let ended = bench.start_command(command).wait();
    ended.expect(4);
    assert!(ended.stdout.contains("OPENAI_API_KEY") && !ended.stdout.contains("and-the-rest"), "{}", ended.stdout);
    assert_eq!(server.count(), 0);
}

#[test]
fn a_model_without_eyes_or_without_a_dialect_is_a_warning() {
    for wire in VENDORS {
        let server = Server::list(vec![Answer::json(&wire.words("Hello! How can I help you today?"))]);
        let ended = doctor(wire, &server, &[]);
        ended.expect(0);
        assert!(
            ended.stdout.contains("warning  vision") && ended.stdout.contains("warning  actions"),
            "{}",
            ended.stdout
        );
        assert!(ended.stdout.contains("How can I help"), "{}", ended.stdout);
    }
}
