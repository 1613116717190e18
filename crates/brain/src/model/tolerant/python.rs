//! The little Python that models write: calls with literal arguments, one after the other. It is read as data.
//! Whatever else Python can do is a problem and never a guess.

use super::python_text::{Care, LINE_ENDS, NO_END, text_literal};
use super::{DEEPEST, LEFT_OPEN, MOST_CALLS, Repairs, plain, shortened};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Text(String),
    Number(f64),
    Bool(bool),
    None,
    List(Vec<Literal>),
}

/// `name(positional, named=...)`; a bare word has no arguments and is not `called`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PyCall {
    /// With its dots, like `pyautogui.click`.
    pub(crate) name: String,
    pub(crate) called: bool,
    pub(crate) positional: Vec<Literal>,
    pub(crate) named: Vec<(String, Literal)>,
}

/// Modules that a script may import; what it imports from them is known anyway.
const MODULES: &[&str] = &["pyautogui", "time", "computer"];
/// Most arguments of a call.
const MOST_ARGUMENTS: usize = 64;

impl PyCall {
    /// An argument by its place or its names.
    pub(crate) fn argument(&self, place: usize, names: &[&str]) -> Option<&Literal> {
        let named = self.named.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value);
        named.or_else(|| self.positional.get(place)).filter(|value| **value != Literal::None)
    }
}

/// A call that begins at a byte of the text, and where the text goes on behind it. First as Python would read it,
/// then with quotes inside texts forgiven.
pub(crate) fn call_at(text: &str, at: usize, repairs: &mut Repairs) -> Result<(PyCall, usize), String> {
    let rest = text.get(at..).unwrap_or_default();
    let mut problem = String::new();
    for care in [Care::Strict, Care::Loose] {
        let mut own = Repairs::default();
        let mut reader = Reader { text: rest, at: 0, care, forgivable: false, repairs: &mut own };
        match reader.call() {
            Ok(call) => {
                let end = at + reader.at;
                repairs.take_over(own);
                return Ok((call, end));
            }
            // An expression that is no plain value must not be taken for a text with quotes in it.
            Err(why) if !reader.forgivable => return Err(if problem.is_empty() { why } else { problem }),
            Err(why) => problem = why,
        }
    }
    Err(problem)
}

/// All calls of a script. One thing that is not a plain call spoils all of it: the rest may depend on it.
pub(crate) fn statements(code: &str, repairs: &mut Repairs) -> Result<Vec<PyCall>, String> {
    let mut calls: Vec<PyCall> = Vec::new();
    let mut aliases: Vec<(String, String)> = Vec::new();
    let mut at = 0;
    loop {
        at += blank(&code[at..]);
        let rest = &code[at..];
        if rest.is_empty() {
            return Ok(calls);
        }
        let line = rest.lines().next().unwrap_or_default();
        if line.starts_with("import ") || line.starts_with("from ") {
            import(line, &mut aliases)?;
            at += line.len();
            continue;
        }
        if calls.len() >= MOST_CALLS {
            return Err(format!("the code has more than {MOST_CALLS} calls"));
        }
        let (mut call, end) = call_at(code, at, repairs).map_err(|why| not_plain(line, &why))?;
        let behind = code[end..].trim_start_matches([' ', '\t', '\r']);
        if !(behind.is_empty() || behind.starts_with(['\n', ';', '#'])) {
            return Err(not_plain(line, "something follows the call"));
        }
        if let Some((module, function)) = call.name.split_once('.')
            && let Some((_, real)) = aliases.iter().find(|(alias, _)| alias == module)
        {
            call.name = format!("{real}.{function}");
        }
        calls.push(call);
        at = end;
    }
}

fn not_plain(line: &str, why: &str) -> String {
    format!("only plain calls can be carried out, and {:?} is none ({why})", shortened(line.trim(), 80))
}

/// Bytes of space, separators and comments.
fn blank(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() || next == ';' {
            at += next.len_utf8();
        } else if next == '#' {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else {
            break;
        }
    }
    at
}

