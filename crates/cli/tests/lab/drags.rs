//! Drags: drag-and-drop of the browser, drags by pointer events, drags that select text.

use crate::driver::{Lab, assert_effect, assert_evidence, grid, shortened};

#[test]
fn drag_and_drop() {
    let mut lab = Lab::start();
    let drops = [
        ("drag-drop", "oysters", "basket"),
        ("drag-frame", "inner/thing", "inner/zone"),
        ("drag-cross", "inner/thing", "inner/zone"),
        ("drag-out", "inner/thing", "yard"),
    ];
    for (page, from, to) in drops {
        lab.page(page, |lab| {
            let (from, to) = (lab.at(from), lab.at(to));
            assert_effect(&lab.drag(from, to), "confirmed");
        });
    }
    // Between processes, and the one that began the drag hears that it is over.
    lab.page("drag-into-cross", |lab| {
        let (from, to) = (lab.at("crate"), lab.at("inner/zone"));
        assert_effect(&lab.drag(from, to), "confirmed");
        lab.click("count");
    });
    lab.page("drag-out-cross", |lab| {
        for to in ["yard", "inner/zone"] {
            let (from, to) = (lab.at("inner/thing"), lab.at(to));
            assert_effect(&lab.drag(from, to), "confirmed");
        }
    });
    // Whatever became of the drag, the click behind it arrives.
    let then_clicks =
        [("drag-then-click", "quay", "count"), ("drag-refused", "wall", "next"), ("drag-cancelled", "quay", "next")];
    for (page, to, then) in then_clicks {
        lab.page(page, |lab| {
            let (from, to) = (lab.at("crate"), lab.at(to));
            let dragged = lab.drag(from, to);
            assert_eq!(dragged["ok"], true, "{}", shortened(&dragged));
            assert_eq!(lab.click(then)["ok"], true);
        });
    }
    lab.page("drag-sort", |lab| {
        let (from, to) = (lab.at("third"), lab.part("first", 0.5, 0.15));
        assert_effect(&lab.drag(from, to), "confirmed");
    });
    lab.finish();
}

#[test]
fn drags_of_pointers_and_text() {
    let mut lab = Lab::start();
    lab.page("drag-slider", |lab| {
        let from = lab.at("knob");
        assert_effect(&lab.drag(from, grid(455.0, 206.0)), "confirmed");
    });
    lab.page("drag-select-text", |lab| {
        let (from, to) = (lab.part("words", 0.0, 0.5), lab.part("words", 1.0, 0.5));
        let answer = lab.drag(from, to);
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["effect"]["evidence"][0]["kind"], "selection", "{}", answer["effect"]);
    });
    lab.page("drag-text-field", |lab| {
        assert_effect(&lab.drag(grid(83.0, 140.0), grid(300.0, 140.0)), "confirmed");
        lab.write("ebb");
    });
    lab.page("drag-canvas", |lab| {
        let answer = lab.drag(grid(141.0, 241.0), grid(621.0, 241.0));
        assert_eq!(answer["ok"], true, "{}", shortened(&answer));
    });
    // The same where the page sends nothing: the evidence is what changed.
    lab.page_unjudged("drag-drop?quiet=1", |lab| {
        let (from, to) = (lab.at("oysters"), lab.at("basket"));
        assert_evidence(&lab.drag(from, to), "mutation");
        let (from, to) = (lab.at("mussels"), grid(1000.0, 600.0));
        assert_effect(&lab.drag(from, to), "no_effect");
        let at = lab.at("mussels");
        let dead = lab.drag(at, at);
        assert_effect(&dead, "no_effect");
        let near = dead["candidates"].as_array().unwrap();
        assert_eq!(near.len(), 1, "each of the neighbours once: {}", shortened(&dead));
    });
    lab.page_unjudged("drag-slider?quiet=1", |lab| {
        let from = lab.at("knob");
        assert_evidence(&lab.drag(from, grid(455.0, 206.0)), "mutation");
    });
    lab.page_unjudged("drag-select-text?quiet=1", |lab| {
        let (from, to) = (lab.part("words", 0.0, 0.5), lab.part("words", 1.0, 0.5));
        assert_evidence(&lab.drag(from, to), "selection");
    });
    lab.page_unjudged("drag-canvas?quiet=1", |lab| {
        assert_evidence(&lab.drag(grid(141.0, 241.0), grid(621.0, 241.0)), "pixels");
    });
    lab.finish();
}
