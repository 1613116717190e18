//! Plans that are killed or interrupted in the middle, and gone on with: nothing is lost and nothing done twice.

use rustix::process::Signal;
use serde_json::{Value, json};
use surehand_sites::Site;

use crate::bench::{Bench, eventually};
use crate::world::{Served, example, into_the_crm, last_run_folder, new_contact, people, plan_command};

/// A brain that answers each step of a plan from files, and waits at a step for as long as a file says so.
const BRAIN: &str = r#"key=
while read -r line; do
  case $line in '{"type":"end"'*) exit 0 ;; esac
  step=$(printf '%s' "$line" | sed -n 's/.*"plan_step":{"id":"\([a-z-]*\)".*/\1/p')
  pass=$(printf '%s' "$line" | sed -n 's/.*"passes":\[\([0-9,]*\)\].*/\1/p')
  if [ "$key" != "$step-$pass" ]; then key="$step-$pass"; n=0; fi
  n=$((n+1))
  if [ -e "hold-$step-$pass" ]; then : >"at-$step-$pass"; while [ -e "hold-$step-$pass" ]; do sleep 0.05; done; fi
  if [ -e "r-$step-$pass-$n" ]; then cat "r-$step-$pass-$n"; else cat "r-$step--$n"; fi
done
"#;

fn brain(bench: &Bench, replies: &[Value]) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for reply in replies {
        let pass = reply["pass"].as_u64().map(|pass| pass.to_string()).unwrap_or_default();
        let name = format!("r-{}-{pass}", reply["step"].as_str().unwrap());
        let count = counts.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        let plain = json!({"calls": reply["calls"]});
        bench.write(&format!("{name}-{count}"), &format!("{plain}\n"));
    }
    bench.shell_brain(BRAIN)
}

#[test]
fn a_killed_and_an_interrupted_plan_go_on_where_they_were() {
    let (bench, crm) = (Bench::new(), Served::start(Site::Crm));
    let mut replies = into_the_crm();
    for (at, (name, email, status)) in people().iter().enumerate() {
        replies.extend(new_contact(at + 1, name, email, status));
    }
    let brain = brain(&bench, &replies);
    let (plan, crm_value) = (example("contacts-from-file.yaml"), format!("crm={}", crm.url()));
    let csv = bench.path("created.csv").display().to_string();
    let secret = ["--secret", "password=env:CRM_PASSWORD"];
    let first = [&[plan.as_str(), "--brain", &brain, "--value", &crm_value], &secret[..]].concat();
    let again = [&["--resume", "last", "-o", &csv], &secret[..]].concat();
    let start = |arguments: &[&str]| bench.start_command(plan_command(&bench, arguments));
    let hold = |step: &str| bench.write(&format!("hold-{step}"), "");
    let reached = |step: &str| eventually(step, || bench.path(&format!("at-{step}")).exists());
    let let_go = |step: &str| std::fs::remove_file(bench.path(&format!("hold-{step}"))).unwrap();

    // Killed with a password typed and not sent: no checkpoint has it.
    hold("sign-in-");
    let running = start(&first);
    reached("sign-in-");
    running.signal(Signal::KILL);
    running.wait();
    let_go("sign-in-");
    let folder = last_run_folder(&bench);
    assert!(!std::fs::read_to_string(folder.join("plan.json")).unwrap().contains(crate::world::PASSWORD));

    // Killed with a form filled in and not sent.
    hold("choose-status-2");
    let running = start(&again);
    reached("choose-status-2");
    assert_eq!(crm.state()["creates"], 1);
    let live = start(&again).wait();
    live.expect(2).expect_sentence("still under way");
    running.signal(Signal::KILL);
    running.wait();
    let_go("choose-status-2");

    // Interrupted by Ctrl-C: what there is so far is written.
    hold("read-back-3");
    let running = start(&again);
    reached("read-back-3");
    running.signal(Signal::INT);
    let ended = running.wait();
    let result = ended.expect_end(130, "cancelled");
    assert_eq!(result["plan"]["status"], "unfinished");
    assert_eq!(bench.read("created.csv").lines().count(), 3, "a heading and two rows");
    let_go("read-back-3");

    let ended = start(&again).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!((&result["plan"]["skipped"], &result["plan"]["rows"]["created"]), (&json!(0), &json!(3)));
    assert_eq!(bench.read("created.csv").lines().count(), 4);
    assert_eq!(crm.state()["creates"], 3, "nothing was done twice");
    for (_, email, status) in people() {
        let found = crm.contacts_with(email);
        assert_eq!((found.len(), &found[0]["status"]), (1, &json!(status)), "{email}");
    }
    let read = std::fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let events: Vec<Value> = read.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "one trace over four processes");
    assert_eq!(events.iter().filter(|event| event["kind"] == "went_on").count(), 3);
    assert_eq!(bench.rows().len(), 1, "one run");
    let over = start(&again).wait();
    over.expect(2).expect_sentence("is at its end");
    assert!(
        !std::fs::read_to_string(folder.join("plan.json")).unwrap().contains("\"cookies\""),
        "no login is left lying"
    );
    bench.expect_nothing_left();
}
