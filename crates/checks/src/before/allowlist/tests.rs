//! Tables of addresses that try to be taken for another one.

use super::*;

fn list(entries: &[&str]) -> Allowlist {
    Allowlist::parse(&entries.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
}

fn check(entries: &[&str], allowed: &[&str], refused: &[&str]) {
    let list = list(entries);
    for url in allowed {
        assert_eq!(list.document(url), Ok(()), "{entries:?} must allow {url}");
        assert_eq!(list.request(url), Ok(()), "{entries:?} must allow a request to {url}");
    }
    for url in refused {
        assert!(list.document(url).is_err(), "{entries:?} must refuse {url}");
    }
}

#[test]
fn a_plain_host_is_that_host_on_its_usual_ports() {
    check(
        &["example.com"],
        &[
            "http://example.com/",
            "https://example.com/a?b#c",
            "https://example.com:443/",
            "http://example.com:80/",
            "ws://example.com/socket",
            "wss://example.com/socket",
            "HTTPS://EXAMPLE.COM/",
            "https://example.com./",
            "https://example.com../",
            "https://%65xample.com/",
            "https://ex%61mple.c%6fm/",
            "https://ｅｘａｍｐｌｅ.com/",
            "https://example。com/",
            "https://example.com。/",
            "https://user:password@example.com/",
            "https://evil.test@example.com/",
            "https:example.com",
            "https:\\\\example.com\\@evil.test",
            "\thttps://exam\nple.com/",
            "https://exa\u{ad}mple.com/",
        ],
        &[
            "https://example.com:8443/",
            "http://example.com:443/",
            "https://example.com:80/",
            "https://www.example.com/",
            "https://example.com.evil.test/",
            "https://notexample.com/",
            "https://example.co/",
            "https://example.comm/",
            "https://example.com@evil.test/",
            "https://example.com:443@evil.test/",
            "https://example.com%40evil.test/",
            "https://evil.test/example.com",
            "https://evil.test?example.com",
            "https://evil.test#example.com",
            "https://evil.test\\@example.com/",
            "https://evil.test\\.example.com/",
            "https://example.com%2eevil.test/",
            "https://ехample.com/",
            "https://xn--xample-2of.com/",
            "https://example.com%00.evil.test/",
            "https://./",
            "https:///",
            "https://",
            "http://",
            "//example.com/",
            "example.com",
            "",
            " ",
        ],
    );
}

#[test]
fn a_star_covers_the_name_and_what_is_below_it() {
    check(
        &["*.example.com"],
        &["https://example.com/", "https://a.example.com/", "https://a.b.Example.COM./", "http://x.example.com/"],
        &[
            "https://badexample.com/",
            "https://example.com.evil.test/",
            "https://a.example.com:8443/",
            "https://examplexcom/",
            "https://com/",
            "https://127.0.0.1/",
        ],
    );
    check(
        &["*.example.com:8443"],
        &["https://a.example.com:8443/", "http://example.com:8443/"],
        &["https://a.example.com/"],
    );
    check(&["https://*.example.com"], &["https://a.example.com/"], &["http://a.example.com/"]);
    check(&["*.localhost:80"], &["http://a.localhost/"], &["http://a.localhost:81/"]);
}

#[test]
fn ports_and_schemes_bind() {
    check(
        &["127.0.0.1:4310", "http://a.test:8080", "https://b.test", "https://c.test/", "HTTP://d.test"],
        &[
            "http://127.0.0.1:4310/x",
            "https://127.0.0.1:4310/",
            "ws://127.0.0.1:4310/",
            "http://a.test:8080/",
            "ws://a.test:8080/",
            "https://b.test/",
            "wss://b.test/",
            "https://c.test/",
            "http://d.test/",
        ],
        &[
            "http://127.0.0.1/",
            "http://127.0.0.1:4311/",
            "https://a.test:8080/",
            "wss://a.test:8080/",
            "http://a.test/",
            "http://b.test/",
            "ws://b.test/",
            "https://b.test:444/",
            "https://d.test/",
        ],
    );
}

#[test]
fn numbers_are_one_host_in_every_spelling() {
    check(
        &["127.0.0.1:80"],
        &[
            "http://127.0.0.1/",
            "http://127.1/",
            "http://127.0.1/",
            "http://0x7f.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://017700000001/",
            "http://127.0.0.1./",
            "http://127.0.0.1../",
            "http://%31%32%37.0.0.1/",
            "http://１２７.0.0.1/",
            "http://127。0。0。1/",
        ],
        &[
            "http://localhost/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://[::127.0.0.1]/",
            "http://127.0.0.2/",
            "http://0.0.0.0/",
            "http://0/",
            "http://127.0.0.1.evil.test/",
            "http://127.0.0.1.nip.io/",
            "http://127.0.0.256/",
            "http://1.2.3.4.5/",
            "http://0x7g.1/",
        ],
    );
    check(
        &["[::1]:8080"],
        &["http://[::1]:8080/", "http://[0:0:0:0:0:0:0:1]:8080/", "http://[0000::0001]:8080/"],
        &[
            "http://[::1]/",
            "http://127.0.0.1:8080/",
            "http://localhost:8080/",
            "http://[::2]:8080/",
            "http://[::1%25lo]:8080/",
        ],
    );
    check(&["::1"], &["http://[::1]/"], &["http://[::1]:8080/"]);
    check(&["0x7f.1:80"], &["http://127.0.0.1/"], &["http://127.0.0.2/"]);
    check(&["[::ffff:127.0.0.1]"], &["http://[::ffff:7f00:1]/"], &["http://127.0.0.1/"]);
    check(&["localhost"], &["http://localhost/", "http://LOCALHOST./"], &["http://127.0.0.1/", "http://a.localhost/"]);
}

#[test]
fn international_names_are_the_same_in_both_forms() {
    for entry in
        ["bücher.example", "BÜCHER.example.", "xn--bcher-kva.example", "XN--BCHER-KVA.EXAMPLE", "b%C3%BCcher.example"]
    {
        check(
            &[entry],
            &["https://bücher.example/", "https://xn--bcher-kva.example/", "https://bu\u{308}cher.example/"],
            &["https://bucher.example/", "https://bϋcher.example/", "https://xn--bcher-kvb.example/"],
        );
    }
    check(&["*.straße.example"], &["https://a.xn--strae-oqa.example/"], &["https://a.strasse.example/"]);
}

#[test]
fn only_web_addresses_are_documents() {
    for entries in [&["*"][..], &["example.com"]] {
        check(
            entries,
            &["about:blank", "about:blank#x", "about:srcdoc", "ABOUT:blank"],
            &[
                "about:version",
                "about:settings",
                "data:text/html,hi",
                "DATA:text/html,hi",
                "blob:https://example.com/1234",
                "javascript:alert(1)",
                "java\nscript:alert(1)",
                " javascript:alert(1)",
                "file:///etc/passwd",
                "file://example.com/x",
                "filesystem:https://example.com/temporary/x",
                "chrome://settings",
                "chrome-extension://abc/x",
                "devtools://devtools/bundled/inspector.html",
                "view-source:https://example.com/",
                "ftp://example.com/",
                "ws+unix://example.com/",
                "httpx://example.com/",
                "mailto:a@example.com",
                "intent://example.com/",
            ],
        );
    }
    let list = list(&["example.com"]);
    assert_eq!(list.request("data:image/png;base64,AA=="), Ok(()));
    assert_eq!(list.request("blob:https://example.com/1"), Ok(()));
    assert!(list.request("file:///etc/passwd").is_err());
    assert!(list.request("javascript:1").is_err());
}

#[test]
fn a_star_alone_is_every_host() {
    check(
        &["*"],
        &["https://anything.test/", "http://10.0.0.1:8080/", "wss://a.test:9/", "http://[::1]:1/"],
        &["file:///x", "data:,", "http://"],
    );
}

#[test]
fn an_empty_list_refuses_everything() {
    check(&[], &["about:blank"], &["https://example.com/", "http://127.0.0.1/"]);
}

#[test]
fn a_bad_entry_is_named_in_one_sentence() {
    for (entry, part) in [
        ("", "is empty"),
        ("   ", "is empty"),
        ("*:8080", "only * alone"),
        ("https://*", "only * alone"),
        ("*.", "names no host"),
        ("*.*.example.com", "names no host"),
        ("*example.com", "names no host"),
        ("ex*mple.com", "names no host"),
        ("*.127.0.0.1", "below a number"),
        ("*.[::1]", "below a number"),
        ("example.com/path", "more than a host"),
        ("https://example.com/path", "more than a host"),
        ("https://example.com//", "more than a host"),
        ("example.com?x", "more than a host"),
        ("example.com#x", "more than a host"),
        ("example.com\\x", "more than a host"),
        ("user@example.com", "user name"),
        ("example.com:0", "a port"),
        ("example.com:65536", "a port"),
        ("example.com:+80", "a port"),
        ("example.com:", "a port"),
        ("example.com:http", "a port"),
        ("::1:x", "a port"),
        ("[::1]:x", "a port"),
        ("[::1]x", "names no host"),
        ("[::1", "a port"),
        ("ftp://example.com", "a scheme"),
        ("file:///x", "a scheme"),
        ("://example.com", "a scheme"),
        ("https://", "names no host"),
        (".", "names no host"),
        ("...", "names no host"),
        ("exam ple.com", "a space"),
        ("exam\u{0}ple.com", "a space"),
        ("example.com%zz", "names no host"),
        ("a<b>.com", "names no host"),
        ("1.2.3.4.5", "names no host"),
        ("256.0.0.1", "names no host"),
    ] {
        let error = Allowlist::parse(&[entry.to_string()]).unwrap_err();
        assert!(error.contains(part), "{entry:?}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let long = "a".repeat(5000);
    assert!(Allowlist::parse(std::slice::from_ref(&long)).unwrap_err().len() < 300);
    assert!(Allowlist::parse(&vec!["a.test".to_string(); 1001]).is_err());
}

#[test]
fn entries_from_one_text() {
    let list = Allowlist::parse_text(" a.test,b.test  c.test,\n,d.test ").unwrap();
    for host in ["a", "b", "c", "d"] {
        assert_eq!(list.document(&format!("https://{host}.test/")), Ok(()));
    }
    assert!(Allowlist::parse_text(" , ").is_err());
    assert!(Allowlist::parse_text("a.test b.test/x").unwrap_err().contains("b.test/x"));
}

#[test]
fn refusals_say_why() {
    let list = list(&["a.test", "https://b.test", "127.0.0.1:8000"]);
    for (url, reason) in [
        ("http://evil.test/", "host evil.test is not listed"),
        ("http://a.test:8080/", "port 8080 of host a.test is not listed"),
        ("http://b.test/", "host b.test is not listed for http"),
        ("http://127.1:8001/", "port 8001 of host 127.0.0.1 is not listed"),
        ("http://[::1]/", "host [::1] is not listed"),
        ("data:text/html,x", "data: addresses are not allowed"),
        ("nonsense", "it is no address of a host"),
    ] {
        assert_eq!(list.document(url).unwrap_err().reason, reason, "{url}");
    }
    let long = format!("http://{}.test/", "a".repeat(100_000));
    assert!(list.document(&long).unwrap_err().reason.len() < 200);
}

#[test]
fn a_tunnel_may_speak_either_way_until_it_is_known() {
    let list = list(&["https://a.test", "http://b.test:81", "c.test"]);
    let host = |name: &str| Host::parse(name).unwrap();
    assert_eq!(list.tunnel(&host("a.test"), 443), Ok(()));
    assert!(list.target(Scheme::Http, &host("a.test"), 443).is_err());
    assert_eq!(list.tunnel(&host("b.test"), 81), Ok(()));
    assert!(list.target(Scheme::Https, &host("b.test"), 81).is_err());
    assert_eq!(list.tunnel(&host("c.test"), 80), Ok(()));
    assert!(list.target(Scheme::Https, &host("c.test"), 80).is_err());
    assert!(list.tunnel(&host("c.test"), 22).is_err());
    assert!(list.tunnel(&host("d.test"), 443).is_err());
}

#[test]
fn the_entry_to_add_allows_the_address() {
    for (url, entry) in [
        ("https://evil.test/x", Some("evil.test")),
        ("http://evil.test:8080/x", Some("evil.test:8080")),
        ("http://evil.test:443/x", Some("evil.test:443")),
        ("http://[::1]:8080/", Some("[::1]:8080")),
        ("http://[::1]/", Some("[::1]")),
        ("http://0x7f.1:9/", Some("127.0.0.1:9")),
        ("https://bücher.example./", Some("xn--bcher-kva.example")),
        ("data:,x", None),
        ("nonsense", None),
    ] {
        assert_eq!(entry_for(url).as_deref(), entry, "{url}");
        if let Some(entry) = entry {
            assert_eq!(list(&[entry]).document(url), Ok(()), "{entry} must allow {url}");
        }
    }
}

/// However a host is spelled, what is judged is what would be connected to.
#[test]
fn a_plain_host_stays_as_it_is() {
    let pieces =
        ["a", "0x7f", "1", "127.0.0.1", "xn--bcher-kva", "ü", "%2e", "。", ".", "..", "[::1]", "0", "com", "-", "_"];
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = format!("{first}{second}{third}");
                let Some(plain) = Host::parse(&text).ok().and_then(|host| plain_host(&host)) else { continue };
                assert_eq!(plain_host(&plain), Some(plain.clone()), "{text}");
                assert_eq!(Host::parse(&plain.to_string()).ok(), Some(plain.clone()), "{text}");
                assert!(!plain.to_string().ends_with('.'), "{text}");
                if let Ok(list) = Allowlist::parse(&[plain.to_string()]) {
                    assert_eq!(list.tunnel(&plain, 80), Ok(()), "{text}");
                }
            }
        }
    }
}

