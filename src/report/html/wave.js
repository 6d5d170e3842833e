// Waveforms. `strip` draws a part of one into an SVG and is all that paper needs; `waveform` adds what a
// screen can do: zoom, pan, a cursor, the signals that do not matter.

const ROW = 26; // Height of a signal.
const HEAD = 24; // Height of the axis.
const [TOP, BOTTOM] = [6, 20]; // Of a signal, within its row.
const LETTER = 6.7; // Width of a letter of a value.

// When the waveform ends.
const ending = (wave) => Math.max(wave.steps * wave.step, (wave.times.at(-1) ?? 0) + 1, 1);
const unit = (wave) => Math.max(wave.step, 1);

// The value of a signal at a moment.
function valueAt(wave, signal, time) {
  let value = "x";
  for (const [index, next] of signal.values) {
    if (wave.times[index] > time) break;
    value = next;
  }
  return value;
}

// The step that is marked, and what for.
function marked(wave, verdict) {
  if (wave.back_to !== undefined || !wave.steps) return undefined;
  if (verdict === "fails" || verdict === "broken") return { step: wave.steps - 1, tone: "fail", word: "fails here" };
  if (verdict === "covered") return { step: wave.steps - 1, tone: "pass", word: "reached here" };
  return undefined;
}

// A step width of 1, 2, 5, 10, … at which labels do not touch.
function stride(pixels, needed) {
  for (let n = 1; ; n *= 10) for (const m of [1, 2, 5]) if (pixels * n * m >= needed || n > 1e12) return n * m;
}

// One bit: a line that is high or low, with a hatched block where it is unknown.
function bit(segments, y) {
  let [line, high, hatch, pen] = ["", "", "", undefined];
  for (const [from, to, value] of segments) {
    const block = `M${from} ${y + TOP}H${to}V${y + BOTTOM}H${from}Z`;
    if (value === "0" || value === "1") {
      const at = y + (value === "1" ? TOP : BOTTOM);
      line += pen === undefined ? `M${from} ${at}` : `V${at}`;
      line += `H${to}`;
      if (value === "1") high += block;
      pen = at;
    } else {
      if (value === "*") line += block;
      else hatch += block;
      pen = undefined;
    }
  }
  return [high && s("path", { class: "w-high", d: high }), hatch && s("path", { class: "w-x", d: hatch }), s("path", { class: "w-line", d: line })];
}

// More bits: a box for each value, with the value in it as far as it fits.
function bus(segments, y, width) {
  let [line, hatch, dense] = ["", "", ""];
  const texts = [];
  const middle = y + (TOP + BOTTOM) / 2;
  for (const [from, to, value] of segments) {
    if (value === "*" || to - from < 3) {
      dense += `M${from} ${y + TOP}H${to}V${y + BOTTOM}H${from}Z`;
      continue;
    }
    const slant = Math.min(3, (to - from) / 2);
    const box = `M${from} ${middle}L${from + slant} ${y + TOP}H${to - slant}L${to} ${middle}L${to - slant} ${y + BOTTOM}H${from + slant}Z`;
    if (/x/i.test(value)) hatch += box;
    line += box;
    const [a, b] = [Math.max(from, 0), Math.min(to, width)];
    const fits = Math.floor((b - a - 8) / LETTER);
    if (fits >= value.length || fits > 2) {
      const text = fits >= value.length ? value : `${value.slice(0, fits - 1)}…`;
      texts.push(s("text", { class: /^x+$/i.test(value) ? "w-value on-x" : "w-value", x: (a + b) / 2, y: middle + 4 }, text));
    }
  }
  return [hatch && s("path", { class: "w-x", d: hatch }), dense && s("path", { class: "w-dense", d: dense }), s("path", { class: "w-line", d: line }), texts];
}

