# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Control flow, barriers, operations of a warp and its matrices."""

from __future__ import annotations

import re

from .arithmetic import type_of
from .body import Body, mangled
from .lexer import Instruction, Unknown, elements
from .types import signed


def branch(body: Body, ins: Instruction) -> str:
    return f"goto {body.label(ins.operands[0])};"


def branch_indexed(body: Body, ins: Instruction) -> str:
    cases = " ".join(f"case {i}: goto {body.label(label)};" for i, label in enumerate(body.targets(ins.operands[1])))
    return f"switch ({body.read(ins.operands[0], 'u32')}) {{ {cases} default: fault(t, {ins.line}, \"an index that brx.idx has no target for\"); }}"


def end(body: Body, ins: Instruction) -> str:
    """ret, exit."""
    return "return;" if ins.opcode == "ret" or body.function.entry else "leave(t);"


def trap(body: Body, ins: Instruction) -> str:
    return f'fault(t, {ins.line}, "{ins.opcode}: the kernel stops itself");'


def call(body: Body, ins: Instruction) -> str:
    """Of a function, or through a register: of any whose address is taken."""
    operands, result = ins.operands, "nullptr"
    if operands[0].startswith("("):
        result = f"reinterpret_cast<u8*>({body.symbol(operands[0][1:-1].strip())})"
        operands = operands[1:]
    name = operands[0]
    listed = operands[1][1:-1].strip() if len(operands) > 1 and operands[1].startswith("(") else ""
    places = [body.symbol(o) for o in elements("{" + listed + "}")] if listed else []

    def value(index: int, ptx_type: str) -> str:
        return f"read<{ptx_type}>(reinterpret_cast<u8*>({places[index]}))"

    host = {
        "__assertfail": lambda: f"assert_fail(t, {value(0, 'u64')}, {value(1, 'u64')}, {value(2, 'u32')}, {value(3, 'u64')});",
        "vprintf": lambda: f"write({result}, print(t, {value(0, 'u64')}, {value(1, 'u64')}));",
        "malloc": lambda: f"write({result}, device_malloc(t, {value(0, 'u64')}));",
        "free": lambda: f"device_free(t, {value(0, 'u64')});",
    }
    if name in host:
        return host[name]()
    if body.is_register(name, "u64"):
        body.calls += body.module.taken
        body.calls_through = True
        listed = "".join(f", reinterpret_cast<u8*>({place})" for place in places)
        return f"u8* const places[] = {{{result}{listed}}}; call_through(t, {ins.line}, {body.read(name, 'u64')}, places, {len(places)});"
    if name not in body.module.functions:
        raise Unknown(f"a call of {name}, of which there is no body")
    body.calls.append(name)
    arguments = "".join(f", reinterpret_cast<u8*>({place})" for place in places)
    return f"F_{mangled(name)}(t, {result}{arguments});"


def barrier(body: Body, ins: Instruction) -> str:
    """bar, barrier."""
    line, o = ins.line, ins.operands
    if ins.modifiers[0] == "warp":
        return f"warp_sync(t, {line}, {body.read(o[0], 'u32')});"
    if ins.has("cluster"):
        return f"cluster_{'arrive' if ins.has('arrive') else 'wait'}(t, {line});"
    call = "barrier" if ins.opcode == "bar" or ins.has("aligned") else "lone_barrier"
    number = body.read(o[0], "u32") if not ins.has("red") else body.read(o[1], "u32")
    if ins.has("red"):
        how = {"popc": "popc", "and": "all", "or": "any"}[next(m for m in ins.modifiers if m in ("popc", "and", "or"))]
        count = f"static_cast<s64>({body.read(o[2], 'u32')})" if len(o) > 3 else "-1"
        value = f"{call}_reduce(t, {line}, {number}, {count}, Combine::{how}, {body.read(o[-1], 'pred')})"
        return body.write(o[0], value if how == "popc" else f"({value} != 0)")
    count = f"static_cast<s64>({body.read(o[1], 'u32')})" if len(o) > 1 else "-1"
    return f"{call}{'_arrive' if ins.has('arrive') else ''}(t, {line}, {number}, {count});"


def sleep(body: Body, ins: Instruction) -> str:
    return f"yield(t, {ins.line});"


