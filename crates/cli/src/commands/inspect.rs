//! `surehand inspect`: what perception sees in a picture, as words, as JSON, or drawn into it.

use surehand_checks::picture;
use surehand_perceive::{OcrScope, Options, annotate, perceive};
use surehand_types::UiState;
use surehand_types::ui::OnOff;

use crate::args_referee::InspectArguments;
use crate::commands::judge::read_picture;
use crate::exit::Failure;
use crate::output::say;

pub(crate) async fn inspect(arguments: InspectArguments) -> Result<i32, Failure> {
    let pixels = read_picture(&arguments.frame)?;
    let ocr = match arguments.text.as_str() {
        "none" => OcrScope::Off,
        "beside" => OcrScope::Beside,
        _ => OcrScope::Whole,
    };
    let looked = tokio::task::spawn_blocking(move || {
        let state = perceive(&pixels, &Options { ocr, ..Options::default() });
        (pixels, state)
    });
    let (pixels, state) =
        looked.await.map_err(|error| Failure::broken(format!("the picture could not be read: {error}")))?;
    if let Some(file) = &arguments.annotate {
        let png =
            picture::encode_png(&annotate(&pixels, &state)).map_err(|error| Failure::broken(error.to_string()))?;
        std::fs::write(file, png)
            .map_err(|error| Failure::usage(format!("{} cannot be written: {error}", file.display())))?;
    }
    if arguments.json {
        say!("{}", serde_json::to_string(&state).unwrap_or_default());
    } else {
        print(&state);
    }
    Ok(0)
}

fn print(state: &UiState) {
    say!("{} by {} pixels", state.width, state.height);
    for row in &state.rows {
        let cells: String = row
            .cells
            .iter()
            .map(|cell| match cell.state {
                OnOff::On => '#',
                OnOff::Off => '.',
                OnOff::Unknown => '?',
            })
            .collect();
        let label = row.label.as_deref().unwrap_or("(no label)");
        let muted = match row.enabled {
            OnOff::Off => "  muted",
            OnOff::On | OnOff::Unknown => "",
        };
        let partly = if row.complete == OnOff::On { "" } else { "  (may not be all of the row)" };
        say!("row     {label:<20} {cells}  {} cells{muted}{partly}", row.cells.len());
    }
    for toggle in &state.toggles {
        let word = match toggle.state {
            OnOff::On => "on",
            OnOff::Off => "off",
            OnOff::Unknown => "?",
        };
        say!("switch  {:<20} {word}", toggle.label.as_deref().unwrap_or("(no label)"));
    }
    for field in &state.fields {
        say!(
            "field   {:<20} {}",
            field.label.as_deref().unwrap_or("(no label)"),
            field.value.as_deref().unwrap_or("?")
        );
    }
    if !state.anchors.is_empty() {
        let texts: Vec<&str> = state.anchors.iter().map(|anchor| anchor.text.as_str()).collect();
        say!("text    {}", texts.join(" | "));
    }
    for note in &state.notes {
        say!("note    {note}");
    }
}
