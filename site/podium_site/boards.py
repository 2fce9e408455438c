# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What pages show of a board and its rows."""

import math

from . import charts, commands, past, text

_READINGS = (
    ("clock_mhz", "Clock", "MHz"),
    ("temperature_c", "Temperature", "°C"),
    ("power_w", "Power", "W"),
)


_LITTLE = 0.02  # by which a metric may differ from the time without being told of

# How many times the shortest a bar may be long; a longer one ends in a mark.
_LONGEST_BAR = 5


class Boards:
    """Needs `site` and `sources`."""

    def _device(self, board):
        return self.site.devices[board.run.device]

    def _source_of(self, row):
        return self.sources.get(row.source)

    def _entry(self, row):
        score = ""
        if row.raw.get("baseline") is True and row.timed:
            score = "baseline"
        elif row.value("score") is not None:
            score = text.ratio(row.value("score"))
            if row.value("score_low") is not None and row.value("score_high") is not None:
                score += f" ({row.value('score_low'):.3f}–{row.value('score_high'):.3f})"
        error = row.value("worst_error")
        infinite = row.raw.get("worst_error") in ("inf", "nan")  # no numbers in JSON
        return {
            "row": row,
            "device": self._device(row.board),
            "source": self._source_of(row),
            "spread": text.spread(row.time, *row.interval),
            "score": score,
            "error": "∞" if infinite else text.DASH if error is None else f"{error:.2f}",
            "error_share": None if error is None else f"{min(100, 100 * error):.4g}",
            "verified": row.standing == "verified",
            "right_on": row.board.run.right_on.get((row.board.problem, row.board.types, row.name)),
        }

    def _board(self, board, root):
        timed = board.ranked + sorted(board.standing("unranked"), key=lambda r: (r.time or math.inf, r.name))
        entries = [self._entry(row) for row in timed]
        _draw_ties(entries)
        _draw_intervals(entries)
        for place, entry in enumerate(entries):
            entry["place"] = place
        refused = [self._entry(row) for row in board.standing("failed", "declined")]
        problem = self.site.problems[board.problem]
        names = [row.name for row in timed]
        verified = [self._entry(row) for row in board.standing("verified")]
        sources = [(e["row"].name, e["source"].key) for e in entries + verified + refused if e["source"]]
        delta = text.number(board.raw.get("delta"))
        return {
            "board": board,
            "anchor": board.anchor,
            "device": self._device(board),
            "timed": entries,
            "author": _commonest(row.author for row in board.rows),
            "verified": verified,
            "on_cpu": any(e["row"].raw.get("standing") == "emulated" for e in verified),
            "refused": refused,
            "sources": sources,
            "winner": board.winner,
            "winners": board.winners,
            "delta": f"{100 * delta:.2g}" if delta else "",
            "notices": self._notices(board, problem),
            "has": {
                "light": any(t.light for row in timed for t in row.timings),
                "sol": any(row.sol is not None for row in timed),
                "gbs": any(row.value("gb_per_s") is not None for row in timed),
                "tflops": any(row.value("tflop_per_s") is not None for row in timed),
            },
            "columns": self._columns(timed),
            "glossary": self._glossary(timed),
            "differences": self._differences(timed),
            "panels": _panels(board, timed),
            "roofline": self._roofline_of(board, timed),
            "past": past.chart(problem.past[board.run.device, board.types], board.stage, lambda row: self._href(row, root), board.problem),
            "command": commands.of_board(board, names),
            "verify": commands.of_verdicts(board),
        }

    def _columns(self, rows):
        """Metrics of which these rows have a column, the most important first: narrow screens cut the last ones."""
        shown = [metric for metric in self.site.metrics if metric.header and any(row.value(metric.key) is not None for row in rows)]
        return sorted(shown, key=lambda metric: -metric.importance)

    def _glossary(self, rows):
        """What columns beside the time are: names with their words, and what holds of all of these."""
        sentences = {}
        for metric in self._columns(rows):
            if metric.meaning:
                sentences.setdefault(metric.closing, []).append((metric.header, metric.meaning))
        found = [(named, closing) for closing, named in sentences.items()]
        return found + [([("err/tol", "the largest error over its limit")], "")] if any(row.value("worst_error") is not None for row in rows) else found

    def _differences(self, rows):
        """How metrics without a column differ from the time that ranks, in the rows where that is more than a little."""
        told = []
        for metric in self.site.metrics:
            ratios = [(row, row.value(metric.key), (row.value(metric.key) or 0) / row.time - 1) for row in rows if metric.difference and row.time]
            found = [f"{row.name} {text.time(value)} ({100 * change:+.1f} %)" for row, value, change in ratios if value and abs(change) > _LITTLE]
            if found:
                told.append(f"{metric.difference[:1].upper()}{metric.difference[1:]}: {', '.join(found)}; {metric.closing}.")
        return told

    def _href(self, row, root):
        source = self._source_of(row)
        return f"{root}source/{source.key}.html" if source else None

    def _notices(self, board, problem):
        notices = []
        if problem.gone(board):
            notices.append("Measured with an earlier revision of this problem, which no longer has these types.")
        elif problem.earlier(board):
            notices.append("Measured with an earlier revision of this problem: the definition below is newer.")
        planned = text.number(board.raw.get("planned_rounds"))
        if board.timed and not board.ranked:
            notices.append("No ranks: too few rounds were measured.")
        elif board.timed and planned and board.rounds < planned:
            notices.append(f"{board.rounds:.0f} of {planned:.0f} rounds: the run ended early.")
        notices += [f"Measured on a sick device: {why}." for why in board.raw.get("sick") or []]
        disturbed = text.number((board.raw.get("canary") or {}).get("disturbed"))
        if disturbed:
            entries = "1 entry" if disturbed == 1 else f"{disturbed:.0f} entries"
            notices.append(f"{entries} began on a disturbed device.")
        undecided = {tuple(sorted((row.name, str(other)))) for row in board.timed for other in row.raw.get("undecided") or []}
        if undecided:
            pairs = ", ".join(" and ".join(pair) for pair in sorted(undecided))
            notices.append(f"Neither separated nor shown equal, so that more rounds would decide (?): {pairs}.")
        for later in board.later:
            again = ", ".join(_beside_baseline(row) for row in later.timed if not row.raw.get("baseline"))
            if again:
                notices.append(f"Measured in a later series of this run, beside the baseline alone, and so not ranked here: {again}.")
        set_aside = sum(text.number(count) or 0 for count in (board.raw.get("set_aside") or {}).values())
        if set_aside:
            notices.append(f"{set_aside:.0f} entries on record do not count: their round was begun anew, or their contestant has changed.")
        present = {row.name for row in board.rows}
        others = {}
        for other in problem.past[board.run.device, board.types]:
            if past.comparable(other) == past.comparable(board):
                others.update({row.name: other.run for row in other.timed if row.name not in present})
        if others:
            listed = ", ".join(f"{name} (run of {run.date})" for name, run in sorted(others.items()))
            notices.append(f"Measured in other runs only, and so not ranked here: {listed}.")
        return notices

    def _roofline_of(self, board, rows):
        points = []
        for i, workload in enumerate(board.workloads):
            timings = [(row, row.timings[i]) for row in rows if i < len(row.timings) and row.timings[i].median]
            fastest = min((t.median for _, t in timings), default=None)
            for row, t in timings:
                rate = text.number(t.raw.get("tflop_per_s"))
                if t.intensity:
                    title = f"{workload}: {row.name}, {text.scaled(rate * 1e12, 'FLOP/s')}"
                    points.append((title, t.intensity, rate * 1e12, t.median == fastest))
        memory, levels = self._roofs(self._device(board), board.run, board.types.split("-"))
        label = f"Roofline of {board.problem}: {len(board.workloads)} workloads, {len(rows)} contestants. "
        return charts.roofline(memory, levels, points, label + "The tables have the same numbers.")

    def _roofs(self, device, run, types=None):
        quantities = {str(q.get("name", "")): text.number(q.get("value")) for q in device.calibration.get("quantities") or []}
        memory = text.number(run.run.get("copy_bytes_per_second")) or quantities.get("copy")
        levels = []
        for name, rate in sorted(quantities.items()):
            kind, _, dtype = name.partition("_")
            wanted = types is None or dtype in types or (dtype == "tf32" and "f32" in types)
            if kind in ("fma", "matrix") and rate and wanted:
                levels.append((f"{dtype} {'matrix' if kind == 'matrix' else 'multiply-add'}", rate))
        return memory, levels

    def _readings(self, run):
        """Clock, temperature and power over a run: of its entries, or of its boards where no more is known."""
        drawn = []
        for key, name, unit in _READINGS:
            points = _halved([text.number(v) for v in run.series.get(key) or []])
            ends = "first entry", "last"
            if not any(v is not None for _, v in points):
                conditions = [(b, b.raw.get("conditions") or {}) for b in run.boards]
                points = [(f"{b.problem} {b.types}", text.number(found.get(key)) or None) for b, found in conditions]
                ends = "first board", "last"
            chart = charts.over_run(name, unit, points, ends)
            if chart:
                drawn.append((f"{name}, {unit}", chart))
        return drawn


