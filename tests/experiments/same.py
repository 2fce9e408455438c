#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How often contestants are told apart: one kernel under ten names (A/A), or five of them made slower (A/B).

    tests/experiments/same.py --podium build/cuda/bin/podium --device cuda:0 --runs 20
    tests/experiments/same.py --podium build/cuda/bin/podium --device cuda:0 --runs 10 --slower 20

A/A: of the 45 pairs of each run, those in which one is said to beat the other; all of them wrong. A/B: of the 25 pairs
of a run, those in which the kernel as it is beats one whose loop is longer by so many thousandths. What that makes of
the time, a little less, is told beside it.
"""
import argparse
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

STEPS = pathlib.Path(__file__).resolve().parent / "steps"
NAMES = [f"copy_{letter}" for letter in "abcdefghij"]
# Calls of some 10 and 50 µs on an H200, and as many on a CPU.
WORKLOADS = {
    "gpu": "[{ n: 270336, rounds: 1000, factor: -1 }, { n: 270336, rounds: 6000, factor: -1 }]",
    "host": "[{ n: 512, rounds: 100, factor: -1 }, { n: 1024, rounds: 100, factor: -1 }]",
}


def lay_out(folder: pathlib.Path, kind: str, slower: int) -> None:
    problem = (STEPS / "problem.yaml").read_text()
    problem = problem[: problem.index("  quick:")]
    quick, bench = WORKLOADS["host"], WORKLOADS[kind]
    problem += f"  quick: {quick}\n  bench: {bench}\nbaseline: {{ cuda: copy_a, hip: copy_a, host: copy_a }}\n"
    (folder / "steps").mkdir()
    (folder / "steps" / "problem.yaml").write_text(problem)
    file, suffix = ("loop.cpp", ".cpp") if kind == "host" else ("plain.gpu.cpp", ".gpu.cpp")
    text = (STEPS / file).read_text()
    for at, name in enumerate(NAMES):
        here = slower if at >= len(NAMES) // 2 else 0
        own, found = re.subn(r"slower = 0;", f"slower = {here};", text)
        if found != 1:
            sys.exit(f"same.py: {STEPS / file} has no 'slower = 0;'")
        (folder / "steps" / f"{name}{suffix}").write_text(own)


def rows_of(report: pathlib.Path) -> list[dict]:
    """Of NAMES, in their order."""
    (board,) = json.loads(report.read_text())["boards"]
    rows = {row["contestant"]: row for row in board["rows"]}
    for name in NAMES:
        if rows[name]["standing"] != "ranked":
            sys.exit(f"same.py: {name} is not ranked in {report}: {rows[name]}")
    return [rows[name] for name in NAMES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--slower", type=int, default=0, help="thousandths by which the loop of five is longer")
    parser.add_argument("--isolated", action="store_true", help="a new process for every turn, none parked")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the records of all runs")
    options = parser.parse_args()
    kind = "host" if options.device.startswith("host") else "gpu"
    told, with_any, ratios = 0, 0, []
    for run in range(options.runs):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lay_out(folder, kind, options.slower)
            command = [options.podium, "run", "steps", "--problems", name, "--device", options.device, "--quiet"]
            command += ["--results", str(folder / "results"), "--quick" if kind == "host" else "--full"]
            command += ["--isolated"] * options.isolated
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"same.py: {' '.join(command)}: {done.stdout}{done.stderr}")
            (report,) = folder.glob("results/*/*/report.json")
            rows = rows_of(report)
            if options.keep:
                shutil.copytree(report.parent, options.keep / f"{run + 1}")
        by = [(row["rank"] or 1) - 1 for row in rows]  # how many others beat each
        half = len(by) // 2
        pairs = sum(by[half:]) if options.slower else sum(by)
        times = [math.log(row["time_us"]) for row in rows]
        ratios.append(math.exp((sum(times[half:]) - sum(times[:half])) / half))
        told += pairs
        with_any += pairs > 0
        print(f"run {run + 1}: {pairs} pairs told apart; beaten by {by}", flush=True)
    every = options.runs * (25 if options.slower else 45)
    print(f"{told} of {every} pairs told apart ({100 * told / every:.1f} %), some in {with_any} of {options.runs} runs; "
          f"the second five took {statistics.median(ratios):.4f} times as long")


if __name__ == "__main__":
    main()
