//! A run as the model told it: the records of the shared memory into nodes.
//!
//! A node is a step of a process (from one wait to the next), the update of a channel, or an event
//! that became due. The order of the nodes is the order in which they ran.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::fmt;

/// Process, event and channel numbers are those of one run.
pub type Id = u32;

/// What happens in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The `n`-th step of a process, from 1.
    Step { process: Id, n: u32 },
    /// A channel takes its new value.
    Update { channel: Id },
    /// The simulation stops: at a date given to `sc_start`, or because of `sc_stop`.
    Halt { asked: bool },
    /// An event becomes due: delta or timed. Immediate ones belong to the step that notifies.
    Trigger { event: Id, timed: bool },
}

/// Bytes of an aligned eight that were read and written, with the places in the program that did so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Address of the eight bytes.
    pub address: u64,
    /// Bytes read.
    pub read: u8,
    /// Bytes written.
    pub write: u8,
    /// Where the first read was.
    pub read_at: u64,
    /// Where the first write was.
    pub write_at: u64,
}

/// What a step did to an event or a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Notified at once; the processes that woke are in [`Fired`].
    Notify(Id),
    /// To become due in the next delta cycle.
    NotifyDelta(Id),
    /// To become due after a time.
    NotifyTimed(Id, u64),
    /// Taken back.
    Cancel(Id),
    /// Killed, reset, suspended, resumed, disabled or enabled a process.
    Control(Id, Control),
}

/// How one process controls another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Control {
    /// It was runnable.
    pub runnable: bool,
    /// It does not wait any longer for what it waited for: it was killed or reset.
    pub ends_wait: bool,
}

/// An event that became due, and the processes it made runnable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fired {
    /// The event.
    pub event: Id,
    /// Processes that it made runnable.
    pub woken: SmallVec<[Id; 4]>,
}

/// How a process waits after a step.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Wait {
    /// It ended.
    pub ended: bool,
    /// Waits for all of the events, not for one of them.
    pub all: bool,
    /// Waits for the events it is statically sensitive to.
    pub fixed: bool,
    /// Where in the program.
    pub site: u64,
    /// Where the function with that place was called.
    pub caller: u64,
    /// Time-out in units of the time resolution, if any; none of them is a delta cycle.
    pub timeout: Option<u64>,
    /// The events.
    pub events: Vec<Id>,
}

/// A delay that the explorer may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delay {
    /// The process that waits: the step's own, or one that it reset.
    pub process: Id,
    /// Its number in its process, from 1.
    pub number: u32,
    /// Least value.
    pub least: u64,
    /// Largest value.
    pub most: u64,
    /// What it was in this run.
    pub chosen: u64,
    /// What the program says.
    pub nominal: u64,
    /// Which wait of the program it is.
    pub site: u64,
}

/// A message of the model's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// 1 warning, 2 error, 3 fatal.
    pub severity: u32,
    /// File and line of the report.
    pub place: (String, u32),
    /// Message type and text.
    pub text: String,
}

/// What happened between two choices.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which.
    pub kind: Kind,
    /// Date in units of the time resolution.
    pub time: u64,
    /// Phase in this instant: −1 timed events, even numbers evaluation, odd ones update and delta events.
    pub phase: i64,
    /// Memory read and written: which of the run's accesses, from the first up to the last.
    pub accesses: (u32, u32),
    /// More memory was touched than was written down: it may conflict with everything.
    pub everything: bool,
    /// Operations on events and processes, with places.
    pub ops: Vec<(Op, u64)>,
    /// Events that became due in it.
    pub fired: SmallVec<[Fired; 1]>,
    /// Processes made runnable otherwise: spawned, resumed.
    pub woke: Vec<Id>,
    /// Channels with an update pending when it ended.
    pub requests: Vec<Id>,
    /// How its process waits now.
    pub wait: Wait,
    /// What processes wait for that it killed, reset, suspended and so on, and whether they began to in it.
    pub waits_too: Vec<(Id, Wait, bool)>,
    /// The loose delays that began in it: of its own process, and of those it reset.
    pub delays: Vec<Delay>,
    /// Part of the output it wrote.
    pub output: (u64, u64),
    /// Messages.
    pub reports: Vec<Report>,
    /// Called `sc_stop`.
    pub stop: bool,
    /// Read the date, and where.
    pub date: Option<u64>,
    /// Compared the date: with this much time since a step (counted from 1), or since the beginning (0).
    pub compares: Vec<(u32, u64)>,
    /// Used something no schedule decides.
    pub outside: Vec<(Outside, u64)>,
    /// Processes that could have run instead, itself among them.
    pub runnable: SmallVec<[Id; 4]>,
    /// The state after it, as a hash, if it was asked for and can be had.
    pub state: Option<u128>,
}

