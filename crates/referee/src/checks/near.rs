//! Whether a text could be what a pattern asks for, misread. OCR is often sure of itself and wrong in one
//! letter; such a text must not prove that something is absent.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Shorter pieces are near to anything.
const SHORTEST: usize = 4;

/// More ways to spell a pattern are not looked at.
const MOST_WAYS: usize = 32;

/// The fixed pieces of each way to satisfy a pattern, folded, and how little it can match.
#[derive(Debug, Clone)]
pub(crate) struct Nearness {
    ways: Vec<Vec<String>>,
    pub(crate) shortest_match: usize,
}

impl Nearness {
    pub(crate) fn of(pattern: &str) -> Nearness {
        let Ok(hir) = regex_syntax::parse(pattern) else { return Nearness { ways: Vec::new(), shortest_match: 0 } };
        let pieces = |way: Vec<Part>| -> Vec<String> {
            let text: String = way.iter().map(|part| if let Part::Text(text) = part { text } else { "\0" }).collect();
            let folded = text.split('\0').map(fold);
            // What has letters that cannot be read is never found as it is.
            let unreadable = !text.is_ascii();
            folded.filter(|piece| piece.chars().count() >= if unreadable { 1 } else { SHORTEST }).collect()
        };
        let mut ways: Vec<Vec<String>> = ways(&hir).into_iter().map(pieces).collect();
        ways.retain(|way| !way.is_empty());
        Nearness { ways, shortest_match: hir.properties().minimum_len().unwrap_or(0) }
    }

    /// Whether all pieces of one way are in the text, give or take a letter in six.
    pub(crate) fn is_near(&self, text: &str) -> bool {
        let text = fold(text);
        let near = |piece: &String| {
            let long = piece.chars().count();
            best_distance(piece, &text) <= if long < SHORTEST { 0 } else { (long / 6).max(1) }
        };
        self.ways.iter().any(|way| way.iter().all(near))
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    /// Something that is not fixed.
    Open,
}

/// Every way through the alternatives of a pattern.
fn ways(hir: &Hir) -> Vec<Vec<Part>> {
    match hir.kind() {
        HirKind::Literal(literal) => vec![vec![Part::Text(String::from_utf8_lossy(&literal.0).into_owned())]],
        HirKind::Class(Class::Unicode(class)) => {
            // The two cases of one letter are that letter.
            let letters: Vec<char> =
                class.iter().take(4).flat_map(|range| range.start()..=range.end()).take(5).collect();
            let lower: Vec<String> = letters.iter().map(|letter| letter.to_lowercase().to_string()).collect();
            match lower.first() {
                Some(first) if letters.len() <= 4 && lower.iter().filter(|other| *other == first).count() >= 2 => {
                    vec![vec![Part::Text(first.clone())]]
                }
                _ => vec![vec![Part::Open]],
            }
        }
        HirKind::Capture(capture) => ways(&capture.sub),
        HirKind::Concat(parts) => {
            let mut all: Vec<Vec<Part>> = vec![Vec::new()];
            for part in parts {
                let next = ways(part);
                if all.len() * next.len() > MOST_WAYS {
                    all.iter_mut().for_each(|way| way.push(Part::Open));
                    continue;
                }
                let join = |way: &Vec<Part>| {
                    next.iter().map(|more| way.iter().chain(more).cloned().collect::<Vec<Part>>()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(join).collect();
            }
            all
        }
        HirKind::Alternation(branches) => branches.iter().take(MOST_WAYS).flat_map(ways).take(MOST_WAYS).collect(),
        HirKind::Empty | HirKind::Look(_) => vec![Vec::new()],
        HirKind::Class(_) | HirKind::Repetition(_) => vec![vec![Part::Open]],
    }
}

/// Letters that OCR takes for one another become the same, spaces and marks go.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            // The English model does not know them, and reads the plain letter.
            'à'..='å' => folded.push('a'),
            'è'..='ë' => folded.push('e'),
            'ì'..='ï' => folded.push('i'),
            'ò'..='ö' | 'ø' => folded.push('o'),
            'ù'..='ü' => folded.push('u'),
            'ç' => folded.push('c'),
            'ñ' => folded.push('n'),
            'ý' | 'ÿ' => folded.push('y'),
            'ß' => folded.push('b'),
            '0' => folded.push('o'),
            '1' | 'l' | '|' | '!' | 'ı' => folded.push('i'),
            '5' | '$' => folded.push('s'),
            '8' => folded.push('b'),
            '2' => folded.push('z'),
            '9' => folded.push('g'),
            letter if letter.is_alphanumeric() => folded.push(letter),
            _ => {}
        }
    }
    folded.replace("rn", "m").replace("vv", "w").replace("ci", "d")
}

/// The distance of the piece to the part of the text that is most like it.
fn best_distance(piece: &str, text: &str) -> usize {
    let piece: Vec<char> = piece.chars().collect();
    let mut column: Vec<usize> = (0..=piece.len()).collect();
    let mut best = column[piece.len()];
    for letter in text.chars() {
        let mut diagonal = column[0];
        for (row, wanted) in piece.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *wanted);
            diagonal = column[row + 1];
            column[row + 1] = changed.min(column[row] + 1).min(diagonal + 1);
        }
        best = best.min(column[piece.len()]);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_words_are_near_and_others_are_not() {
        for (pattern, text, wanted) in [
            ("Order #\\d+", "0rder #1234", true),
            ("Order #\\d+", "Orcler #1234", true),
            ("Order #\\d+", "Invoice 1234", false),
            ("(?i)kick|bass drum", "K1ck", true),
            ("(?i)kick|bass drum", "Bass Drurn", true),
            ("(?i)kick|bass drum", "Snare", false),
            ("(?i)kick|bass drum", "Clap", false),
            ("Payment received", "Payrnent recelved", true),
            ("Payment received", "Payment failed", false),
            ("\\d{4}", "12A4", false),
            ("(Paid|Open) on", "Pald on Monday", true),
            ("(Paid|Open) on", "Paid", false),
            ("Invoice\\s+customer", "Invoice of a custorner", true),
            ("Invoice\\s+customer", "Invoice of a supplier", false),
            ("^Trömmel$", "Trommel", true),
            ("^Glöckchen$", "Glockchen", true),
            ("^Größe$", "GroBe", true),
            ("^Bä$", "Ba", true),
            ("^Bä$", "Be", false),
        ] {
            assert_eq!(Nearness::of(pattern).is_near(text), wanted, "{pattern} and {text}");
        }
        assert_eq!(Nearness::of("Order #\\d+").shortest_match, 8);
    }
}
