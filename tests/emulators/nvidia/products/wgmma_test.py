# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""wgmma: the answers of an H200 bit for bit (h200_wgmma.json), exact products of whole numbers, and what is seen of a
missing wait."""

from __future__ import annotations

import ctypes
import hashlib
import json
import random
import struct
import sys
import unittest
from fractions import Fraction
from pathlib import Path

from emulated import Buffer, Device, options
from ieee import BF16, E4M3, E5M2, F16, F32, encoded
from tensors import HEADER, computed, told

THREADS, SHARED = 128, 65536
FORMATS = {"f16": F16, "bf16": BF16, "tf32": F32, "e4m3": E4M3, "e5m2": E5M2}
SIZES = {"f16": 2, "bf16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}
# Of the recorded answers: shape and types, input, scales and transposes, whether A is in registers.
KINDS = [
    ("m64n64k16.f32.bf16.bf16", "bf16", "1, 1, 0, 0"), ("m64n64k16.f32.bf16.bf16", "bf16", "1, 1, 1, 0"),
    ("m64n64k16.f32.bf16.bf16", "bf16", "1, 1, 0, 1"), ("m64n64k16.f32.f16.f16", "f16", "-1, 1, 1, 1"),
    ("m64n64k8.f32.tf32.tf32", "f32", "1, 1"), ("m64n64k32.f32.e4m3.e5m2", "e4m3", "1, 1"),
    ("m64n64k32.s32.s8.u8", "bytes", ""), ("m64n64k16.f32.bf16.bf16", "bf16", "1, -1, 1"),
]  # fmt: skip
REGISTERS_OF_A = 7  # of KINDS, the one whose A is in registers

PROLOGUE = f"""(.param .u64 out, .param .u64 in, .param .u64 a, .param .u64 b, .param .u32 scale)
{{
.reg .b32 %i, %at, %v, %s, %d<128>, %e<128>, %r<4>;
.reg .f32 %f;
.reg .b64 %o, %p, %a, %b, %base;
.reg .pred %q, %scale;
mov.u32 %i, %tid.x;
ld.param.u64 %o, [out];
ld.param.u64 %p, [in];
mad.wide.u32 %p, %i, 16, %p;
ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%p];
mov.u32 %s, memory;
shr.u32 %v, %s, 4;
cvt.u64.u32 %base, %v;
ld.param.u64 %a, [a]; add.u64 %a, %a, %base;
ld.param.u64 %b, [b]; add.u64 %b, %b, %base;
ld.param.u32 %v, [scale]; setp.ne.u32 %scale, %v, 0;
mad.lo.u32 %s, %i, 16, %s;
mov.u32 %at, 0;
IN: ld.global.v4.b32 {{%d0, %d1, %d2, %d3}}, [%p];
st.shared.v4.b32 [%s], {{%d0, %d1, %d2, %d3}};
add.u32 %s, %s, 2048; add.u64 %p, %p, 2048; add.u32 %at, %at, 2048;
setp.lt.u32 %q, %at, {SHARED};
@%q bra IN;
fence.proxy.async.shared::cta;
bar.sync 0;
"""


def registers(count: int, name: str = "d") -> str:
    return ", ".join(f"%{name}{i}" for i in range(count))


def initial(count: int, integers: bool) -> str:
    """The accumulator before: i / 2 + thread, or 3 i + thread."""
    text = "cvt.rn.f32.u32 %f, %i;\n"
    for i in range(count):
        text += f"add.u32 %d{i}, %i, {3 * i};\n" if integers else f"add.f32 %d{i}, %f, {i / 2:.1f};\n"
    return text


def stores(count: int, integers: bool, name: str = "d") -> str:
    text = f"mad.wide.u32 %o, %i, {4 * count}, %o;\n"
    for i in range(count):
        text += f"cvt.rn.f32.s32 %{name}{i}, %{name}{i};\n" if integers else ""
        text += f"st.global.b32 [%o+{4 * i}], %{name}{i};\n"
    return text + "ret;\n}\n"


WAIT = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"


def product(types: str, count: int, rest: str, a: str = "%a", name: str = "d") -> str:
    return f"wgmma.mma_async.sync.aligned.{types} {{{registers(count, name)}}}, {a}, %b, %scale{', ' + rest if rest else ''};\n"


def kernel(name: str, body: str) -> str:
    return f".visible .entry {name}{PROLOGUE}{body}"


def recorded(kind: int) -> str:
    types, _, rest = KINDS[kind]
    a = "{%r0, %r1, %r2, %r3}" if kind == REGISTERS_OF_A else "%a"
    integers = "s32" in types
    return kernel(f"recorded{kind}", initial(32, integers) + "wgmma.fence.sync.aligned;\n" + product(types, 32, rest, a) + WAIT + stores(32, integers))


PLAIN = "m64n8k16.f32.bf16.bf16"
FENCE = "wgmma.fence.sync.aligned;\n"
SPECIAL = {
    "early": initial(4, False) + FENCE + product(PLAIN, 4, "1, 1, 0, 0") + "wgmma.commit_group.sync.aligned;\n" + stores(4, False),
    "waited": initial(4, False) + FENCE + product(PLAIN, 4, "1, 1, 0, 0") + WAIT + stores(4, False),
    "unfenced": initial(4, False) + product(PLAIN, 4, "1, 1, 0, 0") + WAIT + stores(4, False),
    # Copies of registers in flight, as a compiler makes them where both are one register.
    "copies": initial(4, False) + FENCE + product(PLAIN, 4, "1, 1, 0, 0")
    + "".join(f"mov.b32 %e{i}, %d{i};\n" for i in range(4)) + product(PLAIN, 4, "1, 1, 0, 0", name="e")
    + "wgmma.commit_group.sync.aligned;\n" + "".join(f"mov.b32 %d{i + 4}, %e{i};\n" for i in range(4))
    + "wgmma.wait_group.sync.aligned 0;\n" + "".join(f"mov.b32 %e{i}, %d{i + 4};\n" for i in range(4)) + stores(4, False, "e"),
    # Shared memory changes before the wait.
    "reused": initial(4, False) + FENCE + product(PLAIN, 4, "1, 1, 0, 0") + "wgmma.commit_group.sync.aligned;\n"
    "mov.u32 %s, memory; mad.lo.u32 %s, %i, 16, %s; mov.b32 %v, 0;\nst.shared.v4.b32 [%s], {%v, %v, %v, %v};\n"
    "bar.sync 0;\nwgmma.wait_group.sync.aligned 0;\n" + stores(4, False),
    # The older of two groups is waited for.
    "older": initial(4, False) + "".join(f"mov.b32 %e{i}, %d{i};\n" for i in range(4)) + FENCE + product(PLAIN, 4, "1, 1, 0, 0")
    + "wgmma.commit_group.sync.aligned;\n" + product(PLAIN, 4, "1, 1, 0, 0", name="e") + "wgmma.commit_group.sync.aligned;\n"
    "wgmma.wait_group.sync.aligned 1;\n" + stores(4, False),
}  # fmt: skip
SHAPES = [
    (n, k, d, a, b)
    for a, b, d, k in (
        ("f16", "f16", "f32", 16), ("f16", "f16", "f16", 16), ("bf16", "bf16", "f32", 16), ("tf32", "tf32", "f32", 8),
        ("e4m3", "e5m2", "f32", 32), ("e5m2", "e4m3", "f16", 32), ("s8", "u8", "s32", 32), ("u8", "s8", "s32", 32),
    )
    for n in (8, 24, 256)
]  # fmt: skip


def count_of(n: int, d: str) -> int:
    return n // (4 if d == "f16" else 2)


def exact(n: int, k: int, d: str, a: str, b: str, registers_of_a: bool) -> str:
    rest = "" if d == "s32" else "1, -1" + (("" if registers_of_a else ", 0") + ", 0" if SIZES[a] == 2 else "")
    name = f"n{n}_{d}_{a}_{b}{'_registers' if registers_of_a else ''}"
    operand = "{%r0, %r1, %r2, %r3}" if registers_of_a else "%a"
    zero = "".join(f"mov.b32 %d{i}, 0;\n" for i in range(count_of(n, d)))
    return kernel(name, zero + FENCE + product(f"m64n{n}k{k}.{d}.{a}.{b}", count_of(n, d), rest, operand) + WAIT + stores(count_of(n, d), False))


KERNELS = (
    HEADER.format("sm_90a") + f".extern .shared .align 1024 .b8 memory[];\n" + "".join(recorded(i) for i in range(len(KINDS)))
    + "".join(kernel(name, body) for name, body in SPECIAL.items())
    + "".join(exact(*shape, in_registers) for shape in SHAPES for in_registers in (False, True))
)  # fmt: skip


class Generator:
    """The inputs of the recorded program: a linear congruential generator of 32 bits."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def integer(self) -> int:
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return self.state >> 8

    def number(self) -> float:
        return (self.integer() % 2001 - 1000) / 500

    def bytes(self, kind: str) -> bytes:
        data = bytearray()
        while len(data) < SHARED:
            x = self.number()
            if kind == "f16":
                data += struct.pack("<e", struct.unpack("<f", struct.pack("<f", x))[0])
            elif kind == "bf16":
                bits = struct.unpack("<I", struct.pack("<f", x))[0]
                data += struct.pack("<H", bits + 0x7FFF + (bits >> 16 & 1) >> 16)
            elif kind == "f32":
                data += struct.pack("<f", x)
            elif kind == "e4m3":
                data.append((self.integer() & 0x87) | 0x30 | (self.integer() & 8))
            else:
                data.append(self.integer() & 255)
        return bytes(data)


def descriptor(start: int, leading: int, stride: int, swizzle: int = 0) -> int:
    return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | (0 if swizzle == 0 else 4 - swizzle) << 62


def launch(device: Device, name: str, content: bytes, a: int, b: int, accumulate: bool, count: int) -> bytes:
    module = device.load(KERNELS)
    memory, out = Buffer(device, content.ljust(SHARED + 2048, b"\0")), Buffer(device, bytes(4 * count * THREADS))
    arguments = [ctypes.c_uint64(x) for x in (out.at.value, memory.at.value, a, b)]
    device.launch(module, name, 1, THREADS, [*arguments, ctypes.c_uint32(accumulate)], shared=SHARED)
    return out.bytes()


def code(value: int, kind: str) -> int:
    return value & 0xFF if kind in ("s8", "u8") else encoded(Fraction(value), FORMATS[kind])


def core_matrices(matrix: list[list[int]], kind: str, leading: int, stride: int) -> bytes:
    """Rows with contiguous k: eight rows of 16 bytes one behind another, `leading` bytes from one to the next along k."""
    size = SIZES[kind]
    data = bytearray(SHARED // 2)
    for r, row in enumerate(matrix):
        for k, value in enumerate(row):
            at = r // 8 * stride + k * size // 16 * leading + r % 8 * 16 + k * size % 16
            data[at : at + size] = code(value, kind).to_bytes(size, "little")
    return bytes(data)


def fragments(matrix: list[list[int]], kind: str) -> bytes:
    """A's registers, thread by thread: rows lane / 4 and that + 8 of the warp's 16, four lanes side by side."""
    size, data = SIZES[kind], b""
    each = 4 // size
    for thread in range(THREADS):
        row, lane = thread // 32 * 16 + thread % 32 // 4, thread % 4
        for r in range(4):
            for e in range(each):
                value = matrix[row + 8 * (r % 2)][r // 2 * 4 * each + lane * each + e]
                data += code(value, kind).to_bytes(size, "little")
    return data


def result(data: bytes, n: int, d: str) -> list[list[float]]:
    """The accumulator's fragments as a matrix."""
    values = struct.unpack(f"<{len(data) // (2 if d == 'f16' else 4)}{ {'f16': 'e', 'f32': 'f', 's32': 'i'}[d] }", data)
    matrix = [[0.0] * n for _ in range(64)]
    for thread in range(THREADS):
        for i in range(n // 2):
            row, column = thread // 32 * 16 + thread % 32 // 4 + 8 * (i // 2 % 2), i // 4 * 8 + thread % 4 * 2 + i % 2
            matrix[row][column] = values[thread * (n // 2) + i]
    return matrix


class WgmmaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_an_h200_gives_the_same_bits(self) -> None:
        rows = json.loads(Path(__file__).with_name("h200_wgmma.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(len(rows), 96)
        inputs = {kind: Generator((40 + kind) * 7 + 1).bytes(KINDS[kind][1]) for kind in range(len(KINDS))}
        for kind, swizzle, a, b, leading, stride, accumulate, digest in rows:
            with self.subTest(kind=kind, swizzle=swizzle, a=a, leading=leading, stride=stride):
                found = launch(self.device, f"recorded{kind}", inputs[kind], descriptor(a, leading, stride, swizzle),
                               descriptor(b, leading, stride, swizzle), bool(accumulate), 32)  # fmt: skip
                self.assertEqual(hashlib.sha256(found).hexdigest(), digest)

    def test_products_of_whole_numbers_are_exact(self) -> None:
        for index, (n, k, d, a, b) in enumerate(SHAPES):
            generator = random.Random(index)
            low = 0 if "u8" in (a, b) else -4
            left, right = ([[generator.randrange(low, 5) for _ in range(k)] for _ in range(rows)] for rows in (64, n))
            sign = 1 if d == "s32" else -1  # imm-scale-b
            wanted = [[float(sign * sum(x * y for x, y in zip(row, column))) for column in right] for row in left]
            for in_registers in (False, True):
                with self.subTest(n=n, d=d, a=a, b=b, in_registers=in_registers):
                    name = f"n{n}_{d}_{a}_{b}{'_registers' if in_registers else ''}"
                    first = fragments(left, a).ljust(SHARED // 2, b"\0") if in_registers else core_matrices(left, a, 1024, 128)
                    content = first + core_matrices(right, b, 4096, 128)
                    found = launch(self.device, name, content, descriptor(0, 1024, 128), descriptor(SHARED // 2, 4096, 128), True, count_of(n, d))
                    self.assertEqual(result(found, n, d), wanted)

    def test_another_layout_is_another_product(self) -> None:
        content = Generator(1).bytes("bf16")
        one, other = (launch(self.device, "recorded0", content, descriptor(0, 128, stride), descriptor(32768, 128, 256), True, 32) for stride in (256, 512))
        self.assertNotEqual(one, other)

    def test_a_missing_wait_is_seen(self) -> None:
        content = Generator(2).bytes("bf16")
        a, b = descriptor(0, 128, 256), descriptor(32768, 128, 256)
        before = struct.pack("<512f", *(thread + i / 2 for thread in range(THREADS) for i in range(4)))
        right = launch(self.device, "waited", content, a, b, True, 4)
        self.assertNotEqual(right, before)
        for mode in ("lazy", "eager", "random:1"):
            self.assertRegex(told(ARGUMENTS, lambda d: launch(d, "early", content, a, b, True, 4), mode),
                             r"a product that is not waited for: it reads the register %d0, which a wgmma.mma_async writes that block")  # fmt: skip
        self.assertEqual(launch(self.device, "older", content, a, b, True, 4), right)
        # Rows of A that the threads overwrote before the wait.
        self.assertEqual(computed(ARGUMENTS, lambda d: launch(d, "reused", content, a, b, True, 4), "eager"), right)
        self.assertNotEqual(launch(self.device, "reused", content, a, b, True, 4), right)

    def test_copies_of_registers_in_flight_wait_too(self) -> None:
        content = Generator(3).bytes("bf16")
        a, b = descriptor(0, 128, 256), descriptor(32768, 128, 256)
        eager = computed(ARGUMENTS, lambda d: launch(d, "copies", content, a, b, True, 4), "eager")
        for mode in ("lazy", "random:1", "random:2"):
            self.assertEqual(computed(ARGUMENTS, lambda d: launch(d, "copies", content, a, b, True, 4), mode), eager)

    def test_mistakes_are_told(self) -> None:
        content = bytes(SHARED)
        good = descriptor(0, 128, 256)
        for sentence, run in {
            "wgmma.mma_async without a wgmma.fence before the first one": lambda d: launch(d, "unfenced", content, good, good, True, 4),
            "behind the block's 65536 bytes": lambda d: launch(d, "early", content, good, descriptor(65536, 128, 256), True, 4),
            "has a base offset, which the emulator does not know": lambda d: launch(d, "early", content, good | 1 << 49, good, True, 4),
        }.items():  # fmt: skip
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, run, "eager"))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
