# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What becomes of denormals under each setting of MODE, which has two bits for f32 and two for f64 and f16: operands are
accepted, results are kept. Where a bit is off they are zeros with their sign. The words are AMD's instruction set guides',
but for what docs/emulators_amd.md says is taken from elsewhere."""

import dots  # noqa: F401
import modes  # noqa: F401
from floats import Pair
from numbers_of import BITS, NAN, SIZES, added, multiplied, value
from vector import FORMS, vector

CDNA, RDNA, RDNA4 = ("gfx90a", "gfx942", "gfx950"), ("gfx1100", "gfx1201"), ("gfx1201",)
ALL, RDNA3 = CDNA + RDNA, ("gfx1100",)
ACCEPT, KEEP = 1, 2
SETTINGS = {"IN": KEEP, "OUT": ACCEPT, "BOTH": 0}  # by what the type's own bits still have
ALSO: dict[str, tuple[str, ...]] = {}


def flushed(bits: int, kind: str) -> int:
    precision, size = SIZES[kind][0], BITS[kind]
    number, above = bits & (1 << size) - 1, bits >> size << size
    if number >> precision - 1 & (1 << size - precision) - 1:
        return bits
    return above | number >> size - 1 << size - 1


def operand(bits: int, kind: str) -> int:
    """`kind`: a type; "pair": both halves; "high f16" of a word; "-": nothing that could be denormal, or is looked at."""
    if kind == "-":
        return bits
    if kind in ("pair", "high"):
        high = flushed(bits >> 16 & 0xFFFF, "f16")
        return high << 16 | (flushed(bits & 0xFFFF, "f16") if kind == "pair" else bits & 0xFFFF)
    return flushed(bits, kind)


def result(found, kind: str):
    if kind == "-" or found is NAN:
        return found
    if isinstance(found, Pair):
        return Pair([x if x is NAN else flushed(x, "f16") for x in found], "f16")
    if kind == "pair":
        return operand(found, "pair")
    return flushed(found, kind)


def field(mode: int, kind: str) -> int:
    """MODE's bits 4 to 7 with those of the type."""
    return mode | 0xC if kind == "f32" else mode << 2 | 3


def under(names: str, targets: tuple[str, ...], kinds: str, to: str, data: str, whose: str, always: str = "", of=None) -> None:
    """`kinds` of the operands and `to` of the result are those that MODE's field of type `whose` flushes; `always`: what is
    flushed whatever MODE says. Besides, with the other field's bits off, nothing happens."""
    for name in names.split():
        form = FORMS[name]
        for setting, mode in {**SETTINGS, "OTHER": None}.items():
            other = "f16" if whose == "f32" else "f32"
            bits = field(0, other) if mode is None else field(mode, whose)
            accepts, keeps = (True, True) if mode is None else (mode & ACCEPT, mode & KEEP)

            def expected(*x: int, form=form, accepts=accepts, keeps=keeps):
                if not accepts or always:
                    x = tuple(operand(y, kind) for y, kind in zip(x, (always or kinds).split()))
                found = (of or form.of)(*x)
                return found if keeps and not always else result(found, to)

            own = f"{name}_{setting}"
            text = f"s_setreg_imm32_b32 hwreg(1, 4, 4), {bits}\n {plain(form)}\n s_setreg_imm32_b32 hwreg(1, 4, 4), 15"
            vector(own, form.result, " ".join(form.sources), expected, data=data, text=text, units=form.units)
            ALSO[own] = targets


def plain(form) -> str:
    encoding = "_e64" if form.name.startswith("V_CMP_") else ""
    return form.text or f"{form.name.lower()}{encoding} %0{''.join(f', %{n + 2}' for n in range(len(form.sources)))}{form.modifiers}"


# Arithmetic, of one number and of two.
for kind in ("f16", "f32", "f64"):
    F, data = kind.upper(), f"tiny_{kind}"
    under(f"V_ADD_{F} V_MUL_{F}", ALL, f"{kind} {kind}", kind, data, kind)
    under(f"V_FMA_{F}", ALL, f"{kind} {kind} {kind}", kind, data, kind)
    under(f"V_MIN_{F} V_MAX_{F}", CDNA + RDNA3, f"{kind} {kind}", kind, data, kind)
    under(f"V_MIN_NUM_{F} V_MAX_NUM_{F}", RDNA4, f"{kind} {kind}", kind, data, kind)
    under(f"V_CMP_LT_{F} V_CMP_EQ_{F} V_CMP_NGE_{F}", ALL, f"{kind} {kind}", "-", data, kind)
    under(f"V_CMP_CLASS_{F}", ALL, "- -", "-", data, kind)
    under(f"V_FLOOR_{F} V_CEIL_{F}", ALL, kind, kind, data, kind)
    under(f"V_LDEXP_{F}", ALL, f"{kind} -", kind, f"{data}_scale", kind)
