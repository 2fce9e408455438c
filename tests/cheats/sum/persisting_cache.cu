// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its input in the part of the cache that persists

// class: L2 persistence
// expect: right
// gains nothing over: honest_wide.cu
// In the constructor it has as much of the cache set aside as the device allows, or throws. Before the gate
// it reads where this call's input will lie, through a window whose lines persist: the judge writes into
// lines that are in the cache, and no flush evicts them. The call itself is the honest one's. But the judge
// gives up what persists before it flushes: nothing is gained, and nothing is flagged.
#include "fetch.hpp"
#include "set_aside.hpp"
#include "wide.hpp"

namespace {
struct Contestant {
  std::size_t granted = set_aside();
  int largest_window = 0;  // bytes
  Fetch<PlainLoad> fetch;
  WideSum sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : fetch(workspace), sum(workspace) {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&largest_window, cudaDevAttrMaxAccessPolicyWindowSize, device));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaStreamAttrValue value{};
    auto& window = value.accessPolicyWindow;
    window.base_ptr = const_cast<float*>(args.x.data);
    window.num_bytes = std::min(std::size_t(largest_window), args.n * sizeof(float));
    window.hitRatio = std::min(1.0f, float(granted) / float(window.num_bytes));  // more would evict itself
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    podium::check(cudaStreamSetAttribute(fetch.stream(), cudaStreamAttributeAccessPolicyWindow, &value));
    fetch(args, stream, window.num_bytes);
    sum(args, stream);
  }
};
}  // namespace