def _unbroken(quantity):
    return quantity.replace(" ", "\u00a0")


def lead_of(board, device):
    """Who is first on a board, in a sentence."""
    row = board.winner
    if not row:
        return ""
    names = " and ".join(r.name for r in board.winners) or row.name
    words = f"Fastest on {device.name}, {board.types}: {names}, {_unbroken(text.time(row.time))}"
    return words + (f", {_unbroken(text.percent(row.sol) + ' %')} of the speed of light." if row.sol is not None else ".")


def _halved(values, most=160):
    """At most that many points, each the median of as many neighbours."""
    size = math.ceil(len(values) / most) or 1
    points = []
    for first in range(0, len(values), size):
        known = sorted(v for v in values[first : first + size] if v is not None)
        title = f"entry {first + 1}" if size == 1 else f"entries {first + 1} to {min(first + size, len(values))}"
        points.append((title, known[len(known) // 2] if known else None))
    return points


def _commonest(values):
    values = [value for value in values if value]
    return max(sorted(set(values)), key=values.count, default="")


def _draw_ties(entries):
    """Bars that join neighbours whose spans of ranks overlap."""
    joined = [
        a["row"].rank is not None and b["row"].rank is not None and (a["row"].last or a["row"].rank) >= b["row"].rank
        for a, b in zip(entries, entries[1:])
    ]
    for i, entry in enumerate(entries):
        before, after = i > 0 and joined[i - 1], i < len(joined) and joined[i]
        entry["ties"] = [{(False, True): "from", (True, False): "to", (True, True): "on"}[before, after]] if before or after else []


def _beside_baseline(row):
    score = row.value("score")
    return f"{row.name} ({text.ratio(score)})" if score else row.name


def _draw_intervals(entries):
    """Each speed-up with its interval on a logarithmic scale that a board's rows share, in percent of its width."""
    strips = interval_strips([[entry["row"].value(key) for key in ("score_low", "score", "score_high")] for entry in entries])
    for entry, strip in zip(entries, strips):
        entry["strip"] = strip


def interval_strips(intervals):
    """Of each low, value and high: where they and 1 lie on a logarithmic scale that all share; None without them."""
    known = [tuple(interval) if all(interval) else None for interval in intervals]
    ends = [end for interval in known for end in interval or ()]
    if not ends:
        least = most = 1.0
    else:
        least, most = min(ends), max(ends)
    span = math.log(most / least) or 1
    at = lambda value: f"{4 + 92 * math.log(value / least) / span:.4g}"
    base = at(1) if least <= 1 <= most else "-10"
    return [(*map(at, interval), base) if interval else None for interval in known]


def _panels(board, rows):
    panels = []
    for i, workload in enumerate(board.workloads):
        timings = [(row.name, row.timings[i]) for row in rows if i < len(row.timings) and row.timings[i].median is not None]
        if timings:
            panels.append(_bars(workload, timings))
    return panels


def _bars(workload, timings):
    """Times as bars from 0, in percent of the longest, best rank first; against the speed of light."""
    shortest, longest = min(t.median for _, t in timings), max(t.high or t.median for _, t in timings)
    longest = min(longest, _LONGEST_BAR * shortest)
    share = lambda time: f"{min(100, 100 * time / longest):.4g}"
    lights = sorted(t.light for _, t in timings if t.light)
    light = lights[len(lights) // 2] if lights else None
    listed = "; ".join(f"{name} {text.time(t.median)}{text.interval(t.low, t.high)}" for name, t in timings)
    against = f" Speed of light {text.time(light)}." if light else ""
    return {
        "workload": workload,
        "label": f"Times on {workload}, best rank first: {listed}.{against}",
        "light": light,
        "at": share(light) if light and light <= longest else None,
        "bars": [
            {
                "name": name, "time": t.median, "width": share(t.median), "cut": t.median > longest,
                "title": f"{name}: {text.time(t.median)}{text.interval(t.low, t.high)}",
                "interval": (share(t.low), share(t.high)) if t.low and t.high and t.median <= longest else None,
            }
            for name, t in timings
        ],
    }  # fmt: skip
