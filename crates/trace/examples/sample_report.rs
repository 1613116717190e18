//! Writes the reports of a made-up run, to look at them while changing their design:
//! `cargo run -p surehand-trace --example sample_report -- out.html`

#[path = "../tests/trace/sample.rs"]
mod sample;

use surehand_trace::report::{html, terminal};
use surehand_trace::{Timeline, read_trace};
use surehand_types::Redactor;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "sample_report.html".into());
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    let timeline = Timeline::from_read(read_trace(sample.events.text().as_bytes()));
    let options = terminal::TerminalOptions { hints: vec![format!("The web page is in {path}")], ..Default::default() };
    print!("{}", terminal::render(&timeline, &options));
    std::fs::write(path, html::render(&timeline, sample.frames.as_ref()))
}
