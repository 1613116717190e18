//! An ablation in the terminal.

use super::rows::{columns, row};
use super::{difference, shown};
use crate::ablation::Ablation;
use crate::compare::{Comparison, TaskArm};

pub fn ablation_text(ablation: &Ablation, comparison: &Comparison) -> String {
    let [with, without] = &ablation.values;
    let mut text = format!(
        "{} {with} against {without} on the suite {}: {} runs of either arm\n",
        ablation.toggle, ablation.suite, comparison.runs
    );
    if let Some(note) = &ablation.note {
        text.push_str(&format!("note: {note}\n"));
    }
    if ablation.interrupted {
        text.push_str("interrupted: these are the pairs that were run until then\n");
    }
    if comparison.runs == 0 {
        return text;
    }
    let mut rows = vec![row(&["", with, without, "difference", ""])];
    for figure in &comparison.figures {
        let [first, second] = figure.arms.map(|value| shown(figure.kind, value));
        let flag = if figure.regression { "REGRESSION" } else { "" };
        rows.push(row(&[&figure.name, &first, &second, &difference(figure), flag]));
    }
    text.push('\n');
    text.push_str(&columns(&rows));
    let mut rows = vec![
        vec!["".into(), with.clone(), "".into(), "".into(), without.clone()],
        row(&["task", "true", "steps", "seconds", "true", "steps", "seconds"]),
    ];
    for task in &comparison.tasks {
        let mut cells = vec![task.task.clone()];
        cells.extend(task.arms.iter().flat_map(arm_cells));
        rows.push(cells);
    }
    text.push('\n');
    text.push_str(&columns(&rows));
    text
}

fn arm_cells(arm: &TaskArm) -> [String; 3] {
    let truth = format!("{}/{}", arm.achieved, arm.runs);
    [truth, format!("{:.1}", arm.steps), format!("{:.1}", arm.seconds)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::{ablation, episode};

    #[test]
    fn the_table_lines_up_and_flags_what_is_worse() {
        let measured = ablation(vec![[episode("dead-button", 4, false, true), episode("dead-button", 10, true, true)]]);
        let text = ablation_text(&measured, &Comparison::new(&measured));
        let expected = "\
effect_verify on against off on the suite fault: 1 runs of either arm

                              on   off     difference
achieved (truth)               0     1             -1  REGRESSION
claimed                        1     1              0
false successes                1     0             +1  REGRESSION
steps per run                4.0  10.0  -6.0 (-60 %)
seconds per run              2.0   5.0  -3.0 (-60 %)
calls without effect           1     1              0
done refused: empty_summary    1     1              0

               on                   off
task         true  steps  seconds  true  steps  seconds
dead-button   0/1    4.0      2.0   1/1   10.0      5.0
";
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&text), squeezed(expected), "{text}");
        let interrupted = crate::ablation::Ablation { interrupted: true, ..ablation(Vec::new()) };
        let text = ablation_text(&interrupted, &Comparison::new(&interrupted));
        assert!(text.contains("interrupted: ") && text.contains("0 runs"), "{text}");
    }
}
