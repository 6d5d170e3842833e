//! Every key of a project file: what it is for, what it may say, and which word of a command line it becomes.
//!
//! One table makes the reader, the schema for editors, the documentation and the command lines, so that none
//! of them can lag behind.

/// What a key may say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Any text.
    Text,
    /// Whole number.
    Count,
    /// `true` adds the flag.
    Yes,
    /// `false` adds the flag.
    No,
    /// One of these.
    Choice(&'static [&'static str]),
    /// A text, or a list of them.
    Texts,
    /// Names with values.
    Values,
    /// Rules with severities.
    Rules,
    /// A part of the whole: 20%, or 0.2.
    Part,
    /// Names with files.
    Libraries,
    /// A file that exists.
    File,
    /// Files that exist; patterns with `*`, `?` and `**`.
    Files,
    /// Folders that exist.
    Folders,
    /// Seconds, or a number with s, min, h.
    Time,
    /// Megabytes, or a number with MB, GB.
    Memory,
    /// What is expected: a word, or a map from names of properties to words.
    Expect,
}

/// Which designs or jobs have a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// Designs in SystemVerilog, Verilog and VHDL.
    Rtl,
    /// Designs in SystemC.
    SystemC,
    /// All designs.
    Designs,
    /// All jobs.
    Jobs,
    /// Jobs of some kinds.
    Kinds(&'static [Kind]),
}

/// What a job does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Model checking.
    Check,
    /// Clock-domain crossings.
    Cdc,
    /// Proofs by trajectory evaluation.
    Prove,
    /// SystemC schedules.
    Explore,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Check, Kind::Cdc, Kind::Prove, Kind::Explore];

    /// As in the file, and the subcommand.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Check => "check",
            Kind::Cdc => "cdc",
            Kind::Prove => "prove",
            Kind::Explore => "explore",
        }
    }
}

/// A key.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Who has it.
    pub of: Of,
    /// What it may say.
    pub shape: Shape,
    /// The word of the command line; empty if it is not a plain one.
    pub flag: &'static str,
    /// What it is for.
    pub about: &'static str,
}

const fn key(name: &'static str, of: Of, shape: Shape, flag: &'static str, about: &'static str) -> Key {
    Key { name, of, shape, flag, about }
}

/// What a job's verdict may be expected to be.
pub const EXPECTED: &[&str] = &["holds", "fails", "unknown"];
/// How much findings of a rule may matter.
pub const SEVERITIES: &[&str] = &["off", "note", "warning", "error"];
const LANGUAGES: &[&str] = &["verilog", "vhdl", "mixed", "systemc"];
const KINDS: &[&str] = &["check", "cdc", "prove", "explore"];
const CHECK: Of = Of::Kinds(&[Kind::Check]);
const CDC: Of = Of::Kinds(&[Kind::Cdc]);
const PROVE: Of = Of::Kinds(&[Kind::Prove]);
const EXPLORE: Of = Of::Kinds(&[Kind::Explore]);

