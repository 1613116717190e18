//! `surehand serve`: from flags to a server that listens.

use std::fs::File;
use std::io::Read as _;
use std::net::SocketAddr;

use surehand_brain::BrainSpec;
use surehand_conduct::read_source;
use surehand_env::browser::reap_orphans;
use surehand_serve::{Access, Offer, Reach, Server, ServerConfig, WebhookConfig, otlp_address, serve as serve_until};
use surehand_store::{DataDir, JobStore, Store};
use surehand_trace::content_hash;
use surehand_types::Settings;
use surehand_types::settings::Source;
use tokio::net::TcpListener;

use crate::args_serve::ServeArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::settings::set_flag;
use crate::{secrets, signals};

/// How long people have for a confirmation where nobody set it. At a terminal somebody sits and waits for it; here they
/// come from elsewhere.
const CONFIRM_TIMEOUT: &str = "5m";

pub(crate) async fn serve(arguments: ServeArguments, settings: Settings) -> Result<i32, Failure> {
    serve_telling(arguments, settings, "").await
}

/// The same with a text for whoever started it, once it listens.
pub(super) async fn serve_telling(
    arguments: ServeArguments,
    mut settings: Settings,
    text: &str,
) -> Result<i32, Failure> {
    if let Some(name) = &arguments.new_token {
        return new_token(name);
    }
    let tokens = arguments.tokens.as_ref().map(|file| file.display().to_string());
    for (name, value) in [("bind", &arguments.bind), ("slots", &arguments.slots), ("tokens_file", &tokens)] {
        if let Some(value) = value {
            set_flag(&mut settings, name, value)?;
        }
    }
    if settings.source("confirm_timeout") == Source::Default {
        settings.set("confirm_timeout", CONFIRM_TIMEOUT, Source::Default).map_err(Failure::usage)?;
    }
    for spec in arguments.brain.iter().map(String::as_str).chain(settings.optional_text("brain")) {
        BrainSpec::parse(spec)?;
    }
    // Read now, so that a wrong one is found before anybody asks for it, and no log line shows a value.
    // Each has to be bound here: a request that named the page could name one of its own.
    secrets::load(&arguments.secret, None, &settings).await?;
    let access = match settings.optional_text("tokens_file") {
        Some(file) => Access::from_file(file.as_ref()).map_err(|problem| Failure::usage(problem.to_string()))?,
        None => Access::open(),
    };
    let webhooks = webhooks(&arguments).await?;
    let otlp = arguments.otlp.as_deref().map(otlp_address).transpose().map_err(Failure::usage)?;
    let data = open_data(&settings)?;
    let _lease = lease(&data)?;
    let listener = bind(&settings, &access).await?;
    let address = listener.local_addr().map_err(|error| Failure::broken(format!("cannot listen: {error}")))?;
    let reaped = reap_orphans(&data.owners());
    if reaped > 0 {
        tracing::warn!(reaped, "ended browsers that an earlier server left behind");
    }
    let config = ServerConfig {
        access,
        offer: Offer { brains: arguments.brain, secrets: arguments.secret, upload_roots: arguments.upload_root },
        hosts: hosts(address, &arguments.host_name),
        webhooks,
        otlp,
        version: env!("CARGO_PKG_VERSION").to_string(),
        settings,
    };
    let server = Server::open(config, Store::open(&data).await?, JobStore::open(&data).await?).await?;
    for problem in server.brain_problems() {
        eprintln!("surehand: warning: {problem}");
    }
    if arguments.json {
        say!("{}", serde_json::json!({"type": "listening", "url": format!("http://{address}")}));
    } else {
        if !text.is_empty() {
            eprintln!("{text}");
        }
        eprintln!("surehand: listening on http://{address}");
    }
    let stops = signals::listen();
    let served = tokio::select! {
        served = serve_until(server, listener, stops.gently) => served,
        () = stops.now.cancelled() => return Ok(surehand_types::reason::Exit::Interrupted as i32),
    };
    served.map_err(|error| Failure::broken(format!("the server failed: {error}")))?;
    Ok(0)
}

async fn webhooks(arguments: &ServeArguments) -> Result<Option<WebhookConfig>, Failure> {
    let Some(source) = &arguments.webhook_secret else { return Ok(None) };
    let config = WebhookConfig {
        secret: read_source("webhook secret", source).await?,
        url: arguments.webhook.clone(),
        reach: if arguments.webhook_private { Reach::Anywhere } else { Reach::Public },
        hidden_variable: source.strip_prefix("env:").map(str::to_string),
    };
    match config.problem() {
        Some(sentence) => Err(Failure::usage(sentence)),
        None => Ok(Some(config)),
    }
}

/// One server at a time works on a data folder; a second one would mark the first one's runs as lost.
fn lease(data: &DataDir) -> Result<File, Failure> {
    let path = data.server_lock();
    let open = || -> std::io::Result<File> { File::options().create(true).truncate(false).write(true).open(&path) };
    let file = open().map_err(|error| Failure::usage(format!("{} cannot be used: {error}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(Failure::usage(format!(
            "another server works on {} already\nhint: --data DIR gives this one a folder of its own",
            data.root().display()
        ))),
    }
}

async fn bind(settings: &Settings, access: &Access) -> Result<TcpListener, Failure> {
    let given = settings.text("bind");
    let hint = "hint: --set bind=127.0.0.1:0 takes any port that is free";
    let addresses = tokio::net::lookup_host(given).await;
    let addresses: Vec<SocketAddr> = addresses
        .map_err(|error| Failure::usage(format!("the address {given:?} cannot be used: {error}\n{hint}")))?
        .collect();
    if let Some(outside) = addresses.iter().find(|address| !access.allows_bind(address.ip())) {
        return Err(Failure::usage(format!(
            "{outside} can be reached by others, and there are no tokens\nhint: surehand serve --new-token NAME prints one; --tokens FILE names the file"
        )));
    }
    TcpListener::bind(addresses.as_slice())
        .await
        .map_err(|error| Failure::usage(format!("cannot listen on {given}: {error}\n{hint}")))
}

/// Names that mean this server, as clients write them.
fn hosts(address: SocketAddr, named: &[String]) -> Vec<String> {
    let port = address.port();
    let mut hosts: Vec<String> = vec![address.to_string()];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        hosts.extend([format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
    }
    hosts.extend(named.iter().map(|name| name.to_ascii_lowercase()));
    // A client leaves the port of the scheme out.
    let short: Vec<String> = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_string)).collect();
    hosts.extend(short);
    hosts.sort();
    hosts.dedup();
    hosts
}

fn new_token(name: &str) -> Result<i32, Failure> {
    if name.trim().is_empty() || name.chars().any(|c| c.is_control() || c == '"' || c == '\\') {
        return Err(Failure::usage("a token needs a name without quotes\nhint: surehand serve --new-token ci"));
    }
    let mut bytes = [0_u8; 32];
    File::open("/dev/urandom")
        .and_then(|mut random| random.read_exact(&mut bytes))
        .map_err(|error| Failure::broken(format!("there is no randomness to be had: {error}")))?;
    let token = format!("sh_{}", content_hash(&bytes));
    eprintln!("The token, shown this once: {token}");
    eprintln!("Its entry for the token file (chmod 600), which holds only its hash:\n");
    say!("[[token]]");
    say!("name = \"{name}\"");
    say!("sha256 = \"{}\"", content_hash(token.as_bytes()));
    say!("scopes = [\"read\", \"run\", \"control\"]");
    Ok(0)
}
