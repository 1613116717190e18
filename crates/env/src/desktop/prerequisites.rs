//! The programs that a desktop is made of, by the packages that bring them. For `surehand doctor`.

use std::path::{Path, PathBuf};

use super::processes::find_program;

/// One program, and what is lost without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prerequisite {
    pub name: &'static str,
    /// Where it was found.
    pub found: Option<PathBuf>,
    /// The Debian package.
    pub package: &'static str,
    /// What does not work without it.
    pub without: &'static str,
}

/// Where distributions put the launcher of the accessibility bus, which is on no `PATH`.
const BUS_LAUNCHERS: &[&str] =
    &["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher", "/usr/lib/at-spi-bus-launcher"];

pub fn prerequisites() -> Vec<Prerequisite> {
    let program = |name, package, without| Prerequisite { name, found: find_program(name), package, without };
    let launcher = BUS_LAUNCHERS.iter().map(Path::new).find(|path| path.exists()).map(Path::to_path_buf);
    vec![
        program("Xvfb", "xvfb", "--desktop xvfb cannot be used"),
        program("openbox", "openbox", "windows of --desktop xvfb have no frames, and keys go where the pointer is"),
        program("dbus-daemon", "dbus", "focus and elements of applications are not known"),
        Prerequisite {
            name: "at-spi-bus-launcher",
            found: launcher,
            package: "at-spi2-core",
            without: "focus and elements of applications are not known",
        },
        program("tesseract", "tesseract-ocr tesseract-ocr-eng", "text in pictures cannot be read"),
    ]
}
