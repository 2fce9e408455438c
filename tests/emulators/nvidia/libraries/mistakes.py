# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong in flashinfer-python 0.7.2.post1: what the emulator says of it, and how a copy is mended."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """Of this package: what the emulator says of it, but for lines of PTX, which are nvcc's; and how a copy of the header is mended, where
    that mends it."""

    sentence: str
    header: str = ""
    wrong: re.Pattern[str] = re.compile("")
    right: str = ""
    places: int = 1  # in the header
    root: str = "include"  # where the header is, of the package's data


# All threads arrive at a barrier for as many as wait there, and then wait there themselves: it may complete before all have come.
EARLY_ARRIVAL = Mistake(
    "the thread arrives at barrier 1 a second time before it completes",
    "flashinfer/attention/hopper/epilogue.cuh", re.compile(r"^ *cutlass::arch::NamedBarrier::arrive\(.*?\);\n", re.M | re.S), "",
)  # fmt: skip
# The least cost is read from shared memory by all threads, and overwritten by the first one of the next turn, with no barrier between.
PLANNER = Mistake(
    "kernel flashinfer::plan_kernel, block (0,0,0), thread (0,0,0), plan.cuh:43: a data race: it writes 8 bytes",
    "flashinfer/attention/blackwell/plan.cuh", re.compile(r"^  return warp_min_cost\[0\];\n", re.M),
    "  const CostIndex least = warp_min_cost[0];\n  __syncthreads();\n  return least;\n",
)  # fmt: skip
# The row maxima are stored to tensor memory, and the warps that load them told, with no wait for the stores: in attention of many queries,
# and of one.
MISSING_WAIT = [
    Mistake(
        "a missing tcgen05.wait::st: tcgen05.ld reads tensor memory",
        f"flashinfer/attention/blackwell/collective/sm100_fmha_{kind}_warpspecialized.hpp",
        re.compile(r"^ *copy\(tiled_tmem_storev, tTMEM_STOREVrS, tTMEM_STOREVtS\);\n", re.M),
        r"\g<0>cutlass::arch::fence_view_async_tmem_store();\n", places=2,
    )
    for kind in ("fwd_mainloop_tma", "gen_mainloop")
]  # fmt: skip
# Compute warps exchange row maxima through shared memory, with one barrier between writing and reading, and none before the next turn's
# write. Told where a turn is not ordered behind the one before by what the products wait for.
EXCHANGE = Mistake(
    "a data race: it writes 4 bytes of shared memory",
    "flashinfer/attention/blackwell/kernel/sm100_fmha_mla_tma_warpspecialized.hpp",
    re.compile(r"^ *row_\w+ [^;]*shared_tensors\.smem_exchange\[peer_index\]\)?;\n", re.M),
    r"\g<0>cutlass::arch::NamedBarrier(kNumComputeWarps * NumThreadsPerWarp, kNamedBarrierExchange).sync();\n", places=2,
)  # fmt: skip
# A stage is given to the products when as many groups of cp.async may still be in flight as were made since, that stage's own among them.
EARLY_STAGE = Mistake(
    "a data race: tcgen05.mma reads 16 bytes of shared memory",
    "flashinfer/attention/blackwell/kernel/sm100_fmha_mla_tma_warpspecialized.hpp",
    re.compile(r"cp_async_wait<StagesPV - 1>"), "cp_async_wait<StagesPV - 2>", places=2,
)  # fmt: skip
# Of a k that is no multiple of the tile's, zeros are stored by threads, and the products told with no fence between.
UNFENCED_ZEROS = Mistake(
    "a missing fence.proxy.async: tcgen05.mma reads 16 bytes of shared memory",
    "cutlass/gemm/collective/sm100_mma_cpasync_warpspecialized.hpp",
    re.compile(r"^ *mainloop_pipeline\.producer_commit\(mainloop_pipe_producer_state, cutlass::arch::cpasync_barrier_arrive\);\n", re.M),
    r"cutlass::arch::fence_view_async_shared();\n\g<0>", root="cutlass/include",
)  # fmt: skip
# Where B comes by cp.async and A by TMA, likewise. And of such a k the whole tile of B is read: the condition is of a kernel whose
# first tile is the short one.
MIXED = [f"cutlass/gemm/collective/sm100_{scaled}mma_mixed_tma_cpasync_warpspecialized.hpp" for scaled in ("", "blockscaled_")]
BEHIND_K = [
    Mistake(
        "an access of 16 bytes to global memory", header, re.compile(r"int\(get<1>\(tBcBk\(0,0,k\)\)\) >= 0"),
        "int(get<1>(tBcB(0,0,k,*k_tile_iter))) < K", root="cutlass/include",
    )
    for header in MIXED
]  # fmt: skip
UNFENCED_TAIL = [
    Mistake(
        UNFENCED_ZEROS.sentence, header,
        re.compile(r"(?<=// UNLOCK mainloop_pipe_producer_state\n)(?= *mainloop_pipeline\.producer_commit)"),
        "cutlass::arch::fence_view_async_shared();\n", root="cutlass/include",
    )
    for header in MIXED
]  # fmt: skip
# The warp that loads C says as well that it has read which tile comes next, and is not counted: the next answer may be written over
# this one before all have read it.
UNCOUNTED_READER = Mistake(
    "sm100_tile_scheduler.hpp:425: a data race: it reads 16 bytes of shared memory",
    "cutlass/gemm/kernel/sm100_gemm_mixed_tma_cpasync_warpspecialized.hpp",
    re.compile(r"NumEpilogueThreads \+ NumMMAThreads(?=\);)"), "NumEpilogueThreads + NumMMAThreads + NumEpilogueLoadThreads",
    root="cutlass/include",
)  # fmt: skip
# Where several blocks share a sum, the last one stores it to tensor memory, and its warps load it again with no wait between.
UNSETTLED_SUM = Mistake(
    "a missing tcgen05.wait::st: tcgen05.ld reads tensor memory",
    "cutlass/gemm/kernel/sm100_tile_scheduler_stream_k.hpp", re.compile(r"^ *copy\(tmem_store, tCrAcc, tCtAcc\);\n", re.M),
    r"\g<0>cutlass::arch::fence_view_async_tmem_store();\n", root="cutlass/include",
)  # fmt: skip
# An mbarrier is made for the arrivals of a warp that this kernel does not have; nobody waits there.
NO_CONSUMERS = Mistake(
    'the assertion `params.consumer_arv_count > 0 && "Consumer arrival count must be non-zero"` does not hold',
    "flashinfer/attention/blackwell/kernel/sm100_fmha_gen_kernel_warpspecialized.hpp",
    re.compile(r"(?<=pipeline_corr_epi_params.consumer_arv_count = )NumWarpsEpilogue(?= \*)"), "cute::max(NumWarpsEpilogue, 1)",
)  # fmt: skip
WITHIN = "flashinfer/attention/blackwell"
# Scale factors of the last group are read behind A's, which are 392 x 2 of f32; who calls it can leave room there.
BEHIND_FACTORS = Mistake("bytes behind cudaMalloc of 3136 bytes")
# A thread writes where tensor memory begins, and the others of its warp read it; CUTLASS's kernels have a barrier between.
ALLOCATED = Mistake(
    "tgv_gemm.cuh:445: a data race: it reads 4 bytes",
    "flashinfer/gemm/tgv_gemm.cuh", re.compile(r"^  tmem_allocator\.allocate\(.*\);\n", re.M), r"\g<0>  __syncwarp();\n",
)  # fmt: skip
# That warp's threads arrive at one barrier twice: when tensor memory is there, without waiting, and when it is to be given back. Where the
# product is made before the other warps come, they arrive twice before it completes.
GIVEN_BACK = Mistake(
    "the thread arrives at barrier 6 a second time before it completes",
    "flashinfer/gemm/tgv_gemm.cuh",
    re.compile(r"tmem_allocation_result_barrier(?=\.arrive_and_wait\(\);\n\n  // deallocate TMEM|\.arrive\(\);\n(?!\n  // relinquish))"),
    "cutlass::arch::NamedBarrier(32 + 128, 0)", places=2,
)  # fmt: skip
# CUTLASS's kernels wait for the kernel before them where a macro is defined, with which FlashInfer compiles them, and are launched as if
# they did in either case.
NO_DEPENDENCE = Mistake("a missing griddepcontrol.wait (cudaGridDependencySynchronize()): it reads 64 bytes of global memory")
# Of a sequence's first tile nothing is used of what the correction warps load, and they say that it may be overwritten with no wait for it.
OVERWRITTEN = Mistake(
    "a missing tcgen05.wait::ld: tcgen05.st overwrites tensor memory",
    "cake_trtllm_mla_blackwell/cake_trtllm_mla_blackwell_5a25f65a14bfec7b2b1e_kernel.cu", re.compile(r"tmem_ld_x4\(&_tmem_load_0\[0\], meta_addr_1\);\n"),
    r'\g<0>asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");\n', root="csrc",
)  # fmt: skip
# All lanes of a warp read a stage of shared memory, and one of them gives it back for the next copy, with no barrier of the warp between.
GIVEN_BY_ONE = Mistake(
    "a data race: it writes 65536 bytes of shared memory",
    "gdn/gdn_cp/cake_gdn_cp_dd2c081134dd8b47073c_kernel.cu",
    re.compile(r"if \(elect_sync\(\)\) \{(?=\s*mbarrier_arrive\(n_empty_addr)"), r"__syncwarp();\n\g<0>", root="csrc",
)  # fmt: skip
# A warp of which all keys are masked uses nothing of the scores that it has loaded, and nothing waits for them.
MASKED = Mistake(
    "a missing tcgen05.wait::ld: tcgen05.dealloc gives back tensor memory",
    "cake_fmha/cuda/dcp_spec/cake_cake_fmha_dcp_spec_608a53a1b95e91265bfb_kernel.cu",
    re.compile(r"tmem_ld_x16\(&_tmem_load_0\[0\], my_tmem_s\);\n"), r'\g<0>asm volatile("tcgen05.wait::ld.sync.aligned;");\n', root="csrc",
)  # fmt: skip
# Heads of 64 take 64 columns, and upper lanes load, and scale, what 64 columns further would be of heads of 128: nothing is made of it.
WIDER = Mistake(
    "tensor memory at lane 0, column 192 is read before it is written",
    "cake_vsa/cake_vsa_head64_native.cu", re.compile(r'\[%32\], 64;("\n.*\n *: "r"\(taddr )'), r"[%32], 0;\1", places=4, root="csrc",
)  # fmt: skip
# Warps load results of rows that are no query's, use nothing of them, and say that tensor memory may be given back with no wait for it.
UNWANTED_ROWS = Mistake(
    MASKED.sentence, "blackwell_msa/cake_blackwell_msa_157becb02bf3f86c12fa_kernel.cu",
    re.compile(r"^ *mbarrier_arrive\(tmem_dealloc_addr\);\n", re.M), r'asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");\n\g<0>',
    root="csrc",
)  # fmt: skip
# Of 64 rows of weights 32 are heads', and the product takes the others from tensor memory as well, where nobody has written: nothing is made
# of them.
NO_HEADS = Mistake(
    "tensor memory at lane 64, column 128 is read before it is written",
    "cake_dsv4/common/cake_dsv4_bf16_h16_h32_swa128_v44_kernel.cu", re.compile(r"^(?= *if \(warp <= 1\) \{\n)", re.M),
    r"""if (warp == 2 || warp == 3) {
      for (int column = 0; column < 64; ++column)
        asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(taddr + 128 + column + (warp * 32 << 16)), "r"(0) : "memory");
      asm volatile("tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;" ::: "memory");
    }
    __syncthreads();
