//! Random small concurrent programs for the SystemC interpreter `interp.cpp`: what they are, their text form, a
//! generator with one profile per part of the language, and a shrinker.
//!
//! The text is line based. Declarations come first, then one section per process, each followed by its operations:
//!
//! ```text
//! seed 17 memory           where the program comes from, ignored by the interpreter
//! vars 3                   shared ints x[0..3], all 0
//! events 2
//! signals 1                all 0
//! fifos 1 2                one number per fifo: its size
//! mutexes 1
//! semaphores 0 1           one number per semaphore: its first value
//! thread 2                 a thread that runs its list twice
//!   set 0 5
//!   wait 1
//! method 3 noinit e0       at most 3 activations do something; init or noinit; sensitive to e0, s0 or - (nothing)
//!   read 0
//! child 1                  a thread that another one makes with fork, if it does
//!   read 0
//! ```

use std::fmt;

/// An operation's kind; its operands are in [`Op`]. `h` is the accumulator of the process: "folds v" is `h = h*7 + v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `x[a] = b`.
    Set,
    /// `x[a] += x[b] + 1`.
    Add,
    /// Folds `x[a]`.
    Read,
    /// `x[a] = h`, and h is as in the beginning.
    Keep,
    /// Immediate notification of event a.
    Notify,
    /// Delta notification of event a.
    NotifyDelta,
    /// Notification of event a in b ns.
    NotifyTime,
    /// Cancels event a.
    Cancel,
    /// Waits for event a.
    Wait,
    /// Waits for event a or b.
    WaitOr,
    /// Waits for events a and b.
    WaitAnd,
    /// Waits for a ns.
    Delay,
    /// Waits for one delta cycle.
    Delta,
    /// Waits for event a, for b ns at most; folds 1 when it timed out, else 0.
    WaitFor,
    /// Waits for any time from a-b to a+b ns.
    Loose,
    /// Writes b to signal a.
    SigWrite,
    /// Folds signal a.
    SigRead,
    /// Waits for a change of signal a.
    SigWait,
    /// Blocking write of b to fifo a.
    Put,
    /// Blocking read of fifo a, folds the value.
    Get,
    /// Non-blocking write of b to fifo a, folds 1 or 0.
    TryPut,
    /// Non-blocking read of fifo a, folds the value or -1.
    TryGet,
    /// Locks mutex a.
    Lock,
    /// Unlocks mutex a; no effect unless this process holds it.
    Unlock,
    /// Tries to lock mutex a, folds 1 or 0.
    TryLock,
    /// Takes semaphore a.
    Acquire,
    /// Gives semaphore a.
    Post,
    /// Tries to take semaphore a, folds 1 or 0.
    TryAcquire,
    /// Method: next trigger is event a.
    Next,
    /// Method: next trigger is in a ns.
    NextTime,
    /// Method: next trigger is event a, or in b ns.
    NextFor,
    /// Suspends process a.
    Suspend,
    /// Resumes process a.
    Resume,
    /// Disables process a.
    Disable,
    /// Enables process a.
    Enable,
    /// Kills process a.
    Kill,
    /// Resets process a.
    Reset,
    /// Makes children a and b and waits until they end; one child where both are the same.
    Fork,
}

