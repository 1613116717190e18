//! Downloads: from the browser's random name to the one the site suggested.

use std::path::{Path, PathBuf};

use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::Download;

use super::Pump;
use crate::cdp::CdpEvent;
use crate::cdp::protocol::browser;

impl Pump {
    pub(super) fn download_progress(&self, event: &CdpEvent) {
        let Some(progress) = event.decode::<browser::DownloadProgress>() else {
            return;
        };
        if progress.state == "inProgress" {
            return;
        }
        let name = self.shared.update(|state| state.downloads.remove(&progress.guid));
        let (Some(folder), Some(name), "completed") = (&self.downloads, name, progress.state.as_str()) else {
            return;
        };
        let Some(path) = keep_download(folder, &progress.guid, &name) else {
            return;
        };
        let bytes = path.metadata().map(|data| data.len()).unwrap_or_default();
        let path = path.display().to_string();
        self.shared.update(|state| {
            state.happenings.downloads.push(Download { path: path.clone(), bytes });
            state.happenings.events.push(EnvironmentEvent::Download { path, bytes });
        });
    }
}

/// The browser saves under a random name; it gets the suggested one, made harmless and unique.
fn keep_download(folder: &Path, guid: &str, suggested: &str) -> Option<PathBuf> {
    let safe: String = suggested
        .chars()
        .map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c })
        .take(120)
        .collect();
    let safe = safe.trim_start_matches('.').trim();
    let safe = if safe.is_empty() { "download" } else { safe };
    let (stem, extension) = match safe.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (safe, String::new()),
    };
    let saved = folder.join(guid);
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
