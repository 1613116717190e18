// Pinemail as a browser's scripts would use it.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::{Answer, Client, exchange};

const BOUNDARY: &str = "content-type: multipart/form-data; boundary=seam";

fn mail_in(state: &Value, id: u64) -> Value {
    let all = ["mails", "sent", "drafts"].into_iter().flat_map(|kind| state[kind].as_array().unwrap());
    all.into_iter().find(|mail| mail["id"] == id).cloned().unwrap_or_default()
}

async fn post(client: &mut Client, path: &str, body: Value) -> Answer {
    client.post(path, &body.to_string()).await
}

async fn upload(client: &mut Client, name: &str, content: &[u8]) -> Answer {
    let head = format!(
        "--seam\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: text/plain\r\n\r\n"
    );
    let body = [head.as_bytes(), content, b"\r\n--seam--\r\n"].concat();
    client.send("POST", "/api/attachments", &[BOUNDARY], &body).await
}

#[tokio::test]
async fn the_page_and_every_asset_it_needs_exist() {
    let mut client = Client::start(Site::Mail).await;
    let page = client.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Robin Ashdown") && !page.body.contains("{{"));
    let mut names: Vec<String> = Vec::new();
    let mut waiting = vec![page.body];
    // Scripts name further scripts, so the search goes on in what was found.
    while let Some(text) = waiting.pop() {
        for after in text.split("\"/assets/").skip(1) {
            let name = after.split('"').next().unwrap().to_owned();
            if !names.contains(&name) {
                let answer = client.get(&format!("/assets/{name}")).await;
                assert_eq!(answer.status, 200, "{name}");
                waiting.push(answer.body);
                names.push(name);
            }
        }
    }
    assert_eq!(names.len(), 19);
    for path in ["/nowhere", "/api/nowhere", "/assets/nowhere.js"] {
        assert_eq!(client.get(path).await.json()["error"]["code"], "not_found", "{path}");
    }
}

#[tokio::test]
async fn lists_by_folder_label_and_search() {
    let mut client = Client::start(Site::Mail).await;
    let inbox = client.get("/api/mails?folder=inbox").await.json();
    assert!(inbox["total"].as_u64().unwrap() > 80);
    assert_eq!(inbox["mails"].as_array().unwrap().len(), 40);
    let last = client.get("/api/mails?folder=inbox&page=99").await.json();
    assert_eq!(last["page"], last["pages"]);
    let found = client.get("/api/mails?q=lighthouse").await.json();
    assert_eq!(found["total"], 1);
    assert_eq!(found["mails"][0]["id"], 3058);
    let work = client.get("/api/mails?label=Work").await.json();
    assert!(work["mails"].as_array().unwrap().iter().all(|mail| mail["labels"][0] == "Work"));
    let boxes = client.get("/api/boxes").await.json();
    assert_eq!(boxes["folders"][0]["total"], inbox["total"]);
    assert_eq!(boxes["labels"].as_array().unwrap().len(), 4);
    assert_eq!(client.get("/api/people").await.json()["people"].as_array().unwrap().len(), 22);
    for query in ["folder=attic", "folder=inbox&page=0", "q=a&q=b"] {
        let answer = client.get(&format!("/api/mails?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert!(!answer.message().is_empty());
    }
    assert_eq!(client.get("/api/mails?label=Nothing").await.status, 404);
}

#[tokio::test]
async fn reading_changes_nothing_and_marks_change_only_what_they_name() {
    let mut client = Client::start(Site::Mail).await;
    let before = client.state().await;
    let mail = client.get("/api/mails/3004").await.json();
    assert_eq!(mail["from"]["name"], "Marisol Vega");
    assert!(mail["html"].as_str().unwrap().starts_with("<p>Hi Robin,</p>"));
    assert_eq!(client.state().await, before);
    for id in ["9999", "abc"] {
        assert_eq!(client.get(&format!("/api/mails/{id}")).await.status, 404);
    }
    let change =
        json!({ "ids": [3004, 3006], "read": true, "starred": true, "important": true, "add_label": "Travel" });
    let answer = post(&mut client, "/api/mails/change", change).await;
    assert_eq!(answer.json(), json!({ "changed": 2, "undo": null }));
    let after = client.state().await;
    let mut expected = mail_in(&before, 3004);
    for mark in ["read", "starred", "important"] {
        expected[mark] = json!(true);
    }
    expected["labels"] = json!(["Work", "Travel"]);
    assert_eq!(mail_in(&after, 3004), expected);
    assert_eq!(mail_in(&after, 3017), mail_in(&before, 3017));
    post(&mut client, "/api/mails/change", json!({ "ids": [3004], "remove_label": "Work", "read": false })).await;
    let mail = mail_in(&client.state().await, 3004);
    assert_eq!((&mail["labels"], &mail["read"]), (&json!(["Travel"]), &json!(false)));
}

#[tokio::test]
async fn moves_snoozes_undo_and_deleting_for_ever() {
    let mut client = Client::start(Site::Mail).await;
    let before = client.state().await;
    let moved = post(&mut client, "/api/mails/change", json!({ "ids": [3004, 3006], "folder": "trash" })).await;
    assert_eq!(moved.json()["undo"], 1);
    assert_eq!(mail_in(&client.state().await, 3006)["folder"], "trash");
    assert_eq!(post(&mut client, "/api/undo", json!({ "undo": 1 })).await.status, 200);
    assert_eq!(client.state().await["mails"], before["mails"]);
    assert_eq!(post(&mut client, "/api/undo", json!({ "undo": 1 })).await.status, 404);

    post(&mut client, "/api/mails/change", json!({ "ids": [3017], "snooze": "tomorrow" })).await;
    let snoozed = mail_in(&client.state().await, 3017);
    assert_eq!((&snoozed["folder"], &snoozed["snoozed_until"]), (&json!("snoozed"), &json!("2026-10-31 08:00")));
    post(&mut client, "/api/mails/change", json!({ "ids": [3017], "folder": "inbox" })).await;
    assert_eq!(mail_in(&client.state().await, 3017)["snoozed_until"], Value::Null);

    assert_eq!(post(&mut client, "/api/mails/purge", json!({ "ids": [3004] })).await.status, 409);
    post(&mut client, "/api/mails/change", json!({ "ids": [3004], "folder": "trash" })).await;
    assert_eq!(post(&mut client, "/api/mails/purge", json!({ "ids": [3004, 9999] })).await.status, 404);
    assert_eq!(post(&mut client, "/api/mails/purge", json!({ "ids": [3004] })).await.status, 200);
    let state = client.state().await;
    assert_eq!(mail_in(&state, 3004), Value::Null);
    assert_eq!(state["purged"], json!([3004]));
    assert_eq!((&state["moves"], &state["undone"]), (&json!(4), &json!(1)));
}

#[tokio::test]
async fn wrong_changes_change_nothing() {
    let mut client = Client::start(Site::Mail).await;
    let before = client.state().await;
    for (body, status) in [
        (json!({ "ids": [] , "read": true }), 400),
        (json!({ "ids": [3004, 9999], "read": true }), 404),
        (json!({ "ids": [3004], "add_label": "Nothing" }), 404),
        (json!({ "ids": [3004, 3140], "folder": "spam" }), 409),
        (json!({ "ids": [3004], "folder": "drafts" }), 409),
        (json!({ "ids": [3004], "folder": "attic" }), 400),
        (json!({ "ids": [3004], "folder": "snoozed" }), 400),
        (json!({ "ids": [3004], "snooze": "never" }), 400),
        (json!({ "ids": [3004], "folder": "inbox", "snooze": "today" }), 400),
        (json!({ "ids": [3004], "colour": "red" }), 400),
        (json!({ "ids": "3004" }), 400),
        (json!([]), 400),
    ] {
        let answer = post(&mut client, "/api/mails/change", body.clone()).await;
        assert_eq!(answer.status, status, "{body}");
        assert!(!answer.message().is_empty());
    }
    for path in ["/api/mails/purge", "/api/undo", "/api/labels", "/api/drafts", "/api/send"] {
        for body in ["{", "[]", r#"{"unknown":1}"#] {
            assert_eq!(client.post(path, body).await.status, 400, "{path} {body}");
        }
    }
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn labels_come_and_go() {
    let mut client = Client::start(Site::Mail).await;
    let made = post(&mut client, "/api/labels", json!({ "name": " Spring meetup ", "colour": "amber" })).await;
    assert_eq!(made.status, 201);
    assert_eq!(made.json(), json!({ "name": "Spring meetup", "colour": "amber" }));
    for (name, colour, field) in [
        ("", "blue", "name"),
        ("work", "blue", "name"),
        ("a/b", "blue", "name"),
        ("twenty-five characters!!!", "blue", "name"),
        ("Fine", "pink", "colour"),
    ] {
        let answer = post(&mut client, "/api/labels", json!({ "name": name, "colour": colour })).await;
        assert_eq!(answer.status, 422, "{name}");
        assert!(answer.json()["error"]["fields"][field].is_string(), "{name}");
    }
    post(&mut client, "/api/mails/change", json!({ "ids": [3004], "add_label": "Spring meetup" })).await;
    let gone = client.send("DELETE", "/api/labels/Spring%20meetup", &[], b"").await;
    assert_eq!(gone.json(), json!({ "deleted": "Spring meetup" }));
    let state = client.state().await;
    assert_eq!(mail_in(&state, 3004)["labels"], json!(["Work"]));
    assert_eq!(state["labels"].as_array().unwrap().len(), 4);
    assert_eq!(client.send("DELETE", "/api/labels/Spring%20meetup", &[], b"").await.status, 404);
}

#[tokio::test]
async fn a_draft_becomes_a_sent_mail_with_its_files() {
    let mut client = Client::start(Site::Mail).await;
    let file = upload(&mut client, "dir/zo\u{eb} \"1\".txt", b"123456789").await;
    assert_eq!(file.status, 201, "{}", file.body);
    let file = file.json();
    assert_eq!((&file["bytes"], &file["crc32"]), (&json!(9), &json!("cbf43926")));
    let draft = post(&mut client, "/api/drafts", json!({ "to": ["half@"], "html": "<b>x" })).await.json();
    assert_eq!(draft["id"], 3141);
    assert_eq!(draft["html"], "<b>x</b>");
    let full = json!({
        "draft": 3141,
        "to": ["ivy@castellan.example", "new@friend.example"],
        "cc": ["noor.haddad@lumen.example"],
        "subject": " Trip ",
        "html": "<p onclick='a()'>Hi <strong>Ivy</strong><script>a()</script></p><ul><li>one</li></ul>",
        "attachments": [file["id"]],
    });
    assert_eq!(post(&mut client, "/api/drafts", full.clone()).await.json()["id"], 3141);
    let sent = post(&mut client, "/api/send", full.clone()).await;
    assert_eq!(sent.status, 201, "{}", sent.body);
    let state = client.state().await;
    let mail = mail_in(&state, 3142);
    assert_eq!(mail, sent.json());
    assert_eq!(mail["to"][0], json!({ "name": "Ivy Castellan", "email": "ivy@castellan.example" }));
    assert_eq!(mail["subject"], "Trip");
    assert_eq!(mail["html"], "<p>Hi <b>Ivy</b></p><ul><li>one</li></ul>");
    assert_eq!(mail["text"], "Hi Ivy\n- one");
    assert_eq!(mail["attachments"][0]["bytes"], 9);
    assert_eq!(mail["date"], Value::Null);
    assert_eq!(mail_in(&state, 3141), Value::Null, "the draft is gone");
    assert_eq!(post(&mut client, "/api/send", full).await.status, 404, "and cannot be sent twice");
    assert_eq!(client.get("/api/mails?folder=sent").await.json()["mails"][0]["id"], 3142);
    let download = client.get(&format!("/api/attachments/{}", file["id"])).await;
    assert_eq!(download.body, "123456789");
    assert!(download.header("content-disposition").unwrap().starts_with("attachment; filename*=UTF-8''"));
    assert_eq!(client.get("/api/attachments/9999").await.status, 404);
}

#[tokio::test]
async fn what_cannot_be_sent_names_its_field() {
    let mut client = Client::start(Site::Mail).await;
    let before = client.state().await;
    for (mail, field) in [
        (json!({}), "to"),
        (json!({ "to": ["ivy"] }), "to"),
        (json!({ "to": ["a@b.co"], "cc": ["a@b"] }), "cc"),
        (json!({ "to": ["a@b.co"], "subject": "x".repeat(300) }), "subject"),
        (json!({ "to": ["a@b.co"], "html": "x".repeat(300_000) }), "html"),
    ] {
        let answer = post(&mut client, "/api/send", mail).await;
        assert_eq!(answer.status, 422, "{field}");
        let fields = answer.json()["error"]["fields"].clone();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    for mail in [json!({ "to": ["a@b.co"], "attachments": [9999] }), json!({ "to": ["a@b.co"], "draft": 3004 })] {
        assert_eq!(post(&mut client, "/api/send", mail.clone()).await.status, 404, "{mail}");
        assert_eq!(post(&mut client, "/api/drafts", mail.clone()).await.status, 404, "{mail}");
    }
    for id in ["3004", "9999", "abc"] {
        assert_eq!(client.send("DELETE", &format!("/api/drafts/{id}"), &[], b"").await.status, 404);
    }
    assert_eq!(client.state().await, before);
    assert_eq!(client.send("DELETE", "/api/drafts/3140", &[], b"").await.json(), json!({ "discarded": 3140 }));
    assert_eq!(client.state().await["drafts"], json!([]));
}

#[tokio::test]
async fn uploads_have_their_limits() {
    let mut client = Client::start(Site::Mail).await;
    // Larger than the framework's own limit, smaller than the site's.
    let large = upload(&mut client, "large.bin", &vec![b'x'; 3 * 1024 * 1024]).await;
    assert_eq!(large.status, 201);
    let request = b"POST /api/attachments HTTP/1.1\r\nhost: test\r\ncontent-length: 9000000\r\n\r\n";
    assert_eq!(exchange(client.server.address(), request).await.status, 413);
    assert_eq!(client.post("/api/attachments", "{}").await.status, 400);
    assert_eq!(client.send("POST", "/api/attachments", &[BOUNDARY], b"--seam--\r\n").await.status, 400);
    assert_eq!(client.send("POST", "/api/attachments", &[BOUNDARY], b"--seam\r\nx").await.status, 400);
    let mut refused = None;
    for _ in 0..80 {
        let answer = upload(&mut client, "small.txt", b"a").await;
        if answer.status != 201 {
            refused = Some(answer.json()["error"]["code"].clone());
            break;
        }
    }
    assert_eq!(refused, Some(json!("too_many_files")));
}

#[tokio::test]
async fn a_reset_brings_everything_back() {
    let mut client = Client::start(Site::Mail).await;
    let before = client.state().await;
    post(&mut client, "/api/labels", json!({ "name": "New", "colour": "blue" })).await;
    post(&mut client, "/api/mails/change", json!({ "ids": [3004], "folder": "trash", "add_label": "New" })).await;
    post(&mut client, "/api/send", json!({ "to": ["a@b.co"] })).await;
    assert_ne!(client.state().await, before);
    client.post("/__reset", "").await;
    assert_eq!(client.state().await, before);
    assert_eq!(post(&mut client, "/api/undo", json!({ "undo": 1 })).await.status, 404);
    assert_eq!(post(&mut client, "/api/send", json!({ "to": ["a@b.co"] })).await.json()["id"], 3141);
}
