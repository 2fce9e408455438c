// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, tables to unpack
//   author: Podium
#include <podium/convert.hpp>
#include <podium/nvfp4_matvec.hpp>

#include <vector>

namespace {
using problem::group;

struct Contestant {
  std::vector<float> a, x, a_scale, x_scale;  // of one row, and of one vector

  explicit Contestant(const problem::Workload& w)
      : a(std::size_t(w.k)), x(std::size_t(w.k)), a_scale(std::size_t(w.k / group)), x_scale(a_scale) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto k = args.k, groups = k / group;
    for (std::int64_t e = 0; e < args.batch; ++e) {
      podium::widen(args.x.data + e * (k / 2), x.data(), k);
      podium::widen(args.x_scale.data + e * groups, x_scale.data(), groups);
      for (std::int64_t i = 0; i < args.m; ++i) {
        const auto row = e * args.m + i;
        podium::widen(args.a.data + row * (k / 2), a.data(), k);
        podium::widen(args.a_scale.data + row * groups, a_scale.data(), groups);
        double sum = 0;
        for (std::size_t l = 0; l < a.size(); ++l)
          sum += double(a[l] * a_scale[l / group]) * double(x[l] * x_scale[l / group]);
        args.y(e, i) = podium::cast<podium::f16>(float(sum));
      }
    }
  }
};
}  // namespace
