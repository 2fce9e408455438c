# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""tcgen05.mma: products of whole numbers and of scaled blocks against exact arithmetic."""

from __future__ import annotations

import itertools
import random
import struct
import sys
import unittest
from dataclasses import dataclass
from fractions import Fraction

from emulated import Device, options
from ieee import BF16, E4M3, E5M2, F16, F32, Format, decoded, encoded
from tcgen05_kernels import ONE_THREAD, TARGET, WAIT, descriptor, epilogue, fill, launch, prologue
from tensors import told

E2M3, E3M2, E2M1 = (Format(e, m, has_infinity=False) for e, m in ((2, 3), (3, 2), (2, 1)))
HALF, SCALES = 49152, 98304  # bytes of shared memory: where B begins, and scale factors or metadata
FORMATS = {"f16": F16, "bf16": BF16, "tf32": F32, "e4m3": E4M3, "e5m2": E5M2, "e2m3": E2M3, "e3m2": E3M2, "e2m1": E2M1}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4}
CODES = {  # of the instruction descriptor
    "f16": {"f16": 0, "bf16": 1}, "tf32": {"tf32": 2}, "i8": {"u8": 0, "s8": 1},
    "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "mxf4": {"e2m1": 1},
}  # fmt: skip
CODES["mxf8f6f4"], CODES["mxf4nvf4"] = CODES["f8f6f4"], CODES["mxf4"]
DEPTHS = {"f16": 16, "tf32": 8, "mxf4": 64, "mxf4nvf4": 64}


@dataclass(frozen=True)
class Product:
    kind: str
    a: str
    b: str
    m: int
    n: int
    d: str = "f32"
    group: int = 1
    vector: int = 0  # scale factors of a row
    form: str = ""  # "a": A in tensor memory; "ws"; "sp"
    selector: int = 0  # of metadata
    negate: bool = False
    lanes_off: int = 0  # a word of disabled lanes

    @property
    def k(self) -> int:
        return DEPTHS.get(self.kind, 32) * (2 if self.form == "sp" else 1)

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.d}_{self.group}_{self.vector}_{self.form}_{bool(self.lanes_off)}"

    def descriptor(self) -> int:
        codes = CODES[self.kind]
        word = codes[self.a] << 7 | codes[self.b] << 10 | self.n // 8 << 17 | self.m // 16 << 24 | self.negate << 13 | (self.form == "sp") << 2 | self.selector
        if self.vector:
            return word | (self.vector != 4) << 23
        return word | {"f16": 0, "f32": 1, "s32": 2}[self.d] << 4


def multiply(p: Product) -> str:
    """D begins as 1.0f (or 1) everywhere."""
    one = {"f32": "0x3f800000", "f16": "0x3c00", "s32": "1"}[p.d]
    text = prologue("k" + p.name, p.group) + f"mov.b32 %v, {one};\n" + fill("%v", 256)
    a = "%a"
    if p.form == "a":  # A's rows are in shared memory, 128 bytes apart: each thread copies its own
        a = "[%g]"
        text += f"mov.u32 %s, memory; shl.b32 %v, %i, 7; add.u32 %s, %s, %v;\n"
        for column in range(0, 8, 4):
            text += f"ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%s+{4 * column}];\n"
            text += f"tcgen05.st.sync.aligned.32x32b.x4.b32 [%t+{256 + column}], {{%r0, %r1, %r2, %r3}};\n"
        text += "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
    if p.form == "sp":  # metadata: two words a lane
        text += f"mov.u32 %s, memory; shl.b32 %v, %i, 3; add.u32 %s, %s, %v;\nld.shared.v2.b32 {{%r0, %r1}}, [%s+{SCALES}];\n"
        text += "tcgen05.st.sync.aligned.32x32b.x2.b32 [%t+256], {%r0, %r1};\n"
        text += "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
    text += f"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nadd.u32 %g, %d, 256;\nadd.u32 %f, %d, 264;\n" + ONE_THREAD
    operands = f"[%d], {a}, %b, %how"
    group = f".cta_group::{p.group}"
    if p.vector:
        # Eight columns of factors for A, eight for B, each of 32 rows in every quarter.
        text += f"mov.u32 %v, memory; add.u32 %v, %v, {SCALES}; shr.u32 %v, %v, 4; cvt.u64.u32 %p, %v;\n"
        text += "mov.b64 %base, 0x0000400800010000; add.u64 %p, %p, %base;\n"
        for column in range(0, 16, 4):
            text += f"add.u32 %v, %g, {column};\ntcgen05.cp{group}.32x128b.warpx4 [%v], %p;\nadd.u64 %p, %p, 32;\n"
        name = f".scale_vec::{p.vector}X"
        text += f"tcgen05.mma{group}.kind::{p.kind}.block_scale{name} {operands}, [%g], [%f], %acc;\n"
    elif p.form == "ws":
        text += f"tcgen05.mma.ws{group}.kind::{p.kind}.collector::b0::discard {operands}, %acc;\n"
    elif p.form == "sp":
        text += f"tcgen05.mma.sp{group}.kind::{p.kind} [%d], %a, %b, [%g], %how, %acc;\n"
    elif p.lanes_off:
        words = ["%extra"] + ["0"] * (7 if p.group == 2 else 3)
        text += f"tcgen05.mma{group}.kind::{p.kind} {operands}, {{{', '.join(words)}}}, %acc;\n"
    else:
        text += f"tcgen05.mma{group}.kind::{p.kind} {operands}, %acc;\n"
    if p.group == 2:
        text += "{ .reg .b16 %m; mov.b16 %m, 3;\n"
        text += "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %m; }\n"
    else:
        text += "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n"
    return text + "ISSUED:\n" + WAIT + epilogue(p.group)


