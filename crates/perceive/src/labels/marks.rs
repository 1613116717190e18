//! Whether a reading can be what is drawn: dots and accents above letters, and how high and low the letters reach. The
//! English model reads "ö" as "o" and is sure of it; the two dots tell.

/// A pixel with this share of ink belongs to a letter.
const INKED: f64 = 0.4;

/// A grid of ink shares, row by row, as high as the letters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letters<'a> {
    pub(crate) shares: &'a [f64],
    pub(crate) width: usize,
}

impl Letters<'_> {
    /// How many small things float above others: dots of i and j, accents, the upper half of a colon.
    pub(crate) fn floating(&self) -> usize {
        let height = self.shares.len() / self.width.max(1);
        let pieces = self.connected();
        let floats = |piece: &&[usize; 4]| {
            let [x0, _, x1, y1] = **piece;
            // The dots of an ï stand beside its stem.
            let beside = 1 + height / 16;
            let below = |other: &&[usize; 4]| other[0] < x1 + beside && x0 < other[2] + beside && other[1] >= y1;
            y1 * 2 <= height && pieces.iter().any(|other| below(&other))
        };
        // Two dots that touch are much wider than high; the dot of an i is two pixels wide and one high at most.
        let dots = |[x0, y0, x1, y1]: &[usize; 4]| if x1 - x0 >= 3 * (y1 - y0) { 2 } else { 1 };
        pieces.iter().filter(floats).map(dots).sum()
    }

    /// The boxes of what hangs together, corners included.
    fn connected(&self) -> Vec<[usize; 4]> {
        let height = self.shares.len() / self.width.max(1);
        let mut open: Vec<bool> = self.shares.iter().map(|share| *share >= INKED).collect();
        let mut found = Vec::new();
        for start in 0..open.len().min(self.width * height) {
            if !std::mem::take(&mut open[start]) {
                continue;
            }
            let mut bounds = [usize::MAX, usize::MAX, 0, 0];
            let mut waiting = vec![start];
            while let Some(at) = waiting.pop() {
                let (x, y) = (at % self.width, at / self.width);
                bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x + 1), bounds[3].max(y + 1)];
                for near_y in y.saturating_sub(1)..(y + 2).min(height) {
                    for near_x in x.saturating_sub(1)..(x + 2).min(self.width) {
                        if std::mem::take(&mut open[near_y * self.width + near_x]) {
                            waiting.push(near_y * self.width + near_x);
                        }
                    }
                }
            }
            found.push(bounds);
        }
        found
    }
}

/// How many things float in a text as it was read.
pub(crate) fn expected(text: &str) -> usize {
    text.chars().filter(|letter| "ij:;=%\"!?".contains(*letter) || !letter.is_ascii()).count()
}

/// Whether any letter is as high as a capital; `None` where fonts differ.
pub(crate) fn is_tall(text: &str) -> Option<bool> {
    let tall =
        |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || "bdfhklij()[]/|!?".contains(letter);
    if text.chars().any(tall) {
        return Some(true);
    }
    text.chars().all(|letter| "acegmnopqrsuvwxyz".contains(letter)).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floating(lines: &[&str]) -> usize {
        let shares: Vec<f64> =
            lines.iter().flat_map(|line| line.chars().map(|c| f64::from(u8::from(c == '#')))).collect();
        Letters { shares: &shares, width: lines[0].len() }.floating()
    }

    #[test]
    fn dots_above_letters_are_counted() {
        let plain = ["     ", "     ", " ### ", "#   #", "#   #", " ### "];
        let umlaut = [" # # ", "     ", " ### ", "#   #", "#   #", " ### "];
        let accent = ["  #  ", "     ", " ### ", "#   #", "#   #", " ### "];
        let dotted = ["  #  ", "     ", "  #  ", "  #  ", "  #  ", "  #  "];
        let touching = [" ### ", "     ", "  #  ", "  #  ", "  #  ", "  #  "];
        let apart = [" # # ", "     ", "  #  ", "  #  ", "  #  ", "  #  "];
        assert_eq!([floating(&touching), floating(&apart)], [2, 2]);
        assert_eq!([floating(&plain), floating(&umlaut), floating(&accent), floating(&dotted)], [0, 2, 1, 1]);
        // What lies low, or beside everything else, is a full stop or a dash.
        assert_eq!(floating(&["#    ", "#    ", "#    ", "#    ", "#    ", "#   #"]), 0);
        assert_eq!(floating(&["#    ", "#    ", "#  ##", "#    ", "#    ", "#    "]), 0);
        assert_eq!(Letters { shares: &[], width: 0 }.floating(), 0);
    }

    #[test]
    fn a_text_says_how_many_dots_it_has() {
        for (text, wanted) in [("Kick", 1), ("Trommel", 0), ("Hi-Hat", 1), ("a: b!", 2), ("", 0)] {
            assert_eq!(expected(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_text_says_how_high_it_is() {
        for (text, wanted) in
            [("X", Some(true)), ("x", Some(false)), ("oi", Some(true)), ("t", None), ("", Some(false))]
        {
            assert_eq!(is_tall(text), wanted, "{text}");
        }
    }
}
