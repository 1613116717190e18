//! The exec brain against real programs: small shell scripts, each misbehaving in one way.

#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod common;

use std::time::{Duration, Instant};

use common::{Bench, REPLY, eventually, is_gone, problem, reply, result, turn};
use surehand_brain::{BrainErrorClass, BrainOptions, BrainSpec, open};

#[tokio::test]
async fn a_plain_loop_is_a_brain() {
    let bench = Bench::new();
    let mut brain =
        bench.brain(&format!("while read -r line; do printf '%s\\n' \"$line\" >>seen; echo '{REPLY}'; done"));
    for number in 1..=3 {
        let mut turn = turn();
        turn.turn = number;
        turn.task = "line\nbreak \"quoted\" ünï".into();
        reply(brain.think(&turn).await);
    }
    assert!(!brain.can_verify_done());
    assert!(brain.name().starts_with("exec:sh "));
    brain.end(&result()).await;
    let seen = bench.read("seen");
    let lines: Vec<serde_json::Value> = seen.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    for (index, line) in lines[..3].iter().enumerate() {
        assert_eq!(line["type"], "turn");
        assert_eq!(line["turn"], index + 1);
        assert_eq!(line["task"], "line\nbreak \"quoted\" ünï");
    }
    assert_eq!(lines[3]["type"], "end");
    assert_eq!(lines[3]["result"]["run_id"], "r1");
}

#[tokio::test]
async fn hello_may_come_before_or_after_the_first_turn() {
    let hello = r#"{"type":"hello","protocol":1,"verify_done":true}"#;
    for program in [
        format!("echo '{hello}'; while read -r l; do echo '{REPLY}'; done"),
        format!("read -r l; echo '{hello}'; echo '{REPLY}'; while read -r l; do echo '{REPLY}'; done"),
    ] {
        let bench = Bench::new();
        let mut brain = bench.brain(&program);
        reply(brain.think(&turn()).await);
        assert!(brain.can_verify_done());
        reply(brain.think(&turn()).await);
    }
}

