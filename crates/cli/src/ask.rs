//! Asking the person at the terminal: the question on stderr, the answer from stdin, with a deadline. An
//! answer that is piped in counts as well.

use std::io::{BufRead, Write};
use std::time::Duration;

use async_trait::async_trait;
use surehand_run::People;
use tokio::sync::oneshot;

pub(crate) struct Terminal {
    pub(crate) patience: Duration,
}

#[async_trait]
impl People for Terminal {
    async fn ask(&mut self, question: &str) -> Result<String, String> {
        let seconds = self.patience.as_secs();
        let mut stderr = std::io::stderr();
        let _ = write!(stderr, "\nThe brain asks: {}\nYour answer (within {seconds} s): ", plain(question));
        let _ = stderr.flush();
        let (sender, answer) = oneshot::channel();
        // A thread of its own, not the runtime's: a read that nobody ends must not keep the program from ending.
        std::thread::spawn(move || {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
            let _ = sender.send((read > 0).then_some(line));
        });
        match tokio::time::timeout(self.patience, answer).await {
            Ok(Ok(Some(line))) => Ok(line.trim_end_matches(['\r', '\n']).to_string()),
            Ok(_) => Err("nobody is there to answer: the input is closed".into()),
            Err(_) => Err(format!("nobody answered within {seconds} s")),
        }
    }
}

/// A question must not paint the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).take(2000).collect()
}
