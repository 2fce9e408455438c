# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Charts as inline SVG, drawn by pygal and coloured by the page's style sheet."""

import math
import re
from dataclasses import dataclass

import pygal
import pygal.graph.base
import pygal.svg
from markupsafe import Markup, escape
from pygal.etree import etree
from pygal.style import Style

from . import text

class _Svg(pygal.svg.Svg):
    """Without a style sheet and a script in each chart: the page has them, once."""

    def add_styles(self):
        pass

    def add_scripts(self):
        pass


pygal.graph.base.Svg = _Svg  # pygal offers no other way to choose it

_style = Style(label_font_size=11, value_font_size=11, major_label_font_size=11, title_font_size=12)


class _Plain:
    """What a reader gets by pointing is a title, and texts are placed here."""

    def __init__(self, **options):
        super().__init__(
            style=_style,
            show_legend=False,
            no_prefix=True,
            disable_xml_declaration=True,
            margin=4,
            spacing=4,
            **options,
        )

    def __getattribute__(self, name):
        """As pygal's, which looks each attribute up three times: a fifth of a chart's time."""
        own = object.__getattribute__
        if name != "state" and not name.startswith("__"):
            state = own(self, "__dict__").get("state")
            if state is not None and name in state.__dict__:
                return state.__dict__[name]
        return own(self, name)

    def _tooltip_data(self, *_, **__):
        pass

    def _static_value(self, *_, **__):
        pass

    def words(self, x, y, words, name, parent="overlay"):
        node = self.svg.node(self.nodes[parent], "text", x=x, y=y, class_=name)
        node.text = str(words)
        return node

    def drawn(self, name, label):
        """The chart as an image with that text alternative."""
        root = self.render_tree()
        for node in [n for n in root if not isinstance(n.tag, str) or n.tag in ("defs", "title")]:
            root.remove(node)
        for node in root.iter():
            _tidy(node)
        box = root.get("viewBox")
        svg = etree.tostring(root, encoding="unicode")
        svg = svg[svg.index(">") + 1 :]
        return Markup(
            f'<svg class="chart {name}" viewBox="{box}" role="img" '
            f'aria-label="{escape(label)}" preserveAspectRatio="xMinYMin meet">{svg}'
        )


_EMPTY = {"tooltip", "plot tooltip-overlay", "plot text-overlay"}


_POSITIONS = {"x", "y", "cx", "cy", "d", "width", "height", "transform"}
_LONG = re.compile(r"(?<=\.\d)\d+")  # a tenth of a pixel is enough


def _tidy(node):
    """Removes what has no content, classes that no style names, and digits that nobody sees."""
    for child in list(node):
        kind = child.get("class", "")
        if kind in _EMPTY or kind == "background" or child.tag == "desc" or (child.tag == "g" and not len(child)):
            node.remove(child)
    kind = node.get("class")
    if kind is not None:
        kept = " ".join(word for word in kind.split() if word not in ("reactive", "tooltip-trigger", "always_show"))
        if kept:
            node.set("class", kept)
        else:
            del node.attrib["class"]
    for key in _POSITIONS.intersection(node.keys()):
        node.set(key, _LONG.sub("", node.get(key)))
    for end in ("rx", "ry"):
        if node.get(end) == "0":
            del node.attrib[end]


def nice_step(span, steps):
    """A step of 1, 2 or 5 times a power of ten that divides `span` into at most that many."""
    rough = span / steps
    power = 10 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)


def _decades(low, high, label):
    return [
        {"value": 10.0**e, "label": label(10.0**e)}
        for e in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    ]


class _Roof(_Plain, pygal.XY):
    """Levels have a name each, where it touches least: left of the slope, above which nothing lies, or at their right end."""

    def __init__(self, levels, dots, values, **options):
        self.levels, self.dots, self.values = levels, dots, values  # (first x, last x, y, words); (x, y); (x, y, words, side)
        super().__init__(**options)

    def _plot(self):
        super()._plot()
        names = _Names(self.view.width, self.view.height, [self.view(dot) for dot in self.dots])
        for first, last, y, words in sorted(self.levels, key=lambda level: level[2]):
            (left, py), (right, _) = self.view((first, y)), self.view((last, y))
            self._name(names.best(words, [(left - 7, py + 4, "end"), (right - 7, py - 5, "end"), (left + 7, py - 5, "start")]), words, "roofname")
        for x, y, words, side in self.values:
            px, py = self.view((x, y))
            place = px + (7 if side == "start" else -7), py + 4, side
            if not names.touches(words, place):
                self._name(names.take(words, place), words, "value")

    def _name(self, place, words, kind):
        x, y, side = place
        self.words(x, y, words, kind).set("text-anchor", side)


