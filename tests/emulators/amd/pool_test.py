#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""pool_test.py HIPCC STAND_IN PACKAGES COMPILER: translations share the functions that they have in common, compile
only the others, and do without what is damaged or was compiled otherwise. An instruction whose C++ does not compile is
refused, in a header's template too, and the rest translated."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FIRST = """#include <hip/hip_runtime.h>
__global__ void k(float* x, float a) { x[threadIdx.x] = x[threadIdx.x] * a + 1; }
"""
CLASSIFIES = FIRST.replace("+ 1", "+ __builtin_amdgcn_classf(a, int(x[0]))")
SECOND = FIRST.replace("+ 1", "+ sqrtf(a)")
TARGET = "gfx1100"


class Translator:
    def __init__(self, hipcc: str, stand_in: str, packages: str, compiler: str, folder: Path):
        sys.path[:0] = [stand_in, packages]
        self.hipcc, self.compiler, self.folder = hipcc, compiler, folder
        self.environment = os.environ | {"PYTHONPATH": f"{stand_in}:{packages}", "PYTHONDONTWRITEBYTECODE": "1"}

    def code(self, name: str, text: str) -> Path:
        source, code = self.folder / f"{name}.hip", self.folder / f"{name}.code"
        source.write_text(text)
        words = [self.hipcc, "-O2", f"--offload-arch={TARGET}", "--genco", "--no-gpu-bundle-output", str(source), "-o", str(code)]
        subprocess.run(words, check=True)
        return code

    def translate(self, code: Path, name: str, level: str = "-O1") -> Path:
        from translate.code_object import CodeObject

        entries = ",".join(str(entry) for entry in CodeObject(code.read_bytes()).functions.values())
        out = self.folder / name
        words = ["-m", "translate", str(code), "--entries", entries, "--target", TARGET, "--wave", "32"]
        words += ["--compiler", self.compiler, f"--level={level}", "--out", str(out)]
        subprocess.run(["/usr/bin/python3", *words], check=True, env=self.environment)
        return out

    def pools(self) -> dict[Path, set[str]]:
        """The files of compiled functions, and the names that each defines."""
        return {file: set(file.read_text().split()) for file in sorted(self.folder.glob("functions/*/*.names"))}


def runs(library: Path) -> bool:
    """Whether it can be loaded, all functions found, and has its entry."""
    return hasattr(ctypes.CDLL(str(library), mode=os.RTLD_NOW), "podium_run")


def main() -> int:
    failures = 0

    def expect(what: str, good: bool) -> None:
        nonlocal failures
        print(f"{'ok' if good else 'FAILED'}  {what}", flush=True)
        failures += not good

    with tempfile.TemporaryDirectory() as name:
        t = Translator(*sys.argv[1:], Path(name))
        first, second = t.code("first", FIRST), t.code("second", SECOND)
        expect("a translation runs", runs(t.translate(first, "a.so")))
        once = t.pools()
        expect("its functions are kept", len(once) == 1 and all(once.values()))
        expect("the same again runs", runs(t.translate(first, "b.so")))
        expect("and compiles nothing", t.pools() == once)
        expect("another runs", runs(t.translate(second, "c.so")))
        new = [names for file, names in t.pools().items() if file not in once]
        shared = next(iter(once.values()))
        expect("and compiles what is new to it, alone", len(new) == 1 and bool(new[0]) and not new[0] & shared)
        expect("at another level it runs", runs(t.translate(first, "d.so", "-O0")))
        expect("and takes nothing of the other level", any(names == shared for file, names in t.pools().items() if file not in once))
        damaged = Path(name, "stand_in")
        for part in ("translate", "wave"):
            shutil.copytree(Path(sys.argv[2], part), damaged / part)
        header = damaged / "wave/arithmetic.hpp"
        header.write_text(header.read_text().replace("int kind = 0;", "int kind = value.none;"))
        t.environment["PYTHONPATH"] = f"{damaged}:{sys.argv[3]}"
        refused = t.translate(t.code("third", CLASSIFIES), "f.so")
        expect("an instruction whose template does not compile is refused", runs(refused) and b"does not compile" in refused.read_bytes())
        t.environment["PYTHONPATH"] = f"{sys.argv[2]}:{sys.argv[3]}"
        for file in t.folder.glob("functions/*/*.o"):
            file.write_bytes(file.read_bytes()[:100])
        expect("with damaged files it runs", runs(t.translate(second, "e.so")))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
