// The page: the overview with the table, a page for each job, keys, colours, paper.

const counts = Object.fromEntries(STATUSES.map((status) => [status, jobs.filter((job) => job.status === status).length]));
const table = jobTable();
const single = jobs.length === 1; // One job needs no table.

function overview() {
  const all = jobs.length;
  const title = !all
    ? "No jobs were selected"
    : !bad.length
      ? single ? "The job is as expected" : `All ${whole.format(all)} jobs are as expected`
      : single ? "The job is not as expected" : `${whole.format(bad.length)} of ${count(all, "job")} ${bad.length === 1 ? "is" : "are"} not as expected`;
  const said = new Map();
  jobs.forEach((job) => (job.record?.items ?? []).forEach((item) => said.set(item.verdict, (said.get(item.verdict) ?? 0) + 1)));
  const total = [...said.values()].reduce((a, b) => a + b, 0);
  const work = jobs.reduce((sum, job) => sum + (job.cached || !job.seconds ? 0 : job.seconds), 0);
  const cached = jobs.filter((job) => job.cached).length;
  const ran = jobs.filter((job) => !job.cached && job.status !== "skipped").length;
  const peak = jobs.reduce((most, job) => Math.max(most, job.memory_kb || 0), 0);
  return h(
    "section",
    { class: "overview", "aria-label": "Overview" },
    h("h1", {}, title),
    all > 0 && [
      statusBar(counts),
      h(
        "ul",
        { class: "legend" },
        STATUSES.map((status) =>
          h("li", { class: counts[status] ? "" : "none" }, icon(status), h("b", { class: "num" }, whole.format(counts[status])), ` ${status}`, h("span", { class: "dim" }, ` ${MEANING[status]}`)),
        ),
      ),
    ],
    h(
      "div",
      { class: "columns" },
      h(
        "dl",
        { class: "facts" },
        fact("Finished", date(report.at)),
        fact("Duration", seconds(report.seconds)),
        fact("Commit", report.commit ? h("code", { title: report.commit }, short(report.commit)) : "–"),
        fact("Selection", (report.selection ?? []).join(", ") || "everything"),
        fact("Jobs", `${whole.format(ran)} run, ${whole.format(cached)} cached`),
        fact("Work done", seconds(work)),
        fact("Most memory", memory(peak)),
        fact("Made by", report.tool),
        total > 0 &&
          h("div", { class: "wide" }, h("dt", {}, "Verdicts"), h("dd", {}, `${whole.format(total)} in all: `, ORDER.toReversed().filter((verdict) => said.has(verdict)).map((verdict) => `${whole.format(said.get(verdict))} ${words(verdict)}`).join("; "))),
      ),
      (report.trend ?? []).length > 0 && trend(),
    ),
  );
}

// What wants attention, with why.
function attention() {
  if (!bad.length || single) return null;
  const most = jobs.length > 20 ? 8 : 20;
  const rest = bad.length - most;
  return h(
    "section",
    { class: "attention", "aria-label": "Not as expected" },
    h("h2", {}, "Not as expected"),
    h(
      "ul",
      {},
      bad.slice(0, most).map((job) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: link(job) },
            icon(job.status),
            h("span", { class: "hide" }, `${job.status}: `),
            h("span", { class: "a-name" }, name(job.name)),
            h("span", { class: "a-verdict" }, job.status === "skipped" ? "not run" : job.verdict, expected(job) && h("span", { class: "dim" }, `, expected ${expected(job)}`)),
            h("span", { class: "a-why dim" }, reason(job)),
          ),
        ),
      ),
    ),
    rest > 0 && h("a", { class: "more", href: "#jobs", click: () => table.notAsExpected() }, `${whole.format(rest)} more in the table`),
  );
}

const help = h(
  "dialog",
  { "aria-label": "Keys" },
  h("h2", {}, "Keys"),
  h(
    "dl",
    { class: "keys" },
    [
      ["/", "search"],
      ["j k", "next and previous job"],
      ["Enter", "open the job"],
      ["Esc", "back to all jobs; leave the search"],
      ["t", "light, dark or as the system"],
      ["?", "this help"],
      ["+ − 0", "in a waveform: zoom in, out, all"],
      ["← →", "in a waveform: pan; with Shift: the cursor"],
      ["Home End", "in a waveform: first and last step"],
      ["← → ↑ ↓", "in a proof: close, open, move"],
    ].map(([key, text]) => h("div", {}, h("dt", {}, key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, text))),
  ),
  h("form", { method: "dialog" }, h("button", { class: "close" }, "Close")),
);

// Light, dark, or as the system has it; kept where the browser allows.
const THEMES = ["auto", "light", "dark"];
const themeButton = button("", () => theme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % 3]), { id: "theme" });
function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  themeButton.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
  themeButton.title = "Colours: light, dark or as the system (t)";
  try {
    localStorage.setItem("entail-theme", name);
  } catch {
    // Files may have no storage.
  }
}

