//! What is wrong with a secret is told in one sentence, before anything starts, and without the value.

use crate::world::{Home, Tools, code};

fn refused(home: &Home, arguments: &[&str], expected: &str) {
    let mut command = home.command(arguments);
    command.env("HIDDEN_VALUE", "hunter22-clear").env("EMPTY_VALUE", "");
    let output = home.run(&mut command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(expected) && said.contains("hint:"), "{arguments:?}: {said}");
    assert!(!said.contains("hunter22"), "{arguments:?}: {said}");
}

#[test]
fn a_secret_that_cannot_be_had_is_a_usage_error() {
    let home = Home::new();
    let odd = home.write("odd", [0xff, 0x00]).display().to_string();
    let tools = |secret: &str, expected: &str| {
        refused(&home, &["tools", "--url", "http://127.0.0.1:9/", "--secret", secret], expected);
    };
    tools("hunter22", "--secret number 1 is not of the form");
    tools("pw=hunter22", "the secret \"pw\" has no source");
    tools("p w=env:HIDDEN_VALUE", "has no usable name");
    tools("pw=env:NOT_SET_AT_ALL", "the variable NOT_SET_AT_ALL, which is not set");
    tools("pw=env:EMPTY_VALUE", "the secret \"pw\" is empty");
    tools("pw=file:/no/such/file", "cannot be read from");
    tools(&format!("pw=file:{odd}"), "is not text in UTF-8");
    tools("pw=cmd:sh -c 'echo hunter22; echo hunter22 >&2; exit 7'", "exit status: 7");
    tools("pw=cmd:true", "the secret \"pw\" is empty");
    tools("pw@ftp://x=env:HIDDEN_VALUE", "cannot be bound");
    refused(
        &home,
        &["tools", "--secret", "pw=env:HIDDEN_VALUE"],
        "bound to no origin: there is no start page whose origin it could have",
    );
    refused(
        &home,
        &["tools", "--url", "file:///tmp/x.html", "--secret", "pw=env:HIDDEN_VALUE"],
        "the start page has no origin of its own",
    );
    refused(
        &home,
        &["tools", "--url", "http://127.0.0.1:9/", "--secret", "a=env:HIDDEN_VALUE", "--secret", "a=env:HIDDEN_VALUE"],
        "given twice",
    );
    refused(
        &home,
        &["tools", "--set", "profile=vectors", "--url", "http://127.0.0.1:9/", "--secret", "a=env:HIDDEN_VALUE"],
        "profile \"vectors\"",
    );
    let brain = home.write("script.jsonl", "{\"calls\":[{\"tool\":\"wait\",\"seconds\":0}]}");
    let brain = format!("script:{}", brain.display());
    refused(
        &home,
        &[
            "run",
            "x",
            "--brain",
            &brain,
            "--url",
            "http://127.0.0.1:9/",
            "--secret",
            "a=env:HIDDEN_VALUE",
            "--value",
            "pin=<secret:b>",
        ],
        "there is no secret \"b\"; the known ones are a",
    );
}

#[test]
fn a_command_that_never_ends_is_ended() {
    let home = Home::new();
    let started = std::time::Instant::now();
    let secret = "pw=cmd:sh -c 'echo $$ > pid; sleep 600 & sleep 600'";
    refused(&home, &["tools", "--url", "http://127.0.0.1:9/", "--secret", secret], "within 10 s");
    assert!(started.elapsed().as_secs() < 40);
    let pid = std::fs::read_to_string(home.path("pid")).unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "the command still runs");
}

#[test]
fn without_secrets_a_placeholder_is_refused_and_not_typed() {
    let home = Home::new();
    let mut tools = Tools::start(&home, &[], &[]);
    let answer = tools.write("<secret:pw>");
    assert_eq!(code(&answer), "invalid_call");
    assert!(answer["error"]["message"].as_str().unwrap().contains("none was given"), "{answer}");
}
