//! Letters that look the same have to be read the same. Tesseract reads the two circles of "Bongo" as "o" and "a", at
//! every size, and is sure of it; beside each other they give it away.

use super::marks::Letters;

/// Less ink than this in all of a column is ground between letters; the first that fits is taken, as small letters
/// nearly touch.
const GROUND: [f64; 3] = [0.2, 0.35, 0.5];
/// Two drawings are the same letter if no pixel differs by more.
const SAME: f64 = 0.2;

/// One letter as it is drawn, and as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Glyph {
    pub(crate) letter: char,
    width: usize,
    shares: Vec<f64>,
}

/// The letters of a name one by one, if there are as many drawings as letters; letters that touch cannot be told apart.
pub(crate) fn glyphs(letters: &Letters<'_>, text: &str) -> Vec<Glyph> {
    let height = letters.shares.len() / letters.width.max(1);
    let read: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let share = |x: usize, y: usize| letters.shares[y * letters.width + x];
    let Some(spans) = GROUND.iter().map(|ground| spans(letters, *ground)).find(|spans| spans.len() == read.len())
    else {
        return Vec::new();
    };
    let glyph = |((start, end), letter): ((usize, usize), char)| {
        let lines = (0..height).filter(|y| (start..end).any(|x| share(x, *y) >= GROUND[0]));
        Glyph {
            letter,
            width: end - start,
            shares: lines.flat_map(|y| (start..end).map(move |x| share(x, y))).collect(),
        }
    };
    spans.into_iter().zip(read).map(glyph).collect()
}

/// From where to where there is ink, from left to right.
fn spans(letters: &Letters<'_>, ground: f64) -> Vec<(usize, usize)> {
    let height = letters.shares.len() / letters.width.max(1);
    let inked = |x: &usize| (0..height).any(|y| letters.shares[y * letters.width + x] >= ground);
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for x in (0..letters.width).filter(inked) {
        match spans.last_mut().filter(|(_, end)| *end == x) {
            Some((_, end)) => *end = x + 1,
            None => spans.push((x, x + 1)),
        }
    }
    spans
}

/// Whether one drawing was read as two letters.
pub(crate) fn contradict(one: &[Glyph], other: &[Glyph]) -> bool {
    one.iter().any(|glyph| other.iter().any(|peer| peer.letter != glyph.letter && looks_like(glyph, peer)))
}

fn looks_like(one: &Glyph, other: &Glyph) -> bool {
    one.width == other.width
        && one.shares.len() == other.shares.len()
        && one.shares.iter().zip(&other.shares).all(|(a, b)| (a - b).abs() <= SAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ink where there is a `#`.
    fn drawn(lines: &[&str]) -> (Vec<f64>, usize) {
        let shares = lines.iter().flat_map(|line| line.chars().map(|c| f64::from(u8::from(c == '#')))).collect();
        (shares, lines[0].len())
    }

    #[test]
    fn one_drawing_is_one_letter() {
        let (shares, width) = drawn(&["### # ###", "# # # # #", "### # ###"]);
        let letters = Letters { shares: &shares, width };
        let read = |text: &str| glyphs(&letters, text);
        assert_eq!(read("olo").len(), 3);
        assert_eq!(read("oo").len(), 0, "three drawings are not two letters");
        assert!(!contradict(&read("olo"), &read("olo")));
        assert!(contradict(&read("ola"), &read("ola")), "the first and the last are the same");
        assert!(contradict(&read("olo"), &read("oIo")));
    }
}
