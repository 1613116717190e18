//! Named profiles (`--session`): a folder that keeps its login state, used by one process at a time.
//! Everything about names, locks and removal of sessions is here.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::OFlags;

use super::private_files::{create_folder, tighten};
use super::session_notes::SessionNotes;
use crate::EnvError;

/// Holds the lock as long as it lives; the system releases it even after a `kill -9`.
#[derive(Debug)]
pub(crate) struct ProfileLock {
    folder: PathBuf,
    profile: PathBuf,
    is_new: bool,
    _file: File,
}

/// What can be said of a session without opening it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionInfo {
    pub name: String,
    /// The process that uses it now; 0 where it did not say.
    pub used_by: Option<u32>,
    pub last_used: Option<SystemTime>,
    pub bytes: u64,
    /// Origins that its tabs have shown.
    pub origins: usize,
}

impl ProfileLock {
    /// Takes the session, and makes it where there is none yet.
    pub(crate) fn acquire(sessions: &Path, name: &str) -> Result<ProfileLock, EnvError> {
        let folder = session_folder(sessions, name)?;
        for _ in 0..100 {
            let is_new = !folder.exists();
            create_folder(&folder).map_err(EnvError::io("cannot create the session folder"))?;
            if let Some(file) = lock(&folder, name)? {
                return ProfileLock::prepare(folder, file, is_new);
            }
            // Removed by somebody between our opening and our locking: made anew.
        }
        Err(EnvError::SessionLocked { name: name.to_string(), pid: 0 })
    }

    /// Takes a session that must be there already.
    pub(crate) fn acquire_existing(sessions: &Path, name: &str) -> Result<ProfileLock, EnvError> {
        let folder = session_folder(sessions, name)?;
        let missing = || EnvError::SessionMissing(name.to_string());
        if !folder.is_dir() {
            return Err(missing());
        }
        let file = lock(&folder, name)?.ok_or_else(missing)?;
        ProfileLock::prepare(folder, file, false)
    }

    fn prepare(folder: PathBuf, mut file: File, is_new: bool) -> Result<ProfileLock, EnvError> {
        let profile = folder.join("profile");
        create_folder(&profile).map_err(EnvError::io("cannot create the session folder"))?;
        tighten(&folder).map_err(EnvError::io("cannot make the session folder private"))?;
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "{}", std::process::id());
        // A browser that was killed leaves these behind and would refuse the profile.
        for stale in ["SingletonLock", "SingletonCookie", "SingletonSocket"] {
            let _ = std::fs::remove_file(profile.join(stale));
        }
        Ok(ProfileLock { folder, profile, is_new, _file: file })
    }

    pub(crate) fn profile(&self) -> &Path {
        &self.profile
    }

    pub(crate) fn notes(&self) -> SessionNotes {
        SessionNotes::of(&self.folder)
    }

    /// Whether the session was not there before.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Removes the session while it is still ours; the lock's own file goes last.
    pub(crate) fn remove(self) -> Result<(), EnvError> {
        let failed = || EnvError::io(format!("cannot remove {}", self.folder.display()));
        for entry in std::fs::read_dir(&self.folder).map_err(failed())?.flatten() {
            if entry.file_name() == LOCK {
                continue;
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = entry.path();
            let removed = if is_folder { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            removed.map_err(failed())?;
        }
        std::fs::remove_dir_all(&self.folder).map_err(failed())
    }
}

const LOCK: &str = "lock";

/// Every session that is there, by name.
pub fn list_sessions(sessions: &Path) -> Result<Vec<SessionInfo>, EnvError> {
    let entries = match std::fs::read_dir(sessions) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EnvError::io("cannot read the sessions folder")(error)),
    };
    let mut found: Vec<SessionInfo> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_session_name(name))
        .map(|name| describe(&sessions.join(&name), name))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Removes a session with everything in it, unless somebody uses it.
pub fn remove_session(sessions: &Path, name: &str) -> Result<(), EnvError> {
    ProfileLock::acquire_existing(sessions, name)?.remove()
}

/// Whether all of these could be removed now; the first reason why not.
pub fn check_removable(sessions: &Path, names: &[String]) -> Result<(), EnvError> {
    names.iter().try_for_each(|name| ProfileLock::acquire_existing(sessions, name).map(drop))
}

/// Only plain names: they become folder names.
pub fn is_session_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn session_folder(sessions: &Path, name: &str) -> Result<PathBuf, EnvError> {
    if !is_session_name(name) {
        return Err(EnvError::SessionName(name.to_string()));
    }
    let folder = sessions.join(name);
    // Whoever put a link there could make us write logins, or remove files, somewhere else.
    if folder.is_symlink() {
        return Err(EnvError::State(format!(
            "the session {name:?} is a symbolic link, which is not followed\nhint: move the folder itself to {}",
            sessions.display()
        )));
    }
    Ok(folder)
}

