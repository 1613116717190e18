//! Words of controls and dialogs, compared as a person reads them: whole words, whatever their case,
//! their accents, the invisible characters between their letters, or the alphabet that these come from.

use super::look_alike::{looks_latin, plain_form};

/// A text as the list of its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words {
    written: Vec<String>,
    /// Other ways in which a person may read it, where it is written to look like something else.
    looks: Vec<Vec<String>>,
}

/// A word or a phrase to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// The ways in which it is written: German vowels with two dots are written with an e as well.
    spellings: Vec<Vec<Part>>,
    /// Written with a `^`: it counts only at the beginning of the text.
    at_start: bool,
    /// Written with a `$`: it counts only at the end of the text.
    at_end: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Word(String),
    /// Written as `#`: any number.
    Number,
}

/// Longest text that is looked at, in characters: names are short, dialog messages may be anything.
const TEXT_CAP: usize = 4000;

impl Words {
    pub(crate) fn of(text: &str) -> Words {
        let text: String = text.chars().take(TEXT_CAP).map(plain_form).collect();
        let written = split(&text);
        let mut looks = vec![split(&in_latin(&text))];
        // The mark that turns the letters after it around.
        if text.contains('\u{202e}') {
            let backwards: String = text.chars().rev().collect();
            looks.extend([split(&backwards), split(&in_latin(&backwards))]);
        }
        looks.retain(|look| *look != written);
        Words { written, looks }
    }

    pub(crate) fn len(&self) -> usize {
        self.written.len()
    }

    fn has(&self, phrase: &Phrase) -> bool {
        let readings = || std::iter::once(&self.written).chain(&self.looks);
        phrase.spellings.iter().any(|parts| readings().any(|text| phrase.is_in(parts, text)))
    }

    /// Whether every word of the other text stands in this one, in a row.
    pub(crate) fn holds(&self, other: &Words) -> bool {
        let wanted = other.written.len();
        wanted > 0 && self.written.windows(wanted).any(|part| part == other.written)
    }

    /// The first of the phrases that is in the text.
    pub(crate) fn first_of<'a>(&self, phrases: &'a [Phrase]) -> Option<&'a Phrase> {
        phrases.iter().find(|phrase| self.has(phrase))
    }
}

impl Phrase {
    /// `None` where there is no letter, digit or sign to look for.
    pub(crate) fn parse(text: &str) -> Option<Phrase> {
        let (text, at_start) = match text.strip_prefix('^') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (text, at_end) = match text.strip_suffix('$') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let words: Vec<Part> = parts(text);
        if !words.iter().any(|part| matches!(part, Part::Word(_))) {
            return None;
        }
        let mut spellings = vec![words];
        let spelt_out = parts(&without_dots(text));
        if spelt_out != spellings[0] {
            spellings.push(spelt_out);
        }
        Some(Phrase { spellings, at_start, at_end })
    }

    fn is_in(&self, parts: &[Part], text: &[String]) -> bool {
        let fits = |words: &[String]| words.iter().zip(parts).all(|(word, part)| part.is(word));
        let length = parts.len();
        let Some(last) = text.len().checked_sub(length) else { return false };
        match (self.at_start, self.at_end) {
            (true, true) => last == 0 && fits(text),
            (true, false) => fits(&text[..length]),
            (false, true) => fits(&text[last..]),
            (false, false) => text.windows(length).any(fits),
        }
    }
}

impl Part {
    fn is(&self, word: &str) -> bool {
        match self {
            Part::Word(wanted) => wanted == word,
            Part::Number => word.starts_with(|c: char| c.is_numeric()),
        }
    }
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for token in text.split_whitespace() {
        match token {
            "#" => parts.push(Part::Number),
            token => parts.extend(Words::of(token).written.into_iter().map(Part::Word)),
        }
    }
    parts
}

/// As people write German on keyboards that have no such letters.
fn without_dots(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    for c in text.chars() {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'Ä' => out.push_str("Ae"),
            'Ö' => out.push_str("Oe"),
            'Ü' => out.push_str("Ue"),
            other => out.push(other),
        }
    }
    out
}

fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut close = |word: &mut String| {
        if !word.is_empty() {
            words.push(std::mem::take(word));
        }
    };
    for c in text.chars().flat_map(char::to_lowercase) {
        if is_invisible(c) || is_combining(c) {
            continue;
        }
        if !c.is_alphanumeric() {
            close(&mut word);
        } else if is_written_without_spaces(c) {
            close(&mut word);
            word.push(c);
            close(&mut word);
        } else {
            word.push_str(plain_letter(c).unwrap_or(c.encode_utf8(&mut [0; 4])));
        }
    }
    close(&mut word);
    if words.is_empty() {
        // A label that is only an icon says it by the icon.
        words.extend(text.chars().filter(|c| is_sign(*c)).map(String::from));
    }
    words
}

