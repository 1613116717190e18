//! Whole conversations with every kind of model: look, hit four squares, type, end. The model names each square in the
//! space of the picture it was sent, in views of odd sizes and with device pixels of all kinds; the page must be
//! clicked within a pixel of that.

use serde_json::json;

use crate::bench::eventually;
use crate::page::PLACES_COUNT;
use crate::wire::{self, CACHED, INPUT, Kind, OUTPUT, Space, Wire};
use crate::world::{KEY, Model, Next, World};

/// A view, and device pixels for each of its pixels.
type Screen = (&'static str, &'static str);

const PLAIN: Screen = ("1280x720", "1");
const ODD: Screen = ("1919x1079", "1");
const SMALL: Screen = ("853x480", "1");
const LARGE: Screen = ("2560x1440", "1");
const DENSE: Screen = ("1280x720", "1.5");
const DENSER: Screen = ("1280x720", "2");
const COARSE: Screen = ("1280x720", "0.8");

fn conversation(wire: Wire, screens: &[Screen]) {
    for (index, screen) in screens.iter().enumerate() {
        // Every second time, what can go together goes together. This one model says one thing at a time.
        one(wire, *screen, index % 2 == 1 && wire.kind != Kind::Holo3);
    }
}

fn one(wire: Wire, (viewport, factor): Screen, batch: bool) {
    let mut replies = vec![
        vec![Next::Look],
        vec![Next::Square],
        vec![Next::Square],
        vec![Next::Square],
        vec![Next::Square],
        vec![Next::Type("Grüße, 3 words")],
        vec![Next::Done("all four squares were hit and the words are typed")],
    ];
    if batch {
        let typing = replies.remove(5);
        replies[4].extend(typing);
    }
    let turns = replies.len();
    let model = Model::new(wire, replies);
    let world = World::of(&model);
    let factor_setting = format!("device_scale_factor={factor}");
    let ended = world.run(&["--viewport", viewport, "--set", &factor_setting, "--set", "price=2/10/1/3"]);
    let result = ended.expect_end(0, "done");
    let about = format!("{:?} {viewport} at {factor}", wire.kind);

    expect_hits(&world, &model, &about);
    eventually("the page to tell what was typed", || world.page.typed() == "Grüße, 3 words");

    // Every turn, and one question about the end.
    let asked = world.server.asked();
    let count = turns as u64 + 1;
    assert_eq!(asked.len() as u64, count, "{about}");
    asked.iter().for_each(|request| wire.expect_address(request, KEY));
    world.turns().iter().for_each(|request| wire.expect_answered(request));
    let dollars = ((INPUT - CACHED) as f64 * 2.0 + CACHED as f64 + OUTPUT as f64 * 10.0) * count as f64 / 1e6;
    let usage = &result["brain_summary"]["usage"];
    let sent: usize = asked.iter().map(|request| request.body.len()).sum();
    assert_eq!(
        (
            &usage["input_tokens"],
            &usage["output_tokens"],
            &usage["cached_tokens"],
            &usage["requests"],
            &usage["bytes_sent"]
        ),
        (&json!(count * INPUT), &json!(count * OUTPUT), &json!(count * CACHED), &json!(count), &json!(sent)),
        "{about}"
    );
    assert!((result["cost"].as_f64().unwrap() - dollars).abs() < 1e-9, "{about}: {}", result["cost"]);
    let summary = &result["brain_summary"];
    let counts = ["problems", "repairs", "repeats", "safety_checks", "safety_denied"].map(|name| summary[name].clone());
    assert_eq!(counts, [0; 5].map(|zero| json!(zero)), "{about}: {summary}");
}

/// What the page saw is what the model named, and what the run says was dispatched.
fn expect_hits(world: &World, model: &Model, about: &str) {
    let (clicks, aims) = (world.page.clicks(), model.aims());
    assert_eq!((clicks.len() >= PLACES_COUNT, aims.len()), (true, PLACES_COUNT), "{about}: {clicks:?}");
    for (click, aim) in clicks.iter().zip(&aims) {
        let meant = world.wire.space.on_page(aim.named, aim.picture, click.view);
        let off = (click.at.0 - meant.0).abs().max((click.at.1 - meant.1).abs());
        assert!(off <= 1.0, "{about}: {aim:?} means {meant:?}, clicked {click:?}");
        // Whole numbers of a coarse space cannot name every pixel.
        let unit = match world.wire.space {
            Space::Grid => click.view.0.max(click.view.1) / 1000.0 / 2.0,
            _ => 0.0,
        };
        let off = (click.at.0 - click.target.0).abs().max((click.at.1 - click.target.1).abs());
        assert!(off <= 1.0 + unit, "{about}: the square is at {:?}, clicked {click:?}", click.target);
    }
}

#[test]
fn anthropic() {
    conversation(wire::ANTHROPIC, &[PLAIN, LARGE, DENSE]);
}

#[test]
fn anthropic_toolset() {
    conversation(wire::TOOLSET, &[ODD, COARSE]);
}

#[test]
fn openai() {
    conversation(wire::OPENAI, &[SMALL, DENSER, LARGE]);
}

#[test]
fn openai_preview() {
    conversation(wire::PREVIEW, &[COARSE, ODD]);
}

#[test]
fn gemini() {
    conversation(wire::GEMINI, &[ODD, DENSE]);
}

#[test]
fn gemini_legacy() {
    conversation(wire::LEGACY, &[PLAIN, COARSE]);
}

#[test]
fn chat_native() {
    conversation(wire::NATIVE, &[LARGE, DENSER]);
}

#[test]
fn chat_qwen3_vl() {
    conversation(wire::QWEN3, &[SMALL, DENSE]);
}

#[test]
fn chat_qwen25_vl() {
    conversation(wire::QWEN25, &[ODD, DENSE]);
}

#[test]
fn chat_ui_tars() {
    conversation(wire::UI_TARS, &[SMALL, LARGE]);
}

#[test]
fn chat_ui_tars_2() {
    conversation(wire::UI_TARS_2, &[ODD]);
}

#[test]
fn chat_opencua() {
    conversation(wire::OPENCUA, &[DENSER, COARSE]);
}

#[test]
fn chat_holo3() {
    conversation(wire::HOLO3, &[COARSE]);
}

#[test]
fn chat_fara() {
    conversation(wire::FARA, &[PLAIN, SMALL]);
}
