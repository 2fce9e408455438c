# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The mistakes of planted_*.cu: of what class each is, what is said of it, and in which modes. Where a mode's name is missing,
its kernel ends well there, always or with some seeds."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

MODES = ("lazy", "eager", "random:1")
ADDRESS, LAUNCH, TOGETHER, DEADLOCK = "accesses", "launches", "barriers and warps", "deadlocks"
WARP, BLOCK, BLOCKS = "races within a warp", "races within a block", "races between blocks, missing `__threadfence`"
PROXY, WAIT, COPY = "missing `fence.proxy.async`", "missing waits of tensor memory", "missing waits of copies"
PRODUCT, UNWRITTEN, LEAK = "missing waits of products", "what nothing has written", "leaks of tensor memory"
DEPENDENT = "missing waits for the kernel before"
ENDED = "memory of blocks that end"
STOPS = "what a kernel stops at by itself, or the emulator"
CLASSES = (ADDRESS, LAUNCH, TOGETHER, DEADLOCK, WARP, BLOCK, BLOCKS, ENDED, PROXY, COPY, PRODUCT, WAIT, UNWRITTEN, LEAK, DEPENDENT, STOPS)


@dataclasses.dataclass(frozen=True)
class Mistake:
    program: str
    name: str
    kind: str
    told: str  # a pattern of the sentence; or of the values that come out, where no sentence does
    modes: tuple[str, ...] = MODES  # in which it must be told
    by_result: bool = False
    hidden: tuple[str, ...] = ()  # modes in which it is certain that nothing is told
    elsewhere: str = ""  # the pattern in other modes than lazy, where their order makes another one of it


