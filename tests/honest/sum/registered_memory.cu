// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes its parts through memory of its own that it has registered

// expect: right
// Ordinary memory of the process, registered with the device: parts go there by a copy and come back by
// another, as buffers of a library's would.
#include <vector>

#include "parts.hpp"

namespace {
struct Contestant {
  double *parts, *returned;
  std::vector<double> staged = std::vector<double>(blocks);

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)), returned(workspace.device<double>(blocks)) {
    podium::check(cudaHostRegister(staged.data(), blocks * sizeof(double), cudaHostRegisterDefault));
  }
  ~Contestant() { cudaHostUnregister(staged.data()); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    constexpr std::size_t bytes = blocks * sizeof(double);
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::check(cudaMemcpyAsync(staged.data(), parts, bytes, cudaMemcpyDeviceToHost, stream));
    podium::check(cudaMemcpyAsync(returned, staged.data(), bytes, cudaMemcpyHostToDevice, stream));
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(returned), args.y.data);
  }
};
}  // namespace
