# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Scalar instructions that change EXEC or what is executed next, and those of which the guides promise no result."""

from scalar import KEPT, scalar
from vector import low

# EXEC becomes of(operand, EXEC), the destination what EXEC was (saveexec) or has become (wrexec); SCC, whether EXEC is
# other than zero. EXEC is the second operand before. Where the destination is right it leaves the result alone.
SAVED = """s_mov_b{n} {keep}, {exec}
 s_mov_b{n} {exec}, %2
 {name} {old}, %1
 s_cselect_b32 s26, 1, 0
 s_mov_b{n} {new}, {exec}
 s_mov_b{n} {exec}, {keep}
 s_xor_b{n} {old}, {old}, {should}
 s_xor_b{n} %0, {old}, {new}
 s_cmp_lg_u32 s26, 0"""
for n, registers in (
    (32, {"exec": "exec_lo", "keep": "s20", "old": "s22", "new": "s24"}),
    (64, {"exec": "exec", "keep": "s[20:21]", "old": "s[22:23]", "new": "s[24:25]"}),
):
    for names, of in (
        ("AND", lambda a, e: a & e), ("OR", lambda a, e: a | e), ("XOR", lambda a, e: a ^ e), ("NAND", lambda a, e: ~(a & e)),
        ("NOR", lambda a, e: ~(a | e)), ("XNOR", lambda a, e: ~(a ^ e)), ("ANDN2 AND_NOT1", lambda a, e: a & ~e), ("ANDN1 AND_NOT0", lambda a, e: ~a & e),
        ("ORN2 OR_NOT1", lambda a, e: a | ~e), ("ORN1 OR_NOT0", lambda a, e: ~a | e),
    ):  # fmt: skip
        for name in names.split():
            for end, should in (("SAVEEXEC", "%2"), ("WREXEC", registers["new"])):
                full = f"S_{name}_{end}_B{n}"
                text = SAVED.format(n=n, name=full.lower(), should=should, **registers)
                result = lambda a, b, s, of=of, n=n: (low(of(a, b), n), int(low(of(a, b), n) != 0))  # noqa: E731
                scalar(full, n, f"{n} {n}", result, text=text, data="few")

# A branch that is taken gives 2, one that is not 1.
BRANCH = """{before}
 {name} 1f
 s_mov_b32 s22, 1
 s_branch 2f
1:
 s_mov_b32 s22, 2
2:
 {behind}
 s_mov_b32 %0, s22"""
for name, before, behind, taken in (
    ("S_CBRANCH_SCC0", "", "", lambda a, s: s == 0), ("S_CBRANCH_SCC1", "", "", lambda a, s: s == 1),
    ("S_CBRANCH_VCCZ", "s_mov_b{n} {vcc}, %1", "", lambda a, s: a == 0), ("S_CBRANCH_VCCNZ", "s_mov_b{n} {vcc}, %1", "", lambda a, s: a != 0),
    ("S_CBRANCH_EXECZ", "s_mov_b{n} {keep}, {exec}\n s_mov_b{n} {exec}, %1", "s_mov_b{n} {exec}, {keep}", lambda a, s: a == 0),
    ("S_CBRANCH_EXECNZ", "s_mov_b{n} {keep}, {exec}\n s_mov_b{n} {exec}, %1", "s_mov_b{n} {exec}, {keep}", lambda a, s: a != 0),
    ("S_BRANCH", "", "", lambda a, s: True),
):  # fmt: skip
    text = BRANCH.format(before=before, name=name.lower(), behind=behind)
    scalar(name, 32, "0", lambda a, s, t=taken: (2 if t(a, s) else 1, KEPT), text=text, data="few")

# What has no result of its own, and why that is enough.
NO_RESULT = {
    "nothing happens": "S_NOP V_NOP S_SLEEP S_CLAUSE S_DELAY_ALU S_SET_INST_PREFETCH_DISTANCE S_INST_PREFETCH S_SENDMSG S_SETPRIO",
    "memory is as ordered here as it can be": "S_WAITCNT S_WAITCNT_VSCNT S_WAITCNT_VMCNT S_WAITCNT_LGKMCNT S_WAITCNT_DEPCTR S_WAIT_ALU S_WAIT_KMCNT S_WAIT_LOADCNT "
    "S_WAIT_STORECNT S_WAIT_DSCNT S_WAIT_EXPCNT S_WAIT_LOADCNT_DSCNT S_WAIT_STORECNT_DSCNT S_WAIT_SAMPLECNT S_WAIT_BVHCNT S_WAIT_IDLE",
    "there are no caches": "cache_control S_DCACHE_WB S_DCACHE_INV S_ICACHE_INV BUFFER_WBL2 BUFFER_INV BUFFER_GL0_INV BUFFER_GL1_INV GLOBAL_INV GLOBAL_WB GLOBAL_WBINV S_GL1_INV",
}
# Whole programs show these: a file, as seen from the folder above, and a text in it that is there so long as the test is.
ELSEWHERE = {
    ("faults.hip", "__global__ void"): "S_ENDPGM",
    ("faults.hip", "missing_barrier<<<"): "S_BARRIER S_BARRIER_SIGNAL S_BARRIER_WAIT",
    ("faults.hip", "clocks<<<"): "S_MEMREALTIME S_MEMTIME S_SENDMSG_RTN_B64 S_GETREG_B32",
    ("prints_test.py", "test_an_assertion_says_its_text_and_thread"): "S_TRAP",
    ("machine.hip", '"s_sethalt 1"'): "S_SETHALT",
    ("machine.hip", '"s_sendmsg_rtn_b32 s20, 0x80"'): "S_SENDMSG_RTN_B32",
    ("machine.hip", "mode<<<"): "S_SETREG_IMM32_B32 S_SETREG_B32",
    ("instruction_table.hpp", '"calls through pointers"'): "S_GETPC_B64 S_SETPC_B64 S_SWAPPC_B64 S_SEXT_I64_I32",
    ("instruction_table.hpp", '"v_mul_f32 without denormal results"'): "S_ROUND_MODE S_DENORM_MODE",
    ("instruction_table.hpp", '"registers by index"'): "S_SET_GPR_IDX_ON S_SET_GPR_IDX_OFF S_SET_GPR_IDX_IDX V_MOVRELS_B32 V_MOVRELD_B32",
}
