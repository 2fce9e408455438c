// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/elements.hpp"

#include <cstring>
#include <stdexcept>

#include "suite/problem/model/layout.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::docs {
namespace {

using problem::Dtype;

// Calls f with a value of the judge's type for the dtype.
template <class F>
auto with_type(Dtype dtype, F f) {
  using namespace program;
  switch (dtype) {
    case Dtype::f64:
      return f(f64{});
    case Dtype::f32:
      return f(f32{});
    case Dtype::f16:
      return f(f16{});
    case Dtype::bf16:
      return f(bf16{});
    case Dtype::i64:
      return f(i64{});
    case Dtype::i32:
      return f(i32{});
    case Dtype::i16:
      return f(i16{});
    case Dtype::i8:
      return f(i8{});
    case Dtype::u64:
      return f(u64{});
    case Dtype::u32:
      return f(u32{});
    case Dtype::u16:
      return f(u16{});
    case Dtype::u8:
      return f(u8{});
    case Dtype::boolean:
      return f(boolean{});
    case Dtype::e4m3:
      return f(e4m3{});
    case Dtype::e5m2:
      return f(e5m2{});
    case Dtype::e4m3_fnuz:
      return f(e4m3_fnuz{});
    case Dtype::e5m2_fnuz:
      return f(e5m2_fnuz{});
    case Dtype::e8m0:
      return f(e8m0{});
    case Dtype::e2m1:
      return f(e2m1{});
  }
  throw std::logic_error("a dtype without a type");
}

template <class T>
double number_at(const std::byte* memory, std::int64_t place) {
  T x;
  std::memcpy(&x, memory + place * static_cast<std::int64_t>(sizeof x), sizeof x);
  return static_cast<double>(program::widen(x));
}

std::uint8_t half(const std::byte* memory, std::int64_t place) {
  const auto byte = std::to_integer<unsigned>(memory[place / 2]);
  return static_cast<std::uint8_t>(place % 2 == 0 ? byte & 15u : byte >> 4);
}

}  // namespace

double read_place(const problem::TensorInstance& tensor, const std::byte* memory, std::int64_t place) {
  if (problem::packed(tensor.dtype)) return program::widen(program::e2m1{half(memory, place)});
  return with_type(tensor.dtype, [&](auto type) { return number_at<decltype(type)>(memory, place); });
}

double read_element(const problem::TensorInstance& tensor, const std::byte* memory, std::int64_t element) {
  return read_place(tensor, memory, position_of(tensor, element));
}

double write_element(const problem::TensorInstance& tensor, std::byte* memory, std::int64_t element,
                     double value) {
  const std::int64_t place = position_of(tensor, element);
  if (problem::packed(tensor.dtype)) {
    const unsigned bits = program::narrow<program::e2m1>(value).bits, other = half(memory, place ^ 1);
    memory[place / 2] = static_cast<std::byte>(place % 2 == 0 ? bits | other << 4 : bits << 4 | other);
  } else {
    with_type(tensor.dtype, [&](auto type) {
      const auto x = program::narrow<decltype(type)>(value);
      std::memcpy(memory + place * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
      return 0;
    });
  }
  return read_place(tensor, memory, place);
}

}  // namespace podium::docs
