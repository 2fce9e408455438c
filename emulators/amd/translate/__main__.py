# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""python3 -m translate OBJECT --entries OFFSET,OFFSET --target gfx942 --wave 64 --out FILE.so

Translates kernels of a code object to C++ and compiles it. An instruction that cannot be translated, or whose C++
does not compile, becomes a stop that names it: a kernel that never reaches it runs all the same.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .code_object import CodeObject
from .emit import Unit

HEADERS = Path(__file__).resolve().parent.parent / "wave"
FLAGS = ["-std=c++20", "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-march=x86-64-v3", f"-I{HEADERS}"]


def compile_unit(unit: Unit, compiler: str, level: str, out: Path) -> None:
    """Writes the library whole or not at all: others may look for it meanwhile."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="translating-") as folder:
        source, library = Path(folder, "unit.cpp"), Path(folder, "unit.so")
        for _ in range(20):
            source.write_text(unit.source())
            arguments = [compiler, *FLAGS, level, "-shared", "-fPIC", "-ferror-limit=0", str(source), "-o", str(library)]
            done = subprocess.run(arguments, capture_output=True, text=True)
            if done.returncode == 0:
                library.chmod(0o644)
                os.replace(library, out)
                return
            if not refuse(unit, source, done.stderr):
                sys.exit(f"translate: {compiler} failed: {done.stderr[:2000]}")
    sys.exit("translate: the compiler keeps finding errors in new places")


def refuse(unit: Unit, source: Path, errors: str) -> bool:
    """Marks the instructions in whose lines the compiler found errors; whether there were any."""
    lines = source.read_text().split("\n")
    found = False
    for m in re.finditer(r"unit\.cpp:(\d+):\d+: (?:fatal )?error: (.*)", errors):
        line = lines[int(m[1]) - 1]
        function = re.match(r"static .*?\bint (F\d+)\(", line)
        users = [line] if not function else [x for x in lines if re.match(rf"L\d+: .*\b{function[1]}\(", x)]
        for offset in (int(label[1]) for x in users if (label := re.match(r"L(\d+):", x))):
            if offset not in unit.refused:
                unit.refused[offset] = "its pseudo-code does not compile: " + m[2]
                found = True
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="translate", description=__doc__)
    parser.add_argument("object", type=Path)
    parser.add_argument("--entries", required=True, help="offsets of the kernels' first instructions")
    parser.add_argument("--target", required=True)
    parser.add_argument("--wave", required=True, type=int, choices=(32, 64))
    parser.add_argument("--compiler", default="clang++")
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--source", action="store_true", help="write the C++ to --out")
    arguments = parser.parse_args()
    entries = [int(entry) for entry in arguments.entries.split(",")]
    unit = Unit(CodeObject(arguments.object.read_bytes()), entries, arguments.target, arguments.wave)
    if arguments.source:
        arguments.out.write_text(unit.source())
        return
    compile_unit(unit, arguments.compiler, arguments.level, arguments.out)


if __name__ == "__main__":
    main()
