# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How MODE bears on an instruction: the rounding that the processor is set to, and statements that make zeros of denormal
operands and results. MODE has one field for f32 and one for f64 and f16: an operand's type names its own, and a result's."""

import re

COMPARES = re.compile(r"[SV]_CMPX?_.*")
# Sums and products of f32 and f64, and conversions between them, the processor does as MODE says. So do those that know
# no denormals of f32 whatever MODE says (LLVM says so of the sums of f16 products): for them it is always told to flush.
BY_PROCESSOR = re.compile(
    r"[SV]_(DUAL_|PK_)?(ADD|SUB|SUBREV|MUL|FMA|FMAC|FMAMK|FMAAK|MAC|MAD|MADMK|MADAK|RCP|RCP_IFLAG|DIV_FMAS|DIV_FIXUP)(_DX9_ZERO|_LEGACY)?_F(32|64)"
    r"|V_CVT_F(32_F64|64_F32)|V_(FMA|MAD)_MIX_F32|V_(DUAL_)?DOT\w+_F32_\w+"
)
FLUSHED = re.compile(r"V_(MAC|MAD|MADMK|MADAK)_F32|V_(DUAL_)?DOT2(C|ACC)?_F32_F16")
# The guides: a conversion from f16 accepts denormals always, and a class is the operand's own.
KEPT = re.compile(r"[SV]_CVT_(HI_)?F32_F16|[SV]_CMPX?_CLASS_\w+|V_DIV_SCALE_\w+|V_CVT_SCALEF32_\w+|V_(DUAL_)?MOV_\w+")
PAIRS = re.compile(r"V_PK_\w+_F16|V_CVT_PK_?(RTZ_)?F16_F32|V_PACK_B32_F16")


def rounding(name: str) -> str:
    """Declares what sets the processor while the instruction is executed. `name` has no suffix for the encoding."""
    result, operand = _floats(name)
    if not result or COMPARES.fullmatch(name):
        return ""
    mode = "w->mode & ~0x30u" if FLUSHED.fullmatch(name) else "w->mode"
    return f"const Rounding rounding({mode}, {_wide(result)}, {_wide(operand)}); "


def operands(name: str, text: str, count: int) -> str:
    """Flushes S0 and up, D0 where it is added to, and the constant, of the instruction with that pseudo-code."""
    if KEPT.fullmatch(name) or BY_PROCESSOR.fullmatch(name):
        return ""
    _, operand = _floats(name)
    if not operand:
        return ""
    suffix = operand.lower()
    pair = bool(PAIRS.fullmatch(name)) and operand == "F16"
    found = []
    for n in range(count):
        both = pair and name != "V_PACK_B32_F16" or (n < 2 and "DOT2" in name)
        if both or re.search(rf"\bS{n}\.{suffix}\b", text):
            found.append(_flushed(f"S{n}", suffix, both))
    if re.search(r"= .*\bD0(\[[^\]]*\])?\.f", text):
        found.append(_flushed("D0", suffix, pair))
    if f"SIMM32.{suffix}" in text:
        found.append(_flushed("SIMM32", suffix, False))
    return f"if (denormals.{_field(operand)}operands) [[unlikely]] {{ {''.join(found)}}} " if found else ""


def results(name: str, text: str) -> str:
    """Flushes D0."""
    result, _ = _floats(name)
    if not result or KEPT.fullmatch(name) or BY_PROCESSOR.fullmatch(name):
        return ""
    if "MIXHI" in name:
        flush = "D0.u64 = with_high_half(D0.u32, (uint16_t)flushed_f16(D0.u32 >> 16)); "
    elif PAIRS.fullmatch(name) or re.search(rf"\bD0\.{result.lower()} =", text):
        flush = _flushed("D0", result.lower(), bool(PAIRS.fullmatch(name)))
    else:
        return ""
    return f"if (denormals.{_field(result)}results) [[unlikely]] {{ {flush}}} "


def declared(text: str) -> str:
    """What those statements need before them, if there are any."""
    return "const Denormals denormals(w->mode); " if "denormals." in text else ""


def _floats(name: str) -> tuple[str, str]:
    """The types of the result and of the operands that are arithmetic's, if they are floating-point numbers."""
    types = re.findall(r"_(F16|F32|F64)(?=_|$)", name)
    if not types:
        return "", ""
    return types[0], "F32" if "_MIX" in name or "_F32_F16" in name and "DOT" in name else types[-1]


def _wide(kind: str) -> str:
    return "false" if kind == "F32" else "true"


def _field(kind: str) -> str:
    return "" if kind == "F32" else "wide_"


def _flushed(x: str, suffix: str, pair: bool) -> str:
    return f"{x}.u64 = flushed_{'pair' if pair else suffix}({x}.u64); "