/// Kind, word in the text, number of operands.
const WORDS: [(Kind, &str, usize); 38] = [
    (Kind::Set, "set", 2),
    (Kind::Add, "add", 2),
    (Kind::Read, "read", 1),
    (Kind::Keep, "keep", 1),
    (Kind::Notify, "notify", 1),
    (Kind::NotifyDelta, "notify0", 1),
    (Kind::NotifyTime, "notifyt", 2),
    (Kind::Cancel, "cancel", 1),
    (Kind::Wait, "wait", 1),
    (Kind::WaitOr, "waitor", 2),
    (Kind::WaitAnd, "waitand", 2),
    (Kind::Delay, "delay", 1),
    (Kind::Delta, "delta", 0),
    (Kind::WaitFor, "waitfor", 2),
    (Kind::Loose, "loose", 2),
    (Kind::SigWrite, "sigwrite", 2),
    (Kind::SigRead, "sigread", 1),
    (Kind::SigWait, "sigwait", 1),
    (Kind::Put, "put", 2),
    (Kind::Get, "get", 1),
    (Kind::TryPut, "tryput", 2),
    (Kind::TryGet, "tryget", 1),
    (Kind::Lock, "lock", 1),
    (Kind::Unlock, "unlock", 1),
    (Kind::TryLock, "trylock", 1),
    (Kind::Acquire, "acquire", 1),
    (Kind::Post, "post", 1),
    (Kind::TryAcquire, "tryacquire", 1),
    (Kind::Next, "next", 1),
    (Kind::NextTime, "nextt", 1),
    (Kind::NextFor, "nextfor", 2),
    (Kind::Suspend, "suspend", 1),
    (Kind::Resume, "resume", 1),
    (Kind::Disable, "disable", 1),
    (Kind::Enable, "enable", 1),
    (Kind::Kill, "kill", 1),
    (Kind::Reset, "reset", 1),
    (Kind::Fork, "fork", 2),
];

impl Kind {
    fn row(self) -> &'static (Kind, &'static str, usize) {
        WORDS.iter().find(|r| r.0 == self).expect("every kind has a word")
    }

    /// True when the kind may block: allowed in threads only.
    pub fn blocks(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Wait | WaitOr | WaitAnd | Delay | Delta | WaitFor | Loose | SigWait | Put | Get | Lock | Acquire | Fork
        )
    }

    /// True for waits on time, which a process that gets disabled must not be in (the kernel makes it an error).
    fn timed_wait(self) -> bool {
        matches!(self, Kind::Delay | Kind::Delta | Kind::WaitFor | Kind::Loose | Kind::NextTime | Kind::NextFor)
    }

    /// True when the first operand is a process.
    fn controls(self) -> bool {
        matches!(self, Kind::Suspend | Kind::Resume | Kind::Disable | Kind::Enable | Kind::Kill | Kind::Reset)
    }
}

/// One operation; unused operands are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    pub kind: Kind,
    pub a: u32,
    pub b: u32,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, word, operands) = self.kind.row();
        match operands {
            0 => write!(f, "{word}"),
            1 => write!(f, "{word} {}", self.a),
            _ => write!(f, "{word} {} {}", self.a, self.b),
        }
    }
}

/// What a method is statically sensitive to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    Nothing,
    Event(u32),
    Signal(u32),
}

/// Thread or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Thread,
    /// A thread that is made while the program runs, once at most.
    Child,
    Method {
        initialize: bool,
        sense: Sense,
    },
}

/// One process. `rounds`: how often a thread runs its list, how many activations of a method do something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub form: Form,
    pub rounds: u32,
    pub ops: Vec<Op>,
}

impl Process {
    pub fn is_method(&self) -> bool {
        matches!(self.form, Form::Method { .. })
    }
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    pub profile: Profile,
    pub seed: u64,
    pub vars: u32,
    pub events: u32,
    pub signals: u32,
    pub fifos: Vec<u32>,
    pub mutexes: u32,
    pub semaphores: Vec<u32>,
    pub processes: Vec<Process>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |v: &[u32]| v.iter().map(|n| format!(" {n}")).collect::<String>();
        writeln!(f, "seed {} {}", self.seed, self.profile.name())?;
        writeln!(f, "vars {}\nevents {}\nsignals {}", self.vars, self.events, self.signals)?;
        writeln!(f, "fifos{}\nmutexes {}\nsemaphores{}", list(&self.fifos), self.mutexes, list(&self.semaphores))?;
        for p in &self.processes {
            match p.form {
                Form::Thread => writeln!(f, "thread {}", p.rounds)?,
                Form::Child => writeln!(f, "child {}", p.rounds)?,
                Form::Method { initialize, sense } => {
                    let init = if initialize { "init" } else { "noinit" };
                    let sense = match sense {
                        Sense::Nothing => "-".to_string(),
                        Sense::Event(e) => format!("e{e}"),
                        Sense::Signal(s) => format!("s{s}"),
                    };
                    writeln!(f, "method {} {init} {sense}", p.rounds)?;
                }
            }
            for op in &p.ops {
                writeln!(f, "  {op}")?;
            }
        }
        Ok(())
    }
}

