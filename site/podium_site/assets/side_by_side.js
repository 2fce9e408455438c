// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two sources side by side: #a=KEY&b=KEY. jsdiff compares; equal parts fold.
"use strict";

const CONTEXT = 3; // equal lines that stay in sight around a difference

function plainText(html) {
  return Object.assign(document.createElement("template"), { innerHTML: html }).content.textContent;
}

// One line of one side. `kind`: "" equal, "d" removed, "a" added, "e" nothing stands here.
function lineOf(side, number, kind, fill) {
  const text = make("span");
  fill?.(text);
  const sign = { d: "−", a: "+" }[kind] ?? "";
  const line = make("div", { className: `l ${side} ${kind}` }, make("span", { textContent: sign }), text);
  if (number) line.dataset.n = number;
  if (kind === "e") line.setAttribute("aria-hidden", "true");
  return line;
}

// Whether so much of two lines is equal that their differences say more than the lines themselves.
function alike(one, other) {
  const equal = Diff.diffWordsWithSpace(one, other).filter((part) => !part.added && !part.removed);
  const letters = (text) => text.replace(/\s/g, "").length;
  return 2 * letters(equal.map((part) => part.value).join("")) > Math.max(letters(one), letters(other));
}

function words(own, other, isOwn) {
  return (node) => {
    for (const part of Diff.diffWordsWithSpace(isOwn === "d" ? own : other, isOwn === "d" ? other : own)) {
      const foreign = isOwn === "d" ? part.added : part.removed;
      if (foreign) continue;
      node.append(part.added || part.removed ? make("mark", { textContent: part.value }) : part.value);
    }
  };
}

function compare(a, b) {
  const left = a.lines.map(plainText), right = b.lines.map(plainText);
  const parts = Diff.diffArrays(left, right);
  const rows = [];
  let i = 0, j = 0, removed = 0, added = 0;
  const html = (text) => (node) => (node.innerHTML = text); // escaped and highlighted when the site was made
  for (let p = 0; p < parts.length; ++p) {
    const part = parts[p];
    if (!part.added && !part.removed) {
      for (let k = 0; k < part.count; ++k, ++i, ++j)
        rows.push({ equal: true, nodes: [lineOf("", i + 1, "", html(a.lines[i])), lineOf("b", j + 1, "", html(b.lines[j]))] });
      continue;
    }
    const next = parts[p + 1];
    const both = next && next.added !== part.added && next.removed !== part.removed && (next.added || next.removed);
    const gone = part.removed ? part.count : both ? next.count : 0;
    const come = part.added ? part.count : both ? next.count : 0;
    for (let k = 0; k < Math.max(gone, come); ++k) {
      const paired = k < gone && k < come && alike(left[i + k], right[j + k]);
      const l = k < gone ? lineOf("", i + k + 1, "d", paired ? words(left[i + k], right[j + k], "d") : html(a.lines[i + k])) : lineOf("", 0, "e");
      const r = k < come ? lineOf("b", j + k + 1, "a", paired ? words(right[j + k], left[i + k], "a") : html(b.lines[j + k])) : lineOf("b", 0, "e");
      rows.push({ equal: false, nodes: [l, r] });
    }
    i += gone, j += come, removed += gone, added += come;
    p += both ? 1 : 0;
  }
  return { rows, removed, added };
}

// Runs of equal lines become one button that shows them.
function folded(rows) {
  const near = rows.map(() => false);
  rows.forEach((row, at) => {
    if (row.equal) return;
    for (let k = Math.max(0, at - CONTEXT); k <= Math.min(rows.length - 1, at + CONTEXT); ++k) near[k] = true;
  });
  const nodes = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && !near[end]) ++end;
    if (end - at > 1) {
      const hidden = rows.slice(at, end).flatMap((row) => row.nodes);
      const button = make("button", { type: "button", textContent: `${end - at} equal lines` });
      const fold = make("div", { className: "skip-lines" }, button);
      button.addEventListener("click", () => fold.replaceWith(...hidden));
      nodes.push(fold);
      at = end;
    } else {
      nodes.push(...rows[at].nodes);
      ++at;
    }
  }
  return nodes;
}

const summary = document.getElementById("summary"), place = document.getElementById("sides");

function showSides(a, b) {
  const { rows, removed, added } = compare(a, b);
  const head = (source, side) =>
    make("div", { className: `head ${side}` }, make("a", { href: `source/${source.key}.html`, textContent: `${source.name || source.file}` }), make("span", { className: "dim", textContent: ` ${source.file}, ${source.lines.length} lines${source.license ? `, ${source.license}` : ""}` }));
  const grid = make("div", { className: "sides", role: "region", tabIndex: 0 }, head(a, ""), head(b, "b"), ...folded(rows));
  grid.setAttribute("aria-label", `${a.name || a.file} and ${b.name || b.file} side by side`);
  place.replaceChildren(grid);
  summary.textContent = removed + added ? `${removed} lines only on the left (−), ${added} only on the right (+).` : "The two sources are equal.";
  document.title = `${a.name || a.file} and ${b.name || b.file} · Podium`;
}

const followKeys = podium.latest(async () => {
  const keys = new URLSearchParams(location.hash.slice(1));
  try {
    const [a, b] = await Promise.all([podium.source(keys.get("a") ?? ""), podium.source(keys.get("b") ?? "")]);
    return () => showSides(a, b);
  } catch (error) {
    return () => {
      place.replaceChildren();
      summary.textContent = `Nothing to compare: ${error.message}.`;
    };
  }
});
window.addEventListener("hashchange", followKeys);
followKeys();
