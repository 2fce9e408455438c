#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The verdicts on all contestants of tests/cheats, tests/wrong and tests/honest, as a table in Markdown.

    test_end_to_end --gtest_filter='Files/Verdicts*:Together.*' > host.txt  # Files/Verdicts* with PODIUM_TEST_DEVICE=cuda:0
    tests/experiments/verdicts.py "CPU, commit COMMIT=host.txt" "NVIDIA H200, commit COMMIT=h200.txt" > docs/evidence/trust_verdicts.md

Each column is what that output of the tests says. Several outputs of one column are joined by commas; what a later one
has counts. A cheat that is in none of them has a row that says so. Exit status 1 if a test of any of them failed, or if
none was run.
"""
import argparse
import pathlib
import re
import sys

ROW = re.compile(r"^  (\S+) +(.*)$")
HEADING = re.compile(r"^  (cheats|wrong|honest)/(\S+) +class +expected +got$")
JUDGED = re.compile(r"  \[(judge's clock: \d+ of \d+)\]$")  # entries whose times are not the worker's
MARK = re.compile(r"^(?://|#) (class|expect): (.+)$", re.MULTILINE)
ELSEWHERE = re.compile(r"^// Expected: (.+), by tests/", re.MULTILINE)  # the test runs it
CHEATS = pathlib.Path(__file__).resolve().parents[1] / "cheats"
NAME, CLASS, EXPECTED = 22, 52, 52  # columns, as the test prints them
HEAD = """<!-- Made by tests/experiments/verdicts.py; do not edit. -->
# Verdicts on cheats, mistakes and the merely unusual

What each contestant of `tests/cheats`, `tests/wrong` and `tests/honest` must get, and what it got; [trust.md](../trust.md) says which defence is behind it. Each runs where its mechanism exists: its file says for which devices it is. `tests/experiments/verdicts.py` makes this page from the tests' own output. What is *not run yet* was written or changed after them; *judge's clock* tells of how many entries with times the judge's count, since the worker's could not be told true.
"""


def rows_of(log: pathlib.Path) -> dict:
    """(kind, problem, name) -> class, expected, verdicts."""
    text = log.read_text()
    if "FAILED" in text or not re.search(r"^\[       OK \] (Files/Verdicts|Together)\.", text, re.MULTILINE):
        sys.exit(f"{log}: its tests failed, or none was run; no table is made of that")
    found, folder = {}, None
    for line in text.splitlines():
        if heading := HEADING.match(line):
            folder = heading.groups()
        elif line.startswith("["):
            folder = None
        elif folder and not line.startswith("  (") and (row := ROW.match(line)):
            rest = line[2 + max(NAME, len(row[1])) + 1 :]  # longer names push what follows
            expected = rest[CLASS + 1 :]
            found[(*folder, row[1])] = (rest[:CLASS].strip(), expected[:EXPECTED].strip(), expected[EXPECTED:].strip())
    return found


def verdict(got: str) -> str:
    """Of several, what ended the row: workloads before that were right."""
    judged = JUDGED.search(got)
    got = JUDGED.sub("", got)
    others = [one for one in got.split(" | ") if one != "right"]
    return (" | ".join(others) or got) + (f" ({judged[1]})" if judged else "")


def never_run(logs: dict) -> dict:
    """(kind, problem, name) -> class, expected, nothing: of cheats that no log has."""
    found = {}
    for file in sorted(CHEATS.glob("*/*")):
        text = file.read_text()
        marks = dict([*MARK.findall(text), *(("expect", words) for words in ELSEWHERE.findall(text))])
        key = ("cheats", file.parent.name, file.name.split(".")[0])
        if "class" in marks and not any(key in rows for rows in logs.values()):
            found[key] = (marks["class"], marks.get("expect", ""), "not run yet")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", metavar="NAME=LOG")
    devices = dict(one.split("=", 1) for one in parser.parse_args().logs)
    logs: dict[str, dict] = {}
    for name, files in devices.items():
        logs[name] = {key: row for log in files.split(",") for key, row in rows_of(pathlib.Path(log)).items()}
    waiting = never_run(logs)
    print(HEAD)
    for kind, title in (("cheats", "Cheats"), ("wrong", "Mistakes"), ("honest", "Honest")):
        keys = sorted({key for rows in [*logs.values(), waiting] for key in rows if key[0] == kind})
        counts = ", ".join(f"{name} {sum(key in rows for key in keys)}" for name, rows in logs.items())
        print(f"## {title}\n\n{len(keys)} contestants: {counts}.\n")
        print("| contestant | class | must be | " + " | ".join(logs) + " |\n|---|---|---|" + "---|" * len(logs))
        for key in keys:
            known = [rows[key] for rows in [*logs.values(), waiting] if key in rows]
            expected = dict.fromkeys(one for _, must_be, _ in known for one in must_be.split(" | "))  # of any device
            cells = [f"{key[1]}/{key[2]}", known[0][0], " | ".join(expected)]
            cells += [verdict(rows[key][2]) if key in rows else waiting.get(key, ("",))[-1] for rows in logs.values()]
            print("| " + " | ".join(cell.replace(" | ", ", ") for cell in cells) + " |")
        print()


if __name__ == "__main__":
    main()
