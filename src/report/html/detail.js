// All about a job. On paper (`paper`) everything is open and nothing waits for a click.

const MANY = 40; // More than these in one list are shown on demand.

// A part with a heading; nothing if there is nothing in it.
const part = (title, ...kids) => {
  const list = kids.flat(Infinity).filter(Boolean);
  return list.length > 0 && h("section", { class: "part" }, h("h2", {}, title), list);
};

// A folded part that is made when it is opened.
function fold(summary, make, open, attrs) {
  const node = h("details", { ...attrs, open }, h("summary", {}, summary));
  const build = () => node.open && node.childElementCount === 1 && node.append(...[make()].flat(Infinity).filter(Boolean));
  node.addEventListener("toggle", build);
  build();
  return node;
}

// The first of a long list, and a button for the rest.
function some(list, make, paper) {
  const nodes = list.slice(0, paper ? list.length : MANY).map(make);
  if (list.length > nodes.length) {
    const more = button(`Show ${count(list.length - nodes.length, "more", "more")}`, () => more.replaceWith(...list.slice(MANY).map(make)), { class: "more" });
    nodes.push(more);
  }
  return nodes;
}

const fact = (term, ...value) => h("div", {}, h("dt", {}, term), h("dd", {}, value));

function verdict(job) {
  const wanted = expected(job);
  return [
    "Found ", h("b", { class: `t-${job.status}` }, job.verdict),
    wanted ? [", expected ", h("b", {}, wanted)] : job.status === "pass" && ", as expected",
    ".",
  ];
}

function itemNode(item, open, paper) {
  const more = item.wave || item.text || item.detail || item.place;
  const line = [
    icon(look(item)),
    h("span", { class: "i-verdict" }, words(item.verdict)),
    h("span", { class: "i-name" }, name(item.name), item.expect && (item.off || item.expect !== "holds") && h("span", { class: "tag" }, item.off?.words ?? "as expected")),
    h("span", { class: "i-engine dim" }, item.engine ?? ""),
    h("span", { class: "i-time num dim" }, seconds(item.seconds), item.cached && h("span", { class: "tag" }, "cached")),
  ];
  if (paper && tone(item.verdict) === "pass") {
    // What is fine takes one line; a witness can be long, and says little.
    const wave = item.wave && `a waveform of ${count(item.wave.steps, "step")} is in the file of this report`;
    line[2].append(h("span", { class: "i-more dim" }, [item.detail, where(item.place), wave].filter(Boolean).join(" · ")));
    return [h("div", { class: "item plain" }, line), item.text && h("pre", {}, item.text)];
  }
  if (!more) return h("div", { class: "item plain" }, line);
  return fold(
    line,
    () => h(
      "div",
      { class: "item-body" },
      item.detail && h("p", {}, prose(item.detail)),
      h("p", { class: "dim" }, item.place && h("code", {}, where(item.place)), item.place && " · ", `evidence: ${VERDICTS[item.verdict]?.[1] ?? "–"}`),
      item.source && excerpt(item.source, item.place),
      item.wave && (paper ? paperWave : waveform)(item.wave, item.verdict),
      item.text && h("pre", { tabindex: 0 }, item.text),
    ),
    open || paper,
    { class: `item is-${look(item)}` },
  );
}

function findingNode(finding) {
  return h(
    "article",
    { class: `finding ${finding.severity}` },
    h(
      "h3",
      {},
      ...({ error: [icon("fail")], warning: [icon("unknown", "error")] }[finding.severity] ?? [icon("skipped")]),
      h("span", { class: "hide" }, `${finding.severity}: `),
      h("span", {}, prose(finding.message)),
      h("code", { class: "f-code" }, finding.code),
    ),
    finding.place && h("p", { class: "f-place" }, h("code", {}, where(finding.place))),
    finding.source && excerpt(finding.source, finding.place, finding.also),
    finding.also?.length > 0 && h("ul", { class: "places" }, finding.also.map(([place, text]) => h("li", {}, h("code", {}, where(place)), text && ` ${text}`))),
    (finding.notes ?? []).map((note) => h("p", { class: "note" }, h("b", {}, "note "), prose(note))),
    finding.help && h("p", { class: "note" }, h("b", {}, "help "), prose(finding.help)),
  );
}

// A proof from its goal down. Arrows move in it as in other trees.
function proofTree(root, paper) {
  const size = (node) => 1 + (node.of ?? []).reduce((sum, one) => sum + size(one), 0);
  const node = (one, depth) => {
    const line = [h("span", { class: "p-name" }, one.name), h("span", { class: "p-how dim" }, one.how), h("span", { class: "num dim" }, seconds(one.seconds))];
    if (!one.of?.length) return h("div", { class: "p-leaf", tabindex: -1 }, line);
    return fold(line, () => h("div", { class: "p-of" }, one.of.map((next) => node(next, depth + 1))), paper || depth < 2, { class: "p-node" });
  };
  const tree = h("div", { class: "proof" }, node(root, 0));
  tree.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...tree.querySelectorAll("summary, .p-leaf")].filter((one) => one.checkVisibility());
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const here = all[at].closest("details, .p-leaf");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) all[at + step]?.focus();
    else if (event.key === "ArrowRight") here.matches("details:not([open])") ? (here.open = true) : all[at + 1]?.focus();
    else if (event.key === "ArrowLeft") here.matches("details[open]") ? (here.open = false) : here.parentElement.closest("details")?.querySelector("summary").focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const all = (open) => () => {
    // Opening makes what is inside, so that there is more to open.
    for (let before = -1, list = []; list.length !== before; ) {
      before = list.length;
      list = [...tree.querySelectorAll("details")];
      list.forEach((one) => {
        one.open = open;
        one.dispatchEvent(new Event("toggle"));
      });
    }
  };
  return [
    h("p", { class: "dim" }, count(size(root), "step"), !paper && h("span", { class: "buttons" }, button("Open all", all(true)), button("Close all", all(false)))),
    tree,
  ];
}

