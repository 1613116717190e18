//! Keyboard calls: any text through the keys of the display's layout, chords, and clearing by selecting
//! everything and deleting it.

use std::time::{Duration, Instant};

use surehand_checks::after::probe::Manner;
use surehand_checks::before::Aim;
use surehand_checks::before::policy::may_press;
use surehand_types::call::KeyboardCall;
use surehand_types::keys::{Chord, Modifier};
use surehand_types::secret::{Piece, pieces};
use surehand_types::{Effect, ErrorCode};
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask, Keysym};

use super::server::{DisplayTrouble, Server};
use super::{AimedAt, DesktopEnv, keysyms};
use crate::environment::{EffectSource, Receipt};
use crate::{CallFailure, EnvError};

/// Applications learn of a new symbol on a key by a message and read the keyboard again; keys that come in
/// the meantime would be read by the old one.
const LEARNING: Duration = Duration::from_millis(80);

/// Before a key gets another symbol, what was typed with the one before must have been read.
const READING: Duration = Duration::from_millis(250);

/// Symbols in one burst. Applications that redraw for every key fall behind without a pause.
const BURST: usize = 20;

/// A text of more characters than this is waited for until the application has read it.
const LONG_TEXT: usize = 200;

/// How long that may take.
const READING_LONG: Duration = Duration::from_secs(20);

const BETWEEN_READINGS: Duration = Duration::from_millis(150);

/// How long a field may take to show that it is empty.
const CLEARING: Duration = Duration::from_millis(500);

const BETWEEN_BURSTS: Duration = Duration::from_millis(10);

/// Secrets are bound to the origin of a page, and a desktop has none: nobody could say where a value would go.
pub(super) fn refuse_secrets(call: &KeyboardCall) -> Result<(), CallFailure> {
    match call {
        KeyboardCall::Type { text } if pieces(text).iter().any(|piece| matches!(piece, Piece::Secret(_))) => {
            let message = "secrets are bound to the origin of a page and cannot be typed on a desktop";
            Err(CallFailure::new(ErrorCode::NotAvailable, message))
        }
        _ => Ok(()),
    }
}

impl DesktopEnv {
    pub(super) async fn aim_keyboard(&mut self, call: &KeyboardCall) -> Result<Aim, CallFailure> {
        self.begin_watching().await?;
        let field = self.focused().await;
        let (frame, survey) = self.glimpse().await?;
        self.note_titles(&survey);
        let focused = field.as_ref().map(|(element, _)| element).filter(|_| may_press(call));
        let aim = self.aim_of_focus(focused, &survey);
        self.aimed = AimedAt { before: Some(frame), active: survey.active, survey, places: Vec::new(), field };
        Ok(aim)
    }

    pub(super) async fn commit_keyboard(&mut self, call: &KeyboardCall) -> Result<Receipt, CallFailure> {
        let mut effect = EffectSource::Probe(Manner::Keyboard);
        let message = match call {
            KeyboardCall::Type { text } => self.type_text(text).await?,
            KeyboardCall::Press { chord } => {
                self.press(chord.clone()).await?;
                format!("pressed {chord}")
            }
            KeyboardCall::Clear => {
                for key in ["ctrl+a", "delete"] {
                    let chord =
                        Chord::parse(key, &[]).map_err(|sentence| CallFailure::new(ErrorCode::UnknownKey, sentence))?;
                    self.press(chord).await?;
                }
                match self.check_cleared().await? {
                    Some(field) => {
                        effect = EffectSource::Known(Effect::confirmed("text", format!("{field} is empty now")));
                        format!("cleared {field}")
                    }
                    None => "selected everything in the focused field and deleted it".into(),
                }
            }
        };
        let to = self.aimed.survey.active().map(|window| format!(", to window {:?}", window.title)).unwrap_or_default();
        let message = message + &to;
        Ok(Receipt { message, effect, ..Receipt::default() })
    }

