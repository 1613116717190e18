//! Whether a text can be a CSS selector. Browsers refuse one that is not, but only once a run is over; a contract is
//! refused when it is read. What is let through here may still be refused by a browser, which is unknown and never a pass.

/// Deeper than anybody nests `:not(:is(…))`.
const DEEPEST: usize = 12;

/// Known from other tools, and in no browser.
const ELSEWHERE: [(&str, &str); 12] = [
    ("contains", "use `text_regex`"),
    ("has-text", "use `text_regex`"),
    ("text", "use `text_regex`"),
    ("text-is", "use `text`"),
    ("visible", "what cannot be seen is left out by itself"),
    ("hidden", "use `absent`, or `hidden_too`"),
    ("eq", "use :nth-child(), or `texts` for all in order"),
    ("first", "use :first-child or :first-of-type"),
    ("last", "use :last-child or :last-of-type"),
    ("selected", "use `option:checked`"),
    ("parent", "use :has()"),
    ("button", "use `button, input[type=button]`"),
];

/// Pseudo-classes that have selectors in their parentheses.
const WITH_SELECTORS: [&str; 7] = ["is", "where", "not", "has", "matches", "host", "host-context"];

/// The error is one sentence.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let mut reader = Reader { rest: text.chars().collect(), at: 0 };
    let shown = super::error::quoted(text);
    let read = reader.list(0, Relative::No);
    let read = read.and_then(|()| match reader.peek() {
        None => Ok(()),
        Some(extra) => Err(format!("`{extra}` does not belong there")),
    });
    read.map_err(|why| format!("`{shown}` is no CSS selector: {why}"))
}

