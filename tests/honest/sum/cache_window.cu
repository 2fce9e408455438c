// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets its parts persist in the cache for the length of a call

// expect: right
// A window over what the first kernel leaves for the second, opened in the call and closed in it.
#include "parts.hpp"

namespace {
struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {
    podium::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
  }
  ~Contestant() {
    cudaCtxResetPersistingL2Cache();
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  }
  void open_window(podium::Stream stream, std::size_t bytes) const {
    cudaStreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = parts;
    value.accessPolicyWindow.num_bytes = bytes;  // 0 closes it
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = bytes > 0 ? cudaAccessPropertyPersisting : cudaAccessPropertyNormal;
    value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
    podium::check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    open_window(stream, blocks * sizeof(double));
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
    open_window(stream, 0);
  }
};
}  // namespace