_BEHIND = "an access of 4 bytes to local memory ends {} bytes behind the 64 bytes that a function has there"
# Of planted.cu: its own words, by class; LINE is the line of the kernel.
MISTAKES = {
    ADDRESS: {
        "global_read": "kernel (anonymous namespace)::global_read, block (0,0,0), thread (63,0,0), planted.cu:LINE (PTX line",
        "global_write": "thread (63,0,0), planted.cu:LINE",
        "freed": "it lies in freed memory (cudaMalloc of 256 bytes)",
        "misaligned": "which is no multiple of 4",
        "null_pointer": "it is a null pointer, or near one",
        "shared_overrun": "an access of 4 bytes to shared memory ends 4 bytes behind the block's 256 bytes",
        "local_read": _BEHIND.format(20),
        "local_write": _BEHIND.format(4),
        "local_misaligned": "which is no multiple of 4",
        "local_passed_read": _BEHIND.format(4),
        "local_passed_write": "an access of 4 bytes to local memory begins 4 bytes before the 64 bytes that a function has there",
        "local_passed_twice": _BEHIND.format(4),
        "local_copied": _BEHIND.format(8),
        "parameter_read": "an access of 4 bytes ends 4 bytes behind the kernel's parameters of 76 bytes",
        "parameter_passed": "an access of 4 bytes ends 12 bytes behind the kernel's parameters of 76 bytes",
        "variable_read": "to global memory at ADDRESS: it lies 0 bytes behind __device__ (anonymous namespace)::counts of 64 bytes",
        "variable_write": "to global memory at ADDRESS: it lies 252 bytes behind __device__ (anonymous namespace)::",
        "constant_read": "to global memory at ADDRESS: it lies 156 bytes behind __constant__ (anonymous namespace)::factors of 64 bytes",
        "bulk_size": "a bulk copy of 248 bytes, which is no multiple of 16",
    },
    LAUNCH: {
        "too_much_shared": "65536 bytes of dynamic shared memory beside 0 static ones; 49152 are allowed",
        "too_many_threads": "blocks of 2048 threads; at most 1024 are possible",
        "cluster_shape": "clusters of (2,1,1) blocks do not divide the grid",
        "grid_at_a_time": "100000 blocks do not fit the device at a time",
    },
    TOGETHER: {
        "barrier_count": "barrier 1 for 32 threads, while others wait there for 64",
        "barrier_twice": "the thread arrives at barrier 1 a second time before it completes",
        "lane_masks": "while lanes 0x8000 of it wait in shfl.sync with the mask",
        "not_in_mask": "with the lane mask 0x1, in which its own lane 1 is not",
        "mixed_operations": "all lanes of a mask must execute the same instruction",
        "no_mbarrier": "there is no initialised mbarrier at shared address",
        "too_many_arrivals": "more arrivals at the mbarrier at 0x400 than the 2 it expects",
        "barrier_odd_count": "barrier 3 with 63 threads, which is no multiple of a warp's 32",
        "barrier_apart": "it arrives at barrier 1, and in place of that block (0,0,0), thread (0,0,0) of its warp at planted.cu:",
        "barrier_halves": "it arrives at barrier 2, and in place of that block (0,0,0), thread (0,0,0) of its warp at planted.cu:",
        "barrier_unrolled": "it arrives at barrier 0, and in place of that block (0,0,0), thread (",
        "barrier_number": "there is no barrier 16, only 0 to 15",
    },
    DEADLOCK: {
        "deadlock": "deadlock: no thread can go on; block (0,0,0) warp 0 waits at PTX line",
        "mbarrier_for_ever": "for the mbarrier at",
        "barriers_crossed": "deadlock: no thread can go on; block (0,0,0) warp 0 waits at PTX line",
        "blocks_crossed": "deadlock: no thread can go on; block (0,0,0) warp 0 waits at PTX line",
    },
    STOPS: {
        "trap": "trap: the kernel stops itself",
        "unknown_instruction": "the emulator does not know the instruction `vadd2",
        "assertion": "the assertion `n == threads` does not hold",
    },
}
# Of planted_races.cu and planted_blocks.cu: how the sentence names the other access, and what is missing.
MISSING = {
    WARP: "no __syncwarp()",
    BLOCK: "no __syncthreads()",
    BLOCKS: "no fence of both with an atomic operation or flag",
}
RACES = {
    "missing_syncthreads": ("thread (0,0,0) read at", BLOCK),
    "missing_second_syncthreads": ("thread (32,0,0) wrote at", BLOCK),
    "missing_syncwarp": ("thread (0,0,0) read at", WARP),
    "warp_for_block": ("thread (0,0,0) read at", BLOCK),
    "half_a_warp": ("thread (0,0,0) read at", WARP),
    "barrier_of_others": ("thread (32,0,0) wrote at", BLOCK),
    "arrived_only": ("thread (0,0,0) wrote at", BLOCK),
    "two_writers": ("thread (0,0,0) wrote at", WARP),
    "others_value": ("thread (0,0,0) wrote at", WARP),
    "plain_counter": ("wrote at", WARP),
    "counter_read_early": ("read at", WARP),
    "bytes_of_a_word": ("thread (31,0,0) read at", BLOCK),
    "bytes_by_turns": ("thread (31,0,0) wrote at", BLOCK),
    "matrix_rows": ("thread (1,0,0) wrote at", WARP),
    "flag_in_a_block": ("thread (0,0,0) wrote at", BLOCK),
    "shuffled": ("read at", WARP),
    "other_block": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "blocks_write": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "look_back_without_release": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "look_back_without_acquire": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "look_back_block_scope": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "look_back_cluster_scope": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "release_to_cluster": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "look_back_plain_flag": ("block (0,0,0), thread (0,0,0) wrote at", BLOCKS),
    "last_block": ("wrote at", BLOCKS),
    "grid": ("block (0,0,0), thread (31,0,0) read at", BLOCKS),
    "cluster": ("block (1,0,0), thread (0,0,0) read at", BLOCKS),
    "others_copies": ("thread (0,0,0) read at", BLOCK),
    "copy_too_early": ("thread (32,0,0) wrote at", BLOCK),
    "phase_not_waited_for": ("thread (32,0,0) read at", BLOCK),
}
# Of planted_registers.cu: the thread that is told of, the register if its name is the source's, and what it decides.
_STORED = "is stored to global memory"
REGISTERS = {
    "load_not_done": (63, "%r", _STORED),
    "one_of_four": (0, "%r", _STORED),
    "address": (0, "%r", "decides which address is accessed"),
    "shared_address": (63, "at,", "decides which address is accessed"),
    "branch": (0, "v,", "decides a branch"),
    "guarded_store": (0, "q,", "decides whether something is stored"),
    "accumulator": (0, "sum,", _STORED),
    "chosen": (0, "w,", _STORED),
    "fragment": (31, "c2,", _STORED),
}
# Of planted_proxies.cu and planted_tensor.cu: what touches shared memory, and who wrote there. Told in every mode.
_READ, _MULTIPLIED = "a bulk copy reads", "wgmma.mma_async reads"
PROXIES = {
    "missing_proxy_fence": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_too_early": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_of_one": (_READ, "thread (1,0,0) wrote"),
    "proxy_fence_of_global": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_second_round": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_of_halves": (_READ, "thread (0,0,0) wrote"),
    "global_fence_of_halves": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_of_warps": (_READ, "wrote"),
    "proxy_fence_at_mbarrier": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_after_arrival": (_READ, "thread (1,0,0) wrote"),
    "proxy_fence_after_change": (_READ, "thread (0,0,0) wrote"),
    "overwritten_by_copy": ("a bulk copy writes", "thread (0,0,0) wrote"),
    "wgmma_without_fence": (_MULTIPLIED, "wrote"),
    "wgmma_fence_too_early": (_MULTIPLIED, "wrote"),
    "wgmma_fence_of_one": (_MULTIPLIED, "thread (1,0,0) wrote"),
    "wgmma_registers": (_MULTIPLIED, "wrote"),
    "wgmma_after_change": (_MULTIPLIED, "thread (77,0,0) wrote"),
    "global_without_fence": (_READ, "thread (0,0,0) wrote"),
    "global_fence_too_early": (_READ, "thread (0,0,0) wrote"),
    "global_fence_of_shared": (_READ, "thread (0,0,0) wrote"),
    "global_of_another_block": (_READ, "block (0,0,0), thread (0,0,0) wrote"),
}
TENSOR_PROXIES = {
    "operand_without_fence": ("tcgen05.mma reads", "wrote"),
    "copied_without_fence": ("tcgen05.cp reads", "wrote"),
}
# Of planted_tensor.cu: which wait is missing, who relies on it, and the thread whose warp it is of. Told in every mode.
_LOAD, _STORE = "neither a tcgen05.wait::ld of that warp nor a use of what it loads", "no tcgen05.wait::st of that warp"
TENSOR_WAITS = {
    "store_then_load": (_STORE, "tcgen05.ld reads", r"thread \(\d+,0,0\) stores"),
    "store_for_another_warp": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_waits_for_loads": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_waits_too_late": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_at_mbarrier": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_before_product": (_STORE, "tcgen05.mma reads", r"thread \(0,0,0\) stores"),
    "load_before_product": (_LOAD, "tcgen05.mma overwrites", r"thread \(0,0,0\) loads"),
    "load_beside_another": (_LOAD, "tcgen05.mma overwrites", r"thread \(0,0,0\) loads"),
    "load_before_copy": (_LOAD, "tcgen05.cp overwrites", r"thread \(0,0,0\) loads"),
    "load_then_store": (_LOAD, "tcgen05.st overwrites", r"thread \(\d+,0,0\) loads"),
    "load_only_moved": (_LOAD, "tcgen05.st overwrites", r"thread \(0,0,0\) loads"),
    "given_back": (_LOAD, "tcgen05.dealloc gives back", r"thread \(0,0,0\) loads"),
}
# Of planted_pairs.cu: of whose warp a wait is missing before the pair's product.
PAIR_WAITS = {
    "pair_second_block": r"block \(1,0,0\), thread \(0,0,0\) loads",
    "pair_first_block": r"block \(0,0,0\), thread \(0,0,0\) loads",
}
# Of planted_copies.cu and planted_groups.cu: what is done, what the copy does, and what is missing.
_AT_MBARRIER, _GROUP, _READ_GROUP = "no wait for the mbarrier at", "no cp.async.wait_group or cp.async.wait_all", "no cp.async.bulk.wait_group"
COPIES = {
    "bulk_not_waited_for": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_one_waits": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_waits_in_vain": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_waits_too_late": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_other_mbarrier": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_old_phase": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_expects_too_little": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_onto_another": ("it writes 256", "writes", _AT_MBARRIER),
    "bulk_onto_a_write": ("it writes 4", "writes", _AT_MBARRIER),
    "bulk_multiplied": ("wgmma.mma_async reads 16", "writes", _AT_MBARRIER),
    "bulk_multicast": ("it reads 4", "writes", _AT_MBARRIER),
    "stored_async": ("it reads 4", "writes", _AT_MBARRIER),
    "added_async": ("it reads 4", "writes", _AT_MBARRIER),
    "bulk_moved": ("it writes 4", "reads", _AT_MBARRIER),
    "store_overwritten": ("it writes 4", "reads", _READ_GROUP),
    "store_one_of_two": ("it writes 4", "reads", _READ_GROUP),
    "store_other_waits": ("it writes 4", "reads", _READ_GROUP),
    "store_loaded_over": ("it writes 256", "reads", _READ_GROUP),
}
GROUPS = {
    "barrier_alone": ("it reads 4", "writes", _GROUP),
    "not_committed": ("it reads 4", "writes", _GROUP),
    "one_of_two_groups": ("it reads 4", "writes", _GROUP),
    "written_over": ("it writes 4", "writes", _GROUP),
    "ended_without_wait": ("it reads 4", "writes", _GROUP),
    "copies_at_mbarrier": ("it reads 4", "writes", _AT_MBARRIER),
}
# Of planted_products.cu: what is done with what a product writes.
PRODUCTS = {
    "product_not_waited_for": "tcgen05.ld reads",
    "product_waits_too_late": "tcgen05.ld reads",
    "product_one_waits": "tcgen05.ld reads",
    "product_committed_before": "tcgen05.ld reads",
    "product_for_all": "tcgen05.ld reads",
    "product_second": "tcgen05.ld reads",
    "product_stored_over": "tcgen05.st overwrites",
}
# Of planted_clusters.cu: what is done with the memory of which block.
_ENDED, _MAY_HAVE_ENDED = ", which has ended", r" at 0x\w+, which may have ended by then"
CLUSTERS = {
    "visited": ("reads", 1, _ENDED),
    "visited_by_luck": ("reads", 1, _MAY_HAVE_ENDED),
    "written": ("writes", 1, _ENDED),
    "summed": ("writes", 0, _MAY_HAVE_ENDED),
    "told_by_luck": ("arrives at an mbarrier in", 1, _MAY_HAVE_ENDED),
    "not_begun": ("writes", 1, ", which may not have begun by then"),
    "told_too_late": ("arrives at an mbarrier in", 1, _ENDED),
}
# Of planted_dependents.cu: what is done with memory of the kernel before, the kernel's name, and what that one does there.
DEPENDENTS = {
    "dependent_reads": ("reads 4", "first", "wrote"),
    "dependent_waits_too_late": ("reads 4", "first", "wrote"),
    "dependent_one_waits": ("reads 4", "first", "wrote"),
    "dependent_writes": ("writes 4", "first", "wrote"),
    "dependent_overwrites": ("writes 4", "first", "read"),
    "dependent_counts": ("writes 4", "first", "wrote"),
    "dependent_copies": ("reads 256", "first", "wrote"),
    "dependent_chain": ("reads 4", "passes", "wrote"),
}
# Of planted_groups.cu: what is done with a register, and what wgmma.mma_async does with it.
REGISTER_PRODUCTS = {
    "wgmma_looked_at": (r"reads the register %f\d+", "writes"),
    "wgmma_copied": ("reads the register copy", "writes"),
    "wgmma_written_over": (r"changes the register %f\d+", "writes"),
    "wgmma_fragment_changed": ("changes the register fragment", "reads as its A"),
}
_DEADLOCK = "deadlock: no thread can go on"
# Where the copy is there at once, the wait for an old phase is one for a phase that never comes.
_OR_DEADLOCK = ("bulk_waits_in_vain", "bulk_old_phase", "product_second")

