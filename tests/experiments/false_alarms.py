#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""False alarms between two runs of the same build (A/A): compare.py on `podium bench`, beside `podium compare`.

    tests/experiments/false_alarms.py --podium build/cuda/bin/podium --device cuda:0
    tests/experiments/false_alarms.py --podium build/host/bin/podium --device host --pairs 3 --problems vector_add

Each pair measures the same contestants twice with `podium bench` and twice with `podium run`, in turn. Nothing has
changed, so that each difference found is a false alarm. It counts rows, a contestant on a workload, and pairs with at
least one such row, which is how often a gate would stop an unchanged build. The tests are:

- compare.py's U test at 5 %, on the repetitions of `podium bench`; the same, adjusted for the number of rows (Holm)
- the same two on `podium run --benchmark_out`, whose repetitions are medians of rounds
- `podium compare` with its margin of 1 %, and with none

What has to be compiled is compiled before, outside of --seconds; a cache that `podium build --out` filled elsewhere
spares that (PODIUM_CACHE). compare.py's own code does the U test where
libbenchmark-tools is installed; elsewhere SciPy's mannwhitneyu does, which compare.py calls.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ALPHA = 0.05  # compare.py's own
COMPARE_PY = pathlib.Path("/usr/share/benchmark")


def u_test():
    """A function from the times of two files to a p-value."""
    try:
        sys.path.insert(0, str(COMPARE_PY))
        from gbench.report import calc_utest

        return "compare.py", lambda before, after: calc_utest([before, after], [before, after])[2]
    except ImportError:
        pass
    try:
        from scipy.stats import mannwhitneyu

        return "SciPy", lambda before, after: mannwhitneyu(before, after, alternative="two-sided").pvalue
    except ImportError:
        sys.exit("false_alarms.py: needs SciPy; scripts/setup --numpy installs it in its own Python")


def times_of(file: pathlib.Path) -> dict[str, list[float]]:
    """Of each benchmark without an error, its repetitions."""
    times: dict[str, list[float]] = {}
    for each in json.loads(file.read_text())["benchmarks"]:
        if each.get("run_type") == "iteration" and not each.get("error_occurred") and not each["name"].endswith("+twin"):
            times.setdefault(each["name"], []).append(each["real_time"])
    return times


def holm(p_values: list[float]) -> int:
    """How many are still significant when adjusted for their number."""
    rejected = 0
    for rank, p in enumerate(sorted(p_values)):
        if p >= ALPHA / (len(p_values) - rank):
            break
        rejected += 1
    return rejected


class Count:
    """Alarms by rows and by pairs."""

    def __init__(self) -> None:
        self.rows = self.alarms = self.pairs = self.alarmed = 0

    def add(self, rows: int, alarms: int) -> None:
        self.rows, self.alarms = self.rows + rows, self.alarms + alarms
        self.pairs, self.alarmed = self.pairs + 1, self.alarmed + (alarms > 0)

    def text(self) -> str:
        share = 100 * self.alarms / self.rows if self.rows else float("nan")
        return f"{self.alarms:5} of {self.rows:5} rows ({share:4.1f} %), in {self.alarmed:2} of {self.pairs:2} pairs"


