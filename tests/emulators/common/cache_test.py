# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The cache of translated kernels: cache_test.py EMULATORS-FOLDER"""

import multiprocessing
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv.pop(1))
from common import cache  # noqa: E402


def make_slowly(log: Path):
    def make(file: Path) -> None:
        with open(log, "a", encoding="ascii") as lines:
            lines.write("made\n")
        time.sleep(0.2)
        file.write_text("product", encoding="ascii")

    return make


def of_suffix(log: Path, suffix: str) -> None:
    assert cache.made("ab" * 16, suffix, make_slowly(log.with_name(f"log{suffix}"))).suffix == suffix


def one_process(log: Path) -> None:
    assert cache.made("ab" * 16, ".so", make_slowly(log)).read_text(encoding="ascii") == "product"


class CacheTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.environ["PODIUM_CACHE"] = self.folder.name
        self.log = Path(self.folder.name) / "log"

    def tearDown(self) -> None:
        self.folder.cleanup()

    def test_parts_do_not_run_together(self) -> None:
        self.assertNotEqual(cache.key_of(["ab", "c"]), cache.key_of(["a", "bc"]))
        self.assertEqual(cache.key_of(["ab", b"c"]), cache.key_of([b"ab", "c"]))

    def test_makes_a_product_once(self) -> None:
        first = cache.made("cd" * 16, ".so", make_slowly(self.log))
        self.assertEqual(cache.made("cd" * 16, ".so", make_slowly(self.log)), first)
        self.assertEqual(self.log.read_text(encoding="ascii"), "made\n")

    def test_several_processes_make_it_once(self) -> None:
        processes = [multiprocessing.Process(target=one_process, args=(self.log,)) for _ in range(4)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
            self.assertEqual(process.exitcode, 0)
        self.assertEqual(self.log.read_text(encoding="ascii"), "made\n")

    def test_several_processes_make_products_of_one_key(self) -> None:
        suffixes = (".hpp", ".gch")
        processes = [multiprocessing.Process(target=of_suffix, args=(self.log, suffixes[i % 2])) for i in range(12)]
        for process in processes:
            process.start()
            time.sleep(0.03)  # some come while a product is made, some between two
        for process in processes:
            process.join()
            self.assertEqual(process.exitcode, 0)
        for suffix in suffixes:
            self.assertEqual(self.log.with_name(f"log{suffix}").read_text(encoding="ascii"), "made\n")

    def test_a_failure_leaves_nothing(self) -> None:
        def fail(file: Path) -> None:
            file.write_text("half", encoding="ascii")
            raise ValueError("no compiler")

        with self.assertRaises(ValueError):
            cache.made("ef" * 16, ".so", fail)
        self.assertEqual(list((cache.folder() / "ef").glob("*.so")), [])
        self.assertTrue(cache.made("ef" * 16, ".so", make_slowly(self.log)).exists())

    def test_a_changed_source_is_another_version(self) -> None:
        base = Path(self.folder.name) / "translator"
        base.mkdir()
        (base / "a.py").write_text("1", encoding="ascii")
        before = cache.source_digest(base)
        self.assertEqual(before, cache.source_digest(base))
        (base / "a.py").write_text("2", encoding="ascii")
        self.assertNotEqual(before, cache.source_digest(base))
        before = cache.source_digest(base, suffixes=(".py",))
        (base / "a.cpp").write_text("1", encoding="ascii")
        self.assertEqual(before, cache.source_digest(base, suffixes=(".py",)))
        (base / "b.py").write_text("1", encoding="ascii")
        self.assertNotEqual(before, cache.source_digest(base, suffixes=(".py",)))


unittest.main()
