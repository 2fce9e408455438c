#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How often contestants are told apart: one kernel under ten names (A/A), five of them slower, or one copy each (A/B).

    tests/experiments/same.py --podium build/cuda/bin/podium --device cuda:0 --runs 20
    tests/experiments/same.py --podium build/cuda/bin/podium --device cuda:0 --runs 10 --slower 24
    tests/experiments/same.py --podium build/cuda/bin/podium --device cuda:0 --runs 20 --slower 12 24 60

A/A: of the 45 pairs of each run, those in which one is said to beat the other; all of them wrong. A/B with one number:
of the 25 pairs of a run, those in which the kernel as it is beats one whose loop is longer by so many thousandths. With
several: a board of the kernel as it is and a copy for each number; those runs in which it beats that copy. What that
makes of the time is told beside it: beside a GPU a launch takes its share of it, so 24 thousandths are some 2 %.
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
    "host": "[{ n: 64, rounds: 1000, factor: -1 }, { n: 128, rounds: 1000, factor: -1 }]",
}


def slowed(options: argparse.Namespace) -> dict[str, int]:
    """By contestant, thousandths by which its loop is longer."""
    if len(options.slower) > 1:
        return dict(zip(NAMES, [0, *options.slower]))
    half = len(NAMES) // 2
    return {name: sum(options.slower) if at >= half else 0 for at, name in enumerate(NAMES)}


def lay_out(folder: pathlib.Path, kind: str, slower: dict[str, int]) -> None:
    problem = (STEPS / "problem.yaml").read_text()
    problem = problem[: problem.index("  quick:")]
    quick, bench = WORKLOADS["host"], WORKLOADS[kind]
    problem += f"  quick: {quick}\n  bench: {bench}\nbaseline: {{ cuda: copy_a, hip: copy_a, host: copy_a }}\n"
    (folder / "steps").mkdir()
    (folder / "steps" / "problem.yaml").write_text(problem)
    file, suffix = ("loop.cpp", ".cpp") if kind == "host" else ("plain.gpu.cpp", ".gpu.cpp")
    text = (STEPS / file).read_text()
    for name, here in slower.items():
        own, found = re.subn(r"slower = 0;", f"slower = {here};", text)
        if found != 1:
            sys.exit(f"same.py: {STEPS / file} has no 'slower = 0;'")
        (folder / "steps" / f"{name}{suffix}").write_text(own)


def rows_of(report: pathlib.Path, names: list[str]) -> list[dict]:
    (board,) = json.loads(report.read_text())["boards"]
    rows = {row["contestant"]: row for row in board["rows"]}
    for name in names:
        if rows[name]["standing"] != "ranked":
            sys.exit(f"same.py: {name} is not ranked in {report}: {rows[name]}")
    return [rows[name] for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument(
        "--slower", type=int, nargs="+", default=[], help="thousandths by which the loop of five is longer, or of one copy each"
    )
    parser.add_argument("--isolated", action="store_true", help="a new process for every turn, none parked")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the records of all runs")
    options = parser.parse_args()
    if len(options.slower) >= len(NAMES) or min(options.slower, default=1) < 1:
        parser.error(f"--slower: found {options.slower}, expected up to {len(NAMES) - 1} whole numbers from 1 on")
    kind = "host" if options.device.startswith("host") else "gpu"
    slower = slowed(options)
    names = list(slower)
    # Of each run, by contestant: how many others beat it; whether the first does; logarithm of its time.
    beaten, apart, times = [], [], []
    for run in range(options.runs):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lay_out(folder, kind, slower)
            command = [options.podium, "run", "steps", "--problems", name, "--device", options.device, "--quiet"]
            command += ["--results", str(folder / "results"), "--quick" if kind == "host" else "--full"]
            command += ["--isolated"] * options.isolated
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"same.py: {' '.join(command)}: {done.stdout}{done.stderr}")
            (report,) = folder.glob("results/*/*/report.json")
            rows = rows_of(report, names)
            if options.keep:
                shutil.copytree(report.parent, options.keep / f"{run + 1}")
        beaten.append([row["rank"] - 1 for row in rows])
        apart.append([row["rank"] > 1 and names[0] not in row["undecided"] for row in rows])
        times.append([math.log(row["time_us"]) for row in rows])
        print(f"run {run + 1}: beaten by {beaten[-1]}", flush=True)
    if len(options.slower) > 1:
        tell_copies(slower, apart, times)
    else:
        tell_halves(options, beaten, times)


def tell_copies(slower: dict[str, int], apart: list[list[bool]], times: list[list[float]]) -> None:
    for at, by in list(enumerate(slower.values()))[1:]:
        found = sum(run[at] for run in apart)
        ratio = statistics.median(math.exp(run[at] - run[0]) for run in times)
        print(f"a loop {by / 10:.1f} % longer, {ratio:.4f} times as long: told apart in {found} of {len(apart)} runs")


def tell_halves(options: argparse.Namespace, beaten: list[list[int]], times: list[list[float]]) -> None:
    half = len(NAMES) // 2
    pairs = [sum(run[half:]) if options.slower else sum(run) for run in beaten]
    every = options.runs * (25 if options.slower else 45)
    ratio = statistics.median(math.exp((sum(run[half:]) - sum(run[:half])) / half) for run in times)
    print(f"{sum(pairs)} of {every} pairs told apart ({100 * sum(pairs) / every:.1f} %), some in "
          f"{sum(found > 0 for found in pairs)} of {options.runs} runs; the second five took {ratio:.4f} times as long")


if __name__ == "__main__":
    main()
