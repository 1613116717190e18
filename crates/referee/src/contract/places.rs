//! What the text of a JSONPath tells about the places it names.

/// Where a path begins to name more than one place.
pub(crate) fn spread_at(path: &str) -> Option<usize> {
    let marks = ["[?", "[*", ".*", "..", "[:"];
    let first = marks.iter().filter_map(|mark| path.find(mark)).min();
    // Slices and lists of names; quotes around such signs are rare enough.
    let bracket = path.match_indices('[').map(|(at, _)| at).find(|at| {
        let inner = path[*at..].split(']').next().unwrap_or_default();
        !inner.contains(['\'', '"']) && inner.contains([':', ','])
    });
    [first, bracket].into_iter().flatten().min()
}

/// The path to what is around the place that a path names; `None` where that is the document itself.
pub(crate) fn around(path: &str) -> Option<&str> {
    let end = match spread_at(path) {
        Some(at) => at,
        None if path.ends_with(']') => path.rfind('[')?,
        None => path.rfind('.')?,
    };
    path.get(..end).filter(|around| around.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_a_place() {
        for (path, wanted) in [
            ("$.order.status", Some("$.order")),
            ("$.order['status']", Some("$.order")),
            ("$.orders[?@.id == 7].status", Some("$.orders")),
            ("$.orders[*]", Some("$.orders")),
            ("$.orders[0, 2]", Some("$.orders")),
            ("$.orders[1:3]", Some("$.orders")),
            ("$.orders[3]", Some("$.orders")),
            ("$.shop..id", Some("$.shop")),
            ("$.status", None),
            ("$[*]", None),
            ("$", None),
        ] {
            assert_eq!(around(path), wanted, "{path}");
        }
        assert_eq!(spread_at("$.a['x:y'].b"), None);
    }
}
