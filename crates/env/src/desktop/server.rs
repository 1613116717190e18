//! The connection to the X server, as the display thread holds it: what every request starts from.

use std::os::unix::net::UnixStream;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::xproto::{ConnectionExt as _, Window};
use x11rb::protocol::{shm, xtest};
use x11rb::rust_connection::{DefaultStream, RustConnection};

use super::capture::Capture;
use super::keyboard::Keyboard;

x11rb::atom_manager! {
    /// Names that window managers and applications agree on (EWMH).
    pub(super) Atoms: AtomsCookie {
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_CLOSE_WINDOW,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_SPLASH,
        _NET_WM_WINDOW_TYPE_TOOLTIP,
    }
}

/// What went wrong between us and the X server.
#[derive(Debug, thiserror::Error)]
pub(super) enum DisplayTrouble {
    /// The connection is gone, and with it the display.
    #[error("the display closed the connection")]
    Gone,
    /// The display is there, but refused one request.
    #[error("the display refused a request: {0}")]
    Refused(String),
    #[error("{0}")]
    Unusable(String),
}

/// Where a display is, and the word that opens it.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) name: String,
    /// The cookie of a display that we started. Others are opened as the user's own files say.
    pub(super) cookie: Option<Vec<u8>>,
}

#[derive(Debug)]
pub(super) struct Server {
    pub(super) connection: RustConnection,
    pub(super) root: Window,
    pub(super) atoms: Atoms,
    pub(super) capture: Capture,
    pub(super) keyboard: Keyboard,
    /// Buttons that are down, should an action be dropped in the middle.
    pub(super) pressed: Vec<u8>,
}

impl Server {
    pub(super) fn connect(address: &Address) -> Result<Server, DisplayTrouble> {
        let (connection, screen) = open(address)?;
        let setup = connection.setup();
        let screen = setup.roots.get(screen).ok_or_else(|| DisplayTrouble::Unusable("it has no such screen".into()))?;
        let root = screen.root;
        let capture = Capture::new(setup, screen)?;
        let atoms = Atoms::new(&connection)?.reply()?;
        if connection.extension_information(xtest::X11_EXTENSION_NAME)?.is_none() {
            return Err(DisplayTrouble::Unusable("it lacks the XTEST extension, through which input is made".into()));
        }
        let shared_memory = connection.extension_information(shm::X11_EXTENSION_NAME)?.is_some();
        let keyboard = Keyboard::read(&connection)?;
        let capture = capture.over(shared_memory);
        Ok(Server { connection, root, atoms, capture, keyboard, pressed: Vec::new() })
    }

    /// Returns when the server has worked through everything that was sent before.
    pub(super) fn round_trip(&self) -> Result<(), DisplayTrouble> {
        self.connection.get_input_focus()?.reply()?;
        Ok(())
    }

    /// Events are not used, but must be read: what is not read fills the connection. Also how the end
    /// of the display is noticed while nobody asks it anything.
    pub(super) fn drain_events(&mut self) -> Result<(), DisplayTrouble> {
        while let Some(event) = self.connection.poll_for_event()? {
            self.keyboard.notice(&event);
        }
        Ok(())
    }
}

fn open(address: &Address) -> Result<(RustConnection, usize), DisplayTrouble> {
    let Some(cookie) = &address.cookie else {
        return RustConnection::connect(Some(&address.name)).map_err(unreachable);
    };
    // A display of ours is on this machine; its name is a colon and a number.
    let path = format!("/tmp/.X11-unix/X{}", address.name.trim_start_matches(':'));
    let stream = UnixStream::connect(path).map_err(|error| DisplayTrouble::Unusable(error.to_string()))?;
    let (stream, _) =
        DefaultStream::from_unix_stream(stream).map_err(|error| DisplayTrouble::Unusable(error.to_string()))?;
    let name = super::cookie::COOKIE_NAME.as_bytes().to_vec();
    let connection =
        RustConnection::connect_to_stream_with_auth_info(stream, 0, name, cookie.clone()).map_err(unreachable)?;
    Ok((connection, 0))
}

fn unreachable(error: ConnectError) -> DisplayTrouble {
    DisplayTrouble::Unusable(match error {
        ConnectError::SetupFailed(refused) => String::from_utf8_lossy(&refused.reason).trim().to_string(),
        other => other.to_string(),
    })
}

impl From<ConnectionError> for DisplayTrouble {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::IoError(_) | ConnectionError::UnknownError => DisplayTrouble::Gone,
            other => DisplayTrouble::Refused(other.to_string()),
        }
    }
}

impl From<ReplyError> for DisplayTrouble {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => DisplayTrouble::Refused(format!("{:?}", error.error_kind)),
        }
    }
}

impl From<ReplyOrIdError> for DisplayTrouble {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => DisplayTrouble::Refused(format!("{:?}", error.error_kind)),
            ReplyOrIdError::IdsExhausted => DisplayTrouble::Refused("there are no names left".into()),
        }
    }
}
