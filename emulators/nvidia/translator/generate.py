# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A module as C++: kernels, variables, and the table that device/module.hpp describes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from .body import Body, Shared, mangled, quoted
from .fatbin import hash_of
from .lexer import Unknown
from .module import Function, Module, Variable
from .table import TABLE
from .types import BYTES

_GAP = 256  # bytes behind each variable, which lie in none: from one into the next is seen so far
KERNEL = "emulators/nvidia/device/kernel.hpp"
_HEADER = f"""// Translated from PTX by emulators/nvidia/translator.
#include "{KERNEL}"
using namespace podium::ptx;
namespace {{
"""
# Of a translation that notes which lines of PTX were executed: $PODIUM_REACHED names the file that they are written to at the end.
_REACHED = """#include <cstdio>
#include <cstdlib>
namespace {
bool reached[%d];
struct Noted {
  ~Noted() {
    const char* const file = std::getenv("PODIUM_REACHED");
    std::FILE* const out = file ? std::fopen(file, "w") : nullptr;
    if (!out) return;
    for (std::size_t line = 0; line < sizeof reached; ++line)
      if (reached[line]) std::fprintf(out, "%%zu\\n", line);
    std::fclose(out);
  }
} noted;
}  // namespace
"""


@dataclass
class Generated:
    text: str
    unknown: list[tuple[str, str, int, str]] = field(default_factory=list)  # kernel, instruction, line, why
    used: Counter[str] = field(default_factory=Counter)  # instructions with modifiers, and how often
    at: list[tuple[str, int, str]] = field(default_factory=list)  # kernel, line, instruction with modifiers


class _Kernel:
    """A kernel and all that it calls, which share its shared memory and its sites."""

    def __init__(self, module: Module, entry: Function, reached: bool) -> None:
        self.entry = entry
        self.shared = Shared()
        self.sites = [0]
        self.bodies: dict[str, Body] = {}
        todo = [entry.name]
        while todo:
            name = todo.pop()
            if name in self.bodies:
                continue
            body = Body(module, module.functions[name], self.shared, self.sites, TABLE, reached)
            self.bodies[name] = body
            todo += body.calls

    def info(self, index: int) -> str:
        threads = 1
        for extent in self.entry.numbers("reqntid") or self.entry.numbers("maxntid") or [1024]:
            threads *= extent
        required = ", ".join(str(x) for x in self.entry.numbers("reqntid") or [0, 0, 0])
        cluster = ", ".join(str(x) for x in self.entry.numbers("reqnctapercluster") or [0, 0, 0])
        local = sum(body.local_bytes for body in self.bodies.values())
        dependents = any("griddepcontrol.launch_dependents" in body.function.body for body in self.bodies.values())
        return (
            f"  {{{quoted(self.entry.name)}, &k{index}::F_{mangled(self.entry.name)}, k{index}::parameters, "
            f"{len(self.entry.parameters)}, {self.entry.size}, {self.shared.end}, {self.shared.dynamic_begin()}, "
            f"{threads}, {{{required}}}, {{{cluster}}}, {self.sites[0]}, {local}, k{index}::origins, "
            f"sizeof k{index}::origins / sizeof *k{index}::origins, files, {str(dependents).lower()}}},\n"
        )


def _signature(function: Function) -> str:
    if function.entry:
        return f"void F_{mangled(function.name)}(Thread* t, [[maybe_unused]] u8* parameters)"
    parameters = "".join(f", [[maybe_unused]] u8* P_{mangled(p.name)}" for p in function.parameters)
    return f"void F_{mangled(function.name)}([[maybe_unused]] Thread* t, [[maybe_unused]] u8* result{parameters})"


