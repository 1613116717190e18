//! From a request to an order for a run: which settings it may change, which brain, which secrets. Everything that can
//! be known to be wrong is found when the request comes, and again when the run starts.

use std::sync::Arc;

use surehand_brain::prompt::Surface;
use surehand_brain::{BrainSpec, open};
use surehand_conduct::{
    BrowserChoice, ConductError, EnvironmentChoice, RefereeChoice, brain_options, check_contract, judge, load_secrets,
    secret_variables,
};
use surehand_env::EnvError;
use surehand_env::browser::{is_session_name, parse_address};
use surehand_referee::OutputSchema;
use surehand_run::{Declared, FormValue};
use surehand_store::DataDir;
use surehand_types::Settings;
use surehand_types::api::{CuaRequest, LONGEST_ADDRESS};
use surehand_types::settings::{Area, SettingSpec, Source, find};

use crate::access::Caller;
use crate::error::ApiError;
use crate::server::Server;
use crate::{limits, reach, webhooks};

/// Longest instruction, in characters.
const INSTRUCTION_CAP: usize = 20_000;

/// Longest name of a brain that was not offered, in bytes: lists of runs show it.
const NAME_CAP: usize = 200;

/// Brains that a request may name where nothing is offered, if the server has their key.
pub(crate) const PROVIDERS: &[&str] = &["anthropic", "openai", "gemini"];

/// What a run is made from.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) task: String,
    pub(crate) url: Option<String>,
    pub(crate) brain: BrainSpec,
    pub(crate) settings: Settings,
    pub(crate) environment: EnvironmentChoice,
    pub(crate) hidden_variables: Vec<String>,
    pub(crate) declared: Declared,
    /// The only ones that it may reach; everywhere when empty.
    pub(crate) hosts: Vec<String>,
}

/// Whether a setting may be changed from outside: what the checks do, never what the machine is.
pub(crate) fn is_open(spec: &SettingSpec) -> bool {
    matches!(spec.area, Area::Verification | Area::Pointer | Area::Memory | Area::Referee)
        && !matches!(spec.name, "judge_model" | "accept")
}

/// Every reason to refuse a request that can be seen without starting anything. The answer is what the
/// run keeps of it, since whoever asked is not there any more when it starts.
pub(crate) async fn check(server: &Server, caller: &Caller, request: &CuaRequest) -> Result<Granted, ApiError> {
    webhooks::check(server, caller, request.webhook.as_ref())?;
    if request.contract.as_ref().is_some_and(|contract| !contract.is_object()) {
        return Err(ApiError::invalid("contract: it has to be an object"));
    }
    let settings = server.settings();
    check_start_url(request)?;
    check_session(caller, request)?;
    limits::check(&settings, caller, request)?;
    let hosts = reach::reach(&settings, caller, request)?;
    reach::check_start(&hosts, &server.off_limits(), caller, request)?;
    let prepared = prepare(server, request, settings, hosts).await?;
    if let Some(contract) = &request.contract {
        let (text, folder) = (contract.to_string(), server.store.data().root().to_path_buf());
        let secrets = Arc::clone(&prepared.environment.secrets);
        aside(move || check_contract(&text, &folder, &secrets)).await??;
    }
    // A key that is missing is found now. What a script or a program lacks is the server's own affair.
    if let BrainSpec::Model(_) = &prepared.brain {
        open(&prepared.brain, brain_options(&prepared.settings, Vec::new(), Surface::Browser))
            .map_err(|error| ApiError::from(ConductError::from(error)))?;
    }
    judge(&prepared.settings)?;
    let is_free = request.allow.is_empty() && caller.domains.is_empty();
    Ok(Granted {
        hosts: if is_free { Vec::new() } else { prepared.hosts },
        confirm: limits::kept_confirm(&server.settings(), caller, request),
    })
}

/// What a request keeps of what its caller was let, in place of what it said.
pub(crate) struct Granted {
    pub(crate) hosts: Vec<String>,
    pub(crate) confirm: Option<String>,
}

const CONTRACT_FILE: &str = "contract.json";

/// Files, pages of the browser and sources made up in an address are not for requests: they would show what is on the
/// server's machine.
fn check_start_url(request: &CuaRequest) -> Result<(), ApiError> {
    let Some(url) = request.start_url.as_deref().map(str::trim) else { return Ok(()) };
    if url.chars().count() > LONGEST_ADDRESS {
        return Err(ApiError::invalid(format!("start_url: it is longer than {LONGEST_ADDRESS} characters")));
    }
    if url == "about:blank" {
        return Ok(());
    }
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    if !scheme.is_some_and(|scheme| scheme == "http" || scheme == "https") {
        return Err(ApiError::invalid("start_url: it has to begin with http:// or https://"));
    }
    match parse_address(url) {
        Ok(_) => Ok(()),
        Err(EnvError::BadUrl { message, .. }) => Err(ApiError::invalid(format!("start_url: {message}"))),
        Err(error) => Err(ApiError::invalid(format!("start_url: {error}"))),
    }
}

