//! Short names for windows: `w1` stays with its window as long as the environment lives, and no other
//! window ever gets it.

use x11rb::protocol::xproto::Window;

use super::survey::WindowFact;

#[derive(Debug, Default)]
pub(super) struct WindowNames {
    /// In the order they were first seen. X uses numbers again, so the class is part of who it is.
    seen: Vec<(Window, String, bool)>,
}

impl WindowNames {
    /// Gives names to new windows, and lets go of those that are closed.
    pub(super) fn learn(&mut self, windows: &[WindowFact]) {
        for (id, class, gone) in &mut self.seen {
            *gone |= !windows.iter().any(|window| window.id == *id && window.class == *class);
        }
        for window in windows {
            if self.number(window.id).is_none() {
                self.seen.push((window.id, window.class.clone(), false));
            }
        }
    }

    pub(super) fn name(&self, window: Window) -> Option<String> {
        self.number(window).map(|number| format!("w{number}"))
    }

    pub(super) fn find(&self, name: &str) -> Option<Window> {
        let number: usize = name.strip_prefix('w')?.parse().ok()?;
        self.seen.get(number.checked_sub(1)?).filter(|(.., gone)| !gone).map(|(window, ..)| *window)
    }

    fn number(&self, window: Window) -> Option<usize> {
        self.seen.iter().position(|(id, _, gone)| *id == window && !gone).map(|index| index + 1)
    }
}

#[cfg(test)]
mod tests {
    use surehand_types::ViewBox;

    use super::*;

    fn window(id: Window, class: &str) -> WindowFact {
        let bounds = ViewBox { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };
        WindowFact { id, title: String::new(), class: class.into(), bounds, pid: None, hidden: false, splash: false }
    }

    #[test]
    fn a_name_is_never_given_twice() {
        let mut names = WindowNames::default();
        names.learn(&[window(7, "A"), window(9, "B")]);
        assert_eq!((names.name(7).as_deref(), names.find("w2")), (Some("w1"), Some(9)));
        names.learn(&[window(9, "B")]);
        assert_eq!((names.find("w1"), names.name(7)), (None, None));
        names.learn(&[window(9, "B"), window(7, "C")]);
        assert_eq!(names.name(7).as_deref(), Some("w3"));
        for wrong in ["", "w", "w0", "w9", "x1", "w-1"] {
            assert_eq!(names.find(wrong), None, "{wrong}");
        }
    }
}
