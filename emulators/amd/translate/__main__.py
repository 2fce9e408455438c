# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""python3 -m translate OBJECT --entries OFFSET,OFFSET --target gfx942 --wave 64 --out FILE.so

Translates kernels of a code object to C++ and compiles it; functions that earlier translations beside FILE.so have
compiled are taken from there. An instruction that cannot be translated, or whose C++ does not compile, becomes a stop
that names it: a kernel that never reaches it runs all the same.
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
from .pool import Pool, compile_object

HEADERS = Path(__file__).resolve().parent.parent / "wave"
FLAGS = ["-std=c++20", "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-march=x86-64-v3", "-fPIC"]
FLAGS += ["-ffunction-sections", "-ferror-limit=0", f"-I{HEADERS}"]


def compile_unit(unit: Unit, words: list[str], pool: Pool, out: Path) -> None:
    """Writes the library whole or not at all: others may look for it meanwhile."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="translating-") as name:
        folder = Path(name)
        library = folder / "unit.so"
        files = [*objects(unit, words, pool, folder), folder / "unit.o"]
        if link(words, files, library):  # a file of the pool was removed or is damaged
            everything = folder / "all.o"
            compiled(unit, words, folder, unit.functions(set()), everything)
            if said := link(words, [everything, folder / "unit.o"], library):
                sys.exit(f"translate: {words[0]} cannot link: {said[:2000]}")
        library.chmod(0o644)
        os.replace(library, out)


def objects(unit: Unit, words: list[str], pool: Pool, folder: Path) -> list[Path]:
    """Compiles what the pool has not; its files with the functions. Of the unit itself, unit.o in the folder."""
    for _ in range(20):
        kept, files = pool.find(unit.names())
        if new := unit.names() - kept:
            if not compiled(unit, words, folder, unit.functions(kept), folder / "functions.o"):
                continue
            files.append(pool.keep(new, folder / "functions.o"))
        # It does nothing but call: optimising it would take longer than all else.
        if compiled(unit, [*words, "-O0"], folder, unit.source, folder / "unit.o"):
            return files
    sys.exit("translate: the compiler keeps finding errors in new places")


def compiled(unit: Unit, words: list[str], folder: Path, text: str, out: Path) -> bool:
    """False: the compiler found errors, and the instructions that have them are refused from now on."""
    source = folder / "unit.cpp"
    source.write_text(text)
    said = compile_object(words, source, out)
    if said and not refuse(unit, text.split("\n"), said):
        sys.exit(f"translate: {words[0]} failed: {said[:2000]}")
    return not said


def link(words: list[str], files: list[Path], library: Path) -> str:
    done = subprocess.run([*words, "-shared", "-Wl,--gc-sections", *map(str, files), "-o", str(library)], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or f"exit status {done.returncode}"


def refuse(unit: Unit, lines: list[str], errors: str) -> bool:
    """Marks the instructions in whose lines the compiler found errors; whether there were any. Of an error in a header,
    the line that asked for the template."""
    found = False
    for m in re.finditer(r"unit\.cpp:(\d+):\d+: (?:(?:fatal )?error|note: (?=in instantiation of .* requested here))(.*)", errors):
        line = lines[int(m[1]) - 1]
        function = re.match(r"__attribute__.*?\bint (F[0-9a-f]+)\(", line)
        users = [line] if not function else [x for x in unit.source.split("\n") if re.match(rf"L\d+: .*\b{function[1]}\(", x)]
        for offset in (int(label[1]) for x in users if (label := re.match(r"L(\d+):", x))):
            if offset not in unit.refused:
                unit.refused[offset] = "its pseudo-code does not compile: " + m[2].removeprefix(": ")
                found = True
    if found:
        unit.write()
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
    unit.write()
    if arguments.source:
        arguments.out.write_text(unit.functions(set()) + unit.source)
        return
    words = [arguments.compiler, *FLAGS, arguments.level]
    headers = [header.read_bytes() for header in sorted(HEADERS.glob("*.hpp"))]
    pool = Pool(arguments.out.parent / "functions", [unit.head().encode(), " ".join(words).encode(), *headers])
    compile_unit(unit, words, pool, arguments.out)


if __name__ == "__main__":
    main()
