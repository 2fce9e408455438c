#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Times of kernels that memory bounds, by Podium and by Nsight Compute, side by side.

  ncu.py [--podium PODIUM] [--device cuda:0] [--rounds 3] [--json FILE]

Each contestant below runs with `podium run`, and once more, on the same workloads, with
`podium verify --under 'ncu --metrics gpu__time_duration.sum --clock-control none'`, which empties caches before each
kernel. A call's time by ncu is the sum over its kernels of their median durations. What Podium's time has beyond it, less
the empty call, is to be within 1 % or 0.5 µs where a call is one kernel: exit status 1 if it is not, or if a kernel was
not seen. Between several kernels passes time that is none of theirs.
"""

import argparse
import collections
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARE, MICROSECONDS = 0.01, 0.5  # that the clocks may differ by
REPEATS = 3  # of each look by ncu

# problem, contestant: its workloads, as TYPES/NAME. None whose addresses depend on its inputs: ncu lets a kernel run
# before its gate, on poison.
KERNELS = {
    ("vector_add", "vectorized"): ["f32/n=4096", "f32/n=16384"],
    ("vector_add", "cub"): ["f32/n=4096", "f32/n=8192"],
    ("softmax", "cub"): ["f32/rows=4096,cols=32768", "f32/rows=8192,cols=8192"],
    ("softmax", "online"): ["bf16/rows=8192,cols=8192"],
    ("softmax", "naive"): ["f32/rows=65536,cols=1024"],
    ("rms_norm", "registers"): ["bf16/tokens=16384,hidden=7168", "f32/tokens=16384,hidden=4096"],
    ("rms_norm", "cub"): ["bf16/tokens=65536,hidden=2048"],
    ("rope", "vectorized"): ["bf16/tokens=16384,heads=64,head_dim=128,positions=8192"],
    ("transpose", "tiled"): ["f32/rows=8192,cols=8192", "bf16/rows=8192,cols=8192"],
    ("sum", "cub"): ["f32/n=52428800"],
    ("sum", "two_stage"): ["f32/n=52428800"],
}


class Failed(Exception):
    """A command did not do what it should; its words."""


def run(podium: str, arguments: list[str]) -> str:
    done = subprocess.run([podium, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{podium} {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def podiums_times(podium: str, problem: str, contestants: list[str], device: str, rounds: int) -> dict:
    """Of (contestant, TYPES/WORKLOAD): median, steady, empty call; microseconds."""
    with tempfile.TemporaryDirectory() as results:
        text = run(podium, ["run", problem, "--contestant", *contestants, "--device", device, "--full", "--quiet",
                            "--rounds", str(rounds), "--results", results, "--format", "json"])
    times = {}
    for board in json.loads(text)["boards"]:
        for row in board["rows"] if board["stage"] == "bench" else []:
            for timing in row["workloads"]:
                if "median_us" in timing:
                    key = row["contestant"], f"{board['types']}/{timing['workload']}"
                    times[key] = timing["median_us"], timing.get("steady_us"), board["empty_call_us"]
    return times


def ncus_time(podium: str, problem: str, contestant: str, workload: str, device: str) -> tuple[float, int]:
    """Microseconds of a call, and how many kernels it has."""
    calls = 4  # a warm-up, one that ncu runs although its gate is closed, one with each pattern of poison
    durations = collections.defaultdict(list)
    unit = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "ncu.csv"
            tool = f"ncu --metrics gpu__time_duration.sum --clock-control none --csv --log-file {log}"
            run(podium, ["verify", problem, "--contestant", contestant, "--workload", workload, "--device", device,
                         "--quiet", "--under", tool])
            lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
        for row in csv.DictReader(lines):
            value = float(row["Metric Value"].replace(",", "")) * unit[row["Metric Unit"]]
            durations[row["Kernel Name"], row["Block Size"], row["Grid Size"]].append(value)
    if not durations:
        raise Failed(f"ncu has seen no kernel of {problem} {contestant}")
    per_call = {name: len(values) / (REPEATS * calls) for name, values in durations.items()}
    return sum(per_call[name] * statistics.median(values) for name, values in durations.items()), round(sum(per_call.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", default=str(ROOT / "build/cuda/bin/podium"))
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, help="a file for all numbers")
    given = parser.parse_args()

    contestants = collections.defaultdict(list)
    for problem, contestant in KERNELS:
        contestants[problem].append(contestant)
    rows, apart = [], 0
    for problem, names in contestants.items():
        times = podiums_times(given.podium, problem, names, given.device, given.rounds)
        for name in names:
            for workload in KERNELS[problem, name]:
                median, steady, empty = times[name, workload]
                try:
                    ncu, kernels = ncus_time(given.podium, problem, name, workload, given.device)
                except Failed as failed:
                    print(failed, file=sys.stderr)
                    apart += 1
                    continue
                beyond = median - empty - ncu
                agrees = abs(beyond) <= max(MICROSECONDS, SHARE * ncu)
                apart += kernels == 1 and not agrees
                rows.append({"problem": problem, "contestant": name, "workload": workload, "kernels": kernels, "podium_us": median,
                             "steady_us": steady, "empty_us": empty, "ncu_us": ncu, "beyond_us": beyond, "agrees": agrees})
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print("| problem | contestant | workload | kernels | Podium, µs | steady, µs | ncu, µs | Podium less the empty call less ncu, µs | % |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        print("| {problem} | {contestant} | {workload} | {kernels} | {podium_us:.2f} | {steady} | {ncu_us:.2f} | {beyond_us:+.2f} |".format(**row, steady=f"{row['steady_us']:.2f}" if row["steady_us"] else "–"),
              f"{100 * row['beyond_us'] / row['ncu_us']:+.2f}{'' if row['agrees'] else ' (apart)'} |")
    print(f"{sum(row['agrees'] for row in rows)} of {len(rows)} agree within {100 * SHARE:.0f} % or {MICROSECONDS} µs")
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
