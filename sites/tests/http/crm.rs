// Northbeam CRM as a browser's scripts would use it.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::{Answer, Client};

const PRIYA: &str = "/api/contacts/1087";
const PAGE: &str = "accept: text/html,*/*";

fn contact_in(state: &Value, id: u64) -> Option<Value> {
    let contacts = state["contacts"].as_array().unwrap();
    contacts.iter().find(|contact| contact["id"] == id).cloned()
}

/// The fields a form sends, taken from a record.
fn form_of(contact: &Value) -> Value {
    let mut form = json!({});
    for field in
        ["first_name", "last_name", "company", "email", "phone", "city", "status", "owner", "newsletter", "notes"]
    {
        form[field] = contact[field].clone();
    }
    form
}

async fn put(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.send("PUT", path, &[], body.to_string().as_bytes()).await
}

#[tokio::test]
async fn without_a_session_pages_lead_to_the_login_and_the_interface_refuses() {
    let mut client = Client::start(Site::Crm).await;
    for path in ["/", "/contacts", "/contacts/new", "/contacts/1087"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert_eq!(answer.header("location"), Some("/login"), "{path}");
    }
    let unknown = client.send("GET", "/nowhere", &[PAGE], b"").await;
    assert_eq!(unknown.header("location"), Some("/login"));
    for (method, path) in [
        ("GET", "/api/contacts"),
        ("POST", "/api/contacts"),
        ("GET", PRIYA),
        ("PUT", PRIYA),
        ("DELETE", PRIYA),
        ("GET", "/api/summary"),
        ("GET", "/api/owners"),
    ] {
        let answer = client.send(method, path, &[], b"").await;
        assert_eq!(answer.status, 401, "{method} {path}");
        assert_eq!(answer.json()["error"]["code"], "not_signed_in");
    }
    assert_eq!(client.state().await["deletes"], 0);
}

