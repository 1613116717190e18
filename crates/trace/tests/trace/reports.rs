//! The views: words, text report, web page.

use serde_json::json;
use surehand_trace::report::outcome::{Tone, outcome_in_words};
use surehand_trace::report::terminal::{Colour, TerminalOptions};
use surehand_trace::report::words::call_in_words;
use surehand_trace::report::{html, terminal};
use surehand_trace::{MemoryFrames, Timeline, read_trace};
use surehand_types::event::Event;
use surehand_types::result::FinalVerdict;
use surehand_types::{Redactor, Termination};

use crate::sample::{self, HOSTILE, Sample, hit, object};

fn sample_timeline() -> (Timeline, Sample) {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    let timeline = Timeline::from_read(read_trace(sample.events.text().as_bytes()));
    (timeline, sample)
}

#[test]
fn calls_read_like_sentences() {
    let save = hit("button", "button", "Save", [0, 0, 10, 10]);
    for (call, hit, expected) in [
        (
            json!({"tool":"mouse","action":"click","coordinate":[512,300]}),
            Some(&save),
            "click left at 512,300 on button \"Save\"",
        ),
        (
            json!({"tool":"mouse","action":"click","coordinate":[5,3],"button":"right","count":2,"modifiers":["ctrl","shift"]}),
            None,
            "double click right at 5,3 holding ctrl+shift",
        ),
        (json!({"tool":"mouse","action":"click"}), None, "click left at the cursor"),
        (
            json!({"tool":"mouse","action":"click","target":{"text":"Save","role":"button"}}),
            None,
            "click left on button \"Save\"",
        ),
        (json!({"tool":"mouse","coordinate":[1,2]}), None, "move the cursor to 1,2"),
        (
            json!({"tool":"mouse","action":"drag","start_coordinate":[1,2],"end_coordinate":[3,4]}),
            None,
            "drag from 1,2 to 3,4",
        ),
        (
            json!({"tool":"mouse","action":"scroll","direction":"up","amount":500,"coordinate":[9,9]}),
            None,
            "scroll up by 500 at 9,9",
        ),
        (json!({"tool":"mouse","action":"scroll"}), None, "scroll down by 300"),
        (json!({"tool":"mouse","action":"reset"}), None, "put the cursor back in the centre"),
        (json!({"tool":"mouse","action":"confirm"}), None, "confirm the previewed action"),
        (json!({"tool":"keyboard","action":"type","text":"a\nb"}), Some(&save), "type \"a b\""),
        (json!({"tool":"keyboard","action":"press","key":"a","modifiers":["ctrl"]}), None, "press ctrl+a"),
        (json!({"tool":"keyboard","action":"clear"}), None, "clear the focused field"),
        (json!({"tool":"tab","action":"open","url":"http://x/"}), None, "open http://x/ in a new tab"),
        (json!({"tool":"tab","action":"switch","tab_id":"t2"}), None, "switch to tab t2"),
        (json!({"tool":"tab","action":"view"}), None, "look at the tab again"),
        (json!({"tool":"dialog","dialog_action":"accept","prompt_text":"yes"}), None, "accept the dialog with \"yes\""),
        (json!({"tool":"dialog","dialog_action":"dismiss"}), None, "dismiss the dialog"),
        (
            json!({"tool":"select_option","values":["a","b","c","d","e","f"]}),
            None,
            "choose \"a\", \"b\", \"c\", \"d\", 2 more",
        ),
        (json!({"tool":"upload_file","paths":["/up/a.pdf"]}), None, "upload \"/up/a.pdf\""),
        (json!({"tool":"wait","seconds":2.5}), None, "wait 2.5 s"),
        (json!({"tool":"wait"}), None, "wait 1 s"),
        (json!({"tool":"zoom","region":[1,2,3,4]}), None, "zoom into 1,2 to 3,4"),
        (json!({"tool":"inspect"}), None, "inspect the screen"),
        (json!({"tool":"ask_user","question":"Which?"}), None, "ask the person \"Which?\""),
        (json!({"tool":"done","success":true,"summary":"ok"}), None, "say the task is done: \"ok\""),
        (json!({"tool":"done","success":false,"summary":""}), None, "give up on the task"),
        (
            json!({"tool":"window","action":"resize","window_id":"w1","width":5,"height":6}),
            None,
            "resize window w1 to 5 by 6",
        ),
        (json!({"tool":"brand_new","action":"thing"}), None, "brand_new thing"),
        (json!({"tool":7}), None, "a call without a tool"),
        (json!({"tool":"mouse","action":"click","coordinate":"here"}), None, "click left at the cursor"),
    ] {
        assert_eq!(call_in_words(&object(call.clone()), hit), expected, "{call}");
    }
    let long = object(json!({"tool": "keyboard", "action": "type", "text": "x".repeat(500)}));
    assert_eq!(call_in_words(&long, None).chars().count(), 67);
}

