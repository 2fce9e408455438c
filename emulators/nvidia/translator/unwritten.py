# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Registers that are read before anything has written them. What a function reads on some path without having written it is found
here; such registers, and those that are computed from them, get a companion in C++ that names the register nobody wrote, or is null.
Reading alone is no mistake, since compilers copy and pack what is not there yet: told is what decides an address or a branch, or is
stored to global memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .lexer import Instruction, elements


@dataclass(frozen=True, eq=False)  # each is declared once
class Register:
    name: str  # in C++
    type: str  # in C++
    ptx: str = ""

    @property
    def companion(self) -> str:
        return f"nobody_wrote_{self.name}"


@dataclass
class Line:
    """A line of C++: a label, or an instruction with what it touches."""

    text: str
    label: str = ""
    number: int = 0
    guard: Register | None = None
    condition: str = ""  # the guard in C++
    instruction: Instruction | None = None
    operands: dict[str, Register] = field(default_factory=dict)  # those that are registers, by their text
    reads: list[Register] = field(default_factory=list)
    addresses: list[Register] = field(default_factory=list)
    writes: list[Register] = field(default_factory=list)
    held: list[Register] = field(default_factory=list)  # read until what the line begins has ended: wgmma's A
    targets: list[str] = field(default_factory=list)  # labels

    def whole(self) -> str:
        return self.text if self.instruction is None else f"{self.condition}{{ {self.text} }}"

    def read(self) -> Iterator[Register]:
        yield from self.reads
        yield from self.addresses
        if self.guard:
            yield self.guard

    def ends(self) -> bool:
        return self.guard is None and self.instruction is not None and self.instruction.opcode in ("bra", "brx", "ret", "exit", "trap")


# Whose result is unwritten if any operand is.
_ANY = frozenset(
    "mov add sub mul mad fma div rem mul24 mad24 addc subc madc min max neg abs sad dp4a dp2a bfe szext bfind brev clz popc sqrt rcp rsqrt "
    "ex2 lg2 sin cos tanh copysign testp setp set and or xor not cnot shl shr cvt cvta".split()
)
# If all are: they keep some bits of each, or choose.
_ALL = frozenset("lop3 prmt bfi shf slct bmsk".split())
_DECIDING = {"bra": "decides a branch", "brx": "decides a branch", "ret": "decides a branch", "exit": "decides a branch", "call": "decides a branch",
             "st": "decides whether something is stored", "red": "decides whether something is stored",
             "atom": "decides whether something is stored", "cp": "decides whether something is copied"}  # fmt: skip


def _of(operand: str, line: Line, watched: set[Register]) -> str:
    """The companion of an operand, or null."""
    found = line.operands.get(operand.lstrip("!").strip())
    return found.companion if found in watched else "nullptr"


def _any(companions: Iterable[str]) -> str:
    known = [c for c in dict.fromkeys(companions) if c != "nullptr"]
    return "".join(f"{c} ? {c} : " for c in known) + "nullptr"


def _all(companions: Iterable[str]) -> str:
    listed = list(dict.fromkeys(companions))
    return "nullptr" if not listed or "nullptr" in listed else f"{' && '.join(listed)} ? {listed[0]} : nullptr"


def _decided(a: str, b: str, line: Line, watched: set[Register], conjunction: bool) -> str:
    """Of `and` and `or` of predicates: a known operand may decide alone."""
    parts = []
    for mine, other in ((a, b), (b, a)):
        companion = _of(mine, line, watched)
        name = other.lstrip("!").strip()
        found = line.operands.get(name)
        if companion == "nullptr" or found is None:
            continue
        # The other one leaves it open: `and` where it is true, `or` where it is false.
        leaves_open = f"{'' if conjunction != other.startswith('!') else '!'}{found.name}"
        unknown = _of(other, line, watched)
        parts.append(f"{companion} && ({leaves_open}{'' if unknown == 'nullptr' else f' || {unknown}'}) ? {companion} : ")
    return "".join(parts) + "nullptr"


