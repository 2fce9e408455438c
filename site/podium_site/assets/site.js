// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What every page does in the browser: colours, sorting, filters, copies of tables, sources. The pages read without it.
"use strict";

const podium = { root: document.body.dataset.root, sources: new Map() };

function make(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

// The page's state stands in its address: #f?lang=CUDA&sort=TABLE.COLUMN.a&at=ROW, or plainly #ROW.
function readState() {
  const hash = location.hash.slice(1);
  return new URLSearchParams(hash.startsWith("f?") ? hash.slice(2) : "");
}

function writeState(change) {
  const state = readState();
  change(state);
  for (const [key, value] of [...state]) if (!value) state.delete(key);
  const text = state.toString();
  history.replaceState(null, "", text ? `#f?${text}` : location.pathname + location.search);
}

// Colours

const theme = document.querySelector(".theme");
const themes = ["auto", "light", "dark"];

function showTheme() {
  const now = document.documentElement.dataset.theme || "auto";
  theme.lastElementChild.textContent = now;
  theme.setAttribute("aria-label", `Colours: ${now === "auto" ? "as the system" : now}`);
}

theme.addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % themes.length];
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("podium-theme", next);
  } catch {
    // The choice lasts as long as the page.
  }
  showTheme();
});
showTheme();

// Sorting: by the number that a cell stands for, never by its text if it has one. What has no value comes last.

function valueOf(cell) {
  return cell.dataset.v ?? cell.textContent.trim();
}

function sortBy(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, index) => ({ row, index, value: valueOf(row.cells[column] ?? row.cells[0]) }));
  const numeric = rows.every((r) => r.value === "" || Number.isFinite(Number(r.value)));
  const order = numeric ? (a, b) => a - b : new Intl.Collator("en", { numeric: true }).compare;
  rows.sort((a, b) => {
    if ((a.value === "") !== (b.value === "")) return a.value === "" ? 1 : -1;
    return (descending ? order(b.value, a.value) : order(a.value, b.value)) || a.index - b.index;
  });
  body.append(...rows.map((r) => r.row));
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    if (i === column) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
  // Ties are drawn between neighbours in the order of ranks.
  for (const tie of body.querySelectorAll(".tie")) tie.hidden = column !== 0 || descending;
}

podium.addSorting = (table, sorted = () => {}) => {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = make("button", { type: "button" });
    if (head.querySelector("a")) button.append(make("span", { className: "vh", textContent: `Sort by ${head.textContent}` }));
    else button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      sortBy(table, column, descending);
      sorted(column, descending);
    });
  });
};

// What the address calls a sorting: neither another table nor another column changes the name of this one.
function sortingOf(table, column, descending) {
  const head = table.tHead.rows[0].cells[column];
  return `${table.dataset.copy}.${head.dataset.name ?? head.dataset.csv ?? wordsOf(head)}.${descending ? "d" : "a"}`;
}

podium.keepSorting = (table) =>
  podium.addSorting(table, (column, descending) => writeState((state) => state.set("sort", sortingOf(table, column, descending))));

podium.sortAsAsked = (table) => {
  const asked = readState().get("sort");
  for (let column = 0; asked && column < table.tHead.rows[0].cells.length; ++column)
    for (const descending of [false, true]) if (sortingOf(table, column, descending) === asked) sortBy(table, column, descending);
};

const sortable = [...document.querySelectorAll("table[data-sort]")];
sortable.forEach(podium.keepSorting);

// Permanent links to rows. Their sign is the style sheet's: no copy, filter or sorting takes it for text.

podium.addLinks = (table) => {
  for (const row of table.querySelectorAll("tbody tr[id]")) {
    if (row.querySelector(".link")) continue;
    const link = make("a", { className: "link", href: `#${encodeURIComponent(row.id)}` });
    link.setAttribute("aria-label", `Permanent link to ${wordsOf(row.querySelector("th") ?? row.cells[0])}`);
    row.cells[0].append(link);
  }
};

function idInAddress() {
  try {
    return readState().get("at") ?? decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // no address that a page of this site has made
  }
}

