//! Texts in quotes, whichever quotes they are, and escapes.

use super::super::{closing_quotes, plain};
use super::{Reader, Whole, Wrong};

impl Reader<'_> {
    /// `None`: the text ended inside.
    pub(super) fn string(&mut self) -> Result<Option<String>, Wrong> {
        let Some(open) = self.step()? else { return Ok(None) };
        let closing = closing_quotes(open).ok_or(Wrong)?;
        if open != '"' {
            self.repairs.note("read other quotes");
        }
        let mut text = String::new();
        loop {
            let Some(next) = self.step()? else {
                self.cut(Whole::Cut);
                return Ok(None);
            };
            match next {
                '\\' => {
                    if !self.escaped(&mut text)? {
                        self.cut(Whole::Cut);
                        return Ok(None);
                    }
                }
                quote if closing.contains(&quote) => {
                    if self.ends_here() {
                        return Ok(Some(text));
                    }
                    self.repairs.note("kept a quote inside a text");
                    text.push(quote);
                }
                control if control.is_control() => {
                    self.repairs.note("kept a line break inside a text");
                    text.push(control);
                }
                other => text.push(other),
            }
        }
    }

    /// A quote ends its text where something of JSON follows.
    fn ends_here(&self) -> bool {
        let rest = self.text[self.at..].trim_start();
        rest.chars().next().is_none_or(|next| ",]}:);=".contains(plain(next)))
            || (rest.len() < self.text[self.at..].len() && rest.starts_with('"') && self.looks_like_a_name(rest))
    }

    /// `"next":` behind a forgotten comma.
    fn looks_like_a_name(&self, rest: &str) -> bool {
        let inside = &rest[1..];
        let end = inside.char_indices().take(60).find(|(_, next)| !next.is_alphanumeric() && *next != '_');
        end.is_some_and(|(end, next)| next == '"' && inside[end + 1..].trim_start().starts_with(':'))
    }

    /// What follows a backslash. `false`: the text ended.
    fn escaped(&mut self, text: &mut String) -> Result<bool, Wrong> {
        let Some(next) = self.step()? else { return Ok(false) };
        match next {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\\' | '/' => text.push(next),
            'u' => {
                let Some(unit) = self.four_digits()? else { return Ok(false) };
                text.push(self.character(unit)?);
            }
            '\'' => {
                self.repairs.note("read an odd escape");
                text.push(next);
            }
            other => {
                self.repairs.note("read an odd escape");
                text.push('\\');
                text.push(other);
            }
        }
        Ok(true)
    }

    fn character(&mut self, unit: u32) -> Result<char, Wrong> {
        if (0xd800..0xdc00).contains(&unit) && self.text[self.at..].starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            if let Some(low) = self.four_digits()?.filter(|low| (0xdc00..0xe000).contains(low)) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<Option<u32>, Wrong> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(next) = self.step()? else { return Ok(None) };
            unit = unit * 16 + next.to_digit(16).ok_or(Wrong)?;
        }
        Ok(Some(unit))
    }
}
