//! What is used up, and what is left: of the plan, and of every step that is under way.

use super::Machine;
use super::work::{BudgetLeft, Used};
use crate::plan::{Budget, Step, StepKind};

pub(super) enum Spent {
    Nothing,
    Plan(&'static str),
    /// The outermost step that may not go on.
    Step {
        depth: usize,
        what: &'static str,
    },
}

impl Machine {
    pub(super) fn spend(&mut self, used: Used) {
        self.position.used.add(used);
        for level in &mut self.position.levels {
            level.used.add(used);
        }
    }

    pub(super) fn spent(&self) -> Spent {
        for budget in [&self.plan.budget, &self.granted] {
            if let Some(what) = exhausted(budget, self.position.used) {
                return Spent::Plan(what);
            }
        }
        // The opening of the start address is before the first step.
        let depths = if self.position.opening { 0 } else { self.position.levels.len() };
        for depth in 0..depths {
            if let Some((step, level)) = self.step_at(depth)
                && let Some(what) = exhausted(&self.budget_of(step), level.used)
            {
                return Spent::Step { depth, what };
            }
        }
        Spent::Nothing
    }

    pub(super) fn budget_left(&self) -> BudgetLeft {
        let mut left = BudgetLeft::default();
        narrow(&mut left, &self.plan.budget, self.position.used);
        narrow(&mut left, &self.granted, self.position.used);
        let depths = if self.position.opening { 0 } else { self.position.levels.len() };
        for (step, level) in (0..depths).filter_map(|depth| self.step_at(depth)) {
            narrow(&mut left, &self.budget_of(step), level.used);
        }
        left
    }

    fn budget_of(&self, step: &Step) -> Budget {
        let is_leaf = !matches!(step.kind, StepKind::Loop { .. } | StepKind::If { .. });
        let default = if is_leaf { self.plan.step_budget } else { Budget::default() };
        Budget {
            max_steps: step.budget.max_steps.or(default.max_steps),
            max_time: step.budget.max_time.or(default.max_time),
            max_cost: step.budget.max_cost.or(default.max_cost),
        }
    }
}

fn exhausted(budget: &Budget, used: Used) -> Option<&'static str> {
    if budget.max_steps.is_some_and(|most| used.steps >= u64::from(most)) {
        return Some("number of steps");
    }
    if budget.max_time.is_some_and(|most| used.milliseconds >= most.0) {
        return Some("time");
    }
    budget.max_cost.is_some_and(|most| used.micro_dollars >= most.0).then_some("money")
}

fn narrow(left: &mut BudgetLeft, budget: &Budget, used: Used) {
    let tighter = |left: &mut Option<u64>, most: Option<u64>, used: u64| {
        if let Some(rest) = most.map(|most| most.saturating_sub(used)) {
            *left = Some(left.map_or(rest, |left| left.min(rest)));
        }
    };
    tighter(&mut left.steps, budget.max_steps.map(u64::from), used.steps);
    tighter(&mut left.milliseconds, budget.max_time.map(|most| most.0), used.milliseconds);
    tighter(&mut left.micro_dollars, budget.max_cost.map(|most| most.0), used.micro_dollars);
}
