//! How the prompt speaks: the same rules as for every prompt, since models copy what they are warned of.

use super::*;
use crate::prompt::Surface;

fn prompts() -> Vec<(Variant, Surface, String)> {
    let mut prompts = Vec::new();
    for variant in [Variant::Large, Variant::Small] {
        for surface in [Surface::Browser, Surface::Desktop] {
            prompts.push((variant, surface, computer_prompt(variant, &PromptContext::new(surface))));
        }
    }
    prompts
}

#[test]
fn everything_is_filled_and_tidy() {
    for (variant, surface, text) in prompts() {
        let which = format!("{variant:?} {surface:?}");
        assert!(!text.contains("{{"), "{which}: {text}");
        assert!(!text.contains("\n\n\n") && text.ends_with('\n') && !text.ends_with("\n\n"), "{which}");
        assert!(text.lines().all(|line| line == line.trim_end() && line != "-"), "{which}");
    }
}

#[test]
fn only_affirmative_words() {
    let negations = ["not", "never", "no", "none", "nothing", "nor", "cannot", "avoid", "instead", "unless", "except"];
    for (variant, surface, text) in prompts() {
        let text = text.to_lowercase();
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '\'') {
            assert!(!negations.contains(&word) && !word.ends_with("n't"), "{variant:?} {surface:?}: {word}");
        }
    }
}

#[test]
fn both_variants_teach_the_same_facts() {
    let everywhere = [
        "<page-…>",
        "first message",
        "task alone",
        "Predicted: ",
        "frame_stable",
        "`confirmed`",
        "`no_effect`",
        "`unverifiable`",
        "`refused`",
        "`confirm_preview`",
        "mouse confirm",
        "yellow",
        "range dashed",
        "first surprise",
        "`ask_user`",
        "`done`",
        "`success` false",
        "<secret:NAME>",
    ];
    let in_browsers = ["`select_option`", "`upload_file`", "`dialog`", "`tab`", "YYYY-Www", "url_contains"];
    for (variant, surface, text) in prompts() {
        for fact in everywhere {
            assert!(text.contains(fact), "{variant:?} {surface:?}: {fact}");
        }
        for fact in in_browsers {
            assert_eq!(text.contains(fact), surface == Surface::Browser, "{variant:?} {surface:?}: {fact}");
        }
        assert_eq!(text.contains("`window`"), surface == Surface::Desktop);
    }
}

#[test]
fn small_is_short() {
    for surface in [Surface::Browser, Surface::Desktop] {
        let context = PromptContext::new(surface);
        let large = computer_prompt(Variant::Large, &context).chars().count();
        let small = computer_prompt(Variant::Small, &context).chars().count();
        assert!(small * 10 <= large * 4 && large < 7500, "{surface:?}: {small} of {large}");
    }
}
