# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Planted mistakes, each with its sentence; and the same kernels without them, of which nothing is said."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import options

MISTAKES = {
    "global_read": "kernel (anonymous namespace)::global_read, block (0,0,0), thread (63,0,0), planted.cu:LINE (PTX line",
    "global_write": "thread (63,0,0), planted.cu:LINE",
    "freed": "it lies in freed memory (cudaMalloc of 256 bytes)",
    "misaligned": "which is no multiple of 4",
    "null_pointer": "it is a null pointer, or near one",
    "shared_overrun": "an access of 4 bytes to shared memory ends 4 bytes behind the block's 256 bytes",
    "too_much_shared": "65536 bytes of dynamic shared memory beside 0 static ones; 49152 are allowed",
    "too_many_threads": "blocks of 2048 threads; at most 1024 are possible",
    "barrier_count": "barrier 1 for 32 threads, while others wait there for 64",
    "barrier_twice": "the thread arrives at barrier 1 a second time before it completes",
    "deadlock": "deadlock: no thread can go on; block (0,0,0) warp 0 waits at PTX line",
    "lane_masks": "while lanes 0x8000 of it wait in shfl.sync with the mask",
    "not_in_mask": "with the lane mask 0x1, in which its own lane 1 is not",
    "mixed_operations": "all lanes of a mask must execute the same instruction",
    "no_mbarrier": "there is no initialised mbarrier at shared address",
    "mbarrier_for_ever": "for the mbarrier at",
    "trap": "trap: the kernel stops itself",
    "unknown_instruction": "the emulator does not know the instruction `vadd2",
}
# What is computed instead: the first and the last value.
VALUES = {
    "right_global_read": "0 0",
    "right_shared": "1 1",
    "right_lane_masks": "1 62",
    "right_wait": "0 0",
    "right_mbarrier": "1 1",
    "right_trap": "0 0",
    "right_look_back": "1 64",
    "missing_wait": "-1 -1",
    "unwritten": "-1 -1",
}


def line_of(kernel: str) -> int:
    """Where a kernel that fits a line stands."""
    lines = Path(__file__).with_name("planted.cu").read_text(encoding="utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if f"void {kernel}(" in line), 0)


class PlantedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "planted"
        library = Path(ARGUMENTS.library)
        command = [
            ARGUMENTS.compile, "--nvcc", ARGUMENTS.nvcc, "--cxx", ARGUMENTS.cxx, "-std=c++17", "-O3",
            "-gencode=arch=compute_90a,code=sm_90a", Path(__file__).with_name("planted.cu"), "-o", cls.program,
            f"-L{library.parent}", "-lpodium_cuda_emulated", "-Xlinker", f"-rpath,{library.parent}",
        ]  # fmt: skip
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def said(self, name: str, mode: str = "lazy") -> str:
        environment = dict(os.environ, PODIUM_EMULATED_ASYNC=mode)
        done = subprocess.run([self.program, name], env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        return done.stdout

    def test_mistakes_are_told(self) -> None:
        for name, sentence in MISTAKES.items():
            with self.subTest(name):
                self.assertIn(sentence.replace("LINE", str(line_of(name))), self.said(name))

    def test_what_is_right_is_not_touched(self) -> None:
        for name, values in VALUES.items():
            with self.subTest(name):
                self.assertEqual(self.said(name), f"cudaSuccess: no error\n{values}\n")

    def test_an_eager_copy_hides_a_missing_wait(self) -> None:
        self.assertIn("\n0 0\n", self.said("missing_wait", "eager"))

    def test_random_order_changes_nothing_of_what_is_right(self) -> None:
        for name, values in VALUES.items():
            if name.startswith("right"):
                with self.subTest(name):
                    self.assertEqual(self.said(name, "random:7"), f"cudaSuccess: no error\n{values}\n")


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
