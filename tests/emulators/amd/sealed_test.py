#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""sealed_test.py PODIUM HIPCC TARGET: sealed contestants for AMD alone, through podium, judge and worker: a source, and
code objects by themselves and in clang's offload bundle; what a list says otherwise than the code object is told."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KERNEL = """#include <hip/hip_runtime.h>
extern "C" __global__ void add(const float* a, const float* b, float* c, unsigned long long size) {
  const unsigned long long i = 256ull * blockIdx.x + threadIdx.x;
  if (i < size) c[i] = a[i] + b[i];
}
"""
LIST = """podium:
  title: A code object and a launch list
  types: {{ real: [f32] }}
  code: [{{ file: {file}, arch: {arch} }}]
  launches:
    - {{ kernel: {kernel}, grid: ["ceil_div(n * n, 256)"], block: [256], arguments: [{arguments}] }}
"""
ARGUMENTS = "a, b, c, u64(n * n)"


def main() -> int:
    podium, hipcc, target = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "add.hip").write_text(KERNEL)
        compile_it = [hipcc, "-O2", f"--offload-arch={target}", "--genco", str(folder / "add.hip"), "-o"]
        subprocess.run([*compile_it, str(folder / "bundle.co"), "--no-offload-compress"], check=True)
        subprocess.run([*compile_it, str(folder / "compressed.co"), "--offload-compress"], check=True)
        subprocess.run([*compile_it, str(folder / "alone.co"), "--no-gpu-bundle-output"], check=True)

        def contestant(of: str, **changed: str) -> str:
            said = {"file": "alone.co", "arch": target, "kernel": "add", "arguments": ARGUMENTS} | changed
            (folder / f"{of}.sealed.yaml").write_text(LIST.format(**said))
            return str(folder / f"{of}.sealed.yaml")

        other = "gfx1100" if target != "gfx1100" else "gfx942"
        cases = [
            ("sum", str(ROOT / "tests/honest/sum/lanes.sealed.hip"), "right", ""),
            ("vector_add", contestant("alone"), "right", ""),
            ("vector_add", contestant("bundle", file="bundle.co"), "right", ""),
            ("vector_add", contestant("compressed", file="compressed.co"), "right", ""),
            ("vector_add", contestant("misnamed", kernel="adds"), "did not compile", 'kernel: found "adds", expected add'),
            ("vector_add", contestant("one_less", arguments="a, b, c"), "did not compile", "found 3 arguments, expected 4"),
            ("vector_add", contestant("narrow", arguments="a, b, c, u32(n * n)"), "did not compile", "u32(n * n), of 4 bytes, expected 8"),
            ("vector_add", contestant("elsewhere", arch=other), "not supported", f"has code for {other}, this device is {target}"),
        ]
        said = {}
        for problem in ("sum", "vector_add"):
            files = [file for of, file, _, _ in cases if of == problem]
            command = [podium, "verify", problem, "--quiet", "--device", f"hip:emulated:{target}", "--timeout", "300"]
            said[problem] = subprocess.run([*command, "--contestant", *files], capture_output=True, text=True)
        for problem, file, verdict, words in cases:
            short = Path(file).name.split(".")[0]
            row = re.search(rf"^{problem}/f32 +{short} +{verdict} .*$", said[problem].stdout, re.MULTILINE)
            if row is None or words not in row[0]:
                failures += 1
                print(f"FAILED  expected {problem}/f32 {short} to be {verdict} with {words!r}, found: {said[problem].stdout}{said[problem].stderr[-600:]}")
            else:
                print(row[0])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