/// Something outside the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Outside {
    /// The host's clock.
    Time,
    /// Random numbers of the host.
    Random,
    /// Files.
    File,
    /// Threads of the host.
    Thread,
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Outside::Time => "the host's clock",
            Outside::Random => "the host's random numbers",
            Outside::File => "files",
            Outside::Thread => "threads of the host",
        })
    }
}

/// How a run came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum End {
    /// The program returned or exited.
    Exit(i32),
    /// It died of a signal.
    Signal(i32),
    /// More steps than allowed.
    Steps,
    /// More delta cycles in one instant than allowed.
    Deltas,
    /// More time than allowed.
    Time,
    /// It ended before the simulation began.
    Early(i32),
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The same in all runs.
    pub key: SmolStr,
    /// What the kernel calls it.
    pub name: SmolStr,
    /// A method, not a thread.
    pub method: bool,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Name, perhaps empty.
    pub name: SmolStr,
    /// The process whose time-out it is.
    pub timeout_of: Option<Id>,
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Processes by number.
    pub processes: Vec<Process>,
    /// Events by number.
    pub events: Vec<Event>,
    /// Channel names by number.
    pub channels: Vec<SmolStr>,
    /// Nodes in the order they ran.
    pub nodes: Vec<Node>,
    /// Accesses of all nodes, one node's after another's.
    pub accesses: Vec<Access>,
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub output: Vec<u8>,
    /// Messages from outside any step.
    pub reports: Vec<Report>,
    /// Where the program was loaded.
    pub base: u64,
    /// The time resolution in femtoseconds.
    pub resolution_fs: u64,
    /// Length of what was printed before the first step.
    pub printed_before: u64,
    /// Things outside the model that were used before its first step.
    pub outside: Vec<(Outside, u64)>,
    /// Files that it opened to read, and `$NAME` for variables of the environment it looked at.
    pub reads: Vec<String>,
    /// Why hashes of states do not have all of it.
    pub opaque: Option<String>,
    /// Values asked for, as they were when the simulation last stopped.
    pub observed: Vec<(String, String)>,
}

impl Run {
    /// What a node read and wrote.
    pub fn accesses(&self, node: &Node) -> &[Access] {
        self.accesses.get(node.accesses.0 as usize..node.accesses.1 as usize).unwrap_or(&[])
    }

    /// A date or a time as people write it.
    pub fn date(&self, t: u64) -> String {
        let fs = t as u128 * self.resolution_fs as u128;
        let units: [(u128, &str); 6] = [
            (1_000_000_000_000_000, "s"),
            (1_000_000_000_000, "ms"),
            (1_000_000_000, "us"),
            (1_000_000, "ns"),
            (1_000, "ps"),
            (1, "fs"),
        ];
        if fs == 0 {
            return "0".into();
        }
        for (size, name) in units {
            // At most three digits after the point, or a smaller unit.
            if fs >= size && (fs % size * 1000).is_multiple_of(size) {
                let (whole, part) = (fs / size, fs % size * 1000 / size);
                let part = format!("{part:03}");
                let part = part.trim_end_matches('0');
                return if part.is_empty() { format!("{whole} {name}") } else { format!("{whole}.{part} {name}") };
            }
        }
        format!("{fs} fs")
    }

    /// The program's own addresses are relative to where it is loaded; calls return behind themselves.
    pub fn program_address(&self, place: u64) -> u64 {
        place.wrapping_sub(self.base).wrapping_sub(1)
    }
}

