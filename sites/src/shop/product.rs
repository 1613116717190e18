// The records of the catalogue: products and the options a buyer chooses. Separate because every
// other file of the site speaks in these types.

use serde::Serialize;

pub(crate) const CATEGORIES: &[&str] = &["Outerwear", "Footwear", "Bags", "Camp", "Garden", "Kitchen"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Product {
    pub(crate) id: u32,
    pub(crate) name: &'static str,
    pub(crate) category: &'static str,
    /// Which drawing the pages show.
    pub(crate) art: &'static str,
    pub(crate) blurb: &'static str,
    /// Without the surcharges of options.
    pub(crate) price_cents: u32,
    /// 0 to 50, for 0.0 to 5.0 stars.
    pub(crate) rating_tenths: u32,
    pub(crate) reviews: u32,
    pub(crate) is_new: bool,
    pub(crate) sizes: Vec<Size>,
    pub(crate) colours: Vec<Colour>,
    pub(crate) extras: Vec<Extra>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Size {
    pub(crate) name: &'static str,
    pub(crate) extra_cents: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Colour {
    pub(crate) name: &'static str,
    pub(crate) hex: &'static str,
    pub(crate) group: &'static str,
    pub(crate) in_stock: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Extra {
    pub(crate) name: &'static str,
    pub(crate) extra_cents: u32,
}

/// Name, colour and group of every colour the shop dyes in, in the order lists show them.
pub(crate) const COLOURS: &[(&str, &str, &str)] = &[
    ("Moss", "#5f7350", "Core colours"),
    ("Bark", "#6f5138", "Core colours"),
    ("Slate", "#55636f", "Core colours"),
    ("Oat", "#cdb892", "Core colours"),
    ("Rust", "#b2562f", "Autumn colours"),
    ("Lake", "#3d7286", "Autumn colours"),
    ("Plum", "#6d4763", "Autumn colours"),
    ("Marigold", "#d7992b", "Autumn colours"),
];

/// The sizes of a category.
pub(crate) fn sizes(category: &str) -> Vec<Size> {
    let sizes: &[(&'static str, u32)] = match category {
        "Outerwear" => &[("XS", 0), ("S", 0), ("M", 0), ("L", 0), ("XL", 0), ("XXL", 600)],
        "Footwear" => &[
            ("EU 36", 0),
            ("EU 37", 0),
            ("EU 38", 0),
            ("EU 39", 0),
            ("EU 40", 0),
            ("EU 41", 0),
            ("EU 42", 0),
            ("EU 43", 0),
            ("EU 44", 0),
            ("EU 45", 0),
            ("EU 46", 400),
        ],
        "Bags" => &[("12 litres", 0), ("18 litres", 1200), ("26 litres", 2400)],
        "Camp" => &[("Compact", 0), ("Standard", 1500), ("Expedition", 4200)],
        "Garden" => &[("Small", 0), ("Medium", 500), ("Large", 1100)],
        _ => &[("Single", 0), ("Set of 2", 1000), ("Set of 4", 2800)],
    };
    sizes.iter().map(|&(name, extra_cents)| Size { name, extra_cents }).collect()
}

/// What can be added to a product of a category.
pub(crate) fn extras(category: &str) -> Vec<Extra> {
    let extras: &[(&'static str, u32)] = match category {
        "Outerwear" => &[
            ("Monogram", 800),
            ("Wax dressing", 950),
            ("Spare buttons", 300),
            ("Repair kit", 700),
            ("Cedar hanger", 1250),
        ],
        "Footwear" => &[("Wool insoles", 1400), ("Spare laces", 450), ("Leather balm", 900), ("Boot brush", 750)],
        "Bags" => &[("Rain cover", 1600), ("Monogram", 800), ("Organiser pouch", 1150), ("Key strap", 500)],
        "Camp" => &[("Carry sack", 900), ("Ground pegs", 650), ("Repair kit", 700), ("Spare cord", 350)],
        "Garden" => &[("Linen twine", 400), ("Plant labels", 350), ("Sharpening stone", 1300), ("Gloves", 1100)],
        _ => &[("Gift box", 600), ("Tea towel", 950), ("Engraving", 1200), ("Care kit", 550)],
    };
    extras.iter().map(|&(name, extra_cents)| Extra { name, extra_cents }).collect()
}