_AT = r"[\w.]+:\d+ \(PTX line \d+\)"  # a place


def _line_of(kernel: str) -> int:
    """Where a kernel of planted.cu that fits a line stands."""
    lines = Path(__file__).with_name("planted.cu").read_text(encoding="utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if f"void {kernel}(" in line), 0)


def _all() -> list[Mistake]:
    e = re.escape
    at = rf"kernel \(anonymous namespace\)::\w+, block \(0,0,0\), thread \(\d+,0,0\)(?:, {_AT})?: .*"  # an assertion says itself where it stands
    found = [
        Mistake("planted", name, kind, ("" if kind in (LAUNCH, DEADLOCK) or "LINE" in sentence else at) + e(sentence.replace("LINE", str(_line_of(name)))).replace("ADDRESS", r"0x\w+"))
        for kind, sentences in MISTAKES.items()
        for name, sentence in sentences.items()
    ]
    race = rf"block \(\d+,0,0\), thread \(\d+,0,0\), {_AT}: a data race: it "
    found += [
        Mistake("planted_blocks" if kind == BLOCKS else "planted_races", name, kind, rf"{race}.* which .*{e(other)} {_AT}: {e(MISSING[kind])}", elsewhere=rf"{race}.* which .* {_AT}: ")
        for name, (other, kind) in RACES.items()
    ]
    found += [
        Mistake(
            "planted_registers", name, UNWRITTEN,
            rf"kernel \(anonymous namespace\)::{name}, block \(0,0,0\), thread \({thread},0,0\), {_AT}: the register {register}.*which nothing has written, {what}",
        )
        for name, (thread, register, what) in REGISTERS.items()
    ]  # fmt: skip
    found += [
        Mistake(program, name, PROXY, rf"{_AT}: a missing fence.proxy.async: {e(does)} \d+ bytes .*{e(other)} some at {_AT}")
        for program, mistakes in (("planted_proxies", PROXIES), ("planted_tensor", TENSOR_PROXIES))
        for name, (does, other) in mistakes.items()
    ]
    found += [
        Mistake(
            "planted_tensor", name, WAIT,
            rf"{_AT}: a missing tcgen05.wait::{'st' if missing is _STORE else 'ld'}: {e(does)} tensor memory at lane \d+, column \d+, which the warp of block \(0,0,0\), {other} at {_AT}: {missing} lies between",
        )
        for name, (missing, does, other) in TENSOR_WAITS.items()
    ]  # fmt: skip
    found += [
        Mistake(
            "planted_pairs", name, WAIT,
            rf"{_AT}: a missing tcgen05.wait::ld: tcgen05.mma overwrites tensor memory at lane \d+, column \d+, which the warp of {whose} at {_AT}: {_LOAD} lies between",
        )
        for name, whose in PAIR_WAITS.items()
    ]  # fmt: skip
    for program, mistakes in (("planted_copies", COPIES), ("planted_groups", GROUPS)):
        for name, (what, does, missing) in mistakes.items():
            told = rf"{_AT}: a data race: {e(what)} bytes of shared memory at 0x\w+, which a copy {does} that block \(\d,0,0\), thread \(\d+,0,0\) began at {_AT}: {e(missing)}"
            found.append(Mistake(program, name, COPY, told, elsewhere=f"{told}|{_DEADLOCK}" if name in _OR_DEADLOCK else ""))
    for name, does in PRODUCTS.items():
        told = rf"{_AT}: a product that is not waited for: {e(does)} tensor memory at lane \d+, column 0, which a tcgen05.mma writes that block \(0,0,0\), thread \(0,0,0\) began at {_AT}: no wait"
        found.append(Mistake("planted_products", name, PRODUCT, told, elsewhere=f"{told}|{_DEADLOCK}" if name in _OR_DEADLOCK else ""))
    for name, (does, product) in REGISTER_PRODUCTS.items():
        told = rf"{_AT}: a product that is not waited for: it {does}, which a wgmma.mma_async {product} that block \(0,0,0\), thread \(\d+,0,0\) began at {_AT}: no wgmma.wait_group"
        found.append(Mistake("planted_groups", name, PRODUCT, told))
    for name, (does, block, ended) in CLUSTERS.items():
        told = rf"block \({1 - block},0,0\), thread \(0,0,0\), {_AT}: it {does} shared memory of block \({block},0,0\){ended}: no barrier of the cluster \(cluster.sync\(\)\)"
        found.append(Mistake("planted_clusters", name, ENDED, told))
    for name, (does, before, did) in DEPENDENTS.items():
        told = rf"{_AT}: a missing griddepcontrol.wait \(cudaGridDependencySynchronize\(\)\): it {does} bytes of global memory at 0x\w+, which kernel \(anonymous namespace\)::{before} before it in its stream {did}, and that may still run"
        found.append(Mistake("planted_dependents", name, DEPENDENT, told))
    found += [
        Mistake("planted", "missing_wait", COPY, rf"a data race: it reads 4 bytes .* which a copy writes .*: {e(_GROUP)} lies"),
        Mistake("planted_copies", "store_without_barrier", BLOCK, rf"{race}.* which .*{_AT}: {e(MISSING[BLOCK])}"),
        Mistake("planted_proxies", "global_without_barrier", BLOCK, rf"{race}writes 4 bytes of global memory .* read at {_AT}: "),
        Mistake("planted_products", "columns_never_written", UNWRITTEN, r"tensor memory at lane \d+, column 0 is read before it is written"),
        Mistake("planted_products", "columns_kept", LEAK, "the block ends with 64 columns of tensor memory, which no tcgen05.dealloc"),
        Mistake("planted_products", "more_columns_kept", LEAK, "the block ends with 32 columns of tensor memory, which no tcgen05.dealloc"),
        Mistake("planted_blocks", "grid_not_cooperative", STOPS, "trap: the kernel stops itself"),
        Mistake("planted", "unwritten", UNWRITTEN, "-1 -1", by_result=True),
        Mistake("planted", "uncleared_flag", UNWRITTEN, "1 0", ("random:1",), by_result=True, hidden=("lazy", "eager")),
        Mistake("planted_groups", "wgmma_begun", UNWRITTEN, "31 31", by_result=True),
        Mistake("planted_groups", "wgmma_operand_changed", PRODUCT, "1 1", ("lazy",), by_result=True, hidden=("eager",)),
    ]
    return sorted(found, key=lambda mistake: CLASSES.index(mistake.kind))


ALL = _all()
