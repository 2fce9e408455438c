# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Each page's contents. A page is a function of the site that writes one file, so that processes share the work."""

import json
import math
import os
import re
import shlex
from pathlib import Path

import jinja2
from markupsafe import Markup

from . import audit, charts, commands, highlight, past, text
from .boards import Boards, interval_strips, lead_of
from .sources import collect

_HISTORY_LINES = 400  # of a contestant's page, about: the newest runs of each board
_HISTORY_CHARTS = 24  # that history.html draws; each problem's page draws its own


def _sortable(value):
    value = text.number(value)
    return "" if value is None else f"{value:.9g}"


def _phrase(value):
    if value is None or isinstance(value, jinja2.Undefined):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shape(value):
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else _phrase(value)


def _environment():
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: "" if value is None else value,
    )
    environment.filters.update(
        time=text.time, digits=text.digits, percent=text.percent, measured=text.measured, ratio=text.ratio, rank=text.rank, moment=text.moment,
        spread=text.spread, grouped=audit.grouped, between=text.between, slug=text.slug, sortable=_sortable, phrase=_phrase, shape=_shape,
        clip=lambda value: f"{min(100, max(0, value)):.4g}",
    )  # fmt: skip
    for name in environment.list_templates():
        environment.get_template(name)
    return environment


