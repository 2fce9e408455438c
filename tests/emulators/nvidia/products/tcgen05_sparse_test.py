# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""tcgen05.mma.sp: products of whole numbers and of scaled blocks by a sparse A, against exact arithmetic; and metadata that there is
not."""

from __future__ import annotations

import struct
import sys
import unittest

from emulated import Device, options
from tcgen05_kernels import TARGET, descriptor, launch
from tcgen05_products import HALF, METADATA, Product, core_matrices, hold, kernels_of
from tensors import told

PRODUCTS = [
    Product("f16", "f16", "f16", 128, 64, form="sp"), Product("f16", "bf16", "bf16", 128, 32, form="sp", selector=1),
    Product("f16", "f16", "f16", 128, 32, d="f16", form="sp"), Product("tf32", "tf32", "tf32", 128, 16, form="sp"),
    Product("tf32", "tf32", "tf32", 128, 16, form="sp", selector=1), Product("f8f6f4", "e4m3", "e5m2", 128, 32, form="sp"),
    Product("f8f6f4", "e5m2", "e2m3", 128, 16, form="sp"), Product("i8", "s8", "u8", 128, 32, d="s32", form="sp"),
    Product("f16", "bf16", "bf16", 256, 32, group=2, form="sp"), Product("f8f6f4", "e4m3", "e4m3", 256, 32, group=2, form="sp", negate=True),
    # A of 6 and 4 bits
    Product("f8f6f4", "e2m3", "e4m3", 128, 16, form="sp"), Product("f8f6f4", "e3m2", "e2m1", 128, 16, form="sp"),
    Product("f8f6f4", "e2m1", "e2m1", 128, 16, form="sp"), Product("f8f6f4", "e2m1", "e5m2", 256, 32, group=2, form="sp"),
    # scale factors
    Product("mxf8f6f4", "e4m3", "e5m2", 128, 64, vector=1, form="sp"), Product("mxf8f6f4", "e3m2", "e2m1", 128, 16, vector=1, form="sp"),
    Product("mxf4", "e2m1", "e2m1", 128, 24, vector=2, form="sp"), Product("mxf4nvf4", "e2m1", "e2m1", 128, 64, vector=4, form="sp"),
    Product("mxf4nvf4", "e2m1", "e2m1", 128, 16, vector=4, exponents=True, form="sp"), Product("mxf4nvf4", "e2m1", "e2m1", 128, 16, vector=2, form="sp"),
    Product("mxf8f6f4", "e5m2", "e4m3", 256, 32, group=2, vector=1, form="sp"), Product("mxf4nvf4", "e2m1", "e2m1", 256, 32, group=2, vector=4, form="sp"),
    # 64 rows a block, in either half of the lanes
    Product("f16", "f16", "f16", 64, 24, form="sp"), Product("f16", "bf16", "bf16", 64, 16, form="sp", lane=16, selector=1),
    Product("tf32", "tf32", "tf32", 64, 16, form="sp"), Product("f8f6f4", "e4m3", "e2m1", 64, 8, form="sp", lane=16),
    Product("i8", "u8", "s8", 64, 16, d="s32", form="sp"), Product("f16", "f16", "f16", 128, 32, group=2, form="sp"),
    Product("f8f6f4", "e5m2", "e5m2", 128, 32, group=2, form="sp", lane=16),
    Product("i8", "s8", "s8", 256, 32, d="s32", group=2, form="sp"), Product("tf32", "tf32", "tf32", 256, 32, group=2, form="sp"),
    Product("mxf4", "e2m1", "e2m1", 256, 32, group=2, vector=2, form="sp"),
    # A in tensor memory
    Product("f16", "f16", "f16", 128, 32, form="sp a"), Product("tf32", "tf32", "tf32", 64, 16, form="sp a"),
    Product("f8f6f4", "e5m2", "e4m3", 64, 16, form="sp a", lane=16), Product("f8f6f4", "e2m1", "e3m2", 128, 16, form="sp a"),
    Product("i8", "s8", "s8", 128, 16, d="s32", form="sp a"), Product("mxf8f6f4", "e2m3", "e4m3", 128, 16, vector=1, form="sp a"),
    Product("mxf4", "e2m1", "e2m1", 128, 16, vector=2, form="sp a"), Product("f16", "bf16", "bf16", 256, 32, group=2, form="sp a"),
    # separate warps
    Product("f16", "f16", "f16", 128, 64, form="ws sp"), Product("f16", "bf16", "bf16", 64, 64, form="ws sp", selector=1),
    Product("f16", "f16", "f16", 32, 128, form="ws sp"), Product("tf32", "tf32", "tf32", 64, 64, form="ws sp"),
    Product("f8f6f4", "e4m3", "e2m1", 32, 64, form="ws sp"), Product("i8", "s8", "u8", 64, 128, d="s32", form="ws sp"),
    Product("f16", "f16", "f16", 64, 64, form="ws sp a"), Product("f8f6f4", "e4m3", "e5m2", 32, 64, form="ws sp a"),
]  # fmt: skip
KERNELS = TARGET + kernels_of(PRODUCTS)


class SparseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_products(self) -> None:
        for seed, p in enumerate(PRODUCTS):
            with self.subTest(p):
                hold(self, self.device, KERNELS, p, seed)

    def test_zeros_need_no_metadata(self) -> None:
        p = PRODUCTS[0]
        b = core_matrices([[1] * p.k] * p.n, p.b, False)
        rows = core_matrices([[1] * (p.k // 2)] * 8 + [[0] * (p.k // 2)] * 120, p.a, False)
        content = [(rows + b).ljust(METADATA, b"\0") + b"\x44\x44\0\0\0\0\0\0" * 16 + bytes(896)]  # of the first eight rows
        found = launch(self.device, KERNELS, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor())[0]
        values = [struct.unpack("<f", found[lane * 1024 : lane * 1024 + 4])[0] for lane in range(128)]
        self.assertEqual(values, [1 + p.k // 2] * 8 + [1] * 120)

    def test_bad_sparsity_is_told(self) -> None:
        wide, narrow = PRODUCTS[0], Product("f8f6f4", "e4m3", "e5m2", 128, 32, form="sp")
        for sentence, p, how, words in (
            ("whose sparsity metadata 0x44444440 at lane 0, column 272 has 0b0000 in bits 0 to 3, for row 0, columns 0 to 3; expected two", wide, 0, b"\x40\x44\x44\x44"),
            ("has 0b0001 in bits 20 to 23, for row 8, columns 4 to 7", wide, 0, b"\x44\x44\x14\x44"),
            (".sp with the instruction descriptor of a dense matrix", wide, 4, b""),
            ("the sparsity selector 2, which the emulator does not know", wide, 2, b""),
            ("the sparsity selector 1, which the emulator does not know", narrow, 1, b""),
        ):
            with self.subTest(sentence):
                ones = core_matrices([[1] * (p.k // 2)] * 128, p.a, False)
                content = [ones.ljust(METADATA, b"\0") + (words.ljust(4, b"\x44") + b"\x44" * 4) * 128]
                self.assertIn(sentence, told(ARGUMENTS, lambda d, p=p, how=how, content=content: launch(
                    d, KERNELS, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor() ^ how)))  # fmt: skip



if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
