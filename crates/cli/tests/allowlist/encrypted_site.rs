//! An https site on this machine. Its certificate is made for the test and known to nobody, so the test's browser
//! is told its fingerprint; a certificate of anybody else is as wrong as ever.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use rcgen::PublicKeyData as _;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use sha2::{Digest as _, Sha256};

use crate::world::{Answer, Ask, answer_next};

pub(crate) type Encrypted = StreamOwned<ServerConnection, TcpStream>;

/// The setting with which a browser takes the certificates of these sites for good.
pub(crate) fn trusting(sites: &[&EncryptedSite]) -> String {
    let fingerprints: Vec<&str> = sites.iter().map(|site| site.fingerprint.as_str()).collect();
    format!("chromium_args=--ignore-certificate-errors-spki-list={}", fingerprints.join(","))
}

pub(crate) struct EncryptedSite {
    pub(crate) port: u16,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
    fingerprint: String,
    server: OddServer,
}

impl EncryptedSite {
    /// Connections stay open for the next request, and echo as WebSockets.
    pub(crate) fn start(answer: impl Fn(&Ask) -> Answer + Send + Sync + 'static) -> EncryptedSite {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let site = EncryptedSite::speaking(&[], move |mut stream| {
            while answer_next(&mut stream, &log, &answer, "keep-alive") {}
            stream.conn.send_close_notify();
            let _ = stream.flush();
        });
        EncryptedSite { asked, ..site }
    }

    /// Whatever it wants to say on each connection, once that is encrypted.
    pub(crate) fn speaking(protocols: &[&[u8]], talk: impl Fn(Encrypted) + Send + Sync + 'static) -> EncryptedSite {
        let names = vec!["localhost".to_string(), "127.0.0.1".to_string()];
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        let digest = Sha256::digest(made.signing_key.subject_public_key_info());
        let fingerprint = base64::engine::general_purpose::STANDARD.encode(digest);
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let config = Arc::new(config);
        let server = OddServer::start(move |stream| {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
            talk(StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream));
        });
        EncryptedSite { port: server.port, asked: Arc::default(), fingerprint, server }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn allow(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.server.connections()
    }

    pub(crate) fn asked_for(&self, path: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|line| line.contains(path))
    }
}

/// A server that has its own idea of what to do with a connection.
pub(crate) struct OddServer {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl OddServer {
    pub(crate) fn start(treat: impl Fn(TcpStream) + Send + Sync + 'static) -> OddServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (connections, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (counter, stopped, treat) = (Arc::clone(&connections), Arc::clone(&stop), Arc::new(treat));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                counter.fetch_add(1, Ordering::SeqCst);
                let treat = Arc::clone(&treat);
                std::thread::spawn(move || treat(stream));
            }
        });
        OddServer { port, connections, stop }
    }

    /// Reads what it is sent and never says a word.
    pub(crate) fn silent() -> OddServer {
        OddServer::start(|mut stream| while stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {})
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for OddServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}
