//! JSON with the slips that models make: trailing and missing commas, single quotes, line breaks in strings,
//! Python's words, wide punctuation, brackets that were forgotten or that the end of the text cut off.
//! Good JSON is read exactly as any other reader would.

mod text;

use serde_json::{Map, Value};

use super::{DEEPEST, LEFT_OPEN, Repairs, closing_quotes, plain};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loose {
    pub(crate) value: Value,
    /// Where the text goes on behind it.
    pub(crate) end: usize,
    pub(crate) whole: Whole,
}

/// How much of the value was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whole {
    Yes,
    /// Only closing brackets were missing.
    Unclosed,
    /// The text ended inside a word, a number or a pair. What was whole up to there is in the value; an object
    /// of an array that was cut is not.
    Cut,
}

/// Reads the value that begins at a byte. `steps` is how many characters may still be looked at.
pub(crate) fn value_at(text: &str, at: usize, repairs: &mut Repairs, steps: &mut usize) -> Option<Loose> {
    let rest = text.get(at..)?;
    let mut reader = Reader { text: rest, at: 0, depth: 0, whole: Whole::Yes, repairs: Repairs::default(), steps };
    let got = reader.value().ok()?;
    let value = match got {
        Got::Whole(value) | Got::Open(value) => value,
        Got::Nothing => return None,
    };
    let (end, whole) = (at + reader.at, reader.whole);
    if whole != Whole::Yes {
        reader.repairs.note(LEFT_OPEN);
    }
    let found = std::mem::take(&mut reader.repairs);
    repairs.take_over(found);
    Some(Loose { value, end, whole })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    whole: Whole,
    repairs: Repairs,
    steps: &'a mut usize,
}

/// Not JSON, whatever is forgiven.
struct Wrong;

enum Got {
    Whole(Value),
    /// A container that the end of the text left open.
    Open(Value),
    /// The end of the text left nothing that can be used.
    Nothing,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn step(&mut self) -> Result<Option<char>, Wrong> {
        let Some(next) = self.peek() else { return Ok(None) };
        *self.steps = self.steps.checked_sub(1).ok_or(Wrong)?;
        self.at += next.len_utf8();
        Ok(Some(next))
    }

