// Fernhill Supply as a browser's scripts would use it.

use serde_json::{Value, json};
use surehand_sites::Site;

use crate::client::{Answer, Client};

const PAGE: &str = "accept: text/html,*/*";
const BOUNDARY: &str = "content-type: multipart/form-data; boundary=seam";

fn jacket() -> Value {
    json!({ "product": 201, "size": "M", "colour": "Moss", "extras": ["Monogram"], "quantity": 2 })
}

fn checkout(token: &str) -> Value {
    json!({
        "name": " Ada Quill ",
        "email": "ada@quill.example",
        "street": "Lane 4",
        "city": "Oslo",
        "postcode": "0150",
        "country": "NO",
        "delivery_date": "2026-11-10",
        "delivery_time": "09:30",
        "gift_wrap": true,
        "gift_colour": "#3366AA",
        "notes": "Ring (twice)",
        "newsletter": true,
        "payment_token": token,
    })
}

async fn put(client: &mut Client, path: &str, body: &Value) -> Answer {
    client.send("PUT", path, &[], body.to_string().as_bytes()).await
}

async fn client_with_jacket() -> Client {
    let mut client = Client::start(Site::Shop).await;
    let added = client.post("/api/cart/lines", &jacket().to_string()).await;
    assert_eq!(added.status, 201, "{}", added.body);
    client
}

