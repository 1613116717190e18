//! A key that the server says back, that the model repeats and that the page shows: it is in no file, no output, no
//! report and no export afterwards, in no spelling.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use crate::bench::Bench;
use crate::needles::{needles, shown};
use crate::page::Page;
use crate::server::{Answer, Server};
use crate::wire::{self, Act, Wire};
use crate::world::{KEY, World};

fn echoed() -> String {
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let form = KEY.replace('%', "%25").replace('/', "%2F").replace('+', "%2B").replace('=', "%3D");
    let form = form.replace('&', "%26").replace('?', "%3F").replace(' ', "+").replace('~', "%7E");
    format!("{KEY} {} {} {percent} {form} Bearer {KEY}", STANDARD.encode(KEY), URL_SAFE.encode(KEY))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => found.push(path),
            }
        }
    }
    found
}

fn nothing_shows_it(wire: Wire) {
    let echo = echoed();
    let page =
        Page::titled(&format!("Key {KEY}"), &format!("<b title=\"{KEY}\">{KEY}</b> <a href=\"?k={KEY}\">{echo}</a>"));
    let said = echo.clone();
    let server = Server::start(move |_, number| match number {
        0 => Answer::status(429, &wire.error(429, "rate_limit_error", &format!("slow down, {said}")))
            .with("retry-after-ms", "10"),
        1 => Answer::json(&wire.nonsense(number)),
        2 => Answer::json(&wire.words(&format!("My key is {said}"))),
        3 => Answer::json(&wire.reply(number, &format!("I use {said}"), &[Act::Click(600, 400)])),
        4 => Answer::json(&wire.reply(number, "", &[Act::Type(KEY.into())])),
        5 => Answer::json(&wire.reply(number, &said, &[Act::Click(500, 420)])),
        _ => Answer::status(401, &wire.error(401, "authentication_error", &format!("wrong key: {said}"))),
    });
    let world = World { bench: Bench::new(), page, server, wire };
    let ended = world.run(&["--confirm", "none", "--max-steps", "8", "--set", "log=debug"]);
    let result = ended.expect_end(4, "brain_error");
    assert!(world.server.count() >= 7, "{}", world.server.count());
    assert!(result["error"].as_str().unwrap().contains(wire.variable()));

    let mut outputs = vec![("run".to_string(), ended.stdout, ended.stderr)];
    for arguments in [
        &["report", "last", "-o", "report.html"][..],
        &["runs", "export", "last", "-o", "exported"],
        &["runs", "export", "last", "-o", "exported.jsonl", "--format", "jsonl"],
        &["runs", "show", "last"],
        &["runs", "ls", "--json"],
        &["doctor", "--brain", &wire.brain(&world.server)],
    ] {
        let ended = world.command(arguments).wait();
        assert!(ended.code == Some(0) || arguments[0] == "doctor", "{arguments:?}: {}", ended.stderr);
        outputs.push((arguments.join(" "), ended.stdout, ended.stderr));
    }
    let needles = needles(KEY);
    for (what, stdout, stderr) in &outputs {
        for (channel, text) in [("stdout", stdout), ("stderr", stderr)] {
            if let Some(found) = shown(text.as_bytes(), &needles) {
                panic!("{:?}: the key in {channel} of {what}: {found}", wire.kind);
            }
        }
    }
    let all = files(&world.bench.path(""));
    assert!(all.iter().any(|path| path.ends_with("report.html")), "{all:?}");
    for path in all {
        if let Some(found) = shown(&std::fs::read(&path).unwrap(), &needles) {
            panic!("{:?}: the key in {}: {found}", wire.kind, path.display());
        }
    }
}

#[test]
fn the_key_of_anthropic_and_openai_is_nowhere() {
    nothing_shows_it(wire::ANTHROPIC);
    nothing_shows_it(wire::OPENAI);
}

#[test]
fn the_key_of_gemini_and_chat_is_nowhere() {
    nothing_shows_it(wire::GEMINI);
    nothing_shows_it(wire::NATIVE);
}