// What of a signal lies between two moments, as [from, to, value] in pixels. Changes closer than a pixel
// become one piece with the value `*`, so that what is drawn is bounded by the width, not by the length.
function pieces(wave, signal, from, to, scale) {
  const out = [];
  const list = signal.values;
  let low = 0;
  for (let high = list.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (wave.times[list[middle][0]] <= from) low = middle;
    else high = middle - 1;
  }
  for (let i = low; i < list.length; i++) {
    const start = wave.times[list[i][0]];
    if (start >= to) break;
    const stop = i + 1 < list.length ? wave.times[list[i + 1][0]] : ending(wave);
    const a = Math.max((start - from) * scale, -10);
    const b = (Math.min(stop, to) - from) * scale + (stop > to ? 10 : 0);
    const last = out.at(-1);
    if (b - a < 1 && last && last[1] - last[0] < 2 && list.length > 1) [last[1], last[2]] = [b, "*"];
    else out.push([a, b, list[i][1]]);
  }
  return out;
}

// The axis and the signals between two moments; `left` is kept free for names, which paper has in the drawing.
function strip(wave, signals, from, to, width, mark, left = 0) {
  const scale = width / (to - from);
  const x = (time) => (time - from) * scale;
  const step = unit(wave);
  const tall = HEAD + signals.length * ROW + 4;
  const back = [];
  const axis = [];
  const band = (first, last, name, word) => {
    const [a, b] = [Math.max(x(first), 0), Math.min(x(last), width)];
    if (b <= a) return;
    back.push(s("rect", { class: name, x: a, y: 0, width: Math.max(b - a, 2), height: tall }));
    axis.push(s("title", {}, word));
  };
  if (mark) band(mark.step * step, (mark.step + 1) * step, `w-mark t-${mark.tone}`, mark.word);
  if (wave.back_to !== undefined) band(wave.back_to * step, ending(wave), "w-loop", "repeats for ever");
  const every = stride(step * scale, 9);
  const named = stride(step * scale, 34);
  const count = Math.ceil(ending(wave) / step);
  const start = Math.max(0, Math.floor(from / step / every) * every);
  let grid = "";
  for (let n = start; n <= count && n * step <= to; n += every) {
    const at = x(n * step);
    if (at < -0.5) continue;
    grid += `M${at.toFixed(2)} ${n % named ? HEAD - 3 : HEAD - 6}V${tall}`;
  }
  for (let n = Math.floor(from / step / named) * named; n < count && n * step < to; n += named) {
    const here = mark && n === mark.step;
    const [a, b] = [Math.max(x(n * step), 0), Math.min(x((n + Math.min(named, 1)) * step), width)];
    const at = named === 1 ? (a + b) / 2 : x(n * step);
    if (at < 2 || at > width - 4) continue;
    axis.push(s("text", { class: here ? `w-step t-${mark.tone}` : "w-step", x: at, y: 14 }, String(n)));
  }
  const body = signals.map((signal, row) => {
    const y = HEAD + row * ROW;
    const list = pieces(wave, signal, from, to, scale);
    return s("g", { class: `w-signal ${signal.kind}` }, signal.width === 1 ? bit(list, y) : bus(list, y, width));
  });
  const view = s("svg", { x: left, y: 0, width, height: tall, overflow: "hidden" }, back, s("path", { class: "w-grid", d: grid }), axis, body);
  if (!left) return view;
  // Names are squeezed rather than cut.
  const names = signals.map((signal, row) => {
    const long = signal.name.length * 6.1 > left - 10;
    return s("text", { class: "w-name", x: 0, y: HEAD + row * ROW + 17, ...(long && { textLength: left - 10, lengthAdjust: "spacingAndGlyphs" }) }, signal.name);
  });
  return s("svg", { class: "w-strip", viewBox: `0 0 ${left + width} ${tall}`, width: left + width, height: tall, role: "img", "aria-label": wave.title }, s("text", { class: "w-step start", x: 0, y: 14 }, "step"), names, view);
}

