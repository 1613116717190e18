// The one place that changes shop data. Behind a lock that is never held across an await: every
// method takes it, does its work and lets go.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::cart::{Cart, Choice, FREE_DELIVERY_CENTS, PROMOS};
use super::order::{CardFacts, Details, Order};
use super::product::Product;
use super::query::{self, CatalogueQuery};
use super::seed;
use crate::parts::SiteState;
use crate::random::unrepeatable;
use crate::reply::ErrorReply;
use crate::upload::FileFacts;

/// Old carts and cards give way, so a script that makes them for ever does not fill the memory.
const MOST_CARTS: usize = 200;
const MOST_CARDS: usize = 200;
const FIRST_ORDER: usize = 10_001;

#[derive(Debug)]
pub(crate) struct ShopState {
    data: Mutex<Data>,
}

#[derive(Debug)]
struct Data {
    seed: u64,
    products: Vec<Product>,
    carts: VecDeque<OwnedCart>,
    carts_made: u32,
    /// Cards that were handed over and not yet charged, by token.
    cards: VecDeque<(String, CardFacts)>,
    cards_accepted: u32,
    promos_refused: u32,
    orders: Vec<Order>,
}

#[derive(Debug)]
struct OwnedCart {
    /// What the browser's cookie carries; never told, because it cannot be the same twice.
    token: String,
    number: u32,
    cart: Cart,
}

/// What an order needs besides the cart and the card.
pub(crate) struct Placing {
    pub(crate) details: Details,
    pub(crate) purchase_order: Option<FileFacts>,
    pub(crate) documents: Vec<FileFacts>,
    pub(crate) payment_token: String,
}

