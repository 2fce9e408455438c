# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""TMA: boxes of tensors to shared memory: PTX ISA 5.5 (tensors), 9.7.9.27 (cp.async.bulk.tensor). What comes is a permutation of the
tensor's bytes, with zeros outside of it; where a tensor map asks for NaNs there, or for another type, a device says what comes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from im2col_test import CONVOLUTIONS, OFFSETS, Convolution
from tensors import SPANS, Tensor

from .form import Form
from .memories import LANES, ROW, UNTOUCHED, WAIT, begun, expecting, read_back, scoped, sync

OPERANDS = ("i32",) * 40  # 20 KiB, the tensor
_TIES = ("ties",) * 40
_CONVERTED = ("f32.ftz", "tf32", "tf32.ftz")
# A tensor of each number of dimensions, of elements of 16 bits, and where boxes of it begin: inside, at its begin, at its end.
_PLACES = {
    1: ([1000], [[64], [-24], [976]]),
    2: ([200, 40], [[72, 3], [-8, -5], [184, 30]]),
    3: ([72, 9, 7], [[8, 2, 1], [-8, -1, 3], [56, 6, 5]]),
    4: ([40, 5, 4, 6], [[0, 1, 1, 2], [-8, -1, -1, -1], [24, 3, 2, 4]]),
    5: ([40, 4, 3, 3, 4], [[8, 0, 1, 1, 1], [-16, -1, -1, -1, -1], [24, 2, 1, 1, 2]]),
}
_BOXES = {1: [], 2: [12], 3: [4, 3], 4: [3, 2, 2], 5: [2, 3, 1, 2]}  # dimensions behind the first


def moved(tensor: Tensor) -> int:
    """Bytes that count at an mbarrier."""
    total = tensor.size
    for count in tensor.counts():
        total *= count
    return total


def span(tensor: Tensor) -> int:
    """Bytes that a box takes, with what a row leaves of its swizzle's span."""
    return moved(tensor) // (tensor.box[0] * tensor.size) * max(tensor.box[0] * tensor.size, SPANS[tensor.swizzle])


