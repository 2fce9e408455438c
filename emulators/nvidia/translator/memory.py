# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Memory: loads and stores, atomics, address spaces, cp.async and mbarriers."""

from __future__ import annotations

import re

from .arithmetic import type_of
from .body import Body, mangled
from .in_flight import copied_to
from .lexer import Instruction, Unknown, elements
from .types import BYTES, unsigned

_SPACES = ("global", "shared", "local", "param", "const")
_OBSERVING = ("volatile", "acquire", "relaxed", "mmio")  # others may write there meanwhile
_COMPARED = re.compile(r"\batom\.[\w.:]*\bcas\b[\w.:]*\s+[%\w$]+\s*,\s*\[[^\]]*\]\s*,\s*([%\w$]+)")


def space_of(ins: Instruction) -> str | None:
    return next((s for m in ins.modifiers for s in _SPACES if m.split("::")[0] == s), None)


def vector_of(ins: Instruction) -> int:
    return next((int(m[1:]) for m in ins.modifiers if m in ("v2", "v4", "v8")), 1)


def load(body: Body, ins: Instruction) -> str:
    t, count = type_of(ins), vector_of(ins)
    targets = elements(ins.operands[0]) if count > 1 else [ins.operands[0]]
    if len(targets) != count:
        raise Unknown("a vector of another length")
    size, cpp = BYTES[t], unsigned(BYTES[t]) if t.startswith("b") and t != "bf16" else t
    strong = ins.has(*_OBSERVING)
    # What a loop of atomicCAS begins with is read as it may be, by CUDA's guide and headers too: it is compared.
    compared = not strong and targets[0] in copied_to(body.function.body, _COMPARED)
    if not strong and not compared and (place := body.place(ins, ins.operands[1], space_of(ins), size * count)):
        if count == 1:
            return body.write(targets[0], f"read<{cpp}>(read_{place})", cpp)
        text = f"const u8* const from = read_{place}; "
        text += "".join(f"const {cpp} v{i} = read<{cpp}>(from + {size * i}); " for i in range(count))
        return text + " ".join(body.write(target, f"v{i}", cpp) for i, target in enumerate(targets))
    text = f"look(t, {ins.line}); " if strong else ""
    text += f"const u8* const from = {body.pointer(ins, ins.operands[1], space_of(ins), size * count)}; "
    text += body.touched(ins, space_of(ins), "from", size * count, "reads_strongly" if strong or compared else "reads")
    text += _observed(ins, "from") if strong else ""
    # All are read before any register changes: the address may be one of them.
    text += "".join(f"const {cpp} v{i} = read<{cpp}>(from + {size * i}); " for i in range(count))
    return text + " ".join(body.write(target, f"v{i}", cpp) for i, target in enumerate(targets))


def store(body: Body, ins: Instruction) -> str:
    if ins.has("async") and not ins.has("release"):  # those that release tell nobody that they are done, and may be done at once
        raise Unknown("st.async")
    t, count = type_of(ins), vector_of(ins)
    values = elements(ins.operands[1]) if count > 1 else [ins.operands[1]]
    if len(values) != count:
        raise Unknown("a vector of another length")
    size, space = BYTES[t], space_of(ins)
    strong = ins.has(*_OBSERVING, "release")
    if not strong and (place := body.place(ins, ins.operands[0], space, size * count)):
        return "".join(f"write(t->value + {size * i}, {body.read(v, t)}); " for i, v in enumerate(values)) + f"write_{place};"
    text = f"u8* const to = {body.pointer(ins, ins.operands[0], space, size * count)}; "
    if space in ("param", "local"):
        return text + " ".join(f"write(to + {size * i}, {body.read(v, t)});" for i, v in enumerate(values))
    text += f"u8 value[{size * count}]; " + "".join(
        f"write(value + {size * i}, {body.read(v, t)}); " for i, v in enumerate(values)
    )
    text += body.touched(ins, space, "to", size * count, "writes_strongly" if strong else "writes", "value")
    text += _published(ins, "to", True) if strong else ""
    return text + f"__builtin_memcpy(to, value, {size * count});"


def _scope(ins: Instruction) -> str:
    return f"Scope::{'block' if ins.has('cta') else 'cluster' if ins.has('cluster') else 'device'}"


def _observed(ins: Instruction, pointer: str) -> str:
    acquires = "true" if ins.has("acquire", "acq_rel") else "false"
    return f"observe(t, {pointer}, {acquires}, {_scope(ins)}); "


def _published(ins: Instruction, pointer: str, replaces: bool) -> str:
    releases = "true" if ins.has("release", "acq_rel") else "false"
    return f"publish(t, {pointer}, {releases}, {'true' if replaces else 'false'}, {_scope(ins)}); "


def fence(body: Body, ins: Instruction) -> str:
    """fence, membar (PTX ISA 9.7.13.4)."""
    if ins.starting("proxy"):
        if not ins.has("async"):
            return ";"
        of_global, of_shared = ins.has("global"), ins.has("shared::cta", "shared::cluster")
        return f"fence_proxy(t, {str(not of_global).lower()}, {str(not of_shared).lower()});"
    return f"fence(t, {_scope(ins)});"