#[tokio::test]
async fn a_hello_of_another_protocol_ends_the_talk() {
    let bench = Bench::new();
    let mut brain = bench.brain(r#"echo '{"type":"hello","protocol":7}'; cat >/dev/null"#);
    let error = brain.think(&turn()).await.unwrap_err();
    assert_eq!(error.class(), BrainErrorClass::Transport);
    assert!(error.to_string().contains("speaks protocol 7"), "{error}");
}

#[tokio::test]
async fn unusable_lines_are_problems_and_the_talk_goes_on() {
    for (printed, expected) in [
        (r"not json\n", "not JSON"),
        (r"\n", "blank line"),
        (r"  \r\n", "blank line"),
        (r#"{"calls":[]}\n"#, "no calls"),
        (r#"{"calls":[{"tool":"inspect"},{"tool":"wait","seconds":99}]}\n"#, "call 1: wait.seconds"),
        (r#"{"calls":[{"tool":"inspect"}],"type":"reply"}\n"#, "unknown field \\\"type\\\""),
        (r#"{"calls":"\377\376"}\n"#, "not UTF-8"),
        (r"[1,2]\n", "must be a JSON object"),
        (r#"{"calls":[{"tool":"inspect"}]} {}\n"#, "trailing characters"),
    ] {
        let bench = Bench::new();
        let mut brain =
            bench.brain(&format!("read -r l; printf '{printed}'; while read -r l; do echo '{REPLY}'; done"));
        let sentence = problem(brain.think(&turn()).await);
        assert!(sentence.contains(&expected.replace("\\\"", "\"")), "{printed}: {sentence}");
        assert!(!sentence.contains('\n'));
        let mut again = turn();
        again.problem = Some(sentence);
        reply(brain.think(&again).await);
    }
}

#[tokio::test]
async fn ten_megabytes_without_a_newline_are_one_problem() {
    let bench = Bench::new();
    let mut brain = bench.brain(&format!(
        "read -r l; head -c 10000000 /dev/zero | tr '\\0' x; read -r l; echo; echo '{REPLY}'; cat >/dev/null"
    ));
    let thought = brain.think(&turn()).await.unwrap();
    assert_eq!(thought.raw.as_ref().map(String::len), Some(200));
    let sentence = problem(Ok(thought));
    assert!(sentence.contains("longer than 1024 KiB"), "{sentence}");
    // The newline that ends the long line is not an answer of its own.
    reply(brain.think(&turn()).await);
}

#[tokio::test]
async fn a_line_of_just_under_the_limit_is_taken() {
    let bench = Bench::new();
    let mut brain = bench.brain(
        "read -r l; printf '{\"thought\":\"'; head -c 1048000 /dev/zero | tr '\\0' x; echo '\",\"calls\":[{\"tool\":\"inspect\"}]}'; cat >/dev/null",
    );
    let reply = reply(brain.think(&turn()).await);
    assert_eq!(reply.thought.map(|thought| thought.len()), Some(1_048_000));
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    let bench = Bench::new();
    let options = BrainOptions { reply_timeout: Duration::from_millis(150), ..Default::default() };
    for program in ["cat >/dev/null", "while :; do sleep 10; done"] {
        let mut brain = bench.brain_with(program, options.clone());
        let error = brain.think(&turn()).await.unwrap_err();
        assert_eq!(error.class(), BrainErrorClass::Deadline);
        assert!(error.to_string().contains("within 0.15 s"), "{error}");
    }
}

#[tokio::test]
async fn death_is_told_with_status_and_last_words() {
    for (program, expected) in [
        (
            "read -r l; echo first >&2; printf 'no luck\\n\\n' >&2; exit 3",
            "ended (exit status: 3); its last words: no luck",
        ),
        ("exit 0", "ended (exit status: 0) and wrote nothing to stderr"),
        ("read -r l; kill -9 $$", "ended (signal: 9 (SIGKILL))"),
        ("read -r l; exec 1>&-; exec sleep 1000", "closed its input or output and was stopped"),
        ("read -r l; sleep 1000 & exit 4", "ended (exit status: 4)"),
    ] {
        let bench = Bench::new();
        let mut brain = bench.brain(program);
        let error = brain.think(&turn()).await.unwrap_err();
        assert_eq!(error.class(), BrainErrorClass::Dead, "{program}");
        assert!(error.to_string().contains(expected), "{program}: {error}");
    }
}

#[tokio::test]
async fn the_last_reply_of_an_ending_program_counts() {
    let bench = Bench::new();
    let mut brain = bench.brain(&format!("read -r l; printf '%s' '{REPLY}'; exit 5"));
    reply(brain.think(&turn()).await);
    let error = brain.think(&turn()).await.unwrap_err();
    assert!(error.to_string().contains("exit status: 5"), "{error}");
    brain.end(&result()).await;
}

#[tokio::test]
async fn a_program_that_closes_its_input_is_dead() {
    let bench = Bench::new();
    let mut brain = bench.brain(&format!("echo $$ >pid; read -r l; exec 0<&-; echo '{REPLY}'; exec sleep 1000"));
    reply(brain.think(&turn()).await);
    let error = brain.think(&turn()).await.unwrap_err();
    assert_eq!(error.class(), BrainErrorClass::Dead);
    assert!(is_gone(bench.pid("pid")));
}

#[tokio::test]
async fn verify_done_is_asked_only_if_announced() {
    let bench = Bench::new();
    let mut brain = bench.brain(&format!(
        r#"echo '{{"type":"hello","protocol":1,"verify_done":true}}'
        while read -r l; do case "$l" in
        *'"type":"verify_done","summary":"bought"'*) echo '{{"valid":true,"reason":"seen"}}';;
        *'"type":"verify_done"'*) echo 'perhaps';;
        *) echo '{REPLY}';; esac; done"#
    ));
    reply(brain.think(&turn()).await);
    for (summary, expected) in [("bought", Some(true)), ("other", None)] {
        let opinion = brain.verify_done(summary, None).await.unwrap();
        assert_eq!(opinion.valid.as_wire(), expected, "{opinion:?}");
    }
    reply(brain.think(&turn()).await);

    let mut silent = bench.brain(&format!("while read -r l; do echo '{REPLY}'; done"));
    reply(silent.think(&turn()).await);
    let opinion = silent.verify_done("bought", None).await.unwrap();
    assert_eq!(opinion.valid.as_wire(), None);
}

#[tokio::test]
async fn a_late_answer_never_reaches_the_next_turn() {
    // Answers with the number of the turn it was asked in, each time only after `go` was touched.
    let program = r#"while read -r l; do
        case "$l" in *'"turn":1,'*) n=1;; *) n=2;; esac
        echo $n >>got
        until [ -e go ]; do sleep 0.01; done
        echo "{\"thought\":\"$n\",\"calls\":[{\"tool\":\"inspect\"}]}"; done"#;
    let bench = Bench::new();
    let mut brain = bench.brain(program);
    let first = turn();
    tokio::select! {
        biased;
        thought = brain.think(&first) => panic!("{thought:?}"),
        () = eventually(|| bench.has("got")) => {}
    }
    bench.write("go", "");
    let mut second = turn();
    second.turn = 2;
    for _ in 0..2 {
        let reply = reply(brain.think(&second).await);
        assert_eq!(reply.thought.as_deref(), Some("2"));
    }
}

#[tokio::test]
async fn a_turn_dropped_while_it_is_written_is_completed_first() {
    let program = format!(
        r#"dd bs=1 count=1 of=/dev/null 2>/dev/null; echo x >ready; until [ -e go ]; do sleep 0.01; done
        while read -r l; do
        case "$l" in *'"turn":1,'*'}}}}') n=1;; *'"turn":2,'*'}}}}') n=2;; *) n=broken;; esac
        echo $n >>got; echo '{REPLY}'; done"#
    );
    let bench = Bench::new();
    let mut brain = bench.brain(&program);
    let mut first = turn();
    // Larger than a pipe holds, so that the write gets stuck in the middle of the line; the program
    // takes one byte of it to be sure that it has begun.
    first.feedback = "x".repeat(300_000);
    tokio::select! {
        biased;
        thought = brain.think(&first) => panic!("{thought:?}"),
        () = eventually(|| bench.has("ready")) => {}
    }
    bench.write("go", "");
    let mut second = turn();
    second.turn = 2;
    reply(brain.think(&second).await);
    reply(brain.think(&second).await);
    assert_eq!(bench.read("got"), "1\n2\n2\n");
}

