// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Files larger than a fuzzer makes, each with much of one thing: read or refused within two seconds of a
// processor, and without running out of stack.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "tests/fuzz/examine_problem.hpp"
#include "tests/processor_time.hpp"

namespace podium::fuzz {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::chrono::seconds most_time{20};
#else
constexpr std::chrono::seconds most_time{2};
#endif

std::string repeated(int count, const std::function<std::string(int)>& piece) {
  std::string all;
  for (int k = 0; k < count; ++k) all += piece(k);
  return all;
}
std::string repeated(int count, const std::string& piece) {
  return repeated(count, [&](int) { return piece; });
}

struct Parts {
  std::string axes = "[n]", extent = "n", term = "x(i)", more;
};
std::string file(const Parts& parts) {
  return fmt::format(
      "podium: 1\ntitle: t\naxes: {}\ntensors:\n  x: {{ role: input, dtype: f32, shape: [n], fill: ones }}\n"
      "  y: {{ role: output, dtype: f32, shape: [\"{}\"], tolerance: {{ ulp: 1 }} }}\n"
      "workloads: {{ test: [{{ n: 3 }}] }}\n{}{}",
      parts.axes, parts.extent, parts.more,
      parts.term.empty() ? "" : "reference:\n  y: { index: [i], value: \"" + parts.term + "\" }\n");
}
std::string computing(const std::string& text) {
  return file({.more = "structure:\n  s: { dtype: i32, shape: [], compute: \"" + text + "\" }\n"});
}

void examine_in_time(const std::string& what, const std::string& source) {
  SCOPED_TRACE(what);
  const auto began = processor_time();
  EXPECT_NO_THROW(examine_problem(source));
  EXPECT_LT(processor_time() - began, most_time);
}

constexpr int deep = 100'000;

TEST(LargeFiles, OfNestedExpressions) {
  const auto nested = [](const std::string& open, const std::string& inside, const std::string& close) {
    return repeated(deep, open) + inside + repeated(deep, close);
  };
  examine_in_time("formula", file({.extent = nested("(", "n", ")")}));
  examine_in_time("calls in a formula", file({.extent = nested("abs(", "n", ")")}));
  examine_in_time("choices in a formula", file({.extent = nested("1?", "n", ":1")}));
  examine_in_time("signs in a formula", file({.extent = nested("-", "n", "")}));
  examine_in_time("term", file({.term = nested("(", "x(i)", ")")}));
  examine_in_time("calls in a term", file({.term = nested("x(", "i", ")")}));
  examine_in_time("sum in a term", file({.term = nested("x(i) + ", "1", "")}));
  examine_in_time("blocks", computing(nested("{", "", "}")));
  examine_in_time("compute", computing("out() = " + nested("(", "1", ")") + ";"));
  examine_in_time("signs in compute", computing("out() = " + nested("-", "1", "") + ";"));
  examine_in_time("choices in compute", computing("out() = " + nested("1?", "1", ":1") + ";"));
  examine_in_time("loops", computing(repeated(deep / 2, "for (i : 1) ") + "out() = 1;"));
  examine_in_time("flow lists", file({}) + "x: " + repeated(deep, "["));
}

TEST(LargeFiles, OfManyEntries) {
  const auto each = [](const std::string& section, int count, const std::string& entry) {
    return file({.term = "", .more = section + repeated(count, [&](int k) {
                                       return fmt::format(fmt::runtime(entry), k);
                                     })});
  };
  examine_in_time("references", each("reference:\n", 10'000, "  r{0}: {{ index: {{ i: n }}, value: 1 }}\n"));
  examine_in_time("structures", each("structure:\n", 8'000,
                                     "  s{0}: {{ dtype: i32, shape: [], compute: \"out() = 1;\" }}\n"));
  examine_in_time("constants", each("constants:\n", 40'000, "  c{0}: {0}\n"));
  examine_in_time("conditions", each("conditions:\n", 40'000, "  - \"n > {0} - 1e6\"\n"));
  examine_in_time("unknown keys", each("", 50'000, "key{0}: 1\n"));
  examine_in_time("types",
                  each("types:\n", 10, "  t{0}: [f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32]\n"));
}

TEST(LargeFiles, OfNamesThatNobodyDeclared) {
  const std::string stem = repeated(7, "aname_x");
  const std::string axes = repeated(4'000, [&](int k) { return fmt::format(", {}{}", stem, k); });
  const std::string unknown = repeated(4'000, [&](int k) { return fmt::format("  - {}{}_\n", stem, k); });
  examine_in_time("names", file({.axes = "[n" + axes + "]", .more = "conditions:\n" + unknown}));
}

}  // namespace
}  // namespace podium::fuzz
