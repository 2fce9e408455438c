// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a stream was given to do, captured once and launched as often as one likes.
#pragma once
#include <functional>

#include "backends/gpu/handles.hpp"

namespace podium::gpu {

using Graph = Owned<api::Graph, api::graph_destroy>;
using GraphExec = Owned<api::GraphExec, api::graph_exec_destroy>;

// Captures what `run` enqueues on `stream`, which afterwards captures no more, whatever happened. Throws
// device::NotCapturable with the reason: `run` threw, did what a capture forbids, or enqueued nothing there.
GraphExec captured(api::Stream stream, const std::function<void()>& run);

}  // namespace podium::gpu
