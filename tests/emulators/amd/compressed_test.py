#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""compressed_test.py HIPCC STAND_IN TARGET: a program whose code clang has compressed runs, in each layout that it writes, and
is translated before it runs; a damaged one is reported."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from stand_in import stand_in_environment

HIPCC, STAND_IN, TARGET = sys.argv[1:4]
SOURCE = Path(__file__).resolve().parent / "compressed.hip"
MAGIC = b"CCOB"


class Compressed(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        # Nothing from elsewhere: what was translated ahead is counted.
        self.environment = stand_in_environment(STAND_IN, TARGET, "") | {"PODIUM_EMULATOR_CACHE": str(self.folder)}

    def compiled(self, layout: str) -> Path:
        program = self.folder / f"program{layout}"
        subprocess.run(
            [HIPCC, "-O1", f"--offload-arch={TARGET}", "--offload-compress", str(SOURCE), "-o", str(program)],
            env=os.environ | {"COMPRESSED_BUNDLE_FORMAT_VERSION": layout}, check=True,
        )  # fmt: skip
        code = program.read_bytes()
        written = int.from_bytes(code[code.index(MAGIC) + len(MAGIC) :][:2], "little")
        if written != int(layout):
            self.skipTest(f"this clang writes layout {written} where it is asked for {layout}")
        return program

    def said(self, program: Path) -> subprocess.CompletedProcess:
        return subprocess.run([str(program)], env=self.environment, capture_output=True, text=True, timeout=300)

    def test_it_runs(self):
        for layout in ("2", "3"):
            with self.subTest(layout=layout):
                done = self.said(self.compiled(layout))
                self.assertEqual(done.stdout, "right\n", done.stderr)

    def test_it_is_translated_before(self):
        subprocess.run([Path(STAND_IN, "prepare"), self.compiled("3")], env=self.environment, check=True)
        self.assertEqual(len(list(self.folder.glob("*.so"))), 1)

    def test_damage_is_told(self):
        program = self.compiled("3")
        code = bytearray(program.read_bytes())
        code[code.index(MAGIC) + 40] ^= 255
        program.write_bytes(code)
        done = self.said(program)
        self.assertNotEqual(done.stdout, "right\n")
        self.assertIn("found a compressed bundle that is damaged", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
