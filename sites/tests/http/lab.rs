// The lab as a browser's scripts would use it: catalogue, pages, logs, and answers of the server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::Client;

const PAGE: &str = "/p/click-single";
const LOG: &str = "/log/click-single";

/// Text as it stands in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// The number of the load that a page carries.
fn run_of(page: &str) -> u64 {
    let (_, after) = page.split_once("data-run=\"").unwrap();
    after.split_once('"').unwrap().0.parse().unwrap()
}

async fn catalogue(client: &mut Client) -> Vec<Value> {
    client.get("/catalogue.json").await.json().as_array().unwrap().clone()
}

#[tokio::test]
async fn every_page_of_the_catalogue_is_listed_and_answers_with_its_title() {
    let mut client = Client::start(Site::Lab).await;
    let index = client.get("/").await;
    assert_eq!(index.status, 200);
    let pages = catalogue(&mut client).await;
    assert!(pages.len() > 150, "{}", pages.len());
    for page in &pages {
        let (name, title) = (page["name"].as_str().unwrap(), page["title"].as_str().unwrap());
        assert!(index.body.contains(&format!("href=\"/p/{name}\"")), "{name}");
        let answer = client.get(&format!("/p/{name}")).await;
        assert_eq!(answer.status, 200, "{name}");
        assert!(answer.body.contains(&format!("<title>{}</title>", escaped(title))), "{name}");
        assert!(answer.body.contains(&escaped(page["hand"].as_str().unwrap())), "{name}");
        assert!(answer.body.contains("lab.check("), "{name} judges itself");
        assert!(!answer.body.contains("{{"), "{name} has an open place");
        for id in page["controls"].as_object().unwrap().keys() {
            assert!(answer.body.contains(&format!(" id=\"{id}\"")), "{name} {id}");
            assert!(answer.body.contains(&format!("#{id}{{position:absolute")), "{name} {id}");
        }
    }
    assert_eq!(client.state().await["pages"].as_object().unwrap().len(), pages.len());
}

#[tokio::test]
async fn whatever_a_page_points_at_is_there() {
    let mut client = Client::start(Site::Lab).await;
    for page in catalogue(&mut client).await {
        let name = page["name"].as_str().unwrap();
        let body = client.get(&format!("/p/{name}")).await.body;
        for piece in body.split(['"', '`']).filter(|piece| piece.starts_with('/') && piece.len() > 1) {
            let skipped = ["/never", "/slow", "/auth", "/log/", "/ping/"].iter().any(|slow| piece.starts_with(slow));
            let address = piece.split("${").next().unwrap();
            if skipped || address.contains([' ', '\n', ';']) {
                continue;
            }
            let status = client.get(address).await.status;
            assert!(status == 200 || status == 303, "{name} points at {address}: {status}");
        }
    }
    for frame in ["three", "three-low", "nest", "nest-other", "ask", "select", "file", "drag", "design", "payment"] {
        let answer = client.get(&format!("/f/{frame}")).await;
        assert_eq!(answer.status, 200, "{frame}");
        assert!(answer.body.contains("data-kind=\"frame\""), "{frame}");
    }
}

