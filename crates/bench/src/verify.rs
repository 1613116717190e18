//! The fault bench: clicks on controls that are dead or alive in known ways, beside noise that pages make
//! by themselves, and what three judges say of the same click: Surehand, the picture's hash alone, and a
//! plain observer of the page's tree alone. This file orders the work; each judge is asked in `trial`.

mod matrix;
mod options;
mod page;
mod plan;
mod report;
mod trial;
mod witness;

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use surehand_sites::fault::Case;
use surehand_sites::{Site, SiteServer};

pub(crate) use self::options::VerifyOptions;
pub(crate) use self::report::VerifyReport;
use self::trial::{Outcome, Trials};
use crate::controller::Setup;

/// As many browsers as the small machines of builds have cores.
const WORKERS: usize = 2;

type Queue = Arc<Mutex<VecDeque<(u64, Case)>>>;

pub(crate) async fn measure(options: &VerifyOptions, setup: &Setup) -> Result<VerifyReport> {
    let cases = plan::cases(options)?;
    let total = cases.len();
    eprintln!("bench: verify, {total} clicks");
    let server = SiteServer::start(Site::Fault, (Ipv4Addr::LOCALHOST, 0).into()).await?;
    let queue: Queue = Arc::new(Mutex::new((1..).zip(cases).collect()));
    let workers: Vec<_> = (0..WORKERS.min(total))
        .map(|_| tokio::spawn(work(Arc::clone(&queue), setup.clone(), server.url(), total)))
        .collect();
    let mut outcomes = Vec::new();
    for worker in workers {
        outcomes.extend(worker.await.context("a worker of the fault bench ended early")??);
    }
    outcomes.sort_by_key(|outcome| outcome.run);
    witness::add(&mut outcomes, server.address()).await?;
    server.stop().await;
    let report = VerifyReport::of(outcomes);
    if let Some(file) = &options.output {
        std::fs::write(file, page::html(&report)).with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("bench: wrote {}", file.display());
    }
    Ok(report)
}

async fn work(queue: Queue, setup: Setup, site: String, total: usize) -> Result<Vec<Outcome>> {
    let mut trials = Trials::open(&setup, site).await?;
    let mut outcomes = Vec::new();
    loop {
        // Bound first, so that the lock is not held while the case runs.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some((run, case)) = next else {
            break;
        };
        let outcome = trials.judge(run, case).await?;
        if outcome.is_wrong() {
            eprintln!("bench: {run}/{total} {}", outcome.in_words());
        } else if run % 25 == 0 {
            eprintln!("bench: {run}/{total}");
        }
        outcomes.push(outcome);
    }
    trials.close().await;
    Ok(outcomes)
}
