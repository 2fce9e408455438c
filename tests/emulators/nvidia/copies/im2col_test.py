# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""TMA's mode im2col against what it is for: the operands of a convolution. A column of pixels that an instruction moves belongs to one
tap of the filter, and holds what that tap meets at consecutive outputs, zero in the padding."""

from __future__ import annotations

import ctypes
import itertools
import sys
import unittest
from dataclasses import dataclass, replace

from emulated import Buffer, Device, compiled, options
from copy_kernels import COPY_IN, PAIR, TARGET, WAYS, coordinates, prologue, way
from tensor_copies_test import floats, random_bytes, reduced
from tensors import COPY_OUT, EXPECT, HEADER, NAN_FILL, TYPES, WAIT, Tensor, empty_map, swizzled, told


@dataclass(frozen=True)
class Convolution:
    """Sizes and steps of the spatial dimensions, width first; one padding and filter for each."""

    type: str
    channels: int
    sizes: tuple[int, ...]
    images: int
    filter: tuple[int, ...]
    padding: tuple[int, ...]
    steps: tuple[int, ...]
    moved: int  # channels of a copy
    pixels: int
    swizzle: int = 0
    nan: bool = False

    @property
    def tensor(self) -> Tensor:
        return Tensor(self.type, [self.channels, *self.sizes, self.images], [1])

    @property
    def rank(self) -> int:
        return len(self.sizes) + 2

    @property
    def bytes(self) -> int:
        return self.moved * self.pixels * self.tensor.size

    def outputs(self) -> list[tuple[int, ...]]:
        """Of all images, in the order of memory: (width, height ..., image)."""
        counts = [(n + 2 * p - f) // s + 1 for n, p, f, s in zip(self.sizes, self.padding, self.filter, self.steps)]
        return [tuple(reversed(o)) for o in itertools.product(range(self.images), *(range(c) for c in reversed(counts)))]

    def start(self, output: int, channel: int) -> list[int]:
        o = self.outputs()[output]
        return [channel, *(x * s - p for x, s, p in zip(o, self.steps, self.padding)), o[-1]]

    def places(self, output: int, channel: int, tap: tuple[int, ...]) -> list[tuple[int, int | None]]:
        """For each element that a copy from that output on moves: its byte in shared memory and in the tensor, None in the padding."""
        result, strides, outputs = [], self.tensor.strides, self.outputs()
        pitch = max(self.moved * self.tensor.size, {0: 0, 1: 32, 2: 64, 3: 128}[self.swizzle])
        for pixel in range(self.pixels):
            inside, source = output + pixel < len(outputs), 0
            if inside:
                o = outputs[output + pixel]
                at = [x * s - p + t for x, s, p, t in zip(o, self.steps, self.padding, tap)]
                inside = all(0 <= x < n for x, n in zip(at, self.sizes))
                source = sum(x * stride for x, stride in zip([*at, o[-1]], strides[1:]))
            for c in range(self.moved):
                known = inside and channel + c < self.channels
                place = swizzled(pixel * pitch + c * self.tensor.size, self.swizzle)
                result.append((place, source + (channel + c) * self.tensor.size if known else None))
        return result

    def map(self, device: Device, address: int, **changed: object) -> ctypes.Array:
        tensor, n, spatial = self.tensor, self.rank, len(self.sizes)
        result = empty_map()
        upper = changed.get("upper", [p - (f - 1) for p, f in zip(self.padding, self.filter)])
        status = device.library.cuTensorMapEncodeIm2col(
            result, TYPES[self.type][0], n, ctypes.c_void_p(address), (ctypes.c_uint64 * n)(*tensor.extents),
            (ctypes.c_uint64 * n)(*tensor.strides[1:]), (ctypes.c_int * spatial)(*(-p for p in self.padding)), (ctypes.c_int * spatial)(*upper),
            self.moved, changed.get("pixels", self.pixels), (ctypes.c_uint32 * n)(1, *self.steps, 1), 0, self.swizzle, 0, int(self.nan),
        )  # fmt: skip
        device.check(status)
        return result


CONVOLUTIONS = [
    Convolution("f16", 24, (9,), 3, (3,), (1,), (1,), 8, 20),
    Convolution("f32", 12, (7, 5), 2, (3, 3), (1, 1), (1, 1), 8, 30, 1),
    Convolution("bf16", 64, (8, 6), 3, (3, 2), (1, 0), (2, 1), 64, 24, 3),
    Convolution("f16", 16, (10, 7), 2, (5, 3), (2, 1), (3, 2), 16, 17, 1, nan=True),
    Convolution("f32", 8, (5, 4, 6), 2, (3, 2, 3), (1, 1, 0), (1, 2, 1), 8, 40),
    Convolution("u8", 32, (6, 3, 4), 2, (2, 3, 1), (0, 1, 0), (2, 1, 3), 32, 11, 1),
]
OFFSETS = ("%h", "%h, %e", "%h, %e, %f")


def taps(rank: int) -> str:
    return "".join(f".reg .b16 {r}; ld.param.u16 {r}, [{p}];\n" if r != "%h" else f"ld.param.u16 {r}, [{p}];\n"
                   for r, p in (("%h", "t0"), ("%e", "t1"), ("%f", "t2"))[: rank - 2])  # fmt: skip


def start(rank: int, cluster: str = "") -> str:
    extra = "".join(f", .param .u16 t{i}" for i in range(rank - 2))
    return prologue(rank, cluster).replace(f".param .s32 c{rank - 1})", f".param .s32 c{rank - 1}{extra})") + taps(rank)


def load(rank: int, wait: bool = True) -> str:
    return (
        f".visible .entry load{rank}{'' if wait else 'early'}" + start(rank) + EXPECT
        + f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
        f"[%s], [%m, {{{coordinates(rank)}}}], [bar], {{{OFFSETS[rank - 3]}}};\nREADY: bar.sync 0;\n" + (WAIT if wait else "") + COPY_OUT
    )  # fmt: skip


def store(rank: int, operation: str) -> str:
    head = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{operation}" if operation else f"cp.async.bulk.tensor.{rank}d.global.shared::cta"
    return (
        f".visible .entry store{rank}{operation}" + start(rank) + ".reg .b32 %k;\n" + COPY_IN.replace("%c4", "%k")
        + f"{head}.im2col_no_offs.bulk_group [%m, {{{coordinates(rank)}}}], [%s];\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nEND: ret;\n}\n"
    )  # fmt: skip


# Block 0 of two loads into both.
MULTICAST = (
    ".visible .entry multicast" + start(4, ".reqnctapercluster 2, 1, 1 .explicitcluster")
    + "mul.lo.u32 %v, %rank, %n; cvt.u64.u32 %o, %v; add.u64 %g, %g, %o;\n" + EXPECT + """
READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
or.b32 %v, %i, %rank;
setp.ne.u32 %p, %v, 0;
.reg .b16 %both; mov.b16 %both, 3;
@!%p cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster
  [%s], [%m, {%c0, %c1, %c2, %c3}], [bar], {%h, %e}, %both;
""" + WAIT + COPY_OUT
)  # fmt: skip
TILE = (
    ".visible .entry tile" + start(4) + EXPECT
    + "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%m, {%c0, %c1, %c2, %c3}], [bar];\n"
    "READY: bar.sync 0;\n" + WAIT + COPY_OUT
)  # fmt: skip
KERNELS = (
    HEADER.format(TARGET) + "".join(load(rank) for rank in (3, 4, 5)) + load(4, wait=False) + store(3, "") + store(4, "") + store(5, "add")
    + MULTICAST + TILE
)  # fmt: skip
# What sm_100 has, and a hint.
NEWER = (
    HEADER.format("sm_100a") + "".join(way("column", start(4, PAIR), "4d.{}.im2col", coordinates(4), *how, offsets=", {%h, %e}") for how in WAYS)
    + load(4).replace("load4", "prefetch").replace(EXPECT, "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%m, {%c0, %c1, %c2, %c3}], {%h, %e};\n" + EXPECT)
)  # fmt: skip


def run(device: Device, kernel: str, c: Convolution, content: bytes, at: list[int], tap: tuple[int, ...], out: bytes, blocks: int = 1,
        tiled: bool = False, **changed: object) -> tuple[bytes, bytes]:  # fmt: skip
    """The second buffer and the tensor afterwards."""
    memory, buffer = Buffer(device, content), Buffer(device, out)
    tensor = c.tensor
    tensor.box = [c.moved, c.pixels, *[1] * (c.rank - 2)]
    made = tensor.map(device, memory.at.value) if tiled else c.map(device, memory.at.value, **changed)
    arguments = [made, ctypes.c_uint64(buffer.at.value), ctypes.c_uint32(len(out) // blocks)]
    device.launch((MODULE if kernel in KERNELS else NEWER_MODULE).load(device), kernel, blocks, 32, [*arguments, *(ctypes.c_int32(x) for x in at), *(ctypes.c_uint16(x) for x in tap)])
    return buffer.bytes(), memory.bytes()


class Module:
    """Kernels, translated once."""

    def __init__(self, ptx: str) -> None:
        self._ptx, self._product = ptx, b""

    def load(self, device: Device) -> ctypes.c_void_p:
        self._product = self._product or compiled(ARGUMENTS, self._ptx)
        return device.load_library(self._product)


MODULE, NEWER_MODULE = Module(KERNELS), Module(NEWER)


class Im2colTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)
        MODULE.load(cls.device)

    def test_columns_are_a_convolutions_operands(self) -> None:
        for index, c in enumerate(CONVOLUTIONS):
            content = random_bytes(c.tensor.bytes, index)
            count, last_channel = len(c.outputs()), (c.channels - 1) // c.moved * c.moved
            for number, tap in enumerate(itertools.product(*(range(f) for f in c.filter))):
                output, channel = (number * 5 % count, (0, last_channel)[number % 2]) if number else (count - 3, 0)
                with self.subTest(c, tap=tap, output=output):
                    found, _ = run(self.device, f"load{c.rank}", c, content, c.start(output, channel), tap, bytes(c.bytes))
                    wanted = bytearray(c.bytes)
                    for place, source in c.places(output, channel, tap):
                        outside = NAN_FILL * (c.tensor.size // 2) if c.nan else bytes(c.tensor.size)
                        wanted[place : place + c.tensor.size] = outside if source is None else content[source : source + c.tensor.size]
                    self.assertEqual(found, bytes(wanted))

    def test_columns_go_back(self) -> None:
        """A store has no offsets: it is what the first tap meets, of outputs of which none is written twice, without padding."""
        for index, (of, operation) in enumerate([(CONVOLUTIONS[0], ""), (CONVOLUTIONS[2], ""), (CONVOLUTIONS[4], "add")]):
            c = replace(of, padding=(0,) * len(of.sizes))
            with self.subTest(c, operation=operation):
                content, box = (floats(n // 4, seed) if operation else random_bytes(n, seed) for n, seed in ((c.tensor.bytes, index), (c.bytes, 50 + index)))
                _, found = run(self.device, f"store{c.rank}{operation}", c, content, c.start(4, 0), (0,) * len(c.sizes), box)
                wanted = bytearray(content)
                for place, target in c.places(4, 0, (0,) * len(c.sizes)):
                    if target is not None:
                        end = target + c.tensor.size
                        wanted[target:end] = reduced(content[target:end], box[place : place + c.tensor.size], c.type, operation)
                self.assertEqual(found, bytes(wanted))
                self.assertNotEqual(found, content)

    def test_multicast(self) -> None:
        c, tap = CONVOLUTIONS[2], (1, 1)
        content = random_bytes(c.tensor.bytes, 7)
        wanted = bytearray(c.bytes)
        for place, source in c.places(5, 0, tap):
            if source is not None:
                wanted[place : place + 2] = content[source : source + 2]
        for kernel in ("multicast", *(f"column{to}{int(many)}{int(pair)}" for to, many, pair in WAYS)):
            with self.subTest(kernel):
                found, _ = run(self.device, kernel, c, content, c.start(5, 0), tap, bytes(2 * c.bytes), blocks=2)
                self.assertEqual(found, bytes(wanted) * 2)
        found, _ = run(self.device, "prefetch", c, content, c.start(5, 0), tap, bytes(c.bytes))
        self.assertEqual(found, bytes(wanted))

    def test_a_missing_wait_is_seen(self) -> None:
        c = CONVOLUTIONS[1]
        content = random_bytes(c.tensor.bytes, 8)
        for mode in ("lazy", "eager"):
            with self.subTest(mode):
                early = told(ARGUMENTS, lambda d: run(d, "load4early", c, content, c.start(0, 0), (1, 1), bytes(c.bytes)), mode)
                self.assertRegex(early, r"a data race: it reads \d+ bytes of shared memory at 0x\w+, which a copy writes .*: no wait for the mbarrier at ")

    def test_mistakes_are_told(self) -> None:
        c = CONVOLUTIONS[1]
        content, out = bytes(c.tensor.bytes), bytes(c.bytes)

        def kernel(name: str = "load4", at: list[int] | None = None, tap: tuple[int, ...] = (0, 0), of: Convolution = c, **changed: object):
            return lambda d: run(d, name, of, content, at or of.start(0, 0), tap, out, **changed)

        for sentence, one in {
            "a copy of a tile with a tensor map that cuTensorMapEncodeIm2col made": kernel("tile"),
            "a copy in mode im2col with a tensor map that cuTensorMapEncodeTiled made": kernel(tiled=True),
            "whose coordinate 1 is 6; the map's corners leave -1 to 5": kernel(at=[0, 6, 0, 0]),
            "whose coordinate 2 is -2; the map's corners leave -1 to 3": kernel(at=[0, 0, -2, 0]),
            "a store in mode im2col with a tensor map whose pixelBoxLowerCorner[0] is -1: only loads take negative ones":
                kernel("store4", at=[0, 0, 0, 0]),
            "whose offset 1 is 256; with 4 dimensions expected 0 to 255": kernel(tap=(0, 256)),
            "pixelBoxUpperCorner[1] is 128; a tensor of 4 dimensions has -128 to 127": kernel(upper=[0, 128]),
            "pixelBoxLowerCorner[0] -1 and pixelBoxUpperCorner[0] -8 leave no pixel of 7": kernel(upper=[-8, 0]),
            "pixelsPerColumn is 1025; expected 1 to 1024": kernel(pixels=1025),
            "boxDim[0] of 12 elements has 48 bytes; with this swizzle at most 32":
                kernel(of=Convolution("f32", 12, (7, 5), 2, (3, 3), (1, 1), (1, 1), 12, 30, 1)),
            "for the mbarrier at": kernel(pixels=29),
        }.items():  # fmt: skip
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, one))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
