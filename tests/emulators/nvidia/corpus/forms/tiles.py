# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Products of a warpgroup with D wider than 8 columns: PTX ISA 9.7.15. A and B lie in shared memory as matrix descriptors have it,
with every swizzle, along k or across it; wgmma.py has other operands and sparse A."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache

from wgmma_test import descriptor

from .form import Form
from .matrices import KINDS
from .memories import LANES, ROW, content, scoped
from .products import BITS, Shape, accumulated, values

_ROWS = 64
_A = 8192  # bytes of A's part of the box, B's is behind it
_ASKED = 300  # elements of D that are computed here; all are held against a recording
_ROWS_OF_CORE = 8  # of a core matrix of 16 bytes a row
_C = 4  # columns of accumulators


def _b_bytes(n: int) -> int:
    return 8192 if n <= 64 else 32768


def place(mn: int, byte: int, size: int, swizzle: int, across: bool, leading: int, stride: int, start: int) -> int:
    """Where an element lies, of a row of A or a column of B, at that byte along k; or across k, at that number of k. The canonical
    layouts of matrix descriptors, as CuTe draws them: units of 16 bytes, exchanged by bits of the address."""
    span = 1 << swizzle  # units of a row
    if not across:
        unit, within = byte // 16, byte % 16
        if swizzle == 0:
            at = mn // 8 * stride + mn % 8 * 16 + unit * leading + within
        else:
            at = mn // 8 * stride + mn % 8 * 16 * span + unit * 16 + within
    else:
        k, unit, within = byte // size, mn * size // 16, mn * size % 16
        if swizzle == 0:
            at = unit * stride + k % 8 * 16 + k // 8 * leading + within
        else:
            at = unit // span * leading + unit % span * 16 + k % 8 * 16 * span + k // 8 * stride + within
    at += start
    return at ^ (at >> 7 & span - 1) << 4


def layout(rows: int, swizzle: int, across: bool, size: int, n: int) -> tuple[int, int, int]:
    """Bytes of the leading and the other stride, and where a tile begins: with a swizzle, at one of its parts along k."""
    atom = 128 << swizzle  # eight rows
    if not across:
        if swizzle == 0:
            return rows * 16, atom, 0
        return 16, atom, n // 8 % (1 << swizzle >> 1) * 32
    if swizzle == 0:
        return rows * size * 8, atom, 0
    return 2 * atom, atom, 0


@lru_cache(maxsize=None)
def _value(code: int, t: str):
    return values(code, t)[0]


