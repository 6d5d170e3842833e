#!/usr/bin/env python3
"""Signals in flight side by side: `entail check --crossings` against ABC's pdr and reach, and rIC3, where installed.

Table A is Table 1 of Smrčka et al. with our own FIFOs in VHDL, B how time and memory grow with the depth of these
FIFOs, C the seeded bugs. Peers get the very model that entail checks, written with --write-model; `auto` refines its
model while it runs, so there is none to give. The seconds of entail include reading and elaborating the design and
checking the evidence of the answer. Times are wall seconds and memory is the largest resident set of one run on one
machine (never less than that of this script), so only ratios and growth mean anything. A peer's cell is its verdict and
its seconds, `>60` if it came to the limit, `?` if it gave up, and `-` if it was not run.
ABC takes registers that may start with any value to start with 0, which spares it work: see ABC_READ.
Usage: bench_flight.py ENTAIL [LIMIT]
Ends with 1 if verdicts differ.
"""
import contextlib
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 60.0  # seconds of each run
# To keep free initial values: "read_aiger {}; logic; undc; strash; zero; fold; orpos"
ABC_READ = "read_aiger {}; fold; orpos"
PLACES = {"abc": ("berkeley-abc", "yosys-abc"), "rIC3": ("rIC3", "/opt/ric3/bin/rIC3")}

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BRAM = ["-f", "vhdl/flag_fifo/flag_fifo.f", "--top", "flag_fifo", "-P", "WIDTH=1"]
BRAM_CLOCKS = ["--clock", "wr_clk>=7", "--clock", "rd_clk>=7"]
ASYNC = ["-f", "vhdl/async_fifo/async_fifo.f", "--top", "async_fifo", "-P", "WIDTH=1"]
DIST = [*ASYNC, "-P", "STYLE=distributed"]
DIST_CLOCKS = ["--clock", "wr_clk>=4", "--clock", "rd_clk>=4"]
SV_ASYNC = ["-f", "async_fifo/async_fifo.f", "--top", "async_fifo", "-P", "WIDTH=1"]
FLIGHT = ["--metastable", "0", "--no-obligations"]
ROWS = {
    "no-check": ["--crossings", "none"],
    "all-gates": ["--crossings", "delayed", *FLIGHT],
    "destabil": ["--crossings", "destabilize", *FLIGHT],
    "auto": ["--crossings", "auto", *FLIGHT],
}
# Variables and seconds in the paper.
PAPER = {
    "bram no-check": ("36", "4.83"),
    "bram all-gates": ("220", "inf."),
    "bram destabil": ("44", "37.52"),
    "dist no-check": ("44", "4550"),
    "dist all-gates": ("48", "30556"),
}


