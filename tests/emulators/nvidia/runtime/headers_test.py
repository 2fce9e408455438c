# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Headers that are parsed once for all translations: that they are used, and what happens where they cannot be; other compilers."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import options

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "emulators"))

from nvidia.translator import compiler as translation  # noqa: E402

_PTX = ".version 8.8\n.target sm_90a\n.address_size 64\n.visible .entry k{number}()\n{{\nret;\n}}\n"


def is_complete(compiler: str) -> bool:
    """Whether it is installed, and finds C++'s headers."""
    command = [compiler, "-fsyntax-only", "-include", "cstdint", "-x", "c++", os.devnull]
    return shutil.which(compiler) is not None and subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


class HeadersTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.environ["PODIUM_CACHE"] = folder.name
        self.log, self.made = self.folder / "log", 0

    def compiler(self, first: str = "") -> translation.Compiler:
        """One that says which headers it reads, and does `first` before."""
        program = self.folder / "cxx"
        program.write_text(f'#!/bin/sh\n{first}\nexec {shlex.quote(ARGUMENTS.cxx)} -H "$@" 2>> {self.log}\n', encoding="ascii")
        program.chmod(0o755)
        return translation.Compiler(str(program), "", is_gcc=True)

    def parsed(self) -> list[Path]:
        return list(self.folder.rglob("*.gch"))

    def used(self, compiler: translation.Compiler) -> bool:
        """Whether one more translation was made from the parsed headers alone; -H marks them so."""
        self.log.unlink(missing_ok=True)
        self.made += 1
        self.assertGreater(translation.object_of(_PTX.format(number=self.made), compiler).stat().st_size, 0)
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return any(line.startswith("! ") and line.endswith(".gch") for line in lines)

    def test_they_are_parsed_once_and_used(self) -> None:
        compiler = self.compiler()
        self.assertTrue(self.used(compiler))
        (header,) = self.parsed()
        parsed_at = header.stat().st_mtime_ns
        self.assertTrue(self.used(compiler))
        self.assertEqual(header.stat().st_mtime_ns, parsed_at)

    def test_damaged_ones_are_made_anew(self) -> None:
        compiler = self.compiler()
        self.used(compiler)
        (header,) = self.parsed()
        # Of the one that is there: each time it is made, it has some hundred bytes more or less.
        for name, left in (("64 bytes", lambda size: 64), ("half", lambda size: size // 2), ("100 bytes less", lambda size: size - 100)):
            with self.subTest(name):
                os.truncate(header, left(header.stat().st_size))
                self.used(compiler)
                self.assertEqual(self.parsed(), [])
                self.assertTrue(self.used(compiler))

    def test_without_them_translations_are_made(self) -> None:
        self.assertFalse(self.used(self.compiler('case "$*" in *c++-header*) exit 1;; esac')))
        self.assertEqual(self.parsed(), [])

    def test_what_does_not_compile_keeps_them(self) -> None:
        self.used(self.compiler())
        with self.assertRaises(translation.Failed):
            self.used(self.compiler('case "$*" in *" -c "*) exit 1;; esac'))
        self.assertEqual(len(self.parsed()), 1)

    def test_compilers_that_are_not_gcc_get_none_of_its_flags(self) -> None:
        strict = self.folder / "strict"  # as Clang is about flags of GCC's optimizer
        strict.write_text(
            '#!/bin/sh\n[ "$1" = --version ] && exec echo clang version 22.1.0\n'
            'for flag; do case $flag in -fno-tree-* | -fira-*) echo "unknown argument: $flag" >&2; exit 1;; esac; done\n'
            f'exec {shlex.quote(ARGUMENTS.cxx)} "$@"\n',
            encoding="ascii",
        )
        strict.chmod(0o755)
        ptx, made = self.folder / "k.ptx", self.folder / "k.so"
        ptx.write_text(_PTX.format(number=""), encoding="ascii")
        for program in (str(strict), *filter(is_complete, ("clang++", "clang++-22"))):
            with self.subTest(program):
                command = [sys.executable, "-B", ARGUMENTS.compile, "--ptx", "--cxx", program, ptx, "-o", made]
                done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertGreater(made.stat().st_size, 0)
                made.unlink()


if __name__ == "__main__":
    ARGUMENTS = options()
    if "clang" in Path(ARGUMENTS.cxx).resolve().name:
        sys.exit(0)  # it has no parsed headers of GCC's
    unittest.main(argv=sys.argv[:1])