SPARSE = [
    Product("f16", "f16", "f16", 128, 64, form="sp"), Product("f16", "bf16", "bf16", 128, 32, form="sp", selector=1),
    Product("f16", "f16", "f16", 128, 32, d="f16", form="sp"), Product("tf32", "tf32", "tf32", 128, 16, form="sp"),
    Product("tf32", "tf32", "tf32", 128, 16, form="sp", selector=1), Product("f8f6f4", "e4m3", "e5m2", 128, 32, form="sp"),
    Product("f8f6f4", "e5m2", "e2m3", 128, 16, form="sp"), Product("i8", "s8", "u8", 128, 32, d="s32", form="sp"),
    Product("f16", "bf16", "bf16", 256, 32, group=2, form="sp"), Product("f8f6f4", "e4m3", "e4m3", 256, 32, group=2, form="sp", negate=True),
]  # fmt: skip
PRODUCTS = SPARSE + [
    Product("f16", "f16", "f16", 128, 64), Product("f16", "bf16", "bf16", 64, 24), Product("f16", "f16", "f16", 128, 256, d="f16"),
    Product("f16", "bf16", "bf16", 128, 32, negate=True), Product("tf32", "tf32", "tf32", 128, 16),
    Product("i8", "s8", "u8", 128, 32, d="s32"), Product("f16", "f16", "f16", 128, 32, form="a"),
    Product("f16", "f16", "f16", 64, 64, form="ws"), Product("f16", "f16", "f16", 32, 128, form="ws"),
    Product("f16", "f16", "f16", 128, 32, lanes_off=0x80000005),
    Product("f16", "bf16", "bf16", 256, 64, group=2), Product("f16", "f16", "f16", 128, 64, group=2),
    Product("mxf8f6f4", "e4m3", "e5m2", 128, 64, vector=1), Product("mxf8f6f4", "e2m1", "e4m3", 128, 64, vector=1),
    Product("mxf4", "e2m1", "e2m1", 128, 128, vector=2), Product("mxf4nvf4", "e2m1", "e2m1", 128, 256, vector=4),
    Product("mxf8f6f4", "e4m3", "e4m3", 256, 64, group=2, vector=1),
] + [Product("f8f6f4", a, b, 128, 16) for a, b in (("e4m3", "e5m2"), ("e5m2", "e2m3"), ("e2m3", "e3m2"), ("e3m2", "e2m1"), ("e2m1", "e4m3"))]  # fmt: skip


def unit_of(values: list[int], kind: str, packed: bool) -> bytes:
    """16 bytes of a row: elements of 4 and 6 bits are packed at their beginning, or fill them."""
    bits = BITS[kind]
    word = 0
    for i, value in enumerate(values):
        code = value & 0xFF if kind in ("s8", "u8") else encoded(Fraction(value), FORMATS[kind])
        word |= code << i * bits
    assert not packed or len(values) * bits == 128
    return word.to_bytes(16, "little")


def core_matrices(matrix: list[list[int]], kind: str, packed: bool) -> bytes:
    """Contiguous k, no swizzle: eight rows of 16 bytes together; 4096 bytes to the next along k, 128 along the rows."""
    each = 32 if packed else 16 if BITS[kind] < 8 else 128 // BITS[kind]
    data = bytearray(HALF)
    for r, row in enumerate(matrix):
        for k in range(0, len(row), each):
            at = r // 8 * 128 + k // each * 4096 + r % 8 * 16
            data[at : at + 16] = unit_of(row[k : k + each], kind, packed)
    return bytes(data)


