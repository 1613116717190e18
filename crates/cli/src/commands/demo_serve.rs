//! `surehand demo serve`: a server to try the pages on, with a site to work on and a scripted brain, so that nobody needs a
//! key to approve an action, take over, and hand back.

use surehand_types::Settings;

use super::demo::{start_site, write_files};
use super::serve::serve;
use crate::args::DemoArguments;
use crate::args_serve::ServeArguments;
use crate::exit::Failure;
use crate::output::say;

const FILES: &[(&str, &str)] = &[("script.json", include_str!("../../demo/people.json"))];

pub(crate) async fn demo_serve(arguments: DemoArguments, settings: Settings) -> Result<i32, Failure> {
    if arguments.headed || arguments.output.is_some() {
        return Err(Failure::usage("a server has no window and writes no report\nhint: surehand demo serve"));
    }
    let files = write_files(FILES)?;
    let site = start_site().await?;
    if arguments.json {
        say!("{}", serde_json::json!({"type": "site", "url": site.url()}));
    } else {
        eprintln!("A server with a scripted brain, and a small CRM for it to work on. Nothing leaves this machine.\n");
        eprintln!("  1. Open the address below, press New run, and enter");
        eprintln!("       Task      Delete the contact Priya Raman");
        eprintln!("       Start at  {}", site.url());
        eprintln!(
            "  2. Open the run. Pause it, take over, click and type into the page, hand back: whenever you like."
        );
        eprintln!("  3. It asks a question, and before it deletes anything it wants your word: approve or deny.");
        eprintln!("  4. At the end, look at the report.\n");
        eprintln!("Ctrl-C ends it.");
    }
    let brain = format!("script:{}", files.path().join("script.json").display());
    let flags = ServeArguments { brain: vec![brain], json: arguments.json, ..ServeArguments::default() };
    let served = serve(flags, settings).await;
    site.stop().await;
    served
}
