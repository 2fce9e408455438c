// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of element types: names, C++ spellings, numbers.
#include "suite/problem/model/dtype.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace podium::problem {
namespace {

// In the order of the enumeration. 64-bit integers' largest values are rounded to double.
constexpr std::array<DtypeInfo, dtypes> table{{
    {"f64", "double", 8, true, 0x1p-52, 0x1p-1022, 0x1.fffffffffffffp1023},
    {"f32", "float", 4, true, 0x1p-23, 0x1p-126, 0x1.fffffep127},
    {"f16", "podium::f16", 2, true, 0x1p-10, 0x1p-14, 65504},
    {"bf16", "podium::bf16", 2, true, 0x1p-7, 0x1p-126, 0x1.fep127},
    {"i64", "std::int64_t", 8, false, 0, 0, 0x1p63},
    {"i32", "std::int32_t", 4, false, 0, 0, 0x1p31 - 1},
    {"i16", "std::int16_t", 2, false, 0, 0, 0x1p15 - 1},
    {"i8", "std::int8_t", 1, false, 0, 0, 0x1p7 - 1},
    {"u64", "std::uint64_t", 8, false, 0, 0, 0x1p64},
    {"u32", "std::uint32_t", 4, false, 0, 0, 0x1p32 - 1},
    {"u16", "std::uint16_t", 2, false, 0, 0, 0x1p16 - 1},
    {"u8", "std::uint8_t", 1, false, 0, 0, 0x1p8 - 1},
    {"bool", "bool", 1, false, 0, 0, 1},
    {"e4m3", "podium::e4m3", 1, true, 0x1p-3, 0x1p-6, 448},
    {"e5m2", "podium::e5m2", 1, true, 0x1p-2, 0x1p-14, 57344},
    {"e4m3_fnuz", "podium::e4m3_fnuz", 1, true, 0x1p-3, 0x1p-7, 240},
    {"e5m2_fnuz", "podium::e5m2_fnuz", 1, true, 0x1p-2, 0x1p-15, 57344},
    {"e8m0", "podium::e8m0", 1, true, 1, 0x1p-127, 0x1p127},
    {"e2m1", "podium::e2m1x2", 1, true, 0.5, 1, 6, 4},
}};
static_assert(table[static_cast<std::size_t>(Dtype::boolean)].name == "bool");
static_assert(table[static_cast<std::size_t>(Dtype::e2m1)].name == "e2m1");

}  // namespace

const DtypeInfo& info(Dtype dtype) { return table.at(static_cast<std::size_t>(dtype)); }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return static_cast<Dtype>(i);
  return std::nullopt;
}

double lowest(Dtype dtype) {
  const DtypeInfo& of = info(dtype);
  if (dtype == Dtype::e8m0) return of.smallest_normal;
  if (of.floating) return -of.largest;
  return of.name[0] == 'i' ? -of.largest - 1 : 0;
}

double every_whole(Dtype dtype) { return info(dtype).floating ? 2 / info(dtype).eps : info(dtype).largest; }

bool represents(Dtype dtype, double number) {
  const DtypeInfo& of = info(dtype);
  if (number == 0) return lowest(dtype) <= 0;
  const double binade = std::ldexp(1, std::ilogb(number));
  return std::fmod(number, std::max(binade, of.smallest_normal) * of.eps) == 0;
}

}  // namespace podium::problem
