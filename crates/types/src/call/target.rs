//! A script or a routine may name an element instead of a coordinate. It is resolved against the interactables
//! at the moment the call runs, because only then is the page what the author expected.

use serde_json::{Map, Value};

use super::CallProblem;
use crate::coords::{GRID_MAX, GridPoint};
use crate::observation::{Interactable, descriptor};
use crate::surroundings::{PlainName, Surroundings, Wanted};
use crate::ui::OnOff;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TargetQuery {
    pub text: Option<String>,
    pub role: Option<String>,
    /// Zero-based among the matches, in reading order.
    pub index: Option<usize>,
    /// How many matched when the index was written down; with another number the index says nothing.
    pub of: Option<usize>,
    /// The whole name has to be the text; without it, a name that contains the text will do.
    pub exact: bool,
    /// A text in the same row, or the name of another element: of several matches, the one beside it is meant.
    pub beside: Option<String>,
    /// Of several matches, the one nearest to this place is meant.
    pub near: Option<GridPoint>,
    /// What has to stand around it.
    pub around: Wanted,
    /// The icon of an element without a name.
    pub likeness: Option<String>,
    /// Whether the switch has to be on or off.
    pub state: Option<OnOff>,
    /// The element is not looked for by name.
    pub place: Option<TargetPlace>,
    /// Nothing is guessed: what is there several times is not taken, whether in view or not.
    pub strict: bool,
}

/// An element that is known by where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetPlace {
    At(GridPoint),
    Focus,
}

/// A role of our own: whatever text is entered into or chosen in.
const ANY_FIELD: &str = "field";
const FIELD_ROLES: [&str; 5] = ["textbox", "searchbox", "combobox", "spinbutton", "listbox"];

const WRONG: &str = "target must be an object with text, role or both, and optionally index (with of), exact, beside \
                     or near, like {\"role\":\"button\",\"text\":\"Save\"}";
const ALREADY: &str = "already, which it was not before";
const SEVERAL: &str = "is there several times";
const BY_POSITION: &str = "only its position told it from the others";

impl TargetQuery {
    /// Takes `target` out of a call, leaving a plain native call that still lacks its coordinate.
    pub fn take(call: &mut Map<String, Value>) -> Result<Option<TargetQuery>, CallProblem> {
        TargetQuery::take_field(call, "target", &["coordinate", "start_coordinate"])
    }

    /// The same for where a drag ends.
    pub fn take_end(call: &mut Map<String, Value>) -> Result<Option<TargetQuery>, CallProblem> {
        TargetQuery::take_field(call, "end_target", &["end_coordinate"])
    }

    fn take_field(
        call: &mut Map<String, Value>,
        field: &str,
        excluded: &[&str],
    ) -> Result<Option<TargetQuery>, CallProblem> {
        let Some(value) = call.shift_remove(field) else {
            return Ok(None);
        };
        let query = TargetQuery::read(&value).ok_or_else(|| CallProblem::invalid(WRONG))?;
        if let Some(excluded) = excluded.iter().find(|name| call.contains_key(**name)) {
            return Err(CallProblem::invalid(format!("{field} and {excluded} exclude each other: give one of them")));
        }
        Ok(Some(query))
    }

