# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The table of evidence by instruction: what it calls instructions, that it says where there is none, and that a record of other
programs is told. And that a translation notes what is executed, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from emulated import options
from forms import accepted, coverage
from forms.form import Form

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "emulators"))

from nvidia.translator.generate import generate  # noqa: E402
from nvidia.translator.sections import section_of  # noqa: E402
from nvidia.translator.table import TABLE  # noqa: E402
from programs import PROGRAMS, sources_of  # noqa: E402
import run  # noqa: E402
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
NEWER = [
    ("add.rn.f32x2", "", "add f32x2"), ("fma.rn.f32.bf16", "", "fma f32.bf16"), ("add.f32", "", "add"), ("min.f32", "min.f32 %a, %b, %c, %d", "min of three"),
    ("cvt.rn.satfinite.e2m1x2.f32", "", "cvt e2m1x2.f32"), ("cvt.rs.f16x2.f32", "", "cvt.rs f16x2.f32"), ("cvt.rn.f16x2.e4m3x2", "", "cvt"),
    ("cvt.rn.satfinite.tf32.f32", "", "cvt satfinite.tf32"), ("cvt.rna.tf32.f32", "", "cvt"), ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "", "ldmatrix"),
    ("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64", "", "ldmatrix m8n16.b8x16.b4x16_p64"), ("redux.sync.min.NaN.f32", "", "redux f32"),
    ("ld.global.v8.b32", "", "ld v8.32"), ("ld.global.v8.b16", "", "ld"), ("st.global.v4.f64", "", "st v4.64"), ("st.global.v4.f32", "", "st"),
]  # fmt: skip
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


