#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""rtc_test.py HIPCC STAND_IN TARGET: programs that compile kernels with hipRTC run, which launch them with an address
for each argument and with all in one buffer; what does not compile, or was compiled for another GPU, is told."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

hipcc, stand_in, target = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    program = Path(folder, "rtc")
    another = "gfx1100" if target != "gfx1100" else "gfx942"
    subprocess.run([hipcc, "-O1", f"--offload-arch={target}", f'-DANOTHER="{another}"', str(Path(__file__).with_name("rtc.hip")), "-o", str(program), "-ldl"], check=True)
    temporary = Path(folder, "temporary")
    temporary.mkdir()
    environment = os.environ | {"LD_LIBRARY_PATH": stand_in, "PODIUM_EMULATED": target, "PODIUM_EMULATOR_CACHE": folder, "TMPDIR": str(temporary)}
    wrong = []
    for words, expected in (([], "right\n"), (["broken"], "broken.hip:2:38: error: use of undeclared identifier 'nowhere'")):
        done = subprocess.run([str(program), *words], env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode != 0 or expected not in done.stdout:
            wrong.append(f"rtc {' '.join(words)}: status {done.returncode}, found {(done.stdout + done.stderr)!r}, expected {expected!r}")
    if left := list(temporary.iterdir()):
        wrong.append(f"left behind: {left}")
    print(*wrong, f"{len(wrong)} mistakes", sep="\n")
    sys.exit(bool(wrong))
