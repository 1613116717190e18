//! Python's string literals: prefixes, triple quotes, escapes, neighbours that are one text. A text that Python
//! itself would refuse for a quote inside can be read on request.

use super::{Repairs, closing_quotes, plain};

/// What may be wrong with a text that only has a quote or a line break too many.
pub(super) const NO_END: &str = "a text has no end";
pub(super) const LINE_ENDS: &str = "a line ends inside a text";

/// Whether only what Python takes is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    Strict,
    /// Quotes and line breaks inside a text are kept; a quote ends it only where an argument can end.
    Loose,
}

/// The literal at the beginning of the text, neighbours included, and how many bytes it takes. `None` where there
/// is no literal; `Err` is a short phrase about a bad one.
pub(super) fn text_literal(
    text: &str,
    care: Care,
    repairs: &mut Repairs,
) -> Result<Option<(String, usize)>, &'static str> {
    let mut value = String::new();
    let mut at = 0;
    let mut any = false;
    loop {
        let blank = text[at..].len() - text[at..].trim_start().len();
        let skipped = if any { blank } else { 0 };
        let Some(prefix) = prefix(&text[at + skipped..]) else { break };
        at += skipped + prefix.bytes;
        at += one(&text[at..], prefix, care, repairs, &mut value)?;
        any = true;
        // A loose text takes its neighbours' quotes for its own.
        if care == Care::Loose {
            break;
        }
    }
    Ok(any.then_some((value, at)))
}

#[derive(Clone, Copy)]
struct Prefix {
    bytes: usize,
    raw: bool,
    format: bool,
    binary: bool,
}

fn prefix(text: &str) -> Option<Prefix> {
    let mut found = Prefix { bytes: 0, raw: false, format: false, binary: false };
    for next in text.chars().take(3) {
        match next {
            'r' | 'R' => found.raw = true,
            'f' | 'F' => found.format = true,
            'b' | 'B' => found.binary = true,
            'u' | 'U' => {}
            quote if closing_quotes(quote).is_some() => return Some(found),
            _ => return None,
        }
        found.bytes += next.len_utf8();
    }
    None
}

/// Reads one literal into `value`; returns its length in bytes.
fn one(
    text: &str,
    prefix: Prefix,
    care: Care,
    repairs: &mut Repairs,
    value: &mut String,
) -> Result<usize, &'static str> {
    if prefix.binary {
        return Err("bytes are not text");
    }
    let open = text.chars().next().unwrap_or('"');
    let closing = closing_quotes(open).unwrap_or(&['"']);
    if !matches!(open, '"' | '\'') {
        repairs.note("read other quotes");
    }
    let triple = text.starts_with("\"\"\"") || text.starts_with("'''");
    let mut at = if triple { 3 } else { open.len_utf8() };
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if closing.contains(&next) {
            if triple && rest.starts_with(&text[..3]) {
                return Ok(at + 3);
            }
            if !triple && (care == Care::Strict || ends_argument(&rest[next.len_utf8()..])) {
                return Ok(at + next.len_utf8());
            }
            if !triple {
                repairs.note("kept a quote inside a text");
            }
            value.push(next);
            at += next.len_utf8();
            continue;
        }
        at += next.len_utf8();
        match next {
            '\\' if prefix.raw => {
                value.push('\\');
                if let Some(after) = text[at..].chars().next() {
                    value.push(after);
                    at += after.len_utf8();
                }
            }
            '\\' => at += escape(&text[at..], value)?,
            '{' | '}' if prefix.format => {
                if !text[at..].starts_with(next) {
                    return Err("an f-string with a value in it cannot be read");
                }
                value.push(next);
                at += next.len_utf8();
            }
            '\n' if !triple && care == Care::Strict => return Err(LINE_ENDS),
            other => {
                if other == '\n' && !triple {
                    repairs.note("kept a line break inside a text");
                }
                value.push(other);
            }
        }
    }
    Err(NO_END)
}

