//! Downloads: from the browser's random name to the one the site suggested, within the limits of the
//! run. All of it holds for browsers that we launch. An attached browser keeps its own settings: what
//! it downloads goes where its user wants it, is not counted, not renamed and not reported.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::Download;

use super::Pump;
use super::safe_name;
use crate::browser::state::{Shared, State};
use crate::browser::{BrowserEnv, ledger};
use crate::cdp::protocol::browser;
use crate::cdp::{CdpEvent, Connection};

impl Pump {
    pub(super) fn download_begins(&self, event: &CdpEvent) {
        let Some(begin) = event.decode::<browser::DownloadWillBegin>() else {
            return;
        };
        let limits = self.download_limits;
        let name = safe_name(&self.redactor.clean(&begin.suggested_filename));
        let refused = self.shared.update(|state| {
            let refused = state.downloads.begin(&begin.guid, name.clone(), &limits);
            for tab in state.tabs.iter_mut().filter(|tab| tab.main_frame == begin.frame_id) {
                tab.unmade_page = None;
            }
            if let Some(reason) = &refused {
                tell(state, &name, reason);
            }
            refused.is_some()
        });
        if refused {
            return cancel(&self.connection, &begin.guid);
        }
        // A server that sends a byte now and then would keep it open for ever.
        let (shared, connection, guid) = (Arc::clone(&self.shared), self.connection.clone(), begin.guid);
        tokio::spawn(async move {
            tokio::time::sleep(limits.deadline).await;
            let words = format!("it did not end within {} s", limits.deadline.as_secs());
            let late = shared.update(|state| {
                let name = state.downloads.forget(&guid)?;
                tell(state, &name, &words);
                Some(())
            });
            if late.is_some() {
                cancel(&connection, &guid);
            }
        });
    }

    pub(super) fn download_progress(&self, event: &CdpEvent) {
        let Some(progress) = event.decode::<browser::DownloadProgress>() else {
            return;
        };
        let (received, total) = (progress.received_bytes.max(0.0) as u64, progress.total_bytes.max(0.0) as u64);
        if progress.state == "inProgress" {
            let refused = self.shared.update(|state| {
                let (name, reason) =
                    state.downloads.progress(&progress.guid, received.max(total), &self.download_limits)?;
                tell(state, &name, &reason);
                Some(())
            });
            if refused.is_some() {
                cancel(&self.connection, &progress.guid);
            }
            return;
        }
        let Some(folder) = &self.downloads else { return };
        let known = self.shared.update(|state| state.downloads.forget(&progress.guid));
        let (Some(name), "completed") = (known, progress.state.as_str()) else {
            // Cancelled by us or by the site, or over before the browser heard that it was cancelled.
            return remove_partial(folder, &progress.guid);
        };
        let size = |path: &Path| path.metadata().map(|data| data.len()).unwrap_or_default();
        if !ledger::is_guid(&progress.guid) {
            return;
        }
        let bytes = size(&folder.join(&progress.guid));
        let refused = self.shared.update(|state| {
            let refused = state.downloads.keep(bytes, &self.download_limits);
            if let Some(reason) = &refused {
                tell(state, &name, reason);
            }
            refused.is_some()
        });
        if refused {
            return remove_partial(folder, &progress.guid);
        }
        let Some(path) = keep_download(folder, &progress.guid, &name) else {
            return;
        };
        let path = path.display().to_string();
        self.shared.update(|state| {
            state.happenings.downloads.push(Download { path: path.clone(), bytes });
            state.happenings.events.push(EnvironmentEvent::Download { path, bytes });
        });
    }
}

impl BrowserEnv {
    /// The run ends: what is still under way is given up, and said.
    pub(in crate::browser) fn stop_downloads(&self) {
        for guid in stop_all(&self.shared) {
            cancel(&self.connection, &guid);
            if let Some(folder) = &self.download_folder {
                remove_partial(folder, &guid);
            }
        }
    }

    /// Files of downloads that were never finished, once the browser is gone.
    pub(in crate::browser) fn remove_unfinished_downloads(&self) {
        let Some(folder) = &self.download_folder else { return };
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let stem = name.strip_suffix(UNFINISHED).unwrap_or(&name);
            if ledger::is_guid(stem) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

const UNFINISHED: &str = ".crdownload";

fn stop_all(shared: &Shared) -> Vec<String> {
    shared.update(|state| {
        let open = state.downloads.forget_all();
        for (_, name) in &open {
            tracing::warn!(name, "a download had not ended and was removed");
            tell(state, name, "it had not ended when the run did");
        }
        open.into_iter().map(|(guid, _)| guid).collect()
    })
}

fn tell(state: &mut State, name: &str, reason: &str) {
    let event = EnvironmentEvent::DownloadRefused { name: name.to_string(), reason: reason.to_string() };
    // A page that starts them by the thousand is told of once in a while, not for every one.
    if state.downloads.may_tell() {
        state.happenings.events.push(event);
    }
}

fn cancel(connection: &Connection, guid: &str) {
    connection.start_call(None, &browser::CancelDownload { guid: guid.to_string() }).forget();
}

fn remove_partial(folder: &Path, guid: &str) {
    if ledger::is_guid(guid) {
        let _ = std::fs::remove_file(folder.join(guid));
        let _ = std::fs::remove_file(folder.join(format!("{guid}{UNFINISHED}")));
    }
}

/// The browser saves under a random name; it gets the suggested one, made harmless and unique.
fn keep_download(folder: &Path, guid: &str, safe: &str) -> Option<PathBuf> {
    let (stem, extension) = match safe.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (safe, String::new()),
    };
    let saved = folder.join(guid);
    // For its owner, and never something that could be started by a click.
    let _ = std::fs::set_permissions(&saved, std::fs::Permissions::from_mode(0o600));
    for number in 0..1000 {
        let name = if number == 0 { format!("{stem}{extension}") } else { format!("{stem} ({number}){extension}") };
        let wanted = folder.join(name);
        // A hard link fails where the name is taken, without a gap between looking and renaming.
        match std::fs::hard_link(&saved, &wanted) {
            Ok(()) => {
                let _ = std::fs::remove_file(&saved);
                return Some(wanted);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return saved.exists().then_some(saved),
        }
    }
    Some(saved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_download_is_private_and_never_replaces_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut names = Vec::new();
        for guid in ["a1", "b2", "c3"] {
            std::fs::write(folder.path().join(guid), guid).unwrap();
            std::fs::set_permissions(folder.path().join(guid), std::fs::Permissions::from_mode(0o777)).unwrap();
            let kept = keep_download(folder.path(), guid, "report.pdf").unwrap();
            assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(std::fs::read_to_string(&kept).unwrap(), guid);
            names.push(kept.file_name().unwrap().to_str().unwrap().to_string());
        }
        assert_eq!(names, ["report.pdf", "report (1).pdf", "report (2).pdf"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