def refused(ptxas: Path, target: str, of: list[accepted.Example], folder: Path) -> set[str]:
    """What ptxas says is wrong there: whole lines, of which it does not always tell all at once."""
    left, found = list(of), set()
    while left:
        text = accepted.module(target, left)
        file = folder / "examples.ptx"
        file.write_text(text, encoding="ascii")
        done = subprocess.run([ptxas, f"-arch={target}", file, "-o", folder / "examples.cubin"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode == 0:
            return found
        lines = {text.split("\n")[int(at) - 1] for at in re.findall(r"line (\d+); error", done.stdout)}
        if not lines:
            raise AssertionError(done.stdout)
        found |= lines
        left = [e for e in left if e.text not in lines]
    return found


class CoverageTest(unittest.TestCase):
    def test_names(self) -> None:
        for instruction, name in NAMES.items():
            with self.subTest(instruction):
                self.assertEqual(coverage.named(instruction), name)

    def record_of(self, content: dict) -> mock._patch:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patched = mock.patch.object(coverage, "RECORD", Path(folder.name) / "coverage.json.xz")
        with patched:
            coverage.write(content)
        return patched

    def test_what_sm_100_adds_to_an_older_opcode_is_apart(self) -> None:
        for instruction, text, name in NEWER:
            with self.subTest(instruction):
                self.assertEqual(coverage.named(instruction, text), name)

    def test_modes_of_a_copy_are_the_same_in_any_order(self) -> None:
        name = "cp.async.bulk.tensor.shared::cluster.global.im2col.cta_group::2"
        self.assertEqual(coverage.named("cp.async.bulk.tensor.4d.im2col.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes"), name)
        self.assertEqual(coverage.canonical("cp.async.bulk.tensor.im2col.cta_group::2.shared::cluster.global"), name)

    def test_operands_are_found_in_their_line(self) -> None:
        ptx = ["mov.f32 %a, %b; min.f32 %a, %b, %c, %d;", "max.f32 %a, %b, %c;"]
        self.assertEqual(coverage.named("min.f32", coverage.text_at(ptx, 1, "min.f32")), "min of three")
        self.assertEqual(coverage.named("max.f32", coverage.text_at(ptx, 2, "max.f32")), "max")

    def test_every_evidence_has_its_column_and_its_absence_is_said(self) -> None:
        content = {
            "tests": {"a_test.py": {"emulator": "abc1234", "instructions": ["tcgen05.cp.128x256b", "add f32x2"]}},
            "libraries": {"p": {"sources": "1", "emulator": "abc1234", "instances": 2, "kernels": {"tcgen05.cp.128x256b": 2}}},
        }  # fmt: skip
        rows = {"add": "sm_80", "add f32x2": "sm_100", "tcgen05.cp.128x256b": "sm_100a", "tcgen05.cp.4x256b": "sm_100a", "brev": "sm_80"}
        with self.record_of(content):
            of = coverage.evidence({coverage.H200: {"add": (3, 2)}}, rows)
            text = "\n".join(coverage.lines(of, lambda name: f"9.{len(name)}"))
        self.assertIn("| `add` | 9.3 | sm_80 | 2 of 3 equal |  |  |", text)
        self.assertIn("| `add f32x2` | 9.9 | sm_100 |  | a |  |", text)
        self.assertIn("| `tcgen05.cp.128x256b` | 9.19 | sm_100a |  | a | 2 |", text)
        self.assertIn("| `tcgen05.cp.4x256b` | 9.17 | sm_100a |  | **none** |  |", text)
        self.assertIn("| `brev` | 9.4 | sm_80 |  | **none** |  |", text)
        self.assertIn("2 instances in 1 programs", text)
        self.assertIn("| abc1234 | `a_test.py`, `p` |", text)
        said = coverage.summary(of)
        self.assertIn(" there are 5: 1 have forms that an H200 answered; 1 others were executed in kernels of libraries that were right; 1 others are in the emulator's own "
                      "tests alone, and 2 have no evidence: `brev`, `tcgen05.cp.4x256b`. 3 of the rows are of instructions that no H200 has: of these 1 were "
                      "executed in such kernels, 1 are in own tests alone, 1 have no evidence.", said)  # fmt: skip

    def test_another_device_is_named(self) -> None:
        with self.record_of({"tests": {}, "libraries": {}}):
            of = coverage.evidence({coverage.H200: {"add": (3, 2)}, "NVIDIA H100 80GB HBM3": {"add": (4, 4), "addc": (1, 1)}}, {"add": "sm_80", "addc": "sm_80"})
            text = "\n".join(coverage.lines(of, str))
        self.assertIn("| 6 of 7 equal (4 by an H100 80GB HBM3) |", text)
        self.assertIn("| 1 of 1 equal (1 by an H100 80GB HBM3) |", text)
        self.assertIn(" there are 2: 1 have forms that an H200 answered, 1 others such that an H100 80GB HBM3 answered; 0 others", coverage.summary(of))

    def test_a_form_of_several_instructions_is_evidence_of_each(self) -> None:
        def form(name: str) -> Form:
            return Form(name, "", (), ())

        self.assertEqual(coverage.of_forms([(form("add.cc.u32, addc.cc.u32, addc.u32"), True), (form("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16, A in registers"), False)]),
                         {"add": (1, 1), "addc": (1, 1), "wgmma.mma_async f16": (1, 0)})  # fmt: skip

    def test_an_instruction_without_evidence_is_none_and_is_counted(self) -> None:
        name, file = "cp.async.bulk.tensor.global.shared::cta.tile::scatter4", "tensor_copies_test.py"
        content: dict = {"tests": {file: {"emulator": "abc1234", "instructions": [name]}}, "libraries": {}}
        with self.record_of(content):
            with_it = coverage.evidence({}, accepted.rows())
        self.assertEqual((with_it[name].strongest, with_it[name].tests), ("tests", [file.removesuffix("_test.py")]))
        content["tests"][file]["instructions"].remove(name)
        with self.record_of(content):
            without = coverage.evidence({}, accepted.rows())
            text = "\n".join(coverage.lines(without, section_of))
        self.assertEqual(without[name].strongest, "none")
        self.assertIn(f"| `{name}` | 9.7.9.25.5.2 | sm_100a |  | **none** |  |", text)
        self.assertNotIn(f"`{name}`", coverage.summary(with_it))
        self.assertIn(f"`{name}`", coverage.summary(without))

    def test_the_record_that_is_kept_is_read(self) -> None:
        kept = coverage.recorded()
        self.assertGreater(len(kept["tests"]), 20)
        self.assertGreater(len(kept["libraries"]), 50)
        self.assertLess(sum(row.strongest == "none" for row in coverage.evidence({}, accepted.rows()).values()), len(accepted.rows()) // 2)

    def outdated(self, content: dict, sources: dict[str, str]) -> list[str]:
        with self.record_of(content):
            return coverage.outdated(sources)

    def contradictions(self, rows: dict[str, str], section_of=str, **asked: tuple[int, int]) -> list[str]:
        with self.record_of({"tests": {}, "libraries": {}}):
            return coverage.contradictions(coverage.evidence({coverage.H200: asked}, rows), rows, section_of)

    def test_a_record_of_something_else_is_told(self) -> None:
        program = {"sources": "1", "emulator": "abc1234", "instances": 1, "kernels": {"add": 1}}
        test = {"emulator": "abc1234", "instructions": ["add"]}
        cases = {
            "coverage.json.xz: p was recorded of other sources": ({"tests": {}, "libraries": {"p": program}}, {"p": "2"}),
            "coverage.json.xz: no run of q is recorded": ({"tests": {}, "libraries": {"p": program}}, {"p": "1", "q": "2"}),
            "coverage.json.xz: p was recorded of files of the emulator that are no commit's": ({"tests": {}, "libraries": {"p": dict(program, emulator="abc1234+")}}, {"p": "1"}),
            "none_test.py is no test": ({"tests": {"none_test.py": test}, "libraries": {}}, {}),
        }
        for sentence, (content, sources) in cases.items():
            with self.subTest(sentence):
                said = self.outdated(content, sources)
                self.assertEqual(len(said), 1, said)
                self.assertIn(sentence, said[0])
        self.assertEqual(self.outdated({"tests": {Path(__file__).name: test}, "libraries": {"p": program}}, {"p": "1"}), [])

    def test_an_h200s_answer_to_what_it_has_not_is_told(self) -> None:
        self.assertEqual(self.contradictions({"add": "sm_100"}, add=(1, 1)), ["add cannot have been asked of an H200: it is of sm_100"])
        self.assertEqual(self.contradictions({"add": "sm_90a"}, add=(1, 1)), [])
        self.assertIn("add was asked and is no row", self.contradictions({"sub": "sm_80"}, add=(1, 1))[0])

    def test_an_instruction_without_a_section_is_told(self) -> None:
        self.assertEqual(self.contradictions({"add": "sm_80", "sub": "sm_80"}, lambda name: "" if name == "sub" else "9.7.1.1"),
                         ["sub has no section of the PTX ISA in emulators/nvidia/translator/sections.py"])  # fmt: skip

    def test_every_modifier_that_tells_instructions_apart_has_a_row(self) -> None:
        modifiers = {opcode: row.modifiers for opcode, row in TABLE.items()}
        self.assertEqual(accepted.lacking(modifiers), [])
        self.assertEqual(accepted.lacking({**modifiers, "tcgen05": modifiers["tcgen05"] | {"kind::f4"}, "sub2": frozenset()}),
                         ["sub2 has no row: forms/accepted.py lacks an example", "tcgen05 with .kind::f4 has no row: forms/accepted.py lacks an example"])  # fmt: skip

    def test_the_translator_takes_every_example(self) -> None:
        for target, of in self.by_target().items():
            made = generate(accepted.module(target, of))
            self.assertEqual(made.unknown, [])
            self.assertLessEqual({e.row for e in of}, {coverage.named(i, coverage.text_at(accepted.module(target, of).split("\n"), line, i)) for _, line, i in made.at})

    @staticmethod
    def by_target() -> dict[str, list[accepted.Example]]:
        found: dict[str, list[accepted.Example]] = {}
        for example in accepted.examples():
            found.setdefault(example.target, []).append(example)
        return found

    def test_ptxas_takes_every_example_from_its_architecture_on(self) -> None:
        ptxas = Path(shutil.which(ARGUMENTS.nvcc) or "").resolve().with_name("ptxas") if ARGUMENTS.nvcc else Path()
        if not ptxas.is_file():
            self.skipTest(f"no ptxas beside nvcc ({ARGUMENTS.nvcc or 'not given'})")
        with tempfile.TemporaryDirectory() as folder:
            for target, of in self.by_target().items():
                self.assertEqual(refused(ptxas, target, of, Path(folder)), set())
            newer = [e for e in accepted.examples() if not coverage.hopper_has(e.target)]
            taken = [e.text for e in newer if e.text not in refused(ptxas, "sm_90a", newer, Path(folder))]
            self.assertEqual(taken, [], "of an H200 too")

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

    def test_a_recorded_run_gets_the_names_of_now(self) -> None:
        name = next(name for name, p in PROGRAMS.items() if p.instances)
        ptx = PTX.replace("popc.b32 %a, %a;", "{ .reg .b64 %w; add.rn.f32x2 %w, %w, %w; }")
        lines = [i for i, line in enumerate(ptx.split("\n"), 1) if "f32x2" in line or "ret;" in line]
        program = {"sources": sources_of(name), "emulator": "abc1234", "instances": 1, "kernels": {"add": 1, "ret": 1}}
        with tempfile.TemporaryDirectory() as folder, self.record_of({"tests": {}, "libraries": {name: program}}):
            self.assertFalse(run.reread(name, Path(folder)))
            (Path(folder) / f"{name}.ptx").write_text(ptx, encoding="ascii")
            (Path(folder) / f"{name}.reached").write_text(" ".join(map(str, lines)), encoding="ascii")
            self.assertTrue(run.reread(name, Path(folder)))
            self.assertEqual(coverage.recorded()["libraries"][name], {**program, "kernels": {"add f32x2": 1, "ret": 1}})
            for other in ({"sources": "another"}, {"kernels": {"sub": 1, "ret": 1}}):
                coverage.record("libraries", {name: {**program, **other}})
                self.assertFalse(run.reread(name, Path(folder)))

    def test_a_line_without_an_instruction_is_told(self) -> None:
        with self.assertRaisesRegex(Unseen, r"hold no instruction: \[6\]"):
            instructions_of(PTX, {6})


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
