// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What limits by magnitude admit through chains of operations: honest f32 with growth halved, and neither
// sums in bf16, nor zeros, nor errors of some percent.
#include "tests/judge/computations.hpp"
#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seed = 0x5eed;

// What `problem` says of outputs "y" that `compute` makes of the inputs of that name.
using Compute = std::function<Row<double>(Judged&)>;
Finding verdict(const std::string& yaml, const Compute& compute) {
  Judged j(yaml);
  j.evaluator.fill(seed);
  const Row<double> y = compute(j);
  for (std::size_t i = 0; i < y.size(); ++i) j.data<float>("y")[i] = static_cast<float>(y[i]);
  return j.evaluator.verify(seed, forms_poison);
}
void expect_right(const std::string& yaml, const Compute& compute) {
  const Finding found = verdict(yaml, compute);
  EXPECT_TRUE(found.right) << found.text;
}
void expect_wrong(const std::string& yaml, const Compute& compute) {
  const Finding found = verdict(yaml, compute);
  EXPECT_FALSE(found.right) << found.text;
}

Row<double> input(Judged& j, const std::string& name, std::size_t first, std::size_t count) {
  const float* const x = j.data<float>(name);
  return Row<double>(x + first, x + first + count);
}
std::vector<Row<double>> rows(Judged& j, const std::string& name, std::size_t count, std::size_t width) {
  std::vector<Row<double>> all;
  for (std::size_t r = 0; r < count; ++r) all.push_back(input(j, name, r * width, width));
  return all;
}
template <class T>
Row<double> in_doubles(const Row<T>& row) {
  Row<double> all;
  for (const T& one : row) all.push_back(double(one));
  return all;
}
Compute scaled(const Compute& compute, double factor) {
  return [=](Judged& j) {
    Row<double> y = compute(j);
    for (double& one : y) one *= factor;
    return y;
  };
}

std::string tolerance(const std::string& growth) {
  return "tolerance: { ulp: 1, growth: \"" + growth + "\", scale: magnitude } }\n";
}
std::string norm(const std::string& of, const std::string& name) {
  return "  " + name + "_sum: { index: {}, reduce: { over: { j: n }, op: sum, term: \"" + of +
         "(j)\" } }\n  " + name + "_squares: { index: {}, reduce: { over: { j: n }, op: sum, term: \"(" + of +
         "(j) - " + name + "_sum() / n) * (" + of + "(j) - " + name + "_sum() / n)\" } }\n  " + name +
         ": { index: " + (name == "y" ? "[i]" : "{ i: n }") + ", value: \"(" + of + "(i) - " + name +
         "_sum() / n) / sqrt(" + name + "_squares() / n + 1e-5)\" }\n";
}
// One layer norm, or two in series, of numbers around 100.
std::string layer_norms(int norms, const std::string& growth) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [n], fill: { normal: { mean: 100, stddev: 1 } } }\n"
         "  y: { role: output, dtype: f32, shape: [n], " +
         tolerance(growth) + "reference:\n" +
         (norms == 1 ? norm("x", "y") : norm("x", "once") + norm("once", "y")) +
         "workloads: { test: [{ n: 512 }] }\n";
}
template <class Sum, class T>
Compute norms(int count) {
  return [count](Judged& j) {
    Row<T> y = as<T>(input(j, "x", 0, 512));
    for (int k = 0; k < count; ++k) y = layer_norm<Sum>(y);
    return in_doubles(y);
  };
}

TEST(Magnitude, OfOneLayerNorm) {
  expect_right(layer_norms(1, "sqrt(n) / 2"), norms<F32, F32>(1));
  expect_wrong(layer_norms(1, "sqrt(n)"), norms<Bf16, F32>(1));
}
TEST(Magnitude, OfTwoLayerNormsInSeries) {
  expect_right(layer_norms(2, "sqrt(n) / 2"), norms<F32, F32>(2));
  expect_wrong(layer_norms(2, "sqrt(n)"), norms<Bf16, F32>(2));
  expect_wrong(layer_norms(2, "sqrt(n)"), scaled(norms<F32, F32>(2), 0));
  expect_wrong(layer_norms(2, "sqrt(n)"), scaled(norms<F32, F32>(2), 1.01));
}

