// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, equal shares of rows and elements
//   author: Podium
//   source: after Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016

// A row costs something even if it is empty, an element costs more or less the same: every thread takes an
// equal share of their sum, wherever that cuts a row. What it has of its last, unfinished row is added when
// all are done.
#include <podium/csr_spmv.hpp>
#include <podium/threads.hpp>

#include <vector>

namespace {
using problem::real;

struct Contestant {
  struct Share {
    std::int64_t row, element;  // where it begins
    real rest;                  // of the row in which it ends
  };
  podium::Threads threads;
  std::vector<Share> shares;  // one more than threads: the last is the end

  explicit Contestant(const problem::Workload& w) {
    const auto& row_ptr = w.row_ptr.host;
    const std::int64_t work = w.rows + w.nnz, members = threads.count();
    for (std::int64_t m = 0; m <= members; ++m) {
      const std::int64_t before = work / members * m + work % members * m / members;
      std::int64_t low = 0, high = w.rows;  // the first row that does not end within `before`
      while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (row_ptr(middle + 1) + middle + 1 <= before)
          low = middle + 1;
        else
          high = middle;
      }
      shares.push_back({low, before - low, 0});
    }
  }

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      Share& share = shares[std::size_t(member)];
      const Share& end = shares[std::size_t(member) + 1];
      std::int64_t e = share.element;
      for (std::int64_t i = share.row; i < end.row; ++i) {
        const std::int64_t last = args.row_ptr.device(i + 1);
        args.y(i) = sum(args, e, last);
        e = last;
      }
      share.rest = sum(args, e, end.element);
    });
    for (std::size_t s = 0; s + 1 < shares.size(); ++s)
      if (shares[s + 1].row < args.rows) args.y(shares[s + 1].row) += shares[s].rest;
  }

  static real sum(const problem::Arguments& args, std::int64_t begin, std::int64_t end) {
    const auto product = [&](std::int64_t e) {
      return args.values.data[e] * args.x.data[args.columns.device.data[e]];
    };
    real partial[4] = {};  // additions that do not wait for each other
    for (; begin + 4 <= end; begin += 4)
      for (int k = 0; k < 4; ++k) partial[k] += product(begin + k);
    for (; begin < end; ++begin) partial[0] += product(begin);
    return (partial[0] + partial[1]) + (partial[2] + partial[3]);
  }
};
}  // namespace
