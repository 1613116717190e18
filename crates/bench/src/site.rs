//! Serves the page of the benchmarks on this machine, and knows where its button is.

use anyhow::{Context, Result};
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use surehand_types::{GridPoint, ViewPoint, ViewSize};

pub(crate) const VIEW: ViewSize = ViewSize { width: 1280, height: 720 };

const PAGE: &str = include_str!("page.html");
/// Small under its own name, huge as `/crowd` and `/table`.
const TOOLS: &str = include_str!("tools.html");

/// Two points on the button, as grid points, because that is what Surehand is told.
const ON_BUTTON: [GridPoint; 2] = [GridPoint::new(700, 672), GridPoint::new(770, 680)];

/// Where consecutive clicks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aiming {
    /// Always the same point, as the published baselines do.
    SamePoint,
    /// Two points in turn, so that the pointer really travels in every step.
    Travelling,
}

#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) url: String,
    server: tokio::task::JoinHandle<()>,
}

impl Site {
    pub(crate) async fn serve() -> Result<Site> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.context("cannot serve the page")?;
        let url = format!("http://{}/", listener.local_addr().context("cannot serve the page")?);
        let mut routes = Router::new().route("/", get(|| async { Html(PAGE) }));
        for path in ["/tools", "/crowd", "/table"] {
            routes = routes.route(path, get(|| async { Html(TOOLS) }));
        }
        let server = tokio::spawn(async move {
            // Ends with the benchmark; a failure shows as a page that does not load.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Site { url, server })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Aiming {
    pub(crate) fn grid_point(self, click: u64) -> GridPoint {
        match self {
            Aiming::SamePoint => ON_BUTTON[0],
            Aiming::Travelling => ON_BUTTON[usize::from(click % 2 == 1)],
        }
    }

    /// The same place in pixels, for those who are told pixels.
    pub(crate) fn view_point(self, click: u64) -> ViewPoint {
        self.grid_point(click).to_view(VIEW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_points_are_on_the_button() {
        for point in ON_BUTTON {
            let point = point.to_view(VIEW);
            assert!((840..1032).contains(&point.x) && (464..504).contains(&point.y), "{point:?}");
        }
    }
}
