//! A child program with its pipes: started in a process group of its own, read with bounded memory,
//! and never left behind. Every method may be dropped half-way: what was begun is remembered here.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::error::BrainError;
use crate::lines::{Line, LineSplitter};

/// Longest line that is taken from the program.
pub(super) const REPLY_LIMIT: usize = 1024 * 1024;
/// Lines kept while nobody asks; with the limit above this bounds the memory of a chatty program.
const QUEUE: usize = 8;
const STDERR_LINE_LIMIT: usize = 4096;
const LAST_WORDS_CHARS: usize = 300;
/// Warnings about unasked lines, after which they are dropped silently.
const MAX_WARNINGS: u32 = 5;
/// Time for output that is already in the pipe to arrive after the program has ended.
const DRAIN: Duration = Duration::from_millis(500);
/// Time a killed process gets to disappear; it normally takes a millisecond or two.
const REAP: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    /// Taken when the group has been killed. Its number is safe to use until the child is reaped.
    group: Option<Pid>,
    exit: Option<ExitStatus>,
    stdin: Option<ChildStdin>,
    outbox: Outbox,
    received: mpsc::Receiver<Received>,
    /// How many questions were begun; the reader stamps it on every line.
    asked: Arc<AtomicU64>,
    /// Questions of which at least a part went out and which were not answered yet.
    unanswered: u64,
    warnings: u32,
    last_words: Arc<Mutex<String>>,
    stdout_task: JoinHandle<()>,
    stderr_task: Option<JoinHandle<()>>,
}

/// A line together with the number of questions that had been begun when it arrived.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) line: Line,
    asked: u64,
}

