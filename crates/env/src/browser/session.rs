//! Prepares a protocol session: everything a tab or a frame of another process needs before it
//! may run. The calls are pipelined; nobody waits for their answers.

use std::time::Duration;

use surehand_types::ViewSize;

use super::gatekeeper::Interceptor;
use super::site::SiteSettings;
use crate::cdp::Connection;
use crate::cdp::protocol::{Method, emulation, fetch, network, page, runtime, security, target};

pub(crate) const WORLD: &str = "surehand";

/// How long a target that we do not drive may take to run.
const RELEASED_WITHIN: Duration = Duration::from_secs(10);

/// The page library: parts of one script that share a scope, so that the page sees none of their names.
pub(crate) const LIBRARY: &str = concat!(
    "(() => { if (globalThis.__surehand) return;\n",
    include_str!("js/names.js"),
    include_str!("js/places.js"),
    include_str!("js/watch.js"),
    include_str!("js/near.js"),
    include_str!("js/native.js"),
    include_str!("js/fields.js"),
    include_str!("js/settle.js"),
    include_str!("js/surfaces.js"),
    include_str!("js/probe.js"),
    include_str!("js/drag.js"),
    include_str!("js/hand.js"),
    include_str!("js/complaint.js"),
    include_str!("js/observe.js"),
    include_str!("js/shown.js"),
    include_str!("js/deed.js"),
    include_str!("js/aim.js"),
    include_str!("js/sight.js"),
    include_str!("js/structure.js"),
    include_str!("js/around.js"),
    include_str!("js/plain.js"),
    include_str!("js/secrets.js"),
    include_str!("js/secrets_shown.js"),
    include_str!("js/keepsake.js"),
    include_str!("js/exports.js"),
    "})();"
);

/// What every tab gets.
#[derive(Debug, Clone)]
pub(crate) struct SessionPlan {
    pub(crate) launched: bool,
    /// `None` leaves the viewport of an attached browser alone.
    pub(crate) viewport: Option<(ViewSize, f64)>,
    pub(crate) site: SiteSettings,
    /// The browser's own user agent, which an override of the language has to repeat.
    pub(crate) own_user_agent: String,
    /// Judges the requests of a browser that has no proxy of ours.
    pub(crate) interceptor: Option<Interceptor>,
}

/// Tabs of the browser itself and of extensions are not for us.
pub(crate) fn is_drivable(info: &target::TargetInfo) -> bool {
    const OTHERS: &[&str] = &["devtools://", "chrome://", "chrome-extension://", "chrome-untrusted://", "edge://"];
    !OTHERS.iter().any(|prefix| info.url.starts_with(prefix))
}

pub(crate) fn prepare_page(connection: &Connection, session: &str, plan: &SessionPlan) {
    let send = Sender { connection, session };
    send.off(&page::Enable {});
    send.off(&emulation::SetFocusEmulationEnabled { enabled: true });
    send.off(&page::SetWebLifecycleState { state: "active" });
    // An open picker would wedge the renderer (trap 6); it becomes an event.
    send.off(&page::SetInterceptFileChooserDialog { enabled: true });
    prepare_site(&send, plan);
    if let Some((size, scale)) = plan.viewport {
        send.off(&emulation::SetDeviceMetricsOverride {
            width: size.width,
            height: size.height,
            device_scale_factor: scale,
            mobile: false,
        });
    }
    prepare_document(&send);
}

pub(crate) fn prepare_frame(connection: &Connection, session: &str, plan: &SessionPlan) {
    let send = Sender { connection, session };
    send.off(&page::Enable {});
    send.off(&page::SetInterceptFileChooserDialog { enabled: true });
    prepare_site(&send, plan);
    prepare_document(&send);
}

/// A worker whose requests are judged; nothing else is asked of it.
pub(crate) fn prepare_worker(connection: &Connection, session: &str) {
    let send = Sender { connection, session };
    send.off(&fetch::Enable { handle_auth_requests: false });
    send.off(&target::SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true });
    send.off(&runtime::RunIfWaitingForDebugger {});
}

/// Lets a target run that we do not drive.
pub(crate) fn release(connection: &Connection, session: &str) {
    let run = connection.start_call(Some(session), &runtime::RunIfWaitingForDebugger {});
    let (connection, session_id) = (connection.clone(), session.to_string());
    tokio::spawn(async move {
        // A shared worker that is let go before it has heard this never starts.
        let _ = run.finish(RELEASED_WITHIN).await;
        connection.start_call(None, &target::DetachFromTarget { session_id }).forget();
    });
}

/// What the user wants sites to see of the browser.
fn prepare_site(send: &Sender<'_>, plan: &SessionPlan) {
    let site = &plan.site;
    if let Some(locale) = &site.locale {
        send.off(&emulation::SetLocaleOverride { locale: locale.clone() });
    }
    if let Some(timezone_id) = &site.timezone {
        send.off(&emulation::SetTimezoneOverride { timezone_id: timezone_id.clone() });
    }
    if let Some((user_agent, accept_language)) = site.identity(&plan.own_user_agent) {
        send.off(&emulation::SetUserAgentOverride { user_agent, accept_language });
    }
    if site.ignore_tls_errors {
        send.off(&security::SetIgnoreCertificateErrors { ignore: true });
    }
    if site.needs_login() || plan.interceptor.is_some() {
        send.off(&fetch::Enable { handle_auth_requests: site.needs_login() });
    }
}

fn prepare_document(send: &Sender<'_>) {
    send.off(&page::AddScriptToEvaluateOnNewDocument { source: LIBRARY, world_name: WORLD, run_immediately: true });
    send.off(&network::Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0 });
    send.off(&target::SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true });
    send.off(&runtime::RunIfWaitingForDebugger {});
}

struct Sender<'a> {
    connection: &'a Connection,
    session: &'a str,
}

impl Sender<'_> {
    fn off<M: Method>(&self, method: &M) {
        self.connection.start_call(Some(self.session), method).forget();
    }
}
