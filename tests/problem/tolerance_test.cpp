// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The constants of the problems' tolerances: f32 accumulators pass with growth halved, f16 accumulators fail.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/problem/instance.hpp"
#include "suite/problem/problem.hpp"

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
    return ulp_ * std::fabs(reference) + share * growth_ * scale;
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
  const Problem problem = load(PODIUM_SOURCE_DIR "/kernels/" + name + "/problem.yaml");
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

}  // namespace
}  // namespace podium::problem
