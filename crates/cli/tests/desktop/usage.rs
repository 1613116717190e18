//! What is wrong with a desktop before anything starts, and what the doctor says of it.

use crate::bench::Bench;

#[test]
fn what_only_a_browser_has_is_refused() {
    let bench = Bench::new();
    let folder = bench.path("");
    for (more, part) in [
        (vec!["--url", "https://example.com/"], "--url cannot be used with --desktop"),
        (vec!["--cdp", "http://127.0.0.1:9222"], "--cdp cannot be used with --desktop"),
        (vec!["--viewport", "800x600"], "--viewport cannot be used with --desktop"),
        (vec!["--session", "work"], "--session cannot be used with --desktop"),
        (vec!["--allow", "example.com"], "--allow cannot be used with --desktop"),
        (vec!["--secret", "pin=env:HOME"], "--secret cannot be used with --desktop"),
        (vec!["--headed"], "--headed cannot be used with --desktop"),
        (vec!["--upload-root", folder.to_str().unwrap()], "--upload-root cannot be used with --desktop"),
    ] {
        for command in [vec!["tools"], vec!["run", "a task", "--brain", "script:none.json"]] {
            let arguments = [command, vec!["--desktop", "xvfb"], more.clone()].concat();
            bench.surehand(&arguments).expect(2).expect_sentence(part);
        }
    }
    bench.surehand(&["tools", "--app", "xclock"]).expect(2);
    for (spec, part) in [("xvfb:9", "its size is written WxH"), ("screen", "a display is named like :1")] {
        bench.surehand(&["tools", "--desktop", spec]).expect(2).expect_sentence(part);
    }
    bench.expect_nothing_left();
}

#[test]
fn what_does_not_come_up_says_why() {
    let bench = Bench::new();
    let tools = |more: &[&str]| bench.surehand(&[&["tools"], more].concat());
    tools(&["--desktop", ":986"]).expect(4).expect_sentence("the display :986 cannot be used");
    let ended = tools(&["--desktop", "xvfb:400x300", "--app", "surehand-no-such-program"]);
    ended.expect(4).expect_sentence("ended before it showed a window (exit code 127)");
    let path = bench.path("empty");
    std::fs::create_dir(&path).unwrap();
    let mut command = bench.command(&["tools", "--desktop", "xvfb"]);
    command.env("PATH", &path);
    let ended = bench.start_command(command).wait();
    ended.expect(4).expect_sentence("Xvfb was not found");
    assert!(ended.stderr.contains("apt-get install xvfb"), "{}", ended.stderr);
    bench.expect_nothing_left();
}

#[test]
fn the_doctor_knows_desktops() {
    let bench = Bench::new();
    let checks = bench.surehand(&["doctor", "--json"]).expect(0).lines();
    for name in ["Xvfb", "openbox", "dbus-daemon", "at-spi-bus-launcher", "tesseract", "desktop starts"] {
        let check = checks.iter().find(|check| check["name"] == name);
        assert_eq!(check.map(|check| &check["state"]), Some(&serde_json::json!("ok")), "{name}");
    }
    bench.expect_nothing_left();
}
