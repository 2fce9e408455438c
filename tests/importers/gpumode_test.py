# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tasks of our own in GPU MODE's form: what is imported of them, what is refused, and that importing again is safe."""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "importers"))

from podium_import import __main__ as command  # noqa: E402
from podium_import import common, shapes  # noqa: E402

TASKS = HERE / "gpumode"
TAKEN = "returned", "in_place", "nested", "groups", "pairs"


def draw(source, to, *more):
    """name -> the report's row"""
    with unittest.mock.patch.object(sys, "argv", ["podium_import", "draw", "gpumode", str(source), "--to", str(to), *more]):
        command.main()
    return {row["name"]: row for row in json.loads((to / "report.json").read_text())}


def place(drawn, to):
    words = ["podium_import", "place", str(drawn), "--to", str(to)]
    with unittest.mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(io.StringIO()) as said:
        command.main()
    return said.getvalue()


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="podium-import-"))
        self.addCleanup(shutil.rmtree, self.folder)


class Drawn(unittest.TestCase):
    """All tasks, drawn up once."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="podium-import-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.report = draw(TASKS, cls.folder)

    def problem(self, name):
        return (self.folder / name / "problem.yaml").read_text()

    def plan(self, name):
        """The generated plan; its task's own functions are imported for real."""
        text = (self.folder / name / "task/podium_plan.py").read_text()
        plan = {}
        exec(text[text.index("ENTRY =") :], plan)
        return plan

    def test_each_is_taken_or_refused_with_its_reason(self):
        states = {name: row["state"] for name, row in self.report.items()}
        taken = {name for name, state in states.items() if state == "drawn"}
        self.assertEqual(set(TAKEN), taken)
        self.assertIn("at data.1 and, with another seed", self.report["drawn_number"]["why"])
        self.assertIn("ended the interpreter (exit status 7)", self.report["ends_process"]["why"])
        self.assertIn("several GPUs", self.report["many_gpus"]["why"])

    def test_references_and_submissions_are_right_by_the_folder(self):
        for name in TAKEN:
            with self.subTest(name):
                seen = self.report[name]["seen"]
                for what in ("reference", "submission", "folder", "folder's submission"):
                    self.assertEqual("right", seen[what], what)

    def test_a_returned_tensor_becomes_an_output(self):
        text = self.problem("returned")
        self.assertIn("axes: [rows, size_, contention]", text)
        self.assertIn("matrix: { role: input, dtype: f32, shape: [rows, size_] }", text)
        self.assertIn("sums: { role: output, dtype: f32, shape: [rows] }", text)
        self.assertIn('- { rows: 3, size_: 17, contention: 10, name: "rows=3,size=17,contention=10" }', text)
        self.assertEqual({"tensor": "sums"}, self.plan("returned")["OUTPUT"])

    def test_workloads_that_draw_nothing_are_left_out(self):
        same = "rows=2,size=8,contention=100"
        self.assertNotIn(same, self.problem("returned"))
        self.assertIn(f"workload {same}: its inputs are the same for every seed", self.report["returned"]["left_out"])

    def test_contestants_may_compile_extensions(self):
        for name in TAKEN:
            self.assertIn("task/compiling.py", self.problem(name))
            self.assertIn("import compiling", (self.folder / name / "adapter.py").read_text())

    def test_memory_that_nobody_wrote_is_an_output(self):
        text = self.problem("in_place")
        self.assertIn("values: { role: input, dtype: u8, shape: [size_] }", text)
        self.assertIn("counts: { role: output, dtype: i64, shape: [256] }", text)
        self.assertEqual({"leaf": ".1"}, self.plan("in_place")["OUTPUT"])

    def test_tensors_in_dictionaries_dataclasses_and_modules_have_names(self):
        text = self.problem("nested")
        for line in (
            "up_weight: { role: input, dtype: f32, shape: [width, width] }",
            "settings_norm: { role: input, dtype: f32, shape: [width] }",
            "gate_weight: { role: input, dtype: f32, shape: [width, width] }",
            "state_memory: { role: inout, dtype: f32, shape: [batch, 4, width] }",
            "output_0: { role: output, dtype: f32, shape: [batch, width] }",
        ):
            self.assertIn(line, text)
        names = self.plan("nested")["WORKLOADS"]
        self.assertEqual("relu", names["batch=2,width=8,activation=relu,biased=True"]["activation"])

    def test_a_varying_number_of_tensors_is_packed(self):
        text = self.problem("groups")
        self.assertIn("pairs_2: { role: inout", text)
        self.assertEqual({"leaves": ".0[*].2"}, self.plan("groups")["OUTPUT"])

    def test_functions_of_the_tasks_own_are_called_together(self):
        text = self.problem("pairs")
        self.assertIn("x: { role: input, dtype: f32, shape: [16, width] }", text)
        self.assertIn("output_1: { role: output, dtype: f32, shape: [16, width] }", text)
        self.assertIn('ENTRY = "norm_forward, norm_backward"', (self.folder / "pairs/task/podium_plan.py").read_text())

    def test_the_reference_proves_itself(self):
        for name in TAKEN:
            with self.subTest(name):
                self.assertEqual("right", self.report[name]["seen"]["own answer"])
                self.assertIn("outputs = ", (self.folder / name / "reference.py").read_text())

    def test_fp64_is_offered_where_the_reference_has_it(self):
        self.assertIn("exact = ", (self.folder / "nested/reference.py").read_text())
        self.assertNotIn("exact = ", (self.folder / "groups/reference.py").read_text())

    def test_templates_without_an_answer_are_no_contestants(self):
        self.assertFalse((self.folder / "returned/template.py").exists())
        self.assertTrue((self.folder / "returned/origin/template.py").exists())
        self.assertTrue((self.folder / "returned/on_device.py").exists())
        self.assertFalse((self.folder / "returned/last_column.py").exists())

    def test_original_files_are_unmodified_and_listed(self):
        listed = common.files_of(self.folder / "nested")
        for name in ("reference.py", "task.py", "submission.py", "task.yml"):
            original = (TASKS / "nested_py" / name).read_bytes()
            self.assertEqual(original, (self.folder / "nested/origin" / name).read_bytes())
            self.assertEqual(hashlib.sha256(original).hexdigest(), listed["origin/" + name])
        self.assertEqual((TASKS / "shared.py").read_bytes(), (self.folder / "nested/origin/utils.py").read_bytes())


