# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a recording says of each instruction, as a document: which forms are equal on device and emulator, which are not and why, and
how large the errors of functions are that hardware approximates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ieee import Format

from . import coverage
from .checking import classes, expected_of
from .exact import number
from .form import Form, Including, Near
from .modules import Kernel, Module, Slot
from .recording import Recording

MADE_BY = "<!-- Made by tests/emulators/nvidia/corpus/corpus.py check --write-table; do not edit. -->"
_ABSOLUTE = ("sin", "cos", "lg2")  # near zero these have an absolute error, so their units are 1's at least
_LOWER_HALF = 2.0**32  # units of f64 in one of its upper 32 bits, which are all that .approx.ftz.f64 gives


@dataclass
class Row:
    forms: int = 0
    lanes: int = 0
    equal: int = 0  # forms
    different: int = 0  # lanes
    why: str = ""
    devices: set[str] = field(default_factory=set)


@dataclass
class Errors:
    lanes: int = 0
    of_device: float = 0.0  # units in the last place
    of_bound: float = 0.0  # the device's error in parts of what the ISA grants
    of_emulator: float = 0.0
    different: int = 0  # lanes
    apart: float = 0.0  # device and emulator


def opcode(form: Form) -> str:
    """Its name as a reader looks for it: what is in front of types and shapes."""
    words = form.name.split(",")[0].split(".")
    if words[0] in ("cp", "bar", "mbarrier", "barrier", "wmma") or "async" in words:
        return coverage.named(form.name)
    if words[0] in ("mma", "wgmma"):
        sparse = ".sp" if words[2] == "sp" else ""
        return f"{words[0]}.{words[1]}{sparse} {words[-3] if words[0] == 'mma' and 'popc' not in words else words[-2 if 'satfinite' not in words else -3]}"
    if words[0] in ("atom", "red", "shfl", "vote", "match", "redux", "ld", "st"):
        return ".".join(w for w in words[:3] if w not in ("sync",))
    if words[0] in ("mul", "mad", "cvt", "setp", "set", "prmt", "div", "sqrt", "rcp", "rsqrt"):
        return words[0] + (".approx" if "approx" in words else ".full" if "full" in words else "")
    return words[0]


def _why(form: Form, wanted: Iterable[tuple]) -> str:
    kinds = {type(one) for row in wanted for one in row}
    if Near in kinds:
        return "approximated, see below"
    return "not defined: what lanes that take no part hold, and who happens to be active" if Including in kinds else "disagrees"


def _slots(modules: list[Module]) -> Iterator[tuple[Kernel, Slot]]:
    return ((k, s) for m in modules for k in m.kernels for s in k.slots)


def _unit(x: float, f: Format, form: Form) -> float:
    least = 0 if form.name.startswith(_ABSOLUTE) else 1 - f.bias
    unit = 2.0 ** (max(math.frexp(x)[1] - 1, least) - f.mantissa)
    return unit * _LOWER_HALF if form.name.endswith(".approx.ftz.f64") else unit


def _measured(errors: Errors, kernel: Kernel, form: Form, mine: list[list[int]], theirs: list[list[int]]) -> None:
    """Over the lanes whose exact result is a normal number and has an error granted."""
    for _, begin, end in classes(kernel):
        for lane, wanted in enumerate(expected_of(kernel, form, begin, end), begin):
            for i, one in enumerate(wanted):
                if not isinstance(one, Near) or one.error == math.inf or abs(one.value) < 2.0 ** (1 - one.format.bias):
                    continue
                device, emulator = (number(x[i][lane], one.format) for x in (theirs, mine))
                if not math.isfinite(device) or not math.isfinite(emulator):
                    continue
                unit = _unit(one.value, one.format, form)
                errors.lanes += 1
                errors.of_device = max(errors.of_device, abs(device - one.value) / unit)
                errors.of_bound = max(errors.of_bound, abs(device - one.value) / one.error)
                errors.of_emulator = max(errors.of_emulator, abs(emulator - one.value) / unit)
                errors.different += device != emulator
                errors.apart = max(errors.apart, abs(device - emulator) / unit)


