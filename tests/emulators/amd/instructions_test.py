#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""instructions_test.py HIPCC STAND_IN TARGET [NAME]: NAME.hip, or instructions.hip, is right, and says so when it is not."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import build, stand_in_environment

hipcc, stand_in, target = sys.argv[1:4]
name = sys.argv[4] if len(sys.argv) > 4 else "instructions"
with tempfile.TemporaryDirectory() as folder:
    program = Path(folder, name)
    source = Path(__file__).resolve().parent / f"{name}.hip"
    build(hipcc, "-O1", f"--offload-arch={target}", f"-DTARGET=0x{target[3:]}", str(source), out=program)
    environment = stand_in_environment(stand_in, target, folder)
    plain = subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=900)
    print(plain.stdout, plain.stderr)
    broken = subprocess.run([str(program), "break"], env=environment, capture_output=True, text=True, timeout=900)
    caught = broken.returncode == 1 and re.search("FAILED (v|buffer)_", broken.stdout) and " 1 failed" in broken.stdout
    print("a wrong result is noticed" if caught else f"FAILED: a wrong result was not noticed: {broken.stdout}")
    if name == "buffers":
        for how in (["swizzled"], ["swizzled", "raw"]):
            stopped = subprocess.run([str(program), *how], env=environment, capture_output=True, text=True, timeout=900)
            told = stopped.returncode == 1 and "buffer_load" in stopped.stderr
            print(stopped.stderr if told else f"FAILED: a swizzled buffer did not stop the kernel: {stopped.stdout}{stopped.stderr}")
            caught = caught and told
    sys.exit(plain.returncode != 0 or not caught)