// What is said beyond whether it is complete.
function sentence(words) {
  const rest = words.replace(/^(not )?complete\b[:;.,]?\s*/i, "");
  return rest && `${rest[0].toUpperCase()}${rest.slice(1)}${/[.!?]$/.test(rest) ? "" : "."}`;
}

// Two accesses whose order only the scheduler chooses, each with its lines.
function raceNode(race) {
  const access = (one) => [
    h("p", { class: "f-place" }, one.write ? "write " : "read ", one.place ? h("code", {}, where(one.place)) : "in a library"),
    one.source && excerpt(one.source, one.place),
  ];
  return h(
    "article",
    { class: "finding race" },
    h("h3", {}, icon("skipped"), h("span", {}, race.processes.join(", ")), h("span", { class: "f-code" }, `in ${count(race.classes, "class", "classes")}`)),
    access(race.first),
    access(race.second),
  );
}

function coverageNode(coverage) {
  return [
    h("p", {}, icon(coverage.complete ? "pass" : "unknown"), " ", h("b", {}, coverage.complete ? "Complete. " : "Not complete. "), sentence(coverage.words)),
    h(
      "dl",
      { class: "facts" },
      fact("Runs made", whole.format(coverage.runs)),
      fact("Different classes", whole.format(coverage.classes)),
      fact("Choices not looked at", whole.format(coverage.left)),
    ),
  ];
}

// A picture is an image: styles and scripts in it stay in it.
function pictureNode(picture) {
  const image = h("img", { alt: picture.title, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}` });
  const size = button("Actual size", () => {
    const actual = box.classList.toggle("actual");
    size.setAttribute("aria-pressed", actual);
  }, { "aria-pressed": "false" });
  const box = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": picture.title }, image);
  return h("figure", {}, h("figcaption", {}, picture.title, " ", size), box);
}

// What was read. What lies outside of the project, such as the headers of the system and of libraries, may be
// hundreds of files: they are counted, and listed where somebody asks.
function sourcesNode(paths, paper) {
  const outside = paths.filter((read) => read.path.startsWith("/"));
  const own = paths.filter((read) => !read.path.startsWith("/"));
  const row = (read) =>
    h("tr", {}, h("td", {}, h("code", {}, read.path + (read.folder ? "/" : ""))), h("td", {}, h("code", { class: "dim" }, read.hash ? read.hash.slice(0, 16) : "not there")));
  const list = (some) => () => h("table", { class: "files" }, h("tbody", {}, some.map(row)));
  const more = count(outside.length, "file outside of the project", "files outside of the project");
  return [
    own.length > 0 && fold(count(own.length, "file or folder read", "files and folders read"), list(own), paper),
    outside.length > 0 && (paper ? h("p", { class: "dim" }, `and ${more}`) : fold(more, list(outside), false, { class: "files-more" })),
  ];
}

function detail(job, paper) {
  const record = job.record ?? {};
  const list = items(job);
  const open = list.filter((item) => (item.off || tone(item.verdict) !== "pass") && (item.wave || item.text || item.detail)).slice(0, 3);
  if (!open.length && list.length === 1) open.push(list[0]);
  const found = findings(job);
  const command = shell(job.command ?? []);
  const repeat = button("Copy", () => copy(command, repeat), { "aria-label": "Copy the command" });
  return [
    h(
      "header",
      { class: "job-head" },
      h(paper ? "h2" : "h1", { tabindex: paper ? undefined : -1 }, icon(job.status), h("span", {}, name(job.name))),
      h("p", { class: "lead" }, h("b", { class: `t-${job.status}` }, job.status), " · ", verdict(job), job.message && [" ", prose(job.message)]),
    ),
    h(
      "dl",
      { class: "facts" },
      fact("Design", job.design),
      fact("Kind", job.kind),
      fact("Engine", job.engines || "–"),
      fact("Evidence", job.evidence),
      fact("Time", seconds(job.seconds)),
      fact("Memory", memory(job.memory_kb)),
      fact(job.cached ? "From the store" : job.status === "skipped" ? "Not run" : "Run", job.why || "–"),
      fact(job.cached ? "First found" : "When", date(job.at)),
    ),
    command && h("div", { class: "command" }, h("code", {}, command), !paper && repeat),
    job.log && part("What was printed last", h("pre", { class: "log", tabindex: 0 }, job.log)),
    part(
      count(list.length, record.kind === "explore" ? "outcome" : record.kind === "prove" ? "theorem" : "property", record.kind === "explore" ? "outcomes" : record.kind === "prove" ? "theorems" : "properties"),
      list.length > 0 && h("div", { class: "items" }, some(list, (item) => itemNode(item, open.includes(item), paper), paper)),
    ),
    part(count(found.length, "finding"), some(found, findingNode, paper)),
    part("Proof", record.proof && proofTree(record.proof, paper)),
    part("Exploration", record.coverage && coverageNode(record.coverage)),
    part("Shared between processes, in an order the scheduler chooses", some(record.races ?? [], raceNode, paper)),
    part("Pictures", pictures(job).map(pictureNode)),
    part("Taken for granted, and remarks", record.notes?.length > 0 && h("ul", { class: "notes" }, record.notes.map((note) => h("li", {}, prose(note))))),
    part("History", (job.history ?? []).length > 0 && pastRuns(job)),
    part("Sources", sourcesNode(files(job), paper)),
  ];
}
