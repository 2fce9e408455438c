# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions of kernels and of all that they may call, found by following control flow from their entries."""

import functools
import re
import sys
from dataclasses import dataclass

from tinygrad.renderer.amd import decode_inst
from tinygrad.renderer.amd.dsl import BitField

from .code_object import CodeObject

FAMILIES = {"cdna": "gfx90a|gfx94.|gfx95.", "rdna3": "gfx11..", "rdna4": "gfx12.."}
DPP8, DPP8_FETCH_INACTIVE, DPP16 = 233, 234, 250  # in the place of src0
FAR_LITERAL = ("S_ADD_U32", "S_ADD_CO_U32", "S_ADD_NC_U64", "S_ADD_U64")

# Instructions without effect here that the tables lack: caches, which the emulator has none of. Mask and value of
# the first word, and size in bytes.
CACHE_CONTROL = {
    "cdna": [(0xFFFC0000, 0xE0F80000, 8), (0xFFFC0000, 0xE0FC0000, 8)],  # buffer_wbinvl1 and _vol of gfx90a
    "rdna3": [(0xFFFF0000, 0xE0AC0000, 8), (0xFFFF0000, 0xE0B00000, 8), (0xFFFF0000, 0xE0AD0000, 8)],  # buffer_gl*_inv
    "rdna4": [],
}


def family_of(target: str) -> str:
    for family, pattern in FAMILIES.items():
        if re.fullmatch(pattern, target):
            return family
    raise ValueError(f"no decoder for {target}; there are some for gfx90a, gfx94x, gfx950, gfx11xx and gfx12xx")


# Matrix instructions of gfx90a whose numbers mean others, or nothing, later: what they are, and the number of one with
# the same fields.
MATRIX, MATRIX_NUMBER = 0xD3800000, 16  # the first word's upper bits, and where the number is in it
GFX90A_MATRIX = {
    0x54: ("V_MFMA_I32_32X32X8_I8", 0x56),
    0x55: ("V_MFMA_I32_16X16X16_I8", 0x57),
    0x63: ("V_MFMA_F32_32X32X4_2B_BF16", 0x5D),
    0x64: ("V_MFMA_F32_16X16X4_4B_BF16", 0x5E),
    0x65: ("V_MFMA_F32_4X4X4_16B_BF16", 0x5F),
    0x66: ("V_MFMA_F32_32X32X8_BF16", 0x60),
    0x67: ("V_MFMA_F32_16X16X16_BF16", 0x61),
    0x68: ("V_MFMA_F32_32X32X2_2B_BF16", 0x5D),
    0x69: ("V_MFMA_F32_16X16X2_4B_BF16", 0x5E),
    0x6B: ("V_MFMA_F32_4X4X2_16B_BF16", 0x5F),
    0x6C: ("V_MFMA_F32_32X32X4_BF16", 0x60),
    0x6D: ("V_MFMA_F32_16X16X8_BF16", 0x61),
}


# So it is with these, which round the product before they add.
GFX90A_SUMS = {"V_FMAMK_F32": "V_MADMK_F32", "V_FMAAK_F32": "V_MADAK_F32", "V_DOT2C_F32_BF16": "V_MAC_F32"}
MAD_F32, FMA_F32 = 0xD1C1, 0xD1CB  # the first word's upper half; these have the same fields


@dataclass
class Instruction:
    offset: int
    size: int
    decoded: object | None  # tinygrad's; None if it does nothing here, or is unknown
    unknown: str = ""  # why
    called: str = ""  # where the tables call it otherwise
    indexed: int = 0  # which operands M0 shifts, as the bits of s_set_gpr_idx_on say

    @property
    def next(self) -> int:
        return self.offset + self.size

    @functools.cached_property
    def name(self) -> str:
        """AMD's, in capitals: V_ADD_F32_E32."""
        if self.decoded is None:
            return "S_NOP"
        if self.called:
            return self.called
        return self.decoded.op.name if hasattr(self.decoded, "op") else "VOPD"

    @property
    def encoding(self) -> str:
        return type(self.decoded).__name__


def branch_target(i: Instruction) -> int:
    return i.next + 4 * ((i.decoded.simm16 ^ 0x8000) - 0x8000)


def decode_one(code: CodeObject, offset: int, target: str) -> Instruction:
    family = family_of(target)
    data = code.bytes_at(offset)
    word = int.from_bytes(data[:4], "little")
    called, like = _only_gfx90a(word) if target == "gfx90a" else ("", word)
    if called:
        decoded = decode_inst(like.to_bytes(4, "little") + data[4:], family)
        return Instruction(offset, decoded.size(), decoded, called=called)
    for mask, value, size in CACHE_CONTROL[family]:
        if word & mask == value:
            return Instruction(offset, size, None)
    try:
        decoded = decode_inst(data, family)
        decoded = _with_lanes(decoded, data)
        name = decoded.op.name if target == "gfx90a" and hasattr(decoded, "op") else ""
        return Instruction(offset, decoded.size(), decoded, called=GFX90A_SUMS.get(re.sub("_E(32|64)$", "", name), ""))
    except (ValueError, AssertionError, RuntimeError) as problem:
        found = _buffer(data, family)
        if found is not None:
            return Instruction(offset, found.size(), found)
        return Instruction(offset, 4, None, f"word {word:08x}: {problem}".replace('"', "'"))


