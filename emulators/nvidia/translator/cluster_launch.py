# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""clusterlaunchcontrol: device/cluster_launch.hpp."""

from __future__ import annotations

from .body import Body
from .lexer import Instruction, Unknown, elements


def cluster_launch_control(body: Body, ins: Instruction) -> str:
    o = ins.operands
    if ins.modifiers[0] == "try_cancel":
        every = "true" if ins.starting("multicast") else "false"
        return f"launch_cancel(t, {ins.line}, {body.shared_address(ins, o[0])}, {body.shared_address(ins, o[1])}, {every});"
    if ins.modifiers[0] != "query_cancel":
        raise Unknown(f"clusterlaunchcontrol.{ins.modifiers[0]}")
    answer = body.read(o[1], "b128")
    if ins.has("is_canceled"):
        return body.write(o[0], f"is_canceled({answer})")
    if ins.has("v4"):
        parts = " ".join(body.write(x, f"canceled_block(answer, {i})") for i, x in enumerate(elements(o[0])[:3]))
        return f"const u128 answer = {answer}; {parts}"
    form = next(m for m in ins.modifiers if m.startswith("get_first_ctaid::"))
    return body.write(o[0], f"canceled_block({answer}, {'xyz'.index(form[-1])})")