class Pages(Boards):
    def __init__(self, site, folder):
        self.site, self.folder = site, Path(folder)
        self.sources = collect(site)
        self.environment = _environment()

    # What is written

    def tasks(self):
        """All pages, the most expensive first; each is a method and its arguments."""
        yield from (("problem", name) for name in sorted(self.site.problems, key=self._weight))
        yield from (("contestant", name) for name in self.site.contestants)
        yield from (("device", slug) for slug in self.site.devices)
        yield from (("run", index) for index in range(len(self.site.runs)))
        for page in ("index", "devices", "contestants", "runs", "history", "compare", "diff", "standing"):
            yield (page,)
        if self._compared():
            yield ("comparison",)
        yield from (("source", sha256) for sha256 in self.sources)

    def _weight(self, name):
        return -sum(len(board.rows) for board in self.site.problems[name].boards.values())

    def write(self, task):
        getattr(self, task[0])(*task[1:])

    def _put(self, path, content):
        target = self.folder / path
        os.makedirs(target.parent, exist_ok=True)
        target.write_bytes(content.encode())

    def _page(self, path, template, **context):
        context.setdefault("root", "../" * path.count("/"))
        self._put(path, self.environment.get_template(template).render(context))

    def _script(self, path, call, value):
        self._put(path, f"{call}({script_json(value)});\n")

    # Pages

    def index(self):
        devices = list(self.site.devices.values())
        timed = [d for d in devices if not d.emulated]
        matrix, unmeasured = [], []
        for problem in self.site.problems.values():
            kinds = sorted({types for _, types in problem.boards}, key=lambda t: _types_order(problem, t))
            lines = []
            for types in kinds:
                cells = [_cell(problem, d, problem.boards.get((d.slug, types))) for d in timed]
                if not any(cell["board"] for cell in cells):
                    continue
                lines.append(
                    {
                        "problem": problem,
                        "types": types,
                        "first": not lines,
                        "cells": cells,
                        "anchor": f"{problem.page}--{text.slug(types)}",
                        "languages": "|".join(sorted({c["row"].language for c in cells if c["row"]})),
                    }
                )
            matrix += lines
            if not lines:
                unmeasured.append(problem)
        languages = sorted({word for line in matrix for word in line["languages"].split("|") if word})
        samples = sum(audit.samples_of(run) for run in self.site.runs)
        contestants = {(r.board.problem, r.name) for rows in self.site.contestants.values() for r in rows}
        tally = [
            audit.counted(len(self.site.problems) - len(unmeasured), "problem"),
            audit.counted(len(timed), "device"),
            audit.counted(len(contestants), "contestant"),
            audit.counted(len(self.site.runs), "run"),
        ]
        if samples:
            tally.append((audit.grouped(samples), "calls checked"))
        newest = [_named(run, self.site.devices[run.device].name) for run in reversed(self.site.runs[-8:])]
        emulated = [self._emulated(d) for d in devices if d.emulated]
        self._page(
            "index.html", "index.html", here="problems", timed=timed, matrix=matrix, tally=tally, newest=newest,
            languages=languages, emulated=emulated, unmeasured=unmeasured, compared=bool(self._compared()),
            unknown=any(cell["row"] and cell["row"].sol is None for line in matrix for cell in line["cells"]),
        )  # fmt: skip

    def _emulated(self, device):
        boards = [b for b in self.site.boards() if b.run.device == device.slug]
        count = lambda standing: len({(b.problem, r.name) for b in boards for r in b.standing(standing)})
        return {
            "device": device,
            "problems": len({b.problem for b in boards}),
            "verified": count("verified"),
            "failed": count("failed"),
            "declined": count("declined"),
        }

    def problem(self, name):
        problem = self.site.problems[name]
        raw = problem.raw
        boards = [self._board(board, "../") for board in problem.boards.values()]
        rows = [row for board in problem.boards.values() for row in board.rows]
        devices = {b["device"].page: b["device"] for b in boards}
        options = lambda values: [(v, v) for v in sorted(set(values)) if v]
        filters = [
            ("device", "Device", [(page, device.name) for page, device in devices.items()]),
            ("vendor", "Vendor", options(d.vendor for d in devices.values())),
            ("type", "Types", options(b["board"].types for b in boards)),
            ("lang", "Language", options(row.language for row in rows)),
            ("tier", "Tier", options(row.tier for row in rows)),
            ("author", "Author", options(row.author for row in rows)),
        ]
        workloads = raw.get("workloads") or {}
        facts = [(f"{stage} workloads", ", ".join(map(str, names))) for stage, names in workloads.items() if names]
        facts.append(("revision", self._revision(raw.get("sha256") or "", 64)))
        legend, references = legend_of(raw)
        yaml = highlight.numbered(highlight.lines("problem.yaml", raw["yaml"])) if isinstance(raw.get("yaml"), str) else ""
        self._page(
            f"problem/{problem.page}.html", "problem.html", title=name, here="problems", problem=problem, raw=raw,
            boards=boards, filters=filters, facts=facts, yaml=yaml, legend=legend, references=references, sources=len({key for b in boards for _, key in b["sources"]}) > 1,
            command=shlex.join(["scripts/podium", "run", name]),
            lead=next(filter(None, (lead_of(b["board"], b["device"]) for b in boards)), ""),
        )  # fmt: skip

    def _revision(self, sha256, digits):
        """The hash of a problem's file, with a link to that file where the document has it."""
        words = Markup('<code title="{}">{}</code>').format(sha256, sha256[:digits])
        if sha256 not in self.sources:
            return words if sha256 else ""
        return Markup('<a href="../source/{}.html">{}</a>').format(self.sources[sha256].key, words)

    def device(self, slug):
        device = self.site.devices[slug]
        boards = [b for b in self.site.boards() if b.run.device == slug]
        run = device.newest.run
        hardware = run.get("device") or {}
        longest = max(device.runs, key=lambda r: (len(r.boards), r.started))
        memory, levels = self._roofs(device, device.newest)
        points = []
        for board in boards:
            row = board.winner
            rate, moved = (row.value("tflop_per_s"), row.value("gb_per_s")) if row else (None, None)
            if rate and moved:
                title = f"{board.problem} {board.types}: {row.name}, {text.scaled(rate * 1e12, 'FLOP/s')}"
                points.append((title, rate * 1e12 / (moved * 1e9), rate * 1e12, True))
        label = f"Roofline of {device.name} with the winners of {len(points)} boards."
        rate = lambda key: text.scaled(run.get(key), "B/s") if text.number(run.get(key)) else ""
        self._page(
            f"device/{device.page}.html", "device.html", title=device.name, here="devices", device=device, boards=boards,
            roofline="" if device.emulated else charts.roofline(memory, levels, points, label),
            verified=any(b.standing("verified") for b in boards), refused=any(b.standing("failed") for b in boards),
            calibrated=(device.calibration.get("provenance") or {}).get("started"),
            quantities=[_quantity(q) for q in device.calibration.get("quantities") or []],
            readings=[] if device.emulated else self._readings(longest), longest=longest,
            facts=[
                ("vendor", device.vendor),
                ("architecture", hardware.get("architecture")),
                ("memory", text.bytes_text(hardware["memory"]) if hardware.get("memory") else ""),
                ("last-level cache", text.bytes_text(run["last_level_cache"]) if run.get("last_level_cache") else ""),
                ("processors" if device.processor else "multiprocessors", run.get("multiprocessors")),
                ("power cap", f"{hardware['power_cap']:g} W" if text.number(hardware.get("power_cap")) else ""),
                ("copy, measured", rate("copy_bytes_per_second")),
                ("reading and writing alone", " and ".join(filter(None, map(rate, ("read_bytes_per_second", "write_bytes_per_second"))))),
                ("driver", run.get("driver")),
                ("machine's processor", run.get("cpu")),
                ("kernel", run.get("kernel")),
            ],
        )  # fmt: skip

    def contestant(self, name):
        rows = self.site.contestants[name]
        entries = [self._entry(row) for row in rows]
        timed = [dict(entry, of=len(entry["row"].board.ranked)) for entry in entries if entry["row"].timed]
        devices = {e["device"].page: e["device"].name for e in timed}
        problems = sorted({e["row"].board.problem for e in timed})
        self._page(
            f"contestant/{text.slug(name)}.html", "contestant.html", title=name, here="contestants", name=name,
            languages=sorted({row.language for row in rows}), timed=timed,
            others=[entry for entry in entries if not entry["row"].timed], past=self._past_of(name),
            filters=[
                ("device", "Device", list(devices.items())),
                ("problem", "Problem", [(p, p) for p in problems]),
            ],
            facts=[
                ("title", Markup("<br>").join(sorted({row.title for row in rows if row.title})[:6])),
                ("author", ", ".join(sorted({row.author for row in rows if row.author}))),
                ("source", Markup("<br>").join(map(_linked, sorted({row.origin for row in rows if row.origin})[:6]))),
                ("tier", ", ".join(sorted({row.tier for row in rows if row.tier}))),
                *self._wins(name, {row.board.run.id: row.board.run for row in rows}),
            ],
        )  # fmt: skip

    def _wins(self, name, runs):
        """Win rate and fast_p of each device, from its run with the most workloads."""
        found = {}
        for run in sorted(runs.values(), key=lambda r: (r.started, r.id)):
            for one in run.report.get("overall") or []:
                wins = one.get("wins") or {}
                device = self.site.devices[run.device].name
                least = found.get(device, {}).get("workloads", 1)
                if one.get("contestant") == name and (text.number(wins.get("workloads")) or 0) >= least:
                    found[device] = wins
        for device, wins in found.items():
            share = lambda key: f"{100 * (text.number(wins.get(key)) or 0) / wins['workloads']:.0f} %"
            yield (
                f"faster than the baseline, {device}",
                f"{share('won')} of {wins['workloads']:.0f} workloads; by more than half {share('fast_1.5')}, twice as fast {share('fast_2')}",
            )

    def _past_of(self, name):
        """Its rows over runs, with the change since the run before; the newest, where there are many."""
        boards = []
        for problem in self.site.problems.values():
            for key in problem.boards:
                rows = [row for board in problem.past[key] for row in board.rows if row.name == name and row.timed]
                if len(rows) > 1:
                    boards.append(rows)
        each = max(2, _HISTORY_LINES // max(1, len(boards)))
        return [self._change(row, before) for rows in boards for before, row in list(zip([None, *rows], rows))[-each:]]

    def _change(self, row, before):
        change = None
        if before and past.comparable(before.board) == past.comparable(row.board):
            change = row.time / before.time - 1
        words = text.DASH if change is None else f"{100 * change:+.1f} %"
        return {"row": row, "device": self._device(row.board), "source": self._source_of(row), "change": change, "words": words}

    def run(self, index):
        run = self.site.runs[index]
        record = run.run
        count = lambda *standings: sum(len(board.standing(*standings)) for board in run.boards)
        for board in run.boards:
            board.revision_link = self._revision(board.revision, 8)
            board.repeated = any(board is later for other in run.boards for later in other.later)
            board.superseded = self.site.problems[board.problem].boards.get((run.device, board.types)) is not board
        samples, refused = audit.samples_of(run), audit.refusals(run)
        tally = [
            audit.counted(len(run.boards), "board"),
            (count("ranked"), "ranked"),
            (count("verified"), "verified, not timed"),
            (count("failed"), "refused"),
            (count("declined"), "not available here"),
            (audit.grouped(samples) if samples else 0, "calls checked"),
        ]
        self._page(
            f"run/{run.slug}.html", "run.html", title=f"Run of {text.moment(run.started)}", here="runs", run=run, command=commands.of_run(run),
            any={standing: count(standing) for standing in ("verified", "failed")},
            device=self.site.devices[run.device], tally=[(n, words) for n, words in tally if n],
            provenance=audit.provenance(run),
            checks=audit.checks(run), verified=audit.verifications(run), refused=refused, refused_words=audit.refused_words(refused),
            excused=run.audit.get("excused") or [], sandbox=record.get("sandbox") or [],
            without=sorted((record.get("sandbox_without") or {}).items()),
            readings=[] if run.emulated else self._readings(run),
        )  # fmt: skip

    def source(self, sha256):
        source = self.sources[sha256]
        lines = highlight.lines(source.file, source.text)
        row = source.address
        used, seen = [], set()
        for one in source.used:
            words = f"{one.name} in {one.board.problem}"
            if words not in seen:
                seen.add(words)
                used.append((f"../problem/{text.slug(one.board.problem)}.html", words))
        included = []
        for path, other in sorted((row.record.get("included") or {}).items()) if row else []:
            if other in self.sources:
                included.append(Markup('<a href="{}.html">{}</a>').format(self.sources[other].key, path))
            else:
                included.append(Markup("{}").format(path))
        includers = sorted((f"{s.address.name} in {s.address.board.problem}", s.key) for s in map(self.sources.get, source.includers))
        link = Markup('<a href="{}.html">{}</a>')
        self._page(
            f"source/{source.key}.html", "source.html", title=source.file, here="", source=source, lines=highlight.numbered(lines, anchors=True), used=used[:12],
            facts=[
                ("title", row.title if row else ""), ("author", row.author if row else ""),
                ("after", _linked(row.origin) if row else ""), ("includes", Markup("<br>").join(included)),
                ("included by", Markup(", ").join(link.format(key, words) for words, key in includers[:20])), ("SHA-256", sha256),
            ],
        )  # fmt: skip
        self._script(
            f"source/{source.key}.js",
            "podiumSource",
            {
                "key": source.key, "file": source.file, "license": source.license, "lines": lines,
                "name": row.name if row else "", "problem": row.board.problem if row else "",
            },
        )  # fmt: skip

    def devices(self):
        lines = {False: [], True: []}
        for device in self.site.devices.values():
            boards = [b for b in self.site.boards() if b.run.device == device.slug]
            shares = [b.winner.sol for b in boards if b.winner and b.winner.sol is not None]
            mean = sum(shares) / len(shares) if shares else None
            cells = [
                _cell_of(device.name, f"device/{device.page}.html"),
                _cell_of(device.vendor),
                _cell_of(len({b.problem for b in boards}), numeric=True),
                _cell_of(len(boards), numeric=True),
            ]
            if not device.emulated:
                cells.append(_cell_of(text.percent(mean), numeric=True, sort=_sortable(mean)))
            cells += [
                _cell_of(len(device.runs), numeric=True),
                _cell_of(text.moment(device.newest.started), f"run/{device.newest.slug}.html"),
            ]
            lines[device.emulated].append({"id": device.page, "cells": cells})
        common = [("device", 0), ("vendor", 0), ("problems", 1), ("boards", 1)]
        ends = [("runs", 1), ("newest run", 0)]
        parts = [{"id": "devices", "title": "", "columns": [*common, ("winners' mean % SOL", 1), *ends], "lines": lines[False]}]
        if lines[True]:
            parts.append(
                {"id": "emulated", "title": "Emulated", "verified": True, "columns": common + ends, "lines": lines[True]}
            )
        self._page("devices.html", "lists.html", title="Devices", here="devices", parts=parts,
                   lead="Each device with its boards, calibration and runs.")  # fmt: skip

    def contestants(self):
        lines = []
        for name, rows in self.site.contestants.items():
            timed = [row for row in rows if row.timed]
            first = len([row for row in timed if row.rank == 1])
            lines.append(
                {
                    "id": text.slug(name),
                    "cells": [
                        _cell_of(name, f"contestant/{text.slug(name)}.html"),
                        _cell_of(", ".join(sorted({row.language for row in rows}))),
                        _cell_of(", ".join(sorted({row.author for row in rows if row.author}))),
                        _cell_of("yes" if any(row.library for row in rows) else ""),
                        _cell_of(len({row.board.problem for row in rows}), numeric=True),
                        _cell_of(len(timed), numeric=True),
                        _cell_of(first, numeric=True),
                        _cell_of(len(rows) - len(timed), numeric=True),
                    ],
                }
            )
        columns = [("contestant", 0), ("language", 0), ("author", 0), ("library", 0), ("problems", 1), ("boards timed", 1), ("first rank", 1), ("without a time", 1)]
        self._page(
            "contestants.html", "lists.html", title="Contestants", here="contestants",
            lead="Contestants with the same name on several problems count as one. A library is one whose source is an address, or that is built with a library.",
            parts=[{"id": "contestants", "title": "", "columns": columns, "lines": lines}],
        )  # fmt: skip

    def runs(self):
        lines = []
        for run in reversed(self.site.runs):
            rows = [row for board in run.boards for row in board.rows]
            count = lambda standing: len([row for row in rows if row.standing == standing])
            lines.append(
                {
                    "id": run.slug,
                    "cells": [
                        _cell_of(text.moment(run.started), f"run/{run.slug}.html", sort=run.started),
                        _cell_of(self.site.devices[run.device].name, f"device/{self.site.devices[run.device].page}.html"),
                        _cell_of("verified, not timed" if run.emulated else "timed"),
                        *(
                            _cell_of(n, numeric=True)
                            for n in (len(run.boards), count("ranked"), count("verified"), count("failed"))
                        ),
                        _cell_of(text.seconds(run.run.get("wall_seconds")), numeric=True, sort=_sortable(run.run.get("wall_seconds"))),
                        _cell_of(run.commit[:12]),
                    ],
                }
            )
        columns = [("started", 0), ("device", 0), ("what", 0), ("boards", 1), ("ranked", 1), ("verified", 1), ("refused", 1), ("wall time", 1), ("commit", 0)]
        self._page("runs.html", "lists.html", title="Runs", here="runs", lead="Each run with its provenance, its sandbox, and what it refused.",
                   parts=[{"id": "runs", "title": "", "columns": columns, "lines": lines}])  # fmt: skip

    def history(self):
        lines, drawn = [], []
        for problem in self.site.problems.values():
            for slug, types in problem.boards:
                boards = problem.past[slug, types]
                stage = problem.boards[slug, types].stage
                parts = past.segments(boards, stage)
                if not parts:
                    continue
                points = parts[-1]
                best, device = points[-1].best, self.site.devices[slug]
                gain = points[0].row.time / best.time if len(points) > 1 else None
                anchor = f"{text.slug(slug)}--{text.slug(types)}"
                lines.append(
                    {
                        "id": f"{problem.page}--{anchor}", "problem": problem.name, "page": problem.page, "anchor": anchor,
                        "device": device, "types": types, "runs": sum(map(len, parts)), "revisions": len(parts),
                        "best": best, "source": self._source_of(best), "gain": gain,
                    }
                )  # fmt: skip
                changes = sum(p.is_best for part in parts for p in part) - 1
                if changes > 0:
                    drawn.append((-changes, f"{problem.name} · {device.name} · {types}", f"problem/{problem.page}.html#{anchor}", boards, stage))
        drawn.sort(key=lambda d: d[:3])
        figures = [
            (title, href, past.chart(boards, stage, lambda row: self._href(row, ""), title))
            for _, title, href, boards, stage in drawn[:_HISTORY_CHARTS]
        ]
        self._page("history.html", "history.html", title="History", here="history", past=lines, charts=figures)

    def compare(self):
        self._page("compare.html", "compare.html", title="Compare", here="compare", compared=self._compared())

    def _compared(self):
        """The two runs of `podium compare`; nothing where the document has no comparison, or not both runs."""
        runs = {run.id: run for run in self.site.runs}
        found = [runs.get(self.site.comparison.get(key)) for key in ("before_run", "after_run")]
        return found if all(found) else []

    def comparison(self):
        """What `podium compare` said of two runs, the worst first."""
        found = self.site.comparison
        before, after = self._compared()
        verdicts = found.get("verdicts") or []
        order = {verdict: place for place, verdict in enumerate(verdicts)}
        rows = sorted(found.get("rows") or [], key=lambda row: order.get(row.get("verdict"), len(order)))
        strips = interval_strips([[text.number(row.get(key)) for key in ("ratio_low", "ratio", "ratio_high")] for row in rows])
        lines = [
            {
                "row": row,
                "strip": strip,
                "id": "--".join(text.slug(row.get(key) or "all") for key in ("problem", "types", "stage", "contestant", "workload")),
                "anchor": f"{text.slug(after.device)}--{text.slug(str(row.get('types') or ''))}",
                "bad": row.get("verdict") in ("slower", "fails", "gone"),
            }
            for row, strip in zip(rows, strips)
        ]
        counts = found.get("counts") or {}
        tally = [(counts[verdict], verdict) for verdict in verdicts if counts.get(verdict)]
        self._page("comparison.html", "comparison.html", title="What changed", here="compare", before=before, after=after,
                   lines=lines, tally=tally, margin=text.number(found.get("margin")), notes=found.get("notes") or [],
                   device=self.site.devices[after.device])  # fmt: skip

    def diff(self):
        self._page("diff.html", "diff.html", title="Side by side", here="")

    def standing(self):
        """What compare.html computes with: the boards that count, and each run's in a script of its own."""
        devices = list(self.site.devices.values())
        self._script(
            "data/standing.js",
            "podiumStanding",
            {
                "devices": [{"slug": d.page, "name": d.name, "vendor": d.vendor} for d in devices if not d.emulated],
                "runs": [
                    {"slug": r.slug, "name": f"{text.moment(r.started)}, {self.site.devices[r.device].name}"}
                    for r in reversed(self.site.runs)
                    if not r.emulated
                ],
                "boards": [self._figures(b) for b in self.site.boards() if b.timed],
            },
        )
        for run in self.site.runs:
            if not run.emulated:
                boards = [self._figures(board) for board in run.boards if board.timed]
                self._script(f"data/run-{run.slug}.js", "podiumRun", {"slug": run.slug, "boards": boards})

    def _figures(self, board):
        return {
            "problem": board.problem,
            "page": text.slug(board.problem),
            "types": board.types,
            "device": self._device(board).page,
            "same": "|".join([board.revision[:12], board.stage, board.run.level, *board.workloads]),
            "rows": [
                [row.name, row.language, int(row.library), *(_short(v) for v in (row.time, row.value("time_low_us"), row.value("time_high_us"), row.sol))]
                for row in board.timed
            ],
        }  # fmt: skip


def script_json(value):
    """JSON that a script may hold, whatever its strings hold, and that ends no element of a page."""
    written = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _linked(words):
    """A text whose web addresses are links; nothing else of it becomes markup."""
    parts = re.split(r"(https?://[^\s,;\"'<>()\\]+)", words)
    link = Markup('<a href="{0}" rel="nofollow noopener">{0}</a>')
    return Markup("").join(link.format(part) if i % 2 else part for i, part in enumerate(parts))


def _short(value):
    return None if value is None else float(f"{value:.7g}")


def _cell(problem, device, board):
    if board and problem.gone(board):
        board = None
    row = board.winner if board else None
    why = ""
    if board and not row:
        why = "timed, no ranks" if board.timed else "nobody passed"
    verified = bool(board and not board.timed and board.standing("verified"))
    others = [r.name for r in board.winners if r is not row] if row and row.rank == 1 else []
    return {"device": device, "board": board, "row": row, "others": others, "why": why, "verified": verified, "earlier": board and problem.earlier(board)}


def _cell_of(words, href="", numeric=False, sort=None):
    return {"text": words, "href": href, "numeric": numeric, "sort": sort if sort is not None else (words if numeric else None)}



def _named(run, name):
    run.name = name
    return run


def legend_of(raw):
    """Names that a problem's types, tolerances and checks use, each with its words; and whether they use references."""
    limits = [str(one.get(key) or "") for part, key in (("tensors", "tolerance"), ("checks", "text")) for one in raw.get(part) or []]
    used = set(re.findall(r"\w+", " ".join([*limits, *(str(tensor.get("dtype") or "") for tensor in raw.get("tensors") or [])])))
    named = {}
    for types in (raw.get("types") or {}).values():
        for name, dtype in (types or {}).items():
            named.setdefault(name, set()).add(str(dtype))
    legend = [(name, f"a board's type, {_either(sorted(dtypes))}") for name, dtypes in named.items() if name in used]
    if "eps" in used:
        legend.append(("eps(t)", "the gap between 1 and the next number of type t"))
    return legend, any(re.search(r"\bthe reference \w", limit) for limit in limits)


def _either(words):
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _types_order(problem, types):
    for (_, listed), index in zip(problem.boards, range(len(problem.boards))):
        if listed == types:
            return index, types
    return math.inf, types


def _quantity(raw):
    unit = raw.get("unit") or ""
    at = lambda key: text.scaled(raw.get(key), unit).strip() if raw.get("samples") else text.DASH
    return {
        "name": str(raw.get("name", "")).replace("_", " "),
        "value": at("value"), "low": at("low"), "high": at("high"),
        "samples": raw.get("samples"), "note": raw.get("note") or "",
    }  # fmt: skip


