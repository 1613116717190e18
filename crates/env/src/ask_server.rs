//! One GET for a contract that asks a server about the outcome. Bounded in time and size, and never more than a
//! question: it follows few redirects and only to the same origin, so that neither cookies nor headers go elsewhere.

use std::time::Duration;

use reqwest::header::{COOKIE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use url::Url;

/// More than any answer that a check reads a value out of.
const LARGEST_BODY: usize = 8 << 20;
const MOST_REDIRECTS: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAnswer {
    pub status: u16,
    pub body: Vec<u8>,
    /// The body was longer than what is in here.
    pub cut: bool,
    /// Where the answer came from, if the server led to another place of its own.
    pub led_to: Option<String>,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct ServerQuestion<'a> {
    pub url: &'a Url,
    pub headers: &'a [(String, String)],
    pub cookies: Option<&'a str>,
    pub redirects: Redirects,
}

/// What becomes of an answer that leads to another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// It is followed as long as it stays with the same origin; one that leads away is the answer.
    SameOrigin,
    /// It is the answer.
    Kept,
}

/// Asks; the error is one sentence.
pub async fn ask_server(question: ServerQuestion<'_>, deadline: Duration) -> Result<ServerAnswer, String> {
    let ServerQuestion { url, headers, cookies, redirects } = question;
    // The HTTP library wants a TLS provider even where nothing is encrypted. One that is installed already will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let origin = url.origin();
    let redirects = match redirects {
        Redirects::Kept => Policy::none(),
        Redirects::SameOrigin => Policy::custom(move |attempt| {
            if attempt.url().origin() != origin {
                attempt.stop()
            } else if attempt.previous().len() > MOST_REDIRECTS {
                attempt.error(format!("more than {MOST_REDIRECTS} redirects"))
            } else {
                attempt.follow()
            }
        }),
    };
    let client = reqwest::Client::builder()
        .timeout(deadline)
        .redirect(redirects)
        .user_agent(concat!("surehand/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("no HTTP client can be made: {error}"))?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::try_from(name).map_err(|_| format!("{name:?} is no name of a header"))?;
        let value = HeaderValue::try_from(value).map_err(|_| format!("the value of header {name} is none"))?;
        map.append(name, value);
    }
    if let Some(cookies) = cookies.filter(|cookies| !cookies.is_empty()) {
        let mut value = HeaderValue::try_from(cookies).map_err(|_| "the cookies cannot be sent".to_string())?;
        value.set_sensitive(true);
        map.insert(COOKIE, value);
    }
    let mut response = client.get(url.clone()).headers(map).send().await.map_err(|error| trouble(&error))?;
    let status = response.status().as_u16();
    let led_to = (!same_place(url, response.url())).then(|| response.url().to_string());
    let (mut body, mut cut) = (Vec::new(), false);
    while let Some(part) = response.chunk().await.map_err(|error| trouble(&error))? {
        let room = LARGEST_BODY.saturating_sub(body.len());
        body.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            cut = true;
            break;
        }
    }
    Ok(ServerAnswer { status, body, cut, led_to })
}

/// A slash more or less at the end is the same place.
fn same_place(asked: &Url, answered: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_string();
    path(asked) == path(answered) && asked.query() == answered.query()
}

/// The whole chain: the outermost error only says that something went wrong.
fn trouble(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    let mut inner = std::error::Error::source(error);
    while let Some(cause) = inner {
        words.push_str(&format!(": {cause}"));
        inner = cause.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    /// Answers every request for a path with the given text, until the test is over.
    fn server(answers: Vec<(&'static str, String)>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut asked = [0; 4096];
                let length = stream.read(&mut asked).unwrap_or_default();
                let asked = String::from_utf8_lossy(&asked[..length]).into_owned();
                let path = asked.split(' ').nth(1).unwrap_or_default();
                let answer = answers.iter().find(|(known, _)| *known == path).map(|(_, answer)| answer.clone());
                let token = asked.lines().find(|line| line.to_ascii_lowercase().starts_with("x-key")).unwrap_or("none");
                let answer = answer.unwrap_or_else(|| plain(&format!("{path} {token}")));
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        port
    }

    fn plain(body: &str) -> String {
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    }

    fn to(place: &str) -> String {
        format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    async fn asked(url: &str, redirects: Redirects) -> Result<ServerAnswer, String> {
        let url = Url::parse(url).unwrap();
        let headers = [("X-Key".to_string(), "k".to_string())];
        let question = ServerQuestion { url: &url, headers: &headers, cookies: Some("a=b"), redirects };
        ask_server(question, Duration::from_secs(10)).await
    }

    #[tokio::test]
    async fn redirects_stay_with_the_server_and_are_told() {
        let elsewhere = server(Vec::new());
        let port = server(vec![
            ("/list", to("/list/")),
            ("/orders/7", to("/login?next=7")),
            ("/away", to(&format!("http://127.0.0.1:{elsewhere}/steal"))),
            ("/round", to("/round")),
        ]);
        let at = |path: &str| format!("http://127.0.0.1:{port}{path}");
        let told = asked(&at("/list"), Redirects::SameOrigin).await.unwrap();
        assert_eq!((told.status, told.led_to), (200, None));
        assert!(String::from_utf8(told.body).unwrap().to_ascii_lowercase().contains("x-key: k"));
        let told = asked(&at("/orders/7"), Redirects::SameOrigin).await.unwrap();
        assert_eq!((told.status, told.led_to), (200, Some(at("/login?next=7"))));
        // Another port is another origin: neither header nor cookie may go there.
        let told = asked(&at("/away"), Redirects::SameOrigin).await.unwrap();
        assert_eq!((told.status, told.led_to), (302, None));
        let told = asked(&at("/orders/7"), Redirects::Kept).await.unwrap();
        assert_eq!((told.status, told.led_to), (302, None));
        assert!(asked(&at("/round"), Redirects::SameOrigin).await.unwrap_err().contains("more than 5 redirects"));
    }
}
