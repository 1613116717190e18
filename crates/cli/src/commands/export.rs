//! `surehand runs export`: a run in the form that somebody else wants it in.

use std::path::Path;
use std::time::{Duration, Instant};

use surehand_brain::prompt::{PromptContext, Variant, system_prompt};
use surehand_store::{Progress, Store, TrainingImages};

use crate::args::{ExportFormat, ExportImages};
use crate::exit::Failure;
use crate::output::say;

/// Work that takes longer than this is told about, and again after as long.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) async fn export(
    store: &Store,
    run_id: &str,
    output: &Path,
    format: ExportFormat,
    images: ExportImages,
) -> Result<i32, Failure> {
    match format {
        ExportFormat::Folder => {
            let files = store.export(run_id, output).await?;
            say!("{} files in {}", files.len(), output.display());
        }
        ExportFormat::Jsonl => {
            let lines = store.export_trajectory(run_id, output).await?;
            say!("{lines} lines in {}", output.display());
        }
        ExportFormat::Training => {
            let images = match images {
                ExportImages::Files => TrainingImages::Files,
                ExportImages::Inline => TrainingImages::Inline,
            };
            let system = system_prompt(Variant::Small, &PromptContext::default());
            let made = store.export_training(run_id, output, images, system).await?;
            say!("{} examples with {} pictures in {}", made.examples, made.pictures, made.file.display());
        }
        ExportFormat::Gif => {
            let made = store.export_film(run_id, output, progress()).await?;
            let left_out = match made.left_out {
                0 => String::new(),
                count => format!(" ({count} steps left out, evenly spread)"),
            };
            say!("{} pictures in {}{left_out}", made.pictures, output.display());
        }
    }
    Ok(0)
}

fn progress() -> Progress {
    let mut told = Instant::now();
    Box::new(move |done, all| {
        if told.elapsed() >= PATIENCE && done < all {
            told = Instant::now();
            eprintln!("surehand: {done} of {all} pictures");
        }
    })
}
