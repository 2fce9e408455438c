# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Operands of instructions as C++: what is read, written, and where an address leads."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from . import special
from .lexer import Instruction, Unknown, elements
from .types import BYTES, FLOATS, INTEGERS, PAIRS, literal, read_as, unsigned
from .unwritten import Line, Register

_INTEGER = r"(?:0[xX][0-9a-fA-F]+|\d+)U?"
_NUMBER = re.compile(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?$")


@dataclass
class Local:
    name: str  # of an array in C++
    size: int  # in bytes


class Operands(ABC):
    """Of a function's body, which knows the names."""

    line: Line  # that is being translated
    sites: list[int]

    @abstractmethod
    def register(self, name: str) -> Register: ...

    @abstractmethod
    def lookup(self, name: str) -> Register | Local | list[str] | None: ...

    @abstractmethod
    def symbol(self, name: str) -> str | None:
        """The address of a variable or parameter."""

    @abstractmethod
    def taken(self, name: str) -> str | None:
        """Likewise, of what a register is to hold: accesses through it are held against the bounds of what is there."""

    @abstractmethod
    def extent(self, name: str) -> int | None:
        """The bytes of a variable of local memory, or of a parameter; all of a kernel's count as one."""

    @abstractmethod
    def own_locals(self) -> Local | None:
        """The function's variable in local memory, of which nvcc makes one."""

    def read(self, operand: str, ptx_type: str) -> str:
        """`operand` as an expression of that type; a vector {low, high} is packed."""
        operand = operand.strip()
        cpp = "bool" if ptx_type == "pred" else "u32" if ptx_type == "tf32" else ptx_type
        if operand.startswith("!"):
            return f"!({self.read(operand[1:], ptx_type)})"
        if operand.startswith("{"):
            parts = elements(operand)
            each = BYTES[ptx_type] // len(parts)
            whole, part = unsigned(BYTES[ptx_type]), unsigned(each)
            shifted = [
                f"static_cast<{whole}>(static_cast<{whole}>({self.read(p, part)}) << {8 * each * i})"
                for i, p in enumerate(parts)
            ]
            return f"bits<{cpp}>(static_cast<{whole}>({' | '.join(shifted)}))"
        if re.match(r"-?[\d.]", operand):
            return self._immediate(operand, cpp)
        value = self._value(operand)
        found = self.lookup(operand)
        return read_as(value, found.type, cpp) if isinstance(found, Register) else f"get<{cpp}>({value})"

    def _immediate(self, text: str, cpp: str) -> str:
        if single := re.match(r"0[fF]([0-9a-fA-F]{8})$", text):
            value = f"float_of(0x{single[1]}u)"
            return value if cpp == "f32" else f"static_cast<f64>({value})" if cpp == "f64" else f"get<{cpp}>({value})"
        if double := re.match(r"0[dD]([0-9a-fA-F]{16})$", text):
            value = f"double_of(0x{double[1]}ull)"
            return f"static_cast<f32>({value})" if cpp == "f32" else f"get<{cpp}>({value})"
        if not _NUMBER.match(text):
            if re.match(r"-?\d*\.\d*(?:[eE][-+]?\d+)?$", text) and cpp in ("f32", "f64", "u32"):  # of 32 bits, as of mma's C: f32
                return f"static_cast<f64>({text})" if cpp == "f64" else f"get<{cpp}>(static_cast<f32>({text}))"
            raise Unknown(f"the number {text}")
        number = int(text.rstrip("U"), 0) if not re.match(r"-?0\d", text) else int(text.rstrip("U"), 8)
        size = BYTES.get(cpp, 1)
        number &= (1 << 8 * size) - 1
        word = f"0x{number:x}ull"
        if cpp == "bool":
            return "true" if number else "false"
        if cpp in FLOATS or cpp in PAIRS:
            if cpp in ("f32", "f64") and number == 0:
                return f"{cpp}{{0}}"
            return f"bits<{cpp}>(static_cast<{unsigned(size)}>({word}))"
        return literal(number, cpp) or f"static_cast<{cpp}>({word})"

    def _value(self, operand: str) -> str:
        if operand.startswith("%") and operand[1:] in special.REGISTERS:
            return special.REGISTERS[operand[1:]]
        found = self.lookup(operand)
        if isinstance(found, Register):
            self.line.reads.append(found)
            self.line.operands[operand] = found
            return found.name
        if operand == "WARP_SZ":
            return "32u"
        if match := re.match(r"generic\(([\w$.]+)\)$", operand):
            operand = match[1]
        if (address := self.taken(operand)) is not None:
            return address
        if match := re.match(r"([\w$%.]+)\s*([+-])\s*(\w+)$", operand):
            if (address := self.taken(match[1])) is not None:
                return f"({address} {match[2]} {match[3]})"
        raise Unknown(f"the operand {operand}")

    def write(self, operand: str, expression: str, of: str = "") -> str:
        """`expression`, of that type in C++ if it is known, to a register; to several, in braces, by parts."""
        operand = operand.strip()
        if operand == "_":
            return f"static_cast<void>({expression});"
        if operand.startswith("{"):
            parts = elements(operand)
            stores = "".join(
                self.write(p, f"static_cast<part_of<decltype(whole), {len(parts)}>>("
                              f"bits<unsigned_of<decltype(whole)>>(whole) >> (8 * sizeof(whole) / {len(parts)} * {i}))")
                for i, p in enumerate(parts)
            )  # fmt: skip
            return f"{{ const auto whole = {expression}; {stores} }}"
        target = self.register(operand)
        self.line.writes.append(target)
        # Among integers C++ itself extends and cuts off as put() does.
        plain = of == target.type or (of in INTEGERS and target.type in INTEGERS and "b128" not in (of, target.type))
        return f"{target.name} = {expression};" if plain else f"put({target.name}, {expression});"

    def has_size(self, operand: str, size: int) -> bool:
        """Whether it is a register of so many bytes, of integers."""
        found = self.lookup(operand.strip())
        return isinstance(found, Register) and found.type == unsigned(size)

    def _parts(self, operand: str) -> tuple[str, str]:
        """Of `[register+offset]`."""
        operand = operand.strip()
        if not (operand.startswith("[") and operand.endswith("]")):
            raise Unknown(f"the address {operand}")
        match = re.match(rf"(.+?)\s*(?:\+\s*(-?{_INTEGER})|(-\d+))?$", operand[1:-1].strip())
        if not match:
            raise Unknown(f"the address {operand}")
        return match[1].strip(), match[2] or match[3] or "0"

    def address(self, operand: str) -> str:
        """Of `[register+offset]`, as an integer."""
        base, offset = self._parts(operand)
        if re.fullmatch(f"-?{_INTEGER}", base):
            value = f"{base.removesuffix('U')}ull"
        else:
            found = self.lookup(base)
            if isinstance(found, Register):
                self.line.addresses.append(found)
            value = found.name if isinstance(found, Register) else self.taken(base)
            if value is None:
                raise Unknown(f"the address {operand}")
        return f"({value} + {offset})" if offset != "0" else value

    def _within(self, operand: str, size: int) -> str | None:
        """The address of `[variable+offset]`, of local memory or of parameters, where the text alone shows that it has so many bytes."""
        base, offset = self._parts(operand)
        extent = self.extent(base)
        at = int(offset.rstrip("U"), 8 if re.match(r"-?0\d", offset) else 0)
        if extent is None or at < 0 or at + size > extent:
            return None
        return f"reinterpret_cast<u8*>({self.symbol(base)}{f' + {at}' if at else ''})"

    def site(self) -> int:
        """A number for an instruction that touches memory."""
        self.sites[0] += 1
        return self.sites[0] - 1

    def pointer(self, ins: Instruction, operand: str, space: str | None, size: int, align: int | None = None) -> str:
        """Where the operand leads, as u8*, checked."""
        if space in ("param", "local") and (at := self._within(operand, size)):
            return at
        at, align = self.address(operand), align or size
        if space == "shared":
            return f"shared(t, {ins.line}, static_cast<u32>({at}), {size}, {align})"
        if space == "local":
            own = self.own_locals()
            within = f"reinterpret_cast<u64>({own.name}), {own.size}, " if own else ""
            return f"local(t, {ins.line}, {within}{at}, {size}, {align})"
        if space == "param":
            return f"parameter(t, {ins.line}, {at}, {size}, {align})"
        kind = "global" if space in ("global", "const") else "generic"
        return f"{kind}(t, {ins.line}, {self.site()}, static_cast<u64>({at}), {size}, {align})"

    def place(self, ins: Instruction, operand: str, space: str | None, size: int) -> str:
        """What is behind `read_` and `write_` in calls of device/memory.hpp; nothing for memory that no other thread writes."""
        if space in ("param", "local", "const"):
            return ""
        at = self.address(operand)
        if space == "shared":
            return f"shared(t, {ins.line}, {at}, {size})"
        return f"{'global' if space == 'global' else 'any'}(t, {ins.line}, {self.site()}, {at}, {size})"

    def touched(self, ins: Instruction, space: str | None, pointer: str, size: int, how: str, value: str = "") -> str:
        """Tells who touches what lies at `pointer`, by the last site that was given out; nothing of memory that no other
        thread writes."""
        if space in ("param", "local", "const"):
            return ""
        value = f", {value}" if value else ""
        if space == "shared":
            return f"touch_shared(t, {ins.line}, {pointer}, {size}, Touching::{how}{value}); "
        kind = "global" if space == "global" else "any"
        return f"touch_{kind}(t, {ins.line}, t->sites[{self.sites[0] - 1}], {pointer}, {size}, Touching::{how}{value}); "

    def shared_address(self, ins: Instruction, operand: str) -> str:
        """A 32-bit shared address; a generic one where the instruction names no space."""
        at = self.address(operand)
        if ins.starting("shared"):
            return f"static_cast<u32>({at})"
        return f"static_cast<u32>(shared_of(t, {at}))"
