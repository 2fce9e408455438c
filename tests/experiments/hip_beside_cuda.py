#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""HIP's backend through its NVIDIA platform beside the CUDA backend: the same portable contestants, one GPU, in turn.

    tests/experiments/hip_beside_cuda.py [PROBLEM...] [-- OPTIONS]    # needs the preset hip-nvidia and a GPU
    tests/experiments/hip_beside_cuda.py --compare RESULTS...         # only the tables, of runs made before
    tests/experiments/hip_beside_cuda.py --only-problems DIR          # only what both are given

Both get folders with the portable contestants alone and, as baseline of cuda, hip's. OPTIONS are podium's, by default
`--quick --rounds 3 --cold-only`. Runs alternate, and so does which of a pair is first. Prints for each contestant and
workload, and each of its times (cold; without --cold-only hot, of a graph, end to end), the median over the rounds of
each run, and the ratio of HIP's to CUDA's; below, for each kind of time, how far the ratios are from one, and how far
apart two runs of one backend are. Exit status 1 if the two have different verdicts, if one is not
right, or if nothing was timed by both. Elsewhere it needs no more than the installed tree and such a folder:

    cmake --install build/hip-nvidia --strip --prefix DIR; tests/experiments/hip_beside_cuda.py --only-problems DIR/problems
    tests/experiments/hip_beside_cuda.py --podium DIR/bin/podium --problems DIR/problems       # on the machine with the GPU
