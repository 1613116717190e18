//! Our own tools: as function calls where the server has them, as one JSON object where not. Also what models
//! without a dialect of their own are spoken to in, like GLM-4.5V and Yutori n1.

use super::super::actions::Habits;
use super::{Form, Manner};

pub(super) fn manner() -> Manner {
    Manner {
        forms: [Form::Written, Form::Spoken, Form::Code],
        habits: Habits {
            known: "mouse, keyboard, tab, dialog, select_option, upload_file, wait, zoom, ask_user, done",
            ..Habits::default()
        },
        example: r#"{"thought":"...","expected":["url_changed"],"calls":[{"tool":"mouse","action":"click","coordinate":[512,300]}]}"#,
    }
}
