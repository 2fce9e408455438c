// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: hipcub::DeviceReduce::Sum
//   author: Podium
//   source: https://github.com/ROCm/hipCUB, on rocPRIM, as they come with ROCm
//   needs: [hipcub]
#include <podium/hipcub.hpp>
#include <podium/sum.hpp>

namespace {
using podium::check;

struct Contestant {
  std::size_t bytes = 0;
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    const float* x = nullptr;
    float* y = nullptr;
    check(hipcub::DeviceReduce::Sum(nullptr, bytes, x, y,
                                    w.n));  // asks for the size of the scratch memory, no more
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    check(hipcub::DeviceReduce::Sum(scratch, bytes, args.x.data, args.y.data, args.n, stream));
  }
};
}  // namespace
