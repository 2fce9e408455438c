# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Registers that an asynchronous instruction writes later, and copies of them: compilers copy where both are one register of the
machine, so such a copy is no use."""

from __future__ import annotations

import re
from functools import lru_cache

from .unwritten import Line, Register

_MOVE = re.compile(r"\bmov\.[a-z]\d+\s+([%\w$]+)\s*,\s*([%\w$]+)\s*;")


def _with_copies(found: set, copies: list[tuple]) -> set:
    """These, and what they are copied to: `copies` are pairs (to, from)."""
    before = -1
    while found and before != len(found):
        before = len(found)
        found.update(to for to, source in copies if source in found)
    return found


@lru_cache(maxsize=8)
def names(text: str, instruction: re.Pattern[str]) -> frozenset[str]:
    """Of a function's text: what `instruction` lists in its group, and what that is copied to."""
    changing = {name.strip() for listed in instruction.findall(text) for name in listed.split(",")}
    return frozenset(_with_copies(changing, _MOVE.findall(text) if changing else []))


@lru_cache(maxsize=8)
def copied_to(text: str, instruction: re.Pattern[str]) -> frozenset[str]:
    """The other way round: what `instruction` lists, and what is copied to that."""
    found = set(instruction.findall(text))
    return frozenset(_with_copies(found, [(source, to) for to, source in _MOVE.findall(text)] if found else []))


def _is_load(line: Line) -> bool:
    return line.instruction is not None and line.instruction.opcode == "tcgen05" and line.instruction.modifiers[0] == "ld"


def _copied(line: Line) -> Register | None:
    """What a plain copy reads."""
    ins = line.instruction
    if ins and ins.opcode == "mov" and len(line.reads) == len(line.writes) == 1 and ins.operands[1] in line.operands:
        return line.reads[0]
    return None


def _is_product(line: Line) -> bool:
    return line.instruction is not None and line.instruction.opcode == "wgmma" and line.instruction.modifiers[0] == "mma_async"


def check_products(lines: list[Line]) -> None:
    """A register that wgmma.mma_async writes, or a copy of one, is used or changed before a wait, or one that holds its A is
    changed: device/wgmma.hpp. Changes the lines."""
    followed = {register for line in lines if _is_product(line) for register in line.writes}
    if not followed:
        return
    _with_copies(followed, [(to, source) for line in lines if (source := _copied(line)) for to in line.writes])
    held = {register: number for number, register in enumerate(dict.fromkeys(r for line in lines for r in line.held))}
    for line in lines:
        changed = [r for r in line.writes if r in held]
        if changed:
            told = "".join(f'wgmma_changed(t, {line.number}, {held[r]}, "{r.ptx}"); ' for r in changed)
            line.text = f"if (t->products_in_flight) {{ {told}}} {line.text}"
        if line.held:
            line.text += f" wgmma_holds(t, {line.number}, {{{', '.join(str(held[r]) for r in line.held)}}});"
        if _copied(line) in followed:
            continue
        used = {r: "reads" for r in line.read() if r in followed and r != line.guard}
        if not _is_product(line):
            used |= {r: "changes" for r in line.writes if r in followed and r not in used}
        if used:
            told = "".join(f'wgmma_used(t, {line.number}, &{r.name}, "{r.ptx}", "{how}"); ' for r, how in used.items())
            line.text = f"if (t->products_in_flight) {{ {told}}} {line.text}"


def _companion(register: Register) -> str:
    return f"load_of_{register.name}"


def loads_followed(lines: list[Line]) -> dict[str, str]:
    """Companions of the registers that tcgen05.ld writes: a load is done where one of them is used, device/tensor_order.hpp.
    Changes the lines; returns the companions' declarations."""
    followed = {register for line in lines if _is_load(line) for register in line.writes}
    if not followed:
        return {}
    _with_copies(followed, [(to, source) for line in lines if (source := _copied(line)) for to in line.writes])
    for line in lines:
        source = _copied(line)
        used = [] if source else [r for r in dict.fromkeys((*line.reads, *line.addresses)) if r in followed]
        told = "".join(f"if ({_companion(r)} && t->loads_in_flight) tensor_used(t, {_companion(r)}); " for r in used)
        value = "load_number" if _is_load(line) else _companion(source) if source in followed else "0"
        written = "".join(f" {_companion(r)} = {value};" for r in line.writes if r in followed)
        line.text = told + line.text + written
    return {_companion(r): f"u32 {_companion(r)} = 0;" for r in sorted(followed, key=lambda r: r.name)}
