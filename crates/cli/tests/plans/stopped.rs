//! Plans that are killed or interrupted in the middle, and gone on with: nothing is lost and nothing done twice.

use rustix::process::Signal;
use serde_json::{Value, json};
use surehand_sites::Site;

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::world::{Served, example, into_the_crm, last_run_folder, new_contact, people, plan_command, press};

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

const FORM: &str = "<title>Form</title><style>button,input{font-size:30px;margin:20px}</style>\
    <label>Password <input type=password id=pw></label>\
    <button onclick=\"document.body.append('Chosen.')\">Country</button>\
    <button onclick=\"fetch(pw.value ? '/full' : '/empty');document.body.append('Sent.')\">Send</button><p>A form.</p>";

#[test]
fn a_password_is_typed_again_where_other_acts_came_between_it_and_the_sending() {
    let bench = Bench::new();
    let empty = Page::Html("");
    let site = PageServer::start(&[("/", Page::Html(FORM)), ("/full", empty), ("/empty", empty)]);
    let plan = json!({"name": "form", "start_url": site.url(), "values": {"password": {"type": "secret"}}, "steps": [
        {"id": "type", "type": "fill", "form": "login", "fields": {"Password": "{{password}}"}},
        {"id": "choose", "type": "act", "intent": "Press \"Country\".", "done_when": ["element_appears:Chosen."]},
        {"id": "send", "type": "act", "intent": "Press \"Send\".", "submits": "login", "done_when": ["element_appears:Sent."]}]});
    let file = bench.write("plan.json", &plan.to_string()).display().to_string();
    let replies = [press("choose", "button", "Country"), press("send", "button", "Send")].concat();
    let brain = brain(&bench, &replies);
    let secret = ["--secret", "password=env:CRM_PASSWORD"];
    let hold = bench.write("hold-send-", "");
    let first = [&[file.as_str(), "--brain", &brain], &secret[..]].concat();
    let running = bench.start_command(plan_command(&bench, &first));
    eventually("the sending", || bench.path("at-send-").exists());
    running.signal(Signal::KILL);
    running.wait();
    std::fs::remove_file(hold).unwrap();
    let again = [&["--resume", "last"], &secret[..]].concat();
    bench.start_command(plan_command(&bench, &again)).wait().expect_end(0, "done");
    assert_eq!((site.count("/full"), site.count("/empty")), (1, 0));
    bench.expect_nothing_left();
}
