//! What hyper says by itself about a request that it cannot read has no body. Here it gets one, of the shape that all
//! errors have.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::error::ApiError;
use crate::visitors::Visitor;

#[derive(Debug)]
pub(crate) struct Explained<S> {
    stream: S,
    visitor: Arc<Visitor>,
    /// What is said in place of a bare answer, and how much of it is written.
    instead: Vec<u8>,
    written: usize,
}

impl<S> Explained<S> {
    pub(crate) fn new(stream: S, visitor: Arc<Visitor>) -> Explained<S> {
        Explained { stream, visitor, instead: Vec::new(), written: 0 }
    }

    /// Whether these bytes are a bare answer. Routes give none, and nothing is written for them while nothing is under
    /// way but the end of an answer.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let error = if self.visitor.is_resting() { error_of(bytes) } else { None };
        let is_bare = error.is_some();
        if let Some(error) = error {
            (self.instead, self.written) = (error.in_full(), 0);
        }
        is_bare
    }
}

fn error_of(bytes: &[u8]) -> Option<ApiError> {
    let head = std::str::from_utf8(bytes).ok()?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    if !head.ends_with("\r\n\r\n") || !head.contains("\r\ncontent-length: 0\r\n") {
        return None;
    }
    let (status, code, text) = match status {
        "400" => (StatusCode::BAD_REQUEST, "invalid_request", "what was sent cannot be read as a request of HTTP/1.1"),
        "414" => (StatusCode::URI_TOO_LONG, "head_too_large", "the address is too long"),
        "431" => {
            (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large", "the headers are too many or too long")
        }
        _ => return None,
    };
    Some(ApiError::new(status, code, text))
}

impl<S: AsyncWrite + Unpin> Explained<S> {
    fn poll_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < self.instead.len() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.instead[self.written..]))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += count;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Explained<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Explained<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(cx))?;
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(cx))?;
        if let [only] = parts
            && self.replaces(only)
        {
            return Poll::Ready(Ok(only.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
