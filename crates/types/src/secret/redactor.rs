//! Replaces every copy of a secret by its placeholder, in whatever spelling it comes back: as it is,
//! in another case, escaped for urls, HTML or JSON (also twice), in Base64, with white space squeezed,
//! and cut off. Built once per run and handed to everything that writes; without secrets it costs nothing.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::patterns::{Found, GRAM, Patterns};
use super::spellings::{Plus, Unit, decoded, folded, may_be_encoded, squeezed, units_of};
use super::vocabulary::{belongs_to, is_word};
use super::{OPENING, Secret};

/// Values of so few characters are replaced only where they stand alone: a "7" would make every
/// artefact unreadable.
const ALONE_UP_TO: usize = 3;
/// With so many letters, a copy in another case is still that value.
const LETTERS_OF_WORDS: usize = 4;
/// The beginning of a value at the end of a text counts from half of it on, within these bounds.
const BEGINNING: (usize, usize) = (4, 8);
/// Lines of a value that are replaced on their own.
const TELLING_LINE: usize = 8;
/// How often escapes are undone: a url in JSON in a log line.
const LAYERS: usize = 3;

/// See the head of this file.
#[derive(Clone, Default)]
pub struct Redactor(Option<Arc<Tables>>);

struct Tables {
    placeholders: Vec<String>,
    values: Patterns,
    rules: Vec<Rule>,
    base64: Patterns,
    /// Whose each pattern of `base64` is.
    base64_of: Vec<usize>,
    /// Values of which nobody sees a character, and whose they are. They are compared as they are.
    unseen: Vec<(Vec<char>, usize)>,
    /// Some value has a space in it, which forms write as `+`.
    spaces: bool,
}

/// How a pattern of `values` is looked at.
struct Rule {
    secret: usize,
    /// The characters as they are, where case matters or a beginning is compared.
    written: Vec<char>,
    exact: bool,
    alone: bool,
    /// Also found by its beginning, where a text ends.
    beginnings: bool,
}

/// Bytes of a text that show a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    start: usize,
    end: usize,
    secret: usize,
}

/// What becomes of values that are words of our own formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Redacted,
    Kept,
}

/// What others make of a value: a field of one line drops the breaks, a file's name has none of these characters.
fn rewritten(value: &str) -> [String; 2] {
    let one_line = value.replace(['\r', '\n'], "");
    let barred = |c: char| c.is_control() || "<>:\"/\\|?*".contains(c);
    [one_line, value.chars().map(|c| if barred(c) { '_' } else { c }).collect()]
}

impl Redactor {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut tables = Tables {
            placeholders: Vec::new(),
            values: Patterns::default(),
            rules: Vec::new(),
            base64: Patterns::default(),
            base64_of: Vec::new(),
            unseen: Vec::new(),
            spaces: false,
        };
        let (mut values, mut encoded) = (Vec::new(), Vec::new());
        for secret in secrets {
            let written = compared_form(secret.expose());
            let bare = secret.expose().trim();
            if bare.is_empty() {
                continue;
            }
            let index = tables.placeholders.len();
            tables.placeholders.push(secret.placeholder());
            for pattern in base64_patterns(secret.expose().as_bytes()) {
                encoded.push(pattern);
                tables.base64_of.push(index);
            }
            if written.is_empty() {
                tables.unseen.push((bare.chars().collect(), index));
                continue;
            }
            tables.spaces |= written.contains(&' ');
            let (whole, beginnings) = (written.len(), written.len() > ALONE_UP_TO);
            let lines = secret.expose().lines().map(compared_form);
            let lines = lines.filter(|line| line.len() >= TELLING_LINE && line.len() < whole);
            let others = rewritten(secret.expose()).map(|other| compared_form(&other));
            let others: Vec<_> =
                others.into_iter().filter(|other| *other != written && other.len() > ALONE_UP_TO).collect();
            let all = std::iter::once((written, beginnings)).chain(lines.map(|line| (line, false)));
            for (written, beginnings) in all.chain(others.into_iter().map(|other| (other, true))) {
                values.push(written.iter().copied().map(folded).collect());
                let letters = written.iter().filter(|c| c.is_alphabetic()).count();
                let exact = letters < LETTERS_OF_WORDS && written.len() < GRAM;
                let alone = written.len() <= ALONE_UP_TO;
                tables.rules.push(Rule { secret: index, written, exact, alone, beginnings });
            }
        }
        if tables.placeholders.is_empty() {
            return Redactor(None);
        }
        tables.values = Patterns::new(values);
        tables.base64 = Patterns::new(encoded);
        Redactor(Some(Arc::new(tables)))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn text(&self, text: &str) -> String {
        self.clean(text).into_owned()
    }

