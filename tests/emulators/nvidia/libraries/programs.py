# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The programs that run.py runs, of flashinfer-python 0.7.2.post1."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from mistakes import (
    ALLOCATED,
    ALONE,
    BEHIND_FACTORS,
    BEHIND_K,
    EARLY_ARRIVAL,
    EARLY_STAGE,
    EXCHANGE,
    GATHERED,
    GIVEN_BACK,
    GIVEN_BY_ONE,
    LAST_SCORES,
    MASKED,
    MISSING_WAIT,
    NEXT_MAXIMA,
    NO_CONSUMERS,
    NO_DEPENDENCE,
    NO_HEADS,
    NO_RESULTS,
    OUTLIVING,
    OVERWRITTEN,
    PLANNER,
    TWICE_WRITTEN,
    UNCOUNTED_READER,
    UNFENCED_PAGES,
    UNFENCED_TAIL,
    UNFENCED_ZEROS,
    UNSETTLED_SUM,
    UNWANTED_ROWS,
    WIDER,
    WITHIN,
    Mistake,
)

HERE = Path(__file__).resolve().parent
MODES = ("lazy", "eager", "random:1", "random:2")


@dataclass(frozen=True)
class Program:
    source: str
    architecture: str
    group: int | None = None
    instances: int = 1  # of kernels that it holds against fp64
    shapes: int = 1  # for each of them, and a line said for each
    told: Mistake | None = None  # which the emulator must report
    mended: tuple[Mistake, ...] = ()  # which the headers are without
    modes: tuple[str, ...] = MODES
    folder: str = ""  # of the headers, in which they look for others
    sources: str = ""  # folder of csrc, likewise
    launcher: bool = False  # the package's own is called, which takes TVM-FFI's tensors


