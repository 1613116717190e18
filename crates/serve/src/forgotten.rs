//! Runs that people stopped and then forgot. Each of them has a browser and one of the few places; a few would hold up
//! everything that waits. So they are put away after a while, and go on when somebody resumes them.

use std::convert::Infallible;
use std::time::Duration;

use surehand_run::Gait;

use crate::live::Live;

/// Never ends; whoever watches the run stops it with the run. Without patience there is no limit.
pub(crate) async fn put_away_when_forgotten(live: &Live, patience: Option<Duration>) -> Infallible {
    let (mut gait, mut newest) = (live.reins.follow(), live.newest.subscribe());
    while let Some(patience) = patience {
        if gait.wait_for(|gait| *gait != Gait::Going).await.is_err() {
            break;
        }
        newest.borrow_and_update();
        tokio::select! {
            () = tokio::time::sleep(patience) => {
                live.reins.put_away();
                break;
            }
            // Whoever works the page has not forgotten it.
            changed = newest.changed() => if changed.is_err() { break },
            gone_on = gait.wait_for(|gait| *gait == Gait::Going) => if gone_on.is_err() { break },
        }
    }
    std::future::pending().await
}
