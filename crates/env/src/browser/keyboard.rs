//! Keyboard calls: typing with read-back, chords, and an honest clear.

use surehand_checks::after::probe::Manner;
use surehand_checks::before::native::typed_form;
use surehand_types::call::KeyboardCall;
use surehand_types::keys::{Chord, KeyStroke, Modifier};
use surehand_types::secret::{Piece, pieces};
use surehand_types::{Effect, EffectStatus, ErrorCode, Redactor};

use super::facts::{FocusFact, Picked, ReadBack};
use super::native::PUT_BACK;
use super::page::{Page, PageTrouble};
use super::places::Place;
use super::pointer::modifier_mask;
use super::state::Interruption;
use super::{BrowserEnv, failure_of};
use crate::CallFailure;
use crate::cdp::protocol::input::{DispatchKeyEvent, InsertText};
use crate::environment::{EffectSource, Environment, Receipt};
use crate::input::typing::{Typed, units_of};

/// A key that opens a dialog or closes the tab ended the typing; that is a result.
#[derive(PartialEq)]
pub(super) enum Sent {
    All,
    Interrupted,
}

impl BrowserEnv {
    pub(super) async fn commit_keyboard(&mut self, call: &KeyboardCall) -> Result<Receipt, CallFailure> {
        let page = self.page()?;
        let (message, effect) = match call {
            KeyboardCall::Type { text } => self.type_text(&page, text).await?,
            KeyboardCall::Press { chord } => (self.press(&page, chord).await?, EffectSource::Probe(Manner::Keyboard)),
            KeyboardCall::Clear => self.clear(&page).await?,
        };
        Ok(Receipt { message, effect, ..Receipt::default() })
    }

    async fn type_text(&mut self, page: &Page, text: &str) -> Result<(String, EffectSource), CallFailure> {
        let pieces = pieces(text);
        if pieces.iter().any(|piece| matches!(piece, Piece::Secret(_))) {
            return self.type_pieces(page, &pieces).await;
        }
        let place = page.focused_place().await.map_err(failure_of)?;
        if let Some(picked) = self.type_into_picker(page, &place, text).await? {
            return Ok(picked);
        }
        let before = focused_editable(page, &place).await?;
        if self.type_plain(page, text).await? == Sent::Interrupted {
            return Ok(("typed until the page interrupted it".into(), EffectSource::Probe(Manner::Keyboard)));
        }
        let typed = typed_words(text.chars().count());
        let after = read_back(page, &place).await;
        let message = match &after {
            Some(after) => landed(&typed, text, before.as_ref(), after, self.secrets.redactor()),
            None => format!("{typed}; the field could not be read back"),
        };
        Ok((message, typed_effect(before.as_ref(), after.as_ref())))
    }

    /// Keys for what has keys, whole graphemes for the rest.
    pub(super) async fn type_plain(&self, page: &Page, text: &str) -> Result<Sent, CallFailure> {
        for unit in units_of(text) {
            let sent = match unit {
                Typed::Stroke { stroke, shift } => {
                    let held: &[Modifier] = if shift { &[Modifier::Shift] } else { &[] };
                    self.stroke(page, &stroke, held).await?
                }
                Typed::Insert(text) => {
                    let call = page.start(&InsertText { text });
                    sent(page.finish(call, self.timing.call).await)?
                }
            };
            if sent == Sent::Interrupted {
                return Ok(Sent::Interrupted);
            }
        }
        Ok(Sent::All)
    }

