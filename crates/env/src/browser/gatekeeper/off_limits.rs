//! Keeps a browser without an allowlist from the few places that are off limits, by flags: a proxy of ours before
//! everything else would cost every page something. In Chromium 156 the rules of its resolver hold for numbers as for
//! names, each with its port, and for all that a page can ask by: documents, frames, fetches of pages and workers,
//! WebSockets, beacons, prefetching.

use crate::EnvError;
use crate::browser::BrowserOptions;

/// Flags of the user's that would stand in the place of ours, or lead around them.
const IN_PLACE_OF_OURS: &[&str] = &["--host-resolver-rules", "--proxy-server", "--proxy-bypass-list"];

pub(super) fn keep_away(options: &mut BrowserOptions) -> Result<(), EnvError> {
    if options.off_limits.is_empty() {
        return Ok(());
    }
    if let Some(flag) = options.extra_flags.iter().find(|flag| super::is_one_of(flag, IN_PLACE_OF_OURS)) {
        return Err(EnvError::Setting(format!(
            "chromium_args: {flag} could lead to the server that conducts this run\n\
             hint: leave it out; a proxy is named by the setting `proxy`"
        )));
    }
    let places: Vec<String> = options.off_limits.places().collect();
    let rules: Vec<String> = places.iter().map(|place| format!("MAP {place} ~NOTFOUND")).collect();
    let mut flags = vec![format!("--host-resolver-rules={}", rules.join(","))];
    if options.site.proxy.is_some() {
        // Names are the proxy's affair, so these go around it and are found by nobody.
        flags.push(format!("--proxy-bypass-list=<-loopback>;{}", places.join(";")));
    }
    options.extra_flags.splice(0..0, flags);
    Ok(())
}
