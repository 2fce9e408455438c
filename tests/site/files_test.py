# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What the site's files hold: the same bytes each time, little weight, nothing of an old run missing, nothing hostile."""

import json
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

import building
import synthetic
from pages import Page, broken_links, unreachable

sys.path.insert(0, str(building.ROOT / "site"))
from podium_site import audit, document as documents, highlight, text  # noqa: E402
from podium_site.pages import Pages, legend_of  # noqa: E402

MOST_BYTES = 1_000_000  # of a page with its own resources
MOST_SECONDS = 14  # of processor time, seven seconds on two cores: half as much again as it takes on a busy machine


def all_files(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


class Built(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parent = tempfile.mkdtemp(prefix="podium-site-")
        cls.addClassCleanup(shutil.rmtree, cls.parent)

    def path(self, name):
        return Path(self.parent) / name


class Sizes(Built):
    def test_a_large_site_is_light_and_quick(self):
        document = self.path("large.json")
        synthetic.write(document, problems=50, contestants=20, devices=4, runs=1)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = building.build(document, self.path("large"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        weights = {}
        for file in self.path("large").rglob("*.html"):
            resources = {(file.parent / name).resolve() for name in Page(file).resources}
            weights[str(file.relative_to(self.path("large")))] = sum(f.stat().st_size for f in {file, *resources})
        heaviest = max(weights, key=weights.get)
        print(f"{seconds:.1f} s of processor time; the heaviest of {len(weights)} pages is {heaviest}: {weights[heaviest] / 1e6:.2f} MB")
        self.assertLess(seconds, MOST_SECONDS)
        self.assertLess(weights[heaviest], MOST_BYTES)


class Content(Built):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small = building.made_up(cls.parent, "small")
        cls.hostile = building.made_up(cls.parent, "hostile", problems=9, contestants=30, hostile=True)

    def test_two_builds_are_equal_byte_for_byte(self):
        first = all_files(self.small)
        again = building.build(self.path("small.json"), self.path("again"), "--processes", "1")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(first, all_files(self.path("again")))

    def test_each_link_leads_to_a_file_and_to_a_place_in_it(self):
        for folder in (self.small, self.hostile):
            self.assertGreater(len(list(folder.rglob("*.html"))), 20)
            self.assertEqual(broken_links(folder), [])

    def test_links_lead_to_each_page(self):
        for folder in (self.small, self.hostile):
            self.assertEqual(unreachable(folder), [])

    def test_a_problem_without_runs_says_how_to_measure_it(self):
        front = (self.small / "index.html").read_text()
        self.assertRegex(" ".join(Page(self.small / "index.html").text), r"3\s+problems\b")
        listed = front[front.index('id="unmeasured"') :]
        self.assertRegex(listed, '<a href="problem/unmeasured.html">unmeasured</a>')
        page = self.small / "problem" / "unmeasured.html"
        self.assertNotIn("data-filters", page.read_text())
        self.assertIn("No run has measured this problem yet", " ".join(Page(page).text))
        self.assertIn("<code>scripts/podium run unmeasured</code>", page.read_text())
        self.assertIn("data-filters", (self.small / "problem" / "problem_00.html").read_text())

    def test_a_problem_explains_its_tolerances(self):
        words = re.sub(r"\s+", " ", " ".join(Page(self.small / "problem" / "problem_00.html").text))
        self.assertIn("real is a board's type, bf16 or f32; eps(t) is the gap between 1 and the next number of type t; other names are defined below.", words)

    def test_columns_are_those_of_the_document(self):
        page = (self.small / "problem/problem_00.html").read_text(encoding="utf-8")
        board = page[page.index('<table class="wide ranking"') :]
        heads = re.findall(r'<th scope="col" class="n" data-csv="([a-z_]+)">([^<]*)</th>', board[: board.index("</thead>")])
        shown = [("bus_gb_per_s", "bus GB/s"), ("hot_us", "hot"), ("energy_uj", "energy"), ("constructor_us", "constructor")]
        self.assertEqual(heads[-4:], shown)
        self.assertIn("<b>bus GB/s</b>: what each sends; <b>hot</b>: nothing flushed; never ranked. <b>energy</b>: of a call; <b>constructor</b>: paid once. <b>err/tol</b>: ", page)
        told = re.search(r"In a stream of calls: ([^;]*); never ranked\.", page)[1]
        self.assertIn("contestant_00", told)
        self.assertNotIn(f"{synthetic.SHORT} ", told)  # differs by little

    def test_ids_are_unique(self):
        for folder in (self.small, self.hostile):
            for file in folder.rglob("*.html"):
                ids = Page(file).ids
                self.assertEqual(len(ids), len(set(ids)), file)

    def test_tables_can_be_copied_and_have_captions(self):
        for file in self.small.rglob("*.html"):
            for can_be_copied, has_caption in Page(file).tables:
                self.assertTrue(can_be_copied and has_caption, file)

    def test_nothing_absent_is_printed(self):
        for file in self.small.rglob("*.html"):
            words = " ".join(Page(file).text)
            for wrong in ("None", "nan", "Undefined", "{{", "&amp;"):
                self.assertIsNone(re.search(rf"(?<!\w){re.escape(wrong)}(?!\w)", words), f"{file}: {wrong}")

    def test_previews_of_links_say_who_is_fastest(self):
        for folder in (self.small, self.hostile):
            for file in folder.rglob("*.html"):
                page = file.read_text(encoding="utf-8")
                name, graph = re.search('<meta name="description" content="([^"]+)">', page), re.search('<meta property="og:description" content="([^"]+)">', page)
                self.assertEqual(name[1], graph[1], file)
        problem = (self.small / "problem" / "problem_00.html").read_text()
        self.assertRegex(problem, r'content="Title of problem_00\. Fastest on AMD Instinct MI300X \(gfx942\), bf16: contestant_\d+ and contestant_\d+, [\d.]+\xa0µs, [\d.]+\xa0% of the speed of light\."')

    def test_nothing_is_loaded_from_elsewhere(self):
        for file in self.small.rglob("*.html"):
            for name in Page(file).resources:
                self.assertNotRegex(name, "^([a-z]+:|/)", file)

    def test_hostile_texts_bring_no_scripts_and_no_handlers(self):
        for file in self.hostile.rglob("*.html"):
            page = Page(file)
            self.assertEqual(page.handlers, [], file)
            self.assertEqual(page.inline, [], file)
            self.assertFalse([link for link in page.links if link.lower().startswith("javascript:")], file)
            self.assertNotRegex(file.read_text(encoding="utf-8"), "[\x00-\x08\u202a-\u202e]", file)
        for file in self.hostile.rglob("*.js"):
            if file.parent.name != "assets":
                self.assertRegex(file.read_text(encoding="ascii"), r"\A[a-zA-Z]+\([^<>&]*\);\n\Z", file)

    def test_hostile_texts_are_shown(self):
        words = " ".join(t for file in self.hostile.rglob("*.html") for t in Page(file).text)
        for shown in ("</script><script>window.broken = 1</script>", "=cmd|' /C calc'!A0", "../../../etc/passwd", "{{ 7 * 7 }}", "⟨U+202E⟩gnp.exe ⟨U+D800⟩ ⟨U+0000⟩"):
            self.assertIn(shown, words)

    def test_files_lie_in_the_folder_and_no_two_differ_by_case_alone(self):
        files = [str(f.relative_to(self.hostile)) for f in self.hostile.rglob("*") if f.parent.name != "assets"]
        self.assertTrue(all(re.fullmatch(r"[A-Za-z0-9._/-]+", name) for name in files))
        self.assertEqual(len(files), len({name.lower() for name in files}))
        self.assertEqual({f.name for f in Path(self.parent).iterdir()} - {"again"}, {"small", "small.json", "hostile", "hostile.json"} | self.left())

    def left(self):
        return {f.name for f in Path(self.parent).iterdir() if f.name.startswith("other")}

    def test_what_was_not_timed_has_no_rank_and_no_time(self):
        device = Page(self.small / "device" / "cuda-emulated-sm_100a.html")
        self.assertIn("verified · not timed", " ".join(device.text))
        run = " ".join(Page(next((self.small / "run").glob("cuda-emulated*.html"))).text)
        self.assertIn("largest error 0.4 of the limit", run)
        self.assertIn("4 096", run)
        self.assertIn("right on 1 workload", (self.small / "problem" / "problem_00.html").read_text())
        for file in self.small.rglob("problem/problem_*.html"):
            page = file.read_text(encoding="utf-8")
            section = page[page.index('data-device="cuda-emulated-sm_100a"') :]
            section = section[: section.index("</section>")]
            self.assertIn("verified · not timed", section)
            self.assertNotRegex(section, r'class="rank"|class="wide ranking"| µs| ms\b|<svg|% SOL')
        for file in (self.small / "index.html", self.small / "history.html", self.small / "data" / "standing.js"):
            table = file.read_text(encoding="utf-8").split('class="verified"')[0]
            self.assertNotRegex(table, "cuda-emulated|NVIDIA, emulated", file)

    def test_history_has_intervals(self):
        page = (self.small / "history.html").read_text()
        charts = re.findall(r'<svg class="chart past".*?</svg>', page, re.DOTALL)
        self.assertGreater(len(charts), 3)
        for chart in charts:
            self.assertEqual(chart.count('class="ci"'), chart.count("<circle"))
            self.assertRegex(chart, r'class="break".*revision [0-9a-f]{8}<', "runs of two revisions do not compare")
            label = re.search('aria-label="([^"]*)"', chart)[1]
            self.assertEqual(len(re.findall(r"µs, 95 % [\d.]+ to [\d.]+ µs|ms, 95 % [\d.]+ to [\d.]+ ms", label)), chart.count("<circle"), label)
        rows = re.findall("<tr id=.*</tr>", page)
        self.assertTrue(rows and all(re.search(r"[\d.]+ to [\d.]+ [µm]s", row) for row in rows))

    def test_a_comparison_shows_the_worst_first(self):
        rows = re.findall(r'<tr id="[^"]+"><td><span class="tag[^"]*">(\w+)</span>', (self.small / "comparison.html").read_text())
        order = ["slower", "fails", "gone", "undecided", "faster", "mended", "new", "same"]
        self.assertEqual(list(dict.fromkeys(rows)), order)
        self.assertEqual(rows, sorted(rows, key=order.index))
        with tempfile.TemporaryDirectory() as parent:
            self.assertFalse((building.made_up(parent, "single", runs=1) / "comparison.html").exists())

    def test_a_later_series_ranks_nobody(self):
        with tempfile.TemporaryDirectory() as parent:
            site = building.made_up(parent, "resumed", runs=2, problems=1)
            words = (site / "problem" / "problem_00.html").read_text()
            self.assertIn("Measured in a later series of this run, beside the baseline alone", words)
            ids = [name for name in Page(site / "problem" / "problem_00.html").ids if re.fullmatch(r"nvidia-h200.*--(contestant_\d+|cub)", name)]
            self.assertEqual(len(ids), 6)
            runs = [Page(file) for file in (site / "run").glob("*nvidia-h200*.html")]
            self.assertTrue(any("series 1" in " ".join(page.text) for page in runs))
            self.assertTrue(all(len(page.ids) == len(set(page.ids)) for page in runs))

    def test_boards_that_a_run_has_not_reached_are_named_there_alone(self):
        made_up = json.loads(self.path("small.json").read_text())
        boards = made_up["runs"][-2]["report"]["boards"]
        boards.append(boards[0] | {"types": "never_reached", "rows": []})
        with tempfile.TemporaryDirectory() as parent:
            document, site = Path(parent) / "unreached.json", Path(parent) / "site"
            document.write_text(json.dumps(made_up))
            self.assertEqual(building.build(document, site).returncode, 0)
            named = [file for file in site.rglob("*.html") if "never_reached" in file.read_text()]
            self.assertEqual([file.parent.name for file in named], ["run"])
            self.assertIn("Boards that it did not reach: problem_00 never_reached", named[0].read_text())

    def test_shards_of_a_campaign_are_no_resumptions(self):
        def run(*segments):
            return types.SimpleNamespace(run={"segments": [dict(zip(("shard", "node", "started", "commit"), one)) for one in segments]})

        two = run(("a", "node1", "10:00", "c1"), ("b", "node2", "10:00", "c1"))
        self.assertEqual((audit.shards(two), audit.resumptions(two)), ("2 shards on node1, node2", ""))
        again = run(("a", "node1", "10:00", "c1"), ("b", "node2", "10:00", "c1"), ("a", "node3", "11:00", "c2"))
        self.assertEqual((audit.shards(again), audit.resumptions(again)), ("2 shards on node1, node2, node3", "shard a: 11:00, commit c2"))
        plain = run(("", "", "10:00", "c1"), ("", "", "11:00", "c2"))
        self.assertEqual((audit.shards(plain), audit.resumptions(plain)), ("", "11:00, commit c2"))

    def test_old_runs_lack_fields(self):
        for absent in (dict.pop, lambda holder, key: holder.update({key: None})):
            self.path("other.json").write_text(json.dumps(self.bare(absent)))
            ended = building.build(self.path("other.json"), self.path("other"))
            self.assertEqual(ended.returncode, 0, ended.stderr)
            for file in self.path("other").rglob("*.html"):
                self.assertNotRegex(" ".join(Page(file).text), r"\bNone\b", file)

    def bare(self, absent):
        """A document of runs that hold little more than ranks and times."""
        document = json.loads(self.path("small.json").read_text())
        for run in document["runs"]:
            for key in ("audit", "series"):
                absent(run, key)
            run["run"] = {"schema": 1, "started": run["run"]["started"], "device": {"product": "X"}}
            for board in run["report"]["boards"]:
                for key in ("conditions", "canary", "delta", "planned_rounds", "empty_call_us", "title"):
                    absent(board, key)
                for row in board["rows"]:
                    for key in set(row) - {"contestant", "standing", "rank", "time_us", "workloads"}:
                        absent(row, key)
                    if row.get("workloads"):
                        row["workloads"] = [{"workload": t["workload"], "rounds": 0} for t in row["workloads"]]
        document["problems"] = {name: {"title": None, "tensors": [{"name": None}]} for name in document["problems"]}
        document["sources"], document["calibrations"] = {}, {}
        return document

    def test_a_document_without_runs_is_a_site(self):
        self.path("other2.json").write_text('{"podium_site": 1}')
        ended = building.build(self.path("other2.json"), self.path("other2"))
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_errors_are_sentences(self):
        for content, words in (("{", "Expecting"), ('{"podium_site": 7}', '"podium_site" must be 1'), ("[]", '"podium_site"'), ('{"podium_site": 1, "runs": [{}]}', "'id'")):
            self.path("other3.json").write_text(content)
            ended = building.build(self.path("other3.json"), self.path("other3"))
            self.assertEqual(ended.returncode, 2, ended.stderr)
            self.assertIn(words, ended.stderr)
            self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)

    def test_a_folder_of_something_else_is_left_alone(self):
        folder = self.path("other4")
        folder.mkdir()
        (folder / "thesis.tex").write_text("years of work")
        ended = building.build(self.path("small.json"), folder)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("no published site", ended.stderr)
        self.assertEqual([f.name for f in folder.iterdir()], ["thesis.tex"])

    def test_a_failure_leaves_the_site_that_was_there(self):
        before = all_files(self.small)
        broken = json.loads(Path(self.path("small.json")).read_text())
        broken["runs"][0]["report"]["boards"][0]["rows"] = 7
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps(broken))
            file.flush()
            self.assertNotEqual(building.build(file.name, self.small).returncode, 0)
        self.assertEqual(before, all_files(self.small))
        self.assertEqual([f.name for f in self.small.parent.iterdir() if f.name.startswith(".")], [])


class Commands(Built):
    """The commands that repeat a run, a board and its verdicts, as pages show them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        synthetic.write(Path(cls.parent) / "made_up.json", problems=1, contestants=3, devices=1, runs=1)
        cls.made_up = (Path(cls.parent) / "made_up.json").read_text()

    def shown(self, device, changes, absent=(), replaced=()):
        """Of the made-up run on `device` with other fields: the commands of its problem's page and of its own."""
        words = self.made_up
        for before, after in replaced:
            words = words.replace(json.dumps(before), json.dumps(after))
        document = json.loads(words)
        document["runs"] = [run for run in document["runs"] if run["device"] == device[0]]
        run = document["runs"][0]["run"]
        run["device"] = {"product": device[1], "architecture": device[2], "backend": device[3]}
        run.update(changes)
        for key in absent:
            run.pop(key, None)
        pages = Pages(documents.parse(json.dumps(document)), self.path("pages"))
        shutil.rmtree(self.path("pages"), ignore_errors=True)
        pages.problem(next(name for name, problem in pages.site.problems.items() if problem.boards))
        pages.run(0)
        return [Page(next(self.path("pages").glob(f"{folder}/*.html"))).commands for folder in ("problem", "run")]

    H200 = synthetic.DEVICES[0]
    CHECKOUT = "git checkout 0123456789ab &&\n"
    ASKED = "'--benchmark_filter=bf16(-bf16)?/' --rounds 5 --isolated --cold-only --energy"

    def expect_asked(self, shown, device="cuda:0", more=""):
        (run, verify), (whole,) = shown
        self.assertRegex(run, r" --contestant( contestant_0[02]| cub){3}\Z")
        start = f"{self.CHECKOUT}scripts/podium run"
        self.assertEqual(run.split(" --contestant")[0], f"{start} problem_00 --device {device} {self.ASKED}{more}")
        self.assertEqual(verify, f"{self.CHECKOUT}scripts/podium verify problem_00 --device {device} --full{more}")
        self.assertEqual(whole, f"{start} problem_00 --device {device} {self.ASKED}{more}")

    def test_name_what_the_record_says(self):
        record = {"schema": 2, "commit": "0123456789ab", "filter": "bf16(-bf16)?/", "columns": False, "energy": True, "isolated": True, "rounds": 5}
        typed = {"command": "build/cuda/bin/podium run problem_00 --device=cuda:3 --results out -v --quiet"}
        self.expect_asked(self.shown(self.H200, record | typed))
        resumed = {"command": "podium run --resume out/x --rounds 3", "commit": "0123456789ab-dirty"}
        self.expect_asked(self.shown(self.H200, record | resumed))
        hip = ("nvidia-h200-sm_90-140g", "NVIDIA H200", "sm_90", "hip")
        self.expect_asked(self.shown(hip, record | typed), device="hip:0")

    def test_name_what_was_typed_where_an_old_record_does_not_say(self):
        typed = "tools/podium run --problems own/kernels '--benchmark_filter=bf16(-bf16)?/' --cold-only --energy -v --contestant a 'b c' --isolated problem_00"
        absent = ("filter", "columns", "energy", "isolated")
        shown = self.shown(self.H200, {"schema": 1, "commit": "0123456789ab", "rounds": 5, "command": typed}, absent)
        self.assertTrue(shown[1][0].endswith(" --contestant a 'b c'"), shown[1])
        shown[1][0] = shown[1][0].removesuffix(" --contestant a 'b c'")
        self.expect_asked(shown, more=" --problems own/kernels")

    def test_do_not_check_out_what_is_not_known(self):
        (run, verify), (whole,) = self.shown(self.H200, {"commit": "unknown", "command": "podium run --full"})
        self.assertEqual(whole, "scripts/podium run --device cuda:0 --full --rounds 7")
        self.assertTrue(run.startswith("scripts/podium run problem_00 --device cuda:0 --rounds 7 --contestant"), run)
        self.assertEqual(verify, "scripts/podium verify problem_00 --device cuda:0 --full")

    def test_of_a_processor_name_the_workloads_that_are_not_its_default(self):
        host = (self.H200[0], "AMD EPYC", "x86-64-v4", "host")
        (run, _), (whole,) = self.shown(host, {"commit": "", "command": "podium run 'unbalanced"})
        self.assertTrue(run.startswith("scripts/podium run problem_00 --device host --full --rounds 7 --contestant"), run)
        self.assertEqual(whole, "scripts/podium run problem_00 --device host --full --rounds 7")

    def test_of_emulated_devices_name_them(self):
        for product, architecture, backend, name in (
            ("NVIDIA sm_100a (emulated)", "sm_100", "cuda", "sm_100a"),
            ("AMD Instinct MI300X (emulated)", "gfx942", "hip", "gfx942"),
        ):
            device = (synthetic.EMULATED[0], product, architecture, backend)
            typed = f"bin/podium verify problem_00 --device {backend}:emulated:{name} --async eager --results emu"
            (verify,), (whole,) = self.shown(device, {"commit": "0123456789ab", "rounds": 0, "command": typed})
            expected = f"{self.CHECKOUT}scripts/podium verify problem_00 --device {backend}:emulated:{name} --async eager"
            self.assertEqual((verify, whole), (expected, expected))

    def test_are_safe_to_paste(self):
        """Whatever a record holds: one call of git, one of podium, no option that nobody meant, and nothing else."""
        shell = self.path("shell")
        (shell / "scripts").mkdir(parents=True)
        for name in ("git", "scripts/podium"):
            (shell / name).write_text(f"#!/bin/sh\nprintf '%s\\0' {name} \"$@\"\n")
            (shell / name).chmod(0o755)
        files = set(shell.rglob("*"))
        options = {"--device", "--benchmark_filter", "--rounds", "--full", "--contestant"}
        shells = ("--under=touch broken", "$(touch broken)", "`touch broken`; touch broken\n#", "a\\' && touch broken '")
        for hostile in (*synthetic.HOSTILE, *shells):
            changes = {"commit": hostile, "filter": hostile, "command": f"podium run {hostile} --under 'touch broken'"}
            shown = self.shown(self.H200, changes, replaced=(("problem_00", hostile), (synthetic.SHORT, hostile)))
            given = hostile.startswith("-")  # what could be an option is left out
            self.assertEqual([len(commands) for commands in shown], [0 if given else 2, 1], hostile)
            for command in sum(shown, []):
                with self.subTest(hostile=hostile, command=command):
                    environment = {"PATH": f"{shell}:/usr/bin:/bin"}
                    ended = subprocess.run(["bash", "-euc", command], cwd=shell, env=environment, capture_output=True, text=True, check=False)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                    words = ended.stdout.split("\0")[:-1]
                    self.assertEqual(words, shlex.split(command.removeprefix("git checkout")))
                    self.assertEqual(words[0], "scripts/podium")
                    self.assertLessEqual({word.partition("=")[0] for word in words if word.startswith("-")}, options)
                    if command in shown[0]:
                        self.assertEqual(words[2], documents.visible(hostile))
            self.assertEqual(set(shell.rglob("*")), files)


class Absence(Built):
    ALWAYS = {"podium_site", "runs", "id", "device"}  # of the document and of a run

    def without(self, value, chance, depth=0):
        """`value` without some fields, and with null in some."""
        if isinstance(value, list):
            return [self.without(one, chance, depth + 1) for one in value]
        if not isinstance(value, dict):
            return value
        kept = {}
        for key, one in value.items():
            fate = 1 if depth < 3 and key in self.ALWAYS else chance.random()
            if fate > 0.02:
                kept[key] = None if fate < 0.04 else self.without(one, chance, depth + 1)
        return kept

    def test_any_field_may_be_absent(self):
        synthetic.write(self.path("whole.json"), problems=1, contestants=4, devices=2, runs=2)
        whole = json.loads(self.path("whole.json").read_text())
        for seed in range(12):
            document = json.dumps(self.without(whole, random.Random(seed)))
            pages = Pages(documents.parse(document), self.path(f"{seed}"))
            for task in pages.tasks():
                with self.subTest(seed=seed, task=task):
                    pages.write(task)
            for file in self.path(f"{seed}").rglob("*.html"):
                self.assertNotRegex(" ".join(Page(file).text), r"\bNone\b", file)


class Board:
    """The parts of a board that choose which one counts."""

    def __init__(self, name, revision, stage="bench", ranked=True, timed=True):
        self.name, self.revision, self.stage, self.ranked, self.timed = name, revision, stage, ranked, timed


class Choices(unittest.TestCase):
    def test_the_board_that_counts(self):
        choose = lambda *boards: documents._board_that_counts(boards).name
        self.assertEqual(choose(Board("old", "a"), Board("new", "a")), "new")
        self.assertEqual(choose(Board("bench", "a"), Board("quick", "a", "quick")), "bench")
        self.assertEqual(choose(Board("bench", "a"), Board("quick", "b", "quick")), "quick")
        self.assertEqual(choose(Board("ranked", "a"), Board("ended early", "a", ranked=False)), "ranked")
        self.assertEqual(choose(Board("timed", "a"), Board("verified", "b", ranked=False, timed=False)), "timed")
        self.assertEqual(choose(Board("verified", "a", ranked=False, timed=False)), "verified")


class Texts(unittest.TestCase):
    def test_each_colour_is_named_once(self):
        style = (building.ROOT / "site" / "podium_site" / "assets" / "site.css").read_text()
        named = re.findall(r"(--[\w-]+): [^;]*#[0-9a-f]{6}", style)
        self.assertEqual(len(named), len(set(named)))
        self.assertEqual([line for line in style.splitlines() if re.search("#[0-9a-f]{3,8}[;) ]", line) and not line.startswith("  --")], [])

    def test_numbers(self):
        self.assertEqual([text.measured(1234.5, unit) for unit in ("µs", "µJ", "")], ["1.234 ms", "1.234 mJ", "1234"])
        for value, words in ((0.0421, "42.10 ns"), (153.06, "153.1 µs"), (81282, "81.28 ms"), (2.5e6, "2.500 s"), (999.96, "1000 µs"), (None, "–"), (float("nan"), "–")):
            self.assertEqual(text.time(value), words)
        self.assertEqual(text.scaled(4196927022165.6, "B/s"), "4.197 TB/s")
        self.assertEqual(text.rank(1, 3), "1–3")
        self.assertEqual(text.rank(2, 2), "2")
        self.assertEqual(text.between((99.9, 1234)), "99.90 µs to 1.234 ms")
        self.assertEqual(text.between((99.9, 123.4)), "99.90 to 123.4 µs")
        self.assertEqual(text.between((None, 123.4)), "–")

    def test_a_legend_explains_what_a_tolerance_names_and_nothing_else(self):
        types = {"bf16-i32": {"real": "bf16", "index": "i32"}, "f32-i32": {"real": "f32", "index": "i32"}}
        tensors = lambda dtype, tolerance: {"types": types, "tensors": [{"name": "y", "dtype": dtype, "tolerance": tolerance}]}
        real, eps = ("real", "a board's type, bf16 or f32"), ("eps(t)", "the gap between 1 and the next number of type t")
        self.assertEqual(legend_of(tensors("real", "at most 1 unit in the last place of real plus 3 times eps(real) times the reference spread")), ([real, eps], True))
        self.assertEqual(legend_of(tensors("f32", "at most 4 units in the last place of f32 plus 3 times eps(real) times the reference's absolute value")), ([real, eps], False))
        self.assertEqual(legend_of(tensors("index", "exact")), ([("index", "a board's type, i32")], False))
        self.assertEqual(legend_of(tensors("f32", "exact, really")), ([], False))
        self.assertEqual(legend_of({"types": {"f32": None}, "tensors": [{"name": None}], "checks": [{"text": "y is sorted\nat most 2 * eps(f32) from 0"}]}), ([eps], False))

    def test_slugs_are_distinct_safe_names(self):
        names = ["softmax", "Softmax", "soft max", "soft-max", "../x", "..", "", "a/b", "a\\b", "con", "x" * 200, "é", "e", *synthetic.HOSTILE]
        names += ["a--b", "a-", "-a", "a-.b"]
        names += [text.slug(name) for name in names if text.slug(name) != name]  # who takes another's name of a file
        slugs = [text.slug(name) for name in names]
        self.assertEqual(len(set(slugs)), len(names))
        for slug in slugs:
            self.assertRegex(slug, r"\A[a-z0-9][a-z0-9._-]{0,79}\Z")
            self.assertNotRegex(slug, "--|-\\Z")  # "--" joins names in ids
        self.assertEqual(text.slug("softmax"), "softmax")
        self.assertEqual(text.slug("online_v2.1-x"), "online_v2.1-x")

    def test_slugs_of_runs_are_distinct(self):
        runs = ["20261124T233057Z-0432", "20261124t233057z-0432", "20261124T233057z-0432", "20261124T233057Z-04AB", "20261124T233057Z-04ab", "h200", "H200"]
        slugs = [text.run_slug(run) for run in runs]
        self.assertEqual(len(set(slugs)), len(runs))
        self.assertEqual(slugs[0], "20261124t233057z-0432")
        self.assertEqual(slugs[-2], "h200")
        ids = [documents.Run(f"{device}/{run}", device, {}, {}).slug for device, run in (("a-b", "c"), ("a", "b-c"))]
        self.assertNotEqual(*ids)

    def test_sources_have_the_colours_of_pygments(self):
        for ours in (highlight._Cuda, highlight._Cpp):
            for source in synthetic.SOURCES[::7]:
                tokens = lambda lexer: [(highlight._class_of(kind), letter) for kind, words in lexer.get_tokens(source.read_text()) for letter in words]
                self.assertEqual(tokens(ours()), tokens(ours.__bases__[0]()), source)

    def test_each_line_of_a_source_is_one_line(self):
        for file in ("a.cu", "a.gpu.cpp", "a.sealed.py", "a.txt"):
            lines = highlight.lines(file, 'int a = 1;\r\n// b\u2028"c\n\n  x<y && z>w')
            self.assertEqual(len(lines), 5, file)
            self.assertIn("&lt;", lines[4])
            self.assertNotIn("<y", lines[4])


if __name__ == "__main__":
    unittest.main(verbosity=2)
