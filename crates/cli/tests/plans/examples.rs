//! The example plans, from their files to the data at the other end.

use std::fs::File;

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::bench::Bench;
use crate::world::{
    Served, example, in_pass, into_the_crm, new_contact, outcomes, people, plan_command, press, read, step,
};

/// The customers as the list shows them: by last name, first name and number.
fn customers(crm: &Served) -> Vec<Value> {
    let state = crm.state();
    let mut found: Vec<Value> = state["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|contact| contact["status"] == "Customer")
        .cloned()
        .collect();
    let lower = |contact: &Value, field: &str| contact[field].as_str().unwrap().to_lowercase();
    found.sort_by_key(|contact| (lower(contact, "last_name"), lower(contact, "first_name"), contact["id"].as_u64()));
    found
}

fn row(contact: &Value) -> Value {
    let name = format!("{} {}", contact["first_name"].as_str().unwrap(), contact["last_name"].as_str().unwrap());
    json!({"name": name, "company": contact["company"], "email": contact["email"], "city": contact["city"], "owner": contact["owner"]})
}

#[test]
fn rows_over_many_pages_become_a_csv_file() {
    let (bench, crm) = (Bench::new(), Served::start(Site::Crm));
    let expected: Vec<Value> = customers(&crm).iter().map(row).collect();
    let pages: Vec<&[Value]> = expected.chunks(25).collect();
    assert!(pages.len() > 1, "{} customers", expected.len());
    let mut replies = [into_the_crm(), press("next-page", "button", "Next").to_vec()].concat();
    for (at, rows) in pages.iter().enumerate() {
        let mut evidence: Vec<Value> = (0..rows.len())
            .map(|row| json!({"field": format!("rows[{row}]"), "selector": format!("#rows tr:nth-child({})", row + 1)}))
            .collect();
        evidence.push(json!({"field": "has_next", "box": [600, 900, 999, 999]}));
        let value = json!({"rows": rows, "has_next": at + 1 < pages.len()});
        replies.push(in_pass("read-page", at + 1, read(value, json!(evidence))));
    }
    let brain = bench.script(&replies);
    let csv = bench.path("contacts.csv").display().to_string();
    let crm_value = format!("crm={}", crm.url());
    let plan = example("contacts-to-csv.yaml");
    let arguments =
        [&plan, "--brain", &brain, "--value", &crm_value, "--secret", "password=env:CRM_PASSWORD", "-o", &csv];
    let ended = bench.start_command(plan_command(&bench, &arguments)).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!(result["output"]["contacts"], json!(expected));
    let summary = &result["plan"];
    assert_eq!(
        (&summary["status"], &summary["failures"], &summary["rows"]["contacts"]),
        (&json!("done"), &json!(0), &json!(expected.len()))
    );

    let text = std::fs::read_to_string(&csv).unwrap();
    assert!(text.starts_with("name,company,email,city,owner\r\n"), "{text}");
    assert_eq!(text.lines().count(), expected.len() + 1);
    // What stood at each place is the row itself.
    let evidence = summary["evidence"].as_array().unwrap();
    assert_eq!(evidence.len(), expected.len());
    for (entry, row) in evidence.iter().zip(&expected) {
        assert!(entry["text"].as_str().unwrap().contains(row["email"].as_str().unwrap()), "{entry} {row}");
        assert_eq!(entry["frame"].as_str().unwrap().len(), 64);
    }
    assert_eq!(evidence[0]["field"], "contacts[0]");

    let events = ended.lines();
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "one trace");
    let filled = events.iter().filter(|event| event["type"] == "step" && event["by"] == "plan").count();
    assert!(filled >= 5, "fields and addresses are the plan's own work: {filled}");
    assert!(!ended.stdout.contains(crate::world::PASSWORD));
    let report = bench.path("report.html").display().to_string();
    bench.surehand(&["report", "last", "-o", &report]).expect(0);
    let page = bench.read("report.html");
    assert!(page.contains("Plan contacts-to-csv") && page.contains("read-page (pass 2)"));
    bench.expect_nothing_left();
}

