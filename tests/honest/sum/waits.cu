// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Waits for the stream inside the call

// expect: right
// The sum is made on the CPU, so the call has to wait for the device: its row says blocking.
#include <podium/sum.hpp>

#include <vector>

namespace {
struct Contestant {
  std::vector<float> x;

  explicit Contestant(const problem::Workload& w) : x(std::size_t(w.n)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(
        cudaMemcpyAsync(x.data(), args.x.data, x.size() * sizeof(float), cudaMemcpyDefault, stream));
    podium::check(cudaStreamSynchronize(stream));
    double total = 0;
    for (const float v : x) total += v;
    const float sum = float(total);
    podium::check(cudaMemcpyAsync(args.y.data, &sum, sizeof sum, cudaMemcpyDefault, stream));
    podium::check(cudaStreamSynchronize(stream));
  }
};
}  // namespace
