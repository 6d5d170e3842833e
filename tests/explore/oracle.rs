//! A reference interpreter of SystemC scheduling for the programs of `program.rs`, by brute force.
//!
//! It follows the Accellera 2.3.4 kernel to the letter, down to what the language standard leaves open, and tries every
//! schedule: in an evaluation phase any runnable process may run next, and a loose wait may take any whole number of ns
//! in its interval. Nothing here knows about independent operations, partial orders or the explorer under test.
//!
//! Scheduling points are the states in which the kernel picks a process; equal states are explored once. What differs
//! between two paths to one state is lost, so [`Outcomes::schedules`] counts paths through the graph of states.

use super::program::{Form, Kind, Op, Program, Sense};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write;

/// All a program can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The final lines, exactly as the interpreter `interp.cpp` prints them.
    pub lines: BTreeSet<String>,
    /// The number of schedules: sequences of choices of a runnable process (a single one included) and of loose delays.
    pub schedules: u128,
    /// The number of distinct states in which the kernel picks a process, final ones included.
    pub states: usize,
    /// True when some schedule brings a process's time-out and the event it waits for to the same date. Whether it
    /// "timed out" then hangs on the order of the kernel's timed queue, which depends on all that was ever put there:
    /// `lines` follows the kernel, but operations on unrelated events do not commute.
    pub ties: bool,
}

/// Explores every schedule, or gives up (`None`) beyond `max_states` distinct states.
pub fn explore(program: &Program, max_states: usize) -> Option<Outcomes> {
    search(program, true, max_states)
}

/// Counts the schedules one by one, without merging equal states, or gives up (`None`) beyond `max_visits` visits of
/// states. It must agree with [`Outcomes::schedules`].
pub fn count_schedules(program: &Program, max_visits: usize) -> Option<u128> {
    search(program, false, max_visits).map(|o| o.schedules)
}

fn search(program: &Program, merge: bool, max: usize) -> Option<Outcomes> {
    let model = Model::new(program);
    let (start, ties) = model.transitions(|run| run.settle(), &State::initial(&model)).swap_remove(0);
    let outcomes = Outcomes { lines: BTreeSet::new(), schedules: 0, states: 0, ties };
    let mut search = Search { model: &model, merge, max, seen: HashMap::new(), outcomes };
    search.outcomes.schedules = search.visit(start)?;
    Some(search.outcomes)
}

struct Search<'a> {
    model: &'a Model<'a>,
    merge: bool,
    max: usize,
    /// The number of schedules from a state to the end. Every operation is used up, so the states form no cycle.
    seen: HashMap<State, u128>,
    outcomes: Outcomes,
}

impl Search<'_> {
    fn visit(&mut self, state: State) -> Option<u128> {
        if let Some(&count) = self.seen.get(&state) {
            return Some(count);
        }
        self.outcomes.states += 1;
        let mut count: u128 = 0;
        let runnable = state.runnable();
        if runnable.is_empty() {
            self.outcomes.lines.insert(state.line());
            count = 1;
        }
        for p in runnable {
            for (next, tie) in self.model.transitions(|run| run.transition(p), &state) {
                self.outcomes.ties |= tie;
                count = count.saturating_add(self.visit(next)?);
            }
        }
        if self.merge {
            self.seen.insert(state, count);
        }
        (self.outcomes.states <= self.max).then_some(count)
    }
}

/// The program and the numbering of its events: user events first, then those inside channels and processes.
struct Model<'a> {
    program: &'a Program,
    signal: usize,
    fifo_read: usize,
    fifo_written: usize,
    mutex: usize,
    semaphore: usize,
    timeout: usize,
    /// Events of those who wait for children.
    join: usize,
    /// Whether to keep the timed queue as the kernel does. Its order among equal dates shows only in `timed_out()`;
    /// otherwise a sorted queue has fewer states.
    exact_queue: bool,
}

