# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""LDS, the memory of a group: loads, stores, atomics and exchanges between lanes."""

import re

from . import atomics
from .decode import Instruction
from .operands import VECTOR, keep_unset

PLAIN = re.compile(r"DS_(READ|LOAD|WRITE|STORE)(2?)(ST64|_STRIDE64)?_?(?:2ADDR_)?([BUI])(\d+)$")


def translate(k, i: Instruction) -> str | None:
    if i.encoding not in ("DS",):
        return None
    d, o = i.decoded, k.operands
    result, address, data0, data1 = (getattr(d, f).offset - VECTOR for f in ("vdst", "addr", "data0", "data1"))
    offset = d.offset0 | d.offset1 << 8
    if getattr(d, "acc", 0):
        result, data0, data1 = result + 256, data0 + 256, data1 + 256
    if i.name.startswith(("DS_BPERMUTE", "DS_PERMUTE", "DS_SWIZZLE")):
        return _exchange(k, i, result, address, data0, offset)
    if i.name.startswith(("DS_NOP",)):
        return ";"
    name = i.name.replace("_D16_HI", "").replace("_D16", "")
    name = name.replace("2ADDR_STRIDE64_", "2ST64_").replace("2ADDR_", "2_").replace("_2ST64_", "2ST64_").replace("_2_", "2_")
    m = PLAIN.match(name)
    if not m:
        if "ADDTID" in name or "_TR_" in name or "CONSUME" in name or "APPEND" in name:
            raise NotImplementedError("this access to LDS")
        start = f"const uint32_t at = w->v[{address}][l] + {offset}u; {_bounds(i, 'at', atomics.width(name))}"
        return atomics.translate(k, i, name, start, data0, data1, result, "RTN" in name, lds=True)
    two, bytes_ = bool(m[2]), int(m[5]) // 8
    words = max(1, bytes_ // 4)
    unit = bytes_ * (64 if m[3] else 1)
    parts = [(d.offset0 * unit, 0), (d.offset1 * unit, 1)] if two else [(offset, 0)]
    if m[1] in ("READ", "LOAD"):
        return _load(k, i, m, parts, bytes_, words, result, address)
    return _store(k, i, parts, bytes_, words, (data0, data1), address)


def _bounds(i: Instruction, at: str, bytes_: int) -> str:
    return f"if ((uint64_t){at} + {bytes_} > g->lds_bytes) return fault(w, g, Kind::outside_lds, {i.offset}, {at}, {bytes_}, l); "


def _load(k, i, m, parts, bytes_: int, words: int, result: int, address: int) -> str:
    half, high = "_D16" in i.name, "_D16_HI" in i.name
    body, write = f"const uint32_t a = w->v[{address}][l]; ", ""
    written = list(range(result, result + words * len(parts)))
    for n, (offset, _) in enumerate(parts):
        body += f"const uint32_t at{n} = a + {offset}u; {_bounds(i, f'at{n}', bytes_)}"
        for j in range(words):  # a register is unset for what it holds itself, not for what is read beside it
            read = f"read_lds(w, g, {i.offset}, at{n} + {4 * j}u, {min(bytes_, 4)}, l)"
            body += f"if (!{read}) unset[{n * words + j}] |= 1ull << l; "
        if bytes_ < 4:
            kind = f"{'' if m[4] == 'I' else 'u'}int{8 * bytes_}_t"
            body += f"{kind} x; memcpy(&x, g->lds + at{n}, {bytes_}); "
            if half:
                keep, shift = ("0xffffu", " << 16") if high else ("0xffff0000u", "")
                write += f"w->v[{result}][l] = (w->v[{result}][l] & {keep}) | (uint32_t)(uint16_t)x{shift}; "
            else:
                write += f"w->v[{result}][l] = (uint32_t)(int32_t)x; "
        else:
            body += f"uint32_t x{n}[{words}]; memcpy(x{n}, g->lds + at{n}, {bytes_}); "
            write += "".join(f"w->v[{result + n * words + j}][l] = x{n}[{j}]; " for j in range(words))
    kept = " ".join(keep_unset([number], f"unset[{n}]") for n, number in enumerate(written))
    return f"{{ uint64_t unset[{len(written)}] = {{}}; {k.operands.lanes(body + write)} {kept} }}"


def _store(k, i, parts, bytes_: int, words: int, data: tuple[int, int], address: int) -> str:
    body = f"const uint32_t a = w->v[{address}][l]; "
    for n, (offset, _) in enumerate(parts):
        first = data[n]
        body += f"const uint32_t at{n} = a + {offset}u; {_bounds(i, f'at{n}', bytes_)}"
        shift = " >> 16" if "_D16_HI" in i.name else ""
        values = ", ".join(f"w->v[{first + j}][l]{shift}" for j in range(words))
        body += f"const uint32_t x{n}[{words}] = {{{values}}}; "
        for j in range(words):  # what is unset of it: padding, perhaps, that nobody will ask for
            at, size = f"at{n} + {4 * j}u", min(bytes_, 4)
            body += (
                f"if (!write_lds(w, g, {i.offset}, {at}, {size}, x{n} + {j}, l, !(w->unset[{first + j}] >> l & 1), changed)) "
                f"return fault(w, g, Kind::race, {i.offset}, {at}, {size}, l); "
            )
    return f"{{ bool changed = false; {k.operands.lanes(body)} *g->writes += changed; }}"


def _exchange(k, i: Instruction, result: int, address: int, data: int, offset: int) -> str:
    # RDNA 3 takes a wave of 64 for two of 32, as its guide says: a lane reaches those of its own half.
    o, mask = k.operands, 31 if k.family == "rdna3" else k.wave - 1
    half = " | (l & 32)" if k.family == "rdna3" and k.wave == 64 else ""
    if i.name.startswith("DS_SWIZZLE"):
        # The source is the address operand; what an inactive lane has counts as 0.
        body = f"const int q = swizzle_lane({offset}u, l); w->v[{result}][l] = (ex >> q & 1) ? T[q] : 0; if ((ex >> q & 1) && (old >> q & 1)) unset |= 1ull << l;"
        source = address
    elif i.name.startswith("DS_BPERMUTE"):
        fetch = 1 if "FI" in i.name else 0
        body = (
            f"const int q = ((int)((w->v[{address}][l] + {offset}u) >> 2) & {mask}){half}; const bool there = (ex >> q & 1) || {fetch}; "
            f"result[l] = there ? T[q] : 0; if (there && (old >> q & 1)) unset |= 1ull << l;"
        )
        source = data
    else:
        body = (
            f"const int q = ((int)((w->v[{address}][l] + {offset}u) >> 2) & {mask}){half}; result[q] = T[l]; "
            "if (old >> l & 1) unset |= 1ull << q;"
        )
        source = data
    store = "" if i.name.startswith("DS_SWIZZLE") else o.lanes(f"w->v[{result}][l] = result[l];")
    return (
        f"{{ uint32_t T[64], result[64] = {{}}; (void)result; memcpy(T, w->v[{source}], 256); "
        f"const uint64_t old = w->unset[{source}]; uint64_t unset = 0; {o.lanes(body)} {store} {keep_unset([result], 'unset')} }}"
    )
