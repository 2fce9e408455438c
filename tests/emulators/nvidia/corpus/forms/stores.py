# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""TMA: boxes of shared memory that go to tensors, and reductions there: PTX ISA 9.7.9.27 (cp.async.bulk.tensor,
cp.reduce.async.bulk.tensor). What other reductions make is here too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from exact_results import signed
from ieee import BF16, F16, F32, F64, Format
from im2col_test import CONVOLUTIONS
from tensors import Tensor

from .boxes import described, inner, rounded, span
from .exact import arithmetic, minimum, modified
from .form import Form
from .memories import COMMITTED, LANES, ROW, expecting, placed, scoped
from .operands import SPECIAL

_FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
_KINDS = {"f16": "f16x2", "bf16": "bf16x2", "f32": "f32", "f64": "f64"}
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "u32": 4, "s32": 4, "b32": 4, "u64": 8, "s64": 8, "b64": 8}
# Of each operation, its types in global memory.
REDUCTIONS = {
    "add": ("u32", "s32", "u64", "f16", "bf16", "f32", "f64"), "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "max": ("u32", "s32", "u64", "s64", "f16", "bf16"), "inc": ("u32",), "dec": ("u32",), "and": ("b32", "b64"), "or": ("b32", "b64"),
    "xor": ("b32", "b64"),
}  # fmt: skip


def _subnormal(code: int, f: Format) -> bool:
    return 0 < code & (f.sign - 1) < 1 << f.mantissa


