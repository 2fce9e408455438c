# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the document and arranges it: devices, problems, boards, rows, their histories.

A run of an older Podium lacks fields. Everything here has a default, and a number is a finite float or None.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property

from . import text
from .text import number

VERSION = 1
STAGES = {"test": 0, "quick": 1, "bench": 2}
RUNTIMES = {"openmp"}  # beside languages: what a contestant may need that computes nothing for it


class Unreadable(Exception):
    """The document is not one that this package understands."""


@dataclass
class Metric:
    """What is measured of a call beside the time that ranks."""

    key: str = ""
    header: str = ""  # of its column; empty: it has none
    unit: str = ""
    importance: int = 0
    meaning: str = ""
    closing: str = ""  # what else holds of it
    difference: str = ""  # why it may differ from the time that ranks


@dataclass
class Timing:
    """A contestant on one workload."""

    workload: str
    median: float | None
    low: float | None
    high: float | None
    sol: float | None
    raw: dict

    @cached_property
    def light(self):
        """The speed of light as a time."""
        share = number(self.raw.get("sol_raw")) or self.sol
        return self.median * share if self.median and share else None

    @property
    def intensity(self):
        flops, moved = number(self.raw.get("tflop_per_s")), number(self.raw.get("gb_per_s"))
        return flops * 1e12 / (moved * 1e9) if flops and moved else None


@dataclass
class Row:
    """A contestant on one board."""

    board: "Board" = field(repr=False)
    raw: dict = field(repr=False)
    record: dict = field(repr=False)  # of the contestant, in run.json
    needs: frozenset = frozenset()  # libraries that it is built with
    languages: dict = field(default_factory=dict, repr=False)  # what people call each kind
    timings: list = field(default_factory=list)

    @property
    def name(self):
        return str(self.raw.get("contestant", ""))

    @property
    def title(self):
        return self.raw.get("title") or self.record.get("title") or ""

    @property
    def author(self):
        return self.raw.get("author") or self.record.get("author") or ""

    @property
    def origin(self):
        return self.record.get("source") or ""

    @property
    def library(self):
        """Whether the work is done by a project elsewhere: its source is an address, or it is built with a library."""
        return bool(self.needs - RUNTIMES - self.languages.keys()) or self.origin.startswith(("http://", "https://"))

    @property
    def kind(self):
        return self.raw.get("kind") or self.record.get("kind") or ""

    @property
    def language(self):
        return self.languages.get(self.kind, self.kind or text.DASH)

    @property
    def tier(self):
        return self.raw.get("tier") or self.record.get("tier") or ""

    @property
    def sealed(self):
        return self.tier == "sealed"

    @cached_property
    def standing(self):
        """One of: ranked, unranked, verified, failed, declined. A device that is emulated ranks nobody."""
        standing = self.raw.get("standing", "")
        if standing in ("failed", "declined"):
            return standing
        if standing == "emulated" or self.board.run.emulated:
            return "verified"
        if standing == "ranked" and number(self.raw.get("rank")) is None:
            return "unranked"
        return standing or "unranked"

    @property
    def timed(self):
        return self.standing in ("ranked", "unranked") and self.time is not None

    def value(self, *keys):
        """The first of these fields that holds a number."""
        return next((v for v in (number(self.raw.get(key)) for key in keys) if v is not None), None)

    @cached_property
    def time(self):
        return self.value("time_us")

    @property
    def interval(self):
        """Of its time, low and high."""
        return self.value("time_low_us"), self.value("time_high_us")

    @property
    def rank(self):
        return self.value("rank") if self.standing == "ranked" else None

    @property
    def last(self):
        return self.value("last") if self.standing == "ranked" else None

    @property
    def sol(self):
        return self.value("sol", "light")  # light: the name in schema 1 until November 2026

    @property
    def faster_than_calibrated(self):
        raw = self.value("sol_raw", "light")
        return raw if raw is not None and raw > 1 else None

    @cached_property
    def source(self):
        return self.record.get("sha256") or ""

    @property
    def notes(self):
        named = (("blocking", "blocking"), ("throttled", "throttled"), ("judged", "judge's clock"))
        notes = [words for key, words in named if self.raw.get(key) is True]
        return notes + (["faster than calibrated"] if self.timed and self.faster_than_calibrated else [])

    @property
    def anchor(self):
        return f"{self.board.anchor}--{text.slug(self.name)}"


