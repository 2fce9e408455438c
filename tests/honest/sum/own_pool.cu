// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes its memory from a pool of its own and gives it back to that

// expect: right
// A pool made in the constructor, from which every call takes what it needs in the order of the stream.
#include "parts.hpp"

namespace {
struct Contestant {
  cudaMemPool_t pool{};

  Contestant() {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    podium::check(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t kept = ~std::uint64_t{0};  // bytes: less is given back whenever the device is waited for
    podium::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  }
  ~Contestant() {
    cudaMemPoolTrimTo(pool, 0);
    cudaMemPoolDestroy(pool);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    void* at = nullptr;
    podium::check(cudaMallocFromPoolAsync(&at, blocks * sizeof(double), pool, stream));
    auto* const parts = static_cast<double*>(at);
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::launch(whole_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts), args.y.data);
    podium::check(cudaFreeAsync(at, stream));
  }
};
}  // namespace