constexpr std::size_t nodes = 64, channels = 32;
std::string triangle_problem(const std::string& growth) {
  std::string text =
      "podium: 1\ntitle: t\naxes: [nodes, n]\ntensors:\n"
      "  a: { role: input, dtype: f32, shape: [nodes, n], fill: { normal: { mean: 1 } } }\n"
      "  b: { role: input, dtype: f32, shape: [nodes, n], fill: { normal: { mean: 1 } } }\n"
      "  y: { role: output, dtype: f32, shape: [n], " +
      tolerance(growth) + "reference:\n";
  for (const char c : {'a', 'b'}) {
    std::string edge =
        R"y(  sum_A: { index: { k: nodes }, reduce: { over: { c: n }, op: sum, term: "A(k, c)" } }
  squares_A: { index: { k: nodes }, reduce: { over: { c: n }, op: sum, term: "(A(k, c) - sum_A(k) / n) * (A(k, c) - sum_A(k) / n)" } }
  norm_A: { index: { k: nodes, c: n }, value: "(A(k, c) - sum_A(k) / n) / sqrt(squares_A(k) / n + 1e-5)" }
  gated_A: { index: { k: nodes, c: n }, value: "norm_A(k, c) / (1 + exp(-norm_A(k, c)))" }
)y";
    for (auto at = edge.find('A'); at != edge.npos; at = edge.find('A')) edge[at] = c;
    text += edge;
  }
  return text +
         "  product: { index: { c: n }, reduce: { over: { k: nodes }, op: sum, term: \"gated_a(k, c) * "
         "gated_b(k, c)\" "
         "} }\n" +
         norm("product", "y") + "workloads: { test: [{ nodes: 64, n: 32 }] }\n";
}
template <class Sum, class T>
Compute triangle_of(std::size_t summed, double freedom = 0) {
  return [=](Judged& j) {
    return in_doubles(triangle<Sum>(as<T>(rows(j, "a", nodes, channels)),
                                    as<T>(rows(j, "b", nodes, channels)), summed, freedom));
  };
}

TEST(Magnitude, OfTriangleMultiplication) {
  const std::string half = triangle_problem("sqrt(nodes) / 2"), full = triangle_problem("sqrt(nodes)");
  expect_right(half, triangle_of<F32, F32>(nodes));
  expect_wrong(full, triangle_of<F32, F32>(nodes - 1));  // the last node left out
  expect_wrong(full, triangle_of<F32, F32>(nodes, 1));   // the unbiased variance
  expect_wrong(full, scaled(triangle_of<F32, F32>(nodes), 1.05));
  expect_wrong(full, scaled(triangle_of<F32, F32>(nodes), 0));
  expect_wrong(full, triangle_of<Bf16, F32>(nodes));
}

