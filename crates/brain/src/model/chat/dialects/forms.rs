//! Looks for the calls of an answer in the forms that a dialect knows, best one first. The first form that is there
//! decides: half a call in it is a problem, not a reason to guess on.

use serde_json::Value;

use super::super::super::knowledge::Dialect;
use super::super::super::tolerant::{
    LEFT_OPEN, MOST_CALLS, Repairs, Written, WrittenCall, call_at, code_blocks, is_refusal, shortened, statements,
    without_special_tokens, written_calls,
};
use super::super::actions::{from_python, is_known, script};
use super::{Form, Manner, manner};

/// What a text comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in super::super) struct Understood {
    pub(in super::super) steps: Vec<Step>,
    pub(in super::super) thought: Option<String>,
    pub(in super::super) note: Option<String>,
    pub(in super::super) expected: Vec<String>,
    /// One sentence, where there are no steps.
    pub(in super::super) problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Step {
    Call(WrittenCall),
    Gestures(Vec<Value>),
}

/// Reads the words of an answer. `limited`: it was cut off at the most tokens that were allowed.
pub(in super::super) fn understand(dialect: Dialect, text: &str, limited: bool, repairs: &mut Repairs) -> Understood {
    let manner = manner(dialect);
    for (index, form) in manner.forms.iter().enumerate() {
        let mut own = Repairs::default();
        let found = match form {
            Form::Written => written(text, limited, &mut own),
            Form::Spoken => spoken(text, limited, &mut own),
            Form::Code => code(text, &manner, limited, &mut own),
        };
        if let Some(found) = found {
            repairs.take_over(own);
            if index > 0 && !found.steps.is_empty() {
                repairs.note("read the call in another form than was asked for");
            }
            return found;
        }
    }
    let problem = nothing_found(text, limited, &manner);
    let read = read_words(text);
    Understood { thought: read.thought.clone().or_else(|| words(text)), problem: Some(problem), ..read }
}

/// Thought, note and predictions that stand in objects of a text, whatever else is in it.
fn read_words(text: &str) -> Understood {
    let Written { thought, note, expected, .. } = written_calls(text, false, &mut Repairs::default());
    Understood { thought, note, expected, ..Understood::default() }
}

fn nothing_found(text: &str, limited: bool, manner: &Manner) -> String {
    let example = manner.example;
    if limited {
        return format!(
            "the answer was cut off before it had a whole action; think less and answer in this form: {example}"
        );
    }
    if text.trim().is_empty() {
        return format!("the answer was empty; answer in this form: {example}");
    }
    if is_refusal(text) {
        return format!(
            "the answer declines the task; take the next action, or end the run with the reason, in this form: {example}"
        );
    }
    format!("nothing in the answer can be carried out; answer in this form: {example}")
}

fn written(text: &str, limited: bool, repairs: &mut Repairs) -> Option<Understood> {
    let found = written_calls(text, limited, repairs);
    if found.calls.is_empty() {
        if !found.cut {
            return None;
        }
        let problem = "the call ends in the middle; send it again as a whole".to_string();
        return Some(Understood {
            thought: found.thought.or_else(|| words(&found.prose)),
            problem: Some(problem),
            ..Understood::default()
        });
    }
    if found.cut {
        repairs.note("dropped a call that was cut off");
    }
    let thought = match (found.thought, words(&found.prose)) {
        // A prediction may stand beside the object.
        (Some(thought), Some(prose)) if prose.contains("Predicted:") => Some(format!("{thought}\n{prose}")),
        (thought, prose) => thought.or(prose),
    };
    Some(Understood {
        steps: found.calls.into_iter().map(Step::Call).collect(),
        thought,
        note: found.note,
        expected: found.expected,
        problem: None,
    })
}

/// Announcements of a call that are tried.
const MOST_MARKS: usize = 16;
const ACTION: &[&str] = &["Action:", "Action：", "action:", "ACTION:", "动作:", "动作：", "操作:", "操作："];

