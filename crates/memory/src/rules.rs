//! The settings that memory goes by, as one value.

use surehand_types::Settings;

#[derive(Debug, Clone, PartialEq)]
pub struct LessonRules {
    /// `lessons`
    pub enabled: bool,
    /// `lessons_inject`
    pub inject: Inject,
    /// `lessons_score_floor`: `None` where it is off.
    pub floor: Option<Floor>,
    /// `lessons_merge_revives`
    pub merge_revives: bool,
    /// `lessons_match`
    pub matching: Matching,
    pub transfer: Transfer,
    /// Hints in one answer.
    pub max_results: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inject {
    /// Born in or confirmed by a decided run, or promoted.
    Trusted,
    Candidates,
}

/// The least score of a lesson by lane. Reliability and recency alone bring 0.15: beyond that, something of
/// the context has to match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor {
    /// After an error. A lesson about the same failure at another thing of the site reaches 0.45.
    pub strict: f64,
    /// At the start, where there is no failure to match: the same task of a trusted lesson brings 0.45 and more.
    pub start: f64,
    pub transfer: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    Words,
    /// As the conformance cases have it: beginnings of fingerprints, parts of texts.
    Prefix,
}

/// When lessons of other origins may be offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// Where the own origin has little to say and the other one has much.
    Auto,
    Always,
    Off,
}

impl Default for LessonRules {
    fn default() -> Self {
        LessonRules {
            enabled: true,
            inject: Inject::Trusted,
            floor: Some(Floor { strict: 0.50, start: 0.40, transfer: 0.20 }),
            merge_revives: false,
            matching: Matching::Words,
            transfer: Transfer::Auto,
            max_results: 3,
        }
    }
}

impl LessonRules {
    pub fn of(settings: &Settings) -> LessonRules {
        let product = LessonRules::default();
        LessonRules {
            enabled: settings.is_on("lessons"),
            inject: match settings.text("lessons_inject") {
                "candidates" => Inject::Candidates,
                _ => Inject::Trusted,
            },
            floor: product.floor.filter(|_| settings.is_on("lessons_score_floor")),
            merge_revives: settings.is_on("lessons_merge_revives"),
            matching: match settings.text("lessons_match") {
                "prefix" => Matching::Prefix,
                _ => Matching::Words,
            },
            ..product
        }
    }
}
