//! Work on many pictures at once: each takes tens of milliseconds, and a long run has hundreds.

use std::num::NonZero;

/// All cores take part. `work` gets neighbours together and answers for each of them; where it does not, the answers are
/// missing ones.
pub(crate) fn on_all_cores<I: Sync, T: Send + Clone>(
    items: &[I],
    work: impl Fn(&[I]) -> Vec<Option<T>> + Sync,
) -> Vec<Option<T>> {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(workers).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let started: Vec<_> =
            items.chunks(share).map(|chunk| (scope.spawn(move || work(chunk)), chunk.len())).collect();
        started.into_iter().flat_map(|(worker, length)| worker.join().unwrap_or_else(|_| vec![None; length])).collect()
    })
}
