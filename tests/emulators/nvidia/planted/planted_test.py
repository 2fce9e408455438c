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
from planted_mistakes import ALL, CLASSES, MODES, Mistake
from planted_right import RIGHT

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "emulators"))

from nvidia.translator.fatbin import ptx_of  # noqa: E402

PROGRAMS = {  # and the architectures of which they are
    "planted": "90a", "planted_races": "90a", "planted_blocks": "90a", "planted_registers": "90a", "planted_proxies": "90a",
    "planted_tensor": "100a", "planted_pairs": "100a", "planted_copies": "90a", "planted_groups": "90a", "planted_products": "100a",
    "planted_dependents": "90a", "planted_clusters": "90a",
}  # fmt: skip
TABLE = Path(__file__).resolve().parents[4] / "docs" / "emulators_mistakes.md"
_HEAD = """# Planted mistakes

The required report of an [emulated NVIDIA device](emulators.md) for each kernel of `planted_*.cu` in `tests/emulators/nvidia` that has a mistake, by mode (`--async`).
`planted_test.py` runs each kernel in every mode, compares its report with `planted_mistakes.py`, and generates this table (`--write-table`).
*Told*: a sentence names kernel, thread and line; for a launch the limit; for a deadlock who waits where.
*By its result*: the kernel ends and its numbers are wrong. *Hidden*: it ends and its numbers are right. *By its seed*: one of the last two.
The number at a table's head is the number of mistakes in it.

"""


def table() -> str:
    def cell(mistake: Mistake, mode: str) -> str:
        if mode in mistake.modes:
            return "by its result" if mistake.by_result else "told"
        return "hidden" if mode in mistake.hidden else "by its seed"

    lines = []
    for kind in CLASSES:
        rows = [m for m in ALL if m.kind == kind]
        lines += [f"## {kind[0].upper()}{kind[1:]}", "", f"| {len(rows)} | {' | '.join(MODES)} |", "|---" * (len(MODES) + 1) + "|"]
        lines += [f"| {m.name} | {' | '.join(cell(m, mode) for mode in MODES)} |" for m in rows] + [""]
    right = sum(map(len, RIGHT.values()))
    lines.append(f"{len(ALL)} mistakes. Of {right} kernels beside them, which are right, nothing is said in any mode.")
    return _HEAD + "\n".join(lines) + "\n"


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

    def said(self, name: str, mode: str = "lazy", program: str = "planted", threads: int = 0, notes: int = subprocess.DEVNULL) -> str:
        """`notes`: what becomes of standard error, where what may be no mistake is noted."""
        environment = dict(os.environ, PODIUM_EMULATED_ASYNC=mode, PODIUM_EMULATED=f"sm_{PROGRAMS[program]}")
        if threads:
            environment["PODIUM_EMULATED_THREADS"] = str(threads)
        command = [Path(self.folder.name) / program, name]
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=notes, text=True, check=True, timeout=60
        )
        return done.stdout

    def outcome(self, mistake: Mistake, mode: str) -> str:
        """What the table says of a mistake in a mode, as it is seen."""
        said = self.said(mistake.name, mode, mistake.program)
        if mistake.by_result:
            return "by its result" if said == f"cudaSuccess: no error\n{mistake.told}\n" else said
        pattern = mistake.told if mode == "lazy" else mistake.elsewhere or mistake.told
        return "told" if re.search(pattern, said) else said

    def test_mistakes_are_told_in_their_modes(self) -> None:
        for mistake, mode in itertools.product(ALL, MODES):
            with self.subTest(mistake.name, mode=mode):
                seen = self.outcome(mistake, mode)
                if mode in mistake.modes:
                    self.assertEqual(seen, "by its result" if mistake.by_result else "told")
                elif mode in mistake.hidden:
                    self.assertRegex(seen, "^cudaSuccess")

    def test_the_table_says_so(self) -> None:
        self.assertEqual(TABLE.read_text(encoding="utf-8"), table(), "planted_test.py --write-table makes it anew")

    def test_every_kernel_is_in_a_list(self) -> None:
        """A mistake, or what is right, that nobody asks for would be one that nobody has seen told."""
        listed = {m.name for m in ALL} | {name.removeprefix("right_") for names in RIGHT.values() for name in names}
        for program in PROGRAMS:
            text = Path(__file__).with_name(f"{program}.cu").read_text(encoding="utf-8")
            for name in re.findall(r"\b(?:is|is_either)\((?:name, )?\"(\w+)\"", text):
                self.assertIn(name.removeprefix("right_"), listed, program)

    def test_what_is_right_is_not_touched(self) -> None:
        for program, all_values in RIGHT.items():
            for (name, values), mode in itertools.product(all_values.items(), MODES):
                with self.subTest(name, mode=mode):
                    self.assertEqual(self.said(name, mode, program, notes=subprocess.STDOUT), f"cudaSuccess: no error\n{values}\n")

    def test_any_number_of_threads_of_the_system_says_the_same(self) -> None:
        names = [(m.program, m.name) for m in ALL] + [(program, name) for program, all_names in RIGHT.items() for name in all_names]
        for (program, name), mode in itertools.product(names, MODES):
            alone, *more = (re.sub(r"0x[0-9a-f]{8,}", "ADDRESS", self.said(name, mode, program, n)) for n in (1, 2, 4))
            with self.subTest(name, mode=mode):
                self.assertEqual(more, [alone, alone])

    def test_a_gpu_is_asked(self) -> None:
        """planted_gpu.py, of which the emulated device takes the part; the second time with another program in one's place."""
        script = [sys.executable, "-B", Path(__file__).with_name("planted_gpu.py")]
        with tempfile.TemporaryDirectory() as folder:
            for name, status, said in (("planted_clusters", 0, "10 kernels leave what they should, 0 do not"), ("planted_dependents", 1, "0 do not")):
                (Path(folder) / name).symlink_to(Path(self.folder.name) / "planted_clusters")
                done = subprocess.run([*script, folder], stdout=subprocess.PIPE, text=True, check=False)
                self.assertEqual((done.returncode, said in done.stdout), (status, status == 0), done.stdout)
                self.assertIn("planted_races: not in ", done.stdout)

    def test_unwritten_shared_memory_is_noted(self) -> None:
        for name, noted in (("unwritten", True), ("right_shared", False)):
            done = subprocess.run([Path(self.folder.name) / "planted", name], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=True)
            note = ": it reads 4 bytes of shared memory at 0x400 that nobody has written"
            self.assertEqual(note in done.stderr, noted, done.stderr)


if __name__ == "__main__":
    if "--write-table" in sys.argv:
        sys.exit(TABLE.write_text(table(), encoding="utf-8") and 0)
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