#[tokio::test]
async fn a_log_comes_back_in_the_state_until_the_reset() {
    let mut client = Client::start(Site::Lab).await;
    assert_eq!(client.state().await["pages"], json!({}));
    let run = run_of(&client.get(PAGE).await.body);
    let log = |events: Value, rev: u64, ok: bool| {
        let check = json!({"ok": ok, "why": "w"});
        json!({"run": run, "rev": rev, "events": events, "check": check, "facts": {"boxes": {"go": [1, 2, 3, 4]}}})
    };
    let first = log(json!([{"n": 1, "type": "mousedown"}, {"n": 2, "type": "click"}]), 1, false);
    assert_eq!(client.post(LOG, &first.to_string()).await.json(), json!({"kept": true}));
    // What a page sends when it ends may repeat what is known.
    let last = log(json!([{"n": 2, "type": "click"}, {"n": 3, "type": "blur"}]), 2, true);
    client.post(LOG, &last.to_string()).await;
    let page = client.state().await["pages"]["click-single"].clone();
    let types: Vec<&str> =
        page["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["mousedown", "click", "blur"]);
    assert_eq!(page["check"], json!({"ok": true, "why": "w"}));
    assert_eq!(page["facts"]["boxes"]["go"], json!([1, 2, 3, 4]));
    assert_eq!(client.get(LOG).await.json(), page);

    client.post("/__reset", "").await;
    assert_eq!(client.state().await, json!({"site": "lab", "seed": 1, "pages": {}}));
}

#[tokio::test]
async fn a_new_load_starts_a_new_log_and_an_arrival_continues_it() {
    let mut client = Client::start(Site::Lab).await;
    let old = run_of(&client.get("/p/nav-link").await.body);
    let new = run_of(&client.get("/p/nav-link").await.body);
    assert!(new > old);
    let report = |run: u64| json!({"run": run, "events": [{"n": 1, "type": "click"}]}).to_string();
    assert_eq!(client.post("/log/nav-link", &report(old)).await.json(), json!({"kept": false}));
    assert_eq!(client.post("/log/nav-link", &report(new)).await.json(), json!({"kept": true}));
    let landed = client.get("/p/nav-link?landed=link").await;
    assert_eq!(run_of(&landed.body), new);
    assert!(landed.body.contains("data-landed=\"link\""));
    let page = client.state().await["pages"]["nav-link"].clone();
    assert_eq!((&page["loads"], page["events"].as_array().unwrap().len()), (&json!(2), 1));
}

#[tokio::test]
async fn a_posted_form_arrives_on_its_page() {
    let mut client = Client::start(Site::Lab).await;
    client.get("/p/nav-post").await;
    let answer = client.post("/p/nav-post", "bird=gull").await;
    assert!(answer.body.contains("data-landed=\"post\""));
    assert_eq!(client.state().await["pages"]["nav-post"]["facts"]["posted"], "bird=gull");
    let script = client.get("/p/nav-post?landed=%3Cscript%3E%22").await;
    assert!(script.body.contains("data-landed=\"&lt;script&gt;&quot;\""));
}

#[tokio::test]
async fn bad_input_is_refused_and_changes_nothing() {
    let mut client = Client::start(Site::Lab).await;
    let long_event = json!({"events": [{"type": "x".repeat(5_000)}]}).to_string();
    let long_fact = json!({"facts": {"a": "x".repeat(20_000)}}).to_string();
    let long_why = json!({"check": {"ok": true, "why": "x".repeat(501)}}).to_string();
    let many: serde_json::Map<String, Value> = (0..61).map(|number| (number.to_string(), json!(1))).collect();
    let many_facts = json!({ "facts": many }).to_string();
    for body in [
        "x",
        "[]",
        r#"{"events": 5}"#,
        r#"{"events": [5]}"#,
        r#"{"run": -1}"#,
        r#"{"check": {"ok": "yes", "why": "w"}}"#,
        &long_event,
        &long_fact,
        &long_why,
        &many_facts,
    ] {
        let answer = client.post(LOG, body).await;
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.json()["error"]["code"], "bad_request");
    }
    assert_eq!(client.state().await["pages"], json!({}));
    assert_eq!(client.post(LOG, &"x".repeat(70_000)).await.status, 413);

    for path in ["/p/nothing", "/f/nothing", "/arrived/nothing", "/log/nothing", "/download/nothing", "/nowhere"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["error"]["code"], "not_found", "{path}");
    }
    assert_eq!(client.post("/log/nothing", "{}").await.status, 404);
    assert_eq!(client.post("/p/nothing", "a=b").await.status, 404);
    for path in
        ["/slow", "/slow?ms=x", "/slow?ms=-1", "/slow?ms=30001", "/redirect/99/redirect", "/redirect/x/redirect"]
    {
        assert_eq!(client.get(path).await.status, 400, "{path}");
    }
    assert_eq!(client.send("DELETE", PAGE, &[], b"").await.status, 405);
}

