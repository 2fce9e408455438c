# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX's fundamental types (PTX ISA 5.2) and the C++ types of device/types.hpp that hold them."""

from __future__ import annotations

BYTES = {
    "b8": 1, "u8": 1, "s8": 1,
    "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "e4m3x2": 2, "e5m2x2": 2, "ue8m0x2": 2,
    "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "tf32": 4, "u16x2": 4, "s16x2": 4,
    "b64": 8, "u64": 8, "s64": 8, "f64": 8, "f32x2": 8,
    "b128": 16, "pred": 1,
    "e2m1x2": 1, "e2m3x2": 2, "e3m2x2": 2, "e2m1x4": 2, "e4m3x4": 4, "e5m2x4": 4, "e2m3x4": 4, "e3m2x4": 4,
}  # fmt: skip

FLOATS = {"f16", "bf16", "f32", "f64"}
PAIRS = {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}
INTEGERS = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "b8", "b16", "b32", "b64", "b128"}


def register_type(ptx: str) -> str:
    """The C++ type of a register: floats where the compiler should keep them in float registers, bits elsewhere."""
    if ptx in ("f32", "f64"):
        return ptx
    if ptx == "pred":
        return "bool"
    return unsigned(BYTES[ptx])


def read_as(name: str, held: str, cpp: str) -> str:
    """The register `name`, which C++ holds as `held`, as another type: get<cpp>(name), in the least words for a compiler, which
    reads a hundred thousand of them."""
    if held == cpp or (cpp.startswith("b") and cpp in INTEGERS and held == unsigned(BYTES[cpp])):
        return name
    if held in INTEGERS and cpp in INTEGERS and "b128" not in (held, cpp):
        return f"static_cast<{cpp}>({name})"
    return f"bits<{cpp}>({name})" if "bool" not in (held, cpp) and BYTES.get(held) == BYTES.get(cpp) else f"get<{cpp}>({name})"


def literal(number: int, cpp: str) -> str:
    """A number, not negative, as one word of that type; empty where there is no such word."""
    most = {"s32": (1 << 31) - 1, "s64": (1 << 63) - 1}.get(cpp, number)
    suffix = {"u32": "u", "b32": "u", "s32": "", "u64": "ul", "b64": "ul", "s64": "l"}.get(cpp)
    return f"{number}{suffix}" if suffix is not None and number <= most else ""


def unsigned(size: int) -> str:
    return {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "u128"}[size]


def signed(ptx: str) -> bool:
    return ptx.startswith("s")


def bits(ptx: str) -> int:
    return 8 * BYTES[ptx]


def wide(ptx: str) -> str:
    """The integer type twice as wide."""
    return ptx[0] + str(2 * int(ptx[1:]))
