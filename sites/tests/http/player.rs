// Reelroom as a browser's scripts would use it.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::{Answer, Client};

const PAGE: &str = "accept: text/html,*/*";
/// Lasts 120 seconds in every seed.
const TRAIN: u64 = 3;

async fn patch(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.send("PATCH", path, &[], body.to_string().as_bytes()).await
}

async fn post(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.post(path, &body.to_string()).await
}

async fn delete(client: &mut Client, path: &str) -> Answer {
    client.send("DELETE", path, &[], b"").await
}

fn clip_in(state: &Value, id: u64) -> Value {
    state["clips"].as_array().unwrap().iter().find(|clip| clip["id"] == id).unwrap().clone()
}

fn order(state: &Value) -> Vec<u64> {
    state["clips"].as_array().unwrap().iter().map(|clip| clip["id"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn the_page_and_every_asset_it_names_exist() {
    let mut client = Client::start(Site::Player).await;
    let page = client.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<title>Reelroom</title>"));
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

#[tokio::test]
async fn what_is_missing_is_json_for_programs_and_a_page_for_people() {
    let mut client = Client::start(Site::Player).await;
    let page = client.send("GET", "/nowhere", &[PAGE], b"").await;
    assert_eq!(page.status, 404);
    assert!(page.body.contains("Page not found"));
    let before = client.state().await;
    for (method, path, body) in [
        ("GET", "/nowhere", json!({})),
        ("GET", "/api/nowhere", json!({})),
        ("GET", "/assets/nowhere.js", json!({})),
        ("GET", "/api/clips/99/captions/en", json!({})),
        ("GET", "/api/clips/3/captions/fr", json!({})),
        ("GET", "/api/clips/3/captions/off", json!({})),
        ("POST", "/api/current", json!({"clip": 99})),
        ("PATCH", "/api/clips/99", json!({"watched": true})),
        ("PATCH", "/api/clips/one", json!({"watched": true})),
        ("POST", "/api/clips/99/move", json!({"index": 0})),
        ("DELETE", "/api/clips/99/annotations", json!({})),
        ("POST", "/api/markers", json!({"clip": 99, "x": 1, "y": 1, "time": 0})),
        ("PATCH", "/api/markers/99", json!({"note": "a"})),
        ("PATCH", "/api/markers/one", json!({"note": "a"})),
        ("DELETE", "/api/markers/99", json!({})),
        ("POST", "/api/strokes", json!({"clip": 99, "time": 0, "color": "mint", "points": [[1, 1], [2, 2]]})),
        ("DELETE", "/api/strokes/99", json!({})),
        ("DELETE", "/api/strokes/-1", json!({})),
    ] {
        let answer = client.send(method, path, &[], body.to_string().as_bytes()).await;
        assert_eq!(answer.status, 404, "{method} {path}");
        assert_eq!(answer.json()["error"]["code"], "not_found", "{method} {path}");
    }
    assert_eq!(delete(&mut client, "/api/player").await.status, 405);
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn bodies_that_are_not_as_expected_are_refused_and_change_nothing() {
    let mut client = Client::start(Site::Player).await;
    let before = client.state().await;
    for path in ["/api/current", "/api/clips/3/move", "/api/markers", "/api/strokes"] {
        for body in ["", "{", "[]", "null", "{}", r#"{"surprise": 1}"#] {
            let answer = client.post(path, body).await;
            assert_eq!(answer.status, 400, "{path} {body}");
            assert_eq!(answer.json()["error"]["code"], "bad_request");
        }
    }
    for body in [
        json!([]),
        json!({"position": "12"}),
        json!({"volume": -1}),
        json!({"volume": 0.5}),
        json!({"theatre": "yes"}),
        json!({"seed": 1}),
    ] {
        assert_eq!(patch(&mut client, "/api/player", &body).await.status, 400, "{body}");
    }
    assert_eq!(patch(&mut client, "/api/clips/3", &json!({"watched": 1})).await.status, 400);
    let points = json!({"clip": 3, "time": 0, "color": "mint", "points": [[1, 2, 3], [4, 5]]});
    assert_eq!(post(&mut client, "/api/strokes", &points).await.status, 400);
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn validation_names_the_wrong_field_and_changes_nothing() {
    let mut client = Client::start(Site::Player).await;
    post(&mut client, "/api/current", &json!({"clip": TRAIN})).await;
    let before = client.state().await;
    for (field, value) in [
        ("position", json!(120.1)),
        ("position", json!(-0.5)),
        ("position", json!(1e300)),
        ("volume", json!(101)),
        ("speed", json!(1.1)),
        ("speed", json!(0)),
        ("speed", json!(2.25)),
        ("captions", json!("fr")),
    ] {
        let mut body = json!({"theatre": true, "playing": true});
        body[field] = value;
        let answer = patch(&mut client, "/api/player", &body).await;
        assert_eq!(answer.status, 422, "{body}");
        let fields = answer.json()["error"]["fields"].clone();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    let many: Vec<[u32; 2]> = vec![[1, 1]; 2_001];
    for (path, body, field) in [
        ("/api/clips/3/move", json!({"index": 14}), "index"),
        ("/api/markers", json!({"clip": 3, "x": 1281, "y": 1, "time": 0}), "x"),
        ("/api/markers", json!({"clip": 3, "x": 1, "y": 721, "time": 0}), "y"),
        ("/api/markers", json!({"clip": 3, "x": 1, "y": 1, "time": 121}), "time"),
        ("/api/strokes", json!({"clip": 3, "time": 0, "color": "mint", "points": [[1, 1]]}), "points"),
        ("/api/strokes", json!({"clip": 3, "time": 0, "color": "mint", "points": [[1, 1], [1, 721]]}), "points"),
        ("/api/strokes", json!({"clip": 3, "time": 0, "color": "mint", "points": many}), "points"),
        ("/api/strokes", json!({"clip": 3, "time": 0, "color": "pink", "points": [[1, 1], [2, 2]]}), "color"),
        ("/api/strokes", json!({"clip": 3, "time": -1, "color": "mint", "points": [[1, 1], [2, 2]]}), "time"),
    ] {
        let answer = post(&mut client, path, &body).await;
        assert_eq!(answer.status, 422, "{path} {field}");
        assert!(answer.json()["error"]["fields"][field].is_string(), "{path} {field}");
    }
    assert_eq!(client.state().await, before);
}

#[tokio::test]
async fn settings_change_one_by_one_and_positions_are_rounded() {
    let mut client = Client::start(Site::Player).await;
    let fresh = client.state().await;
    assert_eq!((&fresh["playing"], &fresh["position"], &fresh["volume"]), (&json!(false), &json!(0.0), &json!(80)));
    assert_eq!(fresh["canvas"], json!({"width": 1280, "height": 720}));
    let answer = patch(&mut client, "/api/player", &json!({"position": 12.3456, "playing": true})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["position"], 12.3);
    let all = json!({"playing": false, "volume": 35, "muted": true, "speed": 1.75, "captions": "de", "theatre": true});
    patch(&mut client, "/api/player", &all).await;
    let state = client.state().await;
    for (field, value) in all.as_object().unwrap() {
        assert_eq!(&state[field], value, "{field}");
    }
    assert_eq!(state["position"], 12.3);
    assert_eq!(state["changes"], 2);
    assert_eq!(client.get("/api/player").await.json()["stroke_colors"][0], "yellow");
}

#[tokio::test]
async fn another_clip_begins_paused_and_its_end_counts_as_watched() {
    let mut client = Client::start(Site::Player).await;
    patch(&mut client, "/api/player", &json!({"position": 5, "playing": true})).await;
    assert_eq!(post(&mut client, "/api/current", &json!({"clip": TRAIN})).await.status, 200);
    let state = client.state().await;
    assert_eq!(state["current"], TRAIN);
    assert_eq!((&state["position"], &state["playing"]), (&json!(0.0), &json!(false)));
    assert_eq!(clip_in(&state, TRAIN)["title"], "Night Train to Aldmoor");

    patch(&mut client, "/api/player", &json!({"position": 119.9})).await;
    assert_eq!(clip_in(&client.state().await, TRAIN)["watched"], false);
    patch(&mut client, "/api/player", &json!({"position": 120, "playing": false})).await;
    assert_eq!(clip_in(&client.state().await, TRAIN)["watched"], true);
    assert_eq!(patch(&mut client, "/api/clips/3", &json!({"watched": false})).await.json()["watched"], false);
    assert_eq!(clip_in(&client.state().await, TRAIN)["watched"], false);
}

#[tokio::test]
async fn the_playlist_changes_its_order() {
    let mut client = Client::start(Site::Player).await;
    assert_eq!(order(&client.state().await), (1..=14).collect::<Vec<_>>());
    assert_eq!(post(&mut client, "/api/clips/3/move", &json!({"index": 0})).await.status, 200);
    post(&mut client, "/api/clips/1/move", &json!({"index": 13})).await;
    let state = client.state().await;
    assert_eq!(order(&state), [3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1]);
    assert_eq!(state["current"], 1, "the order does not change what is on the stage");
}

#[tokio::test]
async fn captions_cover_the_clip_in_every_language() {
    let mut client = Client::start(Site::Player).await;
    for (language, first) in [
        ("en", "The city turns its lamps on one by one."),
        ("de", "Die Stadt macht ein Licht nach dem anderen an."),
        ("es", "La ciudad enciende sus luces una a una."),
    ] {
        let lines = client.get(&format!("/api/clips/3/captions/{language}")).await.json();
        assert_eq!(lines.as_array().unwrap().len(), 20);
        assert_eq!(lines[0], json!({"start": 0.0, "end": 5.0, "text": first}));
    }
}

#[tokio::test]
async fn markers_are_dropped_noted_and_deleted() {
    let mut client = Client::start(Site::Player).await;
    let marker = json!({"clip": TRAIN, "x": 640, "y": 360, "time": 30.04});
    let answer = post(&mut client, "/api/markers", &marker).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    assert_eq!(answer.json(), json!({"id": 1, "clip": 3, "x": 640, "y": 360, "time": 30.0, "note": ""}));
    post(&mut client, "/api/markers", &json!({"clip": 1, "x": 1280, "y": 720, "time": 0})).await;

    let noted = patch(&mut client, "/api/markers/1", &json!({"note": " <b>Look</b> "})).await;
    assert_eq!(noted.json()["note"], "<b>Look</b>");
    for note in ["n".repeat(201), "a\nb".to_owned()] {
        let answer = patch(&mut client, "/api/markers/1", &json!({ "note": note })).await;
        assert_eq!(answer.status, 422);
        assert!(answer.json()["error"]["fields"]["note"].is_string());
    }
    assert_eq!(delete(&mut client, "/api/markers/1").await.json(), json!({"deleted": 1}));
    assert_eq!(delete(&mut client, "/api/markers/1").await.status, 404);
    // Numbers are never used twice, so a pin on an old picture cannot mean another.
    assert_eq!(post(&mut client, "/api/markers", &marker).await.json()["id"], 3);
    assert_eq!(client.state().await["markers"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn strokes_are_drawn_undone_and_cleared_with_the_markers_of_their_clip() {
    let mut client = Client::start(Site::Player).await;
    let stroke = json!({"clip": TRAIN, "time": 12.5, "color": "coral", "points": [[0, 0], [10, 20], [1280, 720]]});
    let answer = post(&mut client, "/api/strokes", &stroke).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    post(&mut client, "/api/strokes", &stroke).await;
    post(&mut client, "/api/markers", &json!({"clip": TRAIN, "x": 1, "y": 2, "time": 0})).await;
    post(&mut client, "/api/markers", &json!({"clip": 1, "x": 1, "y": 2, "time": 0})).await;
    let state = client.state().await;
    assert_eq!(state["strokes"][0]["points"], stroke["points"]);
    assert_eq!(state["strokes"][0]["color"], "coral");

    assert_eq!(delete(&mut client, "/api/strokes/2").await.json(), json!({"deleted": 2}));
    assert_eq!(delete(&mut client, "/api/strokes/2").await.status, 404);
    let cleared = delete(&mut client, "/api/clips/3/annotations").await;
    assert_eq!(cleared.json(), json!({"markers": 1, "strokes": 1}));
    let state = client.state().await;
    assert_eq!(state["strokes"], json!([]));
    assert_eq!(state["markers"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn markers_and_strokes_cannot_grow_for_ever() {
    let mut client = Client::start(Site::Player).await;
    let marker = json!({"clip": 1, "x": 1, "y": 1, "time": 0});
    let stroke = json!({"clip": 1, "time": 0, "color": "mint", "points": [[1, 1], [2, 2]]});
    for (path, body) in [("/api/markers", marker), ("/api/strokes", stroke)] {
        for _ in 0..200 {
            assert_eq!(post(&mut client, path, &body).await.status, 201);
        }
        let answer = post(&mut client, path, &body).await;
        assert_eq!(answer.status, 409);
        assert_eq!(answer.json()["error"]["code"], "full");
    }
}

#[tokio::test]
async fn the_same_actions_after_a_reset_give_the_same_state() {
    let mut client = Client::start(Site::Player).await;
    let mut states = Vec::new();
    for _ in 0..2 {
        client.post("/__reset", r#"{"seed": 5}"#).await;
        post(&mut client, "/api/current", &json!({"clip": TRAIN})).await;
        patch(&mut client, "/api/player", &json!({"position": 33.33})).await;
        post(&mut client, "/api/markers", &json!({"clip": TRAIN, "x": 5, "y": 6, "time": 33.33})).await;
        states.push(client.state().await);
    }
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0]["seed"], 5);
    assert_eq!(states[0]["changes"], 3);
}
