// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The best of one side against the best of the other, on each board that both entered.
"use strict";

let standing;
const runs = new Map(); // slug: a promise of its boards, and what keeps it
const form = document.getElementById("sides"), result = document.getElementById("result");

// Called by data/standing.js.
function podiumStanding(value) {
  standing = value;
  fillChoices();
  followChoice();
}

// Called by data/run-SLUG.js.
function podiumRun(run) {
  runs.get(run.slug)?.keep(run.boards);
}

function boardsOf(run) {
  if (!runs.has(run)) {
    const asked = {};
    asked.boards = new Promise((keep, reject) => {
      asked.keep = keep;
      podium.load(`data/run-${run}.js`, () => reject(new Error("this run is not on this site")));
    });
    runs.set(run, asked);
  }
  return runs.get(run).boards;
}

// What a side may be: KIND:VALUE, and which rows then belong to it. A row is [name, language, library, time, low, high, sol].
const kinds = {
  device: { of: (value) => (board) => board.device === value, fixesDevice: true },
  vendor: { of: (value) => (board) => standing.devices.find((d) => d.slug === board.device)?.vendor === value, fixesDevice: true },
  run: { of: () => () => true, fixesDevice: true },
  who: { of: (value) => (board, row) => Boolean(row[2]) === (value === "libraries") },
  language: { of: (value) => (board, row) => row[1] === value },
  contestant: { of: (value) => (board, row) => row[0] === value },
};

function choices() {
  const rows = standing.boards.flatMap((board) => board.rows);
  const distinct = (values) => [...new Set(values)].sort(new Intl.Collator("en").compare);
  const plain = (kind, values) => values.map((value) => [`${kind}:${value}`, value]);
  return [
    ["Devices", standing.devices.map((d) => [`device:${d.slug}`, d.name])],
    ["Vendors", plain("vendor", distinct(standing.devices.map((d) => d.vendor)))],
    ["Libraries", [["who:libraries", "libraries"], ["who:others", "all but libraries"]]],
    ["Languages", plain("language", distinct(rows.map((row) => row[1])))],
    ["Runs", standing.runs.map((r) => [`run:${r.slug}`, r.name])],
    ["Contestants", plain("contestant", distinct(rows.map((row) => row[0])))],
  ];
}

function fillChoices() {
  for (const select of [form.a, form.b]) {
    for (const [label, options] of choices()) {
      if (options.length === 0) continue;
      select.append(make("optgroup", { label }, ...options.map(([value, words]) => make("option", { value, textContent: words }))));
    }
  }
}

const microseconds = (us) => {
  const [value, unit] = us < 1 ? [us * 1e3, "ns"] : us < 1e3 ? [us, "µs"] : us < 1e6 ? [us / 1e3, "ms"] : [us / 1e6, "s"];
  return `${value >= 1000 ? value.toFixed(0) : value.toPrecision(4)} ${unit}`;
};

// The best row of a side on each board. Without a device of its own, a side is asked on every device.
async function bestOf(choice, perDevice) {
  const kind = choice.slice(0, choice.indexOf(":")), value = choice.slice(kind.length + 1);
  const belongs = kinds[kind].of(value);
  const boards = kind === "run" ? await boardsOf(value) : standing.boards;
  const best = new Map();
  for (const board of boards) {
    const key = JSON.stringify([board.problem, board.types, board.same, perDevice ? board.device : ""]);
    for (const row of board.rows)
      if (row[3] && belongs(board, row) && !(best.get(key)?.row[3] <= row[3])) best.set(key, { board, row });
  }
  return best;
}

