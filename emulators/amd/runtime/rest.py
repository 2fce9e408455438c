#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""rest.py HIP_API_TRACE_HPP SYMBOL_VERSIONS: prints C++ with every entry point of the runtime, weak, for those that are not
written.

A call of one reports which function the emulator lacks. What is newer than the first version node is there under that
node too: earlier versions of scripts/setup laid out a library that had no other, and programs were linked with it.
"""

import re
import sys

from version_script import read

header = open(sys.argv[1], encoding="utf-8").read()
results = {name: result.strip() for result, name in re.findall(r"typedef\s+([\w\s*:]+?)\(\*t_(\w+)\)", header)}
if len(results) < 400:
    sys.exit(f"rest.py: found only {len(results)} entry points in {sys.argv[1]}; has its layout changed?")

print("#include <string>\nnamespace podium::amd { int lacking(const char* name); }\n#define REST extern \"C\" __attribute__((weak, visibility(\"default\")))")
for name, result in sorted(results.items()):
    if result == "hipError_t":
        print(f'REST int {name}() {{ return podium::amd::lacking("{name}"); }}')
    elif result == "void":
        print(f"REST void {name}() {{}}")
    elif result == "const char*":
        print(f'REST const char* {name}() {{ return ""; }}')
    elif result == "int":
        print(f"REST int {name}() {{ return -1; }}")

first, *newer = read(open(sys.argv[2], encoding="utf-8").read()).items()
for name in sorted(name for _, functions in newer for name in functions if name in results):
    print(f'asm(".text\\n.globl podium_{name}\\npodium_{name}: jmp {name}@PLT\\n.symver podium_{name}, {name}@{first[0]}");')