def document(
    modules: list[Module], recording: Recording, results: dict[str, bytes], of_rows: Mapping[str, str], section_of: Callable[[str], str] = str
) -> tuple[str, dict[str, coverage.Evidence]]:
    """And what it says of each instruction. `of_rows`: those that there are, with the first architecture of each; `section_of`: where
    the PTX ISA describes one."""
    rows: dict[str, Row] = {}
    asked: dict[str, list[tuple[Form, bool]]] = {}  # of each device, and whether both agree in every bit
    errors: dict[str, Errors] = {}
    later: dict[str, int] = {}  # forms that were not asked
    for kernel, slot in _slots(modules):
        if kernel.name not in recording.results:
            later[opcode(slot.form)] = later.get(opcode(slot.form), 0) + 1
            continue
        form, row = slot.form, rows.setdefault(opcode(slot.form), Row())
        mine, theirs = (kernel.results(slot, x[kernel.name]) for x in (results, recording.results))
        count = sum(any(a[i] != b[i] for a, b in zip(mine, theirs)) for i in range(kernel.lanes))
        row.forms, row.lanes, row.different, row.equal = row.forms + 1, row.lanes + kernel.lanes, row.different + count, row.equal + (count == 0)
        device = recording.device_of(kernel.name)
        row.devices.add(device)
        asked.setdefault(device, []).append((form, count == 0))
        if count:
            row.why = _why(form, expected_of(kernel, form, 0, kernel.lanes)) if form.expected else "disagrees"
        if "approx" in form.name or "full" in form.name:
            _measured(errors.setdefault(form.name, Errors()), kernel, form, mine, theirs)
    found = coverage.evidence({device: coverage.of_forms(forms) for device, forms in asked.items()}, of_rows)
    return "\n".join([*_lines(rows, errors, recording), *_not_asked(later), "", *coverage.lines(found, section_of)]) + "\n", found


def _made_by(recording: Recording) -> str:
    by = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in recording.made_by.items() if key != "device")
    return f"{recording.made_by.get('device')} ({by})"


def _lines(rows: dict[str, Row], errors: dict[str, Errors], recording: Recording) -> Iterator[str]:
    total = Row(sum(r.forms for r in rows.values()), sum(r.lanes for r in rows.values()), sum(r.equal for r in rows.values()))
    devices = list(dict.fromkeys(r.made_by.get("device", "a device") for r in (recording, *recording.others)))
    several = len(devices) > 1
    where = "; what was asked later, on ".join(map(_made_by, (recording, *recording.others)))
    yield MADE_BY
    yield f"# Instructions that {' or '.join(map(coverage.called, devices))} answered"
    yield ""
    yield (f"The corpus ([emulators_nvidia_runs.md](emulators_nvidia_runs.md#the-corpus-what-devices-answered)) was recorded on {where}, and the emulator was held "
           f"against {'both' if recording.others else 'it'}: {total.forms} forms, {total.lanes} lanes; {total.equal} forms are equal in every bit of every lane. A form is an opcode "
           "with modifiers and types, and with immediate operands and masks where there are several; it is run on edges, random bits, numbers "
           "near each other and small ones. The test `cuda.emulator.recording` runs a sample of them every time, `cuda.emulator.recordings` all.")  # fmt: skip
    yield ""
    yield "| instruction | forms | lanes | forms equal in every bit | lanes that differ |" + (" answered by |" if several else "")
    yield "| --- | ---: | ---: | ---: | --- |" + (" --- |" if several else "")
    for name, row in sorted(rows.items()):
        differ = f"{row.different}: {row.why}" if row.different else ""
        by = ", ".join(d.removeprefix("NVIDIA ") for d in devices if d in row.devices)
        yield f"| `{name}` | {row.forms} | {row.lanes} | {row.equal} | {differ} |" + (f" {by} |" if several else "")
    yield ""
    yield "## Functions that hardware approximates"
    yield ""
    yield ("Errors in units of the result's last place (of `.approx.ftz.f64`: of the last of its upper 32 bits), over the lanes whose exact "
           "result is a normal number for which the ISA grants an error; *of the ISA's* is the device's largest error in parts of what the "
           "ISA grants there. Sine, cosine and logarithm are granted an absolute error near zero: their units are at least those of 1.")  # fmt: skip
    yield ""
    yield "| form | lanes | device's largest error | of the ISA's | emulator's largest error | lanes that differ | device and emulator at most apart |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, e in sorted(errors.items()):
        yield f"| `{name}` | {e.lanes} | {e.of_device:.3g} | {e.of_bound:.2f} | {e.of_emulator:.3g} | {e.different} | {e.apart:.3g} |"


def _not_asked(later: dict[str, int]) -> Iterator[str]:
    if not later:
        return
    yield ""
    yield "## Not asked yet"
    yield ""
    yield ("Forms that the corpus has since that recording, held against exact arithmetic alone, with an H200's way of adding: "
           f"{sum(later.values())}. `corpus.py record --missing` on a device asks them.")  # fmt: skip
    yield ""
    yield "| instruction | forms |"
    yield "| --- | ---: |"
    for name, count in sorted(later.items()):
        yield f"| `{name}` | {count} |"
