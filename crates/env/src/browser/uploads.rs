//! Which files may be handed to a page: regular files inside the declared folders, judged by where
//! they really are at the moment of use, and nothing of our own data folder.
//!
//! The browser gets the resolved path, so a link that is turned round afterwards changes nothing. A
//! folder on that path that is replaced by a link between the check and the browser's reading is not
//! noticed: whoever can do that can write to the declared folder and could put a copy there as well.

use std::fs::{File, Metadata};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use surehand_types::ErrorCode;

use crate::CallFailure;

/// What an input takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Files,
    Folder,
}

/// More files at once are a mistake, and a folder with more of them would take for ever to look at.
const MOST_FILES: usize = 10_000;

/// Declared folders, resolved once at the start: what a root is must not change under a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Uploads {
    roots: Vec<PathBuf>,
    /// Never uploaded, even from inside a root.
    never: Vec<PathBuf>,
}

impl Uploads {
    pub(super) fn new(roots: &[PathBuf], never: &[PathBuf]) -> Uploads {
        let resolved = |paths: &[PathBuf]| paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
        Uploads { roots: resolved(roots), never: resolved(never) }
    }

    /// The resolved paths, if every one of them may be uploaded.
    pub(super) fn allowed(&self, paths: &[String], wanted: Wanted) -> Result<Vec<String>, CallFailure> {
        if self.roots.is_empty() {
            return Err(not_allowed("no upload folder was declared; start with --upload-root DIR".into()));
        }
        if paths.len() > MOST_FILES {
            return Err(not_allowed(format!("{} files are too many to upload at once", paths.len())));
        }
        paths.iter().map(|given| self.allowed_one(given, wanted)).collect()
    }

    fn allowed_one(&self, given: &str, wanted: Wanted) -> Result<String, CallFailure> {
        let path = Path::new(given);
        // A relative path is meant inside one of the folders.
        let spellings: Vec<PathBuf> = if path.is_absolute() {
            vec![path.to_path_buf()]
        } else {
            self.roots.iter().map(|root| root.join(path)).collect()
        };
        let found = spellings.iter().filter_map(|path| path.canonicalize().ok()).find(|path| self.is_inside(path));
        let Some(found) = found else {
            return Err(self.why_not(given, &spellings));
        };
        if self.is_ours(&found) {
            return Err(ours(given));
        }
        match wanted {
            Wanted::Files => readable_file(&found).map_err(|what| not_found(format!("{} {what}", quoted(given))))?,
            Wanted::Folder => self.check_folder(given, &found)?,
        }
        // The protocol speaks text; another spelling of the name would be another file.
        match found.into_os_string().into_string() {
            Ok(path) => Ok(path),
            Err(_) => Err(not_found(format!("the real name of {} is not text and cannot be given", quoted(given)))),
        }
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    fn is_ours(&self, path: &Path) -> bool {
        self.never.iter().any(|folder| path.starts_with(folder))
    }

    /// Whether a file exists outside the folders is nobody's business.
    fn why_not(&self, given: &str, spellings: &[PathBuf]) -> CallFailure {
        let parent_inside = |path: &PathBuf| {
            let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
            parent.is_some_and(|parent| self.is_inside(&parent))
        };
        let is_there = |path: &PathBuf| path.exists() || path.is_symlink();
        // Something of that name in one of the folders, which leads out of it, is not just missing in another.
        let leads_out = spellings.iter().any(|path| parent_inside(path) && is_there(path));
        if !leads_out && spellings.iter().any(parent_inside) {
            not_found(format!("there is no file {}", quoted(given)))
        } else {
            not_allowed(format!("{} is outside the declared upload folders", quoted(given)))
        }
    }

    /// The browser takes everything below a folder and follows links, so all of it is looked at.
    fn check_folder(&self, given: &str, folder: &Path) -> Result<(), CallFailure> {
        if !folder.is_dir() {
            return Err(not_found(format!("{} is not a folder", quoted(given))));
        }
        if self.never.iter().any(|ours| ours.starts_with(folder)) {
            return Err(ours(given));
        }
        let (mut seen, mut waiting) = (0, vec![folder.to_path_buf()]);
        while let Some(folder) = waiting.pop() {
            let unreadable = |_| not_found(format!("the folder {} cannot be read", quoted(given)));
            for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                seen += 1;
                if seen > MOST_FILES {
                    return Err(not_allowed(format!("{} holds more than {MOST_FILES} files", quoted(given))));
                }
                let kind = entry.file_type().map_err(unreadable)?;
                if kind.is_symlink() {
                    // Refused also where it stays inside: links can be turned round, and go in circles.
                    let name = entry.file_name().to_string_lossy().into_owned();
                    return Err(not_allowed(format!("{} holds the link {}", quoted(given), quoted(&name))));
                } else if kind.is_dir() {
                    waiting.push(entry.path());
                } else if !kind.is_file() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    return Err(not_allowed(format!("{} holds {}, which is no file", quoted(given), quoted(&name))));
                }
            }
        }
        Ok(())
    }
}

