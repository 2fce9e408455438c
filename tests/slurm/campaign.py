# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Small campaigns for tests, planned by hand, so that a test knows each shard. Of their two problems `twice` takes no
time. `half` sleeps: a shard of many rounds lasts for seconds on every machine, and leaves the processors to others.

As a program, `campaign.py keep|give FOLDER`: what was compiled, from a campaign's folder to later tests, or the other
way round.
"""

import contextlib
import csv
import fcntl
import hashlib
import io
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import slurm

PROBLEM = """podium: 1
title: {title}
axes: [n]
types: {{ real: [f32, f64] }}
tensors:
  x: {{ role: input, dtype: real, shape: [n], fill: {{ uniform: {{ low: -1, high: 1 }} }} }}
  y: {{ role: output, dtype: real, shape: [n], tolerance: {{ ulp: 1, growth: 1 }} }}
reference:
  y: {{ index: [i], value: "{value}" }}
workloads:
  test: [{{ n: 5 }}]
  quick: [{{ n: 100 }}]
  bench: [{{ n: 1000 }}]
baseline: {{ host: serial }}
"""

CONTESTANT = """// podium: {{ title: "{title}" }}
#include <podium/{problem}.hpp>

#include <chrono>
#include <thread>

namespace {{
struct Contestant {{
  void run(const problem::Arguments& a, podium::Stream) {{
    std::this_thread::sleep_for(std::chrono::milliseconds({sleep}));
    for (std::int64_t i = {loop}) a.y(i) = {value};
  }}
}};
}}  // namespace
"""

FORWARD, BACKWARD = "0; i < a.n; ++i", "a.n - 1; i >= 0; --i"
BOARDS = [(problem, types) for problem in ("half", "twice") for types in ("f32", "f64")]
CONTESTANTS = ("backward", "serial")
SLEEP = {"half": 30, "twice": 0}  # milliseconds; five calls a contestant and round
# What tests compiled of campaigns' problems, for campaigns that are about something else.
PRODUCTS = pathlib.Path(os.environ["PODIUM_TEST_CACHE"]) / "slurm"


def write_problems(folder):
    for problem, value in (("half", "x(i) / 2"), ("twice", "2 * x(i)")):
        own = folder / problem
        own.mkdir(parents=True)
        (own / "problem.yaml").write_text(PROBLEM.format(title=problem.capitalize(), value=value))
        value = value.replace("x(i)", "a.x(i)")
        for name, loop in (("serial", FORWARD), ("backward", BACKWARD)):
            (own / f"{name}.cpp").write_text(CONTESTANT.format(title=name, problem=problem, loop=loop, value=value, sleep=SLEEP[problem]))


def copy_products(to_copy, folder):
    """Those that are not there; seals last, as what has one is whole."""
    files = [file for file in to_copy.glob("*/*") if file.suffix in (".plugin", ".program", ".sha256")]
    for file in sorted(files, key=lambda file: file.suffix == ".sha256"):
        to = folder / file.relative_to(to_copy)
        if not to.exists():
            to.parent.mkdir(parents=True, exist_ok=True)
            part = to.with_name(f"{to.name}.{os.getpid()}.part")
            shutil.copy(file, part)
            part.rename(to)


def prepare(podium, problems):
    """Compiles these problems for later campaigns and measures this machine, unless that was done: the calibration."""
    PRODUCTS.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PODIUM_PROBLEMS=str(problems), PODIUM_CACHE=str(PRODUCTS))

    def quietly(*words):
        done = subprocess.run([podium, *words], env=environment, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr

    program = hashlib.sha256(pathlib.Path(podium).read_bytes()).hexdigest()
    calibration = PRODUCTS / "calibrations" / f"{program}.json"
    with open(PRODUCTS / "prepared.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run at once
        quietly("build", "--backend", "host")
        if not calibration.exists():
            with tempfile.TemporaryDirectory() as results:
                quietly("calibrate", "--device", "host", "--results", results)
                calibration.parent.mkdir(exist_ok=True)
                shutil.copy(next(pathlib.Path(results).glob("*/calibration.json")), calibration)
    return calibration


def children_of(parent, command):
    """Of Podium's processes: those with that command."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().split(b"\0")[1:2] == [command.encode()]:
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(entry.name))
        except OSError:
            pass  # it has ended
    return found


