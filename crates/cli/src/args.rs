//! The command line, declared. Help texts carry examples; every flag that is a setting only
//! overrides that setting.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::args_lessons::LessonsArguments;
use crate::args_plan::PlanArguments;
use crate::args_referee::{ContractArguments, EvalArguments, InspectArguments, JudgeArguments, RefereeArguments};
use crate::args_routine::{ReplayArguments, RoutineArguments};
use crate::args_serve::ServeArguments;

#[derive(Debug, Parser)]
#[command(
    name = "surehand",
    version,
    about = "Lets a brain drive a real browser by pixels, and proves what happened.",
    after_help = "Examples:\n  surehand demo                              see a whole run, without any set-up\n  surehand run \"Sign in\" --url http://127.0.0.1:8000/ --brain script:login.json\n  surehand tools --url https://example.com/   drive a browser by JSON lines\n  surehand report last -o report.html         look at what happened\n\nSettings: user file, then ./surehand.toml, then SUREHAND_* variables, then flags.\nAll of them: docs/reference/settings.md"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct CommonArguments {
    /// Folder for runs, frames and sessions [default: the XDG data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Set any setting, like --set settle_cap=5s; may be given several times
    #[arg(long, global = true, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Settings file to read instead of ./surehand.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Say more on stderr; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a whole task on a built-in site, and show what happened
    Demo(DemoArguments),
    /// Let a brain do a task in a browser or on a desktop
    Run(Box<RunArguments>),
    /// Do once more what a run did, step by step, each verified
    Replay(Box<ReplayArguments>),
    /// Check and run plans: many steps, loops, data into tables
    Plan(Box<PlanArguments>),
    /// Drive a browser or a desktop by JSON lines on stdin, answers on stdout
    Tools(ToolsArguments),
    /// Serve runs over HTTP: an API, a queue, web pages, people in the loop
    Serve(Box<ServeArguments>),
    /// Show a run, in the terminal or as one HTML page
    Report(ReportArguments),
    /// List, show, export and remove runs
    Runs(RunsArguments),
    /// List, export, import and remove sessions: named profiles that keep logins
    Session(SessionArguments),
    /// Show, check and explain the rules that every action has to pass
    Policy(PolicyArguments),
    /// Show and verify the log of what was decided and agreed to
    Audit(AuditArguments),
    /// Judge a picture, or the end of a run, by a contract
    Judge(JudgeArguments),
    /// Check contract files, and print their schema
    Contract(ContractArguments),
    /// Do the same task several times, judged by a contract
    Eval(Box<EvalArguments>),
    /// List, explain, suppress, promote, export and import what runs have taught
    Lessons(LessonsArguments),
    /// Show what can be read off a picture: rows, cells, switches, texts
    Inspect(InspectArguments),
    /// Measure what one setting brings: a suite run with either value, in pairs
    Ablate(AblateArguments),
    /// Serve the built-in sites that demos and tests use
    Sites(SitesArguments),
    /// Print the prompt that teaches a model to use the tools
    Prompt(PromptArguments),
    /// Check that everything Surehand needs is there
    Doctor(DoctorArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Write or check the generated reference pages
    #[command(hide = true)]
    Docs(DocsArguments),
}

/// Which browser or desktop, and how it looks.
#[derive(Debug, Args, Default)]
pub(crate) struct BrowserArguments {
    /// Drive an X11 desktop instead of a browser: an existing display like :1, or xvfb[:WxH] for one of its own
    #[arg(long, value_name = "SPEC")]
    pub(crate) desktop: Option<String>,
    /// With --desktop: the application to start there, as a shell command; it ends with the desktop
    #[arg(long, value_name = "COMMAND", requires = "desktop")]
    pub(crate) app: Option<String>,
    /// Attach to a running browser instead of launching one, like http://127.0.0.1:9222
    #[arg(long, value_name = "URL")]
    pub(crate) cdp: Option<String>,
    /// With --cdp: the page to drive, by its target id
    #[arg(long, value_name = "ID", requires = "cdp")]
    pub(crate) target: Option<String>,
    /// Size of the page in CSS pixels [default: 1280x720; attached: left alone]
    #[arg(long, value_name = "WxH")]
    pub(crate) viewport: Option<String>,
    /// Show the browser window
    #[arg(long, conflicts_with = "cdp")]
    pub(crate) headed: bool,
    /// Keep and reuse a named profile (logins, cookies)
    #[arg(long, value_name = "NAME", conflicts_with = "cdp")]
    pub(crate) session: Option<String>,
    /// Host that may be reached, like example.com, *.example.com or 127.0.0.1:8000; all others are refused. May be given several times
    #[arg(long, value_name = "HOST", aliases = ["allow-domain", "allow-host"])]
    pub(crate) allow: Vec<String>,
    /// A secret that the brain types as <secret:NAME> and never sees, from env:VAR, file:PATH or cmd:COMMAND. Typed only into the
    /// start page's origin, or into those after @. May be given several times
    #[arg(long, value_name = "NAME[@ORIGIN]=SOURCE")]
    pub(crate) secret: Vec<String>,
    /// The same, read.
    #[arg(skip)]
    pub(crate) secrets: std::sync::Arc<surehand_env::browser::Secrets>,
    /// Folder that uploads may come from; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) upload_root: Vec<PathBuf>,
}

/// Which actions need a person, and by which rules.
#[derive(Debug, Args, Default)]
pub(crate) struct ConsentArguments {
    /// Which actions a person must confirm at the terminal: risky, all or none [default: run risky, tools none]
    #[arg(long, value_name = "WHICH")]
    pub(crate) confirm: Option<String>,
    /// Policy file: rules that allow, deny or want a confirmation (`surehand policy show` prints the built-in ones)
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand demo\n  surehand demo --headed            watch the browser\n  surehand demo desktop             LMMS on a virtual screen (Xvfb, openbox, lmms)\n  surehand demo serve               a server to try the web pages on, without a key\n  surehand demo --json | tail -1    the result as JSON"
)]
pub(crate) struct DemoArguments {
    /// Where: a browser, a desktop with a real application, or a server with web pages
    #[arg(value_enum, default_value_t = DemoKind::Browser)]
    pub(crate) kind: DemoKind,
    /// Print one event per line as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Show the browser window
    #[arg(long)]
    pub(crate) headed: bool,
    /// Where to write the HTML report [default: beside the run]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemoKind {
    Browser,
    Desktop,
    Serve,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Brains:\n  anthropic[:MODEL]   Claude; the key is in ANTHROPIC_API_KEY\n  openai[:MODEL]      OpenAI; the key is in OPENAI_API_KEY\n  gemini[:MODEL]      Gemini; the key is in GEMINI_API_KEY\n  chat:MODEL@URL      any OpenAI-compatible server: llama.cpp, vLLM, Ollama; a key, if any, is in CHAT_API_KEY\n  exec:COMMAND        any program that speaks JSON lines\n  script:FILE         a fixed list of replies (JSON array or JSON lines)\n  routine:FILE[,NAME=TEXT][,then=SPEC]\n                      a recorded run, each step verified; SPEC goes on where it no longer fits\n  stubborn:FILE       a script that repeats itself until it is told that nothing happened\n\nExamples:\n  surehand run \"Find the cheapest kettle\" --url https://shop.example/ --brain anthropic --max-cost 0.50\n  surehand run \"Find the cheapest kettle\" --url https://shop.example/ --brain chat:qwen3-vl@http://127.0.0.1:8080/v1\n  surehand run --resume 01J --brain anthropic --max-steps 60\n  surehand run \"Change the phone number\" --url http://127.0.0.1:4310/ --brain script:crm.json\n  surehand run \"Find the price\" --url https://example.com/ --brain 'exec:python3 brain.py' --json\n  surehand run \"Log in\" --url http://127.0.0.1:4310/ --brain script:a.json --session work --max-steps 40 --timeout 5m\n  surehand run \"Pay the invoice\" --url https://shop.example/ --brain 'exec:python3 brain.py' --allow shop.example --secret password=env:SHOP_PASSWORD\n  surehand run \"Order two kettles\" --url https://shop.example/ --brain anthropic --contract order.json --judge openai\n  surehand run \"Put a kick on every beat\" --desktop xvfb:1280x720 --app 'lmms song.mmp' --brain anthropic\n  surehand run \"Find the price\" --url https://example.com/ --remote http://127.0.0.1:7777\n\nExit codes: 0 success, 1 not achieved, 2 wrong usage, 3 uncertain, 4 something broke, 130 interrupted"
)]
pub(crate) struct RunArguments {
    /// What to do, in words
    #[arg(required_unless_present = "resume")]
    pub(crate) task: Option<String>,
    /// Page to start on
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Go on with an earlier run: its task, the page it was on, its brain, and what it had done
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<String>,
    /// Who decides: anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND, routine:FILE or script:FILE
    #[arg(long, value_name = "SPEC")]
    pub(crate) brain: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
    #[command(flatten)]
    pub(crate) referee: RefereeArguments,
    /// A value for a form field, by its label, like email=ada@example.com, or for a routine, by its name; may be given several times
    #[arg(long, value_name = "LABEL=TEXT")]
    pub(crate) value: Vec<String>,
    /// A field that the answer must have, like price; may be given several times
    #[arg(long, value_name = "FIELD")]
    pub(crate) require: Vec<String>,
    /// Steps the run may take [default: 30]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<String>,
    /// Time the run may take, like 90s or 5m [default: 10m]
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Time the brain may take for one reply [default: 120s]
    #[arg(long, value_name = "TIME")]
    pub(crate) brain_timeout: Option<String>,
    /// Dollars the brain may cost; the run stops before the request that would exceed them
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<String>,
    /// Let a server do it (`surehand serve`), like http://127.0.0.1:7777; its token is in SUREHAND_TOKEN
    #[arg(long, value_name = "URL")]
    pub(crate) remote: Option<String>,
    /// Print one event per line as JSON on stdout; the last one is the result
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Each input line is a call with an id of your choice:\n  {\"id\":1,\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[512,300]}\n  {\"id\":2,\"tool\":\"keyboard\",\"action\":\"type\",\"text\":\"hello\"}\n\nExamples:\n  surehand tools --url https://example.com/\n  surehand tools --cdp http://127.0.0.1:9222 --set settle_cap=1s\n  surehand tools --desktop xvfb:1280x720 --app 'lmms song.mmp'\n  surehand tools --desktop :1\n\nAll tools and fields: docs/reference/tools.md"
)]
pub(crate) struct ToolsArguments {
    /// Page to start on (attached: opened in a new tab)
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand policy show > policy.toml              the built-in rules, to copy and change\n  surehand policy check policy.toml\n  surehand run … --policy policy.toml\n  surehand policy explain '{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[500,500]}' --url https://shop.test/ --target 'button \"Pay now\"'"
)]
pub(crate) struct PolicyArguments {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Print the built-in policy
    Show,
    /// Say whether a file is a policy, or what is wrong with it
    Check {
        /// The policy file
        file: PathBuf,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Say what a policy decides about a call, and by which rule
    Explain(PolicyExplain),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand policy explain '{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[1,1]}' --url https://shop.test/ --target 'button \"Pay now\"'\n  surehand policy explain '{\"tool\":\"dialog\",\"dialog_action\":\"accept\"}' --url https://shop.test/ --dialog 'Delete it?'\n  surehand policy explain '{\"tool\":\"keyboard\",\"action\":\"press\",\"key\":\"enter\"}' --url https://else.test/ --start-url https://shop.test/ --submits"
)]
pub(crate) struct PolicyExplain {
    /// The call, as JSON
    pub(crate) call: String,
    /// The page that the call is made on
    #[arg(long, value_name = "URL")]
    pub(crate) url: String,
    /// What would be pressed, like 'button "Pay now"'
    #[arg(long, value_name = "TARGET")]
    pub(crate) target: Option<String>,
    /// The press would send a form
    #[arg(long)]
    pub(crate) submits: bool,
    /// It is a link that only opens another page of the same origin
    #[arg(long)]
    pub(crate) navigates: bool,
    /// A secret was typed before, and the call may carry it to a page that it is not bound to
    #[arg(long)]
    pub(crate) pastes_secret: bool,
    /// What the confirm dialog says that is open
    #[arg(long, value_name = "TEXT")]
    pub(crate) dialog: Option<String>,
    /// Where the run started, which is a known origin [default: the same as --url]
    #[arg(long, value_name = "URL")]
    pub(crate) start_url: Option<String>,
    /// Policy file instead of the one in the settings
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The log is DATA/audit/audit.jsonl. Each line has the hash of the line before it, each run keeps the last\nhash in its own trace, and removing a run leaves the log as it is.\n\nExamples:\n  surehand audit verify              exit code 1 if a line was changed, removed or moved\n  surehand audit show -n 50\n  surehand audit show --run last --json"
)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check that nothing in the log was changed, removed or moved
    Verify {
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the newest lines, oldest first
    Show {
        /// Only lines of this run: its id, the beginning of it, or "last"
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        /// How many at the most
        #[arg(short = 'n', long, default_value_t = 50, value_name = "N")]
        limit: usize,
        /// The lines as they are
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand report last\n  surehand report last -o report.html --open\n  surehand report last --follow                 a run in another terminal, step by step\n  surehand report last --format timeline > t.json\n\n--follow ends with the run: exit code 0, or 1 if the run's process died without an end."
)]
pub(crate) struct ReportArguments {
    /// A run: its id, the beginning of it, or "last"
    pub(crate) run: String,
    /// Write to a file: one self-contained HTML page, unless --format says otherwise
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Open the page in the desktop's browser (writes it beside the run without -o)
    #[arg(long)]
    pub(crate) open: bool,
    /// What to make of the run [default: text, with -o html]
    #[arg(long, value_enum, conflicts_with = "open")]
    pub(crate) format: Option<ReportFormat>,
    /// Print the run's events as JSON lines; the same as --format events
    #[arg(long, conflicts_with_all = ["output", "open", "format"])]
    pub(crate) json: bool,
    /// Go on printing until the run ends (text, or with --json events)
    #[arg(short, long, conflicts_with_all = ["output", "open", "format"])]
    pub(crate) follow: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For a terminal
    Text,
    /// One self-contained page
    Html,
    /// One JSON object: steps, lanes, verdict (docs/reference/timeline.schema.json)
    Timeline,
    /// The raw events, one per line
    Events,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand runs                     the same as `runs ls`\n  surehand runs show last --json    the whole result\n  surehand runs export last -o out  trace, frames, result and report in a folder\n  surehand runs export last -o run.jsonl --format jsonl\n  surehand runs export last -o run.gif --format gif\n  surehand runs export last -o train --format training\n  surehand runs export last -o order.json --routine --parameter customer='Ada Lovelace'\n  surehand runs import out          into this data folder\n  surehand runs rm 01j9 01ja        remove two runs"
)]
pub(crate) struct RunsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List runs, newest first
    Ls {
        /// How many at the most
        #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
        limit: usize,
        /// Only these
        #[arg(long, value_enum)]
        only: Option<RunsFilter>,
        /// One JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Show one run: facts and steps
    Show {
        /// A run: its id, the beginning of it, or "last"
        run: String,
        /// The whole result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove runs and the frames that no other run uses
    Rm {
        /// Runs: ids, beginnings of ids, or "last"
        #[arg(required = true)]
        runs: Vec<String>,
    },
    /// Copy a run elsewhere: whole, as a trajectory, as examples to learn from, or as a film
    Export {
        /// A run: its id, the beginning of it, or "last"
        run: String,
        /// The folder to create (folder, training), or the file (jsonl, gif, --routine)
        #[arg(short, long, value_name = "PATH")]
        output: PathBuf,
        /// What to make of the run
        #[arg(long, value_enum, default_value_t = ExportFormat::Folder)]
        format: ExportFormat,
        /// For training: pictures as files beside the lines, or inside them, which makes PATH one file
        #[arg(long, value_enum, default_value_t = ExportImages::Files)]
        images: ExportImages,
        #[command(flatten)]
        routine: RoutineArguments,
    },
    /// Take in a run that was exported elsewhere
    Import {
        /// A folder or file that `runs export` wrote
        path: PathBuf,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "A session is made by `surehand run … --session NAME` or by an import. Export and import use the\nstorage state format of Playwright: cookies and local storage. Neither sends anything to any site.\nAn import adds to a session: cookies of the same name, domain and path are replaced, others stay.\n\nExamples:\n  surehand session                              the same as `session ls`\n  surehand session export work -o state.json    whoever has the file is logged in\n  surehand session import work state.json\n  surehand session rm work old"
)]
pub(crate) struct SessionArguments {
    #[command(subcommand)]
    pub(crate) command: Option<SessionCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List sessions
    Ls {
        /// One JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Write cookies and local storage of a session to a file that only you can read
    Export {
        /// The session's name
        name: String,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Add the cookies and local storage of a file to a session, which is made if there is none
    Import {
        /// The session's name
        name: String,
        /// A file that `session export` or Playwright wrote
        file: PathBuf,
    },
    /// Remove sessions with everything in them, without asking
    Rm {
        /// Names of sessions
        #[arg(required = true)]
        names: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Trace, frames, result and report in a folder
    Folder,
    /// Only the trajectory: a line for the start, one per step, one for the result
    Jsonl,
    /// One line per reply: messages, images, labels, reward, verdict (docs/reference/training.schema.json)
    Training,
    /// An animated picture with cursor, marks and captions
    Gif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportImages {
    Files,
    Inline,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum RunsFilter {
    Running,
    Interrupted,
    Succeeded,
    Failed,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Suites:\n  done    labelled claims of success\n  fault   controls that are dead, driven by a stubborn brain\n  FILE    one of your own; docs/suites.md describes the format\n\nExamples:\n  surehand ablate --toggle effect_verify --suite fault --pairs 3\n  surehand ablate --toggle done_gate --suite done -o done_gate.html\n  surehand ablate --toggle profile --suite done      ours against the vectors'\n  surehand ablate --toggle done_gate_exhausted=judge,accept --suite done --json\n\nCtrl-C ends after the action under way and prints what there is; twice ends at once."
)]
pub(crate) struct AblateArguments {
    /// What to switch: a toggle, or a choice like done_gate_exhausted=judge,accept
    #[arg(long, value_name = "NAME[=A,B]")]
    pub(crate) toggle: String,
    /// Built-in suite (done, fault) or a file
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: String,
    /// How often each task is run with both values
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) pairs: u32,
    /// Only the tasks whose id contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Print one JSON object with every run instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write one self-contained HTML page
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Show the browser window
    #[arg(long)]
    pub(crate) headed: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand sites            list the sites\n  surehand sites crm        serve one on a free port\n  surehand sites crm --port 4310\n\nEvery site has GET /__state, GET /__log and POST /__reset."
)]
pub(crate) struct SitesArguments {
    /// Which site; lists them when left out
    pub(crate) site: Option<String>,
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand prompt --variant small > system.md    give it to your model as the system prompt\n  surehand prompt --tool mouse                   what one tool does\n  surehand prompt --json                         prompt, tool descriptions and JSON schemas"
)]
pub(crate) struct PromptArguments {
    /// How much is said: large for strong models, small for small and fast ones
    #[arg(long, value_enum, default_value_t = PromptVariant::Large)]
    pub(crate) variant: PromptVariant,
    /// Only the description of this tool
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// One JSON object, with the schemas of the tools
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PromptVariant {
    Large,
    Small,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand doctor\n  surehand doctor --json\n  surehand doctor --brain anthropic\n  surehand doctor --brain chat:qwen3-vl@http://127.0.0.1:8080/v1"
)]
pub(crate) struct DoctorArguments {
    /// Check this brain instead, with one small real request
    #[arg(long, value_name = "SPEC")]
    pub(crate) brain: Option<String>,
    /// One JSON object per check
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  surehand completions bash > ~/.local/share/bash-completion/completions/surehand")]
pub(crate) struct CompletionsArguments {
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct DocsArguments {
    /// Fail if a page is not what would be written
    #[arg(long)]
    pub(crate) check: bool,
    /// The repository's root
    #[arg(long, default_value = ".")]
    pub(crate) root: PathBuf,
}
