#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""rest.py INCLUDE-FOLDER: prints C++ with every entry point of CUDA's runtime and driver, weak, for those that are not
written.

They say which function it is that emulated devices lack, and answer "not supported": a program that needs it fails where
it calls it. Without them it could not be loaded, and its row would say "not supported", which is no failure.

It prints the driver's functions by name, too, for programs that ask for them there (driver.cpp).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A header's declarations have one of these words before the name.
RUNTIME, DRIVER = "CUDARTAPI", "CUDAAPI"
HEADERS = {
    "cuda_runtime_api.h": RUNTIME, "cuda_profiler_api.h": RUNTIME, "crt/host_runtime.h": RUNTIME, "cuda.h": DRIVER,
    "cudaProfiler.h": DRIVER,
}  # fmt: skip
FEWEST = {RUNTIME: 250, DRIVER: 450}
# What these give is no status; they are written.
OTHER = {
    "cudaGetErrorName", "cudaGetErrorString", "cudaCreateChannelDesc", "__cudaRegisterFatBinary", "__cudaInitModule",
}  # fmt: skip
# Exported by libcudart, and in no header: what nvcc's host code calls.
UNDECLARED, UNDECLARED_AT_LOAD = {"__cudaLaunchKernel_ptsz"}, {"__cudaRegisterHostVar", "__cudaRegisterUnifiedTable"}


def declared(text: str, api: str) -> dict[str, str]:
    """Function -> the last word of what it returns."""
    return {name: result for result, name in re.findall(rf"([\w*]+)\s+{api}\s+(\w+)\s*\(", text)}


def defines(text: str) -> dict[str, set[str]]:
    """What a program that writes a function's name imports in its place: cuMemAlloc_v2, and with default streams of each
    thread cudaMemcpyAsync_ptsz."""
    found: dict[str, set[str]] = {}
    for name, suffix, to in re.findall(r"#\s*define\s+(cu\w+)\s+(?:__CUDA(?:RT)?_API_PT(DS|SZ)\()?(cu\w+)\)?\s*$", text, re.MULTILINE):
        found.setdefault(name, set()).update({to, f"{to}_pt{suffix.lower()}"} if suffix else {to})
    return found


def main(folder: Path) -> None:
    statuses, at_load, entries = set(UNDECLARED), set(UNDECLARED_AT_LOAD), {}
    counts = dict.fromkeys(FEWEST, 0)
    for header, api in HEADERS.items():
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", (folder / header).read_text(encoding="latin-1"), flags=re.DOTALL)
        names = declared(text, api)
        counts[api] += len(names)
        imported = defines(text)
        for name, result in names.items():
            if result in ("cudaError_t", "CUresult"):
                statuses |= {name} | imported.get(name, set())
            elif result == "void":
                at_load.add(name)
            elif name not in OTHER:
                sys.exit(f"rest.py: {header}: {name} gives {result}; expected a status: write it, and name it in OTHER")
            if api == DRIVER:  # the shortest of several is that of no stream of its own for each thread
                entries[name] = min(imported.get(name, {name}), key=lambda to: (len(to), to))
    for api, fewest in FEWEST.items():
        if counts[api] < fewest:
            sys.exit(f"rest.py: found only {counts[api]} functions with {api} in {folder}; has the headers' layout changed?")

    print("#include <cstddef>")
    print("namespace podium::ptx {\nint lacking(const char* name);\nvoid lacking_at_load(const char* name);")
    print("struct EntryPoint { const char* name; void* at; };\n}")
    print("using namespace podium::ptx;")
    print('#define REST extern "C" __attribute__((weak))')
    for name in sorted(statuses):
        print(f'REST int {name}() {{ return lacking("{name}"); }}')
    for name in sorted(at_load):
        print(f'REST void {name}() {{ lacking_at_load("{name}"); }}')
    print("namespace podium::ptx {\nextern const EntryPoint entry_points[];\nextern const std::size_t entry_point_count;")
    print("const EntryPoint entry_points[] = {")
    for name, at in sorted(entries.items()):
        print(f'  {{"{name}", reinterpret_cast<void*>(&{at})}},')
    print(f"}};\nconst std::size_t entry_point_count = {len(entries)};\n}}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