def shuffle(body: Body, ins: Instruction) -> str:
    if not ins.has("sync"):
        raise Unknown("shfl without .sync")
    names = {"up": "up", "down": "down", "bfly": "butterfly", "idx": "index"}
    how = next(names[m] for m in ins.modifiers if m in names)
    targets, (a, b, c, mask) = ins.operands[0].split("|"), (body.read(o, "u32") for o in ins.operands[1:5])
    text = f"const Shuffled s = shuffle(t, {ins.line}, {mask}, Shuffle::{how}, {a}, {b}, {c}); "
    return text + " ".join(body.write(target, f"s.{part}") for target, part in zip(targets, ("value", "in_range")))


def vote(body: Body, ins: Instruction) -> str:
    if not ins.has("sync"):
        raise Unknown("vote without .sync")
    mask, p = body.read(ins.operands[2], "u32"), body.read(ins.operands[1], "pred")
    how = next(m for m in ins.modifiers if m in ("all", "any", "uni", "ballot"))  # before .sync or behind it
    if how in ("all", "uni"):  # all: nobody votes against it
        against = f"ballot(t, {ins.line}, mask, !p) == 0"
        value = against if how == "all" else None
    else:
        value = f"ballot(t, {ins.line}, mask, p)" + (" != 0" if how == "any" else "")
    text = f"const u32 mask = {mask}; const bool p = {p}; "
    if value is None:
        text += f"const u32 votes = ballot(t, {ins.line}, mask, p); const bool mine = (votes >> t->lane & 1) != 0; "
        text += f"const u32 same = ballot(t, {ins.line}, mask, mine == p); "
        value = "(votes == 0 || votes == same)"
    return text + body.write(ins.operands[0], value)


def match(body: Body, ins: Instruction) -> str:
    t = {"b32": "u32", "b64": "u64"}[type_of(ins)]
    targets, value = ins.operands[0].split("|"), body.read(ins.operands[1], t)
    how = "match_all" if ins.has("all") else "match_any"
    text = f"const Matched m = {how}(t, {ins.line}, {body.read(ins.operands[2], 'u32')}, {value}); "
    return text + " ".join(body.write(target, f"m.{part}") for target, part in zip(targets, ("mask", "all")))


def reduce(body: Body, ins: Instruction) -> str:
    t, how = type_of(ins), next(m for m in ins.modifiers if m in ("add", "min", "max", "and", "or", "xor"))
    names = {"and": "bit_and", "or": "bit_or", "xor": "bit_xor", "add": "add"}
    suffix = {"u": "u", "s": "s", "f": "f_nan" if ins.has("NaN") else "f"}
    name = names.get(how) or f"{how}_{suffix[t[0]]}"
    absolute = "true" if ins.has("abs") else "false"
    value = f"reduce(t, {ins.line}, {body.read(ins.operands[2], 'u32')}, Reduce::{name}, {body.read(ins.operands[1], 'u32')}, {absolute})"
    return body.write(ins.operands[0], value)


def elect(body: Body, ins: Instruction) -> str:
    targets = ins.operands[0].split("|")
    text = f"const Elected e = elect(t, {ins.line}, {body.read(ins.operands[1], 'u32')}); "
    return text + " ".join(body.write(target, f"e.{part}") for target, part in zip(targets, ("lane", "me")))


def active_mask(body: Body, ins: Instruction) -> str:
    return body.write(ins.operands[0], "active_mask(t)")


def _count(ins: Instruction) -> int:
    return int(next(m for m in ins.modifiers if re.fullmatch(r"x\d", m))[1:])


_BYTES = {"b8x16.b6x16_p32": 6, "b8x16.b4x16_p64": 4, "b8": 8}


def _width_of_bytes(ins: Instruction) -> int:
    """Bits that an element has in shared memory; it has a byte in a register."""
    name = ".".join(m for m in ins.modifiers if m.startswith(("b8", "b6", "b4")))
    if name not in _BYTES:
        raise Unknown(f"{ins.opcode} of this type")
    return _BYTES[name]


def load_matrix(body: Body, ins: Instruction) -> str:
    targets, at = elements(ins.operands[0]), body.shared_address(ins, ins.operands[1])
    transposed = ins.has("trans")
    text = f"u32 out[{len(targets)}]; "
    if ins.has("m8n8"):
        if ins.modifiers[-1] != "b16":
            raise Unknown("ldmatrix of this shape and type")
        text += f"load_matrix(t, {ins.line}, {at}, {_count(ins)}, {'true' if transposed else 'false'}, out); "
    else:
        rows = 16 if ins.has("m16n16") else 8
        if ins.has("m8n16") == transposed or len(targets) != _count(ins) * rows // 8:
            raise Unknown("ldmatrix of this shape and type")
        text += f"load_byte_matrix(t, {ins.line}, {at}, {_count(ins)}, {rows}, {_width_of_bytes(ins)}, out); "
    return text + " ".join(body.write(target, f"out[{i}]") for i, target in enumerate(targets))


