#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""cuda_instructions.py BUILD TOOLCHAIN CUOBJDUMP CACHE PROBLEM/CONTESTANT...: compiles contestants for tensor cores as `podium build` does
(build_main.cpp), and reads in the machine code that it has the instructions that they claim, and none of older tensor cores."""

import pathlib
import re
import subprocess
import sys
import tempfile

# Products and copies of tensors, loads and stores of tensor memory, and what tells of a product's end.
BLACKWELL = {"UTCHMMA", "UTMALDG", "LDTM", "STTM", "UTCBAR"}
# Contestant and architecture: the instructions.
CLAIMS = {
    ("attention_prefill/flash_sm100", "sm_100a"): BLACKWELL,
    ("attention_prefill/flash_sm100", "sm_103a"): BLACKWELL,
    ("attention_prefill/flash", "sm_120a"): {"HMMA", "LDSM"},  # mma.sync
    ("attention_prefill/flashinfer_sm100", "sm_100a"): BLACKWELL | {"UTMASTG"},
    ("attention_ragged/flashinfer_sm100", "sm_100a"): BLACKWELL | {"UTMASTG"},
    ("mla_decode/flashinfer_sm100", "sm_100a"): BLACKWELL - {"UTMALDG"},  # keys of pages are copied by threads
}
PRODUCTS = {"HMMA", "HGMMA", "UTCHMMA"}  # of mma.sync, wgmma, tcgen05.mma


def run(*command: object) -> str:
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with status {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def instructions(cuobjdump: str, plugin: str) -> set[str]:
    """Without their modifiers. The tool reads what ends like a library."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "plugin.so"
        library.symlink_to(pathlib.Path(plugin).resolve())
        return set(re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?\w+\s+)?([A-Z][A-Z0-9]*)", run(cuobjdump, "-sass", library), re.M))


def main() -> None:
    program, toolchain, cuobjdump, cache, *asked = sys.argv[1:]
    claims = {key: claimed for key, claimed in CLAIMS.items() if key[0] in asked}
    words = [word for contestant, arch in claims for word in (*contestant.split("/"), arch)]
    wrong, looked_at = [], 0
    for line in run(program, toolchain, cache, "cuda", *words).splitlines():
        row, file = line.split(": ", 1)
        problem, contestant, arch, _ = row.split()
        claimed = claims[f"{problem}/{contestant}", arch]
        if not pathlib.Path(file).is_file():
            if "does not support" not in file:
                wrong.append(f"{row}: {file}")
            continue
        looked_at += 1
        found = instructions(cuobjdump, file)
        if missing := claimed - found:
            wrong.append(f"{row}: {sorted(missing)} are not in the machine code")
        if others := (PRODUCTS - claimed) & found:
            wrong.append(f"{row}: {sorted(others)} are in the machine code, expected {sorted(PRODUCTS & claimed)} alone")
    print(*wrong, f"{looked_at} plugins looked at, {len(wrong)} mistakes", sep="\n")
    sys.exit(1 if wrong or looked_at < len(claims) else 0)


if __name__ == "__main__":
    main()
