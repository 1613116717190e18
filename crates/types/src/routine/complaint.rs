//! Whether what a step brought is a complaint: "Could not save" where "Saved" was is no success, though both are a text
//! that appeared. Words of a few languages; what says it in others passes as any text does.

use crate::Effect;

const WORDS: [&str; 46] = [
    "error",
    "failed",
    "failure",
    "invalid",
    "could not",
    "couldn't",
    "couldn’t",
    "cannot",
    "can't",
    "can’t",
    "unable to",
    "denied",
    "not allowed",
    "not permitted",
    "not found",
    "not saved",
    "not valid",
    "is required",
    "already exists",
    "already taken",
    "is taken",
    "already in use",
    "try again",
    "expired",
    "rejected",
    "went wrong",
    "fehler",
    "ungültig",
    "konnte nicht",
    "nicht möglich",
    "fehlgeschlagen",
    "abgelehnt",
    "erreur",
    "échec",
    "échoué",
    "impossible",
    "no se pudo",
    "inválido",
    "falló",
    "errore",
    "non valido",
    "não foi possível",
    "mislukt",
    "ongeldig",
    "エラー",
    "失敗",
];

/// What the page says against the step, as it was seen.
pub fn complaint_in(effect: &Effect) -> Option<&str> {
    let facts = effect.evidence.iter().filter(|fact| !matches!(fact.kind.as_str(), "value" | "focus" | "caret"));
    facts.filter_map(|fact| said(&fact.detail)).find(|text| is_complaint(text))
}

/// The words of the page within a detail, without the names of its elements.
fn said(detail: &str) -> Option<&str> {
    let (start, end) = (detail.find('"')? + 1, detail.rfind('"')?);
    detail.get(start..end)
}

fn is_complaint(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    WORDS.iter().any(|word| {
        // Whole words: "mirrored" is no "error".
        lower.match_indices(word).any(|(at, _)| {
            let (before, after) = (lower.get(..at), lower.get(at + word.len()..));
            let joined = word.is_ascii()
                && (is_letter(before.and_then(|text| text.chars().last()))
                    || is_letter(after.and_then(|text| text.chars().next())));
            !joined
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_against_a_step_is_known_by_its_words() {
        let said = |detail: &str| complaint_in(&Effect::confirmed("mutation", detail)).map(str::to_string);
        assert_eq!(
            said("something appeared in span.err \"Could not save\", elsewhere").as_deref(),
            Some("Could not save")
        );
        assert_eq!(said("the text changed in p \"Nick is taken\"").as_deref(), Some("Nick is taken"));
        for fine in ["the text changed in p.error \"Saved\"", "a mirrored \"Mirrored terrors\"", "an error", "\"", ""] {
            assert_eq!(said(fine), None, "{fine}");
        }
        assert_eq!(complaint_in(&Effect::confirmed("value", "textbox \"error\" holds another text")), None);
    }
}