impl Program {
    /// Reads the text form; `None` when it is malformed. Lines that start with `#` are comments.
    pub fn parse(text: &str) -> Option<Program> {
        let mut p = Program {
            profile: Profile::Mixed,
            seed: 0,
            vars: 0,
            events: 0,
            signals: 0,
            fifos: Vec::new(),
            mutexes: 0,
            semaphores: Vec::new(),
            processes: Vec::new(),
        };
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let Some(word) = words.next().filter(|w| !w.starts_with('#')) else { continue };
            let rest: Vec<&str> = words.collect();
            let number = |i: usize| rest.get(i)?.parse::<u32>().ok();
            let numbers = || rest.iter().map(|w| w.parse::<u32>().ok()).collect::<Option<Vec<u32>>>();
            match word {
                "seed" => {
                    p.seed = rest.first()?.parse().ok()?;
                    let profile = Profile::ALL.iter().find(|q| rest.get(1) == Some(&q.name()));
                    p.profile = profile.copied().unwrap_or(p.profile);
                }
                "vars" => p.vars = number(0)?,
                "events" => p.events = number(0)?,
                "signals" => p.signals = number(0)?,
                "fifos" => p.fifos = numbers()?,
                "mutexes" => p.mutexes = number(0)?,
                "semaphores" => p.semaphores = numbers()?,
                "child" => p.processes.push(Process { form: Form::Child, rounds: number(0)?, ops: Vec::new() }),
                "thread" => p.processes.push(Process { form: Form::Thread, rounds: number(0)?, ops: Vec::new() }),
                "method" => {
                    let index = || rest.get(2)?.get(1..)?.parse::<u32>().ok();
                    let sense = match rest.get(2)?.as_bytes()[0] {
                        b'e' => Sense::Event(index()?),
                        b's' => Sense::Signal(index()?),
                        _ => Sense::Nothing,
                    };
                    let form = Form::Method { initialize: *rest.get(1)? == "init", sense };
                    p.processes.push(Process { form, rounds: number(0)?, ops: Vec::new() });
                }
                _ => {
                    let (kind, _, operands) = WORDS.iter().find(|r| r.1 == word)?;
                    let a = if *operands > 0 { number(0)? } else { 0 };
                    let b = if *operands > 1 { number(1)? } else { 0 };
                    p.processes.last_mut()?.ops.push(Op { kind: *kind, a, b });
                }
            }
        }
        Some(p)
    }

    /// True when some operation is of one of these kinds.
    pub fn has(&self, kinds: &[Kind]) -> bool {
        self.processes.iter().any(|p| p.ops.iter().any(|o| kinds.contains(&o.kind)))
    }

    /// True when the program has loose waits, whose delays are part of what a schedule chooses.
    pub fn is_loose(&self) -> bool {
        self.has(&[Kind::Loose])
    }
}

/// A small random number generator (splitmix64), so that a seed means the same program everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, or 0 when `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.draw() % u64::from(n.max(1))) as u32
    }

    fn range(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// The part of the language a program exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Shared variables, few waits.
    Memory,
    /// Events and their notifications.
    Events,
    /// Signals, fifos, mutexes, semaphores.
    Channels,
    /// Method processes, next_trigger.
    Methods,
    /// Delays, timed notifications, time-outs.
    Timed,
    /// Loose waits.
    Loose,
    /// Loose waits with everything that they can bring into another order: deltas, time-outs, channels.
    Timing,
    /// Suspend, resume, disable, enable, kill, reset.
    Control,
    /// The same with loose waits.
    LooseControl,
    /// Loose waits in rounds, between which all processes come to rest.
    Resting,
    /// Processes that come and go.
    Fork,
    /// All but process control.
    Mixed,
}

