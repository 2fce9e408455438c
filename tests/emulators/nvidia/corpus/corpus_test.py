# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The corpus itself: that it is the same wherever it is made, that ptxas takes it, and that its check sees one wrong bit."""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from corpus import DEVICE, assembled, emulated, judged, record, sample, tests_of, unasked
from emulated import options
from forms import block_barriers, boxes, clusters, modules, recording as recording_of, stores, tiles, wmma
from forms.checking import against_expectations, place_of
from forms.driver import Failed, Gpu
from forms.evidence import document
from forms.form import Form
from forms.modules import Kernel, Module, Slot, modules_of
from forms.operands import CLASSES
from forms.recording import Recording, Unreadable, answered, joined, read, without_older, without_silent

LEAST = 2000  # tests


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


class Pretended(Gpu):
    """A driver that notes what it is asked, and refuses one map."""

    def __init__(self) -> None:
        self._driver, self.launched, self.maps = self, [], 0

    def __getattr__(self, name: str):
        def call(*arguments) -> int:
            if name == "cuMemAlloc_v2":
                arguments[0]._obj.value = 1 << 40
            if name == "cuLaunchKernel":
                self.launched.append((arguments[1].value, arguments[4].value))
            if name.startswith("cuTensorMapEncode"):
                self.maps += 1
                return int(self.maps == 3 or ctypes.addressof(arguments[0]) % 64 != 0)
            return 0

        return call


class Zeros(Pretended):
    """Whose results are zeros."""

    def describe(self) -> dict[str, str]:
        return {"device": "a device"}

    def run(self, module, kernel: Kernel) -> bytes:
        return bytes(kernel.size)


class CorpusTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.modules = modules()
        # One of exact results alone, and those of functions with an error.
        cls.few = [m for m in cls.modules if m.name in ("integers_sm_90", "narrow_sm_90")]
        cls.results = emulated(ARGUMENTS, cls.few)

    def recording(self, **changed: bytes) -> Recording:
        return Recording({"device": "a device"}, {m.name: m.digest for m in self.few}, {**self.results, **changed})

    def slot(self, name: str) -> tuple[Kernel, Slot]:
        return next((k, s) for m in self.few for k in m.kernels for s in k.slots if s.form.name == name)

    def test_there_are_many_and_each_is_there_once(self) -> None:
        tests = [(m.target, test) for m in self.modules for test in tests_of(m)]
        self.assertGreaterEqual(len(tests), LEAST)
        self.assertEqual(len(tests), len(set(tests)))
        kernels = [k.name for m in self.modules for k in m.kernels]
        self.assertEqual(len(kernels), len(set(kernels)))

    def test_every_operand_class_has_several_operands(self) -> None:
        for module in self.modules:
            for kernel in module.kernels:
                begin = 0
                for name, count in CLASSES[kernel.domain]:
                    rows = {tuple(c[i] for c in kernel.columns) for i in range(begin, begin + count)}
                    self.assertGreater(len(rows), 1, f"{kernel.name}, {name}")
                    begin += count

    def test_another_process_makes_the_same(self) -> None:
        program = "from forms import modules; print(*(m.digest for m in modules()))"
        digests = subprocess.run([sys.executable, "-B", "-c", program], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True,
                                 check=True, env={**os.environ, "PYTHONHASHSEED": "7"}).stdout.split()  # fmt: skip
        self.assertEqual(digests, [m.digest for m in self.modules])

    def test_ptxas_takes_every_module(self) -> None:
        ptxas = Path(ARGUMENTS.nvcc).resolve().with_name("ptxas") if ARGUMENTS.nvcc else Path()
        if not ptxas.is_file():
            self.skipTest(f"no ptxas beside nvcc ({ARGUMENTS.nvcc or 'not given'})")
        for module in self.modules:
            for architecture in {module.target, DEVICE}:
                self.assertEqual(assembled(str(ptxas), module, architecture), [])
        wrong = Module("wrong", "sm_80", self.few[0].kernels)  # of sm_90
        self.assertIn("min.u16x2", "\n".join(assembled(str(ptxas), wrong, "sm_80")))

    def test_the_same_answers_are_right(self) -> None:
        sentences, compared = judged(self.few, self.results, self.recording())
        self.assertEqual(sentences, [])
        self.assertEqual(compared, sum(len(tests_of(m)) for m in self.few))

    def test_one_flipped_bit_is_told(self) -> None:
        kernel, slot = self.slot("min.s16x2")
        lane = 300
        at = slot.begins[0] + 4 * lane
        wrong = flipped(self.results[kernel.name], at)
        sentences, _ = judged(self.few, self.results, self.recording(**{kernel.name: wrong}))
        self.assertEqual(len(sentences), 1)
        operands = ", ".join(f"{column[lane]:#010x}" for column in kernel.columns)
        mine, theirs = (int.from_bytes(data[at : at + 4], "little") for data in (self.results[kernel.name], wrong))
        self.assertEqual(sentences[0], f"min.s16x2, random operands, lane {lane} of {kernel.name}: of {operands} the emulator makes "
                         f"{mine:#010x}, the device that was recorded made {theirs:#010x}")  # fmt: skip
        self.assertEqual(place_of(sentences[0]), "min.s16x2, random")
        # And where the emulator is wrong, the expectation says so.
        found = against_expectations(kernel, slot, wrong)
        self.assertEqual(len(found), 1)
        self.assertIn(f"the emulator makes {theirs:#010x}, expected is {mine:#010x}", found[0])

    def test_an_error_that_the_isa_grants_is_right_and_a_larger_one_is_not(self) -> None:
        kernel, slot = self.slot("tanh.approx.bf16")
        column = kernel.results(slot, self.results[kernel.name])[0]
        lane = next(i for i, x in enumerate(column) if 0x3F00 < x < 0x3F70)  # between 1/2 and 1, where a unit is 2^-8
        at = slot.begins[0] + 2 * lane
        for bit, count in ((0, 0), (4, 1)):
            changed = flipped(self.results[kernel.name], at, bit)
            sentences, _ = judged(self.few, self.results, self.recording(**{kernel.name: changed}))
            self.assertEqual(len(sentences), count, sentences)

    def wrong(self, forms: list[Form]) -> list[Form]:
        """Those whose answers are not as expected."""
        few = modules_of("few", forms)
        results = emulated(ARGUMENTS, few)
        return [s.form for m in few for k in m.kernels for s in k.slots if against_expectations(k, s, results[k.name])]

    def test_another_instruction_than_is_expected_is_told(self) -> None:
        """Of copies and products whose operands are memory, and of a cluster's blocks."""

        def plain(form: Form) -> Form:
            return dataclasses.replace(form, tensor=dataclasses.replace(form.tensor, swizzle=0))

        def said(old: str, new: str):
            return lambda form: dataclasses.replace(form, body=form.body.replace(old, new))

        def chosen(of, condition) -> list[Form]:
            return [form for form in of if condition(form)][:3]

        for name, right, changed in (
            ("a map without swizzle", chosen(boxes.forms(), lambda f: f.tensor.swizzle == 2 and len(f.tensor.box) > 1), plain),
            ("a map without swizzle, stores", chosen(stores.forms(), lambda f: f.tensor.swizzle == 2 and len(f.tensor.box) > 1), plain),
            ("another reduction", chosen(stores.reduction_forms(), lambda f: ".min." in f.name), said(".min.", ".max.")),
            ("another sign", chosen(tiles.forms(), lambda f: "%q, -1, 1" in f.body), said("%q, -1, 1", "%q, 1, 1")),
            ("another transpose", chosen(tiles.forms(), lambda f: "m64n40k16" in f.name and ", 0, 1;" in f.body), said(", 0, 1;", ", 0, 0;")),
            ("another layout", chosen(wmma.forms(), lambda f: ".row.row.m16n16k16.f" in f.name), said("load.b.sync.aligned.row", "load.b.sync.aligned.col")),
            ("another reduction of a barrier", chosen(block_barriers.forms(), lambda f: ".and." in f.name), said(".and.", ".or.")),
            ("another block", chosen(clusters.forms(), lambda f: f.blocks == 4 and f.name.startswith("ld.")), said("%rank, 1;", "%rank, 2;")),
        ):  # fmt: skip
            with self.subTest(name):
                self.assertTrue(right)
                self.assertEqual(self.wrong(right), [])
                self.assertEqual(len(self.wrong([changed(form) for form in right])), len(right))

    def test_the_table_counts_what_differs(self) -> None:
        kernel, slot = self.slot("min.s16x2")
        text, _ = document(self.few, self.recording(), self.results, {})
        self.assertIn("| `tanh.approx.bf16` |", text)
        self.assertIn(" 20 forms are equal", text)
        changed = self.recording(**{kernel.name: flipped(self.results[kernel.name], slot.begins[0])})
        self.assertIn(" 19 forms are equal", document(self.few, changed, self.results, {})[0])

    def test_what_was_not_recorded_is_told(self) -> None:
        recording = self.recording()
        name = self.few[0].kernels[0].name
        del recording.results[name]
        recording.failed[name] = "an illegal instruction"
        self.assertEqual(judged(self.few, self.results, recording)[0], [f"{name} was not recorded: an illegal instruction"])

    def test_answers_to_other_questions_are_left_out(self) -> None:
        recording, (changed, same) = self.recording(), self.few
        self.assertEqual(without_older(recording, self.few), recording)
        recording.digests[changed.name] = "0"
        recording.failed[changed.kernels[0].name] = "an illegal instruction"
        left = without_older(recording, self.few)
        self.assertEqual((list(left.digests), left.failed, set(left.results)), ([same.name], {}, {k.name for k in same.kernels}))
        self.assertEqual(unasked(left, self.few), [changed])
        self.assertEqual(list(without_older(self.recording(), [same]).digests), [same.name])

    def test_every_module_has_its_day(self) -> None:
        for of in (1, 7):
            days = [sample(self.modules, of, day) for day in range(of)]
            self.assertCountEqual([m.name for few in days for m in few], [m.name for m in self.modules])

    def test_what_a_recording_was_not_asked_is_no_mistake_but_is_told(self) -> None:
        recording, new = self.recording(), self.few[-1]
        del recording.digests[new.name]
        for kernel in new.kernels:
            del recording.results[kernel.name]
        self.assertEqual(unasked(recording, self.few), [new])
        sentences, compared = judged(self.few, self.results, recording)
        self.assertEqual((sentences, compared), ([], sum(len(tests_of(m)) for m in self.few[:-1])))
        text, _ = document(self.few, recording, self.results, {})
        self.assertIn(f"way of adding: {sum(len(k.slots) for k in new.kernels)}. ", text.partition("## Not asked yet")[2])
        self.assertNotIn("Not asked yet", document(self.few, self.recording(), self.results, {})[0])

    def test_two_devices_may_each_have_answered_a_part(self) -> None:
        first, later = self.recording(), self.recording()
        asked, new = self.few
        for recording, other in ((first, new), (later, asked)):
            del recording.digests[other.name]
            for kernel in other.kernels:
                del recording.results[kernel.name]
        later.made_by = {"device": "NVIDIA H100"}
        both = joined([first, later])
        self.assertEqual((both.results, both.digests), (self.results, {m.name: m.digest for m in self.few}))
        self.assertEqual([both.device_of(m.kernels[0].name) for m in self.few], ["a device", "NVIDIA H100"])
        text, _ = document(self.few, both, self.results, {})
        self.assertIn("and the emulator was held against both", text)
        self.assertRegex(text, r"\| `min` \|.*\| a device \|")
        self.assertRegex(text, r"\| `tanh.approx` \|.*\| H100 \||\| `tanh` \|.*\| H100 \|")
        # What the first was asked counts, whatever others answered.
        later.results[asked.kernels[0].name], later.digests[asked.name] = b"", asked.digest
        self.assertEqual(joined([first, later]).results, self.results)

    def test_what_is_missing_alone_is_asked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            known, out = Path(folder) / "known.xz", Path(folder) / "out.xz"
            recording = self.recording()
            recording.digests = {m.name: m.digest for m in self.modules if m.name != "quads_sm_80"}
            recording.write(known)
            arguments = argparse.Namespace(missing=True, recording=[known], out=out)
            with mock.patch.object(recording_of, "Gpu", Zeros), mock.patch("sys.stdout"):
                self.assertEqual(record(arguments), 0)
                self.assertEqual(list(read(out).digests), ["quads_sm_80"])
                self.assertEqual(record(argparse.Namespace(missing=True, recording=[known], out=known)), 1)
            self.assertEqual(read(known), recording)

    def test_a_module_that_gives_nothing_stays_unasked(self) -> None:
        recording, (silent, other) = self.recording(), self.few
        for kernel in silent.kernels:
            del recording.results[kernel.name]
            recording.failed[kernel.name] = "an illegal instruction"
        recording.failed[other.kernels[0].name] = "another"
        left = without_silent(recording, self.few)
        self.assertEqual((list(left.digests), left.failed), ([other.name], {other.kernels[0].name: "another"}))

    def test_a_device_gets_maps_and_clusters_and_one_refused_map_loses_one_kernel(self) -> None:
        module = next(m for m in self.modules if m.name == "boxes_sm_90")
        gpu = Pretended()
        results, failed = answered(gpu, module)
        self.assertEqual(list(failed), [module.kernels[0].name])
        self.assertEqual({name: len(data) for name, data in results.items()}, {k.name: k.size for k in module.kernels[1:]})
        self.assertEqual(gpu.launched, [(k.blocks, k.threads) for k in module.kernels[1:]])
        self.assertEqual({blocks * threads for blocks, threads in gpu.launched}, {128})
        self.assertEqual(gpu.maps, 3 + sum(len(k.tensors) for k in module.kernels[1:]))

    def test_a_kernel_that_faults_is_the_only_one_lost(self) -> None:
        module = next(m for m in self.modules if m.name == "boxes_sm_90")
        name = module.kernels[2].name

        class Faulting(Pretended):
            def run(self, loaded, kernel: Kernel) -> bytes:
                self.maps = -1 if kernel.name == name else self.maps  # of no more use from there on
                if self.maps < 0:
                    raise Failed("an illegal instruction")
                return bytes(kernel.size)

        with mock.patch.object(recording_of, "Gpu", Faulting):
            recording = recording_of.made([module])
        self.assertEqual(recording.failed, {name: "an illegal instruction"})
        self.assertEqual(set(recording.results), {k.name for k in module.kernels} - {name})

    def test_a_recording_is_read_as_it_was_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "recording.xz"
            self.recording().write(file)
            self.assertEqual(read(file), self.recording())
            for broken in (b"", b"no recording", file.read_bytes()[:-100]):
                file.write_bytes(broken)
                with self.assertRaisesRegex(Unreadable, "it is no recording .*; record it again"):
                    read(file)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