    fn read(value: &Value) -> Option<TargetQuery> {
        let mut query = TargetQuery::default();
        for (name, field) in value.as_object()? {
            match (name.as_str(), field) {
                ("text", Value::String(text)) => query.text = Some(text.clone()),
                ("role", Value::String(role)) => query.role = Some(role.to_ascii_lowercase()),
                ("index", field) => query.index = Some(count(field)?),
                ("of", field) => query.of = Some(count(field)?),
                ("exact", Value::Bool(exact)) => query.exact = *exact,
                ("beside", Value::String(name)) => query.beside = Some(name.clone()),
                ("near", field) => query.near = Some(place(field)?),
                ("row", field) => query.around.row = texts(field)?,
                ("heading", Value::String(heading)) => query.around.heading = Some(heading.clone()),
                ("caption", Value::String(caption)) => query.around.caption = Some(caption.clone()),
                ("options", field) => query.around.options = texts(field)?,
                ("likeness", Value::String(likeness)) => query.likeness = Some(likeness.clone()),
                ("state", field) => query.state = Some(serde_json::from_value(field.clone()).ok()?),
                ("strict", Value::Bool(strict)) => query.strict = *strict,
                ("at", field) => query.place = Some(TargetPlace::At(place(field)?)),
                ("focus", Value::Bool(true)) => query.place = Some(TargetPlace::Focus),
                _ => return None,
            }
        }
        let names_something = query.text.is_some() || query.role.is_some() || query.place.is_some();
        (names_something && (query.of.is_none() || query.index.is_some())).then_some(query)
    }

    /// What is asked for, where it is a plain element that no markup makes a control.
    pub fn plain(&self) -> Option<PlainName> {
        let role = self.role.as_ref().filter(|role| PlainName::ROLES.contains(&role.as_str()))?;
        Some(PlainName { role: role.clone(), text: self.text.clone()? })
    }

    /// The centre of the one element that is meant. Exact names beat names that merely contain the text.
    pub fn resolve(&self, interactables: &[Interactable]) -> Result<GridPoint, String> {
        self.find(interactables).map(|found| found.bounds.centre())
    }

