// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: hipcub::DeviceScan::InclusiveSum
//   author: Podium
//   source: https://github.com/ROCm/hipCUB, on rocPRIM, as they come with ROCm
//   needs: [hipcub]
#include <podium/hipcub.hpp>
#include <podium/prefix_sum.hpp>

namespace {
using podium::check;
using problem::number;

struct Contestant {
  std::size_t bytes = 0;
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    const number* x = nullptr;
    number* y = nullptr;
    check(
        hipcub::DeviceScan::InclusiveSum(nullptr, bytes, x, y, w.n));  // asks for the size of scratch memory
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    check(hipcub::DeviceScan::InclusiveSum(scratch, bytes, args.x.data, args.y.data, args.n, stream));
  }
};
}  // namespace
