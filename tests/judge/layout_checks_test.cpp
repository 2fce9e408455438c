// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Built-in checks and inout tensors of narrow, packed and strided elements, and of none.
#include <cstring>
#include <numeric>

#include "suite/problem/program/numbers.hpp"
#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

// An element of a tensor as its bits, wherever it lies.
std::uint64_t bits_at(Judged& j, const std::byte* memory, std::size_t t, std::int64_t linear) {
  const auto& tensor = j.instance.tensors[t];
  const std::int64_t at = problem::position_of(tensor, linear);
  const auto width = static_cast<std::size_t>(problem::info(tensor.dtype).bytes);
  std::uint64_t bits = 0;
  if (problem::packed(tensor.dtype)) return static_cast<std::uint64_t>(memory[at / 2]) >> (4 * (at % 2)) & 15;
  std::memcpy(&bits, memory + static_cast<std::size_t>(at) * width, width);
  return bits;
}
void set_bits(Judged& j, std::size_t t, std::int64_t linear, std::uint64_t bits) {
  const auto& tensor = j.instance.tensors[t];
  const std::int64_t at = problem::position_of(tensor, linear);
  const auto width = static_cast<std::size_t>(problem::info(tensor.dtype).bytes);
  std::byte* const memory = j.evaluator.output(t);
  if (problem::packed(tensor.dtype)) {
    const unsigned shift = 4 * (at % 2);
    const auto pair = static_cast<unsigned>(memory[at / 2]);
    memory[at / 2] = static_cast<std::byte>((pair & ~(15U << shift)) | static_cast<unsigned>(bits) << shift);
  } else {
    std::memcpy(memory + static_cast<std::size_t>(at) * width, &bits, width);
  }
}

double value_of(problem::Dtype dtype, std::uint64_t bits) {
  using problem::Dtype;
  const auto low8 = static_cast<program::u8>(bits);
  switch (dtype) {
    case Dtype::bf16:
      return program::widen(program::bf16{static_cast<program::u16>(bits)});
    case Dtype::e4m3:
      return program::widen(program::e4m3{low8});
    case Dtype::e2m1:
      return program::widen(program::e2m1{low8});
    default:
      return program::widen(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
}

std::uint64_t bits_of_one(problem::Dtype dtype) {
  return dtype == problem::Dtype::f32 ? 0x3f800000 : dtype == problem::Dtype::bf16 ? 0x3f80 : 0x38;
}

std::uint64_t bits_of_nan(problem::Dtype dtype) {
  return dtype == problem::Dtype::f32 ? 0x7fc00000 : dtype == problem::Dtype::bf16 ? 0x7fc0 : 0x7f;
}

// Tensor 1, row by row, as a stable sort of tensor 0; tensor 2 says where each came from.
void sort_rows(Judged& j) {
  const auto& x = j.instance.tensors[0];
  const std::int64_t row = x.extents.back();
  for (std::int64_t first = 0; first < x.elements; first += row) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(row));
    std::iota(order.begin(), order.end(), first);
    const auto value = [&](std::int64_t at) {
      return value_of(x.dtype, bits_at(j, j.evaluator.input(0), 0, at));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return value(a) < value(b); });
    for (std::int64_t k = 0; k < row; ++k) {
      const std::int64_t from = order[static_cast<std::size_t>(k)];
      set_bits(j, 1, first + k, bits_at(j, j.evaluator.input(0), 0, from));
      set_bits(j, 2, first + k, static_cast<std::uint64_t>(from));
    }
  }
}

std::string sorting(const std::string& dtype, const std::string& layout) {
  return problem_of("tensors:\n  x: { role: input, dtype: " + dtype + ", shape: [m, n]" + layout +
                        ", fill: { normal: { mean: 0, stddev: 2 } } }\n" +
                        "  y: { role: output, dtype: " + dtype + ", shape: [m, n]" + layout +
                        " }\n"
                        "  o: { role: output, dtype: i32, shape: [m, n] }\n"
                        "  p: { role: input, dtype: i32, shape: [m, n], fill: sequence }\n"
                        "checks:\n"
                        "  up: { sorted: y }\n"
                        "  all: { permutation: [y, x] }\n"
                        "  pairs: { permutation: [[y, o], [x, p]] }\n"
                        "  steady: { stable: [y, o] }\n"
                        "  each: { distinct: o }\n",
                    "{ m: 3, n: 64 }", "{ m: 1, n: 2 }");
}

