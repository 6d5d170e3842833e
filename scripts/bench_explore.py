#!/usr/bin/env python3
"""Exploring SystemC models: `entail explore` with one job and with two, against executing the plain program as often.

Each row is a model of designs/systemc. It is built once by entail and explored then as `--program`, so that no compiler
is in the seconds and the memory. `s` are wall seconds of the whole explorer, `MB` is the largest resident set of it or of
one of its children with `-j 1`. `plain s` is what as many executions of the program without hooks (g++ -O2) take, by a
loop of 50, one after the other; `plain / explore` is how much faster exploring is, with `-j 1`. `one run` is the
processor time of the program with hooks, run alone and not explored, by that of the plain one; of such short programs
it is that of starting a process. So a longer model is written here, whose steps and accesses are given on its command
line, and measured alone, with ENTAIL_SCHEDULE=/dev/null, and under `entail explore --max-runs 1`.
All is of one machine, so only ratios, counts and growth mean anything. The fastest of three counts for single runs, but
an exploration is made once: on a busy machine `plain / explore` is too low, and `speed-up` means nothing.
Usage: bench_explore.py ENTAIL [SECONDS]
SECONDS is the most for one exploration, 60 if not given. ENTAIL_BENCH=decoder runs the rows alone that start so.
Ends with 1 if one job and two disagree, or a number of classes is not the known one.
"""
import contextlib
import glob
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(HERE, "designs", "systemc")
TIME = "/usr/bin/time"
LOOP = 50  # executions of a program that are measured together
ONLY = os.environ.get("ENTAIL_BENCH", "")

# Model, macros, other options, number of classes if it is known.
ROWS = [
    ("decoder", [], [], 128),
    ("decoder", [], ["--loose", "10%"], 288),
    ("decoder", [], ["--loose", "20%"], 2304),
    ("decoder", [], ["--loose", "20%", "--merge"], None),
    ("decoder", [], ["--loose", "30%", "--merge"], None),
    ("decoder", [], ["--loose", "50%", "--merge"], None),
    ("token_ring", [], [], None),
    ("fifo", [], [], None),
    ("arbiter", [], [], None),
    ("arbiter", ["-DBUG=1"], [], None),
    ("interrupts", [], [], None),
    ("tlm_memory", [], [], None),
    ("tlm_nb", [], [], None),
    ("readers", ["-DN=10"], [], 2**10),
    ("readers", ["-DN=12"], [], 2**12),
    ("lastzero", ["-DN=8"], [], 2**6 * 11),
    ("lastzero", ["-DN=10"], [], 2**8 * 13),
    ("foo", [], [], 3),
    ("foochi", [], [], 3),
]

# Four processes are ready in each phase. One reads a row that another wrote in the phase before, and writes its own: much
# is shared, and no order matters.
LONG = """#include <systemc>
#include <cstdint>
#include <cstdlib>

using namespace sc_core;

SC_MODULE(Long) {
    static constexpr int PROCESSES = 4, SIZE = 1024;
    int steps, accesses;
    uint32_t data[2][PROCESSES][SIZE] = {};

    void work(int me) {
        uint32_t place = me + 1;
        for (int round = 0; round < steps / PROCESSES; ++round) {
            const uint32_t* from = data[round & 1][(me + 1) % PROCESSES];
            uint32_t* to = data[~round & 1][me];
            for (int k = 0; k < accesses / 2; ++k) {
                place = place * 1664525u + 1013904223u;
                to[place >> 22] = from[place >> 12 & (SIZE - 1)] + place;
            }
            wait(10, SC_NS);
        }
    }
    void p0() { work(0); }
    void p1() { work(1); }
    void p2() { work(2); }
    void p3() { work(3); }

    SC_HAS_PROCESS(Long);
    Long(sc_module_name, int steps, int accesses) : steps(steps), accesses(accesses) {
        SC_THREAD(p0);
        SC_THREAD(p1);
        SC_THREAD(p2);
        SC_THREAD(p3);
    }
};

int sc_main(int, char* argv[]) {
    Long top("top", atoi(argv[1]), atoi(argv[2]));
    sc_start();
    uint32_t sum = 0;
    for (auto& half : top.data)
        for (auto& row : half)
            for (uint32_t x : row) sum = sum * 31 + x;
    std::cout << "long: " << sum << "\\n";
    return 0;
}
"""
# One process works for long (about 0.1 ms a step), then three write what a fourth one reads: all choices are late.
LATE = """#include <systemc>
#include <cstdlib>

using namespace sc_core;

SC_MODULE(Late) {
    int steps, written[3] = {}, seen = 0;
    unsigned sum = 1;

    void work() {
        for (int i = 0; i < steps; ++i) {
            for (int k = 0; k < 100000; ++k) sum = sum * 1664525u + 1013904223u;
            wait(1, SC_NS);
        }
    }
    void write(int k) {
        wait(steps + 10, SC_NS);
        written[k] = 1;
    }
    void w0() { write(0); }
    void w1() { write(1); }
    void w2() { write(2); }
    void read() {
        wait(steps + 10, SC_NS);
        for (int x : written) seen = 2 * seen + x;
    }

    SC_HAS_PROCESS(Late);
    Late(sc_module_name, int steps) : steps(steps) {
        SC_THREAD(work);
        SC_THREAD(w0);
        SC_THREAD(w1);
        SC_THREAD(w2);
        SC_THREAD(read);
    }
};

int sc_main(int, char* argv[]) {
    Late top("top", atoi(argv[1]));
    sc_start();
    std::cout << "late: " << top.seen << " " << top.sum << "\\n";
    return 0;
}
"""
# Steps, and accesses in each.
SHAPES = [(20000, 100), (20000, 0), (200, 10000)]
LONGER = 20  # times the steps where nothing is recorded: the start of the process then counts for little
GROWTH = (2500, 5000, 10000, 20000)


