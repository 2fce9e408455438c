#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""instructions.py BUILD TOOLCHAIN LLVM_BIN CACHE ARCHITECTURE...: compiles the matrix-core contestants of matmul, of block_scaled_matmul
for 8-bit floats, and of attention, as `podium build` does (build_main.cpp), and reads in the machine code that it has the
instructions that they claim, of matrix cores and of loads straight to LDS, and no others of the kind; that no register is spilled
to memory (scalar ones may be kept in lanes of vector registers); and that other architectures are declined. Of those that are
not among ARCHITECTURE, as a sample leaves them out or an older ROCm's compiler does not know them yet, it says so and asks nothing."""

import pathlib
import re
import subprocess
import sys
import tempfile

# Problem, contestant, architecture, choice of types: the instructions.
CLAIMS = {
    ("matmul", "mfma", "gfx90a", "f16"): "v_mfma_f32_32x32x8f16 v_mfma_f32_32x32x2f32",  # the other one for denormals
    ("matmul", "mfma", "gfx90a", "bf16"): "v_mfma_f32_32x32x8bf16_1k",
    ("matmul", "mfma", "gfx942", "f16"): "v_mfma_f32_32x32x8_f16",
    ("matmul", "mfma", "gfx942", "bf16"): "v_mfma_f32_32x32x8_bf16",
    ("matmul", "mfma", "gfx950", "f16"): "v_mfma_f32_32x32x16_f16",
    ("matmul", "mfma", "gfx950", "bf16"): "v_mfma_f32_32x32x16_bf16",
    ("matmul", "wmma", "gfx1100", "f16"): "v_wmma_f32_16x16x16_f16",
    ("matmul", "wmma", "gfx1100", "bf16"): "v_wmma_f32_16x16x16_bf16",
    ("matmul", "wmma", "gfx1201", "f16"): "v_wmma_f32_16x16x16_f16",
    ("matmul", "wmma", "gfx1201", "bf16"): "v_wmma_f32_16x16x16_bf16",
    ("block_scaled_matmul", "mfma_fnuz", "gfx942", "e4m3_fnuz"): "v_mfma_f32_32x32x16_fp8_fp8",
    ("block_scaled_matmul", "mfma", "gfx950", "e4m3"): "v_mfma_f32_32x32x16_fp8_fp8",
    ("block_scaled_matmul", "wmma", "gfx1201", "e4m3"): "v_wmma_f32_16x16x16_fp8_fp8",
    ("attention_prefill", "mfma", "gfx942", "f16"): "v_mfma_f32_32x32x8_f16",
    ("attention_prefill", "mfma", "gfx942", "bf16"): "v_mfma_f32_32x32x8_bf16",
    ("attention_prefill", "mfma", "gfx950", "f16"): "v_mfma_f32_32x32x16_f16 global_load_lds_dwordx4",
    ("attention_prefill", "mfma", "gfx950", "bf16"): "v_mfma_f32_32x32x16_bf16 global_load_lds_dwordx4",
    ("attention_prefill", "wmma", "gfx1201", "f16"): "v_wmma_f32_16x16x16_f16",
    ("attention_prefill", "wmma", "gfx1201", "bf16"): "v_wmma_f32_16x16x16_bf16",
    ("attention_paged_decode", "mfma", "gfx942", "f16-f16"): "v_mfma_f32_16x16x16_f16",
    ("attention_paged_decode", "mfma", "gfx942", "bf16-bf16"): "v_mfma_f32_16x16x16_bf16",
    ("attention_paged_decode", "mfma", "gfx942", "bf16-e4m3"): "v_mfma_f32_16x16x16_bf16",
    ("attention_paged_decode", "mfma", "gfx950", "f16-f16"): "v_mfma_f32_16x16x32_f16",
    ("attention_paged_decode", "mfma", "gfx950", "bf16-bf16"): "v_mfma_f32_16x16x32_bf16",
    ("attention_paged_decode", "mfma", "gfx950", "bf16-e4m3"): "v_mfma_f32_16x16x32_bf16",
    ("attention_paged_decode", "wmma", "gfx1201", "f16-f16"): "v_wmma_f32_16x16x16_f16",
    ("attention_paged_decode", "wmma", "gfx1201", "bf16-bf16"): "v_wmma_f32_16x16x16_bf16",
    ("attention_paged_decode", "wmma", "gfx1201", "bf16-e4m3"): "v_wmma_f32_16x16x16_bf16",
}
DECLINED = [
    ("matmul", "mfma", "gfx1100"),
    ("matmul", "wmma", "gfx942"),
    ("matmul", "wmma", "gfx1030"),
    ("block_scaled_matmul", "mfma", "gfx942"),
    ("attention_prefill", "mfma", "gfx90a"),
    ("attention_paged_decode", "wmma", "gfx1100"),
]


