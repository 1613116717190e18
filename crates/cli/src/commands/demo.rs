//! `surehand demo`: a whole run on a built-in site, checked at the site's own state afterwards.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use surehand_brain::BrainSpec;
use surehand_env::local_client;
use surehand_sites::{Site, SiteServer};
use surehand_store::Store;
use surehand_types::Settings;

use super::report::write_html;
use super::run::{RunRequest, launch_run};
use crate::args::{BrowserArguments, DemoArguments};
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

const SCRIPT: &str = include_str!("../../demo/crm.json");
const TASK: &str =
    "Sign in to the CRM, find Priya Raman, change her phone to +1 206 555 0199 and her status to Customer, and save.";
const CONTACT: u64 = 1087;
const EXPECTED: [(&str, &str); 2] = [("phone", "+1 206 555 0199"), ("status", "Customer")];

pub(crate) async fn demo(arguments: DemoArguments, settings: Settings) -> Result<i32, Failure> {
    let data = open_data(&settings)?;
    let server = SiteServer::start(Site::Crm, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
        .await
        .map_err(|error| Failure::broken(error.to_string()))?;
    if !arguments.json {
        eprintln!("A scripted brain now drives a real browser on a small CRM at {}", server.url());
        eprintln!("Task: {TASK}");
    }
    let script = script_file()?;
    let request = RunRequest {
        task: TASK.into(),
        url: Some(server.url()),
        browser: BrowserArguments { headed: arguments.headed, ..BrowserArguments::default() },
        json: arguments.json,
        values: Vec::new(),
        required: Vec::new(),
        resumed: None,
        scripted: true,
    };
    let spec = BrainSpec::Script(script.path().to_path_buf());
    let outcome = launch_run(&request, &spec, &settings, &data).await?;
    let checked = check(&server).await;
    server.stop().await;

    let store = Store::open(&data).await?;
    let file = arguments.output.unwrap_or_else(|| data.run(&outcome.result.run_id).join("report.html"));
    write_html(&store, &outcome.result.run_id, &file).await?;
    if arguments.json {
        let line = serde_json::json!({"type": "result", "result": outcome.result});
        say!("{line}");
    } else {
        print_summary(&outcome.headline, &checked, &file, &outcome.result);
    }
    match checked {
        Ok(()) if outcome.result.success => Ok(0),
        Ok(()) => Ok(outcome.exit as i32),
        Err(_) => Ok(1),
    }
}

fn script_file() -> Result<tempfile::NamedTempFile, Failure> {
    let cannot = |error: std::io::Error| Failure::broken(format!("cannot write the demo's script: {error}"));
    let file = tempfile::Builder::new().prefix("surehand-demo-").suffix(".json").tempfile().map_err(cannot)?;
    std::fs::write(file.path(), SCRIPT).map_err(cannot)?;
    Ok(file)
}

/// Looks at the site's own state: neither the brain nor its pictures have a say in this.
async fn check(server: &SiteServer) -> Result<(), String> {
    let url = format!("{}__state", server.url());
    let client = local_client(Duration::from_secs(5)).map_err(|error| error.to_string())?;
    let state: Value = client
        .get(&url)
        .send()
        .await
        .map_err(|error| error.to_string())?
        .json()
        .await
        .map_err(|error| error.to_string())?;
    let contacts = state["contacts"].as_array().ok_or("the site has no contacts")?;
    let contact =
        contacts.iter().find(|contact| contact["id"].as_u64() == Some(CONTACT)).ok_or("the contact is gone")?;
    for (field, expected) in EXPECTED {
        let found = contact[field].as_str().unwrap_or("nothing");
        if found != expected {
            return Err(format!("{field} is {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

fn print_summary(headline: &str, checked: &Result<(), String>, file: &Path, result: &surehand_types::RunResult) {
    say!();
    say!("{headline}.");
    match checked {
        Ok(()) => say!("Checked at the site itself: the record was changed as asked."),
        Err(problem) => say!("Checked at the site itself: NOT as asked: {problem}"),
    }
    say!("{} steps in {:.1} s. See what happened:", result.steps, result.duration_s);
    say!("  {}", file.display());
    say!("  surehand report {}", result.run_id);
}
