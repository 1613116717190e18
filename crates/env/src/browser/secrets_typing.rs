//! Typing text that holds secrets. A secret goes in by the page library, not by keys: the library looks
//! at the focus and at the origin of its document in the same task in which it inserts a piece, so a page
//! (or a frame of another origin inside it) that moves the focus between two keys gets nothing. With
//! keys there would always be a moment between our look and the browser's delivery. Short secrets go
//! in character by character, so that code fields that pass the focus on from box to box are filled, and
//! every character is preceded by that look; long ones go in as one piece.

use serde::Deserialize;
use serde_json::json;
use surehand_checks::after::probe::Manner;
use surehand_types::ErrorCode;
use surehand_types::keys::Modifier;
use surehand_types::secret::{Piece, placeholder};

use super::facts::ReadBack;
use super::keyboard::{Sent, focused_editable, landed, read_back, typed_effect};
use super::page::{Page, PageTrouble};
use super::places::Place;
use super::state::Interruption;
use super::{BrowserEnv, failure_of};
use crate::CallFailure;
use crate::environment::EffectSource;

/// The focused field, as the document that holds it sees it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SecretField {
    editable: bool,
    origin: Option<String>,
    key: Option<String>,
    descriptor: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TypedSecret {
    typed: usize,
    /// The field took something of it.
    taken: bool,
    stopped: bool,
}

impl BrowserEnv {
    pub(super) async fn type_pieces(
        &mut self,
        page: &Page,
        pieces: &[Piece<'_>],
    ) -> Result<(String, EffectSource), CallFailure> {
        let mut place = page.focused_place().await.map_err(failure_of)?;
        // Everything that would be refused later on is refused before the first key.
        let field = secret_field(page, &place).await?;
        for name in names(pieces) {
            self.secrets.may_go(name, field.origin.as_deref().unwrap_or("null"))?;
        }
        let before = focused_editable(page, &place).await?;
        let mut clear = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let sent = match piece {
                Piece::Text(text) => {
                    clear.push_str(text);
                    self.type_plain(page, text).await?
                }
                Piece::Secret(name) => {
                    if index > 0 {
                        place = page.focused_place().await.map_err(failure_of)?;
                    }
                    clear.push_str(self.secrets.find(name).map(|found| found.secret.expose()).unwrap_or_default());
                    self.type_secret(page, &place, name).await?
                }
            };
            if sent == Sent::Interrupted {
                return Ok(("typed until the page interrupted it".into(), EffectSource::Probe(Manner::Keyboard)));
            }
        }
        let place = page.focused_place().await.unwrap_or(place);
        let after = read_back(page, &place).await;
        let typed = typed_words(pieces);
        let message = match &after {
            // How long the value of a password field is would tell how long the secret is.
            Some(after) if after.secret && before.as_ref().is_some_and(|before| before.identity == after.identity) => {
                let has = after.value.as_deref().is_some_and(|value| value.contains(clear.trim_end_matches('\n')));
                let how = if has { "; the field has it" } else { ", but the field holds something else" };
                format!("{typed} into {}{how}", after.descriptor)
            }
            Some(after) => landed(&typed, &clear, before.as_ref(), after, self.secrets.redactor()),
            None => format!("{typed}; the field could not be read back"),
        };
        Ok((message, typed_effect(before.as_ref(), after.as_ref())))
    }

    async fn type_secret(&mut self, page: &Page, place: &Place, name: &str) -> Result<Sent, CallFailure> {
        let field = secret_field(page, place).await?;
        let origin = field.origin.unwrap_or_else(|| "null".into());
        let secret = self.secrets.may_go(name, &origin)?;
        let call = format!(
            "__surehand.typeSecret({}, {}, {})",
            json!(field.key),
            json!(origin),
            json!(secret.secret.expose())
        );
        // One try: a second one could meet another document in the same place.
        let typed = match page.evaluate_once::<TypedSecret>(&place.session, &place.frame, &call).await {
            Ok(typed) => typed,
            Err(PageTrouble::Interrupted(Interruption::Lost(reason))) => {
                return Err(CallFailure::new(ErrorCode::EnvLost, reason));
            }
            // The field's handlers opened a dialog or went elsewhere.
            Err(PageTrouble::Interrupted(_)) => return Ok(Sent::Interrupted),
            Err(PageTrouble::Unknown(_)) => {
                let words = format!("the page changed while {} was to be typed; look again", placeholder(name));
                return Err(CallFailure::new(ErrorCode::TargetChanged, words));
            }
            Err(trouble) => return Err(failure_of(trouble)),
        };
        if typed.stopped {
            if typed.typed > 0 {
                // What did go in is to be seen in what the brain is told.
                self.look().await?;
            }
            let how = if typed.typed == 0 { "before anything of it was typed" } else { "and the rest was not typed" };
            let words = format!("the focus left the field of {origin} while {} was typed, {how}", placeholder(name));
            return Err(CallFailure::new(ErrorCode::Denied, words));
        }
        if !typed.taken {
            let words = format!("the focused field took nothing of {}", placeholder(name));
            return Err(CallFailure::new(ErrorCode::NothingEditable, words));
        }
        // Pages that only look when a key goes up are told by one that types nothing.
        self.stroke(page, &Modifier::Shift.stroke(), &[]).await
    }
}

/// The field that has the focus, or the refusal that says where to click.
async fn secret_field(page: &Page, place: &Place) -> Result<SecretField, CallFailure> {
    let field: SecretField =
        page.evaluate_in(&place.session, &place.frame, "__surehand.secretField()").await.map_err(failure_of)?;
    if field.editable {
        return Ok(field);
    }
    let what = field.descriptor.map(|descriptor| format!(" (it is on {descriptor})")).unwrap_or_default();
    let words = format!("nothing editable has focus{what}; click the field first, then type");
    Err(CallFailure::new(ErrorCode::NothingEditable, words))
}

fn names<'a>(pieces: &'a [Piece<'a>]) -> impl Iterator<Item = &'a str> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Secret(name) => Some(*name),
        Piece::Text(_) => None,
    })
}

/// Without the number of characters, which would tell how long the secret is.
fn typed_words(pieces: &[Piece<'_>]) -> String {
    let placeholders: Vec<String> = names(pieces).map(placeholder).collect();
    let others: usize = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.chars().count(),
            Piece::Secret(_) => 0,
        })
        .sum();
    let placeholders = placeholders.join(", ");
    match others {
        0 => format!("typed {placeholders}"),
        1 => format!("typed {placeholders} and 1 other character"),
        others => format!("typed {placeholders} and {others} other characters"),
    }
}

impl ReadBack {
    /// What the field holds, for people.
    pub(super) fn words(&self, redactor: &surehand_types::Redactor) -> String {
        redactor.text(self.value.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_do_not_tell_how_long_a_secret_is() {
        use Piece::{Secret, Text};
        assert_eq!(typed_words(&[Secret("pw")]), "typed <secret:pw>");
        assert_eq!(typed_words(&[Text("a"), Secret("pw")]), "typed <secret:pw> and 1 other character");
        assert_eq!(
            typed_words(&[Text("ab"), Secret("a"), Secret("b")]),
            "typed <secret:a>, <secret:b> and 2 other characters"
        );
    }
}