""", root="csrc",
)  # fmt: skip
# All lanes of a warp write a number, and then another one in its place; they meet in a shuffle between, which orders no accesses.
TWICE_WRITTEN = Mistake(
    "a data race: it writes 8 bytes of shared memory",
    "experimental/deepgemm_sparse_mqa/generated/cake_deepgemm_sparse_mqa_3bfcb411f01cc76113be_kernel.cu",
    re.compile(r"state\[1\] = 0;\n"), r"\g<0>__syncwarp();\n", root="csrc",
)  # fmt: skip
# Where a warp's part of the keys ends, nothing is used of the scores that it has loaded, and nothing waits for them.
LAST_SCORES = Mistake(
    "a missing tcgen05.wait::ld: tcgen05.mma overwrites tensor memory", "cake_fmha/cuda/decode_balanced_bf16/default.cu",
    re.compile(r"my_tmem_s_base \+ 1048576\)\);\n"), r'\g<0>asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");\n', places=2, root="csrc",
)  # fmt: skip
# Row maxima go through shared memory, with one barrier between writing and reading, and none before the next turn's write.
NEXT_MAXIMA = Mistake(
    "a data race: it writes 4 bytes of shared memory", LAST_SCORES.header, re.compile(r"new_max_pair\[1\] = _amf_dec_1;\n"),
    r'\g<0>if (is_wg1 != 0) asm volatile("barrier.sync 9, 128;" ::: "memory"); else asm volatile("barrier.sync 8, 128;" ::: "memory");\n',
    root="csrc",
)  # fmt: skip
# Tensor memory is given back while products of which nobody reads the results are still on their way.
OUTLIVING = Mistake("an access to tensor memory at column")
# Results are loaded, scaled and stored before there are any; the first product does not read them.
NO_RESULTS = Mistake(
    "tensor memory at lane 0, column 96 is read before it is written", "cake_fmha/cuda/decode_balanced_bf16_hd64/default.cu",
    re.compile(r"^(?= *for \(unsigned int _tile_iter_c = 0)", re.M),
    """const float none[16] = {};
            tmem_st_x16_f32(taddr + 96 + (unsigned int)corr_row, none);
            tmem_st_x16_f32(taddr + 112 + (unsigned int)corr_row, none);
            asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
