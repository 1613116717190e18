//! Controls whose own picker is drawn by the browser and not by the page: a click on one is kept from
//! it, and the brain is told how to go on.

use surehand_types::observation::SelectChoice;

/// The control that a click would open, which need not be what was hit: a label, an option of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeControl {
    pub descriptor: String,
    pub picker: Picker,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Picker {
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
    pub fn invitation(&self) -> String {
        let descriptor = &self.descriptor;
        match &self.picker {
            Picker::Select { multiple, options, total } => {
                let many = if *multiple { " (several may be chosen)" } else { "" };
                let part = if *total > options.len() {
                    format!(", the first {} listed", options.len())
                } else {
                    String::new()
                };
                format!("{descriptor} has {total} options{many}{part}; choose with select_option")
            }
            Picker::File { multiple, accept, folder } => {
                let many = match (folder, multiple) {
                    (true, _) => "a folder",
                    (false, true) => "files",
                    (false, false) => "one file",
                };
                let kinds = accept.as_deref().map(|accept| format!(" ({accept})")).unwrap_or_default();
                format!("{descriptor} takes {many}{kinds}; give it with upload_file")
            }
            Picker::Date { kind } => {
                format!("{descriptor} has the focus; keyboard type sets it, in the form {}", typed_form(kind))
            }
            Picker::Color => {
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
        let invitation =
            |descriptor: &str, picker| NativeControl { descriptor: descriptor.into(), picker }.invitation();
        let select = Picker::Select { multiple: true, options: Vec::new(), total: 300 };
        assert_eq!(
            invitation("listbox \"Extras\"", select),
            "listbox \"Extras\" has 300 options (several may be chosen), the first 0 listed; choose with select_option"
        );
        let file = Picker::File { multiple: false, accept: Some(".pdf".into()), folder: false };
        assert_eq!(invitation("file", file), "file takes one file (.pdf); give it with upload_file");
        let date = Picker::Date { kind: "week".into() };
        assert!(invitation("textbox", date).ends_with("in the form YYYY-Www"));
    }
}
