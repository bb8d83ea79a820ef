//! CPU time that a virtual machine did not get because its host gave it to others. Linux only.

use crate::load::statistics::ratio;
use std::fs;

/// CPU time of all processors since boot, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    all: u64,
    stolen: u64,
}

impl Machine {
    /// The times now; `None` if the system does not report them.
    pub fn now() -> Option<Machine> {
        Machine::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// Parses the first line: user, nice, system, idle, iowait, irq, softirq, steal, and then parts
    /// of the first two.
    fn parse(stat: &str) -> Option<Machine> {
        let line = stat.lines().next()?.strip_prefix("cpu ")?;
        let ticks = line.split_ascii_whitespace().take(8).map(|word| word.parse().ok());
        let ticks: Vec<u64> = ticks.collect::<Option<_>>()?;
        let stolen = *ticks.get(7)?;
        Some(Machine { all: ticks.iter().sum(), stolen })
    }

    /// The part of the CPU time since `before` that was stolen from runnable threads, 0 to 1.
    pub fn stolen_since(self, before: Machine) -> Option<f64> {
        let since = |now: u64, before: u64| now.saturating_sub(before) as f64;
        ratio(since(self.stolen, before.stolen), since(self.all, before.all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_a_part_of_all() {
        let before = Machine::parse("cpu  100 10 40 800 20 0 10 20 5 0\ncpu0 1 2\n").expect("eight numbers");
        assert_eq!(before, Machine { all: 1000, stolen: 20 });
        let after = Machine::parse("cpu  150 10 40 800 20 0 10 70 5 0\n").expect("eight numbers");
        assert_eq!(after.stolen_since(before), Some(0.5));
        assert_eq!(before.stolen_since(before), None, "no time has passed");
        for other in ["", "cpu 1 2 3\n", "cpu  1 2 3 4 5 6 7 x\n", "intr 5\n"] {
            assert_eq!(Machine::parse(other), None);
        }
    }
}