#[tokio::test]
async fn a_program_that_will_not_end_is_killed() {
    let bench = Bench::new();
    let options = BrainOptions { end_timeout: Duration::from_millis(200), ..Default::default() };
    let mut brain = bench.brain_with(
        &format!("trap '' TERM HUP; echo $$ >pid; read -r l; echo '{REPLY}'; while :; do sleep 1000; done"),
        options,
    );
    reply(brain.think(&turn()).await);
    let begun = Instant::now();
    brain.end(&result()).await;
    assert!(begun.elapsed() >= Duration::from_millis(200));
    assert!(is_gone(bench.pid("pid")));
}

#[tokio::test]
async fn a_program_that_tidies_up_is_given_the_time() {
    let bench = Bench::new();
    let mut brain = bench.brain(&format!(
        "while read -r l; do case \"$l\" in *'\"type\":\"end\"'*) ;; *) echo '{REPLY}';; esac; done; sleep 0.2; echo tidy >done"
    ));
    reply(brain.think(&turn()).await);
    brain.end(&result()).await;
    assert_eq!(bench.read("done"), "tidy\n");
}

#[tokio::test]
async fn dropping_the_brain_ends_the_whole_group() {
    for (finish_first, program) in [
        (false, "sleep 1000 & echo $! >grandchild; echo $$ >pid; cat >/dev/null"),
        (true, "sleep 1000 & echo $! >grandchild; echo $$ >pid; cat >/dev/null"),
    ] {
        let bench = Bench::new();
        let mut brain = bench.brain(program);
        eventually(|| bench.has("pid")).await;
        let (pid, grandchild) = (bench.pid("pid"), bench.pid("grandchild"));
        assert!(!is_gone(pid) && !is_gone(grandchild));
        if finish_first {
            brain.end(&result()).await;
        } else {
            // In the middle of a turn.
            let turn = turn();
            let mut thinking = brain.think(&turn);
            assert!(
                std::future::poll_fn(|context| {
                    std::task::Poll::Ready(thinking.as_mut().poll(context).is_pending())
                })
                .await
            );
        }
        drop(brain);
        // The child itself is reaped; the grandchild's zombie, if any, belongs to init.
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
        eventually(|| is_gone(grandchild)).await;
    }
}

#[tokio::test]
async fn commands_that_cannot_start_are_usage_errors() {
    for (command, expected) in [
        ("no-such-program-anywhere --flag", "\"no-such-program-anywhere\" was not found"),
        ("/", "may not be executed"),
        ("sh -c 'open", "open quote"),
        ("''", "was not found"),
        ("# only a comment", "is empty"),
    ] {
        let spec = BrainSpec::Exec(command.into());
        let Err(error) = open(&spec, BrainOptions::default()) else {
            panic!("{command}");
        };
        assert_eq!(error.class(), BrainErrorClass::Usage, "{command}: {error}");
        assert!(error.to_string().contains(expected), "{command}: {error}");
    }
}

#[tokio::test]
async fn open_reads_scripts_too() {
    let bench = Bench::new();
    bench.write("replies.jsonl", REPLY);
    let path = bench.path("replies.jsonl");
    let spec = BrainSpec::parse(&format!("script:{path}")).unwrap();
    let mut brain = open(&spec, BrainOptions::default()).unwrap();
    assert_eq!(brain.name(), format!("script:{path}"));
    reply(brain.think(&turn()).await);
    let last = reply(brain.think(&turn()).await);
    assert_eq!(last.calls[0].given["summary"], "script ended");
    brain.end(&result()).await;
}