/// A record cut short or out of place: the model wrote over the shared memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken(pub usize);

const PROCESS: u32 = 1;
const STEP: u32 = 2;
const UPDATE: u32 = 3;
const TRIGGER: u32 = 4;
const WOKE: u32 = 5;
const ACCESS: u32 = 6;
const OP: u32 = 7;
const REQUEST: u32 = 8;
const WAIT: u32 = 9;
const DELAY: u32 = 10;
const END_NODE: u32 = 11;
const EVENT: u32 = 12;
const REPORT: u32 = 13;
const OUTPUT: u32 = 14;
const OUTSIDE: u32 = 15;
const DATE: u32 = 16;
const STOP: u32 = 17;
const MAIN: u32 = 18;
const END: u32 = 19;
const CHANNEL: u32 = 20;
const BASE: u32 = 21;
const OBSERVE: u32 = 22;
const HALT: u32 = 23;
const COMPARE: u32 = 24;
const WAITS_TOO: u32 = 25;
const READS: u32 = 26;
const STATE: u32 = 27;
const OPAQUE: u32 = 28;

fn node(kind: Kind, time: u64, phase: i64) -> Node {
    Node {
        kind,
        time,
        phase,
        accesses: (0, 0),
        everything: false,
        ops: Vec::new(),
        fired: SmallVec::new(),
        woke: Vec::new(),
        requests: Vec::new(),
        wait: Wait::default(),
        waits_too: Vec::new(),
        delays: Vec::new(),
        output: (0, 0),
        reports: Vec::new(),
        stop: false,
        date: None,
        compares: Vec::new(),
        outside: Vec::new(),
        runnable: SmallVec::new(),
        state: None,
    }
}

fn outside(kind: u64) -> Outside {
    match kind {
        1 => Outside::Time,
        2 => Outside::Random,
        3 => Outside::File,
        _ => Outside::Thread,
    }
}

/// A wait of a kind that the kernel knows by number, for a time and for events.
fn wait_of(kind: u64, time: u64, events: &[u64]) -> Wait {
    Wait {
        ended: kind == 99,
        all: kind == 3 || kind == 7,
        fixed: kind == 0,
        timeout: matches!(kind, 4..=7).then_some(time),
        events: events.iter().map(|&x| x as Id).collect(),
        ..Wait::default()
    }
}

