# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""AMD's pseudo-code of an instruction, turned into C++ statements on values of type U (wave/value.hpp)."""

import importlib
import re
from functools import cache

from .overrides import by_hand

_tables: dict[str, dict[str, str]] = {}
TYPES = {
    "U64": "uint64_t", "U32": "uint32_t", "U16": "uint16_t", "U8": "uint8_t", "I64": "int64_t", "I32": "int32_t",
    "I16": "int16_t", "I8": "int8_t", "F64": "double", "F32": "float", "F16": "h16", "B64": "uint64_t",
    "B32": "uint32_t", "B16": "uint16_t",
}  # fmt: skip
SLICE_TYPES = {name.lower(): text for name, text in TYPES.items()} | {"b8": "uint8_t"}
CONVERSIONS = {
    "f32_to_f16": "(h16)", "f16_to_f32": "(float)", "f32_to_f64": "(double)", "f64_to_f32": "(float)",
    "i32_to_f32": "(float)", "u32_to_f32": "(float)", "i32_to_f64": "(double)", "u32_to_f64": "(double)",
    "u8_to_f32": "(float)", "u16_to_f16": "(h16)", "i16_to_f16": "(h16)", "u32_to_u16": "(uint16_t)",
    "i32_to_i16": "(int16_t)", "i8_to_i32": "(int32_t)", "u8_to_u32": "(uint32_t)", "u4_to_u32": "(uint32_t)",
    "i16_to_i32": "(int32_t)", "u16_to_u32": "(uint32_t)", "v_cvt_i16_f32": "saturated<int16_t>",
    "v_cvt_u16_f32": "saturated<uint16_t>", "f32_to_i32": "saturated<int32_t>", "f32_to_u32": "saturated<uint32_t>",
    "f64_to_i32": "saturated<int32_t>", "f64_to_u32": "saturated<uint32_t>", "bf16_to_f32": "bf16_value",
    "f32_to_bf16": "bf16_bits",
}  # fmt: skip
KNOWN = {"D0", "D1", "S0", "S1", "S2", "SCC", "VCC", "EXEC", "PC", "SIMM16", "SIMM32", "CIN", "MV", "MD", "MX"}


def pseudocode(family: str, op) -> str:
    """The text for an opcode, ours where there is one. Raises NotImplementedError."""
    if family not in _tables:
        module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{family}.str_pcode")
        _tables[family] = {key.name: text for key, text in module.PCODE.items()}
    name = op.name
    plain = re.sub("_E(32|64)$", "", name)
    if (text := by_hand(plain)) is not None:
        return text
    single = plain.replace("V_DUAL_", "V_")
    for candidate in (name, plain + "_E32", plain + "_E64", plain, single + "_E32", single):
        if candidate in _tables[family]:
            return _tables[family][candidate]
    raise NotImplementedError("AMD's tables have no pseudo-code for it")


@cache
def statements(text: str) -> str:
    """C++ for it. What it assigns and does not declare becomes a local value."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"\d+'(-?0x[0-9a-fA-F]+|-?[0-9.]+)[UF]?", r"\1", text)
    text = re.sub(r"(\d+)'([UBIF])\(", lambda m: f"({TYPES[m[2] + m[1]]})(" if m[2] + m[1] in TYPES else m[0], text)
    for name, cast in CONVERSIONS.items():
        text = re.sub(rf"\b{name}\(", f"{cast}(", text)
    text = re.sub(r"\{ ([^{},]+), ([^{},]+) \}", r"joined(\1, \2)", text)
    text = text.replace("laneId.u32", "laneId").replace("EXECZ.u1", "U((uint64_t)(EXEC.u64 == 0))")
    text = text.replace("VCCZ.u1", "U((uint64_t)(VCC.u64 == 0))").replace("+0.0", "0.0")
    text = re.sub(r"(\d\.\d+)F\b", r"\1f", text)
    text = re.sub(r"(\w+\.f\d+) <> (\w+\.f\d+)", r"(\1 < \2 || \1 > \2)", text)  # false of what is no number
    text = text.replace(" <> ", " != ").replace(".u1 ", ".u64 ").replace("NAN.f32", "NAN").replace("INF.f32", "INFINITY")
    declared, known, lines, line = "", set(KNOWN), [], ""
    for part in text.split("\n"):
        line = (line + " " + part.strip()).strip()
        open_condition = line.startswith(("if ", "elsif ")) and not line.endswith("then")
        if not line or open_condition or line.count("(") > line.count(")"):
            continue
        statement, line = line.rstrip(";"), ""
        new, written = _statement(statement, known)
        declared += "".join(f"U {name};" for name in new)
        known.update(new)
        lines.append(written)
    return declared + " ".join(lines)


def _statement(x: str, known: set[str]) -> tuple[list[str], str]:
    """Names that must be declared, and the statement in C++."""
    if m := re.match(r"declare (\w+)", x):
        return [m[1]] if m[1] not in known else [], ""
    if m := re.match(r"for (\w+) in (.+?) : (.+?) do$", x):
        known.add(m[1])
        return [], f"for (int {m[1]} = {m[2]}; {m[1]} <= ({m[3]}); {m[1]}++) {{"
    if x in ("endfor", "endif"):
        return [], "}"
    if x == "else":
        return [], "} else {"
    if x == "break":
        return [], "break;"
    if m := re.match(r"(if|elsif) (.*) then$", x):
        return [], ("} else " if m[1] == "elsif" else "") + f"if ({_expression(m[2])}) {{"
    if m := re.match(r"(\w+)(?:\.\w+)?\[([^\[\]:]+) : ([^\[\]:]+)\]\.?(\w+)? = (.*)$", x):
        kind = SLICE_TYPES.get(m[4] or "", "uint64_t")
        new = [m[1]] if m[1] not in known else []
        return new, f"SET({m[1]}, {m[2]}, {m[3]}, ({kind})({_expression(m[5])}));"
    m = re.match(r"([A-Za-z_]\w*)( [+|]?= )", x)
    return [m[1]] if m and m[1] not in known else [], _expression(x) + ";"


def _expression(x: str) -> str:
    while True:
        y = re.sub(r"(\b\w+)(?:\.[a-z]\d+)?\[([^\[\]]+?) : ([^\[\]]+?)\]", r"SL(\1, \2, \3)", x, count=1)
        if y == x:
            y = re.sub(r"(\b\w+)(?:\.[ub]\d+)?\[([^\[\]]+?)\](\.u64|\.u32|\.u1)?", r"BIT(\1, \2)", x, count=1)
        if y == x:
            return x
        x = y
