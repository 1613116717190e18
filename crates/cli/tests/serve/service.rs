//! A server for one test, and the little of HTTP that is needed to talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};

use crate::bench::{Bench, HANG, Running, eventually, pause};
use crate::pages::{Page, PageServer};

/// A page whose button tells the server that it was pressed.
pub(crate) const BUTTONS: &str = "<title>Buttons</title><style>button{font-size:30px;margin:20px}</style>\
    <button onclick=\"fetch('/pressed');document.body.append('pressed ')\">Press</button>\
    <button onclick=\"fetch('/deleted');document.body.append('deleted ')\">Delete account</button><input>";

pub(crate) struct Service {
    pub(crate) running: Running,
    pub(crate) address: String,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.body);
        self.json()
    }

    pub(crate) fn expect_error(self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["error"]["code"], code, "{body}");
        assert!(body["error"]["message"].as_str().unwrap().len() > 10, "{body}");
        body
    }
}

pub(crate) fn site() -> PageServer {
    PageServer::start(&[("/", Page::Html(BUTTONS)), ("/pressed", Page::Html("")), ("/deleted", Page::Html(""))])
}

pub(crate) fn press(text: &str) -> Value {
    json!({"tool": "mouse", "action": "click", "target": {"role": "button", "text": text}})
}

pub(crate) fn done() -> Value {
    json!({"calls": [{"tool": "done", "success": true, "summary": "the button was pressed and the page says so"}]})
}

/// Presses once, and then once more for every file `goN` that appears (N from 2), until there is a file `finish`.
pub(crate) fn patient_brain(bench: &Bench) -> String {
    bench.shell_brain(&format!(
        r#"n=0
while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  printf '%s\n' "$line" >>seen
  n=$((n+1))
  if [ $n -gt 1 ]; then while [ ! -e "go$n" ] && [ ! -e finish ]; do sleep 0.05; done; fi
  if [ -e finish ]; then printf '%s\n' '{done}'; else printf '%s\n' '{press}'; fi
done
"#,
        done = done(),
        press = json!({"calls": [press("Press")]}),
    ))
}

impl Service {
    pub(crate) fn start(bench: &Bench, brain: &str, more: &[&str]) -> Service {
        Service::start_at(bench, brain, "127.0.0.1:0", more)
    }

    /// Another one in the place of one that has ended.
    pub(crate) fn restart(bench: &Bench, brain: &str, address: &str, more: &[&str]) -> Service {
        Service::start_at(bench, brain, address, more)
    }

    fn start_at(bench: &Bench, brain: &str, address: &str, more: &[&str]) -> Service {
        let mut arguments = vec!["serve", "--json", "--bind", address, "--brain", brain];
        arguments.extend(more);
        Service::listening(bench.start(&arguments))
    }

    /// One that was started otherwise, and says with `--json` where it listens.
    pub(crate) fn listening(running: Running) -> Service {
        let mut address = String::new();
        eventually("the server to listen", || {
            let said = running.stdout();
            let mut lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let line = lines.find(|line| line["type"] == "listening");
            let url = line.and_then(|line| line["url"].as_str().map(str::to_string));
            address = url.and_then(|url| url.strip_prefix("http://").map(str::to_string)).unwrap_or_default();
            !address.is_empty()
        });
        Service { running, address }
    }

    /// One request, with headers of its own where given.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.send(method, path, headers, body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        if status == 0 {
            eprintln!("no answer to {method} {path}; the server wrote: {}", self.running.stderr());
        }
        Reply { status, head: head.to_string(), body: body.to_string() }
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let connected = TcpStream::connect(&self.address);
        let mut stream = connected.unwrap_or_else(|error| panic!("{error}: {}", self.running.stderr()));
        stream.set_read_timeout(Some(HANG)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
        stream
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    /// Asks for a detached run and gives its id.
    pub(crate) fn submit(&self, request: &Value) -> String {
        let mut request = request.clone();
        request["detached"] = json!(true);
        self.post("/v1/cua", &request).expect(202)["run_id"].as_str().unwrap().to_string()
    }

    pub(crate) fn run(&self, run_id: &str) -> Value {
        self.get(&format!("/v1/runs/{run_id}")).expect(200)
    }

    /// Waits until the run is in one of these states.
    pub(crate) fn until(&self, run_id: &str, wanted: &[&str]) -> Value {
        let end = Instant::now() + HANG;
        loop {
            let run = self.run(run_id);
            if wanted.iter().any(|status| run["status"] == *status) {
                return run;
            }
            assert!(Instant::now() < end, "{run_id} did not become {wanted:?}: {run}");
            pause();
        }
    }

    pub(crate) fn steer(&self, run_id: &str, wish: &str, body: &Value) -> Reply {
        self.post(&format!("/v1/runs/{run_id}/{wish}"), body)
    }

    /// The numbers and types of the events after one, to the end of the stream or to `most` of them.
    pub(crate) fn events(&self, run_id: &str, after: Option<u64>, most: usize) -> Vec<(u64, String)> {
        let last = after.map(|number| number.to_string());
        let headers: Vec<(&str, &str)> = last.iter().map(|number| ("last-event-id", number.as_str())).collect();
        let stream = self.send("GET", &format!("/v1/runs/{run_id}/events"), &headers, "");
        let mut events = Vec::new();
        let mut number = None;
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { break };
            if let Some(id) = line.strip_prefix("id: ") {
                number = id.parse().ok();
            }
            let Some(data) = line.strip_prefix("data: ") else { continue };
            // What has no number tells where the run stands, and is no event of its trace.
            if let Some(id) = number.take() {
                let event: Value = serde_json::from_str(data).unwrap();
                assert_eq!(event["seq"], id);
                events.push((id, event["type"].as_str().unwrap().to_string()));
                if events.len() == most {
                    break;
                }
            }
        }
        events
    }
}
