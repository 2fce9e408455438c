# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""tcgen05.mma: products of whole numbers and of scaled blocks against exact arithmetic."""

from __future__ import annotations

import sys
import unittest

from emulated import Device, options
from tcgen05_kernels import TARGET, descriptor, launch
from tcgen05_products import HALF, Product, core_matrices, hold, kernels_of
from tensors import told


def mask(zeros: int, used: int, starts: tuple[int, ...] = (), zeros_first: int = 0, shift: int = 0) -> int:
    """The descriptor of a mask of columns, with its fields' values."""
    return sum(start << 8 * i for i, start in enumerate(starts)) | zeros_first << 32 | 1 << 39 | zeros << 40 | used << 48 | shift << 56


PRODUCTS = [
    Product("f16", "f16", "f16", 128, 64), Product("f16", "bf16", "bf16", 64, 24), Product("f16", "f16", "f16", 128, 256, d="f16"),
    Product("f16", "bf16", "bf16", 128, 32, negate=True), Product("tf32", "tf32", "tf32", 128, 16),
    Product("i8", "s8", "u8", 128, 32, d="s32"), Product("f16", "f16", "f16", 128, 32, form="a"),
    Product("f16", "f16", "f16", 64, 64, form="ws"), Product("f16", "f16", "f16", 32, 128, form="ws"),
    Product("f16", "f16", "f16", 128, 32, lanes_off=0x80000005),
    Product("f16", "bf16", "bf16", 256, 64, group=2), Product("f16", "f16", "f16", 128, 64, group=2),
    Product("mxf8f6f4", "e4m3", "e5m2", 128, 64, vector=1), Product("mxf8f6f4", "e2m1", "e4m3", 128, 64, vector=1),
    Product("mxf4", "e2m1", "e2m1", 128, 128, vector=2), Product("mxf4nvf4", "e2m1", "e2m1", 128, 256, vector=4),
    Product("mxf8f6f4", "e4m3", "e4m3", 256, 64, group=2, vector=1), Product("mxf8f6f4", "e5m2", "e3m2", 128, 24, vector=1),
    # A in tensor memory: once more for each part of the lanes, narrow elements
    Product("f16", "bf16", "bf16", 64, 32, form="a"), Product("f16", "f16", "f16", 64, 32, form="a", lane=16),
    Product("f16", "f16", "f16", 128, 64, group=2, form="a"), Product("tf32", "tf32", "tf32", 256, 32, group=2, form="a"),
    Product("f16", "f16", "f16", 64, 64, form="ws a"), Product("i8", "s8", "u8", 32, 64, d="s32", form="ws a"),
    Product("f8f6f4", "e3m2", "e2m3", 128, 16, form="a"), Product("mxf4nvf4", "e2m1", "e2m1", 128, 32, vector=4, form="a"),
    # 128 rows by columns that 16 does not divide
    Product("f16", "bf16", "bf16", 128, 8), Product("tf32", "tf32", "tf32", 128, 24), Product("f8f6f4", "e4m3", "e5m2", 128, 8),
    Product("i8", "s8", "u8", 128, 8, d="s32"),
    # masks of columns: begun within a span, of each part their own, none, and columns passed over
    Product("f16", "f16", "f16", 128, 64, form="ws", mask=mask(2, 3)), Product("f16", "f16", "f16", 64, 64, form="ws", mask=mask(2, 3, zeros_first=1)),
    Product("f16", "bf16", "bf16", 32, 64, form="ws", mask=mask(2, 3, starts=(0, 1, 2, 1), zeros_first=3, shift=2)),
    Product("tf32", "tf32", "tf32", 64, 64, form="ws", mask=mask(2, 3, shift=32) & ~(1 << 39)),
] + [Product("f8f6f4", a, b, 128, 16) for a, b in (("e4m3", "e5m2"), ("e5m2", "e2m3"), ("e2m3", "e3m2"), ("e3m2", "e2m1"), ("e2m1", "e4m3"))] + [
    # by pairs of blocks, and by separate warps, what no shipped kernel has
    Product("i8", "u8", "s8", 256, 64, d="s32", group=2), Product("f8f6f4", "e5m2", "e4m3", 256, 32, group=2),
    Product("mxf4", "e2m1", "e2m1", 256, 64, group=2, vector=2), Product("mxf4nvf4", "e2m1", "e2m1", 256, 64, group=2, vector=4),
    Product("f8f6f4", "e4m3", "e5m2", 128, 64, form="ws"), Product("f8f6f4", "e2m3", "e2m1", 64, 64, form="ws"), Product("f8f6f4", "e3m2", "e4m3", 32, 64, form="ws"),
]  # fmt: skip
KERNELS = TARGET + kernels_of(PRODUCTS)


class Tcgen05Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_products(self) -> None:
        for seed, p in enumerate(PRODUCTS):
            with self.subTest(p):
                hold(self, self.device, KERNELS, p, seed)

    def test_another_layout_is_another_product(self) -> None:
        p = Product("f16", "f16", "f16", 128, 64)
        data = core_matrices([[r % 5 - 2 + k % 3 for k in range(16)] for r in range(128)], "f16", False)
        one, other = (launch(self.device, KERNELS, "k" + p.name, [data + data], a, descriptor(HALF), p.descriptor())[0] for a in (descriptor(0), descriptor(0, 128, 4096)))
        self.assertNotEqual(one, other)

    def test_bad_instruction_descriptors_are_told(self) -> None:
        p, q = Product("f16", "f16", "f16", 128, 64), Product("f8f6f4", "e3m2", "e2m3", 128, 16, form="a")
        for sentence, (of, how) in {
            "of the shape 128 x 264 with .cta_group::1, which there is not": (p, Product("f16", "f16", "f16", 128, 264).descriptor()),
            "of the shape 128 x 24 with .cta_group::1, which there is not": (q, Product("f8f6f4", "e3m2", "e2m3", 128, 24).descriptor()),
            "its types 1, 5 and 0 are none of this kind": (p, p.descriptor() | 5 << 7),
            "without .sp with the instruction descriptor of a sparse matrix": (p, p.descriptor() | 4),
        }.items():
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, lambda d, of=of, how=how: launch(d, KERNELS, "k" + of.name, [b""], descriptor(0), descriptor(HALF), how)))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