fn import(line: &str, aliases: &mut Vec<(String, String)>) -> Result<(), String> {
    let line = line.split('#').next().unwrap_or_default().trim().trim_end_matches(';');
    let refuse =
        |module: &str| Err(format!("{:?} cannot be imported; pyautogui and time are there", shortened(module, 40)));
    if let Some(from) = line.strip_prefix("from ") {
        let module = from.split_whitespace().next().unwrap_or_default();
        return if MODULES.contains(&module) && !from.contains(';') { Ok(()) } else { refuse(module) };
    }
    for part in line.trim_start_matches("import ").split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words.as_slice() {
            [module] if MODULES.contains(module) => {}
            [module, "as", alias] if MODULES.contains(module) => {
                aliases.push(((*alias).to_string(), (*module).to_string()));
            }
            _ => return refuse(part.trim()),
        }
    }
    Ok(())
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    care: Care,
    /// What went wrong may be a quote or a line break inside a text.
    forgivable: bool,
    repairs: &'a mut Repairs,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The next sign in its plain form, spaces and comments skipped.
    fn sign(&mut self) -> Option<char> {
        loop {
            let next = self.rest().chars().next()?;
            if next.is_whitespace() {
                self.at += next.len_utf8();
            } else if next == '#' {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else {
                return Some(if super::closing_quotes(next).is_some() { next } else { plain(next) });
            }
        }
    }

    fn take(&mut self) {
        if let Some(next) = self.rest().chars().next() {
            if plain(next) != next {
                self.repairs.note("read wide punctuation");
            }
            self.at += next.len_utf8();
        }
    }

    fn call(&mut self) -> Result<PyCall, String> {
        let name = self.dotted();
        if name.is_empty() {
            return Err("no name".into());
        }
        let mut call = PyCall { name, called: false, positional: Vec::new(), named: Vec::new() };
        let before = self.at;
        let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at += spaces;
        if self.rest().chars().next().map(plain) != Some('(') {
            self.at = before;
            let bare = call.name.chars().all(|next| next.is_ascii_uppercase());
            return if bare { Ok(call) } else { Err("no call".into()) };
        }
        self.take();
        call.called = true;
        loop {
            match self.sign() {
                Some(')') => {
                    self.take();
                    return Ok(call);
                }
                None => return Err("the call has no end".into()),
                Some(_) => {}
            }
            if call.positional.len() + call.named.len() >= MOST_ARGUMENTS {
                return Err("too many arguments".into());
            }
            match self.keyword() {
                Some(name) => {
                    let value = self.literal(0)?;
                    call.named.push((name, value));
                }
                None => {
                    let value = self.literal(0)?;
                    call.positional.push(value);
                }
            }
            let behind = self.rest().chars().next();
            let is_number = |literal: &Literal| matches!(literal, Literal::Number(_));
            let last = call.named.last().map(|(_, value)| value).or(call.positional.last());
            match self.sign() {
                Some(',') => self.take(),
                Some(')') => {}
                // Only the bracket is missing; a number might have had more digits.
                None if !last.is_some_and(is_number) => {
                    self.repairs.note(LEFT_OPEN);
                    return Ok(call);
                }
                None => return Err("the call has no end".into()),
                Some(_) => {
                    self.forgivable = behind.is_some_and(char::is_alphanumeric);
                    return Err("an argument is not a plain value".into());
                }
            }
        }
    }

    fn dotted(&mut self) -> String {
        let word = |next: &char| next.is_alphanumeric() || *next == '_' || *next == '.';
        let name: String = self.rest().chars().take_while(word).take(100).collect();
        if name.starts_with(|next: char| next.is_ascii_digit() || next == '.') || name.ends_with('.') {
            return String::new();
        }
        self.at += name.len();
        name
    }

    /// `name=`, which is taken; `None` leaves the place as it was.
    fn keyword(&mut self) -> Option<String> {
        let rest = self.rest();
        let name: String = rest.chars().take_while(|next| next.is_alphanumeric() || *next == '_').take(60).collect();
        let behind = rest[name.len()..].trim_start();
        let sign = behind.chars().next()?;
        if name.is_empty() || plain(sign) != '=' || behind[sign.len_utf8()..].starts_with('=') {
            return None;
        }
        self.at = self.text.len() - behind.len() + sign.len_utf8();
        Some(name)
    }

    fn literal(&mut self, depth: usize) -> Result<Literal, String> {
        if depth > DEEPEST {
            return Err("too many brackets".into());
        }
        let Some(sign) = self.sign() else { return Err("the call has no end".into()) };
        match sign {
            '[' | '(' => self.list(depth),
            '<' => self.tagged(),
            '-' | '+' | '.' | '0'..='9' => self.number(),
            _ => {
                let rest = &self.text[self.at..];
                let read = text_literal(rest, self.care, self.repairs);
                self.forgivable = matches!(read, Err(NO_END | LINE_ENDS));
                if let Some((text, bytes)) = read? {
                    self.at += bytes;
                    return Ok(Literal::Text(text));
                }
                let word = self.dotted();
                match word.as_str() {
                    "True" | "true" => Ok(Literal::Bool(true)),
                    "False" | "false" => Ok(Literal::Bool(false)),
                    "None" | "null" => Ok(Literal::None),
                    _ => Err("an argument is not a plain value".into()),
                }
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Literal, String> {
        self.take();
        let mut items = Vec::new();
        loop {
            match self.sign() {
                Some(']' | ')') => {
                    self.take();
                    return Ok(Literal::List(items));
                }
                None => return Err("the call has no end".into()),
                Some(',') => self.take(),
                Some(_) if items.len() >= 1024 => return Err("a list is too long".into()),
                Some(_) => items.push(self.literal(depth + 1)?),
            }
        }
    }

    /// `<point>1 2</point>` or `<|box_start|>(1,2)<|box_end|>` without quotes around it.
    fn tagged(&mut self) -> Result<Literal, String> {
        for (open, close) in [("<point>", "</point>"), ("<bbox>", "</bbox>"), ("<|box_start|>", "<|box_end|>")] {
            if self.rest().starts_with(open)
                && let Some(end) = self.rest().find(close)
            {
                let text = self.rest()[..end + close.len()].to_string();
                self.at += text.len();
                self.repairs.note("read a place without quotes");
                return Ok(Literal::Text(text));
            }
        }
        Err("an argument is not a plain value".into())
    }

    fn number(&mut self) -> Result<Literal, String> {
        let mut length = 0;
        let mut before = ' ';
        for next in self.rest().chars() {
            let sign = matches!(next, '+' | '-') && (length == 0 || matches!(before, 'e' | 'E'));
            if !(next.is_ascii_alphanumeric() || matches!(next, '.' | '_') || sign) {
                break;
            }
            length += 1;
            before = next;
        }
        let written = self.rest()[..length].trim_start_matches('+').replace('_', "");
        let number: f64 = written.parse().map_err(|_| "an argument is not a plain value".to_string())?;
        if !number.is_finite() {
            return Err("an argument is not a plain value".into());
        }
        self.at += length;
        Ok(Literal::Number(number))
    }
}

#[cfg(test)]
mod tests;