    /// The next sign that means something, in its plain form; it is not taken.
    fn sign(&mut self) -> Result<Option<char>, Wrong> {
        loop {
            match self.peek() {
                Some(next) if next.is_whitespace() => {
                    self.step()?;
                }
                Some('/') if self.text[self.at..].starts_with("//") => self.skip_line()?,
                Some('#') => self.skip_line()?,
                Some(next) => {
                    let sign = plain(next);
                    if sign != next && closing_quotes(next).is_none() {
                        self.repairs.note("read wide punctuation");
                    }
                    return Ok(Some(if closing_quotes(next).is_some() { next } else { sign }));
                }
                None => return Ok(None),
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), Wrong> {
        self.repairs.note("left comments out");
        while let Some(next) = self.step()? {
            if next == '\n' {
                break;
            }
        }
        Ok(())
    }

    fn cut(&mut self, whole: Whole) {
        self.whole = self.whole.max(whole);
    }

    fn value(&mut self) -> Result<Got, Wrong> {
        let Some(sign) = self.sign()? else {
            self.cut(Whole::Cut);
            return Ok(Got::Nothing);
        };
        match sign {
            '{' => self.nested(Self::object),
            '[' | '(' => self.nested(Self::array),
            quote if closing_quotes(quote).is_some() => {
                Ok(self.string()?.map_or(Got::Nothing, |text| Got::Whole(Value::String(text))))
            }
            '-' | '+' | '.' | '0'..='9' => self.number(),
            letter if letter.is_alphabetic() || letter == '_' => self.word(),
            _ => Err(Wrong),
        }
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Result<Got, Wrong>) -> Result<Got, Wrong> {
        if self.depth >= DEEPEST {
            return Err(Wrong);
        }
        self.depth += 1;
        self.step()?;
        let got = read(self);
        self.depth -= 1;
        got
    }

    fn object(&mut self) -> Result<Got, Wrong> {
        let mut fields = Map::new();
        loop {
            match self.sign()? {
                None => {
                    self.cut(if fields.is_empty() { Whole::Cut } else { Whole::Unclosed });
                    return Ok(Got::Open(Value::Object(fields)));
                }
                Some('}') => {
                    self.step()?;
                    return Ok(Got::Whole(Value::Object(fields)));
                }
                Some(']' | ')') if !fields.is_empty() => {
                    self.repairs.note("put a missing bracket in");
                    return Ok(Got::Whole(Value::Object(fields)));
                }
                Some(_) => {}
            }
            let Some(name) = self.name()? else {
                return Ok(Got::Open(Value::Object(fields)));
            };
            match self.sign()? {
                Some(':') => {
                    self.step()?;
                }
                Some('=') => {
                    self.repairs.note("read = as :");
                    self.step()?;
                }
                Some(_) => return Err(Wrong),
                None => {
                    self.cut(Whole::Cut);
                    return Ok(Got::Open(Value::Object(fields)));
                }
            }
            match self.value()? {
                Got::Whole(value) => {
                    fields.insert(name, value);
                }
                Got::Open(value) => {
                    fields.insert(name, value);
                    return Ok(Got::Open(Value::Object(fields)));
                }
                Got::Nothing => return Ok(Got::Open(Value::Object(fields))),
            }
            if !self.comma("}])")? {
                return Ok(Got::Open(Value::Object(fields)));
            }
        }
    }

    fn array(&mut self) -> Result<Got, Wrong> {
        let mut items = Vec::new();
        loop {
            match self.sign()? {
                None => {
                    self.cut(Whole::Unclosed);
                    return Ok(Got::Open(Value::Array(items)));
                }
                Some(']' | ')') => {
                    self.step()?;
                    return Ok(Got::Whole(Value::Array(items)));
                }
                Some('}') if !items.is_empty() => {
                    self.repairs.note("put a missing bracket in");
                    return Ok(Got::Whole(Value::Array(items)));
                }
                Some(_) => {}
            }
            match self.value()? {
                Got::Whole(value) => items.push(value),
                Got::Open(value) => {
                    if self.whole != Whole::Cut || !value.is_object() {
                        items.push(value);
                    }
                    return Ok(Got::Open(Value::Array(items)));
                }
                Got::Nothing => return Ok(Got::Open(Value::Array(items))),
            }
            if !self.comma("])}")? {
                return Ok(Got::Open(Value::Array(items)));
            }
        }
    }

    /// What stands between two parts. `false`: the text ended.
    fn comma(&mut self, closing: &str) -> Result<bool, Wrong> {
        match self.sign()? {
            Some(',') => {
                self.step()?;
                match self.sign()? {
                    // One more part was coming.
                    None => {
                        self.cut(Whole::Cut);
                        return Ok(false);
                    }
                    Some(sign) if closing.contains(sign) => self.repairs.note("dropped a trailing comma"),
                    Some(_) => {}
                }
                Ok(true)
            }
            Some(sign) if closing.contains(sign) => Ok(true),
            Some(';') => {
                self.repairs.note("read ; as ,");
                self.step()?;
                Ok(true)
            }
            Some(sign) if sign == '{' || closing_quotes(sign).is_some() => {
                self.repairs.note("put a missing comma in");
                Ok(true)
            }
            Some(_) => Err(Wrong),
            None => {
                self.cut(Whole::Unclosed);
                Ok(false)
            }
        }
    }

    fn name(&mut self) -> Result<Option<String>, Wrong> {
        match self.sign()? {
            Some(quote) if closing_quotes(quote).is_some() => self.string(),
            Some(letter) if letter.is_alphabetic() || letter == '_' => {
                let word = self.letters()?;
                if self.peek().is_none() {
                    self.cut(Whole::Cut);
                    return Ok(None);
                }
                self.repairs.note("read a bare name");
                Ok(Some(word))
            }
            _ => Err(Wrong),
        }
    }

    fn letters(&mut self) -> Result<String, Wrong> {
        let mut word = String::new();
        while let Some(next) = self.peek().filter(|next| next.is_alphanumeric() || *next == '_' || *next == '-') {
            self.step()?;
            word.push(next);
        }
        Ok(word)
    }

    fn word(&mut self) -> Result<Got, Wrong> {
        let word = self.letters()?;
        let known = match word.as_str() {
            "true" | "True" => Some(Value::Bool(true)),
            "false" | "False" => Some(Value::Bool(false)),
            "null" | "None" => Some(Value::Null),
            _ => None,
        };
        if !matches!(word.as_str(), "true" | "false" | "null") && known.is_some() {
            self.repairs.note("read Python's words");
        }
        match (self.sign()?, known) {
            (Some(',' | ']' | '}' | ')' | ';'), Some(value)) => Ok(Got::Whole(value)),
            (Some(',' | ']' | '}' | ')' | ';'), None) => {
                self.repairs.note("read a bare word as text");
                Ok(Got::Whole(Value::String(word)))
            }
            (None, Some(value)) => Ok(Got::Whole(value)),
            (None, None) => {
                self.cut(Whole::Cut);
                Ok(Got::Nothing)
            }
            _ => Err(Wrong),
        }
    }

    fn number(&mut self) -> Result<Got, Wrong> {
        let start = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || "+-._".contains(next)) {
            self.step()?;
        }
        // At the end of the text more digits may have followed.
        if self.peek().is_none() {
            self.cut(Whole::Cut);
            return Ok(Got::Nothing);
        }
        let written = &self.text[start..self.at];
        if let Ok(number) = serde_json::from_str::<serde_json::Number>(written) {
            return Ok(Got::Whole(Value::Number(number)));
        }
        let number: f64 = written.trim_start_matches('+').replace('_', "").parse().map_err(|_| Wrong)?;
        self.repairs.note("read an odd number");
        serde_json::Number::from_f64(number).map(|number| Got::Whole(Value::Number(number))).ok_or(Wrong)
    }
}

#[cfg(test)]
mod tests;
