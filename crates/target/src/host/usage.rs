//! Who uses the cores of this machine, over a while.

use super::Root;
use crate::process::Process;
use std::path::Path;

/// Ticks of the clock that all cores have spent since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTimes {
    all: u64,
    busy: u64,
    stolen: u64,
    /// Of this process and all that it started and that has ended.
    own: u64,
}

/// What the cores did between two moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpuUsage {
    /// The share of the time of all cores that the host gave to other machines.
    pub stolen_share: f64,
    /// How many cores other programs used on average.
    pub other_cores: f64,
    /// Cores of the machine.
    pub cores: u32,
}

impl CpuTimes {
    /// `None` where the kernel says nothing of it.
    #[must_use]
    pub fn now() -> Option<Self> {
        Self::read(&Root::new(Path::new("/")))
    }

    fn read(root: &Root<'_>) -> Option<Self> {
        let stat = root.text("proc/stat")?;
        let cpu = stat.lines().next()?.strip_prefix("cpu ")?;
        // user, nice, system, idle, iowait, irq, softirq, steal; what guests used is in user already.
        let ticks: Vec<u64> = cpu
            .split_ascii_whitespace()
            .map_while(|n| n.parse().ok())
            .take(8)
            .collect();
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = ticks[..] else {
            return None;
        };
        let busy = user + nice + system + irq + softirq;
        let own = Process::parse(&root.text("proc/self/stat")?)?;
        Some(Self {
            all: busy + idle + iowait + stolen,
            busy,
            stolen,
            own: own.own_ticks + own.reaped_ticks,
        })
    }

    /// `None` if no time has passed.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Option<CpuUsage> {
        let cores = Root::new(Path::new("/")).cores()?;
        self.on(earlier, cores as u32)
    }

    fn on(&self, earlier: &Self, cores: u32) -> Option<CpuUsage> {
        let all = self.all.checked_sub(earlier.all).filter(|all| *all > 0)? as f64;
        let others = self
            .busy
            .saturating_sub(earlier.busy)
            .saturating_sub(self.own.saturating_sub(earlier.own));
        Some(CpuUsage {
            stolen_share: self.stolen.saturating_sub(earlier.stolen) as f64 / all,
            other_cores: others as f64 / all * f64::from(cores),
            cores,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_others_used_is_what_is_left() {
        let root = tempfile::tempdir().expect("a directory");
        let proc = root.path().join("proc/self");
        fs::create_dir_all(&proc).expect("made");
        let at = |cpu: &str, own: &str| {
            fs::write(root.path().join("proc/stat"), format!("cpu  {cpu}\ncpu0 1 2\n")).expect("written");
            fs::write(
                proc.join("stat"),
                format!("7 (a) b) S 1 2 3 4 5 6 7 8 9 10 {own} 20 0 1 0 5 0 0"),
            )
            .expect("written");
            CpuTimes::read(&Root::new(root.path())).expect("times")
        };
        let before = at("100 0 50 1000 5 0 5 10 0 0", "10 5 2 3");
        let after = at("400 0 150 1500 5 0 5 110 0 0", "110 55 52 103");
        let usage = after.on(&before, 2).expect("time has passed");
        // 1,000 ticks of two cores: 400 busy, of which 300 were our own, 100 stolen.
        assert_eq!(
            usage,
            CpuUsage {
                stolen_share: 0.1,
                other_cores: 0.2,
                cores: 2
            }
        );
        assert_eq!(after.on(&after, 2), None);
    }
}
