//! Tesseract as a child process that is killed and reaped when its time is over.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{Layout, Ocr, OcrError};

/// The table of words that Tesseract prints for a picture (PGM, or TIFF with several pages).
pub(crate) fn run(picture: &[u8], layout: Layout, ocr: &Ocr) -> Result<String, OcrError> {
    let mode = match layout {
        Layout::Sparse => "11",
        Layout::Block => "6",
        Layout::Line => "7",
    };
    let child = Command::new(&ocr.program)
        .args(["stdin", "stdout", "--psm", mode, "-l", &ocr.language, "tsv"])
        // More threads make one small picture slower, and the machine is not ours alone.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| OcrError::Missing(error.to_string()))?;
    talk(child, picture, ocr.deadline)
}

/// Writes, reads and waits in threads of their own: a child that does nothing must not block the deadline.
fn talk(mut child: Child, picture: &[u8], deadline: Duration) -> Result<String, OcrError> {
    let failed = |what: &str| OcrError::Failed(what.to_owned());
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let picture = picture.to_vec();
    // A child that dies early closes the pipe; its exit code tells what happened.
    let writer = thread::spawn(move || input.map(|mut input| drop(input.write_all(&picture))));
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        output.map(|mut output| output.read_to_end(&mut bytes)).transpose().map(|_| bytes)
    });
    let ended = reaped(child);
    let status = match ended.recv_timeout(deadline) {
        Ok(status) => status.map_err(|error| OcrError::Failed(error.to_string()))?,
        Err(_) => {
            // It is not reaped before the other thread says so, so the number is still its own.
            let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
            let _ = ended.recv();
            return Err(OcrError::TooSlow(deadline));
        }
    };
    let _ = writer.join();
    let bytes = reader.join().map_err(|_| failed("reading stopped"))?;
    let bytes = bytes.map_err(|error| OcrError::Failed(error.to_string()))?;
    if !status.success() {
        return Err(OcrError::Failed(status.to_string()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Tells how the child ended, when it has.
fn reaped(mut child: Child) -> Receiver<std::io::Result<ExitStatus>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait()));
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::time::Instant;

    fn ocr(program: &str, deadline: Duration) -> Ocr {
        Ocr { program: PathBuf::from(program), deadline, ..Ocr::default() }
    }

    #[test]
    fn a_missing_program_is_named() {
        let outcome = run(b"P5\n1 1\n255\n\0", Layout::Sparse, &ocr("no-such-tesseract", Duration::from_secs(1)));
        assert!(matches!(outcome, Err(OcrError::Missing(_))), "{outcome:?}");
    }

    #[test]
    fn a_program_that_fails_is_no_text() {
        let outcome = run(b"", Layout::Sparse, &ocr("false", Duration::from_secs(5)));
        assert!(matches!(outcome, Err(OcrError::Failed(_))), "{outcome:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_hangs_is_killed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("hangs");
        std::fs::write(&script, "#!/bin/sh\nexec sleep 60\n").unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let started = Instant::now();
        let slow = Ocr { program: script, deadline: Duration::from_millis(200), ..Ocr::default() };
        // More than a pipe holds, so that the writer blocks as well.
        let outcome = run(&vec![0; 1 << 20], Layout::Sparse, &slow);
        assert!(matches!(outcome, Err(OcrError::TooSlow(_))), "{outcome:?}");
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
