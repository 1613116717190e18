//! Runs a target on generated input and shrinks what fails.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestError, TestRunner};

use crate::Target;

/// Time on the processor that one case may take in a debug build; only something that grows without
/// measure takes longer.
const SLOWEST: Duration = Duration::from_secs(4);

#[derive(Debug, Clone)]
pub struct Outcome {
    pub cases: u32,
    pub spent: Duration,
    pub slowest: Duration,
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone)]
pub struct Failure {
    /// The smallest input that was found to fail.
    pub input: Vec<u8>,
    pub reason: String,
}

/// One input: what the check says, or the words of its panic.
pub fn check_one(target: &Target, input: &[u8]) -> Result<Duration, String> {
    let (begun, worked) = (Instant::now(), processor_time());
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    // On a busy machine the clock says more about the others.
    let spent = match (worked, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => begun.elapsed(),
    };
    match checked {
        Ok(Ok(())) if spent > SLOWEST => Err(format!("it took {:.1} s", spent.as_secs_f64())),
        Ok(Ok(())) => Ok(spent),
        Ok(Err(reason)) => Err(reason),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
            Err(format!("it panicked: {words}"))
        }
    }
}

/// What this thread has worked so far, where the system tells.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Runs so many cases. The same seed gives the same cases.
pub fn run(target: &Target, cases: u32, seed: u64) -> Outcome {
    let config = Config {
        cases,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: 2000,
        max_shrink_time: 20_000,
        ..Config::default()
    };
    let begun = Instant::now();
    let (counted, slowest) = (RefCell::new(0), RefCell::new(Duration::ZERO));
    let result = TestRunner::new(config).run(&(target.input)(), |input| {
        *counted.borrow_mut() += 1;
        let spent = check_one(target, &input).map_err(TestCaseError::fail)?;
        let longest = slowest.borrow().max(spent);
        *slowest.borrow_mut() = longest;
        Ok(())
    });
    let failure = match result {
        Ok(()) => None,
        Err(TestError::Fail(reason, input)) => Some(Failure { input, reason: reason.to_string() }),
        Err(TestError::Abort(reason)) => Some(Failure { input: Vec::new(), reason: format!("aborted: {reason}") }),
    };
    Outcome { cases: counted.into_inner(), spent: begun.elapsed(), slowest: slowest.into_inner(), failure }
}
