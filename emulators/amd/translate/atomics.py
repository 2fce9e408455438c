# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Read, modify, write: in global memory, in LDS, at any address."""

import re

from .decode import Instruction

# What is found in the name, and the new value from t, the old one, and x. In this order: the first that is found.
OPERATIONS = [
    ("CMPSWAP", None), ("CMPST", None), ("CMPSTORE", None), ("WRXCHG", "x"), ("STOREXCHG", "x"), ("SWAP", "x"),
    ("PK_ADD_F16", "halves"), ("PK_ADD_BF16", "bfloats"), ("ADD_F64", "double+"), ("ADD_F32", "float+"),
    ("MIN_F64", "double<"), ("MAX_F64", "double>"), ("MIN_NUM_F64", "double<"), ("MAX_NUM_F64", "double>"),
    ("MIN_F32", "float<"), ("MAX_F32", "float>"), ("MIN_NUM_F32", "float<"), ("MAX_NUM_F32", "float>"),
    ("RSUB", "x - t"), ("SUB", "t - x"), ("ADD", "t + x"), ("UMIN", "t < x ? t : x"), ("UMAX", "t > x ? t : x"),
    ("SMIN", "signed<"), ("SMAX", "signed>"), ("MIN_U", "t < x ? t : x"), ("MAX_U", "t > x ? t : x"),
    ("MIN_I", "signed<"), ("MAX_I", "signed>"), ("INC", "t >= x ? 0 : t + 1"),
    ("DEC", "t == 0 || t > x ? x : t - 1"), ("AND", "t & x"), ("XOR", "t ^ x"), ("OR", "t | x"),
]  # fmt: skip


def width(name: str) -> int:
    """Bytes."""
    return 8 if re.search(r"64|_X2", name) else 4


def translate(k, i: Instruction, name: str, start: str, data: int, data1: int, result: int, returns: bool, lds: bool) -> str:
    """`start` declares at, an offset in LDS, or P, an address. Another wave has its turn afterwards."""
    name = name.replace("_RTN", "")
    found = next((operation for key, operation in OPERATIONS if key in name), "")
    if found == "":
        raise NotImplementedError("this atomic")
    wide = width(name) == 8
    kind, float_kind = ("uint64_t", "double") if wide else ("uint32_t", "float")

    def value(r: int) -> str:
        return f"(w->v[{r}][l] | (uint64_t)w->v[{r + 1}][l] << 32)" if wide else f"w->v[{r}][l]"

    place = "uint8_t* P = g->lds + at; const bool set = touch_lds(g, at, sizeof t); " if lds else "const bool set = true; "
    if found is None:
        if lds:
            source, compare = (data, data1) if not k.operands.cdna else (data1, data)
        else:
            source, compare = data, data + (2 if wide else 1)
        body = f"const {kind} x = {value(source)}, expected = {value(compare)}; {kind} t; {place}memcpy(&t, P, sizeof t); const {kind} r = t == expected ? x : t; "
    else:
        body = f"const {kind} x = {value(data)}; {kind} t; {place}memcpy(&t, P, sizeof t); const {kind} r = {_result(found, kind, float_kind)}; "
    registers = [result, result + 1] if wide else [result]
    body += "memcpy(P, &r, sizeof r); *g->writes += memcmp(&r, &t, sizeof r) != 0; "
    unset = ""
    if returns:
        body += f"w->v[{result}][l] = (uint32_t)t; " + (f"w->v[{result + 1}][l] = (uint32_t)(t >> 32); " if wide else "")
        body += "".join(f"mark(w->unset[{r}], l, !set); " for r in registers)
    k.flow.entries.add(i.next)
    return f"{{ {k.operands.lanes(start + body)} {unset} }} w->pc = {i.next}; return (int)Stop::turn;"


def _result(operation: str, kind: str, float_kind: str) -> str:
    if operation == "halves":
        return "halves(bits_of<uint16_t>((h16)(U(t).f16 + U(x).f16)), bits_of<uint16_t>((h16)(SL(t, 31, 16).f16 + SL(x, 31, 16).f16)))"
    if operation == "bfloats":
        return "halves(bf16_bits(bf16_value(t) + bf16_value(x)), bf16_bits(bf16_value(t >> 16) + bf16_value(x >> 16)))"
    if operation.startswith(("double", "float")):
        a, b = f"bits_of<{float_kind}>(t)", f"bits_of<{float_kind}>(x)"
        sign = operation[-1]
        new = f"{a} + {b}" if sign == "+" else f"{'min' if sign == '<' else 'max'}_number({a}, {b})"
        return f"bits_of<{kind}>({new})"
    if operation.startswith("signed"):
        signed = "int64_t" if kind == "uint64_t" else "int32_t"
        return f"({signed})t {operation[-1]} ({signed})x ? t : x"
    return operation