def run(args, limit, env=None):
    """Exit code (less than 0: out of time), wall and processor seconds with all children, and what went to stderr."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        env = {**os.environ, **(env or {})}
        child = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=out, env=env, start_new_session=True)

        def stop(*_):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status, used = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    return child.returncode, time.monotonic() - start, used.ru_utime + used.ru_stime, text


class Failed(Exception):
    """What was to be measured did not run."""


def build_plain(source, macros, program):
    """The model as it is."""
    shim = os.path.join(HERE, "src", "explore", "shim")
    args = ["g++", "-O2", "-std=c++17", *macros, f"-I{shim}", source, "-lsystemc", "-o", program]
    code, *_, text = run(args, 300)
    if code != 0:
        raise Failed(f"g++ {source}: {text.strip()[-500:]}")
    return program


def build_hooked(source, macros, arguments=(), loose=False):
    """The model as `entail explore` builds it; with loose delays comparisons have hooks, too."""
    places = os.path.join(CACHE, "explore", "model-*", "model")
    before = set(glob.glob(places))
    options = ["--loose", "10%"] if loose else []
    args = [ENTAIL, "explore", source, *macros, *options, "--max-runs", "1", "-j", "1", "-q", "--", *arguments]
    code, *_, text = run(args, 300, {"ENTAIL_CACHE": CACHE})
    # A model that says itself which delays are loose is built twice, and used as it was built last.
    found = sorted(set(glob.glob(places)) - before, key=os.path.getmtime)
    if code not in (0, 1, 3) or not found:
        raise Failed(f"entail explore {source}: exit code {code} {text.strip()[-500:]}")
    return found[-1]


def explore(program, options, jobs, folder, arguments=()):
    """What --json says, with the wall and processor seconds and the megabytes."""
    told, measured = os.path.join(folder, "told.json"), os.path.join(folder, "megabytes")
    for old in (told, measured):
        with contextlib.suppress(FileNotFoundError):
            os.remove(old)
    args = [ENTAIL, "explore", "--program", program, "-j", str(jobs), "-q", "--json", told, *options, "--", *arguments]
    if TIME:
        # This script is larger than the explorer, and a child never seems smaller than the process it came from.
        args = [TIME, "-q", "-f", "%M", "-o", measured, *args]
    code, wall, used, text = run(args, 2 * LIMIT + 60)
    if code not in (0, 1, 3) or not os.path.exists(told):
        raise Failed(f"entail explore, -j {jobs}: exit code {code} {text.strip()[-500:]}")
    with open(told) as f:
        found = json.load(f)
    found.update(wall=wall, used=used, megabytes=None)
    if TIME:
        with open(measured) as f:
            found["megabytes"] = int(f.read().split()[-1]) / 1024
    return found


def loop(program, arguments=(), times=LOOP, env=None):
    """Wall and processor seconds of one execution, by a loop in a shell."""
    words = 'n=$1; shift; while [ "$n" -gt 0 ]; do "$@" >/dev/null 2>&1; n=$((n-1)); done'
    _, wall, used, _ = run(["sh", "-c", words, "sh", str(times), program, *arguments], 20 * LIMIT, env)
    return wall / times, used / times


def fastest(*measures):
    """Each of them three times, in turn, and the least wall and processor seconds of each."""
    rounds = [[m() for m in measures] for _ in range(3)]
    return [tuple(map(min, zip(*column))) for column in zip(*rounds)]


def row(cells):
    """Prints one line of a table at once."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def verdict(good):
    return "met" if good else "**not met**"


