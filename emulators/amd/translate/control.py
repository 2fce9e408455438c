# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Branches, calls, barriers, the end: where a wave goes on."""

import re

from .decode import Instruction, branch_target

# Instructions that change nothing that the emulator has: waits, hints, caches. Exact names, without the encoding's suffix:
# whatever is not in this list, and is not translated, stops the kernel.
WITHOUT_EFFECT = set(
    """S_NOP V_NOP S_SLEEP S_SLEEP_VAR S_SETPRIO S_WAKEUP S_CLAUSE S_DELAY_ALU S_VERSION S_SET_GPR_IDX_OFF
    S_INST_PREFETCH S_SET_INST_PREFETCH_DISTANCE S_PREFETCH_INST S_PREFETCH_INST_PC_REL S_PREFETCH_DATA
    S_PREFETCH_DATA_PC_REL S_BUFFER_PREFETCH_DATA S_TTRACEDATA S_TTRACEDATA_IMM S_INCPERFLEVEL S_DECPERFLEVEL
    S_WAITCNT S_WAITCNT_VSCNT S_WAITCNT_VMCNT S_WAITCNT_EXPCNT S_WAITCNT_LGKMCNT S_WAITCNT_DEPCTR S_WAIT_IDLE
    S_WAIT_EVENT S_WAIT_ALU S_WAIT_LOADCNT S_WAIT_STORECNT S_WAIT_SAMPLECNT S_WAIT_BVHCNT S_WAIT_EXPCNT S_WAIT_DSCNT
    S_WAIT_KMCNT S_WAIT_LOADCNT_DSCNT S_WAIT_STORECNT_DSCNT
    S_ICACHE_INV S_DCACHE_INV S_DCACHE_INV_VOL S_DCACHE_WB S_DCACHE_WB_VOL S_GL1_INV BUFFER_WBL2 BUFFER_INV
    BUFFER_GL0_INV BUFFER_GL1_INV BUFFER_WBINVL1 BUFFER_WBINVL1_VOL GLOBAL_INV GLOBAL_WB GLOBAL_WBINV""".split()
)
# Messages that need no answer, by family: to the host (a signal that it waits for), and, of RDNA, that the wave writes no
# vector register any more. What comes of the others the emulator does not know.
INTERRUPT, DEALLOC_VGPRS = 1, 3
MESSAGES = {"cdna": (15, {INTERRUPT}), "rdna3": (255, {INTERRUPT, DEALLOC_VGPRS}), "rdna4": (255, {INTERRUPT, DEALLOC_VGPRS})}
GET_REALTIME = 0x83  # the one message whose answer is known
GROUP = 193  # the barrier's number -1 as a scalar source: that of the whole group
GROUP_WAIT = 0xFFFF  # the same number in an instruction's own field
CONDITIONS = {
    "S_CBRANCH_SCC0": "!w->scc",
    "S_CBRANCH_SCC1": "w->scc",
    "S_CBRANCH_VCCZ": "!{vcc}",
    "S_CBRANCH_VCCNZ": "{vcc}",
    "S_CBRANCH_EXECZ": "!{exec}",
    "S_CBRANCH_EXECNZ": "{exec}",
}


def translate(k, i: Instruction) -> str | None:
    """C++ for an instruction of this kind, else None."""
    name = i.name
    if i.decoded is None or re.sub("_E(32|64)$", "", name) in WITHOUT_EFFECT:
        return ";"
    if name.startswith("S_SENDMSG"):
        return _message(k, i)
    if name == "S_ENDPGM":
        return "return (int)Stop::ended;"
    if name == "S_BARRIER_SIGNAL" and i.decoded.ssrc0.offset == GROUP:
        return ";"  # it is the wait that gives up the turn
    if name == "S_BARRIER" or (name == "S_BARRIER_WAIT" and i.decoded.simm16 == GROUP_WAIT):
        k.flow.entries.add(i.next)
        return f"w->pc = {i.next}; return (int)Stop::barrier;"
    if "BARRIER" in name and i.encoding.startswith("SOP"):
        raise NotImplementedError("a barrier that is not the group's")
    if name in ("S_SETHALT", "S_SETKILL", "S_ALLOC_VGPR", "S_RFE_B64", "S_RFE_RESTORE_B64"):
        raise NotImplementedError("what it does to the wave")
    if name == "S_TRAP":
        return (
            f"{{ const uint64_t on = {k.operands.exec_mask()}; "  # told is the first lane that came here
            f"return fault(w, g, Kind::trap, {i.offset}, 0, 0, on ? __builtin_ctzll(on) : 0); }}"
        )
    if "BRANCH" in name and i.encoding == "SOPP":
        target = branch_target(i)
        jump = go_to(k, i, target)
        if name == "S_BRANCH":
            return jump
        condition = CONDITIONS.get(name)
        if condition is None:
            raise NotImplementedError("this kind of branch")
        return f"if ({condition.format(vcc=k.operands.vcc_mask(), exec=k.operands.exec_mask())}) {{ {jump} }}"
    if name == "S_GETPC_B64":
        return f"set_pair(w, {i.decoded.sdst.offset}, g->base + {i.next}ull);"
    if name == "S_SETPC_B64":
        return f"w->pc = pair(w, {i.decoded.ssrc0.offset}) - g->base; goto dispatch;"
    if name == "S_SWAPPC_B64":
        return (
            f"{{ const uint64_t to = pair(w, {i.decoded.ssrc0.offset}); "
            f"set_pair(w, {i.decoded.sdst.offset}, g->base + {i.next}ull); w->pc = to - g->base; goto dispatch; }}"
        )
    if name == "S_CALL_B64":
        return f"set_pair(w, {i.decoded.sdst.offset}, g->base + {i.next}ull); {go_to(k, i, branch_target(i))}"
    return None


def _message(k, i: Instruction) -> str:
    d = i.decoded
    if i.name == "S_SENDMSG":
        mask, known = MESSAGES[k.family]
        if d.simm16 & mask in known:
            return ";"
    elif i.name.startswith("S_SENDMSG_RTN") and d.ssrc0.offset == GET_REALTIME:
        wide = i.name.endswith("64")
        return f"set_pair(w, {d.sdst.offset}, real_time(g));" if wide else f"w->s[{d.sdst.offset}] = (uint32_t)real_time(g);"
    raise NotImplementedError("this message")


def go_to(k, i: Instruction, target: int) -> str:
    """Backward, another wave has its turn now and then: it may be what this one waits for."""
    if target > i.offset:
        return f"goto L{target};"
    k.flow.entries.add(target)
    return f"if (--w->patience < 0) {{ w->pc = {target}; return (int)Stop::turn; }} goto L{target};"
