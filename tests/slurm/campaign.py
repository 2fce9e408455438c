# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Small campaigns for tests: two problems that take no time, planned by hand, so that a test knows each shard."""

import csv
import io
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess

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

namespace {{
struct Contestant {{
  void run(const problem::Arguments& a, podium::Stream) {{
    for (std::int64_t i = {loop}) a.y(i) = {value};
  }}
}};
}}  // namespace
"""

FORWARD, BACKWARD = "0; i < a.n; ++i", "a.n - 1; i >= 0; --i"
BOARDS = [(problem, types) for problem in ("half", "twice") for types in ("f32", "f64")]
CONTESTANTS = ("backward", "serial")
# What an earlier test compiled of these problems, for campaigns that are about something else.
PRODUCTS = pathlib.Path(os.environ["PODIUM_TEST_CACHE"]) / "slurm"


def write_problems(folder):
    for problem, value in (("half", "x(i) / 2"), ("twice", "2 * x(i)")):
        own = folder / problem
        own.mkdir(parents=True)
        (own / "problem.yaml").write_text(PROBLEM.format(title=problem.capitalize(), value=value))
        value = value.replace("x(i)", "a.x(i)")
        for name, loop in (("serial", FORWARD), ("backward", BACKWARD)):
            (own / f"{name}.cpp").write_text(CONTESTANT.format(title=name, problem=problem, loop=loop, value=value))


def copy_products(to_copy, folder):
    """Those that are not there; seals last, as what has one is whole."""
    files = [file for file in to_copy.rglob("*") if file.is_file() and file.suffix != ".part"]
    for file in sorted(files, key=lambda file: file.suffix == ".sha256"):
        to = folder / file.relative_to(to_copy)
        if not to.exists():
            to.parent.mkdir(parents=True, exist_ok=True)
            part = to.with_name(f"{to.name}.{os.getpid()}.part")
            shutil.copy(file, part)
            part.rename(to)


class Campaign:
    """A campaign's folder, and `podium cluster` on it."""

    def __init__(self, folder, podium, cluster, shards, rounds, partition="main", scratch="", time_limit=3600, compiled=True):
        self.folder, self.podium, self.cluster = folder, podium, cluster
        problems = folder.parent / "problems"
        if not problems.exists():
            write_problems(problems)
        self.environment = dict(cluster.environment)
        # As on a cluster: no folder of the user's that all nodes see but the campaign's.
        self.environment["XDG_CACHE_HOME"] = str(folder.parent / "nobody's cache")
        folder.mkdir()
        shutil.copytree(problems, folder / "problems")
        if compiled:
            copy_products(PRODUCTS, folder / "products")
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

    def keep_products(self):
        copy_products(self.folder / "products", PRODUCTS)

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

    def await_entries(self, shard):
        """Until the campaign's folder has times of a shard that is still measured."""

        def holds():
            state = self.state_file(shard)
            assert state["state"] in ("waiting", "running"), f"shard {shard} was too fast, or failed: {state}: {self.log(shard)}"
            return any(entry["round"] >= 0 for entry in self.entries(shard))

        slurm.await_that(f"shard {shard} has times", holds)

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
