#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What `podium verify --full` says of every contestant whose numbers are wrong in each of its calls, and of the honest.

    tests/experiments/full.py --podium build/cuda/bin/podium --device cuda:0 [--problem sum ...] [--kinds cheats wrong]

The former are all of tests/wrong, and those of tests/cheats that belong to the classes below: whoever cheats by what is
left of an earlier call, or about time, may be right in the few calls that --full makes. Prints a line for each, then both
rates. Exit status 1 if one of the former gets none of the verdicts below, one of the latter is not right, or nobody was
looked at.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
CLASSES = (
    "skipped elements",
    "lower precision",
    "zeros under absolute tolerance",
    "wrong numbers",
    "NaN wildcard",
    "out-of-bounds writes",
    "stale memory",
    "hard-coded constants, only one distribution",
    "input mutation",
)
BY_CHANCE = ("certain_contents",)  # wrong for some inputs alone
CAUGHT = ("wrong", "not written", "out of bounds", "input changed")
KINDS = ("cheats", "wrong", "honest")
MARK = re.compile(r"^(?://|#) (expect|class|with): (.*)$", re.MULTILINE)
ROW = re.compile(r"^(\S+/\S*) +(\S+)  +(right|wrong|not written|\S+(?: \S+)*?)  +(.*)$")


def runs_on(file: pathlib.Path, backend: str) -> bool:
    name = file.name
    if ".sealed." in name and backend == "host":
        return False
    if name.endswith(".gpu.cpp"):
        return True
    return file.suffix in {"host": (".cpp",), "cuda": (".cu", ".yaml", ".py"), "hip": (".hip",)}[backend]


def subjects(kind: str, problem: str, backend: str) -> list[pathlib.Path]:
    found = []
    for file in sorted((TESTS / kind / problem).iterdir()):
        marks = dict(MARK.findall(file.read_text(errors="replace"))) if runs_on(file, backend) else {}
        expected = {verdict.strip() for verdict in marks.get("expect", "").split("|")}
        wanted = kind != "cheats" or (marks.get("class") in CLASSES and expected & set(CAUGHT))
        wanted = wanted and file.name.split(".")[0] not in BY_CHANCE
        if "expect" in marks and "with" not in marks and wanted:
            found.append(file)
    return found


def verdicts(options: argparse.Namespace, problem: str, files: list[pathlib.Path]) -> dict[str, list[tuple[str, str]]]:
    """Of each contestant: (verdict, words) on each board."""
    own = files[0].parent / "problem.yaml"
    command = [options.podium, "verify", problem, "--full", "--quiet", "--device", options.device]
    command += ["--problems", files[0].parents[1]] if own.exists() else []
    for file in files:
        command += ["--contestant", file]
    suite = pathlib.Path(__file__).resolve().parents[2] / "suite"
    environment = {"PODIUM_INCLUDE": f"{suite}/base/verdict.hpp:{suite}/protocol:{suite}/problem/program", **os.environ}  # of tests/cheats
    ended = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)
    rows: dict[str, list[tuple[str, str]]] = {}
    for line in ended.stdout.splitlines():
        if row := ROW.match(line):
            rows.setdefault(row[2], []).append((row[3], row[4]))
    for line in ended.stderr.splitlines():
        if "not verified" in line:
            print(f"  {line}")
    if not rows:
        sys.exit(f"{problem}: status {ended.returncode}, no row: {ended.stderr.strip()[-500:]}")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--problem", nargs="+", help="these alone")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help="on a CPU bench workloads take long")
    options = parser.parse_args()
    backend = options.device.split(":")[0]
    faults, looked, as_expected = [], {"wrong": 0, "honest": 0}, {"wrong": 0, "honest": 0}
    for kind in options.kinds:
        for folder in sorted((TESTS / kind).iterdir()):
            files = subjects(kind, folder.name, backend) if folder.is_dir() else []
            if not files or (options.problem and folder.name not in options.problem):
                continue
            rows = verdicts(options, folder.name, files)
            rate = "honest" if kind == "honest" else "wrong"
            for file in files:
                name = file.name.split(".")[0]
                own = rows.get(name, [])
                declined = {verdict for verdict, _ in own} == {"missing library"}
                bad = [f"{verdict}: {words}" for verdict, words in own if verdict != "right"]
                said = " | ".join(dict.fromkeys(verdict for verdict, _ in own))
                print(f"{kind}/{folder.name}/{name}: {said}", flush=True)
                if declined:
                    continue
                looked[rate] += 1
                caught = any(verdict in CAUGHT for verdict, _ in own)
                good = bool(own) and (caught if rate == "wrong" else not bad)
                as_expected[rate] += good
                if not good:
                    faults.append(f"{file.relative_to(TESTS)}: {bad or own or 'no row'}")
    print(f"{as_expected['wrong']} of {looked['wrong']} with wrong numbers were caught", end=", ")
    print(f"{looked['honest'] - as_expected['honest']} of {looked['honest']} honest were flagged")
    print(*faults, sep="\n")
    return 1 if faults or not sum(looked.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
