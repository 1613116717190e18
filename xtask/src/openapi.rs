//! The `openapi` command: a server of this build, described by its own `/openapi.json`, asked by schemathesis whatever
//! that description allows and much that it does not. It fails on answers of 5xx, on answers that the description does
//! not know, and on wrong requests that are taken. No part of the tests: it needs the Python Package Index.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::packages::API_TESTER;
use crate::{cargo, llm, process, setup};

const START_DEADLINE: Duration = Duration::from_secs(60);
const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// A brain that cannot be opened: requests go through everything but the browser.
const BRAIN: &str = "script:no-such-file.json";

/// Runs `cargo xtask openapi [ARGS…]`; the arguments go to schemathesis, like `--max-examples 500`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    setup::ensure(&["python"])?;
    let metadata = cargo::metadata()?;
    let build_folder = PathBuf::from(metadata["target_directory"].as_str().context("cargo names no target directory")?);
    let program = tester(&build_folder.join("openapi-python"))?;
    let built = process::run(&mut cargo::at_root(&["build", "--package", "surehand-cli"])?, cargo::BUILD_DEADLINE)?;
    if !built.succeeded() {
        bail!("`cargo build` {built}");
    }
    let folder = build_folder.join("openapi");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let surehand = build_folder.join("debug").join("surehand");
    let lesson = lesson(&surehand, &folder)?;
    let server = Server::start(&surehand, &folder)?;
    let run = server.failed_run()?;
    fs::write(folder.join("schemathesis.toml"), config(&run, &lesson))?;
    let mut testing = Command::new(program);
    testing
        .current_dir(&folder)
        .args(["run", &format!("{}/openapi.json", server.url), "--checks", "all"])
        // Whether a brain is offered or a secret known is no matter of shape, so a right shape can still be refused.
        .args(["--exclude-checks", "positive_data_acceptance", "--request-timeout", "30", "--continue-on-failure"])
        .args(arguments)
        .stdin(Stdio::null());
    let ended = process::run(&mut testing, DEADLINE)?;
    Ok(if ended.succeeded() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tester(folder: &Path) -> Result<PathBuf> {
    let wanted = format!("{}=={}", API_TESTER.name, API_TESTER.version);
    // Written last, so that an installation that broke off is begun again.
    let installed = folder.join("installed.txt");
    if !fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        eprintln!("openapi: installing {wanted} into {}", folder.display());
        llm::environment(folder, &[&wanted])?;
        fs::write(&installed, wanted).with_context(|| format!("cannot write {}", installed.display()))?;
    }
    Ok(folder.join("bin").join(API_TESTER.name))
}

/// What there is to be asked about.
fn config(run: &str, lesson: &str) -> String {
    format!(
        "[[operations]]\ninclude-path-regex = \"^/v1/runs/.*\"\nparameters = {{ \"path.id\" = \"{run}\" }}\n\n\
         [[operations]]\ninclude-path-regex = \"^/v1/lessons/.*\"\nparameters = {{ \"path.id\" = \"{lesson}\" }}\n"
    )
}

/// One lesson in the data folder; the beginning of its id, which is enough.
fn lesson(surehand: &Path, folder: &Path) -> Result<String> {
    let id = "lsn_00000000000000000001";
    let lesson = json!({
        "id": id, "status": "candidate", "rule": "Clicking had no effect; it worked after a reload.", "triggers": ["t"],
        "tags": [], "origin": "shop.example", "task": "", "sources": [{"run": "r", "verdict": "pass"}],
        "reliability": 0.5, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    });
    let file = folder.join("lessons.jsonl");
    fs::write(&file, format!("{}\n{lesson}\n", json!({"surehand_lessons": 1})))?;
    let mut import = Command::new(surehand);
    import.arg("--data").arg(folder.join("data")).args(["lessons", "import", "--own"]).arg(&file);
    let ended = process::run(import.stdin(Stdio::null()).stdout(Stdio::null()), START_DEADLINE)?;
    if !ended.succeeded() {
        bail!("`surehand lessons import` {ended}");
    }
    Ok("lsn_".to_string())
}

/// Ended when it drops.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(surehand: &Path, folder: &Path) -> Result<Server> {
        let secret = folder.join("secret");
        fs::write(&secret, "a secret for webhooks of this test")?;
        let mut command = Command::new(surehand);
        command
            .arg("--data")
            .arg(folder.join("data"))
            .args(["serve", "--json", "--bind", "127.0.0.1:0", "--brain", BRAIN, "--webhook-secret"])
            .arg(format!("file:{}", secret.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(folder.join("server.log"))?);
        let mut child = process::start(&mut command)?;
        let (told, heard) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut line = String::new();
                let _ = BufReader::new(output).read_line(&mut line);
                let _ = told.send(line);
            });
        }
        let mut server = Server { child, url: String::new() };
        let line = heard.recv_timeout(START_DEADLINE).context("the server did not say where it listens")?;
        let line: Value = serde_json::from_str(&line).context("the server did not say where it listens")?;
        server.url = line["url"].as_str().unwrap_or_default().to_string();
        Ok(server)
    }

    /// The id of a run that could not be started.
    fn failed_run(&self) -> Result<String> {
        let place = self.url.strip_prefix("http://").unwrap_or_default();
        let body = json!({"instruction": "x", "detached": true}).to_string();
        let mut stream = TcpStream::connect(place).context("the server cannot be reached")?;
        stream.set_read_timeout(Some(START_DEADLINE))?;
        write!(
            stream,
            "POST /v1/cua HTTP/1.1\r\nhost: {place}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let body: Value =
            text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok()).unwrap_or_default();
        body["run_id"].as_str().map(str::to_string).with_context(|| format!("the server answered {text}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
