//! What the pages told when they were left: whether the click arrived, and whether the effect really ran.
//! Read after all judgements, to find cases that are not what they claim to be.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::trial::Outcome;

const DEADLINE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Witness {
    pub(super) arrived: u32,
    pub(super) ran: u32,
}

#[derive(Debug, Deserialize)]
struct State {
    runs: BTreeMap<u64, Witness>,
}

pub(super) async fn add(outcomes: &mut [Outcome], server: SocketAddr) -> Result<()> {
    let text = tokio::time::timeout(DEADLINE, state(server)).await.context("the fault site does not answer")??;
    let (_, body) = text.split_once("\r\n\r\n").context("the fault site gave no state")?;
    let state: State = serde_json::from_str(body).context("the state of the fault site is not as expected")?;
    for outcome in outcomes {
        outcome.witness = state.runs.get(&outcome.run).copied();
    }
    Ok(())
}

async fn state(server: SocketAddr) -> Result<String> {
    let mut stream = TcpStream::connect(server).await?;
    // HTTP/1.0, so that the answer comes in one piece and ends with the connection.
    stream.write_all(format!("GET /__state HTTP/1.0\r\nhost: {server}\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}
