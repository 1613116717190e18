// Runs one site on one local address: bind, serve, stop. Knows nothing about any particular site.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::control;
use crate::crm;
use crate::parts::SiteParts;
use crate::{Site, SiteError};

/// Long enough for any request in flight here, short enough not to hold up a test run.
const STOP_DEADLINE: Duration = Duration::from_secs(2);

/// A site being served. Dropping it ends the server without waiting for open requests.
#[derive(Debug)]
pub struct SiteServer {
    site: Site,
    address: SocketAddr,
    stop_signal: Option<oneshot::Sender<()>>,
    // None once the task's result has been taken, because a finished task must not be polled again.
    task: Option<JoinHandle<std::io::Result<()>>>,
}

impl SiteServer {
    /// Serves `site` on `addr` with the data of the default seed; port 0 picks a free port.
    pub async fn start(site: Site, addr: SocketAddr) -> Result<SiteServer, SiteError> {
        SiteServer::serve(site, site.parts(), addr).await
    }

    /// The CRM with the default data, and with everybody signed in who was so by this file.
    pub async fn start_crm_remembering(visitors: &Path, addr: SocketAddr) -> Result<SiteServer, SiteError> {
        SiteServer::serve(Site::Crm, crm::parts_remembering(visitors), addr).await
    }

    async fn serve(site: Site, parts: SiteParts, addr: SocketAddr) -> Result<SiteServer, SiteError> {
        let listen_error = |source| SiteError::Listen { address: addr, source };
        let listener = TcpListener::bind(addr).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let (stop_signal, stop_requested) = oneshot::channel::<()>();
        let router = control::with_control_endpoints(site, parts);
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
            // A dropped sender means the same as a signal: nobody owns this server any more.
            let _ = stop_requested.await;
        });
        let task = tokio::spawn(async move { serving.await });
        Ok(SiteServer { site, address, stop_signal: Some(stop_signal), task: Some(task) })
    }

    /// Which site this is.
    pub fn site(&self) -> Site {
        self.site
    }

    /// The address it listens on, with the real port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the start page, like `http://127.0.0.1:41234/`.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Lets open requests finish, then frees the port; requests that outlast the deadline are cut.
    pub async fn stop(mut self) {
        self.stop_signal.take();
        if let Some(mut task) = self.task.take()
            && tokio::time::timeout(STOP_DEADLINE, &mut task).await.is_err()
        {
            task.abort();
            // Waiting for the cancelled task guarantees the listening socket is closed on return.
            let _ = task.await;
        }
    }

    /// Waits until the server ends by itself, which it does only on an error or after a stop.
    pub async fn wait(&mut self) -> Result<(), SiteError> {
        let Some(task) = self.task.as_mut() else {
            return Ok(());
        };
        let result = task.await;
        self.task = None;
        result.map_err(SiteError::Task)?.map_err(SiteError::Serve)
    }
}

impl Drop for SiteServer {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