/// Keys of designs and of jobs.
pub const KEYS: &[Key] = &[
    key("language", Of::Designs, Shape::Choice(LANGUAGES), "", "The language; told by the files' names if left out."),
    key("files", Of::Designs, Shape::Files, "", "Sources, in the order in which they are compiled."),
    key("filelists", Of::Rtl, Shape::Files, "-f", "File lists (`.f`)."),
    key("include_dirs", Of::Designs, Shape::Folders, "-I", "Folders to search for included files."),
    key("defines", Of::Designs, Shape::Values, "-D", "Macros."),
    key("libraries", Of::Rtl, Shape::Libraries, "--work", "VHDL libraries, each with its files."),
    key("library_dirs", Of::Rtl, Shape::Folders, "-y", "Folders that are searched for missing modules."),
    key("top", Of::Rtl, Shape::Text, "--top", "The top module or entity."),
    key("parameters", Of::Rtl, Shape::Values, "-P", "Parameters or generics of the top."),
    key(
        "blackboxes",
        Of::Rtl,
        Shape::Texts,
        "--blackbox",
        "Modules whose insides are not read; their outputs are free.",
    ),
    key("clocks", Of::Rtl, Shape::Texts, "--clock", "What is known about clocks: `CLK>=STEPS`, `A=B`, `SLOW=FAST/N`."),
    key("sdc", Of::Rtl, Shape::Files, "--sdc", "Constraint files: clocks, their groups, the clocks of inputs."),
    key("resets", Of::Rtl, Shape::Texts, "--reset", "Reset inputs: `auto`, `none`, or `NAME[=LEVEL][:STEPS][:free]`."),
    key("compiler", Of::SystemC, Shape::Text, "--cxx", "The C++ compiler."),
    key("systemc", Of::SystemC, Shape::Text, "--systemc", "Where SystemC is installed."),
    key("cflags", Of::SystemC, Shape::Texts, "--cflag", "More words for the compiler."),
    key("build", Of::SystemC, Shape::Text, "--build", "A command that builds the model with the compiler in `$CXX`."),
    key("program", Of::SystemC, Shape::Text, "--program", "The program that `build` makes."),
    key("arguments", Of::SystemC, Shape::Texts, "", "Arguments of the model."),
    key("kind", Of::Jobs, Shape::Choice(KINDS), "", "What is done."),
    key(
        "design",
        Of::Jobs,
        Shape::Text,
        "",
        "The design it is done to; a prove job names its design in its specification.",
    ),
    key("about", Of::Jobs, Shape::Text, "", "A sentence for people."),
    key(
        "expect",
        Of::Jobs,
        Shape::Expect,
        "",
        "The verdict that is right: a word for the job, or one for each property by name or pattern.",
    ),
    key("tags", Of::Jobs, Shape::Texts, "", "Words that suites choose jobs by."),
    key("time", Of::Jobs, Shape::Time, "", "Most time for the whole job."),
    key("memory", Of::Jobs, Shape::Memory, "", "Most memory of the job's process."),
    key(
        "parameters",
        Of::Kinds(&[Kind::Check, Kind::Cdc, Kind::Prove]),
        Shape::Values,
        "-P",
        "Parameters of the top, over those of the design.",
    ),
    key("defines", EXPLORE, Shape::Values, "-D", "Macros, over those of the design."),
    key(
        "only",
        Of::Kinds(&[Kind::Check, Kind::Prove]),
        Shape::Texts,
        "--only",
        "Only properties with this in their name (check), or that fit this pattern (prove).",
    ),
    key("attach", CHECK, Shape::Texts, "--attach", "Properties of the library: `NAME #(PARAM=VALUE) (PORT=NET, …)`."),
    key("ltl", CHECK, Shape::Texts, "--ltl", "Formulas of linear temporal logic over net names."),
    key("invariants", CHECK, Shape::Texts, "--invariant", "Conditions over net names that hold in every step."),
    key("assume", CHECK, Shape::Texts, "--assume", "Conditions that are taken for granted."),
    key(
        "crossings",
        CHECK,
        Shape::Choice(&["none", "delayed", "destabilize", "auto"]),
        "--crossings",
        "How signals between clocks behave.",
    ),
    key(
        "metastable",
        CHECK,
        Shape::Count,
        "--metastable",
        "Registers through which an unstable capture stays undecided.",
    ),
    key(
        "inputs",
        CHECK,
        Shape::Choice(&["clocked", "free"]),
        "--inputs",
        "Whether inputs keep still around the edges of their clock.",
    ),
    key("obligations", CHECK, Shape::No, "--no-obligations", "Whether to ask what crossings need to be safe."),
    key(
        "engine",
        CHECK,
        Shape::Choice(&["portfolio", "bmc", "induction", "ic3", "bdd", "explicit"]),
        "--engine",
        "The engine.",
    ),
    key(
        "strategy",
        CHECK,
        Shape::Choice(&["breadth", "chaining", "saturation"]),
        "--strategy",
        "Strategy of decision diagrams.",
    ),
    key("backward", CHECK, Shape::Yes, "--backward", "Decision diagrams search from the bad states."),
    key("depth", CHECK, Shape::Count, "--depth", "Most steps of an unrolling."),
    key("nodes", Of::Kinds(&[Kind::Check, Kind::Prove]), Shape::Count, "--nodes", "Most nodes of a decision diagram."),
    key("timeout", Of::Kinds(&[Kind::Check, Kind::Prove]), Shape::Time, "--timeout", "Most time for each property."),
    key("waivers", CDC, Shape::File, "--waivers", "Waivers (YAML)."),
    key("rules", CDC, Shape::Rules, "--rule", "Severity of rules: `off`, `note`, `warning` or `error`."),
    key("baseline", CDC, Shape::File, "--baseline", "Findings that are known: output of `entail cdc --format json`."),
    key("stages", CDC, Shape::Count, "--stages", "Stages that a synchroniser must have."),
    key("depth", CDC, Shape::Count, "--depth", "Registers through which reconvergence is followed."),
    key("spec", PROVE, Shape::File, "", "The specification."),
    key("engine", PROVE, Shape::Choice(&["bdd", "sat"]), "--engine", "The engine."),
    key("recheck", PROVE, Shape::No, "--no-recheck", "Whether each proof is looked at a second time with other code."),
    key("loose", EXPLORE, Shape::Part, "--loose", "How loose every timed wait is, such as 20%."),
    key("merge", EXPLORE, Shape::Yes, "--merge", "Look once at what follows a state of the model (loose delays only)."),
    key("shared_delays", EXPLORE, Shape::Yes, "--shared-delays", "All delays of one wait are one choice."),
    key("max_runs", EXPLORE, Shape::Count, "--max-runs", "Most runs."),
    key("seconds", EXPLORE, Shape::Time, "--time", "Most time for exploring; what was found by then is reported."),
    key("preemptions", EXPLORE, Shape::Count, "--preemptions", "Most choices against the kernel's order in one run."),
    key("run_time", EXPLORE, Shape::Time, "--run-time", "Most time of one run."),
    key("max_steps", EXPLORE, Shape::Count, "--max-steps", "Most steps of one run."),
    key("max_deltas", EXPLORE, Shape::Count, "--max-deltas", "Most delta cycles in one instant."),
    key("ordered_output", EXPLORE, Shape::Yes, "--ordered-output", "The order in which processes print matters."),
    key(
        "observe",
        EXPLORE,
        Shape::Texts,
        "--observe",
        "Channels or variables whose final value is part of the outcome.",
    ),
    key("when", EXPLORE, Shape::Texts, "--when", "Processes or events whose earliest and latest dates are told."),
    key(
        "oracle",
        EXPLORE,
        Shape::Text,
        "--oracle",
        "A command that reads what a run printed and fails if it is wrong.",
    ),
    key(
        "reads",
        EXPLORE,
        Shape::Files,
        "--reads",
        "Files that the oracle, or something that the model starts, reads: the job runs again when they change.",
    ),
    key("allow_different", EXPLORE, Shape::Yes, "--allow-different", "Different outcomes are as they should be."),
    key("first", EXPLORE, Shape::Yes, "--first", "Stop at the first run that fails."),
];