function lineOf({ board, row: a }, { board: other, row: b }, perDevice) {
  const factor = b[3] / a[3];
  const apart = a[4] && b[4] ? a[5] < b[4] || b[5] < a[4] : factor !== 1;
  const verdict = !apart ? "not separated" : factor > 1 ? "A" : "B";
  const share = Math.min(50, Math.abs(Math.log2(factor)) * 12.5); // the strip ends at 16 times
  const strip = make("span", { className: "diverge" }, make("i"));
  strip.setAttribute("aria-hidden", "true");
  strip.firstChild.style.cssText = factor > 1 ? `left:50%;width:${share}%` : `right:50%;width:${share}%`;
  const cell = (sort, ...content) => {
    const node = make("td", {}, ...content);
    if (sort !== null) node.dataset.v = sort;
    return node;
  };
  const side = (at, row) => cell(row[3], make("b", { textContent: row[0] }), make("span", { className: "dim", textContent: ` ${row[1]} ` }), make("span", { className: "num", textContent: microseconds(row[3]) }));
  const problem = make("th", { scope: "row" }, make("a", { href: `problem/${board.page}.html`, textContent: board.problem }));
  const ratio = cell(factor, `${factor.toFixed(3)}×`);
  ratio.className = "n";
  const plain = (words) => Object.assign(cell(null, words), { className: "num" });
  const cells = [problem, plain(board.types), ratio, cell(Math.log2(factor), strip), plain(verdict), side(board, a), side(other, b)];
  if (perDevice) cells.push(plain(standing.devices.find((d) => d.slug === board.device)?.name ?? board.device));
  const id = [board.page, board.types, ...(perDevice ? [board.device] : [])].join("--");
  return { node: make("tr", { id }, ...cells), factor, verdict };
}

const chosenWords = (select) => select.selectedOptions[0].textContent;

function show(lines, perDevice, why = "No board has both sides, with the same workloads of the same revision.") {
  const output = form.querySelector("output");
  if (lines.length === 0) {
    output.textContent = "";
    result.replaceChildren(make("p", { className: "notice", textContent: why }));
    return;
  }
  const count = (verdict) => lines.filter((line) => line.verdict === verdict).length;
  const mean = Math.exp(lines.reduce((sum, line) => sum + Math.log(line.factor), 0) / lines.length);
  output.textContent = `${lines.length} boards: A faster on ${count("A")}, B on ${count("B")}, not separated on ${count("not separated")}; geometric mean of A's speed-ups ${mean.toFixed(3)}×`;
  // Times of two revisions of a problem make two rows.
  lines.forEach(({ node }, i) => {
    const before = lines.slice(0, i).filter((line) => line.node.id === node.id).length;
    if (before) node.id += `--${before + 1}`;
  });
  const heads = ["problem", "types", "speed-up", "", "faster", `A: ${chosenWords(form.a)}`, `B: ${chosenWords(form.b)}`, ...(perDevice ? ["device"] : [])];
  const table = make("table", { className: "wide" }, make("caption", { className: "vh", textContent: "Side A against side B" }), make("thead", {}, make("tr", {}, ...heads.map((text) => (text ? make("th", { textContent: text, scope: "col", className: text === "speed-up" ? "n" : "" }) : make("td"))))), make("tbody", {}, ...lines.map((line) => line.node)));
  table.dataset.copy = "comparison";
  const holder = make("div", { className: "tw", tabIndex: 0, role: "region" }, table);
  holder.setAttribute("aria-label", "Comparison");
  result.replaceChildren(holder);
  podium.addCopies(table);
  podium.addLinks(table);
  podium.keepSorting(table);
  podium.sortAsAsked(table);
  podium.mark();
}

const compareSides = podium.latest(async () => {
  const perDevice = [form.a, form.b].every((select) => !kinds[select.value.split(":")[0]].fixesDevice);
  try {
    const [a, b] = await Promise.all([bestOf(form.a.value, perDevice), bestOf(form.b.value, perDevice)]);
    const lines = [...a].filter(([key]) => b.has(key)).map(([key, one]) => lineOf(one, b.get(key), perDevice));
    return () => show(lines, perDevice);
  } catch (error) {
    return () => show([], perDevice, `Cannot compare: ${error.message}.`);
  }
});

function choose(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

function followChoice() {
  const state = readState();
  choose(form.a, state.get("a") || "who:libraries");
  choose(form.b, state.get("b") || "who:others");
  compareSides();
}

function chosen() {
  writeState((state) => (state.set("a", form.a.value), state.set("b", form.b.value), state.delete("at")));
  compareSides();
}
form.addEventListener("input", chosen);
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("swap").addEventListener("click", () => {
  [form.a.value, form.b.value] = [form.b.value, form.a.value];
  chosen();
});
window.addEventListener("hashchange", followChoice);