impl<'a> Model<'a> {
    fn new(program: &'a Program) -> Self {
        let signal = program.events as usize;
        let fifo_read = signal + program.signals as usize;
        let fifo_written = fifo_read + program.fifos.len();
        let mutex = fifo_written + program.fifos.len();
        let semaphore = mutex + program.mutexes as usize;
        let timeout = semaphore + program.semaphores.len();
        let join = timeout + program.processes.len();
        let exact_queue = program.has(&[Kind::WaitFor]);
        Model { program, signal, fifo_read, fifo_written, mutex, semaphore, timeout, join, exact_queue }
    }

    /// All ways `act` can go from a state: one per combination of the loose delays it meets.
    fn transitions(&self, act: impl Fn(&mut Run), from: &State) -> Vec<(State, bool)> {
        let mut all = Vec::new();
        let mut choices = Choices::default();
        loop {
            let mut run = Run { model: self, s: from.clone(), current: None, tie: false, choices: &mut choices };
            act(&mut run);
            all.push((run.s, run.tie));
            if !choices.next() {
                return all;
            }
        }
    }
}

/// The choices inside one transition, as an odometer: (chosen, number of ways).
#[derive(Default)]
struct Choices {
    digits: Vec<(u32, u32)>,
    at: usize,
}

impl Choices {
    fn pick(&mut self, ways: u32) -> u32 {
        if self.at == self.digits.len() {
            self.digits.push((0, ways));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    /// Moves to the next combination; false when there is none.
    fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, ways)) = self.digits.pop() {
            if chosen + 1 < ways {
                self.digits.push((chosen + 1, ways));
                return true;
            }
        }
        false
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Pending {
    No,
    Delta,
    Timed,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct ProcessState {
    runnable: bool,
    /// The events it waits for (its time-out is one of them) as a bit set: those whose dynamic list it is in.
    listens: u32,
    /// How many of them must still come: one, or all when it waits for events together. None when it does not wait;
    /// then a method's static sensitivity counts.
    missing: u32,
    /// The last wait ended by its time-out.
    timed_out: bool,
    suspended: bool,
    disabled: bool,
    /// Was to become runnable while suspended.
    ready: bool,
    zombie: bool,
    /// Its body has been entered.
    started: bool,
    /// The operation at `pc` is a wait that was begun.
    waiting: bool,
    h: i32,
    pc: usize,
    round: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Fifo {
    size: usize,
    items: VecDeque<i32>,
    /// As of the last update phase.
    readable: usize,
    /// Since then.
    read: usize,
    written: usize,
}

/// A state of the kernel and the program. Dates are relative to the present, so that the same situation at another
/// date is the same state: programs cannot read the date.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    x: Vec<i32>,
    /// Current and new value.
    signals: Vec<(i32, i32)>,
    fifos: Vec<Fifo>,
    owners: Vec<Option<usize>>,
    semaphores: Vec<u32>,
    pending: Vec<Pending>,
    /// The timed queue: date and event, or no event when the notification was cancelled.
    queue: Vec<(u32, Option<usize>)>,
    processes: Vec<ProcessState>,
}

impl State {
    fn initial(model: &Model) -> State {
        let program = model.program;
        let processes = program.processes.iter().map(|p| ProcessState {
            runnable: !matches!(p.form, Form::Method { initialize: false, .. } | Form::Child),
            h: 1,
            ..ProcessState::default()
        });
        let fifo = |&size: &u32| Fifo { size: size as usize, ..Fifo::default() };
        State {
            x: vec![0; program.vars as usize],
            signals: vec![(0, 0); program.signals as usize],
            fifos: program.fifos.iter().map(fifo).collect(),
            owners: vec![None; program.mutexes as usize],
            semaphores: program.semaphores.clone(),
            pending: vec![Pending::No; model.join + program.processes.len()],
            queue: Vec::new(),
            processes: processes.collect(),
        }
    }

    fn runnable(&self) -> Vec<usize> {
        (0..self.processes.len()).filter(|&p| self.processes[p].runnable).collect()
    }

    fn line(&self) -> String {
        fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
            items.map(|v| v.to_string()).collect::<Vec<_>>().join(",")
        }
        let mut line = format!("x={} s={} f=", join(self.x.iter()), join(self.signals.iter().map(|s| s.0)));
        for f in &self.fifos {
            let _ = write!(line, "[{}]", join(f.items.iter()));
        }
        let locked = join(self.owners.iter().map(|o| u32::from(o.is_some())));
        let _ = write!(line, " m={locked} k={}", join(self.semaphores.iter()));
        for p in &self.processes {
            let _ = write!(line, " | h={} pc={} round={} end={}", p.h, p.pc, p.round, u32::from(p.zombie));
        }
        line
    }
}

/// One transition under way.
struct Run<'a> {
    model: &'a Model<'a>,
    s: State,
    /// The process that runs, none outside evaluation phases.
    current: Option<usize>,
    tie: bool,
    choices: &'a mut Choices,
}

