//! Words of controls and dialogs, compared as a person reads them: whole words, whatever their case,
//! their accents or the invisible characters between their letters.

/// A text as the list of its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words(Vec<String>);

/// A word or a phrase to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    words: Words,
    /// Written with a `^`: it counts only at the beginning of the text.
    at_start: bool,
}

/// Longest text that is looked at, in characters: names are short, dialog messages may be anything.
const TEXT_CAP: usize = 4000;

impl Words {
    pub(crate) fn of(text: &str) -> Words {
        let mut words: Vec<String> = Vec::new();
        let mut word = String::new();
        let mut close = |word: &mut String| {
            if !word.is_empty() {
                words.push(std::mem::take(word));
            }
        };
        for c in text.chars().take(TEXT_CAP).flat_map(full_width_to_plain).flat_map(char::to_lowercase) {
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
        Words(words)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn has(&self, phrase: &Phrase) -> bool {
        let wanted = &phrase.words.0;
        if phrase.at_start {
            self.0.starts_with(wanted)
        } else {
            self.0.windows(wanted.len()).any(|part| part == wanted)
        }
    }

    /// The first of the phrases that is in the text.
    pub(crate) fn first_of<'a>(&self, phrases: &'a [Phrase]) -> Option<&'a Phrase> {
        phrases.iter().find(|phrase| self.has(phrase))
    }
}

impl Phrase {
    /// `None` where there is no letter or digit to look for.
    pub(crate) fn parse(text: &str) -> Option<Phrase> {
        let (text, at_start) = match text.strip_prefix('^') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let words = Words::of(text);
        (!words.is_empty()).then_some(Phrase { words, at_start })
    }
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

fn full_width_to_plain(c: char) -> Option<char> {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{a0}' => Some(' '),
        c => Some(c),
    }
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
        ] {
            assert_eq!(found(text, phrase), expected, "{phrase:?} in {text:?}");
        }
        assert_eq!(Phrase::parse("^ -- "), None);
    }
}
