# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX read and translated, without a compiler: translator_test.py EMULATORS-FOLDER"""

from __future__ import annotations

import json
import sys
import time
import unittest

sys.path.insert(0, sys.argv.pop(1))
from nvidia.translator import describe, lexer, sections  # noqa: E402
from nvidia.translator.fatbin import hash_of, ptx_of  # noqa: E402
from nvidia.translator.generate import generate  # noqa: E402
from nvidia.translator.module import Module  # noqa: E402
from nvidia.translator.table import TABLE  # noqa: E402

HEAD = ".version 8.8\n.target sm_90a\n.address_size 64\n"


def entry(body: str, parameters: str = "", before: str = "") -> str:
    return f"{HEAD}{before}.visible .entry k({parameters})\n{{\n{body}\nret;\n}}\n"


def unknown(body: str) -> list[str]:
    return [why for _, _, _, why in generate(entry(body)).unknown]


class TranslatorTest(unittest.TestCase):
    def test_operands_are_split_outside_of_brackets(self) -> None:
        self.assertEqual(lexer.split("{%r1, %r2}, [%rd1+4], 7"), ["{%r1, %r2}", "[%rd1+4]", "7"])
        self.assertEqual(lexer.elements("{a, b}"), ["a", "b"])
        self.assertEqual(lexer.elements("a"), ["a"])

    def test_comments_keep_lines(self) -> None:
        self.assertEqual(lexer.without_comments("a // b\n/* c\nd */e"), "a \n\ne")

    def test_parameters_are_laid_out_as_the_abi_has_it(self) -> None:
        module = Module(entry("", ".param .u8 a, .param .align 16 .b8 b[20], .param .u64 .ptr .global .align 1 c"))
        places = [(p.offset, p.size) for p in module.functions["k"].parameters]
        self.assertEqual(places, [(0, 1), (16, 20), (40, 8)])
        self.assertEqual(module.functions["k"].size, 48)

    def test_shared_variables_lie_one_after_another(self) -> None:
        before = ".shared .align 4 .b8 first[6];\n.shared .align 16 .b8 second[16];\n"
        body = ".reg .b32 %r<3>;\nmov.u32 %r1, first;\nmov.u32 %r2, second;"
        self.assertIn("1056, 1056", generate(entry(body, before=before)).text)  # 1024 + 6, to 1040, + 16

    def test_a_modifier_that_is_not_listed_makes_an_instruction_unknown(self) -> None:
        self.assertEqual(unknown(".reg .f32 %f<3>;\nadd.rn.f32 %f1, %f1, %f2;"), [])
        self.assertEqual(unknown(".reg .f32 %f<3>;\nadd.rx.f32 %f1, %f1, %f2;"), ["the modifier .rx"])
        self.assertEqual(unknown("multimem.red.relaxed.sys.global.add.u32;"), ["an opcode that is not in the table"])
        self.assertEqual(unknown(".reg .b32 %r<3>;\nmov.u32 %r1, %q1;"), ["the operand %q1"])

    def test_every_opcode_has_its_modifiers_listed(self) -> None:
        for opcode in TABLE:
            self.assertEqual(unknown(f"{opcode}.bogus;"), ["the modifier .bogus"], opcode)
        for instruction in ("fence.proxy.bogus", "cp.async.bogus", "mbarrier.try_wait.parity.bogus", "mma.sync.aligned.m16n8k16.row.col.bogus.f32",
                            "cp.async.bulk.global.shared::cta.bulk_group.cp_mask"):  # fmt: skip
            self.assertEqual(unknown(f"{instruction};"), [f"the modifier .{instruction.split('.')[-1 if 'f32' not in instruction else -2]}"])

    def test_nothing_but_numbers_and_names_gets_into_the_translation(self) -> None:
        store = ".reg .b32 %r<3>;\n.reg .b64 %d<3>;\nst.global.u32 [{}], %r1;"
        for address in ("0", "-8", "0x10U", "%d1+8", "%d1+-8", "%d1-8"):
            self.assertEqual(unknown(store.format(address)), [], address)
        for address in ('0+(u64)system("x")+0', "0x", "7q", '%d1+system("x")', "%d1+abort"):
            self.assertEqual(len(unknown(store.format(address))), 1, address)
        with self.assertRaises(lexer.Unknown):
            unknown('.reg .b32 %r" "1;')

    def test_forms_of_tensor_instructions_that_are_not_known(self) -> None:
        registers = ".reg .b32 %r<9>;\n.reg .b64 %d<3>;\n.reg .f32 %f<9>;\n.reg .pred %p;\n"
        for instruction, why in {
            "tcgen05.shift.cta_group::1.down [%r1];": "the modifier .shift",
            "cvt.rs.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;": "a conversion by random bits from f32 to e4m3x4",
            "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1, %r2}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};":
                "mma of this shape or layout",
            "tcgen05.ld.red.sync.aligned.16x64b.x2.min.u32 {%r1, %r2}, %r3, [%r4];": "this form of tcgen05.ld.red",
            "tcgen05.ld.red.sync.aligned.32x32b.x2.min.abs.u32 {%r1, %r2}, %r3, [%r4];": "this form of tcgen05.ld.red",
            "wgmma.mma_async.sync.aligned.m64n8k17.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %d1, %d2, %p, 1, 1, 0, 0;": "the modifier .m64n8k17",
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2}, %d1, %d2, %p, 1, 1, 0, 0;": "wgmma with 2 registers for D",
            "wmma.mma.sync.aligned.row.col.m8n8k32.f32.s4.s4.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};": "wmma of this shape, type or layout",
            "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite {%r1, %r2, %r3, %r4}, {%r1}, {%r1}, {%r1, %r2, %r3, %r4};":
                "wmma of this shape, type or layout",
            "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4}, [%d1], %r5;": "wmma with 4 registers for A, expected 8",
            "wmma.load.a.sync.aligned.row.m16n16k8.global.f16 {%r1, %r2, %r3, %r4}, [%d1], %r5;": "wmma of this shape, type or layout",
            "wmma.load.a.sync.aligned.col.m8n8k32.global.u4 {%r1}, [%d1], %r5;": "wmma of this shape, type or layout",
            "cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r2, %r2}], [%r3], {%r4};":
                "a tensor copy in mode im2col::w",
        }.items():  # fmt: skip
            self.assertEqual(unknown(registers + instruction), [why])

    def test_sizes_of_copies_are_numbers_of_any_base(self) -> None:
        for size, why in {"16": [], "0x10": [], "0x11": ["cp.async of 0x11 bytes"], "%r1": ["cp.async of %r1 bytes"]}.items():
            body = f".reg .b32 %r<3>;\n.reg .b64 %d<2>;\ncp.async.cg.shared.global [%r1], [%d1], {size}, %r2;"
            self.assertEqual(unknown(body), why)

    def test_products_take_numbers_and_leave_results_out(self) -> None:
        """As nvcc 13.0 writes them where it knows parts of C, and needs parts of D."""
        body = """.reg .f32 %f<3>; .reg .b32 %r<5>;
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, _, %f2, _}, {%r1, %r2, %r3, %r4}, {%r1, %r1}, {%f1, 0.5, %f2, 0.};"""
        self.assertEqual(unknown(body), [])
        self.assertIn("get<u32>(static_cast<f32>(0.5))", generate(entry(body)).text)

    def test_kernels_are_described(self) -> None:
        bounds = ".visible .entry k(.param .u64 a, .param .align 16 .b8 b[20])\n.maxntid 64, 2\n.reqnctapercluster 2 {\nret;\n}\n"
        other = ".visible .entry other()\n.reqntid 128 {\nret;\n}\n.func f() {\nret;\n}\n"
        text = describe.section(HEAD + bounds + other, "sm_90")
        self.assertIn(f'section("{describe.SECTION}")', text)
        said = json.loads(text[text.index("podium(") + 7 : text.index(")podium")])
        first = {"name": "k", "arguments": [8, 20], "most_threads": 128, "block": [0, 0, 0], "cluster": [2, 1, 1]}
        second = {"name": "other", "arguments": [], "most_threads": 0, "block": [128, 1, 1], "cluster": [0, 0, 0]}
        self.assertEqual(said, {"architecture": "sm_90", "kernels": [first, second]})

    def test_an_unknown_instruction_stops_its_kernel_alone(self) -> None:
        result = generate(entry("multimem.red.relaxed.sys.global.add.u32;"))
        self.assertIn('unknown(t, 6, "multimem.red.relaxed.sys.global.add.u32"', result.text)
        self.assertIn("return;", result.text)

    def test_lines_of_the_source_are_kept(self) -> None:
        text = entry('.loc 1 17 3\n.reg .b32 %r<2>;\nmov.u32 %r1, 0;') + '.file 1 "/a/b.cu"\n'
        self.assertIn("{6,0,17},", generate(text).text)
        self.assertIn('files[] = {"/a/b.cu", ', generate(text).text)

    def test_only_registers_that_may_be_read_unwritten_begin_as_ones(self) -> None:
        body = ".reg .b32 %r<3>;\n.reg .pred %p;\nmov.u32 %r1, 7;\nsetp.eq.u32 %p, %r1, 7;\n@%p mov.u32 %r2, %r1;\nadd.u32 %r1, %r1, %r2;"
        text = generate(entry(body)).text
        self.assertIn("u32 r_r1;", text)
        self.assertIn("u32 r_r2 = static_cast<u32>(-1);", text)

    def test_variables_keep_their_values_and_addresses(self) -> None:
        before = ".global .align 4 .u32 one = 258;\n.global .align 8 .u64 two[2] = {generic(one), one+8};\n"
        text = generate(entry("", before=before)).text
        self.assertIn("u8 V_one[4 + 256] = {2,1,}", text)
        self.assertIn("write<u64>(V_two + 8, reinterpret_cast<u64>(V_one) + 8);", text)

    def test_ptx_is_found_in_a_fatbin(self) -> None:
        self.assertEqual(ptx_of(b"\x7fELF\n//\n\n.version 8.8\nx\0rest"), ".version 8.8\nx")
        self.assertIsNone(ptx_of(b"no code"))
        self.assertEqual(hash_of("a"), 0xAF63DC4C8601EC8C)  # FNV's published test vector

    def test_every_row_has_its_section(self) -> None:
        self.assertEqual(sections.opcodes(), set(TABLE))
        for instruction, cited in sections.SECTIONS.items():
            self.assertRegex(cited, r"^9\.7\.\d+(\.\d+)+(, 9\.7\.\d+(\.\d+)+)*$", instruction)
            self.assertEqual(sections.section_of(instruction), cited)

    def test_an_instruction_has_the_section_of_its_longest_entry(self) -> None:
        for instruction, section in {
            "cp.async.bulk.tensor.shared::cluster.global": "9.7.9.25.5.2", "cp.async.bulk.commit_group": "9.7.9.25.6.1",
            "cp.async.commit_group": "9.7.9.25.3.2", "cp.async.mbarrier.arrive": "9.7.13.15.15", "bar.sync": "9.7.13.1",
            "tcgen05.mma.ws.sp.kind::f16": "9.7.16.10.8, 9.7.16.10.9.4", "mma bf16": "9.7.14.5.14", "multimem.red": "", "mbarrier": "",
        }.items():  # fmt: skip
            self.assertEqual(sections.section_of(instruction), section)

    def test_translation_is_quick(self) -> None:
        began = time.process_time()
        generate(entry(".reg .b32 %r<9>;\n" + "add.u32 %r1, %r2, %r3;\n" * 5000))
        self.assertLess(time.process_time() - began, 2)


unittest.main()
