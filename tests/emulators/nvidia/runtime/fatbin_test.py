# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX in fatbins as nvcc writes them in each of its modes, from objects to results; and in fatbins that are damaged."""

from __future__ import annotations

import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import options

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "emulators"))
from nvidia.translator.fatbin import Damaged, ptx_of, target_of, texts_of  # noqa: E402

_NONE, _LZ4, _ZSTANDARD = 0, 0x2000, 0x8000
MODES = {  # nvcc's options, and what an entry's flags say of them
    "-no-compress": _NONE,
    "-compress-mode=none": _NONE,
    "-compress-mode=default": _ZSTANDARD,
    "-compress-mode=balance": _ZSTANDARD,
    "-compress-mode=size": _ZSTANDARD,
    "-compress-mode=speed": _LZ4,
    "-Xfatbin=-compress-all": _ZSTANDARD,
}
COMPRESSED = {"LZ4": "-compress-mode=speed", "Zstandard": "-compress-mode=default"}
_ENTRY = 16  # offset of the first entry in a fatbin
_HEADER_BYTES, _COMPRESSED_BYTES, _FLAGS, _CODE_BYTES = 4, 16, 40, 56  # and in an entry
_MOST_MEMORY = 128 << 10  # KiB that reading a small fatbin may take, whatever it says; what is claimed is twice that


class FatbinTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.objects, cls.programs = {}, {}
        for number, mode in enumerate(MODES):
            cls.objects[mode] = Path(cls.folder.name) / f"{number}.o"
            source = Path(__file__).with_name("fatbin.cu")
            generated = "-gencode=arch=compute_90,code=compute_90"
            subprocess.run([ARGUMENTS.nvcc, "-c", mode, generated, source, "-o", cls.objects[mode]], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def entry(self, data: bytes) -> int:
        """Where the first entry begins."""
        return data.index(b"\x50\xed\x55\xba") + _ENTRY

    def translated(self, file: Path) -> tuple[int, str, Path]:
        """Of the emulator's compiler: exit status, what it says, and the kernels."""
        kernels = file.with_suffix(".so")
        command = [ARGUMENTS.compile, "--ptx", "--cxx", ARGUMENTS.cxx, file, "-o", kernels]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, kernels

    def linked(self, mode: str) -> Path:
        """The program, with its translation beside it."""
        if mode not in self.programs:
            self.programs[mode] = self.program_of(self.objects[mode])
        return self.programs[mode]

    def program_of(self, file: Path) -> Path:
        status, said, kernels = self.translated(file)
        self.assertEqual((status, said), (0, ""), file)
        program, library = kernels.with_suffix(".program"), Path(ARGUMENTS.library)
        command = [
            ARGUMENTS.cxx, file, "-Wl,--no-as-needed", kernels, f"-L{library.parent}", "-lpodium_cuda_emulated",
            f"-Wl,-rpath,{library.parent}:{kernels.parent}", "-o", program,
        ]  # fmt: skip
        subprocess.run(command, check=True)
        return program

    def ran(self, program: Path, architecture: str = "sm_90a") -> tuple[str, int]:
        """What it says, and the memory that it took, in KiB."""
        environment = dict(os.environ, PODIUM_EMULATED=architecture)
        with subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, text=True) as process:
            said = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, said)
        return said, used.ru_maxrss

    def test_every_mode_of_nvcc_is_read_and_runs(self) -> None:
        texts = set()
        for mode, compression in MODES.items():
            with self.subTest(mode):
                data = self.objects[mode].read_bytes()
                (flags,) = struct.unpack_from("<Q", data, self.entry(data) + _FLAGS)
                self.assertEqual(flags & (_LZ4 | _ZSTANDARD), compression)
                texts.add(ptx_of(data))
                self.assertEqual(self.ran(self.linked(mode))[0], "no error: 100 right\n")
        self.assertEqual(len(texts), 1)

    def test_each_device_takes_its_own_of_several(self) -> None:
        """That of its architecture alone before that of its family, and that before what later ones take too."""
        for targets, devices in {
            ("80", "90", "90a", "100f"): {"sm_80": 800, "sm_90a": 902, "sm_100a": 1001, "sm_103a": 1001, "sm_120a": 900},
            ("100f", "100a", "90"): {"sm_90a": 900, "sm_100a": 1002, "sm_103a": 1001, "sm_120a": 900, "sm_80": 0},
        }.items():
            file = Path(self.folder.name) / f"several_{targets[0]}.o"
            generated = [f"-gencode=arch=compute_{target},code=compute_{target}" for target in targets]
            subprocess.run([ARGUMENTS.nvcc, "-c", *generated, Path(__file__).with_name("fatbin_several.cu"), "-o", file], check=True)
            self.assertEqual({"".join(map(str, target_of(text))) for text in texts_of(file.read_bytes())}, set(targets))
            program = self.program_of(file)
            for device, number in devices.items():
                with self.subTest(targets=targets, device=device):
                    said, chosen = self.ran(program, device)[0], ptx_of(file.read_bytes(), int(device[3:].rstrip("a")))
                    if number:
                        self.assertEqual(said, f"no error: {number}\n")
                        self.assertEqual(target_of(chosen), (number // 10, ("", "f", "a")[number % 10]))
                    else:
                        self.assertRegex(said, r"\Athe fatbin of kernel [^\n]*which[^\n]* cannot be read: found PTX for [^\n]* alone, which sm_80 does not take: 0\n\Z")
                        self.assertIsNone(chosen)

    def test_a_fatbin_ends_with_the_object_that_holds_it(self) -> None:
        """Whatever its header says."""
        program = self.linked("-no-compress")
        data = bytearray(program.read_bytes())
        struct.pack_into("<Q", data, self.entry(data) - 8, 1 << 40)
        damaged = program.with_suffix(".endless")
        damaged.write_bytes(data)
        damaged.chmod(0o755)
        self.assertRegex(self.ran(damaged)[0], r"\Athe fatbin of kernel [^\n]* cannot be read: found [^\n]*: 0 right\n\Z")

    def damaged(self, mode: str, offset: int, form: str, value: int) -> bytes:
        data = bytearray(self.objects[mode].read_bytes())
        struct.pack_into(form, data, self.entry(data) + offset, value)
        return bytes(data)

    def test_what_is_damaged_is_told_by_compiler_and_runtime(self) -> None:
        claims = [(_CODE_BYTES, "<Q", 1 << 40, "1099511627776"), (_CODE_BYTES, "<Q", 1 << 28, "")]
        for method, mode in COMPRESSED.items():
            data = self.objects[mode].read_bytes()
            (begins,) = struct.unpack_from("<I", data, self.entry(data) + _HEADER_BYTES)  # the compressed text
            ends = [(begins, "<Q", 0xFFFFFFFFFFFFFFFF, method), (_COMPRESSED_BYTES, "<I", 40, method)]
            for offset, form, value, says in [*ends, *claims, (_COMPRESSED_BYTES, "<I", 0x7FFFFFFF, "cut off")]:
                with self.subTest(method, offset=offset, value=value):
                    file = Path(self.folder.name) / "damaged.o"
                    file.write_bytes(self.damaged(mode, offset, form, value))
                    status, said, _ = self.translated(file)
                    self.assertEqual(status, 1)
                    self.assertRegex(said, r"\Aerror: found [^\n]*\n\Z")
                    self.assertIn(says, said)
                    program = self.linked(mode)
                    data = bytearray(program.read_bytes())
                    struct.pack_into(form, data, self.entry(data) + offset, value)
                    damaged = program.with_suffix(".damaged")
                    damaged.write_bytes(data)
                    damaged.chmod(0o755)
                    said, memory = self.ran(damaged)
                    self.assertRegex(said, r"\Athe fatbin of kernel [^\n]*squares[^\n]* cannot be read: found [^\n]*: 0 right\n\Z")
                    self.assertLess(memory, _MOST_MEMORY)

    def test_whatever_bytes_there_are_the_translator_says_one_sentence(self) -> None:
        numbers = random.Random(5)
        told = 0
        for mode in COMPRESSED.values():
            whole = self.objects[mode].read_bytes()
            begins = self.entry(whole)
            for length in range(begins - _ENTRY + len(b"PUxx"), begins):  # its header is cut off
                with self.assertRaises(Damaged):
                    ptx_of(whole[: max(length, begins - _ENTRY + 8)])
            for _ in range(2000):
                data = bytearray(whole)
                for _ in range(3):
                    data[begins + numbers.randrange(200)] = numbers.randrange(256)
                try:
                    ptx_of(bytes(data[: numbers.choice([len(data), begins + numbers.randrange(400)])]))
                except Damaged:
                    told += 1
        self.assertGreater(told, 1000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, _MOST_MEMORY)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
