#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the emulator's tests, and records in coverage.json.xz which instructions each of them translates, and with which commit of the
emulator; of the corpus all modules, which corpus.py check runs.

  own_coverage.py --compile emulators/nvidia/compile --library LIBRARY --cxx CXX [TEST...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUBJECTS = [folder for folder in HERE.parent.iterdir() if folder.is_dir()]
sys.path[:0] = [*map(str, SUBJECTS), str(HERE.parents[3] / "emulators")]

from emulated import KEEP_PTX, options  # noqa: E402
from forms import modules  # noqa: E402
from forms.coverage import named, record, text_at  # noqa: E402
from reached import emulator  # noqa: E402
from nvidia.translator.generate import generate  # noqa: E402
from nvidia.translator.lexer import Unknown  # noqa: E402


def instructions_of(folder: Path) -> set[str]:
    """Of all modules there; what a module must be refused for does not count."""
    found = set()
    for file in folder.iterdir():
        try:
            ptx = file.read_text(encoding="ascii")
            result = generate(ptx)
        except Unknown:
            continue
        refused = {line for _, _, line, _ in result.unknown}
        texts = ptx.split("\n")
        found |= {named(instruction, text_at(texts, line, instruction)) for _, line, instruction in result.at if line not in refused}
    return found


def main() -> int:
    arguments = options()
    tests = {f.name: f for folder in SUBJECTS for f in sorted(folder.glob("*_test.py"))}
    on_device = [name for name, f in tests.items() if "options()" in f.read_text(encoding="utf-8")]
    wanted = [a for a in sys.argv[1:] if a.endswith("_test.py")] or on_device
    for test in wanted:
        with tempfile.TemporaryDirectory() as folder:  # of PTX
            command = [sys.executable, "-B", tests[test], "--compile", arguments.compile, "--library", arguments.library,
                       "--cxx", arguments.cxx, "--nvcc", arguments.nvcc]  # fmt: skip
            done = subprocess.run(command, env=dict(os.environ, **{KEEP_PTX: folder, "PYTHONPATH": os.pathsep.join(map(str, SUBJECTS))}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if test == "corpus_test.py":
                for module in modules():
                    (Path(folder) / module.name).write_text(module.ptx, encoding="ascii")
            if done.returncode != 0:
                print(f"{test} fails, and is not recorded: {done.stderr.strip().splitlines()[-1]}")
                return 1
            if found := instructions_of(Path(folder)):
                record("tests", {test: {"emulator": emulator(), "instructions": sorted(found)}})
            print(f"{test}: {len(found)} instructions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
