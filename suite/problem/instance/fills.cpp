// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: whether a dtype holds what they draw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "suite/problem/instance/faults.hpp"
#include "suite/problem/yaml/cursor.hpp"

namespace podium::problem {
namespace {

constexpr double normal_reach = 3.4642;  // standard deviations; suite/problem/program/fill.hpp

}  // namespace

std::string fault_of_fill(const TensorInstance& tensor) {
  const DtypeInfo& dtype = info(tensor.dtype);
  const double first = tensor.fill_first, second = tensor.fill_second;
  double low = 0, high = 0;  // that the dtype must hold
  switch (tensor.fill) {
    case Fill::Kind::zeros:
      if (tensor.dtype != Dtype::e8m0) return "";
      break;
    case Fill::Kind::ones:
    case Fill::Kind::value:
    case Fill::Kind::derived:
      return "";
    case Fill::Kind::normal:
      if (second < 0) return fmt::format("found stddev {}, expected at least 0", second);
      low = high = first;
      // A scale has no sign: not even the lowest number drawn may reach zero. Of the others, those that do
      // not saturate would draw infinities.
      if (tensor.dtype == Dtype::e8m0 || dtype.bits > 8) low = first - normal_reach * second;
      if (dtype.bits > 8) high = first + normal_reach * second;
      break;
    case Fill::Kind::uniform:
    case Fill::Kind::integers:
      if (first > second) return fmt::format("found low {} above high {}, expected low first", first, second);
      if (!std::isfinite(second - first))
        return fmt::format("found numbers from {} to {}, expected a finite range between them", first,
                           second);
      low = first;
      high = second;
      break;
    case Fill::Kind::sequence: {
      const double last =
          first + second * static_cast<double>(std::max<std::int64_t>(tensor.elements - 1, 0));
      low = std::min(first, last);
      high = std::max(first, last);
      break;
    }
    case Fill::Kind::permutation: {
      const auto largest = static_cast<double>(std::max<std::int64_t>(tensor.fill_row - 1, 0));
      const double held = dtype.floating ? 2 / dtype.eps : dtype.largest;  // every whole number up to it
      if (tensor.dtype == Dtype::e8m0 && tensor.elements > 0)
        return "found a permutation, whose first number is 0, for e8m0, expected a dtype that holds 0";
      if (largest <= held) return "";
      return fmt::format(
          "found a permutation of {} numbers, expected at most {:.10g}: those that {} tells apart",
          tensor.fill_row, held + 1, dtype.name);
    }
  }
  const bool real = tensor.fill == Fill::Kind::normal || tensor.fill == Fill::Kind::uniform;
  if (real && !dtype.floating)
    return fmt::format("found {} for {}, expected integers, sequence, zeros or ones",
                       tensor.fill == Fill::Kind::normal ? "normal" : "uniform", dtype.name);
  const bool whole = first == std::floor(first) && second == std::floor(second);
  if (!whole && (tensor.fill == Fill::Kind::integers || !dtype.floating))
    return fmt::format("found {} and {}, expected whole numbers", first, second);
  constexpr auto exact = static_cast<double>(largest_whole);  // draws are integers of 64 bits
  if (tensor.fill == Fill::Kind::integers && (low < -exact || high > exact))
    return fmt::format("found integers from {:.10g} to {:.10g}, expected whole numbers below 2^53 in size",
                       low, high);
  const double least = lowest(tensor.dtype);
  if (low < least || high > dtype.largest)
    return fmt::format("found numbers from {:.10g} to {:.10g}, expected what {} holds: {:.10g} to {:.10g}",
                       low, high, dtype.name, least, dtype.largest);
  // Beyond 2 / eps one of two neighbours is not held, and would be drawn as another number.
  const double every = dtype.floating ? 2 / dtype.eps : dtype.largest;
  if (tensor.fill == Fill::Kind::integers && (low < -every || high > every) && dtype.floating &&
      !(low == high && represents(tensor.dtype, low)))
    return fmt::format(
        "found integers from {:.10g} to {:.10g}, expected those that {} holds: from {:.10g} to {:.10g} all, "
        "beyond only some",
        low, high, dtype.name, std::max(least, -every), every);
  return "";
}

}  // namespace podium::problem
