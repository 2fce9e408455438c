# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The table of evidence by instruction: what it calls instructions, that it says where there is none, and that a record of other
programs is told. And that a translation notes what is executed, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from emulated import options
from forms import coverage

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "emulators"), str(Path(__file__).resolve().parent / "libraries")]

from programs import PROGRAMS, sources_of  # noqa: E402
from reached import Unseen, instructions_of  # noqa: E402

NAMES = {
    "add.s32": "add",
    "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16": "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale",
    "tcgen05.mma.cta_group::1.kind::f16": "tcgen05.mma.kind::f16",
    "tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale.block32": "tcgen05.mma.sp.kind::mxf4.block_scale",
    "tcgen05.mma.ws.sp.cta_group::1.kind::f16.collector::b0::discard": "tcgen05.mma.ws.sp.kind::f16",
    "tcgen05.ld.sync.aligned.32x32b.x32.b32": "tcgen05.ld.32x32b",
    "tcgen05.cp.cta_group::2.32x128b.warpx4": "tcgen05.cp.cta_group::2.32x128b.warpx4",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32": "mma bf16",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.satfinite.s32.u8.s8.s32": "mma.sp::ordered_metadata u8",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16, A in registers": "wgmma.mma_async f16",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes": "cp.async.bulk.tensor.shared::cluster.global",
}
PTX = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry chosen(.param .u64 out, .param .u32 which)
{
.reg .pred %p;
.reg .u32 %a;
.reg .u64 %o;
ld.param.u64 %o, [out];
ld.param.u32 %a, [which];
setp.eq.u32 %p, %a, 0;
@%p bra OTHER;
mul.lo.u32 %a, %a, %a;
st.global.u32 [%o], %a;
ret;
OTHER:
popc.b32 %a, %a;
@!%p brev.b32 %a, %a;
st.global.u32 [%o], %a;
ret;
}
"""
# Run in a process of its own: what is executed is written at its end.
LAUNCH = """
import ctypes, sys
from emulated import Buffer, Device, options
device = Device(options())
out = Buffer(device, bytes(4))
module = device.load_library(open(sys.argv[-2], "rb").read())
device.launch(module, "chosen", 1, 1, [ctypes.c_uint64(out.at.value), ctypes.c_uint32(int(sys.argv[-1]))])
"""


class CoverageTest(unittest.TestCase):
    def test_names(self) -> None:
        for instruction, name in NAMES.items():
            with self.subTest(instruction):
                self.assertEqual(coverage.named(instruction), name)

    def record_of(self, content: dict) -> mock._patch:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "coverage.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        return mock.patch.object(coverage, "RECORD", file)

    def test_every_evidence_has_its_column_and_its_absence_is_said(self) -> None:
        content = {"tests": {"a_test.py": ["tcgen05.cp.128x256b"]}, "libraries": {"p": {"sources": "1", "emulator": "abc1234", "instances": 2, "kernels": {"tcgen05.cp.128x256b": 2}}}}
        with self.record_of(content):
            text = "\n".join(coverage.lines({"add": (3, 2)}, {"add": 0, "tcgen05": 0, "brev": 0}, lambda name: f"9.{len(name)}"))
        self.assertIn("| `add` | 9.3 | 2 of 3 equal |  |  |", text)
        self.assertIn("| `tcgen05.cp.128x256b` | 9.19 |  | a | 2 |", text)
        self.assertIn("| `brev` | 9.4 |  | **none** |  |", text)
        self.assertIn("2 instances in 1 programs", text)
        self.assertIn("| abc1234 | `p` |", text)

    def test_a_record_of_something_else_is_told(self) -> None:
        program = {"sources": "1", "emulator": "abc1234", "instances": 1, "kernels": {"add": 1}}
        cases = {
            "coverage.json: p was recorded of other sources": ({"tests": {}, "libraries": {"p": program}}, {"p": "2"}, {"add": 0}),
            "coverage.json: no run of q is recorded": ({"tests": {}, "libraries": {"p": program}}, {"p": "1", "q": "2"}, {"add": 0}),
            "coverage.json: p was recorded of files of the emulator that are no commit's": ({"tests": {}, "libraries": {"p": dict(program, emulator="abc1234+")}}, {"p": "1"}, {"add": 0}),
            "none_test.py is no test": ({"tests": {"none_test.py": ["add"]}, "libraries": {}}, {}, {"add": 0}),
            "coverage.json: add is not in the emulator's table": ({"tests": {}, "libraries": {"p": program}}, {"p": "1"}, {"sub": 0}),
        }
        for sentence, (content, sources, table) in cases.items():
            with self.subTest(sentence), self.record_of(content):
                said = coverage.outdated(sources, table, str)
                self.assertEqual(len(said), 1, said)
                self.assertIn(sentence, said[0])

    def test_a_right_record_is_not(self) -> None:
        content = {"tests": {Path(__file__).name: ["add"]}, "libraries": {"p": {"sources": "1", "emulator": "abc1234", "instances": 1, "kernels": {"tcgen05.ld.32x32b": 1}}}}
        with self.record_of(content):
            self.assertEqual(coverage.outdated({"p": "1"}, {"add": 0, "tcgen05": 0}, str), [])

    def test_an_instruction_without_a_section_is_told(self) -> None:
        with self.record_of({"tests": {Path(__file__).name: ["add", "sub"]}, "libraries": {}}):
            self.assertEqual(coverage.outdated({}, {"add": 0, "sub": 0}, lambda name: "" if name == "sub" else "9.7.1.1"),
                             ["sub has no section of the PTX ISA in emulators/nvidia/translator/sections.py"])  # fmt: skip

    def test_programs_differ(self) -> None:
        digests = {sources_of(name) for name in PROGRAMS if PROGRAMS[name].instances}
        self.assertEqual(len(digests), sum(p.instances > 0 for p in PROGRAMS.values()))

    def test_what_is_executed_is_noted(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, library, noted = (Path(folder) / name for name in ("kernel.ptx", "kernel.so", "reached"))
            source.write_text(PTX, encoding="ascii")
            subprocess.run([ARGUMENTS.compile, "--ptx", "--reached", "--cxx", ARGUMENTS.cxx, source, "-o", library], check=True)
            for which, executed, not_executed in (("0", "popc", "mul"), ("3", "mul", "popc")):
                with self.subTest(which):
                    command = [sys.executable, "-c", LAUNCH, "--compile", ARGUMENTS.compile, "--library", ARGUMENTS.library,
                               "--cxx", ARGUMENTS.cxx, library, which]  # fmt: skip
                    subprocess.run(command, check=True, cwd=Path(__file__).parent, env=dict(os.environ, PODIUM_REACHED=str(noted)))
                    found = instructions_of(PTX, {int(line) for line in noted.read_text(encoding="ascii").split()})
                    self.assertEqual((found[executed], found[not_executed]), (1, 0))
                    self.assertEqual(found["brev"], 0)  # its guard never holds
                    self.assertEqual(found["setp"], 1)

    def test_a_line_without_an_instruction_is_told(self) -> None:
        with self.assertRaisesRegex(Unseen, r"hold no instruction: \[6\]"):
            instructions_of(PTX, {6})


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