def rounded(size: int, blocks: int = 1) -> int:
    step = ROW // blocks
    return -(-size // step) * step


def described(tensor: Tensor, at: list[int]) -> str:
    parts = [tensor.type, f"{'x'.join(map(str, tensor.extents))}", f"box {'x'.join(map(str, tensor.box))}", f"at {','.join(map(str, at))}"]
    parts += [f"swizzle {SPANS[tensor.swizzle]}"] if tensor.swizzle else []
    parts += [f"steps {','.join(map(str, tensor.steps))}"] if tensor.steps else []
    return " ".join(parts + (["NaN outside"] if tensor.nan else []))


def came_of(places: list[tuple[int, int | None]], size: int, of: Tensor, nan: bool, plain: bool):
    """A box's bytes, of the operands'."""

    def result(memory: bytes) -> list[int | None]:
        box: list[int | None] = [UNTOUCHED] * size
        for place, source in places:
            known = memory[source : source + of.size] if source is not None else bytes(of.size)
            box[place : place + of.size] = known if (not nan if source is None else plain) else [None] * of.size
        return box

    return result


def _in_blocks(came, size: int, blocks: int, mask: int):
    """Boxes of all blocks; one that the mask does not name has what it had."""

    def result(memory: bytes) -> list[int | None]:
        box = came(memory)
        return [byte for block in range(blocks) for byte in (box if not mask or mask >> block & 1 else [UNTOUCHED] * size)]

    return result


def _asked_by_last(register: str, blocks: int, mask: int) -> str:
    """The last block asks, for all that the mask names."""
    return f"setp.ne.u32 %q, %rank, {blocks - 1}; or.pred %p, %p, %q; mov.b16 {register}, {mask};\n" if mask else ""


def _waited(blocks: int, mask: int) -> str:
    """A block that gets nothing waits for nothing."""
    if not mask or mask == (1 << blocks) - 1:
        return WAIT
    return f"mov.u32 %v, {mask}; shr.u32 %v, %v, %rank; and.b32 %v, %v, 1; setp.eq.u32 %q, %v, 0; @%q bra GONE;\n{WAIT}GONE:\n"


def load(tensor: Tensor, at: list[int], blocks: int = 1, mask: int = 0, hint: bool = False, kinds: tuple[str, ...] = OPERANDS) -> Form:
    size = rounded(span(tensor), blocks)
    rank = len(tensor.box)
    name = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    name += (".multicast::cluster" if mask else "") + (".L2::cache_hint" if hint else "")
    came = came_of(tensor.places(at), size, tensor, tensor.nan, tensor.type not in _CONVERTED)
    text = begun(size, moved(tensor), blocks)
    text += _asked_by_last("%h", blocks, mask)
    text += f"@!%p {name} [%box], [%map, {{{', '.join(map(str, at))}}}], [%bar]{', %h' if mask else ''}{', %g' if hint else ''};\n"
    text = text.replace("@!%p cp", "createpolicy.fractional.L2::evict_first.b64 %g, 1.0;\n@!%p cp", 1) if hint else text
    text += _waited(blocks, mask) + read_back(size, blocks) + (sync(blocks) + "\n" if blocks > 1 else "")
    variant = described(tensor, at) + (", ties" if kinds is _TIES else "") + (f", mask {mask:#x} of {blocks} blocks" if mask else "")
    return Form(name, scoped(text), kinds, ("b32",) * (size // ROW * blocks), "sm_90", variant, "memory",
                expecting(kinds, _in_blocks(came, size, blocks, mask), blocks), LANES, True, blocks, size, tensor)  # fmt: skip


def inner(swizzle: int, size: int) -> int:
    """Elements of a row: the swizzle's span."""
    return (SPANS[swizzle] or 64) // size


def _boxes() -> Iterator[Form]:
    """Every number of dimensions with every swizzle, inside of the tensor and beyond both its ends."""
    for rank, (extents, places) in _PLACES.items():
        for swizzle in SPANS:
            for at in places:
                yield load(Tensor("u16", extents, [inner(swizzle, 2), *_BOXES[rank]], swizzle), at)


def _types() -> Iterator[Form]:
    for t, swizzle in zip(("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16"), itertools.cycle((3, 0, 2, 1))):
        size = Tensor(t, [16], [16]).size
        yield load(Tensor(t, [256 // size, 40], [inner(swizzle, size), 12], swizzle), [192 // size, 35])
        yield load(Tensor(t, [64 // size, 10, 6], [inner(swizzle, size), 5, 2], swizzle), [-16 // size, 7, 5])


def _others() -> Iterator[Form]:
    yield load(Tensor("u8", [1000], [256]), [800])
    yield load(Tensor("u8", [256, 40], [256, 3]), [16, 38])
    yield load(Tensor("u16", [64, 256], [8, 256], 1), [8, -100])
    yield load(Tensor("u16", [200, 40], [32, 12], 2), [72, 3], hint=True)
    yield load(Tensor("u32", [40, 30], [16, 8]), [44, 3])  # all of it outside
    # Rows that are narrower than the swizzle's span.
    for swizzle, inner in ((1, 8), (2, 8), (2, 16), (2, 24), (3, 8), (3, 16), (3, 32), (3, 48)):
        yield load(Tensor("bf16", [200, 40], [inner, 12], swizzle), [72, 3])
    # Every second or third element of dimensions behind the first.
    yield load(Tensor("f32", [40, 30], [16, 20], 0, steps=[1, 3]), [8, 5])
    yield load(Tensor("f16", [64, 30], [32, 24], 2, steps=[1, 2]), [40, -3])
    yield load(Tensor("u16", [32, 12, 9], [16, 7, 6], 1, steps=[1, 2, 3]), [0, 3, 5])
    yield load(Tensor("u16", [16, 6, 6, 5, 3], [8, 4, 3, 5, 2], 0, steps=[1, 2, 2, 3, 1]), [8, 1, 1, 0, 0])
    yield load(Tensor("u8", [32, 64], [32, 64], 1, steps=[1, 8]), [0, 1])
    for mask, blocks in ((0b11, 2), (0b10, 2), (0b1111, 4), (0b0101, 4)):
        yield load(Tensor("u16", [200, 40], [64, 12], 3), [72, 30], blocks, mask)
        yield load(Tensor("f32", [24, 9, 7], [8, 5, 3], 1), [16, -2, 5], blocks, mask)


def forms() -> Iterator[Form]:
    yield from _boxes()
    yield from _types()
    yield from _others()


def converted_forms() -> Iterator[Form]:
    """What is not in the ISA's words: types that change elements, and which NaN is outside of a tensor."""
    for t in _CONVERTED:
        yield load(Tensor(t, [40, 30], [32, 8], 3), [16, 3])
    for t in ("f16", "bf16", "f32", "f64", *_CONVERTED):
        size = Tensor(t, [16], [16]).size
        yield load(Tensor(t, [256 // size, 40], [64 // size, 8], 2, nan=True), [224 // size, 35])


def ties_forms() -> Iterator[Form]:
    """Those types with elements in the middle between two numbers, subnormal ones, infinities and NaNs."""
    for t in _CONVERTED:
        yield load(Tensor(t, [40, 30], [32, 8], 3), [16, 3], kinds=_TIES)


def columns(c: Convolution, output: int, channel: int, tap: tuple[int, ...], blocks: int = 1, mask: int = 0) -> Form:
    size = rounded(c.pixels * max(c.moved * c.tensor.size, SPANS[c.swizzle]), blocks)
    name = f"cp.async.bulk.tensor.{c.rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{'.multicast::cluster' if mask else ''}"
    at, offsets = ", ".join(map(str, c.start(output, channel))), OFFSETS[c.rank - 3]
    text = begun(size, c.bytes, blocks) + (".reg .b16 %e, %f, %mask;\n" if mask else ".reg .b16 %e, %f;\n") + "".join(f"mov.b16 {r}, {x}; " for r, x in zip(("%h", "%e", "%f"), tap))
    text += "\n" + _asked_by_last("%mask", blocks, mask)
    text += f"@!%p {name} [%box], [%map, {{{at}}}], [%bar], {{{offsets}}}{', %mask' if mask else ''};\n{_waited(blocks, mask)}{read_back(size, blocks)}"
    text += sync(blocks) + "\n" if blocks > 1 else ""
    places = [(place, source) for place, source in c.places(output, channel, tap) if place < size]
    spatial = "x".join(map(str, c.sizes))
    variant = (f"{c.type} {c.channels} channels, {spatial}, filter {'x'.join(map(str, c.filter))}, padding {','.join(map(str, c.padding))}, steps "
               f"{','.join(map(str, c.steps))}, swizzle {SPANS[c.swizzle]}, output {output} channel {channel} tap {','.join(map(str, tap))}"
               + (f", mask {mask:#x} of {blocks} blocks" if mask else ""))  # fmt: skip
    came = _in_blocks(came_of(places, size, c.tensor, c.nan, True), size, blocks, mask)
    return Form(name, scoped(text), OPERANDS, ("b32",) * (size * blocks // ROW), "sm_90", variant, "memory", expecting(OPERANDS, came, blocks), LANES,
                True, blocks, size, c)  # fmt: skip


def im2col_forms() -> Iterator[Form]:
    """What each of four taps of a filter meets: im2col_test.py."""
    for c in CONVOLUTIONS:
        count, last_channel = len(c.outputs()), (c.channels - 1) // c.moved * c.moved
        taps = list(itertools.product(*(range(f) for f in c.filter)))
        for number, tap in enumerate(dict.fromkeys((taps[0], taps[len(taps) // 3], taps[2 * len(taps) // 3], taps[-1]))):
            yield columns(c, *((number * 5 % count, (0, last_channel)[number % 2]) if number else (count - 3, 0)), tap)
