#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Where lanes hold the elements of matrix instructions, as the emulator of AMD's devices has it and as AMD's matrix
instruction calculator says: every register of every lane, of A, B and D, for each MFMA and WMMA that the calculator has of
CDNA 2 and 3, RDNA 3 and 4 (waves of 32 and 64), but for XF32, which the emulator has not. Exit status 1 if a place differs.

    git clone https://github.com/ROCm/amd_matrix_instruction_calculator && git -C amd_matrix_instruction_calculator checkout 2ef9189
    python3 -m venv VENV && VENV/bin/pip install tabulate
    tests/experiments/matrix_places.py amd_matrix_instruction_calculator --python VENV/bin/python [--packages FOLDER]

FOLDER holds tinygrad: that of scripts/setup --emulators if it is not named.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAVES = {"cdna2": (64,), "cdna3": (64,), "rdna3": (32, 64), "rdna4": (32, 64)}
NAME = re.compile(r"v_(mfma|wmma)_(f32|f64|i32|f16|bf16)_(\d+)x(\d+)x(\d+)_?(?:\d+b_)?([a-z]+\d+)")
REGISTER = re.compile(r"v(?:(\d+)|\[\d+:(\d+)\])(?:\.\[(\d+):(\d+)\])?")
ENTRY = re.compile(r"[ABD]\[(\d+)\]\[(\d+)\](?:\.B(\d+))?")


def said(given: argparse.Namespace, *words: str) -> list[str]:
    command = [given.python, given.calculator / "matrix_calculator.py", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def entries(lines: list[str], bits: int) -> list[tuple[int, int, tuple[int, int, int]]]:
    """Of a table by registers: the lane, the number among those that it holds, and row, column and block."""
    found, registers = [], []
    for line in lines:
        cells = line.split(",")
        if cells[0] == "lane":
            registers = [REGISTER.fullmatch(cell) for cell in cells[1:]]
        elif cells[0].isdigit():
            for register, cell in zip(registers, cells[1:], strict=True):
                number, low = int(register[1] or register[2]), int(register[4] or 0)
                # A result of 16 bits that has a register to itself is the n-th of the lane all the same.
                item = number if bits == 16 and all(r[4] == "0" for r in registers) else (32 * number + low) // bits
                i, j, block = ENTRY.fullmatch(cell).groups(default="0")
                found.append((int(cells[0]), item, (int(i), int(j), int(block))))
    return found


def place(*parts: tuple[str, int]) -> tuple[int, int]:
    """Lane and number, where the bits of these indices go."""
    at = {"L": 0, "i": 0}
    for text, index in parts:
        for n, word in enumerate(text.split()):
            at[word[0]] |= (index >> n & 1) << int(word[1:])
    return at["L"], at["i"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calculator", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable, help="one that has tabulate")
    parser.add_argument("--packages", default="/opt/podium/emulators")
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT / "emulators/amd"), given.packages]
    from translate.matrix import BITS, cdna, rdna

    places = instructions = 0
    wrong = []
    for architecture, waves in WAVES.items():
        names = [line.strip() for line in said(given, "-a", architecture, "-L")[1:]]
        for name, wave in ((name, wave) for name in names for wave in waves if NAME.match(name) and "xf32" not in name):
            m = NAME.match(name)
            rows, columns, depth, operand, result = int(m[3]), int(m[4]), int(m[5]), BITS[m[6].upper()], BITS[m[2].upper()]
            tables = {x: entries(said(given, "-a", architecture, "-i", name, f"-{x}", "-M", "-c", "-w", str(wave)), result if x == "D" else operand) for x in "ABD"}
            blocks = 1 + max(block for _, _, (_, _, block) in tables["D"])
            layout = cdna(rows, columns, depth, blocks, result) if m[1] == "mfma" else rdna(architecture, wave, depth, operand)
            instructions += 1
            for which, table in tables.items():
                for lane, item, (i, j, block) in table:
                    if which == "D":
                        expected = place((layout.row, i), (layout.column, j), (layout.result_block, block))
                    else:
                        line, k = (i, j) if which == "A" else (j, i)
                        expected = place((layout.line, line), (layout.k, k), (layout.block, block))
                    own = lane % (wave // layout.copies) if which != "D" else lane  # what several groups of lanes hold alike
                    places += 1
                    if (own, item) != expected:
                        wrong.append(f"{architecture} {name}, waves of {wave}: {which}[{i}][{j}], block {block}: found lane {lane}, number {item}, expected {expected}")
    print(*wrong[:20], f"{places} places of {instructions} instructions, {len(wrong)} differ", sep="\n")
    sys.exit(bool(wrong or not places))


if __name__ == "__main__":
    main()
