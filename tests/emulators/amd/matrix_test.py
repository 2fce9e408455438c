#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""matrix_test.py HIPCC STAND_IN TARGET: matrix.hip is right with every size of wave that the target has, also where MODE
makes zeros of denormals, which is nothing to matrix cores; and it says of every instruction that it is wrong when operands
or results are expected elsewhere, or its fields left out of account."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import build, stand_in_environment

hipcc, stand_in, target = sys.argv[1:]
source = Path(__file__).resolve().parent / "matrix.hip"
SPARSE = {"gfx942": 14, "gfx950": 14}
MODIFIED = {"gfx90a": 9, "gfx942": 12, "gfx950": 12, "gfx1100": 4, "gfx1201": 4}
failures = 0
for wave in (32, 64) if target.startswith("gfx1") else (64,):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "matrix")
        flags = [f"--offload-arch={target}", f"-DTARGET=0x{target[3:]}", f"-DWAVE={wave}"]
        flags += ["-mwavefrontsize64"] if wave == 64 and target.startswith("gfx1") else []
        zeros = program.with_name("zeros")
        flushing = ["-Xarch_device", "-fdenormal-fp-math=preserve-sign"]
        for built, more in ((program, []), (zeros, flushing)):
            build(hipcc, "-O1", *flags, *more, str(source), out=built)
        environment = stand_in_environment(stand_in, target, folder)

        def counted(*arguments: str, program: Path = program) -> tuple[int, int]:
            """Instructions, and those that were wrong."""
            done = subprocess.run([str(program), *arguments], env=environment, capture_output=True, text=True, timeout=900)
            m = re.search(r"^(\d+) matrix instructions, (\d+) failed$", done.stdout, re.MULTILINE)
            if not m:
                sys.exit(f"FAILED: it ended with status {done.returncode}: {done.stdout}{done.stderr}")
            if not arguments and m[2] != "0":
                print(done.stdout)
            return int(m[1]), int(m[2])

        count, wrong = counted()
        print(f"{target}, waves of {wave}: {count} matrix instructions, {wrong} wrong", flush=True)
        failures += wrong + (count == 0)
        again, wrong = counted(program=zeros)
        print(f"{target}, waves of {wave}: {again} where MODE makes zeros of denormals, {wrong} wrong", flush=True)
        failures += wrong + (again != count)
        for mistake in ("operands", "results", "indices", "modifiers"):
            tried, caught = counted(mistake)
            print(f"{target}, waves of {wave}: {mistake} elsewhere: {caught} of {tried} caught", flush=True)
            failures += tried - caught
            failures += tried != {"indices": SPARSE.get(target, 0), "modifiers": MODIFIED[target]}.get(mistake, count)
sys.exit(failures != 0)