class Wrong(unittest.TestCase):
    """Wrong submissions, by the drawn folder's own reference and adapter."""

    def test_wrong_submissions_are_rejected(self):
        for name, wrong, sentence in (
            ("returned", "last_column", "elements differ"),
            ("in_place", "unwritten", "the counts differ"),
            ("nested", "forgets_state", "mismatch: "),
            ("groups", "first_alone", "the task's check says that it is wrong"),
            ("pairs", "no_slope", "norm_backward: "),
        ):
            with self.subTest(wrong):
                script = (
                    "import pathlib, sys; from podium_import import gpumode\n"
                    "task, wrong = map(pathlib.Path, sys.argv[1:])\n"
                    "kernel = lambda self: self.kernel_of(wrong)\n"
                    "gpumode._Import.submission = kernel\n"
                    "made = gpumode._Import(task, 'x'); made.problem()\n"
                    "print(made.seen[\"folder's submission\"])\n"
                )
                folder = TASKS / f"{name}_py"
                done = subprocess.run(
                    [sys.executable, "-c", script, str(folder), str(folder / f"solutions/wrong/{wrong}.py")],
                    env={**os.environ, "PYTHONPATH": str(HERE.parents[1] / "importers")},
                    capture_output=True,
                    text=True,
                )
                self.assertIn(sentence, done.stdout + done.stderr)
                self.assertNotIn("right", done.stdout)


class Again(Folder):
    """Importing once more."""

    def setUp(self):
        super().setUp()
        self.source = self.folder / "source"
        shutil.copytree(TASKS / "in_place_py", self.source / "in_place_py")
        shutil.copy(TASKS / "shared.py", self.source)
        self.to = self.folder / "problems"
        self.drawings = 0

    def again(self):
        self.drawings += 1
        drawn = self.folder / f"drawn{self.drawings}"
        draw(self.source, drawn)
        return place(drawn, self.to)

    def test_the_same_source_changes_nothing(self):
        self.assertIn("in_place  imported", self.again())
        self.assertIn("in_place  unchanged", self.again())

    def test_a_source_that_moved_on_updates_and_keeps_contestants(self):
        self.again()
        (self.to / "in_place/mine.py").write_text("# mine\n")
        task = self.source / "in_place_py/task.yml"
        task.write_text(task.read_text().replace('"size": 1000,', '"size": 1001,'))
        (self.source / "in_place_py/template.py").unlink()
        self.assertIn("in_place  updated", self.again())
        self.assertIn("size=1001", (self.to / "in_place/problem.yaml").read_text())
        self.assertTrue((self.to / "in_place/mine.py").exists())
        self.assertFalse((self.to / "in_place/origin/template.py").exists())

    def test_what_was_edited_is_not_overwritten(self):
        self.again()
        edited = self.to / "in_place/problem.yaml"
        edited.write_text(edited.read_text() + "# more\n")
        self.assertIn(f"not imported: {edited} was edited since the import", self.again())
        self.assertIn("# more", edited.read_text())

    def test_a_folder_of_somebody_else_is_not_overwritten(self):
        (self.to / "in_place").mkdir(parents=True)
        (self.to / "in_place/problem.yaml").write_text("podium: 1\n")
        self.assertIn("was not imported; choose another folder", self.again())

    def test_links_in_what_was_drawn_up_are_refused(self):
        drawn = self.folder / "drawn"
        draw(self.source, drawn)
        secret = self.folder / "secret"
        secret.write_text("secret")
        (drawn / "in_place/problem.yaml").unlink()
        (drawn / "in_place/problem.yaml").symlink_to(secret)
        self.assertIn("lacks the file problem.yaml", place(drawn, self.to))
        self.assertFalse((self.to / "in_place").exists())

    def test_ways_out_of_the_folder_are_refused(self):
        drawn = self.folder / "drawn"
        draw(self.source, drawn)
        listed = drawn / "in_place/origin/origin.yaml"
        listed.write_text(listed.read_text() + f'  "../../out": {"0" * 64}\n')
        self.assertIn("lies outside of its folder", place(drawn, self.to))


