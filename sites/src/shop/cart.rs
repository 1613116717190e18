// What a buyer has chosen and what it costs. Separate because the rules on options, quantities,
// promo codes and sums are the same for the cart page, the checkout and the finished order.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::product::Product;
use crate::reply::ErrorReply;

pub(crate) const MOST_PER_LINE: u32 = 20;
const MOST_LINES: usize = 50;
/// From this sum of goods on, delivery costs nothing.
pub(crate) const FREE_DELIVERY_CENTS: u32 = 7_500;
const DELIVERY_CENTS: u32 = 650;
pub(crate) const GIFT_WRAP_CENTS: u32 = 450;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Promo {
    pub(crate) code: &'static str,
    pub(crate) percent: u32,
}

pub(crate) const PROMOS: &[Promo] = &[Promo { code: "FERN10", percent: 10 }];

#[derive(Debug, Clone, Default)]
pub(crate) struct Cart {
    pub(crate) lines: Vec<Line>,
    pub(crate) promo: Option<Promo>,
    next_line: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Line {
    pub(crate) line: u32,
    pub(crate) product: u32,
    pub(crate) name: &'static str,
    pub(crate) art: &'static str,
    pub(crate) size: &'static str,
    pub(crate) colour: &'static str,
    pub(crate) colour_hex: &'static str,
    pub(crate) extras: Vec<&'static str>,
    pub(crate) quantity: u32,
    pub(crate) unit_cents: u32,
    pub(crate) total_cents: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Totals {
    pub(crate) subtotal_cents: u32,
    pub(crate) discount_cents: u32,
    pub(crate) delivery_cents: u32,
    pub(crate) gift_wrap_cents: u32,
    pub(crate) total_cents: u32,
}

/// What the product page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    pub(crate) product: u32,
    #[serde(default)]
    size: String,
    #[serde(default)]
    colour: String,
    #[serde(default)]
    extras: Vec<String>,
    #[serde(default)]
    quantity: u32,
}

impl Cart {
    /// Puts a choice in; the same choice twice becomes one line with the sum of both.
    pub(crate) fn add(&mut self, product: &Product, choice: &Choice) -> Result<(), ErrorReply> {
        let chosen = checked(product, choice)?;
        if let Some(line) = self.lines.iter_mut().find(|line| line.is_same_choice(&chosen)) {
            let quantity = line.quantity + chosen.quantity;
            check_quantity(quantity)?;
            line.set_quantity(quantity);
            return Ok(());
        }
        if self.lines.len() >= MOST_LINES {
            return Err(ErrorReply::new(StatusCode::CONFLICT, "cart_full", "The cart has no room for another line."));
        }
        self.next_line += 1;
        self.lines.push(Line { line: self.next_line, ..chosen });
        Ok(())
    }

    pub(crate) fn set_quantity(&mut self, line: u32, quantity: u32) -> Result<(), ErrorReply> {
        let found = self.lines.iter_mut().find(|known| known.line == line).ok_or_else(|| no_such_line(line))?;
        check_quantity(quantity)?;
        found.set_quantity(quantity);
        Ok(())
    }

    pub(crate) fn remove(&mut self, line: u32) -> Result<(), ErrorReply> {
        let place = self.lines.iter().position(|known| known.line == line).ok_or_else(|| no_such_line(line))?;
        self.lines.remove(place);
        Ok(())
    }

    pub(crate) fn set_promo(&mut self, code: &str) -> Result<(), ErrorReply> {
        let code = code.trim();
        let known = PROMOS.iter().find(|promo| promo.code.eq_ignore_ascii_case(code));
        let problem = if code.is_empty() { "Enter a code." } else { "This code is not valid." };
        self.promo = Some(*known.ok_or_else(|| invalid([("code", problem)]))?);
        Ok(())
    }

    pub(crate) fn totals(&self, gift_wrap: bool) -> Totals {
        let subtotal_cents: u32 = self.lines.iter().map(|line| line.total_cents).sum();
        let discount_cents = self.promo.map_or(0, |promo| subtotal_cents * promo.percent / 100);
        let goods_cents = subtotal_cents - discount_cents;
        let is_free = self.lines.is_empty() || goods_cents >= FREE_DELIVERY_CENTS;
        let delivery_cents = if is_free { 0 } else { DELIVERY_CENTS };
        let gift_wrap_cents = if gift_wrap { GIFT_WRAP_CENTS } else { 0 };
        let total_cents = goods_cents + delivery_cents + gift_wrap_cents;
        Totals { subtotal_cents, discount_cents, delivery_cents, gift_wrap_cents, total_cents }
    }
}

impl Line {
    fn set_quantity(&mut self, quantity: u32) {
        self.quantity = quantity;
        self.total_cents = self.unit_cents * quantity;
    }

