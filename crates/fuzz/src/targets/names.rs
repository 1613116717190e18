//! Names that sites give to files.

use proptest::strategy::BoxedStrategy;
use surehand_env::browser::fuzzing::download_name;

use crate::generate::mutated_text;
use crate::{Target, holds};

pub(super) const DOWNLOAD_NAMES: Target =
    Target { name: "download_names", cases: 400, input: names, check: check_name };

fn names() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "report.pdf",
        "../../etc/passwd",
        "CON.txt",
        "archive.tar.gz",
        "a\u{202e}fdp.exe",
        ".hidden",
        "-rf *",
    ])
}

fn check_name(input: &[u8]) -> Result<(), String> {
    let name = download_name(&String::from_utf8_lossy(input));
    let path = std::path::Path::new(&name);
    holds(path.file_name() == Some(name.as_ref()), || format!("{name:?} is not one name"))?;
    holds(name.len() <= 200 && !name.starts_with(['.', '-', '~', ' ']), || format!("{name:?}"))?;
    holds(!name.chars().any(|c| c.is_control() || "/\\:*?\"<>|\u{202e}\u{200b}".contains(c)), || format!("{name:?}"))?;
    holds(download_name(&name) == name, || format!("{name:?} becomes {:?}", download_name(&name)))
}
