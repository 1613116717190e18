//! Every case of the vectors that come with the project.

use std::path::Path;

#[test]
fn every_case_of_every_family_passes() {
    let mut wrong = Vec::new();
    for folder in ["data/verify", "data/learn"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for outcome in surehand_vectors::run_folder(&folder).unwrap() {
            println!("{}: {}/{}", outcome.family, outcome.passed, outcome.total);
            for difference in &outcome.differences {
                println!("  {difference}");
            }
            if !outcome.is_right() {
                wrong.push(outcome.family);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} differ");
}

#[test]
fn a_family_that_nobody_knows_fails() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("astrology.json"), r#"{"about": "", "cases": []}"#).unwrap();
    std::fs::write(folder.path().join("predicates.json"), "{").unwrap();
    let outcomes = surehand_vectors::run_folder(folder.path()).unwrap();
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.iter().all(|outcome| !outcome.is_right()));
}