/// Keys of the file itself, for messages and documentation.
pub const TOP: &[(&str, &str)] = &[
    ("project", "Name of the project."),
    ("include", "Other project files; paths in them are relative to them."),
    ("defaults", "`time` and `memory` of jobs that say nothing."),
    ("designs", "What is verified, by name."),
    ("jobs", "What is done to it, by name."),
    ("suites", "Sets of jobs, by name."),
];

/// Keys of a suite.
pub const SUITE: &[(&str, Shape, &str)] = &[
    ("jobs", Shape::Texts, "Names or patterns (`*` for anything)."),
    ("tags", Shape::Texts, "Jobs that have one of these tags."),
    ("except", Shape::Texts, "Names or patterns of jobs to leave out."),
    ("about", Shape::Text, "A sentence for people."),
    ("time", Shape::Time, "Most time of each job, if that is less than its own."),
    ("memory", Shape::Memory, "Most memory of each job, if that is less than its own."),
];

/// Keys of the defaults.
pub const DEFAULTS: &[(&str, Shape, &str)] =
    &[("time", Shape::Time, "Most time of a job."), ("memory", Shape::Memory, "Most memory of a job.")];

impl Key {
    /// Whether a design of this sort has it.
    pub fn of_design(&self, systemc: bool) -> bool {
        match self.of {
            Of::Designs => true,
            Of::Rtl => !systemc,
            Of::SystemC => systemc,
            _ => false,
        }
    }

    /// Whether a job of this kind has it.
    pub fn of_job(&self, kind: Kind) -> bool {
        match self.of {
            Of::Jobs => true,
            Of::Kinds(list) => list.contains(&kind),
            _ => false,
        }
    }
}
