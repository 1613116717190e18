//! Files and folders that only their owner may read, whatever the umask says and whoever made them
//! before. Sessions are made of them.

use std::fs::Permissions;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

/// Makes the folder and what is missing above it.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Takes from everything below (and the folder itself) what others may do with it. Links are left alone:
/// what they point at is not ours.
pub(crate) fn tighten(folder: &Path) -> io::Result<()> {
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let about = match path.symlink_metadata() {
            Ok(about) => about,
            // A browser that just ended may still be tidying up behind itself.
            Err(error) if error.kind() == io::ErrorKind::NotFound && path != folder => continue,
            Err(error) => return Err(error),
        };
        if about.is_symlink() {
            continue;
        }
        let mode = about.permissions().mode() & 0o7777;
        let wanted = if about.is_dir() { 0o700 } else { mode & 0o600 };
        if mode & 0o077 != 0 {
            match std::fs::set_permissions(&path, Permissions::from_mode(wanted)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if about.is_dir() {
            waiting.extend(std::fs::read_dir(&path)?.flatten().map(|entry| entry.path()));
        }
    }
    Ok(())
}

/// Replaces the file in one step, so that nobody ever sees half of it and a link there is not followed.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made with mode 0600, and removed again if anything below fails.
    let mut unfinished = tempfile::Builder::new().prefix(".surehand-").suffix(".tmp").tempfile_in(folder)?;
    unfinished.write_all(content)?;
    unfinished.as_file().sync_all()?;
    unfinished.as_file().set_permissions(Permissions::from_mode(0o600))?;
    unfinished.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The content of a regular file that is not larger than `most`. A pipe or a device would never end.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut content = Vec::new();
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is larger than {} MB", most / 1_000_000)));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_was_open_to_others_is_closed_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        std::fs::write(&outside, "x").unwrap();
        std::fs::set_permissions(&outside, Permissions::from_mode(0o644)).unwrap();
        let inside = folder.path().join("session/deep");
        create_folder(&inside).unwrap();
        std::fs::write(inside.join("file"), "x").unwrap();
        for (path, wide) in [(inside.join("file"), 0o755), (inside.clone(), 0o777)] {
            std::fs::set_permissions(path, Permissions::from_mode(wide)).unwrap();
        }
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        tighten(&folder.path().join("session")).unwrap();
        assert_eq!((mode(&inside), mode(&inside.join("file")), mode(&outside)), (0o700, 0o600, 0o644));
    }

    #[test]
    fn a_written_file_is_private_and_replaces_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("state.json"), folder.path().join("other"));
        std::fs::write(&other, "other").unwrap();
        std::os::unix::fs::symlink(&other, &file).unwrap();
        write_file(&file, b"mine").unwrap();
        assert_eq!((mode(&file), std::fs::read_to_string(&other).unwrap().as_str()), (0o600, "other"));
        assert_eq!(read_file(&file, 4).unwrap(), b"mine");
        assert!(read_file(&file, 3).unwrap_err().to_string().contains("larger"));
        assert!(read_file(folder.path(), 3).unwrap_err().to_string().contains("regular"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no unfinished file is left");
    }
}
