# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The corpus: forms of instructions, topic by topic, as PTX modules."""

from __future__ import annotations

from . import async_copies, atomics, barriers, bits, block_barriers, boxes, bulk, clusters, comparisons, conversions, destinations, floats, hints, integers, maps, matrices, memory, narrow, out_of_bounds, quads, spaces, sparse, stores, tiles, warps, wgmma, wmma
from .modules import Module, modules_of

TOPICS = {
    "integers": integers.forms, "bits": bits.forms, "floats": floats.forms, "narrow": narrow.forms,
    "comparisons": comparisons.forms, "conversions": conversions.forms, "memory": memory.forms, "warps": warps.forms, "atomics": atomics.forms,
    "matrices": matrices.forms, "wgmma": wgmma.forms, "sparse": sparse.forms,
    "boxes": boxes.forms, "converted": boxes.converted_forms, "ties": boxes.ties_forms, "im2col": boxes.im2col_forms,
    "stores": stores.forms, "reductions": stores.reduction_forms, "converted_stores": stores.converted_forms,
    "tiles": tiles.forms,
    "async_copies": async_copies.forms, "barriers": barriers.forms, "async_stores": barriers.async_forms,
    "clusters": clusters.forms, "bulk": bulk.forms,
    "out_of_bounds": out_of_bounds.forms, "quads": quads.forms, "every_nan": out_of_bounds.every_nan_forms,
    "wmma": wmma.forms, "fragments": wmma.move_forms, "unordered": sparse.unordered_forms,
    "block_barriers": block_barriers.forms, "spaces": spaces.forms, "hints": hints.forms,
    "destinations": destinations.forms, "columns_to_several": destinations.to_several_forms, "columns_reduced": destinations.reduction_forms,
    "maps": maps.forms, "whole_maps": maps.whole_forms, "maps_of_zeros": maps.forms_of_zeros,
    "groups": wgmma.group_forms, "carries": integers.carry_forms,
}  # fmt: skip


def modules() -> list[Module]:
    return [module for topic, forms in TOPICS.items() for module in modules_of(topic, forms())]