/// Pictures and signs that fonts draw: each is a word where there are no others.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f300}'..='\u{1faff}') && !is_invisible(c)
}

/// Words of which every letter looks Latin, as Latin. A word with one letter that does not (as nearly every word
/// of Russian or Greek has) is what it is.
fn in_latin(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || is_invisible(c) || is_combining(c);
    let mut read = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !is_part(c)) {
        let looks = |c: char| looks_latin(c).or_else(|| is_latin(c).then_some(c));
        let as_latin: Option<String> =
            word.chars().map(|c| if c.is_alphabetic() { looks(c) } else { Some(c) }).collect();
        read.push_str(as_latin.as_deref().unwrap_or(word));
    }
    read
}

fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Characters that nobody sees and that would break a word in two.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}'
    )
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}')
}

/// Scripts in which a word has no edges: each character counts as one.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Latin letters without their accents: capitals are often written without, and people type without.
fn plain_letter(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ś' | 'š' | 'ș' => "s",
        'ź' | 'ż' | 'ž' => "z",
        'ł' => "l",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, phrase: &str) -> bool {
        Words::of(text).first_of(&[Phrase::parse(phrase).unwrap()]).is_some()
    }

    #[test]
    fn words_are_whole_and_phrases_in_a_row() {
        for (text, phrase, expected) in [
            ("Pay now", "pay", true),
            ("PAY NOW!", "pay now", true),
            ("Payments", "pay", false),
            ("Display", "pay", false),
            ("Sender", "send", false),
            ("Review and send", "^send", false),
            ("Send it", "^send", true),
            ("place my order", "place order", false),
            ("Place  order", "place order", true),
            ("P\u{200b}a\u{ad}y", "pay", true),
            ("Lo\u{308}schen", "löschen", true),
            ("LOSCHEN", "Löschen", true),
            ("E-Mail-Adresse ändern", "e-mail-adresse ändern", true),
            ("Modifier l’e-mail", "modifier l'e-mail", true),
            ("Ｄｅｌｅｔｅ", "delete", true),
            ("今すぐ削除する", "削除", true),
            ("STRASSE", "straße", true),
            ("Loeschen", "löschen", true),
            ("Uebersicht", "ubersicht", false),
            ("LÖSCHEN", "loeschen", false),
            ("Order #1023", "^order #$", true),
            ("Order 2 tickets", "^order #$", false),
            ("Buy 2, get 1 free", "buy # get # free", true),
            ("Buy two get one free", "buy # get # free", false),
            ("Place…", "^place$", true),
            ("Place marker", "^place$", false),
            ("A place", "place$", true),
            ("A place here", "place$", false),
            // Signs count where there is nothing else to read.
            ("🗑", "🗑", true),
            ("🗑\u{fe0f}", "🗑", true),
            ("🗑 Trash", "🗑", false),
            ("✖", "🗑", false),
            // Letters of other alphabets that look Latin, mixed with Latin ones or alone.
            ("Раy now", "pay now", true),
            ("РАУ NOW", "pay", true),
            ("ΡΑΥ", "pay", true),
            ("Dеlеtе аll", "delete all", true),
            ("ВUУ", "buy", true),
            ("Löѕсhеn", "löschen", true),
            ("ѕеnԁ", "send", true),
            ("ᴘᴀʏ ɴᴏᴡ", "pay now", true),
            ("𝐏𝐚𝐲 𝗻𝗼𝘄", "pay now", true),
            ("𝒟ℯ𝓁ℯ𝓉ℯ", "delete", true),
            ("Ⓟⓐⓨ", "pay", true),
            ("\u{202e}won yaP\u{202c}", "pay now", true),
            // Words of their own languages stay what they are, and can be looked for.
            ("Удалить", "удалить", true),
            ("УДАЛИТЬ ВСЕ", "удалить все", true),
            ("Оставить и сохранить", "pay", false),
            ("МАМА", "мама", true),
            ("хор", "хор", true),
            ("Διαγραφή", "διαγραφή", true),
        ] {
            assert_eq!(found(text, phrase), expected, "{phrase:?} in {text:?}");
        }
        for nothing in ["^ -- ", "#", "^$", "$"] {
            assert_eq!(Phrase::parse(nothing), None, "{nothing:?}");
        }
    }
}
