//! What an action met where it was made: what took it, what that kept it from, and which words stood there. By this it is
//! told later on whether something still lay in the way. Texts of the page: for comparing, never for rules.

use surehand_types::result::StepRecord;

/// Texts around a place that are kept.
const TEXTS: usize = 40;
/// Letters of a description that are looked for in other texts: there it may be cut earlier.
const DESCRIBED: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// It kept the action from what was meant.
    pub covers: bool,
    tag: String,
    id: Option<String>,
    descriptor: String,
    /// The rest is in the form of `plain`: what is written on it, what it and its headings say, and all of its surroundings.
    text: Option<String>,
    says: Vec<String>,
    around: Vec<String>,
}

impl Spot {
    pub(super) fn of(record: &StepRecord) -> Option<Spot> {
        let hit = record.hit.as_ref()?;
        let around = record.around.first();
        let mut text = hit.name.as_deref().and_then(plain);
        let headings = around.into_iter().flat_map(|around| around.head.iter().chain(&around.heading));
        let says = text.clone().into_iter().chain(headings.filter_map(|heading| plain(heading))).collect();
        let row = around.into_iter().flat_map(|around| around.row.iter().take(TEXTS));
        let mut around: Vec<String> = row.filter_map(|text| plain(text)).collect();
        // Words that what lies underneath has as well may be the page's, not those of what lies over it.
        if let Some(meant) = hit.covers.as_ref().and_then(|under| under.name.as_deref()).and_then(plain) {
            text = text.filter(|text| !text.contains(&meant));
            if around.contains(&meant) {
                around.clear();
            }
        }
        Some(Spot {
            covers: hit.covers.is_some(),
            tag: hit.tag.clone(),
            id: hit.id.clone().filter(|id| !id.is_empty()),
            descriptor: hit.descriptor.clone(),
            text,
            says,
            around,
        })
    }

    /// The same thing took the action. What has an id is known by it: the text on it may change.
    pub fn is_same(&self, other: &Spot) -> bool {
        self.tag == other.tag
            && self.id == other.id
            && (self.id.is_some() || (!self.descriptor.is_empty() && self.descriptor == other.descriptor))
    }

    /// The other one is a part of this one, by the words: what it says is written here, or all that stands around it.
    pub fn holds(&self, other: &Spot) -> bool {
        let has = |said: &String| {
            self.around.contains(said) || self.text.as_ref().is_some_and(|text| text.contains(said.as_str()))
        };
        other.says.iter().any(has) || (!other.around.is_empty() && other.around.iter().all(has))
    }

    /// Whether the words of a fact speak of it.
    pub fn is_named_in(&self, detail: &str) -> bool {
        let start: String = self.descriptor.chars().take(DESCRIBED).collect();
        !start.is_empty() && detail.contains(&start)
    }
}

/// Lower-case words with a space before and after each, so that a text is in another one only as whole words. `None`
/// where there are none: one without words would be in all.
fn plain(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    Some(words.fold(" ".to_string(), |plain, word| plain + word + " "))
}