class Formulas(unittest.TestCase):
    def solve(self, parameters, column):
        return shapes.Solver(parameters, ["one", "two", "three"]).formula(column, "x_0")

    def test_of_parameters(self):
        n, k = [4, 8, 12], [5, 7, 3]
        for column, formula in (
            (n, "n"),
            ([8, 16, 24], "2 * n"),
            ([2, 4, 6], "n / 2"),
            ([1, 1, 1], 1),
            ([6, 6, 6], 6),
            ([20, 56, 36], "n * k"),
            ([3, 4, 2], "ceil_div(k, 2)"),
            ([0, 2, 10], "n - k + 1"),
            ([9, 1, 1], "x_0"),
        ):
            self.assertEqual(formula, self.solve({"n": n, "k": k}, column)[0])

    def test_what_is_not_known_follows_from_what_is(self):
        self.assertEqual(("n", ()), self.solve({"n": [4, 8, 12]}, [4, 8, None]))
        self.assertEqual(("x_0", [2]), self.solve({"n": [4, 8, 12]}, [3, 9, None]))


class Names(unittest.TestCase):
    def test_reserved_ones_are_changed(self):
        for text, name in (("size", "size_"), ("NT", "nt"), ("B", "B"), ("a.b", "a_b"), ("0", "x_0"), ("f32", "f32_")):
            self.assertEqual(name, common.identifier(text))
        self.assertEqual("a_2", common.identifier("a", {"a"}))


class Command(Folder):
    """`podium import` and the commands that take a task's folder."""

    podium = None

    def run_podium(self, *words):
        return subprocess.run([self.podium, *map(str, words)], capture_output=True, text=True)

    def setUp(self):
        super().setUp()
        if self.podium is None:
            self.skipTest("no podium was named")

    def test_import_verify_and_refuse(self):
        to = self.folder / "problems"
        done = self.run_podium("import", "gpumode", TASKS, "--to", to)
        self.assertEqual(1, done.returncode, done.stderr)  # some are refused
        self.assertIn("8 read, 5 imported", done.stdout)
        for name in TAKEN:
            with self.subTest(name):
                shutil.copytree(TASKS / f"{name}_py/solutions/wrong", to / name, dirs_exist_ok=True)
                done = self.run_podium("verify", name, "--problems", to, "--device", "host")
                rows = [line.split(maxsplit=3) for line in done.stdout.splitlines() if line.startswith(f"{name}/")]
                found = {row[1]: row[2] for row in rows}
                wrong = {path.stem for path in (TASKS / f"{name}_py/solutions/wrong").glob("*.py")}
                self.assertTrue(found, done.stdout + done.stderr)
                for contestant, verdict in found.items():
                    expected = ("wrong", "not") if contestant in wrong else ("right",)  # "not written"
                    self.assertIn(verdict, expected, done.stdout)

    def test_a_folder_of_a_task_runs_without_an_import(self):
        done = self.run_podium("verify", TASKS / "in_place_py", "--device", "host")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"in_place/fixed +submission +right")

    def test_suggested_commands_work(self):
        source = self.folder / "in_place_py"
        shutil.copytree(TASKS / "in_place_py", source)
        shutil.copy(TASKS / "shared.py", self.folder)
        done = self.run_podium("run", source, "--device", "host", "--rounds", 2, "--results", self.folder / "results")
        wrong = ("verify", source, "--device", "host", "--contestant", source / "solutions/wrong/unwritten.py")
        again = re.search(r"again: podium (.*)", self.run_podium(*wrong).stdout)[1]
        said = done.stdout[done.stdout.index("try next") :]
        commands = [line.strip().partition(" ")[2] for line in said.splitlines()[1:] if " --problems " in line]
        self.assertEqual(2, len(commands), said)
        self.addCleanup(shutil.rmtree, re.search(r"--problems (\S+)", commands[0])[1])
        for command, status in (*((each, 0) for each in commands), (again, 1)):
            if command.startswith("run"):
                command += f" --rounds 2 --device host --results {self.folder / 'results'}"
            ended = self.run_podium(*shlex.split(command))
            self.assertEqual(status, ended.returncode, command + ended.stdout + ended.stderr)

    def test_it_runs_with_a_contestant_of_the_users(self):
        wrong = TASKS / "in_place_py/solutions/wrong/unwritten.py"
        words = ("run", TASKS / "in_place_py", "--device", "host", "--contestant", wrong, "--rounds", 2)
        done = self.run_podium(*words, "--results", self.folder / "results")
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        self.assertIn("unwritten", done.stdout)
        self.assertIn("the counts differ", done.stdout)


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isabs(sys.argv[1]):
        Command.podium = sys.argv.pop(1)
    unittest.main()
