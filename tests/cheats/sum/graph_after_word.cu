// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A child graph hands over the answer when the call has returned

// class: graph tricks
// expect: wrong | not written | clock
// The sum is made in time, but not where it belongs. A graph on another stream, for which nobody waits, has a
// node of the host that sleeps 20 ms and then a child graph, whose only node copies the sum.
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  SideStream side;
  float* kept;

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : kept(workspace.device<float>(1)) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }
  static void sleep(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, stream, args.x.data, kept, args.n);
    cudaGraph_t graph{}, child{};
    cudaGraphExec_t ready{};
    cudaGraphNode_t host{}, copy{}, nested{};
    const cudaHostNodeParams sleeps{&sleep, nullptr};
    podium::check(cudaGraphCreate(&child, 0));
    podium::check(cudaGraphAddMemcpyNode1D(&copy, child, nullptr, 0, args.y.data, kept, sizeof(float),
                                           cudaMemcpyDeviceToDevice));
    podium::check(cudaGraphCreate(&graph, 0));
    podium::check(cudaGraphAddHostNode(&host, graph, nullptr, 0, &sleeps));
    podium::check(cudaGraphAddChildGraphNode(&nested, graph, &host, 1, child));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    podium::check(cudaGraphLaunch(ready, side.from(stream)));
    podium::check(cudaGraphExecDestroy(ready));
    podium::check(cudaGraphDestroy(graph));
    podium::check(cudaGraphDestroy(child));
  }
};
}  // namespace
