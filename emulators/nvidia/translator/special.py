# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Special registers (PTX ISA 10) as C++ of a generated kernel."""

from __future__ import annotations

REGISTERS = {
    "laneid": "t->lane",
    "warpid": "(t->linear / 32)",
    "nwarpid": "32u",
    "smid": "multiprocessor_of(t)",
    "nsmid": "u32{multiprocessors}",
    "gridid": "u64{0}",
    "is_explicit_cluster": "t->clustered",
    "cluster_ctarank": "(t->rank >> rank_shift)",
    "cluster_nctarank": "t->blocks",
    "dynamic_smem_size": "(t->shared_end - t->dynamic_begin)",
    "total_smem_size": "t->shared_end",
    "aggr_smem_size": "t->shared_end",
    "lanemask_eq": "(1u << t->lane)",
    "lanemask_lt": "((1u << t->lane) - 1)",
    "lanemask_le": "((2u << t->lane) - 1)",
    "lanemask_gt": "~((2u << t->lane) - 1)",
    "lanemask_ge": "~((1u << t->lane) - 1)",
    "clock": "static_cast<u32>(clock_of(t))",
    "clock_hi": "static_cast<u32>(clock_of(t) >> 32)",
    "clock64": "clock_of(t)",
    "globaltimer": "clock_of(t)",
    "globaltimer_lo": "static_cast<u32>(clock_of(t))",
    "globaltimer_hi": "static_cast<u32>(clock_of(t) >> 32)",
    "envreg1": "static_cast<u32>(grid_workspace(t) >> 32)",
    "envreg2": "static_cast<u32>(grid_workspace(t))",
    "reserved_smem_offset_1": "reserved_shared(t)",
}
for _index, _axis in enumerate("xyz"):
    REGISTERS[f"tid.{_axis}"] = f"t->tid[{_index}]"
    REGISTERS[f"ntid.{_axis}"] = f"t->ntid[{_index}]"
    for _begin, _of, _many in ((0, "ctaid", "nctaid"), (3, "clusterid", "nclusterid"), (6, "cluster_ctaid", "cluster_nctaid")):
        REGISTERS[f"{_of}.{_axis}"] = f"t->ctaid[{_begin + _index}]"
        REGISTERS[f"{_many}.{_axis}"] = f"t->nctaid[{_begin + _index}]"
