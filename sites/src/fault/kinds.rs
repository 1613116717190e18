//! The list of what a control can be and of what a page can do meanwhile. Each name has its function
//! in `sites/fault/*.js`; whether it is dead is said here and nowhere on the page.

use serde::Serialize;

/// What a click on the control comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Nothing that lasts and that anybody could see or ask for.
    Dead,
    /// Something changed and stays changed, or something was sent.
    Live,
}

/// One way to be dead or alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// The word in the address of a case.
    pub name: &'static str,
    /// Known by construction.
    pub fate: Fate,
    /// One sentence for reports.
    pub about: &'static str,
}

const fn dead(name: &'static str, about: &'static str) -> Kind {
    Kind { name, fate: Fate::Dead, about }
}

const fn live(name: &'static str, about: &'static str) -> Kind {
    Kind { name, fate: Fate::Live, about }
}

/// All kinds, the dead ones first.
pub const KINDS: &[Kind] = &[
    dead("overlay", "a transparent box above the control takes the click"),
    dead("removed", "the handler was removed again"),
    dead("bare", "the control never had a handler"),
    dead("lookalike", "aria-disabled and grey; the handler returns at once"),
    dead("disabled", "a really disabled button"),
    dead("throws", "the handler throws before it does anything"),
    dead("stopped", "an ancestor stops the event before it reaches the handler"),
    dead("console", "the handler only writes to the console"),
    dead("variable", "the handler only sets a variable"),
    dead("void_link", "a link to javascript:void 0"),
    dead("form_prevented", "a form whose submit is prevented"),
    dead("shadow_dead", "a control without a handler in an open shadow root"),
    dead("shadow_closed_dead", "a control that prevents its default in a closed shadow root"),
    dead("frame_dead", "a control without a handler in a frame of the same origin"),
    dead("cross_dead", "a control without a handler in a frame of another site"),
    dead("canvas_dead", "a painted control that ignores clicks"),
    dead("checkbox_dead", "a checkbox whose click is prevented"),
    dead("summary_dead", "a disclosure whose click is prevented"),
    dead("flash", "a message is added beside the control and removed after 300 ms"),
    dead("flash_style", "a hidden message becomes visible for 300 ms"),
    dead("flash_far", "a line elsewhere says something else for 300 ms"),
    dead("modal_hidden", "a modal is mounted with display none"),
    dead("modal_transparent", "a modal is mounted with opacity 0"),
    dead("modal_outside", "a modal is mounted outside of the view"),
    dead("repaint", "a list is written anew with the same markup"),
    dead("repaint_class", "a class is added and removed in one go"),
    dead("repaint_canvas", "a canvas is painted with the same picture"),
    dead("rule_undone", "a style rule is inserted and deleted in one go"),
    dead("ripple", "a ripple is added on press and removed at its end"),
    dead("press_animation", "the control shrinks and grows back by an animation"),
    dead("pressed_class", "a class marks the press and is gone 150 ms later"),
    dead("active_paint", "hover, active and focus paint with shadow and scale"),
    dead("tooltip", "a tooltip of style alone beside the control while it is hovered"),
    dead("focus_ring", "an element with a role and a thick focus ring, and no handler"),
    dead("label_only", "looks like a control, but lets all clicks through to nothing"),
    live("text", "the text of the control changes"),
    live("toggle_class", "a class of the control is toggled"),
    live("toggle_attribute", "aria-pressed of the control is set"),
    live("disables_itself", "the control becomes disabled"),
    live("checkbox", "a checkbox is ticked"),
    live("tiny_checkbox", "a checkbox of 12 pixels is ticked"),
    live("radio", "a radio button is chosen"),
    live("switch", "a switch painted by style over a hidden checkbox"),
    live("counter_far", "a figure far away changes"),
    live("counter_below", "a figure below the fold changes"),
    live("late_600", "a figure changes 600 ms later"),
    live("late_1300", "a figure changes 1300 ms later"),
    live("late_frame", "a line changes two frames later"),
    live("slow_server", "a figure changes after an answer that takes 700 ms"),
    live("request_only", "a request is sent and nothing is shown"),
    live("beacon_only", "a beacon is sent and nothing is shown"),
    live("modal", "a modal is added"),
    live("modal_shown", "a modal that was there is shown"),
    live("toast", "a message is added and stays"),
    live("item_added", "a list gets an item"),
    live("item_removed", "a list loses an item"),
    live("order_changed", "a list changes its order"),
    live("panel_hidden", "a part of the page is hidden"),
    live("shadow_open", "a control in an open shadow root changes its text"),
    live("shadow_closed", "a control in a closed shadow root changes its text"),
    live("frame_live", "a control in a frame of the same origin changes its text"),
    live("cross_live", "a control in a frame of another site changes its text"),
    live("svg", "a drawing gets another attribute"),
    live("picture", "a picture gets another source"),
    live("link", "another page is opened"),
    live("hash", "the hash of the address changes"),
    live("push_state", "the address changes by history.pushState"),
    live("title", "only the title of the page changes"),
    live("focus_field", "the focus moves into a text field elsewhere"),
    live("value", "the value of a field elsewhere is set"),
    live("editable", "the text of an editable box changes"),
    live("details", "a disclosure opens"),
    live("dialog", "a dialog element opens"),
    live("popover", "a popover opens"),
    live("scroll", "a far section is scrolled into view"),
    live("scroll_inner", "a small box elsewhere is scrolled"),
    live("selection", "text elsewhere becomes selected"),
    live("clipboard", "text is put on the clipboard and nothing is shown"),
    live("canvas_point", "a canvas paints where it was clicked"),
    live("canvas_elsewhere", "a canvas elsewhere is painted"),
    live("adopted_sheet", "an adopted style sheet recolours a part"),
    live("insert_rule", "an inserted style rule recolours a panel"),
    live("rule_style", "an existing style rule gets another colour"),
    live("root_variable", "a variable of the root recolours the ground"),
    live("waapi_moves", "an animation that keeps its end moves a part"),
    live("waapi_shows", "an animation that keeps its end shows a box"),
    live("waapi_panel", "an animation that keeps its end recolours a panel"),
];

/// What the page does by itself; each name has its function in `sites/fault/noise.js`.
pub const NOISES: &[&str] =
    &["none", "clock", "carousel", "spinner", "video", "ads", "chat", "polling", "progress", "caret", "gif", "ticker"];

/// The kind that the document inside a frame is of.
pub(super) fn inside(kind: &str) -> Option<&'static str> {
    match kind {
        "frame_dead" | "cross_dead" => Some("removed"),
        "frame_live" | "cross_live" => Some("text"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_function_and_no_function_is_unlisted() {
        let scripts = [
            include_str!("../../fault/dead.js"),
            include_str!("../../fault/dead-look.js"),
            include_str!("../../fault/live.js"),
            include_str!("../../fault/live-page.js"),
            include_str!("../../fault/live-paint.js"),
        ];
        let is_member = |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.contains("(page) {");
        let mut written: Vec<&str> =
            scripts.iter().flat_map(|script| script.lines()).filter(is_member).map(|line| line.trim_start()).collect();
        written.iter_mut().for_each(|line| *line = line.split('(').next().unwrap());
        written.sort_unstable();
        let mut listed: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        listed.sort_unstable();
        assert_eq!(written, listed);
        let noise = include_str!("../../fault/noise.js");
        for name in &NOISES[1..] {
            assert!(noise.contains(&format!("ambient.{name} = ")), "{name}");
        }
    }
}
