# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Scalar instructions: arithmetic on s registers, and loads through the constant cache."""

import re

from . import control, denormals
from .decode import Instruction
from .pseudocode import pseudocode, statements

# Of S_GETREG and S_SETREG the registers that are known, by family: MODE; where the wave runs, which is the first place of
# each kind (HW_ID and XCC_ID; of RDNA HW_ID1 and HW_ID2); cycles, of RDNA 3 twenty bits; how instructions are scheduled.
MODE_REGISTER = 1
PLACES = {"cdna": {4, 20}, "rdna3": {23, 24}, "rdna4": {23, 24}}
CYCLES = {"cdna": {}, "rdna3": {29: "cycles(g) & 0xfffff"}, "rdna4": {29: "(uint32_t)cycles(g)", 30: "(uint32_t)(cycles(g) >> 32)"}}
SCHEDULING = {"cdna": set(), "rdna3": {26}, "rdna4": {26}}


def translate(k, i: Instruction) -> str | None:
    if i.encoding == "SMEM":
        return _load(k, i)
    if not i.encoding.startswith("SOP"):
        return None
    if "GETREG" in i.name or "SETREG" in i.name:
        return _hardware_register(k, i)
    d, o = i.decoded, k.operands
    if i.name in ("S_SET_GPR_IDX_ON", "S_SET_GPR_IDX_IDX"):  # which operands it shifts is known from Instruction.indexed
        return f"w->s[{o.m0}] = (w->s[{o.m0}] & ~255u) | ({o.source(d.ssrc0, d, 32)}.u32 & 255u);"
    if i.encoding == "SOPP":
        if i.name in ("S_DENORM_MODE", "S_ROUND_MODE"):
            low, mask = (4, 0xF0) if i.name == "S_DENORM_MODE" else (0, 0xF)
            return f"w->mode = (w->mode & ~{mask}u) | {(d.simm16 & 0xF) << low}u;"
        raise NotImplementedError("this scalar instruction")
    text = pseudocode(k.family, d.op)
    bits = d.op_bits.get("sdst", 32)
    setup = ""
    for n in (0, 1):
        register = getattr(d, f"ssrc{n}", None)
        if register is not None:
            float64 = "F64" in i.name
            setup += f"S{n} = {o.source(register, d, d.op_bits.get(f'ssrc{n}', 32), float64)}; "
    destination = getattr(d, "sdst", None)
    if i.encoding.startswith("SOPK"):
        setup += f"U SIMM16; SIMM16.u64 = {d.simm16}; "
        if "S1." in text and "SIMM16" not in text:
            setup += f"S1 = SIMM16; S0 = {o.source(destination, d, 32)}; "
        elif "S0." in text and "SIMM16" in text:
            setup += f"S0 = {o.source(destination, d, 32)}; "
        elif "SIMM16" not in text:
            setup += "S0 = SIMM16; "
    if "SIMM32" in text:
        setup += f"U SIMM32({d.literal}u); "
    if destination is not None:
        setup += f"D0 = {o.source(destination, d, bits)}; "
    write = ""
    if destination is not None and not i.name.startswith(("S_CMP", "S_BITCMP")):
        write = o.write(destination, bits)
    exec_write = ""
    if re.search(r"\bEXEC\b", text):
        exec_write = "if (EXEC.u64 != before) set_pair(w, exec, EXEC.u64); "
        if k.wave == 32:
            exec_write = "if (EXEC.u32 != (uint32_t)before) w->s[exec] = EXEC.u32; "
    scc = "w->scc = SCC.u64 & 1;" if re.search(r"\bSCC\b", text) else ""
    flush = denormals.operands(i.name, text, 2), denormals.results(i.name, text)
    return (
        f"{{ {denormals.rounding(i.name)}{denormals.declared(''.join(flush))}U S0, S1, D0, SCC((uint64_t)w->scc), EXEC({o.exec_mask()}), VCC({o.vcc_mask()}); "
        f"const uint64_t before = EXEC.u64; (void)before; {setup}{flush[0]}{statements(text)} {flush[1]}{exec_write}{write} {scc} }}"
    )


