//! Parts hidden reasoning from the answer: `<think>…</think>` and its relatives, whole or with one tag missing
//! (templates often write the first tag themselves).

use super::Repairs;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parted {
    pub(crate) reasoning: Option<String>,
    pub(crate) answer: String,
}

const NAMES: &[&str] = &["think", "thinking", "seed:think", "reasoning", "reflection"];
/// Where an answer begins inside reasoning that was never closed.
const ANSWERS: &[&str] = &["<tool_call>", "<seed:tool_call>", "\nAction:", "\n## Code", "\n## Action", "```"];

pub(crate) fn part(text: &str, repairs: &mut Repairs) -> Parted {
    let (mut reasoning, mut answer) = (String::new(), String::new());
    let (mut from, mut at, mut inside) = (0, 0, false);
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')).map(|offset| at + offset) {
        let Some((closes, end)) = tag(text, open) else {
            at = open + 1;
            continue;
        };
        let piece = &text[from..open];
        if closes && !inside {
            // The first tag was part of the template, or is gone: all before it was reasoning.
            reasoning.push_str(&answer);
            reasoning.push_str(piece);
            answer.clear();
        } else if closes {
            reasoning.push_str(piece);
        } else if inside {
            at = end;
            continue;
        } else {
            answer.push_str(piece);
        }
        inside = !closes;
        from = end;
        at = end;
    }
    let rest = &text[from..];
    if !inside {
        answer.push_str(rest);
    } else {
        let begins = ANSWERS.iter().filter_map(|sign| rest.rfind(sign)).max();
        let begins = if rest.contains("<tool_call>") { rest.find("<tool_call>") } else { begins };
        match begins {
            Some(begins) => {
                repairs.note("closed the reasoning");
                reasoning.push_str(&rest[..begins]);
                answer.push_str(&rest[begins..]);
            }
            None => reasoning.push_str(rest),
        }
    }
    let reasoning = reasoning.trim();
    Parted { reasoning: (!reasoning.is_empty()).then(|| reasoning.to_string()), answer: answer.trim().to_string() }
}

/// Whether a tag of reasoning is here, whether it closes, and where it ends.
fn tag(text: &str, at: usize) -> Option<(bool, usize)> {
    let inside = text.get(at + 1..)?;
    let closes = inside.starts_with('/');
    let name = if closes { &inside[1..] } else { inside };
    let is_part = |next: char| next.is_ascii_alphanumeric() || matches!(next, '_' | ':' | '-');
    let (length, end) = name.char_indices().take(80).find(|(_, next)| !is_part(*next))?;
    if end != '>' {
        return None;
    }
    let word = name[..length].to_ascii_lowercase();
    // Some models have a name of many digits behind it.
    if !NAMES.contains(&word.as_str()) && !word.starts_with("think_") {
        return None;
    }
    Some((closes, at + 1 + usize::from(closes) + length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, reasoning: Option<&str>, answer: &str) {
        let parted = part(text, &mut Repairs::default());
        assert_eq!((parted.reasoning.as_deref(), parted.answer.as_str()), (reasoning, answer), "{text}");
    }

    #[test]
    fn reasoning_is_kept_apart() {
        check("<think>a</think>b", Some("a"), "b");
        check("a</think>\nb", Some("a"), "b");
        check("b", None, "b");
        check("1<think>a</think>2<thinking>c</thinking>3", Some("ac"), "123");
        check("<think_never_used_51>a</think_never_used_51>b", Some("a"), "b");
        check("<think>never ends", Some("never ends"), "");
        check("<think>hm <tool_call>{}</tool_call>", Some("hm"), "<tool_call>{}</tool_call>");
        check("<think></think>b < c", None, "b < c");
    }
}