for kind in ("f16", "f32"):
    F, data = kind.upper(), f"tiny_{kind}"
    under(f"V_MED3_{F}", CDNA + RDNA3, f"{kind} {kind} {kind}", kind, data, kind)
    under(f"V_MED3_NUM_{F}", RDNA4, f"{kind} {kind} {kind}", kind, data, kind)
under("V_SUB_F16 V_SUBREV_F16", ALL, "f16 f16", "f16", "tiny_f16", "f16")
under("V_FMAC_F16", RDNA, "f16 f16 f16", "f16", "tiny_f16", "f16")
under("V_SQRT_F16 V_TRUNC_F16 V_RNDNE_F16 V_FREXP_MANT_F16", ALL, "f16", "f16", "tiny_f16", "f16")
# Packed.
under("V_PK_ADD_F16 V_PK_MUL_F16", ALL, "pair pair", "pair", "tiny_f16", "f16")
under("V_PK_FMA_F16", ALL, "pair pair pair", "pair", "tiny_f16", "f16")
under("V_PK_MIN_F16 V_PK_MAX_F16", CDNA + RDNA3, "pair pair", "pair", "tiny_f16", "f16")
under("V_PK_MIN_NUM_F16 V_PK_MAX_NUM_F16", RDNA4, "pair pair", "pair", "tiny_f16", "f16")
under("V_PACK_B32_F16", ALL, "f16 f16", "pair", "tiny_f16", "f16")
# Mixed: operands of f16 are accepted as a conversion accepts them; the rest is f32's, and what becomes f16 has f16's bits.
for form, targets in (("MAD", CDNA), ("FMA", RDNA)):
    under(f"V_{form}_MIX_F32", targets, "- f32 -", "f32", "tiny_mixed_f32", "f32")
    under(f"V_{form}_MIXLO_F16", targets, "- - -", "f16", "tiny_mixed", "f16")
# Sums of products.
under("V_DOT2_F16_F16", RDNA, "pair pair f16", "f16", "tiny_dot", "f16")
under("V_DOT2_F32_F16", ALL, "- - f32", "f32", "tiny_f32_dot", "f32", always="- - f32")
for name, targets in (("V_DOT2C_F32_F16", CDNA), ("V_DOT2ACC_F32_F16", RDNA3), ("V_DUAL_DOT2ACC_F32_F16", RDNA)):
    under(name, targets, "- - f32", "f32", "tiny_f32_dot", "f32", always="- - f32")
# Conversions.
under("V_CVT_F32_F16", ALL, "-", "-", "tiny_f16", "f16")
under("V_CVT_F16_F32", ALL, "-", "f16", "tiny_to_f16", "f16")
under("V_CVT_PKRTZ_F16_F32", CDNA, "- -", "pair", "tiny_to_f16", "f16")
under("V_CVT_PK_RTZ_F16_F32", RDNA, "- -", "pair", "tiny_to_f16", "f16")
under("V_CVT_PK_F16_F32", ("gfx950",), "- -", "pair", "tiny_to_f16", "f16")
under("V_CVT_F64_F32", ALL, "f32", "-", "tiny_f32", "f32")
under("V_CVT_F32_F64", ALL, "-", "f32", "tiny_to_f32", "f32")


def in_turn(a: int, b: int, c: int):
    """The product, and then the sum, neither denormal."""
    product = multiplied(value(a, "f32"), value(b, "f32"), "f32")
    return NAN if product is NAN else added(value(flushed(product, "f32"), "f32"), value(c, "f32"), "f32")


# gfx90a's, which know none; the constant is -3.25.
CONSTANT = 0xC0500000
under("V_MAC_F32 V_MAD_F32", ("gfx90a",), "f32 f32 f32", "f32", "tiny_f32", "f32", always="f32 f32 f32", of=in_turn)
under("V_MADMK_F32", ("gfx90a",), "f32 f32", "f32", "tiny_f32", "f32", always="f32 f32", of=lambda a, b: in_turn(a, CONSTANT, b))
under("V_MADAK_F32", ("gfx90a",), "f32 f32", "f32", "tiny_f32", "f32", always="f32 f32", of=lambda a, b: in_turn(a, b, CONSTANT))
