# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""wgmma: device/wgmma.hpp. Its products change registers later, so the C++ variables' addresses go with them; a copy of such
a variable, which a compiler makes where both are one register of the machine, waits for the product likewise."""

from __future__ import annotations

import re

from . import compare_convert, sparsity
from .body import Body
from .in_flight import names
from .lexer import Instruction, Unknown, elements
from .unwritten import Register

_ELEMENTS = {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "e4m3": "e4m3", "e5m2": "e5m2", "s8": "s8", "u8": "u8_", "f32": "f32", "s32": "s32"}
_PRODUCT = re.compile(r"wgmma\.mma_async[^{;]*\{([^}]*)\}")


def _pointer(body: Body, operand: str) -> str:
    found = body.lookup(operand)
    if not isinstance(found, Register) or found.type not in ("u32", "f32"):
        raise Unknown(f"{operand}, which is no register of 32 bits")
    return f"reinterpret_cast<u32*>(&{found.name})"


def move(body: Body, ins: Instruction) -> str:
    """mov, where a register may be in flight; compare_convert.move else."""
    plain = compare_convert.move(body, ins)
    operands = ins.operands
    if len(operands) != 2 or operands[1] not in names(body.function.body, _PRODUCT) or operands[0].startswith("{"):
        return plain
    return f"if (!wgmma_moved(t, {_pointer(body, operands[0])}, {_pointer(body, operands[1])})) {{ {plain} }}"


def _flag(text: str) -> bool:
    return int(text, 0) != 0


def wgmma(body: Body, ins: Instruction) -> str:
    what, line = ins.modifiers[0], ins.line
    if what == "fence":
        return f"wgmma_fence(t, {line});"
    if what == "commit_group":
        return f"wgmma_commit(t, {line});"
    if what == "wait_group":
        return f"wgmma_wait(t, {line}, {body.read(ins.operands[0], 'u32')});"
    if what != "mma_async":
        raise Unknown(f"wgmma.{what}")
    return _multiply(body, ins)


def _multiply(body: Body, ins: Instruction) -> str:
    shape = next(m for m in ins.modifiers if re.fullmatch(r"m64n\d+k\d+", m))
    _, n, k = (int(x) for x in re.findall(r"\d+", shape))
    d, a, b = [m for m in ins.modifiers if m in _ELEMENTS][-3:]
    o, sparse, metadata = ins.operands, ins.has("sp"), ""
    if sparse:  # metadata and selector stand behind B
        of = sparsity.metadata(d, a, k, int(o[4], 0), "false")
        metadata = f", {body.read(o[3], 'u32')}"
        o = o[:3] + o[5:]
    targets, registers = elements(o[0]), o[1].startswith("{")
    # D, A, B, scale-d; for floats imm-scale-a, imm-scale-b; for 16 bits imm-trans-a where A is in memory, imm-trans-b
    rest = o[4:]
    scales, transposes = rest[:2], rest[2:]
    negated = [_flag(x) and int(x, 0) < 0 for x in scales] or [False, False]
    transposed = [_flag(x) for x in transposes]
    if registers:
        transposed = [False, *transposed]
    transposed = (transposed + [False, False])[:2]
    if len(targets) != n // (4 if d == "f16" else 2):
        raise Unknown(f"wgmma with {len(targets)} registers for D")
    flags = [*negated, *transposed, ins.has("satfinite"), not body.function.entry]
    how = f"Wgmma{{{n}, {k}, " + ", ".join(f"Element::{_ELEMENTS[x]}" for x in (a, b, d))
    how += "".join(", true" if flag else ", false" for flag in flags) + (f", true, {of}}}" if sparse else "}")
    body.line.writes += [body.register(x) for x in targets]
    text = f"u32* const d[] = {{{', '.join(_pointer(body, x) for x in targets)}}}; "
    first = "nullptr, " + body.read(o[1], "u64")
    if registers:
        text += f"const u32 a[] = {{{', '.join(body.read(x, 'u32') for x in elements(o[1]))}}}; "
        first = "a, 0"
        if body.function.entry:  # else the product happens at once
            body.line.held = [body.register(x) for x in elements(o[1])]
    scale_d = body.read(o[3], "pred")
    return text + f"wgmma_multiply(t, {ins.line}, {how}, d, {first}, {body.read(o[2], 'u64')}, {scale_d}{metadata});"
