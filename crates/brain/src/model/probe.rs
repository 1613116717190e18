//! One small real request, to find out what is wrong before a run does: key, model name, header pair, vision,
//! address. The picture shows one colour; a model that sees can name it.

use std::time::{Duration, Instant};

use surehand_checks::picture::encode_png;
use surehand_types::Pixels;

use super::conversation::{Conversation, Exchange, Shown};
use super::open::{ModelSpec, asker, environment};
use super::options::ModelOptions;
use super::picture;
use super::provider::PictureLimit;
use super::words::Fence;
use crate::error::BrainError;

/// What one request found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The brain as results name it.
    pub name: String,
    pub base: String,
    pub answered_in: Duration,
    /// The picture's colour was named.
    pub saw: bool,
    /// It answered with something that can be done.
    pub usable: bool,
    /// What it said, shortened.
    pub said: String,
    /// What is odd, in sentences.
    pub remarks: Vec<String>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_usd: f64,
}

const TASK: &str = "This is a test of the connection. The screen shows one colour and nothing else. Say in one word \
    which colour it is, and end at once: success true, with that word as the summary.";
const SIDE: u32 = 320;
const COLOUR: [u8; 3] = [220, 20, 20];

pub async fn probe(spec: &ModelSpec, options: &ModelOptions, timeout: Duration) -> Result<Probe, BrainError> {
    let mut asker = asker(spec, options, timeout, &environment)?;
    let provider = asker.provider();
    let limit: PictureLimit = provider.picture_limit();
    let mut remarks = Vec::new();
    let facts = options.facts(spec.vendor, spec.model())?;
    if !facts.known {
        remarks.push(format!(
            "the model {:?} is not in the built-in list: the vendor's usual settings are used",
            spec.model()
        ));
    }
    let rgb = COLOUR.repeat((SIDE * SIDE) as usize);
    let square = Pixels::new(SIDE, SIDE, rgb).and_then(|pixels| encode_png(&pixels).ok()).unwrap_or_default();
    let picture = picture::from_bytes(square, limit).map_err(BrainError::Transport)?;
    let screen = (picture.width, picture.height);
    let picture = Some(picture).filter(|_| options.image_window > 0);
    let system = provider.system();
    let opening = format!("Task: {TASK}\n\n{}\n", Fence::new(0).rule());
    let shown = Shown { text: "Step 1. This is the only step.".into(), picture, ..Shown::default() };
    let exchanges = [Exchange { shown, said: None }];
    let conversation = Conversation {
        system: &system,
        opening: &opening,
        cuts: 0,
        exchanges: &exchanges,
        screen,
        url: Some("about:blank"),
        max_output_tokens: options.max_output_tokens,
    };
    let request = provider.request(&conversation);
    let base = asker.sender().server().base.clone();
    let began = Instant::now();
    let heard = asker.ask(&request, 2000, began + timeout).await?;
    let spoken = &heard.reading.spoken;
    let calls: Vec<String> =
        spoken.gestures.iter().map(|gesture| serde_json::Value::Object(gesture.call.clone()).to_string()).collect();
    let said = format!("{} {}", spoken.thought.as_deref().unwrap_or_default(), calls.join(" "));
    let lower = said.to_lowercase();
    let saw = ["red", "crimson", "scarlet", "rot", "rouge", "rojo", "红"].iter().any(|word| lower.contains(word));
    if !saw && options.image_window > 0 {
        remarks.push("it did not name the picture's colour: it may not see pictures".into());
    }
    if let Some(problem) = &heard.reading.problem {
        remarks.push(format!("its answer could not be used: {problem}"));
    }
    remarks.extend(heard.notes);
    remarks.extend(spoken.repairs.iter().map(|repair| format!("its answer had to be mended: {repair}")));
    Ok(Probe {
        name: asker.name().to_string(),
        base,
        answered_in: began.elapsed(),
        saw,
        usable: heard.reading.problem.is_none() && !spoken.gestures.is_empty(),
        said: said.trim().chars().take(200).collect(),
        remarks,
        input_tokens: heard.usage.input_tokens,
        output_tokens: heard.usage.output_tokens,
        cost_usd: heard.usage.cost_usd,
    })
}
