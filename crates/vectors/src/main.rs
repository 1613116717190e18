//! `surehand-vectors DIR`: runs every family of a folder and says how many cases passed.

use std::path::PathBuf;
use std::process::ExitCode;

/// Differences shown of one family.
const SHOWN: usize = 3;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("name the folder with the vectors: surehand-vectors DIR");
        return ExitCode::from(2);
    };
    println!("profile: vectors");
    let outcomes = match surehand_vectors::run_folder(&folder) {
        Ok(outcomes) => outcomes,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    for outcome in &outcomes {
        println!("{}: {}/{}", outcome.family, outcome.passed, outcome.total);
        for difference in outcome.differences.iter().take(SHOWN) {
            println!("  {difference}");
        }
    }
    if outcomes.iter().all(surehand_vectors::FamilyOutcome::is_right) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
