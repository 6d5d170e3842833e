// The table of jobs. Only the rows that can be seen exist; the rest is space. On paper all of them do, in tables
// of their own.

const COLUMNS = [
  { id: "status", name: "Status", by: (job) => job.rank },
  { id: "name", name: "Job", by: (job) => job.name },
  { id: "kind", name: "Kind", by: (job) => job.kind },
  { id: "design", name: "Design", by: (job) => job.design },
  { id: "verdict", name: "Verdict", by: (job) => job.verdict },
  { id: "evidence", name: "Evidence", by: (job) => job.evidence },
  { id: "engine", name: "Engine", by: (job) => job.engines },
  { id: "time", name: "Time", by: (job) => -job.seconds, num: true },
  { id: "memory", name: "Memory", by: (job) => -job.memory_kb, num: true },
  { id: "ran", name: "Run", by: (job) => (job.cached ? 1 : 0) },
  { id: "past", name: "History" },
];
const HEIGHT = 34; // Of a row; the style says the same.
const FEW = 250; // No more rows than these are all made: the browser can then search in them, too.

function jobTable() {
  const state = { text: "", statuses: new Set(), kind: "", design: "", ran: "", sort: "status", down: false };
  let shown = jobs;
  let active = 0;
  const made = new Map(); // Rows that exist, by their number.

  const body = h("tbody");
  const [above, below] = [h("tr", { class: "space" }), h("tr", { class: "space" })];
  const said = h("p", { class: "shown dim", role: "status" });
  const collator = new Intl.Collator("en", { numeric: true });

  function choose() {
    const terms = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    shown = jobs.filter(
      (job) =>
        (!state.statuses.size || state.statuses.has(job.status)) &&
        (!state.kind || job.kind === state.kind) &&
        (!state.design || job.design === state.design) &&
        (!state.ran || (state.ran === "cached") === job.cached) &&
        terms.every((term) => haystack(job).includes(term)),
    );
    const by = COLUMNS.find((column) => column.id === state.sort).by;
    const sign = state.down ? -1 : 1;
    const keyed = shown.map((job) => [by(job), job]);
    keyed.sort(([a, x], [b, y]) => sign * (typeof a === "number" ? a - b : collator.compare(a, b)) || x.index - y.index);
    shown = keyed.map(([, job]) => job);
    active = 0;
    said.textContent = shown.length === jobs.length ? count(jobs.length, "job") : `${whole.format(shown.length)} of ${count(jobs.length, "job")}`;
    said.dataset.count = shown.length;
    empty.hidden = shown.length > 0;
    clear.hidden = !(terms.length || state.statuses.size || state.kind || state.design || state.ran);
    table.setAttribute("aria-rowcount", shown.length + 1);
    made.forEach((row) => row.remove());
    made.clear();
    draw();
  }

  function row(job, number, paper) {
    return h(
      "tr",
      { class: number === active ? "active" : "", "aria-rowindex": number + 2, "data-row": number },
      h("td", { class: "c-status" }, icon(job.status), h("span", { class: `t-${job.status}` }, job.status)),
      h("td", { class: "c-name" }, h("a", { href: link(job), tabindex: number === active ? 0 : -1, title: job.name }, paper ? name(job.name) : job.name)),
      h("td", { class: "c-kind" }, job.kind),
      h("td", { class: "c-design", title: job.design }, job.design),
      h("td", { class: "c-verdict" }, job.verdict, expected(job) && h("span", { class: "dim" }, `, expected ${expected(job)}`)),
      h("td", { class: "c-evidence", title: job.evidence }, job.evidence),
      h("td", { class: "c-engine", title: job.engines }, job.engines || "–"),
      h("td", { class: "c-time num" }, seconds(job.seconds)),
      h("td", { class: "c-memory num" }, memory(job.memory_kb)),
      h("td", { class: "c-ran", title: job.why }, job.status === "skipped" ? "–" : job.cached ? "cached" : "run"),
      !paper && h("td", { class: "c-past" }, sparkline(job)),
    );
  }

  // Makes the rows that are near the window, and forgets the others.
  function draw() {
    let [from, to] = [0, shown.length];
    if (shown.length > FEW) {
      const top = -body.getBoundingClientRect().top;
      from = Math.min(Math.max(0, Math.floor(top / HEIGHT) - 12), shown.length);
      to = Math.min(shown.length, Math.max(from + 24, Math.ceil((top + innerHeight) / HEIGHT) + 12));
    }
    for (const [number, node] of made)
      if (number < from || number >= to) {
        node.remove();
        made.delete(number);
      }
    let next = below;
    for (let number = to - 1; number >= from; number--) {
      let node = made.get(number);
      if (!node) {
        node = row(shown[number], number);
        made.set(number, node);
        body.insertBefore(node, next);
      }
      next = node;
    }
    above.style.height = `${from * HEIGHT}px`;
    below.style.height = `${(shown.length - to) * HEIGHT}px`;
    above.hidden = from === 0;
    below.hidden = to === shown.length;
  }

  // Makes a row the one that keys act on.
  function move(to, focus = true) {
    if (!shown.length) return;
    const before = made.get(active);
    before?.classList.remove("active");
    before?.querySelector("a").setAttribute("tabindex", -1);
    active = Math.min(Math.max(to, 0), shown.length - 1);
    const top = body.getBoundingClientRect().top + active * HEIGHT;
    const margin = 2.5 * HEIGHT; // The head of the table stays at the top.
    if (top < margin) scrollBy(0, top - margin);
    else if (top + HEIGHT > innerHeight - HEIGHT) scrollBy(0, top + 2 * HEIGHT - innerHeight);
    draw();
    const node = made.get(active);
    node?.classList.add("active");
    node?.querySelector("a").setAttribute("tabindex", 0);
    if (focus) node?.querySelector("a").focus({ preventScroll: true });
  }

  const set = (change) => {
    Object.assign(state, change);
    choose();
  };
  const search = h("input", { type: "search", placeholder: "Search jobs, properties, files", "aria-label": "Search", "aria-keyshortcuts": "/", input: () => set({ text: search.value }) });
  const pick = (key, name, options) =>
    h("select", { "aria-label": name, "data-filter": key, change: (event) => set({ [key]: event.target.value }) }, h("option", { value: "" }, name), options.map(([value, text]) => h("option", { value }, text)));
  const tally = (key) => {
    const counts = new Map();
    jobs.forEach((job) => counts.set(job[key], (counts.get(job[key]) ?? 0) + 1));
    return [...counts].sort(([a], [b]) => collator.compare(a, b)).map(([value, n]) => [value, `${value} (${whole.format(n)})`]);
  };
  const present = STATUSES.filter((status) => jobs.some((job) => job.status === status));
  const chips = present.map((status) =>
    h("button", { type: "button", class: "chip", "aria-pressed": "false", "data-status": status, click: () => only(status, true) }, icon(status), status, h("span", { class: "num dim" }, whole.format(jobs.filter((job) => job.status === status).length))),
  );
  // Chooses a status; with `also`, among others.
  function only(status, also) {
    const { statuses } = state;
    const had = statuses.has(status);
    if (!also) statuses.clear();
    if (also && had) statuses.delete(status);
    else if (status) statuses.add(status);
    chips.forEach((chip) => chip.setAttribute("aria-pressed", statuses.has(chip.dataset.status)));
    choose();
  }
  function notAsExpected() {
    state.statuses = new Set(STATUSES.filter((status) => status !== "pass"));
    chips.forEach((chip) => chip.setAttribute("aria-pressed", state.statuses.has(chip.dataset.status)));
    choose();
  }
  const clear = button("Clear", () => {
    search.value = "";
    node.querySelectorAll("select").forEach((one) => (one.value = ""));
    Object.assign(state, { text: "", kind: "", design: "", ran: "" });
    only();
  }, { class: "clear" });
  const heads = COLUMNS.map((column) =>
    h(
      "th",
      { scope: "col", "data-name": column.name, class: `c-${column.id}${column.num ? " num" : ""}`, "aria-sort": column.id === state.sort ? "ascending" : undefined },
      column.by
        ? button([column.name, h("span", { class: "arrow", "aria-hidden": "true" })], (event) => {
            const down = state.sort === column.id && !state.down;
            heads.forEach((head) => head.removeAttribute("aria-sort"));
            event.target.closest("th").setAttribute("aria-sort", down ? "descending" : "ascending");
            set({ sort: column.id, down });
          })
        : column.name,
    ),
  );
  body.append(above, below);
  body.addEventListener("click", (event) => {
    const number = event.target.closest("tr")?.dataset.row;
    if (number === undefined || event.target.closest("a") || String(getSelection())) return;
    location.hash = link(shown[number]);
  });
  // On paper a design is not repeated where the names begin with it.
  const named = jobs.every((job) => job.name.startsWith(`${job.design}.`));
  const table = h("table", { class: named ? "jobs named" : "jobs", "aria-label": "Jobs" }, h("thead", {}, h("tr", {}, heads)), body);
  const sheets = h("div");
  const empty = h("p", { class: "empty", hidden: true }, "No job is like that.");
  const node = h(
    "section",
    { class: "all", id: "jobs", "aria-label": "All jobs" },
    h("div", { class: "section-head" }, h("h2", {}, "All jobs"), said),
    h("div", { class: "tools", role: "search" }, search, h("div", { class: "chips", role: "group", "aria-label": "Status" }, chips), pick("kind", "Any kind", tally("kind")), pick("design", "Any design", tally("design")), pick("ran", "Run or cached", [["run", "run"], ["cached", "cached"]]), clear),
    table,
    sheets,
    empty,
  );
  let waiting = 0;
  const redraw = () => (waiting ||= requestAnimationFrame(() => ((waiting = 0), node.checkVisibility() && draw())));
  addEventListener("scroll", redraw, { passive: true });
  addEventListener("resize", redraw);

  return {
    node,
    choose,
    draw,
    move,
    only,
    notAsExpected,
    search,
    get active() {
      return active;
    },
    get shown() {
      return shown;
    },
    paper(on) {
      made.forEach((row) => row.remove());
      made.clear();
      table.hidden = on;
      sheets.replaceChildren();
      if (!on) return draw();
      // Chromium lays out the whole of a table for each page that it is on: a long one is printed in pieces.
      const piece = shown.length > FEW ? 60 : shown.length;
      const head = () => h("thead", {}, h("tr", {}, COLUMNS.slice(0, -1).map((column) => h("th", { class: `c-${column.id}${column.num ? " num" : ""}`, "data-name": column.name }))));
      for (let i = 0; i < shown.length; i += piece) {
        const rows = shown.slice(i, i + piece).map((job, k) => row(job, i + k, true));
        sheets.append(h("table", { class: table.className }, head(), h("tbody", {}, rows)));
      }
    },
  };
}