/// Looked at before it is opened, since opening a pipe or a device may hang or do something, and again
/// afterwards, since it may have been exchanged in between.
fn readable_file(path: &Path) -> Result<(), &'static str> {
    let before = path.symlink_metadata().map_err(|_| "is gone")?;
    if !before.is_file() {
        return Err("is not a file");
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let opened = File::options().read(true).custom_flags(flags).open(path).map_err(|_| "cannot be read")?;
    let after = opened.metadata().map_err(|_| "cannot be read")?;
    let id = |about: &Metadata| (about.dev(), about.ino());
    if after.is_file() && id(&before) == id(&after) { Ok(()) } else { Err("was exchanged while it was looked at") }
}

pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn not_allowed(message: String) -> CallFailure {
    CallFailure::new(ErrorCode::PathNotAllowed, message)
}

fn not_found(message: String) -> CallFailure {
    CallFailure::new(ErrorCode::PathNotFound, message)
}

fn ours(given: &str) -> CallFailure {
    not_allowed(format!("{} belongs to surehand's own data, which is never uploaded", quoted(given)))
}

/// A path as it was given, cut where nobody would read on.
fn quoted(given: &str) -> String {
    const MOST: usize = 200;
    let short: String = given.chars().take(MOST).collect();
    if short.len() < given.len() { format!("{short:?}…") } else { format!("{short:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    struct Place {
        folder: tempfile::TempDir,
        root: PathBuf,
    }

    impl Place {
        fn new() -> Place {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("allowed");
            std::fs::create_dir_all(root.join("sub")).unwrap();
            std::fs::write(root.join("a.txt"), "a").unwrap();
            std::fs::write(root.join("sub/b.txt"), "b").unwrap();
            std::fs::write(folder.path().join("secret.txt"), "s").unwrap();
            Place { folder, root }
        }

        fn uploads(&self) -> Uploads {
            Uploads::new(std::slice::from_ref(&self.root), &[self.root.join("data")])
        }

        #[track_caller]
        fn check(&self, wanted: Wanted, given: &str, expected: Result<&str, ErrorCode>) {
            let found = self.uploads().allowed(&[given.to_string()], wanted);
            if let Err(failure) = &found {
                assert!(failure.message.len() < 500 && !failure.message.contains('\n'), "{}", failure.message);
            }
            let found = found.map(|files| file_name(&files[0])).map_err(|failure| failure.code);
            assert_eq!(found.as_deref().map_err(|code| *code), expected, "{given}");
        }
    }

    #[test]
    fn files_come_only_from_the_declared_folders() {
        let place = Place::new();
        let outside = place.folder.path();
        symlink(outside.join("secret.txt"), place.root.join("link.txt")).unwrap();
        symlink(outside, place.root.join("linked")).unwrap();
        symlink("a.txt", place.root.join("within.txt")).unwrap();
        symlink("loop", place.root.join("loop")).unwrap();
        symlink(outside.join("missing"), place.root.join("dangling")).unwrap();
        let check = |given: &str, expected| place.check(Wanted::Files, given, expected);
        check("a.txt", Ok("a.txt"));
        check("sub/b.txt", Ok("b.txt"));
        check(&place.root.join("a.txt").display().to_string(), Ok("a.txt"));
        check("sub/../a.txt", Ok("a.txt"));
        check(".//sub/.//../a.txt", Ok("a.txt"));
        check("within.txt", Ok("a.txt"));
        check("missing.txt", Err(ErrorCode::PathNotFound));
        check("sub", Err(ErrorCode::PathNotFound));
        check("a.txt/", Err(ErrorCode::PathNotFound));
        check("../secret.txt", Err(ErrorCode::PathNotAllowed));
        check("../missing.txt", Err(ErrorCode::PathNotAllowed));
        check("../allowed/a.txt", Ok("a.txt"));
        check("link.txt", Err(ErrorCode::PathNotAllowed));
        check("linked/secret.txt", Err(ErrorCode::PathNotAllowed));
        check("linked/allowed/a.txt", Ok("a.txt"));
        check("loop", Err(ErrorCode::PathNotAllowed));
        check("dangling", Err(ErrorCode::PathNotAllowed));
        check("/etc/passwd", Err(ErrorCode::PathNotAllowed));
        check("/proc/self/environ", Err(ErrorCode::PathNotAllowed));
        check("", Err(ErrorCode::PathNotFound));
        check("a.txt\0.png", Err(ErrorCode::PathNotFound));
        check("~/a.txt", Err(ErrorCode::PathNotAllowed));
        check("file:///etc/passwd", Err(ErrorCode::PathNotAllowed));
        check(&"x".repeat(100_000), Err(ErrorCode::PathNotFound));
        check(&"../".repeat(5000), Err(ErrorCode::PathNotAllowed));
        // A folder whose name only begins like the root is not inside it.
        let near = outside.join("allowed-not");
        std::fs::create_dir(&near).unwrap();
        std::fs::write(near.join("n.txt"), "n").unwrap();
        check(&near.join("n.txt").display().to_string(), Err(ErrorCode::PathNotAllowed));
        let none = Uploads::default().allowed(&["a.txt".into()], Wanted::Files).unwrap_err();
        assert_eq!(none.code, ErrorCode::PathNotAllowed);
    }

    #[test]
    fn only_regular_files_that_can_be_read_and_named() {
        let place = Place::new();
        let fifo = std::process::Command::new("mkfifo").arg(place.root.join("fifo")).status().unwrap();
        assert!(fifo.success());
        let _socket = std::os::unix::net::UnixListener::bind(place.root.join("socket")).unwrap();
        std::fs::write(place.root.join(OsStr::from_bytes(b"odd-\xff.txt")), "o").unwrap();
        symlink(OsStr::from_bytes(b"odd-\xff.txt"), place.root.join("to-odd.txt")).unwrap();
        let check = |given: &str, expected| place.check(Wanted::Files, given, expected);
        check("fifo", Err(ErrorCode::PathNotFound));
        check("socket", Err(ErrorCode::PathNotFound));
        check("to-odd.txt", Err(ErrorCode::PathNotFound));
        std::fs::write(place.root.join("new\nline.txt"), "n").unwrap();
        check("new\nline.txt", Ok("new\nline.txt"));
        std::fs::set_permissions(place.root.join("a.txt"), std::fs::Permissions::from_mode(0o000)).unwrap();
        // The administrator can read it all the same.
        let expected = if rustix::process::geteuid().is_root() { Ok("a.txt") } else { Err(ErrorCode::PathNotFound) };
        check("a.txt", expected);
        std::fs::remove_file(place.root.join("sub/b.txt")).unwrap();
        check("sub/b.txt", Err(ErrorCode::PathNotFound));
    }

    #[test]
    fn our_own_data_is_never_uploaded() {
        let place = Place::new();
        std::fs::create_dir_all(place.root.join("data/sessions/work")).unwrap();
        std::fs::write(place.root.join("data/sessions/work/origins.json"), "[]").unwrap();
        symlink("data", place.root.join("renamed")).unwrap();
        for given in ["data/sessions/work/origins.json", "sub/../data/sessions/work/origins.json"] {
            place.check(Wanted::Files, given, Err(ErrorCode::PathNotAllowed));
        }
        place.check(Wanted::Files, "renamed/sessions/work/origins.json", Err(ErrorCode::PathNotAllowed));
        place.check(Wanted::Folder, "data/sessions", Err(ErrorCode::PathNotAllowed));
        place.check(Wanted::Folder, "", Err(ErrorCode::PathNotAllowed));
        place.check(Wanted::Folder, ".", Err(ErrorCode::PathNotAllowed));
    }

    #[test]
    fn a_root_is_resolved_once() {
        let place = Place::new();
        let link = place.folder.path().join("root-link");
        symlink(&place.root, &link).unwrap();
        let uploads = Uploads::new(std::slice::from_ref(&link), &[]);
        std::fs::remove_file(&link).unwrap();
        symlink("/etc", &link).unwrap();
        assert!(uploads.allowed(&["a.txt".into()], Wanted::Files).is_ok());
        assert!(uploads.allowed(&["passwd".into()], Wanted::Files).is_err());
        assert!(uploads.allowed(&[link.join("passwd").display().to_string()], Wanted::Files).is_err());
    }

    #[test]
    fn a_folder_with_a_link_or_a_pipe_in_it_is_refused() {
        let place = Place::new();
        place.check(Wanted::Folder, "sub", Ok("sub"));
        place.check(Wanted::Folder, "a.txt", Err(ErrorCode::PathNotFound));
        std::fs::create_dir(place.root.join("sub/deep")).unwrap();
        symlink(place.folder.path().join("secret.txt"), place.root.join("sub/deep/l")).unwrap();
        place.check(Wanted::Folder, "sub", Err(ErrorCode::PathNotAllowed));
    }
}
