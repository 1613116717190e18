//! What the settings say about brains.

use std::time::Duration;

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainOptions, ModelOptions};
use surehand_types::Settings;

/// Time between telling a program that the run is over and killing it.
const FAREWELL: Duration = Duration::from_secs(2);

pub fn brain_options(settings: &Settings, hidden_variables: Vec<String>, surface: Surface) -> BrainOptions {
    BrainOptions {
        reply_timeout: settings.duration("brain_timeout"),
        end_timeout: FAREWELL,
        hidden_variables,
        model: model_options(settings, surface),
    }
}

pub fn model_options(settings: &Settings, surface: Surface) -> ModelOptions {
    // Every number was checked against its bounds when it was set.
    let number = |name: &str| u64::try_from(settings.integer(name)).unwrap_or_default();
    ModelOptions {
        image_window: usize::try_from(number("image_window")).unwrap_or_default(),
        prompt_variant: settings.text("prompt_variant").to_string(),
        dialect: settings.text("dialect").to_string(),
        price: settings.text("price").to_string(),
        max_cost: settings.number("max_cost"),
        max_output_tokens: u32::try_from(number("max_output_tokens")).unwrap_or(u32::MAX),
        history_tokens: number("history_tokens"),
        stream: settings.text("stream") == "on",
        computer_tool: settings.text("computer_tool").to_string(),
        surface,
    }
}
