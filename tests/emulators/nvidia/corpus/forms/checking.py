# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Answers held against each other: the emulator's against exact expectations, and against a recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .exact import right, shown
from .form import WIDTHS, Form, Including, Near
from .modules import Kernel, Slot
from .operands import CLASSES, MEMORIES, WIDTH


_BEHIND = " operands, lane "  # form and class, in a sentence


def _hex(value: int, width: int) -> str:
    return f"{value:#0{width // 4 + 2}x}"


def classes(kernel: Kernel) -> Iterator[tuple[str, int, int]]:
    begin = 0
    for name, count in CLASSES[kernel.domain]:
        yield name, begin, begin + count
        begin += count


def _sentence(kernel: Kernel, form: Form, name: str, lane: int, result: int, found: int, wanted: str, who: str) -> str:
    width = WIDTHS[form.results[result]]
    operands = [_hex(column[lane], WIDTH[kind]) for column, kind in zip(kernel.columns, kernel.operands)]
    if kernel.domain in MEMORIES:
        operands = ["memory"]
    which = f" (result {result})" if len(form.results) > 1 else ""
    return (f"{form.title}, {name}{_BEHIND}{lane} of {kernel.name}: of {', '.join(operands)} the emulator makes "
            f"{_hex(found, width)}{which}, {who} {wanted}")  # fmt: skip


def place_of(sentence: str) -> str:
    """The form and the class of operands that a sentence is about, or nothing."""
    place, found, _ = sentence.partition(_BEHIND)
    return place if found else ""


def expected_of(kernel: Kernel, form: Form, begin: int, end: int) -> list[Sequence]:
    """For each lane, what each result should be."""
    rows = [tuple(column[lane] for column in kernel.columns) for lane in range(begin, end)]
    if form.together > 1:
        answers = []
        for first in range(0, end - begin, form.together):
            answers += form.expected(rows[first : first + form.together])
        return answers
    answers = [form.expected(*row) for row in rows]
    return [a if isinstance(a, tuple) else (a,) for a in answers]


def against_expectations(kernel: Kernel, slot: Slot, data: bytes) -> list[str]:
    form, sentences = slot.form, []
    if form.expected is None:
        return []
    results = kernel.results(slot, data)
    for name, begin, end in classes(kernel):
        for lane, wanted in enumerate(expected_of(kernel, form, begin, end), begin):
            for i, one in enumerate(wanted):
                width = WIDTHS[form.results[i]]
                if not right(results[i][lane], one, width):
                    sentences.append(_sentence(kernel, form, name, lane, i, results[i][lane], shown(one, width), "expected is"))
    return sentences


def against_recording(kernel: Kernel, slot: Slot, data: bytes, recorded: bytes) -> list[str]:
    """The same bits; where the ISA grants an error, both within it."""
    form, sentences = slot.form, []
    results, theirs = kernel.results(slot, data), kernel.results(slot, recorded)
    if results == theirs:
        return []
    for name, begin, end in classes(kernel):
        if all(a[begin:end] == b[begin:end] for a, b in zip(results, theirs)):
            continue
        loose = _loose(kernel, form, begin, end, theirs)
        for lane in range(begin, end):
            for i, (mine, other) in enumerate(zip(results, theirs)):
                if mine[lane] != other[lane] and not loose(lane, i):
                    wanted = _hex(other[lane], WIDTHS[form.results[i]])
                    sentences.append(_sentence(kernel, form, name, lane, i, mine[lane], wanted, "the device that was recorded made"))
    return sentences


def _loose(kernel: Kernel, form: Form, begin: int, end: int, theirs):
    """Whether a difference in a lane's result is allowed: the ISA says how large an error may be, or leaves the rest open."""
    if form.expected is None or form.strict:
        return lambda lane, result: False
    wanted = expected_of(kernel, form, begin, end)

    def within(lane: int, result: int) -> bool:
        one = wanted[lane - begin][result]
        return isinstance(one, (Near, Including)) and right(theirs[result][lane], one, WIDTHS[form.results[result]])

    return within
