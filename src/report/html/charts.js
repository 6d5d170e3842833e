// Small drawings: the bar of statuses, the trend, histories of jobs.

// Jobs by status as one bar; what is rare keeps a width that can be seen.
function statusBar(counts) {
  return h(
    "div",
    { class: "bar", "aria-hidden": "true" },
    STATUSES.map((status) => counts[status] > 0 && h("span", { class: `b-${status}`, style: `flex-grow:${counts[status]}` })),
  );
}

// Earlier runs of the project, oldest first, and this one: jobs by status above, time below.
function trend() {
  const now = { at: report.at, commit: report.commit, seconds: report.seconds, counts: COUNTED.map(() => 0), now: true };
  jobs.forEach((job) => now.counts[COUNTED.indexOf(job.status)]++);
  const all = [...(report.trend ?? []), now];
  const runs = all.slice(-60);
  const [width, upper, gap, lower] = [600, 84, 14, 30];
  const pitch = Math.min(width / runs.length, 26);
  const thick = Math.max(pitch - Math.min(4, pitch / 3), 1);
  const left = width - pitch * runs.length;
  const most = Math.max(1, ...runs.map((run) => run.counts.reduce((a, b) => a + b, 0)));
  const slowest = Math.max(1e-9, ...runs.map((run) => run.seconds || 0));
  const bars = runs.map((run, index) => {
    const x = left + index * pitch;
    const total = run.counts.reduce((a, b) => a + b, 0);
    let y = upper;
    const rect = (status, height) => s("rect", { class: `f-${status}`, x, y: (y -= height), width: thick, height });
    const stack = [];
    // From the bottom: what is as expected gives way, so that one failure among thousands is seen.
    const heights = COUNTED.map((_, i) => (run.counts[i] ? Math.max((run.counts[i] / most) * upper, i ? 2.5 : 1) : 0));
    heights[0] = Math.max(0, Math.min(heights[0], (total / most) * upper - heights.slice(1).reduce((a, b) => a + b, 0)));
    COUNTED.forEach((status, i) => heights[i] > 0 && stack.push(rect(status, heights[i])));
    const tall = Math.max(((run.seconds || 0) / slowest) * lower, 1);
    const text = COUNTED.map((status, i) => run.counts[i] && `${run.counts[i]} ${status}`).filter(Boolean).join(", ");
    return s(
      "g",
      { class: run.now ? "run now" : "run" },
      s("title", {}, `${run.now ? "This run, " : ""}${date(run.at)}${run.commit ? `, ${short(run.commit)}` : ""}\n${text}\n${seconds(run.seconds)}`),
      s("rect", { class: "hit", x: x - (pitch - thick) / 2, y: 0, width: pitch, height: upper + gap + lower }),
      stack,
      s("rect", { class: "f-time", x, y: upper + gap + lower - tall, width: thick, height: tall }),
    );
  });
  const first = runs[0];
  const label = `The last ${count(runs.length, "run")}, from ${date(first.at, false)}: jobs by status, and time.`;
  return h(
    "figure",
    { class: "trend" },
    h("figcaption", {}, "Trend", h("span", { class: "dim" }, `last ${count(runs.length, "run")}, this one at the right`)),
    h(
      "div",
      { class: "trend-body" },
      s(
        "svg",
        { viewBox: `0 0 ${width} ${upper + gap + lower}`, role: "img", "aria-label": label },
        s("path", { class: "rule", d: `M0 ${upper + 0.5}H${width}M0 ${upper + gap + lower - 0.5}H${width}` }),
        bars,
      ),
      h("div", { class: "trend-label upper" }, h("b", {}, whole.format(most)), most === 1 ? " job" : " jobs"),
      h("div", { class: "trend-label lower" }, h("b", {}, seconds(slowest)), " longest"),
    ),
    h("div", { class: "trend-axis dim" }, h("span", {}, date(first.at, false)), h("span", {}, date(report.at, false))),
  );
}

// The runs of a job, oldest first, as small bars: low where it was as expected, high where not.
function sparkline(job, most = 20) {
  const runs = [{ status: job.status }, ...(job.history ?? [])].slice(0, most).reverse();
  const label = runs.length > 1 ? `history: ${runs.map((run) => run.status).join(", ")}` : "first run";
  return s(
    "svg",
    { class: "spark", width: most * 5, height: 14, role: "img", "aria-label": label },
    runs.map((run, i) => {
      const tall = run.status === "pass" ? 5 : 12;
      return s("rect", { class: `f-${run.status}`, x: (most - runs.length + i) * 5, y: 13 - tall, width: 3.4, height: tall });
    }),
  );
}

// The same with times: the height is how long each run took.
function pastRuns(job) {
  const now = { status: job.status, seconds: job.seconds, at: report.at, commit: report.commit, cached: job.cached, why: job.why, now: true };
  const runs = [now, ...(job.history ?? [])].slice(0, 60).reverse();
  const [pitch, tall] = [14, 44];
  const slowest = Math.max(1e-9, ...runs.map((run) => run.seconds || 0));
  const bars = runs.map((run, i) => {
    const height = Math.max(((run.seconds || 0) / slowest) * tall, 2);
    return s(
      "g",
      { class: "run" },
      s("title", {}, `${run.now ? "This run" : date(run.at)}${run.commit ? `, ${short(run.commit)}` : ""}\n${run.status}, ${seconds(run.seconds)}${run.why ? `\n${run.why}` : ""}`),
      s("rect", { class: "hit", x: i * pitch, y: 0, width: pitch, height: tall + 10 }),
      s("rect", { class: `f-${run.status}`, x: i * pitch + 2, y: tall - height, width: pitch - 4, height }),
      run.status !== "pass" && s("circle", { class: `f-${run.status}`, cx: i * pitch + pitch / 2, cy: tall + 6, r: 2.4 }),
    );
  });
  const changes = runs.filter((run, i) => i > 0 && run.status !== runs[i - 1].status).length;
  return h(
    "div",
    { class: "history" },
    s("svg", { width: runs.length * pitch, height: tall + 10, role: "img", "aria-label": `history: ${runs.map((run) => run.status).join(", ")}` }, bars),
    h(
      "p",
      { class: "dim" },
      `${count(runs.length, "run")} since ${date(runs[0].at, false)}, oldest at the left; height is time, longest ${seconds(slowest)}. `,
      changes ? `The status changed ${count(changes, "time")}.` : "The status never changed.",
    ),
    whatChanged(runs.toReversed()),
  );
}

// Why the job was run, newest first; runs for which nothing had changed are left out.
function whatChanged(runs, most = 12) {
  const ran = runs.filter((run) => run.why && !run.cached && run.status !== "skipped");
  if (!ran.length) return null;
  const row = (run) =>
    h(
      "tr",
      {},
      h("td", { class: "num dim" }, run.now ? "This run" : date(run.at)),
      h("td", {}, icon(run.status), " ", run.status),
      h("td", {}, run.commit ? h("code", { class: "dim", title: run.commit }, short(run.commit)) : ""),
      h("td", {}, run.why),
    );
  return h("table", { class: "files changes", "aria-label": "Why it was run" }, h("tbody", {}, ran.slice(0, most).map(row)));
}
