//! Every check of verification can be switched off by variable, file and flag. A check that is off leaves its own
//! fields empty and everything else as it was; one that steers the run lets the brain's own calls stand.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::PageServer;

/// One button that does something and one that does nothing, without paint for hover or focus.
const SHOP: &str = "<!doctype html><title>Shop</title>
<style>button{all:unset;position:fixed;left:0;width:100%;height:150px;background:#cde}</style>
<button style='top:0' onclick=\"document.title='Opened';history.pushState(0,'','/opened');this.textContent='Opened'\">Open</button>
<button style='top:200px;background:#eee'>Send</button>";
/// Each click turns a page.
const PAGES: &str = "<!doctype html><title>Page 1</title>
<button style='position:fixed;inset:0;width:100%'
 onclick=\"this.n=(this.n||1)+1;document.title='Page '+this.n;history.pushState(0,'','/'+this.n);this.textContent='page '+this.n\">Next</button>";
const FORM: &str = "<!doctype html><title>Form</title><form onsubmit='return false'>
<label>E-mail <input name=email style='position:fixed;left:0;top:0;width:640px;height:120px'></label></form>";

const ALL: &[&str] = &[
    "perceptual_verify",
    "predicate_verify",
    "done_gate",
    "verify_done",
    "loop_recovery",
    "loop_adaptive",
    "form_controller",
    "effect_verify",
    "noop_probe",
];

#[derive(Debug, Clone, Copy)]
enum Way {
    Flag,
    Variable,
    File,
}

const WAYS: [Way; 3] = [Way::Flag, Way::Variable, Way::File];

/// A run with these toggles off.
fn run(bench: &Bench, server: &PageServer, brain: &str, more: &[&str], off: &[&str], way: Way) -> Value {
    let _ = std::fs::remove_file(bench.path("seen"));
    let url = server.url();
    let patience = ["--set", "no_effect_patience=0.3", "--confirm", "none"];
    let mut arguments = vec!["run", "a task in words", "--json", "--url", &url, "--brain", brain];
    arguments.extend(patience.iter().chain(more));
    let flags: Vec<String> = off.iter().map(|name| format!("{name}=off")).collect();
    if let Way::Flag = way {
        arguments.extend(flags.iter().flat_map(|flag| ["--set", flag]));
    }
    let mut command = bench.command(&arguments);
    let lines: Vec<String> = off.iter().map(|name| format!("{name} = \"off\"\n")).collect();
    match way {
        Way::Flag => {}
        Way::Variable => {
            command.envs(off.iter().map(|name| (format!("SUREHAND_{}", name.to_uppercase()), "off")));
        }
        Way::File => {
            bench.write("surehand.toml", &lines.concat());
        }
    }
    let result = bench.start_command(command).wait().result();
    let _ = std::fs::remove_file(bench.path("surehand.toml"));
    for name in off {
        assert_eq!(result["toggles"][name], "off", "{name} by {way:?}");
    }
    result
}

fn click(y: u32) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [500, y]})
}

fn done(summary: &str) -> String {
    json!({"calls": [{"tool": "done", "success": true, "summary": summary}]}).to_string()
}

/// A click that works, one that does not, predictions about both, and a done.
fn shop_brain(bench: &Bench) -> String {
    let expected = json!(["url_contains:/opened", "title_changed", "url_unchanged"]);
    bench.replying_brain(&[
        &json!({"thought": "open it", "expected": expected, "calls": [click(100)]}).to_string(),
        &json!({"thought": "submit it", "expected": ["url_changed"], "calls": [click(380)]}).to_string(),
        &done("sent"),
    ])
}

/// The result without what differs from run to run, and without these fields of its own and of its steps.
fn stripped(result: &Value, own: &[&str], own_of_steps: &[&str]) -> Value {
    let mut result = result.clone();
    let map = result.as_object_mut().unwrap();
    for name in ["run_id", "started_at", "duration_s", "toggles", "audit"].iter().chain(own) {
        map.remove(*name);
    }
    for step in map["trajectory"].as_array_mut().unwrap() {
        for name in ["timing_ms"].iter().chain(own_of_steps) {
            step.as_object_mut().unwrap().remove(*name);
        }
    }
    result
}

