#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""denormals_test.py PODIUM: matmul on the matrix cores of gfx90a, which take denormal operands of 16 bits for zero, with
a matrix of which most f16 elements are denormal: `mfma` is right, and a contestant that leaves them to the hardware is
wrong."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TINY = "    - { m: 48, n: 40, k: 32, fill: { a: { normal: { mean: 0, stddev: 0.00003 } } }, name: tiny }\n"
TYPES = ("types: { real: [f16, bf16] }", "types: { real: [f16] }")  # nothing is denormal in bf16
CAREFUL = "#if defined(__gfx90a__)"


def main() -> int:
    podium = sys.argv[1]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "matmul")
        shutil.copytree(ROOT / "kernels/matmul", folder)
        problem = folder / "problem.yaml"
        text, count = re.subn(r"(?m)(^  test:\n)(    - .*\n)+", lambda m: m[1] + TINY, problem.read_text())
        problem.write_text(text.replace(*TYPES))
        careless = (folder / "mfma.hip").read_text()
        found = (count, text.count(TYPES[0]), careless.count(CAREFUL))
        if found != (1, 1, 1):
            print(f"FAILED  the test no longer fits kernels/matmul: lists of test workloads, of types, and {CAREFUL} found {found} times")
            return 1
        (folder / "careless.hip").write_text(careless.replace(CAREFUL, "#if 0"))
        command = [podium, "verify", "matmul", "--problems", name, "--quiet", "--device", "hip:emulated:gfx90a", "--timeout", "300"]
        said = subprocess.run([*command, "--contestant", "mfma", "careless"], capture_output=True, text=True)
        for types, contestant, verdict in (("f16", "mfma", "right"), ("f16", "careless", "wrong")):
            row = re.search(rf"^matmul/{types} +{contestant} +{verdict} .*$", said.stdout, re.MULTILINE)
            print(row[0] if row else f"FAILED  expected matmul/{types} {contestant} to be {verdict}, found: {said.stdout}{said.stderr[-400:]}")
            failures += row is None
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
