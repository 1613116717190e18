//! Decides which packages are missing. The decision is separate from looking at the machine
//! (the `Probe`), so that tests can describe a machine instead of needing one.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::packages::{Group, Package, Sign};

/// Answers whether one sign of an installed package can be seen.
pub(crate) trait Probe {
    fn sees(&self, sign: Sign) -> bool;
}

/// The packages of these groups that show no sign of being installed, each once, in list order.
pub(crate) fn missing_packages(groups: &[&'static Group], probe: &impl Probe) -> Vec<&'static Package> {
    let mut missing: Vec<&'static Package> = Vec::new();
    for package in groups.iter().flat_map(|group| group.packages) {
        let listed = missing.iter().any(|other| other.debian_name == package.debian_name);
        if !listed && !package.signs.iter().any(|sign| probe.sees(*sign)) {
            missing.push(package);
        }
    }
    missing
}

/// Looks at the machine this runs on, without starting any process: `setup` runs before every
/// demo and test, and must cost nothing when there is nothing to do.
#[derive(Debug)]
pub(crate) struct Machine {
    font_files: Vec<String>,
}

impl Machine {
    pub(crate) fn look() -> Self {
        let mut font_files = Vec::new();
        for directory in font_directories() {
            collect_file_names(&directory, FONT_DIRECTORY_DEPTH, &mut font_files);
        }
        Self { font_files }
    }
}

impl Probe for Machine {
    fn sees(&self, sign: Sign) -> bool {
        match sign {
            Sign::Command(name) => command_path(name).is_some(),
            Sign::File(path) => Path::new(path).is_file(),
            Sign::Font(prefix) => self.font_files.iter().any(|file| file.starts_with(prefix)),
            Sign::Variable(name) => env::var_os(name).is_some_and(|value| is_executable(Path::new(&value))),
        }
    }
}

/// Where a command would be started from, if it is on `PATH`.
pub(crate) fn command_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    env::split_paths(&env::var_os("PATH")?)
        .map(|directory| directory.join(name))
        .find(|candidate| is_executable(candidate))
}

/// Whether this is a file that may be started.
pub(crate) fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

// Distributions nest fonts as kind/family/file; one level more is kept in reserve.
const FONT_DIRECTORY_DEPTH: usize = 4;

// File names are searched instead of asking fontconfig: `fc-list` may be missing, and starting it
// takes longer than everything else here together.
fn font_directories() -> Vec<PathBuf> {
    let mut directories: Vec<PathBuf> =
        ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"]
            .iter()
            .map(PathBuf::from)
            .collect();
    if let Some(own) = env::var_os("HOME").map(PathBuf::from) {
        directories.push(own.join(".local/share/fonts"));
        directories.push(own.join(".fonts"));
        directories.push(own.join("Library/Fonts"));
    }
    directories
}

fn collect_file_names(directory: &Path, depth: usize, names: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        // Follows links, because some distributions link whole font directories.
        let path = entry.path();
        if path.is_dir() {
            if depth > 0 {
                collect_file_names(&path, depth - 1, names);
            }
        } else {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::{BROWSER_VARIABLE, GROUPS};

    struct Described(Vec<Sign>);

    impl Probe for Described {
        fn sees(&self, sign: Sign) -> bool {
            self.0.contains(&sign)
        }
    }

    fn group(name: &str) -> &'static Group {
        GROUPS.iter().find(|group| group.name == name).unwrap()
    }

    fn names(groups: &[&'static Group], signs: &[Sign]) -> Vec<&'static str> {
        missing_packages(groups, &Described(signs.to_vec())).iter().map(|package| package.debian_name).collect()
    }

    #[test]
    fn an_empty_machine_misses_the_whole_browser_group() {
        assert_eq!(
            names(&[group("browser")], &[]),
            ["chromium", "fonts-dejavu-core", "fonts-liberation", "fonts-noto-color-emoji", "fonts-wqy-zenhei"]
        );
    }

    #[test]
    fn any_known_browser_counts() {
        for sign in [
            Sign::Command("chromium"),
            Sign::Command("chromium-browser"),
            Sign::Command("google-chrome"),
            Sign::Command("google-chrome-stable"),
            Sign::Variable(BROWSER_VARIABLE),
        ] {
            assert!(!names(&[group("browser")], &[sign]).contains(&"chromium"), "{sign:?} should count as a browser");
        }
    }

    #[test]
    fn only_what_is_missing_is_named() {
        let signs = [
            Sign::Command("google-chrome"),
            Sign::Font("DejaVuSans."),
            Sign::Font("NotoColorEmoji"),
            Sign::Font("NotoSansCJK"),
        ];
        assert_eq!(names(&[group("browser")], &signs), ["fonts-liberation"]);
    }

    #[test]
    fn node_from_anywhere_satisfies_the_bench_group() {
        assert_eq!(names(&[group("bench")], &[]), ["nodejs", "npm"]);
        assert!(names(&[group("bench")], &[Sign::Command("node")]).is_empty());
    }

    #[test]
    fn a_group_asked_for_twice_is_listed_once() {
        assert_eq!(names(&[group("bench"), group("bench")], &[]), ["nodejs", "npm"]);
    }

    #[test]
    fn every_package_can_be_detected_and_group_names_are_unique() {
        let mut seen = Vec::new();
        for group in GROUPS {
            assert!(!seen.contains(&group.name), "{} is listed twice", group.name);
            seen.push(group.name);
            for package in group.packages {
                assert!(!package.signs.is_empty(), "{} has no sign", package.debian_name);
            }
        }
    }
}
