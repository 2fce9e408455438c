// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The workers in front of the judge: how each is introduced, and whose message, or failure, counts.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "suite/judge/bench.hpp"

namespace podium::judge {

using protocol::Verdict;

Bench::Seat::Seat(const Shared& shared, device::Device& device, device::Arena& arena,
                  protocol::Channel channel, pid_t pid, bool verified, int rank,
                  std::shared_ptr<SharedPage> page)
    : rank(rank),
      device(device),
      arena(arena),
      mark(device.spins() ? device.allocate(tensor_alignment) : nullptr),
      link(std::move(channel)),
      threads(pid, shared.spinner),
      gate(link, threads, shared.background, std::move(page)),
      tensors(shared.device, arena, shared.kept, shared.evaluator, verified, rank),
      check(arena, shared.evaluator, tensors) {}

void Bench::add(device::Device& device, int ordinal, device::Arena& arena, protocol::Channel channel,
                pid_t pid) {
  seat(device, ordinal, arena, std::move(channel), pid);
}

void Bench::seat(device::Device& device, int ordinal, device::Arena& arena, protocol::Channel channel,
                 pid_t pid) {
  const auto page = seats_.empty() ? std::make_shared<SharedPage>() : first().gate.page();
  seats_.push_back(std::make_unique<Seat>(shared_, device, arena, std::move(channel), pid, verified_,
                                          static_cast<int>(seats_.size()), page));
  of(*seats_.back(), [&] { set_up(*seats_.back(), ordinal); });
}

void Bench::set_up(Seat& seat, int ordinal) {
  const device::Handle handle = seat.arena.handle();
  protocol::Setup setup{};
  setup.device = ordinal;
  setup.arena_has_descriptor = handle.descriptor >= 0;
  setup.arena_bytes = seat.arena.bytes();
  setup.rank = seat.rank;
  setup.ranks = std::max<std::int32_t>(1, static_cast<std::int32_t>(shared_.symmetric.size()));
  std::memcpy(setup.arena_token, handle.token, sizeof setup.arena_token);
  protocol::put(setup.interface_hash, interface_hash_);
  const int descriptors[] = {seat.gate.page()->descriptor(), handle.descriptor};
  seat.link.tell(setup, std::span(descriptors, handle.descriptor >= 0 ? 2 : 1));
  seat.link.answer<protocol::Ready>();
  for (device::Arena* const memory : shared_.symmetric) {
    const device::Handle other = memory->handle();
    protocol::Symmetric symmetric{};
    symmetric.has_descriptor = other.descriptor >= 0;
    symmetric.bytes = memory->bytes();
    std::memcpy(symmetric.token, other.token, sizeof symmetric.token);
    seat.link.tell(symmetric, std::span(&other.descriptor, symmetric.has_descriptor != 0 ? 1 : 0));
    seat.link.answer<protocol::Ready>();
  }
}

void Bench::rethrow_of(const Seat& seat, const WorkerFailure& failure) const {
  if (shared_.symmetric.empty() || failure.rank() != WorkerFailure::nobody) throw;
  throw WorkerFailure(failure.verdict(), fmt::format("rank {}: {}", seat.rank, failure.what()), seat.rank);
}

std::vector<Bench::Seat*> Bench::all_seats() {
  std::vector<Seat*> all;
  for (const auto& seat : seats_) all.push_back(seat.get());
  return all;
}

Bench::Seat& Bench::next_to_answer(const std::vector<Seat*>& pending, std::chrono::microseconds poll) const {
  if (pending.size() == 1) return *pending.front();
  std::vector<pollfd> sockets;
  for (const Seat* seat : pending)
    sockets.push_back({.fd = seat->link.descriptor(), .events = POLLIN, .revents = 0});
  const auto until = clock::now() + poll;
  for (;;) {
    const bool sleeps = clock::now() >= until;
    ::poll(sockets.data(), sockets.size(), sleeps ? -1 : 0);
    for (std::size_t k = 0; k < sockets.size(); ++k)
      if (sockets[k].revents != 0) return *pending[k];
  }
}

// How often a rank has come to where ranks meet: sdk/podium/ranks.hpp, whose Meetings begin its memory.
std::uint32_t Bench::meetings_of(const Seat& seat) {
  const auto rank = static_cast<std::size_t>(seat.rank);
  std::uint32_t came = 0;
  device_.copy(&came, shared_.symmetric[rank]->data() + rank * sizeof came, sizeof came);
  device_.synchronise();
  return came;
}

// A rank that ends by itself leaves the others waiting. Where all that have yet to answer are gone, podium
// has ended them since their time was over: then those that waited at a meeting are not to blame.
void Bench::blame(const WorkerFailure& failure, const std::vector<Seat*>& pending) {
  constexpr int together = 200;  // milliseconds in which podium ends all
  std::map<int, std::uint32_t> came;
  for (Seat* seat : pending) {
    if (!seat->link.ended(together)) throw failure;
    came[seat->rank] = meetings_of(*seat);
  }
  const auto fewer = [](const auto& one, const auto& other) { return one.second < other.second; };
  const auto [rank, least] = *std::ranges::min_element(came, fewer);
  std::string all, waiting;
  for (const auto& [other, meetings] : came) {
    all += fmt::format("{}{}", all.empty() ? "" : ", ", other);
    if (meetings > least) waiting += fmt::format("{}{}", waiting.empty() ? "" : ", ", other);
  }
  const char* const stage = pending.front()->link.stage();
  throw WorkerFailure(
      Verdict::gone,
      waiting.empty() ? fmt::format("ranks {}: {}", all, stage)
                      : fmt::format("rank {}: {}, in which rank {} waits to meet it", rank, stage, waiting),
      rank);
}

}  // namespace podium::judge
