//! The benchmarks behind `cargo xtask bench`. This file orders them, prints what they found and
//! makes sure that nothing is left behind, whatever way the run ends. stdout is the result, stderr
//! the progress; exit code 1 means that a click or a frame was not what it should be, 4 that a
//! benchmark could not be done.

mod args;
mod checks;
mod controller;
mod cost;
mod desktop;
mod done;
mod hostile;
mod lessons;
mod load;
mod memory;
mod panel;
mod referee;
mod scratch;
mod serve;
mod site;
mod stale;
mod start;
mod statistics;
mod step;
mod table;
mod tools;
mod verify;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use serde::Serialize;
use surehand_env::browser::find_browser;
use tokio::signal::unix::{SignalKind, signal};

use self::args::{Arguments, Name};
use self::controller::{Setup, Toolchain};
use self::scratch::Scratch;
use self::site::Site;

#[derive(Debug, Default, Serialize)]
struct Report {
    browser: String,
    playwright: Option<String>,
    /// What else the machine was doing: its load average of one minute, before and after.
    load_average: [Option<f64>; 2],
    step: Option<step::StepReport>,
    start: Option<start::StartReport>,
    memory: Option<memory::MemoryReport>,
    tools: Option<tools::ToolsReport>,
    stale: Option<stale::StaleReport>,
    verify: Option<verify::VerifyReport>,
    checks: Option<checks::ChecksReport>,
    done: Option<surehand_eval::DoneReport>,
    hostile: Option<hostile::HostileReport>,
    cost: Option<cost::CostReport>,
    referee: Option<referee::RefereeReport>,
    desktop: Option<desktop::DesktopReport>,
    lessons: Option<lessons::LessonsReport>,
    serve: Option<serve::ServeReport>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let scratch = match Scratch::create() {
        Ok(scratch) => scratch,
        Err(error) => return failed(&error),
    };
    let json = arguments.json;
    let folder = scratch.path().to_path_buf();
    // A task of its own, so that a panic in it ends here as well and the sweep is still done.
    let mut work = tokio::spawn(async move { run(&arguments, folder).await });
    let code = tokio::select! {
        ended = &mut work => match ended {
            Ok(Ok(report)) => print(&report, json),
            Ok(Err(error)) => failed(&error),
            Err(error) => failed(&error.into()),
        },
        () = interrupted() => {
            work.abort();
            // Everything it held is dropped, and with it the processes, before the sweep.
            let _ = work.await;
            ExitCode::from(130)
        }
    };
    scratch.sweep().await;
    code
}

async fn run(arguments: &Arguments, scratch: PathBuf) -> Result<Report> {
    if arguments.name == Some(Name::Lessons) {
        // It needs no browser.
        let load = load::average();
        let lessons = Some(lessons::measure(&scratch).await?);
        return Ok(Report { lessons, load_average: [load, load::average()], ..Report::default() });
    }
    if let (Some(Name::Referee), Some(folder)) = (arguments.name, &arguments.make_frames) {
        referee::make_frames(folder, arguments.seed, arguments.count).await?;
        return Ok(Report::default());
    }
    let named = std::env::var("SUREHAND_CHROMIUM").ok();
    let browser = find_browser(named.as_deref()).context("no Chromium was found. hint: cargo xtask setup browser")?;
    let release = std::env::current_exe().context("cannot find this program")?;
    let release = release.parent().context("this program has no folder")?;
    let site = Site::serve().await?;
    let setup = Setup { browser, url: site.url.clone(), format: arguments.format, aiming: arguments.aiming(), scratch };
    let toolchain = toolchain(release).await;
    let mut report = Report {
        browser: setup.browser.display().to_string(),
        playwright: toolchain.as_ref().ok().and_then(Toolchain::version),
        load_average: [load::average(), None],
        ..Report::default()
    };
    if arguments.includes(Name::Step) {
        report.step = Some(step::measure(arguments, &setup, &toolchain).await?);
    }
    if arguments.includes(Name::Start) {
        report.start = Some(start::measure(&setup, &toolchain).await?);
    }
    if arguments.includes(Name::Memory) {
        let program = release.join("surehand");
        report.memory = Some(memory::measure(arguments, &setup, &program, &toolchain).await?);
    }
    if arguments.includes(Name::Tools) {
        report.tools = Some(tools::measure(&setup).await?);
    }
    if arguments.includes(Name::Stale) {
        report.stale = Some(stale::measure(arguments, &setup).await?);
    }
    if arguments.includes(Name::Verify) {
        report.verify = Some(verify::measure(&arguments.verify, &setup).await?);
    }
    if arguments.includes(Name::Checks) {
        report.checks = Some(checks::measure(&setup, release.parent().unwrap_or(release)).await?);
    }
    if arguments.includes(Name::Done) {
        let output = arguments.verify.output.as_deref().filter(|_| arguments.name == Some(Name::Done));
        report.done = Some(done::measure(&setup, output).await?);
    }
    if arguments.includes(Name::Hostile) {
        report.hostile = Some(hostile::measure(&setup, &release.join("surehand")).await?);
    }
    if arguments.includes(Name::Cost) {
        let build_folder = release.parent().unwrap_or(release);
        let measured = cost::measure(&setup, &release.join("surehand"), build_folder, arguments.clicks).await?;
        report.cost = Some(measured);
    }
    if arguments.includes(Name::Referee) {
        report.referee = Some(referee::measure(&setup, arguments.frames.as_deref()).await?);
    }
    if arguments.includes(Name::Desktop) {
        report.desktop = Some(desktop::measure(arguments.clicks).await?);
    }
    if arguments.includes(Name::Lessons) {
        report.lessons = Some(lessons::measure(&setup.scratch).await?);
    }
    if arguments.includes(Name::Serve) {
        report.serve = Some(serve::measure(&setup, &release.join("surehand"), arguments.runs).await?);
    }
    report.load_average[1] = load::average();
    Ok(report)
}

