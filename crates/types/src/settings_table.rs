//! The table of every setting and toggle. Nothing else declares one: files, environment
//! variables, `--set`, profiles and the generated reference all come from here.

use crate::settings::{Area, SettingKind as Kind, SettingSpec};

const VERIFICATION: Area = Area::Verification;
const BRAINS: Area = Area::Brains;
const REFEREE: Area = Area::Referee;
const MEMORY: Area = Area::Memory;
const SERVING: Area = Area::Later("serving");

const fn setting(name: &'static str, kind: Kind, default: &'static str, area: Area, doc: &'static str) -> SettingSpec {
    SettingSpec { name, kind, default, vectors: None, area, doc }
}

impl SettingSpec {
    const fn in_vectors(mut self, value: &'static str, why: &'static str) -> SettingSpec {
        self.vectors = Some((value, why));
        self
    }
}

const ANY_SECONDS: Kind = Kind::Seconds { min: 0.0, max: 86_400.0 };

/// Settings whose values may hold credentials: never written to a trace, a result or a report.
pub const SENSITIVE: &[&str] = &["http_auth", "proxy", "chromium_args", "database_url", "nats_url", "frame_store_url"];

pub const SETTINGS: &[SettingSpec] = &[
    // The run.
    setting(
        "profile",
        Kind::Choice(&["surehand", "vectors"]),
        "surehand",
        Area::Run,
        "Set of defaults: the product's own, or the ones that the conformance vectors pin.",
    ),
    setting(
        "max_steps",
        Kind::Integer { min: 1, max: 100_000 },
        "30",
        Area::Run,
        "Steps a run may take; a step is one call.",
    ),
    setting("timeout", ANY_SECONDS, "600", Area::Run, "Time a run may take in all; 0 means no limit."),
    setting(
        "brain_timeout",
        Kind::Seconds { min: 0.1, max: 3600.0 },
        "120",
        Area::Run,
        "Time a brain may take for one reply.",
    ),
    setting(
        "ask_timeout",
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        "300",
        Area::Run,
        "How long a person may take to answer what a brain asks.",
    ),
    setting(
        "target_wait",
        Kind::Seconds { min: 0.0, max: 60.0 },
        "3",
        Area::Run,
        "How long a script's target may take to appear.",
    ),
    // The browser.
    setting("viewport", Kind::Size, "1280x720", Area::Browser, "Size of the page in CSS pixels."),
    setting(
        "device_scale_factor",
        Kind::Number { min: 0.5, max: 4.0 },
        "1",
        Area::Browser,
        "Device pixel ratio of a browser that we launch.",
    ),
    setting("chromium", Kind::Text, "", Area::Browser, "Path of the browser to launch; found by itself when empty."),
    setting("chromium_args", Kind::Text, "", Area::Browser, "Further browser flags, separated by spaces."),
    setting(
        "launch_timeout",
        Kind::Seconds { min: 1.0, max: 600.0 },
        "30",
        Area::Browser,
        "Time the browser may take to start.",
    ),
    setting(
        "call_timeout",
        Kind::Seconds { min: 0.5, max: 600.0 },
        "10",
        Area::Browser,
        "Deadline of one protocol call.",
    ),
    setting(
        "navigation_timeout",
        Kind::Seconds { min: 0.5, max: 600.0 },
        "15",
        Area::Browser,
        "How long an opened page may take to load before we go on with what there is.",
    ),
    setting(
        "frame_format",
        Kind::Choice(&["png", "jpeg"]),
        "png",
        Area::Browser,
        "Encoding in which frames leave the browser; png is exact, jpeg is smaller.",
    ),
    // Pointer, keyboard, settle.
    setting(
        "pace",
        Kind::Choice(&["fast", "human"]),
        "fast",
        Area::Pointer,
        "How the cursor moves: without pauses, or 60 to 450 ms a move.",
    ),
    setting(
        "hover_settle_cap",
        Kind::Seconds { min: 0.0, max: 5.0 },
        "0.25",
        Area::Pointer,
        "Longest wait for a hover reaction before the press.",
    ),
    setting(
        "settle_cap",
        Kind::Seconds { min: 0.0, max: 60.0 },
        "3",
        Area::Pointer,
        "Longest wait for the page to come to rest after an action.",
    ),
    // Storage.
    setting(
        "data",
        Kind::Text,
        "",
        Area::Storage,
        "Folder for runs, frames and sessions; the XDG data folder when empty.",
    ),
    setting("log", Kind::Text, "warn", Area::Storage, "Log filter for stderr, like info or surehand_env=debug."),
    setting(
        "retention_days",
        Kind::Integer { min: 0, max: 100_000 },
        "30",
        Area::Storage,
        "Runs older than this are removed at the next start; 0 keeps them.",
    ),
    setting(
        "retention_disk_mb",
        Kind::Integer { min: 0, max: 100_000_000 },
        "5000",
        Area::Storage,
        "Oldest runs are removed beyond this size; 0 means no limit.",
    ),
    // Pixel tools.
    setting(
        "density_gate",
        Kind::Choice(&["always", "smart", "off"]),
        "smart",
        Area::Pointer,
        "Preview before a click where several controls are close together.",
    ),
    setting("noop_probe", Kind::Toggle, "on", Area::Pointer, "Watches the page for what an action changed."),
    setting("native_controls", Kind::Toggle, "on", Area::Pointer, "Replaces native pickers by their follow-up tools."),
    setting("locale", Kind::Text, "", Area::Browser, "Locale of the page, like de-DE."),
    setting("timezone", Kind::Text, "", Area::Browser, "Time zone of the page, like Europe/Berlin."),
    setting("accept_language", Kind::Text, "", Area::Browser, "Accept-Language header."),
    setting("user_agent", Kind::Text, "", Area::Browser, "User agent to present instead of the browser's own."),
    setting("proxy", Kind::Text, "", Area::Browser, "Proxy server for the browser, like http://127.0.0.1:3128."),
    setting(
        "http_auth",
        Kind::Text,
        "",
        Area::Browser,
        "Credentials for HTTP authentication as name:password; better given as a secret.",
    ),
    setting(
        "ignore_tls_errors",
        Kind::Toggle,
        "off",
        Area::Browser,
        "Accepts invalid certificates; never on by itself.",
    ),
    // Verification.
    setting("perceptual_verify", Kind::Toggle, "on", VERIFICATION, "Checks high-risk actions by frame hashes."),
    setting("predicate_verify", Kind::Toggle, "on", VERIFICATION, "Scores what the brain predicted."),
    setting("done_gate", Kind::Toggle, "on", VERIFICATION, "Judges a claimed done before it ends the run."),
    setting(
        "verify_done",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "Asks the brain's verifier about a done that the gate accepted.",
    ),
    setting("loop_recovery", Kind::Toggle, "on", VERIFICATION, "Substitutes an action when the brain repeats itself."),
    setting("loop_adaptive", Kind::Toggle, "on", VERIFICATION, "Adapts loop limits to the task."),
    setting(
        "form_controller",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "Fills declared values when the matching field has focus.",
    )
    .in_vectors("off", "no case says what the source does"),
    setting("adaptive_settle", Kind::Toggle, "on", VERIFICATION, "Waits by what the page does instead of fixed times."),
    setting("effect_verify", Kind::Toggle, "on", VERIFICATION, "Decides for every action whether it had an effect."),
    setting(
        "no_effect_patience",
        Kind::Seconds { min: 0.0, max: 60.0 },
        "1.8",
        Area::Pointer,
        "How many seconds everything must stay quiet before an action is called dead.",
    ),
    setting(
        "done_gate_exhausted",
        Kind::Choice(&["judge", "unverified", "accept"]),
        "judge",
        VERIFICATION,
        "What happens to a done when the gate's rejections are used up.",
    )
    .in_vectors("unverified", "the source ends such a run without judging again"),
    setting(
        "done_gate_budget",
        Kind::Integer { min: 0, max: 100 },
        "2",
        VERIFICATION,
        "Rejections that gate and verifier share.",
    ),
    setting("done_budget_refill", Kind::Toggle, "on", VERIFICATION, "Verified progress refills the rejection budget.")
        .in_vectors("off", "the source has a fixed budget"),
    setting(
        "substituted_waits_count",
        Kind::Toggle,
        "off",
        VERIFICATION,
        "Whether waits that the gate put in feed the gate's own windows.",
    )
    .in_vectors("on", "the source counts them"),
    setting(
        "progress_windows",
        Kind::Choice(&["effect", "hash"]),
        "effect",
        VERIFICATION,
        "What counts as progress in the done gate's windows.",
    )
    .in_vectors("hash", "the source compares hashes"),
    setting(
        "done_last_deed",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "Holds a done against what was last done: dead or unsent input, a page that complains.",
    )
    .in_vectors("off", "the source looks at its windows only"),
    setting("effect_fed_loops", Kind::Toggle, "on", VERIFICATION, "Two dead actions on one target count as a loop.")
        .in_vectors("off", "the source has no effects"),
    setting(
        "loop_nudges",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "Tells the brain about a loop before an action is forced.",
    )
    .in_vectors("off", "the source forces at once"),
    setting("strip_prediction_dots", Kind::Toggle, "off", VERIFICATION, "Strips trailing dots from predictions.")
        .in_vectors("on", "the source strips them, which breaks arguments that end in a dot"),
    setting(
        "plan_completion",
        Kind::Choice(&["evidence", "index"]),
        "evidence",
        VERIFICATION,
        "How a plan step counts as complete.",
    )
    .in_vectors("index", "the source compares the position only"),
    setting(
        "submit_words_from_task",
        Kind::Toggle,
        "off",
        VERIFICATION,
        "High-risk words are also looked for in the task.",
    )
    .in_vectors("on", "the source reads the task too"),
    setting(
        "required_fields_match",
        Kind::Choice(&["words", "substring"]),
        "words",
        VERIFICATION,
        "How required field names are looked for in a summary.",
    )
    .in_vectors("substring", "the source matches parts of words"),
    setting(
        "recovery_label_match",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "A recovery types only into a field whose label matches the value.",
    )
    .in_vectors("off", "the source types without looking"),
    setting(
        "focus_rules",
        Kind::Choice(&["three_valued", "source"]),
        "three_valued",
        VERIFICATION,
        "Whether unknown focus and one-sided facts stay unknown.",
    )
    .in_vectors("source", "the source counts unknown as not focused"),
    setting(
        "prediction_forms",
        Kind::Choice(&["full", "source"]),
        "full",
        VERIFICATION,
        "How a reply is searched for predictions.",
    )
    .in_vectors("source", "the source finds flat objects only, takes the first and never scores a line"),
    setting(
        "submit_keys",
        Kind::Choice(&["any_spelling", "written"]),
        "any_spelling",
        VERIFICATION,
        "Whether the keypad's Enter and other spellings count as a submit key.",
    )
    .in_vectors("written", "the source compares the text"),
    setting(
        "loop_rules",
        Kind::Choice(&["careful", "source"]),
        "careful",
        VERIFICATION,
        "How the loop detector compares clicks, keys and states.",
    )
    .in_vectors("source", "the source sorts clicks into squares and takes a missing signal for an equal one"),
    setting(
        "count_verifier_rejections",
        Kind::Toggle,
        "on",
        VERIFICATION,
        "Refusals of the verifier appear on the step and in the counts.",
    )
    .in_vectors("off", "the source counts the gate's only"),
    setting(
        "feedback_from",
        Kind::Choice(&["effect", "delta"]),
        "effect",
        VERIFICATION,
        "Where the words about a step come from: its effect, or address, title and focus alone.",
    )
    .in_vectors("delta", "the source has no effects"),
    // Governor and memory.
    setting("governor", Kind::Toggle, "on", VERIFICATION, "Stops a brain that only looks and never acts."),
    setting(
        "governor_streak",
        Kind::Integer { min: 1, max: 100 },
        "2",
        VERIFICATION,
        "Inspections in a row before the next one is refused.",
    ),
    setting(
        "governor_classes",
        Kind::Choice(&["wide", "narrow"]),
        "wide",
        VERIFICATION,
        "Which calls count as inspection.",
    )
    .in_vectors("narrow", "the source counts two calls only"),
    setting(
        "batch_after_refusal",
        Kind::Choice(&["stop", "continue"]),
        "stop",
        VERIFICATION,
        "Whether the rest of a batch runs after a refused call.",
    )
    .in_vectors("continue", "the source goes on"),
    setting("lessons", Kind::Toggle, "on", MEMORY, "Learns from trusted outcomes and hints at what was learned."),
    setting(
        "lessons_inject",
        Kind::Choice(&["trusted", "candidates"]),
        "trusted",
        MEMORY,
        "Which lessons may become hints.",
    )
    .in_vectors("candidates", "the source injects candidates"),
    setting("lessons_score_floor", Kind::Toggle, "on", MEMORY, "Lessons below a score are not retrieved.")
        .in_vectors("off", "the source has no floor"),
    setting("lessons_merge_revives", Kind::Toggle, "off", MEMORY, "A merge may bring a suppressed lesson back.")
        .in_vectors("on", "the source revives on merge"),
    setting("lessons_match", Kind::Choice(&["words", "prefix"]), "words", MEMORY, "How lesson texts are compared.")
        .in_vectors("prefix", "the source compares prefixes"),
    setting(
        "lessons_reflect",
        Kind::Toggle,
        "on",
        MEMORY,
        "A model brain is asked once what a judged run with failed steps taught, within the cost limit.",
    ),
    // Referee.
    setting("judge_model", Kind::Text, "", REFEREE, "Model of the visual judge, apart from the brain's."),
    setting(
        "judge_confidence_floor",
        Kind::Number { min: 0.0, max: 1.0 },
        "0.6",
        REFEREE,
        "A pass below this confidence is uncertain.",
    ),
    setting(
        "judge_samples",
        Kind::Integer { min: 1, max: 9 },
        "2",
        REFEREE,
        "How often the visual judge is asked; all of its answers have to agree.",
    ),
    setting(
        "judge_timeout",
        Kind::Seconds { min: 1.0, max: 3600.0 },
        "60",
        REFEREE,
        "How long one answer of the visual judge may take.",
    ),
    setting(
        "judge_steps",
        Kind::Choice(&["contract", "one_to_sixteen"]),
        "contract",
        REFEREE,
        "Which step numbers a judge's answer may name.",
    )
    .in_vectors("one_to_sixteen", "the source knows sixteen steps"),
    setting(
        "judge_unparseable",
        Kind::Choice(&["unavailable", "not_passed"]),
        "unavailable",
        REFEREE,
        "What the parser makes of an unreadable judgement.",
    )
    .in_vectors("not_passed", "the source's parser answers passed=false"),
    setting(
        "grid_row_missing",
        Kind::Choice(&["unknown", "fail"]),
        "unknown",
        REFEREE,
        "Result of a grid check when no row matches and not all rows were read.",
    )
    .in_vectors("fail", "the source fails"),
    // Security.
    setting(
        "confirm",
        Kind::Choice(&["risky", "all", "none"]),
        "risky",
        Area::Run,
        "Which actions a person must confirm: what the policy calls risky, all, or none. `surehand tools` takes none by default.",
    ),
    setting(
        "confirm_timeout",
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        "60",
        Area::Run,
        "How long a confirmation may take before it counts as denied.",
    ),
    setting(
        "allow",
        Kind::Text,
        "",
        Area::Browser,
        "The only hosts that the browser may reach, separated by commas or spaces; all when empty.",
    ),
    setting("policy", Kind::Text, "", Area::Run, "Policy file; the built-in policy when empty."),
    // Brains.
    setting("brain", Kind::Text, "", Area::Run, "Brain to use when the command line names none."),
    setting(
        "max_cost",
        Kind::Number { min: 0.0, max: 1_000_000.0 },
        "0",
        BRAINS,
        "Dollars a run may cost; 0 means no limit.",
    ),
    setting(
        "image_window",
        Kind::Integer { min: 0, max: 100 },
        "3",
        BRAINS,
        "Most pictures that a request to a model has; old ones go several at a time, so that prompt caches hold; 0 sends none.",
    ),
    setting(
        "prompt_variant",
        Kind::Choice(&["auto", "large", "small"]),
        "auto",
        BRAINS,
        "Prompt for large or for small models; auto goes by the model's name.",
    ),
    setting(
        "dialect",
        Kind::Text,
        "",
        BRAINS,
        "How a chat model writes its actions: native, qwen3-vl, qwen2.5-vl, ui-tars, ui-tars-2, opencua, holo3 or fara; by the model's name when empty.",
    ),
    setting(
        "price",
        Kind::Text,
        "",
        BRAINS,
        "Dollars per million tokens as IN/OUT or IN/OUT/CACHE_READ/CACHE_WRITE; from the built-in price list when empty.",
    ),
    setting(
        "max_output_tokens",
        Kind::Integer { min: 64, max: 200_000 },
        "4096",
        BRAINS,
        "Tokens that one answer of a model may have.",
    ),
    setting(
        "history_tokens",
        Kind::Integer { min: 1000, max: 2_000_000 },
        "60000",
        BRAINS,
        "Tokens that the turns of a model's history may have, as estimated; older turns become one line each.",
    ),
    setting("stream", Kind::Choice(&["off", "on"]), "off", BRAINS, "Ask chat servers to stream their answers."),
    setting(
        "computer_tool",
        Kind::Text,
        "",
        BRAINS,
        "Anthropic's computer tool and its beta header as TOOL,BETA; by the model's name when empty.",
    ),
    // Serving and scale.
    setting("bind", Kind::Text, "127.0.0.1:7777", Area::Serving, "Address the server listens on."),
    setting("tokens_file", Kind::Text, "", Area::Serving, "File with the server's bearer tokens."),
    setting(
        "slots",
        Kind::Integer { min: 1, max: 256 },
        "4",
        Area::Serving,
        "Runs that a server has under way at once; each needs a browser.",
    ),
    setting(
        "queue_limit",
        Kind::Integer { min: 1, max: 1_000_000 },
        "1000",
        Area::Serving,
        "Runs that may wait and run at once; more are refused.",
    ),
    setting(
        "hold_limit",
        Kind::Seconds { min: 0.0, max: 31_536_000.0 },
        "3600",
        Area::Serving,
        "How long a run that a person paused or took over may stand still before it is put away and its place is free; resume lets it go on. 0: for ever.",
    ),
    setting("database_url", Kind::Text, "", SERVING, "PostgreSQL to use instead of the local SQLite."),
    setting("nats_url", Kind::Text, "", SERVING, "NATS server that carries the work queue."),
    setting("frame_store_url", Kind::Text, "", SERVING, "Object store for frames instead of the local folder."),
    setting("otlp_endpoint", Kind::Text, "", SERVING, "Collector that traces and metrics are also sent to."),
    // Desktop, and choices of later work.
    setting(
        "desktop",
        Kind::Text,
        "",
        Area::Later("desktop"),
        "Display to drive instead of a browser, like :1 or xvfb:1280x720.",
    ),
    setting("app", Kind::Text, "", Area::Later("desktop"), "Application to start on the desktop."),
    setting("upload_roots", Kind::Text, "", Area::Browser, "Folders that uploads may come from, separated by colons."),
    setting(
        "download_cap_mb",
        Kind::Integer { min: 1, max: 1_000_000 },
        "200",
        Area::Browser,
        "Megabytes that the downloads of a run may have together; what goes beyond is cancelled and removed.",
    ),
    setting(
        "download_limit",
        Kind::Integer { min: 0, max: 100_000 },
        "100",
        Area::Browser,
        "How many files a run may download.",
    ),
    setting(
        "download_timeout",
        Kind::Seconds { min: 1.0, max: 86_400.0 },
        "300",
        Area::Browser,
        "How long one download may take before it is cancelled and removed.",
    ),
    setting(
        "accept",
        Kind::Choice(&["fused", "judge"]),
        "fused",
        REFEREE,
        "Whether the visual judge alone may decide where there is no contract.",
    ),
    setting(
        "best_of",
        Kind::Integer { min: 1, max: 64 },
        "1",
        Area::Later("best of several runs"),
        "Rollouts of which the best is chosen; 1 means none.",
    ),
];