""", root="csrc",
)  # fmt: skip
# Keys, queries, values and weights are stored by threads, and the products told with no fence between; the file's other kernel has them.
UNFENCED_PAGES = Mistake(
    "a missing fence.proxy.async: tcgen05.mma reads 16 bytes of shared memory",
    "msa_decode_nvfp4_specialized.cu",
    re.compile(r"(?<=sf\.hi\);\n  \}\n)|(?<=swz\(qrow, qcol\)\) = packed;\n)|^(?= *if \(lane == 0\) sAlpha\[shead\] = alpha_h;)", re.M),
    'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");\n', places=3, root="csrc",
)  # fmt: skip
# The lane that copies is chosen of those that activemask names, of which the ISA says nothing: here each asks alone, and all copy.
ALONE = Mistake("a data race: it writes 4096 bytes of shared memory at 0x400, which a copy writes")
# Lanes read results from shared memory that others of their warp have put there, with no barrier between.
GATHERED = Mistake(
    "a data race: it reads 16 bytes of shared memory",
    "flashinfer/attention/prefill.cuh",
    re.compile(r"^      uint32_t o_smem_offset_w = o_smem->template get_permuted_offset<UPCAST_STRIDE_O>\(\n"
               r" *warp_idx_x \* KTraits::NUM_MMA_Q \* 16 \+ lane_idx / 8, lane_idx % 8\);\n", re.M),
    r"      __syncwarp();\n\g<0>",
)  # fmt: skip