def _only_gfx90a(word: int) -> tuple[str, int]:
    """What it is that later targets have not, and the first word of one with the same fields; else "" and the word."""
    number = word >> MATRIX_NUMBER & 127
    if word & 0xFF800000 == MATRIX and number in GFX90A_MATRIX:
        called, like = GFX90A_MATRIX[number]
        return called, word & ~(127 << MATRIX_NUMBER) | like << MATRIX_NUMBER
    if word >> 16 == MAD_F32:
        return "V_MAD_F32", word & 0xFFFF | FMA_F32 << 16
    return "", word


def _with_lanes(decoded, data: bytes):
    """The tables' decoder looks for DPP8 under a number that no family uses for it, and knows no DPP of long comparisons."""
    source = getattr(decoded, "src0", None)
    if source is None or source.offset not in (DPP8, DPP8_FETCH_INACTIVE, DPP16) or "DPP" in type(decoded).__name__:
        return decoded
    variant = _variant(type(decoded), "_DPP16" if source.offset == DPP16 else "_DPP8")
    return variant.from_bytes(data) if variant else decoded


@functools.cache
def _variant(encoding: type, suffix: str) -> type | None:
    module = sys.modules[encoding.__module__]
    found = getattr(module, encoding.__name__ + suffix, None)
    if found or encoding.__name__ != "VOP3_SDST":
        return found
    like = getattr(module, "VOP3" + suffix, None)
    fields = {name: field for name, field in vars(like).items() if isinstance(field, BitField)} if like else None
    return type(encoding.__name__ + suffix, (encoding,), fields) if fields else None


def _buffer(data: bytes, family: str):
    """Untyped buffers of RDNA, which the decoder has classes for and does not try."""
    if family == "cdna":
        return None
    if family == "rdna3":
        from tinygrad.runtime.autogen.amd.rdna3.ins import MUBUF as cls
    else:
        from tinygrad.runtime.autogen.amd.rdna4.ins import VBUFFER as cls
    if int.from_bytes(data[:4], "little") >> 26 != (0b111000 if family == "rdna3" else 0b110001):
        return None
    try:
        found = cls.from_bytes(data)
        found.op.name
        return found
    except ValueError:
        return None


class Flow:
    """All instructions that can be reached, and where execution may go on after an interruption."""

    def __init__(self, code: CodeObject, entries: list[int], target: str):
        self.code, self.target = code, target
        self.instructions: dict[int, Instruction] = {}
        self.entries = set(entries)
        self._calls_by_address = False
        self._follow(list(entries))
        if self._calls_by_address:  # through a pointer: to any function whose address can be known
            targets = sorted(code.addresses.union(f for f in code.functions.values() if code.has_code(f)))
            self.entries.update(targets)
            self._follow(targets)

    def _follow(self, todo: list[int]) -> None:
        while todo:
            at, indexed = todo.pop(), 0
            while at not in self.instructions and self.code.has_code(at):
                i = self.instructions[at] = decode_one(self.code, at, self.target)
                name = i.name
                if name == "S_SET_GPR_IDX_ON":  # until it is off again: in straight lines, as compilers write it
                    indexed = i.decoded.ssrc1.offset & 15
                elif name == "S_SET_GPR_IDX_OFF":
                    indexed = 0
                else:
                    i.indexed = indexed
                if i.unknown or name in ("S_ENDPGM", "S_SETPC_B64", "S_ENDPGM_SAVED"):
                    break
                if "BRANCH" in name and i.encoding == "SOPP":
                    todo.append(branch_target(i))
                    if name == "S_BRANCH":
                        break
                if name == "S_CALL_B64":
                    todo.append(branch_target(i))
                    self.entries.add(i.next)
                if name == "S_SWAPPC_B64":
                    self._calls_by_address = True
                    self.entries.add(i.next)
                if name == "S_GETPC_B64":
                    todo += self._far_targets(i)
                at = i.next

    def _far_targets(self, getpc: Instruction) -> list[int]:
        """s_getpc and an addition of a literal: the address of a function, or of data."""
        at = getpc.next
        for _ in range(6):
            i = decode_one(self.code, at, self.target)
            if i.unknown or i.decoded is None:
                return []
            literal = getattr(i.decoded, "literal", None)
            if i.name in FAR_LITERAL and literal is not None and i.decoded.sdst.offset == getpc.decoded.sdst.offset:
                target = getpc.next + ((literal ^ 0x80000000) - 0x80000000)
                if not self.code.has_code(target):
                    return []
                self.entries.add(target)
                return [target]
            at = i.next
        return []