#[test]
fn what_was_refused_in_words() {
    let refused = |url: &str, host: &str, count: u64, document: bool| Refused {
        url: url.into(),
        host: host.into(),
        reason: format!("host {host} is not listed"),
        count,
        document,
    };
    assert_eq!(in_words(&[]), None);
    let page = refused("http://evil.test/", "evil.test", 1, true);
    assert_eq!(
        in_words(std::slice::from_ref(&page)).unwrap(),
        "the allowlist refused http://evil.test/ (host evil.test is not listed)"
    );
    let part = refused("http://b.test/x.png", "b.test", 1, false);
    assert_eq!(
        in_words(&[part.clone(), page.clone()]).unwrap(),
        "the allowlist refused http://evil.test/ (host evil.test is not listed) and 1 other request"
    );
    let many =
        [page.clone(), refused("http://b.test/1", "b.test", 5, false), refused("http://b.test/2", "b.test", 1, false)];
    assert!(in_words(&many).unwrap().ends_with(" and 6 other requests to b.test"));
    let wide = [page, part, refused("http://c.test/", "c.test", 11, false)];
    assert!(in_words(&wide).unwrap().ends_with(" and 12 other requests to 2 hosts"));
    let odd = refused(&format!("http://e.test/\n\u{1b}[2J{}", "x".repeat(10_000)), "e.test", u64::MAX, false);
    let words = in_words(&[odd.clone(), odd]).unwrap();
    assert!(words.len() < 500 && !words.contains(|c: char| c.is_control()), "{words}");
}