/// Whether an argument, or the whole call, can end before this.
fn ends_argument(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let Some(next) = rest.chars().next().map(plain) else { return true };
    match next {
        ']' => true,
        // `)` ends a call only where nothing but another statement follows.
        ')' => {
            let behind =
                rest[rest.chars().next().map_or(1, char::len_utf8)..].trim_start_matches([' ', '\t', ')', ']']);
            behind.is_empty()
                || behind.starts_with(['\n', '\r', ';', '#', ',', '<', '`', '）'])
                || !behind.contains(['\'', '"'])
        }
        ',' => {
            let behind = rest[rest.chars().next().map_or(1, char::len_utf8)..].trim_start();
            let word = behind.chars().take_while(|next| next.is_alphanumeric() || *next == '_').count();
            let named = word > 0
                && behind[behind.char_indices().nth(word).map_or(behind.len(), |(end, _)| end)..]
                    .trim_start()
                    .starts_with('=');
            named || behind.starts_with(['\'', '"', '-']) || behind.starts_with(|next: char| next.is_ascii_digit())
        }
        _ => false,
    }
}

/// What a backslash and the text behind it mean; returns the bytes behind the backslash.
fn escape(rest: &str, value: &mut String) -> Result<usize, &'static str> {
    let Some(next) = rest.chars().next() else { return Err(NO_END) };
    let simple = match next {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'a' => Some('\u{7}'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'v' => Some('\u{b}'),
        '\\' | '\'' | '"' => Some(next),
        _ => None,
    };
    if let Some(simple) = simple {
        value.push(simple);
        return Ok(1);
    }
    let digits = match next {
        '\n' => return Ok(1),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        'N' => return Err("a character by name cannot be read"),
        '0'..='7' => {
            let octal: String = rest.chars().take(3).take_while(|next| next.is_digit(8)).collect();
            let code = u32::from_str_radix(&octal, 8).unwrap_or_default();
            value.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            return Ok(octal.len());
        }
        other => {
            value.push('\\');
            value.push(other);
            return Ok(other.len_utf8());
        }
    };
    let hex = rest.get(1..=digits).filter(|hex| hex.chars().all(|next| next.is_ascii_hexdigit()));
    let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).ok_or("an escape has too few digits")?;
    // A pair of surrogates, as JSON writes it.
    if (0xd800..0xdc00).contains(&code)
        && let Some(low) = rest.get(digits + 1..digits + 7).and_then(|pair| pair.strip_prefix("\\u"))
        && let Ok(low @ 0xdc00..0xe000) = u32::from_str_radix(low, 16)
    {
        let code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        value.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        return Ok(digits + 7);
    }
    value.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    Ok(digits + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strict(text: &str) -> Result<String, &'static str> {
        text_literal(text, Care::Strict, &mut Repairs::default()).map(|found| found.unwrap().0)
    }

    #[test]
    fn literals_mean_what_python_says() {
        for (literal, expected) in [
            (r"'it\'s'", "it's"),
            (r#""say \"hi\"""#, "say \"hi\""),
            (r"'a\nb\t\\'", "a\nb\t\\"),
            (r"'\x41\u00e9\U0001F600\101\0'", "Aé😀A\0"),
            (r"'\ud83d\ude00'", "😀"),
            (r"r'C:\new'", r"C:\new"),
            ("'''it's \"two\"\nlines'''", "it's \"two\"\nlines"),
            ("\"\"\"a\"b\"\"\"", "a\"b"),
            ("'one' \"two\"\n 'three'", "onetwothree"),
            ("f'a {{b}}'", "a {b}"),
            ("u'é'", "é"),
            (r"'C:\dir'", r"C:\dir"),
            ("'a\\\nb'", "ab"),
        ] {
            assert_eq!(strict(literal).as_deref(), Ok(expected), "{literal}");
        }
        for literal in ["f'a {b}'", "b'a'", "'open", "'a\nb'", r"'\x4'", r"'\N{DASH}'"] {
            assert!(strict(literal).is_err(), "{literal}");
        }
        assert_eq!(text_literal("x", Care::Strict, &mut Repairs::default()), Ok(None));
    }

    #[test]
    fn loose_texts_keep_their_quotes() {
        for (literal, expected) in [
            ("'It's me')", "It's me"),
            ("'say 'hi', you')", "say 'hi', you"),
            ("\"a \"b\" c\", interval=0.1)", "a \"b\" c"),
            ("'one\ntwo')\n", "one\ntwo"),
            ("'f('x') it's')", "f('x') it's"),
        ] {
            let read = text_literal(literal, Care::Loose, &mut Repairs::default()).unwrap().unwrap();
            assert_eq!(read.0, expected, "{literal}");
        }
    }
}
