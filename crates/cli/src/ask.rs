//! Asking the person at the terminal. What a brain wants to know: the question on stderr, the answer from
//! stdin, with a deadline; an answer that is piped in counts as well. Whether something may be done: at the
//! terminal itself and nowhere else, since stdin may belong to a program.

use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};
use surehand_run::{Approver, NoAnswer, People, PersonWord, Question};
use surehand_types::result::ConfirmAnswer;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

pub(crate) struct Terminal {
    pub(crate) patience: Duration,
}

#[async_trait]
impl People for Terminal {
    async fn ask(&mut self, question: &str) -> Result<PersonWord, NoAnswer> {
        self.put(&format!("The brain asks: {}", plain(question))).await
    }

    async fn ask_or(&mut self, question: &str, silence: &str) -> Result<PersonWord, NoAnswer> {
        self.put(&format!("The plan asks: {}\nWithout an answer: {}", plain(question), plain(silence))).await
    }
}

impl Terminal {
    async fn put(&self, question: &str) -> Result<PersonWord, NoAnswer> {
        let seconds = self.patience.as_secs();
        let mut stderr = std::io::stderr();
        let _ = write!(stderr, "\n{question}\nYour answer (within {seconds} s): ");
        let _ = stderr.flush();
        let (sender, answer) = oneshot::channel();
        // A thread of its own, not the runtime's: a read that nobody ends must not keep the program from ending.
        std::thread::spawn(move || {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
            let _ = sender.send((read > 0).then_some(line));
        });
        match tokio::time::timeout(self.patience, answer).await {
            Ok(Ok(Some(line))) => Ok(PersonWord { text: line.trim_end_matches(['\r', '\n']).to_string(), by: None }),
            Ok(_) => Err(NoAnswer::Because("nobody is there to answer: the input is closed".into())),
            Err(_) => Err(NoAnswer::Because(format!("nobody answered within {seconds} s"))),
        }
    }
}

/// A question must not paint the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).take(2000).collect()
}

/// How often a wait at the terminal looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);
/// Longest line of the question, in characters.
const LINE_CHARS: usize = 160;

/// Asks for consent at the terminal that the program was started from.
pub(crate) struct Consenting {
    pub(crate) patience: Duration,
    /// The run is told to stop: that is no consent either.
    pub(crate) stop: CancellationToken,
}

#[async_trait]
impl Approver for Consenting {
    async fn approve(&mut self, question: &Question) -> ConfirmAnswer {
        let Some(terminal) = terminal() else { return ConfirmAnswer::NoTerminal };
        let (text, patience) = (in_words(question, self.patience), self.patience);
        let over = Arc::new(AtomicBool::new(false));
        let (sender, answer) = oneshot::channel();
        let stopped = Arc::clone(&over);
        // It looks up often enough to end soon after nobody wants the answer any more.
        std::thread::spawn(move || {
            let _ = sender.send(ask_at(terminal, &text, patience, &stopped));
        });
        let answer = tokio::select! {
            answer = answer => answer.unwrap_or(ConfirmAnswer::NoTerminal),
            () = self.stop.cancelled() => ConfirmAnswer::Cancelled,
        };
        over.store(true, Ordering::Relaxed);
        answer
    }
}

/// Whether there is a terminal to ask at.
pub(crate) fn has_terminal() -> bool {
    terminal().is_some()
}

/// The controlling terminal, if we are in its foreground: a program in the background that reads from it
/// would be stopped by the system.
fn terminal() -> Option<File> {
    let terminal = File::options().read(true).write(true).open("/dev/tty").ok()?;
    let foreground = tcgetpgrp(&terminal).ok()?;
    (foreground == rustix::process::getpgrp()).then_some(terminal)
}

