# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""fills_test.py TENSORS: every fill of every dtype, bit by bit, and conversions from fp64 with it.

A problem is written whose inputs are of every dtype, and of every layout, with a workload for each fill and size; what
the judge draws is computed again from Philox's definition, and rounded by rounding.py. TENSORS: see tensors_main.cpp.
"""

import math
import pathlib
import sys
import tempfile

import numpy

import memory
import philox
import references_test
import rounding

SEED = 0x5EED  # of tensors_main.cpp
FLOATS = [name for name in memory.DTYPES if name[0] in "fbe" and name != "bool"]
WHOLE = [name for name in memory.DTYPES if name not in FLOATS]
SIZES = (0, 1, 2, 1001)
TERMS = 6 * 43008  # f16: 1024 midpoints of 42 powers of two

# Name, dtype, what the shape and the layout add.
TENSORS = [(name, name, ", shape: [n, 2]" if name == "e2m1" else ", shape: [n]") for name in memory.DTYPES] + [
    ("turned", "f16", ", shape: [n, 3], strides: [1, n + 7]"),
    ("halves", "e2m1", ", shape: [n, 6], strides: [8, 1]"),
    ("tiles", "e4m3", ", shape: [n, 5], layout: scales_128x4"),
    ("powers", "e8m0", ", shape: [2, 3, n], layout: scales_128x4"),
]


def word_of(dtype, kind, *numbers):
    if kind == "value":
        return f'{{ index: [t], value: "{term(dtype)[0]}" }}'
    if not numbers:
        return kind
    names = {"normal": ("mean", "stddev"), "uniform": ("low", "high"), "integers": ("low", "high")}
    names = names.get(kind, ("first", "step"))
    return f"{{ {kind}: {{ " + ", ".join(f"{k}: {v!r}" for k, v in zip(names, numbers)) + " } }"


def fills(dtype):
    """Of a dtype: kind and numbers, of which some saturate and some lie on ties."""
    if dtype in FLOATS:
        largest = float(rounding.numbers(dtype)[-1]) if dtype not in ("f64", "f32") else 1e30
        overflowing = dtype in ("f16", "bf16")  # others of a few bits saturate
        signed = dtype != "e8m0"
        yield from [("normal", 0.3, 1.7), ("normal", -1.0, 0.0)] if signed else [("normal", 40.0, 10.0)]
        yield from [("normal", 0.0, largest / (4 if overflowing else 2)), ("normal", 0.0, 1e-7)] if signed else []
        yield from [("uniform", 0.5, 1.0), ("uniform", 2.0, 2.0)]
        yield ("uniform", -3.1, 2.9) if signed else ("uniform", 1.5, 6.1)
        whole = 2 if not signed else 4 if dtype == "e2m1" else 6  # to which the dtype holds all integers
        yield from [("integers", -whole if signed else 1, whole), ("integers", whole, whole)]
        yield "sequence", 0.25 if not signed else -0.5, 0.00390625
    else:
        limits = rounding.INTEGERS.get(dtype)
        low, high = (int(limits.min), int(limits.max)) if limits else (0, 1)
        low, high = max(low, 1 - 2**53), min(high, 2**53 - 1)
        yield from [("integers", low, high), ("integers", high, high), ("integers", low, min(low + 4, high))]
        yield from [("sequence", high, 0), ("permutation",)]
        if limits:
            yield "sequence", 100, -0.0
    yield from [("ones",)] + ([("zeros",)] if dtype != "e8m0" else [])


def expected(dtype, number, count, kind, *numbers):
    """The `count` elements of tensor `number`, in row-major order."""
    wide = numpy.dtype(memory.DTYPES[dtype]).itemsize == 8
    drawn = philox.words(SEED, number, count * (2 if wide else 1))
    first, second = numbers if numbers else (0, 0)
    if kind == "normal":
        values = first + second * philox.normal(drawn, wide)
    elif kind == "uniform":
        values = rounding.nearest(dtype, first + (second - first) * philox.uniform(drawn, wide))
        values = numpy.where(values < second, values, max(first, below(dtype, second)))
    elif kind == "integers":
        values = numpy.array([first + k for k in philox.below(drawn, wide, second - first + 1)], object)
        if dtype in FLOATS:
            values = values.astype(numpy.float64)
    elif kind == "value":
        values = term(dtype)[1](numpy.arange(count))
    elif kind == "sequence":
        values = first + second * numpy.arange(count)
    else:
        values = numpy.full(count, 1.0 if kind == "ones" else 0.0)
    return rounding.nearest(dtype, values)


def term(dtype):
    """A fill by value, and what it computes: of a floating dtype every midpoint between two numbers, and what is just
    above and below, of both signs, from far below its smallest number to far above its largest; of a whole one what is
    beside whole numbers of all sizes."""
    if dtype in WHOLE:
        text = "ldexp(t - {m}.0, t % 90 - 20)"
        return text.format(m=TERMS // 2), lambda t: numpy.ldexp(t - TERMS / 2, t % 90 - 20)
    digits = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7, "e4m3": 3, "e5m2": 2, "e8m0": 0}
    count = 2 ** digits[dtype.removesuffix("_fnuz")]
    lowest = {"f64": -60, "f32": -180, "f16": -40, "bf16": -145, "e8m0": -140}.get(dtype, -40)
    stride = 7919 if count > 1024 else 1  # f32 has too many: some of them
    sign = "" if dtype == "e8m0" else "(t / 3 % 2 == 0 ? 1 : -1) * "
    text = sign + f"ldexp({count}.5 + t / 6 * {stride} % {count} + (t % 3 - 1) * ldexp(1.0, -20), "
    text += f"t / 6 % 290 + {lowest})" if stride > 1 else f"t / 6 / {count} + {lowest})"

    def compute(t):
        exponent = t // 6 % 290 if stride > 1 else t // 6 // count
        with numpy.errstate(over="ignore"):
            x = numpy.ldexp(count + 0.5 + t // 6 * stride % count + (t % 3 - 1) * 2.0**-20, exponent + lowest)
        return x if dtype == "e8m0" else numpy.where(t // 3 % 2 == 0, 1, -1) * x

    return text, compute


def below(dtype, x):
    """The largest number of a floating dtype below x > 0."""
    if dtype in ("f64", "f32"):
        kind = memory.DTYPES[dtype]
        return float(kind(x)) if kind(x) < x else float(numpy.nextafter(kind(x), kind(-numpy.inf)))
    finite = rounding.numbers(dtype)
    return float(finite[finite < x][-1])


def problem():
    lists = {name: list(fills(dtype)) for name, dtype, _ in TENSORS}
    for name, *_ in TENSORS[len(memory.DTYPES) :]:  # not of the packed, the strided and the tiled
        lists[name] = [fill for fill in lists[name] if fill != ("permutation",)]
    workloads = []
    for k in range(max(map(len, lists.values()))):
        chosen = {name: all_of_them[k % len(all_of_them)] for name, all_of_them in lists.items()}
        for n in SIZES:
            if n > 100:  # sequences and permutations end where the dtype does
                short = {name: fill for name, fill in chosen.items() if fill[0] in ("sequence", "permutation")}
                few = {name for name in short if "8" in name or name in ("e2m1", "halves", "bool")}
                chosen = {**chosen, **{name: ("ones",) for name in few}}
            workloads.append((n, f"fill{k}_n{n}", chosen))
    chosen = {dtype: ("value",) for dtype in memory.DTYPES if dtype != "e2m1"}  # not of the packed
    workloads.append((TERMS, "conversions", chosen))
    dtypes = {name: dtype for name, dtype, _ in TENSORS}
    text = "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
    for name, dtype, rest in TENSORS:
        text += f"  in_{name}: {{ role: input, dtype: {dtype}{rest}, fill: ones }}\n"
    text += "  y: { role: output, dtype: i32, shape: [] }\nreference: { y: { index: [], value: 1 } }\n"
    text += "workloads:\n  test:\n"
    for n, name, chosen in workloads:
        words = ", ".join(f"in_{t}: {word_of(dtypes[t], *f)}" for t, f in chosen.items())
        text += f"    - {{ n: {n}, name: {name}, fill: {{ {words} }} }}\n"
    return text, {name: chosen for _, name, chosen in workloads}


def main(tensors):
    rounding.check()
    text, chosen = problem()
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "fills" / "problem.yaml"
        file.parent.mkdir()
        file.write_text(text)
        judge = references_test.Judge(tensors, file, folder)
        while told := judge.hears():
            for number, (name, dtype, _) in enumerate(TENSORS):
                if name not in chosen[told["workload"]]:
                    continue
                tensor = told["tensors"][number]
                found = memory.read(tensor, judge.bytes_of(f"in_{name}.input")).ravel()
                fill = chosen[told["workload"]][name]
                if fill == ("permutation",):
                    found, right = numpy.sort(found), numpy.arange(found.size)
                else:
                    right = expected(dtype, number, math.prod(tensor["extents"]), *fill)
                signs = [numpy.signbit(x.astype(numpy.float64)) for x in (found, right)]
                same = (found == right) & (signs[0] == signs[1])
                if found.shape != right.shape or not same.all():
                    at = numpy.flatnonzero(~same)[0]
                    place = f"{told['workload']}: {name} by {fill}: element {at}"
                    sys.exit(f"{place} is {found[at]!r}, expected {right[at]!r}")
                compared += found.size
            judge.says("next")
        if judge.ends() != 0 or compared < 4_000_000:
            sys.exit(f"ended after {compared} elements")
    print(f"{compared} elements of {len(chosen)} workloads are those of NumPy")


if __name__ == "__main__":
    main(*sys.argv[1:])
