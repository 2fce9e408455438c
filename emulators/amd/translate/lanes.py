# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Operands and results that cross lanes: DPP, readlane, permlane, and SDWA, which picks bytes of a lane."""

from .decode import Instruction
from .operands import VECTOR


def dpp_source(i: Instruction, k) -> tuple[str, str]:
    """For DPP: what comes before the loop over lanes, and the statement that sets S0 of lane l or leaves it out."""
    d = i.decoded
    r = d.vsrc0.offset - VECTOR
    copy = f"uint32_t T[64]; memcpy(T, w->v[{r}], 256); const uint64_t unset0 = w->unset[{r}]; uint64_t crossed = 0;"
    if "DPP8" in i.encoding:
        selects = 0
        for n in range(8):
            selects |= getattr(d, f"lane_sel_{n}") << (3 * n)
        fetch = int(d.src0.offset == 234)
        pick = f"const int q = dpp8_lane({selects}u, l); const bool there = (ex >> q & 1) || {fetch};"
        return copy, f"{pick} S0 = U(there ? T[q] : 0u); if (there && (unset0 >> q & 1)) crossed |= 1ull << l;"
    fetch = getattr(d, "fi", 0)
    pick = (
        f"const int q = dpp_lane({d.dpp}, l, {k.wave}); const bool there = q >= 0 && ((ex >> q & 1) || {fetch}); "
        f"if ((!there && !{d.bc}) || !({d.row_mask} >> (l >> 4 & 3) & 1) || !({d.bank_mask} >> (l >> 2 & 3) & 1)) "
        "{ crossed |= old_unset & (1ull << l); continue; } "
    )
    return copy, f"{pick} S0 = U(there ? T[q] : 0u); if (there && (unset0 >> q & 1)) crossed |= 1ull << l;"


def sdwa_source(d, n: int, register) -> str:
    """S0 or S1 of an instruction that picks a byte or a half of its source."""
    select, extend = getattr(d, f"src{n}_sel"), getattr(d, f"src{n}_sext")
    bits, shift = (8, 8 * select) if select < 4 else (16, 16 * (select - 4)) if select < 6 else (32, 0)
    scalar = getattr(d, f"s{n}", 0)
    word = f"w->s[{register.offset & 255}]" if scalar else f"w->v[{register.offset - VECTOR}][l]"
    return f"S{n}.u64 = (uint32_t)({'int' if extend else 'uint'}{bits}_t)({word} >> {shift}); "


def sdwa_write(d, r: int) -> str:
    """Of the result a byte or a half is written; the rest is cleared, extended or kept."""
    if d.dst_sel == 6:
        return ""
    bits, shift = (8, 8 * d.dst_sel) if d.dst_sel < 4 else (16, 16 * (d.dst_sel - 4))
    mask = ((1 << bits) - 1) << shift
    if d.dst_unused == 1:
        return f"D0.u64 = (uint32_t)(int32_t)(int{bits}_t)D0.u32 << {shift}; "
    rest = f" | (w->v[{r}][l] & {~mask & 0xFFFFFFFF}u)" if d.dst_unused == 2 else ""
    return f"D0.u64 = (D0.u32 << {shift} & {mask}u){rest}; "


def translate(k, i: Instruction) -> str | None:
    """Instructions that do nothing but move values between lanes."""
    d, o, name = i.decoded, k.operands, i.name
    if name.startswith("V_READFIRSTLANE"):
        return (
            f"{{ const int l = ex ? __builtin_ctzll(ex) : 0; const U x = {o.source(d.src0, d, 32)}; "
            f"w->s[{d.vdst.offset & 127}] = x.u32; }}"
        )
    if name.startswith("V_READLANE"):
        return (
            f"{{ int l = 0; const U n = {o.source(d.src1, d, 32)}; l = n.u32 & {k.wave - 1}; "
            f"const U x = {o.source(d.src0, d, 32)}; w->s[{d.vdst.offset & 127}] = x.u32; }}"
        )
    if name.startswith("V_WRITELANE"):
        r = d.vdst.offset - VECTOR
        unset = f"w->beyond_from[{d.src0.offset}] != 0" if d.src0.offset < 106 else "false"
        return (
            f"{{ const int l = 0; (void)l; const U x = {o.source(d.src0, d, 32)}, n = {o.source(d.src1, d, 32)}; "
            f"w->v[{r}][n.u32 & {k.wave - 1}] = x.u32; mark(w->unset[{r}], n.u32 & {k.wave - 1}, {unset}); }}"
        )
    if name.startswith(("V_PERMLANE16_B32", "V_PERMLANEX16_B32")):
        r, other = d.vdst.offset - VECTOR, "true" if "X16" in name else "false"
        source = d.src0.offset - VECTOR
        fetch, bound = d.opsel & 1, d.opsel >> 1 & 1
        select = f"const uint64_t selects = {o.source(d.src1, d, 32)}.u32 | (uint64_t){o.source(d.src2, d, 32)}.u32 << 32;"
        body = (
            f"{select} const int q = permlane(selects, l, {other}); "
            f"if ((ex >> q & 1) || {fetch}) {{ w->v[{r}][l] = T[q]; mark(w->unset[{r}], l, old >> q & 1); }} "
            f"else if ({bound}) {{ w->v[{r}][l] = 0; mark(w->unset[{r}], l, false); }}"
        )
        return f"{{ uint32_t T[64]; memcpy(T, w->v[{source}], 256); const uint64_t old = w->unset[{source}]; {o.lanes(body)} }}"
    if name.startswith("V_PERMLANE64"):
        r, source = d.vdst.offset - VECTOR, d.src0.offset - VECTOR
        if k.wave == 32:
            return ";"
        return (
            f"{{ uint32_t T[64]; memcpy(T, w->v[{source}], 256); const uint64_t old = w->unset[{source}]; "
            f"{o.lanes(f'w->v[{r}][l] = T[l ^ 32]; mark(w->unset[{r}], l, old >> (l ^ 32) & 1);')} }}"
        )
    if name.startswith(("V_PERMLANE16_SWAP", "V_PERMLANE32_SWAP")):
        a, b = d.vdst.offset - VECTOR, d.src0.offset - VECTOR
        rows = "16" if "16" in name else "32"
        swap = (
            f"if (!(l & {rows})) {{ const uint32_t t = w->v[{a}][l + {rows}]; w->v[{a}][l + {rows}] = w->v[{b}][l]; w->v[{b}][l] = t; "
            f"const bool unset = w->unset[{a}] >> (l + {rows}) & 1; mark(w->unset[{a}], l + {rows}, w->unset[{b}] >> l & 1); mark(w->unset[{b}], l, unset); }}"
        )
        return f"{{ for (int l = 0; l < {k.wave}; ++l) {swap} }}"
    if name.startswith("V_SWAP_B32"):
        a, b = d.vdst.offset - VECTOR, d.src0.offset - VECTOR
        swap = o.lanes(f"const uint32_t t = w->v[{a}][l]; w->v[{a}][l] = w->v[{b}][l]; w->v[{b}][l] = t;")
        return f"{{ {swap} const uint64_t other = (w->unset[{a}] ^ w->unset[{b}]) & ex; w->unset[{a}] ^= other; w->unset[{b}] ^= other; }}"
    return None
