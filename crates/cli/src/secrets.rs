//! Secrets of this process: read as the arguments say, and kept out of every log line from then on.

use std::sync::Arc;

use surehand_conduct::load_secrets;
use surehand_env::browser::Secrets;
use surehand_types::Settings;

use crate::exit::Failure;
use crate::logging;

/// Reads every secret and tells the logs what they must not show.
pub(crate) async fn load(
    given: &[String],
    start_url: Option<&str>,
    settings: &Settings,
) -> Result<Arc<Secrets>, Failure> {
    let secrets = load_secrets(given, start_url, settings).await?;
    if !secrets.redactor().is_empty() {
        logging::redact_with(secrets.redactor());
    }
    Ok(secrets)
}