constexpr std::size_t tokens = 256, rank = 512, width = 32;
std::string latent_problem(const std::string& growth) {
  return R"y(podium: 1
title: t
axes: [tokens, rank, width]
tensors:
  q: { role: input, dtype: f32, shape: [width], fill: normal }
  c: { role: input, dtype: f32, shape: [tokens, rank], fill: normal }
  w: { role: input, dtype: f32, shape: [width, rank], fill: { normal: { stddev: 0.0625 } } }
  y: { role: output, dtype: f32, shape: [width], )y" +
         tolerance(growth) + R"y(reference:
  latent: { index: { l: rank }, reduce: { over: { d: width }, op: sum, term: "q(d) * w(d, l)" } }
  score: { index: { t: tokens }, reduce: { over: { l: rank }, op: sum, term: "latent(l) * c(t, l) / sqrt(1.0 * rank)" } }
  most: { index: {}, reduce: { over: { t: tokens }, op: max, term: "score(t)" } }
  weight: { index: { t: tokens }, value: "exp(score(t) - most())" }
  all: { index: {}, reduce: { over: { t: tokens }, op: sum, term: "weight(t)" } }
  o: { index: { l: rank }, reduce: { over: { t: tokens }, op: sum, term: "weight(t) / all() * c(t, l)" } }
  y: { index: [d], reduce: { over: { l: rank }, op: sum, term: "o(l) * w(d, l)" } }
workloads: { test: [{ tokens: 256, rank: 512, width: 32 }] }
)y";
}
template <class Sum, class T>
Compute latent() {
  return [](Judged& j) {
    return in_doubles(latent_attention<Sum>(as<T>(input(j, "q", 0, width)), as<T>(rows(j, "c", tokens, rank)),
                                            as<T>(rows(j, "w", width, rank))));
  };
}

TEST(Magnitude, OfLatentAttention) {
  expect_right(latent_problem("sqrt(rank) / 2"), latent<F32, F32>());
  expect_wrong(latent_problem("sqrt(rank)"), latent<Bf16, F32>());
  expect_wrong(latent_problem("sqrt(rank)"), scaled(latent<F32, F32>(), 0));
  expect_wrong(latent_problem("sqrt(rank)"), scaled(latent<F32, F32>(), 1.01));
}

// Inputs that nearly cancel, added up in eight parts.
std::string cancelling(const std::string& reference, const std::string& test = "{ n: 4096 }") {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"(i % 2 == 0 ? 1 : -1) * "
         "(1 + i / 2 "
         "* 7919 % 1000 / 1000.0) + (i == n - 1 ? 1e-4 : 0)\" } }\n"
         "  y: { role: output, dtype: f32, shape: [], " +
         tolerance("sqrt(n) / 2") + "reference:\n" + reference + "workloads: { test: [" + test + "] }\n";
}
Row<double> in_eight_parts(Judged& j) {
  const Row<F32> x = as<F32>(input(j, "x", 0, 4096));
  F32 part[8] = {};
  for (std::size_t i = 0; i < x.size(); ++i) part[i / 512] = part[i / 512] + x[(i * 1021) % 4096];
  F32 all;
  for (const F32& one : part) all = all + one;
  return {double(all)};
}

TEST(Magnitude, IsCountedInBodies) {
  expect_right(cancelling("  y: { index: [], reduce: { over: { i: n }, op: sum, term: \"x(i)\" } }\n"),
               in_eight_parts);
  const std::string loop = R"y(  y:
    index: []
    code: |
      auto doubled = [](double v) -> double { return 2 * v; };
      constexpr double half = 0.5;
      double all = 0, rows[2] = {};
      for (i64 i = 0; i < n; ++i) rows[i % 2] += half * doubled(x(i));
      for (double one : rows) all += one;
      if (n == 0) return 0.0;
      return all;
)y";
  expect_right(cancelling(loop), in_eight_parts);
  expect_wrong(cancelling(loop), [](Judged&) { return Row<double>{0.1}; });
}
TEST(Magnitude, PassesFromBodyToBody) {
  const std::string chain = R"y(  part:
    index: { p: 8 }
    code: |
      double all = 0;
      for (i64 i = p * n / 8; i < (p + 1) * n / 8; ++i) all += x(i);
      return all;
  y:
    index: []
    reduce: { over: { p: 8 }, op: sum, term: "const double one = part(p); return one;" }
)y";
  expect_right(cancelling(chain), in_eight_parts);
}
// Where -infinity or a number as large stands for what is left out.
std::string masked(const std::string& mask) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
         "  y: { role: output, dtype: f32, shape: [n], " +
         tolerance("8") +
         "reference:\n"
         "  score: { index: { i: n }, value: \"i < n / 2 ? x(i) + 0 : x(i) + " +
         mask +
         "\" }\n"
         "  most: { index: {}, reduce: { over: { i: n }, op: max, term: \"score(i)\" } }\n"
         "  all: { index: {}, reduce: { over: { i: n }, op: sum, term: \"exp(score(i) - most())\" } }\n"
         "  y: { index: [i], value: \"exp(score(i) - most()) / all()\" }\n"
         "workloads: { test: [{ n: 64 }] }\n";
}
Row<double> masked_softmax(Judged& j) {
  Row<double> y = in_doubles(softmax<F32>(as<F32>(input(j, "x", 0, 32))));
  y.resize(64, 0);
  return y;
}

