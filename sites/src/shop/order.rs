// A finished order and the invoice made from it. Separate because an order must stay as it was
// placed, whatever happens to the cart or the catalogue afterwards.

use serde::Serialize;

use super::cart::{Line, Promo, Totals};
use crate::upload::FileFacts;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Order {
    pub(crate) number: String,
    pub(crate) items: Vec<Line>,
    pub(crate) promo: Option<Promo>,
    pub(crate) totals: Totals,
    #[serde(flatten)]
    pub(crate) details: Details,
    pub(crate) purchase_order: Option<FileFacts>,
    pub(crate) documents: Vec<FileFacts>,
    pub(crate) card: CardFacts,
}

/// What the checkout form says, after the checks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Details {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) address: Address,
    /// `YYYY-MM-DD`.
    pub(crate) delivery_date: String,
    /// `HH:MM`.
    pub(crate) delivery_time: String,
    /// The colour as `#rrggbb`; null without gift wrap.
    pub(crate) gift_wrap: Option<String>,
    pub(crate) notes: String,
    pub(crate) newsletter: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Address {
    pub(crate) street: String,
    pub(crate) city: String,
    pub(crate) postcode: String,
    pub(crate) country: &'static str,
    pub(crate) country_code: &'static str,
}

/// All that is ever known about a card here: the number stays in the payment frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CardFacts {
    pub(crate) brand: String,
    pub(crate) last_four: String,
    /// `MM/YY`.
    pub(crate) expiry: String,
}

impl Order {
    /// The lines of the invoice, as they are printed.
    pub(crate) fn invoice_lines(&self) -> Vec<String> {
        let details = &self.details;
        let address = &details.address;
        let mut lines = vec![
            "FERNHILL SUPPLY".to_owned(),
            format!("Invoice {}", self.number),
            String::new(),
            details.name.clone(),
            address.street.clone(),
            format!("{} {}", address.postcode, address.city),
            address.country.to_owned(),
            String::new(),
            format!("Delivery {} at {}", details.delivery_date, details.delivery_time),
            String::new(),
        ];
        for item in &self.items {
            lines.push(row(&format!("{} x {}", item.quantity, item.name), item.total_cents));
            let extras: String = item.extras.iter().map(|extra| format!(", {extra}")).collect();
            lines.push(format!("    {}, {}{extras}", item.size, item.colour));
        }
        lines.push(String::new());
        lines.push(row("Subtotal", self.totals.subtotal_cents));
        if let Some(promo) = self.promo {
            lines.push(format!(
                "{:<52}{:>14}",
                format!("Code {}", promo.code),
                format!("-{}", money(self.totals.discount_cents))
            ));
        }
        lines.push(row("Delivery", self.totals.delivery_cents));
        if details.gift_wrap.is_some() {
            lines.push(row("Gift wrap", self.totals.gift_wrap_cents));
        }
        lines.push(row("Total", self.totals.total_cents));
        lines.push(String::new());
        lines.push(format!("Paid by {} ending in {}", self.card.brand, self.card.last_four));
        lines
    }
}

fn row(label: &str, cents: u32) -> String {
    format!("{label:<52}{:>14}", money(cents))
}

fn money(cents: u32) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