def run(*command: object) -> str:
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with status {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def built(program: str, toolchain: str, cache: pathlib.Path, claims: dict) -> dict[tuple[str, ...], str]:
    """Of each problem, contestant, architecture and choice of types the plugin, or why there is none."""
    wanted = [*dict.fromkeys(key[:3] for key in claims), *DECLINED]
    said = run(program, toolchain, cache, "hip", *(word for key in wanted for word in key))
    return {tuple(row.split()): found for row, found in (line.split(": ", 1) for line in said.splitlines())}


def code_object(llvm: pathlib.Path, plugin: pathlib.Path, arch: str, folder: pathlib.Path) -> pathlib.Path | None:
    """The part of a plugin for `arch`; none if it holds others alone."""
    bundle, code = folder / "bundle", folder / "code"
    run(llvm / "llvm-objcopy", "--dump-section", f".hip_fatbin={bundle}", plugin, folder / "copy")
    target = f"hipv4-amdgcn-amd-amdhsa--{arch}"
    if target not in run(llvm / "clang-offload-bundler", "--list", "--type=o", f"--input={bundle}").split():
        return None
    run(llvm / "clang-offload-bundler", "--unbundle", "--type=o", f"--targets={target}", f"--input={bundle}", f"--output={code}")
    return code


def mistakes(llvm: pathlib.Path, code: pathlib.Path, instructions: str) -> list[str]:
    found = set(re.findall(r"\b(?:v_(?:mfma|wmma|swmmac|smfmac)|global_load_lds)_\w+", run(llvm / "llvm-objdump", "-d", code)))
    said = [] if found == set(instructions.split()) else [f"found {sorted(found)}, expected {instructions} alone"]
    spilled = re.findall(r"\.(vgpr_spill_count|private_segment_fixed_size): *([1-9]\d*)", run(llvm / "llvm-readelf", "--notes", code))
    return said + [f"{name} is {count}, expected 0" for name, count in spilled]


def main() -> None:
    program, toolchain, llvm, cache, *known = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]), *sys.argv[5:]
    claims = {key: instructions for key, instructions in CLAIMS.items() if key[2] in known}
    found, wrong = built(program, toolchain, cache, claims), []
    for key, instructions in claims.items():
        plugin = pathlib.Path(found.get(key, "nothing was built"))
        with tempfile.TemporaryDirectory() as folder:
            code = code_object(llvm, plugin, key[2], pathlib.Path(folder)) if plugin.is_file() else None
            said = mistakes(llvm, code, instructions) if code else [f"no plugin holds code for it: {plugin}"]
        wrong += [f"{' '.join(key)}: {text}" for text in said]
    for key in DECLINED:
        rows = [text for row, text in found.items() if row[:3] == key]
        if not rows or not all(f"this device is {key[2]}" in text for text in rows):
            wrong.append(f"{' '.join(key)} was not declined: {rows}")
    for arch in dict.fromkeys(key[2] for key in CLAIMS if key[2] not in known):
        print(f"{arch} was not named: nothing is looked at for it")
    print(*wrong, f"{len(claims)} plugins looked at, {len(wrong)} mistakes", sep="\n")
    sys.exit(1 if wrong or not claims else 0)


if __name__ == "__main__":
    main()
