//! Brains that mean harm or know no better: they invent results, wait for ever, predict nonsense, or flood their
//! pipes. Each run ends with its reason and exit code, in time, and without eating the memory.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, Ended, Running, pause};
use crate::pages::PageServer;

const PAGE: &str = "<!doctype html><title>Order</title><h1>Shop</h1>
<button style='position:fixed;left:0;top:100px;width:100%;height:400px'>Place order</button>";
const WAIT: &str = r#"{"calls":[{"tool":"wait","seconds":0.05}]}"#;
const INVENTED: &str =
    r#"{"calls":[{"tool":"done","success":true,"summary":"Order 4711 was placed and confirmed by mail."}]}"#;
/// What surehand itself may take at its peak.
const MEMORY_BOUND_KB: u64 = 300 * 1024;
/// For a run on a busy machine; none of these brains may hold it up longer.
const TIME_BOUND: Duration = Duration::from_secs(60);

/// Runs a shell program that says `each_turn` to every turn, and watches the memory of surehand meanwhile.
fn run(each_turn: &str, more: &[&str]) -> (Bench, Ended) {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let program = format!(
        "n=0\nwhile read -r line; do\n  case $line in '{{\"type\":\"end\"'*) exit 0 ;; esac\n  n=$((n+1))\n{each_turn}\ndone\n"
    );
    let brain = bench.shell_brain(&program);
    let running = bench.start_run(&server.url(), &brain, more);
    let peak = peak_memory(&running);
    let ended = running.wait_at_most(TIME_BOUND);
    assert!(peak > 0 && peak < MEMORY_BOUND_KB, "{peak} KiB at the peak: {each_turn}");
    bench.expect_nothing_left();
    (bench, ended)
}