def outcomes(found):
    """How many, and how many of them fail."""
    bad = sum(bool(o["problems"]) for o in found["outcomes"])
    return f"{len(found['outcomes'])}" + (f" ({bad} fail)" if bad else "")


def describe(macros, options):
    return " ".join([*macros, *options]) or "fixed"


def measure(name, macros, options, known, programs, folder):
    """One row of the table."""
    loose = "--loose" in options
    key = (name, *macros, loose)
    if key not in programs:
        source = os.path.join(MODELS, f"{name}.cpp")
        plain = build_plain(source, macros, os.path.join(folder, f"plain-{len(programs)}"))
        hooked = build_hooked(source, macros, loose=loose)
        programs[key] = (plain, hooked, *fastest(lambda: loop(plain), lambda: loop(hooked)))
    _, hooked, one, alone = programs[key]
    options = [*options, "--time", f"{LIMIT:g}"]
    first, second = (explore(hooked, options, jobs, folder) for jobs in (1, 2))
    runs, classes, wall = first["runs"], first["classes"], first["wall"]
    note = "yes" if first["complete"] else "no"
    if first["complete"] and second["complete"]:
        # Which of several orders to a state is followed depends on who came first.
        kept = ("outcomes",) if "--merge" in options else ("classes", "outcomes")
        same = all(len(a) == len(b) if isinstance(a, list) else a == b
                   for a, b in ((first[k], second[k]) for k in kept))
        if not same:
            ODD.append(f"{name} {describe(macros, options)}: {classes} classes and {len(first['outcomes'])} outcomes with -j 1, "
                       f"{second['classes']} and {len(second['outcomes'])} with -j 2")
    elif first["complete"] != second["complete"]:
        note += ", with -j 2 " + ("yes" if second["complete"] else "no")
    if first["complete"] and known is not None and classes != known:
        ODD.append(f"{name} {describe(macros, options)}: {classes} classes, {known} are known")
    memory = "-" if first["megabytes"] is None else f"{first['megabytes']:.0f}"
    # By classes found a second, so that it means the same if time was up.
    speed = (second["classes"] / second["wall"]) / (classes / wall)
    again = runs * one[0]
    first.update(speed=speed, second=second)
    row([name, describe(macros, options[:-2]), runs, classes, f"{runs / classes:.2f}", outcomes(first), note, f"{wall:.2f}",
         f"{runs / wall:.0f}", f"{second['wall']:.2f}", f"{speed:.2f}", memory, f"{again:.2f}", f"{again / wall:.2f}",
         f"{alone[1] / one[1]:.2f}"])
    first["faster"] = again / wall
    return first


def long_model(folder):
    """What hooks and records cost in a model that runs longer: ratio of each shape, alone and explored."""
    source = os.path.join(folder, "long.cpp")
    with open(source, "w") as f:
        f.write(LONG)
    plain = build_plain(source, [], os.path.join(folder, "long"))
    hooked = build_hooked(source, [], ("4", "4"))
    alone, explored = [], []
    for steps, accesses in SHAPES:
        words = [str(LONGER * steps), str(accesses)]
        one, bare, replayed = fastest(
            lambda: loop(plain, words, 1),
            lambda: loop(hooked, words, 1),
            lambda: loop(hooked, words, 1, {"ENTAIL_SCHEDULE": "/dev/null"}),
        )
        alone.append(replayed[1] / one[1])
        shape = f"long model, {steps} steps of {accesses} shared accesses"
        print(f"{shape}: with hooks {bare[1] / one[1]:.2f} times the processor time of the plain program, with "
              f"ENTAIL_SCHEDULE=/dev/null {alone[-1]:.2f} times ({LONGER} times the steps)", flush=True)
        try:
            found = explore(hooked, ["--max-runs", "1", "--run-time", f"{LIMIT:g}"], 1, folder, [str(steps), str(accesses)])
        except Failed as e:
            print(f"{shape}: {e}")
            ODD.append(f"{shape}: not explored")
            explored.append(math.inf)
            continue
        explored.append(found["used"] / (one[1] / LONGER))
        memory = "" if found["megabytes"] is None else f", {found['megabytes']:.0f} MB"
        ends = ", ".join(sorted({o["end"] for o in found["outcomes"]}))
        print(f"{shape}: explored with --max-runs 1: {explored[-1]:.0f} times the processor time of one plain run"
              f"{memory}; complete: {'yes' if found['complete'] else 'no'}, the run {ends}", flush=True)
    for accesses in (0, 100):
        used = []
        for steps in GROWTH:
            with contextlib.suppress(Failed):
                used.append((steps, explore(hooked, ["--max-runs", "1"], 1, folder, [str(steps), str(accesses)])["used"]))
        if len(used) > 1:
            (n0, t0), (n1, t1) = used[0], used[-1]
            shown = ", ".join(f"{n}: {t / t0:.1f}" for n, t in used)
            print(f"one explored run of steps of {accesses} accesses grows (times that of {n0} steps) {shown}; as "
                  f"steps^{math.log(t1 / t0) / math.log(n1 / n0):.2f}", flush=True)
    return alone, explored


