//! Keys through XTEST, by the layout that the display has. What the layout lacks is put on keys that it
//! leaves empty, for as long as the environment lives, and taken off them at the end.

use std::collections::VecDeque;

use surehand_types::keys::Modifier;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode, Keysym};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use super::keysyms;
use super::server::DisplayTrouble;

/// Columns of the core mapping: the key alone, with Shift, (two of a second layout,) with AltGr, with both.
const COLUMNS: [(usize, bool, bool); 4] = [(0, false, false), (1, true, false), (4, false, true), (5, true, true)];

const NOTHING: Keysym = 0;

/// How a symbol is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) keycode: Keycode,
    pub(super) shift: bool,
    pub(super) level_three: bool,
}

#[derive(Debug)]
pub(super) struct Keyboard {
    layout: Layout,
    /// Keys that carry a symbol of ours for now, the one lent longest ago first.
    lent: VecDeque<(Keycode, Keysym)>,
    /// Somebody changed the layout since it was read.
    stale: bool,
    /// Keys that are down.
    down: Vec<Keycode>,
}

/// What is on the keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Layout {
    first: Keycode,
    width: usize,
    symbols: Vec<Keysym>,
}

impl Layout {
    fn read(connection: &RustConnection) -> Result<Layout, DisplayTrouble> {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
        Ok(Layout { first, width: mapping.keysyms_per_keycode.into(), symbols: mapping.keysyms })
    }

    fn keys(&self) -> impl DoubleEndedIterator<Item = (Keycode, &[Keysym])> {
        let rows = self.symbols.chunks_exact(self.width.max(1)).enumerate();
        let rows: Vec<_> =
            rows.filter_map(|(index, row)| Some((self.first.checked_add(u8::try_from(index).ok()?)?, row))).collect();
        rows.into_iter()
    }

    /// The way with the fewest keys held.
    fn find(&self, symbol: Keysym) -> Option<Way> {
        COLUMNS.iter().find_map(|(column, shift, level_three)| {
            if *level_three && self.find_plain(keysyms::LEVEL_THREE_SHIFT).is_none() {
                return None;
            }
            let (keycode, _) = self.keys().find(|(_, row)| row.get(*column) == Some(&symbol))?;
            Some(Way { keycode, shift: *shift, level_three: *level_three })
        })
    }

    fn find_plain(&self, symbol: Keysym) -> Option<Keycode> {
        self.keys().find(|(_, row)| row.first() == Some(&symbol)).map(|(keycode, _)| keycode)
    }

    /// Keys with nothing on them. From the end: low ones are more often special to somebody.
    fn empty_keys(&self) -> Vec<Keycode> {
        let empty = self.keys().rev().filter(|(_, row)| row.iter().all(|symbol| *symbol == NOTHING));
        empty.map(|(keycode, _)| keycode).collect()
    }
}

impl Keyboard {
    pub(super) fn read(connection: &RustConnection) -> Result<Keyboard, DisplayTrouble> {
        Ok(Keyboard { layout: Layout::read(connection)?, lent: VecDeque::new(), stale: false, down: Vec::new() })
    }

    pub(super) fn notice(&mut self, event: &Event) {
        self.stale |= matches!(event, Event::MappingNotify(_));
    }

    fn refresh(&mut self, connection: &RustConnection) -> Result<(), DisplayTrouble> {
        if std::mem::take(&mut self.stale) {
            self.layout = Layout::read(connection)?;
            // Whoever loads another layout takes our symbols off their keys.
            let layout = &self.layout;
            self.lent.retain(|(keycode, symbol)| layout.find_plain(*symbol) == Some(*keycode));
        }
        Ok(())
    }

    pub(super) fn way(&self, symbol: Keysym) -> Option<Way> {
        self.layout.find(symbol)
    }

    /// Which of the symbols no key carries, each once.
    pub(super) fn missing(
        &mut self,
        connection: &RustConnection,
        symbols: &[Keysym],
    ) -> Result<Vec<Keysym>, DisplayTrouble> {
        self.refresh(connection)?;
        let mut missing = Vec::new();
        for symbol in symbols {
            if self.layout.find(*symbol).is_none() && !missing.contains(symbol) {
                missing.push(*symbol);
            }
        }
        Ok(missing)
    }

    /// How many symbols can be put on keys at once.
    pub(super) fn room(&self) -> usize {
        self.layout.empty_keys().len() + self.lent.len()
    }

    /// Puts symbols on empty keys, and on those lent before if there are no others.
    pub(super) fn lend(&mut self, connection: &RustConnection, symbols: &[Keysym]) -> Result<(), DisplayTrouble> {
        let mut empty = self.layout.empty_keys().into_iter();
        for symbol in symbols {
            let keycode = match empty.next() {
                Some(keycode) => keycode,
                None => match self.lent.iter().position(|(_, lent)| !symbols.contains(lent)) {
                    Some(place) => self.lent.remove(place).map(|(keycode, _)| keycode).unwrap_or_default(),
                    None => return Err(DisplayTrouble::Refused("the keyboard has no key left to lend".into())),
                },
            };
            self.put(connection, keycode, *symbol)?;
            self.lent.push_back((keycode, *symbol));
        }
        Ok(())
    }