fn text(words: &[u64], from: usize) -> String {
    let Some(&length) = words.get(from) else { return String::new() };
    let bytes: Vec<u8> = words[from + 1..].iter().flat_map(|w| w.to_le_bytes()).take(length as usize).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads the accesses of a node.
fn accesses(mut words: &[u64], into: &mut Vec<Access>) -> Option<()> {
    while let [what, rest @ ..] = words {
        let (read, write) = (*what as u8, (*what >> 8) as u8);
        let mut access = Access { address: *what >> 16 << 3, read, write, read_at: 0, write_at: 0 };
        words = rest;
        if read != 0 {
            (access.read_at, words) = words.split_first().map(|(&at, rest)| (at, rest))?;
        }
        if write != 0 {
            (access.write_at, words) = words.split_first().map(|(&at, rest)| (at, rest))?;
        }
        into.push(access);
    }
    Some(())
}

/// Every number in a run names something: a model that wrote over the shared memory is told so, not followed.
fn check(run: &Run) -> Option<()> {
    let process = |p: &Id| (*p as usize) < run.processes.len();
    let event = |e: &Id| (*e as usize) < run.events.len();
    let channel = |c: &Id| (*c as usize) < run.channels.len();
    let ok = run.events.iter().all(|e| e.timeout_of.iter().all(process))
        && run.nodes.iter().all(|n| {
            let op = |o: &Op| match o {
                Op::Notify(e) | Op::NotifyDelta(e) | Op::NotifyTimed(e, _) | Op::Cancel(e) => event(e),
                Op::Control(p, _) => process(p),
            };
            n.ops.iter().all(|(o, _)| op(o))
                && n.fired.iter().all(|f| event(&f.event) && f.woken.iter().all(process))
                && n.woke.iter().chain(&n.runnable).all(process)
                && n.requests.iter().all(channel)
                && n.wait.events.iter().all(event)
                && n.waits_too.iter().all(|(p, w, _)| process(p) && w.events.iter().all(event))
                && n.delays.iter().all(|d| process(&d.process))
        })
        // Dates only grow, and stay where reckoning with them does not overflow.
        && run.nodes.windows(2).all(|w| w[0].time <= w[1].time || matches!(w[0].kind, Kind::Halt { .. }))
        && run.nodes.iter().all(|n| n.time < 1 << 60);
    ok.then_some(())
}

/// Reads the records of a run. `reason` is the end that the explorer saw.
pub fn decode(words: &[u64], reason: End, output: Vec<u8>) -> Result<Run, Broken> {
    let mut run = Run {
        processes: Vec::new(),
        events: Vec::new(),
        channels: Vec::new(),
        nodes: Vec::new(),
        accesses: Vec::new(),
        end: reason,
        output,
        reports: Vec::new(),
        base: 0,
        resolution_fs: 1000,
        printed_before: 0,
        outside: Vec::new(),
        reads: Vec::new(),
        opaque: None,
        observed: Vec::new(),
    };
    let mut steps: Vec<u32> = Vec::new();
    let mut open = false;
    let mut printed = 0;
    let mut started = false;
    let mut at = 0;
    while at < words.len() {
        let (tag, n) = ((words[at] >> 32) as u32, (words[at] & 0xffff_ffff) as usize);
        let w = words.get(at + 1..at + 1 + n).ok_or(Broken(at))?;
        let need = |k: usize| if w.len() < k { Err(Broken(at)) } else { Ok(()) };
        let id = |x: u64, all: usize| if (x as usize) < all { Ok(x as Id) } else { Err(Broken(at)) };
        match tag {
            PROCESS => {
                need(3)?;
                let t = text(w, 2);
                let (key, name) = t.split_once('\n').unwrap_or((&t, &t));
                run.processes.push(Process { key: key.into(), name: name.into(), method: w[1] == 1 });
                steps.push(0);
            }
            EVENT => {
                need(3)?;
                let timeout_of = (w[1] != u64::MAX).then_some(w[1] as Id);
                run.events.push(Event { name: text(w, 2).into(), timeout_of });
            }
            CHANNEL => {
                need(2)?;
                run.channels.push(text(w, 1).into());
            }
            BASE => {
                need(2)?;
                run.base = w[0];
                run.resolution_fs = w[1];
                run.printed_before = printed;
                started = true;
            }
            STEP => {
                need(3)?;
                let process = id(w[0], run.processes.len())?;
                steps[process as usize] += 1;
                let mut step = node(Kind::Step { process, n: steps[process as usize] }, w[1], w[2] as i64);
                step.output = (printed, printed);
                step.runnable = w[3..].iter().map(|&x| x as Id).collect();
                run.nodes.push(step);
                open = true;
            }
            UPDATE => {
                need(3)?;
                let channel = id(w[0], run.channels.len())?;
                run.nodes.push(node(Kind::Update { channel }, w[1], w[2] as i64));
                open = true;
            }
            TRIGGER => {
                need(4)?;
                let event = id(w[0], run.events.len())?;
                let woken = w[4..].iter().map(|&x| x as Id).collect();
                if w[3] == 0 {
                    if let (true, Some(last)) = (open, run.nodes.last_mut()) {
                        last.fired.push(Fired { event, woken });
                    }
                } else {
                    let mut due = node(Kind::Trigger { event, timed: w[3] == 2 }, w[1], w[2] as i64);
                    due.fired.push(Fired { event, woken });
                    run.nodes.push(due);
                    open = false;
                }
            }
            OUTPUT => {
                need(1)?;
                if let (true, Some(last)) = (open, run.nodes.last_mut()) {
                    last.output = (printed, w[0]);
                }
                printed = w[0];
            }
            REPORT => {
                need(3)?;
                let t = text(w, 2);
                let mut parts = t.splitn(3, '\n');
                let file = parts.next().unwrap_or("").to_string();
                let (kind, message) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
                let text = match (kind, message) {
                    (k, "") => k.to_string(),
                    ("", m) => m.to_string(),
                    (k, m) => format!("{k}: {m}"),
                };
                let report = Report { severity: w[0] as u32, place: (file, w[1] as u32), text };
                match run.nodes.last_mut() {
                    Some(last) if open => last.reports.push(report),
                    _ => run.reports.push(report),
                }
            }
            END_NODE => open = false,
            END => {
                need(1)?;
                run.end = match (w[0], run.end) {
                    (2, _) => End::Steps,
                    (3, _) => End::Deltas,
                    (_, e) => e,
                };
            }
            OBSERVE => {
                need(1)?;
                let t = text(w, 0);
                let (name, value) = t.split_once('\n').unwrap_or((&t, ""));
                run.observed.retain(|o| o.0 != name);
                run.observed.push((name.to_string(), value.to_string()));
            }
            HALT => {
                need(3)?;
                run.nodes.push(node(Kind::Halt { asked: w[0] == 1 }, w[1], w[2] as i64));
                open = false;
            }
            READS => {
                need(1)?;
                run.reads.push(text(w, 0));
            }
            OPAQUE => {
                need(1)?;
                run.opaque.get_or_insert(text(w, 0));
            }
            MAIN => {}
            _ => {
                if let (OUTSIDE, false, [kind, place]) = (tag, open, w) {
                    run.outside.push((outside(*kind), *place));
                }
                let Some(last) = run.nodes.last_mut().filter(|_| open) else {
                    at += n + 1;
                    continue;
                };
                match tag {
                    WOKE => last.woke.extend(w.iter().map(|&x| x as Id)),
                    ACCESS if w == [0] => last.everything = true,
                    ACCESS => {
                        let from = run.accesses.len() as u32;
                        accesses(w, &mut run.accesses).ok_or(Broken(at))?;
                        last.accesses = (from, run.accesses.len() as u32);
                    }
                    OP => {
                        need(4)?;
                        let e = w[1] as Id;
                        let op = match w[0] {
                            1 => Op::Notify(e),
                            2 => Op::NotifyDelta(e),
                            3 => Op::NotifyTimed(e, w[2]),
                            4 => Op::Cancel(e),
                            5 => Op::Control(e, Control { runnable: w[2] & 1 != 0, ends_wait: w[2] & 2 != 0 }),
                            _ => return Err(Broken(at)),
                        };
                        last.ops.push((op, w[3]));
                    }
                    REQUEST => last.requests.extend(w.iter().map(|&x| x as Id)),
                    WAIT => {
                        need(4)?;
                        last.wait = Wait { site: w[1], caller: w[2], ..wait_of(w[0], w[3], &w[4..]) };
                    }
                    WAITS_TOO => {
                        need(4)?;
                        last.waits_too.push((w[0] as Id, wait_of(w[1], w[3], &w[4..]), w[2] != 0));
                    }
                    DELAY => {
                        need(8)?;
                        last.delays.push(Delay {
                            process: w[0] as Id,
                            number: w[1] as u32,
                            least: w[2],
                            most: w[3],
                            chosen: w[4],
                            nominal: w[5],
                            site: w[7],
                        });
                    }
                    OUTSIDE => {
                        need(2)?;
                        let kind = outside(w[0]);
                        last.outside.push((kind, w[1]));
                    }
                    DATE => {
                        need(1)?;
                        last.date.get_or_insert(w[0]);
                    }
                    COMPARE => {
                        need(2)?;
                        last.compares.push((w[0] as u32, w[1]));
                    }
                    STATE => {
                        need(2)?;
                        last.state = Some((w[0] as u128) << 64 | w[1] as u128);
                    }
                    STOP => last.stop = true,
                    _ => return Err(Broken(at)),
                }
            }
        }
        at += n + 1;
    }
    check(&run).ok_or(Broken(words.len()))?;
    if !started {
        run.end = match run.end {
            End::Exit(c) => End::Early(c),
            e => e,
        };
    }
    Ok(run)
}
