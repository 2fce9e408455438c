# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tensor memory: fragments of registers, copies from shared memory, and mistakes with their sentences."""

from __future__ import annotations

import os
import random
import re
import struct
import sys
import tempfile
import unittest
from itertools import product

from emulated import Device, options
from tcgen05_kernels import ONE_THREAD, TARGET, THREADS, WAIT, descriptor, epilogue, fill, launch, prologue
from tensors import computed, told

SHAPES = {"32x32b": (1, 8), "16x64b": (1, 8), "16x128b": (2, 4), "16x256b": (4, 2), "16x32bx2": (1, 16)}


def fragment(shape: str) -> str:
    """Lanes are filled by 32x32b with thread << 16 | column; read back in the shape."""
    registers, times = SHAPES[shape][0] * SHAPES[shape][1], SHAPES[shape][1]
    text = prologue("f" + shape, 1)
    for column in range(32):
        text += f"shl.b32 %v, %i, 16; add.u32 %v, %v, {column};\ntcgen05.st.sync.aligned.32x32b.x1.b32 [%t+{column}], {{%v}};\n"
    text += "tcgen05.wait::st.sync.aligned;\n"
    listed, second = ", ".join(f"%r{i}" for i in range(registers)), ", 16" if shape == "16x32bx2" else ""
    text += f"tcgen05.ld.sync.aligned.{shape}.x{times}.b32 {{{listed}}}, [%t]{second};\ntcgen05.wait::ld.sync.aligned;\n"
    if shape != "32x32b":  # and stored elsewhere, to be read as lanes again
        text += "bar.sync 0;\n" + fill("0", 32, first=64)
        text += f"tcgen05.st.sync.aligned.{shape}.x{times}.b32 [%t+64]{second}, {{{listed}}};\ntcgen05.wait::st.sync.aligned;\n"
    text += f"mul.wide.u32 %p, %i, 256; add.u64 %o, %o, %p;\n" + "".join(f"st.global.b32 [%o+{4 * i}], %r{i};\n" for i in range(registers))
    if shape != "32x32b":
        text += "".join(f"tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v}}, [%t+{64 + i}];\nst.global.b32 [%o+{128 + 4 * i}], %v;\n" for i in range(32))
    return text + "bar.sync 0;\n@%q bra DONE;\nsetp.ne.u32 %q, %w, 0;\n@%q bra DONE;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 512;\nDONE: ret;\n}\n".replace("@%q bra DONE;\nsetp", "setp", 1)


