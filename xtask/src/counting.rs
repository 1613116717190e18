//! Runs a test runner and counts what it says it executed. Separate from `test.rs` because a run
//! that executes nothing also exits with success in places, and must not be mistaken for a pass.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::process::{self, Ended};

/// The tests that a runner reported, by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

/// Which program runs the tests; they report in different words and on different streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    Nextest,
    Cargo,
}

/// Runs the tests, shows their output as it comes, and counts.
pub(crate) fn run(command: &mut Command, runner: Runner, deadline: Duration) -> Result<(Ended, Counts)> {
    match runner {
        Runner::Nextest => command.stderr(Stdio::piped()),
        Runner::Cargo => command.stdout(Stdio::piped()),
    };
    let mut child = process::start(command)?;
    let stream: Box<dyn Read + Send> = match runner {
        Runner::Nextest => Box::new(child.stderr.take().context("no error stream")?),
        Runner::Cargo => Box::new(child.stdout.take().context("no output stream")?),
    };
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || forward(stream, runner, &sender));
    let ended = process::wait(&mut child, deadline)?;
    let mut counts = Counts::default();
    // A program left behind by a test may hold the stream open for ever, so its end is not awaited
    // for long.
    let patience = Instant::now() + Duration::from_secs(5);
    while let Ok(line) = lines.recv_timeout(patience.saturating_duration_since(Instant::now())) {
        counts.add_line(runner, &line);
    }
    Ok((ended, counts))
}

impl Counts {
    fn add_line(&mut self, runner: Runner, line: &str) {
        let plain = without_colours(line);
        let marker = match runner {
            Runner::Nextest => "Summary [",
            Runner::Cargo => "test result: ",
        };
        if !plain.trim_start().starts_with(marker) {
            return;
        }
        let words: Vec<&str> =
            plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1] {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "skipped" | "ignored" => self.skipped += number,
                _ => {}
            }
        }
    }
}

fn forward(stream: impl Read, runner: Runner, lines: &mpsc::Sender<String>) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    // Bytes, not strings: a test may print anything.
    while matches!(reader.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
        let line = String::from_utf8_lossy(&bytes);
        match runner {
            Runner::Nextest => eprint!("{line}"),
            Runner::Cargo => print!("{line}"),
        }
        // Nobody listens any more once the counting has ended; the output is still shown.
        lines.send(line.into_owned()).ok();
        bytes.clear();
    }
}

// Removes the escape sequences that switch colours: ESC [ … m.
fn without_colours(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(runner: Runner, lines: &[&str]) -> Counts {
        let mut counts = Counts::default();
        for line in lines {
            counts.add_line(runner, line);
        }
        counts
    }

    #[test]
    fn nextest_summaries_are_read_with_and_without_colours() {
        let plain = "     Summary [   1.203s] 12 tests run: 11 passed (2 slow), 1 failed, 3 skipped";
        let expected = Counts { passed: 11, failed: 1, skipped: 3 };
        assert_eq!(count(Runner::Nextest, &["   PASS [ 0.1s] 5 passed", plain]), expected);
        let coloured = "\u{1b}[32;1m     Summary\u{1b}[0m [   0.005s] \u{1b}[1m2\u{1b}[0m tests run: \u{1b}[1m2\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m skipped";
        assert_eq!(count(Runner::Nextest, &[coloured]).passed, 2);
    }

    #[test]
    fn cargo_results_are_added_up() {
        let lines = [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ];
        let expected = Counts { passed: 4, failed: 2, skipped: 1 };
        assert_eq!(count(Runner::Cargo, &lines), expected);
    }

    #[test]
    fn output_without_a_result_counts_nothing() {
        assert_eq!(count(Runner::Nextest, &["no tests to run", ""]), Counts::default());
    }
}
