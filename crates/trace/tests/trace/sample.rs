//! A realistic run written through the real writer, with drawn frames: the input of the tests and
//! of the sample report.

#![expect(clippy::unwrap_used, reason = "a helper of tests, where a panic is the report")]

use std::sync::Arc;

use serde_json::{Map, Value, json};
use surehand_trace::{EventSink, FrameSink, MemoryEvents, MemoryFrames, TraceWriter};
use surehand_types::event::{EnvironmentEvent, Event, RunStarted};
use surehand_types::frame::{Fence, FrameSource};
use surehand_types::observation::{Dialog, DialogKind, Dispatched, FocusedElement, Hit};
use surehand_types::reply::Hint;
use surehand_types::result::{
    EffectSummary, Observed, PredicateResult, RESULT_SCHEMA_VERSION, SelfReport, StepFrames, Timing,
};
use surehand_types::{
    Effect, EffectStatus, Encoding, Evidence, Focus, Frame, Observation, Pixels, Redactor, RunResult, StepRecord,
    Termination, Verdict, ViewBox, ViewPoint, ViewSize,
};

pub(crate) const VIEW: ViewSize = ViewSize { width: 1280, height: 720 };

/// A page title that tries to break out of wherever it is put.
pub(crate) const HOSTILE: &str = "</script></style><img src=x onerror=\"alert(1)\">'\u{202e}";

pub(crate) struct Sample {
    pub(crate) events: MemoryEvents,
    pub(crate) frames: Arc<MemoryFrames>,
}

pub(crate) fn writer(redactor: Redactor) -> (TraceWriter, Sample) {
    let sample = Sample { events: MemoryEvents::default(), frames: Arc::new(MemoryFrames::default()) };
    let events: Box<dyn EventSink> = Box::new(sample.events.clone());
    let frames: Arc<dyn FrameSink> = sample.frames.clone();
    let writer = TraceWriter::new("01k5sample0000000000000000", events, frames, redactor, Vec::new());
    (writer, sample)
}

pub(crate) fn started() -> RunStarted {
    RunStarted {
        task: "Open the contact Marta Vogel, change her phone number to 555-0142 and save".into(),
        start_url: Some("http://127.0.0.1:4310/crm/contacts".into()),
        brain: "scripted:edit-contact.json".into(),
        environment: "browser".into(),
        viewport: VIEW,
        max_steps: Some(30),
        timeout_s: Some(300.0),
        toggles: Default::default(),
        surehand_version: "0.1.0".into(),
        resumed_from: None,
    }
}

/// The whole sample run.
pub(crate) fn write_run(writer: &mut TraceWriter) -> RunResult {
    write_unfinished(writer);
    let result = result(writer.run_id(), Termination::Done);
    writer.record(Event::RunEnded { result: Box::new(result.clone()) }).unwrap();
    result
}

/// The same run without its end, as a killed process leaves it.
pub(crate) fn write_unfinished(writer: &mut TraceWriter) {
    writer.record(Event::RunStarted(started())).unwrap();
    let mut frame_id = 1;
    let mut before = writer.frame(&observation(frame_id, Screen::List)).unwrap();
    for (index, scene) in scenes().into_iter().enumerate() {
        let step = index as u32 + 1;
        let call = object(scene.call);
        writer.record(Event::TurnStarted { turn: step, step, problem: None, hints: scene.hints }).unwrap();
        writer
            .record(Event::Replied {
                turn: step,
                thought: Some(scene.thought.into()),
                expected: Vec::new(),
                calls: vec![call.clone()],
                problem: None,
                think_ms: 812.0,
                reasoning: None,
                aims: Vec::new(),
                repairs: Vec::new(),
                safety: Vec::new(),
                usage: None,
            })
            .unwrap();
        writer.record(Event::CallStarted { step, call: call.clone(), by: None }).unwrap();
        for event in scene.environment {
            writer.record(Event::Environment(event)).unwrap();
        }
        frame_id += 1;
        let after = writer.frame(&observation(frame_id, scene.screen)).unwrap();
        let mut record = record(step, call);
        record.thought = Some(scene.thought.into());
        record.message = scene.message.into();
        record.ok = scene.ok;
        record.dispatched = scene.dispatched;
        record.hit = scene.hit;
        record.effect = scene.effect;
        record.predicate_results = scene.predictions;
        record.frames = StepFrames { before: Some(before), after: Some(after.clone()), ..StepFrames::default() };
        record.observed.title = Some(scene.title.into());
        writer.record(Event::Step(Box::new(record))).unwrap();
        if let Some(reason) = scene.rest_not_run {
            writer
                .record(Event::NotRun {
                    turn: step,
                    calls: vec![object(json!({"tool": "keyboard", "action": "press", "key": "enter"}))],
                    reason: reason.into(),
                })
                .unwrap();
        }
        before = after;
    }
}

