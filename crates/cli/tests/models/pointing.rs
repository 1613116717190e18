//! Points at the edge and beyond it, and pictures beside the screen: an enlarged part that the model asked for must
//! not become the picture that its points refer to.

use serde_json::json;

use crate::bench::eventually;
use crate::page::Page;
use crate::server::Answer;
use crate::shots;
use crate::wire::{self, Act, Wire};
use crate::world::World;

/// Named in the model's space: the first and the last point, and one far outside. Where the page was clicked.
fn edges(wire: Wire, last: (i64, i64), viewport: &str) -> Vec<(f64, f64)> {
    let named = [(0, 0), last, (last.0 * 3, -last.1), (-5, last.1 + 700)];
    let world = World::new(wire, move |_, number| {
        let act = named.get(number).map_or(Act::given_up("enough"), |at| Act::Click(at.0, at.1));
        Answer::json(&wire.reply(number, "To the edge.", &[act]))
    });
    let world = World { page: Page::titled("edges", "endless"), ..world };
    world.run(&["--viewport", viewport]).expect_end(1, "done_failed");
    eventually("all clicks", || world.page.clicks().len() == named.len());
    world.page.clicks().iter().map(|click| click.at).collect()
}

#[test]
fn what_is_beyond_the_edge_is_the_edge() {
    let corners = |width: f64, height: f64| {
        let (right, bottom) = (width - 1.0, height - 1.0);
        vec![(0.0, 0.0), (right, bottom), (right, 0.0), (0.0, bottom)]
    };
    assert_eq!(edges(wire::OPENAI, (1280, 720), "1280x720"), corners(1280.0, 720.0));
    assert_eq!(edges(wire::GEMINI, (1000, 1000), "853x480"), corners(853.0, 480.0));
}

#[test]
fn an_enlarged_part_is_shown_and_points_stay_in_the_whole() {
    let wire = wire::ANTHROPIC;
    let world = World::new(wire, move |asked, number| {
        let request = asked.json();
        let zoom = json!({"action": "zoom", "region": [400, 450, 560, 540]});
        Answer::json(&match number {
            0 => {
                let mut reply = wire.reply(number, "I look closer.", &[Act::Look]);
                reply["content"].as_array_mut().unwrap().last_mut().unwrap()["input"] = zoom;
                reply
            }
            1 => {
                // The square is seen in both; its place in the whole screen is what is named.
                let pictures = shots::decoded(&request);
                let sizes: Vec<_> = pictures.iter().map(|picture| (picture.width, picture.height)).collect();
                assert_eq!((sizes.len(), sizes[0], sizes[1]), (3, (1280, 720), (1280, 720)), "{sizes:?}");
                let (close, whole) = (shots::square_size(&pictures[2]), shots::square_size(&pictures[1]));
                assert!(close > whole * 3, "{close} {whole}");
                let (x, y) = shots::square(&pictures[1]).unwrap();
                wire.reply(number, "There it is.", &[Act::Click(x.round() as i64, y.round() as i64)])
            }
            _ => wire.reply(number, "", &[Act::given_up("one was enough")]),
        })
    });
    world.run(&[]).expect_end(1, "done_failed");
    let click = world.page.clicks()[0];
    assert!((click.at.0 - click.target.0).abs() <= 1.0 && (click.at.1 - click.target.1).abs() <= 1.0, "{click:?}");
    world.turns().iter().for_each(|request| wire.expect_answered(request));
}
