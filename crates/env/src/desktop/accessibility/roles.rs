//! Roles in the words that prompts, policies and scripts know them by. Toolkits spell them in their own way.

/// `push button` becomes `button`; what has no counterpart stays as it is.
pub(super) fn web_role(role: &str) -> String {
    let lower = role.trim().to_lowercase().replace(['_', '-'], " ");
    let known = match lower.as_str() {
        "push button" | "toggle button" | "button" | "push button menu" => "button",
        "text" | "entry" | "password text" | "terminal" | "editbar" | "paragraph" | "document text" => "textbox",
        "check box" => "checkbox",
        "check menu item" => "menuitemcheckbox",
        "radio button" => "radio",
        "radio menu item" => "menuitemradio",
        "combo box" => "combobox",
        "menu item" => "menuitem",
        "menu" => "menuitem",
        "menu bar" => "menubar",
        "page tab" => "tab",
        "page tab list" => "tablist",
        "spin button" => "spinbutton",
        "list item" => "option",
        "list" | "list box" => "listbox",
        "tree item" => "treeitem",
        "table cell" | "tree table cell" => "cell",
        "scroll bar" => "scrollbar",
        "progress bar" => "progressbar",
        "tool bar" => "toolbar",
        "frame" | "window" | "internal frame" => "window",
        "filler" | "panel" | "layered pane" | "root pane" | "unknown" | "viewport" | "scroll pane" | "split pane" => {
            "pane"
        }
        "label" | "static" => "label",
        "dial" => "slider",
        "icon" | "image" => "img",
        _ => lower.as_str(),
    };
    known.to_string()
}

/// Things that a person aims at.
pub(super) fn is_interactable(role: &str) -> bool {
    const AIMED_AT: &[&str] = &[
        "button",
        "textbox",
        "checkbox",
        "menuitemcheckbox",
        "radio",
        "menuitemradio",
        "combobox",
        "menuitem",
        "tab",
        "spinbutton",
        "option",
        "treeitem",
        "cell",
        "slider",
        "link",
        "scrollbar",
        "switch",
    ];
    AIMED_AT.contains(&role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolkits_spell_roles_in_their_own_way() {
        for (role, expected) in [
            ("push button", "button"),
            ("PushButton", "pushbutton"),
            ("check_box", "checkbox"),
            ("Entry", "textbox"),
            ("ruler", "ruler"),
        ] {
            assert_eq!(web_role(role), expected);
        }
        assert!(is_interactable("button") && !is_interactable("pane"));
    }
}
