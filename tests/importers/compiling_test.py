# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Extensions that contestants compile: what is kept of them, when it is taken, and who can put something there."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from folders import HERE, IMPORTERS, PODIUM, main, podium, rows, unittest

NINJA = """ninja_required_version = 1.3
cxx = {compiler}

cflags = -DNAME={name} -I{scratch}/own
ldflags = -shared

rule compile
  command = $cxx -MMD -MF $out.d $cflags -c $in -o $out
  depfile = $out.d
  deps = gcc

rule link
  command = $cxx $in $ldflags -o $out

build main.o: compile {scratch}/own/main.cpp

build {name}.so: link main.o

default {name}.so
"""
# Notes each of its calls, and copies all that it is given.
COMPILER = """#!/bin/sh
echo "$@" >> {log}
for word; do case "$before" in -o) out=$word;; -MF) deps=$word;; esac; before=$word; done
for word; do case "$word" in *.cpp|*.o) [ "$word" = "$out" ] || cat "$word" >> "$out.new";; esac; done
mv "$out.new" "$out"
[ -z "$deps" ] || echo "$out: $TMPDIR/own/main.cpp \\\\
 $TMPDIR/own/own.h" > "$deps"
"""


class Kept(unittest.TestCase):
    """PyTorch's build.ninja, and a compiler that counts."""

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        self.kept, self.log, self.compiler = (self.place / name for name in ("kept", "log", "compiler"))
        self.kept.mkdir()
        self.compiler.write_text(COMPILER.format(log=self.log))
        self.compiler.chmod(0o755)
        self.processes = 0

    def compilations(self, name="extension", source="int f();", header="// none", kept=None):
        """In a scratch folder of its own, as each process has one: how many times the compiler was called."""
        self.processes += 1
        scratch = self.place / f"scratch{self.processes}"
        build = scratch / "podium-extensions" / name
        build.mkdir(parents=True)
        (scratch / "own").mkdir()
        (scratch / "own/main.cpp").write_text(source)
        (scratch / "own/own.h").write_text(header)
        (build / "build.ninja").write_text(NINJA.format(compiler=self.compiler, name=name, scratch=scratch))
        self.log.write_text("")
        environment = {**os.environ, "TMPDIR": str(scratch), "PODIUM_KEPT": str(kept or self.kept)}
        program = IMPORTERS / "podium_import/compiling.py"
        subprocess.run([sys.executable, "-IB", program], cwd=build, env=environment, check=True)
        self.assertEqual((build / f"{name}.so").read_text(), source)
        return len(self.log.read_text().splitlines())

    def test_a_second_process_compiles_nothing(self):
        self.assertEqual(2, self.compilations())
        self.assertEqual(0, self.compilations())

    def test_what_differs_is_compiled(self):
        for other in ({"source": "int g();"}, {"header": "#define F 1"}, {"name": "another"}, {"kept": self.place}):
            with self.subTest(other):
                self.compilations()
                self.assertEqual(2, self.compilations(**other))

    def test_without_a_folder_everything_is_compiled(self):
        self.assertEqual([2, 2], [self.compilations(kept=self.place / "none") for _ in range(2)])


@unittest.skipUnless(PODIUM and shutil.which("g++"), "needs podium's path and a compiler")
class ThroughPodium(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.to = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.to)
        solutions = [HERE / f"kernelbench/solutions/{name}.py" for name in ("kept", "hoards_answers")]
        podium("import", "kernelbench", HERE / "kernelbench/1_Shifted_product.py", "--to", cls.to,
               *[word for path in solutions for word in ("--solution", path)])

    def verdicts(self, *names):
        said = podium("verify", "kb_1_shifted_product", "--problems", self.to, "--device", "host", "--contestant", *names)
        return {name: verdict for name, (verdict, _) in rows(said).items()}

    def test_workers_compile_nothing(self):
        for _ in range(2):
            self.assertEqual({"kept": "right"}, self.verdicts("kept"))

    def test_answers_are_not_kept(self):
        for _ in range(2):
            self.assertEqual({"hoards_answers": "right"}, self.verdicts("hoards_answers"))


if __name__ == "__main__":
    main()