TEST(LayoutChecks, NarrowPackedAndStridedElementsAreSorted) {
  const std::string padded = ", strides: [80, 1]", columns = ", strides: [2, 6]";
  for (const auto& [dtype, layout] : std::vector<std::pair<std::string, std::string>>{{"f32", columns},
                                                                                      {"bf16", ""},
                                                                                      {"bf16", padded},
                                                                                      {"e4m3", columns},
                                                                                      {"e2m1", ""},
                                                                                      {"e2m1", padded}}) {
    SCOPED_TRACE(dtype + layout);
    agrees(sorting(dtype, layout), true, 3, sort_rows, [](Judged& j) {
      const auto& y = j.instance.tensors[1];
      const std::uint64_t first = bits_at(j, j.evaluator.output(1), 1, 64);
      const std::uint64_t last = bits_at(j, j.evaluator.output(1), 1, 127);
      ASSERT_NE(value_of(y.dtype, first), value_of(y.dtype, last));
      set_bits(j, 1, 127, first);
      const Finding found = j.evaluator.verify(forms_seed, forms_poison);
      EXPECT_THAT(found.text, HasSubstr("y[1, 62] is "));
      EXPECT_THAT(found.text, HasSubstr("y does not hold the elements of x"));
      EXPECT_THAT(found.text, HasSubstr("(y, o) does not hold the tuples of (x, p)"));
      set_bits(j, 1, 127, last);
      EXPECT_TRUE(j.evaluator.verify(forms_seed, forms_poison).right);
      // Places of equal keys, exchanged: each tuple is still there.
      std::int64_t at = 0;
      while (bits_at(j, j.evaluator.output(1), 1, at) != bits_at(j, j.evaluator.output(1), 1, at + 1) ||
             at % 64 == 63)
        if (++at == 3 * 64 - 2) break;
      if (at < 3 * 64 - 2) {
        std::swap(j.data<std::int32_t>("o")[at], j.data<std::int32_t>("o")[at + 1]);
        EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                    HasSubstr("expected ascending order among equals"));
      }
      j.data<std::int32_t>("o")[65] = j.data<std::int32_t>("o")[64];
      EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text, HasSubstr("o[1, 1] is "));
    });
  }
}

TEST(LayoutChecks, TrianglesAndDistinctNumbersOfAnyLayout) {
  for (const auto& [dtype, layout] : std::vector<std::pair<std::string, std::string>>{
           {"f32", ""}, {"bf16", ", strides: [1, 40]"}, {"e4m3", ", layout: scales_128x4"}}) {
    SCOPED_TRACE(dtype + layout);
    const std::string yaml = problem_of(
        "tensors:\n  x: { role: input, dtype: f32, shape: [], fill: ones }\n"
        "  r: { role: output, dtype: " +
            dtype + ", shape: [m, n]" + layout +
            " }\n"
            "checks:\n"
            "  zeros: { triangular: r, part: lower, unit: true }\n"
            "  same: { index: [i, j], value: \"r(i, j) * 0\", limit: 0 }\n"
            "  real: { finite: r }\n",
        "{ m: 20, n: 16 }");
    const auto one = [](Judged& j) { return bits_of_one(j.instance.tensors[1].dtype); };
    agrees(
        yaml, true, 3,
        [&](Judged& j) {
          for (std::int64_t k = 0; k < 20 * 16; ++k) set_bits(j, 1, k, k / 16 >= k % 16 ? one(j) : 0);
        },
        [&](Judged& j) {
          set_bits(j, 1, 2 * 16 + 5, one(j));
          EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                      HasSubstr("r[2, 5] is 1, expected 0: r is unit lower triangular; 1 of 320"));
          set_bits(j, 1, 2 * 16 + 5, 0);
          set_bits(j, 1, 7 * 16 + 7, 0);
          EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                      HasSubstr("r[7, 7] is 0, expected 1"));
          set_bits(j, 1, 7 * 16 + 7, one(j));
          set_bits(j, 1, 9 * 16 + 1, bits_of_nan(j.instance.tensors[1].dtype));
          EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                      HasSubstr("r[9, 1] is nan, expected finite numbers; 1 of 320"));
        });
  }
}

