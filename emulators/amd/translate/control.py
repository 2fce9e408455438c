# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Branches, calls, barriers, the end: where a wave goes on."""

from .decode import Instruction, branch_target

# Instructions that change nothing that the emulator has: waits, hints, caches.
WITHOUT_EFFECT = (
    "S_NOP", "S_WAIT", "S_SLEEP", "S_SETPRIO", "S_CLAUSE", "S_DELAY_ALU", "S_INST_PREFETCH", "S_SET_INST_PREFETCH",
    "S_CODE_END", "S_SENDMSG", "S_TTRACE", "S_ICACHE", "S_DCACHE", "S_PREFETCH", "S_MONITOR_SLEEP", "S_SETHALT",
    "S_BARRIER_SIGNAL", "S_INCPERFLEVEL", "S_DECPERFLEVEL", "S_SET_GPR_IDX_OFF", "S_WAKEUP", "S_SETKILL",
    "BUFFER_WBL2", "BUFFER_INV", "BUFFER_GL", "BUFFER_WBINVL1", "GLOBAL_INV", "GLOBAL_WB", "V_NOP",
)  # fmt: skip
GET_REALTIME = 0x83  # a message that is answered; others need no answer here
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
    if name == "S_SENDMSG_RTN_B64" and i.decoded.ssrc0.offset == GET_REALTIME:
        return f"set_pair(w, {i.decoded.sdst.offset}, real_time(g));"
    if i.decoded is None or name.startswith(WITHOUT_EFFECT):
        return ";"
    if name == "S_ENDPGM":
        return "return (int)Stop::ended;"
    if name in ("S_BARRIER", "S_BARRIER_WAIT"):
        k.flow.entries.add(i.next)
        return f"w->pc = {i.next}; return (int)Stop::barrier;"
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


def go_to(k, i: Instruction, target: int) -> str:
    """Backward, another wave has its turn now and then: it may be what this one waits for."""
    if target > i.offset:
        return f"goto L{target};"
    k.flow.entries.add(target)
    return f"if (--w->patience < 0) {{ w->pc = {target}; return (int)Stop::turn; }} goto L{target};"
