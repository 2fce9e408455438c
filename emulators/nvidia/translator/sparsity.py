# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mma.sp, and the metadata of wgmma.mma_async.sp: device/sparse_mma.hpp, device/sparsity.hpp. Dense ones go on to scaled_mma.py."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import scaled_mma
from .body import Body
from .lexer import Instruction, Unknown, elements

_INTEGERS = {"s8": "s8", "u8": "u8_", "s4": "s4", "u4": "u4"}
_FLOATS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "e2m3": 8, "e3m2": 8, "e2m1": 8}
_BYTES = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
_RESULTS = ("f16", "f32", "s32")
_PACKED = ("kind::mxf4", "kind::mxf4nvf4")
_VECTORS = {"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4}


@dataclass(frozen=True)
class _Kind:
    """Of elements of A by their bits: the pattern, columns of which a row has 16 bits of metadata, and those that mma.sp has."""

    pattern: str
    of_16_bits: int
    k: tuple[int, ...]


_KINDS = {
    32: _Kind("one_of_two", 8, (8, 16)), 16: _Kind("two_of_four", 16, (16, 32)), 8: _Kind("two_of_four", 16, (32, 64)),
    4: _Kind("two_pairs_of_four", 32, (64, 128)),
}  # fmt: skip


def _width(a: str, packed: bool) -> int:
    return 4 if packed else _FLOATS.get(a) or int(a[1:])


def _metadata(width: int, k: int, selector: int, ordered: str) -> str:
    """The selector picks one lane of four where a row has 16 bits, two where it has 32, and all where it has 64."""
    kind = _KINDS[width]
    last = {1: 3, 2: 1, 4: 0}[k // kind.of_16_bits]
    if not 0 <= selector <= last:
        raise Unknown(f"the sparsity selector {selector}, expected 0 to {last}")
    wide = "true" if width >= 16 else "false"
    return f"Metadata{{Sparsity::{kind.pattern}, {wide}, {k}, {ordered}, {selector}}}"


def metadata(d: str, a: str, k: int, selector: int, ordered: str) -> str:
    """Of wgmma, whose row has as many bytes whatever its elements are."""
    width = _width(a, False)
    if k * width != 512 or d not in _RESULTS:
        raise Unknown("wgmma of this shape")
    return _metadata(width, k, selector, ordered)


def _scales(body: Body, ins: Instruction, o: list[str]) -> tuple[str, list[str]]:
    if not ins.has("block_scale"):
        return "{0, true}", ["ScaleData{}", "ScaleData{}"]
    default = 2 if ins.has("kind::mxf4") else 1 if ins.has("kind::mxf8f6f4") else None
    vector = next((_VECTORS[m] for m in ins.modifiers if m in _VECTORS), default)
    if vector is None:
        raise Unknown("mma with scale factors that are not stated")
    return f"{{{vector}, {'false' if ins.has('ue4m3') else 'true'}}}", [scaled_mma.scale(body, o[6], o[7]), scaled_mma.scale(body, o[8], o[9])]


def multiply(body: Body, ins: Instruction) -> str:
    """mma.sp: D, A, B, C, metadata, selector; with block scaling as of a dense one behind."""
    if not ins.has("sp", "sp::ordered_metadata"):
        return scaled_mma.multiply(body, ins)
    shape = next((m for m in ins.modifiers if re.fullmatch(r"m16n8k\d+", m)), None)
    kind, o = ins.starting("kind::"), ins.operands
    if not shape or not ins.has("row") or not ins.has("col"):
        raise Unknown("mma.sp of this shape or layout")
    k, types = int(shape[6:]), [m for m in ins.modifiers if m in _FLOATS or m in _INTEGERS or m in _RESULTS]
    d, a, b, c = types
    packed, integers = kind in _PACKED, a in _INTEGERS
    width = _width(a, packed)
    if width != _width(b, packed) or k not in _KINDS[width].k or d != c or d not in _RESULTS or integers != (b in _INTEGERS):
        raise Unknown("mma.sp of this shape or layout")
    if integers != (d == "s32") or (ins.has("satfinite") and not integers) or bool(kind) != (kind in (*_PACKED, "kind::f8f6f4", "kind::mxf8f6f4")):
        raise Unknown("this form of mma.sp")
    scaled = kind is not None and kind != "kind::f8f6f4"
    if ins.has("block_scale") != scaled or (scaled and d != "f32"):
        raise Unknown("this form of mma.sp")
    ordered = "true" if ins.has("sp::ordered_metadata") else "false"
    names = [f"Element::{_INTEGERS.get(x, x)}" for x in (a, b, d)]
    scaling, scales = _scales(body, ins, o)
    two_steps = "true" if a in _BYTES and not kind else "false"
    how = f"SparseMma{{{_metadata(width, k, int(o[5], 0), ordered)}, {', '.join(names)}, {width}, {two_steps}, "
    how += f"{'true' if ins.has('satfinite') else 'false'}, {scaling}}}"
    text = ""
    for name, operand in zip("abc", o[1:4]):
        text += f"const u32 {name}[] = {{{', '.join(body.read(x, 'u32') for x in elements(operand))}}}; "
    targets = elements(o[0])
    word = body.read(elements(o[4])[0], "u32")
    text += f"u32 d[{len(targets)}]; multiply_sparse(t, {ins.line}, {how}, a, b, c, d, {word}, {', '.join(scales)}); "
    return text + " ".join(body.write(target, f"d[{i}]") for i, target in enumerate(targets))