    /// A field that can be read has to be empty then. One that cannot is believed, and judged by its picture.
    /// Its name, if it was read.
    async fn check_cleared(&mut self) -> Result<Option<String>, CallFailure> {
        let Some((field, Some(_))) = self.aimed.field.clone() else { return Ok(None) };
        let Some(accessibility) = &self.accessibility else { return Ok(None) };
        let end = Instant::now() + CLEARING;
        loop {
            match accessibility.text_of(&field).await {
                Some(text) if !text.is_empty() && Instant::now() >= end => {
                    let shown: String = text.chars().take(80).collect();
                    let shown = if field.password { "something".into() } else { format!("{shown:?}") };
                    let message = format!("{} refused to be cleared and still holds {shown}", field.descriptor());
                    return Err(CallFailure::new(ErrorCode::NotCleared, message));
                }
                Some(text) if !text.is_empty() => tokio::time::sleep(Duration::from_millis(30)).await,
                Some(_) => return Ok(Some(field.descriptor())),
                None => return Ok(None),
            }
        }
    }

    async fn type_text(&mut self, text: &str) -> Result<String, CallFailure> {
        let text = text.replace("\r\n", "\n");
        let symbols: Vec<Keysym> = text.chars().filter_map(keysyms::of_character).collect();
        let capitals = self.display.must(|server| server.lift_caps_lock()).await?;
        let typed = self.type_symbols(&symbols).await;
        if capitals {
            self.display.must(|server| server.tap(keysyms::CAPS_LOCK)).await?;
        }
        typed?;
        let count = text.chars().count();
        if count > LONG_TEXT {
            self.wait_until_read().await;
        }
        Ok(format!("typed {count} character{}", if count == 1 { "" } else { "s" }))
    }

    /// An editor may take longer to read a long text than it took to type it: until it stops growing.
    async fn wait_until_read(&self) {
        let (Some(accessibility), Some((field, Some(_)))) = (&self.accessibility, &self.aimed.field) else { return };
        let end = Instant::now() + READING_LONG;
        let mut before = None;
        while Instant::now() < end {
            let now = accessibility.length_of(field).await;
            if now.is_some() && now == before {
                return;
            }
            before = now;
            tokio::time::sleep(BETWEEN_READINGS).await;
        }
    }

    /// In parts, each with no more foreign symbols than there are keys to put them on.
    async fn type_symbols(&mut self, symbols: &[Keysym]) -> Result<(), CallFailure> {
        let mut left = symbols;
        let mut lent_before = false;
        while !left.is_empty() {
            let rest = left.to_vec();
            let (length, foreign) = self.display.must(move |server| server.part(&rest)).await?;
            if length == 0 {
                let message = "the display's keyboard has no free key for a character that its layout lacks";
                return Err(CallFailure::new(ErrorCode::UnknownKey, message));
            }
            if !foreign.is_empty() {
                if lent_before {
                    tokio::time::sleep(READING).await;
                }
                self.display
                    .must(move |server| {
                        server.keyboard.lend(&server.connection, &foreign)?;
                        server.round_trip()
                    })
                    .await?;
                tokio::time::sleep(LEARNING).await;
                lent_before = true;
            }
            let (part, rest) = left.split_at(length);
            for burst in part.chunks(BURST) {
                let burst = burst.to_vec();
                self.display.must(move |server| server.type_burst(&burst)).await?;
                tokio::time::sleep(BETWEEN_BURSTS).await;
            }
            left = rest;
        }
        Ok(())
    }

    async fn press(&mut self, chord: Chord) -> Result<(), CallFailure> {
        let unknown = format!("the display's keyboard has no key for {chord}");
        let lent = {
            let chord = chord.clone();
            self.display.must(move |server| server.lend_for(&chord)).await?
        };
        if lent {
            tokio::time::sleep(LEARNING).await;
        }
        if self.display.must(move |server| server.press_chord(&chord)).await? {
            return Ok(());
        }
        Err(CallFailure::new(ErrorCode::UnknownKey, unknown))
    }

    /// Held until `let_go`.
    pub(super) async fn hold_modifiers(&mut self, modifiers: &[Modifier]) -> Result<(), EnvError> {
        if modifiers.is_empty() {
            return Ok(());
        }
        let modifiers = modifiers.to_vec();
        self.display.must(move |server| server.hold(&modifiers)).await
    }
}

