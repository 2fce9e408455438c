# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""One function's body as C++: scopes, registers, operands; what each instruction does stands in the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import special
from .in_flight import loads_followed
from .lexer import Instruction, Statement, Unknown, elements, split, statements
from .module import Function, Module, Variable, parse_variable
from .types import BYTES, FLOATS, INTEGERS, PAIRS, literal, read_as, register_type, unsigned
from .unwritten import Line, Register, checked, unwritten_reads

# What a register holds before it is written: all ones, as memory does, so that who relies on zeros is seen.
_UNWRITTEN = {"f32": "float_of(~0u)", "f64": "double_of(~u64{0})", "bool": "true"}
SHARED_BEGIN = 1024  # device/thread.hpp
_INTEGER = r"(?:0[xX][0-9a-fA-F]+|\d+)U?"
_NUMBER = re.compile(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?$")
_GUARDED = re.compile(r"@(!?)\s*([\w$%]+)\s+(.*)$", re.S)
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_HANDED_ON = re.compile(r"&([A-Za-z_]\w*)")
_OPCODE = re.compile(r"([a-z][\w.:]*)\s*(.*)$", re.S)


def mangled(name: str) -> str:
    return "".join({"%": "r_", "$": "S_", ".": "_d_"}.get(c, c if c.isalnum() or c == "_" else "_") for c in name)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


@dataclass
class Local:
    name: str  # of an array in C++


class Shared:
    """Shared memory of a kernel and all that it calls: static variables one after another, then the dynamic ones."""

    def __init__(self) -> None:
        self.offsets: dict[str, int | None] = {}  # None: dynamic
        self.end = SHARED_BEGIN
        self.dynamic_align = 16

    def place(self, variable: Variable) -> None:
        if variable.extern:
            self.offsets[variable.name] = None
            self.dynamic_align = max(self.dynamic_align, variable.align)
            return
        begin = (self.end + variable.align - 1) // variable.align * variable.align
        self.offsets[variable.name] = begin
        self.end = begin + variable.size

    def dynamic_begin(self) -> int:
        return (self.end + self.dynamic_align - 1) // self.dynamic_align * self.dynamic_align


class Body:
    """Translates a function; `lines` are the C++ statements afterwards, `unknown` what it does not know."""

    def __init__(
        self, module: Module, function: Function, shared: Shared, sites: list[int], table: dict, reached: bool = False
    ) -> None:
        self.module, self.function, self.shared, self.sites, self.table = module, function, shared, sites, table
        self._reached = reached  # it is noted which lines are executed
        self.line = Line("")  # that is being translated
        self.declared: dict[str, str] = {}  # C++ declarations, in order
        self.globals: dict[str, Variable] = {}
        self.calls: list[str] = []
        self.calls_through = False  # a register
        self.unknown: list[tuple[str, int, str]] = []  # instruction, line, why
        self.used: list[tuple[int, str]] = []  # line, instruction with its modifiers
        self.origins: list[tuple[int, int, int]] = []  # line, file, its line
        self.local_bytes = 0
        self.parameters = {p.name: p.offset for p in function.parameters}
        self._scopes: list[dict] = []
        self._labels: list[dict[str, str]] = []
        self._blocks = 0
        self._lines: list[Line] = []
        self._walk(statements(function.body, function.line))
        self.declared.update(loads_followed(self._lines))
        self._declare_plainly()
        self.lines, companions = checked(self._lines)
        self.declared.update(companions)

    def _declare_plainly(self) -> None:
        """Registers that are always written before they are read need no value to begin with, nor a line each. Those whose address
        is handed on, as wgmma's are, have been written by nobody yet: D is read there, if scale-d says so."""
        begun = unwritten_reads(self._lines)
        names = {r.name for r in begun}
        for line in self._lines:
            known = {r.name for r in (*line.read(), *line.writes)}
            names.update(name for name in _NAME.findall(line.text) if name not in known)
            names.update(_HANDED_ON.findall(line.text))
        by_type: dict[str, list[str]] = {}
        for line in self._lines:
            for register in line.writes:
                if register.name not in names and self.declared.pop(register.name, None):
                    by_type.setdefault(register.type, []).append(register.name)
        self.declared |= {cpp: f"{cpp} {', '.join(registers)};" for cpp, registers in by_type.items()}

    # Statements

    def _walk(self, body: list[Statement]) -> None:
        self._blocks += 1
        block = self._blocks
        self._scopes.append({})
        self._labels.append({s.text: f"L{block}_{mangled(s.text)}" for s in body if s.kind == "label"})
        for at, statement in enumerate(body):
            if statement.kind == "block":
                self._walk(statement.body)
            elif statement.kind == "label":
                following = body[at + 1] if at + 1 < len(body) else None
                if following and following.text.startswith(".branchtargets"):
                    targets = split(following.text[len(".branchtargets") :])
                    self._scopes[-1]["targets of " + statement.text] = targets
                elif not (following and following.text.startswith((".callprototype", ".calltargets"))):
                    label = self._labels[-1][statement.text]
                    self._lines.append(Line(label + ":;", label))
            elif statement.kind == "directive":
                self._directive(statement, block)
            else:
                self._lines.append(self._guarded(statement))
        self._scopes.pop()
        self._labels.pop()

    def _directive(self, statement: Statement, block: int) -> None:
        text = statement.text
        if text.startswith(".reg"):
            self._registers(text, block)
        elif text.startswith(".loc "):
            self.origins.append((statement.line, *self._origin(text)))
        elif text.startswith((".local", ".shared", ".param")):
            variable = parse_variable(text)
            if not variable:
                raise Unknown(text)
            if variable.space == "shared":
                self.shared.place(variable)
                return
            name = f"{mangled(variable.name)}_{block}"
            self._scopes[-1][variable.name] = Local(name)
            size = max(variable.size, 1)
            self.declared[name] = f"alignas({max(variable.align, 16)}) u8 {name}[{size}];"
            if variable.space == "local":  # else whatever thread had the stack before would show
                self.declared[name] += f" __builtin_memset({name}, 0xff, {size});"
            self.local_bytes += size + 16
        elif not text.startswith((".pragma", ".branchtargets", ".callprototype", ".calltargets", ".section")):
            raise Unknown(text)

    def _origin(self, text: str) -> tuple[int, int]:
        """File and line of a .loc; of CUDA's own wrappers of instructions, as in crt/mma.hpp, those of their call."""
        file, line, *rest = text.replace(",", " ").split()[1:]
        if "inlined_at" in rest and "/include/crt/" in self.module.files.get(int(file), ""):
            file, line = rest[rest.index("inlined_at") + 1 :][:2]
        return int(file), int(line)

    def _registers(self, text: str, block: int) -> None:
        match = re.match(r"\.reg\s*\.(\w+)\s+(.*)$", text)
        if not match or match[1] not in BYTES:
            raise Unknown(text)
        suffix = f"_{block}" if block > 1 else ""
        for name in split(match[2]):
            if many := re.match(r"([\w$%]+)<(\d+)>$", name):
                self._scopes[-1][("many", many[1])] = (int(many[2]), register_type(match[1]), suffix)
            else:
                if not re.fullmatch(r"[\w$%]+", name):
                    raise Unknown(text)
                self._declare(self._scopes[-1], name, register_type(match[1]), suffix)

    def _declare(self, scope: dict, name: str, cpp_type: str, suffix: str) -> Register:
        register = Register(mangled(name) + suffix, cpp_type, name)
        scope[name] = register
        self.declared[register.name] = f"{cpp_type} {register.name} = {_UNWRITTEN.get(cpp_type, f'static_cast<{cpp_type}>(-1)')};"
        return register

    def _guarded(self, statement: Statement) -> Line:
        text, self.line = statement.text, Line("", number=statement.line)
        try:
            if match := _GUARDED.match(text):
                self.line.guard = self.register(match[2])
                self.line.condition = f"if ({match[1]}{self.line.guard.name}) "
                text = match[3]
            noted = f"reached[{statement.line}] = true; " if self._reached else ""
            self.line.text = noted + self._instruction(text, statement.line)
            return self.line
        except (Unknown, IndexError, KeyError, ValueError, AttributeError, TypeError) as problem:
            why = str(problem) if isinstance(problem, Unknown) else f"{type(problem).__name__}: {problem}"
            self.unknown.append((text, statement.line, why))
            return Line(f"{self.line.condition}unknown(t, {statement.line}, {quoted(text[:200])}, {quoted(why)});")

    def _instruction(self, text: str, line: int) -> str:
        match = _OPCODE.match(text)
        if not match:
            raise Unknown("no instruction")
        opcode, *modifiers = match[1].split(".")
        self.used.append((line, match[1]))
        row = self.table.get(opcode)
        if not row:
            raise Unknown("an opcode that is not in the table")
        instruction = Instruction(line, opcode, modifiers, split(match[2]), text)
        for modifier in modifiers:
            if modifier not in BYTES and modifier not in row.modifiers:
                raise Unknown(f"the modifier .{modifier}")
        self.line.instruction = instruction
        return row.translate(self, instruction)

    # Names

    def register(self, name: str) -> Register:
        found = self.lookup(name)
        if not isinstance(found, Register):
            raise Unknown(f"{name}, which is no register")
        return found

    def lookup(self, name: str) -> Register | Local | list[str] | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        if match := re.match(r"(.*?)(\d+)$", name):
            for scope in reversed(self._scopes):
                many = scope.get(("many", match[1]))
                if many and int(match[2]) < many[0]:
                    return self._declare(scope, name, many[1], many[2])
        return None

    def is_register(self, name: str, cpp_type: str) -> bool:
        found = self.lookup(name)
        return isinstance(found, Register) and found.type == cpp_type

    def label(self, name: str) -> str:
        for labels in reversed(self._labels):
            if name in labels:
                self.line.targets.append(labels[name])
                return labels[name]
        raise Unknown(f"the label {name}")

    def targets(self, name: str) -> list[str]:
        found = self.lookup("targets of " + name)
        if not isinstance(found, list):
            raise Unknown(f"the list of targets {name}")
        return found

    def symbol(self, name: str) -> str | None:
        """The address of a variable or parameter; shared ones in the shared window."""
        found = self.lookup(name)
        if isinstance(found, Local):
            return f"reinterpret_cast<u64>({found.name})"
        if name in self.parameters:
            if self.function.entry:
                return f"reinterpret_cast<u64>(parameters + {self.parameters[name]})"
            return f"reinterpret_cast<u64>(P_{mangled(name)})"
        variable = self.module.variables.get(name)
        if name not in self.shared.offsets and variable and variable.space == "shared":
            self.shared.place(variable)
        if name in self.shared.offsets:
            offset = self.shared.offsets[name]
            return f"(t->rank + {'t->dynamic_begin' if offset is None else str(offset) + 'u'})"
        if variable:
            self.globals[name] = variable
            return f"reinterpret_cast<u64>(V_{mangled(name)})"
        if name == self.function.result:
            return "reinterpret_cast<u64>(result)"
        if name in self.module.taken:
            return f"reinterpret_cast<u64>(&A_{mangled(name)})"
        return None

    # Operands

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
            if re.match(r"-?\d*\.\d*(?:[eE][-+]?\d+)?$", text) and cpp in ("f32", "f64"):
                return f"static_cast<{cpp}>({text})"
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
        if (address := self.symbol(operand)) is not None:
            return address
        if match := re.match(r"([\w$%.]+)\s*([+-])\s*(\w+)$", operand):
            if (address := self.symbol(match[1])) is not None:
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

    def address(self, operand: str) -> str:
        """Of `[register+offset]`, as an integer."""
        operand = operand.strip()
        if not (operand.startswith("[") and operand.endswith("]")):
            raise Unknown(f"the address {operand}")
        match = re.match(rf"(.+?)\s*(?:\+\s*(-?{_INTEGER})|(-\d+))?$", operand[1:-1].strip())
        if not match:
            raise Unknown(f"the address {operand}")
        base, offset = match[1].strip(), match[2] or match[3]
        if re.fullmatch(f"-?{_INTEGER}", base):
            value = f"{base.removesuffix('U')}ull"
        else:
            found = self.lookup(base)
            if isinstance(found, Register):
                self.line.addresses.append(found)
            value = found.name if isinstance(found, Register) else self.symbol(base)
            if value is None:
                raise Unknown(f"the address {operand}")
        return f"({value} + {offset})" if offset and offset != "0" else value

    def site(self) -> int:
        """A number for an instruction that touches memory."""
        self.sites[0] += 1
        return self.sites[0] - 1

    def pointer(self, ins: Instruction, operand: str, space: str | None, size: int, align: int | None = None) -> str:
        """Where the operand leads, as u8*, checked."""
        at, align = self.address(operand), align or size
        if space == "shared":
            return f"shared(t, {ins.line}, static_cast<u32>({at}), {size}, {align})"
        if space in ("param", "local"):
            return f"reinterpret_cast<u8*>({at})"
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
