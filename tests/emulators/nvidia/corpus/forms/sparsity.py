# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Structured sparsity of A: which elements of a row its metadata says are stored (PTX ISA, figures of mma.sp's metadata)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTHS = {"f16": 16, "bf16": 16, "tf32": 32, "s4": 4, "u4": 4, "e2m1x2": 4}  # all others have 8 bits


def width(t: str) -> int:
    return _WIDTHS.get(t, 8)


def pattern(t: str) -> str:
    """A kind of operands.py."""
    return "one of two" if t == "tf32" else "two of four"


@dataclass(frozen=True)
class _Layout:
    """Where the 32 bits of four lanes belong: chunks further along k, and rows further down, for each lane of four and each
    half of its bits. A chunk is 2, 4 or 8 elements."""

    chunks: int  # of a row
    lane: tuple[tuple[int, int], ...]  # (chunk, row) of each lane that takes part, from the first on
    half: tuple[int, int]


_ONE, _TWO_WIDE = _Layout(4, ((0, 0),), (0, 8)), _Layout(8, ((0, 0), (4, 0)), (0, 8))
_TWO_NARROW, _FOUR = _Layout(8, ((0, 0), (0, 8)), (4, 0)), _Layout(16, ((0, 0), (0, 8), (8, 0), (8, 8)), (4, 0))


def stored_places(words: Sequence[int], t: str, k: int, selector: int, row: int) -> list[int]:
    """Columns of the stored elements of a row, out of a register of each of a warp's 32 lanes."""
    chunk = {32: 2, 16: 4, 8: 4, 4: 8}[width(t)]
    layout = {4: _ONE, 8: _TWO_WIDE if width(t) >= 16 else _TWO_NARROW, 16: _FOUR}[k // chunk]
    bits: dict[int, int] = {}
    for i, (chunks, rows) in enumerate(layout.lane):
        word = words[row % 8 * 4 + selector * len(layout.lane) + i]
        for half in (0, 1):
            if rows + half * layout.half[1] == row // 8 * 8:
                for n in range(4):
                    bits[chunks + half * layout.half[0] + n] = word >> 16 * half + 4 * n & 15
    places = []
    for number in range(layout.chunks):
        code = bits[number]
        if width(t) == 32:
            places.append(2 * number + {0b0100: 0, 0b1110: 1}[code])
            continue
        for one in (code & 3, code >> 2):
            places += [4 * number + one] if width(t) > 4 else [8 * number + 2 * one, 8 * number + 2 * one + 1]
    return places
