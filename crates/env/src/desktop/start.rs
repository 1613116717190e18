//! Brings a desktop up, piece by piece, and takes it down again. Whatever fails on the way, nothing
//! that was started stays.

use std::time::{Duration, Instant};

use surehand_types::{ViewPoint, ViewSize};

use super::accessibility::{Accessibility, Whose};
use super::app::App;
use super::display::Display;
use super::processes::Processes;
use super::server::Address;
use super::spec::DesktopSpec;
use super::survey::Survey;
use super::virtual_display::{start_bus, start_server, start_window_manager};
use super::{AimedAt, DesktopEnv, DesktopOptions};
use crate::EnvError;
use crate::environment::Happenings;
use crate::owner::PROFILE_PREFIX;

/// What the bus and the window manager may take to come up.
const HELPER_DEADLINE: Duration = Duration::from_secs(5);

/// How long a new application is given to finish drawing itself.
const FIRST_DRAWING: Duration = Duration::from_secs(4);

impl DesktopEnv {
    pub async fn start(options: &DesktopOptions) -> Result<DesktopEnv, EnvError> {
        let scratch = tempfile::Builder::new()
            .prefix(&format!("{PROFILE_PREFIX}desktop-"))
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .tempdir()
            .map_err(EnvError::io("cannot create a temporary folder"))?;
        let mut processes = Processes::new(options.owners_folder.clone(), scratch.path());
        let address = match &options.spec {
            DesktopSpec::Existing(name) => Address { name: name.clone(), cookie: None },
            DesktopSpec::Virtual(size) => {
                start_server(&mut processes, scratch.path(), *size, options.timing.launch).await?
            }
        };
        let display = open(&address, options).await?;
        let mut variables = vec![("DISPLAY".to_string(), address.name.clone())];
        let own = matches!(options.spec, DesktopSpec::Virtual(_));
        let mut notes = Vec::new();
        if own {
            variables.push(("XAUTHORITY".into(), scratch.path().join("authority").display().to_string()));
            if start_window_manager(&mut processes, scratch.path(), &variables)? {
                wait_for_window_manager(&display).await?;
            } else {
                notes.push("there is no window manager (Debian: openbox), so windows have no frames and keys go where the pointer is".into());
            }
        }
        // On a display of the user's own, the application joins the user's session, and so do we.
        let theirs = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok().filter(|address| !own && !address.is_empty());
        let (bus, whose) = match theirs {
            Some(address) => (Some(address), Whose::TheUsers),
            // On a display that is not ours the bus must not announce itself: it ends with us, the announcement would not.
            None => {
                let display = if own { variables.as_slice() } else { &[] };
                (start_bus(&mut processes, display, HELPER_DEADLINE).await, Whose::Ours)
            }
        };
        variables.extend(for_applications(bus.as_deref()));
        let accessibility = match &bus {
            Some(bus) => Accessibility::connect(bus, whose).await,
            None => None,
        };
        if accessibility.is_none() {
            notes.push(
                "there is no accessibility bus (Debian: dbus, at-spi2-core), so focus and elements are not known"
                    .into(),
            );
        }
        let (view, way) = display
            .must(|server| {
                let pixels = server.capture.take(&server.connection, server.root)?;
                Ok((ViewSize { width: pixels.width, height: pixels.height }, server.capture.way()))
            })
            .await?;
        let kind = if own { "Xvfb" } else { "existing" };
        let now = Instant::now();
        let mut env = DesktopEnv {
            display,
            processes,
            app: None,
            accessibility,
            scratch: Some(scratch),
            product: format!(
                "X11 display {} ({kind}), {}x{}, frames through {way}",
                address.name, view.width, view.height
            ),
            notes,
            timing: options.timing,
            pace: options.pace,
            probing: options.probing,
            adaptive_settle: options.adaptive_settle,
            view,
            cursor: ViewPoint { x: 0, y: 0 },
            started: now,
            next_frame: 1,
            last: None,
            survey: Survey::default(),
            names: Default::default(),
            habits: Default::default(),
            own_titles: Default::default(),
            earlier: Default::default(),
            aimed: AimedAt::default(),
            committed_at: now,
            sent_at: now,
            last_click: None,
            happenings: Happenings::default(),
        };
        env.place_cursor(own).await?;
        if let Some(command) = &options.app {
            env.start_app(command, &variables, options.timing.launch).await?;
            env.product.push_str(&format!(", running {command}"));
        }
        env.look().await?;
        Ok(env)
    }

    /// A display of our own begins with the pointer in the middle; on an existing one it stays where it is.
    async fn place_cursor(&mut self, own: bool) -> Result<(), EnvError> {
        if own {
            self.move_pointer(vec![self.view.centre()]).await?;
            self.cursor = self.view.centre();
        } else if let Some(pointer) = self.display.must(|server| server.survey()).await?.pointer {
            self.cursor = pointer;
        }
        Ok(())
    }

    async fn start_app(
        &mut self,
        command: &str,
        variables: &[(String, String)],
        deadline: Duration,
    ) -> Result<(), EnvError> {
        let before = self.display.must(|server| server.survey()).await?;
        let before = before.windows.iter().map(|window| window.id).collect();
        let mut app = App::start(&mut self.processes, command, variables)?;
        app.wait_for_window(&mut self.processes, &self.display, &before, deadline).await?;
        self.app = Some(app);
        self.wait_for_rest(FIRST_DRAWING).await
    }

    /// Ends everything that was started; an existing display is left as it was found.
    pub(super) async fn end(&mut self) {
        if self.display.lost().is_none() {
            let tidy = self.display.ask(|server| {
                server.let_go()?;
                server.keyboard.restore(&server.connection)?;
                server.round_trip()
            });
            let _ = tidy.await;
        }
        self.processes.end().await;
        if let Some(scratch) = self.scratch.take() {
            let _ = scratch.close();
        }
    }
}

async fn open(address: &Address, options: &DesktopOptions) -> Result<Display, EnvError> {
    let opened = Display::open(address.clone(), options.timing.call).await?;
    opened.map_err(|why| {
        EnvError::Desktop(format!(
            "the display {} cannot be used: {why}\nhint: is it running, and may this user open it? --desktop xvfb starts one",
            address.name
        ))
    })
}

async fn wait_for_window_manager(display: &Display) -> Result<(), EnvError> {
    let end = Instant::now() + HELPER_DEADLINE;
    while !display.must(|server| server.is_managed()).await? {
        if Instant::now() >= end {
            return Err(EnvError::Desktop(
                "the window manager openbox did not come up within 5 s\nhint: run `surehand doctor`".into(),
            ));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// What makes toolkits use this display and speak to the accessibility bus.
fn for_applications(bus: Option<&str>) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = [
        ("GDK_BACKEND", "x11"),
        ("QT_QPA_PLATFORM", "xcb"),
        ("QT_ACCESSIBILITY", "1"),
        ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
        ("GTK_MODULES", "gail:atk-bridge"),
        ("GNOME_ACCESSIBILITY", "1"),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_string(), value.to_string()))
    .collect();
    variables.extend(bus.map(|address| ("DBUS_SESSION_BUS_ADDRESS".to_string(), address.to_string())));
    variables
}