def _hardware_register(k, i: Instruction) -> str:
    d = i.decoded
    register, low, bits = d.simm16 & 63, d.simm16 >> 6 & 31, (d.simm16 >> 11 & 31) + 1
    mask = (1 << bits) - 1
    if "GETREG" in i.name:
        known = {MODE_REGISTER: "w->mode"} | {n: "0u" for n in PLACES[k.family]} | CYCLES[k.family]
        if register not in known:
            raise NotImplementedError("this hardware register")
        return f"w->s[{d.sdst.offset}] = (uint32_t)({known[register]}) >> {low} & {mask}u;"
    if register in SCHEDULING[k.family]:
        return ";"
    if register != MODE_REGISTER:
        raise NotImplementedError("this hardware register")
    value = f"{d.literal}u" if "IMM32" in i.name else f"w->s[{d.sdst.offset}]"
    return f"w->mode = (w->mode & ~({mask}u << {low})) | ({value} & {mask}u) << {low};"


def _load(k, i: Instruction) -> str:
    """Into s registers. The first word must lie inside an allocation; of more than that compilers load, see beyond.py."""
    d, o = i.decoded, k.operands
    if i.name == "S_MEMREALTIME":
        return f"set_pair(w, {d.sdata.offset}, real_time(g));"
    if i.name == "S_MEMTIME":
        return f"set_pair(w, {d.sdata.offset}, cycles(g));"
    m = re.search(r"^S_(?:BUFFER_)?LOAD_(?:DWORD(?:X(\d+))?|B(\d+)|([IU])(8|16))$", i.name)
    if not m or (m[3] and "BUFFER" in i.name):
        raise NotImplementedError("this scalar load")
    field = "offset" if hasattr(d, "offset") else "ioffset"
    width = dict(d._fields)[field].mask.bit_length()
    offset = getattr(d, field)
    if offset >> (width - 1) & 1:
        offset -= 1 << width
    if o.cdna and not d.imm:
        offset = 0
    has_register = not o.is_null(d.soffset.offset) and (not o.cdna or d.soffset_en)
    if o.cdna and not d.imm and not d.soffset_en:
        raise NotImplementedError("a scalar load with its offset in a register of the old form")
    register = f" + w->s[{d.soffset.offset}]" if has_register else ""
    if "BUFFER" in i.name:
        words, base = int(m[2]) // 32 if m[2] else int(m[1] or 1), d.sbase.offset
        outside = f"return fault(w, g, Kind::outside, {i.offset}, base + offset, {4 * words}, 0);"
        stride = f"if (w->s[{base + 1}] >> 16 & 0x3fff) return fault(w, g, Kind::unknown, {i.offset}, 0, 0, 0);"
        return (
            f"{{ {stride} const uint64_t base = pair(w, {base}) & 0xffffffffffffull, offset = (uint64_t)(({offset}ll){register}); "
            f"if (!load_scalar_buffer(w, g, {d.sdata.offset}, base, offset, {words}, w->s[{base + 2}])) {outside} }}"
        )
    address = f"const uint64_t address = pair(w, {d.sbase.offset}) + ({offset}ll){register};"
    if m[3]:
        bytes_, kind = int(m[4]) // 8, f"{'u' if m[3] == 'U' else ''}int{m[4]}_t"
        check = f"if (!inside(g, address, {bytes_})) return fault(w, g, Kind::outside, {i.offset}, address, {bytes_}, 0);"
        return (
            f"{{ {address} {check} {kind} x; memcpy(&x, (void*)address, {bytes_}); "
            f"w->s[{d.sdata.offset}] = (uint32_t)(int32_t)x; }}"
        )
    words = int(m[2]) // 32 if m[2] else int(m[1] or 1)
    outside = f"return fault(w, g, Kind::outside, {i.offset}, address, {4 * words}, 0);"
    return f"{{ {address} if (!load_scalar(w, g, {d.sdata.offset}, address, {words})) {outside} }}"