// x = 2 x in place, in padded rows; what lies between the rows is no element.
TEST(LayoutChecks, AnInoutTensorMayHaveStrides) {
  for (const std::string strides : {"[70, 1]", "[2, 18]"}) {
    const std::string yaml = problem_of(
        "tensors:\n  x: { role: inout, dtype: f32, shape: [m, n], strides: " + strides +
            ", fill: normal, tolerance: { ulp: 0, growth: 0 } }\n"
            "reference:\n  x: { index: [i, j], value: \"2 * x.initial(i, j)\" }\n"
            "checks:\n  twice: { index: [i, j], value: \"x(i, j) - 2 * x.initial(i, j)\", limit: 0 }\n"
            "  same: { index: [i, j], value: \"x(i, j) - x.reference(i, j)\", limit: 0 }\n"
            "sample: { i: 2, j: 5 }\n",
        "{ m: 9, n: 64 }");
    const auto solve = [](Judged& j) {
      const auto& x = j.instance.tensors[0];
      std::memcpy(j.evaluator.output(0), j.evaluator.input(0), static_cast<std::size_t>(x.bytes));
      const Finding idle = j.evaluator.verify(forms_seed, forms_poison);
      EXPECT_FALSE(idle.right);
      EXPECT_FALSE(idle.written);
      EXPECT_THAT(idle.text, HasSubstr("the call changed nothing in x"));
      for (std::int64_t k = 0; k < x.elements; ++k) {
        const float was =
            std::bit_cast<float>(static_cast<std::uint32_t>(bits_at(j, j.evaluator.input(0), 0, k)));
        set_bits(j, 0, k, std::bit_cast<std::uint32_t>(2 * was));
      }
    };
    for (const bool full : {true, false})
      agrees(yaml, full, 3, solve, [](Judged& j) {
        set_bits(j, 0, 8 * 64 + 63, std::bit_cast<std::uint32_t>(1e9F));
        EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                    testing::AllOf(HasSubstr("x[8, 63] is 1e+09"), HasSubstr("check twice at i = 8, j = 63"),
                                   HasSubstr("check same at i = 8, j = 63")));
      });
  }
}

TEST(LayoutChecks, APackedInoutTensorKeepsItsValuesBeforeTheCall) {
  const std::string yaml = problem_of(
      "tensors:\n  x: { role: inout, dtype: e2m1, shape: [m, n], fill: normal, tolerance: { ulp: 0, growth: "
      "0 } }\n"
      "reference: { x: { index: [i, j], value: \"-x.initial(i, j)\" } }\n"
      "checks: { all: { permutation: [x, x.initial] } }\n",
      "{ m: 4, n: 64 }", "{ m: 1, n: 2 }");
  Judged j(yaml);
  j.evaluator.fill(forms_seed);
  for (int k = 0; k < 256; ++k) set_bits(j, 0, k, bits_at(j, j.evaluator.input(0), 0, k) ^ 8);
  const Finding found = j.evaluator.verify(forms_seed, forms_poison);
  EXPECT_THAT(found.text, HasSubstr("x does not hold the elements of x"));  // the signs have changed
  EXPECT_THAT(found.text, testing::Not(HasSubstr("verified elements wrong")));
  for (int k = 0; k < 256; ++k) set_bits(j, 0, k, bits_at(j, j.evaluator.input(0), 0, k));
  EXPECT_FALSE(j.evaluator.verify(forms_seed, forms_poison).written);
}

// x(t) = x(t) + x(t - 1) / 2 in place: the recurrence calls itself and what was there before.
TEST(LayoutChecks, ARecurrenceInPlace) {
  const std::string yaml = problem_of(
      "tensors:\n  x: { role: inout, dtype: f64, shape: [m, n], fill: normal, tolerance: { ulp: 4, growth: "
      "4, accumulate: f64, scale: magnitude } }\n"
      "reference:\n"
      "  x: { index: [i, t], recur: { along: t, first: \"x.initial(i, 0)\", next: \"x.initial(i, t) + x(i, t "
      "- "
      "1) / 2\" } }\n"
      "sample: { i: 2, t: 3 }\n",
      "{ m: 5, n: 40 }");
  const auto solve = [](Judged& j) {
    const auto* before = reinterpret_cast<const double*>(j.evaluator.input(0));
    double* x = j.data<double>("x");
    for (int k = 0; k < 200; ++k) x[k] = before[k] + (k % 40 ? x[k - 1] / 2 : 0);
  };
  for (const bool full : {true, false})
    agrees(yaml, full, 3, solve, [](Judged& j) { j.data<double>("x")[199] += 1e-6; });
}

TEST(LayoutChecks, NoElementsAreAlwaysRight) {
  for (const std::string sizes : {"{ m: 0, n: 4 }", "{ m: 4, n: 0 }", "{ m: 0, n: 0 }"})
    for (const std::string dtype : {"f32", "bf16"}) {
      SCOPED_TRACE(sizes + dtype);
      std::string yaml = sorting(dtype, "");
      yaml.replace(yaml.find("{ m: 3, n: 64 }"), 15, sizes);
      yaml.replace(yaml.find("  each:"), 7,
                   "  real: { finite: y }\n  upper: { triangular: y, part: upper }\n  last: { index: [i, j], "
                   "value: \"y(i, j)\", limit: 0 }\n  each:");
      agrees(yaml, true, 2, [](Judged&) {});
    }
}

}  // namespace
}  // namespace podium::judge