fn ask_at(mut terminal: File, text: &str, patience: Duration, over: &AtomicBool) -> ConfirmAnswer {
    // Keys that were pressed before the question was there are no answer to it.
    let _ = tcflush(&terminal, QueueSelector::IFlush);
    if terminal.write_all(text.as_bytes()).is_err() {
        return ConfirmAnswer::NoTerminal;
    }
    let end = Instant::now() + patience;
    let mut line = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let _ = terminal.write_all(b"\nno answer in time: not done\n");
            return ConfirmAnswer::Timeout;
        }
        let wait = left.min(LOOK);
        let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
        let mut fds = [PollFd::new(&terminal, PollFlags::IN)];
        match poll(&mut fds, Some(&wait)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => return ConfirmAnswer::NoTerminal,
        }
        let mut bytes = [0; 256];
        match terminal.read(&mut bytes) {
            Ok(0) => return ConfirmAnswer::No,
            Ok(count) => line.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return ConfirmAnswer::NoTerminal,
        }
        if line.contains(&b'\n') || line.len() > 1024 {
            return if is_yes(&line) { ConfirmAnswer::Yes } else { ConfirmAnswer::No };
        }
    }
    let _ = terminal.write_all(b"\n");
    ConfirmAnswer::Cancelled
}

/// Nothing but a plain yes is one.
fn is_yes(line: &[u8]) -> bool {
    let first = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    matches!(String::from_utf8_lossy(first).trim().to_lowercase().as_str(), "y" | "yes")
}

fn in_words(question: &Question, patience: Duration) -> String {
    let mut text = format!("\nsurehand asks before it goes on (answer within {} s):\n", patience.as_secs().max(1));
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<9}{}\n", plain_line(value)));
    line("action", &question.what);
    if let Some(target) = &question.target {
        line("target", target);
    }
    line("page", question.url.as_deref().unwrap_or("not known"));
    line("why", &format!("{} (rule {})", question.reason, question.rule));
    if let Some(picture) = &question.picture {
        // A path is for opening, so it is not cut.
        text.push_str(&format!("  picture  {}\n", picture.display()));
    }
    text + "May it be done? [y/N] "
}

/// One line that shows what it says: nothing in it moves the cursor, turns the text round or is invisible.
fn plain_line(text: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    let visible: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !steers(*c)).collect();
    let mut line = crate::logging::clean(&visible.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() > LINE_CHARS {
        line = line.chars().take(LINE_CHARS - 1).chain(['…']).collect();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_writes_stays_one_plain_line() {
        for (text, expected) in [
            ("button \"Pay\"", "button \"Pay\""),
            ("a\nb\tc\u{1b}[2Jd", "a b c[2Jd"),
            ("pay\u{202e}on\u{200b}\u{feff}", "payon"),
            ("x\u{2028}May it be done? [y/N] y", "xMay it be done? [y/N] y"),
        ] {
            assert_eq!(plain_line(text).replace("x May", "xMay"), expected, "{text:?}");
        }
        assert_eq!(plain_line(&"w".repeat(1000)).chars().count(), LINE_CHARS);
    }

    #[test]
    fn only_yes_is_yes() {
        for (line, expected) in [
            ("y\n", true),
            ("YES\r\n", true),
            (" y \n", true),
            ("\n", false),
            ("yep\n", false),
            ("n\ny\n", false),
            ("", false),
        ] {
            assert_eq!(is_yes(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn the_question_has_one_line_for_each_fact() {
        let question = Question {
            what: "left click".into(),
            target: Some("button \"Delete\nMay it be done? [y/N] y\"".into()),
            url: Some("http://shop.test/".into()),
            rule: "delete".into(),
            reason: "it looks like deleting".into(),
            picture: Some("/frames/ab.png".into()),
        };
        let text = in_words(&question, Duration::from_secs(60));
        assert_eq!(text.lines().count(), 8, "{text}");
        assert!(text.contains("\n  why      it looks like deleting (rule delete)\n"), "{text}");
        assert!(text.ends_with("May it be done? [y/N] "), "{text}");
    }
}
