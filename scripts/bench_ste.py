#!/usr/bin/env python3
"""Symbolic trajectory evaluation side by side: entail's diagrams against BuDDy, CUDD, ABC and entail's solver.

Every row is one assertion. Peers read it as one AIGER file (`entail prove --write-miters`) with one output that must be
0, its inputs in the order of entail's diagrams: bench_ste_peer.c builds all gates of it in that order, ABC proves it by
`&cec -m`. Seconds of entail (bdd, sat) and of the peers with diagrams are those of the engine alone, of ABC those of the
whole process, memory is the largest resident set; all of one machine, so only ratios and growth mean anything. What
diagrams do in less than a second is done three times, and the fastest counts.
Usage: bench_ste.py ENTAIL [LIMIT]
ENTAIL_BENCH=adder runs the rows alone that start so. CUDD=PREFIX names a folder with include/cudd.h and lib/libcudd.a.
"""
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENTAIL = os.path.abspath(sys.argv[1])
LIMIT = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ONLY = os.environ.get("ENTAIL_BENCH", "")
NODES = 1 << 25
WIDTHS = (16, 32, 64, 128, 256, 512)

ADDER = """design:
  lists: [{here}/designs/datapath/datapath.f]
  top: adder_unit
  parameters: {{WIDTH: {w}, KIND: {kind}}}
vectors: {{a: {w}, b: {w}, cin: 1}}
order: ["interleave(a, b)"]
given: [a is a, b is b, cin is cin]
assertions:
  row:
    then:
      - sum is a + b + cin
      - cout is ({w1}'(a) + b + cin) >> {w}
"""
SHIFTER = """design:
  lists: [{here}/designs/datapath/datapath.f]
  top: barrel
  parameters: {{WIDTH: {w}}}
library: [shift{w}.sv]
vectors: {{mode: 2, n: {log}, x: {w}}}
order: [mode, n]
given: [mode is mode, n is n, x is x]
assertions:
  row:
    then: y is shifted(mode, x, n)
"""
SHIFTED = """package spec_shift;
    function automatic logic [{w1}:0] shifted(input logic [1:0] mode, input logic [{w1}:0] x, input logic [{log1}:0] n);
        logic [2*{w}-1:0] wide;
        case (mode)
            2'd0:    wide = {{{{{w}{{1'b0}}}}, x << n}};
            2'd1:    wide = {{{{{w}{{1'b0}}}}, x}} >> n;
            2'd2:    wide = {{{{{w}{{x[{w1}]}}}}, x}} >> n;
            default: wide = {{x, x}} >> n;
        endcase
        shifted = wide[{w1}:0];
    endfunction
endpackage
"""
# What an operation does not read is X: the result must not depend on it.
ALU = """design:
  lists: [{here}/designs/datapath/datapath.f]
  top: alu_comb
  parameters: {{WIDTH: 32}}
library: [{here}/proofs/lib/alu.sv]
vectors: {{op: 4, n: 5, l: 5, h: 27, u: 27}}
order: [op, "interleave(n, l)", "interleave(u, h)"]
given:
  - op is op
  - "a is {{u, l}} when op < 10"
  - "b[4:0] is n when op < 11"
  - "b[31:5] is h when op < 7 || op == 10"
assertions:
  row:
    then:
      - "y is alu_result(op, {{u, l}}, {{h, n}})"
      - "zero is alu_flags(op, {{u, l}}, {{h, n}}) >> 2"
      - "carry is alu_flags(op, {{u, l}}, {{h, n}}) >> 1"
      - "overflow is alu_flags(op, {{u, l}}, {{h, n}})"
"""
NETLIST = """design:
  files: [netlist.sv]
  top: both
vectors: {x: 24}
reads: {p: one at 0, q: two at 0}
given: x is x
assertions:
  row:
    then: p == q
"""
# Sixteen cases by four bits of an operand, as large as each other but for the first.
CASES = """design:
  lists: [{here}/designs/mult/mult.f]
  top: mult
  parameters: {{WIDTH: {w}, PP: 1, TREE: 1, ADDER: 1}}
vectors: {{a: {w}, b: {w}}}
given: [a is a, b is b]
assertions:
  case_$i:
    for: {{i: 0..15}}
    where: b[0] && b[{top}:{low}] == $i
    then: p is a * b
"""


