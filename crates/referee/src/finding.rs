//! What one check found, before it becomes evidence in a report.

use serde_json::Value;
use surehand_types::referee::CheckResult;
use surehand_types::ui::PixelBox;

use crate::probes::NotProbed;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) result: CheckResult,
    pub(crate) observed: Value,
    pub(crate) confidence: f64,
    pub(crate) bbox: Option<PixelBox>,
    pub(crate) reason: String,
}

impl Finding {
    fn new(result: CheckResult, reason: impl Into<String>, observed: Value) -> Finding {
        let confidence = if result == CheckResult::Unknown { 0.0 } else { 1.0 };
        Finding { result, observed, confidence, bbox: None, reason: reason.into() }
    }

    pub(crate) fn pass(observed: Value) -> Finding {
        Finding::new(CheckResult::Pass, "as_expected", observed)
    }

    pub(crate) fn fail(reason: impl Into<String>, observed: Value) -> Finding {
        Finding::new(CheckResult::Fail, reason, observed)
    }

    pub(crate) fn unknown(reason: impl Into<String>, observed: Value) -> Finding {
        Finding::new(CheckResult::Unknown, reason, observed)
    }

    /// Nobody could say.
    pub(crate) fn not_probed(why: &NotProbed) -> Finding {
        Finding::unknown(crate::contract::shortened_text(&why.to_string()), Value::Null)
    }

    pub(crate) fn at(mut self, bbox: PixelBox) -> Finding {
        self.bbox = Some(bbox);
        self
    }

    pub(crate) fn sure(mut self, confidence: f64) -> Finding {
        self.confidence = if confidence.is_finite() { confidence.clamp(0.0, 1.0) } else { 0.0 };
        self
    }
}
