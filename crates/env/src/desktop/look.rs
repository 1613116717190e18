//! Looking at the screen: a frame and the facts that go with it.

use std::sync::Arc;
use std::time::Duration;

use surehand_types::event::EnvironmentEvent;
use surehand_types::frame::Fence;
use surehand_types::{Encoding, Focus, Frame, FrameSource, Interactable, Observation, Pixels, ViewSize};

use super::DesktopEnv;
use super::accessibility::ElementFacts;
use super::survey::Survey;
use crate::EnvError;

/// What the focused element may take to tell about itself.
const FOCUS_DEADLINE: Duration = Duration::from_millis(150);

impl DesktopEnv {
    /// The present moment.
    pub(super) async fn look(&mut self) -> Result<Observation, EnvError> {
        let (frame, survey) = self.glimpse().await?;
        self.observation(frame, survey).await
    }

    /// A frame with what is on the screen; not yet an observation. Asked after everything that was sent before
    /// it, and answered by the same server in order: what was sent is in it, as far as it was drawn.
    pub(super) async fn glimpse(&mut self) -> Result<(Frame, Survey), EnvError> {
        let (pixels, survey) = self
            .display
            .must(|server| Ok((server.capture.take(&server.connection, server.root)?, server.survey()?)))
            .await?;
        Ok((self.frame(pixels), survey))
    }

    /// Only the frame.
    pub(super) async fn capture(&mut self) -> Result<Frame, EnvError> {
        let pixels = self.display.must(|server| server.capture.take(&server.connection, server.root)).await?;
        Ok(self.frame(pixels))
    }

    pub(super) fn frame(&mut self, pixels: Arc<Pixels>) -> Frame {
        let id = self.next_frame;
        self.next_frame += 1;
        let view = ViewSize { width: pixels.width, height: pixels.height };
        self.view = view;
        Frame {
            id,
            captured_at_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            source: FrameSource::Screen,
            encoding: Encoding::Raw,
            fence: Fence::DrawnAfterCommit,
            stale: false,
            view,
            pixels,
        }
    }

    pub(super) async fn observation(&mut self, frame: Frame, survey: Survey) -> Result<Observation, EnvError> {
        self.adopt(survey);
        if let Some(pointer) = self.survey.pointer {
            self.cursor = pointer;
        }
        let focus = self.focus().await;
        let observation = Observation {
            view: frame.view,
            url: None,
            title: self.survey.active().map(|window| window.title.clone()),
            focus,
            tabs: Vec::new(),
            dialog: None,
            cursor: self.cursor,
            interactables: Vec::new(),
            masks: Vec::new(),
            restless: self.habits.boxes(&frame.pixels, frame.view),
            complaint: None,
            frame,
        };
        self.last = Some(observation.clone());
        Ok(observation)
    }

    /// Known only as far as applications tell it, by events.
    async fn focus(&self) -> Focus {
        match self.focused().await {
            Some((element, text)) => Focus::Element(Box::new(element.as_focus(text))),
            None => Focus::Unknown,
        }
    }

    /// What a person could aim at in the active window's application, by a bounded walk.
    pub(super) async fn interactables(&self) -> Vec<Interactable> {
        let process = self.survey.active().and_then(|window| window.pid);
        let (Some(accessibility), Some(process)) = (&self.accessibility, process) else { return Vec::new() };
        let found = accessibility.interactables(process).await.into_iter();
        let placed = found.filter_map(|element| Some((element.bounds?, element.role, element.name)));
        placed.map(|(bounds, role, name)| Interactable::new(role, name, self.view.grid_box(bounds))).collect()
    }

    pub(super) async fn focused(&self) -> Option<(ElementFacts, Option<String>)> {
        let accessibility = self.accessibility.as_ref()?;
        let address = accessibility.heard(|heard| heard.focused.clone())?;
        let asked = async {
            let element = accessibility.describe(&address).await?;
            let text = accessibility.text_of(&element).await;
            Some((element, text))
        };
        tokio::time::timeout(FOCUS_DEADLINE, asked).await.ok().flatten()
    }

    /// What is on the screen from now on; windows that came and went are told.
    pub(super) fn adopt(&mut self, survey: Survey) {
        let first = self.last.is_none();
        for window in &self.survey.windows {
            if survey.window(window.id).is_none() && !first {
                let name = self.names.name(window.id).unwrap_or_default();
                self.happenings
                    .events
                    .push(EnvironmentEvent::WindowClosed { window: name, title: window.title.clone() });
            }
        }
        self.names.learn(&survey.windows);
        for window in &survey.windows {
            if self.survey.window(window.id).is_none() && !first {
                let name = self.names.name(window.id).unwrap_or_default();
                self.happenings
                    .events
                    .push(EnvironmentEvent::WindowOpened { window: name, title: window.title.clone() });
            }
        }
        if !first && survey.active != self.survey.active {
            self.happenings.page_changed.other_window = true;
        }
        self.survey = survey;
    }

    pub(super) fn notice_app_end(&mut self) {
        let Some(app) = &mut self.app else { return };
        if let Some(status) = app.ended(&mut self.processes) {
            let reason = app.end_in_words(status);
            self.happenings.events.push(EnvironmentEvent::AppEnded { reason });
        }
    }
}
