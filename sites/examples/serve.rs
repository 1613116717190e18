// Serves one site by hand until Ctrl-C:
// cargo run -p surehand-sites --example serve -- crm 4310

use std::net::SocketAddr;

use surehand_sites::{Site, SiteServer};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let site: Site = arguments.next().as_deref().unwrap_or("crm").parse()?;
    let port: u16 = arguments.next().as_deref().unwrap_or("0").parse()?;
    let mut server = SiteServer::start(site, SocketAddr::from(([127, 0, 0, 1], port))).await?;
    println!("{site} on {}", server.url());
    tokio::select! {
        result = server.wait() => result?,
        result = tokio::signal::ctrl_c() => {
            result?;
            server.stop().await;
        }
    }
    Ok(())
}
