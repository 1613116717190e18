//! The built-in file is whole, its facts are found by name, and sizes and prices come out as published.

use super::*;

#[test]
fn the_built_in_file_is_complete() {
    let entries = file::read(file::BUILT_IN).unwrap();
    for vendor in Vendor::ALL {
        let of_vendor: Vec<&Entry> = entries.iter().filter(|entry| entry.vendor() == vendor).collect();
        assert!(!of_vendor.is_empty(), "{vendor:?}");
        let defaults = of_vendor.iter().filter(|entry| entry.is_default()).count();
        assert_eq!(defaults, usize::from(vendor != Vendor::Chat), "{vendor:?}");
        for entry in of_vendor {
            // Every entry can be reached: none before it takes all its names.
            let name = entry.pattern().replace('*', "");
            assert_eq!(find(vendor, &name).map(Entry::pattern), Some(entry.pattern()));
            let facts = entry.facts();
            assert!(facts.known && facts.long_edge >= 1024 && facts.max_pixels >= 1_000_000, "{}", entry.pattern());
            assert_eq!(facts.price.is_some(), vendor != Vendor::Chat, "{}", entry.pattern());
            // The toolset needs no beta header, and the tools before it need theirs.
            if vendor == Vendor::Anthropic {
                assert_eq!(facts.anthropic.beta.is_none(), facts.anthropic.is_toolset(), "{}", entry.pattern());
            }
        }
    }
    for dialect in Dialect::ALL {
        assert!(entries.iter().any(|entry| entry.facts().dialect == dialect), "{dialect:?}");
        // Our own tools point on the grid whoever uses them.
        let typical = entries.iter().filter(|entry| entry.is_typical_of(dialect)).count();
        assert_eq!(typical, usize::from(dialect != Dialect::Native), "{dialect:?}");
    }
}

#[test]
fn defaults_are_whole_names_that_the_file_knows() {
    for vendor in [Vendor::Anthropic, Vendor::OpenAi, Vendor::Gemini] {
        let name = default_model(vendor);
        assert!(!name.is_empty() && !name.contains('*'), "{vendor:?}: {name}");
        let facts = model_facts(vendor, name);
        assert!(facts.known && facts.vision && facts.price.is_some(), "{vendor:?}: {name}");
    }
    assert_eq!(default_model(Vendor::Chat), "");
}

#[test]
fn header_and_tool_go_together() {
    let check = |name: &str, tool: &str, beta: Option<&str>, zoom: bool| {
        let facts = model_facts(Vendor::Anthropic, name);
        assert!(facts.known, "{name}");
        let got = &facts.anthropic;
        assert_eq!((got.tool.as_str(), got.beta.as_deref(), got.zoom), (tool, beta, zoom), "{name}");
    };
    check("claude-opus-4-7", "computer_20251124", Some("computer-use-2025-11-24"), true);
    check("claude-opus-4-5-20251101", "computer_20251124", Some("computer-use-2025-11-24"), true);
    check("Claude-Sonnet-4-6", "computer_20251124", Some("computer-use-2025-11-24"), true);
    check("claude-sonnet-5", "computer_20251124", Some("computer-use-2025-11-24"), true);
    check("claude-sonnet-4-5-20250929", "computer_20250124", Some("computer-use-2025-01-24"), false);
    check("claude-haiku-4-5", "computer_20250124", Some("computer-use-2025-01-24"), false);
    check("claude-opus-5-5", "computer_toolset_20260801", None, true);
    assert!(model_facts(Vendor::Anthropic, "claude-opus-5-5").anthropic.bound_thinking);
    assert_eq!(model_facts(Vendor::OpenAi, "computer-use-preview-2025-03-11").openai, OpenAiTool::Preview);
    assert_eq!(model_facts(Vendor::OpenAi, "gpt-5.4").openai, OpenAiTool::Computer);
    assert_eq!(model_facts(Vendor::Gemini, "gemini-3-flash-preview").gemini, GeminiFunctions::Legacy);
    assert_eq!(model_facts(Vendor::Gemini, "gemini-3.5-flash").gemini, GeminiFunctions::New);
}

#[test]
fn models_are_known_with_and_without_their_organisation() {
    let resized = |min_pixels| Space::SmartResizedPx { factor: 28, min_pixels, max_pixels: 12_845_056 };
    for (name, dialect, space) in [
        ("Qwen/Qwen3-VL-8B-Instruct", Dialect::Qwen3Vl, Space::Grid1000),
        ("qwen3-vl:8b", Dialect::Qwen3Vl, Space::Grid1000),
        ("Qwen/Qwen2.5-VL-7B-Instruct", Dialect::Qwen25Vl, resized(3_136)),
        ("qwen2.5vl:7b", Dialect::Qwen25Vl, resized(3_136)),
        ("ByteDance-Seed/UI-TARS-1.5-7B", Dialect::UiTars, resized(78_400)),
        ("ByteDance-Seed/UI-TARS-7B-DPO", Dialect::UiTars, Space::Grid1000),
        ("bytedance-research/UI-TARS-2B-SFT", Dialect::UiTars, Space::Grid1000),
        ("UI-TARS-2", Dialect::UiTars2, Space::Grid1000),
        ("xlangai/OpenCUA-32B", Dialect::OpenCua, resized(3_136)),
        ("Hcompany/Holo3-35B-A3B", Dialect::Holo3, Space::Grid1000),
        ("Hcompany/Holo-3.1-9B", Dialect::Holo3, Space::Grid1000),
        ("microsoft/Fara-7B", Dialect::Fara, resized(3_136)),
        ("microsoft/Fara1.5-9B", Dialect::Fara, Space::Grid1000),
    ] {
        let facts = model_facts(Vendor::Chat, name);
        assert_eq!((facts.known, facts.dialect, facts.space), (true, dialect, space), "{name}");
    }
    assert!(!model_facts(Vendor::Chat, "SmolLM2-135M-Instruct").vision);
    // Gateways put the provider in front of the name.
    assert!(model_facts(Vendor::Anthropic, "anthropic/claude-sonnet-5").known);
}

