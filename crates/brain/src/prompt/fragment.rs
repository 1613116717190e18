//! The fragments of a system prompt, in order. Each has its words in two template files and a size
//! cap per variant, so that a prompt grows by decision and not by drift.

use super::context::PromptContext;
use super::{Variant, template, tools};

#[derive(Debug)]
pub(super) struct Fragment {
    name: &'static str,
    source: Source,
    /// Present only with at least one of these tools; always when empty.
    needs: &'static [&'static str],
    cap: Cap,
}

#[derive(Debug)]
enum Source {
    Texts { large: &'static str, small: &'static str },
    ToolList,
}

/// The most characters a rendered fragment may have. Every text is fixed at build time, so a test
/// holds it to this; cutting a prompt at run time would only hide the mistake.
#[derive(Debug, Clone, Copy)]
struct Cap {
    large: usize,
    small: usize,
}

impl Fragment {
    /// `None` when it has nothing to say in this context.
    pub(super) fn render(&self, variant: Variant, context: &PromptContext) -> Option<String> {
        if !context.has_any(self.needs) {
            return None;
        }
        match (&self.source, variant) {
            (Source::Texts { large, .. }, Variant::Large) => template::fill(large, context),
            (Source::Texts { small, .. }, Variant::Small) => template::fill(small, context),
            (Source::ToolList, _) => Some(tools::list(variant, context)),
        }
    }
}

/// How large one fragment came out, beside what it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FragmentSize {
    pub name: &'static str,
    pub characters: usize,
    pub cap: usize,
}

/// The fragments of a system prompt with their sizes; those that say nothing here are left out.
pub fn fragment_sizes(variant: Variant, context: &PromptContext) -> Vec<FragmentSize> {
    let measure = |fragment: &Fragment| {
        let characters = fragment.render(variant, context)?.chars().count();
        let cap = match variant {
            Variant::Large => fragment.cap.large,
            Variant::Small => fragment.cap.small,
        };
        Some(FragmentSize { name: fragment.name, characters, cap })
    };
    FRAGMENTS.iter().filter_map(measure).collect()
}

macro_rules! texts {
    ($name:literal) => {
        Source::Texts {
            large: include_str!(concat!("texts/large/", $name, ".md")),
            small: include_str!(concat!("texts/small/", $name, ".md")),
        }
    };
}

macro_rules! fragment {
    ($name:literal, needs $needs:expr, large $large:literal, small $small:literal) => {
        Fragment { name: $name, source: texts!($name), needs: $needs, cap: Cap { large: $large, small: $small } }
    };
}

pub(super) const FRAGMENTS: &[Fragment] = &[
    fragment!("role", needs &[], large 700, small 300),
    fragment!("trust", needs &[], large 900, small 300),
    fragment!("screen", needs &["mouse"], large 1800, small 500),
    fragment!("reply", needs &[], large 2000, small 700),
    fragment!("predictions", needs &[], large 900, small 400),
    fragment!("observation", needs &[], large 2600, small 900),
    fragment!("preview", needs &["mouse"], large 1000, small 350),
    fragment!("typing", needs &["keyboard"], large 1100, small 350),
    fragment!("native", needs &["select_option", "upload_file"], large 1500, small 600),
    fragment!("dialogs", needs &["dialog"], large 700, small 250),
    fragment!("places", needs &["tab", "window"], large 700, small 150),
    fragment!("patterns", needs &["mouse"], large 1800, small 250),
    fragment!("ending", needs &["done"], large 1000, small 200),
    Fragment { name: "tools", source: Source::ToolList, needs: &[], cap: Cap { large: 7500, small: 3800 } },
];

#[cfg(test)]
mod tests {
    use super::super::context::Surface;
    use super::*;

    #[test]
    fn every_fragment_stays_below_its_cap_and_near_it() {
        for surface in [Surface::Browser, Surface::Desktop] {
            for variant in [Variant::Large, Variant::Small] {
                for size in fragment_sizes(variant, &PromptContext::new(surface)) {
                    assert!(size.characters <= size.cap, "{variant:?} {surface:?}: {size:?}");
                    // A cap far above its text would let the text drift.
                    let loose = surface == Surface::Browser && size.characters * 2 < size.cap;
                    assert!(!loose, "{variant:?}: {size:?}");
                }
            }
        }
    }

    #[test]
    fn every_fragment_speaks_in_a_browser() {
        for variant in [Variant::Large, Variant::Small] {
            assert_eq!(fragment_sizes(variant, &PromptContext::default()).len(), FRAGMENTS.len());
        }
    }
}
