# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""fma.oob of f16, bf16 and pairs (PTX ISA 9.7.4.4): zero where an operand is the NaN that tensor copies fill with."""

from __future__ import annotations

from collections.abc import Iterator

from ieee import BF16, F16, Format

from .exact import arithmetic, modified, paired
from .floats import suffixed
from .form import Answer, Form, plain
from .operands import OUT_OF_BOUNDS, OUTSIDE


def _expected(f: Format, relu: bool):
    inside = modified(arithmetic("fma", f, "rn"), f, relu=relu)

    def expected(*codes: int) -> Answer:
        return 0 if OUTSIDE in codes else inside(*codes)

    return expected


def forms() -> Iterator[Form]:
    for t, f in (("f16", F16), ("bf16", BF16)):
        for relu in (False, True):
            name, expected = suffixed("fma.rn.oob", relu=relu), _expected(f, relu)
            yield plain(f"{name}.{t}", (OUT_OF_BOUNDS + t,) * 3, "b16", expected, "sm_90")
            yield plain(f"{name}.{t}x2", (f"{OUT_OF_BOUNDS}{t}x2",) * 3, "b32", paired(expected), "sm_90")