impl Program {
    pub(super) fn start(words: &[String], hidden: &[String]) -> Result<Self, BrainError> {
        let Some((name, arguments)) = words.split_first() else {
            return Err(BrainError::usage(
                "the brain command is empty",
                "write it like --brain 'exec:python3 my_brain.py'",
            ));
        };
        let mut command = Command::new(name);
        for variable in hidden {
            command.env_remove(variable);
        }
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| unstartable(name, &error))?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(BrainError::Transport("the brain program has no pipes".into()));
        };
        let asked = Arc::new(AtomicU64::new(0));
        let last_words = Arc::new(Mutex::new(String::new()));
        let (sender, received) = mpsc::channel(QUEUE);
        Ok(Program {
            child,
            group,
            exit: None,
            stdin: Some(stdin),
            outbox: Outbox::default(),
            received,
            asked: Arc::clone(&asked),
            unanswered: 0,
            warnings: 0,
            last_words: Arc::clone(&last_words),
            stdout_task: tokio::spawn(read_answers(stdout, sender, asked)),
            stderr_task: Some(tokio::spawn(forward_stderr(stderr, last_words))),
        })
    }

    /// Sends one line. If an earlier call was dropped in the middle of its line, the rest of that
    /// line goes out first; if nothing of it went out, it is as if it had never been asked.
    pub(super) async fn ask(&mut self, question: String) -> Result<(), BrainError> {
        if self.outbox.forget_unsent() {
            self.unanswered -= 1;
        }
        self.outbox.push(question);
        self.unanswered += 1;
        // Before the first byte leaves: the answer may be read before the write has returned.
        self.asked.fetch_add(1, Ordering::SeqCst);
        match self.send().await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.gone().await),
        }
    }

    /// The next line, whatever it belongs to.
    pub(super) async fn receive(&mut self) -> Result<Received, BrainError> {
        let received = loop {
            if self.exit.is_some() {
                let rest = timeout(DRAIN, self.received.recv()).await;
                break rest.unwrap_or(None);
            }
            tokio::select! {
                biased;
                received = self.received.recv() => break received,
                status = self.child.wait() => self.note_exit(status),
            }
        };
        match received {
            Some(received) => Ok(received),
            None => Err(self.gone().await),
        }
    }

    /// Whether the line answers the question asked last. Has to be asked about every line once.
    pub(super) fn is_answer(&mut self, received: &Received) -> bool {
        if self.unanswered > 1 {
            self.unanswered -= 1;
            tracing::debug!(target: "brain", "dropped the answer to an abandoned question");
            return false;
        }
        if received.asked < self.asked.load(Ordering::SeqCst) {
            if self.warnings < MAX_WARNINGS {
                self.warnings += 1;
                tracing::warn!(target: "brain", "dropped a line the program wrote unasked");
            }
            return false;
        }
        self.unanswered = 0;
        true
    }

    /// Sends the last line, closes the program's input and lets it end by itself for a while.
    pub(super) async fn finish(&mut self, last_line: String, patience: Duration) {
        let deadline = Instant::now() + patience;
        self.outbox.forget_unsent();
        self.outbox.push(last_line);
        // A program that is gone already needs no farewell.
        let _ = timeout_at(deadline, self.send()).await;
        self.stdin = None;
        if self.exit.is_none()
            && let Ok(status) = timeout_at(deadline, self.child.wait()).await
        {
            self.note_exit(status);
        }
        self.stop().await;
    }

    async fn send(&mut self) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        while let Some(rest) = self.outbox.rest() {
            let count = stdin.write(rest).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.outbox.advance(count);
        }
        Ok(())
    }

    /// The error for a program that can no longer be talked to. It is certainly gone afterwards.
    async fn gone(&mut self) -> BrainError {
        if self.exit.is_none()
            && let Ok(status) = timeout(DRAIN, self.child.wait()).await
        {
            self.note_exit(status);
        }
        let how = match self.exit {
            Some(status) => format!("the brain program ended ({status})"),
            None => "the brain program closed its input or output and was stopped".to_string(),
        };
        self.stop().await;
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        BrainError::Dead(if words.is_empty() {
            format!("{how} and wrote nothing to stderr")
        } else {
            let words: String = words.chars().take(LAST_WORDS_CHARS).collect();
            format!("{how}; its last words: {words}")
        })
    }

    /// Kills what is left, reaps the child and takes in the rest of its stderr.
    async fn stop(&mut self) {
        self.kill_group();
        if self.exit.is_none()
            && let Ok(status) = timeout(REAP, self.child.wait()).await
        {
            self.note_exit(status);
        }
        if let Some(task) = &mut self.stderr_task
            && timeout(DRAIN, task).await.is_ok()
        {
            self.stderr_task = None;
        }
    }

    fn note_exit(&mut self, status: io::Result<ExitStatus>) {
        match status {
            Ok(status) => self.exit = Some(status),
            Err(error) => {
                tracing::warn!(target: "brain", %error, "the brain program's exit is unknown");
                self.exit = Some(ExitStatus::default());
            }
        }
        // At once, while the number of the group cannot have been given to somebody else.
        self.kill_group();
    }

    fn kill_group(&mut self) {
        if let Some(group) = self.group.take() {
            // The only error is that nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill_group();
        self.stdout_task.abort();
        if let Some(task) = &self.stderr_task {
            task.abort();
        }
        // A killed process is gone within a millisecond or two. Waiting for it here leaves no zombie
        // even when the runtime, which would reap it later, is about to end.
        let deadline = std::time::Instant::now() + REAP;
        while self.exit.is_none() && std::time::Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => std::thread::yield_now(),
                Ok(Some(_)) | Err(_) => break,
            }
        }
    }
}

/// Bytes on their way to the program.
#[derive(Debug, Default)]
struct Outbox {
    bytes: Vec<u8>,
    written: usize,
    /// Where the newest line begins.
    newest: usize,
}

impl Outbox {
    /// Takes back the newest line if none of it was written; says whether it did.
    fn forget_unsent(&mut self) -> bool {
        let unsent = self.written <= self.newest && self.newest < self.bytes.len();
        if unsent {
            self.bytes.truncate(self.newest);
        }
        unsent
    }

    fn push(&mut self, line: String) {
        self.bytes.drain(..self.written);
        self.written = 0;
        self.newest = self.bytes.len();
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
    }

    fn rest(&self) -> Option<&[u8]> {
        self.bytes.get(self.written..).filter(|rest| !rest.is_empty())
    }

    fn advance(&mut self, count: usize) {
        self.written += count;
    }
}

