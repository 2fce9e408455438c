// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium new problem` writes: the mean of each row, to be changed.
#include <fmt/format.h>

#include "suite/cli/create.hpp"

namespace podium::cli {
namespace {

std::string with_name(std::string_view text, const std::string& name) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = text.find("@NAME@", at);
    result += text.substr(at, mark - at);
    if (mark == text.npos) break;
    result += name;
    at = mark + 6;
  }
  return result;
}

constexpr std::string_view problem_text =
    R"y(# A problem of Podium: what is computed, on which sizes, and how results are verified.
# `podium check` finds mistakes in it, `podium show problem @NAME@` says what it turns into.
podium: 1
title: Mean of each row
description: y[i] = sum over j of x[i, j], over cols

# Integers that each workload sets. Conditions must hold on every workload.
axes: [rows, cols]
conditions: ["cols > 0"]

# Each choice of dtypes is a board of its own: a table with its own ranks.
types: { real: [f32] }

tensors:
  # Other fills: uniform, integers, permutation, zeros, ones, sequence, or a term over the indices:
  # { index: [i, j], value: "normal(0) / (1 + j)" }
  x: { role: input, dtype: real, shape: [rows, cols], fill: { normal: { mean: 1, stddev: 1 } } }
  # |y - reference| <= ulp step(real, reference) + growth eps(f32) scale; step: the distance of neighbouring numbers.
  # A sum in f32 loses about sqrt(cols) eps; `magnitude` is the same mean over |x|, so that sums that cancel are not asked for more than they can give.
  y: { role: output, dtype: real, shape: [rows], tolerance: { ulp: 1, growth: "sqrt(cols)", scale: magnitude } }

# Evaluated in fp64. Terms are C++; a reference may use inputs and other references.
reference:
  total: { index: { i: rows }, reduce: { over: { j: cols }, op: sum, term: "x(i, j)" } }
  y: { index: [i], value: "total(i) / cols" }

# How many values of an output's index are verified in each timed call; test workloads are verified in full.
sample: { i: 64 }

# For the rates in tables. auto: every input is read once, every output written once.
cost: { bytes: auto, flops: rows * cols }

workloads:
  # Small and awkward: one element, odd sizes, long rows. A contestant that fails one of them is not ranked.
  test:
    - { rows: 1, cols: 1 }
    - { rows: 7, cols: 1023 }
    - { rows: 129, cols: 31 }
    - { rows: 2, cols: 32771 }
    - { rows: 5, cols: 300, fill: { x: zeros }, name: zeros }
  # Seconds on a laptop's CPU.
  quick:
    - { rows: 1024, cols: 1024 }
  # Those of published tables; at home on a GPU.
  bench:
    - { rows: 8192, cols: 8192 }
    - { rows: 64, cols: 1048576 }

# The contestant that times are related to, on each kind of device: a vendor library's, where there is one.
baseline: { host: serial, cuda: plain, hip: plain }
)y";

constexpr std::string_view portable_text = R"c(// podium: { title: "One block a row" }

// Runs on NVIDIA and AMD GPUs; on the CPU it is emulated: verified, not timed.
#include <podium/@NAME@.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block) mean(podium::Tensor<const real, 2> x, podium::Tensor<real, 1> y) {
  __shared__ float partial[block];
  float sum = 0;
  for (std::int64_t j = threadIdx.x; j < x.extent(1); j += block) sum += podium::cast<float>(x(blockIdx.x, j));
  partial[threadIdx.x] = sum;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y(blockIdx.x) = podium::cast<real>(partial[0] / float(x.extent(1)));
}

struct Contestant {
  // A constructor, if there is one, is not timed; it sees sizes, never data: (const problem::Workload&).
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;  // an empty grid is an error on every GPU
    podium::launch(mean, dim3(unsigned(args.rows)), dim3(block), 0, stream, args.x, args.y);
  }
};
}  // namespace
)c";

constexpr std::string_view native_text = R"c(// podium: { title: "One thread, a loop" }
#include <podium/@NAME@.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.rows; ++i) {
      float sum[8] = {};  // partial sums: faster, and more accurate than one
      for (std::int64_t j = 0; j < args.cols; ++j) sum[j % 8] += podium::cast<float>(args.x(i, j));
      float total = 0;
      for (const float part : sum) total += part;
      args.y(i) = podium::cast<real>(total / float(args.cols));
    }
  }
};
}  // namespace
)c";

}  // namespace

std::string first_problem(const std::string& name, const std::string& schema) {
  return (schema.empty() ? "" : fmt::format("# yaml-language-server: $schema={}\n", schema)) +
         with_name(problem_text, name);
}
std::string first_portable(const std::string& name) { return with_name(portable_text, name); }
std::string first_native(const std::string& name) { return with_name(native_text, name); }

}  // namespace podium::cli
