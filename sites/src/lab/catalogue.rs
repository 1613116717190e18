// The list of all pages and frame documents, read once from the embedded files, and its two public
// forms: the start page and `/catalogue.json`. Separate so that adding a page touches no code.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::section::{self, Section};
use crate::page::{Fill, fill};

/// Short name of a group, what it is about, its file.
type Group = (&'static str, &'static str, &'static str);

const GROUPS: &[Group] = &[
    ("click", "Clicks and buttons of the mouse", include_str!("../../lab/pages/click.html")),
    ("keys", "Keys", include_str!("../../lab/pages/keys.html")),
    ("dialog", "Dialogs of the browser", include_str!("../../lab/pages/dialog.html")),
    ("frame", "Frames", include_str!("../../lab/pages/frame.html")),
    ("drag", "Dragging", include_str!("../../lab/pages/drag.html")),
    ("file", "File inputs", include_str!("../../lab/pages/file.html")),
    ("select", "Selects", include_str!("../../lab/pages/select.html")),
    ("browser", "Viewport, focus, frames of the picture, busy pages", include_str!("../../lab/pages/browser.html")),
    ("window", "Windows and tabs", include_str!("../../lab/pages/window.html")),
    ("navigation", "Navigation", include_str!("../../lab/pages/navigation.html")),
    ("server", "Slow answers, downloads, redirects, sign-in", include_str!("../../lab/pages/server.html")),
    ("input", "Inputs with a format", include_str!("../../lab/pages/input.html")),
    ("text", "Text fields that resist", include_str!("../../lab/pages/text.html")),
    ("editor", "Editors and composed fields", include_str!("../../lab/pages/editor.html")),
    ("target", "Targets that move, hide or crowd", include_str!("../../lab/pages/target.html")),
    ("effect", "Effects that are hard to see, and none at all", include_str!("../../lab/pages/effect.html")),
    ("shape", "Targets of an odd shape", include_str!("../../lab/pages/shape.html")),
    ("scroll", "Scrolling", include_str!("../../lab/pages/scroll.html")),
];
const FRAME_FILE: &str = include_str!("../../lab/pages/inside.html");
const INDEX: &str = include_str!("../../lab/index.html");

/// A page and the group it belongs to.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) group: &'static str,
    pub(crate) section: Section,
}

static PAGES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let of_group = |&(group, _, text): &Group| {
        section::read(text).into_iter().map(move |section| Entry { group, section }).collect::<Vec<_>>()
    };
    GROUPS.iter().flat_map(of_group).collect()
});
static FRAMES: LazyLock<Vec<Section>> = LazyLock::new(|| section::read(FRAME_FILE));

/// The page of that name.
pub(crate) fn page(name: &str) -> Option<&'static Section> {
    PAGES.iter().map(|entry| &entry.section).find(|section| section.name == name)
}

/// The document of that name for the inside of a frame.
pub(crate) fn frame(name: &str) -> Option<&'static Section> {
    FRAMES.iter().find(|section| section.name == name)
}

/// Every page as JSON.
pub(crate) fn as_json() -> Value {
    PAGES.iter().map(|entry| described(entry.group, &entry.section)).collect()
}

fn described(group: &str, section: &Section) -> Value {
    let controls: Map<String, Value> = section
        .controls
        .iter()
        .map(|at| (at.id.clone(), json!({ "x": at.x, "y": at.y, "w": at.width, "h": at.height })))
        .collect();
    let mut entry = json!({
        "name": section.name,
        "title": section.title,
        "hand": section.hand,
        "group": group,
        "quiet": section.is_quiet,
        "controls": controls,
    });
    if !section.effect.is_empty() {
        entry["effect"] = json!(section.effect);
    }
    entry
}

/// The start page: all groups with one line per page.
pub(crate) fn index() -> String {
    let mut list = String::new();
    for (group, label, _) in GROUPS {
        list.push_str(&fill("<h2>{{label}}</h2>\n<ul>\n", &[("label", Fill::Text(label))]));
        for entry in PAGES.iter().filter(|entry| entry.group == *group) {
            let Section { name, title, hand, .. } = &entry.section;
            list.push_str(&fill(
                "<li><a href=\"/p/{{name}}\"><code>{{name}}</code> {{title}}</a> <span>{{hand}}</span></li>\n",
                &[("name", Fill::Text(name)), ("title", Fill::Text(title)), ("hand", Fill::Text(hand))],
            ));
        }
        list.push_str("</ul>\n");
    }
    fill(INDEX, &[("list", Fill::Markup(&list)), ("count", Fill::Text(&PAGES.len().to_string()))])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_section_of_every_file_is_read_and_has_its_own_name() {
        for (group, _, text) in GROUPS.iter().chain(&[("inside", "", FRAME_FILE)]) {
            let sections = section::read(text);
            assert_eq!(sections.len(), text.matches("<page ").count(), "{group}");
            for section in &sections {
                let places = section.markup.matches(" data-control").count();
                assert_eq!(section.controls.len(), places, "{}", section.name);
                assert!(!section.markup.contains(" at=\""), "{}", section.name);
                let is_address = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
                assert!(section.name.chars().all(is_address), "{}", section.name);
                assert!(["", "strict", "types"].contains(&section.policy.as_str()), "{}", section.name);
                assert!(!section.title.is_empty() && section.hand.ends_with('.'), "{}", section.name);
            }
        }
        let names: HashSet<&str> = PAGES.iter().map(|entry| entry.section.name.as_str()).collect();
        assert_eq!(names.len(), PAGES.len());
    }

    #[test]
    fn controls_lie_inside_the_view_of_1280_by_720() {
        for Entry { group, section } in PAGES.iter() {
            for at in &section.controls {
                assert!(at.x + at.width <= 1280, "{} {}", section.name, at.id);
                assert!(at.y >= 72, "{} {}: the head of the page is there", section.name, at.id);
                let may_be_below = *group == "scroll" || section.name.starts_with("clip-");
                assert!(may_be_below || at.y + at.height <= 720, "{} {}", section.name, at.id);
            }
        }
    }
}
