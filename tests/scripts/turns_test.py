# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""turns_test.py CTEST FOLDER: which tests are taken today (tests/turns.py), of made-up ones and of those built there."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import turns

CTEST, BUILT = sys.argv[1:3]
NAME = "numpy.references.sum"
ITS_TURN = next(day for day in range(turns.DAYS) if turns.is_its_turn(NAME, day))


def nothing():
    return set()


class Turns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.addCleanup(setattr, turns, "ROOT", turns.ROOT)
        turns.ROOT = self.root
        for path in turns.paths_of(NAME):
            self.write(path.replace("*.*", "common.py"), "first")

    def write(self, path, text):
        file = self.root / path
        file = file / "file" if "." not in file.name else file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        turns.files_of.cache_clear()
        turns.digest_of.cache_clear()

    def due(self, seen, day=ITS_TURN + 1, changed=nothing):
        return turns.is_due(NAME, seen, day, changed)

    def test_others_are_taken_every_day(self):
        self.assertTrue(all(turns.is_due("Record.IsRead", {}, day, nothing) for day in range(9)))

    def test_each_day_some_and_in_as_many_days_all(self):
        for name in (f"numpy.references.p{i}" for i in range(40)):
            self.assertEqual([turns.is_its_turn(name, day) for day in range(20000, 20000 + turns.DAYS)].count(True), 1)
        self.assertTrue(self.due({}, ITS_TURN))
        self.assertFalse(self.due({}))

    def test_what_changed_is_taken_until_it_passes(self):
        for path in ("kernels/sum/problem.yaml", "tests/numpy/problems/sum.py", "tests/numpy/common.py", "suite/judge"):
            seen = {}
            turns.learn(seen, NAME, None)
            self.assertFalse(self.due(seen), path)
            self.write(path, f"another {path}")
            self.assertTrue(self.due(seen), path)
            for outcome in ("skipped", "failed"):
                turns.learn(seen, NAME, outcome)
                self.assertTrue(self.due(seen), path)
            turns.learn(seen, NAME, "passed")
            self.assertFalse(self.due(seen), path)

    def test_what_another_test_is_about_is_none_of_its(self):
        seen = {}
        turns.learn(seen, NAME, "passed")
        self.write("kernels/other/problem.yaml", "another")
        self.write("tests/numpy/problems/other.py", "another")
        self.assertFalse(self.due(seen))

    def test_what_failed_is_taken_though_nothing_changed(self):
        seen = {}
        turns.learn(seen, NAME, "passed")
        turns.learn(seen, NAME, "failed")
        self.assertTrue(self.due(seen))

    def test_a_machine_that_has_seen_nothing_takes_what_the_last_commit_changed(self):
        self.assertTrue(self.due({}, changed=lambda: {self.root / "tests/numpy/problems/sum.py"}))
        self.assertTrue(self.due({}, changed=lambda: {self.root / "suite/judge/removed.cpp"}))
        self.assertFalse(self.due({}, changed=lambda: {self.root / "kernels/other/problem.yaml"}))
        self.assertTrue(self.due({}, changed=lambda: None))

    def test_a_path_that_does_not_exist_is_an_error(self):
        (self.root / "kernels/sum/problem.yaml").unlink()
        turns.files_of.cache_clear()
        turns.digest_of.cache_clear()
        with self.assertRaisesRegex(SystemExit, "kernels/sum/problem.yaml does not exist"):
            turns.learn({}, NAME, "passed")

    def test_reports_say_how_tests_ended(self):
        file = self.root / "report.xml"
        file.write_text(
            '<testsuite><testcase name="a" status="run"/><testcase name="b  # GetParam() = 1" status="fail"/>'
            '<testcase name="c" status="notrun"/></testsuite>'
        )
        said = {turns.bare(name): outcome for name, outcome in turns.outcomes(file).items()}
        self.assertEqual(said, {"a": "passed", "b": "failed", "c": "skipped"})


class Families(unittest.TestCase):
    def test_are_of_tests_that_there_are(self):
        names = turns.listed([CTEST, "--test-dir", BUILT])
        for pattern, _ in turns.FAMILIES:
            if not re.match(r"\(?(cuda|hip)", pattern):  # of other presets
                self.assertTrue(any(re.fullmatch(pattern, name) for name in names), pattern)
        for name in names:
            if turns.paths_of(name) is not None:
                turns.key_of(turns.paths_of(name))  # all exist

    def test_ctest_takes_those_named(self):
        for filters in ([], ["-LE", "^whole$"], ["-R", "numpy", "-LE", "^whole$"]):
            command = [CTEST, "--test-dir", BUILT, *filters]
            tests = turns.listed(command)
            taken = {name for name in tests if turns.is_due(name, {}, turns.today(), nothing)}
            self.assertLess(len(taken), len(tests))
            self.assertEqual(set(turns.listed([*command, "-I", turns.option(tests, taken)])), taken)

    def test_turn_as_many_days_as_parts_of_problems(self):
        header = (turns.ROOT / "tests/whole.hpp").read_text()
        self.assertIn(f"turn_days = {turns.DAYS};", header)


unittest.main(argv=sys.argv[:1])
