//! Named profiles (`--session`): a folder that keeps its login state, used by one process at a time.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::EnvError;

/// Holds the lock as long as it lives; the system releases it even after a `kill -9`.
#[derive(Debug)]
pub(crate) struct ProfileLock {
    profile: PathBuf,
    _file: File,
}

impl ProfileLock {
    pub(crate) fn acquire(sessions: &Path, name: &str) -> Result<ProfileLock, EnvError> {
        let usable = !name.is_empty()
            && name.len() <= 100
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        if !usable {
            return Err(EnvError::SessionName(name.to_string()));
        }
        let folder = sessions.join(name);
        let profile = folder.join("profile");
        create_private(&profile)?;
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(folder.join("lock"))
            .map_err(EnvError::io(format!("cannot open the lock of session {name}")))?;
        if file.try_lock().is_err() {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            let pid = holder.trim().parse().unwrap_or(0);
            return Err(EnvError::SessionLocked { name: name.to_string(), pid });
        }
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "{}", std::process::id());
        // A browser that was killed leaves these behind and would refuse the profile.
        for stale in ["SingletonLock", "SingletonCookie", "SingletonSocket"] {
            let _ = std::fs::remove_file(profile.join(stale));
        }
        Ok(ProfileLock { profile, _file: file })
    }

    pub(crate) fn profile(&self) -> &Path {
        &self.profile
    }
}

fn create_private(folder: &Path) -> Result<(), EnvError> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(EnvError::io("cannot create the session folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_used_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = ProfileLock::acquire(folder.path(), "work").unwrap();
        let second = ProfileLock::acquire(folder.path(), "work").unwrap_err();
        assert!(matches!(second, EnvError::SessionLocked { pid, .. } if pid == std::process::id()), "{second}");
        drop(first);
        ProfileLock::acquire(folder.path(), "work").unwrap();
        for bad in ["", "..", "a/b", ".hidden", "a b"] {
            assert!(matches!(ProfileLock::acquire(folder.path(), bad), Err(EnvError::SessionName(_))), "{bad}");
        }
    }
}
