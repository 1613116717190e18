//! Which hosts a run may reach: those of the server's own list, of these the ones that the token may, and of these the
//! ones that the request names. Each may only take away.

use surehand_checks::before::allowlist::{Allowlist, OffLimits, entries_in, narrowed};
use surehand_types::Settings;
use surehand_types::api::CuaRequest;

use crate::access::Caller;
use crate::error::ApiError;

/// The entries of the list for one run; none where it may go everywhere.
pub(crate) fn reach(settings: &Settings, caller: &Caller, request: &CuaRequest) -> Result<Vec<String>, ApiError> {
    let wrong = |sentence: String| ApiError::invalid(format!("allow: {sentence}"));
    let mut hosts = settings.optional_text("allow").map(entries_in).unwrap_or_default();
    if hosts.is_empty() {
        hosts.clone_from(&caller.domains);
    } else if !caller.domains.is_empty() {
        hosts = narrowed(&hosts, &caller.domains).map_err(ApiError::forbidden)?;
        if hosts.is_empty() {
            return Err(ApiError::forbidden(format!(
                "the token {:?} may reach nothing that this server lets runs reach",
                caller.name
            )));
        }
    }
    if request.allow.is_empty() {
        return Ok(hosts);
    }
    Allowlist::parse(&request.allow).map_err(wrong)?;
    if !hosts.is_empty() {
        let outer = Allowlist::parse(&hosts).map_err(ApiError::forbidden)?;
        if let Some(host) = outer.beyond(&request.allow).map_err(wrong)? {
            return Err(ApiError::forbidden(format!(
                "allow: {host:?} is more than {} may reach here\nhint: such runs may reach {}",
                caller.who(),
                hosts.join(", ")
            )));
        }
    }
    Ok(request.allow.clone())
}

/// The same for a run that starts now: its own list, which holds what its caller may reach, and the operator's of today.
pub(crate) fn within(settings: &Settings, request: &CuaRequest) -> Result<Vec<String>, String> {
    let own = settings.optional_text("allow").map(entries_in).unwrap_or_default();
    if own.is_empty() || request.allow.is_empty() {
        return Ok(if own.is_empty() { request.allow.clone() } else { own });
    }
    let both = narrowed(&own, &request.allow)?;
    if both.is_empty() {
        return Err("nothing that it may reach is allowed on this server any more".into());
    }
    Ok(both)
}

/// A run that begins outside would only be refused later.
pub(crate) fn check_start(
    hosts: &[String],
    off_limits: &OffLimits,
    caller: &Caller,
    request: &CuaRequest,
) -> Result<(), ApiError> {
    let Some(url) = request.start_url.as_deref() else { return Ok(()) };
    off_limits
        .document(url.trim())
        .map_err(|refusal| ApiError::forbidden(format!("start_url: it cannot be opened: {}", refusal.reason)))?;
    if hosts.is_empty() {
        return Ok(());
    }
    let list = Allowlist::parse(hosts).map_err(|sentence| ApiError::invalid(format!("allow: {sentence}")))?;
    list.document(url.trim()).map_err(|refusal| {
        let (why, hosts) = (refusal.reason, hosts.join(", "));
        if !request.allow.is_empty() {
            let text = format!("allow: the run could not open its own start_url: {why}\nhint: it may reach {hosts}");
            return ApiError::forbidden(text);
        }
        let who = caller.who();
        ApiError::forbidden(format!("start_url: {who} may not go there: {why}\nhint: this run may reach {hosts}"))
    })
}