TEST(Magnitude, OfWhatIsLeftOutIsNone) {
  for (const char* mask : {"-infinity", "-1e9", "-1e30"}) {
    SCOPED_TRACE(mask);
    expect_right(masked(mask), masked_softmax);
    expect_wrong(masked(mask), scaled(masked_softmax, 1.001));
    expect_wrong(masked(mask), scaled(masked_softmax, 0));
  }
}

// A sum below 0 by less than its rounding may come out above.
TEST(Magnitude, OfWhatNearlyWins) {
  for (const char* y : {"max(0, total())", "-min(0, -total())"}) {
    SCOPED_TRACE(y);
    const std::string text = cancelling(
        "  total: { index: {}, reduce: { over: { i: n }, op: sum, term: \"i == n - 1 ? x(i) - 1.2e-4 : "
        "1.0 * x(i)\" } }\n  y: { index: [], value: \"" +
        std::string(y) + "\" }\n");
    expect_right(text, [](Judged&) { return Row<double>{2e-6}; });
    expect_wrong(text, [](Judged&) { return Row<double>{0.1}; });
  }
}

// The least of sums that cancel: its error is that of the sums.
TEST(Magnitude, OfAMinimum) {
  const std::string text = cancelling(
      "  part: { index: { p: 4 }, reduce: { over: { i: n }, op: sum, term: \"(1 + p) * x(i)\" } }\n"
      "  y: { index: [], reduce: { over: { p: 5 }, op: min, term: \"p == 4 ? 1e-3 : part(p) + 0\" } }\n");
  expect_right(text, in_eight_parts);
  expect_wrong(text, [](Judged&) { return Row<double>{0.1}; });
}

TEST(Magnitude, OfAProduct) {  // (sum that cancels) · 1000 · 1000: its error grows by the slope alone
  const std::string text = cancelling(
      "  part: { index: {}, reduce: { over: { i: n }, op: sum, term: \"x(i)\" } }\n"
      "  y: { index: [], reduce: { over: { p: 2 }, op: product, term: \"p == 0 ? part() : 1000 + 0 * "
      "part()\" } }\n");
  expect_right(text, [](Judged& j) { return Row<double>{1000 * in_eight_parts(j)[0]}; });
  expect_wrong(text, [](Judged&) { return Row<double>{1000.0}; });
}

TEST(Magnitude, PassesThroughExponents) {  // 2^s of a sum s that cancels
  const std::string text = cancelling(
      "  part: { index: {}, reduce: { over: { i: n }, op: sum, term: \"x(i)\" } }\n"
      "  y: { index: [], value: \"pow(2.0, part())\" }\n");
  expect_right(text, [](Judged& j) { return Row<double>{std::exp2(in_eight_parts(j)[0])}; });
  expect_wrong(text, [](Judged&) { return Row<double>{1.1}; });
}

