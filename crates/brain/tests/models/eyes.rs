//! A model as the eyes of a judge: one question with labelled pictures, a deadline, and what it cost.

use std::time::{Duration, Instant};

use surehand_brain::{BrainSpec, ModelOptions, eyes};
use surehand_checks::picture::encode_png;
use surehand_types::vision::{VisionFailure, VisionImage, VisionModel, VisionRequest};
use surehand_types::{Encoding, Pixels};

use crate::server::{Answer, Server};
use crate::shots;
use crate::wire::{INPUT, VENDORS, Wire};

fn model(wire: Wire, server: &Server) -> Box<dyn VisionModel> {
    let BrainSpec::Model(spec) = BrainSpec::parse(&wire.brain(server)).unwrap() else { panic!("no model") };
    let options = ModelOptions { price: "1000/0".into(), ..ModelOptions::default() };
    eyes(&spec, &options, Duration::from_secs(20)).unwrap()
}

fn request(deadline: Duration) -> VisionRequest {
    let image = |label: &str, shade: u8| {
        let pixels = Pixels::new(40, 30, [shade, 0, 0].repeat(1200)).unwrap();
        let bytes = encode_png(&pixels).unwrap();
        VisionImage { label: label.into(), encoding: Encoding::Png, bytes, frame: None }
    };
    VisionRequest {
        system: "You compare two screens.".into(),
        prompt: "Which one is brighter?".into(),
        images: vec![image("Before:", 10), image("After:", 250)],
        deadline,
    }
}

#[tokio::test]
async fn a_question_with_two_pictures_is_asked_and_answered() {
    for wire in VENDORS {
        let server = Server::list(vec![Answer::json(&wire.words("The second one."))]);
        let answer = model(wire, &server).ask(&request(Duration::from_secs(10))).await.unwrap();
        assert_eq!(answer.text, "The second one.");
        assert!((answer.cost - INPUT as f64 / 1000.0).abs() < 1e-9, "{:?}: {}", wire.kind, answer.cost);
        let asked = server.asked()[0].json();
        assert_eq!(shots::encoded(&asked).len(), 2);
        let words = shots::words(&asked);
        let order = ["Which one is brighter?", "Before:", "After:"].map(|part| words.find(part).expect(part));
        assert!(order.is_sorted(), "{words}");
        assert!(words.contains("You compare two screens."));
    }
}

#[tokio::test]
async fn refusals_and_silence_have_names_of_their_own() {
    for wire in VENDORS {
        let server = Server::list(vec![Answer::json(&wire.refusal("I do not look at this."))]);
        let refused = model(wire, &server).ask(&request(Duration::from_secs(10))).await;
        assert!(matches!(&refused, Err(VisionFailure::Refused(why)) if why.contains("do not look")), "{refused:?}");
        let server = Server::list(vec![Answer::silent()]);
        let began = Instant::now();
        let silent = model(wire, &server).ask(&request(Duration::from_millis(300))).await;
        assert!(matches!(silent, Err(VisionFailure::Deadline)), "{silent:?}");
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}
