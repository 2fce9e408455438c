# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Planted mistakes, each with its sentence and the modes that report it; and kernels without mistakes, of which nothing is
said in any mode."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import keep, options

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "emulators"))

from nvidia.translator.fatbin import ptx_of  # noqa: E402

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
    "too_many_arrivals": "more arrivals at the mbarrier at 0x400 than the 2 it expects",
    "bulk_size": "a bulk copy of 248 bytes, which is no multiple of 16",
    "barrier_odd_count": "barrier 3 with 63 threads, which is no multiple of a warp's 32",
    "barrier_number": "there is no barrier 16, only 0 to 15",
    "assertion": "the assertion `n == threads` does not hold",
    "cluster_shape": "clusters of (2,1,1) blocks do not divide the grid",
    "grid_at_a_time": "100000 blocks do not fit the device at a time",
}
# Of planted_races.cu: how the sentence names the other access, and what is missing.
_WARP, _BLOCK, _BLOCKS = "no __syncwarp()", "no __syncthreads()", "no fence of both with an atomic operation or flag"
RACES = {
    "missing_syncthreads": ("thread (0,0,0) read at", _BLOCK),
    "missing_second_syncthreads": ("thread (32,0,0) wrote at", _BLOCK),
    "missing_syncwarp": ("thread (0,0,0) read at", _WARP),
    "warp_for_block": ("thread (0,0,0) read at", _BLOCK),
    "half_a_warp": ("thread (0,0,0) read at", _WARP),
    "barrier_of_others": ("thread (32,0,0) wrote at", _BLOCK),
    "arrived_only": ("thread (0,0,0) wrote at", _BLOCK),
    "two_writers": ("thread (0,0,0) wrote at", _WARP),
    "plain_counter": ("wrote at", _WARP),
    "counter_read_early": ("read at", _WARP),
    "bytes_of_a_word": ("thread (31,0,0) read at", _BLOCK),
    "matrix_rows": ("thread (1,0,0) wrote at", _WARP),
    "flag_in_a_block": ("thread (0,0,0) wrote at", _BLOCK),
    "shuffled": ("read at", _WARP),
    "other_block": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "blocks_write": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "look_back_without_release": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "look_back_without_acquire": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "look_back_block_scope": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "look_back_plain_flag": ("block (0,0,0), thread (0,0,0) wrote at", _BLOCKS),
    "last_block": ("wrote at", _BLOCKS),
    "grid": ("block (0,0,0), thread (31,0,0) read at", _BLOCKS),
    "cluster": ("block (0,0,0), thread (0,0,0) read at", _BLOCKS),
    "others_copies": ("thread (0,0,0) read at", _BLOCK),
    "copy_too_early": ("thread (32,0,0) wrote at", _BLOCK),
    "phase_not_waited_for": ("thread (32,0,0) read at", _BLOCK),
}
# Of planted_registers.cu: the thread that is told of, the register if its name is the source's, and what it decides.
_STORED = "is stored to global memory"
REGISTERS = {
    "load_not_done": (63, "%r", _STORED),
    "one_of_four": (0, "%r", _STORED),
    "address": (0, "%r", "decides which address is accessed"),
    "shared_address": (63, "at,", "decides which address is accessed"),
    "branch": (0, "v,", "decides a branch"),
    "guarded_store": (0, "q,", "decides whether something is stored"),
    "accumulator": (0, "sum,", _STORED),
    "chosen": (0, "w,", _STORED),
    "fragment": (31, "c2,", _STORED),
}
RIGHT_REGISTERS = {
    "right_load_not_done": "1 1",
    "right_one_of_four": "1 4",
    "right_address": "1 1",
    "right_shared_address": "5 5",
    "right_branch": "1 1",
    "right_guarded_store": "1 1",
    "right_accumulator": "6 6",
    "right_chosen": "7 7",
    "right_fragment": "2 2",
    "right_only_read": "3 3",
}
# Of planted_proxies.cu and planted_tensor.cu: what touches shared memory, and who wrote there. Told in every mode.
_READ, _MULTIPLIED = "a bulk copy reads", "wgmma.mma_async reads"
PROXIES = {
    "missing_proxy_fence": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_too_early": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_of_one": (_READ, "thread (1,0,0) wrote"),
    "proxy_fence_of_global": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_second_round": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_of_warps": (_READ, "wrote"),
    "proxy_fence_at_mbarrier": (_READ, "thread (0,0,0) wrote"),
    "proxy_fence_after_change": (_READ, "thread (0,0,0) wrote"),
    "overwritten_by_copy": ("a bulk copy writes", "thread (0,0,0) wrote"),
    "wgmma_without_fence": (_MULTIPLIED, "wrote"),
    "wgmma_fence_too_early": (_MULTIPLIED, "wrote"),
    "wgmma_fence_of_one": (_MULTIPLIED, "thread (1,0,0) wrote"),
    "wgmma_registers": (_MULTIPLIED, "wrote"),
    "wgmma_after_change": (_MULTIPLIED, "thread (77,0,0) wrote"),
}
TENSOR_PROXIES = {
    "operand_without_fence": ("tcgen05.mma reads", "wrote"),
    "copied_without_fence": ("tcgen05.cp reads", "wrote"),
}
RIGHT_PROXIES = {
    "right_missing_proxy_fence": "0 63",
    "right_proxy_fence_too_early": "0 63",
    "right_proxy_fence_second_round": "1 64",
    "right_proxy_fence_of_warps": "0 63",
    "right_proxy_fence_at_mbarrier": "0 63",
    "right_proxy_fence_after_change": "0 7",
    "right_brought_by_copy": "0 0",
    "right_overwritten_by_copy": "0 0",
    "right_wgmma_without_fence": "16 16",
    "right_wgmma_fence_too_early": "16 16",
    "right_wgmma_registers": "16 16",
    "right_wgmma_after_change": "33 32",
    "right_wgmma_after_cp_async": "3 3",
}
# Of planted_tensor.cu: which wait is missing, who relies on it, and the thread whose warp it is of. Told in every mode.
_LOAD, _STORE = "neither a tcgen05.wait::ld of that warp nor a use of what it loads", "no tcgen05.wait::st of that warp"
TENSOR_WAITS = {
    "store_then_load": (_STORE, "tcgen05.ld reads", r"thread \(\d+,0,0\) stores"),
    "store_for_another_warp": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_waits_for_loads": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_waits_too_late": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_at_mbarrier": (_STORE, "tcgen05.ld reads", r"thread \(0,0,0\) stores"),
    "store_before_product": (_STORE, "tcgen05.mma reads", r"thread \(0,0,0\) stores"),
    "load_before_product": (_LOAD, "tcgen05.mma overwrites", r"thread \(0,0,0\) loads"),
    "load_beside_another": (_LOAD, "tcgen05.mma overwrites", r"thread \(0,0,0\) loads"),
    "load_before_copy": (_LOAD, "tcgen05.cp overwrites", r"thread \(0,0,0\) loads"),
    "load_then_store": (_LOAD, "tcgen05.st overwrites", r"thread \(\d+,0,0\) loads"),
    "load_only_moved": (_LOAD, "tcgen05.st overwrites", r"thread \(0,0,0\) loads"),
    "given_back": (_LOAD, "tcgen05.dealloc gives back", r"thread \(0,0,0\) loads"),
}
# Of planted_pairs.cu: of whose warp a wait is missing before the pair's product.
PAIR_WAITS = {
    "pair_second_block": r"block \(1,0,0\), thread \(0,0,0\) loads",
    "pair_first_block": r"block \(0,0,0\), thread \(0,0,0\) loads",
}
RIGHT_TENSOR_WAITS = {
    "right_store_then_load": "5 5",
    "right_store_for_another_warp": "0 63",
    "right_store_at_mbarrier": "3 4",
    "right_store_before_product": "16 16",
    "right_load_before_product": "0 63",
    "right_load_used_before_product": "0 126",
    "right_load_beside_another": "7 0",
    "right_load_before_copy": "6 6",
    "right_load_then_store": "4 4",
    "right_load_only_moved": "8 8",
    "right_given_back": "2 2",
    "right_pipelined": "16 16",
    "right_operand_without_fence": "16 16",
    "right_copied_without_fence": "16 16",
}
RIGHT_PAIR_WAITS = {"right_pair_second_block": "16 32"}
# What is computed instead: the first and the last value.
VALUES = {
    "right_global_read": "0 0",
    "right_shared": "1 1",
    "right_lane_masks": "1 62",
    "right_wait": "0 0",
    "right_mbarrier": "1 1",
    "right_trap": "0 0",
    "right_look_back": "1 64",
    "right_too_many_arrivals": "1 1",
    "right_bulk_size": "0 0",
    "right_barrier_odd_count": "3 3",
    "right_barrier_number": "15 15",
    "right_assertion": "64 64",
    "right_cluster_shape": "1 1",
    "right_grid_at_a_time": "1 1",
    "missing_wait": "-1 -1",
    "unwritten": "-1 -1",
}
RIGHT_ORDER = {
    "right_missing_syncthreads": "32 31",
    "right_missing_second_syncthreads": "3 3",
    "right_missing_syncwarp": "1 62",
    "right_warp_for_block": "32 31",
    "right_half_a_warp": "1 62",
    "right_barrier_of_others": "0 63",
    "right_arrived_only": "7 7",
    "right_two_writers": "5 5",
    "right_plain_counter": "64 64",
    "right_counter_read_early": "64 64",
    "right_bytes_of_a_word": "63 0",
    "right_matrix_rows": "0 31",
    "right_flag_in_a_block": "64 64",
    "right_shuffled": "65 65",
    "right_early_exit": "3 3",
    "right_tiles": "72 72",
    "right_other_block": "1 1",
    "right_blocks_write": "4 4",
    "right_look_back": "8 8",
    "right_release_acquire": "8 8",
    "right_last_block": "32 32",
    "right_last_block_all_fence": "32 32",
    "right_grid": "63 0",
    "right_cluster": "1 0",
    "right_others_copies": "0 0",
    "right_copy_too_early": "0 0",
    "right_two_buffers": "0 0",
    "right_phase_not_waited_for": "6 6",
}
MODES = ("lazy", "eager", "random:7")
PROGRAMS = {  # and the architectures of which they are
    "planted": "90a", "planted_races": "90a", "planted_registers": "90a", "planted_proxies": "90a", "planted_tensor": "100a",
    "planted_pairs": "100a",
}  # fmt: skip


