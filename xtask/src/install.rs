//! Installs Debian packages with apt-get, without ever asking a question. Separate from `setup.rs`
//! because this is the only part of the project that changes the machine it runs on.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::presence::command_path;
use crate::process::{self, Ended};

/// How packages can be installed on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Installer {
    AsRoot,
    WithSudo,
    /// apt-get is there but we may not use it.
    NoRights,
    NoAptGet,
}

impl Installer {
    pub(crate) fn find() -> Result<Self> {
        if command_path("apt-get").is_none() {
            return Ok(Self::NoAptGet);
        }
        if quiet_output("id", &["-u"])?.as_deref() == Some("0") {
            return Ok(Self::AsRoot);
        }
        // -n: fail instead of asking for a password, which nobody may be there to type.
        if command_path("sudo").is_some() && quiet_output("sudo", &["-n", "true"])?.is_some() {
            return Ok(Self::WithSudo);
        }
        Ok(Self::NoRights)
    }

    /// Installs the packages, or says what failed.
    pub(crate) fn install(self, packages: &[&str]) -> Result<()> {
        self.update()?;
        let mut arguments = vec!["install", "-y", "--no-install-recommends"];
        arguments.extend(packages);
        let ended = process::run(&mut self.apt_get(&arguments, INSTALL_DEADLINE), INSTALL_DEADLINE + MARGIN)?;
        if !ended.succeeded() {
            bail!(
                "`apt-get install {}` {ended}. hint: its output above says why; \
                 run the same command by hand to try again",
                packages.join(" ")
            );
        }
        Ok(())
    }

    fn update(self) -> Result<()> {
        // Twice, because a mirror that fails or hangs once often answers the second time.
        for attempt in 1..=2 {
            // Without error-mode=any apt-get reports success when an index could not be fetched.
            let arguments = ["update", "-o", "APT::Update::Error-Mode=any"];
            let ended = process::run(&mut self.apt_get(&arguments, UPDATE_DEADLINE), UPDATE_DEADLINE + MARGIN)?;
            if ended.succeeded() {
                return Ok(());
            }
            eprintln!("setup: attempt {attempt} of `apt-get update` {ended}");
        }
        // One broken extra source fails the update though all we need may be known already; the
        // install decides.
        eprintln!("setup: going on with the package lists that are there");
        Ok(())
    }

    fn apt_get(self, arguments: &[&str], deadline: Duration) -> Command {
        let mut words = Vec::new();
        if self == Self::WithSudo {
            words.extend(["sudo", "-n"]);
        }
        let seconds = deadline.as_secs().to_string();
        // sudo clears the environment, hence `env`. `timeout` runs as root beside apt-get, so it
        // can stop it where we, without sudo, could not; our own deadline is only the backstop.
        words.extend(["env", "DEBIAN_FRONTEND=noninteractive"]);
        words.extend(["timeout", "--foreground", "--kill-after=10", &seconds]);
        // Wait for another apt-get to finish instead of failing at its lock.
        words.extend(["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"]);
        words.extend(["-o", "Acquire::Retries=2", "-o", "Dpkg::Use-Pty=0"]);
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .args(arguments)
            .stdin(Stdio::null())
            // Our output may be read by a program, and apt-get's is not what it asked for.
            .stdout(std::io::stderr());
        command
    }
}

const UPDATE_DEADLINE: Duration = Duration::from_secs(180);
const INSTALL_DEADLINE: Duration = Duration::from_secs(1200);
const MARGIN: Duration = Duration::from_secs(30);

// The trimmed output of a short command, or None when it failed.
fn quiet_output(program: &str, arguments: &[&str]) -> Result<Option<String>> {
    let mut child = process::start(
        Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()),
    )?;
    let ended = process::wait(&mut child, Duration::from_secs(10))?;
    if !matches!(ended, Ended::With(status) if status.success()) {
        return Ok(None);
    }
    let mut text = String::new();
    if let Some(mut output) = child.stdout.take() {
        std::io::Read::read_to_string(&mut output, &mut text)?;
    }
    Ok(Some(text.trim().to_owned()))
}
