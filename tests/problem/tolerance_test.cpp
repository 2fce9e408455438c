// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The constants of the problems' tolerances: f32 accumulators, and where it says so the accumulators of
// matrix units, pass with growth halved, f16 accumulators fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

constexpr int f16_bits = 11, bf16_bits = 8, f32_bits = 24;  // significant bits

// To nearest even; exponents are of no concern to the numbers used here.
double round_to(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

int bits_of(Dtype dtype) {
  return dtype == Dtype::f16 ? f16_bits : dtype == Dtype::bf16 ? bf16_bits : f32_bits;
}

// Normal enough for errors: a sum of four uniform numbers (SplitMix64), variance 1.
class Random {
 public:
  double normal() {
    const std::uint64_t word = next();
    double sum = -4 * 32767.5;
    for (int k = 0; k < 4; ++k) sum += static_cast<double>(word >> (16 * k) & 0xffff);
    return sum / 37837.2;  // 65536 · sqrt(4 / 12)
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

// The limit of one output of one workload, growth times `share`.
class Limit {
 public:
  Limit(const Problem& problem, const Choice& choice, const Workload& workload, const std::string& output)
      : instance(instantiate(problem, choice, workload)) {
    const Tensor& tensor = *problem.tensor(output);
    for (const TensorInstance& made : instance.tensors)
      if (made.name == output) dtype = made.dtype;
    ulp_ = evaluate(problem, instance, tensor.tolerance.ulp) * info(dtype).eps;
    growth_ = evaluate(problem, instance, tensor.tolerance.growth) * tensor.tolerance.accumulate_eps;
  }
  double operator()(double reference, double scale, double share) const {
    const double binade = std::exp2(std::floor(std::log2(std::fabs(reference))));
    return ulp_ * binade + share * growth_ * scale;
  }
  Instance instance;
  Dtype dtype = Dtype::f32;

 private:
  double ulp_, growth_;
};

double pairwise(const double* values, std::size_t count, int bits) {
  if (count == 1) return round_to(values[0], bits);
  const std::size_t half = count / 2;
  return round_to(pairwise(values, half, bits) + pairwise(values + half, count - half, bits), bits);
}

template <class Body>
void for_each_workload(const std::string& name, Body body) {
  const Problem problem = load(test::source_dir() + "/kernels/" + name + "/problem.yaml");
  for (const Choice& choice : problem.choices)
    for (const Workload& workload : problem.workloads)
      if (on_board(workload, choice) && workload.fills.empty()) {
        SCOPED_TRACE(name + " " + choice.name + " " + workload.name);
        body(problem, choice, workload);
      }
}

TEST(Tolerance, Matmul) {
  for_each_workload("matmul", [](const Problem& problem, const Choice& choice, const Workload& workload) {
    const Limit limit(problem, choice, workload, "c");
    const std::int64_t k = workload.axes.at("k");
    const int bits = bits_of(limit.dtype);
    Random random;
    double honest = 0, cheap = 0;  // largest error over its limit
    for (int element = 0; element < 200; ++element) {
      double exact = 0, magnitude = 0, low = 0;
      float sequential = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        const double product = round_to(random.normal(), bits) * round_to(random.normal(), bits);
        exact += product;
        magnitude += std::fabs(product);
        sequential += static_cast<float>(product);
        low = round_to(low + product, f16_bits);
      }
      honest = std::max(honest, std::fabs(round_to(sequential, bits) - exact) / limit(exact, magnitude, 0.5));
      cheap = std::max(cheap, std::fabs(round_to(low, bits) - exact) / limit(exact, magnitude, 1));
    }
    EXPECT_LE(honest, 1);
    if (k >= 16) {
      EXPECT_GT(cheap, 1);
    }
  });
}

TEST(Tolerance, Sum) {
  constexpr std::size_t run = 1 << 18;  // terms an accumulator takes in sequence
  for_each_workload("sum", [](const Problem& problem, const Choice& choice, const Workload& workload) {
    const auto n = static_cast<std::size_t>(workload.axes.at("n"));
    if (n > 4'000'000) return;  // for the time it takes
    const Limit limit(problem, choice, workload, "y");
    Random random;
    std::vector<double> x(n);
    double exact = 0, magnitude = 0;
    float blocked = 0, block = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = round_to(random.normal(), f32_bits);
      exact += x[i];
      magnitude += std::fabs(x[i]);
      block += static_cast<float>(x[i]);
      if (i % run != run - 1 && i + 1 != n) continue;
      blocked += block;
      block = 0;
    }
    EXPECT_LE(std::fabs(blocked - exact), limit(exact, magnitude, 0.5));
    if (n >= 1023) {
      EXPECT_GT(std::fabs(pairwise(x.data(), n, f16_bits) - exact), limit(exact, magnitude, 1));
      EXPECT_GT(std::fabs(exact), limit(exact, magnitude, 1)) << "nothing written would pass";
    }
  });
}

TEST(Tolerance, Softmax) {
  for_each_workload("softmax", [](const Problem& problem, const Choice& choice, const Workload& workload) {
    const Limit limit(problem, choice, workload, "y");
    const auto cols = static_cast<std::size_t>(workload.axes.at("cols"));
    const int bits = bits_of(limit.dtype);
    Random random;
    std::vector<double> x(cols);
    double peak = -1e300, total = 0;
    for (double& value : x) peak = std::max(peak, value = round_to(random.normal(), bits));
    float sum = 0;
    double low = 0;
    for (const double value : x) {
      total += std::exp(value - peak);
      sum += std::exp(static_cast<float>(value) - static_cast<float>(peak));
      low = round_to(low + std::exp(value - peak), f16_bits);
    }
    double honest = 0, cheap = 0;
    for (const double value : x) {
      const double exact = std::exp(value - peak) / total;
      const float y = std::exp(static_cast<float>(value) - static_cast<float>(peak)) / sum;
      honest = std::max(honest, std::fabs(round_to(y, bits) - exact) / limit(exact, exact, 0.5));
      cheap = std::max(
          cheap, std::fabs(round_to(std::exp(value - peak) / low, bits) - exact) / limit(exact, exact, 1));
    }
    EXPECT_LE(honest, 1);
    if (cols >= 1023) {  // below, bf16 outputs cannot show it
      EXPECT_GT(cheap, 1);
    }
  });
}

TEST(Tolerance, VectorAdd) {
  for_each_workload("vector_add", [](const Problem& problem, const Choice& choice, const Workload& workload) {
    const Limit limit(problem, choice, workload, "c");
    const int bits = bits_of(limit.dtype);
    Random random;
    double honest = 0, cheap = 0;
    for (int element = 0; element < 1000; ++element) {
      const double exact = round_to(random.normal(), bits) + round_to(random.normal(), bits);
      honest =
          std::max(honest, std::fabs(round_to(exact, bits) - exact) / limit(exact, std::fabs(exact), 0.5));
      cheap = std::max(cheap, std::fabs(round_to(exact, bits == f32_bits ? f16_bits : bf16_bits) - exact) /
                                  limit(exact, std::fabs(exact), 1));
    }
    EXPECT_LE(honest, 1);
    EXPECT_GT(cheap, 1);
  });
}

// Matrix units of Hopper for 8-bit floats: 32 products and the sum so far are cut to 13 bits below the
// largest product's exponent, and added (model; D. Khattak and M. Mikaitis measured such units).
class MatrixUnit {
 public:
  void add(double a, double b) {
    products_.push_back(a * b);
    if (a * b != 0) largest_ = std::max(largest_, std::ilogb(a) + std::ilogb(b));
    if (products_.size() == 32) flush();
  }
  double take() {
    flush();
    return std::exchange(sum_, 0);
  }

 private:
  static constexpr int kept = 13, none = -1000;

  void flush() {
    if (sum_ != 0) largest_ = std::max(largest_, std::ilogb(sum_));
    const auto cut = [this](double x) {
      return std::ldexp(std::trunc(std::ldexp(x, kept - largest_)), largest_ - kept);
    };
    sum_ = cut(sum_);
    for (const double product : products_) sum_ += cut(product);
    products_.clear();
    largest_ = none;
  }
  std::vector<double> products_;
  double sum_ = 0;
  int largest_ = none;
};

TEST(Tolerance, BlockScaledMatmul) {
  constexpr int e4m3_bits = 4, block = 128;
  for_each_workload("block_scaled_matmul", [](const Problem& problem, const Choice& choice,
                                              const Workload& workload) {
    const Limit limit(problem, choice, workload, "c");
    const std::int64_t k = workload.axes.at("k");
    Random random;
    // Largest errors over their limits: matrix units whose sums are scaled and added in f32 after every
    // block; operands rounded to f16, or bf16, with their scales; sums in f16.
    double units = 0, f16_operands = 0, bf16_operands = 0, f16_sums = 0;
    for (std::int64_t element = 0; element < 300000 / k; ++element) {
      MatrixUnit unit;
      double exact = 0, magnitude = 0, scaled = 0, in_f16 = 0, in_bf16 = 0, low = 0, scale_a = 0, scale_b = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        if (l % block == 0) {
          scale_a = 0.01 * (1 + std::fabs(random.normal()));
          scale_b = 1e-4 * (1 + std::fabs(random.normal()));
        }
        const double a = round_to(64 * random.normal(), e4m3_bits),
                     b = round_to(64 * random.normal(), e4m3_bits);
        const double product = a * b * (scale_a * scale_b);
        exact += product;
        magnitude += std::fabs(product);
        unit.add(a, b);
        if ((l + 1) % block == 0 || l + 1 == k) scaled += unit.take() * (scale_a * scale_b);
        in_f16 += round_to(a * scale_a, f16_bits) * round_to(b * scale_b, f16_bits);
        in_bf16 += round_to(a * scale_a, bf16_bits) * round_to(b * scale_b, bf16_bits);
        low = round_to(low + product, f16_bits);
      }
      const auto raise = [&](double& worst, double sum, double share) {
        worst = std::max(worst, std::fabs(round_to(sum, bf16_bits) - exact) / limit(exact, magnitude, share));
      };
      raise(units, scaled, 0.5);
      raise(f16_operands, in_f16, 0.5);
      raise(bf16_operands, in_bf16, 1);
      raise(f16_sums, low, 1);
    }
    EXPECT_LE(units, 1);
    if (k >= 64) {  // with few terms they may cancel, and what is left of the rounding is large
      EXPECT_LE(f16_operands, 1);
    }
    if (k >= 128 && k <= 512) {  // of longer ones there are too few here
      EXPECT_GT(bf16_operands, 1);
    }
    if (k >= 300) {
      EXPECT_GT(f16_sums, 1);
    }
  });
}

}  // namespace
}  // namespace podium::problem