impl ShopState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { data: Mutex::new(Data::new(seed)) }
    }

    pub(crate) fn catalogue(&self, query: &CatalogueQuery) -> Result<Value, ErrorReply> {
        query::run(&self.lock().products, query)
    }

    pub(crate) fn product(&self, id: u32) -> Option<Product> {
        self.lock().products.iter().find(|product| product.id == id).cloned()
    }

    /// The cart of a cookie as the pages show it; a browser without one sees an empty cart.
    pub(crate) fn cart(&self, token: Option<&str>) -> Value {
        match self.lock().owned_cart(token) {
            Some(owned) => cart_json(&owned.cart),
            None => cart_json(&Cart::default()),
        }
    }

    /// Adds to the cart of the cookie and tells the token the browser must keep from now on.
    pub(crate) fn add(&self, token: Option<&str>, choice: &Choice) -> Result<(String, Value), ErrorReply> {
        let mut data = self.lock();
        let product = data
            .products
            .iter()
            .find(|product| product.id == choice.product)
            .cloned()
            .ok_or_else(|| no_such_product(choice.product))?;
        // Tried on a copy first, so that a refused choice does not leave an empty cart behind.
        let mut cart = data.owned_cart(token).map(|owned| owned.cart.clone()).unwrap_or_default();
        cart.add(&product, choice)?;
        let answer = cart_json(&cart);
        if let Some(owned) = data.owned_cart(token) {
            owned.cart = cart;
            return Ok((owned.token.clone(), answer));
        }
        data.carts_made += 1;
        let owned = OwnedCart { token: random_token(), number: data.carts_made, cart };
        let token = owned.token.clone();
        if data.carts.len() == MOST_CARTS {
            data.carts.pop_front();
        }
        data.carts.push_back(owned);
        Ok((token, answer))
    }

    /// Changes the cart of the cookie; a change that fails leaves it as it was.
    pub(crate) fn change_cart(
        &self,
        token: Option<&str>,
        change: impl FnOnce(&mut Cart) -> Result<(), ErrorReply>,
    ) -> Result<Value, ErrorReply> {
        let mut data = self.lock();
        match data.owned_cart(token) {
            Some(owned) => change(&mut owned.cart).map(|()| cart_json(&owned.cart)),
            // Without a cart every change fails by itself: there is no line to find.
            None => change(&mut Cart::default()).map(|()| cart_json(&Cart::default())),
        }
    }

    pub(crate) fn count_refused_promo(&self) {
        self.lock().promos_refused += 1;
    }

    /// Keeps the facts of a card and gives the token that stands for it, good for one order.
    pub(crate) fn accept_card(&self, card: CardFacts) -> String {
        let mut data = self.lock();
        if data.cards.len() == MOST_CARDS {
            data.cards.pop_front();
        }
        let token = format!("card_{}", random_token());
        data.cards.push_back((token.clone(), card));
        data.cards_accepted += 1;
        token
    }

    pub(crate) fn card_is_known(&self, token: &str) -> bool {
        self.lock().cards.iter().any(|(known, _)| known == token)
    }

    pub(crate) fn cart_is_empty(&self, token: Option<&str>) -> bool {
        self.lock().owned_cart(token).is_none_or(|owned| owned.cart.lines.is_empty())
    }

    /// Turns the cart into an order and empties it; the card token is used up.
    pub(crate) fn place_order(&self, token: Option<&str>, placing: Placing) -> Result<Order, ErrorReply> {
        let mut data = self.lock();
        let number = format!("FH-{}", FIRST_ORDER + data.orders.len());
        let card = data
            .cards
            .iter()
            .position(|(known, _)| *known == placing.payment_token)
            .ok_or_else(|| super::cart::invalid([("payment_token", CARD_IS_MISSING)]))?;
        let cart = match data.owned_cart(token) {
            Some(owned) if !owned.cart.lines.is_empty() => std::mem::take(&mut owned.cart),
            _ => return Err(empty_cart()),
        };
        let (_, card) = data.cards.remove(card).ok_or_else(empty_cart)?;
        let order = Order {
            number,
            totals: cart.totals(placing.details.gift_wrap.is_some()),
            promo: cart.promo,
            items: cart.lines,
            details: placing.details,
            purchase_order: placing.purchase_order,
            documents: placing.documents,
            card,
        };
        data.orders.push(order.clone());
        Ok(order)
    }

    pub(crate) fn order(&self, number: &str) -> Option<Order> {
        self.lock().orders.iter().find(|order| order.number == number).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Data> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteState for ShopState {
    fn snapshot(&self) -> Value {
        let data = self.lock();
        let carts: Vec<Value> = data
            .carts
            .iter()
            .map(|owned| {
                let mut cart = cart_json(&owned.cart);
                cart["number"] = json!(owned.number);
                cart
            })
            .collect();
        json!({
            "seed": data.seed,
            "products": data.products,
            "promo_codes": PROMOS,
            "promos_refused": data.promos_refused,
            "carts": carts,
            "cards_accepted": data.cards_accepted,
            "orders": data.orders,
        })
    }

    fn reset(&self, seed: u64) {
        *self.lock() = Data::new(seed);
    }
}

pub(crate) const CARD_IS_MISSING: &str = "Enter the card details.";

/// The answer to an id that no product has.
pub(crate) fn no_such_product(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no product with the number {id}."))
}

pub(crate) fn empty_cart() -> ErrorReply {
    ErrorReply::new(axum::http::StatusCode::CONFLICT, "cart_empty", "The cart is empty.")
}

impl Data {
    fn new(seed: u64) -> Self {
        Self {
            seed,
            products: seed::products(seed),
            carts: VecDeque::new(),
            carts_made: 0,
            cards: VecDeque::new(),
            cards_accepted: 0,
            promos_refused: 0,
            orders: Vec::new(),
        }
    }

    fn owned_cart(&mut self, token: Option<&str>) -> Option<&mut OwnedCart> {
        let token = token?;
        self.carts.iter_mut().find(|owned| owned.token == token)
    }
}

fn cart_json(cart: &Cart) -> Value {
    let pieces: u32 = cart.lines.iter().map(|line| line.quantity).sum();
    json!({
        "lines": cart.lines,
        "pieces": pieces,
        "promo": cart.promo,
        "totals": cart.totals(false),
        "free_delivery_from_cents": FREE_DELIVERY_CENTS,
    })
}

fn random_token() -> String {
    format!("{:016x}{:016x}", unrepeatable(), unrepeatable())
}
