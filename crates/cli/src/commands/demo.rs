//! `surehand demo`: a whole run without any set-up, in a browser on a built-in site or on a desktop with a real
//! application, refereed by a contract.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use surehand_brain::BrainSpec;
use surehand_sites::{Site, SiteServer};
use surehand_store::Store;
use surehand_types::Settings;
use tempfile::TempDir;

use super::demo_serve::demo_serve;
use super::report::write_html;
use super::run::{RunOutcome, RunRequest, launch_run};
use crate::args::{BrowserArguments, DemoArguments, DemoKind};
use crate::args_referee::RefereeArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::settings::set_flag;

const BROWSER_TASK: &str =
    "Sign in to the CRM, find Priya Raman, change her phone to +1 206 555 0199 and her status to Customer, and save.";
const BROWSER_FILES: &[(&str, &str)] = &[
    ("script.json", include_str!("../../demo/crm.json")),
    ("contract.json", include_str!("../../demo/crm.contract.json")),
];

const DESKTOP_TASK: &str = "Put a kick on every beat (four on the floor) and save the project.";
/// The same that is in `examples/lmms`.
const DESKTOP_FILES: &[(&str, &str)] = &[
    ("script.json", include_str!("../../../../examples/lmms/script.json")),
    ("contract.json", include_str!("../../../../examples/lmms/contract.json")),
    ("start.sh", include_str!("../../../../examples/lmms/start.sh")),
    ("start.mmp", include_str!("../../../../examples/lmms/start.mmp")),
];

pub(crate) async fn demo(arguments: DemoArguments, settings: Settings) -> Result<i32, Failure> {
    match arguments.kind {
        DemoKind::Browser => run(arguments, settings, BROWSER_FILES).await,
        DemoKind::Desktop => run(arguments, settings, DESKTOP_FILES).await,
        DemoKind::Serve => demo_serve(arguments, settings).await,
    }
}

async fn run(arguments: DemoArguments, mut settings: Settings, files: &[(&str, &str)]) -> Result<i32, Failure> {
    let data = open_data(&settings)?;
    let files = write_files(files)?;
    let at = |name: &str| files.path().join(name);
    let server = if arguments.kind == DemoKind::Browser { Some(start_site().await?) } else { None };
    let (task, browser) = match &server {
        Some(_) => (BROWSER_TASK, BrowserArguments { headed: arguments.headed, ..BrowserArguments::default() }),
        None => {
            set_flag(&mut settings, "max_steps", "10")?;
            (DESKTOP_TASK, desktop(&at("start.sh")))
        }
    };
    if !arguments.json {
        match &server {
            Some(server) => eprintln!("A scripted brain now drives a real browser on a small CRM at {}", server.url()),
            None => eprintln!("A scripted brain now drives LMMS, a real music program, on a screen of its own"),
        }
        eprintln!("Task: {task}");
    }
    let request = RunRequest {
        task: task.into(),
        url: server.as_ref().map(SiteServer::url),
        browser,
        json: arguments.json,
        values: Vec::new(),
        required: Vec::new(),
        resumed: None,
        referee: RefereeArguments { contract: Some(at("contract.json")), ..RefereeArguments::default() },
        scripted: true,
    };
    let spec = BrainSpec::Script(at("script.json"));
    let outcome = launch_run(&request, &spec, &settings, &data).await;
    if let Some(server) = server {
        server.stop().await;
    }
    let outcome = outcome?;
    let store = Store::open(&data).await?;
    let file = arguments.output.unwrap_or_else(|| data.run(&outcome.result.run_id).join("report.html"));
    write_html(&store, &outcome.result.run_id, &file).await?;
    if arguments.json {
        say!("{}", serde_json::json!({"type": "result", "result": outcome.result}));
    } else {
        print_summary(&outcome, &file);
    }
    Ok(outcome.exit as i32)
}

async fn start_site() -> Result<SiteServer, Failure> {
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    SiteServer::start(Site::Crm, any_port).await.map_err(|error| Failure::broken(error.to_string()))
}

fn desktop(start: &Path) -> BrowserArguments {
    // A folder that the system made; a quote in its name would still not end the word.
    let quoted = start.display().to_string().replace('\'', r"'\''");
    BrowserArguments {
        desktop: Some("xvfb:1280x720".into()),
        app: Some(format!("sh '{quoted}'")),
        ..BrowserArguments::default()
    }
}

pub(super) fn write_files(files: &[(&str, &str)]) -> Result<TempDir, Failure> {
    let cannot = |error: std::io::Error| Failure::broken(format!("cannot write the demo's files: {error}"));
    let folder = tempfile::Builder::new().prefix("surehand-demo-").tempdir().map_err(cannot)?;
    for (name, text) in files {
        let file: PathBuf = folder.path().join(name);
        std::fs::write(file, text).map_err(cannot)?;
    }
    Ok(folder)
}

fn print_summary(outcome: &RunOutcome, file: &Path) {
    let result = &outcome.result;
    say!();
    say!("{}.", outcome.headline);
    for check in result.referee.iter().flat_map(|record| &record.checks) {
        let sign = match check.result {
            surehand_types::referee::CheckResult::Pass => "✓",
            surehand_types::referee::CheckResult::Fail => "✕",
            surehand_types::referee::CheckResult::Unknown => "?",
        };
        say!("  {sign} {}", surehand_trace::report::judged::check_title(check));
    }
    say!("{} steps in {:.1} s. See what happened:", result.steps, result.duration_s);
    say!("  {}", file.display());
    say!("  surehand report {}", result.run_id);
}