struct Scene {
    thought: &'static str,
    call: Value,
    message: &'static str,
    ok: bool,
    screen: Screen,
    dispatched: Option<Dispatched>,
    hit: Option<Hit>,
    effect: Option<Effect>,
    predictions: Vec<PredicateResult>,
    environment: Vec<EnvironmentEvent>,
    rest_not_run: Option<&'static str>,
    title: &'static str,
    hints: Vec<Hint>,
}

impl Default for Scene {
    fn default() -> Self {
        Scene {
            thought: "",
            call: Value::Null,
            message: "",
            ok: true,
            screen: Screen::List,
            dispatched: None,
            hit: None,
            effect: None,
            predictions: Vec::new(),
            environment: Vec::new(),
            rest_not_run: None,
            title: "Contacts · Harbour CRM",
            hints: Vec::new(),
        }
    }
}

fn scenes() -> Vec<Scene> {
    let at = |x, y| Some(Dispatched::at(ViewPoint { x, y }));
    vec![
        Scene {
            thought: "The list is open. Marta Vogel is in the third row; I will open her card.",
            call: json!({"tool": "mouse", "action": "click", "coordinate": [330, 472]}),
            message: "Clicked link \"Marta Vogel\".",
            screen: Screen::Card,
            dispatched: at(422, 340),
            hit: Some(hit("a", "link", "Marta Vogel", [280, 445, 480, 500])),
            effect: Some(Effect::confirmed("url_changed", "/crm/contacts -> /crm/contacts/3")),
            predictions: vec![predicate("url_contains:/contacts/3", Some(true), "the address is /crm/contacts/3")],
            ..Scene::default()
        },
        Scene {
            thought: "The phone field still shows the old number. I click into it.",
            call: json!({"tool": "mouse", "action": "click", "coordinate": [500, 545], "count": 3}),
            message: "Clicked input \"Phone\"; its text is selected.",
            screen: Screen::Focused,
            dispatched: at(640, 392),
            hit: Some(hit("input", "textbox", "Phone", [260, 515, 740, 575])),
            effect: Some(Effect::confirmed("focus_changed", "nothing -> textbox \"Phone\"")),
            title: HOSTILE,
            ..Scene::default()
        },
        Scene {
            thought: "Now the new number.",
            call: json!({"tool": "keyboard", "action": "type", "text": "555-0142"}),
            message: "Typed 8 characters into textbox \"Phone\".",
            screen: Screen::Typed,
            effect: Some(Effect::confirmed("value_changed", "\"555-0199\" -> \"555-0142\"")),
            ..Scene::default()
        },
        Scene {
            thought: "Save it.",
            call: json!({"tool": "mouse", "action": "click", "coordinate": [318, 790]}),
            message: "Clicked div \"Cookie notice\", nothing reacted.",
            screen: Screen::Typed,
            dispatched: at(407, 569),
            hit: Some(Hit {
                covers: Some(Box::new(hit("button", "button", "Save", [260, 760, 376, 820]))),
                ..hit("div", "region", "Cookie notice", [200, 735, 800, 850])
            }),
            effect: Some(Effect {
                status: EffectStatus::NoEffect,
                evidence: vec![Evidence { kind: "pixels".into(), detail: "no pixel changed".into() }],
                reason: Some("nothing_reacted".into()),
            }),
            predictions: vec![
                predicate("text_visible:Saved", Some(false), "the text is not on the screen"),
                predicate("url_changed", None, "the page was still loading"),
            ],
            rest_not_run: Some("the call before it had no effect"),
            ..Scene::default()
        },
        Scene {
            thought: "A notice covers the button. I drag it away.",
            hints: vec![Hint {
                id: "l-7".into(),
                text: "The notice at the bottom can be dragged out of the way.".into(),
            }],
            call: json!({"tool": "mouse", "action": "drag", "start_coordinate": [500, 790], "end_coordinate": [500, 940]}),
            message: "Dragged from 640,569 to 640,677.",
            screen: Screen::Clear,
            dispatched: Some(Dispatched { x: 640, y: 677, from: Some(ViewPoint { x: 640, y: 569 }) }),
            effect: Some(Effect::not_measured()),
            ..Scene::default()
        },
        Scene {
            thought: "Now Save is free.",
            call: json!({"tool": "mouse", "action": "click", "coordinate": [318, 790]}),
            message: "Clicked button \"Save\".",
            screen: Screen::Saved,
            dispatched: at(407, 569),
            hit: Some(hit("button", "button", "Save", [260, 760, 376, 820])),
            effect: Some(Effect::confirmed("pixels", "3.1 % of the view changed, also around the point")),
            environment: vec![EnvironmentEvent::DialogOpened {
                tab: "t1".into(),
                dialog: Dialog {
                    r#type: DialogKind::Confirm,
                    message: "Save the changes to Marta Vogel?".into(),
                    default: None,
                    handled: None,
                },
            }],
            ..Scene::default()
        },
        Scene {
            thought: "The green bar says it is saved.",
            call: json!({"tool": "done", "success": true, "summary": "Marta Vogel's phone number is now 555-0142."}),
            message: "The claim was taken down.",
            screen: Screen::Saved,
            ..Scene::default()
        },
    ]
}