#[tokio::test]
async fn signing_in_and_out() {
    let mut client = Client::start(Site::Crm).await;
    let wrong = client.post("/api/login", r#"{"email":"dana@northbeam.example","password":"guess"}"#).await;
    assert_eq!(wrong.status, 401);
    assert_eq!(wrong.header("set-cookie"), None);

    let right =
        client.post("/api/login", r#"{"email":" Dana@northbeam.example ","password":"harbor-lights-42"}"#).await;
    assert_eq!(right.status, 200);
    assert!(right.header("set-cookie").unwrap().contains("HttpOnly"));
    assert!(!right.body.contains("harbor"));
    let dashboard = client.get("/").await;
    assert!(dashboard.body.contains("<title>Dashboard · Northbeam CRM</title>"));
    assert_eq!(client.get("/login").await.header("location"), Some("/"));

    let state = client.state().await;
    assert_eq!(state["sessions"], 1);
    assert_eq!(state["logins"], json!({"succeeded": 1, "failed": 1}));
    let stolen = client.cookies.clone();
    client.post("/api/logout", "").await;
    assert!(client.cookies.is_empty());
    client.cookies = stolen;
    assert_eq!(client.get("/").await.status, 303);

    let log = client.get("/__log").await.json();
    assert_eq!(log.as_array().unwrap().len(), 3);
    assert_eq!(log[1]["method"], "POST");
    assert_eq!(log[1]["path"], "/api/login");
    assert_eq!(log[1]["status"], 200);
    assert_eq!(log[1]["body"]["password"], "(hidden)");
}

#[tokio::test]
async fn a_reset_ends_sessions_and_brings_the_consent_banner_back() {
    let mut client = Client::signed_in().await;
    assert!(client.get("/").await.body.contains("Accept all"));
    let answer = client.post("/api/consent", r#"{"choice":"all"}"#).await;
    assert_eq!(answer.status, 200);
    assert!(!client.get("/").await.body.contains("Accept all"));
    assert_eq!(client.state().await["consent"]["choice"], "all");

    client.post("/__reset", "").await;
    assert_eq!(client.get("/").await.status, 303);
    assert!(client.get("/login").await.body.contains("Accept all"));
    let bad = client.post("/api/consent", r#"{"choice":"none"}"#).await;
    assert_eq!(bad.status, 400);
}

#[tokio::test]
async fn every_asset_a_page_names_exists() {
    let mut client = Client::signed_in().await;
    let mut pages = Vec::new();
    for path in ["/", "/contacts", "/contacts/new", "/contacts/1087"] {
        pages.push(client.get(path).await.body);
    }
    client.post("/api/logout", "").await;
    pages.push(client.get("/login").await.body);
    let mut seen = 0;
    for page in pages {
        assert!(!page.contains("{{"), "a placeholder was left");
        for after in page.split("\"/assets/").skip(1) {
            let name = after.split('"').next().unwrap();
            let answer = client.get(&format!("/assets/{name}")).await;
            assert_eq!(answer.status, 200, "{name}");
            seen += 1;
        }
    }
    assert!(seen > 20);
}

#[tokio::test]
async fn the_search_narrows_and_refuses_nonsense() {
    let mut client = Client::signed_in().await;
    let all = client.get("/api/contacts").await.json();
    assert_eq!(all["total"], 240);
    assert_eq!(all["contacts"].as_array().unwrap().len(), 25);
    let found = client.get("/api/contacts?q=RAMAN").await.json();
    assert_eq!(found["total"], 1);
    assert_eq!(found["contacts"][0]["id"], 1087);
    let none = client.get("/api/contacts?q=zzzz&status=Lead").await.json();
    assert_eq!(none["total"], 0);
    assert_eq!(none["pages"], 1);
    for query in ["sort=age", "status=Friend", "page=zero", "q=a&q=b", "direction=up"] {
        let answer = client.get(&format!("/api/contacts?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert!(!answer.message().is_empty());
    }
}

#[tokio::test]
async fn an_update_shows_in_the_state_and_nowhere_else() {
    let mut client = Client::signed_in().await;
    let before = client.state().await;
    let mut form = form_of(&contact_in(&before, 1087).unwrap());
    form["phone"] = json!(" +1 206 555 0199 ");
    form["status"] = json!("Customer");
    let answer = put(&mut client, PRIYA, &form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);

    let after = client.state().await;
    let priya = contact_in(&after, 1087).unwrap();
    assert_eq!(priya["phone"], "+1 206 555 0199");
    assert_eq!(priya["status"], "Customer");
    assert_eq!(priya["revision"], 1);
    assert_eq!(priya["activity"][0]["text"], "Changed phone, status");
    assert_eq!(after["saves"], 1);
    let changed = before["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .zip(after["contacts"].as_array().unwrap())
        .filter(|(old, new)| old != new)
        .count();
    assert_eq!(changed, 1);
    let page = client.get("/contacts/1087").await;
    assert!(page.body.contains("<title>Priya Raman · Contacts · Northbeam CRM</title>"));
}

#[tokio::test]
async fn validation_names_each_wrong_field_and_saves_nothing() {
    let mut client = Client::signed_in().await;
    let before = client.state().await;
    let good = form_of(&contact_in(&before, 1087).unwrap());
    for (field, value) in [
        ("first_name", json!("  ")),
        ("last_name", json!("")),
        ("last_name", json!("a\u{0}b")),
        ("company", json!("x".repeat(500))),
        ("email", json!("priya.raman")),
        ("email", json!("priya.nair@wrenfield.example")),
        ("phone", json!("call me")),
        ("status", json!("Friend")),
        ("owner", json!("Nobody")),
        ("notes", json!("n".repeat(5_000))),
    ] {
        let mut form = good.clone();
        form[field] = value;
        let answer = put(&mut client, PRIYA, &form).await;
        assert_eq!(answer.status, 422, "{field}");
        let fields = answer.json()["error"]["fields"].clone();
        let names: Vec<&String> = fields.as_object().unwrap().keys().collect();
        assert_eq!(names, [field]);
    }
    for body in [json!([]), json!({"newsletter": "yes"}), json!({"id": 1})] {
        assert_eq!(put(&mut client, PRIYA, &body).await.status, 400, "{body}");
    }
    let after = client.state().await;
    assert_eq!(after["contacts"], before["contacts"]);
    assert_eq!(after["saves"], 0);
}

#[tokio::test]
async fn create_then_delete() {
    let mut client = Client::signed_in().await;
    let form = json!({
        "first_name": "<b>Ada</b>",
        "last_name": "Quill {{content}}",
        "email": "ada@quill.example",
        "status": "Lead",
        "owner": "Dana Whitfield",
    });
    let created = client.post("/api/contacts", &form.to_string()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    assert_eq!(created.json()["id"], 1241);
    // A name is text, never markup and never a placeholder.
    let page = client.get("/contacts/1241").await.body;
    assert!(page.contains("<h1 id=\"heading\">&lt;b&gt;Ada&lt;/b&gt; Quill {{content}}</h1>"));
    let again = client.post("/api/contacts", &form.to_string()).await;
    assert_eq!(again.status, 422);

    let deleted = client.send("DELETE", "/api/contacts/1241", &[], b"").await;
    assert_eq!(deleted.json(), json!({"deleted": 1241}));
    let state = client.state().await;
    assert_eq!(contact_in(&state, 1241), None);
    assert_eq!(state["creates"], 1);
    assert_eq!(state["deletes"], 1);
    let twice = client.send("DELETE", "/api/contacts/1241", &[], b"").await;
    assert_eq!(twice.status, 404);
    // Ids are never used twice, so an old address cannot show somebody else.
    let next = client.post("/api/contacts", &form.to_string()).await;
    assert_eq!(next.json()["id"], 1242);
}

#[tokio::test]
async fn a_missing_contact_is_json_for_programs_and_a_page_for_people() {
    let mut client = Client::signed_in().await;
    for path in ["/api/contacts/9999", "/api/contacts/abc", "/api/contacts/-1"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.message().starts_with("There is no contact"));
        assert_eq!(put(&mut client, path, &json!({})).await.status, 404);
    }
    let page = client.send("GET", "/contacts/9999", &[PAGE], b"").await;
    assert_eq!(page.status, 404);
    assert!(page.body.contains("Page not found"));
    let unknown = client.send("GET", "/nowhere", &[PAGE], b"").await;
    assert_eq!(unknown.status, 404);
    assert!(unknown.body.contains("Page not found"));
}
