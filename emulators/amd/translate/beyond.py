# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Words that scalar loads ask for behind the end of an allocation. Compilers load a few more than they need, which is no
mistake; what is loaded so may be moved and kept, but not used. Followed are registers that such a word can be in."""

import re

from .decode import Instruction

READ = re.compile(r"w->s\[(\d+)\](?! = )|(?<!set_)pair\(w, (\d+)\)")
WRITTEN = re.compile(r"w->s\[(\d+)\] = |set_pair\(w, (\d+),")
LOADED = re.compile(r"load_scalar\(w, g, (\d+), address, (\d+)\)")
# The result's old value, which most instructions do not look at.
OLD = re.compile(r"D0 = U\((w->s\[\d+\]|pair\(w, \d+\))\); ")
USES_OLD = re.compile("S_(BITSET|CMOV|FMAC|MAC)")
MOVES = {"S_MOV_B32": 1, "S_MOV_B64": 2}


class Beyond:
    """Of a unit: its instructions and the C++ of each."""

    def __init__(self, instructions: dict[int, Instruction], bodies: dict[int, str]):
        self.bodies = bodies
        self.possible: set[int] = set()
        for body in bodies.values():
            for m in LOADED.finditer(body):  # the first word of a load lies inside, else it is a fault
                self.possible.update(range(int(m[1]) + 1, int(m[1]) + int(m[2])))
        moves = [m for i in instructions.values() if (m := _move(i))]
        before = -1
        while before != len(self.possible):
            before = len(self.possible)
            for to, source, words in moves:
                self.possible.update(to + n for n in range(words) if source + n in self.possible)

    def before(self, i: Instruction) -> str:
        """The statement that precedes an instruction: a fault if it uses such a word; what it writes is none any more."""
        if not self.possible:
            return ""
        if move := _move(i):
            to, source, words = move
            if not self.possible & {*range(to, to + words), *range(source, source + words)}:
                return ""
            return f"if (w->beyond) [[unlikely]] move_beyond(w, {to}, {source}, {words}); "
        body = self.bodies[i.offset]
        text = body if USES_OLD.match(i.name) else OLD.sub("", body)
        read = set() if i.name.startswith("V_WRITELANE") else _registers(READ, text) & self.possible
        written = _registers(WRITTEN, text) & self.possible
        if not read and not written:
            return ""
        return f"if (w->beyond) [[unlikely]] if (const int stop = uses(w, g, {i.offset}, {_masks(read)}, {_masks(written)})) return stop; "


def _move(i: Instruction) -> tuple[int, int, int] | None:
    """Of a scalar move the register it writes, the one it reads, and how many words."""
    words = MOVES.get(i.name)
    if words is None or i.decoded.ssrc0.offset >= 126 or i.decoded.sdst.offset >= 126:
        return None
    return i.decoded.sdst.offset, i.decoded.ssrc0.offset, words


def _registers(pattern: re.Pattern, text: str) -> set[int]:
    found: set[int] = set()
    for m in pattern.finditer(text):
        found.update({int(m[1])} if m[1] else {int(m[2]), int(m[2]) + 1})
    return found


def _masks(numbers: set[int]) -> str:
    """Registers 0 to 63, and 64 to 127."""
    return ", ".join(f"{sum(1 << (n - first) for n in numbers if 0 <= n - first < 64):#x}ull" for first in (0, 64))
