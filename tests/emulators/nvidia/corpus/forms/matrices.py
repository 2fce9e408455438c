# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices in registers: PTX ISA 9.7.14.5 (mma), 9.7.14.6 (ldmatrix, stmatrix, movmatrix)."""

from __future__ import annotations

from collections.abc import Iterator

from .form import Form
from .products import Shape, of_warp

_LANES = range(32)
_SIGNS = (("s", "s"), ("s", "u"), ("u", "s"), ("u", "u"))
KINDS = {"f16": "f16x2", "bf16": "bf16x2", "tf32": "tf32", "e4m3": "e4m3x4", "e5m2": "e5m2x4", "s8": "s8x4", "u8": "u8x4", "s4": "s4x8",
         "u4": "u4x8", "b1": "b1x32", "f32": "f32", "f64": "f64", "s32": "s32"}  # fmt: skip


def _product(shape: tuple[int, int], d: str, a: str, b: str, modifiers: str = "", target: str = "sm_80") -> Form:
    m, k = shape
    of = Shape(m, 8, k, d, a, b, "satfinite" in modifiers, "and" if "and" in modifiers else "xor")
    counts = of.registers()
    names, at = [], 0
    for count in counts[1:]:
        names.append("{" + ", ".join(f"%a{at + i}" for i in range(count)) + "}")
        at += count
    kinds = (KINDS[a],) * counts[1] + (KINDS[b],) * counts[2] + (KINDS[d],) * counts[3]
    satfinite = ".satfinite" if "satfinite" in modifiers else ""
    popc = modifiers if "popc" in modifiers else ""
    name = f"mma.sync.aligned.m{m}n8k{k}.row.col{satfinite}.{d}.{a}.{b}.{d}{popc}"
    count = counts[0]
    if d == "f16":  # two numbers a register
        body = f"{{ .reg .b32 %p<{count}>; {name} {{{', '.join(f'%p{i}' for i in range(count))}}}, {', '.join(names)}; "
        body += " ".join(f"mov.b32 {{%d{2 * i}, %d{2 * i + 1}}}, %p{i};" for i in range(count)) + " }"
        results = ("b16",) * (2 * count)
    else:
        body = f"{name} {{{', '.join(f'%d{i}' for i in range(count))}}}, {', '.join(names)};"
        results = (("b64" if d == "f64" else "b32"),) * count
    return Form(name, body, kinds, results, target, domain="matrix", together=32, expected=of_warp(of, counts), strict=True)


def _products() -> Iterator[Form]:
    for shape, target in (((8, 4), "sm_80"), ((16, 4), "sm_90"), ((16, 8), "sm_90"), ((16, 16), "sm_90")):
        yield _product(shape, "f64", "f64", "f64", target=target)
    for k in (4, 8):
        yield _product((16, k), "f32", "tf32", "tf32")
    for k in (8, 16):
        yield _product((16, k), "f32", "bf16", "bf16")
        yield _product((16, k), "f32", "f16", "f16")
        yield _product((16, k), "f16", "f16", "f16")
    for width, shapes in ((8, ((8, 16), (16, 16), (16, 32))), (4, ((8, 32), (16, 32), (16, 64)))):
        for shape in shapes:
            for a, b in _SIGNS:
                for satfinite in ("", "satfinite"):
                    yield _product(shape, "s32", f"{a}{width}", f"{b}{width}", satfinite)
    for shape in ((8, 128), (16, 128), (16, 256)):
        for operation in ("xor", "and"):
            yield _product(shape, "s32", "b1", "b1", f".{operation}.popc")
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            for d in ("f32", "f16"):
                for k in (16, 32):
                    yield _product((16, k), d, a, b, target="sm_89")


# Each lane's 16 bytes of shared memory are a row; row addresses are exchanged, so that a wrong one is seen.
def _row(lane: int) -> int:
    return (5 * lane + 3) % 32


_ADDRESS = ("{ .reg .b32 %l, %p; and.b32 %l, %i, 31; shl.b32 %p, %l, 4; sub.u32 %p, %cell, %p; mad.lo.u32 %l, %l, 5, 3; "
            "and.b32 %l, %l, 31; mad.lo.u32 %p, %l, 16, %p; ")  # fmt: skip
_SYNC = "bar.warp.sync 0xffffffff; "


def _half(row: tuple, column: int) -> int:
    return row[column // 2] >> 16 * (column % 2) & 0xFFFF


def _loads() -> Iterator[Form]:
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            name = f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16"
            targets = ", ".join(f"%d{i}" if count > 1 else "%d" for i in range(count))
            body = f"{_ADDRESS}{_SYNC}st.shared.v4.b32 [%cell], {{%a, %b, %c, %e}}; {_SYNC}{name} {{{targets}}}, [%p]; {_SYNC}}}"

            def loaded(rows: list[tuple], count=count, trans=trans) -> list[tuple]:
                answers = []
                for lane in _LANES:
                    words = []
                    for matrix in range(count):
                        places = [(lane // 4, 2 * (lane % 4) + i) for i in (0, 1)]
                        halves = [_half(rows[_row(8 * matrix + (c if trans else r))], r if trans else c) for r, c in places]
                        words.append(halves[0] | halves[1] << 16)
                    answers.append(tuple(words))
                return answers

            yield Form(name, body, ("i32",) * 4, ("b32",) * count, domain="warp", together=32, expected=loaded)


def _stores() -> Iterator[Form]:
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            name = f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16"
            values = ", ".join("%" + "abce"[i] for i in range(count))
            body = (f"{_ADDRESS}{{ .reg .b32 %z; mov.b32 %z, 0; {_SYNC}st.shared.v4.b32 [%cell], {{%z, %z, %z, %z}}; }} {_SYNC}"
                    f"{name} [%p], {{{values}}}; {_SYNC}ld.shared.v4.b32 {{%d0, %d1, %d2, %d3}}, [%cell]; {_SYNC}}}")  # fmt: skip

            def stored(rows: list[tuple], count=count, trans=trans) -> list[tuple]:
                memory = [[0] * 8 for _ in _LANES]
                for matrix in range(count):
                    for lane in _LANES:
                        for i in (0, 1):
                            r, c = lane // 4, 2 * (lane % 4) + i
                            r, c = (c, r) if trans else (r, c)
                            memory[_row(8 * matrix + r)][c] = rows[lane][matrix] >> 16 * i & 0xFFFF
                return [tuple(row[2 * i] | row[2 * i + 1] << 16 for i in range(4)) for row in memory]

            yield Form(name, body, ("i32",) * 4, ("b32",) * 4, "sm_90", domain="warp", together=32, expected=stored)


def _moved(rows: list[tuple]) -> list[tuple]:
    def element(r: int, c: int) -> int:
        return rows[4 * r + c // 2][0] >> 16 * (c % 2) & 0xFFFF

    return [(element(2 * (n % 4), n // 4) | element(2 * (n % 4) + 1, n // 4) << 16,) for n in _LANES]


def forms() -> Iterator[Form]:
    yield from _products()
    yield from _loads()
    yield from _stores()
    name = "movmatrix.sync.aligned.m8n8.trans.b16"
    yield Form(name, f"{name} %d, %a;", ("i32",), ("b32",), domain="warp", together=32, expected=_moved)
