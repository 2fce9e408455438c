# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers, dates and names as a reader sees them. An absent value is a dash, never `None`."""

import hashlib
import math
import re

DASH = "–"


def number(value):
    """`value` as a finite float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def digits(value, significant=4):
    """Four significant digits without an exponent, as in Podium's tables."""
    value = number(value)
    if value is None:
        return DASH
    if value == 0:
        return "0"
    places = significant - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    places = max(0, significant - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:.{places}f}"


def time(microseconds):
    value = number(microseconds)
    if value is None:
        return DASH
    for limit, factor, unit in ((1, 1e3, "ns"), (1e3, 1, "µs"), (1e6, 1e-3, "ms")):
        if value < limit:
            return f"{digits(value * factor)} {unit}"
    return f"{digits(value * 1e-6)} s"


def measured(value, unit):
    """A metric: times and energies with a prefix that fits, other numbers as the head of their column says."""
    value = number(value)
    if value is None or not unit:
        return digits(value)
    return time(value) if unit == "µs" else scaled(value * 1e-6, unit.removeprefix("µ"))


def scaled(value, unit, significant=4):
    """A rate or a size with a decimal prefix: 4.197 TB/s."""
    value = number(value)
    if value is None:
        return DASH
    prefixes = ("", "k", "M", "G", "T", "P", "E")
    if value and abs(value) < 1:
        for prefix in ("m", "µ", "n"):
            value *= 1e3
            if abs(value) >= 1:
                break
        return f"{digits(value, significant)} {prefix}{unit}"
    step = 0
    while abs(value) >= 1000 and step < len(prefixes) - 1:
        value, step = value / 1000, step + 1
    return f"{digits(value, significant)} {prefixes[step]}{unit}"


def percent(fraction, places=1):
    value = number(fraction)
    return DASH if value is None else f"{100 * value:.{places}f}"


def ratio(value):
    value = number(value)
    return DASH if value is None else f"{value:.3f}×"


def spread(value, low, high):
    """The farther end of an interval, in percent of the value."""
    value, low, high = number(value), number(low), number(high)
    if not value or low is None or high is None:
        return DASH
    return f"±{100 * max(value - low, high - value) / value:.1f} %"


def interval(low, high):
    """Behind a time: its 95 % interval, if it has one."""
    words = between((low, high))
    return "" if words == DASH else f", 95 % {words}"


def between(ends):
    """Two times, the unit once where it is the same."""
    if not all(map(number, ends)):
        return DASH
    (low, unit), (high, last) = (time(end).split(" ") for end in ends)
    return f"{low} to {high} {last}" if unit == last else f"{low} {unit} to {high} {last}"


def rank(first, last):
    first, last = number(first), number(last)
    if first is None:
        return DASH
    return f"{first:.0f}" if last is None or last == first else f"{first:.0f}–{last:.0f}"


def date(started):
    """The day of an ISO time."""
    return started[:10] if isinstance(started, str) and started else DASH


def moment(started):
    return started[:16].replace("T", " ") + " UTC" if isinstance(started, str) and started else DASH


def bytes_text(count):
    value = number(count)
    if value is None:
        return DASH
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{digits(value)} {unit}"
        value /= 1024
    return f"{digits(value)} GiB"


def seconds(value):
    value = number(value)
    if value is None:
        return DASH
    if value < 120:
        return f"{value:.1f} s"
    return f"{int(value) // 60} min {int(value) % 60} s"


def maker(product):
    """Who made a processor: it says so in its name."""
    return next((name for name in ("AMD", "Intel", "Arm", "Apple", "NVIDIA") if name.lower() in product.lower()), "CPU")


# "--" joins names in ids; no name on its own holds it.
_SAFE = re.compile(r"(?=.{1,80}\Z)[a-z0-9]+([._]+[a-z0-9]+|-[a-z0-9]+)*\Z")
_HASHED = re.compile(r".*-[0-9a-f]{32}\Z")
_DEVICES = {"con", "prn", "aux", "nul", "index"}


def slug(name):
    """A file name for `name`, distinct for distinct names, whatever they contain and on any file system."""
    name = str(name)
    safe = _SAFE.match(name) and name.split(".")[0] not in _DEVICES and not _HASHED.match(name)
    return name if safe else _hashed(name)


def _hashed(name):
    """With 128 bits of a hash: whoever chooses names cannot find two that are equal."""
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower())[:46].strip("-")
    return f"{readable or 'x'}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


_BY_TIME = r"\d{8}T\d{6}Z-[0-9a-f]{4}"


def run_slug(folder):
    """As slug(), but readable for the name that a run has of its time."""
    if re.fullmatch(_BY_TIME, folder):
        return folder.lower()
    return _hashed(folder) if re.fullmatch(_BY_TIME, folder, re.IGNORECASE) else slug(folder)
