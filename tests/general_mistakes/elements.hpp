// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The elements of a contestant's tensor as numbers, in row-major order, whatever their dtype and strides.
#pragma once
#include <podium/podium.hpp>

#include <cstring>
#include <type_traits>
#include <vector>

namespace podium::mistakes {

struct Shape {
  std::vector<std::int64_t> extents;

  std::int64_t size() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    return count;
  }
  std::int64_t columns() const { return extents.empty() ? 1 : extents.back(); }
};

template <class T, int Rank>
class Elements {
 public:
  using Type = std::remove_const_t<T>;
  static constexpr bool pairs = std::is_same_v<Type, e2m1x2>;
  using Number = std::conditional_t<std::is_integral_v<Type>, std::int64_t, double>;  // u64: its bits

  explicit Elements(const Tensor<T, Rank>& tensor) : tensor_(tensor) {}

  Shape shape() const {
    Shape shape;
    for (int k = 0; k < Rank; ++k) shape.extents.push_back(tensor_.extent(k));
    if (pairs) shape.extents.back() *= 2;
    return shape;
  }

  Number operator[](std::int64_t i) const {
    [[maybe_unused]] const T& at = *place(i);
    if constexpr (pairs) {
      return cast<double>(i % 2 == 0 ? at.low() : at.high());
    } else if constexpr (std::is_same_v<Type, bool>) {
      return static_cast<Number>(bits(i));  // what was found may be neither true nor false
    } else {
      return cast<Number>(at);
    }
  }
  void set(std::int64_t i, Number x) const {
    T& at = *place(i);
    if constexpr (pairs) {
      const auto number = cast<e2m1>(x);
      at = i % 2 == 0 ? e2m1x2::of(number, at.high()) : e2m1x2::of(at.low(), number);
    } else {
      at = cast<Type>(x);
    }
  }

  // The bits of an element: what numbers do not tell apart, and NaN would lose on the way.
  std::uint64_t bits(std::int64_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, place(i), sizeof(Type));
    return pairs ? (i % 2 == 0 ? bits & 15 : bits >> 4) : bits;
  }
  void set_bits(std::int64_t i, std::uint64_t bits) const {
    if constexpr (pairs) {
      const e2m1 half{static_cast<std::uint8_t>(bits)};
      T& at = *place(i);
      at = i % 2 == 0 ? e2m1x2::of(half, at.high()) : e2m1x2::of(at.low(), half);
    } else {
      std::memcpy(place(i), &bits, sizeof(Type));
    }
  }

 private:
  T* place(std::int64_t i) const {
    if (pairs) i /= 2;  // two neighbours along the last axis
    T* at = tensor_.data;
    for (int k = Rank; k-- > 0; i /= tensor_.extent(k)) at += i % tensor_.extent(k) * tensor_.stride(k);
    return at;
  }

  Tensor<T, Rank> tensor_;
};

}  // namespace podium::mistakes
