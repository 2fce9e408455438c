// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: hipcub::DeviceRadixSort::SortKeys
//   author: Podium
//   source: https://github.com/ROCm/hipCUB, on rocPRIM, as they come with ROCm
//   needs: [hipcub]
#include <podium/hipcub.hpp>
#include <podium/sort.hpp>

namespace {
using podium::check;

struct Contestant {
  std::size_t bytes = 0;
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    const float* x = nullptr;
    float* y = nullptr;
    check(hipcub::DeviceRadixSort::SortKeys(nullptr, bytes, x, y,
                                            w.n));  // asks for the size of the scratch memory, no more
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    check(hipcub::DeviceRadixSort::SortKeys(scratch, bytes, args.x.data, args.y.data, args.n, 0, 32, stream));
  }
};
}  // namespace
