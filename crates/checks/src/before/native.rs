//! Controls whose own picker is drawn by the browser and not by the page: a click on one is kept from
//! it, and the brain is told how to go on.

use surehand_types::observation::SelectChoice;

#[derive(Debug, Clone, PartialEq)]
pub enum NativeControl {
    Select {
        multiple: bool,
        /// The first two hundred; `total` counts all.
        options: Vec<SelectChoice>,
        total: usize,
    },
    File {
        multiple: bool,
        accept: Option<String>,
        /// It wants a whole folder.
        folder: bool,
    },
    /// `kind` is the input's type: date, time, datetime-local, month or week.
    Date {
        kind: String,
    },
    Color,
}

impl NativeControl {
    /// What the brain is told when a click was kept from the picker.
    pub fn invitation(&self, descriptor: &str) -> String {
        match self {
            NativeControl::Select { multiple, options, total } => {
                let many = if *multiple { " (several may be chosen)" } else { "" };
                let part = if *total > options.len() {
                    format!(", the first {} listed", options.len())
                } else {
                    String::new()
                };
                format!("{descriptor} has {total} options{many}{part}; choose with select_option")
            }
            NativeControl::File { multiple, accept, folder } => {
                let many = match (folder, multiple) {
                    (true, _) => "a folder",
                    (false, true) => "files",
                    (false, false) => "one file",
                };
                let kinds = accept.as_deref().map(|accept| format!(" ({accept})")).unwrap_or_default();
                format!("{descriptor} takes {many}{kinds}; give it with upload_file")
            }
            NativeControl::Date { kind } => {
                format!("{descriptor} has the focus; keyboard type sets it, in the form {}", typed_form(kind))
            }
            NativeControl::Color => {
                format!("{descriptor} has the focus; keyboard type sets it, in the form {}", typed_form("color"))
            }
        }
    }
}

/// The text that sets an input of that type as a whole.
pub fn typed_form(kind: &str) -> &'static str {
    match kind {
        "time" => "HH:MM",
        "datetime-local" => "YYYY-MM-DDTHH:MM",
        "month" => "YYYY-MM",
        "week" => "YYYY-Www",
        "color" => "#rrggbb",
        _ => "YYYY-MM-DD",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brain_is_told_which_tool_goes_on_and_how() {
        let select = NativeControl::Select { multiple: true, options: Vec::new(), total: 300 };
        assert_eq!(
            select.invitation("listbox \"Extras\""),
            "listbox \"Extras\" has 300 options (several may be chosen), the first 0 listed; choose with select_option"
        );
        let file = NativeControl::File { multiple: false, accept: Some(".pdf".into()), folder: false };
        assert_eq!(file.invitation("file"), "file takes one file (.pdf); give it with upload_file");
        let date = NativeControl::Date { kind: "week".into() };
        assert!(date.invitation("textbox").ends_with("in the form YYYY-Www"));
    }
}