    /// The one element that is meant, or a sentence about why there is none.
    pub fn find<'a>(&self, interactables: &'a [Interactable]) -> Result<&'a Interactable, String> {
        let mut matches = self.matches(interactables);
        if self.strict {
            return self.the_one(&matches, interactables);
        }
        matches.retain(|item| !item.out_of_view && self.around.differs(item.around.as_deref()).is_none());
        if matches.is_empty() {
            return Err(format!("no element matches the target {self}"));
        }
        if let Some(neighbour) = &self.beside {
            return self.beside_text(neighbour, &matches, interactables);
        }
        let index = self.index.filter(|_| self.of.is_none_or(|of| of == matches.len()));
        match (index, matches.as_slice(), self.near) {
            (Some(index), found, _) if index < found.len() => Ok(found[index]),
            (Some(index), several, _) => {
                Err(format!("the target {self} asks for index {index}, but only {} elements match", several.len()))
            }
            (None, [only], _) => Ok(only),
            (None, several, Some(near)) => nearest(several, near).ok_or_else(|| self.too_many(several)),
            (None, several, None) => Err(self.too_many(several)),
        }
    }

    /// Whether what stands around a place, and how it is switched, is what is wanted.
    pub fn fits(&self, seen: Option<&Surroundings>) -> Result<(), String> {
        match self.around.differs(seen) {
            Some(reason) => Err(reason),
            None => self.has_state(seen.and_then(|seen| seen.state)),
        }
    }

    /// Whether a sentence says that the switch stands already where it is to be put.
    pub fn says_already(sentence: &str) -> bool {
        sentence.contains(ALREADY)
    }

    /// Whether a sentence speaks of something that no scrolling changes.
    pub fn is_final(sentence: &str) -> bool {
        [ALREADY, SEVERAL, BY_POSITION].iter().any(|words| sentence.contains(words))
    }

    fn the_one<'a>(&self, matches: &[&'a Interactable], all: &'a [Interactable]) -> Result<&'a Interactable, String> {
        if matches.is_empty() {
            return Err(format!("no element matches the target {self}{}", self.others_of_its_role(all)));
        }
        let differs = |item: &Interactable| self.around.differs(item.around.as_deref());
        let found = match (self.index, &self.beside) {
            (Some(index), _) => {
                let wanted = self.of.unwrap_or(matches.len());
                if wanted != matches.len() {
                    let now = matches.len();
                    return Err(format!("there are {now} of {self} where {wanted} were, and {BY_POSITION}"));
                }
                let picked =
                    matches.get(index).copied().ok_or_else(|| format!("no element matches the target {self}"))?;
                if let Some(reason) = differs(picked) {
                    return Err(format!("{self} is not where it was: {reason}, and {BY_POSITION}"));
                }
                picked
            }
            (None, Some(neighbour)) => self.beside_text(neighbour, matches, all)?,
            (None, None) => {
                let fitting = matches.iter().copied().filter(|item| differs(item).is_none());
                let fitting: Vec<&'a Interactable> = fitting.collect();
                match (fitting.as_slice(), matches) {
                    ([only], _) => *only,
                    ([], [only]) => {
                        return Err(format!("{self} is another one: {}", differs(only).unwrap_or_default()));
                    }
                    ([], _) => return Err(self.none_fits(matches)),
                    (several, _) => return Err(format!("{self} {SEVERAL} ({})", several.len())),
                }
            }
        };
        self.has_state(found.around.as_ref().and_then(|around| around.state))?;
        if found.out_of_view {
            return Err(format!("{self} is there, but out of view"));
        }
        Ok(found)
    }

    /// What is there instead, for whoever has to find out what changed.
    fn others_of_its_role(&self, all: &[Interactable]) -> String {
        const SHOWN: usize = 4;
        let Some(role) = &self.role else { return String::new() };
        let mut names: Vec<String> = Vec::new();
        for item in all.iter().filter(|item| item.role == *role && !item.name.trim().is_empty()) {
            let name = format!("{:?}", item.name.chars().take(40).collect::<String>());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = if names.len() > SHOWN { ", …" } else { "" };
        names.truncate(SHOWN);
        if names.is_empty() { String::new() } else { format!("; of that kind there is {}{more}", names.join(", ")) }
    }

    fn none_fits(&self, matches: &[&Interactable]) -> String {
        let beside = self.around.row.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", ");
        let wanted = match (&self.around.heading, beside.is_empty()) {
            (Some(heading), true) => format!("under the heading {heading:?}"),
            (Some(heading), false) => format!("beside {beside} under the heading {heading:?}"),
            (None, _) => format!("beside {beside}"),
        };
        format!("no {self} stands {wanted}, which is not there ({} others are)", matches.len())
    }

    fn has_state(&self, seen: Option<OnOff>) -> Result<(), String> {
        match (self.state, seen) {
            (None, _) => Ok(()),
            (Some(wanted), Some(seen)) if wanted == seen => Ok(()),
            (Some(OnOff::Off), Some(OnOff::On)) => Err(format!("{self} is on {ALREADY}")),
            (Some(OnOff::On), Some(OnOff::Off)) => Err(format!("{self} is off {ALREADY}")),
            (Some(_), _) => Err(format!("whether {self} is on or off cannot be told, and before it could")),
        }
    }

    fn matches<'a>(&self, interactables: &'a [Interactable]) -> Vec<&'a Interactable> {
        let is_of = |item: &&Interactable, role: &str| match role {
            ANY_FIELD => FIELD_ROLES.contains(&item.role.as_str()),
            role => item.role == role,
        };
        let of_role = interactables.iter().filter(|item| self.role.as_deref().is_none_or(|role| is_of(item, role)));
        let alike = |item: &&Interactable| {
            let seen = item.around.as_ref().and_then(|around| around.likeness.as_deref());
            self.likeness.as_deref().is_none_or(|wanted| seen == Some(wanted))
        };
        let of_role: Vec<&Interactable> = of_role.filter(alike).collect();
        let Some(text) = &self.text else { return of_role };
        let wanted = folded(text);
        let named = |matches: &dyn Fn(&str) -> bool| -> Vec<&'a Interactable> {
            of_role.iter().copied().filter(|item| matches(&folded(&item.name))).collect()
        };
        let same = named(&|name| name == wanted);
        if !same.is_empty() {
            return same;
        }
        if self.exact {
            // "Cart (3)" is "Cart (2)" with other data; "Step 3" and "Step 2" are two things.
            return named(&|name| without_counter(name) == without_counter(&wanted));
        }
        named(&|name| name.contains(&wanted))
    }

    /// By the texts of the rows where they are known, else by the place of an element of that name.
    fn beside_text<'a>(
        &self,
        neighbour: &str,
        matches: &[&'a Interactable],
        all: &[Interactable],
    ) -> Result<&'a Interactable, String> {
        let in_row = |item: &&&Interactable| item.around.as_ref().is_some_and(|around| around.has(neighbour));
        let mut rows = matches.iter().filter(in_row);
        match (rows.next(), rows.next()) {
            (Some(only), None) => return Ok(only),
            (Some(_), Some(_)) => {
                return Err(format!(
                    "the target {self} stands beside {neighbour:?}, which {SEVERAL}; add an index or a row"
                ));
            }
            (None, _)
                if matches.iter().any(|item| item.around.as_ref().is_some_and(|around| !around.row.is_empty())) =>
            {
                return Err(format!("the target {self} stands beside {neighbour:?}, which is not there"));
            }
            (None, _) => {}
        }
        let wanted = folded(neighbour);
        let mut found = all.iter().filter(|item| folded(&item.name) == wanted);
        match (found.next(), found.next()) {
            (Some(only), None) => {
                nearest(matches, only.bounds.centre()).ok_or_else(|| format!("no element matches the target {self}"))
            }
            (None, _) => Err(format!("the target {self} stands beside {neighbour:?}, which is not there")),
            (Some(_), Some(_)) => Err(format!("the target {self} stands beside {neighbour:?}, which {SEVERAL}")),
        }
    }

    fn too_many(&self, several: &[&Interactable]) -> String {
        let rows = several.iter().filter_map(|item| item.around.as_ref()?.own.first());
        let rows: Vec<String> = rows.take(4).map(|text| format!("{text:?}")).collect();
        let hint = if rows.is_empty() { String::new() } else { format!(" or beside, like {}", rows.join(", ")) };
        format!(
            "{} elements match the target {self}: {}; add an index{hint}",
            several.len(),
            several.iter().take(4).map(|item| item.descriptor()).collect::<Vec<_>>().join(", ")
        )
    }
}