#[test]
fn a_check_that_only_looks_empties_its_own_fields_and_changes_nothing_else() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOP));
    let brain = shop_brain(&bench);
    let on = run(&bench, &server, &brain, &[], &[], Way::Flag);
    assert_eq!(on["perceptual_summary"], json!({"checked": 1, "no_effect": 1}));
    assert_eq!(on["predicate_summary"], json!({"total": 4, "evaluated": 4, "correct": 2, "accuracy": 0.5}));
    assert_eq!(on["effect_summary"], json!({"confirmed": 1, "no_effect": 1, "unverifiable": 0, "refused": 0}));
    let nothing = json!({"confirmed": 0, "no_effect": 0, "unverifiable": 0, "refused": 0});
    let unverifiable = json!({"confirmed": 0, "no_effect": 0, "unverifiable": 2, "refused": 0});
    // What is told about an effect is also what predictions in words are compared with.
    let of_effects = ["effect", "feedback", "message", "reward_components"];
    for (index, (toggle, field, empty, of_steps)) in [
        ("perceptual_verify", "perceptual_summary", json!({}), &["action_effect_observed", "feedback", "message"][..]),
        ("predicate_verify", "predicate_summary", json!({}), &["predicate_results", "reward_components"]),
        ("effect_verify", "effect_summary", nothing, &of_effects),
        ("noop_probe", "effect_summary", unverifiable, &of_effects),
        ("loop_adaptive", "loop_recoveries_by_reason", json!({}), &[]),
    ]
    .into_iter()
    .enumerate()
    {
        let off = run(&bench, &server, &brain, &[], &[toggle], WAYS[index % WAYS.len()]);
        assert_eq!(off[field], empty, "{toggle}");
        assert_eq!(stripped(&off, &[field], of_steps), stripped(&on, &[field], of_steps), "{toggle}");
        let step = &off["trajectory"][1];
        match toggle {
            "perceptual_verify" => assert_eq!(step["action_effect_observed"], Value::Null),
            "predicate_verify" => {
                assert_eq!((&step["predicate_results"], &step["reward_components"]), (&json!([]), &json!({})));
                assert_eq!(step["predicted_outcome"], json!({"expected": ["url_changed"]}), "recorded all the same");
            }
            "effect_verify" | "noop_probe" => assert_eq!(step["effect"]["status"], "unverifiable", "not `no_effect`"),
            _ => {}
        }
    }
}

#[test]
fn every_check_is_switched_off_by_flag_variable_and_file() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOP));
    let brain = shop_brain(&bench);
    let results = WAYS.map(|way| run(&bench, &server, &brain, &[], ALL, way));
    for result in &results {
        assert_eq!(stripped(result, &[], &[]), stripped(&results[0], &[], &[]));
        for field in
            ["perceptual_summary", "predicate_summary", "done_rejections_by_reason", "loop_recoveries_by_reason"]
        {
            assert_eq!(result[field], json!({}), "{field}");
        }
        assert_eq!((&result["termination_reason"], &result["steps"]), (&json!("done"), &json!(3)));
    }
}

/// The calls of the run that the brain chose itself.
fn own_calls(result: &Value) -> Vec<&Value> {
    let steps = result["trajectory"].as_array().unwrap().iter();
    steps.filter(|step| step["substituted"] == false).map(|step| &step["call"]).collect()
}

fn substituted(result: &Value) -> usize {
    result["trajectory"].as_array().unwrap().len() - own_calls(result).len()
}

#[test]
fn without_the_gate_every_done_is_believed() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOP));
    let brain = bench.replying_brain(&[&json!({"calls": [click(100)]}).to_string(), &done(""), &done("opened")]);
    let on = run(&bench, &server, &brain, &[], &[], Way::Flag);
    assert_eq!((&on["done_rejections_by_reason"], substituted(&on)), (&json!({"empty_summary": 1}), 1));
    let off = run(&bench, &server, &brain, &[], &["done_gate"], Way::Variable);
    assert_eq!((&off["done_rejections_by_reason"], substituted(&off)), (&json!({}), 0));
    assert_eq!((&off["termination_reason"], &off["summary"]), (&json!("done"), &json!("")));
    let same = ["done_rejections_by_reason", "summary", "verdict", "steps", "turns", "trajectory"];
    let rest = |result: &Value| {
        let mut rest = stripped(result, &[], &[]);
        same.iter().for_each(|name| drop(rest.as_object_mut().unwrap().remove(*name)));
        rest
    };
    assert_eq!(rest(&off), rest(&on));
    assert_eq!(own_calls(&off)[0], own_calls(&on)[0]);
}