def _result(line: Line, watched: set[Register]) -> list[str]:
    """The companion of each register that the line writes, as it will be."""
    ins = line.instruction
    assert ins is not None
    o, count = ins.operands, len(line.writes)
    of = [r.companion if r in watched else "nullptr" for r in line.reads]
    predicates = "pred" in ins.modifiers
    if ins.opcode == "selp":
        chosen = line.operands.get(o[3])
        condition = _of(o[3], line, watched)
        choice = f"{chosen.name} ? {_of(o[1], line, watched)} : {_of(o[2], line, watched)}" if chosen else "nullptr"
        return [choice if condition == "nullptr" else f"{condition} ? {condition} : ({choice})"] * count
    dense = (ins.opcode == "mma" and not ins.starting("sp")) or (ins.opcode == "wmma" and ins.has("mma"))
    if dense and len(elements(o[0])) == len(elements(o[3])) == count:
        return [_of(c, line, watched) for c in elements(o[3])]
    if predicates and ins.opcode in ("and", "or"):
        return [_decided(o[1], o[2], line, watched, ins.opcode == "and")] * count
    some = ins.opcode in ("and", "or") or (ins.opcode == "mov" and len(o) > 1 and o[1].startswith("{"))
    some |= ins.opcode in ("setp", "set") and ins.has("and", "or", "xor")
    if ins.opcode in ("xor", "sub") and len(o) > 2 and o[1] == o[2]:
        return ["nullptr"] * count
    if some or ins.opcode in _ALL:
        return [_all(of)] * count
    return [_any(of) if ins.opcode in _ANY else "nullptr"] * count


def unwritten_reads(lines: list[Line]) -> set[Register]:
    """Registers that are read where not every path has written them."""
    bits: dict[Register, int] = {}

    def bits_of(registers: Iterable[Register]) -> int:
        result = 0
        for register in registers:
            result |= bits.setdefault(register, 1 << len(bits))
        return result

    reads = [bits_of(line.read()) for line in lines]
    writes = [bits_of(line.writes) if line.guard is None else 0 for line in lines]
    everything = (1 << len(bits)) - 1
    at = {line.label: everything for line in lines if line.label}
    changed, found = True, 0
    while changed:
        changed, state, reached, found = False, 0, True, 0
        for line, read, written in zip(lines, reads, writes):
            if line.label:
                state = at[line.label] & (state if reached else everything)
                changed |= state != at[line.label]
                at[line.label], reached = state, True
                continue
            if not reached or line.instruction is None:
                continue
            found |= read & ~state
            for target in line.targets:
                if at[target] & state != at[target]:
                    at[target] &= state
                    changed = True
            state |= written
            reached = not line.ends()
    return {register for register, bit in bits.items() if found & bit}


def _watched(lines: list[Line]) -> set[Register]:
    """Those, and what may be computed from them."""
    watched = unwritten_reads(lines)
    before = -1
    while watched and before != len(watched):
        before = len(watched)
        for line in lines:
            if line.instruction and not watched.issuperset(line.writes) and (
                line.guard in watched or any(companion != "nullptr" for companion in _result(line, watched))
            ):  # fmt: skip
                watched.update(line.writes)
    return watched


def _told(line: Line, register: Register, what: str) -> str:
    return f"if ({register.companion}) unwritten(t, {line.number}, {register.companion}, \"{what}\"); "


def _checked(line: Line, watched: set[Register]) -> str:
    ins = line.instruction
    assert ins is not None
    before, inside, after = "", "", ""
    deciding = _DECIDING.get(ins.opcode)
    if line.guard in watched and deciding:
        before = _told(line, line.guard, deciding)
    for register in dict.fromkeys(r for r in line.addresses if r in watched):
        inside += _told(line, register, "decides which address is accessed")
    reads = list(dict.fromkeys(r for r in line.reads if r in watched))
    if ins.opcode == "brx":
        inside += "".join(_told(line, r, deciding or "") for r in reads)
    if (ins.opcode == "st" or (ins.opcode == "wmma" and ins.has("store"))) and ins.has("global"):
        inside += "".join(_told(line, r, "is stored to global memory") for r in reads)
    for i, (register, companion) in enumerate(zip(line.writes, _result(line, watched))):
        if register in watched:
            inside += f"const char* const unwritten_{i} = {companion}; "
            after += f" {register.companion} = unwritten_{i};"
    text = f"{before}{line.condition}{{ {inside}{line.text}{after} }}"
    if line.guard in watched and not deciding:
        # Of the guard as it was: the line may write it.
        names = "".join(f"{r.companion} = guard; " for r in line.writes if r in watched)
        text = f"{{ const char* const guard = {line.guard.companion}; {text} if (guard) {{ {names}}} }}"
    return text


def checked(lines: list[Line]) -> tuple[list[str], dict[str, str]]:
    """The lines in C++, and the companions' declarations."""
    watched = _watched(lines)
    if not watched:
        return [line.whole() for line in lines], {}
    text = []
    for line in lines:
        touches = line.instruction and any(r in watched for r in (*line.read(), *line.writes))
        text.append(_checked(line, watched) if touches else line.whole())
    ordered = sorted(watched, key=lambda r: r.name)
    return text, {r.companion: f'const char* {r.companion} = "{r.ptx}";' for r in ordered}