_ATOMICS = ("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")


def _atomic(body: Body, ins: Instruction, target: str, address: str, values: list[str]) -> str:
    t, count = type_of(ins), vector_of(ins)
    operation = next((m for m in ins.modifiers if m in _ATOMICS), None)
    if not operation:
        raise Unknown("an atomic operation without a name")
    if ins.has("async") and not ins.has("release"):
        raise Unknown("red.async")
    if t.startswith("b") and t != "bf16" and t != "bf16x2":
        t = unsigned(BYTES[t])
    size = BYTES.get(t, 16)
    operands = elements(values[0]) if count > 1 else [values[0]]
    targets = elements(target) if count > 1 and target != "_" else [target] * count
    text = f"look(t, {ins.line}); " if ins.opcode == "atom" else ""
    text += f"u8* const at = {body.pointer(ins, address, space_of(ins), size * count, size)}; "
    text += body.touched(ins, space_of(ins), "at", size * count, "writes_strongly") + _observed(ins, "at")
    text += _published(ins, "at", False)
    for i, (one, into) in enumerate(zip(operands, targets)):
        arguments = [f"at + {size * i}", body.read(one, t)]
        if operation == "add" and t in ("f32", "f64") and space_of(ins) != "shared":  # where global memory adds
            arguments.append("true" if space_of(ins) == "global" else "!is_shared(t, reinterpret_cast<u64>(at))")
        if operation == "cas":
            arguments.append(body.read(values[1], t))
        done = f"atomic_{operation}<{t}>({', '.join(arguments)})"
        if operation == "add" and t in ("f16x2", "bf16x2") and space_of(ins) != "global":
            integers = f"bits<{t}>(atomic_add<u32>({arguments[0]}, bits<u32>({arguments[1]})))"
            done = f"(pairs_are_integers(t, {ins.line}, at) ? {integers} : {done})"
        text += body.write(into, done)
    return text


def atomic(body: Body, ins: Instruction) -> str:
    return _atomic(body, ins, ins.operands[0], ins.operands[1], ins.operands[2:])


def reduction(body: Body, ins: Instruction) -> str:
    return _atomic(body, ins, "_", ins.operands[0], ins.operands[1:])


def convert_address(body: Body, ins: Instruction) -> str:
    source = body.read(ins.operands[1], "u64")
    if space_of(ins) != "shared":  # other spaces' addresses are generic ones
        return body.write(ins.operands[0], source)
    return body.write(ins.operands[0], f"{'shared_of' if ins.has('to') else 'generic_of'}(t, {source})")


def is_in_space(body: Body, ins: Instruction) -> str:
    """.shared without more means the thread's own block; parameters of kernels lie in global memory too (9.7.9.19)."""
    space = space_of(ins)
    constants = [v for v in body.module.variables.values() if v.space == "const"]
    of_constant = " || ".join(f"at - reinterpret_cast<u64>(V_{mangled(v.name)}) < {v.size}" for v in constants) or "false"
    test = {
        "shared": "is_shared(t, at)" if ins.has("shared::cluster") else "is_own_shared(t, at)",
        "local": "is_local(t, at)",
        "const": of_constant,
        "param": "is_parameter(t, at)",
        "global": f"!is_shared(t, at) && !is_local(t, at) && !({of_constant})",
    }[space or ""]
    return f"const u64 at = {body.read(ins.operands[1], 'u64')}; " + body.write(ins.operands[0], f"({test})")


def nothing(body: Body, ins: Instruction) -> str:
    """Hints, and what is always so here."""
    return ";"


def grid_dependency(body: Body, ins: Instruction) -> str:
    """griddepcontrol: that it launches dependents, the kernel's table says."""
    return "wait_for_prerequisite(t);" if ins.has("wait") else ";"


def discard(body: Body, ins: Instruction) -> str:
    """What the bytes held is lost: they are as memory that nothing has written."""
    size, space = 128, space_of(ins)
    text = f"u8* const to = {body.pointer(ins, ins.operands[0], space, size)}; "
    return text + body.touched(ins, space, "to", size, "writes") + f"__builtin_memset(to, 0xff, {size});"


def policy(body: Body, ins: Instruction) -> str:
    return body.write(ins.operands[0], "u64{0}")


def map_address(body: Body, ins: Instruction) -> str:
    """mapa: the same offset in another block's shared memory."""
    rank = body.read(ins.operands[2], "u32")
    if ins.starting("shared"):
        at = body.read(ins.operands[1], "u32")
        return body.write(ins.operands[0], f"(({at} & offset_mask) | {rank} << rank_shift)")
    at = f"shared_of(t, {body.read(ins.operands[1], 'u64')})"
    return body.write(ins.operands[0], f"generic_of(t, ({at} & offset_mask) | static_cast<u64>({rank}) << rank_shift)")


def get_rank(body: Body, ins: Instruction) -> str:
    if ins.starting("shared"):
        return body.write(ins.operands[0], f"({body.read(ins.operands[1], 'u32')} >> rank_shift)")
    return body.write(ins.operands[0], f"static_cast<u32>(shared_of(t, {body.read(ins.operands[1], 'u64')}) >> rank_shift)")