def _expected(of: Shape, kinds: tuple[str, ...], a_at: Callable, b_at: Callable, in_registers: bool, signs: tuple[int, int], accumulates: bool):
    size = BITS[of.a] // 8
    each = 4 // size

    def expected(rows: list[tuple]) -> list[tuple]:
        memory = content(rows, kinds)
        c_at = len(memory) - _C * ROW

        def element(at: int, t: str):
            return _value(int.from_bytes(memory[at : at + size], "little"), t)

        def of_a(r: int, k: int):
            if in_registers:
                register, lane = r // 8 % 2 + 2 * (k // (4 * each)), r // 16 * 32 + r % 8 * 4 + k // each % 4
                return element(register * ROW + 4 * lane + k % each * size, of.a)
            return element(a_at(r, k * size), of.a)

        negative = signs[0] * signs[1]
        left = [[negative * of_a(r, k) for k in range(of.k)] for r in range(_ROWS)]
        right = [[element(_A + b_at(n, k * size), of.b) for k in range(of.k)] for n in range(of.n)]
        packed = of.d == "f16"
        step = max(_ROWS * of.n // _ASKED, 1) | 1
        answers = []
        for lane in range(len(rows)):
            answer = []
            for i in range(of.n // (4 if packed else 2)):
                parts = []
                for e in range(2) if packed else (0,):
                    j = 2 * i + e if packed else i
                    r, n = lane // 32 * 16 + lane % 32 // 4 + 8 * (j // 2 % 2), j // 4 * 8 + lane % 4 * 2 + j % 2
                    if (r * of.n + n) // 2 % step:
                        parts.append(None)
                        continue
                    before = values(rows[lane][len(kinds) - _C + i % _C], of.d)[e] if accumulates else 0
                    parts.append(accumulated(left[r], right[n], before, of))
                answer.append(None if not all(isinstance(p, int) for p in parts) else sum(p << 16 * x for x, p in enumerate(parts)))
            answers.append(tuple(answer))
        return answers

    return expected


def _form(d: str, t: tuple[str, str], k: int, n: int, swizzles: tuple[int, int], across: tuple[bool, bool] = (False, False), in_registers: bool = False,
          signs: tuple[int, int] = (1, 1), accumulates: bool = True, satfinite: bool = False) -> Form:  # fmt: skip
    of, size = Shape(_ROWS, n, k, d, *t, satfinite, warpgroup=True), BITS[t[0]] // 8
    a_layout, b_layout = (layout(rows, swizzle, x, size, n) for rows, swizzle, x in ((_ROWS, swizzles[0], across[0]), (n, swizzles[1], across[1])))
    count = n // (4 if d == "f16" else 2)
    kinds = (KINDS[t[0]],) * (_A // ROW) + (KINDS[t[1]],) * (_b_bytes(n) // ROW) + ({"f16": "f16x2", "f32": "f32", "s32": "s32"}[d],) * _C
    name = f"wgmma.mma_async.sync.aligned.m64n{n}k{k}.{d}.{t[0]}.{t[1]}" + (".satfinite" if satfinite else "")
    rest = ""
    if d != "s32":
        rest = f", {signs[0]}, {signs[1]}"
        if BITS[t[0]] == 16:
            rest += ("" if in_registers else f", {int(across[0])}") + f", {int(across[1])}"
    text = "bar.sync 0;\n.reg .b64 %da, %db, %base;\nshr.u32 %v, %box, 4; cvt.u64.u32 %base, %v;\n"
    for register, at, (leading, stride, start), swizzle in (("%da", 0, a_layout, swizzles[0]), ("%db", _A, b_layout, swizzles[1])):
        text += f"mov.b64 {register}, {descriptor(at + start, leading, stride, swizzle):#x}; add.u64 {register}, {register}, %base;\n"
    text += "shl.b64 %g, %wide, 2; add.u64 %g, %in, %g;\n"
    a = "%da"
    if in_registers:
        text += ".reg .b32 %a<4>;\n" + "".join(f"ld.global.b32 %a{i}, [%g+{i * ROW}]; " for i in range(4)) + "\n"
        a = "{%a0, %a1, %a2, %a3}"
    begin = (len(kinds) - _C) * ROW
    text += "".join(f"ld.global.b32 %d{i}, [%g+{begin + i % _C * ROW}]; " for i in range(count)) + "\n"
    text += f"setp.{'ne' if accumulates else 'eq'}.u32 %q, %i, 0xffffffff;\nwgmma.fence.sync.aligned;\n"
    text += f"{name} {{{', '.join(f'%d{i}' for i in range(count))}}}, {a}, %db, %q{rest};\n"
    text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
    spans = [("none", "32", "64", "128")[s] for s in swizzles]
    variant = "A in registers" if in_registers else f"A with swizzle {spans[0]}{' across k' if across[0] else ''}"
    variant += f", B with swizzle {spans[1]}{' across k' if across[1] else ''}"
    variant += (f", scales {signs}" if signs != (1, 1) else "") + ("" if accumulates else ", without C")
    expected = _expected(of, kinds, lambda r, byte: place(r, byte, size, swizzles[0], across[0], *a_layout),
                         lambda r, byte: place(r, byte, size, swizzles[1], across[1], *b_layout), in_registers, signs, accumulates)  # fmt: skip
    return Form(name, scoped(text), kinds, ("b32",) * count, "sm_90a", variant, "tiles", expected, LANES, True, 1, _A + _b_bytes(n))


_SIGNS = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def _across() -> Iterator[Form]:
    """16-bit types: every swizzle, along k and across it."""
    turn = itertools.count()
    for d, t in (("f32", "f16"), ("f16", "f16"), ("f32", "bf16")):
        for swizzle in range(4):
            for across in ((False, False), (False, True), (True, False), (True, True)):
                i = next(turn)
                yield _form(d, (t, t), 16, (16, 64, 40, 32, 96)[i % 5], (swizzle, (swizzle + i // 4) % 4), across, signs=_SIGNS[i // 3 % 4],
                            accumulates=i % 7 != 3)  # fmt: skip
                if not across[0]:
                    yield _form(d, (t, t), 16, (24, 48, 128, 56)[i % 4], (0, swizzle), across, True, _SIGNS[i // 2 % 4], i % 5 != 2)


def _wide() -> Iterator[Form]:
    """Every type, with a few numbers of columns up to the largest."""
    floats = [("f32", "f16", "f16", 16), ("f16", "f16", "f16", 16), ("f32", "bf16", "bf16", 16), ("f32", "tf32", "tf32", 8)]
    floats += [(d, a, b, 32) for d in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    columns = itertools.cycle((256, 72, 16, 136, 32, 200, 64, 104, 24, 176, 128, 88, 248))
    turn = itertools.count()
    for d, a, b, k in floats:
        for in_registers in (False, True):
            for n in (next(columns), next(columns)):
                i = next(turn)
                yield _form(d, (a, b), k, n, (i % 4, (i + i // 4) % 4), in_registers=in_registers, signs=_SIGNS[i % 4], accumulates=i % 6 != 4)
    columns = itertools.cycle((256, 16, 80, 32, 144, 24, 224, 64))
    for a, b in itertools.product(("s8", "u8"), repeat=2):
        for in_registers in (False, True):
            for satfinite in (False, True):
                i = next(turn)
                yield _form("s32", (a, b), 32, next(columns), (i % 4, (i + i // 4) % 4), in_registers=in_registers, accumulates=i % 6 != 4,
                            satfinite=satfinite)  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _across()
    yield from _wide()
