//! Downloads: within the limits of the run, under harmless names, and nothing of them left that was
//! not finished.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::crm::{reply, wait};
use crate::tools_client::Tools;

const SMALL: usize = 300_000;
const LARGE: usize = 3_000_000;

/// Sends files as they are asked for: `/small`, `/large`, `/unsized`, `/endless`, and a page with a link.
fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let mut buffer = [0; 8192];
    let length = stream.read(&mut buffer).ok()?;
    let head = String::from_utf8_lossy(&buffer[..length]).into_owned();
    let path = head.split(' ').nth(1)?.to_string();
    let file = "content-type: application/octet-stream\r\ncontent-disposition: attachment; filename=\"CON.sh\"\r\n";
    let (headers, body) = match path.as_str() {
        "/small" => (format!("{file}content-length: {SMALL}\r\n"), vec![b'x'; SMALL]),
        "/large" => (format!("{file}content-length: {LARGE}\r\n"), vec![b'x'; LARGE]),
        "/unsized" => (file.to_string(), vec![b'x'; LARGE]),
        "/endless" => (format!("{file}content-length: {LARGE}\r\n"), vec![b'x'; 1000]),
        _ => {
            let what = path.trim_start_matches("/page/");
            let page =
                format!("<!doctype html><title>p</title><a href='/{what}' style='position:fixed;inset:0'>Get it</a>");
            ("content-type: text/html\r\n".to_string(), page.into_bytes())
        }
    };
    stream.write_all(format!("HTTP/1.1 200 OK\r\n{headers}connection: close\r\n\r\n").as_bytes()).ok()?;
    stream.write_all(&body).ok()?;
    if path == "/endless" {
        // Until the browser goes away.
        let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
        let _ = stream.read(&mut buffer);
    }
    Some(())
}

fn click() -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]})
}

/// Clicks so often and returns all messages and downloads until there are enough of either.
fn click_and_wait(tools: &mut Tools, until: impl Fn(&str, &[Value]) -> bool) -> (String, Vec<Value>) {
    let (mut messages, mut downloads) = (String::new(), Vec::new());
    let mut id = 0;
    let mut ask = |tools: &mut Tools, mut call: Value| {
        id += 1;
        call["id"] = json!(id);
        let answer = tools.ask(call);
        messages.push_str(answer["message"].as_str().unwrap());
        messages.push('\n');
        downloads.extend(answer["downloads"].as_array().unwrap().iter().cloned());
        until(&messages, &downloads)
    };
    if !ask(tools, click()) {
        eventually("the download to be told of", || ask(tools, json!({"tool": "wait", "seconds": 0.2})));
    }
    (messages, downloads)
}

/// Everything in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn folder_of(bench: &Bench) -> PathBuf {
    let tmp = std::fs::read_dir(bench.path("tmp")).unwrap().flatten();
    let tools = tmp.map(|entry| entry.path()).find(|path| path.join("downloads").is_dir());
    tools.unwrap().join("downloads")
}

#[test]
fn a_download_is_private_and_has_a_harmless_name() {
    let (bench, site) = (Bench::new(), serve());
    let mut tools = Tools::start(&bench, &["--url", &format!("http://{site}/page/small")]);
    for expected in ["_CON.sh", "_CON (1).sh"] {
        let (_, downloads) = click_and_wait(&mut tools, |_, downloads| !downloads.is_empty());
        let path = PathBuf::from(downloads[0]["path"].as_str().unwrap());
        assert_eq!((path.file_name().unwrap().to_str().unwrap(), &downloads[0]["bytes"]), (expected, &json!(SMALL)));
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    tools.close().expect(0);
}

#[test]
fn what_is_larger_than_the_cap_is_stopped_and_removed() {
    for what in ["large", "unsized"] {
        let (bench, site) = (Bench::new(), serve());
        let url = format!("http://{site}/page/{what}");
        let mut tools = Tools::start(&bench, &["--url", &url, "--set", "download_cap_mb=1"]);
        let (messages, downloads) = click_and_wait(&mut tools, |messages, _| messages.contains("was stopped"));
        assert!(messages.contains("the download \"_CON.sh\" was stopped"), "{messages}");
        assert!(messages.contains("1 MB (download_cap_mb)"), "{messages}");
        assert_eq!(downloads, Vec::<Value>::new());
        let folder = folder_of(&bench);
        eventually("the file to be removed", || names(&folder).is_empty());
        tools.close().expect(0);
    }
}

#[test]
fn the_cap_is_for_all_downloads_together_and_there_are_only_so_many() {
    let (bench, site) = (Bench::new(), serve());
    let url = format!("http://{site}/page/small");
    let flags = ["--url", &url, "--set", "download_cap_mb=1", "--set", "download_limit=4"];
    let mut tools = Tools::start(&bench, &flags);
    for _ in 0..3 {
        click_and_wait(&mut tools, |_, downloads| !downloads.is_empty());
    }
    let (messages, _) = click_and_wait(&mut tools, |messages, _| messages.contains("was stopped"));
    assert!(messages.contains("download_cap_mb"), "{messages}");
    let (messages, _) = click_and_wait(&mut tools, |messages, _| messages.contains("was stopped"));
    assert!(messages.contains("download_limit"), "{messages}");
    let folder = folder_of(&bench);
    eventually("only whole files to be left", || names(&folder).len() == 3);
    tools.close().expect(0);
}

#[test]
fn one_that_never_ends_is_stopped_in_time() {
    let (bench, site) = (Bench::new(), serve());
    let url = format!("http://{site}/page/endless");
    let mut tools = Tools::start(&bench, &["--url", &url, "--set", "download_timeout=2s"]);
    let (messages, _) = click_and_wait(&mut tools, |messages, _| messages.contains("was stopped"));
    assert!(messages.contains("did not end within 2 s"), "{messages}");
    let folder = folder_of(&bench);
    eventually("the file to be removed", || names(&folder).is_empty());
    tools.close().expect(0);
}

#[test]
fn one_that_had_not_ended_is_in_the_trace_and_leaves_no_file() {
    let (bench, site) = (Bench::new(), serve());
    let brain = bench.script(&[reply(json!([click()])), wait(1), crate::crm::done(true)]);
    let ended = bench.run(&format!("http://{site}/page/endless"), &brain, &["--set", "done_gate=off"]);
    ended.expect_end(0, "done");
    let events = ended.events("environment");
    let refused: Vec<&Value> = events.iter().filter(|event| event["kind"] == "download_refused").collect();
    assert_eq!(refused.len(), 1, "{events:?}");
    assert_eq!(refused[0]["name"], "_CON.sh");
    assert!(refused[0]["reason"].as_str().unwrap().contains("had not ended"), "{}", refused[0]);
    let run = bench.rows()[0]["run_id"].as_str().unwrap().to_string();
    assert_eq!(names(&bench.data().join("runs").join(&run).join("downloads")), Vec::<String>::new());
    let report = bench.surehand(&["report", &run]);
    assert!(report.expect(0).stdout.contains("_CON.sh"), "{}", report.stdout);
}
