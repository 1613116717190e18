//! The thread that owns the connection to the display. The protocol library blocks, so everything that
//! is asked of the display is a job for this thread, with a deadline on our side: a display that hangs
//! costs a timeout, never a worker of the runtime.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::server::{Address, DisplayTrouble, Server};
use crate::EnvError;

/// How often the connection is read while nobody asks anything: how fast the end of a display is noticed.
const IDLE_LOOK: Duration = Duration::from_millis(200);

type Job = Box<dyn FnOnce(&mut Server) -> Result<(), DisplayTrouble> + Send>;

#[derive(Clone)]
pub(super) struct Display {
    jobs: mpsc::Sender<Job>,
    lost: Arc<watch::Sender<Option<String>>>,
    deadline: Duration,
}

impl fmt::Debug for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Display").field("lost", &*self.lost.borrow()).finish_non_exhaustive()
    }
}

impl Display {
    /// Connects on the thread. The inner error says why the display cannot be used.
    pub(super) async fn open(address: Address, deadline: Duration) -> Result<Result<Display, String>, EnvError> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let (opened, answer) = oneshot::channel();
        let lost = Arc::new(watch::Sender::new(None));
        let told = Arc::clone(&lost);
        std::thread::Builder::new()
            .name("display".into())
            .spawn(move || match Server::connect(&address) {
                Ok(server) => {
                    if opened.send(Ok(())).is_ok() {
                        serve(server, &queue, &told);
                    }
                }
                Err(trouble) => drop(opened.send(Err(trouble.to_string()))),
            })
            .map_err(EnvError::io("cannot start a thread for the display"))?;
        Ok(match tokio::time::timeout(deadline, answer).await {
            Ok(Ok(Ok(()))) => Ok(Display { jobs, lost, deadline }),
            Ok(Ok(Err(why))) => Err(why),
            Ok(Err(_)) => Err("its thread ended".into()),
            Err(_) => Err(format!("it did not answer within {} s", deadline.as_secs())),
        })
    }

    /// Has the display do something. Only a connection that is gone or silent is a lost environment; a
    /// request that was refused is the inner error.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Server) -> Result<T, DisplayTrouble> + Send + 'static,
    ) -> Result<Result<T, DisplayTrouble>, EnvError> {
        if let Some(reason) = self.lost() {
            return Err(EnvError::Lost(reason));
        }
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |server| match job(server) {
            Err(DisplayTrouble::Gone) => Err(DisplayTrouble::Gone),
            outcome => {
                drop(answer.send(outcome));
                Ok(())
            }
        });
        if self.jobs.send(job).is_err() {
            return Err(self.gone());
        }
        match tokio::time::timeout(self.deadline, answered).await {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(_)) => Err(self.gone()),
            Err(_) => {
                let reason = format!("the display did not answer within {} s", self.deadline.as_secs());
                self.lost.send_if_modified(|lost| {
                    lost.is_none() && {
                        *lost = Some(reason);
                        true
                    }
                });
                Err(self.gone())
            }
        }
    }

    /// The same where a refusal is a failure like any other.
    pub(super) async fn must<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Server) -> Result<T, DisplayTrouble> + Send + 'static,
    ) -> Result<T, EnvError> {
        self.ask(job).await?.map_err(|trouble| EnvError::Desktop(trouble.to_string()))
    }

    pub(super) fn lost(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    pub(super) fn watch_lost(&self) -> watch::Receiver<Option<String>> {
        self.lost.subscribe()
    }

    fn gone(&self) -> EnvError {
        EnvError::Lost(self.lost().unwrap_or_else(|| "the display is gone".into()))
    }
}

fn serve(mut server: Server, queue: &mpsc::Receiver<Job>, lost: &watch::Sender<Option<String>>) {
    loop {
        let done = match queue.recv_timeout(IDLE_LOOK) {
            Ok(job) => job(&mut server),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            // Nobody is left who could ask.
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let done = done.and_then(|()| server.drain_events());
        if let Err(DisplayTrouble::Gone) = done {
            lost.send_if_modified(|lost| {
                lost.is_none() && {
                    *lost = Some("the display is gone".into());
                    true
                }
            });
            return;
        }
    }
}