async fn card(client: &mut Client) -> String {
    let body = r#"{"brand":"Visa","last_four":"4242","expiry":"12/29"}"#;
    let answer = client.post("/api/cards", body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["token"].as_str().unwrap().to_owned()
}

/// Places an order with files, each a field, a name and a content.
async fn place(client: &mut Client, order: &Value, files: &[(&str, &str, &[u8])]) -> Answer {
    let mut body = format!("--seam\r\ncontent-disposition: form-data; name=\"order\"\r\n\r\n{order}\r\n").into_bytes();
    for (field, name, content) in files {
        let head = format!(
            "--seam\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             content-type: application/pdf\r\n\r\n"
        );
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(b"--seam--\r\n");
    client.send("POST", "/api/orders", &[BOUNDARY], &body).await
}

#[tokio::test]
async fn the_catalogue_searches_filters_sorts_and_refuses_nonsense() {
    let mut client = Client::start(Site::Shop).await;
    let all = client.get("/api/products").await.json();
    assert_eq!(all["total"], 40);
    assert_eq!(all["counts"]["Camp"], 7);
    let found = client.get("/api/products?q=ENAMEL+mug&sort=price_down").await.json();
    assert_eq!(found["total"], 1);
    assert_eq!(found["products"][0]["id"], 234);
    let dear = client.get("/api/products?category=Camp&sort=price_down").await.json();
    assert_eq!(dear["products"][0]["name"], "Hollow Ridge Tent");
    for query in ["sort=age", "category=Toys", "q=a&q=b"] {
        let answer = client.get(&format!("/api/products?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
        assert!(!answer.message().is_empty());
    }
    let jacket = client.get("/api/products/201").await.json();
    assert_eq!(jacket["price_cents"], 14_800);
    for id in ["999", "abc", "-1"] {
        let answer = client.get(&format!("/api/products/{id}")).await;
        assert_eq!(answer.status, 404, "{id}");
        assert!(answer.message().starts_with("There is no product"));
    }
}

#[tokio::test]
async fn a_cart_belongs_to_one_browser_and_ends_with_a_reset() {
    let mut client = client_with_jacket().await;
    assert!(client.cookies[0].starts_with("fernhill_cart="));
    assert_eq!(client.get("/api/cart").await.json()["pieces"], 2);
    let mine = std::mem::take(&mut client.cookies);
    assert_eq!(client.get("/api/cart").await.json()["pieces"], 0);
    client.post("/api/cart/lines", &jacket().to_string()).await;
    let state = client.state().await;
    assert_eq!(state["carts"].as_array().unwrap().len(), 2);
    assert_eq!(state["carts"][1]["number"], 2);
    assert!(!state.to_string().contains(mine[0].split('=').nth(1).unwrap()), "the token is nobody's business");
    client.post("/__reset", "").await;
    client.cookies = mine;
    assert_eq!(client.get("/api/cart").await.json()["pieces"], 0);
    assert_eq!(client.state().await["carts"], json!([]));
}

#[tokio::test]
async fn lines_join_change_and_go() {
    let mut client = client_with_jacket().await;
    client.post("/api/cart/lines", &jacket().to_string()).await;
    let mut other = jacket();
    other["colour"] = json!("Rust");
    let cart = client.post("/api/cart/lines", &other.to_string()).await.json();
    assert_eq!(cart["lines"][0]["quantity"], 4);
    assert_eq!(cart["lines"][1]["line"], 2);
    let cart = put(&mut client, "/api/cart/lines/1", &json!({ "quantity": 1 })).await.json();
    assert_eq!(cart["totals"]["subtotal_cents"], 3 * (14_800 + 800));
    for (path, body, status) in [
        ("/api/cart/lines/1", json!({ "quantity": 0 }), 422),
        ("/api/cart/lines/1", json!({ "quantity": 21 }), 422),
        ("/api/cart/lines/1", json!({ "quantity": -1 }), 400),
        ("/api/cart/lines/1", json!({ "amount": 1 }), 400),
        ("/api/cart/lines/9", json!({ "quantity": 1 }), 404),
        ("/api/cart/lines/x", json!({ "quantity": 1 }), 404),
    ] {
        assert_eq!(put(&mut client, path, &body).await.status, status, "{path} {body}");
    }
    let cart = client.send("DELETE", "/api/cart/lines/1", &[], b"").await.json();
    assert_eq!(cart["lines"].as_array().unwrap().len(), 1);
    assert_eq!(client.send("DELETE", "/api/cart/lines/1", &[], b"").await.status, 404);
}

#[tokio::test]
async fn wrong_choices_name_their_field_and_leave_no_cart() {
    let mut client = Client::start(Site::Shop).await;
    for (field, value) in [
        ("size", json!("EU 40")),
        ("colour", json!("")),
        ("colour", json!("Plum")),
        ("extras", json!(["Monogram", "Jetpack"])),
        ("quantity", json!(0)),
    ] {
        let mut wrong = jacket();
        wrong[field] = value;
        let answer = client.post("/api/cart/lines", &wrong.to_string()).await;
        assert_eq!(answer.status, 422, "{field}");
        let fields = answer.json()["error"]["fields"].clone();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    for body in ["", "[]", r#"{"size":"M"}"#, r#"{"product":201,"gift":1}"#] {
        assert_eq!(client.post("/api/cart/lines", body).await.status, 400, "{body}");
    }
    let mut unknown = jacket();
    unknown["product"] = json!(9_999);
    assert_eq!(client.post("/api/cart/lines", &unknown.to_string()).await.status, 404);
    assert_eq!(client.state().await["carts"], json!([]));
}

#[tokio::test]
async fn promo_codes() {
    let mut client = Client::start(Site::Shop).await;
    assert_eq!(put(&mut client, "/api/cart/promo", &json!({ "code": "FERN10" })).await.status, 409);
    client.post("/api/cart/lines", &jacket().to_string()).await;
    for code in ["", "FERN99"] {
        let answer = put(&mut client, "/api/cart/promo", &json!({ "code": code })).await;
        assert_eq!(answer.status, 422);
        assert!(answer.json()["error"]["fields"]["code"].is_string());
    }
    let cart = put(&mut client, "/api/cart/promo", &json!({ "code": " fern10" })).await.json();
    assert_eq!(cart["totals"]["discount_cents"], 3_120);
    let state = client.state().await;
    assert_eq!(state["carts"][0]["promo"]["code"], "FERN10");
    assert_eq!(state["promos_refused"], 2);
    let cart = client.send("DELETE", "/api/cart/promo", &[], b"").await.json();
    assert_eq!(cart["promo"], Value::Null);
}

#[tokio::test]
async fn an_order_keeps_everything_but_the_card_number() {
    let mut client = client_with_jacket().await;
    put(&mut client, "/api/cart/promo", &json!({ "code": "FERN10" })).await;
    let token = card(&mut client).await;
    let files: [(&str, &str, &[u8]); 3] = [
        ("purchase_order", "C:\\orders\\po-7.pdf", b"%PDF-1.4\n123456789"),
        ("documents", "gate.txt", b"123456789"),
        ("documents", "", b""),
    ];
    let placed = place(&mut client, &checkout(&token), &files).await;
    assert_eq!(placed.status, 201, "{}", placed.body);
    let state = client.state().await;
    let order = &state["orders"][0];
    assert_eq!(order, &placed.json());
    assert_eq!(order["number"], "FH-10001");
    assert_eq!(order["name"], "Ada Quill");
    assert_eq!(order["items"][0]["extras"], json!(["Monogram"]));
    assert_eq!(order["address"]["country"], "Norway");
    assert_eq!(order["gift_wrap"], "#3366aa");
    assert_eq!(order["totals"]["total_cents"], 31_200 - 3_120 + 450);
    assert_eq!(order["card"], json!({ "brand": "Visa", "last_four": "4242", "expiry": "12/29" }));
    assert_eq!(order["purchase_order"]["name"], "po-7.pdf");
    assert_eq!(order["purchase_order"]["bytes"], 18);
    let gate = json!([{ "name": "gate.txt", "bytes": 9, "media_type": "application/pdf", "crc32": "cbf43926" }]);
    assert_eq!(order["documents"], gate);
    assert_eq!(state["carts"][0]["lines"], json!([]));
    assert_eq!(state["carts"][0]["promo"], Value::Null);

    assert_eq!(client.get("/api/orders/FH-10001").await.json(), *order);
    let page = client.get("/orders/FH-10001").await;
    assert!(page.body.contains("<title>Order FH-10001 · Fernhill Supply</title>"));
    let invoice = client.get("/orders/FH-10001/invoice").await;
    assert_eq!(invoice.header("content-disposition"), Some("attachment; filename=\"invoice-FH-10001.pdf\""));
    assert!(invoice.body.starts_with("%PDF-1.4"));
    assert!(invoice.body.contains("Visa ending in 4242") && invoice.body.contains("$285.30"));
    for path in ["/api/orders/FH-1", "/orders/FH-1/invoice"] {
        assert_eq!(client.get(path).await.json()["error"]["code"], "not_found");
    }
}

#[tokio::test]
async fn a_card_token_is_good_for_one_order_and_an_empty_cart_buys_nothing() {
    let mut client = client_with_jacket().await;
    let token = card(&mut client).await;
    assert_eq!(place(&mut client, &checkout(&token), &[]).await.status, 201);
    let again = place(&mut client, &checkout(&token), &[]).await;
    assert_eq!(again.status, 409);
    assert_eq!(again.json()["error"]["code"], "cart_empty");
    client.post("/api/cart/lines", &jacket().to_string()).await;
    let again = place(&mut client, &checkout(&token), &[]).await;
    assert_eq!(again.status, 422);
    assert!(again.json()["error"]["fields"]["payment_token"].is_string());
    assert_eq!(client.state().await["orders"].as_array().unwrap().len(), 1);
    for (body, status) in [
        (r#"{"brand":"Visa","last_four":"42","expiry":"12/29"}"#, 422),
        (r#"{"brand":"Visa","last_four":"4242","expiry":"09/26"}"#, 422),
        (r#"{"brand":"Gold","last_four":"4242","expiry":"12/29"}"#, 422),
        (r#"{"number":"4242424242424242"}"#, 400),
        ("{", 400),
    ] {
        assert_eq!(client.post("/api/cards", body).await.status, status, "{body}");
    }
}

#[tokio::test]
async fn the_checkout_names_each_wrong_field_and_orders_nothing() {
    let mut client = client_with_jacket().await;
    let token = card(&mut client).await;
    for (field, value) in [
        ("name", json!(" ")),
        ("email", json!("ada@quill")),
        ("street", json!("x".repeat(200))),
        ("city", json!("a\u{0}b")),
        ("postcode", json!("")),
        ("country", json!("XX")),
        ("delivery_date", json!("2026-11-08")),
        ("delivery_date", json!("2026-10-31")),
        ("delivery_time", json!("07:00")),
        ("gift_colour", json!("blue")),
        ("notes", json!("n".repeat(2_000))),
        ("payment_token", json!("card_guess")),
    ] {
        let mut order = checkout(&token);
        order[field] = value;
        let answer = place(&mut client, &order, &[]).await;
        assert_eq!(answer.status, 422, "{field}");
        let fields = answer.json()["error"]["fields"].clone();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), [field]);
    }
    let no_pdf = place(&mut client, &checkout(&token), &[("purchase_order", "po.pdf", b"hello")]).await;
    assert!(no_pdf.json()["error"]["fields"]["purchase_order"].is_string());
    let four = [("documents", "a.txt", &b"a"[..]); 4];
    assert!(place(&mut client, &checkout(&token), &four).await.json()["error"]["fields"]["documents"].is_string());
    assert_eq!(place(&mut client, &json!({ "gift": 1 }), &[]).await.status, 400);
    assert_eq!(client.post("/api/orders", "{}").await.status, 400);
    assert_eq!(client.send("POST", "/api/orders", &[BOUNDARY], b"--seam\r\nbroken").await.status, 400);
    assert_eq!(client.state().await["orders"], json!([]));
}

#[tokio::test]
async fn files_larger_than_the_frameworks_own_limit_arrive_and_larger_than_ours_do_not() {
    let mut client = client_with_jacket().await;
    let token = card(&mut client).await;
    let large = [b"%PDF-".to_vec(), vec![b'x'; 3 * 1024 * 1024]].concat();
    let placed = place(&mut client, &checkout(&token), &[("purchase_order", "po.pdf", &large)]).await;
    assert_eq!(placed.status, 201);
    assert_eq!(placed.json()["purchase_order"]["bytes"], large.len());
    let request = b"POST /api/orders HTTP/1.1\r\nhost: test\r\ncontent-length: 9000000\r\n\r\n";
    let refused = crate::client::exchange(client.server.address(), request).await;
    assert_eq!(refused.status, 413);
}

#[tokio::test]
async fn every_page_answers_and_every_asset_it_names_exists() {
    let mut client = Client::start(Site::Shop).await;
    let empty = client.get("/checkout").await;
    assert_eq!(empty.header("location"), Some("/cart"));
    client.post("/api/cart/lines", &jacket().to_string()).await;
    let mut seen = 0;
    for path in ["/", "/products/201", "/cart", "/checkout", "/pay"] {
        let page = client.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.body.contains("{{"), "a placeholder was left in {path}");
        for after in page.body.split("\"/assets/").skip(1) {
            let name = after.split('"').next().unwrap();
            assert_eq!(client.get(&format!("/assets/{name}")).await.status, 200, "{name}");
            seen += 1;
        }
    }
    assert!(seen > 15);
    for path in ["/products/999", "/orders/FH-1", "/nowhere"] {
        let page = client.send("GET", path, &[PAGE], b"").await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.body.contains("Page not found"));
    }
    assert_eq!(client.get("/nowhere").await.json()["error"]["code"], "not_found");
}

#[tokio::test]
async fn the_payment_frame_is_on_the_other_origin() {
    let mut client = client_with_jacket().await;
    let cookie = client.cookies[0].clone();
    for (host, frame) in [("127.0.0.1:9", "http://localhost:9/pay"), ("localhost:9", "http://127.0.0.1:9/pay")] {
        let request =
            format!("GET /checkout HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncookie: {cookie}\r\n\r\n");
        let page = crate::client::exchange(client.server.address(), request.as_bytes()).await;
        assert!(page.body.contains(&format!("src=\"{frame}\"")), "{host}");
    }
    let request = b"GET /pay HTTP/1.1\r\nhost: localhost:9\r\nconnection: close\r\n\r\n";
    let frame = crate::client::exchange(client.server.address(), request).await;
    assert!(frame.body.contains("data-parent=\"http://127.0.0.1:9\""));
    assert_eq!(client.state().await["cards_accepted"], 0);
}