PROGRAMS = {
    "attention_sm90": Program("attention_sm90.cu", "90a", instances=0, told=EARLY_ARRIVAL),
    "attention_sm90_mended": Program("attention_sm90.cu", "90a", shapes=3, mended=(EARLY_ARRIVAL,)),
    "fmha_sm100": Program("fmha_sm100.cu", "100a", group=0, instances=0, told=PLANNER),
    "fmha_sm100_planned": Program("fmha_sm100.cu", "100a", group=0, instances=0, told=MISSING_WAIT[0], mended=(PLANNER,)),
    **{f"fmha_sm100_mended_{g}": Program("fmha_sm100.cu", "100a", group=g, shapes=3, mended=(PLANNER, MISSING_WAIT[0])) for g in range(3)},
    "fmha_gen_sm100": Program("fmha_gen_sm100.cu", "100a", instances=0, told=NO_CONSUMERS, folder=WITHIN),
    "fmha_gen_sm100_counted": Program("fmha_gen_sm100.cu", "100a", instances=0, told=MISSING_WAIT[1], mended=(NO_CONSUMERS,), folder=WITHIN),
    "fmha_gen_sm100_mended": Program("fmha_gen_sm100.cu", "100a", instances=2, mended=(NO_CONSUMERS, MISSING_WAIT[1]), folder=WITHIN),
    **{f"gemm_sm100_{g}": Program("gemm_sm100.cu", "100a", group=g, instances=3) for g in range(3)},
    "block_scaled_sm100_0": Program("block_scaled_sm100.cu", "100a", group=0, instances=3),
    "block_scaled_sm100_1": Program("block_scaled_sm100.cu", "100a", group=1, instances=2),
    "grouped_sm100_0": Program("grouped_sm100.cu", "100a", group=0, instances=3),
    "grouped_sm100_1": Program("grouped_sm100.cu", "100a", group=1, instances=2),
    **{f"ragged_sm100_{g}": Program("ragged_sm100.cu", "100a", group=g, instances=2) for g in range(2)},
    **{f"complex_sm100_{g}": Program("complex_sm100.cu", "100a", group=g, instances=2) for g in range(6)},
    "block_scaled_sm100_2": Program("block_scaled_sm100.cu", "100a", group=2, instances=0, told=BEHIND_K[1]),
    "block_scaled_sm100_short_2": Program("block_scaled_sm100.cu", "100a", group=2, instances=0, told=UNFENCED_TAIL[1], mended=(BEHIND_K[1],)),
    "block_scaled_sm100_mended_2": Program("block_scaled_sm100.cu", "100a", group=2, instances=2, mended=(BEHIND_K[1], UNFENCED_TAIL[1])),
    "mixed_input_sm100": Program("mixed_input_sm100.cu", "100a", instances=2),
    **{f"groupwise_sm100_{g}": Program("groupwise_sm100.cu", "100a", group=g, instances=2) for g in range(3)},
    "groupwise_sm100_3": Program("groupwise_sm100.cu", "100a", group=3, instances=0, told=BEHIND_FACTORS),
    **{f"sparse_sm100_{g}": Program("sparse_sm100.cu", "100a", group=g, instances=2) for g in range(2)},
    "sparse_block_scaled_sm100_0": Program("sparse_block_scaled_sm100.cu", "100a", group=0, instances=2),
    **{f"convolution_sm100_{g}": Program("convolution_sm100.cu", "100a", group=g, instances=2) for g in range(2)},
    "convolution_sm100_2": Program("convolution_sm100.cu", "100a", group=2),
    **{f"schedules_sm100_{g}": Program("schedules_sm100.cu", "100a", group=g, instances=2) for g in (0, 1)},
    "schedules_sm100_2": Program("schedules_sm100.cu", "100a", group=2, instances=0, told=UNFENCED_ZEROS),
    "schedules_sm100_mended_2": Program("schedules_sm100.cu", "100a", group=2, instances=2, mended=(UNFENCED_ZEROS,)),
    "schedules_sm100_3": Program("schedules_sm100.cu", "100a", group=3, instances=0, told=UNSETTLED_SUM),
    "schedules_sm100_mended_3": Program("schedules_sm100.cu", "100a", group=3, instances=2, mended=(UNSETTLED_SUM,)),
    "schedules_sm100_4": Program("schedules_sm100.cu", "100a", group=4, instances=0, told=BEHIND_K[0]),
    "schedules_sm100_fenced_4": Program("schedules_sm100.cu", "100a", group=4, instances=0, told=UNCOUNTED_READER, mended=(BEHIND_K[0], UNFENCED_TAIL[0]),
                                        modes=("lazy", "random:1", "random:2")),
    "schedules_sm100_mended_4": Program("schedules_sm100.cu", "100a", group=4, mended=(BEHIND_K[0], UNFENCED_TAIL[0], UNCOUNTED_READER)),
    "tgv_sm100": Program("tgv_sm100.cu", "100a", instances=0, told=ALLOCATED),
    "tgv_sm100_allocated": Program("tgv_sm100.cu", "100a", instances=0, told=GIVEN_BACK, mended=(ALLOCATED,), modes=("eager",)),
    "tgv_sm100_mended": Program("tgv_sm100.cu", "100a", instances=2, mended=(ALLOCATED, GIVEN_BACK)),
    **{f"launchers_sm100_{g}": Program("launchers_sm100.cu", "100a", group=g, instances=2) for g in range(4)},
    "svdquant_sm100_0": Program("svdquant_sm100.cu", "100a", group=0, instances=0, told=NO_DEPENDENCE),
    "svdquant_sm100_1": Program("svdquant_sm100.cu", "100a", group=1, instances=4),
    "paged_sm100_0": Program("paged_sm100.cu", "100a", group=0, instances=2),
    "paged_sm100_1": Program("paged_sm100.cu", "100a", group=1, instances=0, told=GATHERED),
    "paged_sm100_mended_1": Program("paged_sm100.cu", "100a", group=1, mended=(GATHERED,)),
    "norm_sm100": Program("norm_sm100.cu", "100a", instances=3),
    "sampling_sm100": Program("sampling_sm100.cu", "100a", instances=5),
    "places_sm100": Program("places_sm100.cu", "100a", instances=5),
    "state_sm100_0": Program("state_sm100.cu", "100a", group=0, instances=2),
    "state_sm100_1": Program("state_sm100.cu", "100a", group=1, instances=0, told=ALONE),
    **{f"deepgemm_sm100_{g}": Program("deepgemm_sm100.cu", "100a", group=g) for g in range(3)},
    **{f"generated_sm100_{g}": Program("generated_sm100.cu", "100a", group=g) for g in (0, 1, 3)},
    "generated_sm100_2": Program("generated_sm100.cu", "100a", group=2, instances=0, told=GIVEN_BY_ONE),
    "generated_sm100_mended_2": Program("generated_sm100.cu", "100a", group=2, mended=(GIVEN_BY_ONE,)),
    "generated_sm100_4": Program("generated_sm100.cu", "100a", group=4, instances=0, told=MASKED),
    "generated_sm100_mended_4": Program("generated_sm100.cu", "100a", group=4, mended=(MASKED,)),
    "latent_attention_sm100_0": Program("latent_attention_sm100.cu", "100a", group=0),
    "latent_attention_sm100_1": Program("latent_attention_sm100.cu", "100a", group=1, instances=0, told=OVERWRITTEN),
    "latent_attention_sm100_mended_1": Program("latent_attention_sm100.cu", "100a", group=1, mended=(OVERWRITTEN,)),
    "gathered_attention_sm100": Program("gathered_attention_sm100.cu", "100a", instances=0, told=NO_HEADS),
    "gathered_attention_sm100_mended": Program("gathered_attention_sm100.cu", "100a", mended=(NO_HEADS,)),
    "scores_sm100_0": Program("scores_sm100.cu", "100a", group=0),
    "scores_sm100_1": Program("scores_sm100.cu", "100a", group=1, instances=0, told=TWICE_WRITTEN),
    "scores_sm100_mended_1": Program("scores_sm100.cu", "100a", group=1, mended=(TWICE_WRITTEN,)),
    **{f"cake_fmha_sm100_{g}": Program("cake_fmha_sm100.cu", "100a", group=g, launcher=True, sources="cake_fmha") for g in range(4)},
    "cake_fmha_sm100_4": Program("cake_fmha_sm100.cu", "100a", group=4, instances=0, told=LAST_SCORES, launcher=True, sources="cake_fmha"),
    "cake_fmha_sm100_awaited_4": Program("cake_fmha_sm100.cu", "100a", group=4, instances=0, told=NEXT_MAXIMA, mended=(LAST_SCORES,), launcher=True,
                                         sources="cake_fmha"),
    "cake_fmha_sm100_ordered_4": Program("cake_fmha_sm100.cu", "100a", group=4, instances=0, told=OUTLIVING, mended=(LAST_SCORES, NEXT_MAXIMA),
                                         launcher=True, sources="cake_fmha"),
    "cake_fmha_sm100_5": Program("cake_fmha_sm100.cu", "100a", group=5, instances=0, told=NO_RESULTS, launcher=True, sources="cake_fmha"),
    "cake_fmha_sm100_mended_5": Program("cake_fmha_sm100.cu", "100a", group=5, mended=(NO_RESULTS,), launcher=True, sources="cake_fmha"),
    "nvfp4_attention_sm100_0": Program("nvfp4_attention_sm100.cu", "100a", group=0, instances=2, launcher=True),
    "nvfp4_attention_sm100_1": Program("nvfp4_attention_sm100.cu", "100a", group=1, instances=0, told=UNFENCED_PAGES, launcher=True),
    "nvfp4_attention_sm100_mended_1": Program("nvfp4_attention_sm100.cu", "100a", group=1, instances=3, mended=(UNFENCED_PAGES,), launcher=True),
    "selected_attention_sm100": Program("selected_attention_sm100.cu", "100a", instances=0, told=UNWANTED_ROWS),
    "selected_attention_sm100_mended": Program("selected_attention_sm100.cu", "100a", mended=(UNWANTED_ROWS,)),
    "sparse_attention_sm100_0": Program("sparse_attention_sm100.cu", "100a", group=0, instances=0, told=WIDER),
    "sparse_attention_sm100_1": Program("sparse_attention_sm100.cu", "100a", group=1),
    "sparse_attention_sm100_mended_0": Program("sparse_attention_sm100.cu", "100a", group=0, mended=(WIDER,)),
    **{f"grouped_fp8_sm100_{g}": Program("grouped_fp8_sm100.cu", "100a", group=g, launcher=True) for g in range(2)},
    "grouped_fp8_sm100_2": Program("grouped_fp8_sm100.cu", "100a", group=2, instances=3, launcher=True),
    **{f"cake_svdquant_sm100_{g}": Program("cake_svdquant_sm100.cu", "100a", group=g, launcher=True) for g in range(3)},
    "softmax_tiny_sm100_0": Program("softmax_tiny_sm100.cu", "100a", group=0, instances=5, launcher=True),
    "softmax_tiny_sm100_1": Program("softmax_tiny_sm100.cu", "100a", group=1, instances=3, launcher=True),
    "minimax_sm100_0": Program("minimax_sm100.cu", "100a", group=0, instances=6, launcher=True),
    "minimax_sm100_1": Program("minimax_sm100.cu", "100a", group=1, instances=5, launcher=True),
    **{f"deepgemm_launchers_sm100_{g}": Program("deepgemm_launchers_sm100.cu", "100a", group=g, launcher=True) for g in range(6)},
    **{f"routing_sm100_{g}": Program("routing_sm100.cu", "100a", group=g, shapes=2, launcher=True) for g in range(2)},
    "mamba_sm100": Program("mamba_sm100.cu", "100a", shapes=2, launcher=True),
    "alphamoe_sm100": Program("alphamoe_sm100.cu", "100a", instances=1, launcher=True),
    "minimax_pre_sm100": Program("minimax_pre_sm100.cu", "100a", instances=2, shapes=2, launcher=True),
    **{f"kimi_sm100_{g}": Program("kimi_sm100.cu", "100a", group=g, launcher=True) for g in range(2)},
    **{f"warp_decode_sm100_{g}": Program("warp_decode_sm100.cu", "100a", group=g, launcher=True) for g in range(2)},
    **{f"mega_moe_sm100_{g}": Program("mega_moe_sm100.cu", "100a", group=g, instances=1 + g, launcher=True) for g in range(2)},
    "mhc_sm100": Program("mhc_sm100.cu", "100a", shapes=4, launcher=True),
    "mla_sm100": Program("mla_sm100.cu", "100a", group=0, instances=0, told=EARLY_STAGE, modes=("eager",)),
    "mla_sm100_staged": Program("mla_sm100.cu", "100a", group=1, instances=0, told=EXCHANGE, mended=(EARLY_STAGE,), modes=("eager",)),
    "mla_sm100_mended_0": Program("mla_sm100.cu", "100a", group=0, mended=(EARLY_STAGE,)),
    "mla_sm100_mended_1": Program("mla_sm100.cu", "100a", group=1, mended=(EARLY_STAGE, EXCHANGE)),
}  # fmt: skip


def own_sources(file: Path) -> list[Path]:
    """The file and what it includes of this folder."""
    found = [file]
    for source in found:
        named = re.findall(r'^#include "(\S+)"', source.read_text(encoding="utf-8"), re.M)
        found += [HERE / name for name in named if (HERE / name).exists() and HERE / name not in found]
    return found


def sources_of(name: str) -> str:
    """Digest of what a program is made of beside the package."""
    program = PROGRAMS[name]
    mends = [(m.header, m.wrong.pattern, m.right) for m in program.mended]
    digest = hashlib.sha256(f"{program.source} {program.architecture} {program.group} {mends}".encode())
    for file in own_sources(HERE / program.source):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
