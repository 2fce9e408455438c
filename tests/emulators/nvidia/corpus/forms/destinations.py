# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of boxes.py, stores.py and bulk.py to shared::cta, which a later PTX ISA has; mode im2col to several blocks, and reductions in
it; and prefetches, behind which a copy brings the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from im2col_test import CONVOLUTIONS
from tensors import Tensor

from . import boxes, bulk
from .form import Form
from .stores import LARGEST, columns

_TENSORS = (
    (Tensor("u16", [1000], [64]), [64]), (Tensor("u16", [200, 40], [32, 12], 2), [-8, 35]), (Tensor("f32", [24, 9, 7], [8, 5, 3], 1), [16, -2, 5]),
    (Tensor("u8", [80, 5, 4, 6], [64, 3, 2, 2]), [48, 3, 2, 4]), (Tensor("bf16", [40, 4, 3, 3, 4], [32, 2, 3, 1, 2], 3), [8, 0, 1, 1, 1]),
)  # fmt: skip
_CLUSTER, _OWN = ".shared::cluster.", ".shared::cta."


def _to_own(form: Form) -> Form:
    return replace(form, name=form.name.replace(_CLUSTER, _OWN), body=form.body.replace(form.name, form.name.replace(_CLUSTER, _OWN)))


def _prefetched(form: Form, name: str, mbarrier: bool = True) -> Form:
    """`name`: the prefetch, of the operands that the copy reads."""
    line = next(line for line in form.body.split("\n") if form.name in line)
    source = "[" + line.partition(", [")[2].replace(", [%bar]", "")
    return replace(form, name=f"{name}, {form.name}", body=form.body.replace(line, f"@!%p {name} {source}\n{line}"))


def _convolved() -> Iterator[tuple]:
    for c in CONVOLUTIONS:
        taps = [f - 1 for f in c.filter]
        yield c, len(c.outputs()) // 3, 0, tuple(taps)


def forms() -> Iterator[Form]:
    for tensor, at in _TENSORS:
        form = boxes.load(tensor, at)
        yield _to_own(form)
        yield _prefetched(form, f"cp.async.bulk.prefetch.tensor.{len(at)}d.L2.global.tile")
    for c, *where in _convolved():
        form = boxes.columns(c, *where)
        yield _to_own(form)
        yield _prefetched(form, f"cp.async.bulk.prefetch.tensor.{c.rank}d.L2.global.im2col")
    for size, to, source in ((16, 2032, 48), (512, 128, 16), (2048, 0, 2048)):
        yield bulk.load(size, to, source, "shared::cta")
        form = bulk.load(size, to, source)
        yield _prefetched(form, "cp.async.bulk.prefetch.L2.global")
    form = bulk.store(1024, 64, 256)
    yield replace(form, name=f"fence.proxy.async, {form.name}, cp.async.bulk.commit_group, cp.async.bulk.wait_group")


def to_several_forms() -> Iterator[Form]:
    """Mode im2col to the blocks of a cluster."""
    for blocks, mask in ((2, 0b11), (2, 0b10), (4, 0b1011)):
        for c, *where in _convolved():
            yield boxes.columns(c, *where, blocks, mask)


def reduction_forms() -> Iterator[Form]:
    """Mode im2col, of tensors without padding: one with a corner below zero is refused."""
    for c in CONVOLUTIONS:
        plain = replace(c, padding=(0,) * len(c.sizes), nan=False)
        if c.tensor.bytes <= LARGEST and c.type != "u8":
            yield columns(plain, "add", c.type)
            if c.type != "f32":
                yield columns(plain, "max", c.type)
    plain = replace(CONVOLUTIONS[1], type="u32", padding=(0, 0), nan=False)
    for operation, t in (("add", "u32"), ("min", "u32"), ("inc", "u32"), ("and", "b32"), ("xor", "b32")):
        yield columns(plain, operation, t)
