//! A short run of every target with a fixed seed, after the inputs that once failed.

use surehand_fuzz::{TARGETS, Target, check_one, regression_inputs, run};

/// Any number; the long run takes fresh ones.
const SEED: u64 = 20_261_116;

#[track_caller]
fn short(name: &str) {
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        panic!("there is no target {name}");
    };
    for (file, input) in regression_inputs(target) {
        if let Err(reason) = check_one(target, &input) {
            panic!("{name}: the kept input {file} fails: {reason}");
        }
    }
    let outcome = run(target, target.cases, SEED);
    if let Some(failure) = outcome.failure {
        panic!("{name}: {}\ninput: {:?}", failure.reason, String::from_utf8_lossy(&failure.input));
    }
    assert!(outcome.cases >= target.cases, "only {} cases ran", outcome.cases);
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { short(stringify!($name)); })*

        #[test]
        fn every_target_is_run() {
            let tested = [$(stringify!($name)),*];
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(known, tested);
        }
    };
}

targets! {
    calls replies keys coordinates lines exec_lines scripts brain_specs model_replies model_words
    model_streams predicates claims suites settings
    storage_states policies allowlists traces imports audits redactor placeholders pictures browser_events
    browser_answers browser_pipe download_names contracts judgements routines
}

/// The runner itself: what fails is found, shrunk and told.
#[test]
fn a_wrong_reader_is_found_out() {
    const WRONG: Target = Target {
        name: "wrong",
        cases: 2000,
        input: surehand_fuzz::generate::any_bytes,
        check: |input| {
            assert!(input.len() < 100, "too long");
            Ok(())
        },
    };
    let failure = run(&WRONG, WRONG.cases, SEED).failure.unwrap();
    assert!(failure.reason.contains("too long"), "{}", failure.reason);
    assert_eq!(failure.input.len(), 100, "shrunk to the smallest");
}
