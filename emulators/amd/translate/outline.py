# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What many instructions of a kernel have in common becomes one C++ function, with the numbers of registers and the
offsets as its arguments: a tenth of the code, and of the time to compile it."""

import re

NUMBERS = re.compile(
    r"(?<=w->v\[)\d+(?=\])|(?<=w->unset\[)\d+(?=\])|(?<=w->s\[)\d+(?=\])|(?<=pair\(w, )\d+(?=[,)])"
    r"|(?<=_lds\(w, g, )\d+(?=,)|(?<=Kind::outside, )\d+(?=,)|(?<=Kind::outside_lds, )\d+(?=,)"
    r"|(?<=Kind::outside_scratch, )\d+(?=,)|(?<=Kind::unset_store, )\d+(?=,)|(?<=Kind::unset_address, )\d+(?=,)"
    r"|(?<=Kind::race, )\d+(?=,)|(?<=U\()\d+u?(?=\))|(?<=SIMM32\()\d+u(?=\))"
    r"|(?<=\+ )-?\d+ll\b|(?<=\+ \()-?\d+ll\b|(?<=\+ )\d+u\b"
)
TAIL = re.compile(r" w->pc = \d+; return \(int\)Stop::\w+;$")
LEAST = 80  # characters worth a function


class Outliner:
    def __init__(self):
        self.functions: dict[str, str] = {}  # body to name

    def call(self, body: str) -> str:
        """The statement that does what `body` does."""
        tail = ""
        if m := TAIL.search(body):
            body, tail = body[: m.start()], m[0]
        if "goto " in body or "w->pc" in body or len(body) < LEAST:
            return body + tail
        arguments: list[str] = []

        def argument(m: re.Match) -> str:
            if m[0] not in arguments:
                arguments.append(m[0])
            name = f"a{arguments.index(m[0])}"
            return f"(uint32_t){name}" if m[0].endswith("u") else name

        general = NUMBERS.sub(argument, body)
        parameters = "".join(f", int64_t a{n}" for n in range(len(arguments)))
        text = f"(Wave* w, Group* g, const uint64_t ex{parameters}) {{ {general} return 0; }}"
        name = self.functions.setdefault(text, f"F{len(self.functions)}")
        call = f"{name}(w, g, ex{''.join(', ' + a for a in arguments)})"
        return (f"if (const int stop = {call}) return stop;" if "return" in body else call + ";") + tail

    def source(self) -> str:
        return "\n".join(f"static __attribute__((noinline)) int {name}{text}" for text, name in self.functions.items())
