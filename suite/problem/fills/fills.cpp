// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the format, the instances, the judge's program and its launches make of the table of ready-made fills.
#include "suite/problem/fills/fills.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/problem/program/launch.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::problem {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The number before `x` in a 16-bit format; x is finite.
template <class T>
double previous(T x) {
  if (x.bits == 0) return program::widen(T{0x8001});
  return program::widen(T{static_cast<program::u16>(x.bits & 0x8000 ? x.bits + 1 : x.bits - 1)});
}

// The same among few codes, by looking at them all; -infinity if there is none.
template <class T>
double below_of_codes(double high) {
  double best = minus_infinity;
  for (unsigned code = 0; code < 256; ++code) {
    const double x = program::widen(T{static_cast<program::u8>(code)});
    if (x < high && x > best && program::is_finite(x)) best = x;
  }
  return best;
}

template <class T>
double below(double high) {
  const T nearest = program::narrow<T>(high);
  return program::widen(nearest) < high ? program::widen(nearest) : previous(nearest);
}

std::string form_of(const ReadyFill& fill) { return fill.name + "_fill"; }

// "{null} | null": neither numbers nor a map; "normal_fill | null": those have defaults.
std::string holds(const ReadyFill& fill) {
  if (fill.arguments.empty() && fill.keys.empty()) return "{null} | null";
  const bool bare = std::all_of(fill.arguments.begin(), fill.arguments.end(),
                                [](const FillArgument& argument) { return !argument.fallback.empty(); });
  return form_of(fill) + (bare ? " | null" : "");
}

}  // namespace

const ReadyFill* ready_fill(std::string_view name) {
  for (const ReadyFill& fill : ready_fills())
    if (fill.name == name) return &fill;
  return nullptr;
}

std::vector<Key> keys_of_fills() {
  std::vector<Key> keys;
  for (const ReadyFill& fill : ready_fills()) keys.push_back({fill.name, holds(fill), fill.says});
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.name < b.name; });
  return keys;
}

std::vector<Form> forms_of_fills() {
  std::vector<Form> forms;
  for (const ReadyFill& fill : ready_fills()) {
    Form form{.name = form_of(fill), .says = fill.details, .keys = fill.keys};
    for (const FillArgument& argument : fill.arguments)
      form.keys.push_back({argument.name, "formula", argument.says, argument.fallback.empty()});
    if (!form.keys.empty()) forms.push_back(std::move(form));
  }
  return forms;
}

std::vector<Words> words_of_fills() {
  std::vector<Words> lists;
  for (const ReadyFill& fill : ready_fills()) lists.insert(lists.end(), fill.words.begin(), fill.words.end());
  return lists;
}

std::string fault_of_fill(const TensorInstance& tensor) {
  if (!tensor.ready_fill) return "";
  const ReadyFill& fill = *tensor.ready_fill;
  const DtypeInfo& dtype = info(tensor.dtype);
  const auto [fault, low, high] = fill.range ? fill.range(tensor) : DrawnRange{};
  if (!fault.empty()) return fault;
  if (fill.real && !dtype.floating)
    return fmt::format("found {} for {}, expected integers, sequence, zeros or ones", fill.name, dtype.name);
  const double first = tensor.fill_first, second = tensor.fill_second;
  const bool whole = first == std::floor(first) && second == std::floor(second);
  if (!whole && (fill.whole || !dtype.floating))
    return fmt::format("found {} and {}, expected whole numbers", first, second);
  constexpr auto exact = static_cast<double>(largest_whole);  // draws are integers of 64 bits
  if (fill.whole && (low < -exact || high > exact))
    return fmt::format("found {} from {:.10g} to {:.10g}, expected whole numbers below 2^53 in size",
                       fill.name, low, high);
  const double least = lowest(tensor.dtype);
  if (low < least || high > dtype.largest)
    return fmt::format("found numbers from {:.10g} to {:.10g}, expected what {} holds: {:.10g} to {:.10g}",
                       low, high, dtype.name, least, dtype.largest);
  // Beyond it one of two neighbours is not held, and would be drawn as another number.
  const double every = every_whole(tensor.dtype);
  if (fill.whole && (low < -every || high > every) && dtype.floating &&
      !(low == high && represents(tensor.dtype, low)))
    return fmt::format(
        "found {} from {:.10g} to {:.10g}, expected those that {} holds: from {:.10g} to {:.10g} all, "
        "beyond only some",
        fill.name, low, high, dtype.name, std::max(least, -every), every);
  return "";
}

std::string fill_kinds(const Problem& problem, const Tensor& tensor) {
  std::vector<const ReadyFill*> used{tensor.fill.ready};
  for (const Workload& workload : problem.workloads)
    if (const auto fill = workload.fills.find(tensor.name); fill != workload.fills.end())
      used.push_back(fill->second.ready);
  std::vector<std::string> list;
  for (const ReadyFill& fill : ready_fills())
    if (std::find(used.begin(), used.end(), &fill) != used.end())
      list.push_back("podium::program::FillKind::" + fill.name);
  return fmt::format("{}", fmt::join(list, ", "));
}

std::array<std::uint64_t, 4> fill_words(const TensorInstance& tensor) {
  if (!tensor.ready_fill) return {};
  const ReadyFill& fill = *tensor.ready_fill;
  const FillWords words = fill.launch_words ? fill.launch_words(tensor) : FillWords{};
  return {program::fill_id(fill.name.c_str()), words[0], words[1], words[2]};
}

double largest_below(Dtype dtype, double high) {
  if (dtype == Dtype::f16) return below<program::f16>(high);
  if (dtype == Dtype::bf16) return below<program::bf16>(high);
  if (dtype == Dtype::f64) return std::nextafter(high, minus_infinity);
  if (dtype == Dtype::e4m3) return below_of_codes<program::e4m3>(high);
  if (dtype == Dtype::e5m2) return below_of_codes<program::e5m2>(high);
  if (dtype == Dtype::e4m3_fnuz) return below_of_codes<program::e4m3_fnuz>(high);
  if (dtype == Dtype::e5m2_fnuz) return below_of_codes<program::e5m2_fnuz>(high);
  if (dtype == Dtype::e8m0) return below_of_codes<program::e8m0>(high);
  if (dtype == Dtype::e2m1) return below_of_codes<program::e2m1>(high);
  const float nearest = static_cast<float>(high);
  return nearest < high ? nearest : std::nextafter(nearest, static_cast<float>(minus_infinity));
}

}  // namespace podium::problem
