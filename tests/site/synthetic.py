# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Documents of made-up runs, as `podium publish` writes them: any size, the same bytes for the same arguments.

synthetic.py FILE [--problems N] [--contestants N] [--devices N] [--runs N] [--hostile]
"""

import argparse
import hashlib
import json
import math
import random
from pathlib import Path

KINDS = ("cuda", "triton", "portable", "cutile", "kokkos")
TIERS = {"triton": "sealed", "cutile": "sealed"}
DEVICES = (
    ("nvidia-h200-sm_90-140g", "NVIDIA H200", "sm_90", "cuda", 4.2e12, 6.6e14),
    ("amd-instinct-mi300x-gfx942-192g", "AMD Instinct MI300X", "gfx942", "hip", 4.0e12, 5.9e14),
    ("nvidia-b200-sm_100a-180g", "NVIDIA B200", "sm_100a", "cuda", 7.1e12, 1.6e15),
    ("amd-epyc-x86-64-v4-24g-2-threads", "AMD EPYC", "x86-64-v4", "host", 2.1e10, 3.0e11),
)
LANGUAGES = {"cuda": "CUDA", "portable": "CUDA/HIP", "triton": "Triton", "cutile": "cuTile", "kokkos": "Kokkos"}
BACKENDS = {name: {"vendor": vendor, "processor": not vendor} for name, vendor in (("cuda", "NVIDIA"), ("hip", "AMD"), ("host", ""))}
METRICS = (
    {"key": "hot_us", "header": "hot", "unit": "µs", "importance": 2, "meaning": "nothing flushed", "closing": "never ranked", "difference": ""},
    {"key": "steady_us", "header": "", "unit": "µs", "importance": 2, "meaning": "", "closing": "never ranked", "difference": "in a stream of calls"},
    {"key": "constructor_us", "header": "constructor", "unit": "µs", "importance": 1, "meaning": "paid once", "closing": "", "difference": ""},
    {"key": "energy_uj", "header": "energy", "unit": "µJ", "importance": 2, "meaning": "of a call", "closing": "", "difference": ""},
    {"key": "bus_gb_per_s", "header": "bus GB/s", "unit": "", "importance": 3, "meaning": "what each sends", "closing": "never ranked", "difference": ""},
    {"key": "skew_us", "header": "skew", "unit": "µs", "importance": 2, "meaning": "of ranks", "closing": "", "difference": ""},  # nobody has it
)
EMULATED = ("cuda-emulated-sm_100a", "NVIDIA, emulated", "sm_100a", "cuda", 0, 0)
SHORT = "cub"  # a contestant's name that is shorter than that of its language
WORDS = "warp tile shared async pipeline register swizzle vector block split ragged paged fused".split()

# What nobody should be able to do with a name, a title, an author or a text.
HOSTILE = (
    "</script><script>window.broken = 1</script>",
    "\"><img src=x onerror='window.broken = 2'>",
    "'; window.broken = 3; //",
    "\u2028window.broken = 4\u2029",
    "=cmd|' /C calc'!A0",
    "../../../etc/passwd",
    "{{ 7 * 7 }}{% raw %}",
    "| a | [x](javascript:window.broken=5) `b` |",
    "\u202egnp.exe \ud800 \x00",
    "javascript:window.broken=6",
    "@everyone see https://x.example/#1 and www.x.example",
    "# -1+1; fixes #12",
)


def _hash(*parts):
    return hashlib.sha256("/".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()


# Real sources, so that highlighting costs what it does; a last line makes each its own.
SOURCES = sorted(file for file in (Path(__file__).parents[2] / "kernels").glob("*/*.*") if file.suffix in (".cu", ".cpp", ".py"))


class Document:
    def __init__(self, problems, contestants, devices, runs, hostile):
        self.chance = random.Random(1)
        self.hostile, self.newest = hostile, runs - 1
        self.problems = [self._name("problem", i) for i in range(problems)]
        self.unmeasured = HOSTILE[-1] if hostile else "unmeasured"
        self.contestants = [self._name("contestant", i) for i in range(contestants)]
        self.sources = {}
        self.records = {}
        for problem in self.problems:
            self.records[problem] = [self._record(problem, i) for i in range(contestants)]
        self.runs = []
        for number in range(runs):
            for index, device in enumerate(DEVICES[:devices]):
                self.runs.append(self._run(device, f"2026-{1 + number:02d}-{10 + index}T08:30:00Z", number))
        self.runs.append(self._run(EMULATED, "2026-01-20T08:30:00Z", 0))

    def _name(self, kind, i):
        if self.hostile and i % 3 == 1:
            return HOSTILE[i // 3 % len(HOSTILE)]
        return SHORT if (kind, i) == ("contestant", 1) else f"{kind}_{i:02d}"

    def _word(self, words, i):
        return HOSTILE[i % len(HOSTILE)] if self.hostile else words

    def _record(self, problem, i):
        name, kind = self.contestants[i], KINDS[i % len(KINDS)]
        like = self.chance.choice(SOURCES)
        text = like.read_text() + f"// {name} for {problem}\n"
        if self.hostile:
            text += "\n".join(HOSTILE) + "\n"
        sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        file = name + "".join(like.suffixes)
        self.sources[sha256] = {"file": file, "text": text, "lines": text.count("\n"), "license": self._word("Apache-2.0", i)}
        return {
            "author": self._word(f"author {i % 4}", i + 2), "file": file, "kind": kind, "name": name, "problem": problem,
            "sha256": sha256, "source": self._word("https://example.org/x" if i % 3 == 0 else "", i),
            "tier": TIERS.get(kind, "native"), "title": self._word(f"Title of {name}, {self.chance.choice(WORDS)}", i + 5),
        }  # fmt: skip

    def _run(self, device, started, number):
        slug, product, architecture, backend, copy, _ = device
        emulated = device is EMULATED
        boards = [self._board(problem, i, device, number) for i, problem in enumerate(self.problems)]
        run = {
            "boards": [
                {"problem": b["problem"], "types": b["types"], "stage": "bench", "sha256": _hash(b["problem"], number // 2),
                 "judge_overhead": 299.0, "tolerance": 20.0}
                for b in boards
            ],
            "command": f"podium run --device {backend}:0", "commit": _hash(number)[:7], "contestants": sum(self.records.values(), []),
            "compilers": [{"backend": backend, "flags": ["-O3"], "version": "13.0"}],
            "copy_bytes_per_second": copy, "cpu": "Xeon", "driver": "driver 580", "kernel": "Linux 6.18", "podium": "0.1.0",
            "device": {"product": product, "architecture": architecture, "backend": backend, "memory": 150109880320, "partition": "", "power_cap": 0.0},
            "rounds": 7, "sandbox": ["uid", "seccomp"], "sandbox_without": {"landlock": self._word("no kernel support", 1)},
            "schema": 1, "started": started, "spent": {"samples": 12345}, "wall_seconds": 321.0,
        }  # fmt: skip
        if number == 1 and not emulated:  # resumed: one contestant was measured again beside the baseline
            again = self._board(self.problems[0], 0, device, number)
            boards.append(again | {"series": 1, "rows": again["rows"][:2], "set_aside": {"its round was begun anew": 3}})
            run["segments"] = [{"started": started, "commit": _hash(number)[:7]}, {"started": started, "commit": _hash(number, 1)[:7]}]
        refused = [
            {"problem": b["problem"], "types": b["types"], "contestant": r["contestant"], "verdict": r["verdict"], "text": r["text"],
             "failure": True, "count": 3, "workloads": ["w0"]}
            for b in boards for r in b["rows"] if r["standing"] == "failed"
        ]  # fmt: skip
        verified = [
            {"problem": b["problem"], "types": b["types"], "contestant": r["contestant"], "emulated": emulated,
             "workloads": [{"workload": "n=1", "stage": "test", "worst_error": 0.4, "left_out": 0, "text": "largest error 0.4 of the limit at y[0]",
                            "checked": {"calls": 1, "elements": 4096, "compared": 4096, "examined": 0, "bytes": 99}}]}
            for b in boards for r in b["rows"] if r["standing"] == "verified"
        ]  # fmt: skip
        return {
            "id": f"{slug}/{started.replace('-', '').replace(':', '')}-{_hash(slug, number)[:4]}", "device": slug, "emulated": emulated, "run": run,
            "report": {"boards": boards, "overall": [], "schema": 1, "provenance": {}},
            "audit": {"attested": True, "samples": 12345, "checked": {"calls": 12345, "elements": 10**9, "compared": 9 * 10**8, "examined": 0, "bytes": 10**10}, "verdicts": {"right": 900, "wrong": len(refused)}, "refused": refused, "excused": [], "verified": verified},
            "series": {"clock_mhz": [1980 - i % 60 for i in range(2000)], "temperature_c": [40 + i % 9 for i in range(2000)], "power_w": [None] * 2000},
        }  # fmt: skip

    def _board(self, problem, index, device, number):
        workloads = [f"w{w}" if not self.hostile else HOSTILE[w] for w in range(5)]
        light = [10 ** (1 + 0.4 * w) * (1 + index % 7) * 4e12 / (device[4] or 4e12) for w in range(5)]
        rows = []
        speeds = sorted(1.05 + 6 * self.chance.random() ** 2 + 0.1 / (1 + number) for _ in self.contestants)
        order = self.chance.sample(range(len(self.contestants)), len(self.contestants))
        for place, (i, speed) in enumerate(zip(order, speeds)):
            rows.append(self._row(problem, index, i, place, speed, workloads, light, device))
        if device is not EMULATED:
            _tie(rows)
        return {
            "baseline": self.contestants[order[min(1, len(order) - 1)]], "problem": problem, "title": self._word(f"Title of {problem}", index),
            "types": "f32" if index % 2 else "bf16", "stage": "bench", "rounds": 0 if device is EMULATED else 7, "planned_rounds": 7,
            "workloads": workloads, "delta": 0.002, "rows": rows, "canary": {"entries": 99, "put_off": 1, "disturbed": index % 2},
            "conditions": {"clock_mhz": 1978.0, "temperature_c": 44.0, "power_w": 290.0, "discarded": 0, "slow": 0}, "empty_call_us": 1.3,
        }  # fmt: skip

    def _row(self, problem, index, i, place, speed, workloads, light, device):
        record = self.records[problem][i]
        row = {
            "contestant": record["name"], "title": record["title"], "author": record["author"], "kind": record["kind"], "tier": record["tier"],
            "baseline": place == 1, "standing": "ranked", "verdict": "", "text": "", "rank": place + 1, "last": place + 1, "undecided": [],
            "worst_error": 0.1 + 0.04 * (i % 20), "workloads": [],
        }  # fmt: skip
        if device is EMULATED:
            if place % 3 == 1:  # no judge says so; a site must not believe it either
                return row | {"time_us": 1.5, "score": 2.0, "sol": 0.9}
            return row | {"standing": "verified", "rank": None, "last": None, "time_us": None}
        if i % 9 == 8 and place > 3:
            wrong = self._word("largest error 1.4 of the limit at y[3, 5]; repeat: podium verify x --seed 77", i)
            return row | {"standing": "failed", "verdict": "wrong", "text": wrong, "rank": None, "last": None, "baseline": False}
        for name, least in zip(workloads, light):
            median = least * speed
            row["workloads"].append(
                {"workload": name, "median_us": median, "low_us": median * 0.99, "high_us": median * 1.02, "sol": 1 / speed, "sol_raw": 1 / speed,
                 "gb_per_s": device[4] / 1e9 / speed, "tflop_per_s": device[4] * (0.5 + index % 5) / 1e12 / speed, "rounds": 7}
            )  # fmt: skip
        time = math.exp(sum(math.log(t["median_us"]) for t in row["workloads"]) / len(workloads))
        score = 1.2 / speed
        return row | {
            "time_us": time, "time_low_us": time * 0.99, "time_high_us": time * 1.01, "score": score, "score_low": score * 0.98, "score_high": score * 1.02,
            "sol": 1 / speed, "sol_raw": 1 / speed, "gb_per_s": 4000 / speed, "tflop_per_s": 2.5 / speed, "hot_us": time * 0.97,
            "steady_us": time * (1.01 if i % 2 else 1.04), "constructor_us": 1500.0, "energy_uj": 400 * time, "bus_gb_per_s": 321.0,
        }  # fmt: skip

    def json(self):
        problems = {
            name: {
                "title": self._word(f"Title of {name}", i), "description": self._word("y[i] = x[i]; a formula", i + 1), "sha256": _hash(name, self.newest // 2 - (i % 4 == 3)),
                "yaml": f"podium: 1\ntitle: {self._word('A title', i)}\n", "types": {"f32": {"real": "f32"}, "bf16": {"real": "bf16"}},
                "tensors": [{"name": "x", "role": "input", "dtype": "real", "shape": ["rows", "cols"], "fill": "normal", "tolerance": ""},
                            {"name": "y", "role": "output", "dtype": "real", "shape": ["rows"], "fill": "", "tolerance": self._word("at most 1 unit in the last place of real plus 3 times eps(real) times the reference spread", i)}],
                "reference": [{"name": "y", "text": "y(i) = sum over j of x(i, j)"}], "workloads": {"test": ["a", "b"], "quick": [], "bench": ["w0"]},
                "checks": [], "baseline": {"cuda": "contestant_00"},
            }
            for i, name in enumerate([*self.problems, self.unmeasured])
        }  # fmt: skip
        quantities = lambda device: [
            {"name": "copy", "unit": "B/s", "value": device[4], "low": device[4], "high": device[4], "samples": 11},
            *(
                {"name": name, "unit": "FLOP/s", "value": device[5] * share, "low": device[5] * share, "high": device[5] * share, "samples": 11}
                for name, share in (("matrix_f32", 1), ("matrix_bf16", 0.53), ("fma_f32", 0.05), ("fma_bf16", 0.048), ("fma_f64", 0.025))
            ),
            {"name": "matrix_i8", "unit": "op/s", "value": 0, "low": 0, "high": 0, "samples": 0, "note": self._word("no library", 0)},
        ]
        runs = sorted(self.runs, key=lambda run: (run["run"]["started"], run["id"]))
        calibrations = {d[0]: {"quantities": quantities(d), "provenance": {"started": "2026-01-01T00:00:00Z"}} for d in DEVICES[:2]}
        document = {"podium_site": 1, "metrics": METRICS, "languages": LANGUAGES, "backends": BACKENDS, "runs": runs, "calibrations": calibrations, "problems": problems, "sources": self.sources}
        return document | ({"comparison": self._comparison(runs)} if self.newest else {})

    def _comparison(self, runs):
        """Of the first and the last run of the first device: each verdict in turn."""
        before, *_, after = (run for run in runs if run["device"] == DEVICES[0][0])
        verdicts = ("slower", "fails", "gone", "undecided", "faster", "mended", "new", "same")
        rows = []
        for i, (board, row) in enumerate((board, row) for board in after["report"]["boards"] for row in board["rows"]):
            verdict = verdicts[3 * i % 8]
            timed = verdict in ("same", "faster", "slower")
            rows.append(
                {"problem": board["problem"], "types": board["types"], "stage": "bench", "contestant": row["contestant"],
                 "workload": "w0" if timed else "", "verdict": verdict, "text": self._word("wrong: y[0] is 1", i) if verdict == "fails" else "",
                 "before_us": 100.0 if timed else None, "after_us": 100.0 + i if timed else None, "ratio": 1 + i / 100 if timed else None,
                 "ratio_low": 0.99 + i / 100 if timed else None, "ratio_high": 1.01 + i / 100 if timed else None}
            )  # fmt: skip
        counts = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in verdicts}
        return {"before_run": before["id"], "after_run": after["id"], "margin": 0.01, "counts": counts, "verdicts": verdicts, "notes": [self._word("another driver", 3)], "rows": rows}


def _tie(rows):
    """Neighbours that the measurement does not tell apart."""
    place = 1
    for row in (row for row in rows if row["standing"] == "ranked"):
        row["rank"] = row["last"] = place
        place += 1
    ranked = [row for row in rows if row["standing"] == "ranked"]
    for a, b in ((0, 1), (4, 5), (5, 6)):
        if b < len(ranked):
            ranked[a]["last"] = b + 1
            ranked[b]["rank"] = a + 1


def write(file, problems=3, contestants=6, devices=4, runs=3, hostile=False):
    with open(file, "w", encoding="ascii") as out:
        json.dump(Document(problems, contestants, devices, runs, hostile).json(), out, sort_keys=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    for name, default in (("problems", 50), ("contestants", 20), ("devices", 4), ("runs", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--hostile", action="store_true")
    write(**vars(parser.parse_args()))
