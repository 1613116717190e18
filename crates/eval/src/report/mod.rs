//! What an experiment found, for the terminal and as one web page each.

mod ablation_page;
mod ablation_text;
mod consistency_page;
mod consistency_text;
mod done_page;
mod done_text;
mod lessons_page;
mod lines;
mod memory_page;
mod page;
mod plot;
mod rows;

pub use ablation_page::ablation_html;
pub use ablation_text::ablation_text;
pub use consistency_page::consistency_html;
pub use consistency_text::consistency_text;
pub use done_page::done_html;
pub use done_text::done_text;
pub use lessons_page::lessons_html;
pub use memory_page::{memory_html, memory_text};

use crate::compare::{Figure, Kind};

/// A figure as it is shown.
fn shown(kind: Kind, value: f64) -> String {
    match kind {
        Kind::Count => format!("{value:.0}"),
        Kind::Mean | Kind::Seconds => format!("{value:.1}"),
    }
}

/// The difference with its sign, and what share of the second arm it is where that says something.
fn difference(figure: &Figure) -> String {
    let number = shown(figure.kind, figure.difference.abs());
    if number.chars().all(|digit| matches!(digit, '0' | '.')) {
        return "0".into();
    }
    let sign = if figure.difference < 0.0 { '-' } else { '+' };
    match figure.kind {
        Kind::Count => format!("{sign}{number}"),
        Kind::Mean | Kind::Seconds if figure.arms[1] == 0.0 => format!("{sign}{number}"),
        Kind::Mean | Kind::Seconds => {
            let share = 100.0 * figure.difference.abs() / figure.arms[1];
            format!("{sign}{number} ({sign}{share:.0} %)")
        }
    }
}

/// How many of how many, and the share.
fn share(value: Option<f64>) -> String {
    value.map_or("none to judge".into(), |value| format!("{:.1} %", value * 100.0))
}
