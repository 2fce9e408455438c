# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions of kernels and of all that they may call, found by following control flow from their entries."""

import re
import sys
from dataclasses import dataclass

from tinygrad.renderer.amd import decode_inst

from .code_object import CodeObject

FAMILIES = {"cdna": "gfx90a|gfx94.|gfx95.", "rdna3": "gfx11..", "rdna4": "gfx12.."}
DPP8, DPP8_FETCH_INACTIVE = 233, 234  # in the place of src0
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


@dataclass
class Instruction:
    offset: int
    size: int
    decoded: object | None  # tinygrad's; None if it does nothing here, or is unknown
    unknown: str = ""  # why

    @property
    def next(self) -> int:
        return self.offset + self.size

    @property
    def name(self) -> str:
        """AMD's, in capitals: V_ADD_F32_E32."""
        if self.decoded is None:
            return "S_NOP"
        return self.decoded.op.name if hasattr(self.decoded, "op") else "VOPD"

    @property
    def encoding(self) -> str:
        return type(self.decoded).__name__


def branch_target(i: Instruction) -> int:
    return i.next + 4 * ((i.decoded.simm16 ^ 0x8000) - 0x8000)


def decode_one(code: CodeObject, offset: int, family: str) -> Instruction:
    data = code.bytes_at(offset)
    word = int.from_bytes(data[:4], "little")
    for mask, value, size in CACHE_CONTROL[family]:
        if word & mask == value:
            return Instruction(offset, size, None)
    try:
        decoded = decode_inst(data, family)
        decoded = _with_dpp8(decoded, data)
        return Instruction(offset, decoded.size(), decoded)
    except (ValueError, AssertionError, RuntimeError) as problem:
        found = _buffer(data, family)
        if found is not None:
            return Instruction(offset, found.size(), found)
        return Instruction(offset, 4, None, f"word {word:08x}: {problem}".replace('"', "'"))


def _with_dpp8(decoded, data: bytes):
    """The tables' decoder looks for DPP8 under a number that no family uses for it."""
    source = getattr(decoded, "src0", None)
    if source is None or source.offset not in (DPP8, DPP8_FETCH_INACTIVE) or "DPP" in type(decoded).__name__:
        return decoded
    variant = getattr(sys.modules[type(decoded).__module__], type(decoded).__name__ + "_DPP8", None)
    return variant.from_bytes(data) if variant else decoded


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

    def __init__(self, code: CodeObject, entries: list[int], family: str):
        self.code, self.family = code, family
        self.instructions: dict[int, Instruction] = {}
        self.entries = set(entries)
        self._calls_by_address = False
        self._follow(list(entries))
        if self._calls_by_address:  # through a pointer: to any function whose address can be known
            targets = [f for f in code.functions.values() if code.has_code(f)]
            self.entries.update(targets)
            self._follow(targets)

    def _follow(self, todo: list[int]) -> None:
        while todo:
            at = todo.pop()
            while at not in self.instructions and self.code.has_code(at):
                i = self.instructions[at] = decode_one(self.code, at, self.family)
                name = i.name
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
            i = decode_one(self.code, at, self.family)
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