@dataclass
class Board:
    """One problem with one choice of types in one run."""

    run: "Run" = field(repr=False)
    raw: dict = field(repr=False)
    record: dict = field(repr=False)
    rows: list = field(default_factory=list, repr=False)
    # The same board in later series of the run: contestants that were measured again, beside the baseline.
    later: list = field(default_factory=list, repr=False)

    @property
    def problem(self):
        return str(self.raw.get("problem", ""))

    @property
    def types(self):
        return str(self.raw.get("types", ""))

    @property
    def series(self):
        return number(self.raw.get("series")) or 0

    @property
    def stage(self):
        return str(self.raw.get("stage", ""))

    @property
    def revision(self):
        return self.record.get("sha256") or ""

    @property
    def workloads(self):
        return [str(w) for w in self.raw.get("workloads") or []]

    @property
    def baseline(self):
        return str(self.raw.get("baseline") or "")

    @property
    def rounds(self):
        return number(self.raw.get("rounds")) or 0

    @property
    def anchor(self):
        return f"{text.slug(self.run.device)}--{text.slug(self.types)}"

    def standing(self, *names):
        return [row for row in self.rows if row.standing in names]

    @cached_property
    def timed(self):
        return [row for row in self.rows if row.timed]

    @cached_property
    def ranked(self):
        """Best first; rows of one rank by their time."""
        return sorted(self.standing("ranked"), key=lambda r: (r.rank, r.last or r.rank, r.time or 0, r.name))

    @property
    def winner(self):
        ranked = self.ranked
        return ranked[0] if ranked else None

    @property
    def winners(self):
        """All that share the first rank: the measurement does not tell them apart."""
        return [row for row in self.ranked if row.rank == 1]


@dataclass
class Run:
    id: str
    device: str
    run: dict = field(repr=False)
    report: dict = field(repr=False)
    emulated: bool = False
    processor: bool = False  # its device is the machine's processor
    level: str = ""  # of verification: times of two levels do not compare
    audit: dict = field(default_factory=dict, repr=False)
    series: dict = field(default_factory=dict, repr=False)  # readings, entry by entry
    boards: list = field(default_factory=list, repr=False)
    unreached: list = field(default_factory=list, repr=False)  # boards of a run that ended early: problem and types

    @property
    def started(self):
        return str(self.run.get("started") or "")

    @property
    def date(self):
        return text.date(self.started)

    @cached_property
    def slug(self):
        return f"{text.slug(self.device)}--{text.run_slug(self.id.rsplit('/', 1)[-1])}"

    @cached_property
    def right_on(self):
        """By problem, types and contestant: on how many workloads it was verified."""
        every = self.audit.get("verified") or []
        return {(str(v.get("problem", "")), str(v.get("types", "")), str(v.get("contestant", ""))): len(v.get("workloads") or []) for v in every}

    @property
    def commit(self):
        return str(self.run.get("commit") or "")


@dataclass
class Device:
    slug: str
    name: str
    vendor: str
    emulated: bool
    processor: bool
    runs: list = field(default_factory=list, repr=False)
    calibration: dict = field(default_factory=dict, repr=False)

    @property
    def page(self):
        return text.slug(self.slug)

    @property
    def newest(self):
        return self.runs[-1]


@dataclass
class Problem:
    name: str
    raw: dict = field(repr=False)
    boards: dict = field(default_factory=dict, repr=False)  # (device, types): the board that counts
    past: dict = field(default_factory=dict, repr=False)  # (device, types): all boards, oldest first

    @property
    def title(self):
        return self.raw.get("title") or next((b.raw.get("title") for b in self.boards.values()), "") or self.name

    @property
    def page(self):
        return text.slug(self.name)

    def earlier(self, board):
        """Whether `board` was measured with another revision than the one known here."""
        return bool(self.raw.get("sha256") and board.revision and board.revision != self.raw["sha256"])

    def gone(self, board):
        """Whether this problem no longer has such a board."""
        types = self.raw.get("types")
        return self.earlier(board) and isinstance(types, dict) and bool(types) and board.types not in types


@dataclass
class Site:
    runs: list
    devices: dict
    problems: dict
    metrics: list
    sources: dict
    contestants: dict  # name: rows of the boards that count
    comparison: dict  # of two of the runs, as `podium compare` gives it; mostly empty

    def boards(self):
        for problem in self.problems.values():
            yield from problem.boards.values()


def _timing(raw):
    get = lambda key: number(raw.get(key))
    sol = get("sol") if get("sol") is not None else get("light")
    return Timing(str(raw.get("workload", "")), get("median_us"), get("low_us"), get("high_us"), sol, raw)


_NEEDS = re.compile(r"\bneeds: *\[([^\]\n]*)\]")
_HEADER = 2000  # characters of a source among which its metadata are


def _needs(sources):
    """By hash of a source: what its metadata say that it is built with."""
    found = {}
    for sha256, source in sources.items():
        stated = _NEEDS.search(str(source.get("text") or "")[:_HEADER])
        if stated:
            found[sha256] = frozenset(word.strip() for word in stated[1].split(",") if word.strip())
    return found


