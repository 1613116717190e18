//! What an answer costs. Estimates: the provider's bill is the truth.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(from = "Given")]
pub(crate) struct Price {
    pub(crate) input: f64,
    pub(crate) output: f64,
    pub(crate) cache_read: f64,
    pub(crate) cache_write: f64,
}

/// What one answer, or a run, took. The four do not overlap: `input` is what was neither read from the provider's
/// cache nor written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Tokens {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cache_read: u64,
    pub(crate) cache_write: u64,
}

/// A cache price that is not given is that of input, so that an estimate is rather too high.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

/// In dollars.
pub(crate) fn cost(price: &Price, tokens: &Tokens) -> f64 {
    // Token counts are far below 2^53, where a float is still exact.
    let part = |count: u64, dollars: f64| count as f64 * dollars;
    (part(tokens.input, price.input)
        + part(tokens.output, price.output)
        + part(tokens.cache_read, price.cache_read)
        + part(tokens.cache_write, price.cache_write))
        / 1e6
}

/// A user's own price: `IN/OUT` or `IN/OUT/CACHE_READ/CACHE_WRITE`. `Err` is one sentence.
pub(crate) fn read_price(text: &str) -> Result<Price, String> {
    let numbers: Option<Vec<f64>> = text.split('/').map(|part| part.trim().parse().ok()).collect();
    let price = match numbers.as_deref() {
        Some(&[input, output]) => Some(Given { input, output, cache_read: None, cache_write: None }.into()),
        Some(&[input, output, cache_read, cache_write]) => Some(Price { input, output, cache_read, cache_write }),
        _ => None,
    };
    price.filter(Price::is_sound).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!(
            "the price {shown:?} is not understood; hint: write dollars per million tokens as IN/OUT or \
             IN/OUT/CACHE_READ/CACHE_WRITE, like 3/15 or 3/15/0.3/3.75"
        )
    })
}

impl Price {
    pub(super) fn is_sound(&self) -> bool {
        [self.input, self.output, self.cache_read, self.cache_write].iter().all(|part| part.is_finite() && *part >= 0.0)
    }
}

impl From<Given> for Price {
    fn from(given: Given) -> Price {
        Price {
            input: given.input,
            output: given.output,
            cache_read: given.cache_read.unwrap_or(given.input),
            cache_write: given.cache_write.unwrap_or(given.input),
        }
    }
}

/// Saturating, since the counts come from outside.
impl Add for Tokens {
    type Output = Tokens;

    fn add(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Tokens) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SONNET: Price = Price { input: 3.0, output: 15.0, cache_read: 0.3, cache_write: 3.75 };

    #[test]
    fn each_kind_of_token_has_its_price() {
        let tokens = Tokens { input: 1_000_000, output: 100_000, cache_read: 2_000_000, cache_write: 400_000 };
        assert_eq!(cost(&SONNET, &tokens), 3.0 + 1.5 + 0.6 + 1.5);
        assert_eq!(cost(&SONNET, &Tokens::default()), 0.0);
    }

    #[test]
    fn tokens_add_up_and_do_not_overflow() {
        let mut sum = Tokens { input: 1, output: 2, cache_read: 3, cache_write: 4 };
        sum += Tokens { input: 10, output: 20, cache_read: 30, cache_write: 40 };
        assert_eq!(sum, Tokens { input: 11, output: 22, cache_read: 33, cache_write: 44 });
        let most = Tokens { input: u64::MAX, ..Tokens::default() };
        assert_eq!((most + sum).input, u64::MAX);
        let json = serde_json::to_value(sum).unwrap();
        assert_eq!(json, serde_json::json!({"input": 11, "output": 22, "cache_read": 33, "cache_write": 44}));
    }

    #[test]
    fn a_user_gives_two_numbers_or_four() {
        assert_eq!(read_price("3/15/0.3/3.75"), Ok(SONNET));
        let two = Price { input: 2.5, output: 10.0, cache_read: 2.5, cache_write: 2.5 };
        assert_eq!(read_price(" 2.5 / 10 "), Ok(two));
        assert_eq!(read_price("0/0").map(|price| cost(&price, &Tokens { input: 5, ..Tokens::default() })), Ok(0.0));
        for wrong in ["", "3", "3/", "3/15/1", "a/b", "3/-1", "nan/1", "inf/1", "1/2/3/4/5", "$3/$15"] {
            let sentence = read_price(wrong).unwrap_err();
            assert!(sentence.contains("; hint: ") && !sentence.contains('\n'), "{sentence}");
        }
    }
}
