//! Paths of a contract: relative, downwards only, in the contract's folder or in a folder that whoever starts
//! the judgement named. Symbolic links are a matter for the moment of opening, see `probes/files.rs`.

use std::path::{Component, Path};

use super::error::quoted;

/// Refuses what could lead out of the folder, before any file is looked at.
pub(crate) fn below(path: &str) -> Result<(), String> {
    let shown = quoted(path);
    if path.is_empty() || path.contains('\0') {
        return Err("a path wants a name".into());
    }
    // A backslash is part of a name here and a separator elsewhere; a contract should mean the same everywhere.
    if path.contains('\\') {
        return Err(format!("`{shown}` has a backslash. hint: write folders with /"));
    }
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') || path.starts_with('~') || drive {
        return Err(format!("`{shown}` is not relative. hint: paths start at the contract's folder, or at a `root`"));
    }
    let climbs = |part: Component<'_>| !matches!(part, Component::Normal(_) | Component::CurDir);
    if Path::new(path).components().any(climbs) {
        return Err(format!("`{shown}` leads out of its folder. hint: `..` is not allowed"));
    }
    Ok(())
}

/// The name of a declared folder.
pub(crate) fn root_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 60 || !name.chars().all(plain) {
        return Err(format!("`{}` is no name of a folder. hint: letters, digits, - and _", quoted(name)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_downwards() {
        for fine in ["a.csv", "out/*.csv", "./out/a", "a..b/c", "out/..hidden"] {
            assert_eq!(below(fine), Ok(()), "{fine}");
        }
        for wrong in ["", "/etc/passwd", "../a", "out/../../a", "~/a", "C:/a", "a\\b", "..", "a/..", "x\0y"] {
            assert!(below(wrong).is_err(), "{wrong}");
        }
        assert!(root_name("downloads").is_ok() && root_name("../x").is_err() && root_name("").is_err());
    }
}