    /// Dates and colours in the form of their value are set as a whole, as their picker would have.
    /// `None`: the field is none of these, or the text is meant for its parts, key by key.
    async fn type_into_picker(
        &mut self,
        page: &Page,
        place: &Place,
        text: &str,
    ) -> Result<Option<(String, EffectSource)>, CallFailure> {
        let set = format!("__surehand.setPicked({})", serde_json::Value::from(text));
        let picked: Result<Option<Picked>, _> = page.evaluate_in(&place.session, &place.frame, &set).await;
        let picked = match picked {
            Ok(Some(picked)) => picked,
            Ok(None) => return Ok(None),
            // Its handlers opened a dialog or went to another page: that is an answer.
            Err(PageTrouble::Interrupted(Interruption::Dialog)) => {
                return Ok(Some(("set the field".into(), EffectSource::Probe(Manner::Keyboard))));
            }
            Err(trouble) => return Err(failure_of(trouble)),
        };
        let form = typed_form(&picked.r#type);
        if !picked.fits && picked.meant_whole {
            let kind = &picked.r#type;
            let message = format!("{text:?} is not a {kind}; {} takes the form {form}", picked.descriptor);
            return Err(CallFailure::new(ErrorCode::InvalidCall, message));
        }
        if !picked.fits {
            return Ok(None);
        }
        tokio::time::sleep(PUT_BACK).await;
        let now: Option<String> =
            page.evaluate_in(&place.session, &place.frame, "__surehand.pickedValue()").await.ok().flatten();
        self.release_held();
        let wanted = picked.wanted.unwrap_or_default();
        let kept = now.is_none_or(|now| now == wanted);
        let status = if kept { EffectStatus::Confirmed } else { EffectStatus::NoEffect };
        let message = match (kept, picked.changed) {
            (false, _) => format!("set {} to {wanted:?}, but the page put the old value back", picked.descriptor),
            (true, true) => format!("set {} to {wanted:?}", picked.descriptor),
            (true, false) => format!("{} held {wanted:?} already", picked.descriptor),
        };
        let complaint = picked.complaint.map(|words| format!("; the field objects: {words}")).unwrap_or_default();
        let message = message + &complaint;
        let effect = Effect::by(status, "value", message.clone());
        Ok(Some((message, EffectSource::Known(effect))))
    }

    async fn press(&mut self, page: &Page, chord: &Chord) -> Result<String, CallFailure> {
        self.hold_modifiers(&chord.modifiers).await?;
        self.stroke(page, &chord.stroke, &chord.modifiers).await?;
        Ok(format!("pressed {chord}"))
    }

    async fn clear(&mut self, page: &Page) -> Result<(String, EffectSource), CallFailure> {
        let place = page.focused_place().await.map_err(failure_of)?;
        let before = focused_editable(page, &place).await?;
        // Editors keep a model of their own: they are emptied by a key, fields by their value.
        let deleted = self.delete_all(page, &place).await?;
        if !deleted {
            let result: Result<serde_json::Value, _> =
                page.evaluate_in(&place.session, &place.frame, "__surehand.clear()").await;
            match result {
                // Its handlers opened a dialog: that is an answer.
                Err(PageTrouble::Interrupted(Interruption::Dialog)) => return Ok(emptied_into_a_dialog(before)),
                result => result.map_err(failure_of)?,
            };
        }
        // A framework may put the old value back a little later, so look after that.
        tokio::time::sleep(PUT_BACK).await;
        // The field that was cleared is read, wherever the focus has gone meanwhile.
        let after: Result<ReadBack, _> =
            page.evaluate_in(&place.session, &place.frame, "__surehand.clearedField()").await;
        if matches!(after, Err(PageTrouble::Interrupted(Interruption::Dialog))) {
            return Ok(emptied_into_a_dialog(before));
        }
        let held_text = before.as_ref().and_then(|before| before.value.as_ref()).is_none_or(|value| !value.is_empty());
        let descriptor = field_name(before);
        match after.ok() {
            Some(ReadBack { value: Some(value), .. }) if value.is_empty() => {
                let words = if held_text { "is empty now" } else { "was empty already" };
                let effect = Effect::confirmed("value", format!("{descriptor} {words}"));
                let message =
                    if held_text { format!("cleared {descriptor}") } else { format!("{descriptor} was empty already") };
                Ok((message, EffectSource::Known(effect)))
            }
            Some(ReadBack { value: Some(value), secret, .. }) => {
                let value = self.secrets.redactor().clean(&value);
                let holds = if secret { "something".to_string() } else { format!("{:?}", shortened(&value)) };
                Err(CallFailure::new(
                    ErrorCode::NotCleared,
                    format!("{descriptor} refused to be cleared and still holds {holds}"),
                ))
            }
            _ => Err(CallFailure::new(ErrorCode::NotCleared, format!("{descriptor} could not be read after clearing"))),
        }
    }

    /// Selects what a focused editor holds and deletes it by a key; `false` where that did not empty it.
    async fn delete_all(&self, page: &Page, place: &Place) -> Result<bool, CallFailure> {
        let select = page.evaluate_in::<bool>(&place.session, &place.frame, "__surehand.selectEditable()");
        if !select.await.unwrap_or(false) {
            return Ok(false);
        }
        let Some(backspace) = Chord::parse("backspace", &[]).ok() else { return Ok(false) };
        self.stroke(page, &backspace.stroke, &[]).await?;
        let after: Result<ReadBack, _> =
            page.evaluate_in(&place.session, &place.frame, "__surehand.clearedField()").await;
        Ok(after.is_ok_and(|after| after.value.is_some_and(|value| value.is_empty())))
    }

    /// Key down and up for one stroke, pipelined.
    pub(super) async fn stroke(&self, page: &Page, stroke: &KeyStroke, held: &[Modifier]) -> Result<Sent, CallFailure> {
        // A modifier that goes down alone is already held in its own event.
        let with_itself: Vec<Modifier> =
            Modifier::ALL.into_iter().filter(|m| held.contains(m) || m.stroke().key == stroke.key).collect();
        let kind = if stroke.text.is_some() { "keyDown" } else { "rawKeyDown" };
        let down = page.start(&key_event(kind, stroke, &with_itself));
        let up = page.start(&key_event("keyUp", stroke, held));
        for call in [down, up] {
            if sent(page.finish(call, self.timing.call).await)? == Sent::Interrupted {
                return Ok(Sent::Interrupted);
            }
        }
        Ok(Sent::All)
    }

    /// Presses the modifiers' own keys, as a hand would, and remembers to let go of them.
    pub(super) async fn hold_modifiers(&mut self, modifiers: &[Modifier]) -> Result<(), CallFailure> {
        if modifiers.is_empty() {
            return Ok(());
        }
        let page = self.page()?;
        for modifier in modifiers {
            self.held.push(*modifier);
            let call = page.start(&key_event("rawKeyDown", &modifier.stroke(), &self.held));
            sent(page.finish(call, self.timing.call).await)?;
        }
        Ok(())
    }

    pub(super) async fn release_modifiers(&mut self) {
        while let Some(modifier) = self.held.pop() {
            let Ok(page) = self.page() else { continue };
            let call = page.start(&key_event("keyUp", &modifier.stroke(), &self.held));
            // A dialog may hold the answer back; the key goes up all the same.
            let _ = page.finish(call, self.timing.call).await;
        }
    }
}

fn key_event(kind: &'static str, stroke: &KeyStroke, held: &[Modifier]) -> DispatchKeyEvent {
    let text = (kind == "keyDown").then(|| stroke.text.clone()).flatten();
    DispatchKeyEvent {
        r#type: kind,
        modifiers: modifier_mask(held),
        key: stroke.key.clone(),
        code: stroke.code.clone(),
        windows_virtual_key_code: stroke.virtual_key,
        unmodified_text: text.clone(),
        text,
        location: stroke.location,
        is_keypad: stroke.location == 3,
    }
}

fn sent<T>(result: Result<T, PageTrouble>) -> Result<Sent, CallFailure> {
    match result {
        Ok(_) => Ok(Sent::All),
        Err(PageTrouble::Interrupted(Interruption::Lost(reason))) => Err(CallFailure::new(ErrorCode::EnvLost, reason)),
        Err(PageTrouble::Interrupted(_)) => Ok(Sent::Interrupted),
        Err(trouble) => Err(failure_of(trouble)),
    }
}

fn field_name(before: Option<ReadBack>) -> String {
    before.map(|before| before.descriptor).unwrap_or_else(|| "the focused field".into())
}

/// Emptying the field made its page open a dialog; what the field holds cannot be read before it is answered.
fn emptied_into_a_dialog(before: Option<ReadBack>) -> (String, EffectSource) {
    (format!("emptied {}", field_name(before)), EffectSource::Probe(Manner::Keyboard))
}

/// The focused field, or the refusal that says where to click. `None`: it could not be seen.
pub(super) async fn focused_editable(page: &Page, place: &Place) -> Result<Option<ReadBack>, CallFailure> {
    let focus: Result<Option<FocusFact>, _> =
        page.evaluate_in(&place.session, &place.frame, "__surehand.focus()").await;
    let nothing = |what: String| {
        Err(CallFailure::new(
            ErrorCode::NothingEditable,
            format!("nothing editable has focus{what}; click the field first, then type"),
        ))
    };
    match focus {
        Ok(None) => nothing(String::new()),
        Ok(Some(focus)) if focus.foreign => Ok(None),
        Ok(Some(focus)) if !focus.element.editable => nothing(format!(" (it is on {})", focus.descriptor)),
        Ok(Some(_)) => Ok(read_back(page, place).await),
        Err(trouble) => Err(failure_of(trouble)),
    }
}

pub(super) async fn read_back(page: &Page, place: &Place) -> Option<ReadBack> {
    let result: Result<ReadBack, _> = page.evaluate_in(&place.session, &place.frame, "__surehand.readBack()").await;
    result.ok().filter(|read| !read.foreign)
}

fn typed_words(count: usize) -> String {
    format!("typed {count} character{}", if count == 1 { "" } else { "s" })
}

/// Says whether the text arrived, from what the field holds now. What the field holds is redacted before
/// it is shortened, so that no part of a secret is left.
pub(super) fn landed(
    typed: &str,
    text: &str,
    before: Option<&ReadBack>,
    after: &ReadBack,
    redactor: &Redactor,
) -> String {
    let into = before.map(|before| format!(" into {}", before.descriptor)).unwrap_or_default();
    let moved = before.is_some_and(|before| before.identity != after.identity);
    if moved {
        return format!("{typed}{into}; focus is now on {}", after.descriptor);
    }
    let Some(value) = &after.value else {
        return format!("{typed}{into}; the field cannot be read back");
    };
    if after.secret {
        return format!("{typed}{into}; the field now holds {} characters", after.length.unwrap_or(0));
    }
    if value.is_empty() && text.ends_with('\n') {
        return format!("{typed}{into}; the field is empty now");
    }
    if before.is_some_and(|before| before.value.as_ref() == Some(value)) {
        let holds =
            if after.secret { String::new() } else { format!(" and holds {:?}", shortened(&after.words(redactor))) };
        return format!("{typed}{into}, but the field did not change{holds}");
    }
    if normalised(value).contains(&normalised(text)) {
        return format!("{typed}{into}; the field has it");
    }
    let link = if same_characters(value, text) { ";" } else { ", but" };
    format!("{typed}{into}{link} the field now holds {:?}", shortened(&after.words(redactor)))
}

/// A field that writes a date, a number or a telephone in its own form still holds what was typed.
fn same_characters(held: &str, typed: &str) -> bool {
    let sorted = |text: &str| {
        let mut kept: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        kept.sort_unstable();
        kept
    };
    sorted(held) == sorted(typed)
}

/// The field's own value is the best evidence; where it cannot be read the probe decides.
pub(super) fn typed_effect(before: Option<&ReadBack>, after: Option<&ReadBack>) -> EffectSource {
    let (Some(before), Some(after)) = (before, after) else { return EffectSource::Probe(Manner::Keyboard) };
    let same_field = before.identity == after.identity && before.value.is_some();
    if same_field && before.value != after.value {
        return EffectSource::Known(Effect::confirmed("value", format!("{} holds another text", after.descriptor)));
    }
    EffectSource::Probe(Manner::Keyboard)
}

fn normalised(text: &str) -> String {
    // Editors write a paragraph's end as two line breaks.
    let lines: Vec<&str> =
        text.split('\n').map(|line| line.trim_end_matches('\r')).filter(|line| !line.is_empty()).collect();
    lines.join("\n").replace('\u{a0}', " ").trim_end_matches(['\n', '\t']).to_string()
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
