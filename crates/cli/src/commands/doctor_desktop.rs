//! The doctor's look at desktops: optional, so nothing here is ever broken.

use std::time::{Duration, Instant};

use surehand_env::Environment;
use surehand_env::desktop::{DesktopEnv, DesktopOptions, DesktopSpec, prerequisites};
use surehand_store::DataDir;
use surehand_types::ViewSize;

use super::doctor::{Check, State, bad, good};

const SMALL: ViewSize = ViewSize { width: 320, height: 240 };

pub(super) async fn check_desktop(data: Option<&DataDir>) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut has_display = false;
    for needed in prerequisites() {
        checks.push(match &needed.found {
            Some(path) => good(needed.name, path.display().to_string()),
            None => {
                let fix = format!("for desktops only; Debian and Ubuntu: apt-get install {}", needed.package);
                bad(needed.name, State::Warning, format!("not found; {}", needed.without), fix)
            }
        });
        has_display |= needed.name == "Xvfb" && needed.found.is_some();
    }
    if has_display {
        checks.push(check_start(data).await);
    }
    checks
}

/// The real thing: a desktop is started and a frame taken.
async fn check_start(data: Option<&DataDir>) -> Check {
    const NAME: &str = "desktop starts";
    const FIX: &str = "for desktops only; try Xvfb :99 in a terminal";
    let options =
        DesktopOptions { owners_folder: data.map(DataDir::owners), ..DesktopOptions::new(DesktopSpec::Virtual(SMALL)) };
    let started = Instant::now();
    let start = async {
        let mut env = DesktopEnv::start(&options).await.map_err(|error| error.to_string())?;
        let seen = env.observe().await.map_err(|error| error.to_string());
        let (name, elapsed) = (env.describe(), started.elapsed().as_millis());
        env.close().await;
        seen.map(|_| format!("{name}; first frame after {elapsed} ms"))
    };
    match tokio::time::timeout(Duration::from_secs(40), start).await {
        Ok(Ok(words)) => good(NAME, words),
        Ok(Err(message)) => bad(NAME, State::Warning, message.lines().next().unwrap_or_default(), FIX),
        Err(_) => bad(NAME, State::Warning, "it did not start within 40 s", FIX),
    }
}