// Marks the row that the address names, and opens what folds it away.
podium.mark = () => {
  for (const row of document.querySelectorAll("tr.at")) row.classList.remove("at");
  const row = document.getElementById(idInAddress());
  if (row?.tagName !== "TR") return;
  row.classList.add("at");
  for (let fold = row.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  row.scrollIntoView({ block: "center" });
};

for (const table of document.querySelectorAll("table")) podium.addLinks(table);

// Copies of tables, with texts as `podium report` writes them: docs/exports.md. A spreadsheet must not take a text for
// a formula, nor may Markdown take one for markup, a link or a mention.

function wordsOf(cell) {
  const copy = cell.cloneNode(true);
  for (const node of copy.querySelectorAll(".link, [aria-hidden=true], .vh")) node.remove();
  for (const node of copy.querySelectorAll("br, span, i, b")) node.before(" ");
  return copy.textContent.replace(/\s+/g, " ").trim();
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

podium.csvCell = (text) => {
  const formula = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !NUMBER.test(text);
  const safe = formula ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const MARKUP = /[&<\\`*[\]|~$]|(?<![0-9a-z])_|_(?![0-9a-z])|:(?=\/\/)|@(?=.)|#(?=[0-9a-z])|www(?=\.)/gi;
const BLOCK = /^([>=]|#(?![0-9a-z])|([-+])(?= |$|\2)|\d+[.)](?= |$))/i; // what begins a heading, a list or a quotation

podium.markdownCell = (text) => {
  const block = text.match(BLOCK)?.[0] ?? "";
  const escaped = text.slice(block.length).replace(MARKUP, (found) => {
    if (found === "&") return "&amp;";
    if (found === "<") return "&lt;";
    return /[:@#w]$/i.test(found) ? `${found}&#8203;` : `\\${found}`; // a space without width ends what would be a link
  });
  return block.replace(/.$/, "\\$&") + escaped;
};

podium.tableAs = (table, format) => {
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
  if (format === "csv") {
    const cell = (node, i) => {
      const raw = heads[i]?.dataset.csv && node.dataset.v !== undefined;
      return podium.csvCell(raw ? node.dataset.v : wordsOf(node));
    };
    const lines = rows.map((row) => [...row.cells].map(cell).join(","));
    return [heads.map((head) => podium.csvCell(head.dataset.csv ?? wordsOf(head))).join(","), ...lines, ""].join("\r\n");
  }
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const marks = heads.map((head) => (head.classList.contains("n") ? "---:" : "---"));
  const text = (node) => podium.markdownCell(wordsOf(node));
  return [line(heads.map(text)), line(marks), ...rows.map((row) => line([...row.cells].map(text))), ""].join("\n");
};

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text, className: "vh" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function copyButton(label, text) {
  const button = make("button", { type: "button", textContent: label });
  button.addEventListener("click", async () => {
    await copyText(text());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1200);
  });
  return button;
}

