//! Files for contracts: below the contract's folder or a declared one, and nowhere else. Links are resolved and
//! looked at again before anything is opened.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use globset::GlobMatcher;

use super::{FileAnswer, FileQuery, FoundFile, NotProbed, Probed};
use crate::contract::{below, glob};

const MOST_ENTRIES: usize = 20_000;
const DEEPEST: usize = 24;
/// Bytes of a file that a check looks at.
pub(crate) const LARGEST_FILE: u64 = 32 << 20;

/// The folders that checks may look into.
#[derive(Debug, Clone)]
pub struct Folders {
    contract: PathBuf,
    named: BTreeMap<String, PathBuf>,
}

impl Folders {
    /// `contract` is where the contract's file is.
    pub fn new(contract: impl Into<PathBuf>) -> Folders {
        Folders { contract: contract.into(), named: BTreeMap::new() }
    }

    /// Declares a folder that checks can name as their `root`.
    pub fn with(mut self, name: impl Into<String>, folder: impl Into<PathBuf>) -> Folders {
        self.named.insert(name.into(), folder.into());
        self
    }

    /// The one file of that name, really below its folder.
    pub fn resolve(&self, root: Option<&str>, path: &str) -> Probed<PathBuf> {
        below(path).map_err(NotProbed::Failed)?;
        let folder = self.folder(root)?;
        let real = folder
            .join(path)
            .canonicalize()
            .map_err(|error| NotProbed::Failed(format!("{path} cannot be opened: {error}")))?;
        if !real.starts_with(&folder) {
            return Err(NotProbed::Failed(format!("{path} is a link that leads out of its folder")));
        }
        // A pipe or a device would never answer.
        if !real.is_file() {
            return Err(NotProbed::Failed(format!("{path} is no file")));
        }
        Ok(real)
    }

    /// Every file that fits the pattern, by name.
    pub fn list(&self, query: &FileQuery) -> Probed<FileAnswer> {
        below(&query.pattern).map_err(NotProbed::Failed)?;
        let glob = glob(&query.pattern).map_err(NotProbed::Failed)?;
        let folder = self.folder(query.root.as_deref())?;
        let deep = query.pattern.contains("**");
        let mut walk = Walk { folder: &folder, glob, deep, answer: FileAnswer::default(), entries: 0 };
        walk.enter(&literal_beginning(&query.pattern), 0);
        walk.answer.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(walk.answer)
    }

    /// The whole of one file.
    pub fn read(&self, root: Option<&str>, path: &str) -> Probed<Vec<u8>> {
        let file = self.resolve(root, path)?;
        let failed = |error: std::io::Error| NotProbed::Failed(format!("{path} cannot be read: {error}"));
        let length = std::fs::metadata(&file).map_err(failed)?.len();
        if length > LARGEST_FILE {
            return Err(NotProbed::Failed(format!("{path} has {length} bytes, more than {LARGEST_FILE}")));
        }
        std::fs::read(&file).map_err(failed)
    }

    fn folder(&self, root: Option<&str>) -> Probed<PathBuf> {
        let folder = match root {
            None => &self.contract,
            Some(name) => self.named.get(name).ok_or_else(|| {
                NotProbed::Unavailable(format!("no folder was named `{name}`. hint: name it at the start"))
            })?,
        };
        folder.canonicalize().map_err(|error| NotProbed::Failed(format!("the folder cannot be opened: {error}")))
    }
}

struct Walk<'a> {
    folder: &'a Path,
    glob: GlobMatcher,
    /// The pattern reaches into folders of any depth.
    deep: bool,
    answer: FileAnswer,
    entries: usize,
}