impl Server {
    /// How many of the symbols can be typed before keys have to be lent anew, and what is to be lent for them.
    fn part(&mut self, symbols: &[Keysym]) -> Result<(usize, Vec<Keysym>), DisplayTrouble> {
        let missing = self.keyboard.missing(&self.connection, symbols)?;
        let room = self.keyboard.room();
        if missing.len() <= room {
            return Ok((symbols.len(), missing));
        }
        let too_many = missing.get(room).copied();
        let length = symbols.iter().position(|symbol| Some(*symbol) == too_many).unwrap_or(symbols.len());
        Ok((length, missing.into_iter().take(room).collect()))
    }

    fn type_burst(&mut self, symbols: &[Keysym]) -> Result<(), DisplayTrouble> {
        for symbol in symbols {
            self.keyboard.stroke(&self.connection, *symbol, false)?;
        }
        self.round_trip()
    }

    fn tap(&mut self, symbol: Keysym) -> Result<(), DisplayTrouble> {
        self.keyboard.stroke(&self.connection, symbol, false)?;
        self.round_trip()
    }

    /// With Caps Lock on, letters would come out the other way round. Whether it was.
    fn lift_caps_lock(&mut self) -> Result<bool, DisplayTrouble> {
        let mask = self.connection.query_pointer(self.root)?.reply()?.mask;
        let locked = mask.contains(KeyButMask::LOCK);
        if locked {
            self.tap(keysyms::CAPS_LOCK)?;
        }
        Ok(locked)
    }

    fn hold(&mut self, modifiers: &[Modifier]) -> Result<(), DisplayTrouble> {
        for modifier in modifiers {
            if let Some(keycode) = self.keyboard.plain_key(keysyms::of_modifier(*modifier)) {
                self.keyboard.press(&self.connection, keycode)?;
            }
        }
        self.round_trip()
    }

    /// Puts the chord's key on the keyboard, where it is none of the layout's. Whether that was needed.
    fn lend_for(&mut self, chord: &Chord) -> Result<bool, DisplayTrouble> {
        let Some(symbol) = chord_symbol(chord) else { return Ok(false) };
        let missing = self.keyboard.missing(&self.connection, &[symbol])?;
        if !missing.is_empty() {
            self.keyboard.lend(&self.connection, &missing)?;
            self.round_trip()?;
        }
        Ok(!missing.is_empty())
    }

    fn press_chord(&mut self, chord: &Chord) -> Result<bool, DisplayTrouble> {
        let Some(symbol) = chord_symbol(chord) else { return Ok(false) };
        self.hold(&chord.modifiers)?;
        let pressed = self.keyboard.stroke(&self.connection, symbol, chord.modifiers.contains(&Modifier::Shift))?;
        self.let_go()?;
        Ok(pressed)
    }
}

/// `ctrl+A` means the key of the letter, as it is written on keyboards; with Shift only if it is named.
fn chord_symbol(chord: &Chord) -> Option<Keysym> {
    let mut characters = chord.stroke.key.chars();
    let letter = characters.next().filter(|letter| characters.next().is_none() && letter.is_ascii_uppercase());
    match letter {
        Some(letter) if !chord.modifiers.is_empty() => keysyms::of_character(letter.to_ascii_lowercase()),
        _ => keysyms::of_stroke(&chord.stroke),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_chords_are_keys_and_not_capitals() {
        let symbol = |key| chord_symbol(&Chord::parse(key, &[]).unwrap());
        assert_eq!(symbol("ctrl+A"), symbol("ctrl+a"));
        assert_eq!(symbol("ctrl+shift+t"), Some('t'.into()));
        assert_eq!(symbol("A"), Some('A'.into()));
        assert_eq!(symbol("ctrl+f5"), Some(0xffc2));
    }

    #[test]
    fn a_secret_is_refused_in_one_sentence() {
        let refused = refuse_secrets(&KeyboardCall::Type { text: "a <secret:pin> b".into() }).unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotAvailable);
        assert!(refuse_secrets(&KeyboardCall::Type { text: "a < secret".into() }).is_ok());
    }
}
