//! HTTP/2 inside a tunnel: many requests at once over one connection. The server knows just enough of it to answer
//! every request with the same page.

use std::io::{Read, Result, Write};

use crate::encrypted_site::{Encrypted, EncryptedSite, trusting};
use crate::world::Tools;

const PAGE: &str = "<!doctype html><title>working</title><script>\
Promise.all(Array.from({ length: 80 }, (_, n) => fetch(`/get?${n}`).then((answer) => answer.text()))).then((all) => {\
  const protocol = performance.getEntriesByType('navigation')[0].nextHopProtocol;\
  document.title = `worked ${protocol} ${all.filter((text) => text.length > 100).length}`;\
});</script>";

const PREFACE: usize = 24;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
/// Of settings and pings: this is the answer. Of data: nothing follows.
const ANSWER_OR_LAST: u8 = 1;
/// Of headers: these are all.
const ALL_HEADERS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = u32::try_from(body.len()).unwrap().to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(body);
    frame
}

fn answer_all(mut stream: Encrypted) -> Result<()> {
    stream.read_exact(&mut [0; PREFACE])?;
    stream.write_all(&frame(SETTINGS, 0, 0, &[]))?;
    // Status 200 and `content-type: text/html`, by their numbers in the table that all sides know.
    let mut headers = vec![0x88, 0x0f, 0x10, 9];
    headers.extend(b"text/html");
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let (kind, flags) = (head[3], head[4]);
        let number = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let mut body = vec![0; length as usize];
        stream.read_exact(&mut body)?;
        match kind {
            SETTINGS if flags & ANSWER_OR_LAST == 0 => stream.write_all(&frame(SETTINGS, ANSWER_OR_LAST, 0, &[]))?,
            PING if flags & ANSWER_OR_LAST == 0 => stream.write_all(&frame(PING, ANSWER_OR_LAST, 0, &body))?,
            HEADERS => {
                let mut answer = frame(HEADERS, ALL_HEADERS, number, &headers);
                answer.extend(frame(DATA, ANSWER_OR_LAST, number, PAGE.as_bytes()));
                stream.write_all(&answer)?;
            }
            _ => {}
        }
        stream.flush()?;
    }
}

#[test]
fn many_requests_share_one_tunnel() {
    let site = EncryptedSite::speaking(&[b"h2"], |stream| {
        let _ = answer_all(stream);
    });
    let mut tools = Tools::start(&["--url", &site.url("/"), "--allow", &site.allow(), "--set", &trusting(&[&site])]);
    let (answer, messages) = tools.until_title("worked ");
    assert_eq!(answer["title"], "worked h2 80", "{answer}");
    assert!(!messages.contains("allowlist"), "{messages}");
    tools.close();
    assert!(site.connections() <= 3, "{} connections", site.connections());
}
