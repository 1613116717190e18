//! Whole texts against files; `SUREHAND_UPDATE_SNAPSHOTS=1` writes the files.

use std::path::Path;

#[test]
fn texts_are_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let update = std::env::var_os("SUREHAND_UPDATE_SNAPSHOTS").is_some_and(|value| value == "1");
    let texts = super::texts();
    let mut different = Vec::new();
    for (name, text) in &texts {
        let file = folder.join(format!("{name}.md"));
        if update {
            std::fs::write(&file, text).expect("the snapshot can be written");
        }
        let reviewed = std::fs::read_to_string(&file).unwrap_or_default();
        if reviewed != *text {
            let line = reviewed.lines().zip(text.lines()).take_while(|(old, new)| old == new).count();
            let now = text.lines().nth(line).unwrap_or("the end");
            different.push(format!("{name}.md, line {}: now {now:?}", line + 1));
        }
    }
    assert!(different.is_empty(), "{different:#?}\nhint: SUREHAND_UPDATE_SNAPSHOTS=1 accepts the new texts");
    // Whole requests have a folder of their own there.
    let files = std::fs::read_dir(&folder).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_file()).count();
    assert_eq!(files, texts.len(), "a snapshot belongs to no text any more");
}