impl std::fmt::Display for TargetQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let role = self.role.as_deref().unwrap_or(match self.place {
            Some(TargetPlace::At(_)) => "place",
            Some(TargetPlace::Focus) => "field",
            None => "element",
        });
        match &self.text {
            Some(text) if text.is_empty() => write!(f, "{role} without a name"),
            Some(text) => write!(f, "{role} {text:?}"),
            None => f.write_str(&descriptor(role, "")),
        }
    }
}

/// Names are compared without case, and any white space is one space.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// How far an element is from a place. Lines of a page belong together, so height counts more than width.
pub fn apart(one: GridPoint, other: GridPoint) -> u64 {
    const HEIGHT_COUNTS: u64 = 3;
    let across = u64::from(one.x.abs_diff(other.x));
    let down = u64::from(one.y.abs_diff(other.y)) * HEIGHT_COUNTS;
    across * across + down * down
}

fn nearest<'a>(matches: &[&'a Interactable], to: GridPoint) -> Option<&'a Interactable> {
    matches.iter().copied().min_by_key(|item| apart(item.bounds.centre(), to))
}

/// A name without a number in brackets at its end, which counts something.
fn without_counter(name: &str) -> &str {
    let inner = |open: char, close: char| -> Option<&str> {
        let (rest, number) = name.strip_suffix(close)?.rsplit_once(open)?;
        let counts = !number.is_empty() && number.chars().all(|character| character.is_ascii_digit());
        counts.then(|| rest.trim_end())
    };
    inner('(', ')').or_else(|| inner('[', ']')).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

fn count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_string)).collect()
}

