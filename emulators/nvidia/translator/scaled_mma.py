# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mma.sync of 8-, 6- and 4-bit floats, with block scaling or without: device/scaled_mma.hpp. Other types go on to together.py."""

from __future__ import annotations

from . import together
from .body import Body
from .lexer import Instruction, Unknown, elements

_ELEMENTS = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
_VECTORS = {"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4}
_DEFAULTS = {"kind::mxf8f6f4": 1, "kind::mxf4": 2}
_SHAPES = {"kind::f8f6f4": ("m16n8k32", 32), "kind::mxf8f6f4": ("m16n8k32", 32), "kind::mxf4": ("m16n8k64", 64), "kind::mxf4nvf4": ("m16n8k64", 64)}


def scale(body: Body, word: str, selector: str) -> str:
    byte, thread = elements(selector)
    return f"ScaleData{{{body.read(word, 'u32')}, {body.read(byte, 'u32')}, {body.read(thread, 'u32')}}}"


def multiply(body: Body, ins: Instruction) -> str:
    kind = ins.starting("kind::")
    if not kind:
        return together.multiply_matrices(body, ins)
    shape, k = _SHAPES[kind]
    a, b = [m for m in ins.modifiers if m in _ELEMENTS]
    floats = [m for m in ins.modifiers if m in ("f16", "f32")]
    if not ins.has(shape) or floats != ["f32", "f32"] or not ins.has("row") or not ins.has("col"):
        raise Unknown("mma of this shape or layout")
    vector = next((_VECTORS[m] for m in ins.modifiers if m in _VECTORS), _DEFAULTS.get(kind, 0))
    scaled = ins.has("block_scale")
    if scaled != (vector != 0):
        raise Unknown("mma with scale factors that are not stated")
    packed, exponents = ("true" if k == 64 else "false"), ("false" if ins.has("ue4m3") else "true")
    how = f"ScaledMma{{{k}, Element::{a}, Element::{b}, {packed}, {{{vector}, {exponents}}}}}"
    o = ins.operands
    text = "".join(
        f"const u32 {name}[] = {{{', '.join(body.read(x, 'u32') for x in elements(values))}}}; "
        for name, values in zip("abc", o[1:4])
    )
    scales = [scale(body, o[4], o[5]), scale(body, o[6], o[7])] if scaled else ["ScaleData{}", "ScaleData{}"]
    text += f"u32 d[4]; multiply_scaled(t, {ins.line}, {how}, a, b, c, d, {scales[0]}, {scales[1]}); "
    return text + " ".join(body.write(target, f"d[{i}]") for i, target in enumerate(elements(o[0])))