def reduced(operation: str, t: str) -> Callable[[int, int], int | None]:
    """What memory's element and another make. Which NaN comes of one, and what becomes of f32's subnormals, a device says."""
    width = 8 * SIZES[t]
    if t in _FORMATS:
        f = _FORMATS[t]
        exact = modified(arithmetic("add", f, "rn"), f) if operation == "add" else minimum(operation, f, False, False)

        def of_floats(a: int, b: int) -> int | None:
            if any(x & (f.sign - 1) > f.largest + 1 for x in (a, b)):
                return None
            found = exact(a, b)
            if not isinstance(found, int) or (t == "f32" and any(_subnormal(x, f) for x in (a, b, found))):
                return None
            return None if operation != "add" and not (a | b) & (f.sign - 1) else found  # zeros of either sign

        return of_floats

    def order(x: int) -> int:
        return signed(x, width) if t[0] == "s" else x

    return {"add": lambda a, b: a + b & (1 << width) - 1, "min": lambda a, b: min(a, b, key=order), "max": lambda a, b: max(a, b, key=order),
            "inc": lambda a, b: 0 if a >= b else a + 1, "dec": lambda a, b: b if a == 0 or a > b else a - 1, "and": lambda a, b: a & b,
            "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}[operation]  # fmt: skip


def element(old: bytes, new: bytes, function: Callable[[int, int], int | None] | None) -> Sequence[int | None]:
    if function is None:
        return new
    found = function(int.from_bytes(old, "little"), int.from_bytes(new, "little"))
    return [None] * len(old) if found is None else found.to_bytes(len(old), "little")


def kinds_of(t: str, size: int, specials: bool = False) -> tuple[str, ...]:
    """Columns of `size` bytes; floats that are near each other, and special ones, or many of these."""
    kind = _KINDS.get(t, "i32")
    return (SPECIAL * (specials and t in _KINDS) + kind,) * (size // (2 * ROW if kind == "f64" else ROW))


def _gone(places: list[tuple[int, int | None]], results: int, size: int, function):
    """The tensor's bytes behind it, of those before it and the box's."""

    def result(memory: bytes) -> list[int | None]:
        tensor: list[int | None] = list(memory[:results])
        box = memory[results:]
        for place, target in places:
            if target is not None:
                tensor[target : target + size] = element(memory[target : target + size], box[place : place + size], function)
        return tensor

    return result


def _store(tensor: Tensor, at: list[int], operation: str = "", t: str = "", converted: bool = False, specials: bool = False) -> Form:
    rank, size, results = len(tensor.box), rounded(span(tensor)), rounded(tensor.bytes)
    name = f"cp.{'reduce.' if operation else ''}async.bulk.tensor.{rank}d.global.shared::cta.{operation + '.' if operation else ''}tile.bulk_group"
    text = f"{placed(results, size)}@!%p {name} [%map, {{{', '.join(map(str, at))}}}], [%box];\n{COMMITTED}"
    kinds = kinds_of(t, results + size, specials)
    return Form(name, scoped(text), kinds, ("b32",) * (results // ROW), "sm_90", described(tensor, at), "memory",
                None if converted else expecting(kinds, _gone(tensor.places(at), results, tensor.size, reduced(operation, t) if operation else None)),
                LANES, True, 1, size, tensor, True)  # fmt: skip


# Tensors that take rows of 32 bytes or more, and where a box begins: inside, where a part of it or all lies behind an end. A store
# takes no coordinate below zero.
_TENSORS = {
    1: ([1000], [[64], [1000], [976]]),
    2: ([64, 16], [[0, 3], [48, 13], [40, 10]]),
    3: ([40, 6, 4], [[8, 1, 1], [16, 6, 2], [24, 4, 2]]),
    4: ([24, 4, 3, 3], [[0, 1, 1, 1], [8, 3, 0, 2], [16, 2, 2, 1]]),
    5: ([16, 4, 3, 2, 3], [[0, 0, 1, 0, 1], [8, 3, 2, 0, 2], [8, 2, 1, 1, 2]]),
}
_BOXES = {1: [], 2: [8], 3: [4, 3], 4: [3, 2, 2], 5: [2, 3, 1, 2]}
_TYPES_OF_MAPS = {"b32": "u32", "b64": "u64"}


def forms() -> Iterator[Form]:
    for rank, (extents, places) in _TENSORS.items():
        for swizzle in range(4):
            for at in places:
                yield _store(Tensor("u16", extents, [inner(swizzle, 2), *_BOXES[rank]], swizzle), at)
    for t, swizzle in (("u8", 3), ("u16", 0), ("u32", 2), ("s32", 1), ("u64", 3), ("s64", 0), ("f16", 2), ("f32", 1), ("f64", 3), ("bf16", 0)):
        size = Tensor(t, [16], [16]).size
        yield _store(Tensor(t, [256 // size, 16], [inner(swizzle, size), 8], swizzle), [192 // size, 10], t="" if t in _FORMATS else t)
    for swizzle, narrow in ((1, 8), (2, 8), (3, 16), (3, 48)):  # rows that are narrower than the swizzle's span
        yield _store(Tensor("u16", [64, 16], [narrow, 8], swizzle), [8, 3])
    for c in CONVOLUTIONS:
        if c.tensor.bytes <= LARGEST:
            yield columns(replace(c, padding=(0,) * len(c.sizes), nan=False))


LARGEST = 8192  # bytes of a tensor that columns go to


def columns(c, operation: str = "", t: str = "u32") -> Form:
    """A store has no offsets: it is what the filter's first tap meets. It takes no corner below zero, so no padding."""
    size, results, tap = rounded(c.pixels * c.moved * c.tensor.size), rounded(c.tensor.bytes), (0,) * len(c.sizes)
    name = f"cp.{'reduce.' if operation else ''}async.bulk.tensor.{c.rank}d.global.shared::cta.{operation + '.' if operation else ''}im2col_no_offs.bulk_group"
    at = c.start(4, 0)
    text = f"{placed(results, size)}@!%p {name} [%map, {{{', '.join(map(str, at))}}}], [%box];\n{COMMITTED}"
    kinds = kinds_of(t, results + size)
    function = reduced(operation, t) if operation else None
    return Form(name, scoped(text), kinds, ("b32",) * (results // ROW), "sm_90", f"{c.type} {c.channels} channels, {'x'.join(map(str, c.sizes))}",
                "memory", expecting(kinds, _gone(c.places(4, 0, tap), results, c.tensor.size, function)), LANES, True, 1, size, c, True)  # fmt: skip


def reduction_forms() -> Iterator[Form]:
    """Each operation with each type, in two and three dimensions, beyond an end."""
    swizzle = 0
    for operation, types in REDUCTIONS.items():
        for t in types:
            if t == "f64":
                continue
            size, of = SIZES[t], _TYPES_OF_MAPS.get(t, t)
            swizzle = (swizzle + 1) % 4
            yield _store(Tensor(of, [256 // size, 16], [inner(swizzle, size), 8], swizzle), [192 // size, 12], operation, t, specials=True)
            yield _store(Tensor(of, [64 // size, 8, 4], [32 // size, 6, 4], 1), [32 // size, 4, 1], operation, t, specials=True)


def converted_forms() -> Iterator[Form]:
    """Of types whose elements the ISA does not say the fate of, and a sum of f64, which it does not say that there is."""
    for t in ("f32.ftz", "tf32", "tf32.ftz"):
        tensor = Tensor(t, [64, 16], [32, 8], 3)
        yield _store(tensor, [16, 3], t="f32", converted=True)
        if t == "f32.ftz":
            yield _store(tensor, [16, 3], "add", "f32", converted=True)
    yield _store(Tensor("f64", [32, 16], [16, 8], 3), [24, 12], "add", "f64")
