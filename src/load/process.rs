//! Resources of a server, as the system counts them. Linux only.

use std::fs;
use std::io::{self, ErrorKind};
use std::time::Duration;

/// A process and its descendants.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Size of the transposition table in bytes, which is subtracted from the memory; 0 if there is
    /// none.
    pub table: u64,
}

/// Resources in use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// Proportional set size in bytes, without the table: a page shared by n processes counts 1/n
    /// for each.
    pub memory: u64,
    /// Open files.
    pub descriptors: u64,
    /// Threads.
    pub threads: u64,
    /// Processes.
    pub processes: u64,
    /// CPU time of the processes that still run.
    pub processor: Duration,
}

/// Clock ticks per second in `/proc/PID/stat`: 100 on every architecture that Linux supports today.
const TICKS: u64 = 100;

impl Process {
    /// Resources in use now.
    ///
    /// # Errors
    /// There is no such process, or it belongs to another user.
    pub fn usage(&self) -> io::Result<Usage> {
        let mut usage = self.own_usage(self.pid)?;
        for pid in descendants(self.pid) {
            match self.own_usage(pid) {
                Ok(one) => usage.add(one),
                // It has exited since the list was made.
                Err(error) if has_exited(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(usage)
    }

    fn own_usage(&self, pid: u32) -> io::Result<Usage> {
        let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}"));
        let count =
            |name: &str| Ok::<_, io::Error>(fs::read_dir(format!("/proc/{pid}/{name}"))?.count() as u64);
        let memory = if self.table > 0 {
            beside_table(&read("smaps")?, self.table)
        } else {
            pss(&read("smaps_rollup")?)
        };
        Ok(Usage {
            memory,
            descriptors: count("fd")?,
            threads: count("task")?,
            processes: 1,
            processor: processor(&read("stat")?),
        })
    }
}

impl Usage {
    fn add(&mut self, other: Usage) {
        self.memory += other.memory;
        self.descriptors += other.descriptors;
        self.threads += other.threads;
        self.processes += other.processes;
        self.processor += other.processor;
    }
}

fn has_exited(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound
        || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error())
}

fn descendants(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut todo = vec![pid];
    while let Some(parent) = todo.pop() {
        let Ok(tasks) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            let children = children.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok());
            let before = found.len();
            found.extend(children);
            todo.extend_from_slice(&found[before..]);
        }
    }
    found
}

/// A line `Pss: 12 kB`, in bytes.
fn pss_of(line: &str) -> Option<u64> {
    let kilobytes = line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?;
    Some(kilobytes.trim().parse::<u64>().ok()? << 10)
}

/// The sum of all mappings, in bytes, from `smaps` or `smaps_rollup`.
fn pss(text: &str) -> u64 {
    text.lines().filter_map(pss_of).sum()
}

/// The sum of `smaps` without the first mapping that can hold a table of `table` bytes. The system
/// may have merged that mapping with its neighbours, so its memory beyond the size of the table
/// counts.
fn beside_table(text: &str, table: u64) -> u64 {
    let (mut sum, mut size, mut left_out) = (0, 0, false);
    for line in text.lines() {
        if let Some(bytes) = mapping(line) {
            size = bytes;
        } else if let Some(pss) = pss_of(line) {
            let is_table = size >= table && !left_out;
            left_out |= is_table;
            sum += if is_table { pss.saturating_sub(table) } else { pss };
        }
    }
    sum
}

/// Size of the mapping that this line begins: `7f00-7f01 rw-p …`.
fn mapping(line: &str) -> Option<u64> {
    let (from, rest) = line.split_once('-')?;
    let (to, _) = rest.split_once(' ')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    number(to)?.checked_sub(number(from)?)
}

/// CPU time, from `stat`.
fn processor(stat: &str) -> Duration {
    // The name may contain blanks and parentheses.
    let behind_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = behind_name
        .split_ascii_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|word| word.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 1000 / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLLUP: &str =
        "55d0-7fff ---p 00000000 00:00 0    [rollup]\nRss:   2048 kB\nPss:   1500 kB\nPss_Dirty: 7 kB\n";
    const SMAPS: &str = "\
55d0c0000000-55d0c0100000 r-xp 00000000 08:01 17 /usr/bin/farboard
Size:               1024 kB
Pss:                 600 kB
Pss_Anon:              0 kB
VmFlags: rd ex mr mw me
7f0000000000-7f0000400000 rw-p 00000000 00:00 0
Size:               4096 kB
Pss:                3000 kB
7f0001000000-7f0001500000 rw-p 00000000 00:00 0
Size:               5120 kB
Pss:                5000 kB
7f0002000000-7f0002400000 rw-p 00000000 00:00 0
Pss:                 100 kB
";

    #[test]
    fn proportional_set_sizes() {
        assert_eq!(pss(ROLLUP), 1500 << 10);
        assert_eq!(pss(SMAPS), 8700 << 10);
        assert_eq!(pss("Pss: many kB\nPss:\n"), 0);
    }

    #[test]
    fn only_the_table_is_left_out() {
        assert_eq!(beside_table(SMAPS, 4 << 20), 5700 << 10, "the first that is large enough");
        assert_eq!(beside_table(SMAPS, 5 << 20), 3700 << 10);
        let joined = SMAPS.replace("Pss:                5000", "Pss:                5125");
        assert_eq!(beside_table(&joined, 5 << 20), 3705 << 10);
        assert_eq!(beside_table(SMAPS, 1 << 30), 8700 << 10, "there is none");
    }

    #[test]
    fn time_of_processors_whatever_the_name() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 500 0 0 0 250 150 3 4 20 0 3 0 100 1000 500";
        assert_eq!(processor(stat), Duration::from_secs(4));
        assert_eq!(processor(""), Duration::ZERO);
    }

    #[test]
    fn this_process() {
        let pid = std::process::id();
        let usage = Process { pid, table: 0 }.usage().expect("our own");
        assert!(usage.memory > 100 << 10 && usage.descriptors >= 3 && usage.threads >= 1, "{usage:?}");
        assert!(usage.processes >= 1);
        assert!(Process { pid: u32::MAX, table: 0 }.usage().is_err());
    }
}
