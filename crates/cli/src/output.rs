//! Data on stdout. A reader that went away (`| head`) is no reason to crash in the middle of a run,
//! so writing never fails; what nobody reads is simply not written.

use std::io::Write;

pub(crate) fn write(text: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_fmt(text).and_then(|()| out.flush());
}

/// `println!` that does not panic when nobody reads.
macro_rules! say {
    () => { $crate::output::write(format_args!("\n")) };
    ($($part:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($part)*))) };
}

pub(crate) use say;
