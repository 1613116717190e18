//! What a prompt is made for: the kind of environment and the tools it really has. A prompt that
//! names a tool the environment lacks costs a turn each time a model believes it.

use surehand_types::call::spec::{self, TOOLS, ToolSpec};

/// What the brain looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    #[default]
    Browser,
    Desktop,
}

#[derive(Debug, Clone)]
pub struct PromptContext {
    surface: Surface,
    tools: Vec<&'static ToolSpec>,
}

impl PromptContext {
    /// The tools that every environment of this kind has.
    pub fn new(surface: Surface) -> Self {
        let absent = surface.absent_tools();
        let tools = TOOLS.iter().filter(|tool| !absent.contains(&tool.name)).collect();
        PromptContext { surface, tools }
    }

    /// Exactly the tools of these names, in the order of the declarations; unknown names are ignored.
    pub fn with_tools(surface: Surface, names: &[&str]) -> Self {
        PromptContext { surface, tools: TOOLS.iter().filter(|tool| names.contains(&tool.name)).collect() }
    }

    pub fn surface(&self) -> Surface {
        self.surface
    }

    pub fn tools(&self) -> &[&'static ToolSpec] {
        &self.tools
    }

    pub fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|known| known.name == tool)
    }

    pub(super) fn has_any(&self, tools: &[&str]) -> bool {
        tools.is_empty() || tools.iter().any(|tool| self.has(tool))
    }
}

impl Default for PromptContext {
    fn default() -> Self {
        PromptContext::new(Surface::default())
    }
}

impl Surface {
    pub(super) fn name(self) -> &'static str {
        match self {
            Surface::Browser => "browser",
            Surface::Desktop => "desktop",
        }
    }

    /// `inspect` is absent on both until perception exists: it would only answer `not_available`.
    fn absent_tools(self) -> &'static [&'static str] {
        match self {
            Surface::Browser => &["window", "inspect"],
            Surface::Desktop => &["tab", "dialog", "select_option", "upload_file", "inspect"],
        }
    }
}

/// A declared tool, for texts that name one.
pub(super) fn declared(name: &str) -> Option<&'static ToolSpec> {
    spec::find(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(surface: Surface) -> Vec<&'static str> {
        PromptContext::new(surface).tools().iter().map(|tool| tool.name).collect()
    }

    #[test]
    fn a_surface_lists_its_own_tools() {
        assert_eq!(
            names(Surface::Browser),
            ["tab", "mouse", "keyboard", "dialog", "select_option", "upload_file", "wait", "zoom", "ask_user", "done"]
        );
        assert_eq!(names(Surface::Desktop), ["mouse", "keyboard", "wait", "zoom", "ask_user", "done", "window"]);
    }

    #[test]
    fn absent_tools_are_declared_ones() {
        for surface in [Surface::Browser, Surface::Desktop] {
            for name in surface.absent_tools() {
                assert!(declared(name).is_some(), "{name}");
            }
        }
    }
}
