//! `surehand report`: a run as text, as one HTML page, as one JSON object, or as its raw events.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use surehand_store::Store;
use surehand_trace::report::document::TimelineDocument;
use surehand_trace::report::terminal::{Colour, TerminalOptions};
use surehand_trace::report::{html, terminal};
use surehand_types::Settings;

use crate::args::{ReportArguments, ReportFormat};
use crate::commands::follow::follow;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

pub(crate) async fn report(arguments: ReportArguments, settings: &Settings) -> Result<i32, Failure> {
    let data = open_data(settings)?;
    let store = Store::open(&data).await?;
    let run_id = store.resolve(&arguments.run).await?;
    if arguments.follow {
        return follow(&store, &run_id, arguments.json).await;
    }
    let format = match arguments.format {
        Some(format) => format,
        None if arguments.json => ReportFormat::Events,
        None if arguments.output.is_some() || arguments.open => ReportFormat::Html,
        None => ReportFormat::Text,
    };
    if arguments.open {
        let file = arguments.output.unwrap_or_else(|| data.run(&run_id).join("report.html"));
        write_html(&store, &run_id, &file).await?;
        say!("{}", file.display());
        open_page(&file);
        return Ok(0);
    }
    let to_file = arguments.output.is_some();
    let text = rendered(&store, &run_id, format, to_file).await?;
    match arguments.output {
        Some(file) => {
            write_whole(&file, text.as_bytes())?;
            say!("{}", file.display());
        }
        None => crate::output::write(format_args!("{text}")),
    }
    Ok(0)
}

async fn rendered(store: &Store, run_id: &str, format: ReportFormat, to_file: bool) -> Result<String, Failure> {
    if format == ReportFormat::Events {
        let events = store.events(run_id)?.events;
        let lines = events.iter().map(|envelope| serde_json::to_string(envelope).unwrap_or_default() + "\n");
        return Ok(lines.collect());
    }
    let timeline = store.timeline(run_id).await?;
    Ok(match format {
        ReportFormat::Html => html::render(&timeline, &store.frames()),
        ReportFormat::Timeline => serde_json::to_string(&TimelineDocument::of(&timeline)).unwrap_or_default() + "\n",
        ReportFormat::Text | ReportFormat::Events => {
            let mut options = terminal_options(run_id);
            if to_file {
                options.colour = Colour::Plain;
            }
            terminal::render(&timeline, &options)
        }
    })
}

/// As wide as the terminal, coloured where that is wanted.
pub(crate) fn terminal_options(run_id: &str) -> TerminalOptions {
    TerminalOptions {
        width: std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100),
        colour: if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            Colour::Ansi
        } else {
            Colour::Plain
        },
        hints: vec![format!("as a page: surehand report {run_id} -o report.html")],
    }
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
