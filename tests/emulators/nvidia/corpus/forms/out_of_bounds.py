# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""fma.oob of f16, bf16 and pairs (PTX ISA 9.7.4.4): +0 where a factor is the NaN that tensor copies fill with, of either sign. That
c does not count, that the sign does not matter, and that it is the same NaN for f16 and bf16 is an H200's answer."""

from __future__ import annotations

from collections.abc import Iterator

from ieee import BF16, F16, OUTSIDE, Format

from .exact import arithmetic, modified, paired
from .floats import suffixed
from .form import Answer, Form, plain
from .operands import EVERY_NAN, NO_NAN, OUT_OF_BOUNDS, ZEROS


def _expected(f: Format, relu: bool):
    inside = modified(arithmetic("fma", f, "rn"), f, relu=relu)

    def expected(a: int, b: int, c: int) -> Answer:
        return 0 if OUTSIDE in (a & ~f.sign, b & ~f.sign) else inside(a, b, c)

    return expected


def forms() -> Iterator[Form]:
    for t, f in (("f16", F16), ("bf16", BF16)):
        for relu in (False, True):
            name, expected = suffixed("fma.rn.oob", relu=relu), _expected(f, relu)
            yield plain(f"{name}.{t}", (OUT_OF_BOUNDS + t,) * 3, "b16", expected, "sm_90")
            yield plain(f"{name}.{t}x2", (f"{OUT_OF_BOUNDS}{t}x2",) * 3, "b32", paired(expected), "sm_90")


def every_nan_forms() -> Iterator[Form]:
    """Whether it is that NaN alone: each operand every NaN in turn; and signs of zeros."""
    for t, f in (("f16", F16), ("bf16", BF16)):
        for relu in (False, True):
            name, expected = suffixed("fma.rn.oob", relu=relu), _expected(f, relu)
            for i, operand in enumerate("abc"):
                kinds = tuple((EVERY_NAN if i == j else NO_NAN) + t + "x2" for j in range(3))
                yield plain(f"{name}.{t}x2", kinds, "b32", paired(expected), "sm_90", variant=f"every NaN as {operand}", domain="codes")
            yield plain(f"{name}.{t}", (ZEROS + t,) * 3, "b16", expected, "sm_90", variant="zeros", domain="codes")
            yield plain(f"{name}.{t}x2", (f"{ZEROS}{t}x2",) * 3, "b32", paired(expected), "sm_90", variant="zeros", domain="codes")