const home = h("main", { id: "home" }, overview(), attention(), single ? h("section", { class: "job" }, detail(jobs[0])) : jobs.length > 0 && table.node);
const page = h("main", { id: "job", class: "job", hidden: true });
const paper = h("div", { id: "paper" });
let leftAt = 0; // How far the overview was scrolled.
let current; // The job that is shown.

// Shows what the address says.
function route() {
  const wanted = location.hash.startsWith("#job/") ? decode(location.hash.slice(5)) : undefined;
  if (wanted === undefined) {
    const from = current;
    page.hidden = true;
    home.hidden = false;
    current = undefined;
    document.title = title;
    if (from !== undefined) {
      scrollTo(0, leftAt);
      const at = table.shown.indexOf(from);
      if (!single && at >= 0) table.move(at);
    } else if (location.hash === "#jobs") table.node.scrollIntoView();
    if (!single) table.draw();
    return;
  }
  if (!home.hidden) leftAt = scrollY;
  const job = keys.get(wanted);
  current = job ?? null;
  const at = table.shown.indexOf(job);
  const step = (by, word, key) => {
    const next = at >= 0 ? table.shown[at + by] : undefined;
    return next ? h("a", { href: link(next), title: `${next.name} (${key})` }, word) : h("span", { class: "off", "aria-hidden": "true" }, word);
  };
  page.replaceChildren(
    h("nav", { class: "crumbs", "aria-label": "Jobs" }, h("a", { href: single ? "#" : "#jobs" }, "← All jobs"), !single && h("span", { class: "steps" }, at >= 0 && h("span", { class: "dim num" }, `${at + 1} of ${table.shown.length}`), step(-1, "Previous", "k"), step(1, "Next", "j"))),
    ...(job ? detail(job) : [h("h1", { tabindex: -1 }, "No such job"), h("p", {}, `This run has no job named ${wanted}.`)]).filter(Boolean),
  );
  home.hidden = true;
  page.hidden = false;
  document.title = job ? `${job.name} – ${report.project}` : title;
  scrollTo(0, 0);
  page.querySelector("h1").focus({ preventScroll: true });
}
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Paper gets everything that is not as expected, open; or the job that is shown.
let printing = false;
function toPaper(on) {
  if (on === printing) return;
  printing = on;
  const list = current ? [current] : single ? jobs : bad;
  // Before the table, which may be long.
  if (current) page.after(paper);
  else if (single) home.append(paper);
  else table.node.before(paper);
  paper.replaceChildren(...(on ? list.map((job) => h("section", { class: "job" }, detail(job, true))) : []));
  document.documentElement.classList.toggle("printing", on);
  if (!single) table.paper(on);
}
addEventListener("beforeprint", () => toPaper(true));
addEventListener("afterprint", () => toPaper(false));
matchMedia("print").addEventListener("change", (event) => toPaper(event.matches));

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const typing = event.target.matches?.("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (current !== undefined) location.hash = "#jobs";
    else return;
    return event.preventDefault();
  }
  if (typing) {
    if (event.key === "Enter" && event.target === table.search) table.move(0);
    return;
  }
  const step = { j: 1, k: -1 }[event.key] ?? (event.target.closest?.("table.jobs tbody") && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
  if (event.key === "/" && !single) {
    if (current !== undefined) location.hash = "#jobs";
    setTimeout(() => (table.search.focus(), table.search.select()));
  } else if (step && !single) {
    if (current !== undefined) {
      const next = table.shown[table.shown.indexOf(current) + step];
      if (next) location.replace(link(next));
    } else table.move(document.activeElement?.closest("table.jobs tbody") ? table.active + step : table.active);
  } else if (event.key === "?") help.showModal();
  else if (event.key === "t") themeButton.click();
  else return;
  event.preventDefault();
});
addEventListener("hashchange", route);

const title = document.title;
let kept = "auto";
try {
  kept = localStorage.getItem("entail-theme") ?? "auto";
} catch {
  // As above.
}
theme(THEMES.includes(kept) ? kept : "auto");
document.getElementById("page").replaceChildren(
  h("header", { class: "top" }, h("a", { class: "project", href: "#" }, report.project), h("span", { class: "dim" }, "verification report"), h("span", { class: "right" }, themeButton, button("Keys", () => help.showModal(), { id: "help", title: "Keys (?)" }))),
  home,
  page,
  h("footer", { class: "dim" }, `${report.tool} · ${date(report.at)}${report.commit ? ` · ${report.commit}` : ""}`),
  help,
);
history.scrollRestoration = "manual"; // The page does it itself.
if (!single) table.choose();
route();
// For whoever measures: everything that is seen first has been drawn.
requestAnimationFrame(() => setTimeout(() => {
  performance.mark("ready");
  document.documentElement.dataset.ready = "yes";
}));
