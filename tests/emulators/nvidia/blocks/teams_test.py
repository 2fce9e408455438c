# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Launches over several threads of the system: whatever blocks have to do with one another, results, reports and notes are
those of one thread, in every mode."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from emulated import options

# Of teams.cu, and what one thread says; None: only that all is well.
KERNELS = {
    "apart": None,
    "wide": None,
    "order_of_warps": None,
    "sums_of_warps": None,
    "same_value": None,
    "tickets": None,
    "rounding": None,
    "relay": None,
    "look_back": None,
    "pairs": None,
    "local_memory": None,
    "prints": "block 0 says",
    "two_faults": "two_faults, block (3,0,0), thread (",
    "neighbours": "neighbours, block (1,0,0), thread (",
    "race_in_a_block": "race_in_a_block, block (50,0,0), thread (",
    "reads_a_neighbour": None,
    "race_of_a_read": "race_of_a_read, block (48,0,0), thread (",
    "race_after_a_read": "race_after_a_read, block (48,0,0), thread (",
    "alone_reads_a_neighbour": None,
    "alone_race_of_a_read": "race_of_a_read, block (0,0,0), thread (",
    "alone_race_after_a_read": "race_after_a_read, block (0,0,0), thread (",
    "barrier_of_one": "block (20,0,0) warp 0 waits",
    "not_written": None,
    "not_copied": None,
}
MODES = ("lazy", "eager", "random:7", "random:8")
NUMBERS = (1, 2, 4)


class TeamsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        library = Path(ARGUMENTS.library)
        command = [
            ARGUMENTS.compile, "--nvcc", ARGUMENTS.nvcc, "--cxx", ARGUMENTS.cxx, "-std=c++17", "-O3",
            "-gencode=arch=compute_90a,code=sm_90a", Path(__file__).with_name("teams.cu"), "-o", Path(cls.folder.name) / "teams",
            f"-L{library.parent}", "-lpodium_cuda_emulated", "-Xlinker", f"-rpath,{library.parent}",
        ]  # fmt: skip
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def ran(self, name: str, mode: str, threads: str | None, prepare: Callable | None = None) -> tuple[str, list[str], int]:
        """What it says, without addresses; its notes; and on how many threads it ran."""
        environment = dict(os.environ, PODIUM_EMULATED_ASYNC=mode, PODIUM_EMULATED="sm_90a")
        environment.pop("PODIUM_EMULATED_THREADS", None)
        if threads is not None:
            environment["PODIUM_EMULATED_THREADS"] = threads
        done = subprocess.run(
            [Path(self.folder.name) / "teams", name], env=environment, capture_output=True, text=True, check=True, timeout=120,
            preexec_fn=prepare,
        )  # fmt: skip
        said, told = (re.sub(r"0x[0-9a-f]{8,}", "ADDRESS", text) for text in (done.stdout, done.stderr))
        *notes, most = told.splitlines()
        return said, notes, int(re.fullmatch(r"at most (\d+) threads", most)[1])

    def test_any_number_of_threads_says_the_same(self) -> None:
        for name, said in KERNELS.items():
            for mode in MODES:
                alone = self.ran(name, mode, "1")[:2]
                self.assertIn(said or "cudaSuccess", alone[0], name)
                for threads in NUMBERS[1:]:
                    for time in range(2):
                        with self.subTest(name, mode=mode, threads=threads, time=time):
                            self.assertEqual(self.ran(name, mode, str(threads))[:2], alone)

    def test_blocks_run_on_as_many_threads(self) -> None:
        for threads in NUMBERS:
            self.assertEqual(self.ran("apart", "lazy", str(threads))[2], threads)

    def test_what_was_done_is_undone_before_one_thread_begins_anew(self) -> None:
        # counts[] twice, once a launch; a ticket a block, twice
        self.assertRegex(self.ran("same_value", "lazy", "4")[0], r"cudaSuccess: no error\n\w+ 7 2\n")
        self.assertRegex(self.ran("relay", "lazy", "4")[0], r"cudaSuccess: no error\n\w+ 0 96\n")

    def test_seeds_are_of_each_block(self) -> None:
        sums = {mode: self.ran("order_of_warps", mode, "4")[0] for mode in ("lazy", *(f"random:{seed}" for seed in range(1, 5)))}
        self.assertGreater(len(set(sums.values())), 1)

    def test_a_note_is_of_the_first_block_that_has_one(self) -> None:
        for name in ("not_written", "not_copied"):
            for threads in NUMBERS:
                (note,) = self.ran(name, "lazy", str(threads))[1]
                self.assertIn(f"{name}, block (5,0,0), thread (", note)
                self.assertIn("that nobody has written", note)

    def test_one_thread_does_where_no_more_are_to_be_had(self) -> None:
        def no_threads() -> None:  # whose stacks would be larger than any address space
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 46, 1 << 46))

        for name in ("apart", "tickets"):
            self.assertEqual(self.ran(name, "lazy", "4", no_threads)[0], self.ran(name, "lazy", "1")[0])

    def test_one_thread_does_where_stacks_for_more_have_no_room(self) -> None:
        def only(mebibytes: int) -> Callable:
            return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))

        alone = self.ran("wide", "lazy", "1")[0]
        for least in range(256, 4096, 64):
            try:
                self.ran("wide", "lazy", "1", only(least))
                break
            except subprocess.CalledProcessError:
                continue
        for_threads = 384  # MiB that the C library reserves for four of them, whether they have a stack or not
        for mebibytes in range(least + for_threads, least + 1600, 48):
            self.assertEqual(self.ran("wide", "lazy", "4", only(mebibytes))[0], alone, f"{mebibytes} MiB")

    def test_a_number_that_is_none_is_told(self) -> None:
        alone = self.ran("apart", "lazy", "1")[0]
        for threads in ("", "0", "17", "two", "2 "):
            said, (note,), most = self.ran("apart", "lazy", threads)
            self.assertEqual((said, most), (alone, 1))
            self.assertIn(f"PODIUM_EMULATED_THREADS is '{threads}'; expected a number from 1 to 16", note)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