def line_of(kernel: str) -> int:
    """Where a kernel that fits a line stands."""
    lines = Path(__file__).with_name("planted.cu").read_text(encoding="utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if f"void {kernel}(" in line), 0)


class PlantedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        library = Path(ARGUMENTS.library)
        for name, architecture in PROGRAMS.items():
            command = [
                ARGUMENTS.compile, "--nvcc", ARGUMENTS.nvcc, "--cxx", ARGUMENTS.cxx, "-std=c++17", "-O3",
                f"-gencode=arch=compute_{architecture},code=sm_{architecture}", Path(__file__).with_name(f"{name}.cu"),
                "-o", Path(cls.folder.name) / name,
                f"-L{library.parent}", "-lpodium_cuda_emulated", "-Xlinker", f"-rpath,{library.parent}",
            ]  # fmt: skip
            subprocess.run(command, check=True)
            keep(ptx_of((Path(cls.folder.name) / name).read_bytes()) or "")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def said(self, name: str, mode: str = "lazy", program: str = "planted", threads: int = 0) -> str:
        environment = dict(os.environ, PODIUM_EMULATED_ASYNC=mode, PODIUM_EMULATED=f"sm_{PROGRAMS[program]}")
        if threads:
            environment["PODIUM_EMULATED_THREADS"] = str(threads)
        command = [Path(self.folder.name) / program, name]
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, timeout=60
        )
        return done.stdout

    def test_mistakes_are_told(self) -> None:
        for name, sentence in MISTAKES.items():
            with self.subTest(name):
                self.assertIn(sentence.replace("LINE", str(line_of(name))), self.said(name))

    def test_races_are_told_with_both_accesses(self) -> None:
        for name, (other, missing) in RACES.items():
            with self.subTest(name):
                said = self.said(name, program="planted_races")
                self.assertRegex(said, r"block \(\d+,0,0\), thread \(\d+,0,0\), [\w.]+:\d+ \(PTX line \d+\): a data race: it ")
                self.assertRegex(said, re.escape(other) + r" [\w.]+:\d+ \(PTX line \d+\): " + re.escape(missing))

    def test_every_mode_tells_races(self) -> None:
        for mode in MODES[1:]:
            for name in RACES:
                with self.subTest(name, mode=mode):
                    self.assertIn(": a data race: it ", self.said(name, mode, "planted_races"))

    def test_registers_that_nothing_has_written_are_told_by_name(self) -> None:
        for name, (thread, register, what) in REGISTERS.items():
            for mode in MODES:
                with self.subTest(name, mode=mode):
                    place = rf"kernel \(anonymous namespace\)::{name}, block \(0,0,0\), thread \({thread},0,0\), planted_registers.cu:\d+ \(PTX line \d+\)"
                    said = self.said(name, mode, "planted_registers")
                    self.assertRegex(said, place + rf": the register {register}.*which nothing has written, {what}")

    def test_missing_fences_between_proxies_are_told(self) -> None:
        for program, mistakes in (("planted_proxies", PROXIES), ("planted_tensor", TENSOR_PROXIES)):
            for mode in MODES:
                for name, (does, other) in mistakes.items():
                    with self.subTest(name, mode=mode):
                        said = self.said(name, mode, program)
                        self.assertRegex(said, rf"{program}.cu:\d+ \(PTX line \d+\): a missing fence.proxy.async: {re.escape(does)} \d+ bytes")
                        self.assertRegex(said, re.escape(other) + rf" some at {program}.cu:\d+ ")

    def test_missing_waits_of_tensor_memory_are_told(self) -> None:
        for mode in MODES:
            for name, (missing, does, other) in TENSOR_WAITS.items():
                with self.subTest(name, mode=mode):
                    said = self.said(name, mode, "planted_tensor")
                    wait = "st" if missing is _STORE else "ld"
                    place = rf"planted_tensor.[ch]\w+:\d+ \(PTX line \d+\): a missing tcgen05.wait::{wait}: {re.escape(does)} tensor memory at lane \d+, column \d+"
                    self.assertRegex(said, place + rf", which the warp of block \(0,0,0\), {other} at planted_tensor.[ch]\w+:\d+ \(PTX line \d+\): {missing} lies between")

    def test_a_missing_wait_of_either_block_of_a_pair_is_told(self) -> None:
        for mode in MODES:
            for name, whose in PAIR_WAITS.items():
                with self.subTest(name, mode=mode):
                    said = self.said(name, mode, "planted_pairs")
                    place = r"planted_pairs.cu:\d+ \(PTX line \d+\): a missing tcgen05.wait::ld: tcgen05.mma overwrites tensor memory at lane \d+, column \d+"
                    self.assertRegex(said, place + rf", which the warp of {whose} at planted_tensor.hpp:\d+ \(PTX line \d+\): {_LOAD} lies between")

    def test_what_is_right_is_not_touched(self) -> None:
        programs = {
            "planted": VALUES, "planted_races": RIGHT_ORDER, "planted_registers": RIGHT_REGISTERS, "planted_proxies": RIGHT_PROXIES,
            "planted_tensor": RIGHT_TENSOR_WAITS, "planted_pairs": RIGHT_PAIR_WAITS,
        }  # fmt: skip
        for program, all_values in programs.items():
            for name, values in all_values.items():
                for mode in MODES if name.startswith("right") else MODES[:1]:
                    with self.subTest(name, mode=mode):
                        self.assertEqual(self.said(name, mode, program), f"cudaSuccess: no error\n{values}\n")

    def test_any_number_of_threads_of_the_system_says_the_same(self) -> None:
        programs = {
            "planted": MISTAKES | VALUES, "planted_races": RACES | RIGHT_ORDER, "planted_registers": REGISTERS | RIGHT_REGISTERS,
            "planted_proxies": PROXIES | RIGHT_PROXIES, "planted_tensor": TENSOR_PROXIES | TENSOR_WAITS | RIGHT_TENSOR_WAITS,
        }  # fmt: skip
        for program, names in programs.items():
            for name, mode in itertools.product(names, MODES):
                alone, *more = (re.sub(r"0x[0-9a-f]{8,}", "ADDRESS", self.said(name, mode, program, n)) for n in (1, 2, 4))
                with self.subTest(name, mode=mode):
                    self.assertEqual(more, [alone, alone])

    def test_unwritten_shared_memory_is_noted(self) -> None:
        for name, noted in (("unwritten", True), ("right_shared", False)):
            done = subprocess.run([Path(self.folder.name) / "planted", name], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=True)
            note = ": it reads 4 bytes of shared memory at 0x400 that nobody has written"
            self.assertEqual(note in done.stderr, noted, done.stderr)

    def test_an_eager_copy_hides_a_missing_wait(self) -> None:
        self.assertIn("\n0 0\n", self.said("missing_wait", "eager"))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
