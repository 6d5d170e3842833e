// The run, and what can be said of its jobs at a glance.

const report = JSON.parse(document.getElementById("data").textContent);
const STATUSES = ["fail", "error", "unknown", "skipped", "pass"]; // What wants attention comes first.
const COUNTED = ["pass", "fail", "unknown", "error", "skipped"]; // The order of `counts` in the trend.
const MEANING = {
  pass: "as expected",
  fail: "not as expected",
  unknown: "no answer",
  error: "mistake or crash",
  skipped: "not run",
};
// Verdicts on items, what wants attention first: the colour they have, what is said of their evidence.
const VERDICTS = {
  broken: ["error", "the tool contradicts itself"],
  fails: ["fail", "counterexample"],
  unreachable: ["fail", "no path exists"],
  vacuous: ["unknown", "says nothing"],
  unknown: ["unknown", "none"],
  bounded: ["unknown", "up to a bound"],
  "holds-unchecked": ["pass", "not checked"],
  holds: ["pass", "checked"],
  covered: ["pass", "witness"],
};
const ORDER = Object.keys(VERDICTS);
const tone = (verdict) => VERDICTS[verdict]?.[0] ?? "unknown";
// The colour of an item: what is as expected is fine, whatever its verdict.
const look = (item) => (!item.off ? "pass" : item.off.open ? "unknown" : tone(item.verdict) === "pass" ? "fail" : tone(item.verdict));
const words = (verdict) => verdict.replaceAll("-", ", ");

const jobs = report.jobs ?? [];
const keys = new Map();
jobs.forEach((job, index) => {
  job.index = index;
  job.key = keys.has(job.name) ? `${job.name}~${index}` : job.name;
  keys.set(job.key, job);
  const items = job.record?.items ?? [];
  job.engines = [...new Set(items.map((item) => item.engine).filter(Boolean))].join(", ");
  const verdicts = items.map((item) => item.verdict);
  const held = verdicts.filter((v) => v === "holds").length;
  const unchecked = verdicts.filter((v) => v === "holds-unchecked").length;
  const worst = ORDER.find((v) => verdicts.includes(v));
  job.evidence =
    unchecked && held && worst === "holds-unchecked" ? `${held} of ${held + unchecked} checked` : worst ? VERDICTS[worst][1] : "–";
  job.rank = STATUSES.indexOf(job.status);
});
const bad = jobs.filter((job) => job.status !== "pass").sort((a, b) => a.rank - b.rank || a.index - b.index);

const link = (job) => `#job/${encodeURIComponent(job.key)}`;

// What was said once for many jobs.
const rows = (table, list) => (list ?? []).map((row) => report.tables[table][row]);
const findings = (job) => rows("findings", job.record?.findings);
const pictures = (job) => rows("pictures", job.record?.pictures);
const files = (job) => (job.record?.read === undefined ? [] : rows("read", report.tables.lists[job.record.read]));

// What is not as expected comes first, then what wants attention; those of one kind in their own order.
const items = (job) =>
  [...(job.record?.items ?? [])].sort((a, b) => !a.off - !b.off || ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));

// What was expected of a job that is not as expected: of each property it is said there.
const expected = (job) => job.status !== "pass" && job.verdict !== job.expect && !(job.record?.items ?? []).some((item) => item.expect) && job.expect;

// What the search looks in; made when first searched.
function haystack(job) {
  job.hay ??= [job.name, job.design, job.kind, job.status, job.verdict, job.engines, job.why, job.message ?? ""]
    .concat((job.record?.items ?? []).flatMap((item) => [item.name, item.verdict, item.place?.file ?? ""]))
    .concat(findings(job).map((finding) => `${finding.code} ${finding.message}`))
    .join("\n")
    .toLowerCase();
  return job.hay;
}

// Why a job is not as expected, in one line.
function reason(job) {
  if (job.message) return job.message;
  const list = items(job).filter((item) => item.off);
  if (job.verdict === "fails" || job.status === "unknown") {
    const first = list[0];
    if (first) {
      const more = list.length > 1 ? ` and ${count(list.length - 1, "other")}` : "";
      return `${first.name}: ${first.detail || words(first.verdict)}${more}`;
    }
  }
  const found = findings(job).find((finding) => finding.severity === "error") ?? findings(job)[0];
  if (found && job.status !== "skipped") return `${found.code}: ${found.message}`;
  return job.status === "skipped" ? job.why : "";
}
