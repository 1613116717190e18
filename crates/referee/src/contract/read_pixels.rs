//! Reads the checks that look at the picture.

use std::collections::BTreeSet;

use super::error::ContractError;
use super::fields::Fields;
use super::kinds::{GridRow, TextRule, Toggle};
use super::patterns;
use super::shapes::{ForbiddenShape, GridRowShape, TextShape, ToggleShape};

/// More cells in a row than any picture has room for.
const MOST_STEPS: u32 = 512;

pub(crate) fn grid_row(fields: &mut Fields) -> Result<GridRow, ContractError> {
    let shape: GridRowShape = fields.section()?;
    let target = patterns::regex(&shape.target_row_regex).map_err(|why| fields.wrong("target_row_regex", why))?;
    if let Some(steps) = shape.steps
        && !(1..=MOST_STEPS).contains(&steps)
    {
        return Err(fields.wrong("steps", format!("a row has 1 to {MOST_STEPS} steps, not {steps}")));
    }
    let last = shape.steps.unwrap_or(MOST_STEPS);
    let in_range = |field: &str, list: &[u32]| {
        let mut seen = BTreeSet::new();
        for (at, step) in list.iter().enumerate() {
            let place = format!("{field}[{at}]");
            if !(1..=last).contains(step) {
                return Err(fields.wrong(&place, format!("step {step} is not between 1 and {last}")));
            }
            if !seen.insert(*step) {
                return Err(fields.wrong(&place, format!("step {step} is there twice")));
            }
        }
        Ok(seen)
    };
    let required = in_range("required_steps", &shape.required_steps)?;
    let forbidden = match (&shape.forbidden_steps, shape.steps) {
        (None, _) => BTreeSet::new(),
        (Some(ForbiddenShape::Steps(list)), _) => {
            let forbidden = in_range("forbidden_steps", list)?;
            if let Some(both) = required.intersection(&forbidden).next() {
                let at = list.iter().position(|step| step == both).unwrap_or_default();
                let place = format!("forbidden_steps[{at}]");
                return Err(fields.wrong(&place, format!("step {both} is required as well")));
            }
            forbidden
        }
        (Some(ForbiddenShape::Word(_)), Some(steps)) => (1..=steps).filter(|step| !required.contains(step)).collect(),
        (Some(ForbiddenShape::Word(_)), None) => {
            let why = "`others` can only be told with `steps`, the number of cells in the row";
            return Err(fields.wrong("forbidden_steps", why));
        }
    };
    if required.is_empty() && forbidden.is_empty() && shape.row_enabled.is_none() {
        return Err(fields.wrong(
            "required_steps",
            "nothing is asked of the row. hint: name `required_steps`, `forbidden_steps` or `row_enabled`",
        ));
    }
    Ok(GridRow {
        target,
        steps: shape.steps,
        required: required.into_iter().collect(),
        forbidden: forbidden.into_iter().collect(),
        enabled: shape.row_enabled.map(Into::into),
    })
}

pub(crate) fn text(fields: &mut Fields) -> Result<TextRule, ContractError> {
    let shape: TextShape = fields.section()?;
    let regex = patterns::regex(&shape.regex).map_err(|why| fields.wrong("regex", why))?;
    if let Some(region) = shape.region {
        let [x0, y0, x1, y1] = region;
        if region.iter().any(|edge| *edge > 1000) {
            return Err(fields.wrong("region", "the edges are grid units from 0 to 1000, not pixels"));
        }
        if x0 >= x1 || y0 >= y1 {
            return Err(fields.wrong("region", "it is empty. hint: [left, top, right, bottom]"));
        }
    }
    Ok(TextRule { regex, region: shape.region })
}

pub(crate) fn toggle(fields: &mut Fields) -> Result<Toggle, ContractError> {
    let shape: ToggleShape = fields.section()?;
    let label = patterns::regex(&shape.label_regex).map_err(|why| fields.wrong("label_regex", why))?;
    Ok(Toggle { label, state: shape.state.into() })
}
