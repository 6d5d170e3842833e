"use strict";
// Elements, and numbers as text. Everything that is shown is made here, of text nodes and attributes:
// nothing of the run is ever parsed as HTML.

const h = (tag, attrs, ...kids) => fill(document.createElement(tag), attrs, kids);
const s = (tag, attrs, ...kids) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attrs, kids);

function fill(node, attrs, kids) {
  for (const [key, value] of Object.entries(attrs ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...kids.flat(Infinity).filter((kid) => kid !== undefined && kid !== null && kid !== false && kid !== ""));
  return node;
}

// The sign of a status: a shape of its own for each, so that colour is not needed to tell them apart.
const icon = (status, shape = status) =>
  s("svg", { class: `icon s-${status}`, "aria-hidden": "true" }, s("use", { href: `#i-${shape}` }));

// A name that may be broken after its dots and underscores.
const name = (text) => text.split(/(?<=[._/])/).flatMap((piece, i) => (i ? [h("wbr"), piece] : [piece]));

// A sentence with `names` in it.
const prose = (text) => text.split(/(`[^`]+`)/).map((piece) => (/^`.+`$/.test(piece) ? h("code", {}, piece.slice(1, -1)) : piece));

const button = (label, press, attrs) => h("button", { type: "button", click: press, ...attrs }, label);

const whole = new Intl.NumberFormat("en");
const count = (n, one, many = `${one}s`) => `${whole.format(n)} ${n === 1 ? one : many}`;

function seconds(value) {
  const x = Number(value) || 0;
  if (x < 0.01) return x > 0 ? "< 0.01 s" : "0 s";
  if (x < 10) return `${x.toFixed(2)} s`;
  if (x < 100) return `${x.toFixed(1)} s`;
  if (x < 6000) return `${Math.floor(x / 60)} min ${String(Math.floor(x % 60)).padStart(2, "0")} s`;
  return `${whole.format(Math.floor(x / 3600))} h ${String(Math.floor((x % 3600) / 60)).padStart(2, "0")} min`;
}

function memory(kb) {
  if (!kb) return "–";
  const mb = kb / 1024;
  return mb < 10 ? `${mb.toFixed(1)} MB` : mb < 10000 ? `${whole.format(Math.round(mb))} MB` : `${(mb / 1024).toFixed(1)} GB`;
}

// Moments are given in UTC: a report is read on other continents than it was made on.
function date(at, exact = true) {
  const when = new Date(at * 1000);
  if (!(at > 0) || isNaN(when)) return "–";
  const text = when.toISOString();
  return exact ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : text.slice(0, 10);
}

const short = (commit) => (/^[0-9a-f]{16,}$/.test(commit) ? commit.slice(0, 10) : commit);
const where = (place) => place && `${place.file}:${place.line}${place.column ? `:${place.column}` : ""}`;

// A command line that a shell reads back as the same words.
const shell = (words) =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");

async function copy(text, node) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "hide" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    node.focus();
  }
  const label = node.textContent;
  node.textContent = done ? "Copied" : "Not copied";
  node.disabled = true;
  setTimeout(() => ((node.textContent = label), (node.disabled = false)), 1200);
}