impl Profile {
    pub const ALL: [Profile; 12] = [
        Profile::Memory,
        Profile::Events,
        Profile::Channels,
        Profile::Methods,
        Profile::Timed,
        Profile::Loose,
        Profile::Timing,
        Profile::Control,
        Profile::LooseControl,
        Profile::Resting,
        Profile::Fork,
        Profile::Mixed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Profile::Memory => "memory",
            Profile::Events => "events",
            Profile::Channels => "channels",
            Profile::Methods => "methods",
            Profile::Timed => "timed",
            Profile::Loose => "loose",
            Profile::Timing => "timing",
            Profile::Control => "control",
            Profile::LooseControl => "loosecontrol",
            Profile::Resting => "resting",
            Profile::Fork => "fork",
            Profile::Mixed => "mixed",
        }
    }

    /// Words of the kinds to draw from; one listed twice is twice as likely. Kinds that block are skipped in methods,
    /// and the next triggers in threads.
    fn words(self) -> &'static str {
        match self {
            Profile::Memory => "set add add read read delta delta delay notify wait",
            Profile::Events => "notify notify notify0 notify0 notifyt cancel wait wait waitor waitand add read",
            Profile::Channels => {
                "sigwrite sigwrite sigread sigread sigwait put put get get tryput tryget lock lock unlock unlock trylock \
                 acquire acquire post post tryacquire delay delta"
            }
            Profile::Methods => {
                "notify notify notify0 notifyt cancel wait delay delta sigwrite sigread next next nextt nextt nextfor \
                 tryput tryget tryacquire post add add read set"
            }
            Profile::Timed => "delay delay delta notifyt notifyt notify0 cancel wait waitfor waitfor add read",
            Profile::Loose => "loose loose loose delay notifyt notify wait add read set",
            Profile::Timing => {
                "loose loose loose loose delay delta notifyt notifyt notify notify0 cancel wait waitfor waitfor waitor \
                 waitand sigwrite sigread sigwait put get lock unlock add read set"
            }
            Profile::Control => "notify notify0 notifyt wait wait delay delta lock unlock add read",
            Profile::LooseControl => "loose loose loose notify notify0 notifyt wait waitfor delay delta add read",
            Profile::Resting => {
                "loose loose loose loose delay delta notify notifyt waitfor sigwrite sigread tryput tryget add read read set"
            }
            Profile::Fork => "delay delay delta notify notifyt wait waitfor add add read set",
            Profile::Mixed => {
                "set add read notify notify0 notifyt cancel wait waitor waitand delay delta waitfor sigwrite sigread \
                 sigwait put get tryput tryget lock unlock trylock acquire post tryacquire next nextt nextfor"
            }
        }
    }
}

