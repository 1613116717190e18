//! `surehand session`: the named profiles, and their login state as a file.

use std::path::Path;

use surehand_conduct::{BrowserChoice, browser_options};
use surehand_env::browser::{
    BrowserOptions, LARGEST_STATE, SessionInfo, SessionProfile, StorageState, check_removable, export_session,
    import_session, list_sessions, read_state_file, reap_orphans, remove_session, write_state_file,
};
use surehand_store::DataDir;
use surehand_types::Settings;

use crate::args::{SessionArguments, SessionCommand};
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

pub(crate) async fn session(arguments: SessionArguments, settings: &Settings) -> Result<i32, Failure> {
    let data = open_data(settings)?;
    match arguments.command.unwrap_or(SessionCommand::Ls { json: false }) {
        SessionCommand::Ls { json } => list(&data, json),
        SessionCommand::Rm { names } => remove(&data, &names),
        SessionCommand::Export { name, output } => export(settings, &data, name, &output).await,
        SessionCommand::Import { name, file } => import(settings, &data, name, &file).await,
    }
}

fn list(data: &DataDir, json: bool) -> Result<i32, Failure> {
    let sessions = list_sessions(&data.sessions())?;
    if json {
        for session in &sessions {
            say!(
                "{}",
                serde_json::json!({
                    "name": session.name,
                    "last_used": last_used(session),
                    "bytes": session.bytes,
                    "origins": session.origins,
                    "used_by": session.used_by,
                })
            );
        }
        return Ok(0);
    }
    if sessions.is_empty() {
        say!("no sessions yet; `surehand run … --session NAME` makes one");
        return Ok(0);
    }
    say!("{:<24}  {:<20}  {:>9}  {:>7}  IN USE BY", "SESSION", "LAST USED (UTC)", "SIZE", "ORIGINS");
    for session in &sessions {
        let size = format!("{:.1} MB", session.bytes as f64 / 1_000_000.0);
        let user = session.used_by.map(|pid| format!("process {pid}")).unwrap_or_else(|| "-".into());
        let used = last_used(session).unwrap_or_else(|| "-".into()).replace('T', " ").replace('Z', "");
        say!("{:<24}  {:<20}  {:>9}  {:>7}  {user}", session.name, used, size, session.origins);
    }
    Ok(0)
}

fn last_used(session: &SessionInfo) -> Option<String> {
    let moment = jiff::Timestamp::try_from(session.last_used?).ok()?;
    Some(moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn remove(data: &DataDir, names: &[String]) -> Result<i32, Failure> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    // All or none, as far as one can tell beforehand.
    check_removable(&data.sessions(), &names)?;
    for name in &names {
        remove_session(&data.sessions(), name)?;
    }
    say!("removed {}", counted(names.len(), "session"));
    Ok(0)
}

async fn export(settings: &Settings, data: &DataDir, name: String, output: &Path) -> Result<i32, Failure> {
    check_output(output)?;
    let (options, profile) = prepared(settings, data, name)?;
    let state = export_session(&options, &profile).await?;
    // Looked at again: it may have become something else while the browser ran.
    check_output(output)?;
    write_state_file(output, &state)
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", output.display())))?;
    say!(
        "{} and {} with local storage in {}; whoever has the file is logged in",
        counted(state.cookies.len(), "cookie"),
        counted(state.origins.len(), "origin"),
        output.display()
    );
    Ok(0)
}

async fn import(settings: &Settings, data: &DataDir, name: String, file: &Path) -> Result<i32, Failure> {
    let unusable = |what: &str| Failure::usage(format!("{} cannot be imported: {what}", file.display()));
    let bytes = read_state_file(file, LARGEST_STATE).map_err(|error| unusable(&error.to_string()))?;
    let parsed = StorageState::parse(&bytes).map_err(|sentence| unusable(&sentence))?;
    let (options, profile) = prepared(settings, data, name)?;
    let imported = import_session(&options, &profile, &parsed.state).await?;
    for note in &parsed.notes {
        eprintln!("surehand: {note}");
    }
    let how = if imported.is_new { "new session" } else { "session" };
    say!(
        "{how} {}: {} and {} of local storage in {}",
        profile.name,
        counted(imported.cookies, "cookie"),
        counted(imported.items, "item"),
        counted(imported.origins, "origin")
    );
    Ok(0)
}

fn prepared(settings: &Settings, data: &DataDir, name: String) -> Result<(BrowserOptions, SessionProfile), Failure> {
    reap_orphans(&data.owners());
    let options = browser_options(settings, &BrowserChoice::default(), data, data.root())?;
    Ok((options, SessionProfile { folder: data.sessions(), name }))
}

/// The file will hold logins, so it goes exactly where it was said and nowhere that a link leads to.
fn check_output(output: &Path) -> Result<(), Failure> {
    let wrong = |what: &str| Err(Failure::usage(format!("{} {what}\nhint: name a new file", output.display())));
    match output.symlink_metadata() {
        Ok(about) if about.is_symlink() => wrong("is a symbolic link, which is not followed"),
        Ok(about) if !about.is_file() => wrong("is there already and is not a file"),
        _ => match output.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) if !parent.is_dir() => wrong("is in a folder that does not exist"),
            _ => Ok(()),
        },
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
