//! Prepares a protocol session: everything a tab or a frame of another process needs before it
//! may run. The calls are pipelined; nobody waits for their answers.

use surehand_types::ViewSize;

use crate::cdp::Connection;
use crate::cdp::protocol::{Method, emulation, network, page, runtime, target};

pub(crate) const WORLD: &str = "surehand";
pub(crate) const LIBRARY: &str = include_str!("js/lib.js");

/// What every tab gets.
#[derive(Debug, Clone)]
pub(crate) struct SessionPlan {
    pub(crate) launched: bool,
    /// `None` leaves the viewport of an attached browser alone.
    pub(crate) viewport: Option<(ViewSize, f64)>,
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

pub(crate) fn prepare_frame(connection: &Connection, session: &str) {
    let send = Sender { connection, session };
    send.off(&page::Enable {});
    prepare_document(&send);
}

/// Lets a target run that we do not drive.
pub(crate) fn release(connection: &Connection, session: &str) {
    Sender { connection, session }.off(&runtime::RunIfWaitingForDebugger {});
    connection.start_call(None, &target::DetachFromTarget { session_id: session.to_string() }).forget();
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