impl Walk<'_> {
    fn enter(&mut self, below: &Path, depth: usize) {
        if depth > DEEPEST {
            self.missed("the folders are too deep");
            return;
        }
        let real = match self.folder.join(below).canonicalize() {
            Ok(real) if real.starts_with(self.folder) => real,
            Ok(_) => return self.missed("a link leads out of the folder"),
            // A folder that is not there has no files in it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => return self.missed("a folder cannot be opened"),
        };
        let Ok(entries) = std::fs::read_dir(real) else { return self.missed("a folder cannot be opened") };
        for entry in entries {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return self.missed("there are too many files");
            }
            let Ok(entry) = entry else { return self.missed("a folder cannot be read to its end") };
            let path = below.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.enter(&path, depth + 1),
                // Links to folders are not followed: they can go round in circles. What is behind one is not known.
                Ok(kind) if kind.is_symlink() && self.deep && entry.path().is_dir() => {
                    self.missed("a link to a folder is not followed");
                }
                Ok(_) => self.file(&path),
                Err(_) => self.missed("a file cannot be looked at"),
            }
        }
    }

    fn file(&mut self, path: &Path) {
        if !self.glob.is_match(path) {
            return;
        }
        let Some(name) = path.to_str() else { return self.missed("a file has a name that is no text") };
        match self.folder.join(path).canonicalize() {
            Ok(real) if !real.starts_with(self.folder) => self.missed("a link leads out of the folder"),
            Ok(real) => match std::fs::metadata(&real) {
                Ok(facts) if facts.is_file() => self.answer.files.push(FoundFile {
                    path: name.replace(std::path::MAIN_SEPARATOR, "/"),
                    bytes: facts.len(),
                    modified: facts.modified().ok(),
                }),
                Ok(_) => {}
                Err(_) => self.missed("a file cannot be looked at"),
            },
            // Gone since it was listed, or a link to nothing.
            Err(_) => {}
        }
    }

    fn missed(&mut self, why: &str) {
        self.answer.incomplete.get_or_insert_with(|| why.into());
    }
}

/// The folders of a pattern that are no pattern: the walk can begin there.
fn literal_beginning(pattern: &str) -> PathBuf {
    let parts: Vec<Component<'_>> = Path::new(pattern).components().collect();
    let folders = parts.split_last().map(|(_, folders)| folders).unwrap_or_default();
    let plain = |part: &&Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{', '!', '\\']);
    folders.iter().take_while(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folders: &Folders, root: Option<&str>, pattern: &str) -> (Vec<String>, bool) {
        let query = FileQuery { root: root.map(Into::into), pattern: pattern.into() };
        let found = folders.list(&query).unwrap();
        (found.files.into_iter().map(|file| file.path).collect(), found.incomplete.is_none())
    }

    #[test]
    fn files_are_found_below_and_nowhere_else() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("in"), place.path().join("out"));
        for folder in [inside.join("a/b"), outside.clone()] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for (file, text) in [("x.csv", "1"), ("a/y.csv", "2"), ("a/b/z.csv", "3"), ("a/n.txt", "4")] {
            std::fs::write(inside.join(file), text).unwrap();
        }
        std::fs::write(outside.join("secret.csv"), "s").unwrap();
        let folders = Folders::new(&inside).with("downloads", &outside);
        assert_eq!(names(&folders, None, "*.csv"), (vec!["x.csv".into()], true));
        assert_eq!(names(&folders, None, "a/*.csv"), (vec!["a/y.csv".into()], true));
        assert_eq!(names(&folders, None, "**/*.csv").0.len(), 3);
        assert_eq!(names(&folders, None, "gone/*.csv"), (vec![], true));
        assert_eq!(names(&folders, Some("downloads"), "*"), (vec!["secret.csv".into()], true));
        let other = FileQuery { root: Some("home".into()), pattern: "*".into() };
        assert!(matches!(folders.list(&other), Err(NotProbed::Unavailable(_))));
        assert_eq!(folders.read(None, "a/y.csv").unwrap(), b"2");
        for path in ["../out/secret.csv", "/etc/hostname", "a", "gone"] {
            assert!(folders.read(None, path).is_err(), "{path}");
        }

        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(outside.join("secret.csv"), inside.join("link.csv")).unwrap();
            symlink(&outside, inside.join("folder")).unwrap();
            symlink(inside.join("x.csv"), inside.join("a/same.csv")).unwrap();
            assert!(folders.read(None, "link.csv").is_err() && folders.read(None, "folder/secret.csv").is_err());
            assert_eq!(folders.read(None, "a/same.csv").unwrap(), b"1");
            // What leads out is not looked at, and it is not claimed that all was seen.
            assert_eq!(names(&folders, None, "*.csv"), (vec!["x.csv".into()], false));
            assert_eq!(names(&folders, None, "folder/*.csv"), (vec![], false));
            assert_eq!(names(&folders, None, "a/*.csv"), (vec!["a/same.csv".into(), "a/y.csv".into()], true));
        }
    }
}
