# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The translation unit of a code object: one function that runs a wave until it ends, waits, or faults. All kernels
share it, and with it the functions of what they have in common."""

from . import control, lanes, lds, matrix, memory, scalar, vector
from .beyond import Beyond
from .code_object import CodeObject
from .decode import Flow, Instruction, family_of
from .operands import Operands
from .outline import Outliner
from .unwritten import Unwritten

PARTS = (control, scalar, lds, memory, lanes, matrix)  # asked in this order; what none of them knows is arithmetic


class Unit:
    """What translating one instruction needs to know of the rest."""

    def __init__(self, code: CodeObject, entries: list[int], target: str, wave: int):
        self.target, self.wave = target, wave
        self.family = family_of(target)
        self.operands = Operands(self.family, wave)
        self.flow = Flow(code, entries, target)
        self.refused: dict[int, str] = {}  # instructions whose C++ did not compile: why

    def write(self) -> None:
        """Fills `functions` and `source`; once more whenever an instruction has been refused."""
        order = sorted(self.flow.instructions)
        self.outliner = Outliner(self.operands.exec_mask())
        bodies = {offset: self._body(self.flow.instructions[offset]) for offset in order}
        self.beyond, self.unwritten = Beyond(self.flow.instructions, bodies), Unwritten(self, bodies)
        blocks = [self._block(offset, order, n, bodies[offset]) for n, offset in enumerate(order)]
        entries = sorted(e for e in self.flow.entries if e in self.flow.instructions)
        texts = "\n".join(f'  case {o}: return "{self._text(o)}";' for o in order)
        cases = "\n".join(f"    case {e}: {self.unwritten.begin(e)}goto L{e};" for e in entries)
        self.source = f"""#include "unwritten.hpp"
namespace podium::amd {{
{self.outliner.declarations()}
extern "C" int podium_run(Wave* w, Group* g) {{
  dispatch: switch (w->pc) {{
{cases}
    default: return fault(w, g, Kind::jump, w->pc, w->pc, 0, 0);
  }}
{chr(10).join(blocks)}
}}
extern "C" const char* podium_text(uint64_t pc) {{
  switch (pc) {{
{texts}
  default: return "";
  }}
}}
}}
"""

    def head(self) -> str:
        return ("#define PODIUM_FP8_FNUZ\n" if self.target.startswith("gfx94") else "") + '#include "kernel.hpp"'

    def functions(self, besides: set[str]) -> str:
        """The functions that `source` calls, but for those."""
        return f"{self.head()}\nnamespace podium::amd {{\n{self.outliner.definitions(besides)}\n}}\n"

    def names(self) -> set[str]:
        return set(self.outliner.functions)

    def _block(self, offset: int, order: list[int], n: int, body: str) -> str:
        i = self.flow.instructions[offset]
        follows = n + 1 < len(order) and order[n + 1] == i.next
        after = "" if follows else f" return fault(w, g, Kind::jump, {i.next}, {i.next}, 0, 0);"
        first, last = self.unwritten.around(i)
        return f"L{offset}: {{ {self.beyond.before(i)}{first}{self.outliner.call(body)} {last}}}{after}"

    def _body(self, i: Instruction) -> str:
        if i.unknown or i.offset in self.refused:
            return f"return fault(w, g, Kind::unknown, {i.offset}, 0, 0, 0);"
        try:
            for part in PARTS:
                if (text := part.translate(self, i)) is not None:
                    return text
            return vector.translate(self, i)
        except (NotImplementedError, KeyError, AttributeError) as missing:
            self.refused[i.offset] = str(missing)
            return f"return fault(w, g, Kind::unknown, {i.offset}, 0, 0, 0);"

    def _text(self, offset: int) -> str:
        """The instruction for people, without what would end a string in C++."""
        i = self.flow.instructions[offset]
        if i.unknown:
            text = i.unknown
        elif i.decoded is None:
            text = "cache control"
        else:
            text = (i.called.lower() + " " if i.called else "") + repr(i.decoded)
        if offset in self.refused:
            text += f" [{self.refused[offset]}]"
        return text.replace("\\", "").replace('"', "'").replace("\n", " ")[:200]