// Real parts of complex products, of numbers whose products nearly cancel. `reference`: of y, which has
// `shape`.
std::string complex_products(const std::string& shape, const std::string& reference) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  a: { role: input, dtype: f32, shape: [n], fill: { uniform: { low: 1, high: 2 } } }\n"
         "  c: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"1 + i * 7919 % 1000 / "
         "1000.0\" } }\n"
         "  d: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"1 + i * 7919 % 1000 / "
         "1000.0 + ldexp(1.0, -16)\" } }\n"
         "  y: { role: output, dtype: f32, shape: " +
         shape + ", " + tolerance("sqrt(n) / 2") + "reference:\n  y: " + reference +
         "workloads: { test: [{ n: 4096 }] }\n";
}
// Every product rounded, then every difference, then every sum. `prefixes`: all of them, else the last.
Compute honest_complex_products(bool prefixes) {
  return [=](Judged& j) {
    const Row<float> a = as<float>(input(j, "a", 0, 4096)), c = as<float>(input(j, "c", 0, 4096)),
                     d = as<float>(input(j, "d", 0, 4096));
    Row<double> sums;
    float all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float real = a[i] * c[i], other = a[i] * d[i];
      all += real - other;
      if (prefixes) sums.push_back(double(all));
    }
    return prefixes ? sums : Row<double>{double(all)};
  };
}

TEST(Magnitude, OfComplexProductsInTerms) {
  const std::string term = "term: \"a(i) * c(i) - a(i) * d(i)\"";
  const auto last = honest_complex_products(false);
  for (const std::string& text :
       {complex_products("[]", "{ index: [], reduce: { over: { i: n }, op: sum, " + term + " } }\n"),
        complex_products(
            "[1]", "{ index: [k], scatter: { over: { i: n }, at: { k: 0 }, op: sum, " + term + " } }\n")}) {
    expect_right(text, last);
    expect_wrong(text, scaled(last, 0));
  }
  const std::string sums =
      complex_products("[n]", "{ index: [i], scan: { along: i, op: sum, " + term + " } }\n");
  expect_right(sums, honest_complex_products(true));
  expect_wrong(sums, scaled(honest_complex_products(true), 3));
}
// One operation of inputs counts by its result alone: what they differ by is exact to its own last place.
TEST(Magnitude, OfOneDifferenceOfInputsIsItsOwn) {
  const std::string text =
      complex_products("[]", "{ index: [], reduce: { over: { i: n }, op: sum, term: \"c(i) - d(i)\" } }\n");
  const auto sum = [](Judged& j) {
    const Row<float> c = as<float>(input(j, "c", 0, 4096)), d = as<float>(input(j, "d", 0, 4096));
    float all = 0;
    for (std::size_t i = 0; i < c.size(); ++i) all += c[i] - d[i];
    return Row<double>{double(all)};
  };
  expect_right(text, sum);
  expect_wrong(text, scaled(sum, 1.0001));
}
TEST(Magnitude, TermsOfInputsReadAsOthers) {  // functions, conditions, bodies and whole numbers of inputs
  const auto text = [](const std::string& term) {
    return complex_products("[]",
                            "{ index: [], reduce: { over: { i: n }, op: max, term: \"" + term + "\" } }\n");
  };
  for (const char* term :
       {"i == 7 ? c(i) : 0", "a(i) > 0 && i == 7 ? -(-c(i)) : -1.0", "i == 7 ? min(c(i), 9) : max(0, -c(i))",
        "i == 7 ? abs(-c(i)) : floor(c(i)) - 2", "i == 7 ? sqrt(pow(c(i), 2)) : 0 * exp(c(i)) - 1",
        "double v = c(i); if (i == 7) return v; return -double(i64(a(i)));",
        "if (i == 7) return c(i); return 0.0;", "i == 7 ? ldexp(c(i), 1) / 2 : c(i) / n - 1"})
    expect_right(text(term), [](Judged& j) { return input(j, "c", 7, 1); });
}