def copy(body: Body, ins: Instruction) -> str:
    """cp.async, cp.async.bulk without tensors."""
    if ins.has("bulk"):
        return _copy_bulk(body, ins)
    if ins.modifiers[0] != "async":
        raise Unknown("this form of cp")
    if ins.has("commit_group"):
        return "copy_commit(t);"
    if ins.has("wait_group"):
        return f"copy_wait(t, {body.read(ins.operands[0], 'u32')});"
    if ins.has("wait_all"):
        return "copy_wait_all(t);"
    if ins.has("mbarrier"):
        counted = "true" if ins.has("noinc") else "false"
        return f"copy_arrive(t, {ins.line}, {body.shared_address(ins, ins.operands[0])}, {counted});"
    return _copy_bytes(body, ins)


def _copy_bulk(body: Body, ins: Instruction) -> str:
    o, line = ins.operands, ins.line
    if ins.has("reduce", "tensor"):
        raise Unknown("a bulk copy that reduces, or of a tensor")
    if ins.has("commit_group"):
        return "bulk_commit(t);"
    if ins.has("wait_group"):
        return f"bulk_wait(t, {body.read(o[0], 'u32')});"
    if ins.has("prefetch"):
        return ";"
    spaces = [m.split("::")[0] for m in ins.modifiers if m.split("::")[0] in ("shared", "global")]
    first, second = (body.address(x) for x in o[:2])
    size = body.read(o[2], "u32")
    if spaces == ["shared", "global"]:
        blocks = body.read(o[4], "u16") if ins.starting("multicast") else "0"
        return f"bulk_load(t, {line}, static_cast<u32>({first}), {second}, {size}, static_cast<u32>({body.address(o[3])}), {blocks});"
    if spaces == ["shared", "shared"]:
        barrier = f"static_cast<u32>({body.address(o[3])})"
        return f"bulk_move(t, {line}, static_cast<u32>({first}), static_cast<u32>({second}), {size}, {barrier});"
    if spaces == ["global", "shared"]:
        return f"bulk_store(t, {line}, {first}, static_cast<u32>({second}), {size});"
    raise Unknown("a bulk copy between these spaces")


def _copy_bytes(body: Body, ins: Instruction) -> str:
    rest = ins.operands[2:]
    size = int(rest[0], 0) if rest[0][0].isdigit() else 0  # also 0x10, as Triton has it
    if size not in (4, 8, 16):
        raise Unknown(f"cp.async of {rest[0]} bytes")
    rest = rest[1:]
    if ins.starting("L2::cache_hint"):
        rest = rest[:-1]
    of_source = f"{size}u"
    if rest and body.is_register(rest[0], "bool"):  # ignore-src
        of_source = f"({body.read(rest[0], 'pred')} ? 0u : {size}u)"
    elif rest:
        of_source = body.read(rest[0], "u32")
    to = f"static_cast<u32>({body.address(ins.operands[0])})"
    source = body.pointer(ins, ins.operands[1], "global", size)
    touched = body.touched(ins, "global", "from", size, "reads")
    return (
        f"const u32 of_source = {of_source}; u8* const from = of_source == 0 ? nullptr : {source}; "
        f"if (from) {{ {touched}}} "
        f"copy_async(t, {ins.line}, {to}, from, {size}, of_source);"
    )


def mbarrier(body: Body, ins: Instruction) -> str:
    what, line, o = ins.modifiers[0], ins.line, ins.operands
    if what == "init":
        return f"mbarrier_init(t, {line}, {body.shared_address(ins, o[0])}, {body.read(o[1], 'u32')});"
    if what == "inval":
        return f"mbarrier_invalidate(t, {line}, {body.shared_address(ins, o[0])});"
    if what in ("arrive", "arrive_drop"):
        o = ["_"] + o if o[0].startswith("[") else o
        expects = ins.has("expect_tx")
        count = body.read(o[2], "u32") if len(o) > 2 and not expects else "1u"
        size = body.read(o[2], "u32") if expects else "0"
        drop = "true" if what == "arrive_drop" else "false"
        return body.write(o[0], f"mbarrier_arrive(t, {line}, {body.shared_address(ins, o[1])}, {count}, {size}, {drop})")
    if what in ("expect_tx", "complete_tx"):
        return f"mbarrier_{what[:-3]}(t, {line}, {body.shared_address(ins, o[0])}, {body.read(o[1], 'u32')});"
    if what in ("test_wait", "try_wait"):
        parity = ins.has("parity")
        state = body.read(o[2], "u32" if parity else "u64")
        call = f"mbarrier_{what[:-5]}{'_parity' if parity else ''}"
        return body.write(o[0], f"{call}(t, {line}, {body.shared_address(ins, o[1])}, {state})")
    if what == "pending_count":
        return body.write(o[0], f"static_cast<u32>({body.read(o[1], 'u64')} >> 20 & 0xfffff)")
    raise Unknown(f"mbarrier.{what}")
