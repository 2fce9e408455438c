# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a translated module says of its kernels, as a cubin does in its sections .nv.info: launch lists are held against it
before anything runs (suite/compile/code_object.cpp)."""

from __future__ import annotations

import json
from math import prod

from .module import Function, Module

SECTION = ".podium.kernels"


def _kernel(function: Function) -> dict[str, object]:
    return {
        "name": function.name,
        "arguments": [parameter.size for parameter in function.parameters],
        "most_threads": prod(function.numbers("maxntid") or [0]),
        "block": function.numbers("reqntid") or [0, 0, 0],
        "cluster": function.numbers("reqnctapercluster") or [0, 0, 0],
    }


def section(ptx: str, architecture: str) -> str:
    """C++ that puts the description into a section of the library. `architecture`: "sm_90", what it was translated for."""
    kernels = [_kernel(f) for f in Module(ptx).functions.values() if f.entry]
    text = json.dumps({"architecture": architecture, "kernels": kernels})
    return f'__attribute__((used, section("{SECTION}"))) static const char podium_kernels[] = R"podium({text})podium";\n'
