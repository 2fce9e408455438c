// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The element types of tensors.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace podium::problem {

enum class Dtype : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

struct DtypeInfo {
  std::string_view name;  // as in YAML: "f32", "bool"
  std::string_view cpp;   // as in a contestant: "float", "podium::bf16"
  int bytes;
  bool floating;
  double eps;              // spacing above 1; 0 for integers
  double smallest_normal;  // 0 for integers
  double largest;          // largest finite value
};

const DtypeInfo& info(Dtype dtype);
std::optional<Dtype> dtype_named(std::string_view name);

}  // namespace podium::problem
