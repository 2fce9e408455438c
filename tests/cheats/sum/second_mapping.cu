// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Maps the shared memory a second time and computes there before the gate opens

// class: inputs before their turn
// expect: wrong | not written | threw
// The block behind the tensors gets other addresses of this process's own, which outlive the instance. A
// stream that no gate holds adds up what lies there; the given stream only hands it over. Another address is
// no earlier sight of the inputs.
#include "arena.hpp"
#include "honest.hpp"
#include "side_stream.hpp"

namespace {
CUdeviceptr first = 0, second = 0;  // of the same memory

struct Contestant {
  SideStream side;
  float* kept;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : kept(workspace.device<float>(1)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (second == 0) {
      const Arena arena(args.y.data);
      first = arena.begin;
      second = map_again(arena.memory, arena.bytes);
    }
    const auto x =
        reinterpret_cast<const float*>(reinterpret_cast<CUdeviceptr>(args.x.data) - first + second);
    podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, side.get(), x, kept, args.n);
    podium::check(cudaMemcpyAsync(args.y.data, kept, sizeof(float), cudaMemcpyDefault, stream));
  }
};
}  // namespace
