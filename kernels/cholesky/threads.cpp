// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole matrices each, rows of the transpose
//   author: Podium

// Row i of the transpose u = lᵀ is row i of a less multiples of the rows of u above: nothing but additions
// of contiguous rows, which compilers vectorise. Several at a time, so that the row is loaded and stored less
// often.
#include <podium/cholesky.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
using problem::real;
constexpr std::int64_t at_once = 8;  // rows that are subtracted in one pass

// row[j] -= sum over k < count of u[k, i] u[k, j], for j in [i, n); u has n columns.
template <std::int64_t count>
void subtract(const real* u, std::int64_t n, std::int64_t i, real* row) {
  real factor[count];
  for (std::int64_t k = 0; k < count; ++k) factor[k] = u[k * n + i];
  for (std::int64_t j = i; j < n; ++j) {
    real sum = 0;
    for (std::int64_t k = 0; k < count; ++k) sum += factor[k] * u[k * n + j];
    row[j] -= sum;
  }
}

// The upper factor of a, n x n; what is below its diagonal is left as it was.
void factorise(const real* a, std::int64_t n, real* __restrict u) {
  for (std::int64_t i = 0; i < n; ++i) {
    real* row = u + i * n;
    std::copy(a + i * n + i, a + (i + 1) * n, row + i);
    std::int64_t k = 0;
    for (; k + at_once <= i; k += at_once) subtract<at_once>(u + k * n, n, i, row);
    for (; k < i; ++k) subtract<1>(u + k * n, n, i, row);
    const real root = std::sqrt(row[i]), inverse = 1 / root;
    row[i] = root;
    for (std::int64_t j = i + 1; j < n; ++j) row[j] *= inverse;
  }
}

// l = uᵀ, in tiles that stay in the first cache.
void transpose(const real* u, std::int64_t n, real* l) {
  constexpr std::int64_t tile = 32;
  for (std::int64_t top = 0; top < n; top += tile)
    for (std::int64_t left = 0; left < n; left += tile)
      for (std::int64_t i = top; i < std::min(n, top + tile); ++i)
        for (std::int64_t j = left; j < std::min(n, left + tile); ++j)
          l[i * n + j] = j <= i ? u[j * n + i] : 0;
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<real>> factors;  // a transpose for every thread

  explicit Contestant(const problem::Workload& w)
      : factors(std::size_t(threads.count()), std::vector<real>(std::size_t(w.n * w.n))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t n = args.n;
    threads.each_member([&](int member) {
      real* u = factors[std::size_t(member)].data();
      const auto [begin, end] = threads.share(args.batch, 1, member);
      for (auto b = begin; b < end; ++b) {
        factorise(args.a.data + b * n * n, n, u);
        transpose(u, n, args.l.data + b * n * n);
      }
    });
  }
};
}  // namespace
