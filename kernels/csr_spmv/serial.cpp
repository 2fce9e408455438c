// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, row after row
//   author: Podium
#include <podium/csr_spmv.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto& row_ptr = args.row_ptr.device;
    const auto& columns = args.columns.device;
    for (std::int64_t i = 0; i < args.rows; ++i) {
      problem::real sum = 0;
      for (auto e = row_ptr(i); e < row_ptr(i + 1); ++e) sum += args.values(e) * args.x(columns(e));
      args.y(i) = sum;
    }
  }
};
}  // namespace