/// The most memory that the process had at any time, watched until it has ended.
fn peak_memory(running: &Running) -> u64 {
    let file = format!("/proc/{}/status", running.pid());
    let (end, mut peak) = (Instant::now() + TIME_BOUND, 0);
    while Instant::now() < end {
        let status = std::fs::read_to_string(&file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let Some(now) = line.and_then(|line| line.trim().split(' ').next()?.parse().ok()) else { break };
        peak = now;
        pause();
    }
    peak
}

fn check(each_turn: &str, more: &[&str], code: i32, reason: &str, error: &str) -> Value {
    let (_bench, ended) = run(each_turn, more);
    let result = ended.expect_end(code, reason);
    let said = result["error"].as_str().unwrap_or_default();
    assert!(said.contains(error) && said.len() < 1000, "{each_turn}: {said}");
    result
}

#[test]
fn invented_results_are_not_believed_after_doing_nothing() {
    let waits_first = format!("if [ $n -le 3 ]; then echo '{WAIT}'; else echo '{INVENTED}'; fi");
    let result = check(&waits_first, &[], 3, "done_unverified", "last 3 actions are WAIT");
    assert_eq!(result["done_rejections_by_reason"], json!({"no_observed_delta_after_waits": 2}));
    assert_eq!((&result["success"], &result["verdict"]["final"]), (&json!(false), &json!("unjudged")));
    assert_eq!(result["verdict"]["self_report"]["success"], true, "what it claimed is kept apart");

    let moves_first = r#"if [ $n -le 6 ]; then
  echo "{\"calls\":[{\"tool\":\"mouse\",\"action\":\"move\",\"coordinate\":[$((n * 120)),900]}]}"
else echo '{"calls":[{"tool":"done","success":true,"summary":"Order 4711 was placed."}]}'; fi"#;
    let result = check(moves_first, &[], 3, "done_unverified", "no action had an effect");
    assert_eq!(result["done_rejections_by_reason"], json!({"no_progress_in_window": 2}));
}

#[test]
fn waiting_for_ever_is_a_loop() {
    let result = check(&format!("echo '{WAIT}'"), &[], 1, "loop", "the same action was repeated");
    assert!(result["steps"].as_u64().unwrap() <= 10, "{}", result["steps"]);
    let batch = vec![r#"{"tool":"wait","seconds":0.05}"#; 200].join(",");
    let result = check(&format!("echo '{{\"calls\":[{batch}]}}'"), &[], 1, "loop", "the same action was repeated");
    assert!(result["steps"].as_u64().unwrap() <= 10, "{}", result["steps"]);
}

#[test]
fn garbage_of_any_size_is_a_brain_error() {
    let flood = |bytes: &str, letter: &str| format!("head -c {bytes} /dev/zero | tr '\\0' '{letter}'; echo");
    check(&flood("10000000", "x"), &[], 4, "brain_error", "longer than 1024 KiB");
    check(&flood("100000", "["), &[], 4, "brain_error", "recursion limit");
    check("yes zz | head -n 1000000", &[], 4, "brain_error", "not JSON");
    check("head -c 500000 /dev/urandom; echo", &[], 4, "brain_error", "3 steps in a row");
    check(
        "printf '{\"thought\":\"'; head -c 10000000 /dev/zero | tr '\\0' t; printf '\",\"calls\":[]}\\n'",
        &[],
        4,
        "brain_error",
        "longer than 1024 KiB",
    );
}

#[test]
fn a_brain_that_breaks_off_or_never_stops_talking_is_given_up() {
    check(
        "if [ $n = 2 ]; then printf '{\"calls\":[{\"to'; exit 3; fi\necho '{\"calls\":[{\"tool\":\"tab\",\"action\":\"view\"}]}'",
        &[],
        4,
        "brain_error",
        "exit status: 3",
    );
    check("yes noise >&2", &["--brain-timeout", "1s"], 4, "brain_error", "did not answer within 1 s");
    // Without a line end: what is too long is told once, and the rest of the same line is no answer.
    let endless = "head -c 3000000 /dev/zero | tr '\\0' x";
    check(endless, &["--brain-timeout", "1s"], 4, "brain_error", "did not answer within 1 s");
}

#[test]
fn only_the_first_of_two_replies_counts() {
    let (_bench, ended) = run(&format!("printf '%s\\n' '{WAIT}' '{INVENTED}'"), &[]);
    let result = ended.expect_end(1, "loop");
    let steps = result["trajectory"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["call"]["tool"] == "wait"), "{steps:?}");
}

#[test]
fn nonsense_predictions_cost_nothing_and_are_never_called_right() {
    let nonsense =
        json!(["world_peace", "::::", "", "url_contains:\u{0}", "element_appears:##[", "title_contains:nowhere"]);
    let reply = json!({"expected": nonsense, "calls": [{"tool": "mouse", "action": "move", "coordinate": [100, 900]}]});
    let each = format!("if [ $n = 1 ]; then cat <<'END'\n{reply}\nEND\nelse echo '{INVENTED}'; fi");
    let (_bench, ended) = run(&each, &[]);
    let result = ended.result();
    let step = &result["trajectory"][0];
    let scored = step["predicate_results"].as_array().unwrap();
    assert!(scored.iter().all(|one| one["result"] != true), "{scored:?}");
    assert_eq!(result["predicate_summary"]["correct"], 0);
    assert!(!scored.iter().any(|one| one["predicate"] == "world_peace"), "an unknown kind is no prediction");

    let wrong_kind = json!({"expected": [1, null, {"url": "changed"}], "calls": [{"tool": "wait", "seconds": 0.05}]});
    check(&format!("echo '{wrong_kind}'"), &[], 4, "brain_error", "expected must be an array of strings");
}

#[test]
fn predictions_of_a_megabyte_stay_within_bounds() {
    let each = r#"printf '{"expected":["url_contains:'; head -c 1000000 /dev/zero | tr '\0' x
printf '"],"calls":[{"tool":"mouse","action":"move","coordinate":[%d,%d]}]}\n' $((n * 137 % 1000)) $((n * 71 % 1000))"#;
    // Twenty moves are twenty looks: the governor would end the run before the texts add up.
    let (_bench, ended) = run(each, &["--max-steps", "20", "--set", "governor=off"]);
    let result = ended.result();
    assert_eq!(result["steps"], 20);
    assert_eq!(result["predicate_summary"]["correct"], 0);
}
