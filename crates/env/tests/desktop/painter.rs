//! A small X client that draws known colours, reacts to clicks in known places, and notes every event
//! that it gets.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeGCAux, ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, Gcontext, PropMode, Rectangle,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

pub(crate) const BACKGROUND: u32 = 0x20_40_60;

/// What the client saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saw {
    Press { button: u8, x: i16, y: i16, state: u16 },
    Release { button: u8, x: i16, y: i16 },
    Motion { x: i16, y: i16, state: u16 },
    KeyPress { keycode: u8, state: u16 },
    KeyRelease { keycode: u8 },
}

/// A place with a life of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// Changes colour when it is clicked.
    Toggle(Rectangle),
    /// Clicking the first changes the second.
    Remote(Rectangle, Rectangle),
    /// Changes colour while the pointer is in it.
    Hover(Rectangle),
    /// Changes colour by itself.
    Ticking(Rectangle, Duration),
    /// Stays as it is.
    Fixed(Rectangle, u32),
    /// The window's title counts by itself.
    Title(Duration),
}

pub(crate) struct Painter {
    seen: Arc<Mutex<Vec<Saw>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Canvas {
    connection: RustConnection,
    window: Window,
    context: Gcontext,
    parts: Vec<(Part, bool, Instant)>,
}

pub(crate) fn rectangle(x: i16, y: i16, width: u16, height: u16) -> Rectangle {
    Rectangle { x, y, width, height }
}

impl Painter {
    /// Fills the screen with the parts.
    pub(crate) fn start(display: &str, parts: &[Part]) -> Painter {
        let (connection, screen) = RustConnection::connect(Some(display)).unwrap();
        let root = connection.setup().roots[screen].clone();
        let (window, context) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let events = EventMask::BUTTON_PRESS
            | EventMask::BUTTON_RELEASE
            | EventMask::POINTER_MOTION
            | EventMask::KEY_PRESS
            | EventMask::KEY_RELEASE
            | EventMask::EXPOSURE;
        let look = CreateWindowAux::new().background_pixel(BACKGROUND).event_mask(events);
        let (width, height) = (root.width_in_pixels, root.height_in_pixels);
        let class = WindowClass::INPUT_OUTPUT;
        connection
            .create_window(COPY_DEPTH_FROM_PARENT, window, root.root, 0, 0, width, height, 0, class, 0, &look)
            .unwrap();
        connection.create_gc(context, window, &CreateGCAux::new()).unwrap();
        connection.map_window(window).unwrap();
        let parts = parts.iter().map(|part| (*part, false, Instant::now())).collect();
        let canvas = Canvas { connection, window, context, parts };
        canvas.name(b"Painter");
        // Drawn before anybody looks: the server has answered after it drew.
        while !matches!(canvas.connection.wait_for_event().unwrap(), Event::Expose(_)) {}
        canvas.draw();
        canvas.connection.set_input_focus(x11rb::protocol::xproto::InputFocus::PARENT, window, 0_u32).unwrap();
        canvas.connection.get_input_focus().unwrap().reply().unwrap();
        let (seen, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (notes, ending) = (Arc::clone(&seen), Arc::clone(&over));
        let thread = std::thread::spawn(move || canvas.live(&notes, &ending));
        Painter { seen, over, thread: Some(thread) }
    }

    pub(crate) fn seen(&self) -> Vec<Saw> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn forget(&self) {
        self.seen.lock().unwrap().clear();
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Canvas {
    fn live(mut self, seen: &Mutex<Vec<Saw>>, over: &AtomicBool) {
        while !over.load(Ordering::Relaxed) {
            let Ok(event) = self.connection.poll_for_event() else { return };
            let Some(event) = event else {
                self.tick();
                std::thread::park_timeout(Duration::from_millis(3));
                continue;
            };
            let saw = match event {
                Event::ButtonPress(event) => {
                    self.clicked(event.event_x, event.event_y);
                    Saw::Press { button: event.detail, x: event.event_x, y: event.event_y, state: event.state.into() }
                }
                Event::ButtonRelease(event) => {
                    Saw::Release { button: event.detail, x: event.event_x, y: event.event_y }
                }
                Event::MotionNotify(event) => {
                    self.hovered(event.event_x, event.event_y);
                    Saw::Motion { x: event.event_x, y: event.event_y, state: event.state.into() }
                }
                Event::KeyPress(event) => Saw::KeyPress { keycode: event.detail, state: event.state.into() },
                Event::KeyRelease(event) => Saw::KeyRelease { keycode: event.detail },
                _ => continue,
            };
            seen.lock().unwrap().push(saw);
        }
    }

    fn change(&mut self, which: impl Fn(&(Part, bool, Instant)) -> Option<bool>) {
        let mut changed = false;
        for part in &mut self.parts {
            if let Some(lit) = which(part)
                && lit != part.1
            {
                (part.1, part.2, changed) = (lit, Instant::now(), true);
            }
        }
        if changed {
            self.draw();
        }
    }

    fn clicked(&mut self, x: i16, y: i16) {
        self.change(|(part, lit, _)| match part {
            Part::Toggle(place) | Part::Remote(place, _) if inside(*place, x, y) => Some(!lit),
            _ => None,
        });
    }

    fn hovered(&mut self, x: i16, y: i16) {
        self.change(|(part, ..)| match part {
            Part::Hover(place) => Some(inside(*place, x, y)),
            _ => None,
        });
    }

    fn tick(&mut self) {
        self.change(|(part, lit, since)| match part {
            Part::Ticking(_, pace) | Part::Title(pace) if since.elapsed() >= *pace => Some(!lit),
            _ => None,
        });
    }

    fn name(&self, title: &[u8]) {
        let (name, text) = (AtomEnum::WM_NAME, AtomEnum::STRING);
        self.connection.change_property8(PropMode::REPLACE, self.window, name, text, title).unwrap();
        self.connection.flush().unwrap();
    }

    fn draw(&self) {
        for (part, lit, _) in &self.parts {
            let colour = if *lit { 0xff_e0_20 } else { 0x80_80_80 };
            let (place, colour) = match part {
                Part::Toggle(place) | Part::Hover(place) | Part::Ticking(place, _) => (*place, colour),
                Part::Remote(_, place) => (*place, colour),
                Part::Fixed(place, colour) => (*place, *colour),
                Part::Title(_) => {
                    self.name(if *lit { b"Painter, playing" } else { b"Painter" });
                    continue;
                }
            };
            self.connection.change_gc(self.context, &ChangeGCAux::new().foreground(colour)).unwrap();
            self.connection.poly_fill_rectangle(self.window, self.context, &[place]).unwrap();
        }
        self.connection.flush().unwrap();
    }
}

fn inside(place: Rectangle, x: i16, y: i16) -> bool {
    (place.x..place.x + place.width as i16).contains(&x) && (place.y..place.y + place.height as i16).contains(&y)
}
