//! The load of the machine: one busy thread per core of our own making, for as long as the value
//! lives, and the load average, because figures taken beside other people's work mean less.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug)]
pub(crate) struct Load {
    over: Arc<AtomicBool>,
}

impl Load {
    pub(crate) fn on_every_core() -> Load {
        let over = Arc::new(AtomicBool::new(false));
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Load { over }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Of the last minute; `None` where the system does not tell.
pub(crate) fn average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}