/// `Action: click(start_box='(1,2)')`, or lines that are calls of known functions.
fn spoken(text: &str, limited: bool, repairs: &mut Repairs) -> Option<Understood> {
    let read = marks(text).into_iter().find_map(|(at, behind)| {
        let (calls, end) = spoken_from(text, behind, repairs)?;
        Some((calls, at, end))
    });
    let (calls, begin, end) = read.or_else(|| spoken_lines(text, repairs))?;
    if limited && repairs.has(LEFT_OPEN) {
        return None;
    }
    if !without_special_tokens(&text[end..]).trim_matches(['`', ' ', '\n', '\r']).is_empty() {
        repairs.note("left out what follows the call");
    }
    Some(Understood {
        steps: calls.into_iter().map(Step::Call).collect(),
        thought: words(&format!("{}\n{}", &text[..begin], predictions(&text[end..]))),
        expected: read_words(text).expected,
        ..Understood::default()
    })
}

/// Where calls are announced, best place first, and where the text goes on behind. A mark that begins a line is meant
/// as one; others may stand in a thought, or in a text to type. Of several the first counts: what a model writes
/// behind its action it has made up, for it has not seen what came of it.
fn marks(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize, bool)> = Vec::new();
    for mark in ACTION {
        for (at, _) in text.match_indices(mark).take(MOST_MARKS) {
            let before = text[..at].trim_end_matches([' ', '\t', '*', '#', '>', '`']);
            found.push((at, at + mark.len(), before.is_empty() || before.ends_with('\n')));
        }
    }
    found.sort_by_key(|(at, _, begins_line)| (!begins_line, *at));
    found.into_iter().map(|(at, behind, _)| (at, behind)).take(MOST_MARKS).collect()
}

/// Calls one after the other from a place on.
fn spoken_from(text: &str, from: usize, repairs: &mut Repairs) -> Option<(Vec<WrittenCall>, usize)> {
    let mut calls = Vec::new();
    let mut at = from;
    while calls.len() < MOST_CALLS {
        let rest = &text[at..];
        let skipped =
            rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '`', ';', ',', '*', '-', '。', '；']).len();
        let rest = &rest[skipped..];
        // A fence may name its language.
        let fence = ["python\n", "plaintext\n", "text\n"]
            .iter()
            .find(|word| rest.starts_with(**word))
            .map_or(0, |word| word.len());
        let mark = ["Action:", "Action：", "<|begin_of_box|>"]
            .iter()
            .find(|mark| rest.starts_with(**mark))
            .map_or(0, |mark| mark.len());
        let start = at + skipped + fence.max(mark);
        let start = start + (text[start..].len() - text[start..].trim_start().len());
        let Ok((call, end)) = call_at(text, start, repairs) else { break };
        if !call.called {
            break;
        }
        calls.push(from_python(call));
        at = end;
    }
    (!calls.is_empty()).then_some((calls, at))
}

/// The first line that begins with a call of a known function.
fn spoken_lines(text: &str, repairs: &mut Repairs) -> Option<(Vec<WrittenCall>, usize, usize)> {
    let mut at = 0;
    let mut tries = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start_matches([
            ' ', '\t', '`', '*', '-', '>', '#', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
        ]);
        let trimmed = trimmed.strip_prefix("<|begin_of_box|>").unwrap_or(trimmed);
        let start = at + (line.len() - trimmed.len());
        let name: String = trimmed
            .chars()
            .take_while(|next| next.is_ascii_alphanumeric() || *next == '_' || *next == '.')
            .take(60)
            .collect();
        let called = trimmed[name.len()..].trim_start().starts_with(['(', '（']);
        if called && !name.is_empty() && is_known(&name) {
            if let Some((calls, end)) = spoken_from(text, start, repairs) {
                return Some((calls, start, end));
            }
            tries += 1;
            if tries > 16 {
                return None;
            }
        }
        at += line.len();
    }
    None
}

