// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/graph.hpp"

#include <fmt/format.h>

#include <string>

#include "suite/device/lane.hpp"

namespace podium::gpu {
namespace {

void expect(api::Status status, const char* what) {
  if (status == api::success) return;
  static_cast<void>(api::last_error());
  throw device::NotCapturable(fmt::format("{}: {}", what, describe(status)));
}

}  // namespace

GraphExec captured(api::Stream stream, const std::function<void()>& run) {
  // Of this thread alone: what a contestant's other threads do is their own affair, and allocations, which a
  // replay would not repeat, are refused.
  expect(api::stream_begin_capture(stream, api::capture_thread_local), "the capture did not begin");
  std::string thrown;
  try {
    run();
  } catch (const std::exception& e) {
    thrown = e.what();
  }
  api::Graph made{};
  const auto ended = api::stream_end_capture(stream, &made);
  const Graph graph(made);
  if (!thrown.empty()) {
    static_cast<void>(api::last_error());
    throw device::NotCapturable(thrown);
  }
  expect(ended, "its calls end the capture");
  std::size_t nodes = 0;
  expect(api::graph_get_nodes(graph, nullptr, &nodes), "the graph cannot be read");
  if (nodes == 0) throw device::NotCapturable("it enqueues nothing on the stream that it is given");
  api::GraphExec exec{};
  expect(api::graph_instantiate(&exec, graph, 0), "the graph cannot be made ready to launch");
  return GraphExec(exec);
}

}  // namespace podium::gpu
