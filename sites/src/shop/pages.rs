// The HTML pages, the payment frame and the invoice download. The server fills in only what must be
// right before any script runs: title, which record, lists of options, and the frame's address.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::api::{cart_token, no_such_order};
use super::checkout::{FIRST_DELIVERY, FIRST_TIME, LAST_DELIVERY, LAST_TIME};
use super::countries::COUNTRIES;
use super::invoice;
use super::payment::Origins;
use super::state::ShopState;
use crate::page::{Fill, fill};
use crate::reply::{ErrorReply, html};
use crate::request::wants_page;

const SHELL: &str = include_str!("../../shop/shell.html");
const CATALOGUE: &str = include_str!("../../shop/catalogue.html");
const PRODUCT: &str = include_str!("../../shop/product.html");
const CART: &str = include_str!("../../shop/cart.html");
const CHECKOUT: &str = include_str!("../../shop/checkout.html");
const ORDER: &str = include_str!("../../shop/order.html");
const PAY: &str = include_str!("../../shop/pay.html");
const MISSING: &str = include_str!("../../shop/missing.html");

type Shared = State<Arc<ShopState>>;

pub(crate) fn routes() -> Router<Arc<ShopState>> {
    Router::new()
        .route("/", get(catalogue))
        .route("/products/{id}", get(product))
        .route("/cart", get(cart))
        .route("/checkout", get(checkout))
        .route("/orders/{number}", get(order))
        .route("/orders/{number}/invoice", get(order_invoice))
        .route("/pay", get(pay))
}

/// Everything no route knows: people get a page, programs get JSON.
pub(crate) async fn missing(headers: HeaderMap, uri: Uri) -> Response {
    if wants_page(&headers) {
        return missing_page();
    }
    ErrorReply::not_found(format!("There is nothing at {}.", uri.path())).into_response()
}

async fn catalogue() -> Response {
    shell(StatusCode::OK, "Fernhill Supply", CATALOGUE)
}

async fn product(State(state): Shared, Path(id): Path<String>) -> Response {
    let Some(product) = id.parse().ok().and_then(|id| state.product(id)) else {
        return missing_page();
    };
    let id = product.id.to_string();
    let content = fill(
        PRODUCT,
        &[
            ("id", Fill::Text(&id)),
            ("name", Fill::Text(product.name)),
            ("category", Fill::Text(product.category)),
            ("blurb", Fill::Text(product.blurb)),
        ],
    );
    shell(StatusCode::OK, &format!("{} · Fernhill Supply", product.name), &content)
}

async fn cart() -> Response {
    shell(StatusCode::OK, "Your cart · Fernhill Supply", CART)
}

async fn checkout(State(state): Shared, headers: HeaderMap) -> Response {
    if state.cart_is_empty(cart_token(&headers).as_deref()) {
        return Redirect::to("/cart").into_response();
    }
    let origins = Origins::of(&headers);
    let countries: String =
        COUNTRIES.iter().map(|(code, name)| format!("<option value=\"{code}\">{name}</option>\n")).collect();
    let content = fill(
        CHECKOUT,
        &[
            ("page_origin", Fill::Text(&origins.page)),
            ("frame_origin", Fill::Text(&origins.frame)),
            ("countries", Fill::Markup(&countries)),
            ("first_delivery", Fill::Text(FIRST_DELIVERY)),
            ("last_delivery", Fill::Text(LAST_DELIVERY)),
            ("first_time", Fill::Text(FIRST_TIME)),
            ("last_time", Fill::Text(LAST_TIME)),
        ],
    );
    shell(StatusCode::OK, "Checkout · Fernhill Supply", &content)
}

async fn order(State(state): Shared, Path(number): Path<String>) -> Response {
    let Some(order) = state.order(&number) else {
        return missing_page();
    };
    let content = fill(ORDER, &[("number", Fill::Text(&order.number)), ("email", Fill::Text(&order.details.email))]);
    shell(StatusCode::OK, &format!("Order {} · Fernhill Supply", order.number), &content)
}

async fn order_invoice(State(state): Shared, Path(number): Path<String>) -> Result<Response, ErrorReply> {
    let order = state.order(&number).ok_or_else(|| no_such_order(&number))?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"invoice-{}.pdf\"", order.number)),
    ];
    Ok((headers, invoice::pdf(&order.invoice_lines())).into_response())
}

/// The payment box: a page of its own, made to be framed by the checkout of the other origin.
async fn pay(headers: HeaderMap) -> Response {
    // The page around the frame is the one under the other name, seen from here.
    let origins = Origins::of(&headers);
    html(StatusCode::OK, fill(PAY, &[("parent_origin", Fill::Text(&origins.frame))]))
}

fn missing_page() -> Response {
    shell(StatusCode::NOT_FOUND, "Page not found · Fernhill Supply", MISSING)
}

/// A page inside the frame of header and footer.
fn shell(status: StatusCode, title: &str, content: &str) -> Response {
    html(status, fill(SHELL, &[("title", Fill::Text(title)), ("content", Fill::Markup(content))]))
}
