//! Tesseract's table of words. Lines that are not what they should be are skipped.

/// One word, with its box in pixels of the picture that Tesseract saw.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// Counted from 1.
    pub page: u32,
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    /// 0 to 1.
    pub conf: f64,
    pub text: String,
}

/// The level of lines that describe a word; the others describe blocks and lines.
const WORD_LEVEL: &str = "5";

pub fn parse(table: &str) -> Vec<Word> {
    table.lines().filter_map(word).collect()
}

fn word(line: &str) -> Option<Word> {
    // The text is the last column and may hold anything but a line break.
    let columns: Vec<&str> = line.splitn(12, '\t').collect();
    let [level, page, _, _, _, _, left, top, width, height, conf, text] = columns.as_slice() else { return None };
    let text = text.trim();
    let conf: f64 = conf.parse().ok()?;
    if *level != WORD_LEVEL || text.is_empty() || !(0.0..=100.0).contains(&conf) {
        return None;
    }
    Some(Word {
        page: page.parse().ok()?,
        left: left.parse().ok()?,
        top: top.parse().ok()?,
        width: width.parse().ok()?,
        height: height.parse().ok()?,
        conf: conf / 100.0,
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext";

    fn row(columns: &str) -> String {
        format!("{HEADER}\n{}\n", columns.replace(' ', "\t"))
    }

    #[test]
    fn words_are_read() {
        let words = parse(&row("5 1 1 1 1 1 318 30 64 24 96.6 Kick"));
        let expected =
            Word { page: 1, left: 318, top: 30, width: 64, height: 24, conf: 0.966, text: "Kick".to_owned() };
        assert_eq!(words, [expected]);
    }

    #[test]
    fn what_is_no_word_is_skipped() {
        for garbage in [
            "4 1 1 1 1 0 318 30 64 24 -1 Kick",
            "5 1 1 1 1 1 318 30 64 24 -1 Kick",
            "5 1 1 1 1 1 318 30 64 24 NaN Kick",
            "5 1 1 1 1 1 318 30 64 24 1e9 Kick",
            "5 1 1 1 1 1 -3 30 64 24 96.6 Kick",
            "5 1 1 1 1 1 99999999999 30 64 24 96.6 Kick",
            "5 1 1 1 1 1 318 30 64 24 96.6",
            "5 1 1 1 1 1 318 30 64 24 96.6 ",
            "5",
            "",
            "\u{0}\u{fffd} binary",
        ] {
            assert_eq!(parse(&row(garbage)), [], "{garbage:?}");
        }
        assert_eq!(parse(""), []);
        assert_eq!(parse("\t\t\t\t\t\t\t\t\t\t\t\n\r\n\t"), []);
    }

    #[test]
    fn tabs_in_the_text_stay() {
        assert_eq!(parse(&row("5 1 1 1 1 1 0 0 1 1 50 a b"))[0].text, "a\tb");
    }
}