def store_matrix(body: Body, ins: Instruction) -> str:
    values, transposed = elements(ins.operands[1]), ins.has("trans")
    registers, at = ", ".join(body.read(v, "u32") for v in values), body.shared_address(ins, ins.operands[0])
    text = f"const u32 in[] = {{{registers}}}; "
    if ins.has("m16n8"):
        if not transposed or ins.modifiers[-1] != "b8":
            raise Unknown("stmatrix of this shape and type")
        return text + f"store_byte_matrix(t, {ins.line}, {at}, {len(values)}, in);"
    if not ins.has("m8n8") or ins.modifiers[-1] != "b16":
        raise Unknown("stmatrix of this shape and type")
    return text + f"store_matrix(t, {ins.line}, {at}, {len(values)}, {'true' if transposed else 'false'}, in);"


def move_matrix(body: Body, ins: Instruction) -> str:
    return body.write(ins.operands[0], f"move_matrix(t, {ins.line}, {body.read(ins.operands[1], 'u32')})")


_ELEMENTS = {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "e4m3": "e4m3", "e5m2": "e5m2", "f32": "f32", "f64": "f64"}
_INTEGER = ("s8", "u8", "s4", "u4", "b1")


def _multiplied(body: Body, ins: Instruction, register: str, function: str, how: str) -> str:
    """A, B and C from their registers, D to its own."""
    lists = [", ".join(body.read(x, register) for x in elements(o)) for o in ins.operands[1:4]]
    targets = elements(ins.operands[0])
    text = "".join(f"const {register} {name}[] = {{{values}}}; " for name, values in zip("abc", lists))
    text += f"{register} d[{len(targets)}]; {function}(t, {ins.line}, {how}, a, b, c, d); "
    return text + " ".join(body.write(target, f"d[{i}]") for i, target in enumerate(targets))


def multiply_matrices(body: Body, ins: Instruction) -> str:
    shape = next((m for m in ins.modifiers if re.fullmatch(r"m\d+n\d+k\d+", m)), None)
    if not shape or ins.starting("sp") or ins.has("block_scale"):
        raise Unknown("this form of mma")
    m, n, k = (int(x) for x in re.findall(r"\d+", shape))
    if ins.has(*_INTEGER):
        return _multiply_integers(body, ins, m, n, k)
    if ins.has("satfinite"):
        raise Unknown("this form of mma")
    types = [x for x in ins.modifiers if x in _ELEMENTS][-4:]
    d, a, b, c = types
    if shape == "m8n8k4" and a == b == "f16":
        return _multiply_quads(body, ins, d, c)
    if not ins.has("row") or not ins.has("col") or n != 8 or d != c or (m != 16 and a != "f64"):
        raise Unknown("mma of this shape or layout")
    register = "f64" if a == "f64" else "u32"
    how = f"Mma{{{m}, {n}, {k}, Element::{_ELEMENTS[a]}, Element::{_ELEMENTS[b]}, Element::{_ELEMENTS[c]}}}"
    return _multiplied(body, ins, register, "multiply_f64" if a == "f64" else "multiply", how)


def _multiply_quads(body: Body, ins: Instruction, d: str, c: str) -> str:
    """Four products of eight lanes each; A and B are both either by rows or by columns."""
    layouts = [x for x in ins.modifiers if x in ("row", "col")]
    if len(layouts) != 2 or (d, c) not in (("f16", "f16"), ("f32", "f16"), ("f32", "f32")):
        raise Unknown("mma of this shape or layout")
    flags = ", ".join("true" if x else "false" for x in (layouts[0] == "col", layouts[1] == "row", c == "f16", d == "f16"))
    return _multiplied(body, ins, "u32", "multiply_quads", f"QuadMma{{{flags}}}")


def _multiply_integers(body: Body, ins: Instruction, m: int, n: int, k: int) -> str:
    a, b = [x for x in ins.modifiers if x in _INTEGER]
    if not ins.has("row") or not ins.has("col") or n != 8 or m not in (8, 16) or a[1:] != b[1:]:
        raise Unknown("mma of this shape or layout")
    product = "none"
    if a == "b1":
        product = "both" if ins.has("and") else "exclusive"
    flags = ", ".join("true" if x else "false" for x in (signed(a), signed(b), ins.has("satfinite")))
    how = f"MmaIntegers{{{m}, {k}, {a[1:]}, {flags}, BitProduct::{product}}}"
    return _multiplied(body, ins, "u32", "multiply_integers", how)
