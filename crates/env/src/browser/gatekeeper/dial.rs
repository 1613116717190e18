//! Connections to where the proxy may go, each with a deadline. What was judged is what is dialled.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpStream;
use url::Host;

/// For everything until a connection stands.
const DEADLINE: Duration = Duration::from_secs(15);
/// For one of several addresses of a host, so that a dead one does not take the time of the others.
const ONE_ADDRESS: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("it did not answer in time")]
    Deadline,
    #[error("its name is not known")]
    UnknownName,
    #[error("the proxy did not connect: {0}")]
    Proxy(String),
}

pub(super) async fn connect(host: &Host<String>, port: u16) -> Result<TcpStream, Trouble> {
    in_time(async {
        let mut last = Trouble::UnknownName;
        for address in addresses(host, port).await? {
            match tokio::time::timeout(ONE_ADDRESS, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
                Ok(Err(error)) => last = error.into(),
                Err(_) => last = Trouble::Deadline,
            }
        }
        Err(last)
    })
    .await?
}

pub(super) async fn in_time<T>(work: impl Future<Output = T>) -> Result<T, Trouble> {
    tokio::time::timeout(DEADLINE, work).await.map_err(|_| Trouble::Deadline)
}

async fn addresses(host: &Host<String>, port: u16) -> Result<Vec<SocketAddr>, Trouble> {
    let here = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
    let numbers: Vec<IpAddr> = match host {
        Host::Ipv4(address) => vec![(*address).into()],
        Host::Ipv6(address) => vec![(*address).into()],
        // As browsers do: these names are this machine's, whatever a name server says.
        Host::Domain(name) if name == "localhost" || name.ends_with(".localhost") => here.to_vec(),
        Host::Domain(name) => {
            let found = tokio::net::lookup_host((name.as_str(), port)).await.map_err(|_| Trouble::UnknownName)?;
            return Ok(found.collect());
        }
    };
    Ok(numbers.into_iter().map(|number| SocketAddr::new(number, port)).collect())
}