// For paper: all of the waveform, in as many strips as it takes for the values of what matters to be readable.
function paperWave(wave, verdict) {
  const [width, most] = [690, 30];
  const longest = Math.max(4, ...wave.signals.map((signal) => signal.name.length));
  const left = Math.min(longest * 6.1 + 14, 230);
  const any = wave.signals.some((signal) => signal.matters);
  const letters = wave.signals.reduce((most, signal) => Math.max(most, signal.matters || !any ? Math.ceil(signal.width / 4) : 0), 1);
  const wide = Math.min(Math.max(22, letters * LETTER + 10), 118);
  const steps = Math.max(1, Math.floor((width - left) / wide));
  const mark = marked(wave, verdict);
  const out = [];
  const end = ending(wave);
  const span = steps * unit(wave);
  for (let from = 0; from < end; from += span) {
    // The last strip is no wider than what is left, so that one step looks the same in all of them.
    const to = Math.min(from + span, Math.ceil(end / unit(wave)) * unit(wave));
    const part = ((to - from) / span) * (width - left);
    for (let i = 0; i < wave.signals.length; i += most) out.push(strip(wave, wave.signals.slice(i, i + most), from, to, part, mark, left));
  }
  const note = [mark && `Step ${mark.step} ${mark.word.replace(" here", "")}.`, wave.back_to !== undefined && `Steps ${wave.back_to} to ${wave.steps - 1} repeat for ever.`];
  return h("figure", { class: "wave paper" }, h("figcaption", {}, h("b", {}, wave.title), " ", note.filter(Boolean).join(" ")), out);
}

let waves = 0;

