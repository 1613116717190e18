//! One run with everything around it. Every door that starts runs (the command line, experiments, the server) comes
//! through here, so that a run means the same whoever asked for it. Start reading at `launch`.

mod before;
mod brains;
mod browser;
mod conduct;
mod consent;
mod environment;
mod error;
mod fate;
mod launch;
mod lessons;
mod referee;
mod resume;
mod secrets;

pub use brains::{brain_options, model_options};
pub use browser::{BrowserChoice, browser_options, desktop_options};
pub use conduct::{Conduct, Planned, conduct, guards};
pub use consent::{Consent, Desk, policy_text};
pub use environment::{EnvironmentChoice, open_environment};
pub use error::ConductError;
pub use launch::{GoOn, RunOrder, launch};
pub use lessons::open_lessons;
pub use referee::{
    RefereeChoice, SqliteFiles, check_contract, expect_secrets, folders, judge, load_contract, referee,
    statement_problem,
};
pub use resume::{Earlier, earlier};
pub use secrets::{load as load_secrets, read_source, variables as secret_variables};
