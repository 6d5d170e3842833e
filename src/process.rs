//! What the system tells of processes: how much memory they have, and what they started. Where it does not tell, 0
//! or nothing.

/// All processes that a process started, and those that these started.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let mut todo = vec![pid];
    while let Some(p) = todo.pop() {
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{p}/task")) else { continue };
        for t in tasks.flatten() {
            let list = std::fs::read_to_string(t.path().join("children")).unwrap_or_default();
            let children = list.split_whitespace().filter_map(|c| c.parse::<u32>().ok());
            todo.extend(children.clone());
            all.extend(children);
        }
    }
    all
}

/// A process's memory in kilobytes, with its part of what it shares.
pub fn share_kb(pid: u32) -> u64 {
    field(&format!("/proc/{pid}/smaps_rollup"), ["Pss:"])[0]
}

/// Most memory a process has had, and what it has now, in kilobytes; what is shared counts whole.
pub fn resident_kb(pid: u32) -> (u64, u64) {
    let [peak, now] = field(&format!("/proc/{pid}/status"), ["VmHWM:", "VmRSS:"]);
    (peak, now)
}

fn field<const N: usize>(path: &str, names: [&str; N]) -> [u64; N] {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    names.map(|name| {
        let line = text.lines().find_map(|l| l.strip_prefix(name));
        line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_shares_is_counted_in_part() {
        let own = std::process::id();
        let (peak, now) = resident_kb(own);
        assert!(peak > 0 && now > 0 && share_kb(own) > 0 && share_kb(own) <= peak);
        assert_eq!((resident_kb(u32::MAX), share_kb(u32::MAX)), ((0, 0), 0));
    }

    #[test]
    fn what_was_started_is_found() {
        let mut child = std::process::Command::new("sleep").arg("20").spawn().expect("sleep");
        assert!(descendants(std::process::id()).contains(&child.id()));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
}
