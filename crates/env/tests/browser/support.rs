//! A page server and a driver for the tests: pages are strings, and a page tells what it saw
//! through its title, so that nothing but the public API is needed to read it.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};
use surehand_checks::before::Aim;
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_env::{CallFailure, Environment, Happenings};
use surehand_types::{Call, GridPoint, Observation, UiState};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Serves fixed pages on 127.0.0.1 (and so on localhost, which is another site to a browser).
pub(crate) struct Pages {
    pub(crate) port: u16,
    task: tokio::task::JoinHandle<()>,
}

impl Pages {
    /// `PORT` in a page is replaced by the server's own port.
    pub(crate) async fn serve(pages: &[(&str, &str)]) -> Pages {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let pages: HashMap<String, String> =
            pages.iter().map(|(path, html)| (path.to_string(), html.replace("PORT", &port.to_string()))).collect();
        let pages = Arc::new(pages);
        let task = tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let pages = Arc::clone(&pages);
                tokio::spawn(async move {
                    let mut request = vec![0; 16 * 1024];
                    let Ok(count) = socket.read(&mut request).await else { return };
                    let text = String::from_utf8_lossy(&request[..count]).into_owned();
                    let path = text.split_whitespace().nth(1).unwrap_or("/").to_string();
                    if path == "/never" {
                        // Headers, the beginning of a page, and then nothing more.
                        let start = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99999\r\n\r\n<title>half</title><button>Half</button>";
                        let _ = socket.write_all(start.as_bytes()).await;
                        std::future::pending::<()>().await;
                    }
                    let (status, body) = match pages.get(&path) {
                        Some(body) => ("200 OK", body.clone()),
                        None => ("404 Not Found", "<title>404</title>".to_string()),
                    };
                    let answer = format!(
                        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = socket.write_all(answer.as_bytes()).await;
                });
            }
        });
        Pages { port, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A browser with the page open, and calls as JSON.
pub(crate) struct Driver {
    pub(crate) env: BrowserEnv,
    pub(crate) pages: Pages,
}

pub(crate) struct Outcome {
    pub(crate) aim: Aim,
    pub(crate) message: String,
    pub(crate) seen: Vec<UiState>,
    pub(crate) observation: Observation,
    pub(crate) happenings: Happenings,
}

impl Driver {
    pub(crate) async fn open(html: &str) -> Driver {
        Driver::open_with(&[("/", html)], BrowserOptions::default()).await
    }

    pub(crate) async fn open_with(pages: &[(&str, &str)], options: BrowserOptions) -> Driver {
        let pages = Pages::serve(pages).await;
        let mut env = BrowserEnv::launch(&options).await.unwrap();
        env.open_start_url(&pages.url("/")).await.unwrap();
        Driver { env, pages }
    }

    pub(crate) async fn look(&mut self) -> Observation {
        self.call(json!({"tool": "tab", "action": "view"})).await.observation
    }

    pub(crate) async fn call(&mut self, call: Value) -> Outcome {
        let shown = call.to_string();
        self.try_call(call).await.unwrap_or_else(|failure| panic!("{shown}: {failure:?}"))
    }

    pub(crate) async fn try_call(&mut self, call: Value) -> Result<Outcome, CallFailure> {
        let call = Call::parse(&call).unwrap().call;
        self.env.begin_call();
        let aim = self.env.aim(&call).await?;
        let receipt = self.env.commit(&call, &aim).await?;
        let settled = self.env.settle(&receipt).await.map_err(CallFailure::from)?;
        let observation = settled.observation;
        let seen = receipt.seen.unwrap_or_default();
        Ok(Outcome { aim, message: receipt.message, seen, observation, happenings: self.env.take_happenings() })
    }

    /// Clicks the one interactable of that name.
    pub(crate) async fn click_on(&mut self, name: &str) -> Outcome {
        let point = self.place_of(name).await;
        self.call(json!({"tool": "mouse", "action": "click", "coordinate": [point.x, point.y]})).await
    }

    pub(crate) async fn place_of(&mut self, name: &str) -> GridPoint {
        let observation = self.look().await;
        let found: Vec<_> = observation.interactables.iter().filter(|item| item.name == name).collect();
        assert_eq!(found.len(), 1, "{name}: {:?}", observation.interactables);
        found[0].bounds.centre()
    }

    pub(crate) async fn type_text(&mut self, text: &str) -> Outcome {
        self.call(json!({"tool": "keyboard", "action": "type", "text": text})).await
    }

    /// What the page wrote into its title, as JSON.
    pub(crate) async fn told(&mut self) -> Value {
        let title = self.look().await.title.unwrap_or_default();
        serde_json::from_str(&title).unwrap_or(Value::String(title))
    }

    pub(crate) async fn close(mut self) {
        self.env.close().await;
    }
}
