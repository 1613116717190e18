//! Text into lines of a width.

use crate::report::escape;

/// Lines within the width; long words (urls) are cut into pieces.
pub(super) fn wrap(width: usize, first: &str, rest: &str, text: &str) -> Vec<String> {
    let clean = escape::terminal(text);
    let mut lines = Vec::new();
    let mut line = first.to_string();
    // Whether the line holds a word yet, next to its indent or label.
    let mut empty = true;
    for mut word in clean.split_whitespace() {
        loop {
            let used = line.chars().count() + usize::from(!empty);
            let room = width.saturating_sub(used);
            if word.chars().count() <= room {
                if !empty {
                    line.push(' ');
                }
                line.push_str(word);
                empty = false;
                break;
            }
            if empty {
                let cut = word.char_indices().nth(room.max(1)).map_or(word.len(), |(at, _)| at);
                line.push_str(&word[..cut]);
                word = &word[cut..];
            }
            lines.push(std::mem::replace(&mut line, rest.to_string()));
            empty = true;
            if word.is_empty() {
                break;
            }
        }
    }
    if !empty {
        lines.push(line);
    }
    lines
}
