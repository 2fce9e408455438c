#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How often honest contestants were flagged, or timed by the judge's clock, in a series of runs.

    test_end_to_end --gtest_filter='*AreThoseExpected/honest_*' --gtest_repeat=50 > a.txt  # PODIUM_TEST_DEVICE=cuda:0 for a GPU
    tests/experiments/honest.py a.txt [b.txt ...]

A run is one pass over all folders of tests/honest, and busy if others took the processors in any of them; a row is one
contestant in one run. Prints the runs, the rows, those not as expected and those whose times are the judge's, of quiet
and of busy runs apart, then which rows they were. Exit status 1 if a row was not as expected, if a test failed for
another reason, or if nothing was run.
"""
import argparse
import collections
import pathlib
import re
import sys

from verdicts import CLASS, EXPECTED, HEADING, NAME, ROW

PASS = re.compile(r"^Repeating all tests \(iteration \d+\)", re.MULTILINE)
COUNT = re.compile(r"^  \((\d+) rows, (\d+) not as expected, (\d+) with times of the judge's clock; (quiet|busy)")


class Run:
    """One pass: counts of its folders, and the names of rows that are not plainly as expected."""

    def __init__(self, text: str) -> None:
        self.rows = self.unexpected = self.judged = self.folders = 0
        self.busy, self.odd, folder = False, [], None
        for line in text.splitlines():
            if heading := HEADING.match(line):
                folder = "/".join(heading.groups())
            elif count := COUNT.match(line):
                rows, unexpected, judged = (int(number) for number in count.groups()[:3])
                self.rows, self.unexpected, self.judged = (
                    self.rows + rows,
                    self.unexpected + unexpected,
                    self.judged + judged,
                )
                self.busy = self.busy or count[4] == "busy"
                self.folders += 1
            elif folder and not line.startswith("  (") and (row := ROW.match(line)):
                got = line[2 + max(NAME, len(row[1])) + 1 :][CLASS + 1 :][EXPECTED:].strip()
                if got != "right" and not got.startswith("left out"):
                    self.odd.append(f"{folder}/{row[1]}: {got}")
        failed = re.search(r"^\[  FAILED  \]", text, re.MULTILINE)
        self.broken = bool(failed) or not re.search(r"^\[==========\] .* ran\.", text, re.MULTILINE)


def said(name: str, runs: list[Run]) -> str:
    rows, unexpected, judged = (sum(getattr(run, what) for run in runs) for what in ("rows", "unexpected", "judged"))
    return f"{name}: {len(runs)} runs, {rows} rows, {unexpected} flagged, {judged} with times of the judge's clock"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", type=pathlib.Path)
    passes = [part for log in parser.parse_args().logs for part in PASS.split(log.read_text())]
    runs = [run for run in map(Run, passes) if run.folders]
    for name, some in (
        ("all", runs),
        ("quiet", [run for run in runs if not run.busy]),
        ("busy", [run for run in runs if run.busy]),
    ):
        print(said(name, some))
    for row, times in collections.Counter(row for run in runs for row in run.odd).most_common():
        print(f"  {times} times {row}")
    whole = max((run.folders for run in runs), default=0)
    broken = sum(run.broken or run.folders < whole for run in runs)
    if broken:
        print(f"{broken} runs failed or did not come to their end")
    return 1 if broken or not runs or any(run.unexpected for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
