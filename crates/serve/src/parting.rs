//! A connection that ends while its other end is still sending. If it were closed at once, the system would take the
//! answer back together with what was not read, and whoever sent too much would see a broken line where the answer
//! says why. So what still comes is read and dropped for a while first.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

/// How much is dropped at most, for how long, and with what pause in between.
const MOST: usize = 256 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Parting<S> {
    stream: S,
    /// The server ends, and waits for nobody.
    closing: CancellationToken,
    leave: Option<Leave>,
}

#[derive(Debug)]
struct Leave {
    dropped: usize,
    end: Pin<Box<Sleep>>,
    pause: Pin<Box<Sleep>>,
}

impl<S> Parting<S> {
    pub(crate) fn new(stream: S, closing: CancellationToken) -> Parting<S> {
        Parting { stream, closing, leave: None }
    }
}

impl<S: AsyncRead + Unpin> Parting<S> {
    /// Ready when the other end has closed too, or was given time enough.
    fn poll_leave(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let leave = self.leave.get_or_insert_with(|| Leave {
            dropped: 0,
            end: Box::pin(tokio::time::sleep(LONGEST)),
            pause: Box::pin(tokio::time::sleep(PAUSE)),
        });
        let mut space = [0; 16 * 1024];
        loop {
            if self.closing.is_cancelled() || leave.dropped >= MOST || leave.end.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            let mut part = ReadBuf::new(&mut space);
            match Pin::new(&mut self.stream).poll_read(cx, &mut part) {
                Poll::Ready(Ok(())) if !part.filled().is_empty() => {
                    leave.dropped += part.filled().len();
                    leave.pause.as_mut().reset(tokio::time::Instant::now() + PAUSE);
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return leave.pause.as_mut().poll(cx),
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Parting<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Parting<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.leave.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        ready!(self.poll_leave(cx));
        Poll::Ready(Ok(()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn what_still_comes_is_taken_before_the_end() {
        let (near, mut far) = tokio::io::duplex(64 * 1024);
        let mut parting = Parting::new(near, CancellationToken::new());
        let leaving = tokio::spawn(async move {
            parting.write_all(b"too much").await.unwrap();
            parting.shutdown().await.unwrap();
        });
        for _ in 0..100 {
            far.write_all(&[7; 32 * 1024]).await.unwrap();
        }
        let mut said = Vec::new();
        far.read_to_end(&mut said).await.unwrap();
        assert_eq!(said, b"too much");
        drop(far);
        leaving.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_waited_for_without_an_end() {
        // One that neither sends nor closes, one that never stops, and one that meets the end of the server.
        let (near, _far) = tokio::io::duplex(64);
        Parting::new(near, CancellationToken::new()).shutdown().await.unwrap();
        let (near, mut far) = tokio::io::duplex(1024);
        let sending = tokio::spawn(async move {
            while far.write_all(&[7; 8]).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        Parting::new(near, CancellationToken::new()).shutdown().await.unwrap();
        sending.await.unwrap();
        let (near, _far) = tokio::io::duplex(64);
        let closing = CancellationToken::new();
        closing.cancel();
        let before = tokio::time::Instant::now();
        Parting::new(near, closing).shutdown().await.unwrap();
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
