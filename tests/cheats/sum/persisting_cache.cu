// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps the inputs in the part of the cache that persists

// class: L2 persistence
// expect: right
// gains nothing over: honest_alone.cu
// The stream's accesses to x are marked to persist, in as much of the cache as can be set aside, so that a
// flush leaves them. The judge gives up what persists before every call, and the inputs are others: it is
// as fast as without, and nothing is flagged.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    int device = 0, most = 0, window = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
    podium::check(cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device));
    static_cast<void>(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t(most)));
    static_cast<void>(cudaGetLastError());  // refused while work is queued, on some drivers
    cudaStreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = const_cast<float*>(args.x.data);
    value.accessPolicyWindow.num_bytes = std::min(std::size_t(window), std::size_t(args.n) * sizeof(float));
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    podium::check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    honest_sum(args, stream);
  }
};
}  // namespace
