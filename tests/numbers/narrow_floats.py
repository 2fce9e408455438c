# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Writes narrow_floats.hpp: what ml_dtypes makes of every pattern and of every midpoint between two numbers."""
import math

import ml_dtypes
import numpy

TYPES = {
    "e4m3": ("float8_e4m3fn", 256),
    "e5m2": ("float8_e5m2", 256),
    "e4m3_fnuz": ("float8_e4m3fnuz", 256),
    "e5m2_fnuz": ("float8_e5m2fnuz", 256),
    "e8m0": ("float8_e8m0fnu", 256),
    "e2m1": ("float4_e2m1fn", 16),
}


def written(x):
    return "nan" if math.isnan(x) else "inf" if x == math.inf else "-inf" if x == -math.inf else repr(x)


def rows(items):
    line = ""
    for item in items:
        if len(line) + len(item) > 105:
            print("       " + line)
            line = ""
        line += f" {item},"
    print("       " + line)


print(
    f"""// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Made by ml_dtypes {ml_dtypes.__version__}: python3 narrow_floats.py >narrow_floats.hpp
// Of each format the number of every pattern, and for every two neighbours that are not negative the pattern
// to which their midpoint is rounded.
// clang-format off
#pragma once
#include <limits>
#include <vector>

namespace podium::test {{

inline constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
struct NarrowFormat {{
  std::vector<double> numbers;
  std::vector<unsigned> ties;
}};
"""
)
for name, (full, count) in TYPES.items():
    dtype = getattr(ml_dtypes, full)
    numbers = [float(x) for x in numpy.arange(count, dtype=numpy.uint8).view(dtype).astype(numpy.float64)]
    finite = [x for x in numbers[: count if name == "e8m0" else count // 2] if math.isfinite(x)]
    middles = numpy.array([(a + b) / 2 for a, b in zip(finite, finite[1:])], dtype=numpy.float64)
    print(f"inline const NarrowFormat {name}_format{{\n    {{")
    rows(map(written, numbers))
    print("    },\n    {")
    rows(str(int(x)) for x in middles.astype(dtype).view(numpy.uint8))
    print("    }};\n")
print("}  // namespace podium::test")
