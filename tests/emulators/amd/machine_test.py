#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""machine_test.py HIPCC STAND_IN TARGET: machine.hip is right with every size of wave that the target has; each instruction
of which the emulator does not know what comes of it stops the kernel, by its name."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import build, stand_in_environment

hipcc, stand_in, target = sys.argv[1:]
source = Path(__file__).resolve().parent / "machine.hip"
UNKNOWN = r"^kernel .*unknown.*, s_\w+.* at 0x[0-9a-f]+: is an instruction that the emulator does not know$"
failures = 0
for wave in (32, 64) if target.startswith("gfx1") else (64,):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "machine")
        flags = ["-mwavefrontsize64"] if wave == 64 and target.startswith("gfx1") else []
        flags += [f"--offload-arch={target}", f"-DTARGET=0x{target[3:]}", f"-DWAVE={wave}"]
        build(hipcc, "-std=c++20", "-O2", *flags, str(source), out=program)
        environment = stand_in_environment(stand_in, target, folder)

        def said(*arguments: str, program: Path = program) -> str:
            done = subprocess.run([str(program), *arguments], env=environment, capture_output=True, text=True, timeout=900)
            return done.stdout.strip() if done.returncode == 0 else f"exit status {done.returncode}: {done.stderr}"

        def expect(what: str, found: str, pattern: str) -> None:
            global failures
            good = re.search(pattern, found) is not None
            print(f"{'ok' if good else 'FAILED'}  {target}, waves of {wave}, {what}: {found}", flush=True)
            failures += not good

        expect("exchanges", said("exchanges"), "^right$")
        expect("exchanges, one of them changed", said("exchanges", "changed"), "^wrong$")
        expect("mode", said("mode"), "^right$")
        expect("unknown, none", said("unknown"), "^right$")
        count = int(said("unknowns"))
        failures += count == 0
        for number in range(count):
            expect(f"unknown {number}", said("unknown", str(number)), UNKNOWN)
sys.exit(failures != 0)
