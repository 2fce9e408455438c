#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""NaNs and results at a format's limits: what an H200 answered (h200_limits.xz), bit for bit. The file holds questions and answers.

  limits_test.py --ask                   on a device: asks it the same questions, and says which answers differ
  limits_test.py --compile ... --cxx     in the emulator
"""

from __future__ import annotations

import ctypes
import json
import lzma
import sys
import unittest
from collections.abc import Callable
from pathlib import Path

from emulated import Buffer, Device, compiled, options
from forms.driver import Gpu
from forms.form import WIDTHS, Form
from forms.modules import HEADER, Kernel

FILE = Path(__file__).with_name("h200_limits.xz")
TARGET = "sm_90a"
LEAST = 60  # instructions


class Asked(Kernel):
    """A kernel of one instruction with operands of its own."""

    def __init__(self, number: int, question: dict) -> None:
        super().__init__(f"limits_{number}", tuple(question["operands"]), "scalar")
        self.__dict__["columns"] = [[int(x, 16) for x in column] for column in question["columns"]]
        self.instruction, self.answers = question["name"], [int(x, 16) for x in question["answers"]]
        self.add(Form(question["name"], question["body"], self.operands, (question["result"],)))

    @property
    def lanes(self) -> int:
        return len(self.__dict__["columns"][0])

    def answered(self, data: bytes) -> list[int]:
        return self.results(self.slots[0], data)[0]

    def differences(self, found: list[int]) -> list[str]:
        digits = WIDTHS[self.slots[0].form.results[0]] // 4
        return [f"{self.instruction} of {', '.join(f'{c[i]:#x}' for c in self.columns)}: {mine:#0{digits + 2}x}, the device that was asked made "
                f"{theirs:#0{digits + 2}x}" for i, (mine, theirs) in enumerate(zip(found, self.answers)) if mine != theirs]  # fmt: skip


def asked() -> list[Asked]:
    data = json.loads(lzma.decompress(FILE.read_bytes()))
    return [Asked(i, question) for i, question in enumerate(data["questions"])]


def ptx(kernels: list[Asked]) -> str:
    return HEADER.format(TARGET) + "".join(k.ptx() for k in kernels)


def different(kernels: list[Asked], run: Callable[[Asked], bytes]) -> list[str]:
    return [sentence for kernel in kernels for sentence in kernel.differences(kernel.answered(run(kernel)))]


class LimitsTest(unittest.TestCase):
    def test_the_emulator_answers_as_the_device_did(self) -> None:
        kernels, device = asked(), Device(ARGUMENTS)
        self.assertGreaterEqual(len(kernels), LEAST)
        loaded = device.load_library(compiled(ARGUMENTS, ptx(kernels)))

        def run(kernel: Asked) -> bytes:
            out, inputs = Buffer(device, bytes(kernel.memory)), Buffer(device, kernel.inputs)
            device.launch(loaded, kernel.name, 1, kernel.lanes, [ctypes.c_uint64(b.at.value) for b in (out, inputs)])
            return out.bytes()[: kernel.size]

        self.assertEqual(different(kernels, run), [])
        # And one changed answer is told.
        kernels[3].answers[5] ^= 1
        self.assertEqual(len(different(kernels, run)), 1)


def ask() -> int:
    kernels, gpu = asked(), Gpu()
    module = gpu.load(ptx(kernels))
    sentences = different(kernels, lambda k: gpu.run(module, k))
    for sentence in sentences:
        print(sentence)
    print(f"{len(kernels)} instructions asked, {len(sentences)} answers differ")
    return 1 if sentences else 0


if __name__ == "__main__":
    if "--ask" in sys.argv:
        sys.exit(ask())
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
