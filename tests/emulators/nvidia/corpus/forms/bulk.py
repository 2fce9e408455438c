# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Ranges of bytes without a tensor map, to shared memory and back, within a cluster, and reductions: PTX ISA 9.7.9.25.5
(cp.async.bulk, cp.reduce.async.bulk)."""

from __future__ import annotations

from collections.abc import Iterator

from .form import Form
from .memories import COMMITTED, LANES, ROW, UNTOUCHED, WAIT, begun, expecting, placed, read_back, scoped, sync
from .stores import REDUCTIONS, SIZES, element, kinds_of, reduced

_OPERANDS = ("i32",) * 8
_BOX = 2048
_RANGE = 1024  # bytes of a reduction's target, and of its source
# Of operations, the types that they have in shared memory.
_IN_SHARED = {"add": ("u32", "s32", "u64"), "min": ("u32", "s32"), "max": ("u32", "s32"), "inc": ("u32",), "dec": ("u32",), "and": ("b32",),
              "or": ("b32",), "xor": ("b32",)}  # fmt: skip


def load(size: int, to: int, source: int, space: str = "shared::cluster", blocks: int = 1, mask: int = 0, hint: bool = False) -> Form:
    name = f"cp.async.bulk.{space}.global.mbarrier::complete_tx::bytes{'.multicast::cluster' if mask else ''}{'.L2::cache_hint' if hint else ''}"

    def result(memory: bytes) -> list[int | None]:
        box = [UNTOUCHED] * _BOX
        box[to : to + size] = memory[source : source + size]
        return [x for block in range(blocks) for x in (box if not mask or mask >> block & 1 else [UNTOUCHED] * _BOX)]

    text = begun(_BOX, size, blocks) + f"add.u64 %g, %in, {source}; add.u32 %v, %box, {to}; mov.b16 %h, {mask};\n"
    text += ".reg .b64 %policy; createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;\n" if hint else ""
    text += "setp.ne.u32 %q, %rank, 0; or.pred %p, %p, %q;\n" if mask else ""
    text += f"@!%p {name} [%v], [%g], {size}, [%bar]{', %h' if mask else ''}{', %policy' if hint else ''};\n"
    gone = "" if not mask else f"mov.u32 %v, {mask}; shr.u32 %v, %v, %rank; and.b32 %v, %v, 1; setp.eq.u32 %q, %v, 0; @%q bra GONE;\n"
    text += gone + WAIT + ("GONE:\n" if gone else "") + read_back(_BOX, blocks) + sync(blocks) + "\n"
    variant = f"{size} bytes from {source} to {to}" + (f", mask {mask:#x} of {blocks} blocks" if mask else "")
    return Form(name, scoped(text), _OPERANDS, ("b32",) * (_BOX // ROW * blocks), "sm_90", variant, "memory", expecting(_OPERANDS, result, blocks),
                LANES, True, blocks, _BOX)  # fmt: skip


def store(size: int, to: int, source: int, read: bool = False, hint: bool = False) -> Form:
    name = "cp.async.bulk.global.shared::cta.bulk_group" + (".L2::cache_hint" if hint else "")

    def result(memory: bytes) -> list[int]:
        return [*memory[:to], *memory[_BOX + source : _BOX + source + size], *memory[to + size : _BOX]]

    text = placed(_BOX, _BOX) + ".reg .b64 %to, %first; shl.b64 %to, %wide, 2; sub.u64 %to, %place, %to; "
    text += f"add.u64 %to, %to, {to}; add.u32 %v, %box, {source};\n"
    text += ".reg .b64 %policy; createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;\n" if hint else ""
    text += f"@!%p {name} [%to], [%v], {size}{', %policy' if hint else ''};\n"
    # Once the source was read, it may be written.
    text += COMMITTED.replace("wait_group 0", "wait_group.read 0") + "@!%p st.shared.b64 [%v], 0;\n@!%p cp.async.bulk.wait_group 0;\n" if read else COMMITTED
    kinds = ("i32",) * (2 * _BOX // ROW)
    return Form(name, scoped(text), kinds, ("b32",) * (_BOX // ROW), "sm_90", f"{size} bytes from {source} to {to}" + (", .read" if read else ""), "memory",
                expecting(kinds, result), LANES, True, 1, _BOX, None, True)  # fmt: skip


def _combined(target: bytes, source: bytes, operation: str, t: str) -> list[int | None]:
    size, function = SIZES[t], reduced(operation, t)
    return [x for at in range(0, _RANGE, size) for x in element(target[at : at + size], source[at : at + size], function)]


def _reduced_in_memory(operation: str, t: str) -> Form:
    name = f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}{'.noftz' if t in ('f16', 'bf16') and operation == 'add' else ''}.{t}"
    text = placed(_RANGE, _RANGE) + f"@!%p {name} [%place], [%box], {_RANGE};\n{COMMITTED}"
    kinds = kinds_of(t, 2 * _RANGE, True)
    return Form(name, scoped(text), kinds, ("b32",) * (_RANGE // ROW), "sm_90", "", "memory",
                expecting(kinds, lambda memory: _combined(memory[:_RANGE], memory[_RANGE:], operation, t)), LANES, True, 1, _RANGE, None, True)  # fmt: skip


def _reduced_in_shared(operation: str, t: str, blocks: int, moved: bool = False) -> Form:
    """To the block before; each has a range of its own, and behind it the source."""
    name = "cp.async.bulk" if moved else "cp.reduce.async.bulk"
    name += ".shared::cluster.shared::cta.mbarrier::complete_tx::bytes" + ("" if moved else f".{operation}.{t}")
    kinds, step = kinds_of(t, 2 * _RANGE * blocks), ROW // blocks

    def result(memory: bytes) -> list[int | None]:
        parts = [(memory[at : at + _RANGE], memory[at + _RANGE : at + 2 * _RANGE]) for at in range(0, 2 * _RANGE * blocks, 2 * _RANGE)]
        sources = [parts[(block + 1) % blocks][1] for block in range(blocks)]
        return [x for (target, _), source in zip(parts, sources) for x in (source if moved else _combined(target, source, operation, t))]

    text = begun(2 * _RANGE, _RANGE, blocks)
    text += f"mul.lo.u32 %v, %rank, {2 * _RANGE}; mad.lo.u32 %v, %t, 4, %v; cvt.u64.u32 %g, %v; add.u64 %g, %in, %g;\n"
    text += "".join(f"ld.global.b32 %v, [%g+{at}]; st.shared.b32 [%word+{at}], %v; " for at in range(0, 2 * _RANGE, step))
    text += f"\nfence.proxy.async;\n{sync(blocks)}\n.reg .b32 %next, %to, %at2, %from;\n"
    text += f"add.u32 %next, %rank, {blocks - 1}; rem.u32 %next, %next, {blocks}; mapa.shared::cluster.u32 %to, %box, %next; "
    text += "mapa.shared::cluster.u32 %at2, %bar, %next; " + f"add.u32 %from, %box, {_RANGE};\n"
    text += f"@!%p {name} [%to], [%from], {_RANGE}, [%at2];\n{WAIT}" + read_back(_RANGE, blocks) + sync(blocks) + "\n"
    return Form(name, scoped(text), kinds, ("b32",) * (_RANGE // ROW * blocks), "sm_90", f"{blocks} blocks", "memory",
                expecting(kinds, result, blocks), LANES, True, blocks, 2 * _RANGE, clustered=True)  # fmt: skip


def forms() -> Iterator[Form]:
    for size, to, source in ((16, 0, 0), (16, 2032, 48), (48, 16, 1024), (512, 128, 16), (2048, 0, 2048), (1040, 496, 3056)):
        yield load(size, to, source)
        yield store(min(size, 2048 - to), to, source % 1024)
    yield load(512, 512, 512, hint=True)
    for mask, blocks in ((0b01, 2), (0b11, 2), (0b10, 2), (0b1010, 4)):
        yield load(1024, 64, 256, blocks=blocks, mask=mask)
    yield store(512, 512, 512, hint=True)
    yield store(1024, 64, 256, read=True)
    for blocks in (1, 2, 4):
        yield _reduced_in_shared("", "b32", blocks, moved=True)
    for operation, types in REDUCTIONS.items():
        for t in types:
            yield _reduced_in_memory(operation, t)
    for operation, types in _IN_SHARED.items():
        for t in types:
            for blocks in (1, 2):
                yield _reduced_in_shared(operation, t, blocks)