    /// The same without a copy where nothing has to be replaced.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.as_ref().map_or(Cow::Borrowed(text), |tables| tables.clean(text, 0))
    }

    /// Cleans a text where it stands.
    pub fn clean_in_place(&self, text: &mut String) {
        let cleaned = match self.clean(text) {
            Cow::Owned(cleaned) => cleaned,
            Cow::Borrowed(_) => return,
        };
        *text = cleaned;
    }

    /// The first placeholder of a known secret that a text holds.
    pub fn placeholder_in(&self, text: &str) -> Option<&str> {
        let tables = self.0.as_ref().filter(|_| text.contains(OPENING))?;
        tables.placeholders.iter().map(String::as_str).find(|placeholder| text.contains(placeholder))
    }

    /// Redacts every string of a JSON value, object keys included. Names of our own fields stay.
    pub fn json(&self, value: &mut Value) {
        if let Some(tables) = &self.0 {
            tables.json(value, "", Words::Redacted);
        }
    }

    /// A redacted copy of what can be written and read as JSON. A secret may be a word of a closed set
    /// ("confirmed"); such words stay in the fields that take them. Where the copy cannot be read all the same, they
    /// stay everywhere, as nobody can tell them from our own. `None`: it cannot be told without the secret.
    pub fn copy_of<T: Clone + Serialize + DeserializeOwned>(&self, value: &T) -> Option<T> {
        let Some(tables) = &self.0 else { return Some(value.clone()) };
        let whole = serde_json::to_value(value).ok()?;
        [Words::Redacted, Words::Kept].into_iter().find_map(|words| {
            let mut copy = whole.clone();
            tables.json(&mut copy, "", words);
            serde_json::from_value(copy).ok()
        })
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let placeholders = self.0.as_ref().map(|tables| tables.placeholders.as_slice()).unwrap_or_default();
        f.debug_tuple("Redactor").field(&placeholders).finish()
    }
}

