# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What many instructions of a kernel have in common becomes one C++ function, with the numbers of registers and the
offsets as its arguments: a tenth of the code, and of the time to compile it. Its name is made from its text, so that
translations can share what was compiled. What remains is control, and calls."""

import hashlib
import re

NUMBERS = re.compile(
    r"(?<=w->v\[)\d+(?=\])|(?<=w->unset\[)\d+(?=\])|(?<=w->s\[)\d+(?=\])|(?<=pair\(w, )\d+(?=[,)])"
    r"|(?<=_lds\(w, g, )\d+(?=,)|(?<=Kind::outside, )\d+(?=,)|(?<=Kind::outside_lds, )\d+(?=,)"
    r"|(?<=Kind::outside_scratch, )\d+(?=,)|(?<=Kind::unset_store, )\d+(?=,)|(?<=Kind::unset_address, )\d+(?=,)"
    r"|(?<=load_scalar\(w, g, )\d+(?=,)|(?<=Kind::race, )\d+(?=,)|(?<=U\()\d+u?(?=\))|(?<=SIMM32\()\d+u(?=\))"
    r"|(?<=\+ )-?\d+ll\b|(?<=\+ \()-?\d+ll\b|(?<=\+ )\d+u\b"
)
TAIL = re.compile(r" w->pc = \d+; return \(int\)Stop::\w+;$")
HIDDEN = '__attribute__((visibility("hidden")'


LANES = re.compile(r"\bex\b")  # EXEC as it is when the instruction begins


class Outliner:
    def __init__(self, exec_mask: str):
        self.lanes = f"const uint64_t ex = {exec_mask};"
        self.functions: dict[str, str] = {}  # name to parameters and body

    def call(self, body: str) -> str:
        """The statement that does what `body` does."""
        tail = ""
        if m := TAIL.search(body):
            body, tail = body[: m.start()], m[0]
        if "goto " in body or "w->pc" in body or body == ";" or body.startswith("return "):
            return self._with_lanes(body) + tail
        arguments: list[str] = []

        def argument(m: re.Match) -> str:
            if m[0] not in arguments:
                arguments.append(m[0])
            name = f"a{arguments.index(m[0])}"
            return f"(uint32_t){name}" if m[0].endswith("u") else name

        general = self._with_lanes(NUMBERS.sub(argument, body))
        parameters = "".join(f", int64_t a{n}" for n in range(len(arguments)))
        text = f"(Wave* w, Group* g{parameters}) {{ {general} return 0; }}"
        name = "F" + hashlib.sha256(text.encode()).hexdigest()[:24]
        self.functions[name] = text
        call = f"{name}(w, g{''.join(', ' + a for a in arguments)})"
        return (f"if (const int stop = {call}) return stop;" if "return" in body else call + ";") + tail

    def _with_lanes(self, body: str) -> str:
        return f"{self.lanes} {body}" if LANES.search(body) else body

    def definitions(self, besides: set[str]) -> str:
        """One a line. Weak: two object files may both have one."""
        return "\n".join(f"{HIDDEN}, noinline, weak)) int {n}{text}" for n, text in self.functions.items() if n not in besides)

    def declarations(self) -> str:
        return "\n".join(f"{HIDDEN})) int {n}{text[: text.index(')') + 1]};" for n, text in self.functions.items())
