#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of libraries under the emulator, each against fp64 in every mode of asynchrony. Outside of CI, because nvcc takes a
minute for most of these programs.

  run.py --package FOLDER --build build/cuda [--nvcc NVCC] [--cxx CXX] [--keep FOLDER] [PROGRAM...]

FOLDER is where flashinfer-python of PyPI was unpacked: pip download --no-deps flashinfer-python==0.7.2.post1, then unzip.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILE = HERE.parents[3] / "emulators" / "nvidia" / "compile"
MODES = ("lazy", "eager", "random:1", "random:2")


@dataclass(frozen=True)
class Mistake:
    """Of this package: what the emulator says of it, and how a copy of the header is mended."""

    sentence: str
    header: str
    wrong: re.Pattern[str]
    right: str
    places: int = 1  # in the header


# All threads arrive at a barrier for as many as wait there, and then wait there themselves: it may complete before all have come.
EARLY_ARRIVAL = Mistake(
    "the thread arrives at barrier 1 a second time before it completes",
    "flashinfer/attention/hopper/epilogue.cuh", re.compile(r"^ *cutlass::arch::NamedBarrier::arrive\(.*?\);\n", re.M | re.S), "",
)  # fmt: skip
# The least cost is read from shared memory by all threads, and overwritten by the first one of the next turn, with no barrier between.
PLANNER = Mistake(
    "kernel flashinfer::plan_kernel, block (0,0,0), thread (0,0,0), plan.cuh:43 (PTX line 314): a data race: it writes 8 bytes",
    "flashinfer/attention/blackwell/plan.cuh", re.compile(r"^  return warp_min_cost\[0\];\n", re.M),
    "  const CostIndex least = warp_min_cost[0];\n  __syncthreads();\n  return least;\n",
)  # fmt: skip
# The row maxima are stored to tensor memory, and the warps that load them told, with no wait for the stores.
MISSING_WAIT = Mistake(
    "a missing tcgen05.wait::st: tcgen05.ld reads tensor memory",
    "flashinfer/attention/blackwell/collective/sm100_fmha_fwd_mainloop_tma_warpspecialized.hpp",
    re.compile(r"^ *copy\(tiled_tmem_storev, tTMEM_STOREVrS, tTMEM_STOREVtS\);\n", re.M),
    r"\g<0>cutlass::arch::fence_view_async_tmem_store();\n", places=2,
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    source: str
    architecture: str
    group: int | None = None
    instances: int = 1  # lines that it says
    told: Mistake | None = None  # which the emulator must report
    mended: tuple[Mistake, ...] = ()  # which the headers are without


PROGRAMS = {
    "attention_sm90": Program("attention_sm90.cu", "90a", instances=0, told=EARLY_ARRIVAL),
    "attention_sm90_mended": Program("attention_sm90.cu", "90a", instances=3, mended=(EARLY_ARRIVAL,)),
    "fmha_sm100": Program("fmha_sm100.cu", "100a", instances=0, told=PLANNER),
    "fmha_sm100_planned": Program("fmha_sm100.cu", "100a", instances=0, told=MISSING_WAIT, mended=(PLANNER,)),
    "fmha_sm100_mended": Program("fmha_sm100.cu", "100a", instances=3, mended=(PLANNER, MISSING_WAIT)),
    **{f"gemm_sm100_{g}": Program("gemm_sm100.cu", "100a", group=g, instances=3) for g in range(3)},
    "block_scaled_sm100_0": Program("block_scaled_sm100.cu", "100a", group=0, instances=3),
    "block_scaled_sm100_1": Program("block_scaled_sm100.cu", "100a", group=1, instances=2),
    "grouped_sm100": Program("grouped_sm100.cu", "100a", instances=3),
    "mla_sm100": Program("mla_sm100.cu", "100a", instances=1),
}  # fmt: skip


def mended_headers(package: Path, mistakes: tuple[Mistake, ...], folder: Path) -> Path:
    """All headers, because they include one another by their places; some of them changed."""
    shutil.copytree(package / "flashinfer/data/include", folder, dirs_exist_ok=True)
    for mistake in mistakes:
        changed, count = mistake.wrong.subn(mistake.right, (folder / mistake.header).read_text(encoding="utf-8"))
        if count != mistake.places:
            sys.exit(
                f"{mistake.header}: found {count} places to mend, expected {mistake.places}: is this flashinfer-python 0.7.2.post1?"
            )
        (folder / mistake.header).write_text(changed, encoding="utf-8")
    return folder


def build(arguments: argparse.Namespace, name: str, scratch: Path) -> None:
    program, out = PROGRAMS[name], scratch / name
    data = arguments.package / "flashinfer" / "data"
    library = arguments.build / "lib/podium/emulated/cuda"
    includes = [
        *([mended_headers(arguments.package, program.mended, scratch / f"{name}.headers")] if program.mended else []),
        data / "cccl/libcudacxx/include", data / "cccl/cub", data / "cccl/thrust", data / "include", data / "cutlass/include",
        data / "cutlass/tools/util/include", data / "spdlog/include",
    ]  # fmt: skip
    command = [
        COMPILE, "--nvcc", arguments.nvcc, "--cxx", arguments.cxx, "-std=c++17", "-O1", "--expt-relaxed-constexpr", "-w",
        f"-gencode=arch=compute_{program.architecture},code=sm_{program.architecture}",
        *([f"-DGROUP={program.group}"] if program.group is not None else []), *[f"-I{folder}" for folder in includes],
        HERE / program.source, "-o", out, f"-L{library}", "-lpodium_cuda_emulated",
    ]  # fmt: skip
    subprocess.run(command, check=True)


def run(arguments: argparse.Namespace, name: str, executable: Path) -> bool:
    program, good = PROGRAMS[name], True
    for mode in MODES:
        environment = dict(os.environ, PODIUM_EMULATED=f"sm_{program.architecture}", PODIUM_EMULATED_ASYNC=mode,
                           LD_LIBRARY_PATH=str(arguments.build / "lib/podium/emulated/cuda"))  # fmt: skip
        done = subprocess.run([executable], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if " wrong, " in line]
        if program.told:
            held = done.returncode != 0 and program.told.sentence in done.stdout
        else:
            held = done.returncode == 0 and len(lines) == program.instances
        good = good and held
        print(f"{name}, {mode}: {'as expected' if held else 'NOT as expected'}\n  " + done.stdout.strip().replace("\n", "\n  "), flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--build", type=lambda x: Path(x).resolve(), required=True)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--keep", type=lambda x: Path(x).resolve(), help="where executables stay, to be run again without compiling")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of " + ", ".join(PROGRAMS) + "; all if none is named")
    arguments = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = arguments.keep or Path(folder)
        scratch.mkdir(parents=True, exist_ok=True)
        for name in arguments.programs or PROGRAMS:
            if name not in PROGRAMS:
                parser.error(f"no program {name}; there are {', '.join(PROGRAMS)}")
            began = time.monotonic()
            executable = scratch / name
            if not (arguments.keep and executable.exists()):
                try:
                    build(arguments, name, scratch)
                except subprocess.CalledProcessError:
                    failed.append(name)
                    continue
                print(f"{name}: compiled in {time.monotonic() - began:.0f} s", flush=True)
            if not run(arguments, name, executable):
                failed.append(name)
    instances = sum(PROGRAMS[name].instances for name in arguments.programs or PROGRAMS if name not in failed)
    print(f"{instances} instances right in {len(MODES)} modes" + (f"; not as expected: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