/// Whether a selector may begin with a combinator, as in `:has(> img)`.
#[derive(Clone, Copy, PartialEq)]
enum Relative {
    Yes,
    No,
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

type Read = Result<(), String>;

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn after(&self) -> Option<char> {
        self.rest.get(self.at + 1).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn take(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(wanted);
        self.at += usize::from(is);
        is
    }

    fn spaces(&mut self) -> bool {
        let begun = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at > begun
    }

    /// Selectors between commas.
    fn list(&mut self, depth: usize, relative: Relative) -> Read {
        if depth > DEEPEST {
            return Err("it is nested too deeply".into());
        }
        loop {
            self.complex(depth, relative)?;
            if !self.take(',') {
                return Ok(());
            }
        }
    }

    /// Compounds between combinators.
    fn complex(&mut self, depth: usize, relative: Relative) -> Read {
        self.spaces();
        if relative == Relative::Yes && self.peek().is_some_and(|c| matches!(c, '>' | '+' | '~')) {
            self.at += 1;
            self.spaces();
        }
        loop {
            self.compound(depth)?;
            let space = self.spaces();
            match self.peek() {
                Some('>' | '+' | '~') => {
                    self.at += 1;
                    self.spaces();
                }
                None | Some(',' | ')') => return Ok(()),
                Some(_) if space => {}
                Some(extra) => return Err(format!("`{extra}` does not belong there")),
            }
        }
    }

    fn compound(&mut self, depth: usize) -> Read {
        let begun = self.at;
        if !self.take('*') && self.begins_name() {
            self.name()?;
        }
        loop {
            match self.peek() {
                Some('#') => {
                    self.at += 1;
                    self.name_after("#")?;
                }
                Some('.') => {
                    self.at += 1;
                    self.name_after(".")?;
                }
                Some('[') => self.attribute()?,
                Some(':') => self.pseudo(depth)?,
                _ => break,
            }
        }
        if self.at == begun {
            return Err(match self.peek() {
                None => "something is missing at its end".into(),
                Some(odd) => format!("`{odd}` does not belong there"),
            });
        }
        Ok(())
    }

    fn attribute(&mut self) -> Read {
        self.at += 1;
        self.spaces();
        self.name_after("[")?;
        self.spaces();
        if self.take(']') {
            return Ok(());
        }
        if self.peek().is_some_and(|c| matches!(c, '~' | '|' | '^' | '$' | '*')) {
            self.at += 1;
        }
        if !self.take('=') {
            return Err("an attribute wants `=` or `]`".into());
        }
        self.spaces();
        match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                self.until(quote)?;
            }
            _ if self.begins_name() => {
                self.name()?;
            }
            _ => return Err("the value of an attribute wants quotes unless it is a name".into()),
        }
        if self.spaces() && self.peek().is_some_and(|c| matches!(c, 'i' | 'I' | 's' | 'S')) {
            self.at += 1;
            self.spaces();
        }
        if self.take(']') { Ok(()) } else { Err("a `[` is not closed".into()) }
    }

    fn pseudo(&mut self, depth: usize) -> Read {
        self.at += 1;
        self.take(':');
        let name = self.name_after(":")?.to_ascii_lowercase();
        let elsewhere = ELSEWHERE.iter().find(|(known, _)| *known == name);
        if let Some((_, hint)) = elsewhere {
            return Err(format!("no browser knows `:{name}`. hint: {hint}"));
        }
        if !self.take('(') {
            return Ok(());
        }
        if WITH_SELECTORS.contains(&name.as_str()) {
            let relative = if name == "has" { Relative::Yes } else { Relative::No };
            self.list(depth + 1, relative)?;
        } else {
            self.balanced()?;
            return Ok(());
        }
        if self.take(')') { Ok(()) } else { Err("a `(` is not closed".into()) }
    }

    /// Whatever is in there, to the closing parenthesis.
    fn balanced(&mut self) -> Read {
        let (begun, mut open) = (self.at, 1);
        while let Some(next) = self.next() {
            match next {
                '(' => open += 1,
                ')' => open -= 1,
                '"' | '\'' => self.until(next)?,
                '\\' => {
                    self.next();
                }
                _ => {}
            }
            if open == 0 {
                let empty = self.rest[begun..self.at - 1].iter().all(|c| c.is_whitespace());
                return if empty { Err("there is nothing between its parentheses".into()) } else { Ok(()) };
            }
        }
        Err("a `(` is not closed".into())
    }

    fn until(&mut self, quote: char) -> Read {
        while let Some(next) = self.next() {
            match next {
                '\\' => {
                    self.next();
                }
                '\n' => break,
                _ if next == quote => return Ok(()),
                _ => {}
            }
        }
        Err(format!("a quote ({quote}) is not closed"))
    }

    fn begins_name(&self) -> bool {
        let letter = |c: char| c.is_alphabetic() || c == '_' || c == '\\' || !c.is_ascii();
        match self.peek() {
            Some('-') => self.after().is_some_and(|c| letter(c) || c == '-'),
            Some(first) => letter(first),
            None => false,
        }
    }

    fn name_after(&mut self, sign: &str) -> Result<String, String> {
        if sign != "#" && !self.begins_name() {
            return Err(match self.peek() {
                Some(digit) if digit.is_ascii_digit() => {
                    format!("a name cannot begin with `{digit}`. hint: use an attribute, like [class~=\"{digit}\"]")
                }
                _ => format!("a name is missing after `{sign}`"),
            });
        }
        // `#7` is a hash for the tokenizer, and yet no selector.
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err("an id in a selector cannot begin with a digit. hint: [id=\"7\"]".into());
        }
        self.name()
    }

    fn name(&mut self) -> Result<String, String> {
        let begun = self.at;
        while let Some(c) = self.peek() {
            if c == '\\' {
                self.at += 1;
                if self.next().is_none_or(|c| c == '\n') {
                    return Err("a backslash escapes nothing".into());
                }
            } else if c.is_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() {
                self.at += 1;
            } else {
                break;
            }
        }
        if self.at == begun {
            return Err("a name is missing".into());
        }
        Ok(self.rest[begun..self.at].iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in Chromium, but for what it would close or bear at the end of a text (`p[a`, `[a='x]`, `a\\`) and for `a & b`:
    /// in a contract those are slips.
    #[test]
    fn selectors_are_told_from_slips() {
        for fine in FINE {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
        for wrong in WRONG {
            let said = check(wrong).unwrap_err();
            assert!(said.contains("is no CSS selector") && !said.contains('\n'), "{wrong:?}: {said}");
        }
        assert!(check("a:contains('x')").unwrap_err().ends_with("hint: use `text_regex`"));
        assert!(check(&"a:not(".repeat(40)).is_err());
    }

    const FINE: &[&str] = &[
        "#status",
        "a",
        "*",
        ".row, .line",
        "table#orders > tbody tr:nth-child(2n + 1) td.total",
        "input[name=qty]",
        "input[name = \"qty\" i]",
        "[data-id='7']",
        "[aria-label=\"Kick step 9\"]",
        "a[href^='/orders/'][href$=\".pdf\"]",
        "li:not(.done):not([hidden])",
        ":is(h1, h2) + p ~ span",
        "tr:has(> td.name)",
        "tr:has(td:first-child)",
        "option:checked",
        "input::placeholder",
        ".md\\:flex",
        "#\\37",
        "--x-y",
        "my-widget",
        ".größe",
        "div   >   p",
        ":nth-child(2 of .on)",
        ":lang(de)",
        "[lang|=en]",
        "[title=\"a ] ) , ' b\"]",
    ];

    const WRONG: &[&str] = &[
        "p[",
        "p[a",
        "p[a=",
        "p[a=1x]",
        "#",
        "..x",
        "a >",
        "> a",
        "a,",
        ",a",
        "a,,b",
        ":",
        "a:not(",
        "a:not()",
        "a)",
        "#7",
        ".7up",
        "a:contains(x)",
        "tr:eq(2)",
        "div:visible",
        "[a='x]",
        "a{}",
        "//div",
        "a b >> c",
        "$x",
        "@a",
        "text=Save",
        "a:nth-child()",
        "[=x]",
        "!a",
        "a & b",
        "(a)",
        "a\\",
    ];
}
