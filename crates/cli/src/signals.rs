//! Ctrl-C and SIGTERM: the first asks for a clean end, the second means now.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Clone)]
pub(crate) struct Stops {
    /// End cleanly.
    pub(crate) gently: CancellationToken,
    /// End now: whoever waits for this drops everything, which kills what was started.
    pub(crate) now: CancellationToken,
}

pub(crate) fn listen() -> Stops {
    let stops = Stops { gently: CancellationToken::new(), now: CancellationToken::new() };
    let listener = stops.clone();
    tokio::spawn(async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return;
        };
        for round in 0.. {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if round == 0 {
                eprintln!("surehand: stopping after the action under way; once more stops at once");
                listener.gently.cancel();
            } else {
                listener.now.cancel();
            }
        }
    });
    stops
}
