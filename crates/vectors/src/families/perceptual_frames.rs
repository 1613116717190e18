//! Family `perceptual_frames`: hashes of pictures, of their regions, and the verdict on two of them.

use serde::Deserialize;
use serde_json::json;
use surehand_checks::action::Action;
use surehand_checks::after::frame_hash::{FrameHash, Region, phash_64, region_hash};
use surehand_checks::after::perceptual::{Deed, PerceptualRules, Shown, verify};
use surehand_checks::picture::decode;
use surehand_types::Pixels;

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct HashInput {
    frame: Option<String>,
}

#[derive(Deserialize)]
struct RegionInput {
    frame: Option<String>,
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct VerifyInput {
    pre: Option<String>,
    post: Option<String>,
    action: Action,
    thinking: Option<String>,
    task: Option<String>,
    verifier_enabled: Option<bool>,
}

pub(super) fn run(case: &Case, place: Place<'_>) -> Result<(), String> {
    let answer = match case.kind.as_str() {
        "phash" => {
            let given: HashInput = input(&case.input)?;
            let frame = load(place, given.frame)?;
            json!({ "hash": printed(frame.as_ref().and_then(phash_64)) })
        }
        "region_hash" => {
            let given: RegionInput = input(&case.input)?;
            let (x, y) = (given.x as i64, given.y as i64);
            match load(place, given.frame)? {
                Some(frame) => {
                    let region = Region::around(&frame, x, y);
                    let hash = printed(region_hash(&frame, x, y));
                    json!({ "crop_size": [region.width, region.height], "hash": hash })
                }
                None => json!({ "hash": "" }),
            }
        }
        "verify" => {
            let given: VerifyInput = input(&case.input)?;
            let (before, after) = (load(place, given.pre)?, load(place, given.post)?);
            let enabled = given.verifier_enabled.unwrap_or(true);
            let rules = PerceptualRules { perceptual_verify: enabled, ..PerceptualRules::VECTORS };
            let (thought, task) = (given.thinking.unwrap_or_default(), given.task.unwrap_or_default());
            let deed = Deed { action: &given.action, thought: &thought, task: &task };
            json!(verify(before.as_ref().map(Shown::plain), after.as_ref().map(Shown::plain), deed, rules))
        }
        kind => return Err(format!("kind {kind} is not known")),
    };
    same(&case.expect, &answer)
}

fn printed(hash: Option<FrameHash>) -> String {
    hash.map(|hash| hash.to_string()).unwrap_or_default()
}

fn load(place: Place<'_>, file: Option<String>) -> Result<Option<Pixels>, String> {
    let Some(file) = file else { return Ok(None) };
    let bytes = std::fs::read(place.folder.join(&file)).map_err(|error| format!("cannot read {file}: {error}"))?;
    decode(&bytes).map(Some).map_err(|error| format!("{file}: {error}"))
}
