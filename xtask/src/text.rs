//! Checks on the plain text of the repository's files: what no compiler looks at but a reader
//! would stumble over. Reading the files is separate from judging them, so tests need no files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// One file of the repository, by its path from the root.
#[derive(Debug)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) content: String,
}

/// All text files that git tracks or would track; new files should fail before they are committed.
pub(crate) fn repository_files(root: &Path) -> Result<Vec<TextFile>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .context("could not start git. hint: install git")?;
    if !output.status.success() {
        bail!(
            "`git ls-files` failed: {}. hint: run this in a git checkout",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let mut files = Vec::new();
    for path in String::from_utf8_lossy(&output.stdout).split_terminator('\0') {
        // Unreadable means deleted but not yet committed, or not text; neither is ours to judge.
        if let Ok(content) = fs::read_to_string(root.join(path)) {
            let path = path.to_owned();
            files.push(TextFile { path, content });
        }
    }
    if files.is_empty() {
        bail!("git names no readable files here. hint: run this in a git checkout");
    }
    Ok(files)
}

/// Overlong files, forbidden words and machine paths.
pub(crate) fn content_findings(file: &TextFile) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = file.content.lines().count();
    if has_ending(file, &["rs", "js", "html", "css"]) && lines > LONGEST_FILE {
        findings.push(format!("{}: {lines} lines. hint: split it, the limit is {LONGEST_FILE}", file.path));
    }
    // xtask waits without an async runtime, and has to name the words it looks for.
    let words_apply = has_ending(file, &["rs"]) && !file.path.starts_with("xtask/");
    // Conformance cases are kept as they were given, made-up paths and all.
    let is_case = file.path.starts_with("crates/vectors/data/");
    for (index, line) in file.content.lines().enumerate() {
        let place = format!("{}:{}", file.path, index + 1);
        if words_apply {
            for (word, hint) in FORBIDDEN_WORDS {
                if line.contains(word) {
                    findings.push(format!("{place}: `{word}`. hint: {hint}"));
                }
            }
        }
        if let Some(path) = machine_path(line).filter(|_| !is_case) {
            findings.push(format!(
                "{place}: the path {path} exists on one machine only. \
                 hint: make it relative, or take it from the environment"
            ));
        }
    }
    findings
}

/// Rust files that do not open with a comment on what they are for.
pub(crate) fn opening_findings(file: &TextFile) -> Option<String> {
    let bare = has_ending(file, &["rs"]) && !file.content.starts_with("//");
    bare.then(|| format!("{}:1: no opening comment. hint: say in one to five lines what the file owns", file.path))
}

const LONGEST_FILE: usize = 800;

const FORBIDDEN_WORDS: &[(&str, &str)] = &[
    ("#[ignore", "make the test run, or delete it"),
    ("todo!(", "write it, or leave it out"),
    ("unimplemented!(", "write it, or leave it out"),
    ("thread::sleep", "wait for the event itself, with a deadline"),
];

// Directories whose content differs between machines. Without slashes, so that this file itself
// passes the check.
const MACHINE_DIRECTORIES: &[&str] = &["work", "root", "home"];

fn has_ending(file: &TextFile, endings: &[&str]) -> bool {
    Path::new(&file.path).extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending))
}

// A path below such a directory, not the middle of another path or of a web address. The bare
// directory name is let through, as `/` + `home` is a common page of a site.
fn machine_path(line: &str) -> Option<&str> {
    for (start, _) in line.match_indices('/') {
        let below = MACHINE_DIRECTORIES
            .iter()
            .any(|directory| line[start + 1..].strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')));
        if below && starts_a_path(&line[..start]) {
            let rest = &line[start..];
            let end =
                rest.find(|letter: char| letter.is_whitespace() || "\"'`<>(),;".contains(letter)).unwrap_or(rest.len());
            return Some(&rest[..end]);
        }
    }
    None
}

fn starts_a_path(before: &str) -> bool {
    match before.chars().next_back() {
        None => true,
        // `file://` is followed by a path; a single or double slash elsewhere is not its start.
        Some('/') => before.ends_with("://"),
        Some(last) => !(last.is_alphanumeric() || "_-.~*}>)]".contains(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: impl Into<String>) -> TextFile {
        TextFile { path: path.to_owned(), content: content.into() }
    }

    fn path_below(directory: &str) -> String {
        format!("/{directory}/someone/x.png")
    }

    #[test]
    fn long_files_are_found_in_source_only() {
        let long = "line\n".repeat(LONGEST_FILE + 1);
        let longest = "line\n".repeat(LONGEST_FILE);
        assert_eq!(content_findings(&file("a/b.css", long.clone())).len(), 1);
        assert_eq!(content_findings(&file("a/b.css", longest)).len(), 0);
        assert_eq!(content_findings(&file("Cargo.lock", long)).len(), 0);
    }

    #[test]
    fn forbidden_words_are_named_with_their_line() {
        for (word, _) in FORBIDDEN_WORDS {
            let content = format!("// fine\n    {word}\n");
            let found = content_findings(&file("crates/run/src/lib.rs", content.clone()));
            assert_eq!(found.len(), 1, "{word}");
            assert!(found[0].starts_with("crates/run/src/lib.rs:2: "), "{found:?}");
            assert!(content_findings(&file("xtask/src/process.rs", content.clone())).is_empty());
            assert!(content_findings(&file("README.md", content)).is_empty());
        }
    }

    #[test]
    fn machine_paths_are_found_in_any_file() {
        for directory in MACHINE_DIRECTORIES {
            let path = path_below(directory);
            for line in [
                path.clone(),
                format!("open(\"{path}\")"),
                format!("file://{path}"),
                format!("--dir={path}"),
                format!("PATH=a:{path}"),
            ] {
                let found = content_findings(&file("README.md", line.clone()));
                assert_eq!(found.len(), 1, "{line}");
                assert!(found[0].contains(&format!("path {path} exists")), "{found:?}");
            }
        }
    }

    #[test]
    fn other_paths_and_addresses_are_left_alone() {
        for line in [
            format!("https://example.org{}", path_below("home")),
            format!("sites{}", path_below("work")),
            format!("~{}", path_below("work")),
            format!("${{base}}{}", path_below("root")),
            "http://home/index.html".to_owned(),
            "route(\"/home\")".to_owned(),
            "/workbench/one".to_owned(),
        ] {
            assert!(content_findings(&file("a.rs", line.clone())).is_empty(), "{line}");
        }
    }

    #[test]
    fn rust_files_open_with_a_comment() {
        assert_eq!(opening_findings(&file("a.rs", "//! Owns a.\n")), None);
        assert_eq!(opening_findings(&file("a.rs", "// Owns a.\n")), None);
        assert_eq!(opening_findings(&file("a.js", "let a;\n")), None);
        assert!(opening_findings(&file("a.rs", "use std::fs;\n")).is_some());
        assert!(opening_findings(&file("a.rs", "")).is_some());
    }
}