"""
import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = ("--quick", "--rounds", "3", "--cold-only")
BASELINE = re.compile(r"(?m)^(baseline: \{ cuda: )\w+(, hip: )(\w+)")
STAGES = ("test", "quick", "bench")
TIMES = ("cold", "hot", "graph", "end_to_end")


def make_problems(folder: pathlib.Path) -> None:
    """Every problem with its portable contestants and the headers that they share."""
    for file in sorted((ROOT / "kernels").glob("*/problem.yaml")):
        made = folder / file.parent.name
        made.mkdir(parents=True)
        for kind in ("*.gpu.cpp", "*.hpp"):
            for source in file.parent.glob(kind):
                shutil.copy(source, made)
        text, found = BASELINE.subn(r"\1\3\2\3", file.read_text(encoding="utf-8"))
        if found != 1:
            sys.exit(f"{file}: found {found} lines of the form baseline: {{ cuda: NAME, hip: NAME ...; expected one")
        (made / file.name).write_text(text, encoding="utf-8")


def run(podium: pathlib.Path, problems: list[str], folder: pathlib.Path, backend: str, results: pathlib.Path, more: list[str]) -> None:
    command = [podium, "run", *problems, "--problems", folder, "--device", f"{backend}:0", "--results", results, "--quiet", *more]
    ended = subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    print(f"{backend}: exit status {ended.returncode}", file=sys.stderr)
    if ended.returncode not in (0, 1):
        sys.exit(f"podium said: {ended.stderr.strip()[-2000:]}")


class Record:
    """What the runs below some folders have to say of each (problem, types, contestant, workload)."""

    def __init__(self, folders: list[pathlib.Path]):
        self.medians = collections.defaultdict(lambda: collections.defaultdict(list))  # (*key, time) -> backend -> one a run
        self.verdicts = collections.defaultdict(dict)  # key -> (backend, stage) -> the first that is not right
        files = sorted({file for folder in folders for file in folder.rglob("run.json")})
        if not files:
            sys.exit(f"no run.json below {' '.join(map(str, folders))}; expected results of podium run")
        for file in files:
            self.read(file)

    def read(self, file: pathlib.Path) -> None:
        backend, times = json.loads(file.read_text())["device"]["backend"], collections.defaultdict(list)
        for line in (file.parent / "entries.jsonl").read_text().splitlines():
            entry = json.loads(line)
            key = entry["problem"], entry["types"], entry["contestant"], entry["workload"]
            seen = self.verdicts[key].get((backend, entry["stage"]), "right")
            self.verdicts[key][backend, entry["stage"]] = entry["verdict"] if seen == "right" else seen
            if entry["round"] >= 0 and entry["stage"] != "test" and entry["median"] > 0 and not entry["twin"]:
                for time in TIMES:
                    median = entry["median"] if time == "cold" else (entry.get(time) or {}).get("median")
                    if median:
                        times[*key, time].append(median)
        for key, medians in times.items():
            self.medians[key][backend].append(statistics.median(medians))


def distances(logarithms: list[float]) -> str:
    """How far ratios are from one, by their logarithms."""
    sizes = sorted(math.expm1(abs(one)) * 100 for one in logarithms)
    return f"median {statistics.median(sizes):.2f} %, 90 % within {sizes[math.ceil(0.9 * len(sizes)) - 1]:.2f} %, largest {sizes[-1]:.2f} %"


def compare(folders: list[pathlib.Path]) -> int:
    record = Record(folders)
    rows, alone = [], []
    ratios, repeats = ({time: [] for time in TIMES} for _ in range(2))
    for key, runs in sorted(record.medians.items()):
        time = key[-1]
        repeats[time] += [math.log(a / b) for medians in runs.values() for a, b in itertools.combinations(medians, 2)]
        if not (runs["cuda"] and runs["hip"]):
            alone.append((*key, next(backend for backend in runs if runs[backend])))
            continue
        cuda, hip = (statistics.median(runs[backend]) for backend in ("cuda", "hip"))
        ratios[time].append(math.log(hip / cuda))
        each = " | ".join(" ".join(f"{one:.2f}" for one in runs[backend]) for backend in ("cuda", "hip"))
        rows.append((*key, f"{cuda:.2f}", f"{hip:.2f}", f"{hip / cuda:.4f}", each))

    titles = ("problem", "types", "contestant", "workload", "time", "CUDA µs", "HIP µs", "HIP/CUDA", "of each run")
    widths = [max(map(len, column)) for column in zip(titles, *rows)]
    for row in (titles, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for row in alone:
        print(f"{' '.join(row[:-1])}: timed by {row[-1]} alone")
    for time in TIMES:
        if found := ratios[time]:
            print(f"{time}: {len(found)} ratios, geometric mean {math.exp(statistics.fmean(found)):.4f}; from one: {distances(found)}")
        if found := repeats[time]:
            print(f"{time}: {len(found)} pairs of runs of one backend, from each other: {distances(found)}")

    wrong = [(key, where, what) for key, seen in record.verdicts.items() for where, what in seen.items() if what != "right"]
    both = [(key, stage) for key, seen in record.verdicts.items() for stage in STAGES if {("cuda", stage), ("hip", stage)} <= set(seen)]
    differ = [(key, stage) for key, stage in both if record.verdicts[key]["cuda", stage] != record.verdicts[key]["hip", stage]]
    count = len({key for key, _ in both})
    print(f"verdicts: {count} of a contestant on a workload by both, {len(differ)} of them different; {len(wrong)} not right")
    for key, where, what in wrong:
        print(f"not right: {' '.join(key)}, {' '.join(where)}: {what}")
    return 1 if differ or wrong or not ratios["cold"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default=ROOT / "build/hip-nvidia/bin/podium")
    parser.add_argument("--problems", type=pathlib.Path, help="a folder that --only-problems made; default: made anew")
    parser.add_argument("--results", type=pathlib.Path, help="a new folder for the runs; default: not kept")
    parser.add_argument("--turns", type=int, default=2, help="runs of each backend")
    parser.add_argument("--compare", type=pathlib.Path, nargs="+", metavar="RESULTS")
    parser.add_argument("--only-problems", type=pathlib.Path, metavar="DIR")
    parser.add_argument("only", nargs="*", metavar="PROBLEM")
    own, more = sys.argv[1:], list(OPTIONS)
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    given = parser.parse_args(own)
    if given.compare:
        return compare(given.compare)
    if given.only_problems:
        make_problems(given.only_problems)
        return 0

    with tempfile.TemporaryDirectory() as scratch:
        problems, results = given.problems or pathlib.Path(scratch) / "problems", given.results or pathlib.Path(scratch) / "results"
        if not given.problems:
            make_problems(problems)
        for turn in range(given.turns):
            for backend in ("hip", "cuda") if turn % 2 else ("cuda", "hip"):
                run(given.podium, given.only, problems, backend, results / f"{backend}{turn}", more)
        return compare([results])


if __name__ == "__main__":
    sys.exit(main())