def late_model(folder):
    """What copies of the model in the middle of runs save where choices come late."""
    source = os.path.join(folder, "late.cpp")
    with open(source, "w") as f:
        f.write(LATE)
    hooked = build_hooked(source, [], ("4",))
    for steps in (500, 2000):
        without, with_ = (explore(hooked, ["--allow-different", "--checkpoints", n], 1, folder, [str(steps)]) for n in ("0", "8"))
        if (without["classes"], with_["classes"]) != (8, 8):
            ODD.append(f"late model: {without['classes']} and {with_['classes']} classes, not 8")
        print(f"late model, 8 classes after {steps} steps: without checkpoints {without['used'] / with_['used']:.2f} times the processor "
              "time of that with 8", flush=True)


def main():
    global CACHE
    with tempfile.TemporaryDirectory() as folder:
        CACHE = os.path.join(folder, "cache")
        print(f"limit {LIMIT:g} s, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n")
        row(["model", "options", "runs", "classes", "runs / classes", "outcomes", "complete", "-j 1 s", "runs/s", "-j 2 s",
             "speed-up", "MB", "plain s", "plain / explore", "one run"])
        row(["---"] * 15)
        programs, found = {}, {}
        for name, macros, options, known in ROWS:
            if not name.startswith(ONLY):
                continue
            try:
                found[name, describe(macros, options)] = measure(name, macros, options, known, programs, folder)
            except Failed as e:
                ODD.append(str(e))
        print()
        # Where an exploration is too short, only its start is measured.
        long_ones = [f for f in found.values() if f["wall"] >= 0.2 and f["runs"] > 100]
        if long_ones:
            speeds, faster = (sorted(f[k] for f in long_ones) for k in ("speed", "faster"))
            print(f"{len(long_ones)} rows of more than 100 runs: speed-up by two jobs {speeds[0]:.2f} to {speeds[-1]:.2f}; exploring "
                  f"is {faster[0]:.2f} to {faster[-1]:.2f} times as fast as executing the plain program as often")
        short = [hooked[1] / plain[1] for _, _, plain, hooked in programs.values()]
        if short:
            print(f"one run of the models above with hooks: {min(short):.2f} to {max(short):.2f} times the processor time of the "
                  "plain program")
        alone, explored = long_model(folder)
        late_model(folder)
        print()
        worst = max([*alone, *short])
        print(f"target: one run with hooks, not explored, below 5 times: {verdict(worst < 5)}, at most {worst:.2f} (the long "
              f"model {', '.join(f'{x:.2f}' for x in alone)})")
        print(f"target: one run explored, below 5 times: {verdict(max(explored) < 5)}, "
              f"{', '.join(f'{x:.0f}' for x in explored)} times in the long model")
        fixed, loose = found.get(("decoder", "fixed")), found.get(("decoder", "--loose 20%"))
        if fixed:
            n = fixed["classes"]
            print(f"target: 128 schedules of the case study at fixed delays: {verdict(n == 128 and fixed['complete'])}, {n} classes "
                  f"in {fixed['runs']} runs")
        if loose:
            print(f"target: ±20% complete: {verdict(loose['complete'])}, {loose['classes']} classes in {loose['runs']} runs")
        if ("decoder", True) in programs:
            try:
                most = explore(programs["decoder", True][1], ["--loose", "50%", "--time", f"{LIMIT:g}"], 2, folder)
                memory = "" if most["megabytes"] is None else f", {most['megabytes']:.0f} MB"
                print(f"±50% within {LIMIT:g} s, -j 2: {most['classes']} classes in {most['runs']} runs, outcomes: {outcomes(most)}, "
                      f"{'complete' if most['complete'] else 'not complete'}, {most['left']} wishes left{memory}")
            except Failed as e:
                ODD.append(f"±50%: {e}")
        print(f"load average at the end {os.getloadavg()[0]:.1f} (with this script's own)")
        print("\n".join(["", *ODD]) if ODD else "\nno job counts or known numbers differ")
    return 1 if ODD else 0


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
ENTAIL = shutil.which(os.path.abspath(sys.argv[1])) or sys.exit(f"{sys.argv[1]}: no such program")
LIMIT = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
os.environ["SYSTEMC_DISABLE_COPYRIGHT_MESSAGE"] = "1"
CACHE, ODD = "", []
if not os.access(TIME, os.X_OK):
    print("/usr/bin/time is not here, so memory is left out: install time")
    TIME = ""
sys.exit(main())
