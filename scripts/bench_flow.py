#!/usr/bin/env python3
"""How much the flow itself costs: `entail run` on many jobs that are known, and on jobs that are not.

Usage: bench_flow.py ENTAIL [JOBS]. Prints ratios and growth; times alone mean little on a shared machine, so the time
of a process that does nothing is printed beside them.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

entail = os.path.abspath(sys.argv[1])
most = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000


def timed(words, cwd):
    """Seconds and peak MB of a command."""
    began = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.chdir(cwd)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(words[0], words)
    _, status, usage = os.wait4(pid, 0)
    return time.perf_counter() - began, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def project(folder, jobs):
    """A project of small designs, each with as many jobs as it takes."""
    designs = min(100, jobs)
    os.makedirs(f"{folder}/rtl", exist_ok=True)
    with open(f"{folder}/entail.yaml", "w") as f:
        f.write("designs:\n")
        for d in range(designs):
            f.write(f"  d{d}: {{files: rtl/d{d}.sv, top: d{d}}}\n")
            with open(f"{folder}/rtl/d{d}.sv", "w") as v:
                v.write(
                    f"module d{d} #(parameter int N = 1) (input clk, input rst);\n"
                    "  reg [7:0] n;\n"
                    "  always @(posedge clk) if (rst) n <= 0; else if (n < N) n <= n + 1;\n"
                    "  never_above: assert property (@(posedge clk) disable iff (rst) n <= N);\n"
                    "endmodule\n"
                )
        f.write("jobs:\n")
        for j in range(jobs):
            f.write(f"  j{j}: {{kind: check, design: d{j % designs}, parameters: {{N: {j // designs + 1}}}}}\n")


def row(cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


print("## The flow itself\n")
floor = min(timed(["/bin/true"], "/")[0] for _ in range(20))
version = min(timed([entail, "--version"], "/")[0] for _ in range(5))
print(f"a process that does nothing: {floor * 1e3:.1f} ms; `entail --version`: {version * 1e3:.1f} ms\n")
row(["jobs", "first run s", "of it outside workers, ms a job", "known: run s", "list s", "all reports s", "MB", "a job of it, ms"])
row(["---"] * 8)
last = None
for jobs in [n for n in (100, 1_000, 10_000) if n <= most]:
    with tempfile.TemporaryDirectory() as folder:
        project(folder, jobs)
        first, _, code = timed([entail, "run", "-q", "-j", "2", "--json", "r.json"], folder)
        assert code == 0, code
        inside = sum(j["seconds"] for j in json.load(open(f"{folder}/r.json"))["jobs"])
        # Two at once, so that workers take half of their sum.
        overhead = (first - inside / 2) / jobs
        known, mb, code = timed([entail, "run", "-q"], folder)
        assert code == 0, code
        listed, mb2, _ = timed([entail, "list"], folder)
        reports, mb3, _ = timed(
            [entail, "run", "-q", "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--report", "r.html"], folder
        )
        row([jobs, f"{first:.1f}", f"{overhead * 1e3:.1f}", f"{known:.2f}", f"{listed:.2f}", f"{reports:.2f}",
             f"{max(mb, mb2, mb3):.0f}", f"{known / jobs * 1e3:.3f}"])
        if last:
            print(f"<!-- growth of a known run: {known / last[1]:.1f} times for {jobs / last[0]:.0f} times the jobs -->")
        last = (jobs, known)
