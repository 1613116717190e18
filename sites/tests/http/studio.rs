// The studio site over HTTP: what is saved is what was sent, and nothing else can be saved.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::Client;

#[tokio::test]
async fn a_pattern_is_saved_as_it_is_sent_and_wrong_ones_change_nothing() {
    let mut client = Client::start(Site::Studio).await;
    for path in ["/", "/assets/studio.css", "/assets/studio.js"] {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
    let mut pattern = client.get("/api/pattern").await.json();
    let kick = |pattern: &Value| pattern["rows"][0]["steps"].as_array().unwrap().clone();
    assert!(kick(&pattern).iter().all(|step| *step == json!(false)));
    for step in [0, 4, 8, 12] {
        pattern["rows"][0]["steps"][step] = json!(true);
    }
    assert_eq!(put(&mut client, &pattern).await.status, 200);
    let state = client.state().await;
    assert_eq!(state["rows"][0], json!({"name": "Kick", "muted": false, "active": [1, 5, 9, 13]}));
    assert_eq!((&state["saves"], &state["pattern"]), (&json!(1), &pattern));

    let mut short = pattern.clone();
    short["rows"][2]["steps"] = json!([true]);
    let mut other = pattern.clone();
    other["rows"][0]["name"] = json!("Tom");
    let mut slow = pattern.clone();
    slow["tempo"] = json!(3);
    for wrong in [short, other, slow] {
        assert_eq!(put(&mut client, &wrong).await.status, 422);
    }
    assert_eq!(put(&mut client, &json!({"rows": 3})).await.status, 400);
    assert_eq!(client.state().await["pattern"], pattern);
}

async fn put(client: &mut Client, pattern: &Value) -> crate::client::Answer {
    client.send("PUT", "/api/pattern", &["content-type: application/json"], pattern.to_string().as_bytes()).await
}
