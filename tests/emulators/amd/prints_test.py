#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""prints_test.py HIPCC STAND_IN TARGET: printf() in a kernel prints what it prints on the host, of every thread once;
a failed assert() is told with its text and thread."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from stand_in import build, stand_in_environment

HIPCC, STAND_IN, TARGET = sys.argv[1:4]


class Prints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = Path(cls.folder.name, "prints")
        source = Path(__file__).resolve().parent / "prints.hip"
        build(HIPCC, "-O2", "-Wno-format", f"--offload-arch={TARGET}", str(source), out=cls.program)

    def said(self, *arguments: str) -> str:
        environment = stand_in_environment(STAND_IN, TARGET, self.folder.name)
        done = subprocess.run([str(self.program), *arguments], env=environment, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_every_conversion_is_the_hosts(self):
        host = self.said("host")
        self.assertEqual(len(host.splitlines()), 13, host)
        self.assertEqual(self.said("device"), host)

    def test_every_thread_prints_once(self):
        wanted = []
        for block in range(5):
            for thread in range(100):
                here = f"block {block} thread {thread}"
                wanted += [here] if thread % 3 == 0 else [f"{here} turn {i}" for i in range(thread % 3)]
        self.assertEqual(sorted(self.said("many").splitlines()), sorted(wanted))

    def test_an_assertion_says_its_text_and_thread(self):
        said = self.said("asserts")
        self.assertRegex(said, r"kernel asserts, block \(0,0,0\), thread \(37,0,0\), s_trap.* is a trap: .*prints\.hip:\d+: .*Device-side assertion `int\(threadIdx\.x\) < limit' failed")
        self.assertEqual(self.said("asserts", "mended"), "")

    def test_what_is_not_answered_is_named(self):
        self.assertRegex(self.said("allocates"), r"kernel allocates: asks for memory \(malloc or new in a kernel\), which is not emulated")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
