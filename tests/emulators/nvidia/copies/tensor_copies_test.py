# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""TMA: boxes of tensors to shared memory and back, reductions, asynchronous stores, against the layouts written out in
Python; and mistakes with their sentences."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import unittest

from copy_kernels import UNWRITTEN, load, store, WAYS, NEWER, WITHIN, within, KERNELS
from emulated import Buffer, Device, options
from tensors import NAN_FILL, Tensor, swizzled, told


def random_bytes(count: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(count)


def box_bytes(tensor: Tensor) -> int:
    """That the box takes in shared memory, and that count at the mbarrier where no row is narrower than its swizzle."""
    total = tensor.size
    for count in tensor.counts():
        total *= count
    return total


def run(device: Device, kernel: str, tensor: Tensor, content: bytes, at: list[int], out: bytes, threads: int = 32, blocks: int = 1,
        kernels: str = "") -> tuple[bytes, bytes]:  # fmt: skip
    """The second buffer and the tensor afterwards."""
    module = device.load(kernels or KERNELS)
    memory, buffer = Buffer(device, content), Buffer(device, out)
    arguments = [tensor.map(device, memory.at.value), ctypes.c_uint64(buffer.at.value), ctypes.c_uint32(len(out) // blocks)]
    device.launch(module, kernel, blocks, threads, [*arguments, *(ctypes.c_int32(x) for x in at)])
    return buffer.bytes(), memory.bytes()


LOADS = [
    (Tensor("u8", [1000], [256]), [800]),
    (Tensor("u8", [1000], [256]), [-16]),
    (Tensor("f32", [40, 9, 7, 5], [16, 5, 4, 3], 2), [28, 6, -1, 3]),
    (Tensor("u64", [20, 6, 5], [8, 3, 4], 2), [14, -1, 2]),
    (Tensor("u16", [24, 4, 3, 3, 4], [8, 2, 3, 2, 2]), [16, 3, -1, 2, 3]),
    (Tensor("f32", [40, 30], [16, 20], 0, steps=[1, 3]), [8, 5]),
    (Tensor("f16", [40, 30], [16, 8], nan=True), [32, 27]),
    (Tensor("bf16", [8, 4], [8, 4]), [8, 0]),  # all of it outside
    (Tensor("16u4", [12, 9], [4, 8]), [96, 4]),
    (Tensor("16u4", [32, 9], [16, 8], 3), [128, -2]),
    (Tensor("16u4.padded", [24, 9], [8, 8]), [128, 4]),
    (Tensor("16u4.padded", [24, 9, 3], [8, 4, 2], 3), [256, -1, 1]),
    (Tensor("16u6.padded", [16, 9], [8, 8]), [128, 4]),
    (Tensor("16u6.padded", [16, 20], [8, 8], 3), [0, 15]),
] + [(Tensor("bf16", [200, 50], [inner, 24], swizzle), [176, 40]) for swizzle in range(4) for inner in (8, 16, 32, 64) if not swizzle or inner * 2 == 16 << swizzle]  # fmt: skip


class TensorCopiesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_boxes_come_as_the_map_says(self) -> None:
        for index, (tensor, at) in enumerate(LOADS):
            with self.subTest(tensor=tensor, at=at):
                content = random_bytes(tensor.bytes, index)
                size = box_bytes(tensor)
                found, _ = run(self.device, f"load{len(at)}", tensor, content, at, bytes(size))
                wanted = bytearray(UNWRITTEN * (size * tensor.placed // tensor.size))  # padding, which does not count, stays as it was
                for place, source in tensor.places(at):
                    outside = NAN_FILL * (tensor.size // 2) if tensor.nan else bytes(tensor.size)
                    wanted[place : place + tensor.size] = outside if source is None else content[source : source + tensor.size]
                self.assertEqual(found, bytes(wanted[:size]))

    def test_another_swizzle_is_noticed(self) -> None:
        tensor, other = Tensor("bf16", [64, 24], [64, 24], 3), Tensor("bf16", [64, 24], [64, 24], 0)
        content = random_bytes(tensor.bytes, 1)
        swizzle, plain = (run(self.device, "load2", t, content, [0, 0], bytes(3072))[0] for t in (tensor, other))
        self.assertEqual(plain, content)
        self.assertNotEqual(swizzle, content)
        self.assertEqual(bytes(swizzle[swizzled(i, 3)] for i in range(3072)), content)

    def test_a_row_narrower_than_its_swizzle_takes_the_whole_span(self) -> None:
        tensor = Tensor("bf16", [64, 4], [16, 4], 3)
        content = random_bytes(tensor.bytes, 2)
        found, _ = run(self.device, "load2", tensor, content, [8, 0], bytes(128))  # bytes that count: 4 * 32
        for place, source in tensor.places([8, 0]):
            if place < 128:
                self.assertEqual(found[place : place + 2], content[source : source + 2])

    def test_boxes_go_back(self) -> None:
        for index, (tensor, at, operation) in enumerate(
            [
                (Tensor("u8", [1000], [256]), [800], ""),
                (Tensor("f32", [40, 50], [32, 24], 3), [20, 35], ""),
                (Tensor("u32", [12, 6, 5], [8, 3, 4]), [8, 4, 2], ""),
                (Tensor("16u4", [12, 9], [4, 8]), [64, 4], ""),
                (Tensor("f32", [40, 50], [32, 24], 3), [24, 33], "add"),
                (Tensor("u32", [40, 50], [32, 24]), [20, 30], "add"),
                (Tensor("s32", [40, 50], [32, 24], 3), [20, 30], "min"),
                (Tensor("u32", [40, 50], [32, 24]), [20, 30], "max"),
                (Tensor("u32", [40, 50], [32, 24]), [20, 30], "xor"),
            ]
        ):
            with self.subTest(tensor=tensor, at=at, operation=operation):
                content, box = (floats(n // 4, seed) if tensor.type == "f32" else random_bytes(n, seed)
                                for n, seed in ((tensor.bytes, index), (box_bytes(tensor), 100 + index)))  # fmt: skip
                _, found = run(self.device, f"store{len(at)}{operation}", tensor, content, at, box)
                wanted = bytearray(content)
                for place, target in tensor.places(at):
                    if target is None:
                        continue
                    new, old = box[place : place + tensor.size], content[target : target + tensor.size]
                    wanted[target : target + tensor.size] = reduced(old, new, tensor.type, operation)
                self.assertEqual(found, bytes(wanted))

    def test_multicast_and_gather(self) -> None:
        tensor = Tensor("u32", [32, 20], [32, 8], 3)
        content = random_bytes(tensor.bytes, 5)
        found, _ = run(self.device, "multicast", tensor, content, [0, 7], bytes(2048), blocks=2)
        wanted = bytearray(1024)
        for place, source in tensor.places([0, 7]):
            wanted[place : place + 4] = content[source : source + 4]
        self.assertEqual(found, bytes(wanted) * 2)
        rows = Tensor("u32", [32, 20], [16, 1])
        found, _ = run(self.device, "gather", rows, content, [8, 3, 19, 0, 11], bytes(256))
        self.assertEqual(found, b"".join(content[128 * row + 32 : 128 * row + 96] for row in (3, 19, 0, 11)))

    def test_boxes_and_rows_of_pairs_and_clusters(self) -> None:
        tensor, rows = Tensor("u32", [32, 20], [32, 8], 3), Tensor("u32", [32, 20], [16, 1])
        content = random_bytes(tensor.bytes, 6)
        box = bytearray(1024)
        for place, source in tensor.places([0, 7]):
            box[place : place + 4] = content[source : source + 4]
        gathered = b"".join(content[128 * row + 32 : 128 * row + 96] for row in (3, 19, 0, 11))
        for to, many, pair in WAYS:
            with self.subTest(to=to, many=many, pair=pair):
                name = f"{to}{int(many)}{int(pair)}"
                found, _ = run(self.device, "box" + name, tensor, content, [0, 7], bytes(2048), blocks=2, kernels=NEWER)
                self.assertEqual(found, bytes(box) * 2)
                found, _ = run(self.device, "rows" + name, rows, content, [8, 3, 19, 0, 11], bytes(512), blocks=2, kernels=NEWER)
                self.assertEqual(found, gathered * 2)

    def test_scattered_rows(self) -> None:
        for tensor, at in (
            (Tensor("u32", [32, 20], [16, 1]), [8, 3, 19, 0, 11]),
            (Tensor("u32", [32, 20], [32, 1], 3), [0, 12, 2, 19, 7]),  # whose units of 16 bytes are exchanged, other ones in each row
            (Tensor("u16", [40, 20], [16, 1], 1), [32, 5, 23, 20, 18]),  # rows and columns behind the tensor's end are not written
        ):
            with self.subTest(tensor=tensor, at=at):
                width = tensor.box[0] * tensor.size
                content, box = random_bytes(tensor.bytes, 7), random_bytes(4 * width, 8)
                _, found = run(self.device, "scatter", tensor, content, at, box, kernels=NEWER)
                wanted = bytearray(content)
                for i, row in enumerate(at[1:]):
                    for column in range(tensor.box[0]):
                        if row < tensor.extents[1] and at[0] + column < tensor.extents[0]:
                            place = swizzled(i * width + column * tensor.size, tensor.swizzle)
                            target = row * tensor.strides[1] + (at[0] + column) * tensor.size
                            wanted[target : target + tensor.size] = box[place : place + tensor.size]
                self.assertEqual(found, bytes(wanted))

    def test_prefetches_change_nothing(self) -> None:
        tensor = Tensor("u32", [32, 20], [32, 8])
        content = random_bytes(tensor.bytes, 9)
        found, after = run(self.device, "prefetch", tensor, content, [0, 3], bytes(1024), kernels=NEWER)
        self.assertEqual((found, after), (content[3 * 128 : 11 * 128], content))

    def test_reductions_and_stores_that_an_mbarrier_counts(self) -> None:
        module, buffer = self.device.load(KERNELS), Buffer(self.device, struct.pack("<128I", *range(128)))
        self.device.launch(module, "reduce", 1, 64, [ctypes.c_uint64(buffer.at.value)])
        found = struct.unpack("<128I", buffer.bytes())
        self.assertEqual(list(found[:64]), [2 * i for i in range(64)])
        self.assertEqual(list(found[64:]), [1000] * 60 + [0, 7, 1005, 1000 & 8])

    def test_stores_and_reductions_with_release_alone(self) -> None:
        module, buffer = self.device.load(KERNELS), Buffer(self.device, bytes(512))
        self.device.launch(module, "released", 1, 64, [ctypes.c_uint64(buffer.at.value)])
        self.assertEqual(struct.unpack("<128I", buffer.bytes()), (*range(100, 164), *range(1000, 1064)))

    def test_a_missing_wait_is_seen(self) -> None:
        tensor = Tensor("u32", [32, 20], [32, 8])
        content = random_bytes(tensor.bytes, 9)
        for mode in ("lazy", "eager"):
            with self.subTest(mode):
                said = told(ARGUMENTS, lambda d: run(d, "load2early", tensor, content, [0, 0], bytes(1024)), mode)
                self.assertRegex(said, r"a data race: it reads \d+ bytes of shared memory at 0x\w+, which a copy writes .*: no wait for the mbarrier at ")

    def test_mistakes_are_told(self) -> None:
        tensor = Tensor("bf16", [64, 24], [64, 8], 3)
        content = bytes(tensor.bytes)
        for sentence, kernel in {
            "the first coordinate 4 of a tensor's box is no multiple of 16 bytes":
                lambda d: run(d, "load2", tensor, content, [4, 0], bytes(1024)),
            "a tensor map of 2 dimensions, used as one of 3":
                lambda d: run(d, "load3", tensor, content, [0, 0, 0], bytes(1024)),
            "it ends 768 bytes behind cudaMalloc of 512 bytes":  # the map promises more rows than the allocation has
                lambda d: run(d, "load2", tensor, content[: 128 * 4], [0, 2], bytes(1024)),
            "boxDim[0] of 64 elements has 128 bytes; with this swizzle at most 64":
                lambda d: run(d, "load2", Tensor("bf16", [64, 24], [64, 8], 2), content, [0, 0], bytes(1024)),
            "boxDim[1] is 257; expected 1 to 256":
                lambda d: run(d, "load2", Tensor("bf16", [64, 24], [64, 257], 2), content, [0, 0], bytes(1024)),
            "the first coordinate 12 of a tensor's box is no multiple of 16 bytes":
                lambda d: run(d, "store2", tensor, content, [12, 0], bytes(1024)),
            "a store of a tensor's box whose coordinate 0 is -8: only loads begin at a negative one":
                lambda d: run(d, "store2", tensor, content, [-8, 0], bytes(1024)),
            "a store of a tensor's box whose coordinate 1 is -1: only loads begin at a negative one":
                lambda d: run(d, "store2", tensor, content, [8, -1], bytes(1024)),
            "for the mbarrier at":  # fewer bytes come than it expects
                lambda d: run(d, "load2", tensor, content, [0, 0], bytes(1028)),
        }.items():  # fmt: skip
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, kernel))


    def test_stores_within_a_cluster_need_one(self) -> None:
        for number, what in enumerate(WITHIN):
            with self.subTest(what):
                said = told(ARGUMENTS, lambda d: d.launch(d.load(KERNELS), f"within{number}", 1, 1, []))
                self.assertIn(f"{what} in a kernel that was launched without clusters: to an H200 that is an illegal instruction", said)


def floats(count: int, seed: int) -> bytes:
    """Whole numbers: their sums are exact."""
    generator = random.Random(seed)
    return struct.pack(f"<{count}f", *(generator.randrange(-1000, 1000) for _ in range(count)))


def reduced(old: bytes, new: bytes, kind: str, operation: str) -> bytes:
    if not operation:
        return new
    code = {"f32": "<f", "u32": "<I", "s32": "<i"}[kind]
    a, b = struct.unpack(code, old)[0], struct.unpack(code, new)[0]
    result = {"add": lambda: a + b, "min": lambda: min(a, b), "max": lambda: max(a, b), "xor": lambda: a ^ b}[operation]()
    return struct.pack(code, result if kind == "f32" else result & 0xFFFFFFFF if kind == "u32" else result)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
