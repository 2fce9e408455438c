# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Products with a sparse A: PTX ISA 9.7.14.6 (mma.sp), 9.7.15 (wgmma.mma_async.sp). Not those of mma.sp with fp8, of which ptxas 13.0
makes code for sm_90a that leaves half of B unread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from . import wgmma
from .form import Form
from .matrices import KINDS
from .products import BITS, Shape, accumulated, values
from .sparsity import pattern, stored_places

_SIGNS = (("s", "s"), ("s", "u"), ("u", "s"), ("u", "u"))


def of_sparse_warp(shape: Shape, selector: int):
    """As products.of_warp: A's fragments are those of a matrix with half the columns. The metadata is the last register."""
    each, half = 32 // BITS[shape.a], replace(shape, k=shape.k // 2)
    _, count_a, _, count_c = half.registers()
    count_b = shape.registers()[2]

    def expected(rows: list[tuple]) -> list[tuple]:
        words = [row[-1] for row in rows]
        left = [[0] * half.k for _ in range(16)]
        right = [[0] * shape.k for _ in range(8)]
        for lane, row in enumerate(rows):
            for r in range(count_a):
                for e, x in enumerate(values(row[r], shape.a)):
                    left[lane // 4 + 8 * (r % 2)][r // 2 * 4 * each + lane % 4 * each + e] = x
            for r in range(count_b):
                for e, x in enumerate(values(row[count_a + r], shape.b)):
                    right[lane // 4][r * 4 * each + lane % 4 * each + e] = x
        met = [stored_places(words, shape.a, shape.k, selector, r) for r in range(16)]
        answers = []
        for lane, row in enumerate(rows):
            before = [x for register in row[count_a + count_b : count_a + count_b + count_c] for x in values(register, shape.d)]
            answer = []
            for i, c in enumerate(before):
                r, n = lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2
                answer.append(accumulated(left[r], [right[n][k] for k in met[r]], c, half))
            answers.append(tuple(answer))
        return answers

    return expected


def product(k: int, d: str, a: str, b: str, selector: int, satfinite: str = "", order: str = "::ordered_metadata", target: str = "sm_80",
            kind: str = "") -> Form:  # fmt: skip
    shape = Shape(16, 8, k, d, a, b, bool(satfinite))
    counts = (replace(shape, k=k // 2).registers()[1], shape.registers()[2], shape.registers()[3])
    names, at = [], 0
    for count in counts:
        names.append("{" + ", ".join(f"%a{at + i}" for i in range(count)) + "}")
        at += count
    kinds = (KINDS[a],) * counts[0] + (KINDS[b],) * counts[1] + (KINDS[d],) * counts[2] + (pattern(a),)
    sparse = f"mma.sp{order}.sync.aligned" if not kind else f"mma.sync.aligned.kind::{kind}.sp{order}"
    name = f"{sparse}.m16n8k{k}.row.col{satfinite}.{d}.{a}.{b}.{d}"
    count = counts[2]
    rest = f"{', '.join(names)}, %a{at}, {selector};"
    if d == "f16":
        body = f"{{ .reg .b32 %p<{count}>; {name} {{{', '.join(f'%p{i}' for i in range(count))}}}, {rest} "
        body += " ".join(f"mov.b32 {{%d{2 * i}, %d{2 * i + 1}}}, %p{i};" for i in range(count)) + " }"
        results = ("b16",) * (2 * count)
    else:
        body, results = f"{name} {{{', '.join(f'%d{i}' for i in range(count))}}}, {rest}", ("b32",) * count
    return Form(name, body, kinds, results, target, f"selector {selector}", "matrix", of_sparse_warp(shape, selector), 32, strict=True)


def unordered_forms() -> Iterator[Form]:
    """mma.sp, whose metadata need not be in order, of what forms() does not ask: every type and shape but fp8's, each selector."""
    for d, t, shapes in (("f32", "f16", ((16, 4), (32, 2))), ("f16", "f16", ((16, 4), (32, 2))), ("f32", "bf16", ((16, 4), (32, 2))),
                         ("f32", "tf32", ((8, 4), (16, 2)))):  # fmt: skip
        for k, selectors in shapes:
            for selector in range(selectors):
                if (k, d, t, selector) != (32, "f32", "f16", 1):
                    yield product(k, d, t, t, selector, order="")
    for width, k in ((8, 32), (4, 64)):
        for number, (a, b) in enumerate(_SIGNS):
            for selector in range(2):
                yield product(k, "s32", f"{a}{width}", f"{b}{width}", selector, ("", ".satfinite")[(number + selector) % 2], order="")
            for satfinite in ("", ".satfinite"):
                if (width, a, b, satfinite) != (8, "s", "s", ""):
                    yield product(2 * k, "s32", f"{a}{width}", f"{b}{width}", 0, satfinite, order="")


def forms() -> Iterator[Form]:
    for d, t in (("f32", "f16"), ("f16", "f16"), ("f32", "bf16")):
        for selector in range(4):
            yield product(16, d, t, t, selector)
        for selector in range(2):
            yield product(32, d, t, t, selector)
    for selector in range(4):
        yield product(8, "f32", "tf32", "tf32", selector)
    for selector in range(2):
        yield product(16, "f32", "tf32", "tf32", selector)
    for width, k in ((8, 32), (4, 64)):
        for a, b in _SIGNS:
            for satfinite in ("", ".satfinite"):
                for selector in range(2):
                    yield product(k, "s32", f"{a}{width}", f"{b}{width}", selector, satfinite)
                yield product(2 * k, "s32", f"{a}{width}", f"{b}{width}", 0, satfinite)
    yield product(32, "f32", "f16", "f16", 1, order="")
    yield product(64, "s32", "s8", "s8", 0, order="")
    yield from wgmma.sparse_forms()
