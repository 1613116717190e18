//! Prompts of every dialect, and what they have to say.

use super::super::super::knowledge::chat_facts;
use super::*;

#[test]
fn every_prompt_says_what_every_model_has_to_know() {
    for dialect in Dialect::ALL {
        for variant in [Variant::Large, Variant::Small] {
            for surface in [Surface::Browser, Surface::Desktop] {
                let space = chat_facts("x", dialect).space;
                let setting = Setting { context: PromptContext::new(surface), variant, space };
                let text = system(dialect, &setting);
                let name = format!("{} {variant:?} {surface:?}", dialect.name());
                assert!(!text.contains("{{"), "{name}: {}", &text[text.find("{{").unwrap()..]);
                for words in ["expected", "Predicted: ", "title_changed", "evidence", "confirm"] {
                    assert!(text.contains(words), "{name}: {words}");
                }
                assert_eq!(text.contains("url_contains"), surface == Surface::Browser, "{name}");
                if dialect != Dialect::Native {
                    assert!(text.contains("confirm_preview") && text.contains("first user message"), "{name}");
                    assert_eq!(text.contains("select_option"), surface == Surface::Browser, "{name}");
                }
                // A schema and a tool list are long; the words around them are not.
                assert!(text.chars().count() < 18_000, "{name}: {}", text.chars().count());
            }
        }
    }
}

#[test]
fn examples_are_understood_by_their_own_dialect() {
    for dialect in Dialect::ALL {
        let understood =
            understand(dialect, example(dialect), false, &mut super::super::super::tolerant::Repairs::default());
        assert_eq!((understood.problem, understood.steps.len()), (None, 1), "{}", dialect.name());
    }
}