fn place(value: &Value) -> Option<GridPoint> {
    let axis = |value: &Value| u16::try_from(value.as_u64()?).ok().filter(|axis| *axis <= GRID_MAX);
    match value.as_array()?.as_slice() {
        [x, y] => Some(GridPoint::new(axis(x)?, axis(y)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::coords::GridBox;

    fn item(role: &str, name: &str, x: u16, y: u16) -> Interactable {
        Interactable::new(role, name, GridBox { x0: x - 10, y0: y - 10, x1: x + 10, y1: y + 10 })
    }

    fn page() -> Vec<Interactable> {
        vec![
            item("link", "Ada Lovelace", 100, 200),
            item("button", "Delete", 800, 200),
            item("link", "Priya Raman", 100, 300),
            item("button", "Delete", 800, 300),
            item("button", "Save as draft", 500, 600),
            item("link", "Cart (3)", 900, 50),
        ]
    }

    fn check(target: Value, expected: Result<[u16; 2], &str>) {
        let mut call = json!({ "target": target }).as_object().unwrap().clone();
        let query = TargetQuery::take(&mut call).unwrap().unwrap();
        match (query.resolve(&page()), expected) {
            (Ok(found), Ok(expected)) => assert_eq!([found.x, found.y], expected, "{query:?}"),
            (Err(sentence), Err(part)) => assert!(sentence.contains(part), "{sentence}"),
            (got, expected) => panic!("{query:?}: {got:?}, not {expected:?}"),
        }
    }

    #[test]
    fn several_matches_need_something_that_tells_them_apart() {
        check(json!({"role": "button", "text": "delete"}), Err("2 elements match"));
        check(json!({"text": "Delete", "index": 1}), Ok([800, 300]));
        check(json!({"text": "Delete", "index": 2}), Err("only 2 elements match"));
        check(json!({"text": "Delete", "near": [700, 210]}), Ok([800, 200]));
        check(json!({"text": "Delete", "beside": "priya  raman"}), Ok([800, 300]));
        check(json!({"text": "Delete", "beside": "Grace Hopper"}), Err("which is not there"));
    }

    #[test]
    fn a_field_is_whatever_takes_text_or_a_choice() {
        let mut page = page();
        page.extend([item("textbox", "Delete", 300, 700), item("combobox", "Country", 300, 800)]);
        for (text, expected) in [("Delete", Some(700)), ("country", Some(800)), ("Cart", None)] {
            let mut call = json!({"target": {"role": "field", "text": text}}).as_object().unwrap().clone();
            let query = TargetQuery::take(&mut call).unwrap().unwrap();
            assert_eq!(query.resolve(&page).ok().map(|point| point.y), expected, "{text}");
        }
    }

    #[test]
    fn an_index_counts_only_among_as_many_as_before() {
        check(json!({"text": "Delete", "index": 1, "of": 2, "near": [800, 200]}), Ok([800, 300]));
        check(json!({"text": "Delete", "index": 1, "of": 5, "near": [800, 200]}), Ok([800, 200]));
        check(json!({"text": "Delete", "index": 1, "of": 5}), Err("add an index"));
    }

    #[test]
    fn an_exact_name_is_the_whole_name_but_for_a_counter() {
        check(json!({"text": "Save"}), Ok([500, 600]));
        check(json!({"text": "Save", "exact": true}), Err("no element matches"));
        check(json!({"text": "Cart (12)", "exact": true}), Ok([900, 50]));
        check(json!({"text": "Cart", "exact": true}), Ok([900, 50]));
    }

    #[test]
    fn wrong_targets_are_refused() {
        for target in [
            json!({}),
            json!({"text": 1}),
            json!({"text": "a", "of": 2}),
            json!({"text": "a", "near": [1]}),
            json!({"text": "a", "near": [1, 1001]}),
            json!({"text": "a", "index": -1}),
            json!({"text": "a", "colour": "red"}),
        ] {
            let mut call = json!({ "target": target }).as_object().unwrap().clone();
            let problem = TargetQuery::take(&mut call).unwrap_err();
            assert!(problem.message.contains("target must be an object"), "{problem:?}");
        }
    }
}
