//! `surehand sites`: serves one of the built-in sites until it is stopped.

use std::net::{Ipv4Addr, SocketAddr};

use surehand_sites::{Site, SiteServer};

use crate::args::SitesArguments;
use crate::exit::Failure;
use crate::output::say;
use crate::signals;

pub(crate) async fn sites(arguments: SitesArguments) -> Result<i32, Failure> {
    let Some(name) = arguments.site else {
        for site in Site::ALL {
            say!("{:<10} {}", site.name(), site.description());
        }
        return Ok(0);
    };
    let site: Site = name.parse().map_err(|error: surehand_sites::SiteError| Failure::usage(error.to_string()))?;
    let stops = signals::listen();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let server = SiteServer::start(site, address).await.map_err(|error| Failure::broken(error.to_string()))?;
    if arguments.json {
        say!("{}", serde_json::json!({"site": site.name(), "url": server.url()}));
    } else {
        say!(
            "{} at {} (state: {}__state, reset: POST {}__reset); Ctrl-C ends it",
            site.name(),
            server.url(),
            server.url(),
            server.url()
        );
    }
    stops.gently.cancelled().await;
    server.stop().await;
    Ok(0)
}