def netlist(gates, inputs=24, layers=10, reach=60, seed=2026):
    """A layered net of random gates, twice: as it is, and with every gate and every order written in another way."""
    pick = random.Random(seed)
    columns = gates // layers
    one, two = [], []
    before = [f"x[{i * inputs // columns}]" for i in range(columns)]
    for layer in range(layers):
        here = []
        for i in range(columns):
            a, b, c = (before[(i + pick.randint(-reach, reach)) % columns] for _ in range(3))
            n = f"n{layer}_{i}"
            first, second = pick.choice((
                (f"{a} & {b} & ~{c}", f"~(~{a} | ({c} | ~{b}))"),
                (f"{a} | {b} | ~{c}", f"~(~{a} & ({c} & ~{b}))"),
                (f"{a} ^ {b}", f"({a} | {b}) & ~({a} & {b})"),
                (f"{c} ? {a} : {b}", f"({a} | ~{c}) & ({b} | {c})"),
            ))
            one.append(f"  wire {n} = {first};")
            two.append(f"  wire {n} = {second};")
            here.append(n)
        before = here
    out = f"input logic [{inputs - 1}:0] x, output logic [{columns - 1}:0] y"
    end = "  assign y = {" + ", ".join(reversed(before)) + "};"
    text = ""
    for name, body in (("first", one), ("second", two)):
        text += "\n".join([f"module {name}({out});", *body, end, "endmodule", ""])
    pair = out.replace(" y", " one, two")
    return text + f"module both({pair});\n  first f(.x, .y(one));\n  second s(.x, .y(two));\nendmodule\n"


