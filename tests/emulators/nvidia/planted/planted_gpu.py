# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Asks a GPU what the kernels of planted_*.cu leave that are right, and compares it with planted_right.py.

  mkdir programs
  for name in planted planted_blocks planted_clusters planted_copies planted_dependents planted_groups planted_proxies \\
      planted_races planted_registers; do
    nvcc -std=c++17 -O3 -cudart static -arch=sm_90a tests/emulators/nvidia/planted/$name.cu -o programs/$name
  done
  python3 tests/emulators/nvidia/planted/planted_gpu.py programs

Programs that the folder lacks are named, and not asked. Exit status 1 if one answers something else, or within no 20 seconds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from planted_right import RIGHT

_PATIENCE = 20  # seconds


def answer(program: Path, kernel: str) -> str:
    try:
        return subprocess.run([program, kernel], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=_PATIENCE, check=False).stdout
    except subprocess.TimeoutExpired:
        return f"no answer within {_PATIENCE} s\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="folder of the executables")
    folder = parser.parse_args().programs.resolve()
    same, others = 0, 0
    for program, kernels in RIGHT.items():
        if not (folder / program).exists():
            print(f"{program}: not in {folder}; its {len(kernels)} kernels are not asked")
            continue
        for kernel, values in kernels.items():
            said = answer(folder / program, kernel)
            if said == f"cudaSuccess: no error\n{values}\n":
                same += 1
            else:
                others += 1
                print(f"{program} {kernel}: expected {values}, it says {said.strip()}")
    print(f"{same} kernels leave what they should, {others} do not")
    return 1 if others or not same else 0


if __name__ == "__main__":
    sys.exit(main())
