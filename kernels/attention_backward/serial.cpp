// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, pair by pair
//   author: Podium
#include <podium/attention_backward.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
using problem::real;

double dot(const real* x, const real* y, std::int64_t n) {
  double sum = 0;
  for (std::int64_t d = 0; d < n; ++d) sum += double(podium::cast<float>(x[d])) * podium::cast<float>(y[d]);
  return sum;
}
void add(double factor, const real* row, double* sum, std::int64_t n) {
  for (std::int64_t d = 0; d < n; ++d) sum[d] += factor * podium::cast<float>(row[d]);
}
void put(const std::vector<double>& sum, real* to) {
  for (std::size_t at = 0; at < sum.size(); ++at) to[at] = podium::cast<real>(float(sum[at]));
}

struct Contestant {
  std::vector<double> dq, dk, dv;

  explicit Contestant(const problem::Workload& w)
      : dq(std::size_t(w.batch * w.len * w.heads * w.head_dim)),
        dk(std::size_t(w.batch * w.len * w.kv_heads * w.head_dim)),
        dv(dk) {}

  void run(const problem::Arguments& args, podium::Stream) {
    for (auto* sums : {&dq, &dk, &dv}) std::fill(sums->begin(), sums->end(), 0);
    for (std::int64_t b = 0; b < args.batch; ++b)
      for (std::int64_t i = 0; i < args.len; ++i)
        for (std::int64_t h = 0; h < args.heads; ++h) row(args, b, i, h);
    put(dq, args.dq.data);
    put(dk, args.dk.data);
    put(dv, args.dv.data);
  }

  // What one query and head gives to its own sums and to those of the keys that it sees.
  void row(const problem::Arguments& args, std::int64_t b, std::int64_t i, std::int64_t h) {
    const std::int64_t g = h / (args.heads / args.kv_heads), n = args.head_dim;
    const double scale = 1 / std::sqrt(double(n));
    const real *const q = &args.q(b, i, h, 0), *const dout = &args.dout(b, i, h, 0);
    const double delta = dot(dout, &args.out(b, i, h, 0), n);
    for (std::int64_t j = 0, end = args.causal != 0 ? i + 1 : args.len; j < end; ++j) {
      const real* const k = &args.k(b, j, g, 0);
      const double p = std::exp2(scale * dot(q, k, n) * 1.4426950408889634 - args.lse(b, i, h));
      const double ds = p * (dot(dout, &args.v(b, j, g, 0), n) - delta) * scale;
      add(ds, k, &dq[std::size_t(&args.dq(b, i, h, 0) - args.dq.data)], n);
      add(ds, q, &dk[std::size_t(&args.dk(b, j, g, 0) - args.dk.data)], n);
      add(p, dout, &dv[std::size_t(&args.dv(b, j, g, 0) - args.dv.data)], n);
    }
  }
};
}  // namespace