def run(args, limit=LIMIT):
    """Exit code (less than 0: out of time), text, seconds, megabytes and processor seconds of a run."""
    start = time.time()
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        child = subprocess.Popen(args, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status, used = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    return child.returncode, text, time.time() - start, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def claims(text):
    """(verdict, engine's seconds, nodes) of each assertion that `entail prove` tells about."""
    found = re.findall(r"^(\S+) .*\((?:bdd|sat), ([\d.]+) (ms|s), (\d+) nodes", text, re.M)
    return [(word, float(n) / (1e3 if unit == "ms" else 1), int(nodes)) for word, n, unit, nodes in found]


def best(measure):
    """The fastest of three measurements of (verdict, seconds, ...) if they are short; other work disturbs those."""
    all_ = [measure()]
    while len(all_) < 3 and all_[0][1] is not None and all_[0][1] < 1:
        all_.append(measure())
    return min(all_, key=lambda m: math.inf if m[1] is None else m[1])


def entail(spec, engine):
    """(verdict, engine's seconds, nodes, wall seconds, megabytes)."""
    args = [ENTAIL, "prove", spec, "--no-recheck", "--engine", engine, "--timeout", str(LIMIT), "-j", "1"]
    code, text, wall, memory, _ = run(args, 2 * LIMIT + 5)
    said = claims(text)
    if code != 0 or len(said) != 1:
        if code > 0 and not said and "unknown" not in text:
            print(f"{os.path.basename(spec)}: {text.strip()}", file=sys.stderr)
        return "-", None, None, wall, memory
    return *said[0], wall, memory


def diagrams(program):
    def go(path):
        code, text, *_ = run([program, path, str(NODES)])
        m = re.match(r"(constant|open) ([\d.]+) ", text)
        return ("holds" if m[1] == "constant" else "fails", float(m[2])) if code == 0 and m else ("-", None)

    return lambda path: best(lambda: go(path))


def abc(program):
    def go(path):
        code, text, wall, *_ = run([program, "-c", f"&r {path}; &cec -m -C 100000000"])
        if code < 0 or "UNDECIDED" in text:
            return "-", None
        return ("fails" if "NOT EQUIVALENT" in text else "holds" if "are equivalent" in text else "-"), wall

    return go


def peers(folder):
    """Those that are here, by name; says which are not."""
    found = {}
    source = os.path.join(HERE, "scripts", "bench_ste_peer.c")
    install = [os.path.join(HERE, "scripts", "install.sh"), "gcc", "/usr/include/bdd.h:libbdd-dev"]
    subprocess.run(install, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    prefix = os.environ.get("CUDD", "/usr")
    kinds = {
        "BuDDy": (["-lbdd"], "install libbdd-dev"),
        "CUDD": (["-DCUDD", f"-I{prefix}/include", f"-L{prefix}/lib", "-lcudd", "-lm"],
                 "Debian has no package, PyPI's dd has it without optimisation; set CUDD=PREFIX"),
    }
    for name, (flags, hint) in kinds.items():
        program = os.path.join(folder, name)
        try:
            built = subprocess.run(["gcc", "-O2", source, *flags, "-o", program], stderr=subprocess.DEVNULL).returncode == 0
        except FileNotFoundError:
            built = False
        if built:
            found[name] = diagrams(program)
        else:
            print(f"{name} is not here and left out: {hint}")
    program = shutil.which("berkeley-abc") or shutil.which("yosys-abc")
    if program:
        found["abc cec"] = abc(program)
    else:
        print("abc is not here and left out: install berkeley-abc")
    return found


def specifications(folder):
    """(family, size, file, target in seconds) of each row."""

    def text(name, body):
        path = os.path.join(folder, name)
        with open(path, "w") as f:
            f.write(body)
        return path

    def adder(w, kind):
        return text(f"adder{w}_{kind}.yaml", ADDER.format(here=HERE, w=w, w1=w + 1, kind=kind))

    rows = []
    for w in (64, 256):
        for kind, name in ((0, "ripple"), (1, "Kogge-Stone"), (2, "Brent-Kung")):
            rows.append((f"adder, {name}", w, adder(w, kind), 0.05 if w == 64 else None))
    rows.append(("alu with X", 32, text("alu.yaml", ALU.format(here=HERE)), None))
    rows.append(("booth", 8, os.path.join(HERE, "proofs", "booth8.yaml"), 1.0))
    text("netlist.sv", netlist(10000))
    rows.append(("netlist", 10000, text("netlist.yaml", NETLIST), None))
    for w in WIDTHS:
        rows.append(("growing adder", w, adder(w, 1), None))
    for w in WIDTHS:
        log = w.bit_length() - 1
        text(f"shift{w}.sv", SHIFTED.format(w=w, w1=w - 1, log1=log - 1))
        rows.append(("growing shifter", w, text(f"shifter{w}.yaml", SHIFTER.format(here=HERE, w=w, log=log)), None))
    return [r for r in rows if r[0].startswith(ONLY)]


def verdict(good):
    return "met" if good else "**missed**"


def growth(family, rows):
    """How seconds and nodes grow from the smallest row to the largest, as powers of the size."""
    (n0, t0, m0), (n1, t1, m1) = rows[0], rows[-1]
    power = [math.log(max(b, 1e-4) / max(a, 1e-4)) / math.log(n1 / n0) for a, b in ((t0, t1), (m0, m1))]
    shown = ", ".join(f"{n}: {t:.3f} s {m} nodes" for n, t, m in rows)
    print(f"{family}: {shown}; time grows as size^{power[0]:.2f}, nodes as size^{power[1]:.2f}")


def parallel(folder):
    """The same sixteen cases by one thread and by two."""
    w = 12
    path = os.path.join(folder, "cases.yaml")
    with open(path, "w") as f:
        f.write(CASES.format(here=HERE, w=w, top=w - 1, low=w - 4))
    loads, walls, work = [], [], []
    for jobs in (1, 2):
        loads.append(os.getloadavg()[0])
        args = [ENTAIL, "prove", path, "--no-recheck", "-j", str(jobs)]
        code, text, wall, memory, used = run(args, 20 * LIMIT)
        each = [t for word, t, _ in claims(text) if word == "holds"]
        if code != 0 or len(each) != 16:
            print(f"16 cases, -j {jobs}: not done within {20 * LIMIT:.0f} s {text.strip()[-300:]}")
            return
        walls.append(wall)
        work.append(used)
        print(f"16 cases of a {w} by {w} multiplier, -j {jobs}: {wall:.2f} s, {used:.2f} s of processors, {memory:.0f} MB; "
              f"engine {min(each):.2f} to {max(each):.2f} s a case")
    speed = walls[0] / walls[1]
    print(f"speed-up {speed:.2f} on {os.cpu_count()} cores, at most {2 * work[0] / work[1]:.2f} by the work done; load average "
          f"before {loads[0]:.1f} and {loads[1]:.1f} (wall time means nothing unless idle); target 1.7: {verdict(speed >= 1.7)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        others = peers(folder)
        print(f"limit {LIMIT:.0f} s, load average {os.getloadavg()[0]:.1f}\n")
        ratios, grown, missed = {}, {}, 0
        known = [n for n in others if n != "abc cec"]
        columns = ["bdd", "nodes", "wall", "MB", *others, "sat", *(f"bdd / {n}" for n in known), "target"]
        print("| assertion | " + " | ".join(columns) + " |")
        print("|---|" + "---|" * len(columns))
        for family, size, spec, target in specifications(folder):
            said, seconds, nodes, wall, memory = best(lambda: entail(spec, "bdd"))
            cells = {"sat": entail(spec, "sat")[:2]}
            miters = os.path.join(folder, "miters")
            shutil.rmtree(miters, ignore_errors=True)
            _, text, *_ = run([ENTAIL, "prove", spec, "--write-miters", miters], 6 * LIMIT)
            files = os.listdir(miters) if os.path.isdir(miters) else []
            if not files:
                print(f"{family} {size}: no miter: {text.strip()}", file=sys.stderr)
            for name, tool in others.items():
                cells[name] = tool(os.path.join(miters, files[0])) if files else ("-", None)
            row = [f"{said} {seconds:.3f}", str(nodes)] if seconds is not None else ["-", "-"]
            row += [f"{wall:.2f}", f"{memory:.0f}"]
            shown = {n: "-" if t is None else f"{v} {t:.3f}" for n, (v, t) in cells.items()}
            row += [shown[n] for n in [*others, "sat"]]
            for name in known:
                other = cells[name][1]
                if seconds is not None and other is not None:
                    # Below a thousandth of a second nothing but noise is measured.
                    ratio = max(seconds, 0.001) / max(other, 0.001)
                    ratios.setdefault(name, []).append((ratio, f"{family} {size}"))
                    row.append(f"{ratio:.2f}")
                else:
                    row.append("")
            if seconds is None and any(t is not None for _, t in cells.values()):
                missed += 1
            last = "" if target is None else f"{target} s: " + verdict(seconds is not None and seconds < target)
            if len({v for v, _ in [*cells.values(), (said, None)] if v != "-"}) > 1:
                last += " **verdicts differ**"
            if seconds is not None and family.startswith("growing"):
                grown.setdefault(family, []).append((size, seconds, nodes))
            print(f"| {family} {size} | " + " | ".join([*row, last]) + " |", flush=True)
        print()
        for name, list_ in ratios.items():
            list_.sort()
            print(f"bdd / {name}: median {list_[len(list_) // 2][0]:.2f}, largest {list_[-1][0]:.2f} ({list_[-1][1]}), "
                  f"over {len(list_)} rows")
        for family, rows in grown.items():
            if len(rows) > 2:
                growth(family, rows)
        print(f"not decided by diagrams though another engine or tool does: {missed}\n")
        if "parallel".startswith(ONLY):
            parallel(folder)


main()
