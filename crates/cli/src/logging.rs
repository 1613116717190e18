//! Logs go to stderr, behind the same redaction as everything else that is written.

use std::io::Write;
use std::sync::{PoisonError, RwLock};

use surehand_types::{Redactor, Settings};
use tracing_subscriber::EnvFilter;

/// What log lines must not show. Global because the subscriber is; set once a run knows its secrets.
static REDACTOR: RwLock<Option<Redactor>> = RwLock::new(None);

pub(crate) fn start(settings: &Settings) {
    let filter = EnvFilter::try_new(settings.text("log")).unwrap_or_else(|_| EnvFilter::new("warn"));
    let _ =
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| RedactedStderr).try_init();
    // A panic is a fault of ours, but its message may hold a text from a page.
    std::panic::set_hook(Box::new(|fault| {
        let _ = writeln!(std::io::stderr(), "surehand: {}", clean(&fault.to_string()));
    }));
}

/// From here on no log line shows these secrets.
pub(crate) fn redact_with(redactor: &Redactor) {
    *REDACTOR.write().unwrap_or_else(PoisonError::into_inner) = Some(redactor.clone());
}

/// A text for people, without secrets.
pub(crate) fn clean(text: &str) -> String {
    let redactor = REDACTOR.read().unwrap_or_else(PoisonError::into_inner);
    redactor.as_ref().map_or_else(|| text.to_string(), |redactor| redactor.text(text))
}

/// The subscriber writes each line with one call, so a secret cannot hide across two writes.
struct RedactedStderr;

impl Write for RedactedStderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stderr().lock().write_all(clean(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::Secret;

    #[test]
    fn a_log_line_never_shows_a_secret() {
        redact_with(&Redactor::new(&[Secret::new("pin", "4711-geheim")]));
        assert_eq!(clean("typed 4711-geheim"), "typed <secret:pin>");
    }
}