#[tokio::test]
async fn frames_of_another_site_follow_the_name_the_page_was_asked_by() {
    let mut client = Client::start(Site::Lab).await;
    let address = client.server.address();
    for (host, other) in [("127.0.0.1", "localhost"), ("localhost", "127.0.0.1")] {
        let port = address.port();
        let request =
            format!("GET /p/frame-cross HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n").into_bytes();
        let answer = crate::client::exchange(address, &request).await;
        assert!(answer.body.contains(&format!("src=\"http://{other}:{port}/f/three\"")), "{host}");
    }
    let inside = client.get("/p/frame-srcdoc").await.body;
    assert!(inside.contains("srcdoc=\"&lt;!DOCTYPE html&gt;"));
}

#[tokio::test]
async fn pages_with_a_policy_carry_it() {
    let mut client = Client::start(Site::Lab).await;
    let strict = client.get("/p/csp-strict").await;
    let policy = strict.header("content-security-policy").unwrap();
    let (_, after) = policy.split_once("'nonce-").unwrap();
    let nonce = after.split_once('\'').unwrap().0;
    assert!(policy.starts_with("default-src 'none'"));
    assert_eq!(strict.body.matches("<script").count(), strict.body.matches(&format!("nonce=\"{nonce}\">")).count() - 2);
    let again = client.get("/p/csp-strict").await;
    assert_ne!(again.header("content-security-policy").unwrap(), policy);
    let types = client.get("/p/trusted-types").await;
    assert!(types.header("content-security-policy").unwrap().contains("require-trusted-types-for 'script'"));
    assert_eq!(client.get(PAGE).await.header("content-security-policy"), None);
}

#[tokio::test]
async fn downloads_redirects_and_echoes() {
    let mut client = Client::start(Site::Lab).await;
    let file = client.get("/download/plain").await;
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"tide-table.csv\""));
    assert!(file.body.starts_with("hour,metres"));
    client.get("/download/plain").await;
    assert_eq!(client.state().await["pages"]["download-plain"]["facts"]["downloads"], 2);
    let named = client.get("/download/named").await;
    assert!(named.header("content-disposition").unwrap().contains("filename*=UTF-8''"));

    assert_eq!(client.get("/redirect/3/redirect").await.header("location"), Some("/redirect/2/redirect"));
    assert_eq!(client.get("/redirect/1/redirect").await.header("location"), Some("/p/redirect?landed=redirect"));

    let echo = client.send("GET", "/headers", &["accept-language: cy", "user-agent: test/1"], b"").await.json();
    assert_eq!((&echo["accept-language"], &echo["user-agent"]), (&json!("cy"), &json!("test/1")));

    client.post("/ping/live-network", "x").await;
    client.get("/ping/live-network").await;
    assert_eq!(client.state().await["pages"]["live-network"]["facts"]["pings"], 2);
}

#[tokio::test]
async fn the_sign_in_of_http_asks_until_it_is_right() {
    let mut client = Client::start(Site::Lab).await;
    for headers in [&[][..], &["authorization: Basic eDp5"], &["authorization: Bearer bGFiOnRyYXA="]] {
        let answer = client.send("GET", "/auth", headers, b"").await;
        assert_eq!(answer.status, 401);
        assert!(answer.header("www-authenticate").unwrap().contains("realm=\"Lab\""));
    }
    // lab:trap
    let right = client.send("GET", "/auth", &["authorization: Basic bGFiOnRyYXA="], b"").await;
    assert_eq!(right.status, 200);
    assert!(right.body.contains("data-landed=\"auth\""));
    let facts = client.state().await["pages"]["auth"]["facts"].clone();
    assert_eq!((&facts["asked"], &facts["signed_in"]), (&json!(3), &json!(1)));
}

#[tokio::test]
async fn slow_answers_are_slow_and_some_never_come() {
    let mut client = Client::start(Site::Lab).await;
    let start = Instant::now();
    assert_eq!(client.get("/slow?ms=120").await.status, 200);
    assert!(start.elapsed() >= Duration::from_millis(120));
    let landed = client.get("/slow/nav-slow?ms=0").await;
    assert!(landed.body.contains("data-landed=\"slow\""));
    let never = tokio::time::timeout(Duration::from_millis(150), client.get("/never")).await;
    assert!(never.is_err());
    assert_eq!(client.get("/slow?ms=0").await.status, 200);
}
