// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/board.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/judge/bench.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {
namespace {

// What a call of 0.2 ms, the longest for which it matters, moves on the fastest memory of today, and more.
constexpr std::int64_t most_arena_together = std::int64_t{2} << 30;  // bytes

std::string read_all(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) throw Error("the problem's descriptor cannot be read");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t got = pread(descriptor, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) throw Error("the problem's descriptor cannot be read");
    at += static_cast<std::size_t>(got);
  }
  return text;
}

// An arena of `wanted` bytes, or where the device has not that much, of the `needed`.
std::unique_ptr<device::Arena> share(device::Device& device, std::int64_t wanted, std::int64_t needed) {
  if (wanted > needed) try {
      return device.share(static_cast<std::size_t>(wanted));
    } catch (const Error&) {  // what is needed may still fit
    }
  return device.share(static_cast<std::size_t>(needed));
}

}  // namespace

std::unique_ptr<Board> load_board(device::Device& device, const protocol::LoadProblem& request, int text,
                                  int program) {
  auto board = std::make_unique<Board>();
  board->problem = problem::parse(protocol::get(request.name), read_all(text), protocol::get(request.file));
  board->choice = &board->problem.choices.at(static_cast<std::size_t>(request.choice));
  board->program = device.load(program);
  board->evaluator = std::make_unique<Evaluator>(device, *board->program, board->problem, *board->choice);
  board->clock = std::make_unique<ClockProbe>(device, *board->program);
  board->workloads = std::make_unique<Workloads>(device, board->problem, *board->choice);
  return board;
}

void make_arena(device::Device& device, Board& board, std::span<const std::int32_t> workloads) {
  std::int64_t bytes = 0, together = 0;
  std::size_t kept = 0;
  const problem::Workload* largest = nullptr;
  for (const int index : workloads) {
    const auto& workload = board.problem.workloads.at(static_cast<std::size_t>(index));
    const auto& instance = board.workloads->add(index);
    // Room for short calls several at a time, too: short ones have small tensors.
    const std::int64_t room = std::min(most_arena_together, device.description().memory / 16);
    const int calls = calls_within(instance, room, protocol::most_together);
    together = std::max(together, arena_bytes(instance, calls));
    if (calls > 1) kept = std::max(kept, static_cast<std::size_t>(calls) * bytes_kept(instance));
    if (arena_bytes(instance) <= bytes) continue;
    bytes = arena_bytes(instance);
    largest = &workload;
  }
  if (!largest) throw Error("the judge was asked for a board of no workloads");
  if (!board.arena || static_cast<std::int64_t>(board.arena->bytes()) < together) try {
      board.arena.reset();
      board.arena = share(device, together, bytes);
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: the tensors of workload {} do not fit this device: {}",
                              largest->at.file, largest->at.line, largest->name, e.what()));
    }
  // Now, for later contestants could hold all that the device has left.
  if (kept > 0 && (!board.kept || board.kept->bytes() < kept)) try {
      board.kept.reset();
      board.kept = device.allocate(kept);
    } catch (const device::OutOfMemory&) {  // single calls then
    }
}

}  // namespace podium::judge