/// The program of this profile and seed.
pub fn generate(profile: Profile, seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    if profile == Profile::Resting {
        return generate_resting(&mut rng, seed);
    }
    let mut program = Program {
        profile,
        seed,
        vars: rng.range(1, 2),
        events: rng.range(1, 2),
        signals: rng.range(1, 2),
        fifos: (0..rng.range(1, 2)).map(|_| rng.range(1, 2)).collect(),
        mutexes: 1,
        semaphores: vec![rng.below(2)],
        processes: Vec::new(),
    };
    // Most programs have three processes. More processes get shorter lists, or brute force sees too many states.
    let count = [2, 3, 3, 4][rng.below(4) as usize];
    let longest = [7, 7, 6][count as usize - 2];
    let kinds = some_kinds(&mut rng, profile);
    for i in 0..count {
        let method = match profile {
            Profile::Methods => i == 0 || rng.chance(50),
            Profile::Control | Profile::LooseControl | Profile::Mixed => rng.chance(25),
            _ => false,
        };
        let form = if method { method_form(&mut rng, &program) } else { Form::Thread };
        let rounds = if method { rng.range(1, 3) } else { 1 + u32::from(rng.chance(20)) };
        // A list that runs twice counts double.
        let most = if rounds > 1 { longest / 2 + 1 } else { longest };
        let length = rng.range(2, most).max(rng.range(2, most));
        let mut ops: Vec<Op> = (0..length).map(|_| operation(&mut rng, &kinds, method, &program)).collect();
        release(&mut rng, &mut ops);
        program.processes.push(Process { form, rounds, ops });
    }
    if matches!(profile, Profile::Control | Profile::LooseControl) {
        add_control(&mut rng, &mut program);
    }
    if profile == Profile::Fork {
        add_children(&mut rng, &kinds, &mut program);
    }
    program
}

/// Rounds that end when all processes have done theirs: the first one waits for the others, takes away what they have left
/// behind, and lets them go on. What a process saw in the last round is seen in the end. Whoever is late to go on has a
/// delay that reaches over the rest.
fn generate_resting(rng: &mut Rng, seed: u64) -> Program {
    let op = |kind, a: u32, b: u32| Op { kind, a, b };
    let (count, vars) = (rng.range(2, 3), rng.range(1, 2));
    let mut program = Program {
        profile: Profile::Resting,
        seed,
        vars,
        events: 1,
        signals: 1,
        fifos: vec![1],
        mutexes: 0,
        semaphores: vec![0, 0],
        processes: Vec::new(),
    };
    let kinds = some_kinds(rng, Profile::Resting);
    let rounds = rng.range(2, 3);
    for i in 0..count {
        let most = if rounds * count > 6 { 2 } else { 3 };
        let mut ops: Vec<Op> = (0..rng.range(1, most)).map(|_| operation(rng, &kinds, false, &program)).collect();
        if rng.chance(60) {
            ops.insert(0, op(Kind::Loose, rng.range(2, 3), 1));
        }
        ops.push(op(Kind::Keep, vars + i, 0));
        if i == 0 {
            ops.splice(0..0, (0..vars + count).map(|k| op(Kind::Set, k, 0)));
            ops.extend((1..count).map(|_| op(Kind::Acquire, 0, 0)));
            ops.extend((1..count).map(|_| op(Kind::Post, 1, 0)));
        } else {
            ops.push(op(Kind::Post, 0, 0));
            if rng.chance(60) {
                ops.push(op(Kind::Loose, rng.range(2, 4), 1));
                ops.push(op(Kind::Read, rng.below(vars), 0));
            }
            ops.push(op(Kind::Acquire, 1, 0));
        }
        program.processes.push(Process { form: Form::Thread, rounds, ops });
    }
    program.vars = vars + count;
    program
}

/// Lets the first process of a program, now a short one, make others: two at once, and perhaps later a third.
fn add_children(rng: &mut Rng, kinds: &[Kind], program: &mut Program) {
    program.processes.truncate(2);
    let first = program.processes.len() as u32;
    for _ in 0..3 {
        let ops = (0..rng.range(1, 3)).map(|_| operation(rng, kinds, false, program)).collect();
        program.processes.push(Process { form: Form::Child, rounds: 1, ops });
    }
    let maker = &mut program.processes[0];
    maker.rounds = 1;
    maker.ops.truncate(4);
    let at = rng.below(maker.ops.len() as u32 + 1);
    maker.ops.insert(at as usize, Op { kind: Kind::Fork, a: first, b: first + 1 });
    if rng.chance(60) {
        let later = rng.range(at + 1, maker.ops.len() as u32);
        maker.ops.insert(later as usize, Op { kind: Kind::Fork, a: first + 2, b: first + 2 });
    }
}