    fn is_same_choice(&self, other: &Line) -> bool {
        (self.product, self.size, self.colour) == (other.product, other.size, other.colour)
            && self.extras == other.extras
    }
}

/// The line a choice makes, or an error that names every field that is wrong.
fn checked(product: &Product, choice: &Choice) -> Result<Line, ErrorReply> {
    let size = product.sizes.iter().find(|size| size.name == choice.size);
    let colour = product.colours.iter().find(|colour| colour.name == choice.colour);
    // In the order of the product, so that two ways to choose the same extras are the same choice.
    let extras: Vec<_> = product.extras.iter().filter(|extra| choice.extras.iter().any(|c| c == extra.name)).collect();
    let extras_are_known = choice.extras.iter().all(|name| product.extras.iter().any(|extra| extra.name == name));
    let mut problems = Map::new();
    let mut report = |field: &str, problem: &str| problems.insert(field.to_owned(), Value::from(problem));
    if size.is_none() {
        report("size", "Choose a size.");
    }
    match colour {
        None => drop(report("colour", "Choose a colour.")),
        Some(colour) if !colour.in_stock => drop(report("colour", "This colour is sold out.")),
        Some(_) => {}
    }
    if !extras_are_known {
        report("extras", "Choose extras from the list.");
    }
    if let Some(problem) = quantity_problem(choice.quantity) {
        report("quantity", problem);
    }
    match (size, colour) {
        (Some(size), Some(colour)) if problems.is_empty() => {
            let extras_cents: u32 = extras.iter().map(|extra| extra.extra_cents).sum();
            let unit_cents = product.price_cents + size.extra_cents + extras_cents;
            Ok(Line {
                line: 0,
                product: product.id,
                name: product.name,
                art: product.art,
                size: size.name,
                colour: colour.name,
                colour_hex: colour.hex,
                extras: extras.iter().map(|extra| extra.name).collect(),
                quantity: choice.quantity,
                unit_cents,
                total_cents: unit_cents * choice.quantity,
            })
        }
        _ => Err(ErrorReply::invalid(problems)),
    }
}

fn quantity_problem(quantity: u32) -> Option<&'static str> {
    (!(1..=MOST_PER_LINE).contains(&quantity)).then_some("Choose a quantity from 1 to 20.")
}

fn check_quantity(quantity: u32) -> Result<(), ErrorReply> {
    quantity_problem(quantity).map_or(Ok(()), |problem| Err(invalid([("quantity", problem)])))
}

fn no_such_line(line: u32) -> ErrorReply {
    ErrorReply::not_found(format!("There is no line {line} in the cart."))
}

/// The error that names these fields.
pub(crate) fn invalid<const N: usize>(problems: [(&str, &str); N]) -> ErrorReply {
    ErrorReply::invalid(problems.into_iter().map(|(field, problem)| (field.to_owned(), Value::from(problem))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::seed;

    fn choice(size: &str, colour: &str, extras: &[&str], quantity: u32) -> Choice {
        Choice {
            product: 201,
            size: size.to_owned(),
            colour: colour.to_owned(),
            extras: extras.iter().map(|extra| (*extra).to_owned()).collect(),
            quantity,
        }
    }

    #[test]
    fn sums_with_options_promo_delivery_and_wrapping() {
        let products = seed::products(1);
        let mut cart = Cart::default();
        assert_eq!(cart.totals(false).total_cents, 0);
        cart.add(&products[0], &choice("XXL", "Moss", &["Monogram"], 2)).unwrap();
        assert_eq!(cart.lines[0].unit_cents, 14_800 + 600 + 800);
        cart.set_promo(" fern10 ").unwrap();
        let totals = cart.totals(true);
        assert_eq!(totals.subtotal_cents, 32_400);
        assert_eq!(totals.discount_cents, 3_240);
        assert_eq!(totals.delivery_cents, 0);
        assert_eq!(totals.total_cents, 32_400 - 3_240 + 450);
        cart.remove(1).unwrap();
        let mug = Choice { product: 234, ..choice("Single", "Moss", &[], 1) };
        cart.add(&products[33], &mug).unwrap();
        assert_eq!(cart.totals(false).total_cents, 1_400 - 140 + 650);
        assert_eq!(cart.lines[0].line, 2, "line numbers are never used twice");
    }

    #[test]
    fn the_same_choice_joins_and_wrong_choices_name_their_fields() {
        let products = seed::products(1);
        let mut cart = Cart::default();
        cart.add(&products[0], &choice("M", "Moss", &["Monogram", "Repair kit"], 1)).unwrap();
        cart.add(&products[0], &choice("M", "Moss", &["Repair kit", "Monogram"], 2)).unwrap();
        assert_eq!((cart.lines.len(), cart.lines[0].quantity), (1, 3));
        assert!(cart.add(&products[0], &choice("M", "Moss", &["Monogram", "Repair kit"], 18)).is_err());
        for (wrong, field) in [
            (choice("", "Moss", &[], 1), "size"),
            (choice("M", "Plum", &[], 1), "colour"),
            (choice("M", "Moss", &["Jetpack"], 1), "extras"),
            (choice("M", "Moss", &[], 0), "quantity"),
            (choice("M", "Moss", &[], 21), "quantity"),
        ] {
            let reply = cart.add(&products[0], &wrong).unwrap_err();
            assert_eq!(reply.fields.keys().collect::<Vec<_>>(), [field]);
        }
        assert!(cart.set_promo("FERN99").is_err());
        assert_eq!(cart.promo, None);
    }
}
