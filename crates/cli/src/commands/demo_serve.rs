//! `surehand demo serve`: a server to try the pages on, with a site to work on and a scripted brain, so that nobody needs a
//! key to approve an action, take over, and hand back.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use surehand_sites::SiteServer;
use surehand_types::Settings;

use super::serve::serve_telling;
use crate::args::DemoArguments;
use crate::args_serve::ServeArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

const SCRIPT: &str = include_str!("../../demo/people.json");

/// Where the site is if nobody else is there: a run of an earlier demo finds it again.
const SITE_PORT: u16 = 4317;

pub(crate) async fn demo_serve(arguments: DemoArguments, settings: Settings) -> Result<i32, Failure> {
    if arguments.headed || arguments.output.is_some() {
        return Err(Failure::usage("a server has no window and writes no report\nhint: surehand demo serve"));
    }
    let folder = open_data(&settings)?.root().join("demo");
    let script = write_script(&folder)?;
    let visitors = folder.join("signed-in");
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let site = match SiteServer::start_crm_remembering(&visitors, at(SITE_PORT)).await {
        Ok(site) => site,
        Err(_) => {
            let anywhere = SiteServer::start_crm_remembering(&visitors, at(0)).await;
            anywhere.map_err(|error| Failure::broken(error.to_string()))?
        }
    };
    if arguments.json {
        say!("{}", serde_json::json!({"type": "site", "url": site.url()}));
    }
    let brain = format!("script:{}", script.display());
    let flags = ServeArguments { brain: vec![brain], json: arguments.json, ..ServeArguments::default() };
    let served = serve_telling(flags, settings, &how_to(&site.url())).await;
    site.stop().await;
    served
}

fn how_to(site: &str) -> String {
    format!(
        "A server with a scripted brain, and a small CRM for it to work on. Nothing leaves this machine.

  1. Open the address below, press New run, and enter
       What to do        Delete the contact Priya Raman
       Where to begin    {site}
  2. Open the run. Pause it, take over, click and type into the page, hand back: whenever you like.
  3. It asks a question, and before it deletes anything it wants your word: approve or deny.
  4. At the end, look at the report.

Once she is deleted, another run finds nobody of that name. Ctrl-C ends the server and the CRM; with the next
`surehand demo serve` runs go on, and the CRM has her again.
"
    )
}

/// In the data folder: a run that is resumed by the next demo has to be offered the same brain.
fn write_script(folder: &Path) -> Result<PathBuf, Failure> {
    let file = folder.join("people.json");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, SCRIPT));
    written.map_err(|error| Failure::broken(format!("cannot write {}: {error}", file.display())))?;
    Ok(file)
}