/// A session is somebody's logins: a token uses those that it was given.
fn check_session(caller: &Caller, request: &CuaRequest) -> Result<(), ApiError> {
    let Some(name) = &request.session else { return Ok(()) };
    if !is_session_name(name) {
        let hint = "use letters, digits, dot, dash and underscore";
        return Err(ApiError::invalid(format!("session: {name:?} is not a session name\nhint: {hint}")));
    }
    if caller.sessions.as_ref().is_none_or(|sessions| sessions.contains(name)) {
        return Ok(());
    }
    Err(ApiError::forbidden(format!(
        "session: the token {:?} may not use {name:?}\nhint: sessions = [{name:?}] in its entry of the token file lets it",
        caller.name
    )))
}

async fn output_schema(request: &CuaRequest) -> Result<Option<OutputSchema>, ApiError> {
    let Some(schema) = request.output_schema.clone() else { return Ok(None) };
    let schema = aside(move || OutputSchema::read(&schema)).await?;
    schema.map(Some).map_err(|why| ApiError::invalid(format!("output_schema: {why}")))
}

/// What somebody else wrote and may take its time is read away from the threads that answer requests.
async fn aside<T: Send + 'static>(reading: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(reading).await.map_err(ApiError::internal)
}

pub(crate) async fn prepare(
    server: &Server,
    request: &CuaRequest,
    mut settings: Settings,
    hosts: Vec<String>,
) -> Result<Prepared, ApiError> {
    let task = request.instruction.trim().to_string();
    if task.is_empty() {
        return Err(ApiError::invalid("instruction: it is empty\nhint: say in words what to do"));
    }
    if task.chars().count() > INSTRUCTION_CAP {
        return Err(ApiError::invalid(format!("instruction: it is longer than {INSTRUCTION_CAP} characters")));
    }
    check_start_url(request)?;
    if request.record == Some(false) {
        let text = "record: every run is recorded, since it is judged by what was recorded\nhint: leave it out";
        return Err(ApiError::invalid(text));
    }
    for (name, value) in &request.toggles {
        let spec = find(name).ok_or_else(|| ApiError::invalid(format!("toggles.{name}: there is no such setting")))?;
        if !is_open(spec) {
            return Err(ApiError::invalid(format!("toggles.{name}: it cannot be changed by a request")));
        }
        set(&mut settings, name, value, &format!("toggles.{name}"))?;
    }
    let judge = request.judge.as_deref().filter(|judge| settings.optional_text("judge_model") != Some(judge));
    if let Some(judge) =
        judge.filter(|judge| !is_plain_provider(judge) && !server.config.offer.brains.iter().any(|b| b == judge))
    {
        return Err(ApiError::invalid(not_offered("judge", judge)));
    }
    apply(&mut settings, request)?;
    if !hosts.is_empty() {
        set(&mut settings, "allow", &hosts.join(" "), "allow")?;
    }
    let brain = brain(server, &settings, request)?;
    let named: Vec<String> = chosen_secrets(server, request)?;
    // Never bound by what a request says: it could name a page of its own.
    let secrets = load_secrets(&named, None, &settings).await?;
    let values = request.values.iter();
    let values: Vec<FormValue> =
        values.map(|(label, value)| FormValue { label: label.clone(), value: value.clone() }).collect();
    if let Some(sentence) = values.iter().find_map(|value| secrets.unknown_in(&value.value)) {
        return Err(ApiError::invalid(format!("values: {sentence}")));
    }
    Ok(Prepared {
        task,
        url: request.start_url.clone(),
        brain,
        hosts,
        declared: Declared { values, output_schema: output_schema(request).await?, ..Declared::default() },
        environment: EnvironmentChoice {
            browser: BrowserChoice {
                headed: false,
                session: request.session.clone(),
                upload_roots: server.config.offer.upload_roots.clone(),
                web_only: true,
                off_limits: server.off_limits(),
            },
            secrets,
            ..EnvironmentChoice::default()
        },
        hidden_variables: hidden_variables(server),
        settings,
    })
}

/// What programs that we start must not read in their environment.
fn hidden_variables(server: &Server) -> Vec<String> {
    let mut hidden = secret_variables(&server.config.offer.secrets);
    hidden.extend(server.config.webhooks.as_ref().and_then(|config| config.hidden_variable.clone()));
    hidden
}

