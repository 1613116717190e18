// Cardwall as a browser's scripts would use it.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::{Answer, Client};

const PAGE: &str = "accept: text/html,*/*";
const CARD: &str = "/api/cards/109";

async fn patch(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.send("PATCH", path, &[], body.to_string().as_bytes()).await
}

async fn post(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.post(path, &body.to_string()).await
}

/// The numbers of the cards in a column, from top to bottom.
fn ids(state: &Value, column: &str) -> Vec<u64> {
    let column = state["columns"].as_array().unwrap().iter().find(|known| known["id"] == column).unwrap();
    column["cards"].as_array().unwrap().iter().map(|card| card["id"].as_u64().unwrap()).collect()
}

fn card_in(state: &Value, id: u64) -> Option<Value> {
    let columns = state["columns"].as_array().unwrap();
    columns.iter().flat_map(|column| column["cards"].as_array().unwrap()).find(|card| card["id"] == id).cloned()
}

#[tokio::test]
async fn pages_and_every_asset_they_name_exist() {
    let mut client = Client::start(Site::Board).await;
    for (path, title) in [
        ("/", "<title>Lighthouse launch · Cardwall</title>"),
        ("/cards/109", "<title>Fix the sign-in redirect loop · Cardwall</title>"),
        ("/archive", "<title>Archive · Cardwall</title>"),
    ] {
        let page = client.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.contains(title), "{path}");
        assert!(!page.body.contains("{{"), "a placeholder was left");
        for after in page.body.split("\"/assets/").skip(1) {
            let name = after.split('"').next().unwrap();
            let asset = client.get(&format!("/assets/{name}")).await;
            assert_eq!(asset.status, 200, "{name}");
            // Scripts name further scripts.
            for import in asset.body.split("\"/assets/").skip(1) {
                let name = import.split('"').next().unwrap();
                assert_eq!(client.get(&format!("/assets/{name}")).await.status, 200, "{name}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_missing_is_json_for_programs_and_a_page_for_people() {
    let mut client = Client::start(Site::Board).await;
    for path in ["/cards/9999", "/cards/abc", "/cards/125", "/nowhere"] {
        let page = client.send("GET", path, &[PAGE], b"").await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.body.contains("Page not found"), "{path}");
    }
    for path in ["/nowhere", "/api/nowhere", "/assets/nowhere.js", "/api/cards/abc", "/api/cards/-1", "/api/cards/125"]
    {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["error"]["code"], "not_found", "{path}");
    }
    assert_eq!(client.send("DELETE", CARD, &[], b"").await.status, 405);
}

#[tokio::test]
async fn every_change_of_something_unknown_is_not_found_and_changes_nothing() {
    let mut client = Client::start(Site::Board).await;
    let before = client.state().await;
    for (method, path, body) in [
        ("PATCH", "/api/cards/9999", json!({"title": ""})),
        ("POST", "/api/cards/9999/move", json!({"column": "done", "index": 0})),
        ("POST", "/api/cards/9999/duplicate", json!({})),
        ("POST", "/api/cards/9999/archive", json!({})),
        ("POST", "/api/cards/9999/checklist", json!({"text": "a"})),
        ("PATCH", "/api/cards/9999/checklist/1", json!({"done": true})),
        ("PATCH", "/api/cards/109/checklist/9999", json!({"done": true})),
        ("PATCH", "/api/cards/109/checklist/abc", json!({"done": true})),
        ("DELETE", "/api/cards/109/checklist/9999", json!({})),
        // On the board, so not in the archive; and the other way round.
        ("POST", "/api/cards/109/restore", json!({})),
        ("POST", "/api/cards/125/archive", json!({})),
        ("POST", "/api/columns/attic/sort", json!({"by": "title"})),
        ("POST", "/api/columns/attic/archive", json!({})),
        ("POST", "/api/columns/attic/move", json!({"to": "done"})),
        ("PATCH", "/api/steps/99", json!({"done": true})),
        ("POST", "/api/steps/99/move", json!({"index": 0})),
        ("POST", "/api/steps/one/move", json!({"index": 0})),
    ] {
        let answer = client.send(method, path, &[], body.to_string().as_bytes()).await;
        assert_eq!(answer.status, 404, "{method} {path}");
        assert!(!answer.message().is_empty());
    }
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn bodies_that_are_not_as_expected_are_refused_and_change_nothing() {
    let mut client = Client::start(Site::Board).await;
    let before = client.state().await;
    for path in [
        "/api/cards",
        "/api/cards/109/move",
        "/api/cards/109/checklist",
        "/api/columns/done/sort",
        "/api/columns/done/move",
        "/api/steps/1/move",
    ] {
        for body in ["", "{", "[]", "null", "{}", r#"{"surprise": 1}"#] {
            let answer = client.post(path, body).await;
            assert_eq!(answer.status, 400, "{path} {body}");
            assert_eq!(answer.json()["error"]["code"], "bad_request");
        }
    }
    for body in [json!([]), json!({"id": 1}), json!({"title": 5}), json!({"labels": "bug"})] {
        assert_eq!(patch(&mut client, CARD, &body).await.status, 400, "{body}");
    }
    for index in [json!(-1), json!("0"), json!(1.5)] {
        let body = json!({"column": "done", "index": index});
        assert_eq!(post(&mut client, "/api/cards/109/move", &body).await.status, 400, "{body}");
    }
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn validation_names_the_wrong_field_and_saves_nothing() {
    let mut client = Client::start(Site::Board).await;
    let before = client.state().await;
    for (field, value) in [
        ("title", json!("  ")),
        ("title", json!("a\nb")),
        ("title", json!("x".repeat(121))),
        ("description", json!("d".repeat(4_001))),
        ("due", json!("2026-02-30")),
        ("due", json!("0202-01-01")),
        ("assignee", json!("Nobody")),
        ("labels", json!(["bug", "loud"])),
        ("color", json!("pink")),
    ] {
        let mut body = json!({"title": "Fine", "color": "blue"});
        body[field] = value.clone();
        let answer = patch(&mut client, CARD, &body).await;
        assert_eq!(answer.status, 422, "{field} {value}");
        let fields = answer.json()["error"]["fields"].clone();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    for (path, body, field) in [
        ("/api/cards", json!({"column": "attic", "title": "a"}), "column"),
        ("/api/cards", json!({"column": "done", "title": " "}), "title"),
        ("/api/cards/109/move", json!({"column": "attic", "index": 0}), "column"),
        ("/api/cards/109/move", json!({"column": "next", "index": 6}), "index"),
        ("/api/cards/109/move", json!({"column": "doing", "index": 6}), "index"),
        ("/api/cards/109/checklist", json!({"text": ""}), "text"),
        ("/api/columns/done/sort", json!({"by": "age"}), "by"),
        ("/api/columns/done/move", json!({"to": "done"}), "to"),
        ("/api/columns/done/move", json!({"to": "attic"}), "to"),
        ("/api/steps/1/move", json!({"index": 8}), "index"),
    ] {
        let answer = post(&mut client, path, &body).await;
        assert_eq!(answer.status, 422, "{path} {body}");
        assert!(answer.json()["error"]["fields"][field].is_string(), "{path} {body}");
    }
    // What was tried together with a wrong field must not be saved either.
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn fields_of_a_card_change_one_by_one_and_can_be_taken_away() {
    let mut client = Client::start(Site::Board).await;
    let change = json!({
        "title": "  Mend the redirect ",
        "description": "Two lines\n<b>of text</b>",
        "due": "2026-12-24",
        "assignee": "Yuki Arai",
        "labels": ["urgent", "bug", "bug"],
        "color": "violet",
    });
    let answer = patch(&mut client, CARD, &change).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let state = client.state().await;
    let card = card_in(&state, 109).unwrap();
    assert_eq!(card, answer.json());
    assert_eq!(card, client.get(CARD).await.json());
    assert_eq!(card["title"], "Mend the redirect");
    assert_eq!(card["description"], "Two lines\n<b>of text</b>");
    assert_eq!(card["labels"], json!(["bug", "urgent"]));
    assert_eq!(card["revision"], 1);
    assert_eq!(
        state["activity"][0]["text"],
        "Changed title, description, due date, assignee, labels, colour of “Mend the redirect”"
    );

    let answer = patch(&mut client, CARD, &json!({"due": "", "assignee": "", "labels": [], "color": "none"})).await;
    let card = answer.json();
    assert_eq!((&card["due"], &card["assignee"]), (&Value::Null, &Value::Null));
    assert_eq!(card["title"], "Mend the redirect");
    patch(&mut client, CARD, &json!({"color": "none"})).await;
    assert_eq!(client.state().await["changes"], 2, "saving what is already so is no change");
}

#[tokio::test]
async fn cards_are_added_moved_and_duplicated() {
    let mut client = Client::start(Site::Board).await;
    let created = post(&mut client, "/api/cards", &json!({"column": "doing", "title": "A new card"})).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.json()["id"], 128);
    assert_eq!(ids(&client.state().await, "doing"), [114, 115, 116, 117, 118, 128]);

    let answer = post(&mut client, "/api/cards/109/move", &json!({"column": "doing", "index": 1})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let state = client.state().await;
    assert_eq!(ids(&state, "doing"), [114, 109, 115, 116, 117, 118, 128]);
    assert_eq!(ids(&state, "next"), [108, 110, 111, 112, 113]);
    assert_eq!(state["activity"][0]["action"], "move");
    assert_eq!(state["activity"][0]["card"], 109);

    post(&mut client, "/api/cards/128/move", &json!({"column": "doing", "index": 0})).await;
    let copy = post(&mut client, "/api/cards/115/duplicate", &json!({})).await;
    assert_eq!(copy.status, 201);
    assert_eq!(copy.json()["title"], "Replace the checkout banner (copy)");
    assert_eq!(ids(&client.state().await, "doing"), [128, 114, 109, 115, 129, 116, 117, 118]);
}

#[tokio::test]
async fn archive_and_restore() {
    let mut client = Client::start(Site::Board).await;
    assert_eq!(client.state().await["archive"].as_array().unwrap().len(), 3);
    assert_eq!(client.post("/api/cards/109/archive", "").await.status, 200);
    let state = client.state().await;
    assert_eq!(card_in(&state, 109), None);
    assert_eq!(state["archive"][0]["id"], 109);
    assert_eq!(state["archive"][0]["column"], "next");
    assert_eq!(client.post("/api/cards/109/archive", "").await.status, 404);
    assert_eq!(client.get("/cards/109").await.status, 404);

    assert_eq!(client.post("/api/cards/109/restore", "").await.status, 200);
    let state = client.state().await;
    assert_eq!(ids(&state, "next"), [108, 110, 111, 112, 113, 109]);
    assert_eq!(state["archive"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn the_checklist_of_a_card() {
    let mut client = Client::start(Site::Board).await;
    patch(&mut client, CARD, &json!({"title": "With a list"})).await;
    let added = post(&mut client, "/api/cards/109/checklist", &json!({"text": " First "})).await;
    assert_eq!(added.status, 201);
    let item = added.json()["checklist"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&item["text"], &item["done"]), (&json!("First"), &json!(false)));
    let path = format!("/api/cards/109/checklist/{}", item["id"]);
    assert_eq!(patch(&mut client, &path, &json!({"done": "yes"})).await.status, 400);
    let ticked = patch(&mut client, &path, &json!({"done": true})).await.json();
    assert_eq!(ticked["checklist"].as_array().unwrap().last().unwrap()["done"], true);
    assert_eq!(client.state().await["activity"][0]["text"], "Ticked “First” of “With a list”");
    assert_eq!(client.send("DELETE", &path, &[], b"").await.status, 200);
    assert_eq!(client.send("DELETE", &path, &[], b"").await.status, 404);
    for number in 0..60 {
        let answer = post(&mut client, "/api/cards/109/checklist", &json!({"text": format!("Item {number}")})).await;
        if answer.status != 201 {
            assert_eq!(answer.status, 409);
            assert_eq!(answer.json()["error"]["code"], "full");
            return;
        }
    }
    panic!("the checklist grows without end");
}

#[tokio::test]
async fn whole_columns_are_sorted_moved_and_archived() {
    let mut client = Client::start(Site::Board).await;
    assert_eq!(post(&mut client, "/api/columns/next/sort", &json!({"by": "title"})).await.status, 200);
    let state = client.state().await;
    let titles: Vec<String> = ids(&state, "next")
        .into_iter()
        .map(|id| card_in(&state, id).unwrap()["title"].as_str().unwrap().to_lowercase())
        .collect();
    assert!(titles.is_sorted());
    post(&mut client, "/api/columns/next/sort", &json!({"by": "due"})).await;
    let state = client.state().await;
    let dues: Vec<String> = ids(&state, "next")
        .into_iter()
        .map(|id| card_in(&state, id).unwrap()["due"].as_str().unwrap_or("none").to_owned())
        .collect();
    assert!(dues.is_sorted(), "{dues:?}");

    let moved = post(&mut client, "/api/columns/next/move", &json!({"to": "done"})).await;
    assert_eq!(moved.json(), json!({"moved": 6}));
    let state = client.state().await;
    assert_eq!(ids(&state, "next"), [0; 0]);
    assert_eq!(ids(&state, "done").len(), 12);
    assert_eq!(client.post("/api/columns/done/archive", "").await.json(), json!({"archived": 12}));
    assert_eq!(client.post("/api/columns/done/archive", "").await.json(), json!({"archived": 0}));
    assert_eq!(client.state().await["archive"].as_array().unwrap().len(), 15);
}

#[tokio::test]
async fn launch_steps_are_ordered_and_ticked() {
    let mut client = Client::start(Site::Board).await;
    let order = async |client: &mut Client| -> Vec<u64> {
        let state = client.state().await;
        state["steps"].as_array().unwrap().iter().map(|step| step["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(post(&mut client, "/api/steps/6/move", &json!({"index": 2})).await.status, 200);
    assert_eq!(order(&mut client).await, [1, 2, 6, 3, 4, 5, 7, 8]);
    post(&mut client, "/api/steps/1/move", &json!({"index": 7})).await;
    assert_eq!(order(&mut client).await, [2, 6, 3, 4, 5, 7, 8, 1]);
    assert_eq!(patch(&mut client, "/api/steps/6", &json!({"done": true})).await.json()["done"], true);
    let state = client.state().await;
    assert_eq!(state["steps"][1]["done"], true);
    assert_eq!(state["changes"], 3);
}

#[tokio::test]
async fn the_same_actions_after_a_reset_give_the_same_state() {
    let mut client = Client::start(Site::Board).await;
    let mut states = Vec::new();
    for _ in 0..2 {
        client.post("/__reset", r#"{"seed": 5}"#).await;
        let board = client.get("/api/board").await.json();
        assert_eq!(board["columns"], client.state().await["columns"]);
        assert_eq!(board["people"].as_array().unwrap().len(), 5);
        post(&mut client, "/api/cards", &json!({"column": "ideas", "title": "<i>Odd</i> {{title}}"})).await;
        post(&mut client, "/api/cards/128/move", &json!({"column": "done", "index": 0})).await;
        client.post("/api/cards/109/archive", "").await;
        // A title is text, never markup and never a placeholder.
        let page = client.get("/cards/128").await.body;
        assert!(page.contains("<title>&lt;i&gt;Odd&lt;/i&gt; {{title}} · Cardwall</title>"));
        states.push(client.state().await);
    }
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0]["changes"], 3);
}