class _Names:
    """Where names stand in a plot of that size: (x, y of the baseline, side that x is of)."""

    LETTER = (6.2, 13)  # pixels, about
    DOT = 5

    def __init__(self, width, height, dots):
        self.width, self.height, self.dots, self.boxes = width, height, dots, []
        self.above = math.inf  # where the uppermost name left of the slope stands

    def _box(self, words, place):
        x, y, side = place
        width = len(words) * self.LETTER[0]
        left = x - width if side == "end" else x
        return left, left + width, y - 10, y - 10 + self.LETTER[1]

    def touches(self, words, place):
        left, right, top, bottom = self._box(words, place)
        return sum(a < right and left < b and c < bottom and top < d for a, b, c, d in self.boxes)

    def _cost(self, words, place):
        left, right, top, bottom = self._box(words, place)
        outside = left < 0 or right > self.width or top < -self.LETTER[1] or bottom > self.height
        covered = sum(left - self.DOT < x < right + self.DOT and top - self.DOT < y < bottom + self.DOT for x, y in self.dots)
        return 1000 * outside + 100 * self.touches(words, place) + 10 * covered

    def take(self, words, place):
        self.boxes.append(self._box(words, place))
        return place

    def best(self, words, places):
        """The place that touches least. The first of them, left of the slope, moves up from the name below it."""
        (x, y, side), *others = places
        raised = x, min(y, self.above - self.LETTER[1]), side
        found = min([raised, *others], key=lambda place: self._cost(words, place) + (y - raised[1]) / self.LETTER[1] * (place is raised))
        if found is raised:
            self.above = raised[1]
        return self.take(words, found)


def roofline(memory, levels, points, label):
    """`memory`: bytes a second. `levels`: (name, operations a second). `points`: (title, intensity, rate, best)."""
    points = [p for p in points if p[1] and p[2]]
    if not memory or not points:
        return ""
    top = max([rate for _, rate in levels] + [2 * p[2] for p in points])
    x_low, x_high = min(top / memory / 10, *(p[1] / 4 for p in points)), max(10 * top / memory, *(2 * p[1] for p in points))
    y_low, y_high = min(min(p[2] for p in points), memory * x_low) / 2, 2 * top
    xs, ys = _decades(x_low, x_high, lambda v: f"{v:g}"), _decades(y_low, y_high, lambda v: text.scaled(v, "", 1).strip())
    start = max(x_low, y_low / memory)
    end = min(x_high, max([rate for _, rate in levels], default=top) / memory)
    levels = sorted(levels, key=lambda level: -level[1])
    named = [(max(x_low, low / memory), x_high, math.sqrt(low * high), words) for low, high, words in _shared_names(levels)]
    if not levels:
        named.append((end, end, memory * end, f"memory {text.scaled(memory, 'B/s')}"))
    best = [p for p in points if p[3]]
    side = lambda x: "end" if math.log10(x_high / x) < math.log10(x_high / x_low) / 4 else "start"
    values = [(x, y, title.split(": ")[0], side(x)) for title, x, y, _ in sorted(best, key=lambda p: -p[2])] if len(best) <= 8 else []
    chart = _Roof(
        named, [p[1:3] for p in points], values, width=600, height=310, logarithmic=True, x_labels=xs, y_labels=ys,
        xrange=(x_low, x_high), range=(y_low, y_high), dots_size=3, show_x_guides=True, margin_right=24,
        x_title="operations per byte", y_title="operations per second",
    )  # fmt: skip
    chart.add("memory", [(start, memory * start), (end, memory * end)], show_dots=False)
    for name, rate in levels:
        chart.add(name, [(max(x_low, rate / memory), rate), (x_high, rate)], show_dots=False)
    chart.add("others", [_dot(p, "dot") for p in points if not p[3]], stroke=False)
    chart.add("best", [_dot(p, "dot best") for p in best], stroke=False)
    return chart.drawn("roof", label)


def _shared_names(levels):
    """(lowest rate, highest, words): levels of one kind that are drawn as one line, or nearly so, share a name."""
    shared = []
    for name, rate in sorted(levels, key=lambda level: (level[0].partition(" ")[2], level[1])):
        dtype, _, kind = name.partition(" ")
        if shared and shared[-1][0] == kind and rate < 1.15 * shared[-1][1][-1]:
            shared[-1][1].append(rate)
            shared[-1][2].append(dtype)
        else:
            shared.append((kind, [rate], [dtype]))
    for kind, rates, dtypes in shared:
        values = [text.scaled(rate, "FLOP/s").split(" ") for rate in rates]
        listed = ", ".join(value if unit == values[-1][1] else f"{value} {unit}" for value, unit in values[:-1])
        yield rates[0], rates[-1], " ".join(filter(None, (", ".join(dtypes), kind, listed and listed + ",", *values[-1])))


def _dot(point, name):
    title, x, y, _ = point
    return {"value": (x, y), "tooltip": title, "node": {"class": name, "r": 4 if "best" in name else 3}}