#[test]
fn without_verify_done_the_verifier_is_not_asked() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOP));
    let brain = bench.shell_brain(
        r#"printf '{"type":"hello","protocol":1,"verify_done":true}\n'
while read -r line; do
  printf '%s\n' "$line" >>seen
  case $line in
    '{"type":"verify_done"'*) printf '{"valid":false,"reason":"nothing was sent"}\n' ;;
    '{"type":"end"'*) exit 0 ;;
    *) printf '{"calls":[{"tool":"done","success":true,"summary":"sent"}]}\n' ;;
  esac
done
"#,
    );
    let on = run(&bench, &server, &brain, &[], &[], Way::Flag);
    assert_eq!(on["done_rejections_by_reason"], json!({"verifier_rejected": 2}));
    assert!(bench.read("seen").contains(r#""type":"verify_done""#));
    let off = run(&bench, &server, &brain, &[], &["verify_done"], Way::File);
    assert_eq!((&off["done_rejections_by_reason"], &off["termination_reason"]), (&json!({}), &json!("done")));
    assert!(!bench.read("seen").contains(r#""type":"verify_done""#));
}

#[test]
fn without_recovery_a_loop_is_told_and_ended_but_nothing_is_put_in() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOP));
    let reply = json!({"thought": "submit it", "calls": [click(380)]}).to_string();
    let brain = bench.replying_brain(&[reply.as_str(); 12]);
    let on = run(&bench, &server, &brain, &[], &[], Way::Flag);
    assert!(on["loop_recoveries_by_reason"]["press_return_for_submit"].as_u64().unwrap() > 0, "{on}");
    let off = run(&bench, &server, &brain, &[], &["loop_recovery"], Way::Variable);
    assert_eq!((&off["loop_recoveries_by_reason"], substituted(&off)), (&json!({}), 0));
    assert_eq!((&off["termination_reason"], &on["termination_reason"]), (&json!("loop"), &json!("loop")));
    assert!(bench.read("seen").contains("Two actions on the same target had no effect"), "told all the same");
}

#[test]
fn only_adaptive_loops_know_that_turning_pages_is_progress() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGES));
    let reply = json!({"calls": [click(500)]}).to_string();
    let brain = bench.replying_brain(&[reply.as_str(); 12]);
    let on = run(&bench, &server, &brain, &["--max-steps", "6"], &[], Way::Flag);
    assert_eq!((&on["termination_reason"], substituted(&on)), (&json!("max_steps"), 0));
    assert!(!bench.read("seen").contains("repeated"), "{}", bench.read("seen"));
    let off = run(&bench, &server, &brain, &["--max-steps", "6"], &["loop_adaptive"], Way::File);
    assert!(bench.read("seen").contains("You have repeated the same action"), "{off}");
}

#[test]
fn without_the_form_controller_values_are_left_to_the_brain() {
    let (bench, server) = (Bench::new(), PageServer::with(FORM));
    let at = json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [250, 80]}]}).to_string();
    let brain = bench.replying_brain(&[&at, &done("filled"), &done("filled"), &done("filled")]);
    let value = ["--value", "email=ada@example.com"];
    let on = run(&bench, &server, &brain, &value, &[], Way::Flag);
    assert_eq!((&on["trajectory"][1]["call"]["text"], substituted(&on)), (&json!("ada@example.com"), 1));
    assert_eq!(on["done_rejections_by_reason"], json!({}));
    let off = run(&bench, &server, &brain, &value, &["form_controller"], Way::Variable);
    let typed = off["trajectory"].as_array().unwrap().iter().filter(|step| step["call"]["tool"] == "keyboard").count();
    assert_eq!(typed, 0);
    assert_eq!(off["done_rejections_by_reason"], json!({"pending_form_values": 2}), "the gate still knows them");
}