def run(args, verdict, limit):
    """The verdict (`>` at the limit, `?` if it gave up), the seconds, the megabytes and the output of a run."""
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        start = time.monotonic()
        child = subprocess.Popen(args, cwd=HERE, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        late = []

        def stop(*_):
            late.append(True)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status, used = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    said = verdict(child.returncode, text) or "?"
    if late:
        said = ">"
    elif child.returncode < 0:
        said = "?"
        print(f"{os.path.basename(args[0])} died of signal {-child.returncode}", file=sys.stderr, flush=True)
    return said, seconds, used.ru_maxrss / 1024, text


def entail(args):
    """A run of entail; its own limit is for each property and refinement, so it is given some more before it is ended."""

    def verdict(code, text):
        # 2 is an error, 3 unknown and 4 a crash; none of them is a verdict.
        return {0: "holds", 1: "fails"}.get(code) if re.search(r"^(holds|fails) ", text, re.M) else None

    call = [ENTAIL, "-C", "designs", "check", *args, "--timeout", f"{LIMIT:g}"]
    answer = run(call, verdict, 2 * LIMIT + 5)
    if not re.search(r": 1 properties?\b", answer[3]):
        print(f"not one property: {' '.join(args)}\n{answer[3][:500]}", file=sys.stderr, flush=True)
    return answer


def abc_verdict(_, text):
    """What ABC says, in words only."""
    if re.search(r"was asserted in frame|is asserted in frame|Output \d+ .*SAT", text):
        return "fails"
    return "holds" if re.search(r"Property proved|proved unreachable|are proved", text) else None


def ric3_verdict(code, text):
    """rIC3's exit code, or its words if a version has another code."""
    word = re.search(r"\b(UNSAT|SAT|Unsafe|Safe)\b(?!.*\b(UNSAT|SAT|Unsafe|Safe)\b)", text, re.S | re.I)
    said = {"UNSAT": "holds", "SAFE": "holds", "SAT": "fails", "UNSAFE": "fails"}
    return {20: "holds", 10: "fails"}.get(code) or (word and said[word[1].upper()])


def find_peers():
    """name -> function of a model's path, for each peer that is installed; None for the others."""
    found = {tool: next(filter(None, map(shutil.which, places)), None) for tool, places in PLACES.items()}

    def abc(command):
        return lambda path: run([found["abc"], "-c", f"{ABC_READ.format(path)}; {command}"], abc_verdict, LIMIT)

    return {
        "ABC pdr": abc("pdr") if found["abc"] else None,
        "ABC reach": abc("reach -B 10000000 -F 100000") if found["abc"] else None,
        "rIC3": (lambda path: run([found["rIC3"], path], ric3_verdict, LIMIT)) if found["rIC3"] else None,
    }


def state_bits(text):
    """The number of state bits in entail's first line."""
    found = re.search(r"(\d+) state bits", text)
    return found[1] if found else "-"


def critical_paths(design):
    """How many paths between clocks `entail cdc` counts."""
    done = subprocess.run([ENTAIL, "-C", "designs", "cdc", "--clocks", *design], cwd=HERE, capture_output=True, text=True)
    found = re.findall(r"^\S+ -> \S+: (\d+) paths?\b", done.stdout, re.M)
    return str(sum(map(int, found))) if found else "-"


def row(cells):
    """Prints one line of a table at once."""
    print("| " + " | ".join(cells) + " |", flush=True)


def head(title, *columns):
    """Prints the title and the head of a table."""
    print(f"\n### {title}\n")
    row(columns)
    row(["---"] * len(columns))


def cell(said, seconds):
    """A verdict with its seconds."""
    return f">{LIMIT:g}" if said == ">" else f"{said} {seconds:.2f}"


def compare(case, args, peers, folder):
    """Runs entail and the peers: entail's run, a cell for each peer and one for the ratio."""
    own = entail(args)
    runs = {}
    if peers and "auto" not in args:
        path = os.path.join(folder, "model.aig")
        call = [ENTAIL, "-C", "designs", "check", "-q", *args, "--write-model", path]
        done = subprocess.run(call, cwd=HERE, capture_output=True, text=True)
        if not os.path.exists(path):
            print(f"{case}: no model: {done.stderr.strip()}", file=sys.stderr, flush=True)
        else:
            with open(path, "rb") as model:
                latches = model.readline().split()[3].decode()
            if latches != state_bits(own[3]):
                print(f"{case}: {state_bits(own[3])} state bits, but {latches} in the model", file=sys.stderr, flush=True)
            runs = {name: peer(path) for name, peer in peers.items() if peer}
            os.remove(path)
    said = {name: r[0] for name, r in {"entail": own, **runs}.items() if r[0] in ("holds", "fails")}
    if len(set(said.values())) > 1:
        DIFFER.append(f"DISAGREE {case}: " + ", ".join(f"{name} {v}" for name, v in said.items()))
    best = [runs[name][1] for name in said if name in runs]
    ratio = "-"
    if best and "entail" in said:
        # Below a hundredth of a second nothing but the start of a program is measured.
        RATIOS.append(max(own[1], 0.01) / max(min(best), 0.01))
        ratio = f"{RATIOS[-1]:.2f}"
    elif best:
        ratio = "**missed**"
    shown = [cell(*runs[name][:2]) if name in runs else "-" for name in peers]
    return own, shown, ratio


def table_a(peers, folder):
    """Each way to model crossings on both FIFOs."""
    head("A: Table 1 of Smrčka et al. with our own VHDL FIFOs", "case", "paper: variables", "paper: s", "state bits",
         "critical paths", "verdict", "entail s", "MB", *peers, "entail / best peer")
    designs = {
        "bram": (BRAM, ["--only", "wr_check"], BRAM_CLOCKS),
        "dist": ([*DIST, "-P", "DEPTH_LOG2=3"], ["--only", "l346"], DIST_CLOCKS),
    }
    for name, (design, only, clocks) in designs.items():
        paths = critical_paths(design)
        cases = [(f"{name} {kind}", args) for kind, args in ROWS.items()]
        cases += [(f"{name} {kind}, {clocks[1].split('_clk')[1]}", args + clocks) for kind, args in list(ROWS.items())[1:]]
        for case, args in cases:
            own, shown, ratio = compare(case, [*design, *only, *args], peers, folder)
            paper = PAPER.get(case, ("", ""))
            row([case, *paper, state_bits(own[3]), paths, own[0], f"{own[1]:.2f}", f"{own[2]:.0f}", *shown, ratio])


def table_b():
    """Both FIFOs at several depths."""
    head("B: growth", "case", "DEPTH_LOG2", "state bits", "verdict", "entail s", "MB", "times the s before")
    families = [
        ("bram destabil, >=7", [*BRAM, "--only", "wr_check", *ROWS["destabil"], *BRAM_CLOCKS], (2, 3, 4, 5)),
        ("dist all-gates", [*DIST, "--only", "l346", *ROWS["all-gates"]], (1, 2, 3)),
    ]
    for case, args, depths in families:
        before = None
        for depth in depths:
            said, seconds, megabytes, text = entail([*args, "-P", f"DEPTH_LOG2={depth}"])
            times = f"{seconds / before:.1f}" if before and said in ("holds", "fails") else ""
            row([case, str(depth), state_bits(text), said, f"{seconds:.2f}", f"{megabytes:.0f}", times])
            before = seconds


def table_c(peers, folder):
    """The seeded bugs; says how many entail catches."""
    peers = {name: peer for name, peer in peers.items() if name != "ABC reach"}
    head("C: seeded bugs caught", "case", "state bits", "verdict", "entail s", "MB", *peers, "entail / best peer")
    vhdl = [*ASYNC, "-P", "DEPTH_LOG2=2", "--crossings", "delayed", "--only", "l342"]
    sv = [*SV_ASYNC, "-P", "LOG_DEPTH=2", "--crossings", "delayed", "--only", "assert_line_225"]
    cases = [("vhdl async_fifo BUG=1", vhdl), ("vhdl async_fifo BUG=2", vhdl), ("sv async_fifo BUG=1", sv)]
    caught = 0
    for case, args in cases:
        own, shown, ratio = compare(case, [*args, "-P", case.split()[-1]], peers, folder)
        caught += own[0] == "fails"
        row([case, state_bits(own[3]), own[0], f"{own[1]:.2f}", f"{own[2]:.0f}", *shown, ratio])
    print(f"\n{caught} of {len(cases)} seeded bugs caught")


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
ENTAIL = shutil.which(os.path.abspath(sys.argv[1])) or sys.exit(f"{sys.argv[1]}: no such program")
LIMIT = float(sys.argv[2]) if len(sys.argv) > 2 else LIMIT
RATIOS, DIFFER = [], []
with tempfile.TemporaryDirectory() as work:
    tools = find_peers()
    table_a(tools, work)
    table_b()
    table_c(tools, work)
print("\n" + "\n".join(DIFFER) if DIFFER else "\nno verdicts differ")
if RATIOS:
    print(f"median ratio {statistics.median(RATIOS):.2f}, largest {max(RATIOS):.2f}, over {len(RATIOS)} rows")
sys.exit(1 if DIFFER else 0)
