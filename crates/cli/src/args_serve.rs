//! Arguments of `surehand serve`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Default, Args)]
#[command(
    after_help = "Examples:\n  surehand serve --brain anthropic\n  surehand serve --brain chat:qwen3-vl@http://127.0.0.1:8080/v1 --slots 2\n  surehand serve --bind 0.0.0.0:7777 --tokens tokens.toml --host-name agents.example:7777\n  surehand serve --new-token ci                 print a token and its entry for the token file\n\n  curl -s http://127.0.0.1:7777/v1/cua -H 'content-type: application/json' -d '{\"instruction\": \"Open the first invoice\", \"start_url\": \"https://example.com/\"}'\n\nEverything it answers: /openapi.json; in words: docs/serving.md"
)]
pub(crate) struct ServeArguments {
    /// Address to listen on [default: 127.0.0.1:7777]; any but a loopback address needs --tokens
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) bind: Option<String>,
    /// A brain that runs may use; the first is the default. May be given several times
    #[arg(long, value_name = "SPEC")]
    pub(crate) brain: Vec<String>,
    /// Runs at once, each with a browser of its own [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) slots: Option<String>,
    /// File with bearer tokens, readable by its owner only
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<PathBuf>,
    /// Another name under which this server is reached, with its port; may be given several times
    #[arg(long, value_name = "NAME:PORT")]
    pub(crate) host_name: Vec<String>,
    /// A secret that runs may name, from env:VAR, file:PATH or cmd:COMMAND, like --secret pw@https://crm.example=env:PW
    #[arg(long, value_name = "NAME[@ORIGIN]=SOURCE")]
    pub(crate) secret: Vec<String>,
    /// What webhooks are signed with, from env:VAR or file:PATH; without it requests cannot name any
    #[arg(long, value_name = "SOURCE")]
    pub(crate) webhook_secret: Option<String>,
    /// Tell this address of the end of every run, beside those that requests name
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    pub(crate) webhook: Option<String>,
    /// Webhooks may also go to addresses of this machine and its network
    #[arg(long, requires = "webhook_secret")]
    pub(crate) webhook_private: bool,
    /// Send a span of every run and step to this collector of OpenTelemetry (OTLP over HTTP, JSON)
    #[arg(long, value_name = "URL")]
    pub(crate) otlp: Option<String>,
    /// Folder that uploads may come from; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) upload_root: Vec<PathBuf>,
    /// Print one line of JSON with the address when it is ready
    #[arg(long)]
    pub(crate) json: bool,
    /// Print a new token of this name and its entry for the token file, and end
    #[arg(long, value_name = "NAME")]
    pub(crate) new_token: Option<String>,
}
