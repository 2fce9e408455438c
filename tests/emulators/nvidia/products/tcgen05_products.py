# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Products by tcgen05.mma: a kernel of each, what its blocks' memories hold before, and what exact arithmetic gives. Layouts are those
of the ISA's figures and of CuTe, written out once more."""

from __future__ import annotations

import itertools
import math
import random
import struct
import unittest
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from emulated import Device
from ieee import BF16, E4M3, E5M2, F16, F32, Format, decoded, encoded
from tcgen05_kernels import ONE_THREAD, WAIT, descriptor, epilogue, fill, launch, prologue

E2M3, E3M2, E2M1 = (Format(e, m, has_infinity=False) for e, m in ((2, 3), (3, 2), (2, 1)))
HALF, SCALES, METADATA = 49152, 98304, 102400  # bytes of shared memory: where B begins, scale factors and metadata
# Columns of tensor memory behind D's: of A, of metadata and of scale factors.
A_AT, METADATA_AT, SCALE_A_AT, SCALE_B_AT = 256, 272, 288, 296
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
    form: str = ""  # of "a": A in tensor memory; "ws"; "sp"
    selector: int = 0  # of metadata
    negate: bool = False
    lanes_off: int = 0  # a word of disabled lanes
    lane: int = 0  # the first one, of those that take half of them
    exponents: bool = False  # scale factors are ue8m0 though there are four of them
    mask: int | None = None  # of columns

    def has(self, part: str) -> bool:
        return part in self.form.split()

    @property
    def rows(self) -> int:  # of a block
        return self.m // self.group

    @property
    def packed(self) -> bool:
        return self.kind in ("mxf4", "mxf4nvf4")

    @property
    def k(self) -> int:
        return DEPTHS.get(self.kind, 32) * (2 if self.has("sp") else 1)

    @property
    def half_of_lanes(self) -> bool:
        """The ISA's layouts F and C: 16 of every 32 lanes."""
        return self.rows == 64 and not self.has("ws") and (self.group == 1 or self.has("sp"))

    @property
    def name(self) -> str:
        parts = (self.kind, self.d, self.group, self.vector, *self.form.split(), bool(self.lanes_off), self.lane, self.mask)
        return "_".join(str(part) for part in parts)

    def descriptor(self) -> int:
        codes = CODES[self.kind]
        word = codes[self.a] << 7 | codes[self.b] << 10 | self.n // 8 << 17 | self.m // 16 << 24 | self.negate << 13 | self.has("sp") << 2 | self.selector
        if self.vector:
            return word | (self.vector != 4 or self.exponents) << 23
        return word | {"f16": 0, "f32": 1, "s32": 2}[self.d] << 4


def multiply(p: Product) -> str:
    """D begins as 1.0f (or 1) everywhere."""
    one = {"f32": "0x3f800000", "f16": "0x3c00", "s32": "1"}[p.d]
    text = prologue("k" + p.name, p.group) + f"mov.b32 %v, {one};\n" + fill("%v", 256)
    done = "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
    if p.has("a"):  # what each lane has of A lies in shared memory, 128 bytes apart
        text += "mov.u32 %s, memory; shl.b32 %v, %i, 7; add.u32 %s, %s, %v;\n"
        for column in range(0, 8, 4):
            text += f"ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%s+{4 * column}];\n"
            text += f"tcgen05.st.sync.aligned.32x32b.x4.b32 [%t+{A_AT + column}], {{%r0, %r1, %r2, %r3}};\n"
        text += done
    if p.has("sp"):  # metadata: two words a lane
        text += f"mov.u32 %s, memory; shl.b32 %v, %i, 3; add.u32 %s, %s, %v;\nld.shared.v2.b32 {{%r0, %r1}}, [%s+{METADATA}];\n"
        text += f"tcgen05.st.sync.aligned.32x32b.x2.b32 [%t+{METADATA_AT}], {{%r0, %r1}};\n" + done
    text += "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" + ONE_THREAD
    group, sparse = f".cta_group::{p.group}", ".sp" if p.has("sp") else ""
    text += f"add.u32 %x, %d, {p.lane << 16 | A_AT}; add.u32 %y, %d, {p.lane << 16 | METADATA_AT};\n"
    text += f"add.u32 %g, %d, {SCALE_A_AT}; add.u32 %f, %d, {SCALE_B_AT}; add.u32 %z, %d, {p.lane << 16};\n"
    operands = f"[%z], {'[%x]' if p.has('a') else '%a'}, %b, {'[%y], ' if sparse else ''}%how"
    if p.vector:
        # Eight columns of factors for A, eight for B, each of 32 rows in every quarter.
        text += f"mov.u32 %v, memory; add.u32 %v, %v, {SCALES}; shr.u32 %v, %v, 4; cvt.u64.u32 %p, %v;\n"
        text += "mov.b64 %base, 0x0000400800010000; add.u64 %p, %p, %base;\n"
        for column in range(0, 16, 4):
            text += f"add.u32 %v, %g, {column};\ntcgen05.cp{group}.32x128b.warpx4 [%v], %p;\nadd.u64 %p, %p, 32;\n"
        text += f"tcgen05.mma{sparse}{group}.kind::{p.kind}.block_scale.scale_vec::{p.vector}X {operands}, [%g], [%f], %acc;\n"
    elif p.has("ws"):
        mask = ""
        if p.mask is not None:
            text += f"mov.b64 %base, {p.mask};\n"
            mask = ", %base"
        text += f"tcgen05.mma.ws{sparse}{group}.kind::{p.kind}.collector::b0::discard {operands}, %acc{mask};\n"
    else:
        off = ""
        if p.lanes_off:
            off = f"{{{', '.join(['%extra'] + ['0'] * (7 if p.group == 2 else 3))}}}, "
        text += f"tcgen05.mma{sparse}{group}.kind::{p.kind} {operands}, {off}%acc;\n"
    if p.group == 2:
        text += "{ .reg .b16 %m; mov.b16 %m, 3;\n"
        text += "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %m; }\n"
    else:
        text += "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n"
    return text + "ISSUED:\n" + WAIT + epilogue(p.group)


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