/// Reads without pause, so that a line is stamped when it arrives and not when somebody asks.
async fn read_answers(stdout: ChildStdout, sender: mpsc::Sender<Received>, asked: Arc<AtomicU64>) {
    read_lines(stdout, REPLY_LIMIT, |line| {
        let asked = asked.load(Ordering::SeqCst);
        if let Err(TrySendError::Full(_)) = sender.try_send(Received { line, asked }) {
            tracing::debug!(target: "brain", "dropped a line: too many wait to be asked for");
        }
    })
    .await;
}

async fn forward_stderr(stderr: impl AsyncRead + Unpin, last_words: Arc<Mutex<String>>) {
    read_lines(stderr, STDERR_LINE_LIMIT, |line| {
        let text = String::from_utf8_lossy(&line.bytes);
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        tracing::info!(target: "brain", "{text}{}", if line.cut { "…" } else { "" });
        *last_words.lock().unwrap_or_else(PoisonError::into_inner) = text.to_string();
    })
    .await;
}

async fn read_lines(mut source: impl AsyncRead + Unpin, limit: usize, mut give: impl FnMut(Line)) {
    let mut splitter = LineSplitter::new(limit);
    let mut chunk = vec![0; 16 * 1024];
    loop {
        match source.read(&mut chunk).await {
            Ok(0) | Err(_) => break,
            Ok(count) => splitter.push(&chunk[..count], &mut give),
        }
    }
    if let Some(rest) = splitter.finish() {
        give(rest);
    }
}

fn unstartable(name: &str, error: &io::Error) -> BrainError {
    match error.kind() {
        io::ErrorKind::NotFound => BrainError::usage(
            format!("the brain command {name:?} was not found"),
            "give a program on the PATH or the path of an executable file",
        ),
        io::ErrorKind::PermissionDenied => BrainError::usage(
            format!("the brain command {name:?} may not be executed"),
            "make it executable, or name its interpreter, like exec:python3 my_brain.py",
        ),
        _ => BrainError::usage(
            format!("the brain command {name:?} cannot be started: {error}"),
            "try the command by hand",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outbox_finishes_begun_lines_and_forgets_the_others() {
        let mut outbox = Outbox::default();
        assert!(!outbox.forget_unsent());
        outbox.push("abc".into());
        assert!(outbox.forget_unsent());
        assert_eq!(outbox.rest(), None);

        outbox.push("abc".into());
        outbox.advance(2);
        assert!(!outbox.forget_unsent(), "it has begun");
        outbox.push("de".into());
        assert_eq!(outbox.rest(), Some(&b"c\nde\n"[..]));
        outbox.advance(2);
        assert!(outbox.forget_unsent(), "the second one has not begun");
        assert_eq!(outbox.rest(), None);

        outbox.push("f".into());
        outbox.advance(2);
        assert!(!outbox.forget_unsent(), "it is complete");
        assert_eq!(outbox.rest(), None);
    }

    #[tokio::test]
    async fn lines_that_came_before_the_question_are_no_answer() {
        let command = "echo early; echo early; read -r l; echo answer; cat >/dev/null";
        let words = ["sh", "-c", command].map(String::from);
        let mut program = Program::start(&words, &[]).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while program.received.len() < 2 {
            assert!(Instant::now() < deadline);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        program.ask("question".into()).await.unwrap();
        let mut answers = Vec::new();
        for _ in 0..3 {
            let received = program.receive().await.unwrap();
            if program.is_answer(&received) {
                answers.push(String::from_utf8(received.line.bytes).unwrap());
            }
        }
        assert_eq!(answers, ["answer"]);
    }

    #[tokio::test]
    async fn a_flood_of_unasked_lines_stays_bounded_and_does_not_block() {
        let command = "i=0; while [ $i -lt 20000 ]; do echo flood; i=$((i+1)); done; echo ready >&2; read -r l; echo answer; cat >/dev/null";
        let words = ["sh", "-c", command].map(String::from);
        let mut program = Program::start(&words, &[]).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while *program.last_words.lock().unwrap() != "ready" {
            assert!(Instant::now() < deadline);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(program.received.len(), QUEUE);
        program.ask("question".into()).await.unwrap();
        loop {
            let received = program.receive().await.unwrap();
            if program.is_answer(&received) {
                break;
            }
        }
    }
}