    /// On both levels, so that neither Shift nor Caps Lock makes something else of it.
    fn put(&mut self, connection: &RustConnection, keycode: Keycode, symbol: Keysym) -> Result<(), DisplayTrouble> {
        connection.change_keyboard_mapping(1, keycode, 2, &[symbol, symbol])?.check()?;
        let row = usize::from(keycode.saturating_sub(self.layout.first)) * self.layout.width;
        for column in 0..self.layout.width.min(2) {
            if let Some(place) = self.layout.symbols.get_mut(row + column) {
                *place = symbol;
            }
        }
        Ok(())
    }

    /// Takes our symbols off the keys again.
    pub(super) fn restore(&mut self, connection: &RustConnection) -> Result<(), DisplayTrouble> {
        while let Some((keycode, _)) = self.lent.pop_front() {
            self.put(connection, keycode, NOTHING)?;
        }
        Ok(())
    }

    pub(super) fn press(&mut self, connection: &RustConnection, keycode: Keycode) -> Result<(), DisplayTrouble> {
        connection.xtest_fake_input(KEY_PRESS_EVENT, keycode, 0, x11rb::NONE, 0, 0, 0)?;
        self.down.push(keycode);
        Ok(())
    }

    pub(super) fn release(&mut self, connection: &RustConnection, keycode: Keycode) -> Result<(), DisplayTrouble> {
        connection.xtest_fake_input(KEY_RELEASE_EVENT, keycode, 0, x11rb::NONE, 0, 0, 0)?;
        self.down.retain(|down| *down != keycode);
        Ok(())
    }

    /// One symbol, with Shift and AltGr held as far as its key needs them. Whether it could be typed.
    pub(super) fn stroke(
        &mut self,
        connection: &RustConnection,
        symbol: Keysym,
        shift_held: bool,
    ) -> Result<bool, DisplayTrouble> {
        let Some(way) = self.way(symbol) else { return Ok(false) };
        let mut around = Vec::new();
        if way.shift && !shift_held {
            around.extend(self.layout.find_plain(keysyms::of_modifier(Modifier::Shift)));
        }
        if way.level_three {
            around.extend(self.layout.find_plain(keysyms::LEVEL_THREE_SHIFT));
        }
        for keycode in &around {
            self.press(connection, *keycode)?;
        }
        self.press(connection, way.keycode)?;
        self.release(connection, way.keycode)?;
        for keycode in around.iter().rev() {
            self.release(connection, *keycode)?;
        }
        Ok(true)
    }

    /// The key of a modifier or of Caps Lock.
    pub(super) fn plain_key(&self, symbol: Keysym) -> Option<Keycode> {
        self.layout.find_plain(symbol)
    }

    pub(super) fn release_all(&mut self, connection: &RustConnection) -> Result<(), DisplayTrouble> {
        while let Some(keycode) = self.down.pop() {
            connection.xtest_fake_input(KEY_RELEASE_EVENT, keycode, 0, x11rb::NONE, 0, 0, 0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six columns, as a layout with AltGr has.
    fn layout() -> Layout {
        let rows: [[Keysym; 6]; 6] = [
            [0; 6],
            [0x61, 0x41, 0x61, 0x41, 0xe6, 0xc6],
            [0x71, 0x51, 0x71, 0x51, 0x40, 0],
            [keysyms::LEVEL_THREE_SHIFT, 0, 0, 0, 0, 0],
            [0xffe1, 0, 0, 0, 0, 0],
            [0; 6],
        ];
        Layout { first: 8, width: 6, symbols: rows.concat() }
    }

    #[test]
    fn a_symbol_is_found_with_the_fewest_keys_held() {
        let way = |keycode, shift, level_three| Some(Way { keycode, shift, level_three });
        for (symbol, expected) in [
            (0x61, way(9, false, false)),
            (0x41, way(9, true, false)),
            (0xe6, way(9, false, true)),
            (0xc6, way(9, true, true)),
            (0x40, way(10, false, true)),
            (0x7a, None),
        ] {
            assert_eq!(layout().find(symbol), expected, "{symbol:x}");
        }
    }

    #[test]
    fn without_an_altgr_key_its_symbols_cannot_be_typed() {
        let mut layout = layout();
        for symbol in &mut layout.symbols {
            if *symbol == keysyms::LEVEL_THREE_SHIFT {
                *symbol = 0;
            }
        }
        assert_eq!(layout.find(0xe6), None);
        assert_eq!(layout.empty_keys(), [13, 11, 8]);
    }
}
