# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions that pick a byte or a half of each source and write one of the result (SDWA of gfx9), in the words of AMD's
instruction set guides. One form executes its instruction once per combination below, in which every choice of a source is
paired with every sign, and every part of the result with every fate of the rest; what came of each goes into the result."""

from vector import BEFORE, FORMS, low, signed, vector

PARTS = [(0, 8, "BYTE_0"), (8, 8, "BYTE_1"), (16, 8, "BYTE_2"), (24, 8, "BYTE_3"), (0, 16, "WORD_0"), (16, 16, "WORD_1"), (0, 32, "DWORD")]
PAD, SIGN, PRESERVE = range(3)
FATES = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE")
COMBINATIONS = [(n % 7, n // 7 % 2, (5 * n + 2) % 7, n // 14 % 2, (3 * n + 1) % 7, n % 3) for n in range(42)]
SCALAR = 0x8091A2B3  # in place of the last source, now and then


def picked(x: int, part: int, extended: int) -> int:
    shift, bits, _ = PARTS[part]
    return low(signed(x >> shift, bits)) if extended else low(x >> shift, bits)


def placed(result: int, before: int, part: int, fate: int) -> int:
    """The register afterwards. Below the part that is written, what is extended by sign has zeros."""
    shift, bits, _ = PARTS[part]
    if fate == SIGN:
        return low(signed(result, bits) << shift)
    mask = (1 << bits) - 1 << shift
    return low(result << shift) & mask | (before & ~mask if fate == PRESERVE else 0)


def negated(x: int, absolute: int, negative: int) -> int:
    """The sign of an f16."""
    x = low(x, 16) & (0x7FFF if absolute else 0xFFFF)
    return x ^ 0x8000 if negative else x


def sdwa(plain: str, data: str = "word", half: bool = False) -> None:
    """`half`: the first source is an f16, whose sign can be changed in place of an extension."""
    form = FORMS[plain]
    chooses, compares = form.sources[-1] == "m", form.result == "mask"
    two = len(form.sources) - chooses == 2
    # What chooses by a mask extends no sign, and the mask is all that it takes from scalar registers.
    combinations = [(a, 0, b, 0, to, fate) for a, _, b, _, to, fate in COMBINATIONS] if chooses else COMBINATIONS
    lines = [f"s_mov_b32 s20, {SCALAR:#x}"] + ["s_mov_b64 vcc, %4"] * chooses
    for n, (part0, extended0, part1, extended1, to, fate) in enumerate(combinations):
        scalar = n % 6 == 5 and not chooses
        first = "s20" if scalar and not two else "%2"
        second = "s20" if scalar else "%3"
        if half:
            first = f"|{first}|" if n % 5 == 3 else first
            first = f"-{first}" if extended0 else first
        elif extended0:
            first = f"sext({first})"
        if extended1 and not half:
            second = f"sext({second})"
        sources = first + (f", {second}" if two else "") + (", vcc" if chooses else "") + f" {{to}}src0_sel:{PARTS[part0][2]}" + (f" src1_sel:{PARTS[part1][2]}" if two else "")
        if compares:
            mask = "s[22:23]" if n % 2 else "vcc"
            lines.append(f"{plain.lower()}_sdwa {mask}, {sources.replace('{to}', '')}\n s_nop 4\n v_cndmask_b32_e64 v100, 0, 1, {mask}")
        else:
            where = f"dst_sel:{PARTS[to][2]} dst_unused:{FATES[fate]} "
            lines.append(f"v_mov_b32 v100, {BEFORE:#x}\n {plain.lower()}_sdwa v100, {sources.replace('{to}', where)}")
        lines.append("v_alignbit_b32 %0, %0, %0, 27\n v_xor_b32 %0, %0, v100")

    def of(*given: int) -> int:
        all_of_them = BEFORE
        for n, (part0, extended0, part1, extended1, to, fate) in enumerate(combinations):
            scalar = n % 6 == 5 and not chooses
            x = picked(SCALAR if scalar and not two else given[0], part0, extended0 and not half)
            sources = [negated(x, n % 5 == 3, extended0) if half else x]
            if two:
                sources.append(picked(SCALAR if scalar else given[1], part1, extended1 and not half))
            result = form.of(*sources, *given[2:])
            one = result if compares else placed(result, BEFORE, to, fate)
            all_of_them = low(all_of_them << 5 | all_of_them >> 27) ^ one
        return all_of_them

    vector(f"{plain}_SDWA", "u32", " ".join(form.sources), of, data=data, text="\n ".join(lines))


for name in ("V_AND_B32", "V_OR_B32", "V_XOR_B32", "V_ADD_U32", "V_SUB_U32", "V_LSHLREV_B32", "V_MUL_U32_U24", "V_MUL_HI_U32_U24"):
    sdwa(name)
sdwa("V_CNDMASK_B32")
for comparison in ("LT", "EQ", "LE", "GT", "NE", "GE"):
    for kind in ("U32", "I32", "U16", "I16"):
        sdwa(f"V_CMP_{comparison}_{kind}", "near")
sdwa("V_CVT_F32_F16", "half_numbers", half=True)
sdwa("V_CMP_CLASS_F16", "classes", half=True)
