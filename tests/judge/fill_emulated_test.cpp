// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The GPU's text of fills makes the same bits as the CPU's: whole packs of 16 bytes, and what is left over.
#include <cstring>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

// Of real numbers, or of whole ones: all together are more tensors than a problem has.
std::string fills(int n, bool real) {
  std::string tensors = "tensors:\n";
  const auto add = [&](const std::string& dtype, const std::string& name, const std::string& fill) {
    tensors += "  " + dtype + "_" + name + ": { role: input, dtype: " + dtype + ", shape: [" +
               (dtype == "e2m1" ? "2 * n" : "n") + "], fill: " + fill + " }\n";
  };
  if (real) {
    for (const std::string dtype : {"f64", "f32", "f16", "bf16", "e4m3", "e5m2_fnuz", "e2m1"}) {
      add(dtype, "bell", "{ normal: { mean: 1, stddev: 3 } }");
      add(dtype, "flat", "{ uniform: { low: -2, high: 5 } }");
    }
  }
  if (!real) {
    for (const std::string dtype : {"f64", "f32", "f16", "e4m3", "e2m1", "i64", "i32", "i16", "i8", "bool"})
      add(dtype, "whole",
          dtype == "bool" ? "{ integers: { low: 0, high: 1 } }" : "{ integers: { low: -3, high: 4 } }");
    for (const std::string dtype : {"f32", "bf16", "i64", "i16", "u8"}) {
      add(dtype, "steps", "{ sequence: { first: 3, step: 1 } }");
      add(dtype, "ones", "ones");
    }
    add("i32", "permuted", "permutation");
  }
  return problem_of(tensors +
                        "  y: { role: output, dtype: f32, shape: [], tolerance: { ulp: 1 } }\n"
                        "reference: { y: { index: [], value: \"1\" } }\n",
                    "{ m: 1, n: " + std::to_string(n) + " }");
}

TEST(FillEmulated, HasTheBitsOfTheCpu) {
  for (const int n : {1, 45, 47, 64, 251})  // 45, 47: more than half a pack is left over
    for (const bool real : {true, false}) {
      Judged cpu(fills(n, real)), gpu(fills(n, real), true, 0, 0, true);
      cpu.evaluator.fill(forms_seed);
      gpu.evaluator.fill(forms_seed);
      for (std::size_t t = 0; t + 1 < cpu.instance.tensors.size(); ++t) {
        const auto& tensor = cpu.instance.tensors[t];
        SCOPED_TRACE(tensor.name + " of " + std::to_string(n));
        EXPECT_EQ(std::memcmp(cpu.evaluator.output(t), gpu.evaluator.output(t),
                              static_cast<std::size_t>(tensor.bytes)),
                  0);
      }
    }
}

}  // namespace
}  // namespace podium::judge
