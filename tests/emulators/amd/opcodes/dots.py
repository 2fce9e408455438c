# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Sums of products of elements of two words, in the words of AMD's instruction set guides. No contestant has those of ALSO;
other programs may. Elements are such that every sum is exact, since the guides leave open where it is rounded."""

from numbers_of import rounded, value
from vector import low, signed, vector

EIGHTS = {"fp8": (4, 3), "bf8": (5, 2)}  # OCP's: bits of exponent and mantissa
CDNA, RDNA = ("gfx90a", "gfx942", "gfx950"), ("gfx1100", "gfx1201")
ALSO: dict[str, tuple[str, ...]] = {}


def eight(bits: int, kind: str) -> float:
    """A normal one."""
    exponent, mantissa = EIGHTS[kind]
    size = (1 + (bits & (1 << mantissa) - 1) / (1 << mantissa)) * 2.0 ** ((bits >> mantissa & (1 << exponent) - 1) - (1 << exponent - 1) + 1)
    return -size if bits & 0x80 else size


def elements(word: int, kind: str) -> list[float]:
    if kind in EIGHTS:
        return [eight(word >> n & 255, kind) for n in (0, 8, 16, 24)]
    return [value(word >> n, kind) for n in (0, 16)]


def dot(name: str, targets: tuple[str, ...], kinds: str, to: str, data: str, signs: tuple[int, int, int] = (0, 0, 0), **more) -> None:
    """`signs`: of each operand, which of its elements are negated, as bits."""
    a_kind, b_kind = kinds.split()

    def of(a: int, b: int, c: int) -> int:
        factors = [[-x if signs[n] >> j & 1 else x for j, x in enumerate(elements(w, k))] for n, (w, k) in enumerate(((a, a_kind), (b, b_kind)))]
        third = value(c, to)
        return rounded(sum(x * y for x, y in zip(*factors)) + (-third if signs[2] else third), to)

    vector(name, "u16" if to == "bf16" else to, "32 32 32", of, data=data, **more)
    ALSO[name] = targets


def dual(name: str) -> str:
    """As the second of a pair, and as the first; both must give the same."""
    own = name.lower()
    return (
        "v_mov_b32 v100, %2\n v_mov_b32 v101, %3\n v_mov_b32 v104, %4\n v_mov_b32 v105, %4\n v_mov_b32 v102, 0\n "
        f"v_dual_mov_b32 v106, v102 :: {own} v105, v100, v101\n {own} v104, v100, v101 :: v_dual_mov_b32 v107, v102\n "
        "v_xor_b32 v104, v104, v105\n v_xor_b32 v105, v105, v104\n v_mov_b32 %0, v105"
    )


def onto(name: str) -> str:
    return f"v_mov_b32 %0, %4\n {name.lower()} %0, %2, %3"


SIGNS = " neg_lo:[1,0,1] neg_hi:[0,1,0]"
dot("V_DOT2_F16_F16", RDNA, "f16 f16", "f16", "whole_f16")
dot("V_DOT2_BF16_BF16", RDNA, "bf16 bf16", "bf16", "whole_bf16")
dot("V_DOT2_F32_F16", CDNA + RDNA, "f16 f16", "f32", "whole_f16_f32", (1, 2, 1), modifiers=SIGNS)
dot("V_DOT2_F32_BF16", ("gfx950", *RDNA), "bf16 bf16", "f32", "whole_bf16_f32", (1, 2, 1), modifiers=SIGNS)
dot("V_DOT2C_F32_F16", CDNA, "f16 f16", "f32", "whole_f16_f32", text=onto("V_DOT2C_F32_F16"))
dot("V_DOT2C_F32_BF16", ("gfx950",), "bf16 bf16", "f32", "whole_bf16_f32", text=onto("V_DOT2C_F32_BF16"))
dot("V_DOT2ACC_F32_F16", ("gfx1100",), "f16 f16", "f32", "whole_f16_f32", text=onto("V_DOT2ACC_F32_F16"))
for kind in ("f16", "bf16"):
    name = f"V_DUAL_DOT2ACC_F32_{kind.upper()}"
    dot(name, RDNA, f"{kind} {kind}", "f32", f"whole_{kind}_f32", text=dual(name))
for a_kind in EIGHTS:
    for b_kind in EIGHTS:
        dot(f"V_DOT4_F32_{a_kind.upper()}_{b_kind.upper()}", ("gfx1201",), f"{a_kind} {b_kind}", "f32", f"{a_kind}_{b_kind}", (0, 0, 1), modifiers=" neg_lo:[0,0,1]")
for count, bits in ((2, 16), (4, 8), (8, 4)):
    name = f"V_DOT{count}C_I32_I{bits}"
    sums = lambda a, b, c, s=bits: low(c + sum(signed(a >> n, s) * signed(b >> n, s) for n in range(0, 32, s)))  # noqa: E731
    vector(name, "u32", "32 32 32", sums, text=onto(name))
    ALSO[name] = CDNA
for kind in ("U16", "I16"):  # the upper half of the result is zero
    vector(f"V_MAD_LEGACY_{kind}", "u32", "32 32 32", lambda a, b, c: low(a * b + c, 16))
    ALSO[f"V_MAD_LEGACY_{kind}"] = CDNA