PACKED = {shape: 4 // registers * 2 for shape, (registers, _) in SHAPES.items()}  # times, of at most 32 columns


def packed(shape: str) -> str:
    """Columns hold lane << 8 | column; halves of them are read, and stored elsewhere, packed."""
    times = PACKED[shape]
    registers = SHAPES[shape][0] * times
    text = prologue("p" + shape, 1)
    for column in range(32):
        text += f"shl.b32 %v, %i, 8; add.u32 %v, %v, {0x55000000 + column};\ntcgen05.st.sync.aligned.32x32b.x1.b32 [%t+{column}], {{%v}};\n"
    text += "mov.b32 %v, 0;\n" + fill("%v", 32, first=64) + "tcgen05.wait::st.sync.aligned;\n"
    listed, second = ", ".join(f"%r{i}" for i in range(registers)), ", 16" if shape == "16x32bx2" else ""
    text += f"tcgen05.ld.sync.aligned.{shape}.x{times}.pack::16b.b32 {{{listed}}}, [%t]{second};\ntcgen05.wait::ld.sync.aligned;\n"
    text += f"tcgen05.st.sync.aligned.{shape}.x{times}.unpack::16b.b32 [%t+64]{second}, {{{listed}}};\ntcgen05.wait::st.sync.aligned;\n"
    text += "mul.wide.u32 %p, %i, 256; add.u64 %o, %o, %p;\n" + "".join(f"st.global.b32 [%o+{4 * i}], %r{i};\n" for i in range(registers))
    text += "".join(f"tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v}}, [%t+{64 + i}];\nst.global.b32 [%o+{128 + 4 * i}], %v;\n" for i in range(32))
    return text + "bar.sync 0;\nsetp.ne.u32 %q, %w, 0;\n@%q bra DONE;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 512;\nDONE: ret;\n}\n"


def spot(shape: str, thread: int, r: int) -> tuple[int, int]:
    """Lane and column, as CuTe's layouts of these copies have them: bits of thread and register, strides of lanes."""
    if shape == "32x32b":
        return thread, r
    if shape == "16x64b":  # threads (2, 2, 8) step by 8 lanes, 1 column, 1 lane
        return thread // 4 + 8 * (thread & 1), (thread >> 1 & 1) + 2 * r
    if shape == "16x128b":  # threads (4, 8) step by 1 column, 1 lane; registers (2, n) by 8 lanes, 4 columns
        return thread // 4 + 8 * (r & 1), thread % 4 + r // 2 * 4
    if shape == "16x256b":  # registers (2, 2, n) step by 1 column, 8 lanes, 8 columns
        return thread // 4 + 8 * (r >> 1 & 1), thread % 4 * 2 + (r & 1) + r // 4 * 8
    return thread % 16, thread // 16 * 16 + r


COPIES = {"128x256b": (128, 8), "4x256b": (4, 8), "128x128b": (128, 4), "64x128b.warpx2::02_13": (64, 4), "64x128b.warpx2::01_23": (64, 4), "32x128b.warpx4": (32, 4)}


# Of elements that are bytes only in tensor memory, how many bits they have before: 16 of them, and padding, are 16 bytes.
DECOMPRESSED = {"": 0, ".b8x16.b6x16_p32": 6, ".b8x16.b4x16_p64": 4}


def name_of(shape: str, of: str, group: int) -> str:
    return f"c{group}" + re.sub(r"\W+", "_", shape + of)


def copy(shape: str, of: str, group: int) -> str:
    """By block 0, which also waits for it; in a pair the other one learns of it from the cluster's barrier."""
    text = prologue(name_of(shape, of, group), group) + "mov.b32 %v, 0xdead;\n" + fill("%v", 16)
    text += "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" + ONE_THREAD
    text += f"tcgen05.cp.cta_group::{group}.{shape}{of} [%d], %a;\ntcgen05.commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster.b64 [bar];\nISSUED:\n"
    text += "setp.ne.u32 %q, %rank, 0;\n@%q bra WAITED;\n" + WAIT + "WAITED:\ntcgen05.fence::before_thread_sync;\n"
    text += "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\ntcgen05.fence::after_thread_sync;\n"
    return text + epilogue(group, 16)


def bytes_of(unit: bytes, bits: int) -> bytes:
    """As the ISA draws it: six bits stay below two zeros, four have two zeros on either side."""
    if not bits:
        return unit
    word = int.from_bytes(unit, "little")
    return bytes((word >> bits * i & (1 << bits) - 1) << (2 if bits == 4 else 0) for i in range(16))


MISTAKES = {
    "leak": (prologue("leak", 1) + "ret;\n}\n", "the block ends with 512 columns of tensor memory, which no tcgen05.dealloc gave back"),
    "unwritten": (prologue("unwritten", 1) + epilogue(1, 16), ", column 0 is read before it is written"),
    "freed": (
        prologue("freed", 1) + "mov.b32 %v, 1;\n" + fill("%v", 16)
        + "setp.ne.u32 %q, %w, 0;\n@%q bra FREE;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 512;\nFREE: bar.sync 0;\n" + epilogue(1, 16),
        "an access to tensor memory at column 0, which is not allocated",
    ),
    "again": (
        prologue("again", 1) + "setp.ne.u32 %q, %w, 0;\n@%q bra SKIP;\ntcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;\nSKIP: ret;\n}\n",
        "tcgen05.alloc after tcgen05.relinquish_alloc_permit",
    ),
    "columns": (
        prologue("columns", 1).replace("[place], 512", "[place], 48") + "ret;\n}\n",
        "48 columns of tensor memory; expected a power of two from 32 to 512",
    ),
    "groups": (
        prologue("groups", 1) + "setp.ne.u32 %q, %w, 0;\n@%q bra SKIP;\ntcgen05.dealloc.cta_group::2.sync.aligned.b32 %d, 512;\nSKIP: ret;\n}\n",
        ".cta_group::2 after .cta_group::1: all tcgen05 instructions of a kernel must name the same",
    ),
}  # fmt: skip
# All warps name the first lane, and one behind the last, each of which is their own first.
OTHER_LANES = prologue("other_lanes", 1) + fill("%i", 16) + "mov.u32 %t, %d;\n" + fill("%i", 8) + "add.u32 %t, %t, 8388608;\n" + epilogue(1, 16)
REDUCED = ("min.u32", "max.u32", "min.s32", "max.s32", *(f"{how}{part}.f32" for how in ("min", "max") for part in ("", ".abs", ".NaN", ".abs.NaN")))
# In every lane: signs, magnitudes, a NaN, both zeros.
WORDS = (0x40400000, 0xC0A00000, 0x7FC00001, 0x80000000, 0, 0x3F800000, 0xFF7FFFFF, 0x00000007)


def reduced() -> str:
    """Of the words that begin with the lane's number, four at a time."""
    text = prologue("reduced", 1) + "and.b32 %w, %i, 7;\n"
    for i, word in enumerate(WORDS):
        text += f"mov.b32 %r{i}, {word};\n"
    text += "tcgen05.st.sync.aligned.32x32b.x8.b32 [%t], {" + ", ".join(f"%r{i}" for i in range(8)) + "};\n"
    text += "tcgen05.st.sync.aligned.32x32b.x8.b32 [%t+8], {" + ", ".join(f"%r{(i * 3 + 1) % 8}" for i in range(8)) + "};\n"
    text += "tcgen05.wait::st.sync.aligned;\nmul.wide.u32 %p, %i, 256; add.u64 %o, %o, %p;\n"
    for i, how in enumerate(REDUCED):
        text += f"tcgen05.ld.red.sync.aligned.32x32b.x4.{how} {{%r0, %r1, %r2, %r3}}, %v, [%t+{i}];\nst.global.b32 [%o+{8 * i}], %v;\n"
        text += f"tcgen05.ld.red.sync.aligned.16x32bx2.x2.{how} {{%r4, %r5}}, %v, [%t+{i}], 2;\nst.global.b32 [%o+{8 * i + 4}], %v;\n"
    return text + "bar.sync 0;\nshr.u32 %w, %i, 5; setp.ne.u32 %q, %w, 0;\n@%q bra DONE;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 512;\nDONE: ret;\n}\n"


def least_or_greatest(words: list[int], how: str) -> int:
    choose = min if how.startswith("min") else max
    if how.endswith("u32"):
        return choose(words)
    if how.endswith("s32"):
        return choose(words, key=lambda word: word - (word >> 31 << 32))
    if ".abs" in how:
        words = [word & 0x7FFFFFFF for word in words]
    numbers = [word for word in words if word & 0x7FFFFFFF <= 0x7F800000]
    if not numbers or (".NaN" in how and len(numbers) < len(words)):
        return 0x7FFFFFFF
    return choose(numbers, key=lambda word: -1 - (word & 0x7FFFFFFF) if word >> 31 else word)  # -0 is below +0


KERNELS = (
    TARGET + "".join(fragment(shape) for shape in SHAPES) + "".join(packed(shape) for shape in SHAPES) + "".join(copy(shape, of, group) for shape in COPIES for of in DECOMPRESSED for group in (1, 2))
    + "".join(text for text, _ in MISTAKES.values()) + OTHER_LANES
)  # fmt: skip


class TensorMemoryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_fragments(self) -> None:
        for shape, (registers, times) in SHAPES.items():
            with self.subTest(shape):
                out = struct.unpack(f"<{THREADS * 256}I", launch(self.device, KERNELS, "f" + shape, [b""])[0])
                for thread in range(THREADS):
                    for r in range(registers * times):
                        lane, column = spot(shape, thread % 32, r)
                        self.assertEqual(out[thread * 64 + r], (thread // 32 * 32 + lane) << 16 | column)
                    if shape != "32x32b" and thread % 32 < 16:  # stored by the shape, read as lanes
                        self.assertEqual(list(out[thread * 64 + 32 : thread * 64 + 48]), [thread << 16 | i for i in range(16)])

    def test_packed_halves(self) -> None:
        for shape, times in PACKED.items():
            with self.subTest(shape):
                out = struct.unpack(f"<{THREADS * 256}I", launch(self.device, KERNELS, "p" + shape, [b""])[0])
                stored = {}
                for thread in range(THREADS):
                    for r in range(SHAPES[shape][0] * times):
                        lane, column = spot(shape, thread % 32, r)
                        # The columns of 16x32bx2's second half are 16 further, packed or not.
                        behind = 16 if shape == "16x32bx2" and thread % 32 >= 16 else 0
                        halves = [(thread // 32 * 32 + lane) << 8 | (column - behind) * 2 + part + behind for part in (0, 1)]
                        self.assertEqual(out[thread * 64 + r], halves[0] & 0xFFFF | (halves[1] & 0xFFFF) << 16, (thread, r))
                        stored |= {(half >> 8, half & 255): half for half in halves}
                for lane in range(THREADS):
                    self.assertEqual(list(out[lane * 64 + 32 : lane * 64 + 64]), [stored.get((lane, column), 0) for column in range(32)])

    def test_reduced_loads(self) -> None:
        kernels = KERNELS[: KERNELS.index(".visible")].replace("sm_100a", "sm_103a") + reduced()
        out = struct.unpack(f"<{THREADS * 256}I", launch(self.device, kernels, "reduced", [b""])[0])
        words = [*WORDS, *(WORDS[(i * 3 + 1) % 8] for i in range(8))]
        for thread in range(THREADS):
            for i, how in enumerate(REDUCED):
                halves = words[i + 2 * (thread % 32 // 16) :][:2]
                self.assertEqual(out[thread * 64 + 2 * i], least_or_greatest(words[i : i + 4], how), (how, i))
                self.assertEqual(out[thread * 64 + 2 * i + 1], least_or_greatest(halves, how), (how, i))

    def test_copies_from_shared_memory(self) -> None:
        generator = random.Random(3)
        for (shape, (_, words)), (of, bits), group in product(COPIES.items(), DECOMPRESSED.items(), (1, 2)):
            with self.subTest(shape=shape, of=of, group=group):
                contents = [generator.randbytes(32768) for _ in range(group)]  # each block's goes to its own tensor memory
                found = launch(self.device, KERNELS, name_of(shape, of, group), contents, descriptor(0))
                for content, data in zip(contents, found):
                    out = struct.unpack(f"<{THREADS * 256}I", data)
                    for lane in range(THREADS):
                        row = {
                            "4x256b": lane // 32 if lane % 32 == 0 else None,
                            "64x128b.warpx2::02_13": lane % 64, "64x128b.warpx2::01_23": lane // 64 * 32 + lane % 32,
                            "32x128b.warpx4": lane % 32,
                        }.get(shape, lane)  # fmt: skip
                        for word in range(16):
                            wanted = 0xDEAD
                            if row is not None and word < words:
                                at = row // 8 * 128 + row % 8 * 16 + word // 4 * 4096
                                wanted = struct.unpack_from("<I", bytes_of(content[at : at + 16], bits), word % 4 * 4)[0]
                            self.assertEqual(out[lane * 16 + word], wanted, (lane, word))

    def test_an_address_names_columns_and_lanes_of_its_own_warp(self) -> None:
        def child(device: Device) -> tuple[bytes, bytes]:
            with tempfile.TemporaryFile() as said:
                os.dup2(said.fileno(), sys.stderr.fileno())
                out = launch(device, KERNELS, "other_lanes", [b""])[0]
                said.seek(0)
                return out, said.read()

        for mode in ("lazy", "eager", "random:1"):
            out, said = computed(ARGUMENTS, child, mode)
            words = struct.unpack(f"<{THREADS * 256}I", out)
            for thread in range(THREADS):
                self.assertEqual(words[thread * 16 : thread * 16 + 16], (thread,) * 16)
            self.assertEqual(len(re.findall(rb"warp [0-3] names lane \d+ of tensor memory and reaches lane \d+, as on a device", said)), 1, said)

    def test_mistakes_are_told(self) -> None:
        for name, (_, sentence) in MISTAKES.items():
            with self.subTest(name):
                self.assertIn(sentence, told(ARGUMENTS, lambda d, name=name: launch(d, KERNELS, name, [b""])))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
