// Fernhill Supply: the routes of the site and its embedded assets. Each concern has its own file;
// this one only joins them.

mod api;
mod cart;
mod checkout;
mod countries;
mod invoice;
mod order;
mod pages;
mod payment;
mod product;
mod products;
mod query;
mod seed;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path};
use axum::routing::get;

use crate::parts::{DEFAULT_SEED, SiteParts, UPLOAD_BYTES};
use crate::reply::{self, Asset, SCRIPT, STYLE};
use state::ShopState;

/// The site with the catalogue of the default seed.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(ShopState::new(DEFAULT_SEED));
    let router = Router::new()
        .merge(pages::routes())
        .nest("/api", api::routes())
        .route("/assets/{name}", get(asset))
        .fallback(pages::missing)
        // The server around the site has the limit that counts; axum's own would be lower.
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: UPLOAD_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../shop/base.css")),
    ("shell.css", STYLE, include_str!("../../shop/shell.css")),
    ("catalogue.css", STYLE, include_str!("../../shop/catalogue.css")),
    ("product.css", STYLE, include_str!("../../shop/product.css")),
    ("cart.css", STYLE, include_str!("../../shop/cart.css")),
    ("checkout.css", STYLE, include_str!("../../shop/checkout.css")),
    ("order.css", STYLE, include_str!("../../shop/order.css")),
    ("pay.css", STYLE, include_str!("../../shop/pay.css")),
    ("common.js", SCRIPT, include_str!("../../shop/common.js")),
    ("art.js", SCRIPT, include_str!("../../shop/art.js")),
    ("shell.js", SCRIPT, include_str!("../../shop/shell.js")),
    ("catalogue.js", SCRIPT, include_str!("../../shop/catalogue.js")),
    ("product.js", SCRIPT, include_str!("../../shop/product.js")),
    ("cart.js", SCRIPT, include_str!("../../shop/cart.js")),
    ("checkout.js", SCRIPT, include_str!("../../shop/checkout.js")),
    ("files.js", SCRIPT, include_str!("../../shop/files.js")),
    ("order.js", SCRIPT, include_str!("../../shop/order.js")),
    ("pay.js", SCRIPT, include_str!("../../shop/pay.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../shop/icon.svg")),
];

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    reply::asset(ASSETS, &name)
}
