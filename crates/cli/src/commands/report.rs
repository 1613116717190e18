//! `surehand report`: a run as text, as one HTML page, or as its raw events.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use surehand_store::Store;
use surehand_trace::report::terminal::{Colour, TerminalOptions};
use surehand_trace::report::{html, terminal};
use surehand_types::Settings;

use crate::args::ReportArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

pub(crate) async fn report(arguments: ReportArguments, settings: &Settings) -> Result<i32, Failure> {
    let data = open_data(settings)?;
    let store = Store::open(&data).await?;
    let run_id = store.resolve(&arguments.run).await?;
    if arguments.json {
        for envelope in store.events(&run_id)?.events {
            say!("{}", serde_json::to_string(&envelope).unwrap_or_default());
        }
        return Ok(0);
    }
    if arguments.output.is_some() || arguments.open {
        let file = arguments.output.unwrap_or_else(|| data.run(&run_id).join("report.html"));
        write_html(&store, &run_id, &file).await?;
        say!("{}", file.display());
        if arguments.open {
            open_page(&file);
        }
        return Ok(0);
    }
    let timeline = store.timeline(&run_id).await?;
    let options = TerminalOptions {
        width: std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100),
        colour: if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            Colour::Ansi
        } else {
            Colour::Plain
        },
        hints: vec![format!("as a page: surehand report {run_id} -o report.html")],
    };
    crate::output::write(format_args!("{}", terminal::render(&timeline, &options)));
    Ok(0)
}

pub(crate) async fn write_html(store: &Store, run_id: &str, file: &Path) -> Result<(), Failure> {
    let timeline = store.timeline(run_id).await?;
    let page = html::render(&timeline, &store.frames());
    write_whole(file, page.as_bytes())
}

/// Through a temporary name, so that a full disk leaves no half page behind.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::usage(format!("cannot write {}: {error}", file.display()));
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let temporary = tempfile::NamedTempFile::new_in(&folder).map_err(cannot)?;
    std::fs::write(temporary.path(), bytes).map_err(cannot)?;
    temporary.persist(file).map_err(|error| cannot(error.error))?;
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644));
    Ok(())
}

fn open_page(file: &Path) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = std::process::Command::new(opener)
        .arg(file)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if started.is_err() {
        eprintln!("surehand: {opener} is not there; open the file by hand");
    }
}