def place_of_metadata(a: str, row: int, k: int) -> tuple[int, int]:
    """Lane and first bit of what stands for element k of a row: CuTe's layouts of 128 rows, whose strides count lanes first and then
    as many bits as stand for one element."""
    if a == "tf32":
        at, bits = row % 8 + row // 8 % 2 * 1024 + row // 16 * 16 + k % 8 * 128 + k // 8 * 8, 2
    elif BITS[a] == 16:
        at, bits = row % 8 + row // 8 % 2 * 2048 + row // 16 * 16 + k % 16 * 128 + k // 16 * 8, 1
    else:
        at, bits = row + k * 128, 1
    return at % 128, at // 128 * bits


def sparse_matrix(generator: random.Random, p: Product, rows: int, low: int) -> tuple[list[list[int]], list[list[int]], bytes]:
    """A matrix of `rows` rows, what is stored of it, and two words of metadata for each of a block's lanes."""
    chunk = 2 if p.a == "tf32" else 4
    pairs = list(itertools.combinations(range(4), 2))
    dense, stored, words = [], [], [0] * 128
    for row in range(rows):
        dense.append([0] * p.k)
        stored.append([])
        for k in range(0, p.k, chunk):
            places = [generator.randrange(2)] if chunk == 2 else generator.choice(pairs)
            for place in places:
                stored[-1].append(generator.randrange(low, 3))
                dense[-1][k + place] = stored[-1][-1]
            code = (0b0100, 0b1110)[places[0]] if chunk == 2 else places[0] | places[1] << 2
            lane, bit = place_of_metadata(p.a, row, k)
            words[lane] |= code << bit + 32 * p.selector
    return dense, stored, b"".join(word.to_bytes(8, "little") for word in words)


KERNELS = TARGET + "".join(multiply(p) for p in {p.name: p for p in PRODUCTS}.values())


def spot_of_d(p: Product, row: int, column: int) -> tuple[int, int, int]:
    """Block, lane and column of an element: the ISA's layouts A to G."""
    rows = p.m // p.group
    block, row = row // rows, row % rows
    if p.form == "ws" and p.m == 32:
        return block, row + column // (p.n // 4) * 32, column % (p.n // 4)
    if (p.form == "ws" and p.m == 64) or (p.group == 2 and p.m == 128):
        return block, row + column // (p.n // 2) * 64, column % (p.n // 2)
    if rows == 64:
        return block, row // 16 * 32 + row % 16, column
    return block, row, column


def factors(generator: random.Random, rows: int, p: Product) -> list[list[int]]:
    """Codes: ue8m0 near 1, or ue4m3 that are powers of two."""
    codes = [126, 127, 128] if p.vector != 4 else [0x30, 0x38, 0x40]
    return [[generator.choice(codes) for _ in range(p.vector)] for _ in range(rows)]


def factor(code: int, p: Product) -> Fraction:
    return Fraction(2) ** (code - 127) if p.vector != 4 else decoded(code, E4M3).fraction


