#!/usr/bin/env python3
"""Model checking side by side: entail's engines against ABC's pdr and reach, and rIC3 if it is installed.

Every row is one AIGER file with one property that all tools read, under the same limit; times are wall seconds and
memory is the largest resident set of one run on one machine, so only ratios and growth mean anything.
Usage: bench_check.py ENTAIL [LIMIT] [MODEL.aig ...]
ENTAIL_BENCH=crossing runs one family alone.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENTAIL = sys.argv[1]
LIMIT = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

COUNTER = """module counter(input logic clk, en);
  logic [%d:0] n = 0;
  always_ff @(posedge clk) if (en) n <= (n == %d) ? 0 : n + 1'b1;
  always_ff @(posedge clk) assert (n != {%d{1'b1}});
endmodule
"""
PIPELINE = """module pipeline(input logic clk, stall, input logic [3:0] d);
  logic [3:0] a [%d], b [%d];
  initial for (int i = 0; i < %d; i++) begin a[i] = 0; b[i] = 0; end
  always_ff @(posedge clk) if (!stall) begin
    a[0] <= d; b[0] <= ~d;
    for (int i = 1; i < %d; i++) begin a[i] <= a[i-1] + 1'b1; b[i] <= b[i-1] - 1'b1; end
  end
  logic [3:0] age = 0;
  always_ff @(posedge clk) if (!stall && age != %d) age <= age + 1'b1;
  always_ff @(posedge clk) if (age == %d) assert (a[%d] == ~b[%d]);
endmodule
"""


def models(folder):
    """(family, size, file) of each generated model."""

    def build(family, size, args):
        path = os.path.join(folder, f"{family}{size}.aig")
        done = subprocess.run([ENTAIL, "-C", HERE, "check", "-q", *args, "--write-model", path], capture_output=True, text=True)
        if not os.path.exists(path):
            print(f"{family} {size}: {done.stderr.strip()}", file=sys.stderr)
            return []
        return [(family, size, path)]

    def text(family, size, body):
        source = os.path.join(folder, f"{family}{size}.sv")
        with open(source, "w") as f:
            f.write(body)
        return build(family, size, [source, "--top", family])

    rows = []
    for n in (4, 8, 12, 16):
        rows += text("counter", n, COUNTER % (n - 1, 2 ** n - 3, n))
    for n in (2, 4, 6, 8):
        rows += text("pipeline", n, PIPELINE % (n, n, n, n, n, n, n - 1, n - 1))
    for n in (2, 4, 8, 12):
        args = ["-f", "designs/arbiter/arbiter.f", "--top", "arbiter", "-P", f"N={n}"]
        rows += build("arbiter", n, [*args, "--only", "g_fair[1]"])
    for n in (1, 2, 3):
        args = ["-f", "designs/async_fifo/async_fifo.f", "--top", "async_fifo", "-P", "WIDTH=1", "-P", f"LOG_DEPTH={n}"]
        rows += build("fifo", n, [*args, "--only", "211"])
    for n in (3, 4, 5):
        rows += build("div", n, ["-f", "designs/div/div.f", "--top", "div", "-P", f"WIDTH={n}", "--only", "114"])
    for bug in (1, 2):
        args = ["-f", "designs/uart/uart.f", "--top", "uart", "-P", "DIVISOR=4", "-P", f"BUG={bug}"]
        rows += build("uart with bug", bug, [*args, "--only", "assert_line_102"])
    for path in sorted(glob.glob(os.path.join(HERE, "tests", "models", "*.aig"))):
        rows.append(("crossing", os.path.basename(path)[:-4], path))
    return rows


def run(args, verdict):
    """The verdict, the seconds and the megabytes of a run."""
    start = time.time()
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        child = subprocess.Popen(args, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        _, status, used = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    said = verdict(child.returncode, text) if child.returncode >= 0 else "-"
    return said, time.time() - start, used.ru_maxrss / 1024


def entail(engine):
    def go(path):
        # These two do not end by themselves on most of what holds.
        limit = LIMIT / 10 if engine in ("bmc", "induction") else LIMIT
        args = [ENTAIL, "check", path, "-q", "--engine", engine, "--timeout", str(limit)]
        return run(args, lambda code, _: {0: "holds", 1: "fails"}.get(code, "-"))

    return go


def abc(command):
    program = shutil.which("berkeley-abc") or shutil.which("yosys-abc")

    def verdict(_, text):
        if re.search(r"was asserted in frame|is asserted in frame|Output \d+ .*SAT", text):
            return "fails"
        return "holds" if re.search(r"Property proved|proved unreachable|are proved", text) else "-"

    return lambda path: run([program, "-c", f"read {path}; fold; orpos; {command}"], verdict)


def ric3(path):
    return run(["rIC3", path], lambda code, _: {20: "holds", 10: "fails"}.get(code, "-"))


def main():
    peers = {"abc pdr": abc("pdr"), "abc reach": abc("reach -B 10000000 -F 100000")}
    if shutil.which("rIC3"):
        peers["rIC3"] = ric3
    tools = {name: entail(name) for name in ("portfolio", "ic3", "bdd", "bmc", "induction")} | peers
    with tempfile.TemporaryDirectory() as folder:
        rows = models(folder) + [("file", os.path.basename(p), os.path.abspath(p)) for p in sys.argv[3:]]
        only = os.environ.get("ENTAIL_BENCH", "")
        rows = [r for r in rows if r[0].startswith(only)]
        print("| model | " + " | ".join(tools) + " | portfolio / best peer |")
        print("|---|" + "---|" * (len(tools) + 1))
        ratios, growth, missed = [], {}, 0
        for family, size, path in rows:
            cells = {name: tool(path) for name, tool in tools.items()}
            said = {v for v, _, _ in cells.values() if v != "-"}
            best = [t for n, (v, t, _) in cells.items() if n in peers and v != "-"]
            own = cells["portfolio"]
            ratio = ""
            if own[0] != "-" and best:
                # Below a hundredth of a second nothing but the start of a program is measured.
                ratios.append(max(own[1], 0.01) / max(min(best), 0.01))
                ratio = f"{ratios[-1]:.2f}"
            elif own[0] == "-" and best:
                ratio = "**missed**"
                missed += 1
            if len(said) > 1:
                ratio += " **verdicts differ**"
            if own[0] != "-":
                growth.setdefault(family, []).append((size, own[1], own[2]))
            shown = [f"{v} {t:.2f}" if v != "-" else "-" for v, t, _ in cells.values()]
            print(f"| {family} {size} | " + " | ".join(shown) + f" | {ratio} |", flush=True)
    if ratios:
        ratios.sort()
        print(f"\nmedian ratio {ratios[len(ratios) // 2]:.2f}, largest {ratios[-1]:.2f}, over {len(ratios)} rows")
    for family, rows in growth.items():
        if family != "crossing" and len(rows) > 2:
            print(f"growth of {family}: " + ", ".join(f"{n}: {t:.2f} s {m:.0f} MB" for n, t, m in rows))
    print(f"not solved though a peer does: {missed}")


main()
