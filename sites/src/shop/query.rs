// Search, category filter and order of the catalogue. Separate from the routes so that the rules
// can be tested without HTTP.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::product::{CATEGORIES, Product};
use crate::reply::ErrorReply;

/// The query of `GET /api/products`; everything is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CatalogueQuery {
    q: String,
    category: String,
    sort: String,
}

/// The products the query asks for, with what the list needs to draw them.
pub(crate) fn run(products: &[Product], query: &CatalogueQuery) -> Result<Value, ErrorReply> {
    if !query.category.is_empty() && !CATEGORIES.contains(&query.category.as_str()) {
        return Err(ErrorReply::bad_request(format!("The category must be one of {}.", CATEGORIES.join(", "))));
    }
    let order: fn(&Product, &Product) -> std::cmp::Ordering = match query.sort.as_str() {
        "" | "featured" => |a, b| a.id.cmp(&b.id),
        "price_up" => |a, b| a.price_cents.cmp(&b.price_cents),
        "price_down" => |a, b| b.price_cents.cmp(&a.price_cents),
        "name" => |a, b| a.name.cmp(b.name),
        "rating" => |a, b| b.rating_tenths.cmp(&a.rating_tenths),
        _ => return Err(ErrorReply::bad_request("Sort by featured, price_up, price_down, name or rating.")),
    };
    let words: Vec<String> = query.q.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let found: Vec<&Product> = products.iter().filter(|product| matches_all(product, &words)).collect();
    // Counted before the category filter, so the links tell what following them would show.
    let mut counts = Map::new();
    counts.insert("All".to_owned(), json!(found.len()));
    for category in CATEGORIES {
        let count = found.iter().filter(|product| product.category == *category).count();
        counts.insert((*category).to_owned(), json!(count));
    }
    let mut shown: Vec<&Product> =
        found.into_iter().filter(|product| query.category.is_empty() || product.category == query.category).collect();
    // A stable sort: equal prices stay in the order of the ids.
    shown.sort_by(|a, b| order(a, b));
    Ok(json!({ "total": shown.len(), "counts": counts, "products": shown }))
}

/// Every word must occur somewhere, so that "wool scarf" narrows instead of widening.
fn matches_all(product: &Product, words: &[String]) -> bool {
    let text = format!("{}\n{}\n{}", product.name, product.category, product.blurb).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::seed;

    fn run_on_seed(q: &str, category: &str, sort: &str) -> Value {
        let query = CatalogueQuery { q: q.to_owned(), category: category.to_owned(), sort: sort.to_owned() };
        run(&seed::products(1), &query).unwrap()
    }

    #[test]
    fn searching_filters_and_counts() {
        let found = run_on_seed("WOOL", "Outerwear", "");
        assert!(found["total"].as_u64().unwrap() >= 2);
        assert_eq!(found["counts"]["Outerwear"], found["total"]);
        assert!(found["counts"]["All"].as_u64() > found["total"].as_u64());
        assert_eq!(run_on_seed("enamel mug", "", "")["total"], 1);
        assert_eq!(run_on_seed("", "Camp", "")["total"], 7);
    }

    #[test]
    fn orders() {
        for (sort, key, rises) in [("price_up", "price_cents", true), ("price_down", "price_cents", false)] {
            let found = run_on_seed("", "", sort);
            let prices: Vec<u64> =
                found["products"].as_array().unwrap().iter().map(|p| p[key].as_u64().unwrap()).collect();
            assert!(prices.is_sorted_by(|a, b| if rises { a <= b } else { a >= b }), "{sort}");
        }
        assert_eq!(run_on_seed("", "", "name")["products"][0]["name"], "Brookside Enamel Mug");
    }
}
