//! The `setup` command: makes sure that the packages of the asked groups are there. It ties the
//! list, the probe and the installer together and owns what the user reads about it.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::install::Installer;
use crate::packages::{BROWSER_VARIABLE, DEFAULT_GROUP, GROUPS, Group, Package};
use crate::presence::{Machine, is_executable, missing_packages};
use crate::usage;

/// Runs `cargo xtask setup [GROUP…]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    if arguments.iter().any(|argument| argument == "--help") {
        println!("usage: cargo xtask setup [GROUP…]   (without a group: {DEFAULT_GROUP})");
        for group in GROUPS {
            println!("  {:<8}  {}", group.name, group.purpose);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let names: Vec<&str> =
        if arguments.is_empty() { vec![DEFAULT_GROUP] } else { arguments.iter().map(String::as_str).collect() };
    ensure(&names)?;
    println!("setup: {} ready", names.join(", "));
    Ok(ExitCode::SUCCESS)
}

/// Installs what these groups miss; silent when nothing is missing.
pub(crate) fn ensure(names: &[&str]) -> Result<()> {
    let groups: Vec<&'static Group> = names.iter().map(|name| find(name)).collect::<Result<_>>()?;
    check_browser_variable()?;
    let missing = missing_packages(&groups, &Machine::look());
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|package| package.debian_name).collect();
    let installer = Installer::find()?;
    if let Some(reason) = refusal(installer) {
        bail!(cannot_install(&missing, reason, installer));
    }
    eprintln!("setup: installing {}", packages.join(" "));
    if let Err(error) = installer.install(&packages) {
        // Some distributions with apt-get have no such package; a browser from elsewhere helps.
        bail!("{error:#}{}", browser_hint(&packages));
    }
    // apt-get can succeed without giving us what we look for, for instance where a package is only
    // a pointer to another package system.
    let still_missing = missing_packages(&groups, &Machine::look());
    if !still_missing.is_empty() {
        let reason = "it cannot be found although apt-get installed its package";
        bail!(cannot_install(&still_missing, reason, installer));
    }
    Ok(())
}

fn find(name: &str) -> Result<&'static Group> {
    let known: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    GROUPS.iter().find(|group| group.name == name).ok_or_else(|| usage::unknown("setup group", name, &known))
}

// Installing another browser next to a mistyped path would only move the failure to the runtime.
fn check_browser_variable() -> Result<()> {
    if let Some(value) = env::var_os(BROWSER_VARIABLE)
        && !is_executable(Path::new(&value))
    {
        bail!(
            "{BROWSER_VARIABLE} names {}, which is not an executable file. \
             hint: correct it, or unset it to use a browser from PATH",
            Path::new(&value).display()
        );
    }
    Ok(())
}

fn refusal(installer: Installer) -> Option<&'static str> {
    match installer {
        Installer::AsRoot | Installer::WithSudo => None,
        Installer::NoRights => Some("this user is not root and has no sudo without a password"),
        Installer::NoAptGet => Some("this system has no apt-get"),
    }
}

fn cannot_install(missing: &[&Package], reason: &str, installer: Installer) -> String {
    let debian_names: Vec<&str> = missing.iter().map(|package| package.debian_name).collect();
    let list: Vec<String> = missing
        .iter()
        .map(|package| format!("{} (Debian package {})", package.plain_name, package.debian_name))
        .collect();
    let way = if installer == Installer::NoRights {
        format!("run `sudo apt-get install --no-install-recommends {}`", debian_names.join(" "))
    } else {
        "install them in the way of your system".to_owned()
    };
    let browser = browser_hint(&debian_names);
    format!("missing {}, and {reason}. hint: {way}{browser}", list.join(", "))
}

fn browser_hint(debian_names: &[&str]) -> String {
    if !debian_names.contains(&"chromium") {
        return String::new();
    }
    format!(
        "; Chromium or Google Chrome from anywhere will do, \
         with {BROWSER_VARIABLE} set to its program file if it is not on PATH"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_names_every_package_and_the_browsers() {
        let browser = find("browser").unwrap();
        let missing: Vec<&Package> = browser.packages.iter().collect();
        let text = cannot_install(&missing, "nothing helps", Installer::NoAptGet);
        for package in browser.packages {
            assert!(text.contains(package.debian_name), "{text}");
        }
        assert!(text.contains("Chromium or Google Chrome"), "{text}");
        assert!(text.contains("hint: "), "{text}");
    }

    #[test]
    fn without_rights_the_command_to_run_is_given() {
        let missing: Vec<&Package> = find("bench").unwrap().packages.iter().collect();
        let text = cannot_install(&missing, "nothing helps", Installer::NoRights);
        let expected = "hint: run `sudo apt-get install --no-install-recommends nodejs npm`";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn an_unknown_group_gets_a_near_name() {
        let error = find("browsers").unwrap_err().to_string();
        assert!(error.contains("did you mean `browser`"), "{error}");
    }
}
