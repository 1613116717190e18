//! A model as the eyes of somebody else: one question with pictures, no conversation. The referee uses it without
//! knowing what a brain is.

use std::time::Instant;

use surehand_types::vision::{VisionFailure, VisionFuture, VisionModel, VisionReply, VisionRequest};
use tokio::sync::Mutex;

use super::asking::Asker;
use super::picture;
use super::provider::Question;
use crate::error::BrainError;

pub(crate) struct ModelEyes {
    name: String,
    /// Asked one question at a time: it keeps count of what it has spent.
    asker: Mutex<Asker>,
}

impl ModelEyes {
    pub(crate) fn new(asker: Asker) -> ModelEyes {
        ModelEyes { name: asker.name().to_string(), asker: Mutex::new(asker) }
    }

    async fn answer(&self, request: &VisionRequest) -> Result<VisionReply, VisionFailure> {
        let mut asker = self.asker.lock().await;
        let limit = asker.provider().picture_limit();
        let mut pictures = Vec::new();
        for image in &request.images {
            let prepared = picture::from_bytes(image.bytes.clone(), limit).map_err(VisionFailure::Transport)?;
            pictures.push((image.label.clone(), prepared));
        }
        let question = Question { system: request.system.clone(), text: request.prompt.clone(), pictures };
        let before = asker.spent().cost_usd;
        let text = asker.answer(&question, Instant::now() + request.deadline).await.map_err(|error| match error {
            BrainError::Deadline { .. } => VisionFailure::Deadline,
            BrainError::Refused(why) => VisionFailure::Refused(why),
            other => VisionFailure::Transport(other.to_string()),
        })?;
        Ok(VisionReply { text, model: self.name.clone(), cost: asker.spent().cost_usd - before })
    }
}

impl VisionModel for ModelEyes {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask<'a>(&'a self, request: &'a VisionRequest) -> VisionFuture<'a> {
        Box::pin(async move {
            match tokio::time::timeout(request.deadline, self.answer(request)).await {
                Ok(answer) => answer,
                Err(_) => Err(VisionFailure::Deadline),
            }
        })
    }
}
