#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""stub_runtime.py HIP_API_TRACE_HPP: prints a libamdhip64 as C++ whose entry points all answer "no device".

The table of entry points in that header names every function of the runtime with its result type. Arguments are not
declared: the functions look at none but those written out below, and C's calling convention allows it.
"""

import re
import sys

RUNTIME_VERSION = 70125424  # of HIP 7.1, as HIP_VERSION in its headers
NO_DEVICE = 100  # hipErrorNoDevice

BY_HAND = {
    "hipGetDeviceCount": f"int hipGetDeviceCount(int* count) {{ if (count) *count = 0; return {NO_DEVICE}; }}",
    "hipGetLastError": "int hipGetLastError() { return 0; }",
    "hipPeekAtLastError": "int hipPeekAtLastError() { return 0; }",
    "hipRuntimeGetVersion": f"int hipRuntimeGetVersion(int* version) {{ *version = {RUNTIME_VERSION}; return 0; }}",
    "hipDriverGetVersion": f"int hipDriverGetVersion(int* version) {{ *version = {RUNTIME_VERSION}; return 0; }}",
    "hipGetErrorName": 'const char* hipGetErrorName(int error) { return error == 0 ? "hipSuccess" : '
    f'error == {NO_DEVICE} ? "hipErrorNoDevice" : "hipErrorUnknown"; }}',
    "hipGetErrorString": 'const char* hipGetErrorString(int error) { return error == 0 ? "no error" : '
    f'error == {NO_DEVICE} ? "no ROCm-capable device is detected" : "unknown error"; }}',
    # Runs before main() in every program with device code, and must succeed.
    "__hipRegisterFatBinary": "void** __hipRegisterFatBinary(const void*) { static void* module; return &module; }",
}
BY_RESULT = {
    "hipError_t": "int {name}() {{ return %d; }}" % NO_DEVICE,
    "void": "void {name}() {{}}",
    "const char*": 'const char* {name}() {{ return ""; }}',
    "int": "int {name}() {{ return -1; }}",
}

header = open(sys.argv[1]).read()
results = {name: result.strip() for result, name in re.findall(r"typedef\s+([\w\s*:]+?)\(\*t_(\w+)\)", header)}
if len(results) < 400:
    sys.exit(f"stub_runtime.py: found only {len(results)} entry points in {sys.argv[1]}; has its layout changed?")

print('extern "C" {')
for name, result in sorted(results.items()):
    if name not in BY_HAND and result in BY_RESULT:
        print(BY_RESULT[result].format(name=name))
print(*BY_HAND.values(), "}", sep="\n")