impl Tables {
    /// `least`: shorter values are left alone, in what our own code made.
    fn clean<'t>(&self, text: &'t str, least: usize) -> Cow<'t, str> {
        if text.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut shown = Vec::new();
        let units = units_of(text);
        self.scan(&units, least, &mut shown);
        if may_be_encoded(text) {
            self.scan_layers(decoded(&units, Plus::Itself), least, &mut shown);
        }
        if self.spaces && text.contains('+') {
            self.scan_layers(decoded(&units, Plus::Space), least, &mut shown);
        }
        if shown.is_empty() {
            return Cow::Borrowed(text);
        }
        let standing = self.placeholders_in(text);
        // They stand one after the other, so only the last that begins before it can hold it.
        let holder = |found: &Shown| standing[..standing.partition_point(|(start, _)| *start <= found.start)].last();
        shown.retain(|found| holder(found).is_none_or(|(_, end)| found.end > *end));
        if shown.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(self.replaced(text, shown)) }
    }

    fn scan_layers(&self, first: Option<Vec<Unit>>, least: usize, shown: &mut Vec<Shown>) {
        let mut layer = first;
        for _ in 0..LAYERS {
            let Some(units) = layer else { return };
            self.scan(&units, least, shown);
            layer = decoded(&units, Plus::Itself);
        }
    }

    fn scan(&self, units: &[Unit], least: usize, shown: &mut Vec<Shown>) {
        self.unseen(units, least, shown);
        let units = squeezed(units);
        let exact: Vec<char> = units.iter().map(|unit| unit.character).collect();
        let lower: Vec<char> = exact.iter().copied().map(folded).collect();
        let mut show = |start: usize, end: usize, secret: usize| {
            shown.push(Shown { start: units[start].start, end: units[end - 1].end, secret });
        };
        self.values.search(&lower, |Found { start, end, pattern }| {
            let rule = &self.rules[pattern];
            let same = !rule.exact || exact[start..end] == rule.written[..];
            let in_word = |at: Option<usize>| at.and_then(|at| exact.get(at)).is_some_and(|c| c.is_alphanumeric());
            let stands = !rule.alone || !in_word(start.checked_sub(1)) && !in_word(Some(end));
            if same && stands && self.values.pattern(pattern).len() >= least {
                show(start, end, rule.secret);
            }
        });
        self.beginnings(&exact, least, &mut show);
        self.encoded(exact, &mut show);
    }

    /// Values of invisible characters, which a comparison of what is seen would pass over.
    fn unseen(&self, units: &[Unit], least: usize, shown: &mut Vec<Shown>) {
        for (value, secret) in self.unseen.iter().filter(|(value, _)| value.len() >= least) {
            let in_word =
                |at: Option<usize>| at.and_then(|at| units.get(at)).is_some_and(|u| u.character.is_alphanumeric());
            for (start, window) in units.windows(value.len()).enumerate() {
                let same = window.iter().map(|unit| unit.character).eq(value.iter().copied());
                let end = start + value.len();
                // One joiner between letters is how some languages are written.
                let stands = value.len() > ALONE_UP_TO || !in_word(start.checked_sub(1)) && !in_word(Some(end));
                if same && stands {
                    shown.push(Shown { start: units[start].start, end: units[end - 1].end, secret: *secret });
                }
            }
        }
    }

    /// Beginnings of values where the text was cut off.
    fn beginnings(&self, text: &[char], least: usize, show: &mut impl FnMut(usize, usize, usize)) {
        let dots = |at: &usize| text[*at] == '…' || text[*at..].starts_with(&['.', '.', '.']);
        for end in (0..text.len()).filter(dots).chain([text.len()]) {
            for rule in self.rules.iter().filter(|rule| rule.beginnings && rule.written.len() >= least) {
                let shortest = rule.written.len().div_ceil(2).clamp(BEGINNING.0, BEGINNING.1);
                // What is longer is found by its grams.
                let longest = (rule.written.len() - 1).min(GRAM - 1).min(end);
                let ends_here = |length: &usize| text[end - length..end] == rule.written[..*length];
                if let Some(length) = (shortest..=longest).rev().find(ends_here) {
                    show(end - length, end, rule.secret);
                }
            }
        }
    }

    /// Copies in Base64. The characters at both ends hold bits of the neighbours as well as of the value.
    fn encoded(&self, mut text: Vec<char>, show: &mut impl FnMut(usize, usize, usize)) {
        for character in &mut text {
            *character = match *character {
                '-' => '+',
                '_' => '/',
                other => other,
            };
        }
        let belongs = |at: usize| text.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || "+/".contains(*c));
        self.base64.search(&text, |Found { start, end, pattern }| {
            let start = if start > 0 && belongs(start - 1) { start - 1 } else { start };
            let end = if belongs(end) { end + 1 } else { end };
            show(start, end, self.base64_of[pattern]);
        });
    }

    /// Where placeholders of ours stand already: nothing inside them is a secret.
    fn placeholders_in(&self, text: &str) -> Vec<(usize, usize)> {
        let known = |start: usize| self.placeholders.iter().find(|known| text[start..].starts_with(known.as_str()));
        text.match_indices(OPENING).filter_map(|(at, _)| Some((at, at + known(at)?.len()))).collect()
    }

    /// From left to right, the longest first; what is left of an overlapping one is replaced too.
    fn replaced(&self, text: &str, mut shown: Vec<Shown>) -> String {
        shown.sort_by_key(|found| (found.start, usize::MAX - found.end));
        let mut out = String::with_capacity(text.len());
        let (mut done, mut last) = (0, None);
        for found in shown {
            if found.end <= done {
                continue;
            }
            let overlaps = found.start < done && last == Some(found.secret);
            if !overlaps {
                out.push_str(&text[done..found.start.max(done)]);
                out.push_str(&self.placeholders[found.secret]);
            }
            (done, last) = (found.end, Some(found.secret));
        }
        out.push_str(&text[done..]);
        out
    }

    fn json(&self, value: &mut Value, name: &str, words: Words) {
        match value {
            Value::String(text) => {
                let own = belongs_to(name, text) || words == Words::Kept && is_word(text);
                if !own && let Cow::Owned(cleaned) = self.clean(text, 0) {
                    *text = cleaned;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item, name, words)),
            Value::Object(map) => {
                let is_frame = map.contains_key("sha256");
                let is_anchor = map.contains_key("seq");
                let is_tab = map.contains_key("target") && map.contains_key("active");
                let mut foreign = false;
                for (key, item) in map.iter_mut() {
                    let made = match key.as_str() {
                        "sha256" | "frame_hash" | "run_id" | "at" | "started_at" => true,
                        "before" | "after" => name == "frames",
                        "path" | "format" => is_frame,
                        "id" | "target" => is_tab,
                        "hash" => is_anchor,
                        _ => false,
                    };
                    match item {
                        // A PIN like "1234" occurs in hashes by chance, and a redacted hash would lose its frame.
                        Value::String(text) if made => *text = self.clean(text, GRAM).into_owned(),
                        item => self.json(item, key, words),
                    }
                    foreign |= !is_word(key) && matches!(self.clean(key, 0), Cow::Owned(_));
                }
                if foreign {
                    let old = std::mem::take(map);
                    for (key, item) in old {
                        let key = if is_word(&key) { key } else { self.clean(&key, 0).into_owned() };
                        map.insert(key, item);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// A value as texts are compared with it: white space squeezed as the DOM does, none at the ends.
fn compared_form(value: &str) -> Vec<char> {
    let characters: Vec<char> = squeezed(&units_of(value.trim())).into_iter().map(|unit| unit.character).collect();
    let visible = characters.iter().any(|c| !c.is_whitespace());
    if visible { characters } else { Vec::new() }
}

/// The characters that a value alone decides, at each of the three places where it can begin.
fn base64_patterns(value: &[u8]) -> Vec<Vec<char>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if value.len() <= ALONE_UP_TO {
        return Vec::new();
    }
    let at_offset = |offset: usize| {
        let bit = |index: usize| {
            let byte = (index / 8).checked_sub(offset).and_then(|at| value.get(at)).copied().unwrap_or_default();
            byte >> (7 - index % 8) & 1
        };
        let (first, last) = ((offset * 8).div_ceil(6), (offset + value.len()) * 8 / 6);
        let character = |at: usize| {
            let number = (at * 6..at * 6 + 6).fold(0, |sum, index| sum << 1 | bit(index));
            char::from(ALPHABET[usize::from(number)])
        };
        (first..last).map(character).collect()
    };
    (0..3).map(at_offset).collect()
}