/// A script, in a fence or behind its heading; or one of the bare words that end a run.
fn code(text: &str, manner: &Manner, limited: bool, repairs: &mut Repairs) -> Option<Understood> {
    let blocks = code_blocks(text);
    let of_code =
        |inside: &str| inside.contains("pyautogui.") || inside.contains("computer.") || bare_word(inside).is_some();
    // The last block counts: those before it were drafts.
    let block =
        blocks.iter().rev().find(|block| block.language.eq_ignore_ascii_case("python") || of_code(block.inside));
    let (code, begin) = match block {
        Some(block) => (block.inside.to_string(), block.start),
        None => unfenced(text)?,
    };
    if block.is_none() {
        repairs.note("read code without a fence");
    }
    let thought = words(&format!(
        "{}\n{}",
        &text[..begin],
        block.map(|block| predictions(&text[block.end..])).unwrap_or_default()
    ));
    let expected = read_words(text).expected;
    let unclosed = limited && block.is_some_and(|block| block.end == text.len() && !text.ends_with("```"));
    let read = match unclosed {
        true => Err("the code ends in the middle".to_string()),
        false => statements(&code, repairs).and_then(|calls| script(calls, manner.habits)),
    };
    Some(match read {
        Ok((gestures, note)) if !gestures.is_empty() => {
            Understood { steps: vec![Step::Gestures(gestures)], thought, note, expected, problem: None }
        }
        Ok(_) => {
            let problem = Some(format!("the code does nothing; answer in this form: {}", manner.example));
            Understood { thought, expected, problem, ..Understood::default() }
        }
        Err(why) => Understood {
            thought,
            expected,
            problem: Some(format!("{why}; nothing of the code was run")),
            ..Understood::default()
        },
    })
}

/// Code without a fence: all behind its heading, or from the first line that is a call of pyautogui.
fn unfenced(text: &str) -> Option<(String, usize)> {
    if let Some(at) = text.rfind("## Code") {
        let behind = text[at + "## Code".len()..].trim_start_matches([':', '：', ' ', '\n', '\r', '`']);
        if !behind.is_empty() {
            return Some((without_special_tokens(behind), at));
        }
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if ["pyautogui.", "computer.", "import pyautogui", "time.sleep("].iter().any(|start| trimmed.starts_with(start))
        {
            // Prose behind an empty line is not part of the code.
            let code = text[at..].split("\n\n").next().unwrap_or_default();
            return Some((without_special_tokens(code), at));
        }
        at += line.len();
    }
    let last = text.trim_end().lines().next_back()?;
    let word = bare_word(last)?;
    Some((word.to_string(), text.rfind(last).unwrap_or_default()))
}

fn bare_word(text: &str) -> Option<&'static str> {
    let word = text.trim().trim_matches(['`', '*', '.', '!', ' ', '"', '\'']);
    ["DONE", "FAIL", "WAIT"].into_iter().find(|known| word == *known)
}

/// Lines with a prediction, from a text that is otherwise left out.
fn predictions(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("Predicted:")).take(4).collect();
    lines.join("\n")
}

/// A thought without its label and without what chat templates leave behind.
fn words(text: &str) -> Option<String> {
    let text = without_special_tokens(text);
    let text = text.trim_end_matches(['`', '\n', ' ']);
    let text = text.trim_start().strip_prefix("## Thought").unwrap_or(text);
    let text = ["Thought:", "Thought：", "thought:", "思考:", "思考："]
        .iter()
        .find_map(|label| text.trim_start().strip_prefix(label))
        .unwrap_or(text);
    let text = text.trim().trim_start_matches([':', '：']).trim();
    let text = ["## Code:", "## Code"].iter().find_map(|heading| text.strip_suffix(heading)).unwrap_or(text).trim();
    // Brackets that stood around a call say nothing.
    text.contains(char::is_alphanumeric).then(|| shortened(text, 20_000))
}
