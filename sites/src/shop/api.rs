// The JSON interface the pages' scripts use, under /api. Each handler reads, asks the state, and
// answers; rules live in the cart, the checkout and the query.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::multipart::MultipartRejection;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post, put};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cart::Choice;
use super::checkout::{self, CheckoutInput};
use super::order::Order;
use super::payment::{self, CardInput};
use super::product::Product;
use super::query::CatalogueQuery;
use super::state::{CARD_IS_MISSING, Placing, ShopState, empty_cart, no_such_product};
use crate::reply::{ErrorReply, parse_body};
use crate::request::cookie;
use crate::upload::Form;

const CART_COOKIE: &str = "fernhill_cart";

type Shared = State<Arc<ShopState>>;

pub(crate) fn routes() -> Router<Arc<ShopState>> {
    Router::new()
        .route("/products", get(catalogue))
        .route("/products/{id}", get(product))
        .route("/cart", get(cart))
        .route("/cart/lines", post(add))
        .route("/cart/lines/{line}", put(change_line).delete(remove_line))
        .route("/cart/promo", put(set_promo).delete(remove_promo))
        .route("/cards", post(accept_card))
        .route("/orders", post(place_order))
        .route("/orders/{number}", get(order))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
}

/// The cart token of a browser, if it has one.
pub(crate) fn cart_token(headers: &HeaderMap) -> Option<String> {
    cookie(headers, CART_COOKIE)
}

async fn catalogue(
    State(state): Shared,
    query: Result<Query<CatalogueQuery>, QueryRejection>,
) -> Result<Json<Value>, ErrorReply> {
    let Query(query) = query.map_err(|_| ErrorReply::bad_request("The query of the address is not readable."))?;
    state.catalogue(&query).map(Json)
}

async fn product(State(state): Shared, Path(id): Path<String>) -> Result<Json<Product>, ErrorReply> {
    id.parse().ok().and_then(|id| state.product(id)).map(Json).ok_or_else(|| no_such_product(id))
}

async fn cart(State(state): Shared, headers: HeaderMap) -> Json<Value> {
    Json(state.cart(cart_token(&headers).as_deref()))
}

async fn add(State(state): Shared, headers: HeaderMap, body: Bytes) -> Result<Response, ErrorReply> {
    let choice: Choice = parse_body(&body)?;
    let (token, cart) = state.add(cart_token(&headers).as_deref(), &choice)?;
    let cookie = format!("{CART_COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax");
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(cart)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuantityRequest {
    quantity: u32,
}

async fn change_line(
    State(state): Shared,
    headers: HeaderMap,
    Path(line): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ErrorReply> {
    let line = line_number(&line)?;
    let request: QuantityRequest = parse_body(&body)?;
    let token = cart_token(&headers);
    state.change_cart(token.as_deref(), |cart| cart.set_quantity(line, request.quantity)).map(Json)
}

async fn remove_line(
    State(state): Shared,
    headers: HeaderMap,
    Path(line): Path<String>,
) -> Result<Json<Value>, ErrorReply> {
    let line = line_number(&line)?;
    state.change_cart(cart_token(&headers).as_deref(), |cart| cart.remove(line)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromoRequest {
    code: String,
}

async fn set_promo(State(state): Shared, headers: HeaderMap, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let request: PromoRequest = parse_body(&body)?;
    let token = cart_token(&headers);
    if state.cart_is_empty(token.as_deref()) {
        return Err(empty_cart());
    }
    state
        .change_cart(token.as_deref(), |cart| cart.set_promo(&request.code))
        .inspect_err(|_| state.count_refused_promo())
        .map(Json)
}

async fn remove_promo(State(state): Shared, headers: HeaderMap) -> Result<Json<Value>, ErrorReply> {
    let remove = |cart: &mut super::cart::Cart| {
        cart.promo = None;
        Ok(())
    };
    state.change_cart(cart_token(&headers).as_deref(), remove).map(Json)
}

/// Called by the payment frame, from its own origin and without the shop's cookie.
async fn accept_card(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Value>), ErrorReply> {
    let card = payment::check(parse_body::<CardInput>(&body)?)?;
    let last_four = card.last_four.clone();
    let token = state.accept_card(card);
    Ok((StatusCode::CREATED, Json(json!({ "token": token, "last_four": last_four }))))
}

/// A form of files and one text `order`, which is JSON: the fields have one reader for both.
async fn place_order(
    State(state): Shared,
    headers: HeaderMap,
    multipart: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<Order>), ErrorReply> {
    let mut form = Form::read(multipart).await?;
    let text = form.text("order").ok_or_else(|| ErrorReply::bad_request("The form has no text named order."))?;
    let input: CheckoutInput = parse_body(text.as_bytes())?;
    let token = cart_token(&headers);
    if state.cart_is_empty(token.as_deref()) {
        return Err(empty_cart());
    }
    let purchase_orders = form.take_files("purchase_order");
    let documents = form.take_files("documents");
    let details = checkout::check(&input);
    let mut problems = details.as_ref().err().cloned().unwrap_or_default();
    problems.extend(checkout::file_problems(&purchase_orders, &documents));
    if !state.card_is_known(&input.payment_token) {
        problems.insert("payment_token".to_owned(), Value::from(CARD_IS_MISSING));
    }
    let details = match details {
        Ok(details) if problems.is_empty() => details,
        _ => return Err(ErrorReply::invalid(problems)),
    };
    let placing = Placing {
        details,
        purchase_order: purchase_orders.into_iter().next().map(|file| file.facts),
        documents: documents.into_iter().map(|file| file.facts).collect(),
        payment_token: input.payment_token,
    };
    state.place_order(token.as_deref(), placing).map(|order| (StatusCode::CREATED, Json(order)))
}

async fn order(State(state): Shared, Path(number): Path<String>) -> Result<Json<Order>, ErrorReply> {
    state.order(&number).map(Json).ok_or_else(|| no_such_order(&number))
}

pub(crate) fn no_such_order(number: &str) -> ErrorReply {
    ErrorReply::not_found(format!("There is no order with the number {number}."))
}

/// Text that is no number cannot name a line, so it is "not found", not "bad request".
fn line_number(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| ErrorReply::not_found(format!("There is no line {text} in the cart.")))
}