/// Fields of the request that are settings by another name.
fn apply(settings: &mut Settings, request: &CuaRequest) -> Result<(), ApiError> {
    // The API's own default; a setting that was given to the server is stronger.
    if settings.source("max_steps") == Source::Default {
        // Nobody asked for it: of a plan it holds for each step, and not for all of them.
        settings.set("max_steps", "30", Source::Default).map_err(ApiError::invalid)?;
    }
    let seconds = |minutes: f64| format!("{}s", minutes * 60.0);
    for (field, name, value) in [
        ("max_steps", "max_steps", request.max_steps.map(|steps| steps.to_string())),
        ("max_cost", "max_cost", request.max_cost.map(|cost| cost.to_string())),
        ("max_time_minutes", "timeout", request.max_time_minutes.map(seconds)),
        ("settle_cap", "settle_cap", request.settle_cap.map(|cap| format!("{cap}s"))),
        ("viewport", "viewport", request.viewport.clone()),
        ("confirm", "confirm", request.confirm.clone()),
        ("judge", "judge_model", request.judge.clone()),
    ] {
        if let Some(value) = value {
            set(settings, name, &value, field)?;
        }
    }
    Ok(())
}

fn set(settings: &mut Settings, name: &str, value: &str, field: &str) -> Result<(), ApiError> {
    settings.set(name, value, Source::Flag).map_err(|sentence| ApiError::invalid(format!("{field}: {sentence}")))
}

/// A brain that starts a program or names a server has to be offered; a provider that has a key may be named by anybody.
fn brain(server: &Server, settings: &Settings, request: &CuaRequest) -> Result<BrainSpec, ApiError> {
    let offered = &server.config.offer.brains;
    let default = default_brain(server, settings);
    let Some(named) = request.brain.as_deref().or(default.as_deref()) else {
        let text = "brain: none was named, and this server has no default\nhint: surehand serve --brain SPEC sets one";
        return Err(ApiError::invalid(text));
    };
    if !is_offered(server, settings, named) && !is_plain_provider(named) {
        let text = format!("{}\nhint: {}", not_offered("brain", named), offered_in_words(offered));
        return Err(ApiError::invalid(text));
    }
    BrainSpec::parse(named).map_err(|error| ApiError::from(ConductError::from(error)))
}

/// Who decides where nobody is named.
pub(crate) fn default_brain(server: &Server, settings: &Settings) -> Option<String> {
    server.config.offer.brains.first().cloned().or_else(|| settings.optional_text("brain").map(str::to_string))
}

/// Whether a request may name it whatever it is.
pub(crate) fn is_offered(server: &Server, settings: &Settings, named: &str) -> bool {
    server.config.offer.brains.iter().any(|spec| spec == named) || settings.optional_text("brain") == Some(named)
}

/// A provider by its name. One with an address is not: our key would go to whoever is named.
fn is_plain_provider(named: &str) -> bool {
    let provider = named.split(':').next().unwrap_or_default();
    PROVIDERS.contains(&provider) && !named.contains('@') && named.len() <= NAME_CAP
}

fn not_offered(field: &str, named: &str) -> String {
    let shown: String = named.chars().take(NAME_CAP).collect();
    format!("{field}: this server does not offer {shown:?}")
}

fn offered_in_words(offered: &[String]) -> String {
    match offered {
        [] => "anthropic, openai and gemini can be named where the server has their key".into(),
        offered => format!("it offers {}", offered.join(", ")),
    }
}

fn chosen_secrets(server: &Server, request: &CuaRequest) -> Result<Vec<String>, ApiError> {
    let name_of = |given: &str| given.split(['@', '=']).next().unwrap_or_default().to_string();
    let offered = &server.config.offer.secrets;
    request
        .secrets
        .iter()
        .map(|name| {
            let known = offered.iter().find(|given| name_of(given) == *name).cloned();
            known.ok_or_else(|| ApiError::invalid(format!("secrets: this server knows no secret {name:?}")))
        })
        .collect()
}

/// The contract's file in the run's own folder.
pub(crate) fn keep_contract(data: &DataDir, run_id: &str, request: &CuaRequest) -> std::io::Result<RefereeChoice> {
    let Some(contract) = &request.contract else { return Ok(RefereeChoice::default()) };
    let folder = data.run(run_id);
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(CONTRACT_FILE);
    std::fs::write(&path, contract.to_string())?;
    Ok(RefereeChoice { contract: Some(path), roots: Vec::new(), within_allowlist: true })
}
