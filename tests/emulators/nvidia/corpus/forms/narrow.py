# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of f16 and bf16 and their pairs: PTX ISA 9.7.4."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ieee import BF16, F16

from .exact import approximate, arithmetic, flushed, is_nan, minimum, modified, paired
from .floats import power, relative, suffixed
from .form import Answer, Form, plain

_TYPES = (("f16", F16), ("bf16", BF16))


def _both(name: str, t: str, count: int, expected, target: str) -> Iterator[Form]:
    """The form of one number, and that of a pair."""
    yield plain(f"{name}.{t}", (t,) * count, "b16", expected, target)
    yield plain(f"{name}.{t}x2", (f"{t}x2",) * count, "b32", paired(expected), target)


def _arithmetic() -> Iterator[Form]:
    for operation in ("add", "sub", "mul"):
        of = arithmetic(operation, F16, "rn")
        for ftz in (False, True):
            for sat in (False, True):
                yield from _both(suffixed(f"{operation}.rn", ftz=ftz, sat=sat), "f16", 2, modified(of, F16, ftz=ftz, sat=sat), "sm_80")
        yield from _both(f"{operation}.rn", "bf16", 2, modified(arithmetic(operation, BF16, "rn"), BF16), "sm_90")
    of = arithmetic("fma", F16, "rn")
    for ftz in (False, True):
        for sat, relu in ((False, False), (True, False), (False, True)):
            name = suffixed("fma.rn", ftz=ftz, sat=sat, relu=relu)
            yield from _both(name, "f16", 3, modified(of, F16, ftz=ftz, sat=sat, relu=relu), "sm_80")
    of = arithmetic("fma", BF16, "rn")
    for relu in (False, True):
        yield from _both(suffixed("fma.rn", relu=relu), "bf16", 3, modified(of, BF16, relu=relu), "sm_80")


def _signs() -> Iterator[Form]:
    for t, f in _TYPES:
        for ftz in (False, True) if t == "f16" else (False,):
            for operation in ("abs", "neg"):
                def signs(a: int, f=f, ftz=ftz, negate=operation == "neg") -> Answer:
                    if is_nan(a, f):
                        return None
                    a = flushed(a, f) if ftz else a
                    return a ^ f.sign if negate else a & (f.sign - 1)

                yield from _both(suffixed(operation, ftz=ftz), t, 1, signs, "sm_80")
            for operation in ("min", "max"):
                for nan in (False, True):
                    for xorsign in (False, True):
                        name = suffixed(operation, ftz=ftz, NaN=nan) + (".xorsign.abs" if xorsign else "")
                        expected = modified(minimum(operation, f, nan, xorsign), f, ftz=ftz)
                        yield from _both(name, t, 2, expected, "sm_86" if xorsign else "sm_80")


def _approximate() -> Iterator[Form]:
    """Errors: ex2 2^-9.9 and 2^-7 of the result, tanh 2^-10.987 and 2^-8 (9.7.4.9, 9.7.4.10)."""
    for name, t, f, function, error, target in (
        ("ex2.approx", "f16", F16, power, relative(-9.9), "sm_80"), ("ex2.approx.ftz", "bf16", BF16, power, relative(-7), "sm_90"),
        ("tanh.approx", "f16", F16, math.tanh, lambda x, y: 2**-10.987, "sm_80"),
        ("tanh.approx", "bf16", BF16, math.tanh, lambda x, y: 2**-8, "sm_90"),
    ):  # fmt: skip
        one = approximate(function, f, error, t == "bf16" and "ftz" in name)
        yield plain(f"{name}.{t}", (t,), "b16", one, target)
        yield Form(f"{name}.{t}x2", f"{{ .reg .b32 %p; {name}.{t}x2 %p, %a; mov.b32 {{%d0, %d1}}, %p; }}", (f"{t}x2",),
                   ("b16", "b16"), target, expected=lambda a, one=one: (one(a & 0xFFFF), one(a >> 16)))  # fmt: skip


def forms() -> Iterator[Form]:
    yield from _arithmetic()
    yield from _signs()
    yield from _approximate()