// For the screen.
function waveform(wave, verdict) {
  const end = ending(wave);
  const step = unit(wave);
  const mark = marked(wave, verdict);
  const matter = wave.signals.filter((signal) => signal.matters);
  const others = matter.length ? wave.signals.filter((signal) => !signal.matters) : [];
  const first = matter.length ? matter : wave.signals;
  let signals = first;
  let [from, to] = [0, end];
  let width = 0;
  let fitted = true; // Nobody has zoomed yet.
  let pinned = mark ? (mark.step + 0.5) * step : 0;
  let pending = 0;

  const id = `wave-${++waves}`;
  const names = h("div", { class: "w-names" });
  const plot = h("div", { class: "w-plot" });
  const status = h("span", { class: "w-status", role: "status" });
  const cursor = s("path", { class: "w-cursor" });
  let values = [];

  function clamp() {
    const least = Math.min(step, end) / 2;
    const span = Math.min(Math.max(to - from, least), end);
    from = Math.min(Math.max(from, 0), end - span);
    to = from + span;
  }
  function zoom(factor, at = (from + to) / 2) {
    fitted = false;
    [from, to] = [at - (at - from) * factor, at + (to - at) * factor];
    clamp();
    later();
  }
  function pan(part) {
    const by = part * (to - from);
    fitted = false;
    [from, to] = [from + by, to + by];
    clamp();
    later();
  }
  function fit() {
    fitted = false;
    [from, to] = [0, end];
    later();
  }
  // The whole of it if that can be read, or else the end of it, where the failure is.
  function first_view() {
    const shown = Math.max(4, Math.floor(width / 34));
    const count = Math.ceil(end / step);
    [from, to] = count <= shown * 1.6 ? [0, end] : mark ? [end - shown * step, end] : [0, shown * step];
  }
  function point(time) {
    pinned = Math.min(Math.max(time, 0), end - Math.min(step, end) / 1e6);
    if (pinned < from || pinned > to) {
      const half = (to - from) / 2;
      [from, to] = [pinned - half, pinned + half];
      clamp();
      later();
    } else show(pinned);
  }
  // The values at a moment, beside the names.
  function show(time) {
    const at = ((time - from) / (to - from)) * width;
    cursor.setAttribute("d", at >= 0 && at <= width ? `M${at.toFixed(1)} ${HEAD - 6}V${HEAD + signals.length * ROW + 4}` : "");
    signals.forEach((signal, i) => {
      const value = valueAt(wave, signal, time);
      values[i].textContent = value;
      values[i].classList.toggle("on-x", /x/i.test(value));
    });
    const n = Math.floor(time / step);
    status.textContent = `step ${n}${mark && n === mark.step ? `, ${mark.word}` : ""} · time ${whole.format(Math.floor(time))}`;
  }
  function draw() {
    pending = 0;
    if (!width) return;
    plot.replaceChildren(strip(wave, signals, from, to, width, mark));
    plot.firstChild.append(cursor);
    plot.firstChild.setAttribute("aria-hidden", "true");
    figure.dataset.from = from;
    figure.dataset.to = to;
    show(pinned);
  }
  function later() {
    pending ||= requestAnimationFrame(draw);
  }
  function list() {
    values = signals.map(() => h("span", { class: "w-at" }));
    const rows = signals.map((signal, i) => {
      const cut = signal.name.lastIndexOf(".", signal.name.length - 2) + 1;
      return h(
        "div",
        { class: i === first.length ? "w-row other" : "w-row", title: `${signal.name} (${signal.kind}, ${count(signal.width, "bit")})` },
        h("span", { class: "w-kind" }, { clock: "clk", input: "in", state: "reg" }[signal.kind] ?? ""),
        h("span", { class: "w-path" }, signal.name.slice(0, cut)),
        h("span", { class: "w-leaf" }, signal.name.slice(cut)),
        values[i],
      );
    });
    names.replaceChildren(h("div", { class: "w-axis" }, "step"), ...rows);
  }

  const toggle = others.length > 0 &&
    h("label", { class: "check" }, h("input", { type: "checkbox", change: (event) => {
      signals = event.target.checked ? [...first, ...others] : first;
      list();
      later();
    } }), `${count(others.length, "other signal")}`);
  const figure = h(
    "figure",
    { class: "wave", role: "group", tabindex: 0, "aria-label": `Waveform: ${wave.title}. ${count(wave.steps, "step")}, ${count(wave.signals.length, "signal")}.`, "aria-describedby": id },
    h(
      "figcaption",
      {},
      h("span", { class: "w-title" }, wave.title),
      h(
        "span",
        { class: "w-tools" },
        toggle,
        button("−", () => zoom(1.5), { class: "w-out", "aria-label": "Zoom out", title: "Zoom out (−)" }),
        button("+", () => zoom(1 / 1.5), { class: "w-in", "aria-label": "Zoom in", title: "Zoom in (+)" }),
        button("Fit", fit, { title: "All of it (0)" }),
        mark && button(mark.tone === "fail" ? "Failure" : "End", () => point((mark.step + 0.5) * step), { title: "To the marked step (End)" }),
      ),
    ),
    h("div", { class: "w-body" }, names, plot),
    h("div", { class: "w-foot dim" }, status, h("span", { id, class: "w-hint" }, "Drag or ←→ to pan, + − or Ctrl+wheel to zoom, click or Shift+←→ for the cursor")),
  );

  const moment = (event) => from + ((event.clientX - plot.getBoundingClientRect().left) / width) * (to - from);
  plot.addEventListener("wheel", (event) => {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    // The page scrolls past a waveform that nobody has chosen.
    if (!sideways && !event.ctrlKey && !event.metaKey && document.activeElement !== figure) return;
    event.preventDefault();
    if (sideways) pan((event.deltaX || event.deltaY) / width);
    else zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), moment(event));
  }, { passive: false });
  let drag;
  plot.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    drag = { x: event.clientX, from, to, moved: false };
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!drag) return show(Math.min(Math.max(moment(event), 0), end - 1e-9));
    const by = ((drag.x - event.clientX) / width) * (drag.to - drag.from);
    if (Math.abs(drag.x - event.clientX) > 3) drag.moved = true;
    if (!drag.moved) return;
    fitted = false;
    [from, to] = [drag.from + by, drag.to + by];
    clamp();
    later();
  });
  plot.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) point(moment(event));
    drag = undefined;
    figure.focus({ preventScroll: true });
  });
  plot.addEventListener("pointercancel", () => (drag = undefined));
  plot.addEventListener("pointerleave", () => !drag && show(pinned));
  figure.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "+" || event.key === "=") zoom(1 / 1.5, pinned >= from && pinned <= to ? pinned : undefined);
    else if (event.key === "-" || event.key === "_") zoom(1.5, pinned >= from && pinned <= to ? pinned : undefined);
    else if (event.key === "0") fit();
    else if (along && event.shiftKey) point((Math.floor(pinned / step) + along + 0.5) * step);
    else if (along) pan(along / 8);
    else if (event.key === "Home") point(step / 2);
    else if (event.key === "End") point(end - step / 2);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  list();
  new ResizeObserver(() => {
    const now = plot.clientWidth;
    if (!now || now === width) return;
    width = now;
    if (fitted) first_view();
    draw();
  }).observe(plot);
  return figure;
}
