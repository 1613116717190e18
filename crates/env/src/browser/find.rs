//! Finds a Chromium or Chrome to launch.

use std::path::{Path, PathBuf};

const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge-stable"];

const PLACES: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// The browser to use: the one that was named, else the first on PATH, else a usual place.
pub fn find_browser(named: Option<&str>) -> Option<PathBuf> {
    if let Some(named) = named {
        let path = PathBuf::from(named);
        return if path.is_file() { Some(path) } else { on_path(named) };
    }
    NAMES.iter().find_map(|name| on_path(name)).or_else(|| PLACES.iter().map(PathBuf::from).find(|path| path.is_file()))
}

fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return None;
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