#[test]
fn a_list_is_narrowed_and_never_widened() {
    let list = |entries: &[&str]| -> Vec<String> { entries.iter().map(ToString::to_string).collect() };
    for (outer, entry, within) in [
        ("*", "*", true),
        ("*", "a.test:8080", true),
        ("*", "https://*.a.test", true),
        ("*.a.test", "a.test", true),
        ("*.a.test", "x.y.a.test", true),
        ("*.a.test", "*.x.a.test", true),
        ("*.a.test", "*.a.test", true),
        ("*.a.test", "*", false),
        ("*.a.test", "*.test", false),
        ("*.a.test", "ba.test", false),
        ("a.test", "*.a.test", false),
        ("a.test", "a.test:8080", false),
        ("a.test", "https://a.test", true),
        ("a.test", "https://a.test:443", true),
        ("a.test", "https://a.test:80", false),
        ("a.test", "a.test:80", false),
        ("a.test:443", "https://a.test", true),
        ("a.test:443", "a.test", false),
        ("a.test:443", "a.test:443", true),
        ("https://a.test", "a.test", false),
        ("https://a.test", "http://a.test", false),
        ("https://a.test", "HTTPS://A.TEST/", true),
        ("127.0.0.1:8000", "127.0.0.1:8000", true),
        ("127.0.0.1:8000", "127.0.0.1:8001", false),
    ] {
        let outer = Allowlist::parse(&list(&[outer])).unwrap();
        let entries = list(&[entry]);
        assert_eq!(outer.beyond(&entries).unwrap().is_none(), within, "{outer:?} and {entry}");
    }
    for none in ["http://", "169.254.169.254,x.a.test", "a.test b.test"] {
        assert!(Allowlist::parse(&list(&["*"])).unwrap().beyond(&list(&[none])).is_err(), "{none}");
    }
    let both = narrowed(&list(&["*.a.test", "b.test", "c.test"]), &list(&["x.a.test", "*.b.test", "d.test"])).unwrap();
    assert_eq!(both, list(&["b.test", "x.a.test"]));
}