// A product within half a rounding of f32 of a tie of bf16: f32 rounds it into the tie, and the tie to even.
std::string near_ties(const std::string& value) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"1 + i * ldexp(1.0, -12)\" "
         "} }\n"
         "  w: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"(1 + ldexp(1.0, -8)) / (1 "
         "+ i * ldexp(1.0, -12))\" } }\n"
         "  y: { role: output, dtype: f32, shape: [n], " +
         tolerance("1") + "reference: { y: { index: [i], value: \"" + value +
         "\" } }\nworkloads: { test: [{ n: 500 }] }\n";
}
template <class Function>
Compute of_products(Function function) {
  return [=](Judged& j) {
    const Row<float> x = as<float>(input(j, "x", 0, 500)), w = as<float>(input(j, "w", 0, 500));
    Row<double> y;
    for (std::size_t i = 0; i < x.size(); ++i) y.push_back(function(float(x[i] * w[i])));
    return y;
  };
}
double to_bf16(double x) { return program::widen(program::narrow<program::bf16>(x)); }

TEST(Magnitude, NearATieAdmitsBothNeighbours) {
  const std::string text = near_ties("round_to(bf16, x(i) * w(i))");
  expect_right(text, of_products([](float v) { return to_bf16(double(v)); }));
  expect_wrong(text, of_products([](float) { return 1 + 0x1p-6; }));
  expect_wrong(text, of_products([](float) { return 1 - 0x1p-7; }));
}
TEST(Magnitude, FarFromTiesAdmitsNoStep) {
  const std::string text = near_ties("round_to(bf16, x(i) * w(i) + 0.001)");
  const auto honest = [](float v) { return to_bf16(double(v + 0.001f)); };
  expect_right(text, of_products(honest));
  expect_wrong(text, of_products([=](float v) { return honest(v) - 0x1p-7; }));
  expect_wrong(text, of_products([=](float v) { return honest(v) * 1.0001; }));
}
TEST(Magnitude, NearAWholeNumberAdmitsBothStairs) {
  for (const char* stairs : {"floor(256 * (x(i) * w(i)))", "ceil(256 * (x(i) * w(i)))"}) {
    SCOPED_TRACE(stairs);
    expect_right(near_ties(stairs), of_products([](float) { return 257.0; }));
    expect_wrong(near_ties(stairs), of_products([](float) { return 259.0; }));
  }
  expect_wrong(near_ties("floor(256 * (x(i) * w(i)) + 0.5)"), of_products([](float) { return 258.0; }));
  expect_wrong(near_ties("floor(i)"), of_products([](float) { return 1.0; }));
}

// Two passes over rows that are all 0.1: differences from the mean are rounding alone, and so is their
// square.
TEST(Magnitude, OfTheDeviationOfEqualNumbers) {
  const auto yaml = [](const std::string& value) {
    return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
           "  x: { role: input, dtype: f32, shape: [n], fill: { index: [i], value: \"0.1\" } }\n"
           "  y: { role: output, dtype: f32, shape: [1], " +
           tolerance("sqrt(n)") +
           "reference:\n"
           "  total: { index: {}, reduce: { over: { j: n }, op: sum, term: \"x(j)\" } }\n"
           "  apart: { index: { j: n }, value: \"(x(j) - total() / n) * (x(j) - total() / n)\" }\n"
           "  squares: { index: {}, reduce: { over: { j: n }, op: sum, term: \"apart(j)\" } }\n"
           "  y: { index: [i], value: \"" +
           value + "\" }\nworkloads: { test: [{ n: 1000 }] }\n";
  };
  const auto variance = [](Judged& j) {
    const Row<float> x = as<float>(input(j, "x", 0, 1000));
    float sum = 0, squares = 0;
    for (const float one : x) sum += one;
    for (const float one : x) squares += (one - sum / 1000) * (one - sum / 1000);
    return squares / 1000;
  };
  expect_right(yaml("squares() / n"), [&](Judged& j) { return Row<double>{variance(j)}; });
  expect_right(yaml("sqrt(squares() / n)"), [&](Judged& j) { return Row<double>{std::sqrt(variance(j))}; });
  expect_wrong(yaml("sqrt(squares() / n)"), [](Judged&) { return Row<double>{0.01}; });
}

}  // namespace
}  // namespace podium::judge
