// The fault site over HTTP: every case is served, none betrays its fate, witnesses add up.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_sites::Site;
use surehand_sites::fault::{Case, Fate, KINDS, NOISES};

use crate::client::Client;

#[tokio::test]
async fn every_kind_is_served_and_says_nothing_of_its_fate() {
    let mut client = Client::start(Site::Fault).await;
    for kind in KINDS {
        let page = client.get(&Case { kind: *kind, noise: "clock", seed: 7 }.path(3)).await;
        assert_eq!(page.status, 200, "{}", kind.name);
        let setup = setup_of(&page.body);
        assert_eq!((&setup["kind"], &setup["run"]), (&json!(kind.name), &json!(3)));
        assert!(setup.get("fate").is_none());
        assert!(!page.body.contains(kind.about), "{}", kind.name);
    }
    let index = client.get("/").await.body;
    assert_eq!(index.matches("<a href=\"/case?").count(), KINDS.len() * NOISES.len());
    for name in
        ["base.css", "page.js", "noise.js", "dead.js", "dead-look.js", "live.js", "live-page.js", "live-paint.js"]
    {
        assert_eq!(client.get(&format!("/assets/{name}")).await.status, 200, "{name}");
    }
    let lamp = client.get("/assets/lamp.gif").await;
    assert_eq!(lamp.header("content-type"), Some("image/gif"));
    assert!(lamp.body.starts_with("GIF89a"));
}

#[tokio::test]
async fn the_list_tells_what_is_dead() {
    let mut client = Client::start(Site::Fault).await;
    let list = client.get("/api/cases").await.json();
    let kinds = list["kinds"].as_array().unwrap();
    assert_eq!(kinds.len(), KINDS.len());
    for (told, kind) in kinds.iter().zip(KINDS) {
        let fate = if kind.fate == Fate::Dead { "dead" } else { "live" };
        assert_eq!((&told["name"], &told["fate"]), (&json!(kind.name), &json!(fate)));
    }
    assert_eq!(list["noises"], json!(NOISES));
}

#[tokio::test]
async fn the_layout_comes_from_the_seed_alone() {
    let mut client = Client::start(Site::Fault).await;
    for seed in 0..20 {
        let case = |kind: &str, noise: &str| Case::named(kind, noise, seed).unwrap();
        let mut setups = Vec::new();
        for case in [case("overlay", "clock"), case("text", "chat")] {
            let mut setup = setup_of(&client.get(&case.path(0)).await.body);
            let place = setup["box"].as_array().unwrap().clone();
            let at = |index: usize| place[index].as_u64().unwrap();
            let middle = (at(0) + at(2) / 2, at(1) + at(3) / 2);
            assert_eq!((u64::from(case.target().0), u64::from(case.target().1)), middle);
            setup["kind"] = Value::Null;
            setup["noise"] = Value::Null;
            setups.push(setup);
        }
        assert_eq!(setups[0], setups[1], "{seed}");
    }
}

#[tokio::test]
async fn frames_hold_another_document_of_this_or_another_site() {
    let mut client = Client::start(Site::Fault).await;
    for (kind, inside) in
        [("frame_dead", "removed"), ("cross_dead", "removed"), ("frame_live", "text"), ("cross_live", "text")]
    {
        let setup = setup_of(&client.get(&format!("/inside?kind={kind}&noise=clock&seed=4&run=9")).await.body);
        assert_eq!((&setup["kind"], &setup["noise"], &setup["run"]), (&json!(inside), &json!("none"), &json!(9)));
        assert_eq!(setup["inside"], json!(true));
    }
    let setup = setup_of(&client.get("/case?kind=cross_live").await.body);
    assert_eq!(setup["other"], "http://localhost");
}

#[tokio::test]
async fn witnesses_of_one_run_add_up_until_a_reset() {
    let mut client = Client::start(Site::Fault).await;
    for told in [json!({"run": 5, "arrived": 1, "ran": 0}), json!({"run": 5, "arrived": 0, "ran": 2})] {
        assert_eq!(client.post("/api/witness", &told.to_string()).await.status, 204);
    }
    client.post("/api/save", "berth=N4").await;
    let state = client.state().await;
    assert_eq!(state, json!({"site": "fault", "seed": 1, "runs": {"5": {"arrived": 1, "ran": 2}}, "saved": 1}));
    client.post("/__reset", "").await;
    assert_eq!(client.state().await, json!({"site": "fault", "seed": 1, "runs": {}, "saved": 0}));
}

#[tokio::test]
async fn bad_addresses_and_bodies_are_refused() {
    let mut client = Client::start(Site::Fault).await;
    for path in ["/case?kind=nothing", "/case?kind=text&noise=nothing", "/inside?kind=text", "/nowhere", "/assets/x.js"]
    {
        let answer = client.get(path).await;
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (404, &json!("not_found")), "{path}");
    }
    for path in ["/case", "/case?kind=text&seed=-1", "/api/slow", "/api/slow?ms=5001"] {
        assert_eq!(client.get(path).await.status, 400, "{path}");
    }
    for body in ["", "x", "[]", r#"{"run": 1}"#, r#"{"run": 1, "arrived": -1, "ran": 0}"#] {
        assert_eq!(client.post("/api/witness", body).await.status, 400, "{body}");
    }
    let begun = Instant::now();
    assert_eq!(client.get("/api/slow?ms=60").await.body, "Moored: 14");
    assert!(begun.elapsed() >= Duration::from_millis(60));
}

fn setup_of(page: &str) -> Value {
    let (_, after) = page.split_once("id=\"setup\">").expect("a setup");
    serde_json::from_str(after.split_once("</script>").expect("its end").0).expect("JSON")
}
