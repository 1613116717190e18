// Generates the catalogue of a seed. Separate from the state so that "same seed, same data" can be
// tested without a server.

use super::product::{COLOURS, Colour, Product, extras, sizes};
use super::products::{ENTRIES, Entry};
use crate::random::Random;

pub(crate) const FIRST_ID: u32 = 201;

/// The products of a seed, by rising id.
pub(crate) fn products(seed: u64) -> Vec<Product> {
    let mut random = Random::new(seed);
    (FIRST_ID..).zip(ENTRIES).map(|(id, entry)| product(&mut random, id, entry)).collect()
}

fn product(random: &mut Random, id: u32, entry: &Entry) -> Product {
    // Drawn even where a fixed value is used, so that fixing a product does not shift all others.
    let change = 88 + random.below(25) as u32;
    let changed_cents = entry.about_cents * change / 100 / 50 * 50;
    let drawn_colours = colours(random);
    let (price_cents, colours) = match entry.sold_out {
        Some(sold_out) => (entry.about_cents, fixed_colours(sold_out)),
        None => (changed_cents, drawn_colours),
    };
    Product {
        id,
        name: entry.name,
        category: entry.category,
        art: entry.art,
        blurb: entry.blurb,
        price_cents,
        rating_tenths: 36 + random.below(14) as u32,
        reviews: 4 + random.below(320) as u32,
        is_new: random.chance(15),
        sizes: sizes(entry.category),
        colours,
        extras: extras(entry.category),
    }
}

/// Every core colour and two to four of the others; up to two of them are sold out.
fn colours(random: &mut Random) -> Vec<Colour> {
    let left_out = [4 + random.below(4), 4 + random.below(4)];
    let sold_out = [random.below(COLOURS.len() as u64), 1 + random.below(COLOURS.len() as u64)];
    all_colours(|index, _| !sold_out.contains(&(index as u64)))
        .enumerate()
        .filter(|(index, _)| !left_out.contains(&(*index as u64)))
        .map(|(_, colour)| colour)
        .collect()
}

fn fixed_colours(sold_out: &[&str]) -> Vec<Colour> {
    all_colours(|_, name| !sold_out.contains(&name)).collect()
}

fn all_colours(in_stock: impl Fn(usize, &str) -> bool) -> impl Iterator<Item = Colour> {
    COLOURS.iter().enumerate().map(move |(index, &(name, hex, group))| Colour {
        name,
        hex,
        group,
        in_stock: in_stock(index, name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::product::CATEGORIES;

    #[test]
    fn a_seed_always_gives_the_same_products_and_another_seed_gives_others() {
        assert_eq!(products(1), products(1));
        assert_ne!(products(1), products(2));
        assert_eq!(products(1).len(), 40);
    }

    #[test]
    fn every_product_can_be_bought_in_every_seed_and_fixed_ones_stay() {
        for seed in 1..=20 {
            for product in products(seed) {
                assert!(CATEGORIES.contains(&product.category), "{}", product.name);
                assert!(product.colours.iter().any(|colour| colour.in_stock), "{}", product.name);
                assert!(product.price_cents >= 1_000, "{}", product.name);
            }
            let jacket = &products(seed)[0];
            assert_eq!((jacket.id, jacket.price_cents), (201, 14_800));
            let sold_out: Vec<&str> = jacket.colours.iter().filter(|c| !c.in_stock).map(|c| c.name).collect();
            assert_eq!(sold_out, ["Oat", "Plum"]);
        }
    }
}