def _number(text: str, size: int) -> bytes | None:
    """An initial value; None if it is no number."""
    text = text.strip()
    if match := re.match(r"0[fF]([0-9a-fA-F]{8})$|0[dD]([0-9a-fA-F]{16})$", text):
        return int(match[1] or match[2], 16).to_bytes(size, "little")
    if re.match(r"-?(0[xX][0-9a-fA-F]+|\d+)U?$", text):
        return (int(text.rstrip("U"), 0) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return None


def _variable(variable: Variable, late: list[str], functions: list[str]) -> str:
    """Its definition; initial values that are addresses are filled in when the library is loaded."""
    name, size = f"V_{mangled(variable.name)}", BYTES[variable.type]
    if variable.extern:
        raise Unknown(f"the variable {variable.name}, which another module defines")
    data = bytearray(variable.size)
    parts = [p for p in re.sub(r"[{}]", " ", variable.initial or "").split(",") if p.strip()]
    for index, part in enumerate(parts):
        at, value = index * size, _number(part, size)
        if value is not None:
            data[at : at + size] = value
        elif match := re.match(r"(?:generic\()?([\w$%.]+)\)?\s*(?:\+\s*(\d+))?$", part.strip()):
            symbol = f"&A_{mangled(match[1])}" if match[1] in functions else f"V_{mangled(match[1])}"
            late.append(f"write<u64>({name} + {at}, reinterpret_cast<u64>({symbol}) + {match[2] or 0});")
        else:
            raise Unknown(f"the initial value {part.strip()}")
    while data and data[-1] == 0:
        data.pop()
    values = "".join(f"{b}," for b in data)
    return f"alignas({max(variable.align, 16)}) u8 {name}[{max(variable.size, 1)} + {_GAP}] = {{{values}}};\n"


def _origins(module: Module, kernel: _Kernel) -> str:
    all_origins = sorted({o for body in kernel.bodies.values() for o in body.origins})
    places = {file: place for place, file in enumerate(module.files)}
    lines = "".join(f"{{{line},{places.get(file, -1)},{source}}},\n" for line, file, source in all_origins)
    return f"const Origin origins[] = {{\n{{0,-1,0}},\n{lines}}};\n"


def _through_pointers(module: Module, kernel: _Kernel) -> str:
    """Calls through registers: `places` are those of the result and of the parameters."""
    if not any(body.calls_through for body in kernel.bodies.values()):
        return ""
    text = "void call_through(Thread* t, int line, u64 at, [[maybe_unused]] u8* const* places, [[maybe_unused]] u32 count) {\n"
    for name in module.taken:
        number = len(module.functions[name].parameters)
        what = f"a call through a pointer to {name}, which takes another number of parameters"
        places = "".join(f", places[{i}]" for i in range(number + 1))
        text += f"  if (at == reinterpret_cast<u64>(&A_{mangled(name)})) {{\n"
        text += f"    if (count != {number}) fault(t, line, {quoted(what)});\n    return F_{mangled(name)}(t{places});\n  }}\n"
    return text + '  fault(t, line, "a call through a pointer that leads to no function of this module");\n}\n'


def _namespace(module: Module, kernel: _Kernel, index: int) -> str:
    parameters = "".join(f"{{{p.offset}, {p.size}}}, " for p in kernel.entry.parameters) or "{0, 0}"
    text = f"namespace k{index} {{\nconst Parameter parameters[] = {{{parameters}}};\n" + _origins(module, kernel)
    for body in kernel.bodies.values():
        text += _signature(body.function) + ";\n"
    text += _through_pointers(module, kernel)
    for body in kernel.bodies.values():
        declarations = "\n".join(body.declared.values())
        text += f"{_signature(body.function)} {{\n{declarations}\n" + "\n".join(body.lines) + "\n}\n"
    return text + f"}}  // namespace k{index}\n"


def generate(ptx: str, reached: bool = False) -> Generated:
    """Throws Unknown for a module that cannot be read; an instruction that is not known stops its kernel when it is
    reached, and stands in `unknown`. With `reached` it notes which lines are executed."""
    module = Module(ptx)
    result = Generated("")
    kernels = [_Kernel(module, f, reached) for f in module.functions.values() if f.entry]
    late: list[str] = []
    wanted = {name: v for name, v in module.variables.items() if v.space in ("global", "const")}
    definitions = "".join(f"const u8 A_{mangled(name)} = 0;\n" for name in module.taken)  # their addresses
    definitions += "".join(_variable(v, late, module.taken) for v in wanted.values() if not v.extern)
    files = "".join(f"{quoted(name)}, " for name in module.files.values())
    text = _HEADER + definitions + f"[[maybe_unused]] const char* const files[] = {{{files}nullptr}};\n"
    for index, kernel in enumerate(kernels):
        text += _namespace(module, kernel, index)
        for body in kernel.bodies.values():
            result.unknown += [(kernel.entry.name, what, line, why) for what, line, why in body.unknown]
            result.at += [(kernel.entry.name, line, name) for line, name in body.used]
            result.used.update(name for _, name in body.used)
    text += "const Kernel kernels[] = {\n" + "".join(k.info(i) for i, k in enumerate(kernels)) + "  {}};\n"
    text += "const Variable variables[] = {\n" + "".join(
        f"  {{{quoted(n)}, V_{mangled(n)}, {max(v.size, 1)}, {'true' if v.space == 'const' else 'false'}}},\n"
        for n, v in wanted.items()
        if not v.extern
    ) + "  {}};\n}  // namespace\n"  # fmt: skip
    count = sum(not v.extern for v in wanted.values())
    text += (
        "namespace {\n"
        f"const Module module = {{0x{hash_of(ptx):016x}ull, kernels, {len(kernels)}, variables, {count}}};\n"
        "}  // namespace\n"
        # Of several in one library any will do: they find their fatbins by themselves.
        'extern "C" __attribute__((visibility("default"), weak)) const Module podium_emulated_module;\n'
        'extern "C" const Module podium_emulated_module = module;\n'
        "namespace {\n"
        f"__attribute__((constructor)) void load() {{ {' '.join(late)} add_module(&module); }}\n"
        "__attribute__((destructor)) void unload() { remove_module(&module); }\n"
        "}  // namespace\n"
    )
    result.text = (_REACHED % (ptx.count("\n") + 2) if reached else "") + text
    return result