/// A program with one or two loose waits that are passed several times: for delays shared by all passes.
pub fn generate_shared(seed: u64) -> Program {
    let mut program = generate(Profile::Loose, seed);
    let mut rng = Rng::new(seed ^ 0x5eed);
    let mut loose = 0;
    for p in &mut program.processes {
        p.ops.truncate(4);
        for o in p.ops.iter_mut().filter(|o| o.kind == Kind::Loose) {
            loose += 1;
            if loose > 2 {
                *o = Op { kind: Kind::Delay, a: o.a, b: 0 };
            }
        }
        p.rounds = if p.ops.iter().any(|o| o.kind == Kind::Loose) { rng.range(2, 3) } else { rng.range(1, 2) };
    }
    program
}

/// The program with each loose wait as each delay in its interval, the same in all passes, in steps of a part of a ns.
/// All times are in these steps.
pub fn with_delays(program: &Program, parts: u32) -> Vec<Program> {
    let mut all = vec![program.clone()];
    for (i, p) in program.processes.iter().enumerate() {
        for (j, o) in p.ops.iter().enumerate() {
            let times: Vec<Op> = match o.kind {
                Kind::Delay | Kind::NextTime => vec![Op { a: o.a * parts, ..*o }],
                Kind::NotifyTime | Kind::WaitFor | Kind::NextFor => vec![Op { b: o.b * parts, ..*o }],
                Kind::Loose => {
                    ((o.a - o.b) * parts..=(o.a + o.b) * parts).map(|a| Op { kind: Kind::Delay, a, b: 0 }).collect()
                }
                _ => continue,
            };
            let with = |q: &Program, t: &Op| {
                let mut q = q.clone();
                q.processes[i].ops[j] = *t;
                q
            };
            all = all.iter().flat_map(|q| times.iter().map(move |t| with(q, t))).collect();
        }
    }
    all
}

fn method_form(rng: &mut Rng, program: &Program) -> Form {
    let sense = match rng.below(4) {
        0 => Sense::Signal(rng.below(program.signals)),
        1 => Sense::Nothing,
        _ => Sense::Event(rng.below(program.events)),
    };
    // A method that starts neither by itself nor by anything else would be dead.
    Form::Method { initialize: sense == Sense::Nothing || rng.chance(50), sense }
}

/// The kinds one program draws from: some of its profile, as with all of them few programs would put one channel to
/// much use, and the shared variables, as those are how most races show.
fn some_kinds(rng: &mut Rng, profile: Profile) -> Vec<Kind> {
    use Kind::*;
    let words = profile.words().split_whitespace().filter(|_| rng.chance(60));
    let kind = |word| WORDS.iter().find(|r| r.1 == word).expect("the words are of the table").0;
    let mut kinds: Vec<Kind> = words.map(kind).collect();
    for _ in 0..kinds.len() / 6 + 1 {
        kinds.extend([Add, Read]);
    }
    kinds
}

