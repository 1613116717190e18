//! Valid files of bytes with some of them changed.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

use super::{any_bytes, place};

#[derive(Debug, Clone)]
enum ByteChange {
    Set(u16, u8),
    /// Four bytes at once, as lengths and sizes are.
    SetWord(u16, u32),
    CutEnd(u16),
    CutOut(u16, u8),
    PutIn(u16, Vec<u8>),
}

/// One of the examples with a few changes.
pub fn mutated_bytes(examples: Vec<Vec<u8>>) -> BoxedStrategy<Vec<u8>> {
    let word = prop_oneof![any::<u32>(), Just(u32::MAX), Just(0), Just(0x7fff_ffff), Just(0xffff)];
    let change = prop_oneof![
        3 => (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| ByteChange::Set(at, byte)),
        2 => (any::<u16>(), word).prop_map(|(at, word)| ByteChange::SetWord(at, word)),
        1 => any::<u16>().prop_map(ByteChange::CutEnd),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(at, length)| ByteChange::CutOut(at, length)),
        1 => (any::<u16>(), proptest::collection::vec(any::<u8>(), 0..20)).prop_map(|(at, new)| ByteChange::PutIn(at, new)),
    ];
    let changed = (proptest::sample::select(examples), proptest::collection::vec(change, 0..4)).prop_map(
        |(mut bytes, changes)| {
            for change in changes {
                apply(&mut bytes, change);
            }
            bytes
        },
    );
    prop_oneof![8 => changed, 1 => any_bytes()].boxed()
}

fn apply(bytes: &mut Vec<u8>, change: ByteChange) {
    let length = bytes.len();
    match change {
        ByteChange::Set(at, byte) => {
            if let Some(place) = bytes.get_mut(place(at, length)) {
                *place = byte;
            }
        }
        ByteChange::SetWord(at, word) => {
            let from = place(at, length);
            for (place, byte) in bytes.iter_mut().skip(from).zip(word.to_be_bytes()) {
                *place = byte;
            }
        }
        ByteChange::CutEnd(at) => bytes.truncate(place(at, length)),
        ByteChange::CutOut(at, count) => {
            let from = place(at, length);
            bytes.drain(from..(from + usize::from(count)).min(length));
        }
        ByteChange::PutIn(at, new) => {
            let at = place(at, length);
            bytes.splice(at..at, new);
        }
    }
}