impl Run<'_> {
    /// Runs a process until it blocks, then lets the kernel go on until it has a process to pick.
    fn transition(&mut self, p: usize) {
        self.run(p);
        self.settle();
    }

    // ---- The scheduler ----

    /// Update, delta and timed notification phases, until a process is runnable or nothing is left.
    fn settle(&mut self) {
        if self.s.processes.iter().any(|p| p.runnable) {
            return;
        }
        self.update();
        for e in 0..self.s.pending.len() {
            if self.s.pending[e] == Pending::Delta {
                self.trigger(e);
            }
        }
        while !self.s.processes.iter().any(|p| p.runnable) && self.advance() {}
    }

    fn update(&mut self) {
        for i in 0..self.s.signals.len() {
            let (old, new) = self.s.signals[i];
            if old != new {
                self.s.signals[i].0 = new;
                self.notify_delta(self.model.signal + i);
            }
        }
        for i in 0..self.s.fifos.len() {
            let f = &mut self.s.fifos[i];
            let (read, written) = (f.read > 0, f.written > 0);
            (f.readable, f.read, f.written) = (f.items.len(), 0, 0);
            if read {
                self.notify_delta(self.model.fifo_read + i);
            }
            if written {
                self.notify_delta(self.model.fifo_written + i);
            }
        }
    }

    /// Goes to the next date and triggers what is due; false when the queue is empty.
    fn advance(&mut self) -> bool {
        while matches!(self.s.queue.first(), Some((_, None))) {
            self.pop();
        }
        let Some(&(date, _)) = self.s.queue.first() else { return false };
        // Dates are relative to the present. The rest of the queue, cancelled entries too, is not earlier.
        for entry in &mut self.s.queue {
            entry.0 -= date;
        }
        let due = self.s.queue.iter().filter(|q| q.0 == 0).filter_map(|q| q.1).fold(0u32, |m, e| m | 1 << e);
        for (p, process) in self.s.processes.iter().enumerate() {
            let timeout = 1 << (self.model.timeout + p);
            if due & process.listens & timeout != 0 && due & process.listens & !timeout != 0 {
                self.tie |= !self.model.program.processes[p].is_method();
            }
        }
        while matches!(self.s.queue.first(), Some((0, _))) {
            if let Some(e) = self.pop() {
                self.trigger(e);
            }
        }
        true
    }

    // ---- Events ----

    fn notify_now(&mut self, e: usize) {
        self.cancel(e);
        self.trigger(e);
    }

    fn notify_delta(&mut self, e: usize) {
        self.cancel(e);
        self.s.pending[e] = Pending::Delta;
    }

    fn notify_time(&mut self, e: usize, date: u32) {
        // The earlier notification stays, and a delta notification is earlier than any.
        let earlier = self.s.queue.iter().any(|q| q.1 == Some(e) && q.0 <= date);
        if self.s.pending[e] != Pending::Delta && !earlier {
            self.cancel(e);
            self.push(e, date);
        }
    }

    fn cancel(&mut self, e: usize) {
        if self.s.pending[e] == Pending::Timed {
            let i = self.s.queue.iter().position(|q| q.1 == Some(e)).expect("a timed event is in the queue");
            if self.model.exact_queue {
                self.s.queue[i].1 = None;
            } else {
                self.s.queue.remove(i);
            }
        }
        self.s.pending[e] = Pending::No;
    }

    fn trigger(&mut self, e: usize) {
        self.s.pending[e] = Pending::No;
        for p in 0..self.s.processes.len() {
            self.trigger_static(p, e);
            if self.s.processes[p].listens & (1 << e) != 0 && self.trigger_dynamic(p, e) {
                self.s.processes[p].listens &= !(1 << e);
            }
        }
    }

    fn trigger_static(&mut self, p: usize, e: usize) {
        let sensitive = match self.model.program.processes[p].form {
            Form::Method { sense: Sense::Event(i), .. } => i as usize == e,
            Form::Method { sense: Sense::Signal(i), .. } => self.model.signal + i as usize == e,
            _ => false,
        };
        let process = &self.s.processes[p];
        // A method that was killed has lost its sensitivity.
        let deaf = process.zombie || process.disabled || process.runnable || process.missing > 0;
        if sensitive && !deaf && self.current != Some(p) {
            self.wake(p);
        }
    }

    /// Returns whether the process leaves the event's list.
    fn trigger_dynamic(&mut self, p: usize, e: usize) -> bool {
        let timeout = self.model.timeout + p;
        let process = &mut self.s.processes[p];
        // A process does not trigger itself.
        if self.current == Some(p) {
            return false;
        }
        if process.runnable {
            return true;
        }
        if process.disabled {
            if e == timeout {
                (process.listens, process.missing) = (0, 0);
            }
            return e == timeout;
        }
        process.missing -= 1;
        if process.missing == 0 {
            process.timed_out = e == timeout;
            self.clear(p);
            self.wake(p);
        }
        true
    }

    fn wake(&mut self, p: usize) {
        let process = &mut self.s.processes[p];
        if process.suspended {
            process.ready = true;
        } else {
            process.runnable = true;
        }
    }

    // ---- The timed queue: a binary heap whose order among equal dates is the kernel's ----

    fn push(&mut self, e: usize, date: u32) {
        self.s.pending[e] = Pending::Timed;
        let q = &mut self.s.queue;
        q.push((date, Some(e)));
        if !self.model.exact_queue {
            q.sort_unstable();
            return;
        }
        let mut i = q.len() - 1;
        while i > 0 && q[(i - 1) / 2].0 > date {
            q.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let q = &mut self.s.queue;
        if !self.model.exact_queue {
            return q.remove(0).1;
        }
        let (_, top) = q.swap_remove(0);
        let mut i = 0;
        loop {
            let mut first = i;
            for child in [2 * i + 1, 2 * i + 2] {
                if child < q.len() && q[child].0 < q[first].0 {
                    first = child;
                }
            }
            if first == i {
                return top;
            }
            q.swap(i, first);
            i = first;
        }
    }

    // ---- Processes ----

    /// Runs a process until it blocks or ends.
    fn run(&mut self, p: usize) {
        let caller = self.current.replace(p);
        self.s.processes[p].runnable = false;
        self.s.processes[p].started = true;
        let program = &self.model.program.processes[p];
        if program.is_method() {
            if self.s.processes[p].round < program.rounds {
                self.s.processes[p].round += 1;
                self.s.processes[p].pc = 0;
                self.pass(p);
            }
        } else {
            // A thread stops in the midst of its list, so it may be here for the first time or not.
            while self.pass(p) {
                self.s.processes[p].round += 1;
                if self.s.processes[p].round == program.rounds {
                    self.disconnect(p);
                    self.joined(p);
                    break;
                }
                self.s.processes[p].pc = 0;
            }
        }
        self.current = caller;
    }

    /// Runs the list from `pc` to its end; false when the process blocked.
    fn pass(&mut self, p: usize) -> bool {
        let program = self.model.program;
        while let Some(&op) = program.processes[p].ops.get(self.s.processes[p].pc) {
            if !self.step(p, op) {
                return false;
            }
            self.s.processes[p].pc += 1;
        }
        true
    }

    /// Executes an operation; false when it blocked, then it is executed again once the process runs again.
    fn step(&mut self, p: usize, op: Op) -> bool {
        use Kind::*;
        let model = self.model;
        let (a, b) = (op.a as usize, op.b as usize);
        let waited = std::mem::take(&mut self.s.processes[p].waiting);
        let timed_out = std::mem::take(&mut self.s.processes[p].timed_out);
        match op.kind {
            Set => self.s.x[a] = op.b as i32,
            Keep => self.s.x[a] = std::mem::replace(&mut self.s.processes[p].h, 1),
            Add => self.s.x[a] = self.s.x[a].wrapping_add(self.s.x[b]).wrapping_add(1),
            Notify => self.notify_now(a),
            NotifyDelta => self.notify_delta(a),
            NotifyTime => self.notify_time(a, op.b),
            Cancel => self.cancel(a),
            WaitFor if waited => self.fold(p, i32::from(timed_out)),
            Wait | WaitOr | WaitAnd | Delay | Delta | Loose | SigWait | Fork if waited => {}
            Fork => {
                (self.s.processes[a].runnable, self.s.processes[b].runnable) = (true, true);
                return self.block(p, 1 << (model.join + p), None);
            }
            Wait => return self.block(p, 1 << a, None),
            WaitOr => return self.block(p, 1 << a | 1 << b, None),
            WaitAnd => {
                self.block(p, 1 << a | 1 << b, None);
                // An event listed twice counts once.
                self.s.processes[p].missing = self.s.processes[p].listens.count_ones();
                return false;
            }
            Delay => return self.block(p, 0, Some(op.a)),
            Delta => return self.block(p, 0, Some(0)),
            WaitFor => return self.block(p, 1 << a, Some(op.b)),
            Loose => {
                let low = op.a.saturating_sub(op.b);
                let delay = low + self.choices.pick(op.a + op.b - low + 1);
                return self.block(p, 0, Some(delay));
            }
            SigWrite => self.s.signals[a].1 = op.b as i32,
            SigWait => return self.block(p, 1 << (model.signal + a), None),
            // These wait until they can proceed: they look again each time they wake.
            Put => return self.put(a, op.b) || self.block(p, 1 << (model.fifo_read + a), None),
            Get => match self.get(a) {
                Some(v) => self.fold(p, v),
                None => return self.block(p, 1 << (model.fifo_written + a), None),
            },
            Lock => return self.lock(p, a) || self.block(p, 1 << (model.mutex + a), None),
            Acquire => return self.acquire(a) || self.block(p, 1 << (model.semaphore + a), None),
            Unlock => {
                if self.s.owners[a] == Some(p) {
                    self.s.owners[a] = None;
                    self.notify_now(model.mutex + a);
                }
            }
            Post => {
                self.s.semaphores[a] += 1;
                self.notify_now(model.semaphore + a);
            }
            Read | SigRead | TryPut | TryGet | TryLock | TryAcquire => {
                let v = match op.kind {
                    Read => self.s.x[a],
                    SigRead => self.s.signals[a].0,
                    TryPut => i32::from(self.put(a, op.b)),
                    TryGet => self.get(a).unwrap_or(-1),
                    TryLock => i32::from(self.lock(p, a)),
                    _ => i32::from(self.acquire(a)),
                };
                self.fold(p, v);
            }
            Next => self.next_trigger(p, 1 << a, None),
            NextTime => self.next_trigger(p, 0, Some(op.a)),
            NextFor => self.next_trigger(p, 1 << a, Some(op.b)),
            Suspend => self.suspend(a),
            Resume => self.resume(a),
            Disable => self.s.processes[a].disabled = true,
            // What came while it was disabled is lost.
            Enable => self.s.processes[a].disabled = false,
            Kill => self.kill(a),
            Reset => self.reset(a),
        }
        true
    }

    fn fold(&mut self, p: usize, v: i32) {
        let h = &mut self.s.processes[p].h;
        *h = h.wrapping_mul(7).wrapping_add(v);
    }

    /// Sets what a process waits for, the first of some events and perhaps a time-out, in place of what it waited for.
    fn next_trigger(&mut self, p: usize, events: u32, timeout: Option<u32>) {
        self.clear(p);
        let own = self.model.timeout + p;
        match timeout {
            Some(0) => self.s.pending[own] = Pending::Delta,
            Some(delay) => self.push(own, delay),
            None => {}
        }
        self.s.processes[p].listens = events | u32::from(timeout.is_some()) << own;
        self.s.processes[p].missing = 1;
    }

    /// Makes a thread wait. Returns false, for "blocked".
    fn block(&mut self, p: usize, events: u32, timeout: Option<u32>) -> bool {
        self.next_trigger(p, events, timeout);
        self.s.processes[p].waiting = true;
        false
    }

    /// Forgets what a process waits for, its time-out included.
    fn clear(&mut self, p: usize) {
        (self.s.processes[p].listens, self.s.processes[p].missing) = (0, 0);
        self.cancel(self.model.timeout + p);
    }

    /// A child has ended: the last one wakes its maker.
    fn joined(&mut self, child: usize) {
        for (maker, process) in self.model.program.processes.iter().enumerate() {
            for fork in process.ops.iter().filter(|o| o.kind == Kind::Fork).map(|o| [o.a as usize, o.b as usize]) {
                if fork.contains(&child) && fork.iter().all(|&c| self.s.processes[c].zombie) {
                    self.notify_now(self.model.join + maker);
                }
            }
        }
    }

    // ---- Channels ----

    fn put(&mut self, i: usize, v: u32) -> bool {
        let f = &mut self.s.fifos[i];
        let free = f.size - f.readable - f.written > 0;
        if free {
            f.items.push_back(v as i32);
            f.written += 1;
        }
        free
    }

    fn get(&mut self, i: usize) -> Option<i32> {
        let f = &mut self.s.fifos[i];
        if f.readable == f.read {
            return None;
        }
        f.read += 1;
        f.items.pop_front()
    }

    /// A mutex that its owner locks again stays locked once.
    fn lock(&mut self, p: usize, i: usize) -> bool {
        let owner = self.s.owners[i].get_or_insert(p);
        *owner == p
    }

    fn acquire(&mut self, i: usize) -> bool {
        let free = self.s.semaphores[i] > 0;
        if free {
            self.s.semaphores[i] -= 1;
        }
        free
    }

    // ---- Process control ----

    fn suspend(&mut self, p: usize) {
        let process = &mut self.s.processes[p];
        process.suspended = true;
        if std::mem::take(&mut process.runnable) {
            process.ready = true;
        }
    }

    fn resume(&mut self, p: usize) {
        let process = &mut self.s.processes[p];
        process.suspended = false;
        if std::mem::take(&mut process.ready) && !process.runnable {
            process.runnable = true;
            self.clear(p);
        }
    }

    /// The end of a process, by itself or not.
    fn disconnect(&mut self, p: usize) {
        self.clear(p);
        let process = &mut self.s.processes[p];
        (process.zombie, process.suspended, process.disabled, process.ready) = (true, false, false, false);
    }

    fn kill(&mut self, p: usize) {
        if self.s.processes[p].zombie {
            return;
        }
        self.disconnect(p);
        // The kernel leaves a thread that has not started in the run queue: it will run, though terminated.
        if self.s.processes[p].started || self.model.program.processes[p].is_method() {
            self.s.processes[p].runnable = false;
        }
    }

    /// Runs the process from its start at once; the caller goes on when it blocks or ends.
    fn reset(&mut self, p: usize) {
        self.clear(p);
        let process = &mut self.s.processes[p];
        if process.zombie {
            return;
        }
        process.waiting = false;
        if !self.model.program.processes[p].is_method() {
            (process.ready, process.pc, process.round) = (false, 0, 0);
        }
        self.run(p);
    }
}
