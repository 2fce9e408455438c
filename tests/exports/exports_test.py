#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""exports_test.py PODIUM: each format of `podium report`, read back by a reader that is not Podium's."""
from __future__ import annotations

import csv
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import made_up_run

ROOT = Path(__file__).resolve().parents[2]
PODIUM = sys.argv.pop(1) if len(sys.argv) > 1 else "podium"
WITHOUT_TIMES = {"wrong"}
TIMED = len(made_up_run.TITLES) * 2  # workloads


def prefixes() -> list[Path]:
    given = os.environ.get("PODIUM_PREFIX")
    return [Path(given)] if given else [Path("/opt/podium"), Path.home() / ".local/share/podium"]


def publish_python() -> str | None:
    return next((str(one / "publish/bin/python3") for one in prefixes() if (one / "publish/bin/python3").exists()), None)


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.recorded = made_up_run.write(cls.folder / "results/nvidia-h200/one")

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.folder)

    def report(self, name: str) -> bytes:
        return subprocess.run([PODIUM, "report", self.recorded, "--format", name], check=True, stdout=subprocess.PIPE).stdout

    def expected(self) -> dict[tuple[str, str], float]:
        """(contestant, workload) -> median, by the JSON report."""
        rows = json.loads(self.report("json"))["boards"][0]["rows"]
        return {(row["contestant"], one["workload"]): one["median_us"] for row in rows for one in row["workloads"]}

    def test_csv(self) -> None:
        rows = list(csv.DictReader(io.StringIO(self.report("csv").decode())))
        self.assertEqual(len(rows), TIMED + len(WITHOUT_TIMES))
        times = {(row["contestant"], row["workload"]): float(row["median_us"]) for row in rows if row["median_us"]}
        self.assertEqual(times, self.expected())
        for row in rows:
            for value in row.values():
                self.assertNotRegex(value, r"^[=+@\t\r]|^-(?!\d)", "a spreadsheet would run it")
            if title := made_up_run.TITLES.get(row["contestant"]):
                self.assertIn(row["title"], (title, "'" + title) if "\n" not in title else (title.replace("\n", " "), title))

    def test_markdown_links_nowhere_and_mentions_nobody(self) -> None:
        text = self.report("md").decode()
        self.assertIn("http:&#8203;//x.y, www&#8203;.x.y, @&#8203;everybody and #&#8203;12", text)
        self.assertNotRegex(text, r"://|www\.|@\w|(?<!&)#\d")
        rows = [line for line in text.splitlines() if "and a pipe" in line]
        self.assertTrue(rows)
        for row in rows:
            self.assertIn("two lines \\| and a pipe", row)

    def test_a_run_named_twice_is_reported_once(self) -> None:
        again = self.recorded / ".." / self.recorded.name
        twice = subprocess.run([PODIUM, "report", self.recorded, again, "--format", "md"], check=True, stdout=subprocess.PIPE)
        self.assertEqual(twice.stdout, self.report("md"))

    def timed_report(self, run: Path) -> tuple[subprocess.CompletedProcess, float]:
        """The ended `podium report --format csv`, and its seconds of processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run([PODIUM, "report", run, "--format", "csv"], check=False, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_100_000_entries_take_seconds_of_processor_time(self) -> None:
        """At most three times what two processors of 2023 take; other processes do not lengthen it much."""
        slowdown = float(os.environ.get("PODIUM_SLOWDOWN", "1"))
        run = made_up_run.write(self.folder / "large/nvidia-h200/one", problems=50, contestants=20, workloads=15)
        with open(run / "entries.jsonl", "rb") as file:
            lines = sum(1 for _ in file)
        self.assertGreater(lines, 100_000)
        ended, whole = self.timed_report(run)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        rows = sum(1 for _ in csv.DictReader(io.StringIO(ended.stdout)))
        self.assertEqual(rows, 50 * (20 * 15 + len(WITHOUT_TIMES)))
        with open(run / "entries.jsonl", "ab") as file:
            file.write(b"damaged\n")  # so that nothing is done but reading, up to here
        ended, reading = self.timed_report(run)
        self.assertIn(f"entries.jsonl:{lines + 1}: is not JSON", ended.stderr)
        for what, seconds, most in (("reading", reading, 8), ("reading and reporting", whole, 10)):
            with self.subTest(what):
                self.assertLess(seconds, most * slowdown)

    def test_parquet(self) -> None:
        python = publish_python()
        if not python:
            self.skipTest("needs pyarrow: scripts/setup --publish installs it")
        file = self.folder / "report.parquet"
        file.write_bytes(self.report("parquet"))
        code = ("import json, sys; from pyarrow import parquet; table = parquet.read_table(sys.argv[1]);"
                "print(json.dumps([{f.name: str(f.type) for f in table.schema}, table.to_pylist()]))")
        types, rows = json.loads(subprocess.run([python, "-c", code, file], check=True, stdout=subprocess.PIPE).stdout)
        self.assertEqual([types[name] for name in ("contestant", "rank", "median_us", "blocking")],
                         ["string", "int64", "double", "bool"])
        self.assertEqual({(row["contestant"], row["workload"]): row["median_us"] for row in rows if row["median_us"]}, self.expected())
        self.assertEqual({row["contestant"]: row["title"] for row in rows if row["contestant"] != "wrong"}, made_up_run.TITLES)
        again = self.folder / "again.parquet"
        again.write_bytes(self.report("parquet"))
        self.assertEqual(file.read_bytes(), again.read_bytes())

    def test_benchmark_is_read_by_compare_py(self) -> None:
        file = self.folder / "benchmark.json"
        file.write_bytes(self.report("benchmark"))
        compare = ROOT / "tests/end_to_end/compare_py"
        ended = subprocess.run([compare, "--no-color", "benchmarks", file, file], check=False, capture_output=True, text=True)
        if ended.returncode == 77:
            self.skipTest(ended.stdout)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        for contestant, workload in self.expected():
            name = f"softmax/f32/{workload}/{contestant}"
            lines = [line for line in ended.stdout.splitlines() if line.startswith(name + " ")]
            self.assertEqual(len(lines), made_up_run.ROUNDS, name)
            self.assertIn(name + "_pvalue", ended.stdout)
            self.assertIn(name + "_median", ended.stdout)

    def test_t4_has_what_its_schema_requires(self) -> None:
        document = json.loads(self.report("t4"))
        self.assertRegex(document["schema_version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(len(document["results"]), TIMED + len(WITHOUT_TIMES))
        times = {}
        for result in document["results"]:
            self.assertLessEqual({"configuration", "times", "invalidity", "correctness"}, set(result))
            self.assertIsInstance(result["configuration"], dict)
            self.assertIsInstance(result["timestamp"], str)
            self.assertIn(result["invalidity"], ("timeout", "compile", "runtime", "correctness", "constraints", "correct"))
            self.assertIsInstance(result["correctness"], (int, float))
            self.assertTrue(all(isinstance(one, float) for one in result["times"]["runtimes"]))
            for one in result["measurements"]:
                self.assertIsInstance(one["name"], str)
                self.assertIsInstance(one["unit"], str)
                self.assertIsInstance(one["value"], (int, float, str, list))
            measured = {one["name"]: one["value"] for one in result["measurements"]}
            if result["invalidity"] == "correct":
                self.assertEqual(len(result["times"]["runtimes"]), 10 * made_up_run.ROUNDS)
                self.assertLessEqual(set(result["objectives"]), set(measured))
                key = result["configuration"]["contestant"], result["configuration"]["workload"]
                times[key] = measured["time"] * 1e3
            else:
                self.assertEqual((result["invalidity"], result["correctness"]), ("compile", 0))
        expected = self.expected()
        self.assertEqual(times.keys(), expected.keys())
        for key, time in times.items():
            self.assertAlmostEqual(time, expected[key])

    def test_traces_of_flashinfer_bench(self) -> None:
        """Of a run whose problem an import made; n=4 is a workload of the source, n=1 one of Podium's."""
        problem, to = self.folder / "problems/softmax/support", self.folder / "traces"
        workload = {"uuid": "0123-ab", "axes": {"n": 4}, "inputs": {"x": {"type": "random"}}}
        known = {"definition": "softmax_d4", "op_type": "norm", "workloads": {"n=4": workload},
                 "solutions": {"formula": None, "plus": "a solution", "wrong": "a wrong one"}}
        problem.mkdir(parents=True)
        (problem / "flashinfer_bench.json").write_text(json.dumps(known), encoding="utf-8")
        command = [PODIUM, "export", "flashinfer-bench", self.recorded, "--to", to, "--problems", self.folder / "problems"]
        ended = subprocess.run(command, check=True, capture_output=True, text=True)
        self.assertIn("softmax: workload n=1 is Podium's own", ended.stderr)
        lines = (to / "traces/norm/softmax_d4.jsonl").read_text(encoding="utf-8").splitlines()
        traces = {one["solution"]: one for one in map(json.loads, lines)}
        self.assertEqual(len(lines), len(made_up_run.TITLES) + 1)
        self.assertEqual(set(traces), {"podium_formula", "a solution", "a wrong one", "podium_at", "podium_markup",
                                       "podium_lines", "podium_link"})
        expected = self.expected()
        for one in traces.values():
            self.assertEqual((one["definition"], one["workload"]), ("softmax_d4", workload))
            evaluation = one["evaluation"]
            self.assertEqual(evaluation["environment"]["hardware"], "NVIDIA H200")
            self.assertTrue(all(isinstance(lib, str) for lib in evaluation["environment"]["libs"].values()))
            self.assertEqual(evaluation["timestamp"], "2025-01-31T13:45:00Z")
            # Their schema: these two with PASSED, neither with COMPILE_ERROR.
            passed = evaluation["status"] == "PASSED"
            self.assertEqual(passed, "performance" in evaluation)
            self.assertEqual(passed, "correctness" in evaluation)
        self.assertEqual(traces["a wrong one"]["evaluation"]["status"], "COMPILE_ERROR")
        performance = traces["a solution"]["evaluation"]["performance"]
        self.assertAlmostEqual(performance["latency_ms"], expected["plus", "n=4"] / 1e3)
        self.assertAlmostEqual(performance["reference_latency_ms"], expected["formula", "n=4"] / 1e3)
        self.assertAlmostEqual(performance["speedup_factor"], expected["formula", "n=4"] / expected["plus", "n=4"])

    def test_a_problem_from_elsewhere_has_no_traces(self) -> None:
        command = [PODIUM, "export", "flashinfer-bench", self.recorded, "--to", self.folder / "none", "--problems", self.folder]
        ended = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("softmax: is no import of FlashInfer-Bench", ended.stderr)
        self.assertIn("has no result to export", ended.stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_latex_is_whole_and_has_no_command_of_a_contestants(self) -> None:
        text = self.report("latex").decode()
        own = {"usepackage", "begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule", "multicolumn",
               "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"}
        self.assertLessEqual(set(re.findall(r"\\([A-Za-z]+)", text)), own)
        self.assertIn(r"\textbackslash{}input\{/etc/passwd\} \$x\$ \%", text)
        for kind in re.findall(r"\\begin\{(\w+)\}", text):
            self.assertEqual(text.count(rf"\begin{{{kind}}}"), text.count(rf"\end{{{kind}}}"), kind)
        plain = text.replace(r"\\", "\n").replace(r"\{", "").replace(r"\}", "")
        self.assertEqual(plain.count("{"), plain.count("}"))
        columns = len(re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)[1])
        body = text.split(r"\toprule")[1].split(r"\bottomrule")[0].replace(r"\midrule", "")
        for line in filter(str.strip, body.splitlines()):
            self.assertTrue(line.endswith(r" \\"), line)
            wide = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", line))
            self.assertEqual(len(re.findall(r"(?<!\\)&", line)) + 1 + wide, columns, line)

    def test_a_folder_gets_the_format_alone(self) -> None:
        out = self.folder / "out"
        subprocess.run([PODIUM, "report", self.recorded, "--format", "t4", "--out", out], check=True)
        self.assertEqual(os.listdir(out), ["report.t4.json"])
        self.assertEqual((out / "report.t4.json").read_bytes(), self.report("t4"))
        subprocess.run([PODIUM, "report", self.recorded, "--out", self.folder / "three"], check=True)
        self.assertEqual(sorted(os.listdir(self.folder / "three")), ["report.csv", "report.json", "report.md"])


if __name__ == "__main__":
    unittest.main()
