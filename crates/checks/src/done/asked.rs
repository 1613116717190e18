//! What a task asks for, as far as its words tell: an answer, a change, a change that has to be sent off.
//! A list of verbs, and the place where they stand: what a sentence begins with is what it wants.

use super::words::words_of;

/// What a task wants to be different afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    pub change: bool,
    /// The change counts only once it was saved, sent or ordered.
    pub submit: bool,
    /// An answer is wanted, or a place to be at, and nothing else.
    pub reads: bool,
}

/// What a request begins with that is answered by looking.
const READING: &[&str] = &[
    "are",
    "browse",
    "can",
    "check",
    "compare",
    "count",
    "describe",
    "determine",
    "display",
    "do",
    "does",
    "extract",
    "find",
    "get",
    "give",
    "go",
    "has",
    "have",
    "how",
    "identify",
    "inspect",
    "is",
    "list",
    "locate",
    "look",
    "name",
    "navigate",
    "note",
    "observe",
    "open",
    "read",
    "report",
    "return",
    "say",
    "scroll",
    "search",
    "see",
    "show",
    "summarise",
    "summarize",
    "tell",
    "verify",
    "view",
    "visit",
    "wait",
    "was",
    "watch",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "who",
    "whose",
    "why",
];

/// Words before the verb that say nothing.
const FILLERS: &[&str] =
    &["please", "now", "then", "also", "finally", "first", "next", "afterwards", "and", "to", "you", "must", "should"];

const SUBMIT_VERBS: &[&str] = &[
    "apply", "book", "buy", "checkout", "confirm", "login", "order", "pay", "post", "publish", "purchase", "register",
    "reply", "reserve", "save", "send", "signup", "submit",
];

/// Verbs of two words: the second one makes the sense.
const SUBMIT_PAIRS: &[(&str, &str)] =
    &[("sign", "in"), ("sign", "up"), ("log", "in"), ("check", "out"), ("place", "order")];

const CHANGE_VERBS: &[&str] = &[
    "accept",
    "add",
    "approve",
    "archive",
    "assign",
    "attach",
    "cancel",
    "change",
    "clear",
    "close",
    "complete",
    "copy",
    "create",
    "decline",
    "delete",
    "describe",
    "disable",
    "drag",
    "draw",
    "duplicate",
    "edit",
    "empty",
    "enable",
    "enter",
    "fill",
    "flag",
    "forward",
    "hide",
    "insert",
    "invite",
    "label",
    "like",
    "make",
    "mark",
    "merge",
    "move",
    "mute",
    "paint",
    "paste",
    "pin",
    "place",
    "put",
    "remove",
    "rename",
    "reorder",
    "replace",
    "reset",
    "restore",
    "schedule",
    "set",
    "share",
    "sign",
    "sort",
    "star",
    "subscribe",
    "switch",
    "tick",
    "toggle",
    "turn",
    "type",
    "uncheck",
    "undo",
    "unsubscribe",
    "untick",
    "update",
    "upgrade",
    "upload",
    "vote",
    "write",
];

impl Asked {
    pub fn of(task: &str) -> Asked {
        let mut asked = Asked { reads: task.contains('?'), ..Asked::default() };
        for sentence in sentences(task) {
            for clause in clauses(sentence) {
                let words = words_of(clause);
                let said: Vec<&str> =
                    words.iter().map(String::as_str).skip_while(|word| FILLERS.contains(word)).take(2).collect();
                let Some(first) = said.first() else { continue };
                let pair = said.get(1).is_some_and(|second| SUBMIT_PAIRS.contains(&(*first, *second)));
                asked.reads |= READING.contains(first);
                asked.submit |= pair || SUBMIT_VERBS.contains(first);
                asked.change |= asked.submit || CHANGE_VERBS.contains(first);
            }
        }
        asked.reads &= !asked.change;
        asked
    }
}

/// Sentences that are no questions.
fn sentences(task: &str) -> impl Iterator<Item = &str> {
    task.split_inclusive(['.', '!', '?', ';', '\n']).filter(|sentence| !sentence.trim_end().ends_with('?'))
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ':']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" then "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(task: &str, change: bool, submit: bool) {
        let asked = Asked::of(task);
        assert_eq!((asked.change, asked.submit), (change, submit), "{task}");
    }

    #[test]
    fn what_is_answered_by_looking_is_told_from_what_is_not_understood() {
        for task in
            ["What does it cost?", "Wie viele sind es?", "Find the price", "Go to the start page", "Please open it"]
        {
            assert!(Asked::of(task).reads, "{task}");
        }
        for task in ["Place the order", "Lege die Karte ab", "Find it and delete it", ""] {
            assert!(!Asked::of(task).reads, "{task}");
        }
    }

    #[test]
    fn imperatives_of_change_are_found_at_the_beginning_of_their_clause() {
        check("Archive the card Verify the sitemap.", true, false);
        check("Change the phone of Priya to +1 206 and save.", true, true);
        check("Send a mail to noor@harbour.example with the subject Keys.", true, true);
        check("Sign in as dana@northbeam.example.", true, true);
        check("please log in, then open the inbox", true, true);
        check("Find the newest order and cancel it", true, false);
        check("Now put a star on the newest mail.", true, false);
    }

    #[test]
    fn questions_and_requests_to_read_ask_for_no_change() {
        check("Which number has the card about the checkout banner?", false, false);
        check("What does the jacket cost?", false, false);
        check("Find the price of the Save button and report it", false, false);
        check("Count the orders. Tell me the cheapest", false, false);
        check("How do I delete my account?", false, false);
        check("", false, false);
        check("\u{0}?!.,;: and and then then", false, false);
    }
}
