//! Start pages that lead outside: an answer that leads there is no start, a page that goes there later was one.

use crate::world::{Answer, Ask, Attacker, Bench, Site, Tools, message};

fn site(attacker: &Attacker) -> Site {
    let (att, port) = (attacker.url(""), attacker.port);
    Site::start(move |ask: &Ask| {
        let fill = |text: &str| text.replace("ATTPORT", &port.to_string()).replace("ATT", &att);
        let page = |body: &str| Answer::html(fill(&format!("<!doctype html><title>start</title>{body}")));
        match ask.path.as_str() {
            "/redirect" => Answer::redirect("302 Found", &fill("ATT/x")),
            "/chain" => Answer::redirect("301 Moved Permanently", "/redirect"),
            "/encrypted" => Answer::redirect("307 Temporary Redirect", &fill("https://127.0.0.1:ATTPORT/x")),
            "/download-link" => page("<a href='ATT/file.bin' download>x</a><script>document.links[0].click()</script>"),
            "/download-secure" => page(
                "<a href='https://127.0.0.1:ATTPORT/file.bin' download>x</a><script>document.links[0].click()</script>",
            ),
            "/download-location" => page("<script>location = 'ATT/file.bin'</script>"),
            "/download-loaded" => page("<script>onload = () => { location = 'ATT/file.zip' }</script>"),
            "/download-location-secure" => page("<script>location = 'https://127.0.0.1:ATTPORT/file.bin'</script>"),
            "/download-frame" => page("<iframe src='ATT/file.bin'></iframe>"),
            "/download-redirected" => page("<script>location = '/redirect'</script>"),
            "/meta" => page("<meta http-equiv=refresh content='0; url=ATT/x'>"),
            _ => page("<h1>inside</h1>"),
        }
    })
}

#[test]
fn a_start_page_whose_answer_leads_outside_is_exit_4_and_names_where() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let allow = format!("127.0.0.1:{}", site.port);
    for (path, outside) in [
        ("/redirect", attacker.url("/x")),
        ("/chain", attacker.url("/x")),
        ("/encrypted", format!("https://127.0.0.1:{}/x", attacker.port)),
    ] {
        let bench = Bench::new();
        let start = site.url(path);
        let (code, stdout, stderr) = bench.ended(bench.command(&["tools", "--allow", &allow, "--url", &start]));
        assert_eq!((code, stdout.as_str()), (4, ""), "{path}: {stderr}");
        let reason = format!("port {} of host 127.0.0.1 is not listed", attacker.port);
        assert!(stderr.contains(&format!("the allowlist refused {outside} ({reason})")), "{path}: {stderr}");
    }
    attacker.assert_untouched("a start page");
}

#[test]
fn a_start_page_that_asks_for_a_refused_file_or_goes_on_is_a_start() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let allow = format!("127.0.0.1:{}", site.port);
    for path in [
        "/download-link",
        "/download-secure",
        "/download-location",
        "/download-loaded",
        "/download-location-secure",
        "/download-frame",
        "/download-redirected",
        "/meta",
    ] {
        let mut tools = Tools::start(&["--allow", &allow, "--url", &site.url(path)]);
        let mut told = String::new();
        let mut last = tools.tab("view");
        for _ in 0..20 {
            told.push_str(message(&last));
            if told.contains("the allowlist refused") {
                break;
            }
            last = tools.wait(0.1);
        }
        assert!(told.contains("the allowlist refused"), "{path}: {told}");
        let url = last["url"].as_str().unwrap();
        assert!(url == "about:blank" || url == site.url(path), "{path}: {last}");
        assert_eq!(tools.open(&site.url("/"))["ok"], true, "{path}: the run goes on");
        tools.close();
    }
    attacker.assert_untouched("a start page");
}