class Measurer:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options, self.folder, self.seconds = options, folder, {"bench": 0.0, "run": 0.0}

    def call(self, command: str, *more: str) -> None:
        o = self.options
        words = [o.podium, command, *o.problems, "--device", o.device, "--quiet", f"--benchmark_filter={o.filter}"]
        words += ["--full"] if o.full else ["--quick"]
        words += [*more, "--results", str(self.folder / "results")]
        began = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True)
        self.seconds[command] += time.monotonic() - began
        if done.returncode not in (0, 1):  # 1: a contestant failed; its rows are left out
            sys.exit(f"false_alarms.py: {' '.join(words)}: {done.stderr}")

    def bench(self) -> dict[str, list[float]]:
        out = self.folder / "bench.json"
        self.call(
            "bench",
            f"--benchmark_repetitions={self.options.repetitions}",
            f"--benchmark_min_time={self.options.min_time}",
            f"--benchmark_out={out}",
            *["--benchmark_enable_random_interleaving"] * self.options.interleaved,
        )
        return times_of(out)

    def run(self) -> tuple[pathlib.Path, dict[str, list[float]]]:
        out = self.folder / "run.json"
        before = set(self.folder.glob("results/*/*/run.json"))
        self.call("run", "--cold-only", f"--benchmark_out={out}")
        (record,) = set(self.folder.glob("results/*/*/run.json")) - before
        return record.parent, times_of(out)

    def compare(self, before: pathlib.Path, after: pathlib.Path, *margin: str) -> tuple[int, int]:
        """Rows, and those said to be faster or slower."""
        words = [self.options.podium, "compare", str(before), str(after), "--format", "json", *margin]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"false_alarms.py: {' '.join(words)}: {done.stderr}")
        counts = json.loads(done.stdout)["counts"]
        found = counts["faster"] + counts["slower"]
        return found + counts["same"] + counts["undecided"], found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--problems", nargs="+", default=["softmax"])
    parser.add_argument("--filter", default="/f32/", help="of Google Benchmark; for `podium run`, too (/f32/)")
    parser.add_argument("--full", action="store_true", help="the bench workloads, not the quick ones")
    parser.add_argument("--repetitions", type=int, default=9, help="of `podium bench` (9, as compare.py recommends)")
    parser.add_argument("--min-time", default="20x", help="of `podium bench`: iterations or seconds (20x)")
    parser.add_argument("--interleaved", action="store_true", help="random interleaving in `podium bench`")
    parser.add_argument("--seconds", type=float, default=280, help="no pair begins that would end later (280)")
    options = parser.parse_args()
    tool, p_value = u_test()
    names = ["compare.py, podium bench", "  adjusted (Holm)", "compare.py, podium run", "  adjusted (Holm)"]
    names += ["podium compare", "  without a margin"]
    counts = [Count() for _ in names]

    with tempfile.TemporaryDirectory() as name:
        warm_up = Measurer(options, pathlib.Path(name))
        warm_up.call("bench", "--benchmark_dry_run")  # compiles
        warm_up.call("run", "--benchmark_dry_run", "--cold-only")
    print(f"compiled and tried once in {sum(warm_up.seconds.values()):.0f} s", flush=True)

    began, done, spent = time.monotonic(), 0, {"bench": 0.0, "run": 0.0}
    while done < options.pairs and (time.monotonic() - began) * (done + 1) <= options.seconds * max(done, 1):
        with tempfile.TemporaryDirectory() as name:
            measurer = Measurer(options, pathlib.Path(name))
            benched, ran = [], []
            for _ in range(2):
                benched.append(measurer.bench())
                ran.append(measurer.run())
            for at, (before, after) in ((0, benched), (2, [times for _, times in ran])):
                p = [p_value(before[row], after[row]) for row in before.keys() & after.keys()]
                counts[at].add(len(p), sum(each < ALPHA for each in p))
                counts[at + 1].add(len(p), holm(p))
            records = [record for record, _ in ran]
            counts[4].add(*measurer.compare(*records))
            counts[5].add(*measurer.compare(*records, "--margin", "0"))
        done += 1
        spent = {command: spent[command] + measurer.seconds[command] for command in spent}
        alarms = ", ".join(f"{count.alarms}" for count in counts)
        print(f"pair {done}: alarms so far {alarms}", flush=True)

    print(f"\n{done} pairs on {options.device} in {time.monotonic() - began:.0f} s; U test by {tool}; seconds a run: "
          f"podium bench {spent['bench'] / max(1, 2 * done):.1f}, podium run {spent['run'] / max(1, 2 * done):.1f}")
    for text, count in zip(names, counts):
        print(f"{text:26} {count.text()}")


if __name__ == "__main__":
    main()
