//! A display of the tests' own, and a driver that takes calls as JSON.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_checks::before::Aim;
use surehand_env::desktop::{DesktopEnv, DesktopOptions, DesktopSpec};
use surehand_env::{CallFailure, EnvError, Environment, Happenings};
use surehand_types::{Call, Effect, EffectStatus, Observation, UiState};

/// A screen on which every pixel has a grid point of its own.
pub(crate) const SIZE: (u16, u16) = (1000, 800);

/// An X server that is there before the environment, and after it.
pub(crate) struct TestDisplay {
    server: Child,
    pub(crate) name: String,
}

impl TestDisplay {
    pub(crate) fn start() -> TestDisplay {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0"])
            .arg(format!("{}x{}x24", SIZE.0, SIZE.1))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        TestDisplay { server, name: format!(":{}", number.trim()) }
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill().unwrap();
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.server.try_wait().unwrap().is_none()
    }

    pub(crate) fn options(&self) -> DesktopOptions {
        DesktopOptions::new(DesktopSpec::parse(&self.name).unwrap())
    }
}

impl Drop for TestDisplay {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

pub(crate) fn virtual_options(app: &str) -> DesktopOptions {
    let spec = DesktopSpec::parse("xvfb:1000x800").unwrap();
    DesktopOptions { app: Some(app.into()), ..DesktopOptions::new(spec) }
}

pub(crate) struct Driver {
    pub(crate) env: DesktopEnv,
}

pub(crate) struct Outcome {
    pub(crate) aim: Aim,
    pub(crate) message: String,
    pub(crate) effect: Option<Effect>,
    pub(crate) observation: Observation,
    pub(crate) happenings: Happenings,
    /// What `inspect` saw.
    pub(crate) seen: Vec<UiState>,
}

impl Outcome {
    pub(crate) fn status(&self) -> EffectStatus {
        self.effect.as_ref().unwrap_or_else(|| panic!("no effect: {}", self.message)).status
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: EffectStatus) {
        assert_eq!(self.status(), status, "{}: {:?}", self.message, self.effect);
    }

    pub(crate) fn has_evidence(&self, kind: &str) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.evidence.iter().any(|evidence| evidence.kind == kind))
    }
}

impl Driver {
    pub(crate) async fn start(options: &DesktopOptions) -> Driver {
        Driver { env: DesktopEnv::start(options).await.unwrap_or_else(|error| panic!("{error}")) }
    }

    pub(crate) async fn call(&mut self, call: Value) -> Outcome {
        let shown = call.to_string();
        self.try_call(call).await.unwrap().unwrap_or_else(|failure| panic!("{shown}: {failure:?}"))
    }

    /// As `Hand` does it, without guards.
    pub(crate) async fn try_call(&mut self, call: Value) -> Result<Result<Outcome, CallFailure>, EnvError> {
        let call = Call::parse(&call).unwrap().call;
        self.env.begin_call();
        let aim = match self.env.aim(&call).await {
            Ok(aim) => aim,
            Err(failure) => {
                self.env.abandon().await;
                return Ok(Err(failure));
            }
        };
        let receipt = match self.env.commit(&call, &aim).await {
            Ok(receipt) => receipt,
            Err(failure) => return Ok(Err(failure)),
        };
        let settled = self.env.settle(&receipt).await?;
        let happenings = self.env.take_happenings();
        let (effect, observation) = (settled.effect, settled.observation);
        let seen = receipt.seen.unwrap_or_default();
        Ok(Ok(Outcome { aim, message: receipt.message, effect, observation, happenings, seen }))
    }

    pub(crate) async fn click(&mut self, x: i32, y: i32) -> Outcome {
        self.call(json!({"tool": "mouse", "action": "click", "coordinate": self.grid(x, y)})).await
    }

    pub(crate) async fn press(&mut self, key: &str) -> Outcome {
        self.call(json!({"tool": "keyboard", "action": "press", "key": key})).await
    }

    pub(crate) async fn type_text(&mut self, text: &str) -> Outcome {
        self.call(json!({"tool": "keyboard", "action": "type", "text": text})).await
    }

    /// A grid point that names the pixel.
    pub(crate) fn grid(&self, x: i32, y: i32) -> [u16; 2] {
        let view = self.env.view();
        let axis = |pixel: i32, extent: u32| (f64::from(pixel) * 1000.0 / f64::from(extent)).round() as u16;
        [axis(x, view.width), axis(y, view.height)]
    }
}

/// Waits until it is so, with a deadline.
#[track_caller]
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Living processes whose command line contains the text.
pub(crate) fn processes_with(text: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // A process that has ended but was not waited for has no command line any more.
    pids.filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(text) && *pid != std::process::id()
    })
    .collect()
}