#[test]
fn a_form_is_filled_in_for_every_line_of_a_file() {
    let (bench, crm) = (Bench::new(), Served::start(Site::Crm));
    let mut replies = into_the_crm();
    for (at, (name, email, status)) in people().iter().enumerate() {
        replies.extend(new_contact(at + 1, name, email, status));
    }
    let (brain, crm_value) = (bench.script(&replies), format!("crm={}", crm.url()));
    let plan = example("contacts-from-file.yaml");
    let arguments = [&plan, "--brain", &brain, "--value", &crm_value, "--secret", "password=env:CRM_PASSWORD"];
    let ended = bench.start_command(plan_command(&bench, &arguments)).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!(result["plan"]["skipped"], 0, "{:?}", outcomes(&ended.lines()));
    assert_eq!(crm.state()["creates"], 3);
    for (name, email, status) in people() {
        let found = crm.contacts_with(email);
        assert_eq!(found.len(), 1, "{email}");
        let full = format!("{} {}", found[0]["first_name"].as_str().unwrap(), found[0]["last_name"].as_str().unwrap());
        assert_eq!((full.as_str(), &found[0]["status"]), (name, &json!(status)));
    }
    let evidence = result["plan"]["evidence"].as_array().unwrap();
    for (entry, (field, text)) in evidence.iter().zip([
        ("created[0].name", people()[0].0),
        ("created[0].status", people()[0].2),
        ("created[0].address", people()[0].1),
    ]) {
        assert_eq!((&entry["field"], &entry["text"]), (&json!(field), &json!(text)));
    }
}

#[test]
fn data_of_one_site_goes_into_another_once_a_person_agrees() {
    let (bench, crm, mail) = (Bench::new(), Served::start(Site::Crm), Served::start(Site::Mail));
    let state = mail.state();
    let mut senders: Vec<Value> = Vec::new();
    for unread in state["mails"].as_array().unwrap().iter().filter(|mail| mail["read"] == false) {
        let Some((first, last)) = unread["from"]["name"].as_str().and_then(|name| name.split_once(' ')) else {
            continue;
        };
        let sender = json!({"first_name": first, "last_name": last, "email": unread["from"]["email"], "subject": unread["subject"]});
        if senders.len() < 2 && senders.iter().all(|known| known["email"] != sender["email"]) {
            senders.push(sender);
        }
    }
    assert_eq!(senders.len(), 2);
    let fields = ["first_name", "last_name", "email", "subject"];
    let evidence: Vec<Value> = (0..2)
        .flat_map(|at| fields.map(|field| json!({"field": format!("mails[{at}].{field}"), "box": [200, 200 + at * 60, 990, 250 + at * 60]})))
        .collect();
    let mut replies = vec![step("senders", read(json!({"mails": senders}), json!(evidence)))];
    replies.extend(into_the_crm());
    replies.extend(press("save", "button", "Create contact"));
    let brain = bench.script(&replies);
    let (crm_value, mail_value) = (format!("crm={}", crm.url()), format!("mail={}", mail.url()));
    let secret = format!("password@{}=env:CRM_PASSWORD", crm.url());
    let plan = example("mail-to-crm.yaml");
    let arguments = [&plan, "--brain", &brain, "--value", &crm_value, "--value", &mail_value, "--secret", &secret];
    let mut command = plan_command(&bench, &arguments);
    // The second line of the list, by its number.
    command.stdin(File::open(bench.write("answers", "perhaps\n1\n")).unwrap());
    let ended = bench.start_command(command).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!(result["output"]["senders"], json!(senders));
    assert_eq!(result["output"]["allowed_by"], "all of them");
    for sender in &senders {
        let found = crm.contacts_with(sender["email"].as_str().unwrap());
        assert_eq!(found.len(), 1, "{sender}");
        assert!(found[0]["notes"].as_str().unwrap().contains(sender["subject"].as_str().unwrap()), "{}", found[0]);
    }
    let asked: Vec<Value> = ended
        .lines()
        .into_iter()
        .filter(|event| event["kind"] == "asked")
        .map(|event| event["answer"].clone())
        .collect();
    assert_eq!(asked, [json!("perhaps"), json!("1")], "what is none of the choices is asked for again");
}
