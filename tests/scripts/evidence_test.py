# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/evidence: every kind has its command and its row, and a row gets the commit of what was taken."""

from __future__ import annotations

import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
LOADER = SourceFileLoader("evidence", str(ROOT / "scripts/evidence"))
evidence = ModuleType(LOADER.name)
evidence.__file__ = LOADER.path
sys.dont_write_bytecode = True
LOADER.exec_module(evidence)


class EvidenceTest(unittest.TestCase):
    def test_every_kind_has_its_command_and_its_row(self) -> None:
        rows = [m[1] for line in evidence.INDEX.read_text(encoding="utf-8").split("\n") if (m := evidence.ROW.match(line))]
        self.assertEqual(sorted(rows), sorted(evidence.KINDS))
        for kind, command in evidence.KINDS.items():
            self.assertTrue((ROOT / command[0]).is_file(), f"{kind}: {command[0]}")

    def test_what_was_taken_is_entered_and_what_failed_is_not(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "README.md"
            before = "| kind | what | taken at |\n| --- | --- | --- |\n| `good` | a, b | long ago |\n| `bad` | c | |\n"
            index.write_text(before, encoding="utf-8")
            kinds = {"good": ["true"], "bad": ["false"]}
            with mock.patch.object(evidence, "INDEX", index), mock.patch.object(evidence, "KINDS", kinds), mock.patch.object(evidence, "commit", lambda: "0123456789"):
                self.assertEqual((evidence.take("good", []), evidence.take("bad", [])), (0, 1))
                self.assertRegex(index.read_text(encoding="utf-8"), r"\| `good` \| a, b \| 0123456789, \d{4}-\d\d-\d\d \|\n\| `bad` \| c \| \|\n$")
                with self.assertRaisesRegex(SystemExit, "no row of other"):
                    evidence.enter("other", "now")

    def test_runs_are_packed_and_unpacked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "results/device/run/entries.jsonl"
            run.parent.mkdir(parents=True)
            run.write_text("{}\n", encoding="utf-8")
            with mock.patch.object(evidence, "ROOT", Path(folder)), mock.patch("sys.stdout"):
                self.assertEqual(evidence.pack(run.parents[1], ["run"]), 0)
                run.unlink()
                self.assertEqual(evidence.unpack(), 0)
                self.assertEqual(run.read_text(encoding="utf-8"), "{}\n")
                with self.assertRaisesRegex(SystemExit, "other is no folder"):
                    evidence.pack(run.parents[1], ["other"])


if __name__ == "__main__":
    unittest.main()