#[test]
fn an_unknown_name_gets_the_defaults() {
    for vendor in Vendor::ALL {
        for name in ["", "no-such-model", "*", "émoji/😀", "gpt-5.4-pro"] {
            let facts = model_facts(vendor, name);
            assert!(!facts.known && facts.vision && facts.price.is_none(), "{vendor:?} {name}");
            assert_eq!(facts, defaults(vendor));
        }
    }
}

#[test]
fn a_dialect_of_the_users_choice_brings_its_space() {
    for dialect in [Dialect::OpenCua, Dialect::Qwen25Vl, Dialect::UiTars, Dialect::Fara] {
        let facts = chat_facts("my-finetune", dialect);
        assert_eq!((facts.known, facts.dialect), (false, dialect));
        assert!(matches!(facts.space, Space::SmartResizedPx { factor: 28, .. }), "{dialect:?}");
    }
    for dialect in [Dialect::Native, Dialect::Qwen3Vl, Dialect::UiTars2, Dialect::Holo3] {
        assert_eq!(chat_facts("my-finetune", dialect).space, Space::Grid1000, "{dialect:?}");
    }
    assert_eq!(chat_facts("Qwen/Qwen2.5-VL-7B-Instruct", Dialect::Native).space, Space::Grid1000);
    // The name decides between models of the same dialect.
    assert_eq!(chat_facts("microsoft/Fara1.5-9B", Dialect::Fara).space, Space::Grid1000);
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::read(&format!(" {} ", dialect.name().to_uppercase())), Ok(dialect));
    }
    let sentence = Dialect::read("klingon").unwrap_err();
    assert!(sentence.contains("\"klingon\" is no dialect; known are native, qwen3-vl"), "{sentence}");
}

#[test]
fn patterns_match_whole_names() {
    for (pattern, name, expected) in [
        ("a", "a", true),
        ("a", "A", true),
        ("a", "ab", false),
        ("a*", "a", true),
        ("a*", "abc", true),
        ("a*", "ba", false),
        ("*a", "ba", true),
        ("a*c", "abc", true),
        ("a*c", "ac", true),
        ("ab*bc", "abc", false),
        ("a*b*c", "a-b-b-c", true),
        ("a*b*c", "a-c", false),
        ("*", "", true),
    ] {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn a_wrong_file_is_refused_as_a_whole() {
    let good = r#"
[[model]]
provider = "chat"
match = "m*"
dialect = "native"
space = "grid1000"
long_edge = 1920
max_pixels = 9
prompt = "small"
"#;
    assert_eq!(file::read(good).unwrap().len(), 1);
    for (wrong, expected) in [
        ("nonsense".to_string(), "expected"),
        (good.replace("\"chat\"", "\"mine\""), "mine"),
        (good.replace("dialect = \"native\"\n", ""), "needs is not there"),
        (good.replace("long_edge", "long_edges"), "long_edges"),
        (good.replace("\"m*\"", "\"*\""), "names nothing"),
        (good.replace("\"grid1000\"", "\"smart_resized_px\""), "resize"),
        (format!("{good}tool = \"computer\"\n"), "another provider"),
        (format!("{good}default = true\n"), "needs is not there"),
        (
            good.replace("\"chat\"", "\"gemini\"")
                .replace("dialect = \"native\"", "functions = \"new\"\ntypical = true"),
            "another",
        ),
        (format!("{good}price = {{ input = 1.0, output = 2.0 }}\n"), "go together"),
        (format!("{good}price = {{ input = -1.0, output = 2.0 }}\nprice_as_of = \"2026-01-01\"\n"), "not one"),
    ] {
        let problem = file::read(&wrong).unwrap_err();
        assert!(problem.contains(expected), "{expected}: {problem}");
    }
}

#[test]
fn the_page_has_every_model_and_every_dialect() {
    let page = models_page();
    for entry in entries() {
        assert!(page.contains(&format!("| `{}` |", entry.pattern())), "{}", entry.pattern());
    }
    for dialect in Dialect::ALL {
        assert!(page.contains(&format!("| `{}` |", dialect.name())), "{dialect:?}");
    }
    assert!(page.ends_with('\n') && !page.lines().any(|line| line.ends_with(' ')));
}