def unit_of_bytes(values: list[int], kind: str) -> bytes:
    """Elements as tensor memory has them, a byte each where they are narrower: e2m1 in its middle, those of six bits below."""
    return b"".join((encoded(Fraction(value), FORMATS[kind]) << (2 if kind == "e2m1" else 0)).to_bytes(1, "little") for value in values)


def places_of_metadata(p: Product, row: int, k: int) -> list[tuple[int, int]]:
    """Lanes and first bit of what stands for element k of a block's row. CuTe's layouts, whose strides count lanes first and then as
    many bits as stand for one element; where they take half of the lanes, 16 rows are beside each other."""
    if p.a == "tf32":
        at, bits = row % 8 + row // 8 % 2 * 1024 + row // 16 * 16 + k % 8 * 128 + k // 8 * 8, 2
    elif BITS[p.a] == 16:
        at, bits = row % 8 + row // 8 % 2 * 2048 + row // 16 * 16 + k % 16 * 128 + k // 16 * 8, 1
    else:
        at, bits = row + (k // 2 if p.packed else k) * 128, 1
    return [(lane, at // 128 * bits) for lane in lanes_of(p, at % 128)]


def lanes_of(p: Product, row: int) -> list[int]:
    """All that hold what a row of A has in tensor memory."""
    if p.half_of_lanes:
        return [row // 16 * 32 + row % 16 + p.lane]
    return [row + copy * p.rows for copy in range(128 // p.rows)]


def sparse_matrix(generator: random.Random, p: Product, low: int) -> tuple[list[list[int]], list[list[int]], bytes]:
    """A block's rows of A, what is stored of them, and two words of metadata for each of its lanes."""
    chunk = 2 if p.a == "tf32" else 8 if p.packed else 4
    together = 2 if p.packed else 1  # elements that are stored or not
    pairs = list(itertools.combinations(range(4), 2))
    dense, stored, words = [], [], [0] * 128
    for row in range(p.rows):
        dense.append([0] * p.k)
        stored.append([])
        for k in range(0, p.k, chunk):
            places = [generator.randrange(2)] if chunk == 2 else generator.choice(pairs)
            for place in places:
                for i in range(together):
                    stored[-1].append(generator.randrange(low, 3))
                    dense[-1][k + place * together + i] = stored[-1][-1]
            code = (0b0100, 0b1110)[places[0]] if chunk == 2 else places[0] | places[1] << 2
            for lane, bit in places_of_metadata(p, row, k):
                words[lane] |= code << bit + 32 * p.selector
    return dense, stored, b"".join(word.to_bytes(8, "little") for word in words)


def lanes_of_a(p: Product, rows: list[list[int]]) -> bytes:
    """What each lane has of A in tensor memory, 128 bytes apart."""
    lanes = [b""] * 128
    for r, row in enumerate(rows):
        each = 128 // BITS[p.a]
        if BITS[p.a] < 8 and not p.packed:
            text = unit_of_bytes(row, p.a)
        else:
            text = b"".join(unit_of(row[k : k + each], p.a, False) for k in range(0, len(row), each))
        for lane in lanes_of(p, r):
            lanes[lane] = text
    return b"".join(lane.ljust(128, b"\0") for lane in lanes)


def spot_of_d(p: Product, row: int, column: int) -> tuple[int, int, int]:
    """Block, lane and column of an element: the ISA's layouts A to G."""
    block, row = row // p.rows, row % p.rows
    if p.half_of_lanes:
        return block, row // 16 * 32 + row % 16 + p.lane, column
    copies = 128 // p.rows
    return block, row + column // (p.n // copies) * p.rows, column % (p.n // copies)


def factors(generator: random.Random, rows: int, p: Product) -> list[list[int]]:
    """Codes: ue8m0 near 1, or ue4m3 that are powers of two."""
    codes = [126, 127, 128] if p.vector != 4 or p.exponents else [0x30, 0x38, 0x40]
    return [[generator.choice(codes) for _ in range(p.vector)] for _ in range(rows)]


def factor(code: int, p: Product) -> Fraction:
    return Fraction(2) ** (code - 127) if p.vector != 4 or p.exponents else decoded(code, E4M3).fraction


def whole(matrix: list[list[int | Fraction]]) -> tuple[list[list[int]], int]:
    """The matrix in units of which all its elements are multiples, and how many of them make 1: sums of fractions take long."""
    units = math.lcm(*(value.denominator for row in matrix for value in row))
    return [[value.numerator * (units // value.denominator) for value in row] for row in matrix], units


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


def product(device: Device, kernels: str, p: Product, seed: int) -> tuple[list[bytes], list[list[Fraction]]]:
    """What the blocks' tensor memory holds, and the product."""
    generator = random.Random(seed)
    low = 0 if "u8" in (p.a, p.b) else -1 if "e2m1" in (p.a, p.b) else -2
    shifted = (p.mask or 0) >> 56 & 0x3F  # columns of B behind
    left, right = ([[generator.randrange(low, 3) for _ in range(p.k)] for _ in range(rows)] for rows in (p.m, p.n + shifted))
    columns = p.n // p.group
    stored, metadata = left, [b""] * p.group
    if p.has("sp"):
        dense, parts, metadata = zip(*(sparse_matrix(generator, p, low) for _ in range(p.group)))
        left, stored = sum(dense, []), sum(parts, [])
    scales_a, scales_b = factors(generator, p.m, p), factors(generator, p.n, p)
    content = []
    for block in range(p.group):
        part = stored[block * p.rows : (block + 1) * p.rows]
        a = lanes_of_a(p, part) if p.has("a") else core_matrices(part, p.a, p.packed)
        data = a.ljust(HALF, b"\0") + core_matrices(right[block * columns : (block + 1) * columns + shifted], p.b, p.packed)
        if p.vector:
            data = data.ljust(SCALES, b"\0") + factor_bytes(scales_a[block * p.rows : (block + 1) * p.rows], scales_b)
        content.append(data.ljust(METADATA, b"\0") + metadata[block])
    found = launch(device, kernels, "k" + p.name, content, descriptor(0), descriptor(HALF), p.descriptor(), p.lanes_off)
    each = p.k // max(p.vector, 1)
    sign = -1 if p.negate else 1
    right = right[shifted:]
    (scaled_left, units), (scaled_right, units_of_right) = (
        whole([[value * (factor(codes[k // each], p) if p.vector else 1) for k, value in enumerate(row)] for row, codes in zip(matrix, scales)])
        for matrix, scales in ((left, scales_a), (right, scales_b))
    )
    units *= units_of_right
    wanted = [[1 + Fraction(sign * sum(map(mul, row, column)), units) for column in scaled_right] for row in scaled_left]
    return found, wanted


def masked_columns(p: Product) -> list[bool]:
    """The ISA's examples: of each copy of the rows spans of columns in turn, which zeros or B's values stand for."""
    if p.mask is None or not p.mask >> 39 & 1:
        return [False] * p.n
    spans, masked = {True: (p.mask >> 40 & 255) + 1, False: (p.mask >> 48 & 255) + 1}, []
    copies = 128 // p.rows
    for copy in range(copies):
        zeros = bool(p.mask >> 32 + copy & 1)
        endless = itertools.cycle([zeros] * spans[zeros] + [not zeros] * spans[not zeros])
        masked += itertools.islice(endless, p.mask >> 8 * copy & 255, (p.mask >> 8 * copy & 255) + p.n // copies)
    return masked


def hold(test: unittest.TestCase, device: Device, kernels: str, p: Product, seed: int) -> None:
    """The whole product is what it must be."""
    found, wanted = product(device, kernels, p, seed)
    zeros = masked_columns(p)
    code, size = {"f32": ("<f", 4), "s32": ("<i", 4), "f16": ("<e", 2)}[p.d]
    for row in range(p.m):
        for column in range(p.n):
            block, lane, at = spot_of_d(p, row, column)
            offset = (lane * 256 + at) * 4
            value = struct.unpack(code, found[block][offset : offset + size])[0]
            disabled = zeros[column] or (p.lanes_off >> lane & 1 if lane < 32 else 0)
            test.assertEqual(value, 1 if disabled else wanted[row][column], (row, column))


def kernels_of(products: list[Product]) -> str:
    return "".join(multiply(p) for p in {p.name: p for p in products}.values())