class _Line(_Plain, pygal.XY):
    breaks = ()  # (x, words): where what comes after does not compare with what came before

    def _plot(self):
        super()._plot()
        for x, words in self.breaks:
            x = self.view.x(x)
            self.svg.node(self.nodes["overlay"], "path", d=f"M{x} 0V{self.view.height}", class_="break")
            self.words(x + 4, 8, words, "since")

    def _confidence_interval(self, node, x, y, value, metadata):
        super()._confidence_interval(node, x, y, value[1], metadata)


@dataclass
class Run:
    """A point of a history; times in microseconds."""

    index: int  # on the axis, which counts runs
    date: str
    time: float  # of the run's fastest
    low: float | None
    high: float | None
    best: float  # so far
    is_best: bool
    title: str
    href: str | None


def history(series, label):
    """`series`: (what begins, its runs), each beginning anew: the best time so far as a line, each run's fastest with its interval."""
    runs = [run for _, part in series for run in part]
    ticks, scale = _time_axis([t for run in runs for t in (run.time, run.low, run.high, run.best) if t])
    dates = {run.index: run.date for run in reversed(runs)}
    xs = sorted(dates)
    shown = [x for i, x in enumerate(xs) if i % math.ceil(len(xs) / 6) == 0]
    chart = _Line(
        width=600, height=200, x_labels=[{"value": x, "label": dates[x]} for x in shown],
        y_labels=[{"value": scale(t), "label": _tick(t)} for t in ticks],
        range=(scale(ticks[0]), scale(ticks[-1])), xrange=(xs[0] - 0.4, xs[-1] + 0.4), truncate_label=12,
        margin_right=20, show_x_guides=False,
    )  # fmt: skip
    chart.breaks = [(part[0].index - 0.5, name) for name, part in series[1:]]
    for name, part in series:
        steps = [(at.index, scale(best)) for before, at in zip([part[0], *part], part) for best in (before.best, at.best)]
        chart.add(name, steps, show_dots=False)
        chart.add(name, [_dated(run, scale) for run in part], stroke=False)
    return chart.drawn("past", label)


def _dated(run, scale):
    known = run.low and run.high
    return {
        "value": (run.index, scale(run.time)),
        **({"ci": {"low": scale(run.low), "high": scale(run.high)}} if known else {}),
        "tooltip": run.title,
        "xlink": {"href": run.href, "target": "_self"} if run.href else None,
        "node": {"class": "dot best" if run.is_best else "dot", "r": 4 if run.is_best else 3},
    }


def _time_axis(times):
    """Ticks, and the scale on which they lie: pygal's logarithm would take both axes."""
    low, high = min(times), max(times)
    if high > 4 * low:
        return _log_ticks(low, high), math.log10
    step = nice_step(high if high > 2 * low else max(high - low, high * 0.02), 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    first -= first == last  # one tick is no axis
    return [i * step for i in range(first, last + 1)], float


def _tick(microseconds):
    """A time that is a round number."""
    for limit, factor, unit in ((1, 1e3, "ns"), (1e3, 1, "µs"), (1e6, 1e-3, "ms")):
        if microseconds < limit:
            return f"{microseconds * factor:.4g} {unit}"
    return f"{microseconds * 1e-6:.4g} s"


def _log_ticks(low, high):
    ticks, power = [], 10 ** math.floor(math.log10(low))
    factors = (1, 2, 5) if high < 100 * low else (1,)
    while True:
        for factor in factors:
            value = factor * power
            if value * (10 if len(factors) == 1 else 2.5) > low:
                ticks.append(value)
            if value >= high:
                return ticks
        power *= 10


def over_run(name, unit, points, ends):
    """A reading over a run: (title, value), in order; `ends` name the first and the last."""
    points = [(i, title, value) for i, (title, value) in enumerate(points) if value is not None]
    if len(points) < 2:
        return ""
    values = [value for _, _, value in points]
    low, high = min(values), max(values)
    step = nice_step(max(high - low, 0.02 * high, 1e-9), 3)
    ticks = [i * step for i in range(math.floor(low / step), math.ceil(high / step) + 1)]
    if len(ticks) < 2:
        ticks.append(ticks[-1] + step)
    chart = _Line(
        width=380, height=150, y_labels=[{"value": t, "label": f"{t:g}"} for t in ticks],
        range=(ticks[0], ticks[-1]), xrange=(-0.5, points[-1][0] + 0.5),
        x_labels=[{"value": points[0][0], "label": ends[0]}, {"value": points[-1][0], "label": ends[1]}],
        show_x_guides=False, margin_right=14,
    )  # fmt: skip
    if len(points) > 60:
        chart.add(name, [(i, v) for i, _, v in points], show_dots=False)
    else:
        at = lambda title, v: {"tooltip": f"{title}: {text.digits(v)} {unit}", "node": {"class": "dot", "r": 2.5}}
        chart.add(name, [{"value": (i, v), **at(title, v)} for i, title, v in points])
    return chart.drawn("reading", f"{name} over the run: from {text.digits(low)} to {text.digits(high)} {unit}.")
