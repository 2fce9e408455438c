// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A node of a graph sends a thread to do the work

// class: graph tricks
// expect: wrong | not written | clock
// The graph holds nothing but a call of the host, which wakes a thread, which launches the sum on another
// stream a little later.
#include <atomic>
#include <chrono>
#include <thread>

#include "honest.hpp"

namespace {
struct Contestant {
  cudaStream_t side{};
  std::atomic<int> errands{0};
  std::atomic<bool> over{false};
  problem::Arguments wanted{};
  std::thread errand_boy;

  Contestant() {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    errand_boy = std::thread([this] {
      for (int done = 0; !over;)
        if (errands > done) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          honest_sum(wanted, side);
          ++done;
        }
    });
  }
  ~Contestant() {
    over = true;
    errand_boy.join();
    cudaStreamSynchronize(side);
    cudaStreamDestroy(side);
  }
  static void send(void* self) { ++static_cast<Contestant*>(self)->errands; }

  void run(const problem::Arguments& args, podium::Stream stream) {
    wanted = args;
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    cudaGraphNode_t node{};
    const cudaHostNodeParams parameters{&send, this};
    podium::check(cudaGraphCreate(&graph, 0));
    podium::check(cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    podium::check(cudaGraphLaunch(ready, stream));
    podium::check(cudaGraphExecDestroy(ready));
    podium::check(cudaGraphDestroy(graph));
  }
};
}  // namespace
