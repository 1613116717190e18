//! How a list is given, what is said of a wrong one, and what a run keeps of refusals.

use serde_json::{Value, json};

use crate::world::{Answer, Ask, Attacker, Bench, Site};

fn site(attacker: &Attacker) -> Site {
    let image = attacker.url("/x.png");
    Site::start(move |_: &Ask| Answer::html(format!("<title>page</title><img src='{image}'>")))
}

#[test]
fn a_wrong_entry_is_one_sentence_and_exit_2() {
    let bench = Bench::new();
    for (entry, part) in [("*:80", "only * alone"), ("http://a.test/x", "paths cannot be listed"), ("", "is empty")] {
        for flag in ["--allow", "--allow-domain", "--allow-host"] {
            let (code, stdout, stderr) = bench.ended(bench.command(&["tools", flag, entry]));
            assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
            assert!(stderr.contains(part) && stderr.contains("hint:"), "{stderr}");
        }
    }
    for text in ["a.test b.test/x", ","] {
        let mut command = bench.command(&["tools"]);
        command.env("SUREHAND_ALLOW", text);
        let (code, _, stderr) = bench.ended(command);
        assert_eq!(code, 2, "{text}: {stderr}");
        assert!(stderr.contains("allowlist"), "{stderr}");
    }
    let (code, _, stderr) =
        bench.ended(bench.command(&["tools", "--allow", "a.test", "--set", "chromium_args=--no-proxy-server"]));
    assert_eq!(code, 2, "{stderr}");
    let (code, _, stderr) =
        bench.ended(bench.command(&["tools", "--allow", "a.test", "--set", "proxy=socks5://127.0.0.1:1"]));
    assert!(code == 2 && stderr.contains("http proxy"), "{stderr}");
}

#[test]
fn a_start_url_outside_is_exit_2_and_says_what_to_add() {
    let bench = Bench::new();
    let attacker = Attacker::start();
    let outside = attacker.url("/");
    let (code, _, stderr) = bench.ended(bench.command(&["tools", "--allow", "a.test", "--url", &outside]));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains(&format!("hint: --allow 127.0.0.1:{}", attacker.port)), "{stderr}");
    let redirecting = {
        let outside = outside.clone();
        Site::start(move |_: &Ask| Answer::redirect("302 Found", &outside))
    };
    let allow = format!("127.0.0.1:{}", redirecting.port);
    let start = redirecting.url("/");
    let (code, _, stderr) = bench.ended(bench.command(&["tools", "--allow", &allow, "--url", &start]));
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("the allowlist refused"), "{stderr}");
    attacker.assert_untouched("a start url");
}

/// As on a managed machine, whose policies stand above flags: here a program between us and the browser takes some
/// flags away.
fn browser_without(flags: &str, bench: &Bench) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let real = surehand_env::browser::find_browser(None).unwrap();
    let script = format!(
        "#!/bin/sh\nfor word do shift; case $word in {flags}) ;; *) set -- \"$@\" \"$word\";; esac; done\n\
         exec '{}' \"$@\"\n",
        real.display()
    );
    let program = bench.folder.path().join("browser");
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    program
}

#[test]
fn a_browser_that_could_go_around_the_proxy_is_not_used() {
    let attacker = Attacker::start();
    for (flags, sentence) in [
        ("--proxy-server=*|--host-resolver-rules=*", "does not use the proxy"),
        ("--proxy-server=*", "does not use the proxy"),
        ("--*webrtc-ip-handling-policy=*", "lets calls between browsers (WebRTC) go past the allowlist"),
    ] {
        let (site, bench) = (site(&attacker), Bench::new());
        let (allow, start) = (format!("127.0.0.1:{}", site.port), site.url("/"));
        let program = browser_without(flags, &bench);
        let mut command = bench.command(&["tools", "--url", &start, "--allow", &allow]);
        command.env("SUREHAND_CHROMIUM", &program);
        let (code, _, stderr) = bench.ended(command);
        assert_eq!(code, 2, "{flags}: {stderr}");
        assert!(stderr.contains(sentence) && stderr.contains("hint:"), "{flags}: {stderr}");
        assert!(!site.asked_for("/"), "nothing is opened with a list that cannot be kept");
        // The control: it is a browser like any other, where no list has to be kept.
        let mut command = bench.command(&["tools", "--url", &start]);
        command.env("SUREHAND_CHROMIUM", &program);
        let (code, _, stderr) = bench.ended(command);
        assert!(code == 0 && site.asked_for("/"), "{flags}: {stderr}");
    }
}

#[test]
fn a_run_tells_its_brain_and_keeps_what_was_refused() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let bench = Bench::new();
    let replies = [
        json!({"calls": [{"tool": "tab", "action": "open", "url": attacker.url("/page")}]}),
        json!({"calls": [{"tool": "tab", "action": "refresh"}]}),
        json!({"calls": [{"tool": "done", "success": true, "summary": "tried"}]}),
    ];
    let script: Vec<String> = replies.iter().map(Value::to_string).collect();
    let file = bench.folder.path().join("script.jsonl");
    std::fs::write(&file, script.join("\n")).unwrap();
    std::fs::write(bench.folder.path().join("surehand.toml"), format!("allow = \"a.test, 127.0.0.1:{}\"\n", site.port))
        .unwrap();
    let brain = format!("script:{}", file.display());
    let (_, stdout, stderr) =
        bench.ended(bench.command(&["run", "look", "--url", &site.url("/"), "--brain", &brain, "--json"]));
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let steps: Vec<&Value> = lines.iter().filter(|line| line["type"] == "step").collect();
    assert!(steps.len() >= 2, "{stderr}\n{stdout}");
    assert_eq!(steps[0]["error"]["code"], "denied", "{}", steps[0]);
    let policy = &steps[0]["policy"];
    assert_eq!((&policy["decision"], &policy["rule"]), (&json!("deny"), &json!("allowlist")), "{policy}");
    assert!(steps[1]["message"].as_str().unwrap().contains("the allowlist refused"), "{}", steps[1]);
    let refused: Vec<&Value> =
        lines.iter().filter(|line| line["kind"] == "refused" || line["environment"]["kind"] == "refused").collect();
    assert!(!refused.is_empty(), "{stdout}");
    attacker.assert_untouched("a run");
}
