//! Down into the trees of applications: what lies at a point, and what a person could aim at.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use surehand_types::ViewPoint;
use zbus::OwnedObjectPath;

use super::roles::is_interactable;
use super::{Accessibility, Address, ElementFacts, NOTHING, REGISTRY, ROOT};

/// What lies at a point is part of every click, so it must be told quickly or not at all.
const POINT_DEADLINE: Duration = Duration::from_millis(150);

/// A walk ends after this time with what it has found.
const WALK_DEADLINE: Duration = Duration::from_millis(400);

/// Elements that a walk looks at.
const MOST_ELEMENTS: usize = 1500;

/// How deep a point is followed; some toolkits go down one level per question.
const DEEPEST: usize = 24;

type Reference = (String, OwnedObjectPath);

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const COMPONENT: &str = "org.a11y.atspi.Component";

impl Accessibility {
    /// The innermost element at a point of the screen, in windows of the process.
    pub(in super::super) async fn element_at(&self, process: u32, point: ViewPoint) -> Option<ElementFacts> {
        tokio::time::timeout(POINT_DEADLINE, self.found_at(process, point)).await.ok().flatten()
    }

    async fn found_at(&self, process: u32, point: ViewPoint) -> Option<ElementFacts> {
        let application = self.application(process).await?;
        // The window that opened last comes last, and lies on top of those before it.
        for window in self.children(&application).await.into_iter().rev() {
            let Some(mut found) = self.child_at(&window, point).await else { continue };
            for _ in 0..DEEPEST {
                match self.child_at(&found, point).await {
                    Some(inner) if inner != found => found = inner,
                    _ => break,
                }
            }
            let facts = self.describe(&found).await?;
            // A window that is hidden answers as well.
            if facts.showing && facts.bounds.is_none_or(|bounds| bounds.contains(point)) {
                return Some(facts);
            }
        }
        None
    }

    /// What a person could aim at in the windows of the process, as far as it was found in time.
    pub(in super::super) async fn interactables(&self, process: u32) -> Vec<ElementFacts> {
        let Some(application) = self.application(process).await else { return Vec::new() };
        let end = Instant::now() + WALK_DEADLINE;
        let mut level = self.children(&application).await;
        let (mut found, mut seen) = (Vec::new(), 0);
        while !level.is_empty() && seen < MOST_ELEMENTS {
            level.truncate(MOST_ELEMENTS - seen);
            seen += level.len();
            let left = end.saturating_duration_since(Instant::now());
            let asked = join_all(
                level.iter().map(|element| async move { (self.describe(element).await, self.children(element).await) }),
            );
            let Ok(answers) = tokio::time::timeout(left, asked).await else { break };
            level.clear();
            for (facts, children) in answers {
                let Some(facts) = facts.filter(|facts| facts.showing) else { continue };
                level.extend(children);
                if is_interactable(&facts.role) && facts.enabled && facts.bounds.is_some() {
                    found.push(facts);
                }
            }
        }
        found
    }

    async fn child_at(&self, element: &Address, point: ViewPoint) -> Option<Address> {
        let (found,): (Reference,) =
            self.ask(element, COMPONENT, "GetAccessibleAtPoint", &(point.x, point.y, 0_u32)).await?;
        address(found)
    }

    async fn children(&self, element: &Address) -> Vec<Address> {
        let answer: Option<(Vec<Reference>,)> = self.ask(element, ACCESSIBLE, "GetChildren", &()).await;
        answer.map(|(children,)| children.into_iter().filter_map(address).collect()).unwrap_or_default()
    }

    /// The application of a process: asked of the bus, and remembered.
    async fn application(&self, process: u32) -> Option<Address> {
        let known = self.applications.lock().unwrap_or_else(PoisonError::into_inner).get(&process).cloned();
        if let Some(bus) = known {
            return root_of(bus);
        }
        let registry = root_of(REGISTRY.into())?;
        for application in self.children(&registry).await {
            let daemon = Address {
                bus: "org.freedesktop.DBus".into(),
                path: OwnedObjectPath::try_from("/org/freedesktop/DBus").ok()?,
            };
            let pid: Option<(u32,)> = self
                .ask(&daemon, "org.freedesktop.DBus", "GetConnectionUnixProcessID", &(application.bus.as_str(),))
                .await;
            if let Some((pid,)) = pid {
                let mut applications = self.applications.lock().unwrap_or_else(PoisonError::into_inner);
                applications.insert(pid, application.bus.clone());
                if pid == process {
                    return root_of(application.bus);
                }
            }
        }
        None
    }
}

fn root_of(bus: String) -> Option<Address> {
    Some(Address { bus, path: OwnedObjectPath::try_from(ROOT).ok()? })
}

fn address((bus, path): Reference) -> Option<Address> {
    (path.as_str() != NOTHING && !bus.is_empty()).then_some(Address { bus, path })
}
