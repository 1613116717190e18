//! The long run: fresh seeds until the time is up, then a table. What fails is kept as a file.

use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::Parser;
use surehand_fuzz::{TARGETS, Target, check_one, keep_regression, regression_inputs, run};

#[derive(Debug, Parser)]
#[command(about = "Feeds made-up input to everything that reads outside text.")]
struct Arguments {
    /// How long all targets together may take
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    minutes: f64,
    /// Only the targets whose name contains this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Begin with this seed instead of a fresh one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

struct Row {
    target: &'static Target,
    cases: u64,
    spent: Duration,
    slowest: Duration,
    failures: u32,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let wanted = |target: &&Target| arguments.only.as_deref().is_none_or(|only| target.name.contains(only));
    let targets: Vec<&'static Target> = TARGETS.iter().filter(wanted).collect();
    if targets.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("no target has that in its name. hint: there are {}", names.join(", "));
    }
    if !arguments.minutes.is_finite() || arguments.minutes <= 0.0 || arguments.minutes > 60.0 * 24.0 * 30.0 {
        bail!("--minutes wants a number of minutes above 0");
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_nanos() as u64).unwrap_or(1);
    let seed = arguments.seed.unwrap_or(now);
    println!("{} targets, {} minutes, seed {seed}", targets.len(), arguments.minutes);
    // The words of a panic are in the failure; a trace for every step of shrinking would bury them.
    std::panic::set_hook(Box::new(|_| {}));
    let each = Duration::from_secs_f64(arguments.minutes * 60.0 / targets.len() as f64);
    let rows: Vec<Row> = targets.into_iter().map(|target| fuzz(target, each, seed)).collect();
    println!("\n{:<18}  {:>9}  {:>8}  {:>10}  {:>8}", "TARGET", "CASES", "SECONDS", "SLOWEST ms", "FAILURES");
    for row in &rows {
        let (seconds, slowest) = (row.spent.as_secs_f64(), row.slowest.as_secs_f64() * 1000.0);
        println!("{:<18}  {:>9}  {seconds:>8.1}  {slowest:>10.1}  {:>8}", row.target.name, row.cases, row.failures);
    }
    if let Some(peak) = peak_memory() {
        println!("most memory at once: {peak} MB");
    }
    let failed: u32 = rows.iter().map(|row| row.failures).sum();
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fuzz(target: &'static Target, time: Duration, seed: u64) -> Row {
    let begun = Instant::now();
    let mut row = Row { target, cases: 0, spent: Duration::ZERO, slowest: Duration::ZERO, failures: 0 };
    for (name, input) in regression_inputs(target) {
        row.cases += 1;
        if let Err(reason) = check_one(target, &input) {
            row.failures += 1;
            println!("{}: the kept input {name} fails: {reason}", target.name);
        }
    }
    let mut round = 0_u64;
    // A target that fails has been proven wrong; more of the same would only hide the others.
    while begun.elapsed() < time && row.failures == 0 {
        let outcome = run(target, target.cases, seed.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        round += 1;
        row.cases += u64::from(outcome.cases);
        row.slowest = row.slowest.max(outcome.slowest);
        if let Some(failure) = outcome.failure {
            row.failures += 1;
            println!("{}: {}", target.name, failure.reason);
            println!("  input: {:?}", shortened(&String::from_utf8_lossy(&failure.input)));
            match keep_regression(target, &failure.input) {
                Ok(file) => println!("  kept in {}", file.display()),
                Err(error) => println!("  it could not be kept: {error}"),
            }
        }
    }
    row.spent = begun.elapsed();
    println!("{}: {} cases", target.name, row.cases);
    row
}

fn shortened(text: &str) -> String {
    text.chars().take(600).collect()
}

/// In megabytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1000)
}