fn operation(rng: &mut Rng, kinds: &[Kind], method: bool, program: &Program) -> Op {
    use Kind::*;
    let kind = loop {
        let kind = kinds[rng.below(kinds.len() as u32) as usize];
        let next = matches!(kind, Next | NextTime | NextFor);
        if if method { !kind.blocks() } else { !next } {
            break kind;
        }
    };
    let event = rng.below(program.events);
    let (a, b) = match kind {
        Set => (rng.below(program.vars), rng.range(1, 3)),
        Add => (rng.below(program.vars), rng.below(program.vars)),
        Read | Keep => (rng.below(program.vars), 0),
        Notify | NotifyDelta | Cancel | Wait | Next => (event, 0),
        WaitOr | WaitAnd => (event, rng.below(program.events)),
        NotifyTime | WaitFor | NextFor => (event, rng.range(1, 3)),
        Delay | NextTime => (rng.range(1, 3), 0),
        // The slack stays below the delay: a wait of no time would be a delta cycle, another thing.
        Loose => {
            let d = rng.range(2, 4);
            (d, rng.range(1, (d - 1).min(2)))
        }
        SigWrite => (rng.below(program.signals), rng.below(3)),
        SigRead | SigWait => (rng.below(program.signals), 0),
        Put | TryPut => (rng.below(program.fifos.len() as u32), rng.range(1, 4)),
        Get | TryGet => (rng.below(program.fifos.len() as u32), 0),
        Lock | Unlock | TryLock => (rng.below(program.mutexes), 0),
        Acquire | Post | TryAcquire => (rng.below(program.semaphores.len() as u32), 0),
        Delta | Suspend | Resume | Disable | Enable | Kill | Reset | Fork => (0, 0),
    };
    Op { kind, a, b }
}

/// Gives back, most of the time, what the list takes: otherwise most programs with locks would soon be stuck.
fn release(rng: &mut Rng, ops: &mut Vec<Op>) {
    for (take, give) in [(Kind::Lock, Kind::Unlock), (Kind::Acquire, Kind::Post)] {
        let taken = ops.iter().position(|o| o.kind == take);
        if let Some(at) = taken.filter(|&at| !ops[at..].iter().any(|o| o.kind == give)).filter(|_| rng.chance(70)) {
            let place = rng.range(at as u32 + 1, ops.len() as u32);
            ops.insert(place as usize, Op { kind: give, a: ops[at].a, b: 0 });
        }
    }
}

/// Puts process-control operations into a program.
///
/// Some uses are errors or unbounded in the kernel, so programs keep to rules. Kill and reset act at once, the caller
/// waits for them: in programs with these, control only goes from a process to a later one, or two processes could
/// reset each other for ever. One process is not both suspended and disabled (resuming it would be an error), and only
/// processes without waits on time get disabled (an error too).
fn add_control(rng: &mut Rng, program: &mut Program) {
    use Kind::*;
    let count = program.processes.len() as u32;
    let harsh = rng.chance(50);
    let gentle: Vec<[Kind; 2]> = program
        .processes
        .iter()
        .map(|p| {
            let timed = p.ops.iter().any(|o| o.kind.timed_wait());
            if timed || rng.chance(50) { [Suspend, Resume] } else { [Disable, Enable] }
        })
        .collect();
    for _ in 0..rng.range(1, 3) {
        let by = rng.below(if harsh { count - 1 } else { count });
        let target = if harsh { rng.range(by + 1, count - 1) } else { (by + rng.range(1, count - 1)) % count };
        let strike = harsh && rng.chance(60);
        let pair = if strike { [Kill, Reset] } else { gentle[target as usize] };
        let ops = &mut program.processes[by as usize].ops;
        // Suspending without ever resuming is dull: put the pair in, often.
        let first = rng.below(ops.len() as u32 + 1);
        if strike || rng.chance(30) {
            ops.insert(first as usize, Op { kind: pair[rng.below(2) as usize], a: target, b: 0 });
        } else {
            let second = rng.range(first, ops.len() as u32);
            ops.insert(second as usize, Op { kind: pair[1], a: target, b: 0 });
            ops.insert(first as usize, Op { kind: pair[0], a: target, b: 0 });
        }
    }
}

/// Every program one simplification away, the boldest first.
pub fn simpler(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for i in 0..program.processes.len() {
        all.extend(without_process(program, i));
    }
    let mut edit = |change: &dyn Fn(&mut Program)| {
        let mut p = program.clone();
        change(&mut p);
        if p != *program {
            all.push(p);
        }
    };
    for (i, process) in program.processes.iter().enumerate() {
        for j in 0..process.ops.len() {
            edit(&|p| {
                p.processes[i].ops.remove(j);
            });
        }
        if process.rounds > 1 {
            edit(&|p| p.processes[i].rounds = 1);
            edit(&|p| p.processes[i].rounds -= 1);
        }
        for (j, op) in process.ops.iter().enumerate() {
            for smaller in smaller_operands(*op) {
                edit(&|p| p.processes[i].ops[j] = smaller);
            }
        }
    }
    edit(&trim);
    all
}