def factor_bytes(a: list[list[int]], b: list[list[int]]) -> bytes:
    """32 rows of 16 words: eight columns for A, eight for B, in core matrices of 16 bytes that the copies take in turn."""
    words = [[0] * 16 for _ in range(32)]
    for first, rows in ((0, a), (8, b)):
        for r, row in enumerate(rows):
            words[r % 32][first + r // 32] = sum(code << 8 * i for i, code in enumerate(row))
    data = bytearray(2048)
    for row in range(32):
        for column in range(16):
            # Copies step by 512 bytes: 32 rows of 16 bytes.
            at = column // 4 * 512 + row * 16 + column % 4 * 4
            data[at : at + 4] = words[row][column].to_bytes(4, "little")
    return bytes(data)


class Tcgen05Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def product(self, p: Product, seed: int) -> tuple[list[bytes], list[list[Fraction]]]:
        """What the blocks' tensor memory holds, and the product."""
        generator = random.Random(seed)
        low = 0 if "u8" in (p.a, p.b) else -1 if "e2m1" in (p.a, p.b) else -2
        left, right = ([[generator.randrange(low, 3) for _ in range(p.k)] for _ in range(rows)] for rows in (p.m, p.n))
        packed = p.kind in ("mxf4", "mxf4nvf4")
        rows, columns = p.m // p.group, p.n // p.group
        stored, metadata = left, [b""] * p.group
        if p.form == "sp":
            dense, parts, metadata = zip(*(sparse_matrix(generator, p, rows, low) for _ in range(p.group)))
            left, stored = sum(dense, []), sum(parts, [])
        scales_a, scales_b = factors(generator, p.m, p), factors(generator, p.n, p)
        content = []
        for block in range(p.group):
            part = stored[block * rows : (block + 1) * rows]
            a = core_matrices(part, p.a, packed)
            if p.form == "a":  # rows of 128 bytes
                a = b"".join(b"".join(unit_of(row[k : k + 8], p.a, False) for k in range(0, p.k, 8)).ljust(128, b"\0") for row in part)
            data = a.ljust(HALF, b"\0") + core_matrices(right[block * columns : (block + 1) * columns], p.b, packed)
            if p.form == "sp":
                data = data.ljust(SCALES, b"\0") + metadata[block]
            if p.vector:
                data = data.ljust(SCALES, b"\0") + factor_bytes(scales_a[block * rows : (block + 1) * rows], scales_b)
            content.append(data)
        found = launch(self.device, KERNELS, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor(), p.lanes_off)
        each = p.k // max(p.vector, 1)
        sign = -1 if p.negate else 1
        scaled_left, scaled_right = (
            [[value * (factor(codes[k // each], p) if p.vector else 1) for k, value in enumerate(row)] for row, codes in zip(matrix, scales)]
            for matrix, scales in ((left, scales_a), (right, scales_b))
        )
        wanted = [[1 + sign * sum(x * y for x, y in zip(row, column)) for column in scaled_right] for row in scaled_left]
        return found, wanted

    def test_products(self) -> None:
        for seed, p in enumerate(PRODUCTS):
            with self.subTest(p):
                found, wanted = self.product(p, seed)
                code, mask = {"f32": ("<f", 4), "s32": ("<i", 4), "f16": ("<e", 2)}[p.d]
                for row in range(0, p.m):
                    for column in range(p.n):
                        block, lane, at = spot_of_d(p, row, column)
                        offset = (lane * 256 + at) * 4
                        value = struct.unpack(code, found[block][offset : offset + mask])[0]
                        disabled = p.lanes_off >> lane & 1 if lane < 32 else 0
                        self.assertEqual(value, 1 if disabled else wanted[row][column], (row, column))

    def test_another_layout_is_another_product(self) -> None:
        p = Product("f16", "f16", "f16", 128, 64)
        data = core_matrices([[r % 5 - 2 + k % 3 for k in range(16)] for r in range(128)], "f16", False)
        one, other = (launch(self.device, KERNELS, "k" + p.name, [data + data], a, descriptor(HALF), p.descriptor())[0] for a in (descriptor(0), descriptor(0, 128, 4096)))
        self.assertNotEqual(one, other)

    def test_bad_instruction_descriptors_are_told(self) -> None:
        p = Product("f16", "f16", "f16", 128, 64)
        for sentence, how in {
            "of the shape 128 x 24 with .cta_group::1, which there is not": Product("f16", "f16", "f16", 128, 24).descriptor(),
            "its types 1, 5 and 0 are none of this kind": p.descriptor() | 5 << 7,
            "without .sp with the instruction descriptor of a sparse matrix": p.descriptor() | 4,
        }.items():
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, lambda d, how=how: launch(d, KERNELS, "k" + p.name, [b""], descriptor(0), descriptor(HALF), how)))

    def test_zeros_need_no_metadata(self) -> None:
        p = SPARSE[0]
        b = core_matrices([[1] * p.k] * p.n, p.b, False)
        rows = core_matrices([[1] * (p.k // 2)] * 8 + [[0] * (p.k // 2)] * 120, p.a, False)
        content = [rows + b.ljust(HALF, b"\0") + b"\x44\x44\0\0\0\0\0\0" * 16 + bytes(896)]  # of the first eight rows
        found = launch(self.device, KERNELS, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor())[0]
        values = [struct.unpack("<f", found[lane * 1024 : lane * 1024 + 4])[0] for lane in range(128)]
        self.assertEqual(values, [1 + p.k // 2] * 8 + [1] * 120)

    def test_bad_sparsity_is_told(self) -> None:
        wide, narrow = SPARSE[0], Product("f8f6f4", "e4m3", "e5m2", 128, 32, form="sp")
        for sentence, p, how, words in (
            ("whose sparsity metadata 0x44444440 at lane 0, column 256 has 0b0000 in bits 0 to 3, for row 0, columns 0 to 3; expected two", wide, 0, b"\x40\x44\x44\x44"),
            ("has 0b0001 in bits 20 to 23, for row 8, columns 4 to 7", wide, 0, b"\x44\x44\x14\x44"),
            (".sp with the instruction descriptor of a dense matrix", wide, 4, b""),
            ("the sparsity selector 2, which the emulator does not know", wide, 2, b""),
            ("the sparsity selector 1, which the emulator does not know", narrow, 1, b""),
        ):
            with self.subTest(sentence):
                ones = core_matrices([[1] * (p.k // 2)] * 128, p.a, False)
                content = [ones.ljust(SCALES, b"\0") + (words.ljust(4, b"\x44") + b"\x44" * 4) * 128]
                self.assertIn(sentence, told(ARGUMENTS, lambda d, p=p, how=how, content=content: launch(
                    d, KERNELS, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor() ^ how)))  # fmt: skip


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
