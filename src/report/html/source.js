// Source text: keywords a little stronger, comments a little weaker, and the marked range.

const LANGUAGES = [
  {
    files: /\.(sv|svh|v|vh)$/i,
    comment: /\/\/.*|\/\*.*?(\*\/|$)/,
    words:
      "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic begin bind bit buf byte case casex casez class clocking const constraint cover covergroup coverpoint cross default defparam disable do else end endcase endclass endclocking endfunction endgenerate endinterface endmodule endpackage endproperty endsequence endtask enum expect export extends extern final first_match for forever function generate genvar if iff implements implies import initial inout input inside int integer interface intersect local localparam logic longint modport module negedge nexttime nor not null or output package packed parameter posedge priority program property reg reject_on repeat return s_always s_eventually s_nexttime s_until sequence shortint signed static strong struct super supply0 supply1 switch task this throughout time timeprecision timeunit tri type typedef union unique unique0 unsigned until var virtual void wait weak while wire with within xnor xor",
  },
  {
    files: /\.(vhd|vhdl)$/i,
    fold: true,
    comment: /--.*/,
    words:
      "abs access after alias all and architecture array assert assume attribute begin block body buffer bus case component configuration constant context cover default disconnect downto else elsif end entity exit file for force function generate generic group guarded if impure in inertial inout is label library linkage literal loop map mod nand new next nor not null of on open or others out package parameter port postponed procedure process property protected pure range record register reject release rem report restrict return rol ror select sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected units until use variable view vunit wait when while with xnor xor",
  },
  {
    files: /\.(c|cc|cpp|cxx|h|hh|hpp)$/i,
    comment: /\/\/.*|\/\*.*?(\*\/|$)/,
    words:
      "alignas alignof auto bool break case catch char class concept const constexpr continue default delete do double else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile wchar_t while SC_CTOR SC_MODULE SC_METHOD SC_THREAD sc_in sc_out sc_signal sc_event wait notify",
  },
];
for (const language of LANGUAGES) {
  language.set = new Set(language.words.split(" "));
  language.token = new RegExp(`(?<c>${language.comment.source})|(?<s>"(?:[^"\\\\]|\\\\.)*"?)|(?<n>(?:\\b\\d+)?'s?[bdho][0-9a-fxz_?]+(?!\\w)|\\b\\d[\\w.]*|'[01xz]'?(?!\\w))|(?<w>[$\`]?[A-Za-z_]\\w*)`, "giu");
}

// The line as nodes. `marks` are ranges [first column, last column, class], counted from 1 in characters.
function highlight(text, file, marks) {
  const chars = Array.from(text);
  const language = LANGUAGES.find((one) => one.files.test(file));
  const classes = chars.map(() => "");
  if (language) {
    // Offsets of the pattern are in UTF-16 units; `unit` leads from them to characters.
    const unit = [];
    chars.forEach((char, i) => unit.push(...Array(char.length).fill(i)));
    for (const { 0: found, index, groups } of text.matchAll(language.token)) {
      const name = groups.w && (language.set.has(language.fold ? groups.w.toLowerCase() : groups.w) || /^[$`]/.test(groups.w)) ? "kw" : groups.c !== undefined ? "cm" : groups.s !== undefined || groups.n !== undefined ? "lit" : "";
      if (name) for (let i = index; i < index + found.length; i++) classes[unit[i]] = name;
    }
  }
  const marked = chars.map((_, i) => marks.find(([from, to]) => i + 1 >= from && i + 1 <= to)?.[2] ?? "");
  const out = [];
  for (let i = 0; i < chars.length; ) {
    let j = i;
    while (j < chars.length && classes[j] === classes[i] && marked[j] === marked[i]) j++;
    const piece = chars.slice(i, j).join("");
    const inner = classes[i] ? h("span", { class: classes[i] }, piece) : piece;
    out.push(marked[i] ? h("mark", { class: marked[i] }, inner) : inner);
    i = j;
  }
  return out;
}

// An excerpt with the places that lie in it: the first is what the message is about.
function excerpt(source, place, also) {
  const places = [[place, "here"], ...(also ?? []).map(([other]) => [other, "also"])].filter(([p]) => p && p.file === place?.file);
  return h(
    "div",
    { class: "code", role: "group", "aria-label": `source of ${place?.file ?? "the finding"}`, tabindex: 0 },
    source.lines.map((text, i) => {
      const number = source.from + i;
      const here = places.filter(([p]) => p.line === number);
      const marks = here.filter(([p]) => p.column > 0).map(([p, name]) => [p.column, Math.max(p.end || 0, p.column), name]);
      return h(
        "div",
        { class: here.some(([, name]) => name === "here") ? "line here" : "line" },
        h("span", { class: "no" }, String(number)),
        h("span", { class: "text" }, highlight(text, place?.file ?? "", marks)),
      );
    }),
  );
}
