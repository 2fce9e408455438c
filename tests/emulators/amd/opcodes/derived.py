# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions that do what others do, elsewhere: comparisons whose result is EXEC, two operations in one instruction
(VOPD of RDNA), and functions of scalar registers (RDNA 4)."""

from dataclasses import replace

import floats  # noqa: F401: they are in FORMS then
from scalar import KEPT, scalar
from vector import FORMS

# EXEC is the result, and put back. All lanes are on.
for name, form in list(FORMS.items()):
    if name.startswith("V_CMP_"):
        own = name.replace("V_CMP_", "V_CMPX_")
        text = f"s_mov_b{{n}} {{keep}}, {{exec}}\n {own.lower()}_e64 {{written}}%2, %3\n s_mov_b{{n}} %0, {{exec}}\n s_mov_b{{n}} {{exec}}, {{keep}}"
        FORMS[own] = replace(form, name=own, text=text)

# The second of a pair, and the first too where that is a choice. What both give is the same, else the result is wrong.
SECOND_ONLY = ("ADD_NC_U32", "LSHLREV_B32", "AND_B32")
for plain in (
    "MOV_B32", "ADD_F32", "SUB_F32", "SUBREV_F32", "MUL_F32", "FMAC_F32", "MAX_F32", "MIN_F32", "MAX_NUM_F32", "MIN_NUM_F32", "CNDMASK_B32",
    "FMAMK_F32", "FMAAK_F32", *SECOND_ONLY,
):  # fmt: skip
    form = FORMS[f"V_{plain}"]
    operands = {
        "MOV_B32": "v100", "FMAMK_F32": "v100, 0xc0500000, v101", "FMAAK_F32": "v100, v101, 0xc0500000",
    }.get(plain, "v100, v101")  # fmt: skip
    second = "v_mov_b32 v101, %3\n" if len(form.sources) > 1 else ""
    third = {"FMAC_F32": "v_mov_b32 v104, %4\n v_mov_b32 v105, %4", "CNDMASK_B32": "s_mov_b32 vcc_lo, %4"}.get(plain, "")
    both = f"v_dual_mov_b32 v106, v102 :: v_dual_{plain.lower()} v105, {operands}"
    if plain not in SECOND_ONLY:
        both += f"\n v_dual_{plain.lower()} v104, {operands} :: v_dual_mov_b32 v107, v102\n v_xor_b32 v104, v104, v105\n v_xor_b32 v105, v105, v104"
    name = f"V_DUAL_{plain}"
    FORMS[name] = replace(form, name=name, text=f"v_mov_b32 v100, %2\n {second} {third}\n v_mov_b32 v102, 0\n {both}\n v_mov_b32 %0, v105")

for name in ("EXP", "LOG", "RCP", "RSQ", "SQRT"):
    of = FORMS[f"V_{name}_F32"].of
    scalar(f"V_S_{name}_F32", 32, "32", lambda a, s, of=of: (of(a), KEPT), kind="f32", units=1, data=FORMS[f"V_{name}_F32"].data)