/// Shrinks a program while `fails` holds of it.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(next) = simpler(&best).into_iter().find(|p| fails(p)) {
        best = next;
    }
    best
}

/// The program without one process, and without the operations that control it.
fn without_process(program: &Program, gone: usize) -> Option<Program> {
    if program.processes.len() < 2 {
        return None;
    }
    let mut p = program.clone();
    p.processes.remove(gone);
    let gone = gone as u32;
    for process in &mut p.processes {
        let fork = |o: &Op| o.kind == Kind::Fork;
        process.ops.retain(|o| !(o.kind.controls() && o.a == gone || fork(o) && (o.a == gone || o.b == gone)));
        for o in &mut process.ops {
            if (o.kind.controls() || fork(o)) && o.a > gone {
                o.a -= 1;
            }
            if fork(o) && o.b > gone {
                o.b -= 1;
            }
        }
    }
    Some(p)
}

/// The operation with smaller numbers, keeping what makes it valid (a delay stays 1 at least, slack below the delay).
fn smaller_operands(op: Op) -> Vec<Op> {
    use Kind::*;
    let (low_a, low_b) = match op.kind {
        Delay | NextTime => (1, 0),
        Loose => (op.b + 1, 0),
        NotifyTime | WaitFor | NextFor => (0, 1),
        _ => (0, 0),
    };
    let mut all = Vec::new();
    // Another process is another thing, not a smaller one, and it could break the rules of `add_control`.
    if op.kind == Fork {
        return all;
    }
    if op.a > low_a && !op.kind.controls() {
        all.push(Op { a: op.a - 1, ..op });
    }
    if op.b > low_b {
        all.push(Op { b: op.b - 1, ..op });
    }
    all
}

/// Removes declarations nothing uses, from the end, so that indices keep their meaning.
fn trim(p: &mut Program) {
    use Kind::*;
    let uses = |kinds: &[Kind], second: &[Kind]| {
        let ops = || p.processes.iter().flat_map(|q| &q.ops);
        let first = ops().filter(|o| kinds.contains(&o.kind)).map(|o| o.a + 1);
        first.chain(ops().filter(|o| second.contains(&o.kind)).map(|o| o.b + 1)).max().unwrap_or(0)
    };
    let sense = |pick: &dyn Fn(Sense) -> Option<u32>| {
        let senses = p.processes.iter().filter_map(|q| match q.form {
            Form::Method { sense, .. } => pick(sense),
            Form::Thread | Form::Child => None,
        });
        senses.map(|i| i + 1).max().unwrap_or(0)
    };
    let vars = uses(&[Set, Add, Read], &[Add]);
    let events = uses(
        &[Notify, NotifyDelta, NotifyTime, Cancel, Wait, WaitOr, WaitAnd, WaitFor, Next, NextFor],
        &[WaitOr, WaitAnd],
    )
    .max(sense(&|s| if let Sense::Event(e) = s { Some(e) } else { None }));
    let signals =
        uses(&[SigWrite, SigRead, SigWait], &[]).max(sense(&|s| if let Sense::Signal(i) = s { Some(i) } else { None }));
    let fifos = uses(&[Put, Get, TryPut, TryGet], &[]);
    let mutexes = uses(&[Lock, Unlock, TryLock], &[]);
    let semaphores = uses(&[Acquire, Post, TryAcquire], &[]);
    p.vars = vars;
    p.events = events;
    p.signals = signals;
    p.fifos.truncate(fifos as usize);
    p.mutexes = mutexes;
    p.semaphores.truncate(semaphores as usize);
}
