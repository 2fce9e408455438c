# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""One function's body as C++: scopes, registers; operands.py has its operands, and the table what each instruction does."""

from __future__ import annotations

import re

from .in_flight import check_products, loads_followed
from .lexer import Instruction, Statement, Unknown, split, statements
from .module import Function, Module, Variable, parse_variable
from .operands import Local, Operands
from .types import BYTES, register_type
from .unwritten import Line, Register, checked, unwritten_reads

# What a register holds before it is written: all ones, as memory does, so that who relies on zeros is seen.
_UNWRITTEN = {"f32": "float_of(~0u)", "f64": "double_of(~u64{0})", "bool": "true"}
SHARED_BEGIN = 1024  # device/thread.hpp
_GUARDED = re.compile(r"@(!?)\s*([\w$%]+)\s+(.*)$", re.S)
_UNCOMMON = re.compile(r"\W")  # in names of C++
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_HANDED_ON = re.compile(r"&([A-Za-z_]\w*)")
_OPCODE = re.compile(r"([a-z][\w.:]*)\s*(.*)$", re.S)


def mangled(name: str) -> str:
    return _UNCOMMON.sub(lambda c: {"%": "r_", "$": "S_", ".": "_d_"}.get(c[0], "_"), name)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


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


class Body(Operands):
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
        self.parameters = {p.name: p for p in function.parameters}
        self._own_locals: Local | None = None
        self._scopes: list[dict] = []
        self._labels: list[dict[str, str]] = []
        self._blocks = 0
        self._lines: list[Line] = []
        self._walk(statements(function.body, function.line))
        check_products(self._lines)
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
            size = max(variable.size, 1)
            found = self._scopes[-1][variable.name] = Local(name, size)
            gap = 16 if variable.space == "local" else 0  # before what lies behind it
            self.declared[name] = f"alignas({max(variable.align, 16)}) u8 {name}[{size + gap}];"
            if variable.space == "local":  # else whatever thread had the stack before would show
                self.declared[name] += f" __builtin_memset({name}, 0xff, {size});"
                self._own_locals = found
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
        family = name.rstrip("0123456789")
        if family != name:
            for scope in reversed(self._scopes):
                many = scope.get(("many", family))
                if many and int(name[len(family) :]) < many[0]:
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
                return f"reinterpret_cast<u64>(parameters + {self.parameters[name].offset})"
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
        if self.function.result and name == self.function.result.name:
            return "reinterpret_cast<u64>(result)"
        if name in self.module.taken:
            return f"reinterpret_cast<u64>(&A_{mangled(name)})"
        return None

    def taken(self, name: str) -> str | None:
        found = self.lookup(name)
        if isinstance(found, Local):
            self._hold(found.name, found.size)
        elif name in self.parameters and not self.function.entry:
            self._hold(f"P_{mangled(name)}", self.parameters[name].size)
        elif self.function.result and name == self.function.result.name:
            self._hold("result", self.function.result.size)
        return self.symbol(name)

    def _hold(self, place: str, size: int) -> None:
        self.declared[f"held_{place}"] = f"const Held held_{place}(t, {place}, {size});"

    def extent(self, name: str) -> int | None:
        found = self.lookup(name)
        if isinstance(found, Local):
            return found.size
        if self.function.result and name == self.function.result.name:
            return self.function.result.size
        if name not in self.parameters:
            return None
        one = self.parameters[name]
        return self.function.size - one.offset if self.function.entry else one.size

    def own_locals(self) -> Local | None:
        return self._own_locals