pub(crate) fn record(step: u32, call: Map<String, Value>) -> StepRecord {
    StepRecord {
        step,
        turn: step,
        thought: None,
        call: Some(call),
        by: None,
        ok: true,
        cut_off: false,
        message: String::new(),
        error: None,
        dispatched: None,
        hit: None,
        aimed: None,
        around: Vec::new(),
        effect: None,
        action_effect_observed: None,
        feedback: "Effect: see above.".into(),
        frame_hash: String::new(),
        frames: StepFrames::default(),
        predicted_outcome: None,
        predicate_results: Vec::new(),
        reward_components: Default::default(),
        done_rejected_reason: None,
        substituted: false,
        loop_recovery_reason: None,
        going_in_circles: None,
        policy: None,
        guard: None,
        observed: Observed {
            url: Some("http://127.0.0.1:4310/crm/contacts/3".into()),
            title: Some("Contacts".into()),
            focus: Focus::Element(Box::new(FocusedElement {
                tag: "input".into(),
                role: Some("textbox".into()),
                label: Some("Phone".into()),
                value: Some("555-0142".into()),
                editable: true,
                ..FocusedElement::default()
            })),
        },
        timing_ms: Timing { observe: 48.0, think: 812.0, act: 96.0, settle: 240.0, verify: 14.0, total: 1210.0 },
        usage: Default::default(),
    }
}

