//! Doors for the fuzzing of what browsers and sites send us; nothing else uses them.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc;

use super::attach::SessionShape;
use super::pump::safe_name;
use super::{BrowserEnv, BrowserOptions, Timing};
use crate::cdp::{Connection, Transport};
use crate::environment::Environment;

/// What an environment knows after a conversation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    pub tabs: usize,
    pub events: usize,
    pub downloads: usize,
}

/// Bound of one conversation. Nothing in it waits for a real browser.
const SOON: Duration = Duration::from_millis(40);

/// A browser that says these things and answers every call with the next of these results.
pub async fn browser_that_says(messages: Vec<Vec<u8>>, results: Vec<String>, downloads: &std::path::Path) -> Known {
    let (outgoing, mut written) = mpsc::unbounded_channel::<String>();
    let (feed, incoming) = mpsc::unbounded_channel();
    let answers = feed.clone();
    let answering = tokio::spawn(async move {
        let mut results = results.into_iter();
        let mut is_first = true;
        while let Some(call) = written.recv().await {
            let id =
                serde_json::from_str::<serde_json::Value>(&call).map(|call| call["id"].clone()).unwrap_or_default();
            // The first question is for the version; without an answer there is no environment.
            let result = if std::mem::take(&mut is_first) { None } else { results.next() };
            let result = result.unwrap_or_else(|| "{}".into());
            if answers.send(format!("{{\"id\":{id},\"result\":{result}}}").into_bytes()).is_err() {
                return;
            }
        }
    });
    let options = BrowserOptions {
        downloads: Some(downloads.to_path_buf()),
        timing: Timing {
            launch: SOON,
            call: SOON,
            navigation: SOON,
            hover_cap: SOON,
            settle_cap: SOON,
            patience: SOON,
        },
        ..BrowserOptions::default()
    };
    let shape = SessionShape { launched: true, viewport: None };
    let Ok(mut env) = BrowserEnv::connect(Transport::of(outgoing, incoming), shape, &options).await else {
        answering.abort();
        return Known::default();
    };
    for message in messages {
        let _ = feed.send(message);
    }
    // The pump works off what it has before it looks at this one.
    let last = br#"{"method":"Target.targetDestroyed","params":{"targetId":"the last one"}}"#;
    let _ = feed.send(last.to_vec());
    tokio::task::yield_now().await;
    let _ = tokio::time::timeout(SOON, env.observe()).await;
    let _ = (env.live_url(), env.document(), env.held(), env.lost());
    let tabs = env.shared.lock().tabs.len();
    env.wind_up();
    let happenings = env.take_happenings();
    answering.abort();
    Known { tabs, events: happenings.events.len(), downloads: happenings.downloads.len() }
}

/// Bytes on the debugging pipe as they are. Returns how many events came out of them.
pub async fn pipe_that_carries(bytes: &[u8]) -> std::io::Result<usize> {
    let (their_read, we_write) = std::io::pipe()?;
    let (we_read, their_write) = std::io::pipe()?;
    let transport = Transport::over_pipes(we_write.into(), we_read.into())?;
    let (_connection, mut events) = Connection::start(transport);
    let mut writer = tokio::net::unix::pipe::Sender::from_owned_fd(their_write.into())?;
    let bytes = bytes.to_vec();
    let writing = tokio::spawn(async move { writer.write_all(&bytes).await });
    let mut count = 0;
    while events.recv().await.is_some() {
        count += 1;
    }
    drop(their_read);
    let _ = writing.await;
    Ok(count)
}

/// The name that a download would get.
pub fn download_name(suggested: &str) -> String {
    safe_name(suggested)
}