function saveCsv(table) {
  const href = URL.createObjectURL(new Blob([podium.tableAs(table, "csv")], { type: "text/csv" }));
  make("a", { href, download: `${table.dataset.copy.replace(/[^\w.-]+/g, "-")}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

podium.addCopies = (table) => {
  const save = make("button", { type: "button", textContent: "Save CSV" });
  save.addEventListener("click", () => saveCsv(table));
  const copies = [copyButton("Copy Markdown", () => podium.tableAs(table, "md")), copyButton("Copy CSV", () => podium.tableAs(table, "csv"))];
  const name = table.caption?.textContent ?? "table";
  for (const button of [...copies, save]) button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  table.closest(".tw").after(make("div", { className: "copy" }, ...copies, save));
};

for (const table of document.querySelectorAll("table[data-copy]")) podium.addCopies(table);
for (const button of document.querySelectorAll("[data-copy-text]"))
  button.replaceWith(copyButton("Copy", () => button.dataset.copyText));

// Filters: a row has what is asked for in data-KEY, one value or several between "|".

function matches(node, key, wanted) {
  if (!wanted) return true;
  if (key === "q") return node.textContent.toLowerCase().includes(wanted.toLowerCase());
  if (key === "since") return (node.dataset.date ?? "") >= wanted;
  return (node.dataset[key] ?? "").split("|").includes(wanted);
}

function hideRows(rows, wanted) {
  let shown = 0;
  for (const row of rows) {
    row.hidden = !wanted.every(([key, value]) => matches(row, key, value));
    shown += !row.hidden;
  }
  return shown;
}

function filterBoards(wanted) {
  const ofBoards = ["device", "vendor", "type", "since"];
  const boardWants = wanted.filter(([key]) => ofBoards.includes(key));
  const rowWants = wanted.filter(([key]) => !ofBoards.includes(key));
  let shown = 0;
  for (const board of document.querySelectorAll("section.board")) {
    const rows = board.querySelectorAll("tbody tr[data-lang]");
    const left = hideRows(rows, rowWants);
    board.hidden = !boardWants.every(([key, value]) => matches(board, key, value)) || (rows.length > 0 && left === 0);
    if (!board.hidden) shown += left;
    for (const part of board.querySelectorAll(".part")) part.hidden = !part.querySelector("tbody tr:not([hidden])");
    for (const line of document.querySelectorAll(`[data-board="${CSS.escape(board.id)}"]`)) line.hidden = board.hidden;
  }
  return shown;
}

for (const filters of document.querySelectorAll("[data-filters]")) {
  const controls = [...filters.querySelectorAll("[data-key]")];
  const target = filters.dataset.filters;
  const apply = () => {
    const wanted = controls.filter((c) => c.value).map((c) => [c.dataset.key, c.value]);
    const table = document.getElementById(target);
    const shown = target === "boards" ? filterBoards(wanted) : hideRows(table.tBodies[0].rows, wanted);
    filters.querySelector("output").textContent = wanted.length ? `${shown} row${shown === 1 ? "" : "s"}` : "";
  };
  const changed = () => {
    apply();
    writeState((state) => controls.forEach((c) => state.set(c.dataset.key, c.value)));
  };
  filters.addEventListener("input", changed);
  filters.querySelector("[data-reset]")?.addEventListener("click", () => {
    for (const control of controls) control.value = "";
    changed();
  });
  filters.follow = (state) => {
    for (const control of controls) control.value = state.get(control.dataset.key) ?? "";
    apply();
  };
}

function followAddress() {
  const state = readState();
  for (const filters of document.querySelectorAll("[data-filters]")) filters.follow(state);
  sortable.forEach(podium.sortAsAsked);
  podium.mark();
}
window.addEventListener("hashchange", followAddress);
followAddress();

// A permanent link to a row keeps the filters.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.link");
  if (!link || ![...readState().keys()].some((key) => key !== "at")) return;
  event.preventDefault();
  writeState((state) => state.set("at", decodeURIComponent(link.hash.slice(1))));
  followAddress();
});

// A function that asks and then shows. `ask` returns what shows the answer, or a promise of it; the answer to an
// earlier call is not shown once there was a later one.
podium.latest = (ask) => {
  let calls = 0;
  return async (...choice) => {
    const call = ++calls;
    const show = await ask(...choice);
    if (call === calls) show();
  };
};

// Sources come in scripts of their own, since a page from a file may fetch nothing.

podium.load = (path, failed) => {
  const script = make("script", { src: podium.root + path });
  script.addEventListener("error", failed);
  document.head.append(script);
};

// Called by source/KEY.js.
function podiumSource(source) {
  podium.sources.get(source.key)?.keep(source);
}

podium.source = (key) => {
  if (!/^[0-9a-f]{32}$/.test(key)) return Promise.reject(new Error("the address names no source"));
  if (!podium.sources.has(key)) {
    const asked = {};
    asked.source = new Promise((keep, reject) => {
      asked.keep = keep;
      podium.load(`source/${key}.js`, () => reject(new Error(`source ${key} is not on this site`)));
    });
    podium.sources.set(key, asked);
  }
  return podium.sources.get(key).source;
};

const viewer = make("dialog");
const viewed = { links: [], index: 0 };

const view = podium.latest(async (index) => {
  viewed.index = (index + viewed.links.length) % viewed.links.length;
  const link = viewed.links[viewed.index];
  try {
    const source = await podium.source(link.dataset.source);
    return () => showSource(link, source);
  } catch {
    return () => (location.href = link.href);
  }
});

function showSource(link, source) {
  const go = (words, step) => {
    const button = make("button", { type: "button", textContent: words, disabled: viewed.links.length < 2 });
    button.addEventListener("click", () => view(viewed.index + step));
    return button;
  };
  const close = make("button", { type: "button", textContent: "Close" });
  close.addEventListener("click", () => viewer.close());
  const title = make("h2", {}, `${link.dataset.name} `, make("small", { textContent: `${source.file}, ${source.lines.length} lines${source.license ? `, ${source.license}` : ""}` }));
  const code = make("div", { className: "source", tabIndex: 0, role: "region" });
  code.setAttribute("aria-label", `Source of ${link.dataset.name}`);
  source.lines.forEach((html, i) => {
    const line = make("span", { innerHTML: html }); // escaped and highlighted when the site was made
    line.dataset.n = i + 1;
    code.append(line);
  });
  viewer.replaceChildren(make("div", { className: "bar" }, title, go("◂ Previous", -1), go("Next ▸", 1), make("a", { href: link.href, textContent: "Own page" }), close), code);
  viewer.setAttribute("aria-label", `Source of ${link.dataset.name}`);
  if (!viewer.open) viewer.showModal();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-source]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (!viewer.isConnected) document.body.append(viewer);
  const scope = link.closest("section.board, table");
  viewed.links = [...scope.querySelectorAll("a[data-source]")].filter((one) => !one.closest("[hidden]"));
  view(viewed.links.indexOf(link));
});
viewer.addEventListener("click", (event) => event.target === viewer && viewer.close());

for (const form of document.querySelectorAll("form[data-diff]"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = `${podium.root}diff.html#a=${form.a.value}&b=${form.b.value}`;
  });