#[test]
fn what_is_off_limits_is_refused_whatever_is_listed() {
    let hosts = ["127.0.0.1:7777", "[::1]:7777", "LocalHost:7777", "agents.example", "a,b:7777", "*", "", "x y"];
    let off_limits = OffLimits::of(&hosts.map(str::to_string));
    let places = ["127.0.0.1:7777", "[::1]:7777", "localhost:7777", "agents.example:80", "agents.example:443"];
    assert_eq!(off_limits.places().collect::<Vec<_>>(), places);
    let listed = list(&["127.0.0.1:7777", "localhost:7777", "[::1]:7777", "agents.example", "127.0.0.1:7778"]);
    for list in [listed.but(off_limits.clone()), Allowlist::everywhere_but(off_limits.clone())] {
        for url in [
            "http://127.0.0.1:7777/v1/runs",
            "http://127.1:7777/",
            "http://0x7f000001:7777/",
            "http://127.0.0.1.:7777/",
            "https://localhost.:7777/",
            "ws://[0:0:0:0:0:0:0:1]:7777/",
            "http://0.0.0.0:7777/",
            "http://0:7777/",
            "http://[::]:7777/",
            "http://[::ffff:127.0.0.1]:7777/",
            "http://[::ffff:0:0]:7777/",
            "http://agents.example/",
            "https://agents.example./",
            "ws://agents.example:443/",
        ] {
            let refused = list.document(url).unwrap_err();
            assert!(refused.reason.ends_with("is the server that conducts this run"), "{url}: {}", refused.reason);
            assert_eq!(off_limits.document(url), Err(refused), "{url}");
        }
        assert!(list.tunnel(&Host::parse("agents.example").unwrap(), 443).is_err());
        assert_eq!(list.document("http://127.0.0.1:7778/"), Ok(()));
    }
    for url in [
        "http://0.0.0.0:7778/",
        "http://127.0.0.1:7778/",
        "http://agents.example:8080/",
        "about:blank",
        "data:,x",
        "nonsense",
    ] {
        assert_eq!(off_limits.document(url), Ok(()), "{url}");
    }
    let free = Allowlist::everywhere_but(OffLimits::default());
    assert_eq!((free.document("http://127.0.0.1:7777/"), free.document("http://a.test:1/")), (Ok(()), Ok(())));
}