def _read_run(entry, needs, languages, backends):
    run = Run(
        id=str(entry["id"]),
        device=str(entry["device"]),
        run=entry.get("run") or {},
        report=entry.get("report") or {},
        emulated=bool(entry.get("emulated")),
        processor=bool(_backend(entry, backends).get("processor")),
        level=str(entry.get("level") or ""),
        audit=entry.get("audit") or {},
        series=entry.get("series") or {},
    )
    boards = {(b.get("problem"), b.get("types"), b.get("stage")): b for b in run.run.get("boards") or []}
    records = {(c.get("problem"), c.get("name")): c for c in run.run.get("contestants") or []}
    for raw in run.report.get("boards") or []:
        if not raw.get("rows"):
            run.unreached.append(f"{raw.get('problem') or ''} {raw.get('types') or ''}".strip())
            continue
        board = Board(run, raw, boards.get((raw.get("problem"), raw.get("types"), raw.get("stage")), {}))
        for row in raw.get("rows") or []:
            record = records.get((board.problem, row.get("contestant")), {})
            timings = [_timing(t) for t in row.get("workloads") or []]
            board.rows.append(Row(board, row, record, needs.get(record.get("sha256"), frozenset()), languages, timings))
        run.boards.append(board)
    for board in run.boards:
        first = next(other for other in run.boards if (other.problem, other.types) == (board.problem, board.types))
        if first is not board:
            first.later.append(board)
    return run


def _backend(entry, backends):
    """What the document says of a run's backend; nothing of one that it does not know."""
    return backends.get(((entry.get("run") or {}).get("device") or {}).get("backend")) or {}


def _device(run, backends):
    device = run.run.get("device") or {}
    product, architecture = device.get("product") or run.device, device.get("architecture") or ""
    name = f"{product} ({architecture})" if architecture and architecture not in product else product
    if device.get("partition"):
        name += f", {device['partition']}"
    vendor = (backends.get(device.get("backend")) or {}).get("vendor")
    return Device(run.device, name, vendor or text.maker(str(product)), run.emulated, run.processor)


def _board_that_counts(boards):
    """Of those with times, if there are any: the newest of the deepest stage, ranked if one is, of the newest revision."""
    boards = [board for board in boards if board.timed] or boards
    revision = boards[-1].revision
    rank = lambda at, board: (board.revision == revision, STAGES.get(board.stage, -1), bool(board.ranked), at)
    return max(enumerate(boards), key=lambda one: rank(*one))[1]


def arrange(document):
    """The site of a parsed document."""
    if not isinstance(document, dict) or document.get("podium_site") != VERSION:
        raise Unreadable(f'"podium_site" must be {VERSION}: write the document with the same version of Podium')
    needs = _needs(document.get("sources") or {})
    languages, backends = document.get("languages") or {}, document.get("backends") or {}
    runs = sorted((_read_run(entry, needs, languages, backends) for entry in document.get("runs") or []), key=lambda r: (r.started, r.id))
    devices, problems, contestants = {}, {}, {}
    for name, raw in (document.get("problems") or {}).items():
        problems[name] = Problem(name, raw or {})
    for run in runs:
        device = devices.setdefault(run.device, _device(run, backends))
        device.runs.append(run)
        repeated = {id(later) for board in run.boards for later in board.later}
        for board in run.boards:
            problem = problems.setdefault(board.problem, Problem(board.problem, {}))
            if id(board) in repeated:
                continue
            problem.past.setdefault((run.device, board.types), []).append(board)
    for slug, calibration in (document.get("calibrations") or {}).items():
        if slug in devices:
            devices[slug].calibration = calibration or {}
    for problem in problems.values():
        problem.boards = {key: _board_that_counts(problem.past[key]) for key in sorted(problem.past)}
    problems = {name: problems[name] for name in sorted(problems)}
    devices = dict(sorted(devices.items(), key=lambda d: (d[1].emulated, d[1].processor, d[1].name, d[0])))
    order = list(devices)
    for problem in problems.values():
        place = lambda key: (order.index(key[0]), problem.gone(problem.boards[key]), key[1])
        problem.boards = {key: problem.boards[key] for key in sorted(problem.boards, key=place)}
        for board in problem.boards.values():
            for row in board.rows:
                contestants.setdefault(row.name, []).append(row)
    return Site(
        runs,
        devices,
        problems,
        [Metric(**metric) for metric in document.get("metrics") or []],
        document.get("sources") or {},
        dict(sorted(contestants.items())),
        document.get("comparison") or {},
    )


# What a reader would not see, or what would turn the text around it: shown by its number.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def visible(value):
    if isinstance(value, str):
        return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", value) if _UNSEEN.search(value) else value
    return [visible(one) for one in value] if isinstance(value, list) else value


def _pairs(pairs):
    """An object of the document: nothing in it is hidden, and null is no value."""
    return {visible(key): visible(value) for key, value in pairs if value is not None}


def parse(written):
    return arrange(json.loads(written, object_pairs_hook=_pairs))


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return parse(file.read())
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Unreadable(str(error)) from error
    except (KeyError, AttributeError, TypeError) as error:
        raise Unreadable(f"it lacks or misuses a field: {error!r}") from error