pub(crate) fn result(run_id: &str, reason: Termination) -> RunResult {
    let started = started();
    RunResult {
        schema_version: RESULT_SCHEMA_VERSION,
        run_id: run_id.into(),
        task: started.task,
        start_url: started.start_url,
        brain: started.brain,
        started_at: "2026-03-01T09:30:12.000Z".into(),
        success: reason == Termination::Done,
        summary: Some("Marta Vogel's phone number is now 555-0142.".into()),
        output: None,
        termination_reason: reason,
        error: None,
        steps: 7,
        turns: 7,
        duration_s: 9.6,
        cost: 0.0,
        verdict: Verdict::unjudged(Some(SelfReport {
            success: true,
            summary: "Marta Vogel's phone number is now 555-0142.".into(),
        })),
        referee: None,
        downloads: Vec::new(),
        done_rejections_by_reason: Default::default(),
        perceptual_summary: Map::new(),
        effect_summary: EffectSummary { confirmed: 4, no_effect: 1, unverifiable: 1, refused: 0 },
        gate_summary: Default::default(),
        plan: None,
        audit: None,
        predicate_summary: Map::new(),
        loop_recoveries_by_reason: Default::default(),
        brain_summary: None,
        governor: Default::default(),
        lessons: Default::default(),
        toggles: Default::default(),
        trajectory: Vec::new(),
    }
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

pub(crate) fn hit(tag: &str, role: &str, name: &str, bounds: [u16; 4]) -> Hit {
    Hit {
        descriptor: format!("{role} {name:?}"),
        tag: tag.into(),
        role: Some(role.into()),
        name: Some(name.into()),
        id: None,
        classes: Vec::new(),
        r#box: Some(bounds.into()),
        frame: None,
        covers: None,
    }
}

fn predicate(predicate: &str, result: Option<bool>, reason: &str) -> PredicateResult {
    PredicateResult { predicate: predicate.into(), result, reason: reason.into() }
}

pub(crate) fn observation(id: u64, screen: Screen) -> Observation {
    Observation {
        frame: Frame {
            id,
            captured_at_ms: id * 700,
            source: FrameSource::Capture,
            encoding: Encoding::Png,
            fence: Fence::DrawnAfterCommit,
            stale: false,
            view: VIEW,
            pixels: Arc::new(draw(screen)),
        },
        view: VIEW,
        url: None,
        title: None,
        focus: Focus::Unknown,
        tabs: Vec::new(),
        dialog: None,
        cursor: ViewPoint { x: 640, y: 360 },
        interactables: Vec::new(),
        masks: vec![ViewBox { x0: 1060.0, y0: 16.0, x1: 1240.0, y1: 44.0 }],
        restless: Vec::new(),
        complaint: None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Screen {
    List,
    Card,
    Focused,
    Typed,
    Clear,
    Saved,
}

const NAVY: [u8; 3] = [28, 53, 84];
const GREY: [u8; 3] = [196, 203, 211];
const DARK: [u8; 3] = [92, 104, 117];
const WHITE: [u8; 3] = [255, 255, 255];

/// A simple back-office page made of rectangles; grey bars stand for text.
fn draw(screen: Screen) -> Pixels {
    let mut page = Pixels::new(1280, 720, vec![246; 1280 * 720 * 3]).unwrap();
    let mut fill = |x: u32, y: u32, w: u32, h: u32, colour: [u8; 3]| {
        for row in y..y + h {
            for column in x..x + w {
                page.set(column, row, colour);
            }
        }
    };
    fill(0, 0, 1280, 60, NAVY);
    fill(32, 22, 130, 16, WHITE);
    // The masked corner: this must never reach a stored frame.
    fill(1060, 16, 180, 28, [255, 0, 0]);
    fill(0, 60, 220, 660, [232, 236, 241]);
    for row in 0..6 {
        fill(32, 96 + row * 44, 120 + (row * 17) % 40, 12, DARK);
    }
    if screen == Screen::List {
        fill(250, 90, 990, 590, WHITE);
        fill(280, 116, 240, 20, NAVY);
        for row in 0..7 {
            let y = 180 + row * 64;
            fill(280, y + 46, 930, 1, GREY);
            fill(360, y + 12, 140 + (row * 23) % 60, 13, [40, 98, 170]);
            fill(640, y + 12, 180, 12, GREY);
            fill(960, y + 12, 120, 12, GREY);
        }
        return page;
    }
    fill(250, 90, 990, 590, WHITE);
    fill(332, 116, 260, 24, NAVY);
    for (row, width) in [(0, 210), (1, 260)] {
        let y = 190 + row * 90;
        fill(332, y, 90, 11, DARK);
        fill(332, y + 20, 616, 44, GREY);
        fill(334, y + 22, 612, 40, WHITE);
        fill(348, y + 36, width, 12, DARK);
    }
    let border = if screen == Screen::Card { GREY } else { [26, 115, 232] };
    fill(332, 352, 90, 11, DARK);
    fill(330, 370, 620, 46, border);
    fill(333, 373, 614, 40, WHITE);
    let text = match screen {
        Screen::Focused => [120, 170, 235],
        _ => DARK,
    };
    let width = if matches!(screen, Screen::Card | Screen::Focused) { 128 } else { 152 };
    fill(348, 387, width, 12, text);
    fill(332, 546, 150, 46, [26, 115, 232]);
    fill(378, 563, 58, 12, WHITE);
    if !matches!(screen, Screen::Clear | Screen::Saved) {
        fill(256, 530, 768, 84, [50, 58, 68]);
        fill(288, 560, 420, 12, GREY);
    } else {
        fill(256, 640, 768, 84, [50, 58, 68]);
    }
    if screen == Screen::Saved {
        fill(250, 90, 990, 44, [214, 242, 223]);
        fill(280, 106, 200, 12, [30, 120, 60]);
    }
    page
}