#[test]
fn every_ending_has_its_own_words() {
    use Termination::*;
    let mut seen = std::collections::BTreeSet::new();
    let (mut timeline, _) = sample_timeline();
    for reason in [
        Done,
        DoneFailed,
        DoneUnverified,
        EnvDone,
        MaxSteps,
        Loop,
        Budget,
        Timeout,
        Paused,
        Cancelled,
        BrainError,
        EnvError,
    ] {
        timeline.ended = Some(sample::result("r", reason));
        let outcome = outcome_in_words(&timeline);
        assert!(seen.insert(outcome.headline.clone()), "{}", outcome.headline);
        assert_ne!(outcome.tone, Tone::Good, "nobody judged it: {reason:?}");
    }
    for verdict in [FinalVerdict::Pass, FinalVerdict::Fail, FinalVerdict::Uncertain] {
        let mut result = sample::result("r", Done);
        result.verdict.r#final = verdict;
        timeline.ended = Some(result);
        assert!(seen.insert(outcome_in_words(&timeline).headline));
    }
    timeline.ended = None;
    timeline.interrupted = true;
    assert_eq!(outcome_in_words(&timeline).headline, "The run was interrupted");
    timeline.mark_running();
    assert_eq!(outcome_in_words(&timeline).headline, "The run is still going");
}

#[test]
fn the_text_report_fits_its_width_and_carries_no_codes() {
    let (mut timeline, _) = sample_timeline();
    timeline.entries[0].record.message = format!("{HOSTILE}\u{1b}[31m {}", "long".repeat(60));
    for width in [40, 80, 120] {
        let options = TerminalOptions { width, ..Default::default() };
        let text = terminal::render(&timeline, &options);
        assert!(!text.contains('\u{1b}'), "{text}");
        for line in text.lines() {
            let effect_label = line.contains(" · ");
            assert!(line.chars().count() <= width || effect_label, "{width}: {line}");
        }
        assert!(text.contains("\n? The brain said it was done;"));
        assert!(text.contains("not run: press enter"));
        assert!(text.contains("✗ no effect"));
    }
    let coloured = terminal::render(&timeline, &TerminalOptions { colour: Colour::Ansi, ..Default::default() });
    assert!(coloured.contains("\u{1b}[32m✓ effect confirmed\u{1b}[0m"));
    assert!(!coloured.contains("\u{1b}[31m long"), "colour of a message is not let through");
}

#[test]
fn the_page_is_whole_self_contained_and_escaped() {
    let (mut timeline, sample) = sample_timeline();
    if let Some(result) = &mut timeline.ended {
        result.summary = Some(HOSTILE.into());
        result.error = Some(HOSTILE.into());
    }
    for entry in &mut timeline.entries {
        entry.record.thought = Some(HOSTILE.into());
        entry.record.message = HOSTILE.into();
        entry.record.feedback = HOSTILE.into();
        entry.record.observed.url = Some(format!("javascript:{HOSTILE}"));
    }
    if let Some(started) = &mut timeline.run.started {
        started.task = HOSTILE.into();
        started.brain = HOSTILE.into();
    }
    let page = html::render(&timeline, sample.frames.as_ref());
    assert!(!page.contains("<img"), "no element came in from outside");
    assert!(!page.contains('\u{202e}'));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("</style>").count(), 2);
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "href=\"javascript"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
    assert_eq!(page.matches("<article").count(), 7);
    assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
    assert!(page.contains("href=\"#step-4\""));
    assert!(page.contains("is covered by"));
    assert!(page.contains("a confirmation opened"));
}

#[test]
fn each_distinct_frame_is_embedded_once() {
    let (timeline, sample) = sample_timeline();
    let page = html::render(&timeline, sample.frames.as_ref());
    assert_eq!(sample.frames.len(), 6);
    let embedded = |page: &str| page.matches("background-image:url(data:image/").count();
    assert_eq!(embedded(&page), 6);

    let without = html::render(&timeline, &MemoryFrames::default());
    assert!(without.contains("This frame is no longer stored."));
    assert_eq!(embedded(&without), 0);
}

#[test]
fn an_interrupted_or_empty_run_still_has_a_page() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_unfinished(&mut writer);
    let call = object(json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]}));
    writer.record(Event::CallStarted { step: 8, call, by: None }).unwrap();
    let mut text = sample.events.text();
    text.push_str("{\"v\":1,\"seq\":");
    let timeline = Timeline::from_read(read_trace(text.as_bytes()));
    let page = html::render(&timeline, sample.frames.as_ref());
    assert!(page.contains("The run was interrupted"));
    assert!(page.contains("1 unreadable or missing part"));
    assert!(page.contains("cut off"));

    let empty = Timeline::from_read(read_trace(&b""[..]));
    let page = html::render(&empty, &MemoryFrames::default());
    assert!(page.contains("No step was recorded."));
    assert!(terminal::render(&empty, &TerminalOptions::default()).contains("interrupted"));
}