/// The locked file; `None` when the folder was removed before it could be locked.
fn lock(folder: &Path, name: &str) -> Result<Option<File>, EnvError> {
    let path = folder.join(LOCK);
    let opened = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
        .open(&path);
    let mut file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(EnvError::io(format!("cannot open the lock of session {name}"))(error)),
    };
    // `session ls` looks at a lock for a moment by sharing it; that is not a use.
    let mut tries = 0;
    while file.try_lock().is_err() {
        tries += 1;
        if tries > 5 {
            return Err(EnvError::SessionLocked { name: name.to_string(), pid: holder(&mut file) });
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
    // A lock on a file that was removed meanwhile would lock nobody out.
    let same = match (file.metadata(), path.symlink_metadata()) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    };
    Ok(same.then_some(file))
}

fn holder(file: &mut File) -> u32 {
    let mut text = String::new();
    let _ = file.take(20).read_to_string(&mut text);
    text.trim().parse().unwrap_or(0)
}

fn describe(folder: &Path, name: String) -> SessionInfo {
    let lock = folder.join(LOCK);
    let used_by = File::open(&lock).ok().and_then(|mut file| match file.try_lock_shared() {
        Ok(()) => None,
        Err(_) => Some(holder(&mut file)),
    });
    SessionInfo {
        name,
        used_by,
        last_used: lock.metadata().and_then(|about| about.modified()).ok(),
        bytes: size_of(folder),
        origins: SessionNotes::of(folder).origins().len(),
    }
}

fn size_of(folder: &Path) -> u64 {
    let (mut bytes, mut waiting) = (0, vec![folder.to_path_buf()]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(about) if about.is_dir() => waiting.push(entry.path()),
                Ok(about) => bytes += about.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_session_is_used_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = ProfileLock::acquire(folder.path(), "work").unwrap();
        assert!(first.is_new());
        let second = ProfileLock::acquire(folder.path(), "work").unwrap_err();
        assert!(matches!(second, EnvError::SessionLocked { pid, .. } if pid == std::process::id()), "{second}");
        drop(first);
        assert!(!ProfileLock::acquire(folder.path(), "work").unwrap().is_new());
        for bad in ["", "..", "a/b", ".hidden", "a b", "/etc", "a\0b", "ä", &"x".repeat(101)] {
            assert!(matches!(ProfileLock::acquire(folder.path(), bad), Err(EnvError::SessionName(_))), "{bad}");
            assert!(matches!(remove_session(folder.path(), bad), Err(EnvError::SessionName(_))), "{bad}");
        }
    }

    #[test]
    fn a_session_is_removed_whole_but_not_while_it_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let held = ProfileLock::acquire(folder.path(), "work").unwrap();
        std::fs::write(held.profile().join("Cookies"), "x").unwrap();
        let refused = remove_session(folder.path(), "work").unwrap_err();
        assert!(matches!(refused, EnvError::SessionLocked { pid, .. } if pid == std::process::id()), "{refused}");
        let listed = list_sessions(folder.path()).unwrap();
        assert_eq!((listed.len(), listed[0].used_by), (1, Some(std::process::id())));
        drop(held);
        assert_eq!(list_sessions(folder.path()).unwrap()[0].used_by, None);
        remove_session(folder.path(), "work").unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(matches!(remove_session(folder.path(), "work"), Err(EnvError::SessionMissing(_))));
        assert_eq!(list_sessions(&folder.path().join("none")).unwrap(), []);
    }

    #[test]
    fn links_are_refused_and_open_modes_are_closed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("precious"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        for error in [
            ProfileLock::acquire(folder.path(), "link").unwrap_err(),
            remove_session(folder.path(), "link").unwrap_err(),
        ] {
            assert!(error.to_string().contains("symbolic link"), "{error}");
        }
        assert!(outside.path().join("precious").exists());
        assert_eq!(list_sessions(folder.path()).unwrap(), []);

        let wide = folder.path().join("wide/profile/Default");
        std::fs::create_dir_all(&wide).unwrap();
        std::fs::write(wide.join("Cookies"), "x").unwrap();
        for path in [wide.join("Cookies"), wide.clone(), folder.path().join("wide")] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
        }
        ProfileLock::acquire(folder.path(), "wide").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&wide.join("Cookies")), 0o600);
        assert_eq!((mode(&wide), mode(&folder.path().join("wide"))), (0o700, 0o700));
        assert_eq!(mode(&folder.path().join("wide/lock")), 0o600);
    }
}
