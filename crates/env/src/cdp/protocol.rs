//! Typed calls and events for the part of the protocol that we use. Optional fields are left out
//! when unset, unknown answer fields are ignored, missing ones get defaults.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(crate) trait Method: Serialize {
    const NAME: &'static str;
    type Output: DeserializeOwned;
}

/// Answer of a call that has none.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Nothing {}

macro_rules! methods {
    ($($wire:literal $name:ident { $($(#[$meta:meta])* $field:ident : $kind:ty),* $(,)? } -> $output:ty;)*) => {$(
        #[derive(Debug, Clone, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name { $($(#[$meta])* pub(crate) $field: $kind),* }
        impl Method for $name { const NAME: &'static str = $wire; type Output = $output; }
    )*};
}

/// Shapes that arrive: every field has a default, so a changed protocol degrades instead of failing.
macro_rules! shapes {
    ($($name:ident { $($(#[$meta:meta])* $field:ident : $kind:ty),* $(,)? })*) => {$(
        #[derive(Debug, Clone, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(crate) struct $name { $($(#[$meta])* pub(crate) $field: $kind),* }
    )*};
}

pub(crate) mod browser {
    use super::*;
    methods! {
        "Browser.getVersion" GetVersion {} -> Version;
        "Browser.close" Close {} -> Nothing;
        "Browser.setDownloadBehavior" SetDownloadBehavior { behavior: &'static str, download_path: String, events_enabled: bool } -> Nothing;
        "Browser.cancelDownload" CancelDownload { guid: String } -> Nothing;
    }
    shapes! {
        Version { product: String, user_agent: String }
        DownloadWillBegin { frame_id: String, guid: String, suggested_filename: String }
        DownloadProgress { guid: String, state: String, received_bytes: f64, total_bytes: f64 }
    }
}

pub(crate) mod target {
    use super::*;
    methods! {
        "Target.getTargets" GetTargets {} -> Targets;
        "Target.setDiscoverTargets" SetDiscoverTargets { discover: bool } -> Nothing;
        "Target.setAutoAttach" SetAutoAttach { auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool } -> Nothing;
        "Target.setAutoAttach" AutoAttachOnly { auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool, filter: Vec<TargetFilter> } -> Nothing;
        "Target.attachToTarget" AttachToTarget { target_id: String, flatten: bool } -> Attached;
        "Target.detachFromTarget" DetachFromTarget { session_id: String } -> Nothing;
        "Target.createTarget" CreateTarget { url: String, #[serde(skip_serializing_if = "Option::is_none")] browser_context_id: Option<String>, background: bool } -> Created;
        "Target.closeTarget" CloseTarget { target_id: String } -> Nothing;
    }
    #[derive(Debug, Clone, Default, Serialize)]
    pub(crate) struct TargetFilter {
        pub(crate) r#type: &'static str,
    }
    shapes! {
        TargetInfo { target_id: String, r#type: String, title: String, url: String, attached: bool, opener_id: Option<String>, browser_context_id: Option<String> }
        Targets { target_infos: Vec<TargetInfo> }
        Attached { session_id: String }
        Created { target_id: String }
        TargetCreated { target_info: TargetInfo }
        TargetDestroyed { target_id: String }
        TargetCrashed { target_id: String }
        AttachedToTarget { session_id: String, target_info: TargetInfo, waiting_for_debugger: bool }
        DetachedFromTarget { session_id: String }
    }
}

pub(crate) mod page {
    use super::*;
    methods! {
        "Page.enable" Enable {} -> Nothing;
        "Page.getFrameTree" GetFrameTree {} -> FrameTreeAnswer;
        "Page.setWebLifecycleState" SetWebLifecycleState { state: &'static str } -> Nothing;
        "Page.createIsolatedWorld" CreateIsolatedWorld { frame_id: String, world_name: &'static str, grant_univeral_access: bool } -> IsolatedWorld;
        "Page.addScriptToEvaluateOnNewDocument" AddScriptToEvaluateOnNewDocument { source: &'static str, world_name: &'static str, run_immediately: bool } -> Nothing;
        "Page.navigate" Navigate { url: String } -> Navigated;
        "Page.reload" Reload {} -> Nothing;
        "Page.close" Close {} -> Nothing;
        "Page.crash" Crash {} -> Nothing;
        "Page.stopLoading" StopLoading {} -> Nothing;
        "Page.getNavigationHistory" GetNavigationHistory {} -> NavigationHistory;
        "Page.navigateToHistoryEntry" NavigateToHistoryEntry { entry_id: i64 } -> Nothing;
        "Page.captureScreenshot" CaptureScreenshot { format: &'static str, #[serde(skip_serializing_if = "Option::is_none")] quality: Option<u32>, from_surface: bool, optimize_for_speed: bool, capture_beyond_viewport: bool } -> Screenshot;
        "Page.setInterceptFileChooserDialog" SetInterceptFileChooserDialog { enabled: bool } -> Nothing;
        "Page.handleJavaScriptDialog" HandleJavaScriptDialog { accept: bool, #[serde(skip_serializing_if = "Option::is_none")] prompt_text: Option<String> } -> Nothing;
    }
    shapes! {
        Frame { id: String, parent_id: Option<String>, loader_id: String, url: String, unreachable_url: Option<String> }
        FrameNavigated { frame: Frame }
        FrameAttached { frame_id: String, parent_frame_id: String }
        FrameTreeAnswer { frame_tree: FrameTree }
        FrameTree { frame: Frame, child_frames: Vec<FrameTree> }
        FrameIdOnly { frame_id: String }
        NavigatedWithinDocument { frame_id: String, url: String }
        IsolatedWorld { execution_context_id: i64 }
        Navigated { frame_id: String, loader_id: Option<String>, error_text: Option<String>, is_download: Option<bool> }
        NavigationHistory { current_index: i64, entries: Vec<NavigationEntry> }
        NavigationEntry { id: i64, url: String }
        Screenshot { data: String }
        FileChooserOpened { frame_id: String, mode: String, backend_node_id: Option<i64> }
        DialogOpening { url: String, message: String, r#type: String, default_prompt: Option<String> }
    }
}

pub(crate) mod emulation {
    use super::*;
    methods! {
        "Emulation.setFocusEmulationEnabled" SetFocusEmulationEnabled { enabled: bool } -> Nothing;
        "Emulation.setDeviceMetricsOverride" SetDeviceMetricsOverride { width: u32, height: u32, device_scale_factor: f64, mobile: bool } -> Nothing;
        "Emulation.setLocaleOverride" SetLocaleOverride { locale: String } -> Nothing;
        "Emulation.setTimezoneOverride" SetTimezoneOverride { timezone_id: String } -> Nothing;
        "Emulation.setUserAgentOverride" SetUserAgentOverride { user_agent: String, #[serde(skip_serializing_if = "Option::is_none")] accept_language: Option<String> } -> Nothing;
    }
}

pub(crate) mod security {
    use super::*;
    methods! {
        "Security.setIgnoreCertificateErrors" SetIgnoreCertificateErrors { ignore: bool } -> Nothing;
    }
}

pub(crate) mod fetch {
    use super::*;
    methods! {
        "Fetch.enable" Enable { handle_auth_requests: bool } -> Nothing;
        "Fetch.continueRequest" ContinueRequest { request_id: String } -> Nothing;
        "Fetch.failRequest" FailRequest { request_id: String, error_reason: &'static str } -> Nothing;
        "Fetch.continueWithAuth" ContinueWithAuth { request_id: String, auth_challenge_response: AuthAnswer } -> Nothing;
    }
    #[derive(Debug, Clone, Default, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AuthAnswer {
        pub(crate) response: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) username: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(crate) password: Option<String>,
    }
    shapes! {
        RequestPaused { request_id: String, resource_type: String, request: super::network::RequestFacts }
        AuthRequired { request_id: String, auth_challenge: AuthChallenge }
        AuthChallenge { source: Option<String>, origin: String, scheme: String }
    }
}

pub(crate) mod runtime {
    use super::*;
    methods! {
        "Runtime.callFunctionOn" CallFunctionOn { function_declaration: String, object_id: String, arguments: Vec<Argument>, return_by_value: bool, await_promise: bool, object_group: &'static str } -> Evaluated;
        "Runtime.terminateExecution" TerminateExecution {} -> Nothing;
        "Runtime.releaseObjectGroup" ReleaseObjectGroup { object_group: &'static str } -> Nothing;
        "Runtime.evaluate" Evaluate { expression: String, #[serde(skip_serializing_if = "Option::is_none")] context_id: Option<i64>, return_by_value: bool, await_promise: bool, #[serde(skip_serializing_if = "Option::is_none")] timeout: Option<f64>, #[serde(skip_serializing_if = "Option::is_none")] object_group: Option<&'static str> } -> Evaluated;
        "Runtime.runIfWaitingForDebugger" RunIfWaitingForDebugger {} -> Nothing;
    }
    shapes! {
        Evaluated { result: RemoteObject, exception_details: Option<ExceptionDetails> }
        RemoteObject { value: serde_json::Value, description: Option<String>, object_id: Option<String> }
        ExceptionDetails { text: String, exception: Option<RemoteObject> }
    }
    /// An argument of a function: a value, or an object that the page holds.
    #[derive(Debug, Clone, Serialize)]
    #[serde(rename_all = "camelCase", untagged)]
    pub(crate) enum Argument {
        Value {
            value: serde_json::Value,
        },
        #[serde(rename_all = "camelCase")]
        Object {
            object_id: String,
        },
    }
}

pub(crate) mod dom {
    use super::*;
    methods! {
        "DOM.getFrameOwner" GetFrameOwner { frame_id: String } -> FrameOwner;
        "DOM.getBoxModel" GetBoxModel { backend_node_id: i64 } -> BoxModelAnswer;
        "DOM.describeNode" DescribeNode { object_id: String } -> Described;
        "DOM.resolveNode" ResolveNode { backend_node_id: i64, execution_context_id: i64, object_group: &'static str } -> Resolved;
        "DOM.setFileInputFiles" SetFileInputFiles { files: Vec<String>, backend_node_id: i64 } -> Nothing;
    }
    shapes! {
        FrameOwner { backend_node_id: i64 }
        Described { node: Node }
        Node { backend_node_id: i64, shadow_root_type: Option<String>, shadow_roots: Vec<Node> }
        Resolved { object: super::runtime::RemoteObject }
        BoxModelAnswer { model: BoxModel }
        BoxModel { content: Vec<f64> }
    }
}

pub(crate) mod network {
    use super::*;
    methods! {
        "Network.enable" Enable { max_total_buffer_size: u32, max_resource_buffer_size: u32 } -> Nothing;
    }
    shapes! {
        RequestWillBeSent { request_id: String, r#type: String, loader_id: String, request: RequestFacts }
        RequestFacts { url: String, method: String }
        RequestId { request_id: String }
        // Of one that failed, also what it was for.
        LoadingEnded { request_id: String, r#type: Option<String> }
    }
}

pub(crate) mod input {
    use super::*;
    methods! {
        "Input.dispatchMouseEvent" DispatchMouseEvent { r#type: &'static str, x: f64, y: f64, modifiers: u8, button: &'static str, buttons: u8, click_count: u8, #[serde(skip_serializing_if = "Option::is_none")] force: Option<f64>, #[serde(skip_serializing_if = "Option::is_none")] delta_x: Option<f64>, #[serde(skip_serializing_if = "Option::is_none")] delta_y: Option<f64> } -> Nothing;
        "Input.dispatchKeyEvent" DispatchKeyEvent { r#type: &'static str, modifiers: u8, key: String, code: String, windows_virtual_key_code: u16, #[serde(skip_serializing_if = "Option::is_none")] text: Option<String>, #[serde(skip_serializing_if = "Option::is_none")] unmodified_text: Option<String>, location: u8, is_keypad: bool } -> Nothing;
        "Input.setInterceptDrags" SetInterceptDrags { enabled: bool } -> Nothing;
        "Input.dispatchDragEvent" DispatchDragEvent { r#type: &'static str, x: f64, y: f64, data: serde_json::Value, modifiers: u8 } -> Nothing;
        "Input.insertText" InsertText { text: String } -> Nothing;
    }
    shapes! {
        DragIntercepted { data: serde_json::Value }
    }
}
