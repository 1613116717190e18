//! Carries protocol messages: NUL-separated over two pipes to a browser we launched, or over a
//! WebSocket to one that was already there.

use std::os::fd::OwnedFd;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::CdpError;

/// A message larger than this is a broken peer, not a protocol message.
const MESSAGE_LIMIT: usize = 256 * 1024 * 1024;

/// Both directions as channels; the tasks that feed them end with the connection.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(super) outgoing: mpsc::UnboundedSender<String>,
    pub(super) incoming: mpsc::UnboundedReceiver<Vec<u8>>,
}

impl Transport {
    /// Over channels, for a peer in this process.
    pub(crate) fn of(outgoing: mpsc::UnboundedSender<String>, incoming: mpsc::UnboundedReceiver<Vec<u8>>) -> Transport {
        Transport { outgoing, incoming }
    }

    /// `to_browser` is the end we write, `from_browser` the end we read.
    pub(crate) fn over_pipes(to_browser: OwnedFd, from_browser: OwnedFd) -> std::io::Result<Transport> {
        let mut sender = pipe::Sender::from_owned_fd(to_browser)?;
        let mut receiver = pipe::Receiver::from_owned_fd(from_browser)?;
        let (outgoing, mut to_write) = mpsc::unbounded_channel::<String>();
        let (read, incoming) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(message) = to_write.recv().await {
                let mut bytes = message.into_bytes();
                bytes.push(0);
                if sender.write_all(&bytes).await.is_err() {
                    break;
                }
            }
        });
        tokio::spawn(async move {
            let mut buffer: Vec<u8> = Vec::with_capacity(64 * 1024);
            let mut searched = 0;
            loop {
                match receiver.read_buf(&mut buffer).await {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                while let Some(end) = buffer[searched..].iter().position(|byte| *byte == 0) {
                    let rest = buffer.split_off(searched + end + 1);
                    let mut message = std::mem::replace(&mut buffer, rest);
                    message.pop();
                    searched = 0;
                    if read.send(message).is_err() {
                        return;
                    }
                }
                searched = buffer.len();
                // A screenshot arrives in 64 KiB pieces; growing in big steps avoids copying it often.
                if buffer.capacity() - buffer.len() < 64 * 1024 {
                    buffer.reserve(256 * 1024);
                }
                if buffer.len() > MESSAGE_LIMIT {
                    break;
                }
            }
        });
        Ok(Transport { outgoing, incoming })
    }

    pub(crate) async fn over_websocket(url: &str, deadline: Duration) -> Result<Transport, CdpError> {
        let unreachable = |message: String| CdpError::Unreachable { url: url.to_string(), message };
        let config =
            WebSocketConfig::default().max_message_size(Some(MESSAGE_LIMIT)).max_frame_size(Some(MESSAGE_LIMIT));
        let connect = tokio_tungstenite::connect_async_with_config(url, Some(config), true);
        let (socket, _) = tokio::time::timeout(deadline, connect)
            .await
            .map_err(|_| unreachable("no answer in time".into()))?
            .map_err(|error| unreachable(error.to_string()))?;
        let (mut sink, mut stream) = socket.split();
        let (outgoing, mut to_write) = mpsc::unbounded_channel::<String>();
        let (read, incoming) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(message) = to_write.recv().await {
                if sink.send(Message::text(message)).await.is_err() {
                    break;
                }
            }
            // Closing properly lets the browser drop our sessions at once.
            let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
        });
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                let bytes = match message {
                    Message::Text(text) => text.as_bytes().to_vec(),
                    Message::Binary(bytes) => bytes.to_vec(),
                    Message::Close(_) => break,
                    Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
                };
                if read.send(bytes).is_err() {
                    return;
                }
            }
        });
        Ok(Transport { outgoing, incoming })
    }
}
