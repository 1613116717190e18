//! What is put before the judge. Prompts are files; what goes into them is bounded.

use surehand_checks::picture;
use surehand_types::vision::VisionImage;
use surehand_types::{Encoding, Pixels};

use crate::contract::Contract;
use crate::probes::Folders;

pub(super) const JUDGE_SYSTEM: &str = include_str!("../prompts/judge_system.md");
const JUDGE_QUESTION: &str = include_str!("../prompts/judge_question.md");
pub(super) const RUBRIC_SYSTEM: &str = include_str!("../prompts/rubric_system.md");

pub(super) const LONGEST_RUBRIC: usize = 4000;
const LONGEST_TASK: usize = 8000;

/// The same question asked in the same words gets the same answer for the same wrong reason; each further
/// sample looks from another side.
const MANNERS: [&str; 3] = [
    "Go through the rubric and say for each requirement what you see.",
    "Begin with whatever in the final picture speaks against success: wrong values, neighbours that were changed \
     instead, messages, things not saved. Then go through the rubric.",
    "First describe the final picture as if you did not know the task. Then compare it with the rubric.",
];

pub(super) fn question(task: &str, rubric: &str, sample: u32) -> String {
    let manner = MANNERS.get(sample as usize % MANNERS.len()).copied().unwrap_or_default();
    // In one pass, so that a task that contains `{rubric}` is only a task.
    let mut text = String::new();
    for part in JUDGE_QUESTION.split_inclusive('}') {
        match part.rfind('{') {
            Some(at) => {
                text.push_str(&part[..at]);
                match &part[at..] {
                    "{task}" => text.push_str(&task_block(task)),
                    "{rubric}" => text.push_str(&bounded(rubric, LONGEST_RUBRIC * 2)),
                    "{manner}" => text.push_str(manner),
                    other => text.push_str(other),
                }
            }
            None => text.push_str(part),
        }
    }
    text
}

pub(super) fn task_block(task: &str) -> String {
    bounded(task, LONGEST_TASK)
}

pub(super) fn bounded(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

pub(super) fn picture(label: &str, pixels: &Pixels) -> Result<VisionImage, String> {
    let bytes = picture::encode_png(pixels).map_err(|error| format!("frame_unusable: {error}"))?;
    Ok(VisionImage { label: label.into(), encoding: Encoding::Png, bytes, frame: None })
}

/// The contract's pictures of success. One that cannot be shown leaves the judge without what it was promised.
pub(super) fn references(contract: &Contract) -> Result<Vec<VisionImage>, String> {
    let folders = Folders::new(contract.folder());
    let mut images = Vec::new();
    for (number, path) in contract.reference_images().iter().enumerate() {
        let bytes = folders.read(None, path).map_err(|why| format!("reference_unreadable: {why}"))?;
        let pixels = picture::decode(&bytes).map_err(|error| format!("reference_unreadable: {path}: {error}"))?;
        images.push(self::picture(&format!("reference {}", number + 1), &pixels)?);
    }
    Ok(images)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_cannot_fill_in_other_places() {
        let text = question("Do {rubric} and {task}", "- a row {manner}", 1);
        assert!(text.contains("Do {rubric} and {task}\n"), "{text}");
        assert!(text.contains("- a row {manner}\n"), "{text}");
        assert!(text.contains("speaks against success"), "{text}");
        assert_eq!(text.matches("a row").count(), 1);
    }
}
