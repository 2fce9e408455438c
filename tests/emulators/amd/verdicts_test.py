# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""scripts/verdicts.py enters what podium says, but never that a library is missing in place of a verdict made with it."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Of a commit that has no name, so that sum is verified again.
TABLE = """## Verdicts

| board | contestant | gfx90a | gfx942 | gfx950 | gfx1100 | gfx1201 |
| --- | --- | --- | --- | --- | --- | --- |
| sum/f32 | hipcub | not run | right 8 | **did not compile** | missing library | not run |
| sum/f32 | tree | right 8 | **wrong** | right 8 | right 8 | right 8 |

## Runs

| target | problem | contestants | commit | seconds |
| --- | --- | --- | --- | --- |
| gfx942 | sum | all | a-dirty | 3 |

## What was said

| target | board | contestant | what was said |
| --- | --- | --- | --- |
| gfx942 | sum/f32 | tree | wrong: y |
"""


@unittest.skipUnless((ROOT / ".git").exists(), "verdicts are entered with their commit")
class VerdictsTest(unittest.TestCase):
    def enter(self, target: str, hipcub: str, *more: str) -> tuple[subprocess.CompletedProcess, list[str]]:
        """With a podium that says this of hipcub, and that tree is right, if it is asked: what became of the rows of the target."""
        with tempfile.TemporaryDirectory() as folder:
            podium, table = pathlib.Path(folder) / "podium", pathlib.Path(folder) / "table.md"
            podium.write_text(f"#!/bin/sh\necho 'sum/f32  hipcub  {hipcub}'\n[ \"$9\" = hipcub ] || echo 'sum/f32  tree  right  right on 9 workloads'\n", encoding="utf-8")
            podium.chmod(0o755)
            table.write_text(TABLE, encoding="utf-8")
            command = [ROOT / "scripts/hip-verdicts", "--podium", podium, "--table", table, "--problems", "sum", "--targets", target, "--again", *more]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            column = 3 + ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"].index(target)
            rows = [line.split("|") for line in table.read_text(encoding="utf-8").splitlines() if line.startswith("| sum/f32")]
            return done, [row[column].strip() for row in rows]

    def test_verdicts_are_entered(self) -> None:
        done, cells = self.enter("gfx942", "right  right on 7 workloads")
        self.assertEqual((cells, done.returncode), (["right 7", "right 9"], 0), done.stderr)

    def test_other_contestants_keep_their_verdicts(self) -> None:
        done, cells = self.enter("gfx942", "right  right on 7 workloads", "--contestants", "hipcub", "of_no_problem")
        self.assertEqual((cells, done.returncode), (["right 7", "**wrong**"], 0), done.stderr)

    def test_workloads_are_entered_where_others_are_not_supported(self) -> None:
        done, cells = self.enter("gfx942", "not supported  wide: `when: n < 3` does not hold; right on 1 workload; one: largest error 0")
        self.assertEqual((cells, done.returncode), (["right 1, not supported on others", "right 9"], 0), done.stderr)

    def test_a_missing_library_is_entered_where_there_was_no_verdict(self) -> None:
        for target in ("gfx90a", "gfx1100"):
            done, cells = self.enter(target, "missing library  needs hipcub")
            self.assertEqual((cells, done.returncode), (["missing library", "right 9"], 0), done.stderr)

    def test_it_does_not_replace_a_verdict(self) -> None:
        for target, before in (("gfx942", ["right 8", "**wrong**"]), ("gfx950", ["**did not compile**", "right 8"])):
            done, cells = self.enter(target, "missing library  needs hipcub")
            self.assertEqual(cells, before)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{target} sum: not entered, since hipcub had its library", done.stderr)


if __name__ == "__main__":
    unittest.main()