/// Playwright, or the reason why it is skipped.
async fn toolchain(release: &Path) -> Result<Toolchain, String> {
    let build_folder = release.parent().unwrap_or(release);
    Toolchain::prepare(build_folder).await.map_err(|error| error.to_string())
}

fn print(report: &Report, json: bool) -> ExitCode {
    if json {
        match serde_json::to_string_pretty(report) {
            Ok(text) => println!("{text}"),
            Err(error) => return failed(&error.into()),
        }
    } else {
        let parts = [
            report.step.as_ref().map(ToString::to_string),
            report.start.as_ref().map(ToString::to_string),
            report.memory.as_ref().map(ToString::to_string),
            report.tools.as_ref().map(ToString::to_string),
            report.stale.as_ref().map(ToString::to_string),
            report.verify.as_ref().map(ToString::to_string),
            report.checks.as_ref().map(ToString::to_string),
            report.done.as_ref().map(done::text),
            report.hostile.as_ref().map(ToString::to_string),
            report.cost.as_ref().map(ToString::to_string),
            report.referee.as_ref().map(ToString::to_string),
            report.desktop.as_ref().map(ToString::to_string),
            report.lessons.as_ref().map(ToString::to_string),
            report.serve.as_ref().map(ToString::to_string),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        println!("{}", parts.join("\n"));
        let [before, after] = report.load_average.map(|load| load.map_or("?".into(), |load| format!("{load:.1}")));
        println!("load average of the machine: {before} before, {after} after; a quiet one begins near 0");
    }
    let step_holds = report.step.as_ref().is_none_or(step::StepReport::holds);
    let stale_holds = report.stale.as_ref().is_none_or(stale::StaleReport::holds);
    let done_holds = report.done.as_ref().is_none_or(surehand_eval::DoneReport::holds);
    let hostile_holds = report.hostile.as_ref().is_none_or(hostile::HostileReport::holds);
    if !report.cost.as_ref().is_none_or(cost::CostReport::holds) {
        eprintln!("bench: FAILED: what a step sends to a model grows, or could not be measured");
        return ExitCode::from(1);
    }
    if !report.referee.as_ref().is_none_or(referee::RefereeReport::holds) {
        eprintln!("bench: FAILED: a wrong outcome passed, or a cell was read wrongly");
        return ExitCode::from(1);
    }
    if !report.lessons.as_ref().is_none_or(lessons::LessonsReport::holds) {
        eprintln!("bench: FAILED: lessons were not found, or not fast enough");
        return ExitCode::from(1);
    }
    if !report.serve.as_ref().is_none_or(serve::ServeReport::holds) {
        eprintln!("bench: FAILED: a run of the server was lost, doubled, out of order or not told");
        return ExitCode::from(1);
    }
    if step_holds && stale_holds && done_holds && hostile_holds {
        return ExitCode::SUCCESS;
    }
    eprintln!("bench: FAILED: a click was missed, a frame is stale, a claim was judged wrongly or an attack succeeded");
    ExitCode::from(1)
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(4)
}

/// Ctrl-C or a request to end.
async fn interrupted() {
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    eprintln!("\nbench: stopping");
}