class Campaign:
    """A campaign's folder, and `podium cluster` on it."""

    def __init__(self, folder, podium, cluster, shards, rounds, partition="main", scratch="", time_limit=3600, prepared=True):
        self.folder, self.podium, self.cluster = folder, podium, cluster
        problems = folder.parent / "problems"
        if not problems.exists():
            write_problems(problems)
        self.environment = dict(cluster.environment)
        # As on a cluster: no folder of the user's that all nodes see but the campaign's.
        self.environment["XDG_CACHE_HOME"] = str(folder.parent / "nobody's cache")
        folder.mkdir()
        shutil.copytree(problems, folder / "problems")
        self.held = {}
        if prepared:
            calibration = prepare(podium, problems)
            copy_products(PRODUCTS, folder / "products")
            (folder / "calibrations").mkdir()
            for node in cluster.nodes:
                shutil.copy(calibration, folder / "calibrations" / f"{node}-host.json")
        # Of each shard; they are of different boards.
        rounds = rounds if isinstance(rounds, list) else [rounds] * len(shards)
        plan = {
            "podium_plan": 1,
            "campaign": folder.name,
            "rounds": max(rounds),
            "common": {"problem": "twice", "types": "f32", "contestant": ""},
            "partitions": {
                partition: {
                    "partition": partition,
                    "backend": "host",
                    "time_limit_s": time_limit,
                    "scratch": scratch,
                    "setup": ["export CAMPAIGN_SETUP=done"],
                }
            },
            "shards": [self.shard(*one) for one in zip(itertools.count(1), shards, rounds)],
            "cannot": [],
        }
        for shard in plan["shards"]:
            shard["partition"] = partition
        (folder / "plan.json").write_text(json.dumps(plan, indent=1))
        self.ids = [shard["id"] for shard in plan["shards"]]
        self.rounds = dict(zip(self.ids, rounds))

    @staticmethod
    def shard(number, boards, rounds):
        wanted = "|".join(f"{problem}/{types}" for problem, types in boards)
        arguments = ["run", *sorted({problem for problem, _ in boards}), "--quick", "--cold-only", "--quiet"]
        arguments += ["--rounds", str(rounds), f"--benchmark_filter=^({wanted})/"]
        return {
            "id": f"{number:04}",
            "backend": "host",
            "boards": [{"problem": problem, "types": types} for problem, types in boards],
            "contestants": [],
            "first_round": 0,
            "rounds": rounds,
            "arguments": arguments,
            "estimate_s": 60,
            "estimate_from": "default",
        }

    def ran(self, command, *more):
        return subprocess.run(
            [self.podium, "cluster", command, str(self.folder), *more], env=self.environment, text=True, capture_output=True
        )

    def says(self, command, *more):
        done = self.ran(command, *more)
        assert done.returncode == 0, f"podium cluster {command}: status {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout

    def begin(self, shard):
        """`podium cluster shard` as a user types it, or another scheduler."""
        return subprocess.Popen(
            [self.podium, "cluster", "shard", str(self.folder), shard],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def status(self):
        return json.loads(self.says("status", "--format", "json"))

    def shards(self):
        return {shard["id"]: shard for shard in self.status()["shards"]}

    def states(self):
        return {shard["id"]: shard["state"] for shard in self.status()["shards"]}

    def state_file(self, shard):
        file = self.folder / "shards" / shard / "state.json"
        return json.loads(file.read_text()) if file.exists() else {"state": "waiting", "visits": []}

    def entries(self, shard):
        file = self.folder / "shards" / shard / "run" / "entries.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def provenance(self, shard):
        return json.loads((self.folder / "shards" / shard / "run" / "run.json").read_text())

    def log(self, shard):
        file = self.folder / "shards" / shard / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    def await_standing(self, *ids, standing="done"):
        def holds():
            now = {one: self.state_file(one) for one in ids}
            for one, state in now.items():
                unwanted = {"failed", "cancelled"} - {standing}
                assert state["state"] not in unwanted, f"shard {one}: {state}: {self.log(one)}"
            return all(state["state"] == standing for state in now.values())

        slurm.await_that(f"{ids} are {standing}", holds)

    def await_entries(self, *shards):
        """Until the campaign's folder has times of each, which is then held before its end: see let_go()."""

        def holds():
            for shard in set(shards) - set(self.held):
                state = self.state_file(shard)
                assert state["state"] in ("waiting", "running"), f"shard {shard} was too fast, or failed: {state}: {self.log(shard)}"
                if any(entry["round"] >= 0 for entry in self.entries(shard)):
                    self.hold(shard)
            return set(shards) <= set(self.held)

        slurm.await_that(f"shards {shards} have times", holds)

    def hold(self, shard):
        """Stops what measures the shard, so that no wait of the test is too long; whatever may strike it still does."""
        run = children_of(self.process_of(shard), "run")
        assert run, f"shard {shard} was too fast: {self.log(shard)}"
        self.held[shard] = os.pidfd_open(run[0])
        signal.pidfd_send_signal(self.held[shard], signal.SIGSTOP)

    def let_go(self, *shards):
        for shard in shards:
            descriptor = self.held.pop(shard)
            with contextlib.suppress(ProcessLookupError):  # it was struck
                signal.pidfd_send_signal(descriptor, signal.SIGCONT)
            os.close(descriptor)

    def process_of(self, shard):
        """The process of `podium cluster shard` that works on it."""
        words = [b"cluster", b"shard", os.fsencode(str(self.folder)), shard.encode()]
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and (entry / "cmdline").read_bytes().split(b"\0")[1:5] == words:
                    return int(entry.name)
            except OSError:
                pass  # it has ended
        raise AssertionError(f"no process works on shard {shard}")

    def kill(self, shard, by=signal.SIGKILL):
        os.kill(self.process_of(shard), by)

    def check_whole(self, shard):
        """Every contestant of its boards was measured in every round, once, and was right."""
        plan = json.loads((self.folder / "plan.json").read_text())
        boards = [(b["problem"], b["types"]) for s in plan["shards"] if s["id"] == shard for b in s["boards"]]
        found = {}
        for entry in self.entries(shard):
            if entry["round"] < 0 or entry.get("set_aside"):
                continue
            assert entry["verdict"] == "right", entry
            key = (entry["problem"], entry["types"], entry["contestant"], entry["twin"])
            found.setdefault(key, []).append(entry["round"])
        rivals = [(name, False) for name in CONTESTANTS] + [("serial", True)]
        wanted = {(*board, *rival) for board in boards for rival in rivals}
        assert set(found) == wanted, (shard, set(found) ^ wanted)
        for key, rounds in found.items():
            assert sorted(rounds) == list(range(self.rounds[shard])), (shard, key, sorted(rounds))
        provenance = self.provenance(shard)
        assert provenance["wall_seconds"] > 0 and not provenance.get("ended"), provenance


def rows_of(podium, runs, environment):
    """The tables of these runs without what differs from run to run: times and ranks."""
    done = subprocess.run([podium, "report", *map(str, runs), "--format", "csv"], env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    rows = csv.DictReader(io.StringIO(done.stdout))
    return sorted(tuple(row[name] for name in ("device", "problem", "types", "stage", "workload", "contestant", "standing")) for row in rows)


if __name__ == "__main__":
    what, products = sys.argv[1], pathlib.Path(sys.argv[2]) / "products"
    copy_products(*((products, PRODUCTS) if what == "keep" else (PRODUCTS, products)))
